/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method_internal.h - entries for tests: fuzzers feed them with bytes, benchmarks with a process that is no
 * program, and unit tests with a program that never speaks. */
#ifndef ASSAY_METHOD_INTERNAL_H
#define ASSAY_METHOD_INTERNAL_H

#include "exec/client.h"
#include "oracle.h"

/* Reads n bytes as what a program declares. BAD_INPUT, IO_ERROR. */
enum status method_read(const void *bytes, size_t n, struct why *why);
/* Sets the limit of real time within which a program must say what it declares: seconds, 60 by default. */
void method_hello_limit(double seconds);
/* Answers by the oracle the questions that come from c->from, until the program sends its answer. x[d]: on entry
 * the start; x[d] <- the program's answer. calls: the calls of the oracle that are allowed. c->keeper is -1, c->to
 * and c->from are open, and c->memory is shared memory or -1. */
enum status method_answer(struct oracle *o, unsigned calls, struct client *c, double *x, struct why *why);

#endif

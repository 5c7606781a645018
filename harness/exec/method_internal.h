/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method_internal.h - parts of method.c that fuzzing feeds with bytes, and benchmarks with a process of their own. */
#ifndef ASSAY_METHOD_INTERNAL_H
#define ASSAY_METHOD_INTERNAL_H

#include "exec/client.h"
#include "oracle.h"

/* Reads n bytes as what a program declares. BAD_INPUT, IO_ERROR. */
enum status method_read(const void *bytes, size_t n, struct why *why);
/* Answers what comes from c->from, in a run of the oracle, up to the answer x[d], on entry the start. calls: what the program
 * has declared. c->keeper is -1, c->to and c->from are open; c->memory: shared memory, or -1. */
enum status method_answer(struct oracle *o, unsigned calls, struct client *c, double *x, struct why *why);

#endif

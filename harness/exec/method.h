/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.h - methods that are programs in any language: --method NAME='exec:PROGRAM ARGS' (docs/methods.md).
 *
 * When it is loaded, the program says what the method declares and which files it consists of; these make a struct algo
 * that stands in the registry like any other, with a fingerprint of the files. When a cell runs, the program asks the
 * questions of oracle.h through a channel, and the oracle here charges, answers, draws and adds noise. */
#ifndef ASSAY_METHOD_H
#define ASSAY_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include "algo.h"

enum { METHODS_MAX = 16 };

/* Loads NAME=exec:PROGRAM ARGS. BAD_INPUT, IO_ERROR: the sentence names the method and what was expected. */
enum status method_load(const char *spec, struct why *why);
/* Is the method one of these programs? */
bool method_is_exec(const struct algo *a);
/* For the runs that follow in this process: processor seconds and bytes of memory that one may take; 0: no limit. */
void method_limits(double seconds, size_t memory);
/* Processor seconds that programs have used since the last call. */
double method_seconds(void);
/* Ends all programs that this process has started. */
void method_stop_all(void);

#endif

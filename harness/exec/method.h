/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.h - methods that are programs in any language: --method NAME='exec:PROGRAM ARGS' (docs/methods.md).
 *
 * When a program is loaded it says what its method declares and which files the method consists of. These make a
 * struct algo that stands in the registry like any other, with a fingerprint of the files. When a cell runs, the
 * program asks the questions of oracle.h through a channel. The oracle of this process charges, answers, draws
 * samples and adds noise. */
#ifndef ASSAY_METHOD_H
#define ASSAY_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "algo.h"
#include "claim.h"

enum { METHODS_MAX = 16 };

/* Loads NAME=exec:PROGRAM ARGS. BAD_INPUT, IO_ERROR: the sentence names the method and what was expected. */
enum status method_load(const char *spec, struct why *why);
/* Loads a program that a paper names from the folder clients/ of assay, unless it is loaded already.
 * BAD_INPUT, IO_ERROR: the sentence says why the program does not run. A program that failed once is not tried
 * again. */
enum status method_load_program(const struct program *p, struct why *why);
/* Returns NAME=exec:PROGRAM ARGS of the k-th loaded method; NULL: there are no more. */
const char *method_spec(int k);
/* Is the k-th loaded method a program that a paper names? It needs no --method: whoever needs it finds it again. */
bool method_of_paper(int k);
/* Does the method say that it has noise or data of its own, which neither replay nor audit can see? Then its
 * runs are recorded as those of a method that is not private. */
bool method_not_audited(const struct algo *a);
/* Must a cell of this seed run twice, so that a second run with other bits is noticed? These are the first cell
 * of a method in this process, and one in fifty. false for methods that are no programs. */
bool method_runs_twice(const struct algo *a, uint64_t seed);
/* Sets the limits for the runs of the next cell in this process: processor seconds and bytes of memory of one
 * run; 0: no limit. All runs of the cell together may take nine times these seconds of real time. */
void method_limits(double seconds, size_t memory);
/* Returns the processor seconds that programs have used since the last call of this function. */
double method_seconds(void);
/* Ends all programs that this process has started. */
void method_stop_all(void);

#endif

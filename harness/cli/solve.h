/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve.h - makes the cell that the options of the verbs solve and audit describe. */
#ifndef ASSAY_SOLVE_H
#define ASSAY_SOLVE_H

#include "cli/cli.h"
#include "run/run.h"

/* *cell <- the cell that the options describe. Each default that is used is printed on stderr: delta 1/n^2; a
 * budget; for a private method on records, rows of norm 1 and the unit ball, where L and M are known without the
 * data; for a method without prox, the regulariser l1 in every sample. */
enum status solve_cell(const struct options *o, struct runner *runner, struct cell **cell,
                       struct why *why);

/* Adds the defaults of `solve` to the settings of one method in a comparison of several methods. Calls `tell` with
 * a line for each default. BAD_INPUT: no such file, settings that no cell accepts. */
enum status solve_defaults(struct runner *runner, const char *problem, const char *algo, struct bag *bag,
                           void (*tell)(void *ctx, const char *words), void *ctx, struct why *why);

/* text[size] <- the algorithm's parameters whose values are words: "rule = GS-s, accounting = eq2". */
const char *solve_words(const struct cell *c, size_t size, char *text);

#endif

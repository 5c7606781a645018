/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - the known name that was probably meant. */
#ifndef ASSAY_NEAREST_H
#define ASSAY_NEAREST_H

#include <stddef.h>

/* The nearest name so far. */
struct nearest {
    char word[128], hint[160];
    const char *name;            /* NULL: none is near enough to be meant */
    int edits;
};

/* Starts a search for the first n bytes of word; near enough is one edit for short words, a quarter
 * of long ones. */
struct nearest nearest_to(const char *word, size_t n);
void nearest_try(struct nearest *near, const char *name);
/* "; did you mean NAME?" with `before` in front of the name, or "". Lives as long as *near. */
const char *nearest_hint(struct nearest *near, const char *before);

/* Searches all algorithms and estimators, or all problems. */
struct nearest nearest_algorithm(const char *word);
struct nearest nearest_problem(const char *word);

#endif

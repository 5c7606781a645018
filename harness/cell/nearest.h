/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - the known name that was probably meant by an unknown one. */
#ifndef ASSAY_NEAREST_H
#define ASSAY_NEAREST_H

#include <stddef.h>

/* A search: the unknown word, and the nearest name so far. */
struct nearest {
    char word[128], hint[160];
    const char *name;            /* NULL: no name is near enough */
    int edits;                   /* the edit distance of `name`; without a name one more than the largest allowed */
};

/* Starts a search for the name meant by the first n bytes of word. A name is near enough if its edit distance is 0
 * for words of up to 2 bytes, at most 1 for up to 4, at most 2 for up to 7, and else at most a quarter of n. */
struct nearest nearest_to(const char *word, size_t n);
void nearest_try(struct nearest *near, const char *name);
/* Returns "; did you mean NAME?" with `before` in front of the name, or "". The text lives as long as *near. */
const char *nearest_hint(struct nearest *near, const char *before);

/* Return the name nearest to `word`, of all algorithms and estimators, or of all problems. */
struct nearest nearest_algorithm(const char *word);
struct nearest nearest_problem(const char *word);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.c - names by their edit distance from a word. */
#include "cell/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"

struct nearest nearest_to(const char *word, size_t n)
{
    struct nearest near = { .name = NULL };
    if (n < sizeof near.word)
        memcpy(near.word, word, n);
    near.edits = 1 + (n < 3 ? 0 : n < 5 ? 1 : n < 8 ? 2 : (int)n / 4);
    return near;
}

void nearest_try(struct nearest *near, const char *name)
{
    int edits = word_distance(near->word, name, near->edits);
    if (*near->word && edits < near->edits) {
        near->edits = edits;
        near->name = name;
    }
}

const char *nearest_hint(struct nearest *near, const char *before)
{
    near->hint[0] = 0;
    if (near->name)
        snprintf(near->hint, sizeof near->hint, "; did you mean %s%.128s?", before, near->name);
    return near->hint;
}

struct nearest nearest_algorithm(const char *word)
{
    struct nearest near = nearest_to(word, strlen(word));
    for (const struct algo *const *a = registry_algos(); *a; a++)
        nearest_try(&near, (*a)->name);
    for (const struct estimator *const *e = registry_estimators(); *e; e++)
        nearest_try(&near, (*e)->name);
    return near;
}

struct nearest nearest_problem(const char *word)
{
    struct nearest near = nearest_to(word, strlen(word));
    for (const struct problem *const *p = registry_problems(); *p; p++)
        nearest_try(&near, (*p)->name);
    return near;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - reading and writing parameter structs through their table (see api/param.h). */
#ifndef ASSAY_PARAMS_H
#define ASSAY_PARAMS_H

#include <stdbool.h>
#include "param.h"
#include "status.h"

/* Every member <- its default. */
void params_default(const struct param *table, void *params);
const struct param *params_find(const struct param *table, const char *name);
/* The nearest name within two edits, or NULL: for "did you mean". */
const char *params_nearest(const struct param *table, const char *name);
/* BAD_INPUT outside [lo, hi], or a fraction for a count; `who` names the owner in the sentence. */
enum status params_set(const struct param *p, void *params, double value, const char *who,
                       struct why *why);
/* Parses text: numbers as 1e6, 2^10, 3/4, inf; words for PARAM_TEXT. The text must outlive params. */
enum status params_set_text(const struct param *p, void *params, const char *text,
                            const char *who, struct why *why);
/* NaN for PARAM_TEXT. */
double params_get(const struct param *p, const void *params);

/* A number as users write it: decimal, 2^10, 1/8, inf. false: not a number, or trailing text. */
bool number_parse(const char *text, double *value);
/* Shortest text that reads back as the same double. */
const char *number_text(double value, char buffer[32]);
/* Edits between two words: insert, delete, replace, swap two neighbours (which stay as they are
 * then). */
int word_distance(const char *a, const char *b);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - reading and writing parameter structs through their table (see api/param.h). */
#ifndef ASSAY_PARAMS_H
#define ASSAY_PARAMS_H

#include <stdbool.h>
#include "param.h"
#include "status.h"

/* Sets every member to its default. */
void params_default(const struct param *table, void *params);
/* Returns the parameter of this name; NULL: there is none. */
const struct param *params_find(const struct param *table, const char *name);
/* Returns the name in the table nearest to `name`, within two edits, or NULL; for the question "did you mean". */
const char *params_nearest(const struct param *table, const char *name);
/* Sets one member. Returns BAD_INPUT where the value is outside of [lo, hi], or is a fraction for a count; `who`
 * names the owner of the parameter in the message. */
enum status params_set(const struct param *p, void *params, double value, const char *who,
                       struct why *why);
/* Sets one member from text: a number as 1e6, 2^10, 3/4, inf, or a word for PARAM_TEXT. The text must outlive
 * params. */
enum status params_set_text(const struct param *p, void *params, const char *text,
                            const char *who, struct why *why);
/* Returns the value of one member; NaN for PARAM_TEXT. */
double params_get(const struct param *p, const void *params);

/* Reads a number as users write it: decimal, 2^10, 1/8, inf. Returns false where the text is no number, or more
 * text follows. */
bool number_parse(const char *text, double *value);
/* Returns the shortest text that reads back as the same double. */
const char *number_text(double value, char buffer[32]);
/* Returns the least number of edits from one word to another, or a number of at least `limit` if it is not below
 * `limit`. An edit inserts, deletes or replaces a letter, or swaps two neighbours that no other edit changes. */
int word_distance(const char *a, const char *b, int limit);

#endif

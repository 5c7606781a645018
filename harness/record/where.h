/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where.h - conditions on the columns of a table of runs (wide.h), by which rows are selected; they are joined by
 * commas, and all of them must hold: "algorithm=dp-*,goal.n>=1e4,outcome!=ok". */
#ifndef ASSAY_WHERE_H
#define ASSAY_WHERE_H

#include "record/wide.h"
#include "status.h"

enum { WHERE_MAX = 16 };

enum where_sign { WHERE_EQUAL, WHERE_UNEQUAL, WHERE_LESS, WHERE_AT_MOST, WHERE_MORE, WHERE_AT_LEAST };

struct where {
    int conditions;
    struct condition {
        char name[WIDE_NAME], text[WIDE_NAME];       /* text: a pattern of fnmatch for columns of texts */
        enum where_sign sign;
        double number;                               /* the value to compare with; NaN: `text` is not a number */
    } condition[WHERE_MAX];
};

/* *where <- the conditions of a text; NULL: none. BAD_INPUT: a part of the text is not NAME, sign and VALUE, or <,
 * <=, > or >= comes before a value that is not a number. */
enum status where_parse(const char *text, struct where *where, struct why *why);
/* Does the row that wide_read or wide_put has set last fulfil all conditions? A row that has no value in a column
 * does not fulfil a condition on this column. */
bool where_holds(const struct where *where, const struct wide *w);
/* Returns BAD_INPUT, with the nearest name of a column, where a condition is on a column that w does not have. */
enum status where_known(const struct where *where, const struct wide *w, struct why *why);

#endif

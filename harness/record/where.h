/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where.h - which rows of a wide table are wanted: conditions on its columns, joined by commas, all of which must
 * hold: "algorithm=dp-*,goal.n>=1e4,outcome!=ok". */
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
        double number;                               /* NaN: the text is no number */
    } condition[WHERE_MAX];
};

/* *where <- the conditions of a text; NULL: none. BAD_INPUT: a part of the text is not NAME, sign and VALUE, or an
 * order such as >= is asked for of a value that is no number. */
enum status where_parse(const char *text, struct where *where, struct why *why);
/* Does the row that was read last fulfil all conditions? A row that has no value in a column does not fulfil a
 * condition on this column. */
bool where_holds(const struct where *where, const struct wide *w);
/* Returns BAD_INPUT with the nearest name where a condition is on a column that no run has. */
enum status where_known(const struct where *where, const struct wide *w, struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* param.h - the parameters of a unit (an algorithm, an estimator or a problem) are a typed struct and a table of
 * the struct's members. Command line, plan, store, `assay list` and validation all read the table, so that name,
 * default, range and description stand in one place. */
#ifndef ASSAY_PARAM_H
#define ASSAY_PARAM_H

#include <math.h>
#include <stddef.h>

enum param_type { PARAM_REAL, PARAM_COUNT, PARAM_TEXT };

struct param {
    const char *name;
    enum param_type type;
    size_t offset;
    double def, lo, hi;      /* default and range of a number; a default of NaN: `tune` chooses the value, or it is
                                unknown */
    const char *text;        /* PARAM_TEXT: the default */
    const char *choices;     /* PARAM_TEXT: the words that are allowed, joined by |; NULL: any text */
    const char *unit, *doc;
};

#define PARAM_TYPE_(x) _Generic((x), double: PARAM_REAL, long: PARAM_COUNT)
/* A double or long member `field` of `struct tag`. */
#define PARAM(tag, field, def, lo, hi, unit, doc) \
    { #field, PARAM_TYPE_(((struct tag *)0)->field), offsetof(struct tag, field), \
      def, lo, hi, NULL, NULL, unit, doc }
/* A `const char *` member; choices: "a|b|c", or NULL for any text. */
#define PARAM_WORD(tag, field, def, choices, doc) \
    { #field, PARAM_TEXT, offsetof(struct tag, field), 0, 0, 0, def, choices, "", doc }
#define PARAM_END { NULL, PARAM_REAL, 0, 0, 0, 0, NULL, NULL, NULL, NULL }

/* For `tune`: sets a parameter that the user has not set, which is NaN or, for a count, 0. */
static inline void param_choose(double *p, double value) { if (isnan(*p)) *p = value; }
static inline void param_choose_count(long *p, long value) { if (*p == 0) *p = value; }

#endif

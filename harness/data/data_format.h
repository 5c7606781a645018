/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_format.h - the formats of data files: each puts the records of a reader into a builder. */
#ifndef ASSAY_DATA_FORMAT_H
#define ASSAY_DATA_FORMAT_H

#include "data/data_builder.h"
#include "data/data_reader.h"

struct format {
    const char *name;
    /* BAD_INPUT names the line; no record, or none with a feature, is bad. NO_MEMORY. */
    enum status (*parse)(struct reader *r, struct builder *b);
};

extern const struct format format_libsvm, format_csv, format_fann;

/* By name; any or NULL: by the first line that is neither blank nor a comment. NULL: no
 * such name. */
const struct format *format_of(const char *name, const struct reader *r);

static inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* *value <- the number at s, followed by a blank, a NUL or `end`; where it stops. NULL: there is
 * none, or it is not finite. */
const char *format_number(const char *s, char end, double *value);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_number.h - decimal text to double, fast and correctly rounded. */
#ifndef ASSAY_DATA_NUMBER_H
#define ASSAY_DATA_NUMBER_H

#include <stdbool.h>

static inline bool is_digit(char c) { return (unsigned)(c - '0') < 10; }

/* *value <- the double nearest to the decimal number at the beginning of s, and what follows it;
 * NULL if s begins with none (nan, inf and hexadecimals are none). Beyond the range: infinity. */
const char *decimal(const char *s, double *value);

#endif

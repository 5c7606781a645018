/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_print.h - a comparison for people and for machines. */
#ifndef ASSAY_COMPARE_PRINT_H
#define ASSAY_COMPARE_PRINT_H

#include "nights/compare.h"
#include "record/record.h"

/* Text: what changed, gravest first, then totals and times. CSV and JSON: every claim compared. */
void compare_print(FILE *out, const struct comparison *c, enum record_format format);
/* The claims that are slower by COMPARE_SLOW, at most so many, slowest first. */
void compare_slow(const struct comparison *c, int most, void (*each)(void *ctx, const struct change *x),
                  void *ctx);
enum { SLOW_SHOWN = 5 };

/* One change in words, without the claim: "SUPPORTED -> INCONCLUSIVE", "sample_grads 100 -> 110 (+10%)",
 * "+12.3% (10.1% to 14.6%), p = 1e-09". */
void compare_words(const struct change *c, char *text, size_t room);

/* Says how many claims the base has no line of; nothing where it has all. */
void compare_uncovered(FILE *out, const struct comparison *c, const char *profile);

#endif

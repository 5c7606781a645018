/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.h - theorems (api/theorem.h) and the verdicts of their rows: which claim decides which row, and whether
 * the rows are well made. */
#ifndef ASSAY_THEOREMS_H
#define ASSAY_THEOREMS_H

#include <stdbool.h>
#include <stddef.h>

#include "claim.h"
#include "status.h"

/* The name of a row in its theorem: "excess.n". */
struct row_name { char at[96]; };
struct row_name row_name(const struct theorem_row *r);

/* Returns the claim of this id in the lists of any paper, planted ones too; NULL: there is none. */
const struct claim *claim_by_id(const char *id);

/* Returns the row that the claim of this id decides, of the first theorem that names it; NULL: there is none. */
const struct theorem_row *claim_row(const char *id);

/* Returns the exponent of the law over the window: the least-squares slope of log law over the log of the axis at
 * the points of the window. NaN: the law is not positive there. */
double row_slope(const struct row_law *law, const struct window *w);

/* Returns the number of the attempt that this claim is: its `attempt`; 1 where it states none and decides a row;
 * else 0. */
int claim_attempt(const struct claim *c);

/* Returns the k-th claim that was replaced before c, k from 0 on; NULL: there is none. */
const struct attempt *attempt_before(const struct claim *c, int k);

/* Returns the number of the last contradicted attempt among those that c replaced; 0: there is none. */
int attempt_contradicted(const struct claim *c);

/* Returns the rival of the row that claim c of paper p decides, whose slope over the window is in lo..hi. NULL:
 * there is none, c decides no row of p, or the law of c is no power, so that its band is about another quantity. */
const struct row_law *row_rival_within(const struct paper *p, const struct claim *c, const struct window *w,
                                       double lo, double hi);

/* Checks the theorems of a paper. BAD_INPUT, in one line that names theorem, row and claim: a claim has more than
 * FIT_ROUNDS_MAX rounds; a row names a claim that no paper has; two rows of a theorem have one name; a theorem's id
 * does not begin with the paper's key; a row without a claim has no state; the band of the claim does not contain
 * the promised slope, or reaches more than half of the way from the promised slope to a rival's; an attempt has no
 * row, or is still a claim; the number of an attempt is not the next of its row, or not below that of the row's
 * claim. */
enum status theorems_check(const struct paper *p, struct why *why);

/* Counts the rows of a theorem, those that `verdict_of` calls SUPPORTED, and those that it calls SUPPORTED or
 * CONTRADICTED (decided). verdict_of is called with ctx, and returns the word of a claim (verdict.h), or NULL where
 * nothing is known. */
struct theorem_count { int rows, supported, decided; };
struct theorem_count theorem_count(const struct theorem *t, const char *(*verdict_of)(void *ctx, const char *claim),
                                   void *ctx);

/* Returns the word of a row: that of its claim, "NOT_RUN" where nothing is known of the claim; for a row without a
 * claim the state: "none", "evidence", "data". */
const char *row_word(const struct theorem_row *r, const char *(*verdict_of)(void *ctx, const char *claim),
                     void *ctx);

#endif

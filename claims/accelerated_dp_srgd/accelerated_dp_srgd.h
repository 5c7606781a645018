/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerated_dp_srgd.h - lists of claims of the paper's themes, and the formulas and settings that several
 * of them share. */
#ifndef ASSAY_CLAIMS_ACCELERATED_DP_SRGD_H
#define ASSAY_CLAIMS_ACCELERATED_DP_SRGD_H

#include <math.h>
#include "claim.h"

#define CITE "Choquette-Choo, Ganesh, Thakurta 2024, "

/* In the order of the report; each ends with { 0 }. */
extern const struct claim accelerated_dp_srgd_rates[], accelerated_dp_srgd_privacy[],
                          accelerated_dp_srgd_private[], accelerated_dp_srgd_balanced[], accelerated_dp_srgd_sensitivity[],
                          accelerated_dp_srgd_rounds[], accelerated_dp_srgd_methods[];
extern const struct item accelerated_dp_srgd_items[];
extern const struct attempt accelerated_dp_srgd_attempts[];
extern const struct plot accelerated_dp_srgd_figures[];
extern const struct exhibit accelerated_dp_srgd_tables[];

/* The binary tree has one level less at 2^k - 1 than at 2^k. */
static inline double one_less(double T, const struct facts *f) { return T - 1; }

static inline double one_per_sample(const struct env *e) { return env_count(e, COUNT_taken); }

/* Reasons why a claim is about no mechanism. */
#define PRICE_OF_B                                                                                            \
    "without privacy SGD comes as far in as many rounds: what variant B has beyond it serves its privacy, which the " \
    "private rows are about"
#define PLAIN_SGD "SGD has nothing that could be switched off"

/* At most 1/n wherever a claim has noise and n up to 10^9. */
#define PRIVATE_DELTA 1e-9

/* Three times the floor that the claims of items V1 and V2 find, which is 0.031 n^(-1/2). */
#define TO_THE_FLOOR { "goal.acc", 0.1, -0.5 }, { "run.aggregate", 1 }

#endif

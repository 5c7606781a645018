/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_state.h - what the mechanisms share: checking a release, booking it, finding its stream. */
#ifndef ASSAY_NOISE_STATE_H
#define ASSAY_NOISE_STATE_H

#include "oracle/oracle_state.h"

/* One stream per noise call, addressed by its number: replay meets the same noise. Count mode too
 * moves on, so that it meets the same samples after it. */
struct rng noise_next(struct oracle *o);
/* y with -log P(noisy score <= y) = t > 0, for a score s with noise of scale b. */
double noise_max_at(enum max_rule rule, double s, double b, double t);

/* v[d] += N(0, sd^2 I); nothing where sd = 0. */
void noise_normals(struct rng *r, double sd, long d, double *v);

#endif

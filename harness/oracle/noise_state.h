/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_state.h - functions of noise.c that privacy_loss.c and tests/bench call too. */
#ifndef ASSAY_NOISE_STATE_H
#define ASSAY_NOISE_STATE_H

#include "oracle/oracle_state.h"

/* Returns the random stream of the next noise call and advances o->serial. The stream follows from the serial
 * number of the call, so that a replay gets the same noise. Count mode advances the number too. */
struct rng noise_next(struct oracle *o);
/* Returns the y with -log P(noisy score <= y) = t > 0, for a score s with noise of scale b under the rule; for
 * MAX_ABS_LAPLACE the noisy score is |s + noise|. */
double noise_max_at(enum max_rule rule, double s, double b, double t);

/* v[d] += N(0, sd^2 I); nothing where sd = 0. */
void noise_normals(struct rng *r, double sd, long d, double *v);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_state.h - what the mechanisms share: checking a release, booking it, finding its stream. */
#ifndef ASSAY_NOISE_STATE_H
#define ASSAY_NOISE_STATE_H

#include "oracle/oracle_state.h"

/* A release without a name, a sensitivity or a scale is a bug of the algorithm, and so is one whose
 * ticket is not as it was handed out: the price is that of what was drawn. */
void noise_check(const struct oracle *o, const struct release *r, double scale);
/* The part of an entry that every mechanism fills alike. */
struct ledger_entry noise_entry(const struct oracle *o, const struct release *r,
                                enum mechanism mechanism, double scale, long d);
/* One stream per noise call, addressed by its number: replay meets the same noise. Count mode too
 * moves on, so that it meets the same samples after it. */
struct rng noise_next(struct oracle *o);
/* z[d] from N(0, sd^2 I), what rng_normals draws from the stream of this number; NULL: draw it. */
const double *noise_ahead(struct oracle *o, uint64_t serial, double sd, long d);
/* y with -log P(noisy score <= y) = t > 0, for a score s with noise of scale b. */
double noise_max_at(enum max_rule rule, double s, double b, double t);

/* v[d] += N(0, sd^2 I); nothing where sd = 0. */
void noise_normals(struct rng *r, double sd, long d, double *v);

/* Every mechanism says what it is about to noise and what it then released, so that replay can hold
 * them against another run: a released choice is a vector of its numbers. Blocks of candidates are
 * an argument, which must not depend on the data. */
static inline void noise_heard(struct oracle *o, const struct tape_value *v)
{
    if (o->tape)
        tape_noise(o, v);
}

static inline void noise_released(struct oracle *o, long d, double *v)
{
    if (o->tape)
        tape_release(o, d, v);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo.h - what the themes of private_zeroth_order.c share: bounds with the constants of the proofs. */
#ifndef ASSAY_PARTS_ZO_H
#define ASSAY_PARTS_ZO_H

#include <math.h>
#include "claim.h"

#define CITE "Zhang, Tran, Cutkosky 2024, "
#define PZO "private-zo-o2nc"

/* --- of a run of private-zo-o2nc: E|grad F(wbar)|_(2 delta) <= BND, eta = D/(G sqrt T),
 *     V = 16 d L^2/B1 + 64 d L^2/(B2 T),  N = 2 ln(T) d sigma^2,  G^2 = 3V + 3L^2 + 3N,
 *     BND = (Phi + 2 L delta)/(delta K) + G/sqrt T + 2(sqrt V + sqrt N) */
static inline double zo_bound(const struct env *e)
{
    double d = e->facts->d, L = env_param(e, "L"), T = env_param(e, "T"), K = env_param(e, "K");
    double delta = env_param(e, "smoothing"), sigma = env_param(e, "sigma");
    double V = 16 * d * L * L * (1 / env_param(e, "B1") + 4 / (env_param(e, "B2") * T));
    double N = 2 * log(T) * d * sigma * sigma, G = sqrt(3 * (V + L * L + N));
    return (env_param(e, "Phi") + 2 * L * delta) / (delta * K) + G / sqrt(T) +
           2 * (sqrt(V) + sqrt(N));
}

/* K epochs of B1 + B2 (T - 1) samples. */
static inline double zo_samples(const struct env *e)
{
    return env_param(e, "K") * (env_param(e, "B1") + env_param(e, "B2") * (env_param(e, "T") - 1));
}
static inline double zo_rounds(const struct env *e) { return env_param(e, "K") * env_param(e, "T"); }

/* The measured radius follows the one a run is asked for: axis radius. */
#define RADIUS_OF_AXIS { "problem.goldstein", 1, 1 }
/* zo_bound holds for eta of the proof; a run's default is larger. */
#define PRACTICAL_STEP                                                                            \
    "The step is the practical one; the bound is proven for that of the proof: vr.thm4.9.bound.theory.n."
#define STOPPED { .with = { { "algo.step", 0 } }, .why = "a learner that never moves" }

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lever.c - a method whose excess is known in closed form: on F(x) = |x - c| it asks for the gradient at the start,
 * 0, and answers at the distance
 *
 *     |c| y,   y = part T^(-power) (1 + noise)
 *
 * of the optimum. The mechanisms are the power, the noise, and `nothing`, without which the method stays at the
 * start; `often` is how often the power acts according to the note of the method. It serves tests of the rules
 * about claims. */
#include <math.h>
#include "algo.h"

struct lever {
    long T, rounds;
    double part, power, noise, often, dist;
};

static const struct param params[] = {
    PARAM(lever, T, 0, 0, 0x1p40, "steps", "as the goal's"),
    PARAM(lever, rounds, 1, 1, 1000, "rounds", "in each of which it asks for the same gradient"),
    PARAM(lever, part, 0.5, 0, 1e6, "1", "of the start's distance"),
    PARAM(lever, power, 0.5, 0, 4, "1", "of T"),
    PARAM(lever, noise, 0, 0, 1e6, "1", "part that it adds"),
    PARAM(lever, often, 1, 0, 1, "1", "part of the iterations in which the power acts"),
    PARAM(lever, dist, NAN, 0, INFINITY, "x", "|c|"),
    PARAM_END
};

static const struct note notes[] = { { "often", "1", "part of the iterations in which the power acts",
                                       REDUCE_MEAN }, { 0 } };

static const struct method_mechanism mechanisms[] = {
    { "power", "the answer improves with T", MECHANISM_HELPS, { { "algo.power", 0.1 } }, .note = "often" },
    { "nothing", "switching it off stops the method", MECHANISM_HELPS,
      { { "algo.power", 0 }, { "algo.part", 1 } } },
    { "noise", "it is added to the answer", MECHANISM_COSTS, { { "algo.noise", 0 } } },
    { 0 } };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct lever *p = vp;
    param_choose_count(&p->T, (long)goal->T);
    param_choose(&p->dist, f->dist);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct lever *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), y = p->part * pow((double)p->T, -p->power) * (1 + p->noise);
    arena_seal(w);
    oracle_note(o, 0, p->often);
    for (long k = 0; k < p->rounds; k++)
        if (!oracle_grad(o, x, g))
            return OK;
    vec_axpy(d, -p->dist * (1 - y), g, x);
    oracle_mark(o, x);
    return OK;
}

const struct algo algo_lever = {
    .name = "planted-lever", .doc = "planted: an excess in closed form", .cite = "none", .calls = CALL_GRAD,
    .reads = FACT_BIT(dist), .params = params, .params_size = sizeof(struct lever), .notes = notes, .tune = tune,
    .run = run, .mechanisms = mechanisms,
};

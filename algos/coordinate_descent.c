/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coordinate_descent.c - coordinate descent without noise on F = f + psi, psi separable:
 *
 *     w_j <- prox_{h_j psi_j}( w_j - h_j grad_j f(w) ),   h_j = step/M_j,   T times
 *
 *     GS-s, GS-r, GS-q   j of the largest score, one full gradient a step (parts/greedy.h)
 *     random             j uniform, n derivatives a step
 *     cyclic             j = t mod p, n derivatives a step
 *
 * p is the number of coordinates and n that of records. The bounds below hold for f convex and coordinate-wise
 * M_j-smooth, psi = 0 and step = 1. In |v|_{M,q} = (sum_j (M_j^(1/2) |v_j|)^q)^(1/q), R_{M,q} is the radius of the
 * initial level set and mu_{M,q} the strong convexity, both in this norm:
 *     greedy   F(w_t) - F* <= 2 R_{M,1}^2/t; if mu_{M,1} > 0, F - F* falls by the factor 1 - mu_{M,1} a step
 *     random   E F(w_t) - F* <= 2 p R_{M,2}^2/t; if mu_{M,2} > 0, it falls by the factor 1 - mu_{M,2}/p a step
 * (Nutini, Schmidt, Laradji, Friedlander, Koepke, ICML 2015; Nesterov 2012; Fang et al. 2020). The greedy rules are
 * the limit of dp-gcd, and `random` that of dp-cd, for eps to infinity. */
#include "greedy.h"

struct coordinate_descent {
    const char *rule;
    long T;
    double step, n;
    const double *M_j;
};

static const struct param params[] = {
    PARAM_WORD(coordinate_descent, rule, "GS-s", "GS-s|GS-r|GS-q|random|cyclic", "who is next"),
    PARAM(coordinate_descent, T, 0, 0, 0x1p52, "steps", "0: what the goal allows, at most 1000"),
    PARAM(coordinate_descent, step, 1, 0, INFINITY, "1/M_j", "relative step"),
    PARAM_END
};

static bool is_greedy(const struct coordinate_descent *s) { return s->rule[0] == 'G'; }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct coordinate_descent *s = vp;
    double each = is_greedy(s) ? f->n : f->n / f->d;         /* the cost of a step in sample gradients */
    double most = fmin(isnan(goal->T) ? 1000 : goal->T,
                       isnan(goal->budget) ? INFINITY : floor(goal->budget / each));
    s->n = f->n;
    s->M_j = f->M_j;
    param_choose_count(&s->T, (long)fmax(1, fmin(most, 0x1p52)));
    return OK;
}

/* Returns the coordinate with the largest score, the first of equal ones; -1 if no M_j is positive. */
static long best(const struct greedy *at, greedy_fn rule, const double *g)
{
    long d = oracle_dim(at->o), j_t = -1;
    double most = -INFINITY;
    for (long j = 0; j < d; j++) {
        double score = at->M_j[j] > 0 ? rule(at, j, g[j]) : -INFINITY;
        if (score > most) {
            most = score;
            j_t = j;
        }
    }
    return j_t;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct coordinate_descent *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *root = arena_vec(w, d), v;
    struct point *p = oracle_point(o, w);
    bool greedy = is_greedy(s), random = strcmp(s->rule, "random") == 0;
    greedy_fn rule = greedy_rule(s->rule);
    struct greedy at = { o, oracle_composite(o), point_at(p), s->M_j, root };

    arena_seal(w);
    point_set(p, x);
    for (long j = 0; j < d; j++)
        root[j] = sqrt(s->M_j[j]);
    for (long t = 0; t < s->T; t++) {
        long j = random ? (long)rng_below(rng, (uint64_t)d) : t % d;
        if (greedy ? !point_grad(p, NULL, g) : !point_coord(p, j, NULL, &v))
            break;
        if (greedy) {
            greedy_charge(&at, rule);
            j = oracle_counting(o) ? 0 : best(&at, rule, g);
            v = j < 0 ? 0 : g[j];
        }
        if (j >= 0 && s->M_j[j] > 0) {
            double h = s->step / s->M_j[j], was = point_at(p)[j], to = was - h * v;
            to = at.composite ? oracle_prox_coord(o, h, j, to) : to;
            point_add(p, j, to - was);
        }
        oracle_depth(o, 1);
        if (greedy || t % d == d - 1)
            oracle_mark(o, point_at(p));
    }
    vec_copy(d, point_at(p), x);
    oracle_mark(o, x);
    return OK;
}

const struct algo algo_coordinate_descent = {
    .name = "coordinate-descent",
    .doc = "coordinate descent without noise: greedy, random or cyclic, proximal",
    .cite = "Nutini, Schmidt, Laradji, Friedlander, Koepke, ICML 2015; Nesterov 2012",
    .calls = CALL_POINT | CALL_PROX,
    .one_coordinate = true,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(M_j),
    .params = params,
    .params_size = sizeof(struct coordinate_descent),
    .tune = tune,
    .run = run,
};

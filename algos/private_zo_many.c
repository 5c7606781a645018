/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_zo_many.c - private zeroth-order O2NC with many directions a sample (Kornowski, Liu & Talwar 2025, single
 * pass). The mean over m directions of the two-point gradients of a sample has a norm near L, and the mean of the
 * differences between w and w' a norm near d^(1/2) L |w - w'|/delta. The bounds for one direction are d times as
 * large. The method makes N steps of a learner that is not restarted (parts/o2nc.h), in periods of S steps. A step
 * moves x by at most D. GRAD_m and DIFF_m are those of parts/two_point.h with m directions and the smoothing radius
 * delta:
 *
 *     g_1 = mean over B1 samples of clip( GRAD_m(w_1), c L ),  then per step of the period
 *     g_t = g_(t-1) + mean over B2 samples of clip( DIFF_m(w_t, w_(t-1)), 2 c d^(1/2) L D/delta )
 *     g~_t = g_t + TREE(t), nodes N(0, sigma^2 I), fresh in every period; DIFF from four values
 *
 * Each sample is clipped to a norm that it rarely exceeds. The sensitivities 2 c L/B1 and 4 c d^(1/2) L D/(B2
 * delta) therefore hold for any data and any draw, and with sigma of parts/tree_reach.h the run is (alpha, alpha
 * rho^2/2)-RDP, replace-one, with no probability of failure. Steps are grouped in blocks of E = floor(nu/(2D)); the
 * answer is the mean of the points w of a block that is drawn uniformly. delta = nu = half of goal.radius, and all
 * points of a block are within nu of its mean.
 *
 * B1 = S, B2 = 1, S = delta/(2 d^(1/2) D) makes the sensitivities equal. With M samples, N = M/2, F(x_1) - inf
 * F <= Phi and phi = Phi + L delta,
 *
 *     D = min( (phi delta^(1/2)/(N L d^(1/4)))^(2/3), (phi delta rho/(d L N))^(1/2) )
 *
 * balances the terms of the bound. Up to logarithms M = d^(1/2)/(delta eps^3) + d/(rho delta eps^2) samples suffice
 * for a bound of eps, which is no privacy parameter; these are d^(1/2) times fewer than with one direction a
 * sample. Let F_delta be the smoothed F, V = (c L)^2/B1 + (S-1) (2 c d^(1/2) L D/delta)^2/B2 plus d sigma^2 times
 * the mean number of nodes in TREE(t), G^2 = 2(L^2 + V), and eta = D/(G E^(1/2)) the step length of the learner. If
 * nothing was clipped,
 *
 *     mean over blocks E|mean of grad F_delta(w_t)| <= (Phi + 2 L delta)/(D N) + 5G/(2 E^(1/2)) + 2 V^(1/2)
 *
 * by the regret of projected descent against a comparator of each block. With --constants theory, m = d^2 B1^2 + d
 * delta^2 B2^2/D^2 as published; with practical, m = 4 d. */
#include "gdp.h"
#include "noisy_sum.h"
#include "o2nc.h"
#include "tree_reach.h"
#include "two_point.h"

struct own {
    double rho, smoothing, L, Phi, c, D, G, step, sigma;
    long period, block, K, B1, B2, directions;
};

static const struct param params[] = {
    PARAM(own, rho, NAN, 1e-300, INFINITY, "1", "privacy level; default from the goal"),
    PARAM(own, smoothing, NAN, 1e-300, 1e300, "x",
          "delta; default half of goal.radius, which is 0.1 if nobody sets it"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant of every loss; default the fact"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L delta"),
    PARAM(own, c, 2, 1e-6, 1e6, "1", "clip over L, and over d^(1/2) L |w - w'|/delta"),
    PARAM(own, D, NAN, 1e-300, 1e300, "x", "radius of the learner's moves"),
    PARAM(own, G, NAN, 1e-300, 1e300, "f/x", "E|g~|^2 <= G^2"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "eta; default D/(G E^(1/2))"),
    PARAM(own, sigma, NAN, 0, 1e300, "f/x", "sd of a node; default calibrated, 0: no noise"),
    PARAM(own, period, 0, 0, 0x1p40, "steps", "S of the tree; 0: delta/(2 d^(1/2) D)"),
    PARAM(own, block, 0, 0, 0x1p40, "steps", "E that are averaged; 0: delta/(2D)"),
    PARAM(own, K, 0, 0, 0x1p40, "blocks", "0: as many as the samples allow"),
    PARAM(own, B1, 0, 0, 0x1p40, "samples", "first batch of a period; 0: B2 S"),
    PARAM(own, B2, 1, 1, 0x1p40, "samples", "batch of every other step"),
    PARAM(own, directions, 0, 0, 0x1p20, "directions", "m of a sample; 0: 4 d, theory as above"),
    PARAM_END
};

enum { CLIPPED, NOISE };
static const struct note notes[] = {
    { "clipped", "1", "share of samples that were clipped, in a step", REDUCE_MEAN },
    { "noise", "f^2/x^2", "|g~_t - g_t|^2", REDUCE_MEAN },
    { 0 }
};

/* Returns, as FACT_BITs, the facts that tune reads. Phi is used only to choose D; a Phi that depends on the data is
 * not read. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct own *p = vp;
    bool private = isfinite(p->rho) || !isnan(goal->rho) || !isnan(goal->eps);
    unsigned long read = FACT_BIT(d) | FACT_BIT(n);
    read |= isnan(p->L) ? FACT_BIT(L) : 0;
    if (isnan(p->Phi) && !(private && f->origin[FACT_Phi] == ORIGIN_DATA))
        read |= FACT_BIT(Phi);
    return read;
}

/* Return the norms to which GRAD_m and DIFF_m of a sample are clipped. */
static double clip_first(const struct own *p) { return p->c * p->L; }
static double clip_rest(const struct own *p, double d)
{
    return 2 * p->c * sqrt(d) * p->L * p->D / p->smoothing;
}

static enum status constants(const struct facts *f, const struct goal *goal, struct own *p,
                             struct why *why)
{
    param_choose(&p->smoothing, (goal->radius > 0 ? goal->radius : 0.1) / 2);
    param_choose(&p->L, f->L);
    if (!(p->L < INFINITY))
        return why_set(why, REFUSED, "private-zo-many: clamping at L = %g: give algo.L", p->L);
    param_choose(&p->Phi, isfinite(f->Phi) ? f->Phi : p->L * p->smoothing);
    return OK;
}

/* Chooses the step length D, the periods and the blocks for M samples and at most `most` steps. */
static enum status shape(const struct facts *f, double M, double most, struct own *p, struct why *why)
{
    double N = M / 2, phi = p->Phi + p->L * p->smoothing, root = sqrt(f->d);
    double quiet = pow(phi * sqrt(p->smoothing) / (N * p->L * sqrt(root)), 2.0 / 3);
    double noisy = sqrt(phi * p->smoothing * p->rho / (f->d * p->L * N));
    param_choose(&p->D, fmin(fmin(quiet, noisy), p->smoothing / 2));
    double S = floor(p->smoothing / (2 * root * p->D));
    param_choose_count(&p->period, (long)fmax(1, fmin(S, floor(N / (double)p->B2))));
    param_choose_count(&p->B1, p->B2 * p->period);
    double each = (double)p->B1 + (double)p->B2 * ((double)p->period - 1);
    double steps = fmin(most, floor(M / each) * (double)p->period);
    param_choose_count(&p->block, (long)fmax(1, fmin(floor(p->smoothing / (2 * p->D)), steps)));
    param_choose_count(&p->K, (long)floor(steps / (double)p->block));
    if (!(p->K >= 1 && (double)p->K * (double)p->block <= steps))
        return why_set(why, REFUSED, "private-zo-many: K = %ld blocks of %ld steps: expected at most "
                       "%g steps of M = %g samples", p->K, p->block, steps, M);
    if (!((double)p->block * p->D <= p->smoothing))
        return why_set(why, REFUSED, "private-zo-many: block = %ld steps of D = %g: expected at most "
                       "the smoothing radius %g together", p->block, p->D, p->smoothing);
    return OK;
}

static enum status directions(const struct facts *f, const struct goal *goal, struct own *p,
                              struct why *why)
{
    double b1 = (double)p->B1 * f->d, b2 = p->smoothing * (double)p->B2 / p->D;
    double m = goal->constants == CONSTANTS_THEORY ? ceil(b1 * b1 + f->d * b2 * b2) : 4 * f->d;
    if (p->directions == 0 && !(m <= 0x1p20))
        return why_set(why, REFUSED, "private-zo-many: %g directions a sample: expected at most 2^20: "
                       "give algo.directions", m);
    param_choose_count(&p->directions, (long)m);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double M = fmin(isnan(goal->n) ? INFINITY : goal->n, isnan(f->n) ? INFINITY : f->n);
    double most = goal->T >= 1 ? goal->T : INFINITY;
    M = fmin(M, 2 * (double)p->B2 * most);
    TRY(gdp_choose(goal, "exact", &p->rho, "private-zo-many", why));
    TRY(constants(f, goal, p, why));
    if (!(M >= 1 && M < INFINITY))
        return why_set(why, REFUSED, "private-zo-many needs goal n or T");
    TRY(shape(f, M, most, p, why));
    TRY(directions(f, goal, p, why));
    double S = (double)p->period, B1 = (double)p->B1, B2 = (double)p->B2;
    double C1 = clip_first(p), C2 = clip_rest(p, f->d);
    param_choose(&p->sigma, tree_reach(true, S, 2 * C1 / B1, 2 * C2 / B2) / p->rho);
    double V = C1 * C1 / B1 + (S - 1) * C2 * C2 / B2 +
               f->d * p->sigma * p->sigma * noisy_sum_variance("tree", p->period);
    param_choose(&p->G, sqrt(2 * (p->L * p->L + V)));
    param_choose(&p->step, p->D / (p->G * sqrt((double)p->block)));
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients. Four values of a sample along a direction take about as
 * long as a gradient. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double each = (double)(p->B1 + p->B2 * (p->period - 1)) / (double)p->period;
    return (double)p->directions * each * (double)p->K * (double)p->block;
}

/* --- the noisy gradients g~_t of the head */

struct many {
    const struct own *p;
    struct two_point f;
    struct noisy_sum g;
    /* [d] each: the mean over a batch of clipped GRAD or DIFF; GRAD or DIFF of one sample; w_(t-1). */
    double *change, *one, *before;
};

/* q->change[d] <- the mean over z of clipped gradients (if first) or differences, in one round. Returns false if
 * the budget is spent. */
static bool clipped(struct oracle *o, struct many *q, const struct ticket *z, bool first, double C,
                    const double *w)
{
    long d = oracle_dim(o), cut = 0;
    bool paid = true;
    vec_zero(d, q->change);
    oracle_fork(o);
    for (long k = 0; k < z->count && paid; k++) {
        struct ticket one = ticket_part(z, k, 1);
        oracle_branch(o);
        paid = first ? two_point_grad(o, &q->f, &one, w, q->one)
                     : two_point_diff(o, &q->f, &one, w, q->before, q->one);
        if (paid && vec_clip_norm(d, C, q->one) > C)
            cut++;
        if (paid)
            vec_axpy(d, 1 / (double)z->count, q->one, q->change);
    }
    oracle_join(o);
    if (paid)
        oracle_note(o, CLIPPED, (double)cut / (double)z->count);
    return paid;
}

/* q->g.noisy[d] <- the noisy gradient g~ at w in step t = 0, 1, ... of a period. Returns false if the budget is
 * spent. */
static bool ask(struct oracle *o, struct many *q, long t, const double *w)
{
    long d = oracle_dim(o), b = t == 0 ? q->p->B1 : q->p->B2;
    double C = t == 0 ? clip_first(q->p) : clip_rest(q->p, (double)d);
    struct ticket z;
    if (!oracle_take(o, b, &z) || !clipped(o, q, &z, t == 0, C, w))
        return false;
    if (t == 0)
        noisy_sum_restart(&q->g, d);
    noisy_sum_add(o, &q->g, &(struct release){ .site = "private-zo-many.gradient", .norm = NORM_2,
                                               .ticket = &z, .sensitivity = 2 * C / (double)b },
                  q->p->sigma, d, q->change);
    oracle_note(o, NOISE, pow(vec_dist(d, q->g.noisy, q->g.sum), 2));
    vec_copy(d, w, q->before);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o), n = 0;
    struct o2nc c = o2nc_new(a, d, p->D, p->step, rng);
    struct many q = { .p = p, .change = arena_vec(a, d), .one = arena_vec(a, d),
        .before = arena_vec(a, d), .g = noisy_sum_new(o, a, "tree", p->period, d),
        .f = { .delta = p->smoothing, .L = p->L, .directions = p->directions, .symmetric = true } };

    arena_seal(a);
    o2nc_start(&c, x);
    for (long k = 0; k < p->K; k++) {
        o2nc_epoch(&c, true);
        for (long e = 0; e < p->block; e++, n++) {
            o2nc_next(&c, rng, n > 0 ? q.g.noisy : NULL);
            if (!ask(o, &q, n % p->period, c.w)) {
                vec_copy(d, c.answer, x);
                return OK;
            }
            oracle_visit(o, c.w);
            oracle_depth(o, 2);
        }
        o2nc_close(&c, o);
    }
    vec_copy(d, c.answer, x);
    return OK;
}

const struct algo algo_private_zo_many = {
    .name = "private-zo-many",
    .doc = "private zeroth-order O2NC with many directions a sample, clipped sample by sample",
    .cite = "Kornowski, Liu, Talwar, Improved Sample Complexity for Private Nonsmooth Nonconvex "
            "Optimization (2025), single pass; the clip is ours",
    .calls = CALL_SAMPLE_VALUES | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(Phi),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
};

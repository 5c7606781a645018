/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_fed_back.c - wrong on purpose: private-zo-o2nc with line 9 of its Algorithm 4 taken literally, g~ <- g~ +
 * TREE(t): g~_t is the gradient that step t uses, TREE(t) the noise of the tree's prefix t. The noise is then part
 * of the gradient to which the next difference is added, and g~_t contains TREE(1) + ... + TREE(t), while only
 * TREE(t) is booked. Caught by the law of an epoch's mean noise, which falls as 1/T when no noise is fed back, and
 * by the replay. */
#include "noisy_sum.h"
#include "o2nc.h"
#include "zo_terms.h"

struct fed { const char *calibration; double rho, smoothing, L, Phi, sigma, step; long T, K, B1, B2; };

static const struct param params[] = {
    PARAM_WORD(fed, calibration, "paper", "paper|exact", "of the tree's noise"),
    PARAM(fed, rho, NAN, 1e-300, INFINITY, "1", "privacy level; default the goal's, else 1"),
    PARAM(fed, smoothing, NAN, 1e-300, 1e300, "x", "delta; default half of goal.radius"),
    PARAM(fed, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),
    PARAM(fed, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact"),
    PARAM(fed, sigma, NAN, 0, 1e300, "f/x", "sd of a node"),
    PARAM(fed, step, NAN, 0, 1e300, "x^2/f", "eta"),
    PARAM(fed, T, 16, 2, 0x1p40, "steps", "of an epoch"),
    PARAM(fed, K, 1, 1, 0x1p40, "epochs", "how many"),
    PARAM(fed, B1, 0, 0, 0x1p40, "samples", "first batch of an epoch; 0: T + 1"),
    PARAM(fed, B2, 1, 1, 0x1p40, "samples", "batch of every later step"),
    PARAM_END
};

static const struct note notes[] = {
    { "epoch_noise", "f/x", "|mean over an epoch of g~_t - g_t|", REDUCE_MEAN },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct fed *p = vp;
    param_choose(&p->rho, isnan(goal->rho) ? 1 : goal->rho);
    param_choose(&p->smoothing, goal->radius > 0 ? goal->radius / 2 : 0.05);
    param_choose(&p->L, f->L);
    param_choose(&p->Phi, f->Phi);
    param_choose_count(&p->B1, p->T + 1);
    struct zo_terms z = { .d = f->d, .L = p->L, .Phi = p->Phi, .delta = p->smoothing, .rho = p->rho,
                          .T = (double)p->T, .B1 = (double)p->B1, .B2 = (double)p->B2, .directions = f->d };
    param_choose(&p->sigma, zo_sigma(&z, p->calibration, true));
    param_choose(&p->step, p->smoothing / (z.T * sqrt(z.T)) /
                           zo_G_practical(&z, p->sigma, zo_nodes(&z, true)));
    return OK;
}

/* g->noisy holds g~_t. fed[d] <- the noise in g~_t: that of g~_(t-1) plus TREE(t). */
static void feed_back(const struct noisy_sum *g, long d, double *fed)
{
    vec_axpy(d, 1, g->noisy, fed);
    vec_axpy(d, -1, g->sum, fed);
    vec_copy(d, g->sum, g->noisy);
    vec_axpy(d, 1, fed, g->noisy);
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct fed *p = vp;
    long d = oracle_dim(o);
    struct o2nc c = o2nc_new(a, d, p->smoothing / (double)p->T, p->step, rng);
    struct noisy_sum g = noisy_sum_new(o, a, "tree", p->T, d);
    struct two_point f = { .delta = p->smoothing, .L = p->L, .directions = d, .moved = 2 / (double)p->T };
    double *change = arena_vec(a, d), *before = arena_vec(a, d), *fed = arena_vec(a, d);
    double *noise = arena_vec(a, d);
    struct ticket z;

    arena_seal(a);
    o2nc_start(&c, x);
    for (long k = 0; k < p->K; k++) {
        o2nc_epoch(&c, false);
        noisy_sum_restart(&g, d);
        vec_zero(d, fed);
        vec_zero(d, noise);
        for (long t = 1; t <= p->T; t++) {
            o2nc_next(&c, rng, t > 1 ? g.noisy : NULL);
            if (!oracle_take(o, t == 1 ? p->B1 : p->B2, &z) ||
                !(t == 1 ? two_point_grad(o, &f, &z, c.w, change)
                         : two_point_diff(o, &f, &z, c.w, before, change)))
                return OK;
            double sensitivity = t == 1 ? two_point_grad_sensitivity((double)d, p->L, (double)p->B1)
                : two_point_diff_sensitivity((double)d, p->L, (double)p->B2, 1, f.moved);
            noisy_sum_add(o, &g, &(struct release){ .site = "planted-zo-fed-back", .norm = NORM_2, .ticket = &z,
                                                    .sensitivity = sensitivity }, p->sigma, d, change);
            feed_back(&g, d, fed);
            vec_axpy(d, 1 / (double)p->T, fed, noise);
            vec_copy(d, c.w, before);
            oracle_visit(o, c.w);
        }
        oracle_note(o, 0, vec_norm(d, noise));
        o2nc_close(&c, o);
    }
    vec_copy(d, c.answer, x);
    return OK;
}

const struct algo algo_zo_fed_back = {
    .name = "planted-zo-fed-back",
    .doc = "planted: private zeroth-order O2NC whose noise is fed back",
    .cite = "none",
    .calls = CALL_SAMPLE_VALUES | CALL_NOISE,
    .reads = FACT_BIT(d) | FACT_BIT(L) | FACT_BIT(Phi),
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct fed),
    .notes = notes,
    .tune = tune,
    .run = run,
};

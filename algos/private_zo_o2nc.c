/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_zo_o2nc.c - private zeroth-order optimisation of nonsmooth nonconvex losses (Zhang, Tran & Cutkosky
 * 2024). O2NC (parts/o2nc.h, Algorithm 3) is driven by a variance-reduced gradient of the smoothed loss with
 * tree noise (Algorithms 4 and 5), in epochs k = 1 ... K of T steps on disjoint batches:
 *
 *     g_1 = GRAD(w_1; Z_1),   g_t = g_(t-1) + DIFF(w_t, w_(t-1); Z_t),   |Z_1| = B1, |Z_t| = B2
 *     g~_t = g_t + TREE(t),   the noise of popcount(t) nodes, each N(0, sigma^2 I)
 *
 * Noise is never fed back into g. D = delta/T, so that points are at most 2D apart. Batches are disjoint and
 * the tree begins anew with every epoch, so that a record costs privacy in one epoch only. With sigma of
 * parts/zo_terms.h the run is (alpha, alpha rho^2/2)-RDP for all alpha > 1, replace-one, whatever f is
 * (Corollary 4.4; values are clamped, parts/two_point.h). Calibration paper, the printed sigma, is refused for
 * B1 < T B2/2; at B1 = T B2/2 it is too small at T = 2 and 4, by a factor of at most 1.21.
 *
 * f(.; z) L-Lipschitz, F(x_1) - inf F <= Phi. With M samples, B1 = T + 1, B2 = 1, K = floor(M/(2T)):
 *
 *     E|grad F(wbar)|_(2 delta) <~ (Phi + L delta) T/(delta M) + d^(1/2) L/T^(1/2) + d^(3/2) L/(T rho)
 *
 * in Goldstein's norm (Theorem 4.9); delta is half of goal.radius.
 *
 * With noise=independent every summand gets independent noise, for comparison with the tree. With oracle=naive the
 * method is Algorithm 6: g~_t = GRAD(w_t; Z_t) + N(0, sigma^2 I), one direction a sample, sigma = 2 d L/(B rho);
 * the paper prints d L/(B rho). */
#include "gdp.h"
#include "noisy_sum.h"
#include "o2nc.h"
#include "zo_terms.h"

struct own {
    const char *oracle, *noise, *difference, *calibration, *eta, *choice, *batch;
    double rho, smoothing, L, Phi, sigma, step;
    long T, K, B1, B2, directions;
};

static const double RADIUS = 0.1;    /* stands for goal.radius where the goal has none */

static const struct param params[] = {
    PARAM_WORD(own, oracle, "reduced", "reduced|naive", "variance-reduced, or a fresh one a step"),
    PARAM_WORD(own, noise, "tree", "tree|independent", "of the reduced oracle's prefix sums"),
    PARAM_WORD(own, difference, "forward", "forward|symmetric", "DIFF from two values or from four"),
    PARAM_WORD(own, calibration, "exact", "exact|safe|paper", "of the tree's noise"),
    PARAM_WORD(own, eta, "practical", "practical|theory|adaptive", "step of the learner"),
    PARAM_WORD(own, choice, "paper", "paper|printed|bound|practical",
               "of T: the theorem's, its min for max, least bound, least expected certificate"),
    PARAM_WORD(own, batch, "one", "one|tuned", "naive oracle: B2 of the paper, or d^(3/2)/rho"),
    PARAM(own, rho, NAN, 1e-300, INFINITY, "1", "privacy level; default from the goal"),
    PARAM(own, smoothing, NAN, 1e-300, 1e300, "x",
          "delta; default half of goal.radius, which is 0.1 if nobody sets it"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant of every loss; default the fact"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L delta"),
    PARAM(own, sigma, NAN, 0, 1e300, "f/x", "sd of a node; default calibrated, 0: no noise"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "eta; default as the word eta says"),
    PARAM(own, T, 0, 0, 0x1p40, "steps", "of an epoch; 0: as the word choice says"),
    PARAM(own, K, 0, 0, 0x1p40, "epochs", "0: as many as the samples allow"),
    PARAM(own, B1, 0, 0, 0x1p40, "samples", "first batch of an epoch; 0: B2 T + 1; naive: B2"),
    PARAM(own, B2, 0, 0, 0x1p40, "samples", "batch of every later step; 0: 1, naive: as batch says"),
    PARAM(own, directions, 0, 0, 0x1p20, "directions", "of a sample; 0: d, naive: 1"),
    PARAM_END
};

enum { SATURATED, NOISE, EPOCH_NOISE, MOVED };
static const struct note notes[] = {
    { "saturated", "1", "share of steps with |Delta| = D", REDUCE_MEAN },
    { "noise", "f^2/x^2", "|g~_t - g_t|^2", REDUCE_MEAN },
    { "epoch_noise", "f/x", "|mean over an epoch of g~_t - g_t|", REDUCE_MEAN },
    { "moved", "D", "largest |w_t - w_(t-1)|/D in an epoch", REDUCE_MAX },
    { 0 }
};

static bool naive(const struct own *p) { return strcmp(p->oracle, "naive") == 0; }
static bool tree(const struct own *p) { return !naive(p) && strcmp(p->noise, "tree") == 0; }

static const struct method_mechanism mechanisms[] = {
    { "noise", "what is released is private", MECHANISM_COSTS, { { "goal.rho", INFINITY } } },
    { "tree", "a prefix sum has the noise of its nodes, not of every summand", MECHANISM_HELPS,
      { { "algo.noise", .text = "independent" } } },
    { "reduction", "a gradient goes on from the one before by a difference", MECHANISM_HELPS,
      { { "algo.oracle", .text = "naive" } } },
    { "length", "epochs have the steps that n, d, delta and rho ask for", MECHANISM_HELPS, { { "algo.T", 256 } } },
    { "larger", "T is the larger of two lengths, not the smaller", MECHANISM_HELPS,
      { { "algo.choice", .text = "printed" } } },
    { "first", "an epoch begins with as large a batch as all later ones together", MECHANISM_HELPS,
      { { "algo.B1", 8 } } },
    { "directions", "every sample is asked along d directions", MECHANISM_HELPS, { { "algo.directions", 1 } } },
    { "learner", "steps follow the gradients", MECHANISM_HELPS, { { "algo.step", 0 } } },
    { 0 }
};

/* Returns the number of samples: goal n, but at most as many as the data have and as goal T rounds take with the
 * default batches. */
static double samples(const struct facts *f, const struct goal *goal, const struct own *p)
{
    double n = fmin(isnan(goal->n) ? INFINITY : goal->n, isnan(f->n) ? INFINITY : f->n);
    double each = (naive(p) ? 1 : 2) * fmax(1, (double)p->B2);
    return fmin(n, goal->T >= 1 ? each * goal->T : INFINITY);
}

/* --- sizes with oracle=naive: E|grad F - g|^2 is of order d L^2/B for batches of B samples, and the regret of T
 * steps falls as 1/sqrt(T) */

static double tuned_batch(const struct zo_terms *z)
{
    return fmax(1, ceil(pow(z->d, 1.5) / z->rho));
}

static const double MOST_B = 0x1p40; /* the largest value of a parameter B, which fits a long */

/* Returns T = max( (sqrt d L/a)^(2/3), (d^(3/2) L/(rho a))^(2/3) ) for B = 1, a = (Phi + L delta)/(delta M); with a
 * tuned batch B, T = N/B, where N samples an epoch make the terms of the bound equal. */
static double naive_length(const struct zo_terms *z, const char *batch)
{
    double a = (z->Phi + z->L * z->delta) / (z->delta * z->M);
    if (strcmp(batch, "tuned") == 0) {
        double N = pow(z->L * fmax(sqrt(z->d), pow(z->d, 0.75) / sqrt(z->rho)) / a, 2.0 / 3);
        return ceil(N / z->B2);
    }
    return ceil(pow(fmax(sqrt(z->d), pow(z->d, 1.5) / z->rho) * z->L / a, 2.0 / 3));
}

static double naive_G(const struct zo_terms *z, double sigma)
{
    return sqrt(z->L * z->L * (1 + z->d / (z->directions * z->B2)) + z->d * sigma * sigma);
}

/* --- the choice of batches, noise and step length for `tune` */

/* Chooses directions, batches, T and K, and copies all but K to z. */
static enum status shape(struct own *p, struct zo_terms *z, struct why *why)
{
    bool plain = naive(p), tuned = plain && strcmp(p->batch, "tuned") == 0 && isfinite(z->rho);
    if (tuned && p->B2 == 0 && !(tuned_batch(z) <= MOST_B))
        return why_set(why, REFUSED, "private-zo-o2nc: batches of d^(3/2)/rho = %g samples: expected "
                       "at most 2^40: give algo.B2", tuned_batch(z));
    param_choose_count(&p->directions, plain ? 1 : (long)z->d);
    param_choose_count(&p->B2, tuned && p->B2 == 0 ? (long)tuned_batch(z) : 1);
    z->B2 = (double)p->B2;
    double each = plain ? z->B2 : 2 * z->B2, most = floor(z->M / each);
    if (plain && p->T == 0 && !(most >= 1))
        return why_set(why, REFUSED, "private-zo-o2nc: batches of B2 = %ld samples: expected at most M = %g, the "
                       "samples of the run: give algo.B2", p->B2, z->M);
    if (p->T == 0) {
        double T = plain ? naive_length(z, p->batch) : zo_length(z, p->choice);
        p->T = (long)fmax(fmin(T, most), plain ? fmin(2, most) : 2);  /* in an epoch of one step x would not move */
    }
    param_choose_count(&p->B1, plain ? p->B2 : p->B2 * p->T + 1);
    if (plain && p->B1 != p->B2)
        return why_set(why, REFUSED, "private-zo-o2nc: B1 = %ld: expected B2 = %ld, as all batches "
                       "of the naive oracle are alike", p->B1, p->B2);
    z->B1 = (double)p->B1, z->T = (double)p->T, z->directions = (double)p->directions;
    double epoch = z->B1 + z->B2 * (z->T - 1);
    param_choose_count(&p->K, (long)floor(z->M / epoch));
    if (!(p->K >= 1 && (double)p->K * epoch <= z->M))
        return why_set(why, REFUSED, "private-zo-o2nc: K = %ld epochs of %g samples, T = %ld: "
                       "expected at most M = %g samples", p->K, epoch, p->T, z->M);
    return OK;
}

static enum status calibrate(struct own *p, const struct zo_terms *z, struct why *why)
{
    bool paper = tree(p) && strcmp(p->calibration, "paper") == 0;
    if (paper && p->T < 2 && isnan(p->sigma) && isfinite(p->rho))
        return why_set(why, REFUSED, "private-zo-o2nc: calibration paper adds no noise at T = 1: "
                       "expected T >= 2, or calibration exact or safe");
    if (paper && z->B1 < z->T * z->B2 / 2 && isnan(p->sigma) && isfinite(p->rho))
        return why_set(why, REFUSED, "private-zo-o2nc: calibration paper adds no noise for a first "
                       "batch of B1 = %ld: expected at least T B2/2 = %g, or calibration exact or "
                       "safe", p->B1, z->T * z->B2 / 2);
    param_choose(&p->sigma, naive(p) ? zo_sensitivity_first(z) / p->rho
                                     : zo_sigma(z, p->calibration, tree(p)));
    return OK;
}

static void choose_step(struct own *p, const struct zo_terms *z)
{
    double D = z->delta / z->T, G, nodes = zo_nodes(z, tree(p));
    if (strcmp(p->eta, "adaptive") == 0)
        return;
    if (naive(p))
        G = naive_G(z, p->sigma);
    else
        G = strcmp(p->eta, "theory") == 0 ? zo_G_theory(z, p->sigma, tree(p))
                                          : zo_G_practical(z, p->sigma, nodes);
    param_choose(&p->step, D / (G * sqrt(z->T)));
}

/* Returns, as FACT_BITs, the facts that tune reads. Phi is used only to choose T and the step; a Phi that depends
 * on the data is not read. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct own *p = vp;
    bool private = isfinite(p->rho) || !isnan(goal->rho) || !isnan(goal->eps);
    unsigned long read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(Phi);
    if (!isnan(p->L))
        read &= ~FACT_BIT(L);
    if (!isnan(p->Phi) || (private && f->origin[FACT_Phi] == ORIGIN_DATA))
        read &= ~FACT_BIT(Phi);
    return read;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    TRY(gdp_choose(goal, "exact", &p->rho, "private-zo-o2nc", why));
    param_choose(&p->smoothing, (goal->radius > 0 ? goal->radius : RADIUS) / 2);
    param_choose(&p->L, f->L);
    if (!(p->L < INFINITY))
        return why_set(why, REFUSED, "private-zo-o2nc: clamping at L = %g: give algo.L", p->L);
    param_choose(&p->Phi, isfinite(f->Phi) ? f->Phi : p->L * p->smoothing);
    if (!isfinite(samples(f, goal, p)))
        return why_set(why, REFUSED, "private-zo-o2nc needs goal n or T");
    struct zo_terms z = { .d = f->d, .L = p->L, .Phi = p->Phi, .delta = p->smoothing,
                          .M = samples(f, goal, p), .rho = p->rho };
    if (p->directions > 0x1p20 || f->d > 0x1p20)
        return why_set(why, REFUSED, "private-zo-o2nc: d = %g directions a sample: expected at most "
                       "2^20: give algo.directions", f->d);
    TRY(shape(p, &z, why));
    TRY(calibrate(p, &z, why));
    choose_step(p, &z);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double rounds = (double)p->K * (double)p->T;
    double samples = rounds * (double)p->B2 + (double)p->K * (double)(p->B1 - p->B2);
    return two_point_work(f->d, (double)p->directions * samples, rounds);
}

/* --- the noisy gradients g~_t of the head */

struct noisy_oracle {
    const struct own *p;
    struct two_point f;
    struct noisy_sum g;
    double *change,                  /* [d] GRAD or DIFF */
           *before,                  /* [d] w_(t-1) */
           *noise;                   /* [d] sum of g~_t - g_t over the steps of the epoch */
    double moved, s_1, s;            /* largest |w_t - w_(t-1)| of the epoch; sensitivities of GRAD and of DIFF */
};

static struct noisy_oracle oracle_new(struct oracle *o, struct arena *a, const struct own *p)
{
    long d = oracle_dim(o);
    struct zo_terms z = { .d = (double)d, .L = p->L, .T = (double)p->T, .B1 = (double)p->B1,
                          .B2 = (double)p->B2 };
    struct noisy_oracle q = {
        .p = p, .change = arena_vec(a, d), .before = arena_vec(a, d), .noise = arena_vec(a, d),
        .g = noisy_sum_new(o, a, tree(p) ? "tree" : "independent", p->T, d),
        .s_1 = zo_sensitivity_first(&z), .s = zo_sensitivity_rest(&z),
        .f = { .delta = p->smoothing, .L = p->L, .directions = p->directions, .moved = 2 / z.T,
               .symmetric = strcmp(p->difference, "symmetric") == 0 } };
    return q;
}

/* q->g.noisy[d] <- the noisy gradient g~_t at w, in step t = 1 ... T of an epoch. Returns false if the budget is
 * spent. */
static bool ask(struct oracle *o, struct noisy_oracle *q, long t, const double *w)
{
    long d = oracle_dim(o);
    bool first = t == 1 || naive(q->p);
    struct ticket z;
    if (t == 1)
        vec_zero(d, q->noise);
    if (first)
        noisy_sum_restart(&q->g, d);
    if (!oracle_take(o, t == 1 ? q->p->B1 : q->p->B2, &z) ||
        !(first ? two_point_grad(o, &q->f, &z, w, q->change)
                : two_point_diff(o, &q->f, &z, w, q->before, q->change)))
        return false;
    noisy_sum_add(o, &q->g, &(struct release){ .site = "private-zo-o2nc.gradient", .norm = NORM_2,
                                               .ticket = &z, .sensitivity = first ? q->s_1 : q->s },
                  q->p->sigma, d, q->change);
    if (t > 1)
        q->moved = fmax(t > 2 ? q->moved : 0, vec_dist(d, w, q->before));
    vec_copy(d, w, q->before);
    vec_axpy(d, 1, q->g.noisy, q->noise);
    vec_axpy(d, -1, q->g.sum, q->noise);
    oracle_note(o, NOISE, pow(vec_dist(d, q->g.noisy, q->g.sum), 2));
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double D = p->smoothing / (double)p->T;
    struct o2nc c = o2nc_new(a, d, D, p->step, rng);
    struct noisy_oracle q = oracle_new(o, a, p);

    arena_seal(a);
    o2nc_start(&c, x);
    for (long k = 0; k < p->K; k++) {
        o2nc_epoch(&c, false);
        for (long t = 1; t <= p->T; t++) {
            bool edge = o2nc_next(&c, rng, t > 1 ? q.g.noisy : NULL);
            if (!ask(o, &q, t, c.w)) {
                vec_copy(d, c.answer, x);
                return OK;
            }
            if (t > 1)
                oracle_note(o, SATURATED, edge);
            oracle_visit(o, c.w);
            oracle_depth(o, 2);
        }
        oracle_note(o, EPOCH_NOISE, vec_norm(d, q.noise) / (double)p->T);
        if (p->T > 1)
            oracle_note(o, MOVED, q.moved / D);
        o2nc_close(&c, o);
    }
    vec_copy(d, c.answer, x);
    return OK;
}

const struct algo algo_private_zo_o2nc = {
    .name = "private-zo-o2nc",
    .doc = "private zeroth-order O2NC: variance-reduced two-point gradients with tree noise",
    .cite = "Zhang, Tran, Cutkosky, Private Zeroth-Order Nonsmooth Nonconvex Optimization (2024), "
            "Algorithms 1 to 6, Theorem 4.9",
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
    .mechanisms = mechanisms,
};

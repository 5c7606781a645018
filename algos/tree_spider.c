/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_spider.c - private variance-reduced descent on smooth losses: a one-level analogue of Arora, Bassily,
 * Gonzalez, Guzman, Menart & Ullah 2023. It runs epochs k = 1 ... K of T steps on disjoint batches; a step moves x
 * by D:
 *
 *     g_1 = mean over Z_1 of clip( grad f(x_1), L ),             |Z_1| = B1
 *     g_t = g_(t-1) + mean over Z_t of clip( grad f(x_t) - grad f(x_(t-1)), H D ),   |Z_t| = B2
 *     x_(t+1) = x_t - D g~_t/|g~_t|,   g~_t = g_t + TREE(t), nodes N(0, sigma^2 I), fresh every epoch
 *
 * TREE(t) is the noise of the nodes of prefix t (PREFIX_TREE in noise.h). The answer is an iterate drawn uniformly.
 * f(.; z) is L-Lipschitz and H-smooth, F(x_1) - inf F <= Phi. Then clip changes nothing; for other losses it
 * enforces the sensitivities 2L/B1 and 2 H D/B2, so that with sigma of parts/tree_reach.h the run is (alpha, alpha
 * rho^2/2)-RDP, replace-one, for any losses. Smoothness gives F(x_(t+1)) <= F(x_t) - D |grad F(x_t)| + 2 D |g~_t -
 * grad F(x_t)| + H D^2/2. Hence, in the mean over all steps of all epochs,
 *
 *     E|grad F| <= Phi/(K T D) + H D/2 + 2 ( L^2/B1 + (H D)^2 (T-1)/B2 + N )^(1/2),
 *
 * where N = d sigma^2 times the number of nodes of a prefix. B1 = T, B2 = 1, D = L/(c H T) makes all sensitivities
 * 2L/T at c = 1, and T = max( (L^2 M/(Phi H))^(2/3), (d^(1/2) L^2 M/(Phi H rho))^(1/2) ) gives M^(-1/3) +
 * (d^(1/2)/(M rho))^(1/2) up to logarithms, M the number of samples. Nonsmooth losses are refused. */
#include "gdp.h"
#include "noisy_sum.h"
#include "tree_reach.h"

struct own {
    const char *noise;
    double rho, L, H, Phi, c, move, sigma;
    long T, K, B1, B2;
};

static const struct param params[] = {
    PARAM_WORD(own, noise, "tree", "tree|independent", "of the prefix sums"),
    PARAM(own, rho, NAN, 1e-300, INFINITY, "1", "privacy level; default from the goal"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant of every loss; default the fact"),
    PARAM(own, H, NAN, 1e-300, 1e300, "f/x^2", "smoothness of every loss; default the fact M"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L^2/H"),
    PARAM(own, c, 1, 1e-6, 1e6, "1", "L/(H T) over the length of a move"),
    PARAM(own, move, NAN, 0, 1e300, "x", "D; default L/(c H T)"),
    PARAM(own, sigma, NAN, 0, 1e300, "f/x", "sd of a node; default calibrated, 0: no noise"),
    PARAM(own, T, 0, 0, 0x1p40, "steps", "of an epoch; 0: as above"),
    PARAM(own, K, 0, 0, 0x1p40, "epochs", "0: as many as the samples allow"),
    PARAM(own, B1, 0, 0, 0x1p40, "samples", "first batch of an epoch; 0: B2 T"),
    PARAM(own, B2, 1, 1, 0x1p40, "samples", "batch of every later step"),
    PARAM_END
};

enum { NOISE };
static const struct note notes[] = {
    { "noise", "f^2/x^2", "|g~_t - g_t|^2", REDUCE_MEAN },
    { 0 }
};

static bool tree(const struct own *p) { return strcmp(p->noise, "tree") == 0; }

/* Returns, as FACT_BITs, the facts that tune reads. Phi is used only to choose T; a Phi that depends on the data is
 * not read. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct own *p = vp;
    bool private = isfinite(p->rho) || !isnan(goal->rho) || !isnan(goal->eps);
    unsigned long read = FACT_BIT(d) | FACT_BIT(n);
    read |= isnan(p->L) ? FACT_BIT(L) : 0;
    read |= isnan(p->H) ? FACT_BIT(M) : 0;
    if (isnan(p->Phi) && !(private && f->origin[FACT_Phi] == ORIGIN_DATA))
        read |= FACT_BIT(Phi);
    return read;
}

/* Chooses the length T of an epoch, the batch B1 of the first step, and the number K of epochs. */
static enum status shape(const struct facts *f, double M, struct own *p, struct why *why)
{
    double a = p->L * p->L * M / (p->Phi * p->H);
    double T = ceil(fmax(pow(a, 2.0 / 3), sqrt(sqrt(f->d) * a / p->rho)));
    param_choose_count(&p->T, (long)fmax(1, fmin(T, floor(M / (2 * (double)p->B2)))));
    param_choose_count(&p->B1, p->B2 * p->T);
    double epoch = (double)p->B1 + (double)p->B2 * ((double)p->T - 1);
    param_choose_count(&p->K, (long)floor(M / epoch));
    if (!(p->K >= 1 && (double)p->K * epoch <= M))
        return why_set(why, REFUSED, "tree-spider: K = %ld epochs of %g samples, T = %ld: expected at "
                       "most M = %g samples", p->K, epoch, p->T, M);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double M = one_pass_samples(f, goal, 2);
    TRY(gdp_choose(goal, "exact", &p->rho, "tree-spider", why));
    param_choose(&p->L, f->L);
    param_choose(&p->H, f->M);
    if (!(p->L < INFINITY && p->H > 0 && p->H < INFINITY))
        return why_set(why, REFUSED, "tree-spider clips at L = %g and at H = %g times a move: give "
                       "algo.L and algo.H", p->L, p->H);
    param_choose(&p->Phi, isfinite(f->Phi) && f->Phi > 0 ? f->Phi : p->L * p->L / p->H);
    if (!(M >= 1 && M < INFINITY))
        return why_set(why, REFUSED, "tree-spider needs goal n or budget");
    TRY(shape(f, M, p, why));
    double T = (double)p->T;
    param_choose(&p->move, p->L / (p->c * p->H * T));
    param_choose(&p->sigma, tree_reach(tree(p), T, 2 * p->L / (double)p->B1,
                                       2 * p->H * p->move / (double)p->B2) / p->rho);
    return OK;
}

/* g->noisy[d] <- the noisy gradient g~_t at x; first: t = 1; before[d]: x_(t-1); change[d] is scratch. Returns
 * false if the budget is spent. */
static bool ask(struct oracle *o, const struct own *p, struct noisy_sum *g, bool first,
                const double *x, const double *before, double *change)
{
    struct ticket z;
    long b = first ? p->B1 : p->B2;
    double C = first ? p->L : p->H * p->move;
    if (!oracle_take(o, b, &z) ||
        !oracle_batch(o, &(struct batch){ .ticket = &z, .points = first ? 1 : 2,
            .x = (const double *[]){ x, before }, .a = (double[]){ 1, -1 }, .clip = CLIP_NORM,
            .C = C, .g = change }))
        return false;
    noisy_sum_add(o, g, &(struct release){ .site = "tree-spider.gradient", .norm = NORM_2,
                                           .ticket = &z, .sensitivity = 2 * C / (double)b },
                  p->sigma, oracle_dim(o), change);
    oracle_note(o, NOISE, pow(vec_dist(oracle_dim(o), g->noisy, g->sum), 2));
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *at = arena_vec(a, d), *before = arena_vec(a, d), *change = arena_vec(a, d), steps = 0;
    struct noisy_sum g = noisy_sum_new(o, a, p->noise, p->T, d);

    arena_seal(a);
    vec_copy(d, x, at);
    for (long k = 0; k < p->K; k++) {
        noisy_sum_restart(&g, d);
        for (long t = 1; t <= p->T; t++) {
            if (!ask(o, p, &g, t == 1, at, before, change))
                return OK;
            oracle_estimate(o, at, g.sum);
            oracle_visit(o, at);
            oracle_close(o);
            if (rng_uniform(rng) * ++steps < 1)
                vec_copy(d, at, x);
            double norm = vec_norm(d, g.noisy);
            vec_copy(d, at, before);
            vec_axpy(d, norm > 0 ? -p->move / norm : 0, g.noisy, at);
            oracle_depth(o, 2);
            oracle_mark(o, x);
        }
    }
    return OK;
}

const struct algo algo_tree_spider = {
    .name = "tree-spider",
    .doc = "private variance-reduced descent on smooth losses: normalised steps, tree noise",
    .cite = "after Arora, Bassily, Gonzalez, Guzman, Menart, Ullah, Faster Rates of Convergence to "
            "Stationary Points in Differentially Private Optimization (ICML 2023)",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(Phi),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phased_erm.c - phased empirical risk minimisation: iterative localisation with a certified
 * accelerated solver (Feldman, Koren, Talwar, STOC 2020, Algorithm 3; Zhang, Thekumparampil, Oh,
 * He 2022)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples D_i, eta_i = eta/4^i, c = P(x_{i-1}),
 *         F_i(x) = (1/n_i) sum_{D_i} f(x,d) + |x - c|^2/(eta_i n_i),      lambda = 2/(eta_i n_i),
 *         xh_i with |xh_i - argmin_C F_i| <= slack L eta_i,   x_i = xh_i + N(0, (sigma eta_i)^2 I)
 *     eta = (R/L) min{ 4/sqrt(n), 2 mu/sqrt(p) },   answer the last x_i, projected
 *
 * f(.,d) convex, L-Lipschitz and M-smooth: a record moves argmin F_i by (L/n_i)/lambda = L eta_i/2
 * (zero-out adjacency), xh_i by L eta_i (1/2 + 2 slack), so that sigma = L (1/2 + 2 slack)/mu is
 * mu-GDP. Without convexity it is not private and refused. The paper: slack 1,
 * sigma = 4 L sqrt(ln(1/delta))/eps.
 *
 * Certificate: M' = M + lambda, x+ = P(x - grad F_i(x)/M') has |x+ - argmin| <= M'|x+ - x|/lambda;
 * xh_i = x+. Where eta_i is 10^-16, lambda times the rounding of x is more than that may be:
 * solvers reckon with x - c, which has an exponent of its own. With c on the boundary P rounds as x
 * does, and the last phases of so many samples may be refused.
 * How many rounds a solver takes depends on public constants alone, D = L/lambda >= |c - argmin|
 * among them; G = M'(x - x+).
 *     agm:       Nesterov 2018, Theorem 2.2.3, on all of D_i: |G|^2 <= 2M' gap <=
 *                M'(M' + lambda) D^2 (1 - sqrt(lambda/M'))^K, K so that the certificate cannot
 *                fail. ~n^(1/4) rounds.
 *     katyusha:  Allen-Zhu 2018, Algorithm 2, option II, on blocks of b samples, m = floor(n_i/b)
 *                steps an epoch, tau_2 = 1/2, tau_1 = min{ sqrt(m lambda/(3M)), 1/2 },
 *                alpha = 1/(3 tau_1 M). Its Theorem 2.1 leaves in the mean a gap of at most
 *                4 gap_0 max{ 1.5^-S, (1 + alpha lambda)^-(S m) } after S epochs: as many as let
 *                the certificate fail with probability zeta at the most. Then nothing is released
 *                and the run is refused; zeta is booked. ~sqrt(n) rounds, ~n gradients.
 * Excess of order L R (1/sqrt(n) + sqrt(p)/(mu n)), all up to logarithms. */
#include "convex.h"
#include "localise.h"

struct erm {
    const char *calibration, *solver;
    long n, b;
    double mu, eta, c, sigma, L, M, slack, zeta;
};

static const struct param params[] = {
    PARAM_WORD(erm, calibration, "exact", "exact|classical|paper",
               "mu from the exact curve, the classical bound, or the paper's noise"),
    PARAM_WORD(erm, solver, "agm", "agm|katyusha", "on full batches, or variance-reduced"),
    PARAM(erm, n, 0, 0, 0x1p52, "samples", "samples of all phases; 0: what the goal allows"),
    PARAM(erm, b, 0, 0, 0x1p52, "samples", "of a block; 0: ceil(sqrt(n_i))"),
    PARAM(erm, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(erm, eta, NAN, 1e-300, INFINITY, "x^2/f", "before phase 1; default the theorem's"),
    PARAM(erm, c, 1, 0, INFINITY, "1", "multiplies the theorem's eta"),
    PARAM(erm, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise over eta_i; 0: none"),
    PARAM(erm, L, NAN, 0, INFINITY, "f/x", "bound on one gradient; default fact L"),
    PARAM(erm, M, NAN, 0, INFINITY, "f/x^2", "smoothness; default fact M"),
    PARAM(erm, slack, NAN, 1e-9, 1e3, "1", "solver's error over L eta_i; default 0.1, theory 1"),
    PARAM(erm, zeta, NAN, 1e-300, 1, "1", "failure of a certificate; default by delta, else 1e-9"),
    PARAM_END
};

static bool reduced(const struct erm *s) { return strcmp(s->solver, "katyusha") == 0; }

/* katyusha: half of delta is for the noise, (1 + e^eps) zeta is the other half. */
static struct goal share(const struct goal *goal, struct erm *s)
{
    struct goal g = *goal;
    if (!reduced(s)) {
        s->zeta = 0;
        return g;
    }
    bool known = isnan(s->zeta) && goal->eps >= 0 && goal->delta > 0;
    param_choose(&s->zeta, known ? goal->delta / (2 * (1 + exp(goal->eps))) : 1e-9);
    g.delta = goal->delta - (1 + exp(goal->eps)) * s->zeta;
    return g;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "phased-erm";
    struct erm *s = vp;
    double n = fmin(goal->n, isnan(f->n) ? INFINITY : f->n);

    if (!s->n && !(n >= 2 && n < 0x1p52))
        return why_set(why, REFUSED, "%s uses samples more than once: it needs goal n >= 2", who);
    param_choose_count(&s->n, (long)n);
    TRY(convex_lipschitz(f, who, why));
    struct goal noise = share(goal, s);
    TRY(localise_mu(&noise, s->calibration, &s->mu, who, why));
    param_choose(&s->L, f->L);
    param_choose(&s->M, f->M);
    param_choose(&s->slack, goal->constants == CONSTANTS_THEORY ? 1 : 0.1);
    param_choose(&s->eta, s->c * localise_eta(f, (double)s->n, s->mu));
    if (!(s->eta > 0 && s->eta < INFINITY && s->M < INFINITY))
        return why_set(why, REFUSED, "%s needs M, the diameter and L > 0, not M = %g, "
                       "diameter = %g, L = %g", who, s->M, f->diameter, s->L);
    double C = strcmp(s->calibration, "paper") ? s->L * (0.5 + 2 * s->slack) : s->L;
    param_choose(&s->sigma, isinf(s->mu) ? 0 : C / s->mu);
    return OK;
}

/* --- F_i; all points are displacements from c */

struct solver {
    struct oracle *o;
    struct rng *rng;
    const struct erm *s;
    double *g, *x, *y, *z, *far, *full, *at, *other;
};

struct risk {
    struct ticket samples;
    const double *c;
    double n, lambda, M, D, tolerance;   /* of F_i; tolerance: on |G| */
};

/* g <- grad F_i(c + u) - lambda u */
static bool mean_gradient(const struct solver *v, const struct risk *r, const double *u, double *g)
{
    const double *const at = v->at;
    vec_lincomb(oracle_dim(v->o), 1, r->c, 1, u, v->at);
    return oracle_batch(v->o, &(struct batch){ .ticket = &r->samples, .points = 1, .x = &at,
                                               .g = g });
}

/* g <- grad F_i(c + u) */
static bool full_gradient(const struct solver *v, const struct risk *r, const double *u, double *g)
{
    if (!mean_gradient(v, r, u, g))
        return false;
    vec_axpy(oracle_dim(v->o), r->lambda, u, g);
    return true;
}

/* u <- P(c + u) - c, which is u where c + u is feasible, to the last bit. */
static void project(const struct solver *v, const struct risk *r, double *u)
{
    long d = oracle_dim(v->o);
    vec_lincomb(d, 1, r->c, 1, u, v->at);
    vec_copy(d, v->at, v->other);
    oracle_project(v->o, 0, v->other);
    vec_axpy(d, -1, v->at, v->other);
    vec_axpy(d, 1, v->other, u);
}

/* u <- x+, if it is near enough. */
static bool certify(const struct solver *v, const struct risk *r, double *u)
{
    long d = oracle_dim(v->o);
    if (!full_gradient(v, r, u, v->g))
        return false;
    vec_copy(d, u, v->y);
    vec_axpy(d, -1 / r->M, v->g, u);
    project(v, r, u);
    oracle_depth(v->o, 2);
    if (r->M * vec_dist(d, u, v->y) <= r->tolerance)
        return true;
    oracle_refuse(v->o, "phased-erm: the solver has not reached its certificate, so nothing may be "
                  "released: are L and M true? Else raise algo.slack");
    return false;
}

/* --- solvers, from u = 0 */

static bool agm(const struct solver *v, const struct risk *r, double *u)
{
    long d = oracle_dim(v->o);
    double q = sqrt(r->lambda / r->M), beta = (1 - q) / (1 + q);
    double K = 2 * log(sqrt(r->M * (r->M + r->lambda)) * r->D / r->tolerance) / -log1p(-q);

    vec_copy(d, u, v->y);
    for (double k = 0; k < fmax(K, 1); k++) {    /* one step solves M = 0 */
        if (!full_gradient(v, r, v->y, v->g))
            return false;
        vec_copy(d, u, v->far);
        vec_lincomb(d, 1, v->y, -1 / r->M, v->g, u);
        project(v, r, u);
        vec_lincomb(d, 1 + beta, u, -beta, v->far, v->y);
        oracle_depth(v->o, 2);
    }
    return true;
}

struct pace { double tau, alpha; long b, m; };

/* Step k of an epoch around v->far; x of the paper is v->x. */
static bool katyusha_step(const struct solver *v, const struct risk *r, const struct pace *p)
{
    long d = oracle_dim(v->o);
    struct ticket block = ticket_part(&r->samples, p->b * (long)rng_below(v->rng, (uint64_t)p->m),
                                      p->b);
    const double *const points[] = { v->at, v->other }, a[] = { 1, -1 };
    double sum = 1 / p->alpha + r->lambda;

    vec_lincomb(d, p->tau, v->z, 0.5, v->far, v->x);
    vec_axpy(d, 0.5 - p->tau, v->y, v->x);
    vec_lincomb(d, 1, r->c, 1, v->x, v->at);
    vec_lincomb(d, 1, r->c, 1, v->far, v->other);
    if (!oracle_batch(v->o, &(struct batch){ .ticket = &block, .points = 2, .x = points, .a = a,
                                             .g = v->g }))
        return false;
    vec_axpy(d, 1, v->full, v->g);
    vec_axpy(d, -p->tau, v->z, v->x);
    vec_axpby(d, -1 / sum, v->g, 1 / (p->alpha * sum), v->z);
    project(v, r, v->z);
    vec_lincomb(d, 1, v->x, p->tau, v->z, v->y);
    oracle_depth(v->o, 3);
    return true;
}

/* u, between epochs v->far, is the mean of y weighted by (1 + alpha lambda)^k. */
static bool katyusha_epoch(const struct solver *v, const struct risk *r, const struct pace *p,
                           double *u)
{
    long d = oracle_dim(v->o);
    double weights = 0;
    vec_copy(d, u, v->far);
    if (!mean_gradient(v, r, u, v->full))
        return false;
    for (long k = 0; k < p->m; k++) {
        if (!katyusha_step(v, r, p))
            return false;
        weights = 1 + weights / (1 + p->alpha * r->lambda);
        vec_axpby(d, 1 / weights, v->y, 1 - 1 / weights, u);
    }
    return true;
}

static bool katyusha(const struct solver *v, const struct risk *r, long b, double *u)
{
    long d = oracle_dim(v->o);
    double M = fmax(v->s->M, r->lambda), m = r->n / (double)b;
    struct pace p = { .tau = fmin(sqrt(m * r->lambda / (3 * M)), 0.5), .b = b, .m = (long)m };
    p.alpha = 1 / (3 * p.tau * M);
    double rate = fmin(m * log1p(p.alpha * r->lambda), log(1.5));
    double gap = v->s->L * r->D / 2, least = r->tolerance * r->tolerance / (2 * r->M);
    double S = log(4 * gap / (least * v->s->zeta)) / rate;

    vec_copy(d, u, v->y);
    vec_copy(d, u, v->z);
    for (double s = 0; s < S; s++)
        if (!katyusha_epoch(v, r, &p, u))
            return false;
    return true;
}

/* --- phases */

static bool solve(struct oracle *o, const struct phase *p, const void *ctx, const double *c,
                  double *u)
{
    const struct solver *v = ctx;
    const struct erm *s = v->s;
    long b = !reduced(s) ? 1 : s->b ? s->b : (long)ceil(sqrt((double)p->n));
    long n = p->n - (b < p->n ? p->n % b : 0);
    struct risk r = { .samples = ticket_part(&p->samples, 0, n), .c = c, .n = (double)n };

    r.lambda = 2 / (p->eta * r.n);
    r.M = s->M + r.lambda;
    r.D = s->L / r.lambda;
    r.tolerance = 2 * s->slack * s->L / r.n;     /* lambda slack L eta_i */
    vec_zero(oracle_dim(o), u);
    return (reduced(s) ? katyusha(v, &r, b < n ? b : n, u) : agm(v, &r, u)) && certify(v, &r, u);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct erm *s = vp;
    long d = oracle_dim(o);
    double *u = arena_vec(w, d);
    const struct solver v = { .o = o, .rng = rng, .s = s, .g = arena_vec(w, d),
                              .x = arena_vec(w, d), .y = arena_vec(w, d), .z = arena_vec(w, d),
                              .far = arena_vec(w, d), .full = arena_vec(w, d),
                              .at = arena_vec(w, d), .other = arena_vec(w, d) };
    const struct localise l = { .site = "phased-erm.phase", .n = s->n, .eta = s->eta,
                                .C = s->L * (0.5 + 2 * s->slack), .sigma = s->sigma,
                                .failure = s->zeta };

    arena_seal(w);
    localise(o, &l, solve, &v, u, x);
    return OK;
}

const struct algo algo_phased_erm = {
    .name = "phased-erm",
    .doc = "phased ERM: iterative localisation with a certified accelerated solver",
    .cite = "Zhang, Thekumparampil, Oh, He, Bring Your Own Algorithm, 2022; Feldman et al. 2020",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(weak) |
                FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct erm),
    .tune = tune,
    .run = run,
    .variants = (const char *const[]){ "solver=katyusha", NULL },
};

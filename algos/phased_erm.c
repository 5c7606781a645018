/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phased_erm.c - phased empirical risk minimisation: iterative localisation with a certified accelerated solver, or
 * without smoothness by n^2 steps of SGD (Feldman, Koren, Talwar, STOC 2020, Algorithm 3; Zhang, Thekumparampil,
 * Oh, He 2022)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples D_i, eta_i = eta/4^i, c = P(x_{i-1}),
 *         F_i(x) = (1/n_i) sum_{D_i} f(x,d) + |x - c|^2/(eta_i n_i),      lambda = 2/(eta_i n_i),
 *         xh_i with |xh_i - argmin F_i| <= slack L eta_i,   x_i = xh_i + N(0, (sigma eta_i)^2 I)
 *     eta = (R/L) min{ 4/sqrt(n), 2 mu/sqrt(p) },   answer the last x_i, projected
 *
 * argmin is over the feasible set, on which P projects; R is its diameter, p the dimension. The loss f(.,d) of a
 * record d is convex, L-Lipschitz and M-smooth. A record moves argmin F_i by at most (L/n_i)/lambda = L eta_i/2
 * (zero-out adjacency), hence xh_i by at most L eta_i (1/2 + 2 slack), so that sigma = L (1/2 + 2 slack)/mu is
 * mu-GDP. Without convexity the method is not private and is refused. The paper has slack = 1 and sigma = 4 L
 * sqrt(ln(1/delta))/eps.
 *
 * There are three solvers. The number of rounds of each depends on public constants alone. The first two need M,
 * and the distance of their xh_i from argmin F_i is certified (parts/certified_erm.h):
 *     agm:       Nesterov's method on all of D_i, until the certificate cannot fail. ~n^(1/4)
 *                rounds.
 *     katyusha:  Allen-Zhu 2018, Algorithm 2, option II, on blocks of b samples, m = floor(n_i/b)
 *                steps an epoch, tau_2 = 1/2, tau_1 = min{ sqrt(m lambda/(3M)), 1/2 },
 *                alpha = 1/(3 tau_1 M). Its Theorem 2.1 leaves in the mean a gap of at most
 *                4 gap_0 max{ 1.5^-S, (1 + alpha lambda)^-(S m) } after S epochs, where gap_0 is the gap
 *                F_i - min F_i of the start. S is such that the
 *                certificate fails with probability at most zeta. If it fails, nothing is released
 *                and the run is refused; zeta is booked. ~sqrt(n) rounds, ~n gradients.
 *     sgd:       w_t = P( w_{t-1} - (g_t + lambda (w_{t-1} - c))/(lambda t) ), w_0 = c, E_i passes
 *                over D_i in one order, E_i = ceil(n_i/slack^2), xh_i the last w. f need not be
 *                smooth. Every record is used exactly E_i times. A step on one convex loss moves two
 *                iterates at distance D to at most sqrt( ((1-1/t) D)^2 + (2L/(lambda t))^2 ); zeroing
 *                the loss adds at most L/(lambda t). In total a record moves xh_i by at most
 *                L eta_i (1/2 + slack), with certainty and whatever the gap is (Bassily, Feldman,
 *                Guzman, Talwar, NeurIPS 2020, Lemma 3.1, for lambda > 0). ~n^2 rounds and gradients
 *                at slack 1. The paper uses a high-probability bound of SGD instead, with
 *                n^2 ln(1/delta) gradients.
 * The excess is of order L R (1/sqrt(n) + sqrt(p)/(mu n)). All orders are up to logarithms. */
#include "certified_erm.h"
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
    PARAM_WORD(erm, solver, "agm", "agm|katyusha|sgd",
               "on full batches, variance-reduced, or without smoothness"),
    PARAM(erm, n, 0, 0, 0x1p52, "samples", "samples of all phases; 0: what the goal allows"),
    PARAM(erm, b, 0, 0, 0x1p52, "samples", "of a block; 0: ceil(sqrt(n_i))"),
    PARAM(erm, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(erm, eta, NAN, 1e-300, INFINITY, "x^2/f", "before phase 1; default the theorem's"),
    PARAM(erm, c, 1, 0, INFINITY, "1", "multiplies the theorem's eta"),
    PARAM(erm, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise over eta_i; 0: none"),
    PARAM(erm, L, NAN, 0, INFINITY, "f/x", "bound on one gradient; default fact L"),
    PARAM(erm, M, NAN, 0, INFINITY, "f/x^2", "smoothness; default fact M"),
    PARAM(erm, slack, NAN, 1e-9, 1e3, "1", "solver's part over L eta_i; default 0.1, theory, sgd 1"),
    PARAM(erm, zeta, NAN, 1e-300, 1, "1", "failure of a certificate; default by delta, else 1e-9"),
    PARAM_END
};

static bool reduced(const struct erm *s) { return strcmp(s->solver, "katyusha") == 0; }

static bool passes(const struct erm *s) { return strcmp(s->solver, "sgd") == 0; }

/* Returns how far one record moves xh_i, in units of L eta_i. */
static double moved(const struct erm *s) { return 0.5 + (passes(s) ? 1 : 2) * s->slack; }

/* Returns about how many steps of SGD all phases take. */
static double sgd_steps(const struct erm *s)
{
    double n = (double)s->n / s->slack;
    return n * n / 3;
}

/* Returns the goal that the noise alone must meet, and sets zeta if it is not set. With solver katyusha, the
 * failure of a certificate uses (1 + e^eps) zeta of delta, by default half, and the noise the rest; with the other
 * solvers zeta = 0. */
static struct goal share(const struct goal *goal, struct erm *s)
{
    struct goal g = *goal;
    if (!reduced(s)) {
        s->zeta = 0;
        return g;
    }
    bool known = isnan(s->zeta) && goal->eps >= 0 && goal->eps < INFINITY && goal->delta > 0;
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
    param_choose(&s->slack, goal->constants == CONSTANTS_THEORY || passes(s) ? 1 : 0.1);
    param_choose(&s->eta, s->c * localise_eta(f, (double)s->n, s->mu));
    if (!(s->eta > 0 && s->eta < INFINITY && (passes(s) || s->M < INFINITY)))
        return why_set(why, REFUSED, "%s needs M, the diameter and L > 0, not M = %g, "
                       "diameter = %g, L = %g", who, s->M, f->diameter, s->L);
    if (passes(s) && !goal->count && !(sgd_steps(s) < 0x1p52))
        return why_set(why, REFUSED, "%s: solver sgd takes %.3g steps at n = %ld, slack = %g: a larger "
                       "algo.slack, or counts alone (--count)", who, sgd_steps(s), s->n, s->slack);
    double C = strcmp(s->calibration, "paper") ? s->L * moved(s) : s->L;
    param_choose(&s->sigma, isinf(s->mu) ? 0 : C / s->mu);
    return OK;
}

/* --- the solver katyusha; all points are displacements from c */

struct solver {
    struct certified_erm F;
    struct rng *rng;
    const struct erm *s;
    double *x, *z, *full;            /* [d] x and z of Allen-Zhu 2018; the gradient over all samples at F.far */
};

/* tau_1, alpha, b and m of the head. */
struct pace { double tau, alpha; long b, m; };

/* Makes one step of an epoch whose full gradient is taken at F.far. v->x, v->z and F.y are x, z and y of Allen-Zhu
 * 2018. Returns false if the budget is spent. */
static bool katyusha_step(const struct solver *v, const struct pace *p)
{
    const struct certified_erm *F = &v->F;
    long d = oracle_dim(F->o);
    struct ticket block = ticket_part(&F->samples, p->b * (long)rng_below(v->rng, (uint64_t)p->m),
                                      p->b);
    const double *const points[] = { F->at, F->other }, a[] = { 1, -1 };
    double sum = 1 / p->alpha + F->lambda;

    vec_lincomb(d, p->tau, v->z, 0.5, F->far, v->x);
    vec_axpy(d, 0.5 - p->tau, F->y, v->x);
    vec_lincomb(d, 1, F->c, 1, v->x, F->at);
    vec_lincomb(d, 1, F->c, 1, F->far, F->other);
    if (!oracle_batch(F->o, &(struct batch){ .ticket = &block, .points = 2, .x = points, .a = a,
                                             .g = F->g }))
        return false;
    vec_axpy(d, 1, v->full, F->g);
    vec_axpy(d, -p->tau, v->z, v->x);
    vec_axpby(d, -1 / sum, F->g, 1 / (p->alpha * sum), v->z);
    certified_erm_project(F, v->z);
    vec_lincomb(d, 1, v->x, p->tau, v->z, F->y);
    oracle_depth(F->o, 3);
    return true;
}

/* Runs an epoch around F.far = u. u[d] <- the mean of the points y with weights (1 + alpha lambda)^k. Returns false
 * if the budget is spent. */
static bool katyusha_epoch(const struct solver *v, const struct pace *p, double *u)
{
    const struct certified_erm *F = &v->F;
    long d = oracle_dim(F->o);
    double weights = 0;
    vec_copy(d, u, F->far);
    if (!certified_erm_mean(F, u, v->full))
        return false;
    for (long k = 0; k < p->m; k++) {
        if (!katyusha_step(v, p))
            return false;
        weights = 1 + weights / (1 + p->alpha * F->lambda);
        vec_axpby(d, 1 / weights, F->y, 1 - 1 / weights, u);
    }
    return true;
}

static bool katyusha(const struct solver *v, double n, long b, double *u)
{
    const struct certified_erm *F = &v->F;
    long d = oracle_dim(F->o);
    double M = fmax(v->s->M, F->lambda), m = n / (double)b;
    struct pace p = { .tau = fmin(sqrt(m * F->lambda / (3 * M)), 0.5), .b = b, .m = (long)m };
    p.alpha = 1 / (3 * p.tau * M);
    double rate = fmin(m * log1p(p.alpha * F->lambda), log(1.5));
    double gap = v->s->L * F->D / 2, least = F->tolerance * F->tolerance / (2 * F->M);
    double S = log(4 * gap / (least * v->s->zeta)) / rate;

    vec_copy(d, u, F->y);
    vec_copy(d, u, v->z);
    for (double s = 0; s < S; s++)
        if (!katyusha_epoch(v, &p, u))
            return false;
    return true;
}

/* --- the solver sgd, which makes passes over the samples of a phase */

/* Makes step t of SGD on one sample. Without projections the displacement u is the mean of -g_k/lambda, k <= t.
 * Returns false if the budget is spent. */
static bool sgd_step(const struct certified_erm *F, const struct ticket *one, double t, double *u)
{
    if (!certified_erm_mean_of(F, one, u, F->g))
        return false;
    vec_axpby(oracle_dim(F->o), -1 / (F->lambda * t), F->g, (t - 1) / t, u);
    certified_erm_project(F, u);
    oracle_depth(F->o, 2);
    return true;
}

static bool sgd_passes(const struct certified_erm *F, double slack, double *u)
{
    double n = (double)F->samples.count, E = ceil(n / (slack * slack)), t = 0;
    if (oracle_counting(F->o)) {
        oracle_charge(F->o, COUNT_batch_steps, n * E);
        oracle_charge(F->o, COUNT_project_0, isfinite(oracle_radius(F->o)) ? n * E : 0);
        oracle_depth(F->o, 2 * n * E);
        return oracle_charge(F->o, COUNT_sample_grads, n * E);
    }
    while (t < n * E)
        for (long k = 0; k < F->samples.count; k++) {
            struct ticket one = ticket_part(&F->samples, k, 1);
            if (!sgd_step(F, &one, ++t, u))
                return false;
        }
    return true;
}

/* --- the phases of the head */

static bool solve(struct oracle *o, const struct phase *p, const void *ctx, const double *c,
                  double *u)
{
    struct solver v = *(const struct solver *)ctx;
    const struct erm *s = v.s;
    long b = !reduced(s) ? 1 : s->b ? s->b : (long)ceil(sqrt((double)p->n));
    long n = p->n - (b < p->n ? p->n % b : 0);
    struct ticket samples = ticket_part(&p->samples, 0, n);

    certified_erm_begin(&v.F, &samples, s->L, s->M, 2 / (p->eta * (double)n),
                        s->slack * s->L * p->eta);
    v.F.c = c;
    vec_zero(oracle_dim(o), u);
    if (passes(s))
        return sgd_passes(&v.F, s->slack, u);
    bool whole = reduced(s) ? katyusha(&v, (double)n, b < n ? b : n, u) : certified_erm_agm(&v.F, u);
    return whole && certified_erm_certify(&v.F, u);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct erm *s = vp;
    long d = oracle_dim(o);
    double *u = arena_vec(w, d);
    struct solver v = { .F.o = o, .rng = rng, .s = s, .x = arena_vec(w, d), .z = arena_vec(w, d),
                        .full = arena_vec(w, d) };
    const struct localise l = { .site = "phased-erm.phase", .n = s->n, .eta = s->eta,
                                .C = s->L * moved(s), .sigma = s->sigma,
                                .failure = s->zeta };

    certified_erm_reserve(&v.F, w);
    arena_seal(w);
    localise(o, &l, solve, &v, u, x);
    return OK;
}

/* Returns the number of gradients of a run with solver sgd; NaN for the other solvers. */
static double expects(const struct facts *f, const void *vp)
{
    return passes(vp) ? sgd_steps(vp) : NAN;
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
    .expects = expects,
    .run = run,
    .variants = (const char *const[]){ "solver=katyusha", "solver=sgd", NULL },
};

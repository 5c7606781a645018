/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcd_step.c - the last of t + 1 steps of DP-GCD from the origin, with known noise, and the terms at that step of
 * the lemmas that the utility proof uses (Mangold, Bellet, Salmon & Tommasi 2023, Appendix B).
 *
 *     j = argmax_k |g_k + chi_k|/sqrt(M_k),   w_j -= (step/M_j) (g_j + eta),   g = grad f(w),
 *     chi_k, eta ~ Lap(lambda), independent
 *
 *     xi = f(w) - f* before the step, xi+ after it,   top = max_k g_k^2/M_k, attained at j*,
 *     N = eta^2/(2 M_j) + chi_j^2/(2 M_j) + chi_{j*}^2/(4 M_{j*}),   m = mu_{M,1}
 *
 *     (14)  xi+ <= xi - g_j^2/(2 M_j) + eta^2/(2 M_j); equal if f is quadratic in w_j, f_jj = M_j
 *     B.2   xi+ <= xi - top/8 + N
 *     B.3   xi+ <= xi - xi^2/(8 |w - w*|_{M,1}^2) + N             f convex
 *     B.5   top/2 >= m_k (xi - M_max (d - tau) alpha^2/2)         k = t + tau, w* is (alpha, tau)-
 *                                                                  quasi-sparse
 *     (53)  xi+ <= (1 - m/4) xi + N                               m > 0
 *
 * M_j is the smoothness of f along coordinate j, M_max the largest of them, f_jj the second derivative,
 * |v|_{M,1} = sum_j M_j^(1/2) |v_j|, and mu_{M,1} the strong convexity of f in this norm. w* is (alpha,
 * tau)-quasi-sparse if at most tau of its entries exceed alpha in absolute value. m_k, the constant of strong
 * convexity for vectors with at most k non-zeros, is m d/k where f_jj = M_j and f is separable. The paper prints
 * top^(1/2) for top in B.5, (42). */
#include "estimator.h"

struct gcd_step {
    long t, tau;
    double lambda, step, alpha, power;
    const char *pick;
    double xi_0, mu_M1;              /* from the facts */
    const double *M_j;
};

static const struct param params[] = {
    PARAM(gcd_step, t, 4, 0, 1e9, "steps", "steps before the one that is looked at"),
    PARAM(gcd_step, tau, 0, 0, 1e9, "coordinates", "B.5: entries of w* above alpha; 0: all"),
    PARAM(gcd_step, lambda, 0.01, 0, 1e100, "f/x", "scale of the Laplace noise"),
    PARAM(gcd_step, step, 1, 0, 1e100, "1/M_j", "step size"),
    PARAM(gcd_step, alpha, 0, 0, 1e100, "x", "B.5: threshold of quasi-sparsity"),
    PARAM(gcd_step, power, 2, 1, 2, "1", "B.5: power of the gradient's norm; 1: as printed"),
    PARAM_WORD(gcd_step, pick, "greedy", "greedy|uniform", "how the coordinate is chosen"),
    PARAM_END
};

/* The rows of a draw: two vectors, then numbers, each the first entry of its row. TAKEN is -1 if the draw holds a
 * step. */
enum row { W, M, XI, NEXT, TOP, HIT, ETA, NOISE, MU, MU_K, TAIL, POWER, TAKEN, ROWS };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct gcd_step *p = vp;
    p->M_j = f->M_j;
    p->xi_0 = f->Phi;
    p->mu_M1 = f->mu_M1;
    if (p->tau == 0)
        p->tau = (long)f->d;
    return OK;
}

static long greedy(long d, const double *M_j, const double *g, const double *chi)
{
    long best = 0;
    double most = -1;
    for (long j = 0; j < d; j++) {
        double score = fabs(g[j] + (chi ? chi[j] : 0)) / sqrt(M_j[j]);
        if (score > most)
            most = score, best = j;
    }
    return best;
}

/* Evaluates the terms of the lemmas that are known before the step from w along j. */
static void look(const struct gcd_step *p, long d, const double *w, const double *g,
                 const double *chi, long j, double eta, double *v)
{
    const double *M_j = p->M_j;
    long top = greedy(d, M_j, g, NULL);
    double k = fmin((double)(p->t + p->tau), (double)d), M_max = 0;

    for (long i = 0; i < d; i++)
        M_max = fmax(M_max, M_j[i]);
    vec_copy(d, w, v + W * d);
    vec_copy(d, M_j, v + M * d);
    v[TOP * d] = g[top] * g[top] / M_j[top];
    v[HIT * d] = g[j] * g[j] / M_j[j];
    v[ETA * d] = eta * eta / (2 * M_j[j]);
    v[NOISE * d] = v[ETA * d] + chi[j] * chi[j] / (2 * M_j[j])
                 + chi[top] * chi[top] / (4 * M_j[top]);
    v[MU * d] = p->mu_M1;
    v[MU_K * d] = p->mu_M1 * (double)d / k;
    v[TAIL * d] = M_max * (double)(d - p->tau) * p->alpha * p->alpha / 2;
    v[POWER * d] = p->power;
    v[TAKEN * d] = -1;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    const struct gcd_step *p = vp;
    long d = oracle_dim(o);
    double *w = arena_vec(a, d), *g = arena_vec(a, d), *chi = arena_vec(a, d), f_0, f;

    arena_seal(a);
    for (long k = 0; k < ROWS * d; k++)
        v[k] = NAN;
    vec_zero(d, w);
    if (!oracle_value(o, w, &f_0))
        return OK;
    for (long t = 0; t <= p->t; t++) {
        if (!oracle_grad(o, w, g))
            return OK;
        rng_laplaces(rng, d, p->lambda, chi);
        double eta = rng_laplace(rng, p->lambda);
        long j = p->pick[0] == 'g' ? greedy(d, p->M_j, g, chi) : (long)rng_below(rng, (uint64_t)d);
        if (t == p->t) {
            if (!oracle_value(o, w, &f))
                return OK;
            v[XI * d] = f - f_0 + p->xi_0;
            look(p, d, w, g, chi, j, eta, v);
        }
        w[j] -= p->step / p->M_j[j] * (g[j] + eta);
    }
    if (oracle_value(o, w, &f))
        v[NEXT * d] = f - f_0 + p->xi_0;
    return OK;
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return problem->minimiser && problem->minimiser(self, out);
}

/* Returns a bound on the rounding error of a difference of the numbers of a draw. */
static double slack(long d, const double *v)
{
    return 1e-10 * (fabs(v[XI * d]) + fabs(v[NEXT * d]) + v[HIT * d] + v[NOISE * d]);
}

/* Returns whether v holds a step. */
static bool taken(long d, const double *v) { return v[TAKEN * d] == -1 && v[POWER * d] >= 1; }

static double obeys(long d, const double *v, bool lemma) { return taken(d, v) ? lemma : NAN; }

static double step_14(const struct functional_env *e, const double *v)
{
    long d = e->d;
    return obeys(d, v, v[NEXT * d] <= v[XI * d] - v[HIT * d] / 2 + v[ETA * d] + slack(d, v));
}

static double equal_14(const struct functional_env *e, const double *v)
{
    long d = e->d;
    return obeys(d, v, fabs(v[NEXT * d] - v[XI * d] + v[HIT * d] / 2 - v[ETA * d]) <= slack(d, v));
}

static double lemma_b2(const struct functional_env *e, const double *v)
{
    long d = e->d;
    return obeys(d, v, v[NEXT * d] <= v[XI * d] - v[TOP * d] / 8 + v[NOISE * d] + slack(d, v));
}

static double lemma_b3(const struct functional_env *e, const double *v)
{
    long d = e->d;
    double distance = 0;
    if (!e->target)
        return NAN;
    for (long j = 0; j < d; j++)
        distance += sqrt(v[M * d + j]) * fabs(v[W * d + j] - e->target[j]);
    double gain = v[XI * d] / distance;
    return obeys(d, v, v[NEXT * d] <= v[XI * d] - gain * gain / 8 + v[NOISE * d] + slack(d, v));
}

static double lemma_b5(const struct functional_env *e, const double *v)
{
    long d = e->d;
    return obeys(d, v, pow(v[TOP * d], v[POWER * d] / 2) / 2 + slack(d, v) >=
                           v[MU_K * d] * (v[XI * d] - v[TAIL * d]));
}

static double strong_53(const struct functional_env *e, const double *v)
{
    long d = e->d;
    return obeys(d, v, v[NEXT * d] <= (1 - v[MU * d] / 4) * v[XI * d] + v[NOISE * d] + slack(d, v));
}

static const struct functional functionals[] = {
    { "step", "1", "1 where the step obeys (14)", step_14 },
    { "equal", "1", "1 where (14) is an equality", equal_14 },
    { "greedy", "1", "1 where the step obeys Lemma B.2", lemma_b2 },
    { "convex", "1", "1 where the step obeys Lemma B.3", lemma_b3 },
    { "sparse", "1", "1 where the point obeys Lemma B.5", lemma_b5 },
    { "strong", "1", "1 where the step obeys (53)", strong_53 },
    { 0 }
};

const struct estimator estimator_gcd_step = {
    .name = "gcd-step",
    .doc = "one step of DP-GCD and the lemmas of its proof",
    .cite = "Mangold, Bellet, Salmon & Tommasi 2023, Appendix B",
    .calls = CALL_VALUE | CALL_GRAD,
    .reads = FACT_BIT(M_j) | FACT_BIT(Phi),
    .may_read = FACT_BIT(d) | FACT_BIT(mu_M1),
    .params = params,
    .params_size = sizeof(struct gcd_step),
    .vectors = ROWS,
    .functionals = functionals,
    .tune = tune,
    .target = target,
    .draw = draw,
};

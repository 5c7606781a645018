/* SPDX-License-Identifier: GPL-3.0-or-later */
/* localised_smoothing.c - localisation with noisy accelerated SGD on convolved losses as solver (Kulkarni, Lee,
 * Liu, Private Non-smooth ERM and SCO in Subquadratic Steps, NeurIPS 2021)
 *
 *     phases as in parts/local_blocks.h, budget=halved, decay=5, with c = x_{i-1}, the answer of phase i - 1;
 *     D_i = min{ R, L/lambda_i },   a_i = c_a L D_i (1/sqrt(n_i) + sqrt(p ln(1/delta_i))/(n_i eps_i)),
 *     rho_i = a_i/(L sqrt(p)),   T_i = ceil(p^(1/4) L D_i/a_i),   B_i = ceil(n_i sqrt(eps_i/(4 T_i))),
 *     x_i <- T_i rounds of AC-SA (parts/ac_sa.h) on E_z F_i(x + rho_i z), which is (L/rho_i + lambda_i)-smooth;
 *         every sample of a round is asked at x + rho_i z with another normal z
 *
 * |argmin F_i - c| <= L/lambda_i. rho_i is the width of the smoothing. In the value of F_i, smoothing costs L rho_i
 * sqrt(p) = a_i, and the distance of the start 2 (L/rho_i) D_i^2/T_i^2 = 2 a_i. The loss f(.,d) of a record d is
 * convex and L-Lipschitz on the whole space, and need not be smooth. The excess is of order L R (1/sqrt(n) + sqrt(p
 * ln(1/delta))/(n eps)) after n sqrt(eps T)/2 gradients, T the number of rounds, which is min{ n^(5/4) p^(1/8)
 * sqrt(eps), n^(3/2) eps/p^(1/8) }. */
#include "ac_sa.h"
#include "local_blocks.h"

struct smoothing {
    struct local_blocks of;
    double c_a;
};

static const struct param params[] = {
    LOCAL_BLOCKS_PARAMS("halved", 5, 1),
    PARAM(smoothing, c_a, 1, 1e-6, 1e6, "1", "multiplies the target a_i"),
    PARAM_END
};

struct plan {
    struct block_plan at;
    double rho, M;                   /* width of the smoothing; smoothness of the smoothed F_i */
};

/* Returns the plan of phase i in p dimensions, for a set of diameter R. */
static struct plan plan_of(const struct smoothing *s, double p, double R, int i)
{
    struct plan a = { .at = local_blocks_phase(&s->of, i) };
    double n = a.at.n, L = s->of.L;
    if (n < 1)
        return a;
    double target = s->c_a * (1 / sqrt(n) + local_blocks_root(&a.at, p) / n);
    a.rho = target * fmin(R, L / a.at.lambda) / sqrt(p);
    a.M = L / a.rho + a.at.lambda;
    a.at.T = fmax(1, ceil(sqrt(sqrt(p)) / target));
    a.at.B = fmin(n, ceil(n * sqrt(fmin(a.at.eps, 4 * a.at.T) / (4 * a.at.T))));
    return a;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct smoothing *s = vp;
    return local_blocks_tune(f, goal, &s->of, "localised-smoothing", why);
}

/* Returns the expected number of gradients of a run. */
static double expects(const struct facts *f, const void *vp)
{
    double sum = 0;
    struct plan a = plan_of(vp, f->d, INFINITY, 1);
    for (int i = 2; a.at.n >= 1; a = plan_of(vp, f->d, INFINITY, i++))
        sum += a.at.T * a.at.B;
    return sum;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct smoothing *s = vp;
    long d = oracle_dim(o);
    double *centre = arena_vec(w, d);
    struct noisy_mean source = { .o = o, .site = "localised-smoothing.gradient", .centre = centre,
                                 .draws = *rng };
    struct ac_sa v = { .o = o, .grad = noisy_mean, .ctx = &source, .mark = true };

    ac_sa_reserve(&v, w);
    arena_seal(w);
    vec_copy(d, x, v.ag);
    for (int i = 1;; i++) {
        struct plan a = plan_of(s, (double)d, 2 * oracle_radius(o), i);
        if (a.at.n < 1)
            break;
        if (oracle_counting(o)) {
            if (!local_blocks_count(o, &a.at, 3))
                break;
            continue;
        }
        local_blocks_noise(&s->of, &a.at);
        if (!local_blocks_open(o, &s->of, &a.at, &source))
            break;
        vec_copy(d, v.ag, centre);
        source.blur = a.rho;
        v.lambda = a.at.lambda;
        if (!ac_sa_stage(&v, (long)a.at.T, a.M))
            break;
    }
    vec_copy(d, v.ag, x);
    return OK;
}

const struct algo algo_localised_smoothing = {
    .name = "localised-smoothing",
    .doc = "localisation with noisy accelerated SGD on losses convolved with a Gaussian",
    .cite = "Kulkarni, Lee, Liu, Private Non-smooth ERM and SCO in Subquadratic Steps, NeurIPS 2021",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct smoothing),
    .tune = tune,
    .expects = expects,
    .run = run,
    .nominal_counts = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_erm.c - one call of Algorithm 3, 5, 6 or 7 of Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023
 * (parts/resque_erm.h, parts/resque_oracles.h) around the origin, on n samples; the ball is the feasible set of the
 * problem. A(beta, T) is the answer of Algorithm 5:
 *
 *     convex    Algorithm 3; the target is a minimiser of F
 *     strongly  Algorithm 5; here and below the target minimises F + (lam/2)|x|^2
 *     prox      one draw of Algorithm 6; a stratum for each J <= jmax, and one for all larger J
 *     search    Algorithm 7, ceil(20 log(1/zeta)) answers
 *     top       A(2^(-jmax/2) beta, 2^jmax T), the level whose mean is that of Algorithm 6
 *     quiet     A(beta, 2^jmax T), which has less noise than `top`, and the printed bias
 *
 * F is convolved with a Gaussian of deviation rho, which changes nothing for linear losses. */
#include "about_target.h"
#include "resque_oracles.h"

struct own {
    const char *step;
    long data;
    double gradients, beta, lam, L, r, c_rho, C_cvx, C_priv, zeta, c_far;
};

static const struct param params[] = {
    PARAM_WORD(own, step, "convex", "convex|strongly|prox|search|top|quiet", "which of them"),
    PARAM(own, data, 0x1p40, 1, 0x1p52, "samples", "n, of the data set"),
    PARAM(own, gradients, 1024, 4, 0x1p40, "gradients", "T, of a call of Algorithm 3 or 5"),
    PARAM(own, beta, INFINITY, 1e-300, INFINITY, "1", "noise of a phase is L eta_i/beta"),
    PARAM(own, lam, 1, 1e-300, 1e300, "f/x^2", "lambda"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),
    PARAM(own, r, NAN, 1e-300, 1e300, "x", "radius of the ball; default the feasible set's"),
    PARAM(own, c_rho, 10, 1, 1e12, "1", "rho/r"),
    PARAM(own, C_cvx, 1, 1e-6, 1e6, "1", "radii of Algorithm 5; theory 16"),
    PARAM(own, C_priv, 4, 1, 1e300, "1", "jmax = floor(log2(floor(n/C_priv)/T))"),
    PARAM(own, zeta, 0.1, 1e-12, 0.99, "1", "failure probability of Algorithm 7"),
    PARAM(own, c_far, 1, 1e-6, 1e6, "1", "far is beyond c_far (L/lam) (sqrt(d)/(beta T) + 1/sqrt(T))"),
    PARAM_END
};

static bool is(const struct own *p, const char *step) { return strcmp(p->step, step) == 0; }

/* Returns T, rounded to a whole number: a grid of powers of two may be computed as 1023.9999 for 1024. */
static double whole(const struct own *p) { return rint(p->gradients); }

static int levels(const struct own *p) { return resque_levels((double)p->data, p->C_priv, whole(p)); }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose(&p->r, f->radius);
    if (!(p->L > 0 && p->L < INFINITY && p->r > 0 && p->r < INFINITY))
        return why_set(why, REFUSED, "resque-erm needs L and the radius of the set: L = %g, r = %g",
                       p->L, p->r);
    bool deep = is(p, "prox") || is(p, "top") || is(p, "quiet");
    if (deep && !(levels(p) >= 1 && levels(p) < 40))
        return why_set(why, REFUSED, "resque-erm: n = %ld samples and T = %g leave %d levels: expected "
                       "1 to 39 of log2(n/(C_priv T))", p->data, whole(p), levels(p));
    return OK;
}

static long answers(const struct own *p) { return (long)ceil(20 * log(1 / p->zeta)); }

/* Returns the number of gradients that one draw from each stratum costs in total. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double sum = 0;
    if (is(p, "convex"))
        return ldexp(1, resque_erm_phases(whole(p))) - 1;
    if (is(p, "strongly") || is(p, "search"))
        return (is(p, "search") ? (double)answers(p) : 1) * resque_sc_gradients(whole(p));
    if (!is(p, "prox"))
        return resque_sc_gradients(ldexp(whole(p), levels(p)));
    for (int j = 0; j <= levels(p); j++)
        sum += resque_sc_gradients(whole(p)) + (j ? resque_sc_gradients(ldexp(whole(p), j)) +
                                                    resque_sc_gradients(ldexp(whole(p), j - 1)) : 0);
    return sum;
}

static int strata(const void *vp, double *weight)
{
    const struct own *p = vp;
    int jmax = is(p, "prox") ? levels(p) : 0;
    for (int j = 1; j <= jmax; j++)
        weight[j - 1] = ldexp(1, -j);
    weight[jmax] = ldexp(1, -jmax);
    return jmax + 1;
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    const struct own *p = vp;
    if (is(p, "convex"))
        return problem->minimiser && problem->minimiser(self, out);
    return target_prox(problem, self, p->lam, w, d, out);
}

static bool call(const struct own *p, struct resque_oracles *b, int stratum, double *v)
{
    struct oracle *o = b->erm->o;
    double top = ldexp(whole(p), b->jmax), quieter = exp2(-0.5 * b->jmax);
    bool done = true;
    if (is(p, "prox"))
        return resque_prox(b, whole(p), stratum + 1, v);
    if (is(p, "search"))
        return resque_search(b, whole(p), v);
    vec_zero(oracle_dim(o), v);
    if (is(p, "convex"))
        done = resque_erm_convex(b->erm, p->beta, whole(p), p->r, v);
    else if (is(p, "strongly"))
        done = resque_erm_strongly(b->erm, p->beta, whole(p), v);
    else
        done = resque_erm_strongly(b->erm, is(p, "top") ? p->beta * quieter : p->beta, top, v);
    return done;
}

/* The rows of v[VECTORS][d]: the answer; and a row whose first entry is far_square, the squared error above which
 * an answer counts as far from the target. */
enum { ANSWER, FAR, VECTORS };

static double far_square(const struct own *p, double d)
{
    double unit = sqrt(d) / (p->beta * whole(p)) + 1 / sqrt(whole(p)), far = p->c_far * p->L / p->lam * unit;
    return far * far;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    struct resque_erm erm = { .o = o, .site = "resque-erm.mean", .L = p->L, .r = p->r,
                              .rho = p->c_rho * p->r, .C_cvx = p->C_cvx,
                              .lam = is(p, "convex") ? 0 : p->lam,
                              .base = rng_sub(rng, rng_u64(rng)), .xbar = arena_vec(w, oracle_dim(o)) };
    struct resque_oracles b = { .erm = &erm, .rng = rng, .beta = p->beta, .jmax = levels(p),
                                .loops = 1, .M = is(p, "search") ? answers(p) : 1 };
    resque_erm_reserve(&erm, w);
    resque_oracles_reserve(&b, w);
    arena_seal(w);
    vec_zero(oracle_dim(o), (double *)erm.xbar);
    vec_zero(VECTORS * oracle_dim(o), v);
    v[FAR * oracle_dim(o)] = far_square(p, (double)oracle_dim(o));
    if (oracle_take(o, p->data, &erm.data)) {
        erm.data.aggregated = false;
        call(p, &b, stratum, v);
    }
    return OK;
}

static double short_of(const struct functional_env *env, const double *v)
{
    return 1 - target_share(env, v);
}

static double norm(const struct functional_env *env, const double *v)
{
    return vec_norm(env->d, v);
}

static double is_far(const struct functional_env *env, const double *v)
{
    double distance = env->target ? vec_dist(env->d, v, env->target) : NAN;
    return distance * distance > v[FAR * env->d];
}

static const struct functional functionals[] = {
    TARGET_FUNCTIONALS,
    { "short", "1", "1 - <v, t>/|t|^2, of linear losses the error over that of the origin", short_of },
    { "norm", "x", "|v|", norm },
    { "far", "1", "1: farther from the target than c_far (L/lam) (sqrt(d)/(beta T) + 1/sqrt(T))", is_far },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "noise", "is added to every phase, for privacy", MECHANISM_COSTS, { { "algo.beta", INFINITY } } },
    { "levels", "make the mean of a loop that of its highest level; without them a loop is its lowest level",
      MECHANISM_HELPS, { { "algo.step", .text = "strongly" } } },
    { "answers", "of a line search, of which one in the middle is taken; without them there is one answer",
      MECHANISM_HELPS, { { "algo.step", .text = "strongly" } } },
    { 0 } };

const struct estimator estimator_resque_erm = {
    .name = "resque-erm",
    .doc = "one private call on subsampled, reweighted gradients: Algorithms 3, 5, 6 and 7",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Algorithms 3 to 7",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_LIPSCHITZ | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(L) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = VECTORS,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .strata = strata,
    .target = target,
    .draw = draw,
    .mechanisms = mechanisms,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_drift.c - how far one record moves the answer of a phase of Algorithm 3 (parts/resque_erm.h; Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Lemma 5). Two coupled phases of T steps of eta start at the
 * centre with the same samples and the same z. In the second one a record, which is drawn b times at evenly spread
 * steps, has the gradient -g in place of g, the largest change that keeps its norm. v = ybar - ybar' is the
 * difference of the means that would be released; the difference of the last iterates is measured as well:
 *
 *     |v|^2 <= 1500 (b eta L)^2, with high probability for rho/r >= 1728 log^2(log T/delta) (Lemma 5)
 *     |v| <= b c eta L, proven if no z is longer than sqrt(d) + 8.3; c is that of parts/resque_erm.h
 *
 * delta is the probability that the bound of Lemma 5 fails. By default eta is the step length of the first phase of
 * Algorithm 3 with 2 T gradients, as this phase has T steps. */
#include "estimator.h"
#include "resque_erm.h"

struct own {
    long T, b;
    double beta, eta, L, r, c_rho;
};

static const struct param params[] = {
    PARAM(own, T, 512, 1, 1e9, "steps", "of the phase"),
    PARAM(own, b, 1, 1, 1e9, "samples", "that differ"),
    PARAM(own, beta, INFINITY, 1e-300, INFINITY, "1", "of Algorithm 3's eta"),
    PARAM(own, eta, NAN, 1e-300, 1e300, "x^2/f", "default (r/4L) min(1/sqrt(2T), beta/sqrt(d))"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),
    PARAM(own, r, NAN, 1e-300, 1e300, "x", "radius of the ball; default the feasible set's"),
    PARAM(own, c_rho, 10, 1e-6, 1e12, "1", "rho/r"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose(&p->r, f->radius);
    param_choose(&p->eta, resque_erm_eta(p->L, f->d, p->r, p->beta, 2 * (double)p->T) / 4);
    if (p->b > p->T)
        return why_set(why, REFUSED, "resque-drift: b = %ld samples that differ: expected at most T = "
                       "%ld", p->b, p->T);
    if (!(p->eta > 0 && p->eta < INFINITY))
        return why_set(why, REFUSED, "resque-drift needs L and the radius of the set: L = %g, r = %g",
                       p->L, p->r);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    return 2 * (double)((const struct own *)vp)->T;
}

/* Returns whether sample j of T is the record that differs. It is drawn b times, at evenly spread steps, the first
 * time at j = 0. */
static bool turned(const struct own *p, long j)
{
    return j == 0 || j * p->b / p->T > (j - 1) * p->b / p->T;
}

/* The rows of the matrix v of an estimate, each of d entries. Row MEAN is the difference between the means of the
 * two phases. Row LAST is the difference between their last iterates. The other rows hold one number in their first
 * entry: UNIT b eta L, BOUND the constant c of the proven bound, COPIES b. */
enum { MEAN, LAST, UNIT, BOUND, COPIES, VECTORS };

static bool pair(const struct own *p, struct resque_erm *e, const struct ticket *samples,
                 double *mean)
{
    long d = oracle_dim(e[0].o);
    vec_zero(d, mean);
    vec_zero(d, e[0].y);
    vec_zero(d, e[1].y);
    for (long j = 0; j < p->T; j++) {
        double *z = e[0].z;
        rng_normals_rows(&e[0].base, (uint64_t)j, 1, d, 1, z);
        for (int k = 0; k < 2; k++)
            if (!resque_erm_step(&e[k], samples, j, k && turned(p, j) ? -p->eta : p->eta, z))
                return false;
        vec_axpy(d, 1 / (double)p->T, e[0].y, mean);
        vec_axpy(d, -1 / (double)p->T, e[1].y, mean);
    }
    return true;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *xbar = arena_vec(w, d);
    struct resque_erm e[2];
    struct ticket data, samples;

    for (int k = 0; k < 2; k++) {
        e[k] = (struct resque_erm){ .o = o, .L = p->L, .r = p->r, .rho = p->c_rho * p->r,
                                    .xbar = xbar };
        resque_erm_reserve(&e[k], w);
    }
    arena_seal(w);
    e[0].base = e[1].base = rng_sub(rng, rng_u64(rng));
    vec_zero(d, xbar);
    vec_zero(VECTORS * d, v);
    if (!oracle_take(o, p->T, &data))
        return OK;
    data.aggregated = false;
    if (!oracle_draw_from(o, &data, p->T, &samples))
        return OK;
    if (!pair(p, e, &samples, v + MEAN * d))
        return OK;
    vec_sub(d, e[0].y, e[1].y, v + LAST * d);
    v[UNIT * d] = (double)p->b * p->eta * p->L;
    v[COPIES * d] = (double)p->b;
    v[BOUND * d] = resque_drift_c(DRIFT_PROVEN, 0, p->L, (double)d, p->r, e[0].rho, p->eta,
                                  (double)p->T);
    return OK;
}

static double drift(const struct functional_env *env, const double *v)
{
    double ratio = vec_norm(env->d, v + MEAN * env->d) / v[UNIT * env->d];
    return ratio * ratio;
}

static double last(const struct functional_env *env, const double *v)
{
    double ratio = vec_norm(env->d, v + LAST * env->d) / v[UNIT * env->d];
    return ratio * ratio;
}

static double share(const struct functional_env *env, const double *v)
{
    return sqrt(fmax(drift(env, v), last(env, v))) / v[BOUND * env->d];
}

/* Returns the squared distance by which all b draws of the record together moved the mean, in units of (eta
 * L)^2. */
static double moved(const struct functional_env *env, const double *v)
{
    double b = v[COPIES * env->d];
    return drift(env, v) * b * b;
}

static double beyond(const struct functional_env *env, const double *v)
{
    return drift(env, v) > 1500;
}

static const struct functional functionals[] = {
    { "drift", "1", "|ybar - ybar'|^2/(b eta L)^2", drift },
    { "moved", "1", "|ybar - ybar'|^2/(eta L)^2", moved },
    { "last", "1", "|y_T - y'_T|^2/(b eta L)^2", last },
    { "share", "1", "the larger root, over c", share },
    { "beyond", "1", "1: drift above 1500", beyond },
    { 0 }
};

const struct estimator estimator_resque_drift = {
    .name = "resque-drift",
    .doc = "how far one record moves a phase of private steps on reweighted gradients",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Lemma 5",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_LIPSCHITZ | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(L) | FACT_BIT(d) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = VECTORS,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .draw = draw,
};

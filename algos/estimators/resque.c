/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque.c - the ReSQue estimate of grad F_rho(x) (parts/resque.h; Carmon, Jambulapati, Jin, Lee, Liu,
 * Sidford, Tian 2023, Definition 2, Lemmas 1 and 2): the mean over N queries around xbar,
 *
 *     xbar = away e_0,  x = xbar + rho u e,  x' = x + rho pair e_1;   unit vectors, |e_0| = |e| = |e_1| = 1
 *     e_0 = (1, 1, ...)/sqrt d,  e = (1, -1, 1, -1, ...)/sqrt d,  e_1 = (1, 1, -1, -1, ...)/sqrt d
 *
 * and the weights of the first query: w at x and w' at x'. E w g = grad F_rho(x), E w^p = exp((p^2 - p)
 * u^2/2), E w w' = exp(<v, v'>), E(w - w')^2 = e^|v|^2 - 2 e^<v,v'> + e^|v'|^2, where v and v' are the offsets
 * of x and x' from xbar over rho. */
#include <string.h>
#include "about_target.h"
#include "resque.h"

struct own {
    const char *weights;
    double rho, away, u, pair, power;
    long N;
};

static const struct param params[] = {
    PARAM_WORD(own, weights, "exact", "exact|clamped|none", "of queries; clamped: at most 1"),
    PARAM(own, rho, 1, 1e-100, 1e100, "x", "smoothing radius"),
    PARAM(own, away, 0, 0, 1e100, "x", "|xbar|"),
    PARAM(own, u, 0.5, 0, 100, "1", "|x - xbar|/rho"),
    PARAM(own, pair, 0.1, 0, 100, "1", "|x' - x|/rho"),
    PARAM(own, power, 2, 1, 64, "1", "p, of the weights"),
    PARAM(own, N, 1, 1, 0x1p40, "queries", "averaged"),
    PARAM_END
};

/* v[d] <- `scale` times a unit vector with entries of equal size, whose signs change every `run` entries (0:
 * never). */
static void towards(long d, long run, double scale, double *v)
{
    for (long j = 0; j < d; j++)
        v[j] = (run && j / run % 2 ? -1 : 1) * scale / sqrt((double)d);
}

/* xbar[d], v[d], pair[d] <- xbar, x - xbar and x' - xbar. */
static void place(const struct own *p, long d, double *xbar, double *v, double *pair)
{
    towards(d, 0, p->away, xbar);
    towards(d, 1, p->u * p->rho, v);
    towards(d, 2, p->pair * p->rho, pair);
    vec_axpy(d, 1, v, pair);
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    const struct own *p = vp;
    double *x = arena_vec(w, d), *v = arena_vec(w, d), *pair = arena_vec(w, d);
    if (!problem->measuring || !problem->measuring->smoothed)
        return false;
    place(p, d, x, v, pair);
    vec_axpy(d, 1, v, x);
    problem->measuring->smoothed(self, p->rho, x, out);
    return true;
}

/* The rows of v[VECTORS][d]: the estimate, then numbers, each of which is the first entry of its row. */
enum { ESTIMATE, WEIGHT, POWER, LOGARITHM, DIFFERENCE, PRODUCT, ESS, VECTORS };

static void scalars(const struct own *p, struct resque *s, const double *pair, double *z, double *v)
{
    long d = oracle_dim(s->o);
    double w;
    v[ESS * d] = resque_ess(s);
    resque_rows(s, 0, 1, z);
    s->even = 1;
    resque_scores(s, 1, z, &w);
    resque_weigh(s, 1, &w);
    double difference = resque_difference(d, pair, s->u, z, w);
    v[WEIGHT * d] = w;
    v[POWER * d] = pow(w, p->power);
    v[LOGARITHM * d] = log(w);
    v[DIFFERENCE * d] = pow(fabs(difference), p->power);
    v[PRODUCT * d] = w * (w + difference);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct resque s = { .o = o, .rho = p->rho, .base = rng_sub(rng, rng_u64(rng)),
                        .kind = strcmp(p->weights, "none") == 0      ? RESQUE_NONE
                                : strcmp(p->weights, "clamped") == 0 ? RESQUE_CLAMPED
                                                                     : RESQUE_EXACT };
    double *xbar = arena_vec(w, d), *x = arena_vec(w, d), *pair = arena_vec(w, d),
           *z = arena_vec(w, d);

    resque_reserve(&s, w);
    arena_seal(w);
    vec_zero(VECTORS * d, v);
    place(p, d, xbar, x, pair);
    vec_scale(d, 1 / p->rho, pair);
    vec_axpy(d, 1, xbar, x);
    if (!resque_ask(&s, xbar, p->N))
        return OK;
    resque_grad(&s, x, 0, p->N, v);
    if (!oracle_counting(o))
        scalars(p, &s, pair, z, v);
    return OK;
}

static double norm2(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, v, v);
}

#define NUMBER(name, place)                                               \
    static double name(const struct functional_env *env, const double *v) \
    {                                                                     \
        return v[place * env->d];                                         \
    }
NUMBER(weight, WEIGHT)
NUMBER(power, POWER)
NUMBER(log_weight, LOGARITHM)
NUMBER(difference, DIFFERENCE)
NUMBER(product, PRODUCT)
NUMBER(ess, ESS)

static double log_square(const struct functional_env *env, const double *v)
{
    return log_weight(env, v) * log_weight(env, v);
}

static const struct functional functionals[] = {
    TARGET_FUNCTIONALS,
    { "norm2", "f^2/x^2", "squared norm of the estimate", norm2 },
    { "weight", "1", "w", weight },
    { "power", "1", "w^p", power },
    { "log", "1", "log w", log_weight },
    { "log2", "1", "(log w)^2", log_square },
    { "difference", "1", "|w - w'|^p", difference },
    { "product", "1", "w w'", product },
    { "ess", "1", "effective over actual number of queries", ess },
    { 0 }
};

const struct estimator estimator_resque = {
    .name = "resque",
    .doc = "gradient of the smoothed objective from queries about a centre, reweighted",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Definition 2",
    .calls = CALL_SAMPLES,
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = VECTORS,
    .functionals = functionals,
    .target = target,
    .draw = draw,
};

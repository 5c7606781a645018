/* SPDX-License-Identifier: GPL-3.0-or-later */
/* softmax_gradient.c - a gradient of the softmax of the pieces by rejection (parts/softmax.h; Asi, Carmon,
 * Jambulapati, Jin, Sidford 2021, Algorithm 9) at x = -share (eps'/L) (1, ..., 1)/sqrt d, the centre being the
 * origin. All pieces fall towards this x, which makes the number of trials largest. */
#include "about_target.h"
#include "softmax.h"

struct own {
    double temperature, share, L;
    long N;
};

static const struct param params[] = {
    PARAM(own, temperature, 0.1, 1e-100, 1e100, "f", "eps'"),
    PARAM(own, share, 1, 0, 1, "eps'/L", "distance from the centre"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x", "Lipschitz constant of every piece; default the fact"),
    PARAM(own, N, 0, 0, 0x1p40, "pieces", "of the maximum; 0: the fact"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose_count(&p->N, (long)f->N);
    return OK;
}

static void place(const struct own *p, long d, double *x)
{
    vec_fill(d, -p->share * p->temperature / (p->L * sqrt((double)d)), x);
}

/* out[d] <- the target sum_i p_i grad f_i(x), p_i proportional to exp(f_i(x)/eps'). */
static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    const struct own *p = vp;
    double *x = arena_vec(w, d), *weight = arena_vec(w, p->N);
    place(p, d, x);
    problem->pieces->values(self, x, weight);
    softmax_weights(p->N, p->temperature, weight, weight);
    vec_zero(d, out);
    for (long i = 0; i < p->N; i++)
        problem->pieces->grad(self, i, x, weight[i], out);
    return true;
}

/* v[0..d) <- the gradient; v[d] <- the number of trials. */
static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct softmax s = { .o = o, .words.base = rng_sub(rng, 0), .temperature = p->temperature };
    double *x = arena_vec(w, d), *c = arena_vec(w, d);

    softmax_reserve(&s, w);
    arena_seal(w);
    vec_zero(d, c);
    vec_zero(2 * d, v);
    place(p, d, x);
    if (softmax_centre(&s, c) && softmax_grad(&s, x, v))
        v[d] = s.trials;
    return OK;
}

static double trials(const struct functional_env *env, const double *v) { return v[env->d]; }

static const struct functional functionals[] = {
    TARGET_FUNCTIONALS, { "trials", "values", "pieces asked until one was accepted", trials }, { 0 }
};

const struct estimator estimator_softmax_gradient = {
    .name = "softmax-gradient",
    .doc = "a gradient of the softmax of a maximum's pieces, by rejection",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 9 and Lemma 8",
    .calls = CALL_PIECES,
    .reads = FACT_BIT(L) | FACT_BIT(N),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 2,
    .functionals = functionals,
    .tune = tune,
    .target = target,
    .draw = draw,
};

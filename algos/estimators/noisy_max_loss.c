/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_max_loss.c - the privacy loss of the noisy maximum of DP-GCD, computed by integration, without draws. With
 * all M_j = 1 the noisy scores of the m + 1 candidates are
 *
 *     score_1 = |t + soft(chi_1, flat)|,  score_k = |G + chi_k|, k = 2 ... m + 1,  chi ~ Lap(b_k)
 *
 * t and G are gradients, and soft(v, flat) shrinks v by `flat` towards 0. Replacing one record moves t by `own` and
 * each G by 1 in the opposite direction, so that the sensitivities are S_1 = own and S_k = 1. For privacy eps' the
 * paper prints b_k = S_k/eps', while b_k = 2 max S/eps' is proven (Mangold, Bellet, Salmon & Tommasi 2023, section
 * 4.1). The parameter K sets t: with the printed noise, K of the m other scores are expected above t. `flat` is
 * half the width of an interval of gradients in which rule GS-r gives coordinate 1 the same score, because the
 * proximal step ends at the kink of r |w|, r = flat. The proven noise is added to scores, so that the interval does
 * not matter for it. */
#include <math.h>
#include <string.h>

#include "estimator.h"

struct setup {
    const char *noise;
    double eps, t, G, m, K, own, flat;
};

static const struct param params[] = {
    PARAM_WORD(setup, noise, "printed", "printed|proven", "scales"),
    PARAM(setup, eps, 1, 1e-6, 100, "1", "eps' that the choice is meant to cost"),
    PARAM(setup, t, 16, 0, 1e9, "S", "first gradient ..."),
    PARAM(setup, K, NAN, 1e-9, 1e9, "candidates", "... or so many of the others above it"),
    PARAM(setup, G, 77, 0, 1e9, "S", "gradient of the others"),
    PARAM(setup, m, 1, 1, 1e15, "candidates", "others"),
    PARAM(setup, own, 1, 1e-9, 1, "S", "sensitivity of the first"),
    PARAM(setup, flat, 0, 0, 1e9, "S", "half the width of its flat"),
    PARAM_END
};

/* Returns log P(|g + Lap(b)| <= u)^m. */
static double log_all_below(double g, double b, double u, double m)
{
    g = fabs(g);
    if (u <= 0)
        return -INFINITY;
    if (u < g)
        return m * ((u - g) / b + log1p(-exp(-2 * u / b)) - M_LN2);
    return m * log1p(-(exp((g - u) / b) + exp((-g - u) / b)) / 2);
}

static double soft(double v, double k) { return copysign(fmax(fabs(v) - k, 0), v); }

/* Returns log P(coordinate 1 is chosen) when its gradient is moved by a and the others by c, by the midpoint
 * rule in chi_1 with steps of b_1/200 over 140 b_1 on each side. */
static double log_chosen(const struct setup *s, double t, double a, double c)
{
    enum { STEPS = 200, REACH = 140 };
    bool proven = strcmp(s->noise, "proven") == 0;
    double b = (proven ? 2 : 1) / s->eps, b1 = proven ? b : s->own / s->eps;
    double flat = proven ? 0 : s->flat, sum = 0;
    for (long k = -(long)STEPS * REACH; k < (long)STEPS * REACH; k++) {
        double z = ((double)k + 0.5) / STEPS, v = flat > 0 ? soft(a + b1 * z, flat) : a + b1 * z;
        sum += exp(log_all_below(s->G + c, b, fabs(t + v), s->m) - fabs(z)) / 2 / STEPS;
    }
    return log(sum);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct setup *s = vp;
    long d = oracle_dim(o);
    double t = isnan(s->K) ? s->t : s->G + log(s->m / (2 * s->K)) / s->eps;
    arena_seal(w);
    vec_zero(2 * d, v);
    double here = log_chosen(s, t, 0, 0);
    /* With the proven noise, which is added to scores, every score moves by the full sensitivity, also within the
     * interval `flat`. */
    double up = log_chosen(s, t, s->own, -1), down = log_chosen(s, t, -s->own, 1);
    v[0] = fmax(fabs(up - here), fabs(here - down)) / s->eps;
    v[d] = exp(here);
    return OK;
}

static double loss(const struct functional_env *env, const double *v) { return v[0]; }
static double chance(const struct functional_env *env, const double *v) { return v[env->d]; }

static const struct functional functionals[] = {
    { "loss", "eps'", "|log P(1)/P'(1)| over eps', the larger of both directions", loss },
    { "chance", "1", "P(1)", chance },
    { 0 }
};

const struct estimator estimator_noisy_max_loss = {
    .name = "noisy-max-loss",
    .doc = "privacy loss of DP-GCD's noisy maximum, by integration",
    .cite = "Mangold, Bellet, Salmon, Tommasi, AISTATS 2023, section 4.1, appendix C",
    .params = params,
    .params_size = sizeof(struct setup),
    .vectors = 2,
    .functionals = functionals,
    .draw = draw,
};

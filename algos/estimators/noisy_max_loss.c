/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_max_loss.c - the privacy loss of the noisy maximum of DP-GCD, computed by integration, without draws. All
 * M_j = 1: for other M_j, gradients, sensitivities and noise here stand for those of the run divided by sqrt(M_j), and
 * coordinates for those times sqrt(M_j). The candidates are ranked by the score of rule GS-r,
 *
 *     score(x_j, v_j) = |prox_psi(x_j - v_j) - x_j|,   which is |v_j| if psi = 0,
 *
 * where v_j is entry j of the gradient, and psi the simple part of the problem in one coordinate, 0 or r |x|. The
 * noise chi_j ~ Lap(b_j) is added to gradients, score(x_j, v_j + chi_j), or to scores, score(x_j, v_j) + chi_j.
 * Replacing one record moves v_1 by `own` and each of the m other gradients by 1 in the opposite direction: the
 * sensitivities of the gradients are S_1 = own and S_k = 1. For privacy eps' the paper prints b_k = S_k/eps' on
 * gradients (Mangold, Bellet, Salmon & Tommasi 2023, section 4.1, appendix C). The scale for which eps' is proven is
 * b_k = 2 max S/eps', on scores, and for psi = 0 also on gradients. Each of the scales max S/eps' (half) and
 * 2 S_k/eps' (own) has one of the two faults of the printed one.
 *
 * The score of coordinate 1 is t, and that of each other is G, with x_k = 0. With the noise of the run, K of the
 * others are expected to have a noisy score above t; the parameter K sets t. For psi = r |x| and x_1 > 0 the score
 * of coordinate 1 is x_1 for all gradients within r of x_1, since the proximal step ends at the kink of psi. This
 * interval is the flat. `place` says where v_1 is: in the middle of the flat, at one of its edges, or off it by 100
 * b_1. For psi = 0 there is no flat and v_1 = t. The loss is the largest over the places that are asked for. Where S_1
 * is not 1, four cases are computed, and the largest loss counts: the chosen coordinate has the sensitivity and the
 * noise of coordinate 1 or those of coordinate k, and all m others have the one or the other. */
#include <math.h>
#include <string.h>

#include "estimator.h"
#include "greedy.h"

struct setup {
    const char *noise, *on, *place;
    double eps, t, G, m, K, own;
};

static const struct param params[] = {
    PARAM_WORD(setup, noise, "printed", "printed|proven|half|own", "scales b_k"),
    PARAM_WORD(setup, on, "gradients", "gradients|scores", "what the noise is added to"),
    PARAM_WORD(setup, place, "any", "any|flat|edge|off", "of the first gradient, for psi = r |x|"),
    PARAM(setup, eps, 1, 1e-6, 100, "1", "eps' that the choice is meant to cost"),
    PARAM(setup, t, 16, 0, 1e9, "S", "first score ..."),
    PARAM(setup, K, NAN, 1e-9, 1e9, "candidates", "... or so many of the others above it"),
    PARAM(setup, G, 77, 0, 1e9, "S", "score of the others"),
    PARAM(setup, m, 1, 1, 1e15, "candidates", "others"),
    PARAM(setup, own, 1, 1e-9, 1e9, "S", "sensitivity of the first"),
    PARAM_END
};

/* A noisy choice: the rule at the chosen coordinate and at another one, and the noise. */
struct choice {
    struct greedy first, other;
    bool on_scores;
    double r, b, b1, m;              /* b, b1: scales of the noise of the others and of the chosen coordinate */
};

/* Returns log P(|g + Lap(b)| <= u)^m. */
static double log_gradients_below(double g, double b, double u, double m)
{
    g = fabs(g);
    if (u <= 0)
        return -INFINITY;
    if (u < g)
        return m * ((u - g) / b + log1p(-exp(-2 * u / b)) - M_LN2);
    return m * log1p(-(exp((g - u) / b) + exp((-g - u) / b)) / 2);
}

/* Returns log P(score + Lap(b) <= u)^m. */
static double log_scores_below(double score, double b, double u, double m)
{
    return u < score ? m * ((u - score) / b - M_LN2) : m * log1p(-exp((score - u) / b) / 2);
}

/* Returns the log probability that no noisy score of the others, whose gradients are g, is above u. At x_k = 0 a
 * score is at most u >= 0 if and only if the gradient is between -(u + r) and u + r. */
static double log_all_below(const struct choice *c, double g, double u)
{
    return c->on_scores ? log_scores_below(greedy_r(&c->other, 0, g), c->b, u, c->m)
                        : log_gradients_below(g, c->b, u + c->r, c->m);
}

/* Returns log P(the coordinate is chosen) for its gradient v + a, and g of each other, by the midpoint rule in its
 * noise chi with steps of b_1/200 over 140 b_1 on each side. */
static double log_chosen(const struct choice *c, double v, double a, double g)
{
    enum { STEPS = 200, REACH = 140 };
    double score = greedy_r(&c->first, 0, v + a), sum = 0;
    for (long k = -(long)STEPS * REACH; k < (long)STEPS * REACH; k++) {
        double z = ((double)k + 0.5) / STEPS, chi = c->b1 * z;
        double noisy = c->on_scores ? score + chi : greedy_r(&c->first, 0, v + (a + chi));
        sum += exp(log_all_below(c, g, noisy) - fabs(z)) / 2 / STEPS;
    }
    return log(sum);
}

/* v_1, as its distance from the middle of the flat: r times `half` and b_1 times `beyond`. */
static const struct { const char *place; double half, beyond; } places[] = {
    { "flat", 0, 0 },
    { "edge", -1, 0 }, { "edge", 1, 0 },
    { "off", -1, -100 }, { "off", 1, 100 },
};

/* Raises v[0], the largest loss so far, and v[d], P(the coordinate is chosen) there, by a race. The chosen coordinate
 * has the sensitivity S and the others S_k; their noise is in c. *x <- the coordinate, for each place. */
static void ask(const struct setup *s, const struct choice *c, double S, double S_k, double *x, long d, double *v)
{
    bool composite = c->first.composite;
    double t = isnan(s->K) ? s->t : s->G + c->b * log(s->m / (2 * s->K)), g = s->G + c->r;
    for (size_t k = 0; k < (composite ? sizeof places / sizeof *places : 1); k++) {
        if (composite && strcmp(s->place, "any") != 0 && strcmp(s->place, places[k].place) != 0)
            continue;
        double beyond = composite ? places[k].beyond * c->b1 : 0;
        *x = composite ? t - beyond : 0;
        double at = composite ? *x + places[k].half * c->r + beyond : t;
        double here = log_chosen(c, at, 0, g), up = log_chosen(c, at, S, g - S_k),
               down = log_chosen(c, at, -S, g + S_k);
        double loss = fmax(fabs(up - here), fabs(here - down)) / s->eps;
        if (!(loss <= v[0])) {
            v[0] = loss;
            v[d] = exp(here);
        }
        if (isnan(loss))                 /* P(the coordinate is chosen) is below the smallest double */
            break;
    }
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    static const double one = 1, zero = 0;
    const struct setup *s = vp;
    long d = oracle_dim(o);
    bool half = strcmp(s->noise, "half") == 0, common = half || strcmp(s->noise, "proven") == 0;
    bool printed = strcmp(s->noise, "printed") == 0, composite = oracle_composite(o);
    double scale = printed || half ? 1 : 2, most = fmax(1, s->own), slope[2] = { 0, 0 }, x;
    const double S[] = { s->own, 1 },
                 b[] = { scale * (common ? most : s->own) / s->eps, scale * (common ? most : 1) / s->eps };
    if (composite)
        oracle_rest_coord(o, 0, 0, slope);
    struct greedy at = { .o = o, .composite = composite, .x = &zero, .M_j = &one, .root = &one };
    struct choice c = { .first = at, .other = at, .on_scores = strcmp(s->on, "scores") == 0, .r = slope[1],
                        .m = s->m };
    c.first.x = &x;
    arena_seal(w);
    vec_zero(2 * d, v);
    v[0] = -INFINITY;
    for (int race = 0; race < (s->own == 1 ? 1 : 4) && !isnan(v[0]); race++) {
        int i = race % 2, k = race < 2;  /* the kind of the chosen coordinate, and of the others */
        c.b1 = b[i];
        c.b = b[k];
        ask(s, &c, S[i], S[k], &x, d, v);
    }
    return OK;
}

static double loss(const struct functional_env *env, const double *v) { return v[0]; }
static double chance(const struct functional_env *env, const double *v) { return v[env->d]; }

static const struct functional functionals[] = {
    { "loss", "eps'", "|log P(j)/P'(j)| over eps', the largest over directions and coordinates j", loss },
    { "chance", "1", "P(j), where the loss is largest", chance },
    { 0 }
};

const struct estimator estimator_noisy_max_loss = {
    .name = "noisy-max-loss",
    .doc = "privacy loss of DP-GCD's noisy maximum, by integration",
    .cite = "Mangold, Bellet, Salmon, Tommasi, AISTATS 2023, section 4.1, appendix C",
    .calls = CALL_SAMPLES | CALL_PROX,       /* it asks no sample: CALL_SAMPLES admits problems that have no prox */
    .params = params,
    .params_size = sizeof(struct setup),
    .vectors = 2,
    .functionals = functionals,
    .draw = draw,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coins.c - a stream of biased coins (parts/coins.h); F is the mean over the population. With biases |b_j| of order
 * 1/sqrt n, n samples barely show the signs of the b_j. Which bias is hard depends on n, d and epsilon, so that
 * claims set the bias. */
#include <gsl/gsl_randist.h>
#include "parts/coins.h"
#include "rng_gsl.h"

static const struct param params[] = { COINS_PARAMS, PARAM_END };

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct coins *p = vp;
    struct coins_instance *q = ARENA_ARRAY(a, 1, struct coins_instance);

    coins_build(p, data, a, q);
    coins_facts(p, q, a, facts);
    facts->sigma = p->L * sqrt((1 - p->bias) * (1 + p->bias));
    facts->Phi = p->L * p->radius * p->bias;
    *self = q;
    return OK;
}

/* Returns a binomial number: how many of b coins show heads, p being the probability of heads. It is drawn in parts
 * that fit the generator of GSL. */
static double heads_of_many(gsl_rng *r, double p, double b)
{
    const double part = 0x1p30;
    double plus = 0;
    for (double left = b; left >= 1; left -= part)
        plus += gsl_ran_binomial(r, p, (unsigned)fmin(left, part));
    return plus;
}

/* g[d] += sum_p a_p (the mean of the gradients of b samples at x_p), b >= 1 a whole number of any size. All
 * coordinates are drawn whatever the x_p are, so that one draw answers at every point. */
static void batch_law(const void *self, const struct rng *draw, double b, int points,
                      const double *const *x, const double *a, double *g)
{
    const struct coins_instance *q = self;
    struct rng_gsl view;
    struct rng stream = *draw;
    gsl_rng *r = rng_gsl_view(&view, &stream);

    for (long j = 0; j < q->d; j++) {
        double plus = heads_of_many(r, (1 + q->b[j]) / 2, b);
        for (int p = 0; p < points; p++)
            g[j] += a[p] * q->L_j * coins_slope(q, x[p][j], (2 * plus - b) / b);
    }
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, F the mean over the population, closed form", EXACT, coins_excess,
      NULL },
    { "distance", "x", "|x - x*|", EXACT, coins_distance, NULL },
    { 0 }
};

const struct problem problem_coins = {
    .name = "coins",
    .doc = "biased coins: mean of |x_j - s_j|, s_j = +-theta, on a ball; a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct coins),
    COINS_SLOTS,
    .batch_law = batch_law,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coins_stored.c - a data set of n biased coins (parts/coins.h); F is the mean over its n records. Each
 * record is computed again from the seed whenever it is asked for. The family is apart from coins.c, whose samples
 * are a stream: the mean of a batch of these fixed records has no closed law to draw from. */
#include "parts/coins.h"

struct coins_stored {
    struct coins c;
    long n;
};

static const struct param params[] = {
    COINS_PARAMS,
    PARAM(coins_stored, n, 200, 1, 1e9, "records", "records of the data set"),
    PARAM_END
};

struct self {
    struct coins_instance q;         /* its biases b are those of the n records */
    double *population;              /* [d] the biases b of the population */
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct coins_stored *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    const struct samples all = { .count = p->n };
    double n = (double)p->n, plus[COINS_LANES];

    coins_build(&p->c, data, a, &o->q);
    o->population = o->q.b;
    o->q.b = arena_vec(a, p->c.d);
    for (long word = 0; word * COINS_LANES < p->c.d; word++) {
        coins_tally(&o->q, &all, NULL, word, plus);
        for (int k = 0; k < coins_lanes(&o->q, word); k++)
            o->q.b[word * COINS_LANES + k] = (2 * plus[k] - n) / n;
    }
    coins_facts(&p->c, &o->q, a, facts);
    facts->n = n;
    facts->sigma = p->c.L;           /* sigma and Phi hold for any records, and so are public */
    facts->Phi = p->c.L * p->c.radius;
    facts->origin[FACT_f_star] = ORIGIN_DATA;
    *self = o;
    return OK;
}

static double excess_population(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    return coins_excess_at(&o->q, o->population, x);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, F the mean over the records, closed form", EXACT, coins_excess,
      NULL },
    { "excess_population", "f", "the same of the mean over the population", EXACT,
      excess_population, NULL },
    { "distance", "x", "to the nearest minimiser of F", EXACT, coins_distance, NULL },
    { 0 }
};

const struct problem problem_coins_stored = {
    .name = "coins_stored",
    .doc = "biased coins: mean of |x_j - s_j|, s_j = +-theta, on a ball; n records",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct coins_stored),
    COINS_SLOTS,
};

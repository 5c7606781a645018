/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coins.h - biased coins, for the families coins (a stream) and coins_stored (records). Sample i is a
 * point s of {-theta, +theta}^d, theta = R/sqrt d, with independent coordinates,
 *
 *     f(x; s) = (L/sqrt d) sum_j |x_j - s_j|,   P(s_j = theta) = (1 + b_j)/2,   |b_j| = bias,
 *
 * over |x| <= R, the ball that circumscribes the cube of the samples. The mean of f depends on the law of s
 * through E s = theta b only:
 *
 *     F(x) = (L/sqrt d) sum_j phi(x_j; b_j),   phi = theta - b_j x_j where |x_j| <= theta,
 *                                              |x_j| - sign(x_j) b_j theta beyond,
 *
 * This holds for the population; for stored data b_j is the mean of s_j/theta over the records. The
 * minimum over R^d is L R (1 - mean |b_j|), at x_j = theta sign(b_j). At x_j = +-theta the subgradient of
 * |x_j - s_j| is the derivative for |x_j| < theta. */
#ifndef ASSAY_PARTS_COINS_H
#define ASSAY_PARTS_COINS_H

#include <math.h>
#include "ball.h"
#include "lanes.h"
#include "problem.h"
#include "samples.h"

enum { COINS_LANES = LANES };        /* coordinates in a word, one bit for each */

struct coins {
    long d;
    double L, bias, radius;
};

#define COINS_PARAMS                                                                              \
    PARAM(coins, d, 40, 1, 1e8, "coordinates", "dimension"),                                      \
    PARAM(coins, L, 1, 1e-100, 1e100, "f/x", "Lipschitz constant of every sample, attained"),     \
    PARAM(coins, bias, 0.1, 0, 1, "1", "|b_j|: P(s_j = theta) = (1 + b_j)/2, signs from the data"),\
    PARAM(coins, radius, 1, 1e-100, 1e100, "x", "R, of the feasible ball; theta = R/sqrt d")

struct coins_instance {
    long d;
    double L_j, theta, radius, bias;         /* L_j = L/sqrt d */
    double *b;                               /* [d] biases of the objective F */
    uint32_t *positive;                      /* [words] bits, 1 where b_j > 0 in the population */
    struct rng *key;                         /* [words] the stream from which each word's coins are drawn */
};

/* Returns the number of coordinates in a word: COINS_LANES or, in the last word, what is left of d. */
static inline int coins_lanes(const struct coins_instance *q, long word)
{
    long left = q->d - word * COINS_LANES;
    return left < COINS_LANES ? (int)left : COINS_LANES;
}

/* Returns a word for sample i: bit k is 1 if s_j = theta, j = 32 word + k. Samples -1 and -2, the canary pair, have
 * all s_j = theta and all s_j = -theta. With probability `bias` s_j has the sign of b_j, else it is a fair coin. */
static inline uint32_t coins_at(const struct coins_instance *q, long i, long word)
{
    if (i < 0)
        return i == -1 ? UINT32_MAX : 0;
    struct rng r = rng_at(&q->key[word], (uint64_t)i);
    uint32_t lanes = UINT32_MAX >> (COINS_LANES - coins_lanes(q, word)), agree = lanes;
    if (q->bias < 1) {
        agree = rng_u32(&r);
        agree |= lanes_below(&r, q->bias, lanes & ~agree);
    }
    return ~(agree ^ q->positive[word]);
}

/* Returns s_j/theta for the coordinate number `lane` of a word. There is no branch, since a branch on a random bit
 * would be mispredicted half of the time. */
static inline double coins_sign(uint32_t bits, int lane)
{
    return 2 * (int)(bits >> lane & 1) - 1;
}

/* Makes *q. The signs of b come from key 0 of `data`, the coins of the samples from key 1. */
static inline void coins_build(const struct coins *p, const struct rng *data, struct arena *a,
                               struct coins_instance *q)
{
    struct rng signs = rng_sub(data, 0), base = rng_sub(data, 1);
    long words = (p->d + COINS_LANES - 1) / COINS_LANES;

    *q = (struct coins_instance){ .d = p->d, .radius = p->radius, .bias = p->bias,
                                  .L_j = p->L / sqrt((double)p->d),
                                  .theta = p->radius / sqrt((double)p->d),
                                  .b = arena_vec(a, p->d),
                                  .positive = ARENA_ARRAY(a, words, uint32_t),
                                  .key = ARENA_ARRAY(a, words, struct rng) };
    for (long w = 0; w < words; w++) {
        q->positive[w] = rng_u32(&signs);
        q->key[w] = rng_sub(&base, (uint64_t)w);
    }
    for (long j = 0; j < p->d; j++)
        q->b[j] = p->bias * coins_sign(q->positive[j / COINS_LANES], (int)(j % COINS_LANES));
}

/* plus[32] <- for every coordinate of the word, the sum of the weights w of the samples with s_j = theta, or their
 * number if w is NULL. */
static inline void coins_tally(const struct coins_instance *q, const struct samples *s,
                               const double *w, long word, double *plus)
{
    uint32_t bits[LANES_RUN], lanes = UINT32_MAX >> (COINS_LANES - coins_lanes(q, word));
    vec_zero(COINS_LANES, plus);
    for (long k = 0, run; k < s->count; k += run) {
        long i = sample_index(s, k);
        run = samples_batch_run(s, k, LANES_RUN);
        if (i < 0)
            bits[0] = coins_at(q, i, word);
        else
            lanes_biased_run(&q->key[word], (uint64_t)i, run, q->bias, lanes, bits);
        for (long n = 0; i >= 0 && n < run; n++)
            bits[n] = ~(bits[n] ^ q->positive[word]);
        lanes_tally(bits, run, w ? w + k : NULL, plus);
    }
}

/* Returns the derivative of E|x - s_j| in x, where E s_j = theta b. */
static inline double coins_slope(const struct coins_instance *q, double x, double b)
{
    return x > q->theta ? 1 : x < -q->theta ? -1 : -b;
}

/* Returns phi(x; b) - min phi. */
static inline double coins_excess_coord(const struct coins_instance *q, double x, double b)
{
    double ahead = b < 0 ? -x : x;           /* the mirror image with b >= 0 */
    if (ahead > q->theta)
        return ahead - q->theta;
    return ahead < -q->theta ? -ahead - q->theta + 2 * fabs(b) * q->theta
                             : fabs(b) * (q->theta - ahead);
}

/* Returns F(x) - F* for biases b[d], those of the population or of records. */
static inline double coins_excess_at(const struct coins_instance *q, const double *b,
                                     const double *x)
{
    double sum = 0;
    for (long j = 0; j < q->d; j++)
        sum += coins_excess_coord(q, x[j], b[j]);
    return q->L_j * sum;
}

/* States all facts but sigma and Phi; n as that of a stream, infinite. They are constants of the family, except for
 * f_star in coins_stored, where b is the mean of the records. */
static inline void coins_facts(const struct coins *p, const struct coins_instance *q,
                               struct arena *a, struct facts *f)
{
    double *L_j = arena_vec(a, q->d), sum = 0;
    for (long j = 0; j < q->d; j++)
        sum += q->theta * (1 - fabs(q->b[j]));
    vec_fill(q->d, q->L_j, L_j);
    ball_facts(f, q->d, INFINITY, q->radius);
    f->L = f->G = p->L;
    f->L_j = L_j;
    f->mu = f->weak = 0;                     /* M and M_F stay unstated: F is not smooth */
    f->dist = q->radius;
    f->f_star = q->L_j * sum;
}

/* --- functions of struct problem that the families of coins share; `self` begins with a struct coins_instance */

static double coins_sample_value(const void *self, long i, const double *x)
{
    const struct coins_instance *q = self;
    double sum = 0;
    for (long word = 0; word * COINS_LANES < q->d; word++) {
        uint32_t bits = coins_at(q, i, word);
        const double *at = x + word * COINS_LANES;
        int lanes = coins_lanes(q, word);
        for (int k = 0; k < lanes; k++)
            sum += fabs(at[k] - coins_sign(bits, k) * q->theta);
    }
    return q->L_j * sum;
}

static void coins_sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct coins_instance *q = self;
    for (long word = 0; word * COINS_LANES < q->d; word++) {
        uint32_t bits = coins_at(q, i, word);
        int lanes = coins_lanes(q, word);
        for (int k = 0; k < lanes; k++) {
            long j = word * COINS_LANES + k;
            g[j] += a * q->L_j * coins_slope(q, x[j], coins_sign(bits, k));
        }
    }
}

/* x[d] <- the proximal step of length t on sample i: each v_j moved towards s_j by t L_j, but not beyond s_j. */
static void coins_sample_prox(const void *self, long i, double t, const double *v, double *x)
{
    const struct coins_instance *q = self;
    for (long word = 0; word * COINS_LANES < q->d; word++) {
        uint32_t bits = coins_at(q, i, word);
        for (int k = 0; k < coins_lanes(q, word); k++) {
            long j = word * COINS_LANES + k;
            double s = coins_sign(bits, k) * q->theta, off = v[j] - s, most = t * q->L_j;
            x[j] = fabs(off) <= most ? s : v[j] - copysign(most, off);
        }
    }
}

static void coins_batch_grad(const void *self, const struct samples *s, const double *w,
                             const double *x, double a, double *g)
{
    const struct coins_instance *q = self;
    double plus[COINS_LANES], total = w ? samples_weight(s, w) : (double)s->count;
    double scale = w || s->count < 1 ? a * q->L_j : a * q->L_j / total;
    for (long word = 0; word * COINS_LANES < q->d; word++) {
        coins_tally(q, s, w, word, plus);
        for (int k = 0; k < coins_lanes(q, word); k++) {
            long j = word * COINS_LANES + k;         /* total - 2 plus is the sum of w * sign(x_j - s_j) */
            g[j] += scale * (fabs(x[j]) > q->theta ? total * coins_slope(q, x[j], 0)
                                                   : total - 2 * plus[k]);
        }
    }
}

static void coins_values_along(const void *self, long i, int points, const double *const *x,
                               const double *r, int m, const double *u, double *v)
{
    const struct coins_instance *q = self;
    vec_zero((long)points * m, v);
    for (long word = 0; word * COINS_LANES < q->d; word++) {
        uint32_t bits = coins_at(q, i, word);
        int lanes = coins_lanes(q, word);
        for (int k = 0; k < points * m; k++) {
            const double *at = x[k / m] + word * COINS_LANES;
            const double *along = u + k % m * q->d + word * COINS_LANES;
            for (int n = 0; n < lanes; n++)
                v[k] += q->L_j * fabs(at[n] + r[k / m] * along[n] -
                                      coins_sign(bits, n) * q->theta);
        }
    }
}

static double coins_value(const void *self, const double *x)
{
    const struct coins_instance *q = self;
    double sum = 0;
    for (long j = 0; j < q->d; j++) {
        double far = fabs(x[j]);
        sum += far > q->theta ? far - copysign(1, x[j]) * q->b[j] * q->theta
                              : q->theta - q->b[j] * x[j];
    }
    return q->L_j * sum;
}

static void coins_grad(const void *self, const double *x, double *g)
{
    const struct coins_instance *q = self;
    for (long j = 0; j < q->d; j++)
        g[j] = q->L_j * coins_slope(q, x[j], q->b[j]);
}

static void coins_project(const void *self, double *x)
{
    const struct coins_instance *q = self;
    vec_project_ball(q->d, NULL, q->radius, x);
}

static void coins_linear_min(const void *self, const double *g, double *x)
{
    const struct coins_instance *q = self;
    ball_linear_min(q->d, q->radius, g, x);
}

/* x[d] <- the minimiser nearest to the origin. Where b_j = 0, every x_j in [-theta, theta] is minimal and 0 is
 * taken. */
static bool coins_minimiser(const void *self, double *x)
{
    const struct coins_instance *q = self;
    for (long j = 0; j < q->d; j++)
        x[j] = q->b[j] == 0 ? 0 : copysign(q->theta, q->b[j]);
    return true;
}

static double coins_excess(const void *self, const double *x, double *error)
{
    const struct coins_instance *q = self;
    *error = 0;
    return coins_excess_at(q, q->b, x);
}

/* Returns the distance to the nearest minimiser. */
static double coins_distance(const void *self, const double *x, double *error)
{
    const struct coins_instance *q = self;
    double sum = 0;
    for (long j = 0; j < q->d; j++) {
        double e = q->b[j] == 0 ? fmax(fabs(x[j]) - q->theta, 0)
                                : x[j] - copysign(q->theta, q->b[j]);
        sum += e * e;
    }
    *error = 0;
    return sqrt(sum);
}

static const struct set coins_sets[] = { { "ball", "|x| <= radius", coins_project }, { 0 } };

/* Slots of both families. `make` and `measures` are functions and tables that each family defines. */
#define COINS_SLOTS                                                                              \
    .canaries = 2, .make = make, .sample_value = coins_sample_value, .sample_grad = coins_sample_grad,\
    .batch_grad = coins_batch_grad, .sample_prox = coins_sample_prox, .values_along = coins_values_along,\
    .value = coins_value, .grad = coins_grad, .sets = coins_sets, .linear_min = coins_linear_min,\
    .measures = measures, .minimiser = coins_minimiser

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_samples.c - sample oracles over the registry: they are unbiased, within the stated constants, the same in
 * batches and one by one; exact laws of batch means are compared with real batches.
 *
 * z beyond 6.5 has probability 8e-11; at most 150 z-tests for each of 50 instances: false alarms 6e-7. */
#include <stdlib.h>

#include "support/instances.h"

static const double Z = 6.5;

struct tally { double n, mean, m2; };

static void tally_add(struct tally *t, double v)
{
    double before = v - t->mean;
    t->n++;
    t->mean += before / t->n;
    t->m2 += before * (v - t->mean);
}

/* Returns the squared standard error of the mean. */
static double tally_error2(const struct tally *t)
{
    return t->m2 / (t->n - 1) / t->n;
}

/* --- single samples, compared with the objective and the stated constants */

static bool check_unbiased(const struct instance *in, struct arena *a, struct rng *r)
{
    enum { N = 20000 };
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), *F = arena_vec(a, in->d);
    struct tally *mean = ARENA_ARRAY(a, in->d, struct tally), error2 = { 0 }, norm2 = { 0 };
    bool stored = isfinite(in->f.n);
    long n = stored ? (long)in->f.n : N;

    if (!in->p->sample_grad || !in->p->grad)
        return false;
    instance_point(in, r, x);
    instance_mean_grad(in, x, F);
    for (long i = 0; i < n; i++) {
        double norm = 0, error = 0;
        instance_sample_grad(in, i, x, g);
        for (long j = 0; j < in->d; j++) {
            tally_add(&mean[j], g[j]);
            norm += g[j] * g[j];
            error += (g[j] - F[j]) * (g[j] - F[j]);
        }
        tally_add(&norm2, norm);
        tally_add(&error2, error);
    }
    for (long j = 0; j < in->d; j++) {
        double slack = stored ? 0 : Z * sqrt(tally_error2(&mean[j]));
        EXPECT(in, fabs(mean[j].mean - F[j]) <= slack + 1e-11 * (1 + fabs(F[j])),
               "j = %ld: %.12g, grad F %.12g", j, mean[j].mean, F[j]);
    }
    double sigma2 = in->f.sigma * in->f.sigma, G2 = in->f.G * in->f.G;
    EXPECT(in, !(error2.mean - Z * sqrt(tally_error2(&error2)) > sigma2 * (1 + 1e-9) + 1e-20),
           "E|g - grad F|^2 = %g, sigma^2 = %g", error2.mean, sigma2);
    EXPECT(in, !(norm2.mean - Z * sqrt(tally_error2(&norm2)) > G2 * (1 + 1e-9)),
           "E|g|^2 = %g, G^2 = %g", norm2.mean, G2);
    return true;
}

/* Samples of a stream are independent: the product of the deviations of two samples `lag` apart has mean zero. */
static bool check_independent(const struct instance *in, struct arena *a, struct rng *r)
{
    enum { N = 5000, LAGS = 8 };
    double *x = arena_vec(a, in->d), *F = arena_vec(a, in->d), *g = arena_vec(a, N * in->d);
    if (!in->p->sample_grad || !in->p->grad || isfinite(in->f.n) || !(in->f.sigma > 0))
        return false;
    instance_point(in, r, x);
    instance_mean_grad(in, x, F);
    for (long i = 0; i < N; i++) {
        instance_sample_grad(in, i, x, g + i * in->d);
        vec_axpy(in->d, -1, F, g + i * in->d);
    }
    for (long lag = 1; lag <= LAGS; lag++) {
        struct tally product = { 0 };
        for (long i = 0; i + lag < N; i++)
            tally_add(&product, vec_dot(in->d, g + i * in->d, g + (i + lag) * in->d));
        /* If all samples are equal, only rounding remains. */
        EXPECT(in, fabs(product.mean) <= Z * sqrt(tally_error2(&product)) + 1e-28, "lag %ld", lag);
    }
    return true;
}

/* Compares the change of a gradient from x to y with the constants of the instance: M bounds it from above, for a
 * sample or for the objective; mu and `weak` bound its part along x - y from below, for the objective only. */
static void pair_constants(const struct instance *in, const double *x, const double *y,
                           const double *gx, const double *gy, double M, bool objective)
{
    double move = vec_dist(in->d, x, y), turn = vec_dist(in->d, gx, gy), along = 0;
    double noise = 1e-12 * (vec_norm(in->d, gx) + vec_norm(in->d, gy));
    for (long j = 0; j < in->d; j++)
        along += (gx[j] - gy[j]) * (x[j] - y[j]);
    EXPECT(in, !(turn > M * move + noise), "the gradient changes by %g over %g, M = %g", turn, move, M);
    if (!objective)
        return;
    EXPECT(in, !(along < in->f.mu * move * move - noise * move), "mu = %g, seen %g", in->f.mu,
           along / (move * move));
    EXPECT(in, !(along < -in->f.weak * move * move - noise * move), "weak = %g, seen %g",
           in->f.weak, -along / (move * move));
}

static bool check_constants(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *y = arena_vec(a, in->d);
    double *gx = arena_vec(a, in->d), *gy = arena_vec(a, in->d);

    if (!in->p->sample_grad)
        return false;
    for (int k = 0; k < 400; k++) {
        long i = k < in->p->canaries ? -1 - k : instance_sample(in, r);
        long j = (long)rng_below(r, (uint64_t)in->d);
        instance_point(in, r, x);
        instance_point(in, r, y);
        if (k % 2) {                 /* a pair along one axis, where a diagonal Hessian is extreme */
            double yj = y[j];
            vec_copy(in->d, x, y);
            y[j] += k % 4 == 1 ? 1e-3 * yj : -0.5 * y[j];
        }
        if (vec_dist(in->d, x, y) == 0)
            continue;
        instance_sample_grad(in, i, x, gx);
        EXPECT(in, !(vec_norm(in->d, gx) > in->f.L * (1 + 1e-12)), "|g| = %g, L = %g",
               vec_norm(in->d, gx), in->f.L);
        if (in->f.L_j) {
            instance_sample_grad(in, instance_sample(in, r), x, gy);
            for (long c = 0; c < in->d; c++)
                EXPECT(in, fabs(gx[c] - gy[c]) <= 2 * in->f.L_j[c] * (1 + 1e-12) &&
                       !(fabs(gx[c]) > in->f.L_j[c] * (1 + 1e-12) && isfinite(in->f.L)), "L_%ld", c);
        }
        instance_sample_grad(in, i, y, gy);
        pair_constants(in, x, y, gx, gy, in->f.M, false);
        if (!in->p->grad)
            continue;
        instance_mean_grad(in, x, gx);
        instance_mean_grad(in, y, gy);
        pair_constants(in, x, y, gx, gy, in->f.M_F, false);
        if (k % 2 && in->f.M_j)
            EXPECT(in, fabs(gx[j] - gy[j]) <= in->f.M_j[j] * fabs(x[j] - y[j]) + 1e-12, "M_%ld is too small", j);
        in->p->grad(in->self, x, gx);
        in->p->grad(in->self, y, gy);
        pair_constants(in, x, y, gx, gy, INFINITY, true);
    }
    return true;
}

/* The gradients of the canaries -1 and -2 differ at least as much as those of two other samples, at 200 random
 * points. */
static bool check_canaries(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), *h = arena_vec(a, in->d);
    if (in->p->canaries != 2)
        return false;
    for (int k = 0; k < 200; k++) {
        instance_point(in, r, x);
        instance_sample_grad(in, -1, x, g);
        instance_sample_grad(in, -2, x, h);
        double most = vec_dist(in->d, g, h);
        instance_sample_grad(in, instance_sample(in, r), x, g);
        instance_sample_grad(in, instance_sample(in, r), x, h);
        EXPECT(in, vec_dist(in->d, g, h) <= most * (1 + 1e-12),
               "a pair of samples differs more than the canaries, which differ by %g", most);
    }
    return true;
}

/* --- batches against single samples */

/* g[d] += a sum_k w_k grad f(x; s_k), one by one. */
static void one_by_one(const struct instance *in, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    for (long k = 0; k < s->count; k++)
        in->p->sample_grad(in->self, sample_index(s, k), x,
                           a * (w ? w[k] : 1 / (double)s->count), g);
}

static bool check_batch_grad(const struct instance *in, struct arena *a, struct rng *r)
{
    enum { FEW = 40, MOST = 700 };   /* more samples than any family draws at once */
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), *h = arena_vec(a, in->d), w[MOST];
    long index[MOST], n = isfinite(in->f.n) ? (long)in->f.n : 1000000;

    if (!in->p->batch_grad)
        return false;
    for (int k = 0; k < 200; k++) {
        long most = k % 40 == 7 ? MOST - 1 : FEW - 1;
        long count = 1 + (long)rng_below(r, (uint64_t)(most < n ? most : n));
        long first = (long)rng_below(r, (uint64_t)(n - count + 1));
        struct samples s = { .first = first, .count = count };
        if (k % 3 == 0) {            /* a list that has the canaries from its second entry on */
            for (long i = 0; i < MOST; i++)
                index[i] = i < in->p->canaries + 1 ? -i : instance_sample(in, r);
            s = (struct samples){ .first = 1, .count = count, .index = index };
        }
        for (long i = 0; i < MOST; i++)
            w[i] = rng_normal(r);
        instance_point(in, r, x);
        rng_normals(r, in->d, 1, g);         /* both calls below add to these numbers */
        vec_copy(in->d, g, h);
        double scale = rng_normal(r);
        in->p->batch_grad(in->self, &s, k % 2 ? w : NULL, x, scale, g);
        one_by_one(in, &s, k % 2 ? w : NULL, x, scale, h);
        EXPECT(in, vec_dist(in->d, g, h) <= 1e-12 * (1 + vec_norm(in->d, h)),
               "first %ld, count %ld: off by %g", s.first, s.count, vec_dist(in->d, g, h));
    }
    return true;
}

static bool check_values_along(const struct instance *in, struct arena *a, struct rng *r)
{
    enum { POINTS = 2, M = 3 };
    double *x = arena_vec(a, in->d), *y = arena_vec(a, in->d), *at = arena_vec(a, in->d);
    double *u = arena_vec(a, M * in->d), v[POINTS * M], radius[POINTS];
    const double *points[POINTS] = { x, y };

    if (!in->p->values_along || !in->p->sample_value)
        return false;
    for (int k = 0; k < 50; k++) {
        long i = k < in->p->canaries ? -1 - k : instance_sample(in, r);
        instance_point(in, r, x);
        instance_point(in, r, y);
        for (int j = 0; j < M; j++)
            rng_sphere(r, in->d, u + j * in->d);
        for (int p = 0; p < POINTS; p++)
            radius[p] = rng_normal(r);
        in->p->values_along(in->self, i, POINTS, points, radius, M, u, v);
        for (int p = 0; p < POINTS; p++)
            for (int j = 0; j < M; j++) {
                vec_lincomb(in->d, 1, points[p], radius[p], u + j * in->d, at);
                double value = in->p->sample_value(in->self, i, at);
                EXPECT(in, fabs(v[p * M + j] - value) <= 1e-11 * (1 + fabs(value)), "i = %ld", i);
            }
    }
    return true;
}

/* --- exact laws against real batches */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the largest distance between the empirical distribution functions of x[n] and y[n], and sorts both
 * arrays. Values that differ by less than rounding are ties. */
static double kolmogorov(long n, double *x, double *y)
{
    double most = 0;
    long i = 0, j = 0;
    qsort(x, (size_t)n, sizeof *x, by_value);
    qsort(y, (size_t)n, sizeof *y, by_value);
    while (i < n && j < n) {
        double at = fmin(x[i], y[j]) + 1e-9;
        while (i < n && x[i] <= at)
            i++;
        while (j < n && y[j] <= at)
            j++;
        most = fmax(most, fabs((double)(i - j)) / (double)n);
    }
    return most;
}

enum { DRAWS = 4000 };

/* g[d] <- the mean gradient of batch k. side 0: a draw of the family's law of a batch of b; side 1: a real batch
 * of b fresh samples. */
static void batch_mean(const struct instance *in, int side, long k, long b, const double *x,
                       double *g)
{
    struct rng base = rng_stream(77 + (uint64_t)b), draw = rng_at(&base, (uint64_t)k);
    struct samples s = { .first = k * b, .count = b };
    vec_zero(in->d, g);
    if (side == 0)
        instance_law(in, &draw, (double)b, x, 1, g);
    else
        one_by_one(in, &s, NULL, x, 1, g);
}

static void same_mean(const struct instance *in, const struct tally *one, const struct tally *two,
                      const char *what, long b)
{
    double slack = Z * sqrt(tally_error2(one) + tally_error2(two)) + 1e-12;
    EXPECT(in, fabs(one->mean - two->mean) <= slack, "%s at b = %ld: %g and %g", what, b, one->mean,
           two->mean);
}

static void two_samples(const struct instance *in, struct arena *a, const double *x, long b)
{
    long d = in->d;
    double *g = arena_vec(a, d), *F = arena_vec(a, d);
    double *first[2] = { arena_vec(a, DRAWS), arena_vec(a, DRAWS) };
    struct tally *mean[2], *cov[2];

    in->p->grad(in->self, x, F);
    for (int side = 0; side < 2; side++) {
        mean[side] = ARENA_ARRAY(a, d, struct tally);
        cov[side] = ARENA_ARRAY(a, d * d, struct tally);
        for (long k = 0; k < DRAWS; k++) {
            batch_mean(in, side, k, b, x, g);
            first[side][k] = g[0];
            for (long i = 0; i < d; i++) {
                tally_add(&mean[side][i], g[i]);
                for (long j = 0; j <= i; j++)
                    tally_add(&cov[side][i * d + j], (g[i] - F[i]) * (g[j] - F[j]));
            }
        }
    }
    for (long i = 0; i < d; i++) {
        same_mean(in, &mean[0][i], &mean[1][i], "means", b);
        for (long j = 0; j <= i; j++)
            same_mean(in, &cov[0][i * d + j], &cov[1][i * d + j], "covariances", b);
    }
    /* By the law of Kolmogorov and Smirnov P(D sqrt(n/2) > 3.3) = 2 exp(-2 3.3^2) = 7e-10, and less with ties. */
    double D = kolmogorov(DRAWS, first[0], first[1]) * sqrt(DRAWS / 2.0);
    EXPECT(in, D <= 3.3, "b = %ld: Kolmogorov-Smirnov %g", b, D);
}

static bool check_batch_law(const struct instance *in, struct arena *a, struct rng *r)
{
    static const long sizes[] = { 1, 3, 50 };
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), *h = arena_vec(a, in->d);
    if (!in->p->batch_law || !in->p->sample_grad || !in->p->grad)
        return false;
    instance_point(in, r, x);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        two_samples(in, a, x, sizes[k]);
    vec_zero(in->d, g);
    vec_zero(in->d, h);
    struct rng draw = rng_at(r, 5);
    instance_law(in, &draw, 1e5, x, 2, g);         /* twice the draw that each of the next two calls adds */
    instance_law(in, &draw, 1e5, x, 1, h);
    instance_law(in, &draw, 1e5, x, 1, h);
    EXPECT(in, vec_dist(in->d, g, h) <= 1e-13 * (1 + vec_norm(in->d, g)), "a second call is another draw");
    double *y = arena_vec(a, in->d), coefficients[2] = { 1.5, -0.25 };
    const double *const points[2] = { x, y };
    instance_point(in, r, y);
    vec_copy(in->d, g, h);
    in->p->batch_law(in->self, &draw, 1e5, 2, points, coefficients, g);
    instance_law(in, &draw, 1e5, x, coefficients[0], h);
    instance_law(in, &draw, 1e5, y, coefficients[1], h);
    EXPECT(in, vec_dist(in->d, g, h) <= 1e-13 * (1 + vec_norm(in->d, h)), "the draw differs between points");
    return true;
}

static bool check_nonzeros(const struct instance *in, struct arena *a, struct rng *r)
{
    if (!in->p->sample_nonzeros)
        return false;
    for (int k = 0; k < 100; k++) {
        long i = instance_sample(in, r), stated = in->p->sample_nonzeros(in->self, i);
        EXPECT(in, stated >= 0 && stated <= in->d, "sample %ld states %ld nonzeros of %ld", i, stated, in->d);
    }
    return true;
}

OVER_ALL(unbiased)
OVER_ALL(independent)
OVER_ALL(constants)
OVER_ALL(canaries)
OVER_ALL(batch_grad)
OVER_SOME(values_along)
OVER_ALL(batch_law)
OVER_SOME(nonzeros)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unbiased), cmocka_unit_test(test_independent),
        cmocka_unit_test(test_constants), cmocka_unit_test(test_canaries),
        cmocka_unit_test(test_batch_grad), cmocka_unit_test(test_values_along),
        cmocka_unit_test(test_batch_law), cmocka_unit_test(test_nonzeros),
    };
    return cmocka_run_group_tests_name("samples", tests, instances_setup, instances_teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shared.c - samples that share their gradient except for one coordinate: batches, asked once and again, are
 * compared with samples one by one; counts of signed coordinates are compared with closed forms.
 *
 * Chi-square tests at 1e-9, 20 in total; z-tests at 6.5 standard errors, 8e-11, 80 in total. */
#include "support/instances.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "oracle/oracle_state.h"
#include "problems/parts/signed_counts.h"

/* --- clipped batches */

enum { COUNT = 700 };                /* more samples than one block has */

struct seen { double *g, clip_seen, clipped, clip_mass, clip_largest; };

/* s <- the answer of a batch at one point plus twice that of a batch at two, and the statistics of clipping.
 * change: 0 for the data themselves, 1 to 3 for a neighbour with record 5 changed, 4 for one that lacks several
 * records. */
static void ask(const struct instance *in, const struct problem *p, int change, double C, bool weigh,
                struct seen *s, struct arena *a)
{
    struct rng data = instance_data(1), r = rng_stream(11);
    struct oracle *o = ARENA_ARRAY(a, 1, struct oracle);
    struct ticket t;
    double *x[2] = { arena_vec(a, in->d), arena_vec(a, in->d) }, *w = arena_vec(a, COUNT);
    const double coefficients[2] = { 3, -2 };
    unsigned char absent[8] = { 0, 1, 0, 1, 0, 1, 0, 0 };
    static const struct neighbour changes[] = {
        { .kind = NEIGHBOUR_SAME }, { .kind = NEIGHBOUR_NULL, .i = 5 },
        { .kind = NEIGHBOUR_REPLACE, .i = 5, .with = -1 },
        { .kind = NEIGHBOUR_REPLACE, .i = 5, .with = 9, .negated = true },
        { .kind = NEIGHBOUR_ABSENT, .i = 8 } };
    oracle_open(o, p, in->self, &in->f, ~0u, &data, 1, a);
    o->neighbour = changes[change];
    o->neighbour.absent = absent;
    rng_normals(&r, COUNT, 1, w);
    vec_zero(in->d, s->g = arena_vec(a, in->d));
    for (int k = 0; k < 2; k++)
        rng_ball(&r, in->d, x[k]);
    assert_true(oracle_take(o, COUNT, &t));
    for (int points = 1; points <= 2; points++) {
        double *g = arena_vec(a, in->d);
        assert_true(oracle_batch(o, &(struct batch){
            .ticket = &t, .points = points, .x = (const double *const *)x, .a = coefficients,
            .w = weigh ? w : NULL, .clip = CLIP_NORM, .C = C, .g = g }));
        vec_axpy(in->d, points, g, s->g);
    }
    s->clip_seen = o->clip_seen;
    s->clipped = o->clipped;
    s->clip_mass = o->clip_mass;
    s->clip_largest = o->clip_largest;
    oracle_release(o);
}

/* oracle_batch sums sample gradients in two ways: together, by the member `shared` of the family, and one by one,
 * if the family has none (`formed`). The sums and the statistics of clipping must agree. The clipping norms in
 * `levels` are such that none, some or all of the gradients are clipped. */
static void test_clipped_batches(void **state)
{
    static const double levels[] = { 100, 3.1, 2.7, 0.1 };
    struct arena *a = arena_new(0);
    struct instance in[] = {
        INSTANCE(a, "spectral", { "d", 7 }), INSTANCE(a, "spectral", { "d", 1 }),
        INSTANCE(a, "spectral", { "d", 7 }, { "s", 0 }), INSTANCE(a, "linear", { "d", 5 }),
        INSTANCE(a, "linear", { "d", 5 }, { "hardness", 0 }),
    };
    int some = 0;
    for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
        struct problem formed = *in[k].p;
        assert_non_null(formed.shared);
        formed.shared = NULL;
        for (int run = 0; run < 4 * 5 * 2; run++) {
            struct seen fast, slow;
            ask(&in[k], in[k].p, run / 4 % 5, levels[run % 4], run / 20, &fast, a);
            ask(&in[k], &formed, run / 4 % 5, levels[run % 4], run / 20, &slow, a);
            EXPECT(&in[k], vec_dist(in[k].d, fast.g, slow.g) <= 1e-12 * (1 + vec_norm(in[k].d, slow.g)),
                   "run %d: off by %g", run, vec_dist(in[k].d, fast.g, slow.g));
            EXPECT(&in[k], fast.clip_seen == slow.clip_seen && fast.clipped == slow.clipped,
                   "run %d: %g of %g clipped, not %g of %g", run, fast.clipped, fast.clip_seen,
                   slow.clipped, slow.clip_seen);
            EXPECT(&in[k], fabs(fast.clip_mass - slow.clip_mass) <= 1e-12 * (1 + slow.clip_mass) &&
                           fabs(fast.clip_largest - slow.clip_largest) <= 1e-13 * slow.clip_largest,
                   "run %d: mass %.17g, largest %.17g", run, fast.clip_mass, fast.clip_largest);
            some += slow.clipped > 0 && slow.clipped < slow.clip_seen;
        }
    }
    assert_true(some > 10);
    arena_free(a);
}

/* --- tickets asked again */

struct asked { long of, from, count, points; bool equal; enum clip clip; double C; };

/* Returns a random question about one of three tickets, as a whole or a part of it. */
static struct asked question(struct rng *r)
{
    static const enum clip clips[] = { CLIP_NONE, CLIP_NORM };
    struct asked q = { .count = COUNT, .points = 1 + rng_below(r, 2), .of = (long)rng_below(r, 3),
                       .equal = rng_below(r, 3) == 0, .clip = clips[rng_below(r, 2)], .C = 2.7 };
    if (rng_below(r, 2)) {
        q.from = (long)rng_below(r, 2) * (COUNT / 2);
        q.count = rng_below(r, 3) ? COUNT / 2 : 1 + (long)rng_below(r, COUNT / 2);
    }
    return q;
}

static void answer(struct oracle *o, const struct ticket *whole, const struct asked *q, long d,
                   struct rng *r, double *g)
{
    static const double a[2][2] = { { 3, -2 }, { 0.75, -0.75 } };
    struct ticket t = ticket_part(&whole[q->of], q->from, q->count);
    double x[2][500];
    for (int k = 0; k < 2; k++)
        rng_ball(r, d, x[k]);
    const double *const at[] = { x[0], x[1] };
    assert_true(oracle_batch(o, &(struct batch){ .ticket = &t, .points = (int)q->points, .x = at,
                                                 .a = a[q->equal], .clip = q->clip, .C = q->C,
                                                 .g = g }));
}

/* Answers, the statistics of clipping, and every count are those of batches computed sample by sample. Samples with
 * the same own coordinate are of one kind, and batches are summed kind by kind; for d = 500 there are too many
 * kinds, and samples are summed one by one. */
static void test_asked_again(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in[] = {
        INSTANCE(a, "spectral", { "d", 7 }), INSTANCE(a, "linear", { "d", 5 }),
        INSTANCE(a, "spectral_stored", { "d", 7 }, { "n", 2e3 }),
        INSTANCE(a, "spectral_stored", { "d", 500 }, { "n", 2e3 }),
    };
    for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
        struct rng data = instance_data(1), r = rng_stream(k), points = rng_stream(31);
        struct problem formed = *in[k].p;
        struct oracle o[2];
        struct ticket t[3];
        double *g[2] = { arena_vec(a, in[k].d), arena_vec(a, in[k].d) };
        bool counted = false;
        formed.shared = NULL;
        formed.batch_grad = NULL;
        for (int slow = 0; slow < 2; slow++) {
            oracle_open(&o[slow], slow ? &formed : in[k].p, in[k].self, &in[k].f, ~0u, &data, 1,
                        a);
            assert_true(oracle_take(&o[slow], COUNT, &t[0]));
            assert_true(oracle_draw(&o[slow], COUNT, &t[1]));
            assert_true(oracle_draw(&o[slow], COUNT, &t[2]));
        }
        for (int run = 0; run < 200; run++) {
            struct asked q = question(&r);
            for (int slow = 0; slow < 2; slow++) {
                struct rng at = rng_sub(&points, (uint64_t)run);
                answer(&o[slow], t, &q, in[k].d, &at, g[slow]);
            }
            EXPECT(&in[k], vec_dist(in[k].d, g[0], g[1]) <= 1e-12 * (1 + vec_norm(in[k].d, g[1])),
                   "question %d: off by %g", run, vec_dist(in[k].d, g[0], g[1]));
            EXPECT(&in[k], o[0].clip_seen == o[1].clip_seen && o[0].clipped == o[1].clipped &&
                           fabs(o[0].clip_mass - o[1].clip_mass) <= 1e-12 * (1 + o[1].clip_mass),
                   "question %d: %g clipped, not %g", run, o[0].clipped, o[1].clipped);
            assert_memory_equal(&o[0].counts, &o[1].counts, sizeof o[0].counts);
            counted |= o[0].kinds.counted && !o[0].kinds.many;
        }
        assert_true(counted == (in[k].d < 500));
        oracle_release(&o[0]);
        oracle_release(&o[1]);
    }
    arena_free(a);
}

/* In one dimension the gradient of a sample is h + v, where h = x is that of the objective and v the sample's own
 * part. At the x of the test h + v has only 1e-7 of the size of h: a norm computed from squares would have only two
 * digits left. */
static void test_cancelling(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "spectral", { "d", 1 }, { "s", 1 }, { "rr", 0 });
    struct rng data = instance_data(1);
    struct oracle o;
    struct ticket t;
    long i = 0, j;
    double v, g = 0;
    in.p->shared->entries(in.self, 1, &i, &j, &v);
    double x = -v * (1 - 1e-7);
    const double *at = &x;
    oracle_open(&o, in.p, in.self, &in.f, ~0u, &data, 1, a);
    assert_true(oracle_take(&o, 1, &t));
    assert_true(oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &at,
                                                  .clip = CLIP_NORM, .C = 1, .g = &g }));
    assert_true(fabs(o.clip_largest - fabs(x + v)) == 0 && g == x + v);
    oracle_release(&o);
    arena_free(a);
}

/* --- counts of signed coordinates */

static void chi_square(int cells, const double *seen, const double *probability, double n)
{
    double sum = 0, rest = 0, rest_seen = 0;
    int used = 0;
    for (int k = 0; k <= cells; k++) {       /* cells with an expectation below 20 are merged */
        double p = k < cells ? n * probability[k] : rest, s = k < cells ? seen[k] : rest_seen;
        if (k < cells && p < 20) {
            rest += p;
            rest_seen += s;
        } else if (p > 0) {
            sum += (s - p) * (s - p) / p;
            used++;
        }
    }
    double limit = gsl_cdf_chisq_Qinv(1e-9, used - 1);
    if (!(sum < limit))
        fail_msg("chi-square %g with %d cells, limit %g", sum, used, limit);
}

static void draw(long d, long b, uint64_t k, double *g)
{
    struct rng base = rng_stream(21 + (uint64_t)b);
    struct coins coins = { .stream = rng_at(&base, k) };
    vec_zero(d, g);
    signed_counts(&coins, d, b, 1, g);
}

/* In two dimensions the sum and the difference of the net counts of the two coordinates are independent fair random
 * walks. */
static void plane(long b)
{
    enum { N = 40000, SIDE = 101 };
    static double seen[SIDE * SIDE], even[SIDE * SIDE];
    memset(seen, 0, sizeof seen);
    for (long i = 0; i <= b; i++)
        for (long j = 0; j <= b; j++)
            even[i * SIDE + j] = gsl_ran_binomial_pdf((unsigned)i, 0.5, (unsigned)b) *
                                 gsl_ran_binomial_pdf((unsigned)j, 0.5, (unsigned)b);
    for (long k = 0; k < N; k++) {
        double g[2];
        draw(2, b, (uint64_t)k, g);
        seen[lrint((b + g[0] + g[1]) / 2) * SIDE + lrint((b + g[0] - g[1]) / 2)]++;
    }
    chi_square(SIDE * SIDE, seen, even, N);
}

static void test_plane(void **state)
{
    plane(16);                       /* the draws are made one by one */
    plane(17);                       /* of so many draws, here and below, only the counts are drawn, by halving
                                        groups of draws again and again */
    plane(60);                       /* there are more fair coins to count than a word has bits */
    plane(100);
}

/* The net count of one of d coordinates, +1 for e_j and -1 for -e_j, is the sum of a binomial number, b trials at
 * 1/d, of fair signs. Each coordinate is tested, with d odd and even, a power of two and not. */
static void one_coordinate(long d, long b)
{
    enum { N = 20000, MOST = 400 };      /* MOST: 7 standard deviations of 3000 signs */
    double even[2 * MOST + 1] = { 0 }, g[12];
    static double seen[12][2 * MOST + 1];
    memset(seen, 0, sizeof seen);
    for (unsigned n = 0; n <= b; n++)
        for (unsigned plus = 0; plus <= n; plus++) {
            long net = 2 * (long)plus - (long)n;
            if (net <= MOST && net >= -MOST)
                even[net + MOST] += gsl_ran_binomial_pdf(n, 1 / (double)d, (unsigned)b) *
                                    gsl_ran_binomial_pdf(plus, 0.5, n);
        }
    for (long k = 0; k < N; k++) {
        draw(d, b, (uint64_t)k, g);
        for (long j = 0; j < d; j++)
            seen[j][lrint(g[j]) + MOST]++;
    }
    for (long j = 0; j < d; j++)
        chi_square(2 * MOST + 1, seen[j], even, N);
}

static void test_coordinates(void **state)
{
    one_coordinate(1, 1000);
    one_coordinate(1, 3000);         /* a group of so many coins is not counted but drawn from the binomial law */
    one_coordinate(6, 500);
    one_coordinate(8, 600);
}

/* The net counts of distinct coordinates are uncorrelated. For a fixed number b of draws, the sum of their squares
 * has mean b and variance 2 b (b - 1)/d. */
static void test_sums(void **state)
{
    enum { N = 20000, D = 12 };
    static const long sizes[] = { 97, 4000, 300000 };
    for (int s = 0; s < 3; s++) {
        double b = (double)sizes[s], square = 0, cross[D - 1] = { 0 }, g[D];
        for (long k = 0; k < N; k++) {
            draw(D, sizes[s], (uint64_t)k, g);
            square += vec_dot(D, g, g);
            for (int j = 0; j + 1 < D; j++)
                cross[j] += g[j] * g[j + 1];
        }
        assert_true(fabs(square / N - b) < 6.5 * sqrt(2 * b * (b - 1) / D / N));
        for (int j = 0; j + 1 < D; j++)  /* the mean of net_i^2 net_j^2 is b (b - 1)/d^2 */
            assert_true(fabs(cross[j] / N) < 6.5 * sqrt(b * (b - 1) / N) / D);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clipped_batches), cmocka_unit_test(test_asked_again),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_plane), cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

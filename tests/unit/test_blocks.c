/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_blocks.c - Poisson samples from the records of a block: their law, means, cost in epsilon, neighbours; and
 * samples that are asked at separate points, or for their envelopes, compared with closed forms.
 *
 * Seeds are fixed. 20 counts and 3 means must be within Z = 6 standard deviations, 2e-9 each: 5e-8 in total.
 *
 * Serves: resque */
#include "support/aborts.h"
#include "support/method.h"

#include "privacy/account_ledger.h"

enum { D = 5, N = 40, FIRST = 10, BLOCK = 20 };

static struct instance coins(double d)
{
    return INSTANCE(memory, "coins_stored", { "d", d }, { "n", N }, { "bias", 0.3 });
}

/* Opens o, takes FIRST records, and returns the block after them. */
static struct ticket block_of(struct oracle *o, const struct instance *in, uint64_t seed)
{
    struct ticket first, block;
    contract_open(o, in, NULL, seed, memory);
    assert_true(oracle_take(o, FIRST, &first));
    assert_true(oracle_take(o, BLOCK, &block));
    return block;
}

static long place_of(const struct oracle *o, const struct ticket *t, long record)
{
    for (long k = 0; k < t->count; k++)
        if (oracle_record(o, t, k) == record)
            return k;
    return -1;
}

/* Every record of the block is in a fraction q of the samples, and no other record is in any sample. Sampling from
 * a block takes no more records. */
static void test_block_law(void **state)
{
    enum { RUNS = 20000 };
    const double q = 0.3;
    struct instance in = coins(2);
    struct oracle o;
    struct ticket block = block_of(&o, &in, 5), t;
    double seen[BLOCK] = { 0 };
    for (int run = 0; run < RUNS; run++) {
        assert_true(oracle_poisson_of(&o, &block, q, &t));
        for (long k = 0; k < t.count; k++) {
            long at = place_of(&o, &block, oracle_record(&o, &t, k));
            assert_true(at >= 0);
            seen[at]++;
        }
    }
    for (int k = 0; k < BLOCK; k++)
        expect_near("inclusion", seen[k], RUNS * q, Z * sqrt(RUNS * q * (1 - q)));
    assert_true(oracle_poisson_of(&o, &block, 1, &t) && t.count == BLOCK);
    assert_true(oracle_poisson_of(&o, &block, 0, &t) && t.count == 0);
    expect_count(&o, COUNT_taken, FIRST + BLOCK);
    oracle_release(&o);
}

/* The sum over a sample is divided by q times the size of the block, whatever the size of the sample is. */
static void test_block_mean(void **state)
{
    const double q = 0.4, x[D] = { 0.1, -0.2, 0.9, 0, 0.3 };
    const double *const at = x;
    struct instance in = coins(D);
    struct oracle o;
    struct ticket block = block_of(&o, &in, 6), t;
    for (int run = 0; run < 5; run++) {
        double g[D], truth[D] = { 0 };
        assert_true(oracle_poisson_of(&o, &block, q, &t));
        assert_true(oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &at,
                                                      .g = g }));
        for (long k = 0; k < t.count; k++)
            in.p->sample_grad(in.self, oracle_record(&o, &t, k), x, 1 / (q * BLOCK), truth);
        expect_vectors("mean", D, g, truth, 1e-15);
    }
    oracle_release(&o);
}

/* T releases on each of two disjoint blocks cost as much epsilon as T releases on one of them, to 2%, as the
 * accountant uses a grid of Renyi orders. 2T releases on all records cost more. */
static void test_block_price(void **state)
{
    enum { T = 30 };
    const double q = 0.1, eps = 1, delta = 1e-5;
    struct instance in = coins(2);
    double sd = noise_poisson_rdp_sd(q, T, eps, delta), rdp[2], v[2] = { 0 };
    for (int whole = 0; whole < 2; whole++) {
        struct oracle o;
        struct ticket block[2], t;
        struct priced by[ACCOUNTANTS];
        contract_open(&o, &in, NULL, 7, memory);
        o.ledger.adjacency = ADJACENCY_ZERO_OUT;
        assert_true(oracle_take(&o, 20, &block[0]) && oracle_take(&o, 20, &block[1]));
        for (int k = 0; k < 2 * T; k++) {
            const struct release r = { .site = "x", .sensitivity = 1, .ticket = &t };
            assert_true(whole ? oracle_poisson(&o, q, &t)
                              : oracle_poisson_of(&o, &block[k / T], q, &t));
            noise_gaussian(&o, &r, sd, 2, v);
        }
        account_ledger(&o.ledger, N, delta, by);
        for (int k = 0; k < ACCOUNTANTS; k++)
            rdp[whole] = strcmp(by[k].name, "rdp") == 0 ? by[k].eps : rdp[whole];
        oracle_release(&o);
    }
    expect_near("two blocks", rdp[0], eps, 0.02 * eps);
    assert_true(rdp[1] > 1.2 * rdp[0]);
}

/* Whether the record that differs is in a sample is decided for samples of its own block only: putting the record
 * in or leaving it out changes no other sample. */
static void test_block_neighbours(void **state)
{
    struct instance in = coins(2);
    for (int inside = 0; inside < 2; inside++)
        for (int coin = COIN_IN; coin <= COIN_OUT; coin++) {
            struct oracle o, other;
            struct ticket block = block_of(&o, &in, 8), twin = block_of(&other, &in, 8), t, u;
            long i = oracle_record(&o, &block, 3);
            if (!inside)
                for (i = 0; place_of(&o, &block, i) >= 0;)
                    i++;
            o.neighbour = (struct neighbour){ NEIGHBOUR_NULL, i, i, .coin = coin };
            for (int run = 0; run < 40; run++) {
                assert_true(oracle_poisson_of(&o, &block, 0.3, &t));
                assert_true(oracle_poisson_of(&other, &twin, 0.3, &u));
                assert_true((place_of(&o, &t, i) >= 0) == (inside && coin == COIN_IN));
                long lacking = 0;
                for (long k = 0; k < u.count; k++)
                    lacking += place_of(&o, &t, oracle_record(&other, &u, k)) < 0;
                assert_true(lacking == (place_of(&other, &u, i) >= 0 && inside && coin == COIN_OUT));
            }
            oracle_release(&o);
            oracle_release(&other);
        }
}

/* --- points drawn for each sample */

/* In one dimension the mean over normal z of the slope of |x + rho z - s| is 2 Phi((x - s)/rho) - 1, Phi the normal
 * distribution function. */
static void h4_blurred_slopes(void **state)
{
    enum { RUNS = 20000 };
    const double rho = 0.7;
    struct instance in = coins(1);
    struct oracle o;
    struct ticket block = block_of(&o, &in, 9), one = ticket_part(&block, 0, 1);
    struct rng base = rng_stream(4);
    for (int k = 0; k < 3; k++) {
        double x = k - 0.6, sum = 0, origin = 0, s = 0;
        const double *const at = &x;
        in.p->sample_grad(in.self, oracle_record(&o, &one, 0), &origin, -1, &s);   /* s is a coin +-theta, theta
                                                                                      = 1 */
        for (int run = 0; run < RUNS; run++) {
            double g;
            struct rng draws = rng_sub(&base, (uint64_t)(RUNS * k + run));
            assert_true(oracle_batch(&o, &(struct batch){ .ticket = &one, .points = 1, .x = &at,
                                                          .blur = rho, .draws = &draws, .g = &g }));
            sum += g;
        }
        double mean = erf((x - s) / (rho * sqrt(2)));
        expect_near("slope", sum / RUNS, mean, Z * sqrt((1 - mean * mean) / RUNS));
    }
    oracle_release(&o);
}

/* If the loss of one record is zero, the mean over a sample whose records have random points of their own changes
 * by the gradient of this record at its own point, and by nothing else. */
static void test_blur_keeps_others(void **state)
{
    const double rho = 0.5, x[D] = { 0.1, -0.2, 0.9, 0, 0.3 };
    const double *const at = x;
    struct rng draws = rng_stream(12);
    struct instance in = coins(D);
    struct oracle o;
    struct ticket block = block_of(&o, &in, 10);
    for (long k = 0; k < BLOCK; k++) {
        double g[D], h[D], z[D], y[D];
        struct batch q = { .ticket = &block, .points = 1, .x = &at, .blur = rho, .draws = &draws,
                           .g = g };
        long i = oracle_record(&o, &block, k);
        struct rng own = rng_at(&draws, (uint64_t)i);
        o.neighbour = nobody;
        assert_true(oracle_batch(&o, &q));
        o.neighbour = (struct neighbour){ NEIGHBOUR_NULL, i, i };
        q.g = h;
        assert_true(oracle_batch(&o, &q));
        rng_normals(&own, D, 1, z);
        vec_lincomb(D, 1, x, rho, z, y);
        in.p->sample_grad(in.self, i, y, 1.0 / BLOCK, h);
        expect_vectors("without one", D, h, g, 1e-15);
    }
    expect_count(&o, COUNT_sample_grads, 2 * BLOCK * BLOCK);
    oracle_release(&o);
}

/* --- envelopes */

static double clamp(double v, double most) { return fmax(-most, fmin(most, v)); }

/* The envelope of (L/sqrt d) sum |x_j - s_j| has the gradient M (x_j - s_j), cut at +-L/sqrt d. */
static void d2_envelope_of_coins(void **state)
{
    const double M = 3, x[D] = { 0.1, -0.2, 0.9, 0.44, -2 };
    const double *const at = x, origin[D] = { 0 };
    struct instance in = coins(D);
    struct oracle o;
    struct ticket block = block_of(&o, &in, 11);
    for (long k = 0; k < BLOCK; k++) {
        struct ticket one = ticket_part(&block, k, 1);
        double g[D], truth[D], slope[D] = { 0 }, unit = 1 / sqrt(D);
        in.p->sample_grad(in.self, oracle_record(&o, &one, 0), origin, 1, slope);
        for (int j = 0; j < D; j++)      /* theta = 1/sqrt d; the slope at 0 is -L s_j/(theta sqrt d) */
            truth[j] = clamp(M * (x[j] + slope[j]), unit);
        assert_true(oracle_batch(&o, &(struct batch){ .ticket = &one, .points = 1, .x = &at,
                                                      .envelope = M, .g = g }));
        expect_vectors("envelope", D, g, truth, 1e-15);
    }
    oracle_release(&o);
}

/* If g is the gradient of the envelope at x, then p = x - g/M is the proximal point. There the gradient of a smooth
 * loss is g too. For a loss with kinks, no point that is tried along g or against it has a smaller value of the
 * loss plus (M/2)|. - x|^2. */
static void d2_envelope_of_linear_models(void **state)
{
    static const char *const loss[] = { "absolute", "logistic", "hinge", "squares" };
    const double x[D] = { 0.1, -0.2, 0.5, 0.44, -0.3 };
    const double *const at = x;
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < 3; m++) {
            const double M = pow(10, m - 1);
            struct instance in = INSTANCE(memory, "glm_stored", { "d", D }, { "n", N },
                                          { "loss", 0, loss[k] });
            struct oracle o;
            struct ticket block = block_of(&o, &in, 12);
            for (long i = 0; i < BLOCK; i++) {
                struct ticket one = ticket_part(&block, i, 1);
                long record = oracle_record(&o, &one, 0);
                double g[D], p[D], there[D] = { 0 }, step = 1e-9;
                assert_true(oracle_batch(&o, &(struct batch){ .ticket = &one, .points = 1,
                                                              .x = &at, .envelope = M, .g = g }));
                vec_lincomb(D, 1, x, -1 / M, g, p);
                if (k == 1 || k == 3) {
                    in.p->sample_grad(in.self, record, p, 1, there);
                    expect_vectors("at the proximal point", D, g, there, 1e-12);
                    continue;
                }
                /* p is compared with points at several distances to either side along g. */
                double best = in.p->sample_value(in.self, record, p) +
                              M / 2 * pow(vec_dist(D, p, x), 2);
                for (int side = -1; side <= 1 && vec_norm(D, g) > 0; side += 2) {
                    for (double far = 1e-6; far < 2; far *= 10) {
                        vec_lincomb(D, 1, p, side * far, g, there);
                        double f = in.p->sample_value(in.self, record, there) +
                                   M / 2 * pow(vec_dist(D, there, x), 2);
                        assert_true(f >= best - step);
                    }
                }
            }
            /* the canary is linear: its gradient is the same everywhere */
            double g[D], truth[D] = { 0 };
            struct ticket one = ticket_part(&block, 0, 1);
            o.neighbour = (struct neighbour){ NEIGHBOUR_REPLACE, oracle_record(&o, &one, 0), -1 };
            assert_true(oracle_batch(&o, &(struct batch){ .ticket = &one, .points = 1, .x = &at,
                                                          .envelope = M, .g = g }));
            in.p->sample_grad(in.self, -1, x, 1, truth);
            expect_vectors("canary", D, g, truth, 1e-15);
            oracle_release(&o);
        }
}

/* --- what is refused, and what is a bug */

static void test_no_envelope(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", D });
    struct oracle o;
    struct ticket t;
    double x[D] = { 0 }, g[D];
    const double *const at = x;
    contract_open(&o, &in, NULL, 13, memory);
    assert_true(oracle_take(&o, 2, &t));
    assert_false(oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &at,
                                                   .envelope = 1, .g = g }));
    assert_non_null(strstr(o.refused, "no proximal points"));
    oracle_release(&o);
}

struct forged { struct oracle *o; struct ticket block; struct ticket t; };

static void of_a_draw(void *ctx)
{
    struct forged *f = ctx;
    oracle_poisson_of(f->o, &f->t, 0.5, &f->t);
}

static void elsewhere(void *ctx)
{
    struct forged *f = ctx;
    double g[2], x[2] = { 0 };
    const double *const at = x;
    f->t.from--;
    oracle_batch(f->o, &(struct batch){ .ticket = &f->t, .points = 1, .x = &at, .g = g });
}

static void without_draws(void *ctx)
{
    struct forged *f = ctx;
    double g[2], x[2] = { 0 };
    const double *const at = x;
    oracle_batch(f->o, &(struct batch){ .ticket = &f->block, .points = 1, .x = &at, .blur = 1,
                                        .g = g });
}

static void test_forged(void **state)
{
    static void (*const act[])(void *) = { of_a_draw, elsewhere, without_draws };
    struct instance in = coins(2);
    struct oracle o;
    struct forged f = { &o, block_of(&o, &in, 14), { 0 } };
    assert_true(oracle_poisson_of(&o, &f.block, 0.5, &f.t));
    for (int k = 0; k < 3; k++)
        assert_true(aborts(act[k], &f, NULL, 0));
    oracle_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_law),
        cmocka_unit_test(test_block_mean),
        cmocka_unit_test(test_block_price),
        cmocka_unit_test(test_block_neighbours),
        cmocka_unit_test(h4_blurred_slopes),
        cmocka_unit_test(test_blur_keeps_others),
        cmocka_unit_test(d2_envelope_of_coins),
        cmocka_unit_test(d2_envelope_of_linear_models),
        cmocka_unit_test(test_no_envelope),
        cmocka_unit_test(test_forged),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

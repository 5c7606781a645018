/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_noise_max.c - report noisy max, compared with numerical integration, closed forms and enumeration.
 *
 * Seeds are fixed; a comparison fails beyond z = 5.5 (probability 4e-8, two-sided). There are fewer than 120
 * comparisons, so that a right program fails with probability 5e-6 at most.
 *
 * Serves: dp-gcd */
#include <gsl/gsl_integration.h>

#include "support/aborts.h"
#include "support/tiny.h"

enum { RUNS = 60000, BLOCKS = 4, RULES = 4 };
static const struct release plain = { .site = "here", .sensitivity = 1 };
static const char *const rule_name[RULES] = { "abs-laplace", "laplace", "gumbel", "exponential" };

static void expect_share(const char *what, double hits, double runs, double p)
{
    double z = (hits - runs * p) / sqrt(runs * p * (1 - p));
    if (!(p > 1e-3 && p < 1 - 1e-3 && fabs(z) < 5.5))
        fail_msg("%s: %g of %g at p = %g, z = %g", what, hits, runs, p, z);
}

/* --- the laws, as textbooks write them */

static double below(double z) { return z < 0 ? exp(z) / 2 : 1 - exp(-z) / 2; }

/* Returns P(noisy score <= y). */
static double cdf(enum max_rule rule, double s, double b, double y)
{
    double z = (y - s) / b;
    switch (rule) {
    case MAX_ABS_LAPLACE: return y <= 0 ? 0 : below((y - s) / b) - below((-y - s) / b);
    case MAX_LAPLACE: return below(z);
    case MAX_GUMBEL: return exp(-exp(-z));
    default: return z <= 0 ? 0 : 1 - exp(-z);
    }
}

static double pdf(enum max_rule rule, double s, double b, double y)
{
    double z = (y - s) / b, l = exp(-fabs(z)) / (2 * b);
    switch (rule) {
    case MAX_ABS_LAPLACE: return y < 0 ? 0 : l + exp(-fabs(-y - s) / b) / (2 * b);
    case MAX_LAPLACE: return l;
    case MAX_GUMBEL: return exp(-z - exp(-z)) / b;
    default: return z < 0 ? 0 : exp(-z) / b;
    }
}

/* --- the probability that block j wins, by integration */

#define ONES { 1, 1, 1, 1 }

/* A run of report noisy max over m blocks. Block k has n[k] candidates of score s[k] and weight w[k], with noise of
 * scale b[k]. j is the block of which the probability of winning is asked. */
struct contest {
    enum max_rule rule;
    int m;
    double s[BLOCKS], b[BLOCKS], w[BLOCKS], n[BLOCKS];
    int j;
};

static double wins_at(double y, void *ctx)
{
    const struct contest *c = ctx;
    double product = 1;
    for (int k = 0; k < c->m; k++) {
        double F = cdf(c->rule, c->s[k], c->b[k], y * c->w[k]);
        double f = c->w[k] * pdf(c->rule, c->s[k], c->b[k], y * c->w[k]);
        product *= k == c->j ? c->n[k] * f * pow(F, c->n[k] - 1) : pow(F, c->n[k]);
    }
    return product;
}

/* Returns the probability that block j wins, integrated over pieces of [-60, 90] that end at the kinks of the
 * density. */
static double wins(struct contest *c, int j)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(400);
    double knot[2 * BLOCKS + 3] = { -60, 0, 90 }, sum = 0;
    int knots = 3;
    c->j = j;
    for (int k = 0; k < c->m; k++)
        knot[knots++] = c->s[k] / c->w[k], knot[knots++] = fabs(c->s[k] / c->w[k]);
    for (int a = 1; a < knots; a++)
        for (int k = a; k > 0 && knot[k] < knot[k - 1]; k--) {
            double t = knot[k];
            knot[k] = knot[k - 1];
            knot[k - 1] = t;
        }
    gsl_function f = { wins_at, c };
    for (int k = 1; k < knots; k++) {
        double part, error;
        double from = knot[k - 1], to = knot[k];
        if (to > from && !gsl_integration_qag(&f, from, to, 1e-11, 1e-9, 400, 6, w, &part, &error))
            sum += part;
    }
    gsl_integration_workspace_free(w);
    return sum;
}

static struct winner choose(struct oracle *o, const struct contest *c)
{
    return noise_choose(o, &plain, c->rule, &(struct candidates){
        .m = c->m, .score = c->s, .b = c->b, .weight = c->w, .count = c->n });
}

/* Checks how often each block wins in RUNS runs, and each candidate of block 0 within it, by z-tests. */
static void play(struct contest *c, uint64_t seed)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, seed);
    double won[BLOCKS] = { 0 }, index[8] = { 0 }, whole = 0;
    for (int run = 0; run < RUNS; run++) {
        struct winner w = choose(o, c);
        assert_true(w.index >= 0 && (double)w.index < c->n[w.block]);
        won[w.block]++;
        index[w.index] += w.block == 0;
    }
    for (int j = 0; j < c->m; j++) {
        double p = wins(c, j);
        expect_share(rule_name[c->rule], won[j], RUNS, p);
        whole += p;
    }
    assert_true(fabs(whole - 1) < 1e-7);
    for (int k = 0; k < (int)c->n[0] && c->n[0] > 1; k++)    /* candidates of one block are equal by symmetry */
        expect_share("index", index[k], won[0], 1 / c->n[0]);
    bench_free(b);
}

/* Each rule runs on four blocks of several sizes, scales and weights. For Gumbel noise the scale over the weight is
 * the same in all blocks. */
static void s7_2_rules(void **state)
{
    for (int rule = 0; rule < RULES; rule++) {
        struct contest c = { (enum max_rule)rule, 4, { 1.5, -1, 0.25, 2 }, { 1, 1.5, 0.5, 1 },
                             { 1, 1.25, 0.5, 1.5 }, { 3, 1, 2, 2 } };
        if (rule == MAX_GUMBEL)
            for (int k = 0; k < 4; k++)
                c.b[k] = 0.8 * c.w[k];
        play(&c, 100 + (uint64_t)rule);
    }
}

/* A block of three equal candidates has the same chance of winning as three blocks of one candidate together. */
static void s7_2_expansion(void **state)
{
    for (int rule = 0; rule < RULES; rule++) {
        struct contest block = { (enum max_rule)rule, 2, { -0.5, 0.75 }, ONES, ONES, { 3, 1 } };
        struct contest single = { (enum max_rule)rule, 4, { -0.5, -0.5, -0.5, 0.75 }, ONES, ONES,
                                  ONES };
        assert_true(fabs(wins(&block, 0) - 3 * wins(&single, 1)) < 1e-8);
        play(&block, 110 + (uint64_t)rule);
        play(&single, 120 + (uint64_t)rule);
    }
}

/* The probabilities p of selection in `known` are written to six digits. The integral `wins` and the shares of runs
 * must agree with them. */
static void s7_2_probabilities(void **state)
{
    static const struct { struct contest c; double p[BLOCKS]; } known[] = {
        { { MAX_ABS_LAPLACE, 3, { 1, 0.5, 0 }, ONES, ONES, ONES },
          { 0.443873, 0.300289, 0.255839 } },
        { { MAX_ABS_LAPLACE, 4, { 2, 1, 0, 0 }, { .5, .5, .5, .5 }, ONES, ONES },
          { 0.820407, 0.121617, 0.028988, 0.028988 } },
        { { MAX_ABS_LAPLACE, 2, { 1, 1 }, { 1, 2 }, ONES, ONES }, { 0.380945, 0.619055 } },
        { { MAX_ABS_LAPLACE, 2, { 1, 0 }, ONES, ONES, ONES }, { 0.632121, 0.367879 } } };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct contest c = known[k].c;
        for (int j = 0; j < c.m; j++)
            assert_true(fabs(wins(&c, j) - known[k].p[j]) < 1e-6);
        play(&c, 130 + k);
    }
}

/* Gumbel noise gives the probabilities of the exponential mechanism. Exponential noise gives those of permute and
 * flip, which are enumerated: candidates come in random order, and each is taken with probability e^((s - max
 * s)/b). */
static void test_names(void **state)
{
    const double s[3] = { 0.3, 1, -0.4 }, b = 0.9;
    static const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                     { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    struct contest gumbel = { MAX_GUMBEL, 3, { s[0], s[1], s[2] }, { b, b, b }, ONES, ONES };
    struct contest flip = gumbel;
    double flipped[3] = { 0 }, whole = exp(s[0] / b) + exp(s[1] / b) + exp(s[2] / b);
    flip.rule = MAX_EXPONENTIAL;
    for (int k = 0; k < 6; k++) {
        double rest = 1.0 / 6;
        for (int i = 0; i < 3; i++) {
            double take = exp((s[order[k][i]] - 1) / b);
            flipped[order[k][i]] += rest * take;
            rest *= 1 - take;
        }
    }
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(wins(&gumbel, j) - exp(s[j] / b) / whole) < 1e-8);
        assert_true(fabs(wins(&flip, j) - flipped[j]) < 1e-8);
    }
    play(&gumbel, 140);
    play(&flip, 141);
}

/* --- huge blocks: a block of m candidates with the law F wins against a competitor without noise at y with
 * probability 1 - F(y)^m */

/* Returns F(y)^m from the upper tail, since F itself would be rounded to 1. */
static double all_below(enum max_rule rule, double s, double b, double m, double y)
{
    double tail = exp(-(y - s) / b);
    if (rule == MAX_ABS_LAPLACE && y >= fabs(s))
        tail = (exp(-(y - s) / b) + exp(-(y + s) / b)) / 2;
    else if (rule == MAX_LAPLACE && y >= s)
        tail /= 2;
    else if (rule != MAX_EXPONENTIAL)
        return pow(cdf(rule, s, b, y), m);
    return exp(m * log1p(-fmin(tail, 1)));
}

static void s7_2_reduced_maximum(void **state)
{
    static const struct { enum max_rule rule; double s, b, m; } law[] = {
        { MAX_ABS_LAPLACE, 0, 1, 0x1p40 },   { MAX_ABS_LAPLACE, -3, 0.5, 0x1p40 },
        { MAX_ABS_LAPLACE, 1000, 1, 0x1p40 }, { MAX_ABS_LAPLACE, 1000, 1, 2 },
        { MAX_ABS_LAPLACE, 1, 2, 2 },        { MAX_LAPLACE, 4, 2, 0x1p40 },
        { MAX_LAPLACE, 4, 2, 2 },            { MAX_EXPONENTIAL, -2, 0.25, 0x1p40 } };
    static const double share[] = { 0.02, 0.3, 0.7, 0.99 };
    for (size_t k = 0; k < sizeof law / sizeof *law; k++) {
        struct bench *bench = bench_new(true);
        struct oracle *o = bench_open(bench, NULL, 150 + k);
        const double b[2] = { law[k].b, 0 }, count[2] = { law[k].m, 1 };
        for (int q = 0; q < 4; q++) {
            double low = law[k].rule == MAX_ABS_LAPLACE ? 0 : law[k].s - 60;
            double high = fabs(law[k].s) + 90, hits = 0;
            for (int i = 0; i < 200; i++) {              /* finds by bisection the y with F(y)^m = share */
                double y = (low + high) / 2;
                bool left = all_below(law[k].rule, law[k].s, law[k].b, law[k].m, y) < share[q];
                *(left ? &low : &high) = y;
            }
            const double score[2] = { law[k].s, low };
            for (int run = 0; run < RUNS; run++)
                hits += (double)noise_choose(o, &plain, law[k].rule, &(struct candidates){
                    .m = 2, .score = score, .b = b, .count = count }).block;
            expect_share(rule_name[law[k].rule], hits, RUNS, share[q]);
        }
        bench_free(bench);
    }
}

/* There are 2^40 candidates with score 0, and one with score b log(2^40 / 3): by softmax the odds are 3 to 1. */
static void test_huge_gumbel(void **state)
{
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 160);
    const double b[2] = { 0.5, 0.5 }, count[2] = { 0x1p40, 1 };
    const double score[2] = { 0, 0.5 * log(0x1p40 / 3) };
    double hits = 0;
    for (int run = 0; run < RUNS; run++)
        hits += noise_choose(o, &plain, MAX_GUMBEL, &(struct candidates){
            .m = 2, .score = score, .b = b, .count = count }).block == 0;
    expect_share("huge", hits, RUNS, 0.75);
    bench_free(bench);
}

/* The index of the winner within its block is uniform, in its high bits and in its low ones: a chi-square of 15
 * degrees above 65 has probability 3.3e-8. */
static void test_huge_index(void **state)
{
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 161);
    const double zero = 0, one = 1, count = 0x1p40;
    double high[16] = { 0 }, low[16] = { 0 }, chi[2] = { 0 };
    for (int run = 0; run < RUNS; run++) {
        long i = noise_choose(o, &plain, MAX_ABS_LAPLACE, &(struct candidates){
            .m = 1, .score = &zero, .b = &one, .count = &count }).index;
        assert_true(i >= 0 && i < 1L << 40);
        high[i >> 36]++;
        low[i & 15]++;
    }
    for (int k = 0; k < 16; k++) {
        chi[0] += pow(high[k] - RUNS / 16.0, 2) / (RUNS / 16.0);
        chi[1] += pow(low[k] - RUNS / 16.0, 2) / (RUNS / 16.0);
    }
    assert_true(chi[0] < 65 && chi[1] < 65);
    assert_true(o->counts.of[COUNT_noise_laplace] == RUNS * 0x1p40);
    bench_free(bench);
}

/* --- After the choice the released value of the winner has fresh noise, of mean size b. The noise that made it win
 * among eight equal candidates has mean size b (1 + 1/2 + ... + 1/8). */
static void test_fresh_noise(void **state)
{
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 162);
    const double score[8] = { 0 }, b[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    double sum = 0, size = 0;
    for (int run = 0; run < RUNS; run++) {
        double v = score[noise_max(o, &plain, 8, score, b, NULL)];
        noise_laplace(o, &plain, 1, 1, &v);
        sum += v;
        size += fabs(v);                                 /* |v| has mean 1 and variance 1 */
    }
    assert_true(fabs(sum) < 5.5 * sqrt(2.0 * RUNS) && fabs(size - RUNS) < 5.5 * sqrt(RUNS));
    bench_free(bench);
}

/* --- bookings and counts, and candidates that cannot win */

static void test_booked(void **state)
{
    static const enum mechanism kind[RULES] = { MECHANISM_NOISY_MAX, MECHANISM_NOISY_MAX,
                                                MECHANISM_GUMBEL_MAX, MECHANISM_EXPONENTIAL_MAX };
    const double score[4] = { 9, 1, 2, 3 }, b[4] = { 0.125, 1, 1, 1 }, w[4] = { 1, 2, 2, 2 };
    const double count[4] = { 0, 0x1p40, 7, 1 };
    for (int rule = 0; rule < RULES; rule++) {
        struct bench *real = bench_new(true), *counted = bench_new(true);
        struct bench *both[2] = { real, counted };
        struct ticket t[2];
        for (int k = 0; k < 2; k++) {
            struct oracle *o = bench_open(both[k], NULL, 5);
            o->counting = k;
            struct winner won = noise_choose(o, &plain, (enum max_rule)rule, &(struct candidates){
                .m = 4, .score = score, .b = b, .weight = w, .count = count });
            assert_true(won.block > 0);                  /* an empty block never wins */
            assert_true(!k || (won.block == 1 && won.index == 0));
            assert_int_equal(o->ledger.entries, 1);
            const struct ledger_entry *e = o->ledger.entry;
            assert_int_equal(e->mechanism, kind[rule]);
            assert_true(e->scale == 0.5 && e->sensitivity == 1);     /* the empty block has no effect on the
                                                                        entry */
            assert_true(e->dimension == (1L << 40) + 8);
            assert_true(o->counts.of[COUNT_noise_max] == 1);
            assert_true(o->counts.of[COUNT_noise_laplace] == (rule < 2 ? 0x1p40 + 8 : 0));
            assert_true(oracle_poisson(o, 0.5, &t[k]));
        }
        assert_true(t[0].count == t[1].count && t[0].serial == t[1].serial);
        assert_memory_equal(&real->o.counts, &counted->o.counts, sizeof real->o.counts);
        bench_free(real);
        bench_free(counted);
    }
}

static void test_not_numbers(void **state)
{
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 6);
    const double one[3] = { 1, 1, 1 }, none[3] = { 0, 0, 0 }, many[3] = { 5, 1, 0x1p53 };
    for (int rule = 0; rule < RULES; rule++)
        for (int k = 0; k < 2; k++) {
            struct candidates c = { .m = 3, .b = k ? one : none, .count = many };
            c.score = (double[]){ NAN, 1, NAN };
            assert_int_equal(noise_choose(o, &plain, (enum max_rule)rule, &c).block, 1);
            c.score = (double[]){ 1, INFINITY, 1 };
            assert_int_equal(noise_choose(o, &plain, (enum max_rule)rule, &c).block, 1);
            c.score = (double[]){ NAN, NAN, NAN };
            assert_int_equal(noise_choose(o, &plain, (enum max_rule)rule, &c).block, 0);
            c.score = (double[]){ -1, INFINITY, -2 };
            c.count = (const double[]){ 1, 0, 1 };       /* block 1 is empty */
            assert_true(noise_choose(o, &plain, (enum max_rule)rule, &c).block != 1);
            c.count = many;
            c.score = (double[]){ 1, 1, -INFINITY };
            c.b = none;                                  /* without noise the first of equal scores wins; by |score|
                                                            it is block 2, of score -infinity */
            assert_int_equal(noise_choose(o, &plain, (enum max_rule)rule, &c).block,
                             rule == MAX_ABS_LAPLACE ? 2 : 0);
        }
    bench_free(bench);
}

struct broken { struct oracle *o; enum max_rule rule; double n[2], b[2]; };

static void broken(void *ctx)
{
    const struct broken *k = ctx;
    const double score[2] = { 0, 0 };
    noise_choose(k->o, &plain, k->rule, &(struct candidates){ .m = 2, .score = score, .b = k->b,
                                                              .count = k->n });
}

static void test_broken_contracts(void **state)
{
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 6);
    struct broken k[] = {
        { o, MAX_LAPLACE, { 0, 0 }, { 1, 1 } },    { o, MAX_LAPLACE, { 1.5, 1 }, { 1, 1 } },
        { o, MAX_LAPLACE, { -1, 3 }, { 1, 1 } },   { o, MAX_LAPLACE, { NAN, 3 }, { 1, 1 } },
        { o, MAX_LAPLACE, { 1, 0x1p54 }, { 1, 1 } }, { o, MAX_LAPLACE, { 1, 1 }, { 1, -1 } },
        { o, MAX_LAPLACE, { 1, 1 }, { NAN, 1 } },  { o, MAX_GUMBEL, { 1, 1 }, { 1, 1.01 } },
        { o, MAX_EXPONENTIAL, { 1, 1 }, { 1, 2 } }, { o, MAX_GUMBEL, { 1, 2 }, { 3, 3 } } };
    for (int i = 0; i < 10; i++)
        assert_int_equal(aborts(broken, &k[i], NULL, 0), i < 8);
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_2_rules), cmocka_unit_test(s7_2_expansion),
        cmocka_unit_test(s7_2_probabilities), cmocka_unit_test(test_names),
        cmocka_unit_test(s7_2_reduced_maximum), cmocka_unit_test(test_huge_gumbel),
        cmocka_unit_test(test_huge_index),
        cmocka_unit_test(test_fresh_noise), cmocka_unit_test(test_booked),
        cmocka_unit_test(test_not_numbers), cmocka_unit_test(test_broken_contracts),
    };
    return cmocka_run_group_tests_name("noisy max", tests, NULL, NULL);
}

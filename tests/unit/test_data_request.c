/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data_request.c - held-out records and scaling, compared with their definitions on the whole file. */
#include "support/data_files.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "rng.h"

enum { N = 203, D = 7 };

/* Writes a CSV file of N records: the label is the record's number; column 3 is constant, column 5 mostly 0,
 * columns 1 and 6 have very different sizes. libsvm: the same data in that format. */
static struct path numbered(bool libsvm)
{
    struct rng r = rng_stream(5);
    static char text[N * D * 40];
    size_t n = 0;
    for (int i = 0; i < N; i++) {
        n += (size_t)sprintf(text + n, "%d", i);
        for (int j = 0; j < D; j++) {
            double v = rng_normal(&r) * (j == 1 ? 1e-6 : j == 6 ? 1e6 : 1) + j;
            v = j == 3 ? 0.1 : j == 5 && i % 9 ? 0 : v;
            if (!libsvm)
                n += (size_t)sprintf(text + n, ",%.17g", v);
            else if (v != 0)
                n += (size_t)sprintf(text + n, " %d:%.17g", j + 1, v);
        }
        n += (size_t)sprintf(text + n, "\n");
    }
    return written(text, n, false);
}

/* The held-out records and the others together contain each record once, in the order of the file, with unchanged
 * entries. */
static void split_is_a_partition(void **state)
{
    for (int libsvm = 0; libsvm < 2; libsvm++) {
        struct path p = numbered(libsvm);
        const struct table *all = load_as((struct data_request){ .data = p.text });
        struct data_request q = { .data = p.text, .test = 0.3, .split = 17 };
        const struct table *part[2] = { load_as(q) };
        q.heldout = true;
        part[1] = load_as(q);
        assert_int_equal(part[1]->n, 61);                    /* 0.3 * 203 = 60.9 */
        assert_int_equal(part[0]->n, N - 61);
        int seen[N] = { 0 };
        for (int k = 0; k < 2; k++) {
            double *a = matrix(part[k]), *whole = matrix(all);
            assert_int_equal(part[k]->d, D);
            long nonzeros = 0;
            for (long i = 0; i < part[k]->n; i++) {
                long at = (long)part[k]->label[i];
                seen[at]++;
                assert_true(i == 0 || at > part[k]->label[i - 1]);
                assert_memory_equal(a + i * D, whole + at * D, D * sizeof *a);
                for (int j = 0; j < D; j++)
                    nonzeros += a[i * D + j] != 0;
            }
            assert_int_equal(nonzeros, part[k]->nonzeros);
            test_free(a);
            test_free(whole);
        }
        for (int i = 0; i < N; i++)
            assert_int_equal(seen[i], 1);
        assert_ptr_equal(part[1], load_as(q));               /* the table was loaded once */
        q.split = 18;
        const struct table *other = load_as(q);
        assert_memory_not_equal(other->label, part[1]->label, 61 * sizeof(double));
    }
}

/* Where two of five records are held out, all ten pairs are equally frequent over many seeds. Chi-square with 9
 * degrees of freedom is above its 1 - 1e-6 quantile once in a million sets of seeds. */
static void every_split_is_equally_likely(void **state)
{
    enum { SEEDS = 4000 };
    struct path p = written("0,1\n1,1\n2,1\n3,1\n4,1\n", 20, false);
    double count[5][5] = { { 0 } }, chi_square = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
        const struct table *t = load_as((struct data_request){ .data = p.text, .test = 0.4,
                                                               .split = seed, .heldout = true });
        assert_int_equal(t->n, 2);
        count[(int)t->label[0]][(int)t->label[1]]++;
    }
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            chi_square += pow(count[i][j] - SEEDS / 10.0, 2) / (SEEDS / 10.0);
    assert_true(chi_square < gsl_cdf_chisq_Pinv(1 - 1e-6, 9));
}

/* Means and deviations of the records that are not held out are computed here in long double by two passes. */
static void zscores(void **state)
{
    for (int libsvm = 0; libsvm < 2; libsvm++)
        for (int split = 0; split < 2; split++) {
            struct path p = numbered(libsvm);
            struct data_request q = { .data = p.text, .test = split ? 0.25 : 0, .split = 3 };
            const struct table *raw = load_as(q);
            double *a = matrix(raw);
            long double mean[D] = { 0 }, sd[D] = { 0 };
            for (long k = 0; k < raw->n * D; k++)
                mean[k % D] += a[k] / (long double)raw->n;
            for (long k = 0; k < raw->n * D; k++)
                sd[k % D] += (a[k] - mean[k % D]) * (a[k] - mean[k % D]) / (long double)raw->n;
            test_free(a);
            for (int heldout = 0; heldout <= split; heldout++) {
                q.heldout = heldout;
                q.scaling = "none";
                a = matrix(load_as(q));
                q.scaling = "zscore";
                const struct table *t = load_as(q);
                assert_non_null(t->dense);
                assert_int_equal(t->constant, 1);
                for (long k = 0; k < t->n * D; k++) {
                    long double z = k % D == 3 ? 0 : (a[k] - mean[k % D]) / sqrtl(sd[k % D]);
                    assert_true(fabsl(t->dense[k] - z) <= 1e-12L * (1 + fabsl(z)) +
                                1e-15L * (fabsl(mean[k % D]) / sqrtl(sd[k % D])));
                }
                test_free(a);
            }
        }
}

/* A column that varies only among the held-out records counts as constant, as the scaling is computed from the
 * other records. */
static void constant_among_the_scaled_records(void **state)
{
    char text[400];
    size_t n = 0;
    struct data_request q = { .test = 0.5, .split = 1, .heldout = true };
    for (int i = 0; i < 10; i++)
        n += (size_t)sprintf(text + n, "%d,%d,1\n", i, i);
    struct path first = written(text, n, false);
    q.data = first.text;
    const struct table *held = load_as(q);
    n = 0;
    for (int i = 0, k = 0; i < 10; i++) {
        bool is_held = k < held->n && held->label[k] == i;
        k += is_held;
        n += (size_t)sprintf(text + n, "%d,%d,%d\n", i, i, is_held ? i : 50);
    }
    struct path p = written(text, n, false);
    q.data = p.text;
    q.scaling = "zscore";
    for (int heldout = 0; heldout < 2; heldout++) {
        q.heldout = heldout;
        const struct table *t = load_as(q);
        assert_int_equal(t->constant, 1);
        for (long i = 0; i < t->n; i++)
            assert_true(t->dense[2 * i + 1] == 0);
        assert_int_equal(t->nonzeros, 5);
    }
}

static void unit_rows(void **state)
{
    static const char text[] = "1 1:3 4:4\n2\n"
                               "3 2:-1e300 3:1e300\n4 1:1e-320\n5 1:0.1 2:0.2 3:-0.3 4:1\n";
    struct path p = written(text, sizeof text - 1, false);
    const struct table *t = load_as((struct data_request){ .data = p.text, .scaling = "unit" });
    double *a = matrix(t), h = sqrt(0.5), root = sqrt(0.01 + 0.04 + 0.09 + 1);
    const double full[5][4] = { { 0.6, 0, 0, 0.8 }, { 0 }, { 0, -h, h, 0 }, { 1, 0, 0, 0 },
                                { 0.1 / root, 0.2 / root, -0.3 / root, 1 / root } };
    for (int k = 0; k < 20; k++)
        assert_true(fabs(a[k] - (&full[0][0])[k]) <= 4e-16);
    test_free(a);
    /* the table is made dense after the choice of records */
    p = numbered(false);
    t = load_as((struct data_request){ .data = p.text, .scaling = "unit", .test = 0.5,
                                       .heldout = true });
    assert_non_null(t->dense);
    for (long i = 0; i < t->n; i++) {
        double square = 0;
        for (int j = 0; j < D; j++)
            square += t->dense[i * D + j] * t->dense[i * D + j];
        assert_true(fabs(square - 1) <= 1e-14);
    }
}

static void bad_requests(void **state)
{
    struct path p = written("1,2\n3,4\n5,7\n", 12, false);
    struct path wide = written("1 1:1\n1 134217728:1\n", 20, false);
    struct path huge = written("1,1e200\n2,-1e200\n", 17, false);
    const struct { struct data_request q; const char *reason; } bad[] = {
        { { p.text, .scaling = "log" }, "scaling 'log': expected none, zscore or unit" },
        { { p.text, .test = 1 }, "test = 1: expected a share in [0,1)" },
        { { p.text, .test = -0.1 }, "test = -0.1: expected a share" },
        { { p.text, .test = NAN }, "test = nan: expected a share" },
        { { p.text, .test = 0.1 }, "test = 0.1 of 3 records: expected a share that leaves" },
        { { p.text, .test = 0.9 }, "test = 0.9 of 3 records: expected a share that leaves" },
        { { p.text, .heldout = true }, "test = 0 of 3 records: expected a share that leaves" },
        { { p.text, .test = 0.5, .split = -1 }, "split = -1: expected a seed from 0" },
        { { wide.text, .scaling = "zscore" }, "zscore would fill a sparse table" },
        { { huge.text, .scaling = "zscore" }, "expected entries whose squares are" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        expect_refused(bad[k].q, bad[k].reason);
    assert_int_equal(load_as((struct data_request){ p.text, .scaling = "zscore" })->constant, 0);
    assert_int_equal(load_as((struct data_request){ wide.text, .scaling = "unit" })->n, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_is_a_partition), cmocka_unit_test(every_split_is_equally_likely),
        cmocka_unit_test(zscores), cmocka_unit_test(constant_among_the_scaled_records),
        cmocka_unit_test(unit_rows), cmocka_unit_test(bad_requests),
    };
    return cmocka_run_group_tests_name("data_request", tests, setup, teardown);
}

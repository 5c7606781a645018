/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_fft.c - the discrete Fourier transform, compared with its definition, summed in extended precision,
 * and with that of the GSL, with which it agrees to the bit. */
#include "contract/contract.h"

#include <complex.h>
#include <gsl/gsl_fft_complex.h>

#include "privacy/account_fft.h"

enum { SHORT = 128, LONG = 1 << 15 };

static void fill(long n, double *z)
{
    struct rng r = rng_stream((uint64_t)n);
    rng_normals(&r, 2 * n, 1, z);
}

/* *z <- the transform of the numbers that `fill` gives, in memory of a. */
static void transformed(struct arena *a, long n, bool back, double **z)
{
    struct account_fft *f = account_fft_new(n, a);
    *z = arena_vec(a, 2 * n);
    fill(n, *z);
    account_fft_run(f, back, z);
}

static void test_definition(void **state)
{
    for (long n = 4; n <= SHORT; n *= 2)
        for (int back = 0; back < 2; back++) {
            struct arena *a = arena_new(0);
            double in[2 * SHORT], *z;
            fill(n, in);
            transformed(a, n, back, &z);
            for (long k = 0; k < n; k++) {
                long double complex sum = 0;
                for (long j = 0; j < n; j++)
                    sum += (in[2 * j] + in[2 * j + 1] * 1.0iL) *
                           cexpl((back ? 2 : -2) * acosl(-1) * (long double)(j * k % n) / (long double)n * 1.0iL);
                sum /= back ? n : 1;
                expect_near("real part", z[2 * k], (double)creall(sum), 1e-14 * (double)n);
                expect_near("imaginary part", z[2 * k + 1], (double)cimagl(sum), 1e-14 * (double)n);
            }
            arena_free(a);
        }
}

static void test_bits(void **state)
{
    for (long n = 4; n <= LONG; n *= 2)
        for (int back = 0; back < 2; back++) {
            struct arena *a = arena_new(0);
            double *truth = arena_vec(a, 2 * n), *z;
            gsl_fft_complex_wavetable *table = gsl_fft_complex_wavetable_alloc((size_t)n);
            gsl_fft_complex_workspace *work = gsl_fft_complex_workspace_alloc((size_t)n);
            fill(n, truth);
            (back ? gsl_fft_complex_inverse : gsl_fft_complex_forward)(truth, 1, (size_t)n, table, work);
            transformed(a, n, back, &z);
            for (long k = 0; k < 2 * n; k++)
                if (z[k] != truth[k])
                    fail_msg("n = %ld: number %ld is %.17g, expected %.17g", n, k, z[k], truth[k]);
            gsl_fft_complex_wavetable_free(table);
            gsl_fft_complex_workspace_free(work);
            arena_free(a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_definition), cmocka_unit_test(test_bits) };
    return cmocka_run_group_tests_name("account_fft", tests, NULL, NULL);
}

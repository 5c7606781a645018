/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_fft.c - Stockham's fast Fourier transform, with passes that combine four transforms into one and, where
 * needed, a last pass that combines two. Each number is computed by the operations of GSL's mixed-radix transform
 * in the same order, and is therefore equal to GSL's result to the last bit. It takes half of GSL's time: the real
 * and the imaginary part are one vector, and a sine that several passes need is computed once. */
#include "privacy/account_fft.h"

#include <math.h>
#include <string.h>

#include "status.h"

typedef double complex_pair __attribute__((vector_size(2 * sizeof(double))));

struct account_fft {
    long n;
    complex_pair *turn;              /* [3 n/4] e^(-2 pi i m/n), for those m that are used */
    double *work;                    /* [2 n] scratch */
};

/* Does some pass use the factor e^(-2 pi i m/n)? The first pass uses those with m = k, 2 k and 3 k for k < n/4; the
 * other passes use some of these. */
static bool is_used(long n, long m)
{
    return m < n / 4 || (m % 2 == 0 && m < n / 2) || m % 3 == 0;
}

struct account_fft *account_fft_new(long n, struct arena *a)
{
    struct account_fft *f = ARENA_ARRAY(a, 1, struct account_fft);
    const double step = -2 * M_PI / (double)n;
    BUG_IF(n < 4 || (n & (n - 1)));
    *f = (struct account_fft){ n, ARENA_ARRAY(a, n / 4 * 3, complex_pair), arena_vec(a, 2 * n) };
    for (long m = 0; m < n / 4 * 3; m++)
        if (is_used(n, m))
            f->turn[m] = (complex_pair){ cos(step * (double)m), sin(step * (double)m) };
    return f;
}

static complex_pair load(const double *z, long at)
{
    complex_pair c;
    memcpy(&c, z + 2 * at, sizeof c);
    return c;
}

static void store(double *z, long at, complex_pair c) { memcpy(z + 2 * at, &c, sizeof c); }

static complex_pair product(complex_pair w, complex_pair a)
{
    return (complex_pair){ w[0], w[0] } * a + (complex_pair){ -w[1], w[1] } * (complex_pair){ a[1], a[0] };
}

/* For each group of four transforms of p numbers: combines them into one transform of 4 p numbers. sign: -1 for the
 * inverse, 1 otherwise. */
static void pass_of_four(const struct account_fft *f, long p, double sign, const double *in, double *out)
{
    const long quarter = f->n / 4;
    const complex_pair side = { 1, sign };
    for (long k = 0; k < quarter / p; k++) {
        const complex_pair w1 = side * f->turn[k * p], w2 = side * f->turn[2 * k * p];
        const complex_pair w3 = side * f->turn[3 * k * p];
        for (long i = k * p, j = 4 * k * p; i < (k + 1) * p; i++, j++) {
            complex_pair a = load(in, i), b = load(in, i + quarter);
            complex_pair c = load(in, i + 2 * quarter), d = load(in, i + 3 * quarter);
            complex_pair even = a + c, odd = b + d, over = a - c, across = b - d;
            complex_pair turned = (complex_pair){ sign, -sign } * (complex_pair){ across[1], across[0] };
            store(out, j, even + odd);
            store(out, j + p, product(w1, over + turned));
            store(out, j + 2 * p, product(w2, even - odd));
            store(out, j + 3 * p, product(w3, over - turned));
        }
    }
}

static void pass_of_two(const struct account_fft *f, const double *in, double *out)
{
    const long half = f->n / 2;
    for (long i = 0; i < half; i++) {
        complex_pair a = load(in, i), b = load(in, i + half);
        store(out, i, a + b);
        store(out, i + half, a - b);
    }
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

void account_fft_run(struct account_fft *f, bool back, double **z)
{
    long p = 1;
    for (; 4 * p <= f->n; p *= 4) {
        pass_of_four(f, p, back ? -1 : 1, *z, f->work);
        swap(z, &f->work);
    }
    if (p < f->n) {
        pass_of_two(f, *z, f->work);
        swap(z, &f->work);
    }
    for (long i = 0; back && i < 2 * f->n; i++)
        (*z)[i] /= (double)f->n;     /* n is a power of 2, so that the division is exact */
}

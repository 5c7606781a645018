/* SPDX-License-Identifier: GPL-3.0-or-later */
/* squares.h - least squares on a small table whose values tests have at hand, as an instance of erm. */
#ifndef ASSAY_TESTS_SQUARES_H
#define ASSAY_TESTS_SQUARES_H

#include "support/method.h"

enum { N = 20, P = 4 };
static double X[N][P], label[N];
static char path[] = "/tmp/assay-cd-XXXXXX";

static inline int begin(void **state)
{
    struct rng r = rng_stream(70);
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    for (int i = 0; i < N; i++) {
        label[i] = 3 * rng_normal(&r);
        fprintf(f, "%.17g", label[i]);
        for (int j = 0; j < P; j++)
            fprintf(f, " %d:%.17g", j + 1, X[i][j] = (1 + j) * rng_normal(&r));
        fprintf(f, "\n");
    }
    assert_int_equal(fclose(f), 0);
    return setup(state);
}

static inline int end(void **state)
{
    remove(path);
    return teardown(state);
}

/* Returns least squares with the two regularisers l2 and l1 in the simple part. */
static inline struct instance squares(double l2, double l1)
{
    return INSTANCE(memory, "erm", { "data", 0, path }, { "loss", 0, "squares" },
                    { "prox", 0, "all" }, { "l2", l2 }, { "l1", l1 });
}

static inline double column_square(int j)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += X[i][j] * X[i][j] / N;
    return sum;
}

/* Returns the mean over the records of their derivatives in x_j, each clipped to [-C, C]. */
static inline double clipped(int j, const double *x, double C)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double s = -label[i];
        for (int k = 0; k < P; k++)
            s += X[i][k] * x[k];
        sum += fmax(-C, fmin(C, s * X[i][j])) / N;
    }
    return sum;
}

#endif

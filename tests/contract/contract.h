/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract.h - helpers of the contract tests: for each paper, one method is written against harness/api alone and
 * compared with the formulas of the paper.
 *
 * z-tests are two-sided at 6 sigma, 2e-9 each. No program makes more than 200 of them, so that its probability
 * of a false alarm is below 4e-7. */
#ifndef ASSAY_TESTS_CONTRACT_H
#define ASSAY_TESTS_CONTRACT_H

#include <stdlib.h>
#include <unistd.h>

#include "support/instances.h"
#include "oracle/oracle_state.h"

static const double Z = 6;

/* Opens an oracle over an instance for the calls that *algo declares; algo NULL: for all calls. The data of the
 * instance come from data seed 1. */
static inline void contract_open(struct oracle *o, const struct instance *in,
                                 const struct algo *algo, uint64_t seed, struct arena *a)
{
    struct rng data = instance_data(1);
    oracle_open(o, in->p, in->self, &in->f, algo ? algo->calls : ~0u, &data, seed, a);
}

static inline void expect_near(const char *what, double value, double truth, double tolerance)
{
    if (!(fabs(value - truth) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g +- %g", what, value, truth, tolerance);
}

static inline void expect_vectors(const char *what, long d, const double *v, const double *truth,
                                  double tolerance)
{
    double worst = 0;
    for (long j = 0; j < d; j++)
        worst = fabs(v[j] - truth[j]) <= worst ? worst : fabs(v[j] - truth[j]);
    if (!(worst <= tolerance))
        fail_msg("%s: differs by %g, expected at most %g", what, worst, tolerance);
}

static inline void expect_count(const struct oracle *o, enum count kind, double truth)
{
    if (o->counts.of[kind] != truth)
        fail_msg("%s: %.17g, expected %.17g", count_name(kind), o->counts.of[kind], truth);
}

/* Asserts that all counts of two runs are equal. */
static inline void expect_same_counts(const struct oracle *o, const struct oracle *truth)
{
    for (int k = 0; k < COUNT_KINDS; k++)
        expect_count(o, (enum count)k, truth->counts.of[k]);
}

/* Mean and sum of squared deviations of n values, which moments_of updates value by value (Welford). */
struct sample_moments { double n, mean, square; };

static inline void moments_of(struct sample_moments *m, double v)
{
    double step = v - m->mean;
    m->n++;
    m->mean += step / m->n;
    m->square += step * (v - m->mean);
}

static inline double moments_variance(const struct sample_moments *m)
{
    return m->square / (m->n - 1);
}

static inline void expect_mean(const char *what, const struct sample_moments *m, double truth)
{
    expect_near(what, m->mean, truth, Z * sqrt(moments_variance(m) / m->n) + 1e-13 * fabs(truth));
}

/* path <- the file of the data set dorothea in the folder ASSAY_SHARED (without this variable, in ../shared) or, if
 * there is none, a new temporary file of the shape of dorothea: 800 records of 100000 columns with 0.9% ones.
 * Returns true if the caller must remove the file. */
static inline bool contract_wide_data(char *path, size_t size)
{
    const char *shared = getenv("ASSAY_SHARED");
    struct rng r = rng_stream(51);
    snprintf(path, size, "%s/data/dorothea/dorothea.libsvm",
             shared ? shared : SOURCE_DIR "/../shared");
    if (access(path, R_OK) == 0)
        return false;
    printf("%s is absent: a file of its shape takes its place\n", path);
    snprintf(path, size, "/tmp/assay-wide-XXXXXX");
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    for (int i = 0; i < 800; i++) {
        fprintf(f, i % 10 ? "-1" : "+1");
        for (long j = 0; (j += 1 + (long)(log(rng_uniform(&r)) / log1p(-0.009))) <= 100000;)
            fprintf(f, " %ld:1", j);
        fprintf(f, "\n");
    }
    assert_int_equal(fclose(f), 0);
    return true;
}

#endif

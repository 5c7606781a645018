/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one_pass.h - for the tests of one-pass private methods: a quadratic, T batches of B records, and the noise of the
 * method, drawn once more by a twin oracle. */
#ifndef ASSAY_TESTS_ONE_PASS_H
#define ASSAY_TESTS_ONE_PASS_H

#include "support/method.h"

enum { D = 7, B = 5, T = 13 };

static inline struct instance outside(double s)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", s }, { "decades", 2 }, { "rr", 1.4 });
}

/* Without a stream, N[D] += a vector of independent noise; with one, N[D] <- the noise of its next prefix. Both
 * are as an oracle of the same seed draws them. */
static inline void next_noise(struct oracle *twin, struct prefix *stream, double sigma, double *N)
{
    const struct release r = { .site = "twin" };
    if (!stream) {
        noise_gaussian(twin, &r, sigma, D, N);
        return;
    }
    vec_zero(D, N);
    prefix_release(stream, &r, sigma, N);
}

static inline struct prefix *stream_of(struct oracle *twin, const char *noise)
{
    enum prefix_kind kind = strcmp(noise, "root") ? PREFIX_TREE : PREFIX_ROOT;
    return strcmp(noise, "independent") ? noise_prefix(twin, memory, kind, T, D) : NULL;
}

#endif

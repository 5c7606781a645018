/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_random.c - normals, beside the ziggurat of GSL on its Mersenne twister. */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>

#include "gbench.h"
#include "rng.h"

enum { D = 256 };

struct draws { struct rng rng; gsl_rng *peer; double x[D]; };
static struct draws draws;

static void normals(void *p, long iterations)
{
    struct draws *v = p;
    for (long k = 0; k < iterations; k++)
        rng_normals(&v->rng, D, 1, v->x);
}

static void ziggurat(void *p, long iterations)
{
    struct draws *v = p;
    for (long k = 0; k < iterations; k++)
        for (int j = 0; j < D; j++)
            v->x[j] = gsl_ran_gaussian_ziggurat(v->peer, 1);
}

/* Mean and variance of what was drawn, at six standard errors. */
static int normal(struct draws *v, void (*draw)(void *, long))
{
    double sum = 0, square = 0, n = 1000.0 * D;
    for (int k = 0; k < 1000; k++) {
        draw(v, 1);
        for (int j = 0; j < D; j++) {
            sum += v->x[j];
            square += v->x[j] * v->x[j];
        }
    }
    return !(fabs(sum / sqrt(n)) < 6 && fabs(square / n - 1) < 6 * sqrt(2 / n));
}

static int normals_right(void *p)  { return normal(p, normals); }
static int ziggurat_right(void *p) { return normal(p, ziggurat); }

static void begin(void)
{
    draws.rng = rng_stream(1);
    draws.peer = gsl_rng_alloc(gsl_rng_mt19937);
    if (!draws.peer)
        abort();
}

static void end(void)
{
    gsl_rng_free(draws.peer);
}

static const struct gbench_case cases[] = {
    { "normals", "256", &draws, normals, normals_right, .bytes = 8 * D, .written = 8 * D,
      .items = D, .working_set = 8 * D, .peer = "ziggurat, GSL" },
    { "ziggurat, GSL", "256", &draws, ziggurat, ziggurat_right, .bytes = 8 * D, .written = 8 * D,
      .items = D, .working_set = 8 * D },
    { 0 }
};

const struct gbench_group bench_random = { "random", cases, begin, end };

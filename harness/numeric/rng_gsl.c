/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rng_gsl.c - the type of gsl_rng whose state is a struct rng. */
#include "rng_gsl.h"

static unsigned long get(void *state)
{
    return rng_u32(state);
}

static double get_double(void *state)
{
    return rng_uniform(state);
}

static void set(void *state, unsigned long seed)
{
    *(struct rng *)state = rng_stream(seed);
}

static const gsl_rng_type philox = {
    .name = "assay-philox4x32", .max = 0xffffffffUL, .min = 0, .size = sizeof(struct rng),
    .set = set, .get = get, .get_double = get_double,
};

gsl_rng *rng_gsl_view(struct rng_gsl *view, struct rng *r)
{
    view->gsl = (gsl_rng){ .type = &philox, .state = r };
    return &view->gsl;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rng_gsl.h - a stream seen as a gsl_rng, for problem families and the harness's statistics. */
#ifndef ASSAY_RNG_GSL_H
#define ASSAY_RNG_GSL_H

#include <gsl/gsl_rng.h>
#include "rng.h"

/* A gsl_rng that draws from r; view and r must outlive it. Nothing is allocated. */
struct rng_gsl { gsl_rng gsl; };
gsl_rng *rng_gsl_view(struct rng_gsl *view, struct rng *r);

#endif

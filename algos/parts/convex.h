/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convex.h - refusals of methods that are private only where the losses are convex. Sample losses are taken to be
 * convex where the objective is (fact weak = 0). */
#ifndef ASSAY_PARTS_CONVEX_H
#define ASSAY_PARTS_CONVEX_H

#include "algo.h"

/* Refuses unless every loss is convex and L-Lipschitz, L finite. It reads the facts weak and L. Clipping is no
 * substitute, since clipped gradients are not those of a convex loss. */
static inline enum status convex_lipschitz(const struct facts *f, const char *who, struct why *why)
{
    if (!(f->weak == 0))
        return why_set(why, REFUSED, "%s is private only for convex losses: fact weak must be 0, "
                       "not %g", who, f->weak);
    if (!(f->L < INFINITY))
        return why_set(why, REFUSED, "%s does not clip: its privacy needs L, not L = %g", who,
                       f->L);
    return OK;
}

/* Refuses as convex_lipschitz does, and unless step <= 2/M: then a gradient step of length `step` moves no two
 * points apart (Feldman, Koren, Talwar 2020, Proposition 2.10). It also reads the fact M. */
static inline enum status non_expansive(const struct facts *f, double step, const char *who,
                                        struct why *why)
{
    TRY(convex_lipschitz(f, who, why));
    if (!(f->M < INFINITY))
        return why_set(why, REFUSED, "%s is private only for smooth losses: it needs M, not M = %g",
                       who, f->M);
    if (!(step * f->M <= 2))
        return why_set(why, REFUSED, "%s is private only for steps of at most 2/M = %g, not %g",
                       who, 2 / f->M, step);
    return OK;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capped.h - a hard budget for what has a bounded mean cost: a method that is right with probability
 * p and asks E n <= C gradients is ended after (2/p) C of them. By Markov's inequality that happens
 * with probability at most p/2, so that it is right with probability p/2 at least (Asi, Carmon,
 * Jambulapati, Jin, Sidford 2021, Appendix A.3). */
#ifndef ASSAY_PARTS_CAPPED_H
#define ASSAY_PARTS_CAPPED_H

#include "algo.h"

struct capped {
    bool (*grad)(void *ctx, const double *x, double *h);
    void *ctx;
    double left;                     /* gradients; infinite: no cap */
    bool ended;
};

/* A gradient source; ctx is a struct capped. false: the cap or the budget is reached. */
static inline bool capped_grad(void *ctx, const double *x, double *h)
{
    struct capped *c = ctx;
    if (c->left < 1) {
        c->ended = true;
        return false;
    }
    c->left--;
    return c->grad(c->ctx, x, h);
}

#endif

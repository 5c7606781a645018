/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capped.h - a hard budget for a method of bounded expected cost. A method that is right with probability p and
 * asks for at most C gradients in expectation is ended after (2/p) C gradients. By Markov's inequality this happens
 * with probability at most p/2, so that the method with the budget is right with probability at least p/2 (Asi,
 * Carmon, Jambulapati, Jin, Sidford 2021, Appendix A.3). */
#ifndef ASSAY_PARTS_CAPPED_H
#define ASSAY_PARTS_CAPPED_H

#include "algo.h"

struct capped {
    bool (*grad)(void *ctx, const double *x, double *h);     /* the source of gradients without the cap */
    void *ctx;
    double left;                     /* gradients that are left; infinite: no cap */
    bool ended;                      /* a gradient was asked for when none was left */
};

/* h[d] <- a sample gradient at x. ctx is a struct capped. Returns false if the cap of the method or the budget of
 * the run is reached. */
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

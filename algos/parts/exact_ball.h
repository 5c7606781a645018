/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_ball.h - an exact ball optimisation oracle for F whose proximal step is known (Carmon, Jambulapati, Jin,
 * Lee, Liu, Sidford, Tian 2023, Definition 4 with the accuracy phi = 0):
 *
 *     argmin of F + (lam/2)|. - y|^2 within r of y  =  argmin of F + (nu/2)|. - y|^2,
 *
 * where nu >= lam is the least for which the right side is within r of y; the larger of lam and L/r is an upper
 * bound of nu. It is found by bisection of log nu to the last bit. A call of the oracle is one round, whatever
 * number of proximal steps it takes. If the ball binds, a call always takes EXACT_BALL_HALVINGS + 2 proximal steps.
 * A search that stopped when halving no longer moves nu could take one proximal step more or less on another
 * processor, and counts are compared exactly. */
#ifndef ASSAY_PARTS_EXACT_BALL_H
#define ASSAY_PARTS_EXACT_BALL_H

#include "algo.h"

struct exact_ball {
    struct oracle *o;
    double L, r;
};

#define EXACT_BALL_PARAMS(tag)                                                                    \
    PARAM(tag, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),                       \
    PARAM(tag, L, NAN, 1e-100, 1e100, "f/x", "Lipschitz constant; default the fact"),             \
    PARAM(tag, R, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default the fact dist"),         \
    PARAM(tag, r, NAN, 1e-100, 1e100, "x", "radius of the balls; default eps/(L sqrt d)")

/* The number of halvings after which log nu is known to the last bit of nu: the exponents of two doubles differ by
 * less than 2^11, and 53 bits follow. */
enum { EXACT_BALL_HALVINGS = 11 + 53 };
/* The time of a call of exact_ball whose ball binds, in gradients: it takes EXACT_BALL_HALVINGS + 2 proximal steps,
 * of which each takes the time of a fifth of a gradient. */
enum { EXACT_BALL_PRICE = 13 };

/* The facts that exact_ball_tune reads in addition to d. */
#define EXACT_BALL_READS                                                                          \
    (FACT_BIT(L) | FACT_BIT(dist) | FACT_BIT(M) | FACT_BIT(M_F) | FACT_BIT(M_smooth))

/* Chooses eps, L, R and r. Refuses a problem with a smooth part, since the proximal step of such a problem is that
 * of the other part alone. */
static inline enum status exact_ball_tune(const struct facts *f, const struct goal *goal,
                                          const char *who, double *eps, double *L, double *R,
                                          double *r, struct why *why)
{
    param_choose(eps, goal->acc);
    param_choose(L, f->L);
    param_choose(R, f->dist);
    if (isnan(*eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(*L > 0 && *L < INFINITY && *R > 0 && *R < INFINITY))
        return why_set(why, REFUSED, "%s relies on an L-Lipschitz F and |x_0 - x*| <= R: L = %g, "
                       "R = %g", who, *L, *R);
    if (!isnan(f->M) || !isnan(f->M_F) || !isnan(f->M_smooth))
        return why_set(why, REFUSED, "%s relies on proximal steps of all of F, not of what is left "
                       "beside a smooth part", who);
    param_choose(r, *eps / (*L * sqrt(f->d)));
    if (!(*r <= *R))
        return why_set(why, REFUSED, "%s: r = %g: expected at most R = %g", who, *r, *R);
    return OK;
}

static inline bool exact_ball_beyond(const struct exact_ball *b, double nu, const double *y,
                                     double *x)
{
    oracle_prox(b->o, 1 / nu, y, x);
    return vec_dist(oracle_dim(b->o), x, y) > b->r;
}

/* x[d] <- the minimiser of F + (lam/2)|. - y|^2 within r of y; x and y do not overlap, lam > 0. ctx is a struct
 * exact_ball. Returns false if the budget is spent. */
static inline bool exact_ball(void *ctx, double lam, const double *y, double *x)
{
    const struct exact_ball *b = ctx;
    double low = lam, high = fmax(lam, b->L / b->r);

    if (!oracle_charge(b->o, COUNT_batch_steps, 1))
        return false;
    oracle_depth(b->o, 1);
    if (!exact_ball_beyond(b, lam, y, x))
        return true;
    for (int k = 0; k < EXACT_BALL_HALVINGS; k++) {
        double nu = fmin(fmax(sqrt(low) * sqrt(high), low), high);
        *(exact_ball_beyond(b, nu, y, x) ? &low : &high) = nu;
    }
    exact_ball_beyond(b, high, y, x);
    return true;
}

#endif

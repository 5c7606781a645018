/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prox_slide.h - the inner loop of gradient sliding (Lan, Math. Prog. 159 (2016), the procedure PS):
 * T stochastic subgradient steps on  <l, u> + f(u) + (beta/2)|u - c|^2  over a convex set X, from
 * the centre c, t = 1 ... T:
 *
 *     p = t/2,  theta = 2(t+1)/(t(t+3)),  E h a subgradient of f at u
 *     u  <- P_X( (beta c + beta p u - l - h)/(beta (1 + p)) )
 *     ut <- (1 - theta) ut + theta u
 *
 * ut is the weighted mean of the points u, the t-th with weight 2(t+1)/(T(T+3)). ut enters the answer of gradient
 * sliding; u is the next centre c. */
#ifndef ASSAY_PARTS_PROX_SLIDE_H
#define ASSAY_PARTS_PROX_SLIDE_H

#include "algo.h"

struct prox_slide {
    struct oracle *o;
    double R;                        /* R finite: X is the ball |x| <= R; NaN: X is the feasible set */
    double *h, *start, *pull;        /* [d] the gradient h; the centre c; c - l/beta */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void prox_slide_reserve(struct prox_slide *s, struct arena *w)
{
    s->h = arena_vec(w, oracle_dim(s->o));
    s->start = arena_vec(w, oracle_dim(s->o));
    s->pull = arena_vec(w, oracle_dim(s->o));
}

/* Makes T >= 1 steps: u[d] holds c on entry and the last u on return; ut[d] <- the weighted mean. Returns false if
 * the budget is spent; u is then c again. */
static inline bool prox_slide(struct prox_slide *s, const double *l, double beta, double T, double *u,
                              double *ut)
{
    long d = oracle_dim(s->o);
    struct vec_step step;
    double mean = 0;                 /* the weight of u in ut, which the next step adds */
    vec_copy(d, u, s->start);
    vec_lincomb(d, 1, u, -1 / beta, l, s->pull);
    for (double t = 1; t <= T; t++) {
        double p = t / 2, theta = 2 * (t + 1) / (t * (t + 3)), scale = 1 / (1 + p);
        if (!oracle_sgrad(s->o, 1, u, s->h)) {
            vec_copy(d, s->start, u);
            return false;
        }
        step = (struct vec_step){ 1, p * scale, -scale / beta, scale, 1 - mean, mean };
        vec_step(d, &step, s->h, s->pull, u, t > 1 ? ut : NULL);
        mean = theta;
        if (isnan(s->R))
            oracle_project(s->o, 0, u);
        else
            vec_project_ball(d, NULL, s->R, u);
        oracle_depth(s->o, 2);
    }
    vec_lincomb(d, 1 - mean, ut, mean, u, ut);
    return true;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* max_reference.h - reference optimum of F = max_i f_i over |x| <= R, R finite: f_1, ..., f_N
 * smooth, >= 0, convex and mu-strongly so. The softmax t ln sum_i exp(f_i/t) is minimised
 * (reference_ball.h) for falling t. With its weights p at x, F_p = sum_i p_i f_i <= F, so that
 *
 *     F(x) - F* <= F(x) - F_p(x) + (F_p(x) - min F_p),
 *
 * the last term at most the gap of parts/simple.h; whatever the solver did. */
#ifndef ASSAY_PARTS_MAX_REFERENCE_H
#define ASSAY_PARTS_MAX_REFERENCE_H

#include "reference_ball.h"

struct max_problem {
    long d, N;
    void (*values)(const void *self, const double *x, double *v);
    void (*add_grad)(const void *self, long i, const double *x, double a, double *g);
    const void *self;
    double mu, R;
};

struct max_softmax {
    const struct max_problem *p;
    double t;
    double *v, *weight;              /* [N] at the last point */
};

/* t ln sum_i exp(f_i(x)/t); g[d] <- its gradient. */
static double max_softmax_both(const void *ctx, const double *x, double *g)
{
    const struct max_softmax *s = ctx;
    const struct max_problem *p = s->p;
    double most = -INFINITY, sum = 0;
    p->values(p->self, x, s->v);
    for (long i = 0; i < p->N; i++)
        most = fmax(most, s->v[i]);
    for (long i = 0; i < p->N; i++)
        sum += s->weight[i] = exp((s->v[i] - most) / s->t);
    vec_zero(p->d, g);
    for (long i = 0; i < p->N; i++) {
        s->weight[i] /= sum;
        if (s->weight[i] > 0)
            p->add_grad(p->self, i, x, s->weight[i], g);
    }
    return most + s->t * log(sum);
}

/* Gap of x by the weights of temperature s->t; *F <- F(x). g[d] is scratch. */
static inline double max_gap(const struct max_softmax *s, const double *x, double *g, double *F)
{
    double mean = 0, most = -INFINITY;
    const struct simple_set set = { s->p->mu, 0, s->p->R, INFINITY };
    max_softmax_both(s, x, g);
    for (long i = 0; i < s->p->N; i++) {
        most = fmax(most, s->v[i]);
        mean += s->weight[i] * s->v[i];
    }
    *F = most;
    return fmax(0, most - mean) + simple_gap(&set, s->p->d, x, g);
}

/* From t = F(0), by tenths down to target/N: x[d] <- the best point, *F, *gap and *t that certify it;
 * a gap above the target is reported, not refused. */
static inline enum status max_reference(const struct max_problem *p, double target,
                                        struct arena *a, double *x, double *F, double *gap,
                                        double *t, struct why *why)
{
    struct max_softmax s = { p, 1, arena_vec(a, p->N), arena_vec(a, p->N) };
    const struct ball_problem ball = { p->d, max_softmax_both, &s, p->mu, 0, p->R };
    double *at = arena_vec(a, p->d), *g = arena_vec(a, p->d), first;

    vec_zero(p->d, x);
    *gap = max_gap(&s, x, g, F);
    first = *F;
    for (s.t = first / 10; *gap > target && s.t > target / (double)(10 * p->N); s.t /= 10) {
        struct ball_reference best = { arena_vec(a, p->d), NAN, INFINITY, INFINITY };
        struct ball_search b = { &ball, target / 10, 0, arena_vec(a, p->d), g, &best };
        vec_copy(p->d, x, at);
        TRY(ball_solve(&b, at, why));
        if (vec_norm(p->d, at) > p->R)
            TRY(ball_sphere(&b, at, why));
        else
            vec_copy(p->d, at, best.x);
        double value, now = max_gap(&s, best.x, g, &value);
        if (now < *gap) {
            vec_copy(p->d, best.x, x);
            *gap = now;
            *F = value;
            *t = s.t;
        }
    }
    return OK;
}

#endif

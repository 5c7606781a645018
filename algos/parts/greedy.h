/* SPDX-License-Identifier: GPL-3.0-or-later */
/* greedy.h - Gauss-Southwell scores of coordinate j at x_j. v is entry j of the gradient of the smooth part,
 * M = M_j the smoothness of this part along coordinate j, and psi the simple part (0 if the problem has none):
 *
 *     GS-s  min over xi in the subdifferential of psi_j at x_j of |v + xi| / sqrt(M)
 *     GS-r  sqrt(M) |a|,   a = prox_{psi_j/M}(x_j - v/M) - x_j
 *     GS-q  sqrt(2 q),     q = -( v a + (M/2) a^2 + psi_j(x_j + a) - psi_j(x_j) )
 *
 * (Mangold, Bellet, Salmon & Tommasi 2023, appendix C, where GS-q is q). All three are 1/sqrt(M)-Lipschitz in v;
 * for GS-q this follows from q >= (M/2) a^2 and dq/dv = -a. For psi = 0 they are |v|/sqrt(M). If a step along v
 * would not move x_j, the score is minus the distance, over sqrt(M), from v to the nearest value that would move
 * it; of several such coordinates the one with the largest score is nearest to moving. */
#ifndef ASSAY_PARTS_GREEDY_H
#define ASSAY_PARTS_GREEDY_H

#include <string.h>

#include "algo.h"

struct greedy {
    struct oracle *o;
    bool composite;
    const double *x,                 /* [d] the iterate */
                 *M_j, *root;        /* [d] the M_j > 0 and their square roots */
    double *low, *high;              /* [d] left and right slopes of psi at x, which greedy_moved updates; NULL: the
                                      * oracle is asked for them */
};

/* Updates low and high, which must not be NULL. Call it for all j before the first step, and for j after x_j
 * changed. */
static inline void greedy_moved(struct greedy *s, long j)
{
    double slope[2] = { 0, 0 };
    if (s->composite)
        oracle_rest_coord(s->o, j, s->x[j], slope);
    s->low[j] = slope[0];
    s->high[j] = slope[1];
}

typedef double (*greedy_fn)(const void *ctx, long j, double v);

/* Returns the distance of -v to the subdifferential of psi_j at x_j; negative if -v is inside. */
static inline double greedy_outside(const struct greedy *s, long j, double v)
{
    double slope[2] = { 0, 0 };
    if (s->low) {
        slope[0] = s->low[j];
        slope[1] = s->high[j];
    } else if (s->composite) {
        oracle_rest_coord(s->o, j, s->x[j], slope);
    }
    double above = v + slope[0], below = -v - slope[1];
    return above > below ? above : below;
}

static double greedy_s(const void *ctx, long j, double v)
{
    const struct greedy *s = ctx;
    return greedy_outside(s, j, v) / s->root[j];
}

/* Returns a = prox(x_j - v/M) - x_j, by which GS-r and GS-q would move x_j. The proximal step is asked for whatever
 * v is, since the number of questions is public and must not depend on the data. */
static inline double greedy_move(const struct greedy *s, long j, double v)
{
    double M = s->M_j[j], to = s->x[j] - v / M;
    return (s->composite ? oracle_prox_coord(s->o, 1 / M, j, to) : to) - s->x[j];
}

static double greedy_r(const void *ctx, long j, double v)
{
    const struct greedy *s = ctx;
    double a = greedy_move(s, j, v), out = greedy_outside(s, j, v);
    return out > 0 ? s->root[j] * fabs(a) : out / s->root[j];
}

static double greedy_q(const void *ctx, long j, double v)
{
    const struct greedy *s = ctx;
    double slope[2], a = greedy_move(s, j, v), out = greedy_outside(s, j, v);
    double q = -(v + s->M_j[j] / 2 * a) * a;
    if (out <= 0)
        return out / s->root[j];
    if (s->composite)
        q += oracle_rest_coord(s->o, j, s->x[j], slope) -
             oracle_rest_coord(s->o, j, s->x[j] + a, slope);
    return sqrt(2 * fmax(q, 0));
}

static inline greedy_fn greedy_rule(const char *name)
{
    return strcmp(name, "GS-s") == 0 ? greedy_s : strcmp(name, "GS-r") == 0 ? greedy_r : greedy_q;
}

/* In count mode: charges what GS-r and GS-q ask for at d coordinates, if the problem has a simple part. */
static inline void greedy_charge(const struct greedy *s, greedy_fn rule)
{
    if (oracle_counting(s->o) && s->composite && rule != greedy_s)
        oracle_charge(s->o, COUNT_prox_coords, (double)oracle_dim(s->o));
}

#endif

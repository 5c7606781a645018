/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfspaces.h - a body given by rows <a_i, x> <= b_i with |a_i| = 1. Rows that cannot bind any more are dropped:
 * an ellipsoid or a sample around c extends width_i from c along a_i, and the body at most factor * width_i, so
 * that a row with a larger slack b_i - <a_i, c> does not bind. */
#ifndef ASSAY_PARTS_HALFSPACES_H
#define ASSAY_PARTS_HALFSPACES_H

#include "algo.h"

struct halfspaces {
    long d, m, room;                 /* m: number of rows, at most room */
    double *A, *b;                   /* [room][d] the a_i; [room] the b_i */
    double *slack,                   /* [room] b - A c */
           *width;                   /* [room] width_i of the head */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void halfspaces_reserve(struct halfspaces *s, struct arena *w)
{
    s->A = arena_vec(w, s->room * s->d);
    s->b = arena_vec(w, s->room);
    s->slack = arena_vec(w, s->room);
    s->width = arena_vec(w, s->room);
}

/* s->slack[m] <- b - A c, the slack of every row at the point c. */
static inline void halfspaces_slack(struct halfspaces *s, const double *c)
{
    vec_copy(s->m, s->b, s->slack);
    vec_gemv(s->m, s->d, -1, s->A, c, 1, s->slack);
}

static inline void halfspaces_drop(struct halfspaces *s, long i)
{
    long last = --s->m;
    if (i == last)
        return;
    vec_copy(s->d, s->A + last * s->d, s->A + i * s->d);
    s->b[i] = s->b[last];
    s->slack[i] = s->slack[last];
    s->width[i] = s->width[last];
}

/* Drops the rows whose slack is above factor * width. If there is no room for another row, it then drops the rows
 * with the largest slack/width until there is. */
static inline void halfspaces_prune(struct halfspaces *s, double factor)
{
    for (long i = s->m - 1; i >= 0; i--)
        if (s->slack[i] > factor * s->width[i])
            halfspaces_drop(s, i);
    while (s->m >= s->room) {
        long far = 0;
        for (long i = 1; i < s->m; i++)
            if (s->slack[i] * s->width[far] > s->slack[far] * s->width[i])
                far = i;
        halfspaces_drop(s, far);
    }
}

/* Adds the row <g, x - c> <= 0, g not 0. There must be room for it. */
static inline void halfspaces_cut(struct halfspaces *s, const double *g, const double *c)
{
    double *a = s->A + s->m * s->d;
    vec_copy(s->d, g, a);
    vec_scale(s->d, 1 / vec_norm(s->d, g), a);
    s->b[s->m] = vec_dot(s->d, a, c);
    s->m++;
}

#endif

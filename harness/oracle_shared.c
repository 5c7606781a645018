/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_shared.c - clipped batches of samples that share their gradient but for one coordinate. With
 * h = sum_k a_k h(x_k) and A = sum_k a_k a sample's part is h + A v_i e_j, whose norm is known from
 * |h| and h_j: constant time a sample, whatever the dimension. */
#include "oracle_state.h"

#include <math.h>

enum { BLOCK = 256 };

struct sum {
    struct oracle *o;
    const struct batch *q;
    const double *h;
    double A, h2;                    /* |h|^2 */
    double weight;                   /* of h in the answer */
};

/* Squares that cancel or overflow say little of a norm: that sample is formed. */
static bool norm_of(const struct sum *s, double entry, double h_j, double *norm)
{
    static const double LEFT = 0.1, HUGE_SQUARE = 1e300;
    double whole = entry * entry + s->h2, square = whole + 2 * entry * h_j;
    *norm = sqrt(square);
    return whole < HUGE_SQUARE && square > LEFT * whole;
}

static void add(struct sum *s, long record, double w, long j, double v)
{
    const struct neighbour *other = &s->o->neighbour;
    double norm, lost = 0, entry = s->A * v;
    bool same = other->kind == NEIGHBOUR_SAME || (neighbour_record(other, record) == record &&
                                                  neighbour_sign(other, record) > 0);
    if (!same || !norm_of(s, entry, s->h[j], &norm)) {
        oracle_one_sample(s->o, s->q, record, w);
        return;
    }
    if (norm > s->q->C) {
        lost = norm - s->q->C;
        w *= s->q->C / norm;
    }
    oracle_clip_seen(s->o, norm, lost);
    s->weight += w;
    s->q->g[j] += w * entry;
}

/* h has the oracle's `sum` for itself: families of this kind have samples of their own. */
static struct sum common_of(struct oracle *o, const struct batch *q)
{
    struct sum s = { .o = o, .q = q, .h = o->sum };
    vec_zero(o->d, o->sum);
    for (int p = 0; p < q->points; p++) {
        double a = q->a ? q->a[p] : 1;
        o->problem->shared->common(o->self, q->x[p], a, o->sum);
        s.A += a;
    }
    s.h2 = vec_dot(o->d, s.h, s.h);
    return s;
}

void oracle_shared_batch(struct oracle *o, const struct batch *q)
{
    long record[BLOCK], j[BLOCK];
    double v[BLOCK], even = ticket_even(o, q->ticket);
    struct sum s = common_of(o, q);
    for (long from = 0; from < q->ticket->count; from += BLOCK) {
        long left = q->ticket->count - from, m = left < BLOCK ? left : BLOCK;
        oracle_records(o, q->ticket, from, m, record);
        o->problem->shared->entries(o->self, m, record, j, v);
        for (long k = 0; k < m; k++)
            add(&s, record[k], q->w ? q->w[from + k] : even, j[k], v[k]);
    }
    if (s.weight != 0)               /* nothing times an infinite h is nothing */
        vec_axpy(o->d, s.weight, s.h, q->g);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_shared.c - batches of samples that share their gradient but for one coordinate. With
 * h = sum_k a_k h(x_k) and A = sum_k a_k a sample's part is h + A v_i e_j, whose norm is known from
 * |h| and h_j: clipped in constant time a sample, whatever the dimension. Samples with the same
 * entry are one kind, clipped or not: where a ticket is asked again, or A = 0, no pass is made over
 * its samples at all. What is asked is charged before, and is the same. */
#include "oracle/oracle_state.h"

#include <math.h>

enum { BLOCK = 256 };

struct sum {
    struct oracle *o;
    const struct batch *q;
    const double *h;
    double A, h2;                    /* |h|^2 */
    double weight;                   /* of h in the answer */
};

/* The samples of kind k, weighted w each. */
static void add(struct sum *s, const struct sample_kind *k, double w)
{
    const struct neighbour *other = &s->o->neighbour;
    double norm, lost = 0, entry = s->A * k->v;
    bool same = other->kind == NEIGHBOUR_SAME || (neighbour_record(other, k->record) == k->record &&
                                                  neighbour_sign(other, k->record) > 0);
    if (s->q->clip == CLIP_NORM) {
        if (!same || !oracle_norm_of_sum(entry * entry, s->h2, entry * s->h[k->j], &norm)) {
            for (double i = 0; i < k->count; i++)
                oracle_one_sample(s->o, s->q, k->record, w);
            return;
        }
        if (norm > s->q->C) {
            lost = norm - s->q->C;
            w *= s->q->C / norm;
        }
        oracle_clips_seen(s->o, norm, lost, k->count);
    }
    s->weight += k->count * w;
    s->q->g[k->j] += k->count * w * entry;
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

static double weight_of_points(const struct batch *q)
{
    double A = 0;
    for (int p = 0; p < q->points; p++)
        A += q->a ? q->a[p] : 1;
    return A;
}

static void add_samples(struct sum *s)
{
    const struct ticket *t = s->q->ticket;
    long record[BLOCK], j[BLOCK];
    double v[BLOCK], even = ticket_even(s->o, t);
    for (long from = 0; from < t->count; from += BLOCK) {
        long left = t->count - from, m = left < BLOCK ? left : BLOCK;
        oracle_records(s->o, t, from, m, record);
        s->o->problem->shared->entries(s->o->self, m, record, j, v);
        for (long k = 0; k < m; k++)
            add(s, &(struct sample_kind){ j[k], record[k], v[k], 1 },
                s->q->w ? s->q->w[from + k] : even);
    }
}

bool oracle_shared_batch(struct oracle *o, const struct batch *q)
{
    const struct ticket *t = q->ticket;
    bool even = !q->w && o->neighbour.kind == NEIGHBOUR_SAME && t->count > 0;
    bool equal = even && weight_of_points(q) == 0;
    const struct kinds *kinds = even && !equal ? oracle_kinds(o, t) : NULL;

    if (q->clip != CLIP_NORM && (q->clip != CLIP_NONE || (!equal && !kinds)))
        return false;
    struct sum s = common_of(o, q);
    if (equal)
        add(&s, &(struct sample_kind){ .record = oracle_record(o, t, 0),
                                       .count = (double)t->count }, ticket_even(o, t));
    for (long k = 0; kinds && k < kinds->n; k++)
        add(&s, &kinds->at[k], ticket_even(o, t));
    if (!equal && !kinds)
        add_samples(&s);
    if (s.weight != 0)               /* nothing times an infinite h is nothing */
        vec_axpy(o->d, s.weight, s.h, q->g);
    return true;
}

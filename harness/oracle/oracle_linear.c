/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_linear.c - samples of linear models, f(x; s_i) = l(<a_i,x>, y_i) + r(x), by blocks. With
 * u_i = sum_k a_k l'(<a_i,x_k>, y_i) and r the same combination of grad r, a sample's part is
 * v_i = u_i a_i + r, whose norm is known from |a_i| and <a_i,r>: one row read, nothing of length d
 * written but the answer. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <stdint.h>

#include "numeric/linear_state.h"

/* A block of a ticket's samples, canaries left out. */
struct block {
    struct linear_rows A;
    double w[LINEAR_ROWS];           /* weights in the answer */
    double u[LINEAR_ROWS], s[LINEAR_ROWS];
    long even;                       /* of the first so many, w is even: what a block before left */
    long scored;                     /* of the first so many, u[k] = <a_k,x_0> already */
    struct samples of;               /* whose rows: what is asked for, before a neighbour's is in place */
    long record[LINEAR_ROWS];        /* room for their list */
};

/* Sorts the ticket's samples from, ... into the block; others are handed to `single`, those that
 * answer nothing are left out. Returns how many positions it has passed. */
static long fill(struct oracle *o, const struct ticket *t, const double *w, long from,
                 struct block *b, void (*single)(void *ctx, long record, double w), void *ctx)
{
    long left = t->count - from, m = left < o->block ? left : o->block;
    long there[LINEAR_ROWS], kept = 0;
    b->scored = 0;
    if (w)
        vec_copy(m, w + from, b->w);
    else if (b->even < m)
        vec_fill(m, ticket_even(o, t), b->w);
    if (o->neighbour.kind == NEIGHBOUR_SAME) {
        b->even = w ? 0 : b->even > m ? b->even : m;
        b->of = oracle_behind(o, t, from, m, b->record);
        o->problem->linear->rows(o->self, &b->of, o->rows, &b->A);
        return m;
    }
    b->even = 0;                     /* weights move up where a row is left out */
    oracle_records(o, t, from, m, b->record);
    for (long k = 0; k < m; k++) {
        long asked = b->record[k], record = neighbour_record(&o->neighbour, asked);
        double weight = b->w[k];
        if (record < 0) {
            single(ctx, asked, weight);
            continue;
        }
        b->record[kept] = asked;
        b->w[kept] = weight;
        there[kept++] = record;
    }
    b->of = (struct samples){ 0, kept, b->record };
    b->A.m = 0;
    if (kept)
        o->problem->linear->rows(o->self, &(struct samples){ 0, kept, there }, o->rows, &b->A);
    return m;
}

/* --- gradients */

struct sum {
    struct oracle *o;
    const struct batch *q;
    const double *r;                 /* NULL: 0 */
    double weight;                   /* of r in the answer */
};

static void single_gradient(void *ctx, long record, double w)
{
    struct sum *sum = ctx;
    oracle_one_sample(sum->o, sum->q, record, w);
}

/* u_k <- a_0 u_k + sum_p>0 a_p l'(<a_k,x_p>) of rows from, ..., from + m - 1, u_k being the slope at x_0. A few rows
 * that the first cache holds are scored at all points there, whatever their number. */
static void other_points(const struct oracle *o, const struct batch *q, struct block *b, long from, long m)
{
    double *u = b->u + from, *s = b->s + from;
    if (q->points > 0 && q->a)
        vec_scale(m, q->a[0], u);
    for (int p = 1; p < q->points; p++) {
        linear_scores_of(&b->A, from, m, q->x[p], s);
        o->problem->linear->slopes(o->self, m, b->A.y + from, s, s);
        vec_axpy(m, q->a ? q->a[p] : 1, s, u);
    }
}

static void derivatives(const struct oracle *o, const struct batch *q, struct block *b,
                        const struct block *next)
{
    long m = b->A.m;
    if (q->points == 0) {
        vec_zero(m, b->u);
        return;
    }
    linear_scores_ahead(&b->A, next && o->far ? &next->A : NULL, q->x[0], b->u);
    o->problem->linear->slopes(o->self, m, b->A.y, b->u, b->u);
    other_points(o, q, b, 0, m);
}

/* u_k <- u_k w_k, what row k has in the sum */
static inline void weigh(struct sum *sum, struct block *b, long from, long m)
{
    for (long k = from; k < from + m; k++)
        b->u[k] *= b->w[k];
    for (long k = from; sum->r && k < from + m; k++)
        sum->weight += b->w[k];
}

/* The same clipped by norm. */
static void weigh_clipped(struct sum *sum, struct block *b, long from, long m)
{
    struct oracle *o = sum->o;
    const struct batch *q = sum->q;
    double r2 = sum->r ? vec_dot(o->d, sum->r, sum->r) : 0;
    for (long k = from; k < from + m; k++) {
        double norm = fabs(b->u[k]) * b->A.norm[k], lost = 0, w = b->w[k];
        if (sum->r && !oracle_norm_of_sum(norm * norm, r2, b->u[k] * b->s[k], &norm)) {
            oracle_one_sample(o, q, sample_index(&b->of, k), w);
            b->u[k] = 0;
            continue;
        }
        if (norm > q->C) {
            lost = norm - q->C;
            w *= q->C / norm;
        }
        oracle_clip_seen(o, norm, lost);
        b->u[k] *= w;
        sum->weight += sum->r ? w : 0;
    }
}

static void add_norm_clipped(struct sum *sum, struct block *b)
{
    linear_norms(&b->A);
    if (sum->r)
        linear_scores(&b->A, sum->r, b->s);
    weigh_clipped(sum, b, 0, b->A.m);
    linear_add(&b->A, b->u, sum->q->g);
}

/* Where squares overflow. */
static double formed_norm(struct oracle *o, const struct batch *q, long record)
{
    vec_zero(o->d, o->one);
    for (int p = 0; p < q->points; p++)
        oracle_one_gradient(o, record, q->x[p], q->a ? q->a[p] : 1, o->one);
    return vec_norm(o->d, o->one);
}

static void see_clipped(struct oracle *o, const struct batch *q, const struct block *b, long from,
                        long m, const double *norm2, const double *lost2)
{
    for (long k = 0; k < m; k++) {
        double norm = isinf(norm2[k]) ? formed_norm(o, q, sample_index(&b->of, from + k)) : sqrt(norm2[k]);
        oracle_clip_seen(o, norm, sqrt(lost2[k]));
    }
}

static void add_coords_clipped(struct sum *sum, struct block *b)
{
    const struct batch *q = sum->q;
    double norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    linear_add_clipped(&b->A, b->u, sum->r, q->C_j, b->w, q->g, norm2, lost2);
    see_clipped(sum->o, q, b, 0, b->A.m, norm2, lost2);
}

/* r <- sum_k a_k grad r(x_k); NULL where it is 0. */
static const double *rest_of(const struct oracle *o, const struct batch *q)
{
    if (!o->rest)
        return NULL;
    vec_zero(o->d, o->rest);
    for (int p = 0; p < q->points; p++)
        o->problem->linear->rest_grad(o->self, q->x[p], q->a ? q->a[p] : 1, o->rest);
    long zeros = 0;
    while (zeros < o->d && o->rest[zeros] == 0)
        zeros++;
    return zeros == o->d ? NULL : o->rest;
}

/* next: the block to come, which is fetched or scored meanwhile, or NULL. */
static void add_block(struct sum *sum, struct block *b, struct block *next)
{
    derivatives(sum->o, sum->q, b, next);
    if (sum->q->clip == CLIP_NORM)
        add_norm_clipped(sum, b);
    else if (sum->q->clip == CLIP_COORDS)
        add_coords_clipped(sum, b);
    else {
        weigh(sum, b, 0, b->A.m);
        linear_add(&b->A, b->u, sum->q->g);
    }
}

/* Rows from, ..., from + m - 1 of b are clipped and added, others of `then` scored. */
static void clip_group(struct sum *sum, const struct linear_kernels *kernels, struct block *b,
                       long from, long m, struct block *then, long at, long others)
{
    const struct batch *q = sum->q;
    double norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    const double *u = b->u + from, *w = b->w + from;
    kernels->clips_dots(b->A.d - b->A.ones, m, b->A.at + from, u, q->C_j, w, q->g, norm2, lost2,
                        others, then->A.at + at, q->x[0], then->u + at);
    for (long k = 0; k < m; k++)
        linear_clip_beside(&b->A, from + k, u[k], NULL, q->C_j, w[k], q->g, &norm2[k], &lost2[k]);
    see_clipped(sum->o, q, b, from, m, norm2, lost2);
}

/* The same; between groups stand few calls and stores, since each waits until the sum is stored. */
static inline void add_group(struct sum *sum, const struct linear_kernels *kernels,
                             struct block *b, long from, long m, struct block *then, long at,
                             long others)
{
    double *u = b->u + from, *g = sum->q->g;
    long d = b->A.d - b->A.ones;
    if (sum->q->clip == CLIP_NORM)
        weigh_clipped(sum, b, from, m);
    else
        weigh(sum, b, from, m);
    kernels->adds_dots(d, m, b->A.at + from, u, g, others, then->A.at + at, sum->q->x[0],
                       then->u + at);
    for (long k = 0; b->A.ones && k < m; k++)
        g[d] += u[k];
}

/* Do groups pay? Where rows cross lines, two long ones at a time wait for the loads of both. */
static bool grouped(const struct linear_rows *A)
{
    enum { SHORT = 256, HALF_LINE = 32 };
    uintptr_t places = (uintptr_t)A->at[0] | (uintptr_t)A->at[A->m / 2];
    return !A->sparse && (A->d <= SHORT || places % HALF_LINE == 0);
}

/* A block by groups of rows that the first cache holds: while one is added, the next is scored. */
static void add_groups(struct sum *sum, struct block *b, struct block *next)
{
    const struct linear_kernels *kernels = linear_kernels();
    const struct oracle *o = sum->o;
    const struct batch *q = sum->q;
    long from = 0, m = b->scored, others;
    struct block *then;
    if (q->clip == CLIP_NORM)
        linear_norms(&b->A);
    do {
        double *u = b->u + from;
        o->problem->linear->slopes(o->self, m, b->A.y + from, u, u);
        other_points(o, q, b, from, m);
        then = from + m < b->A.m || !next ? b : next;
        long at = then == b ? from + m : 0, left = then->A.m - at;
        others = left < o->group ? left : o->group;
        then->scored = at + others;
        if (q->clip == CLIP_COORDS)
            clip_group(sum, kernels, b, from, m, then, at, others);
        else
            add_group(sum, kernels, b, from, m, then, at, others);
        for (long k = at; then->A.ones && k < at + others; k++)
            then->u[k] += q->x[0][then->A.d - 1];
        from += m;
        m = others;
    } while (then == b && m > 0);
}

void oracle_linear_batch(struct oracle *o, const struct batch *q)
{
    struct sum sum = { o, q, rest_of(o, q), 0 };
    struct block b[2], *now = b, *next = b + 1;
    b[0].even = b[1].even = 0;
    long count = q->ticket->count;
    long from = fill(o, q->ticket, q->w, 0, now, single_gradient, &sum);
    bool groups = o->group && q->points > 0 && !sum.r;
    bool early = o->stored && (o->far || groups);    /* drawn rows have one place */
    for (bool more = true; more;) {
        more = from < count;
        if (more && early)
            from += fill(o, q->ticket, q->w, from, next, single_gradient, &sum);
        if (now->A.m > 0)
            (groups && grouped(&now->A) ? add_groups : add_block)(&sum, now,
                                                                  more && early ? next : NULL);
        if (more && !early)
            from += fill(o, q->ticket, q->w, from, next, single_gradient, &sum);
        struct block *done = now;
        now = next;
        next = done;
    }
    if (sum.weight != 0)             /* nothing times an infinite r is nothing */
        vec_axpy(o->d, sum.weight, sum.r, q->g);
}

/* --- values */

struct mean {
    const struct oracle *o;
    const double *x;
    double value;
};

static void single_value(void *ctx, long record, double w)
{
    struct mean *mean = ctx;
    mean->value += w * oracle_one_value(mean->o, record, mean->x);
}

double oracle_linear_values(struct oracle *o, const struct ticket *t, const double *w,
                            const double *x)
{
    const struct linear_model *model = o->problem->linear;
    struct block b;
    b.even = 0;
    struct mean mean = { o, x, 0 };
    double r = model->rest ? model->rest(o->self, x) : 0;
    for (long from = 0; from < t->count;) {
        from += fill(o, t, w, from, &b, single_value, &mean);
        if (b.A.m == 0)
            continue;
        linear_scores(&b.A, x, b.s);
        model->values(o->self, b.A.m, b.A.y, b.s, b.s);
        for (long k = 0; k < b.A.m; k++)
            mean.value += b.w[k] * (b.s[k] + r);
    }
    return mean.value;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_samples.c - tickets, and everything asked of single samples. */
#include "oracle/oracle_state.h"

#include <limits.h>
#include <math.h>

enum { BLOCK = 1024 };

/* --- tickets */

bool oracle_take(struct oracle *o, long b, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1);
    long first = o->position;
    if (o->stored && first + b > (long)o->facts->n) {
        o->spent = true;
        return false;
    }
    const struct charge taken = { COUNT_taken, (double)b };
    if (!oracle_pay(o, 1, &taken))
        return false;
    o->position += b;
    *t = (struct ticket){ .first = first, .count = b, .scheme = SAMPLING_FRESH,
                          .serial = o->serial++,
                          .aggregated = o->aggregate && o->problem->batch_law && !o->stored };
    return true;
}

struct ticket oracle_replaced(struct oracle *o, long b)
{
    o->ledger.drawn[SAMPLING_REPLACE]++;
    return (struct ticket){ .count = b, .scheme = SAMPLING_REPLACE, .serial = o->serial++ };
}

bool oracle_draw(struct oracle *o, long b, struct ticket *t)
{
    if (!o->stored || o->once)
        return oracle_take(o, b, t);
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1);
    if (!oracle_charge(o, COUNT_taken, (double)b))
        return false;
    *t = oracle_replaced(o, b);
    return true;
}

bool oracle_draw_from(struct oracle *o, const struct ticket *block, long b, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1 || block->scheme != SAMPLING_FRESH);
    oracle_check(o, block);
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 0, NULL))
        return false;
    *t = (struct ticket){ .count = b, .scheme = SAMPLING_REPLACE, .serial = o->serial++,
                          .from = block->first, .of = block->count };
    o->ledger.drawn[SAMPLING_REPLACE]++;
    return true;
}

bool oracle_all(struct oracle *o, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(!o->stored);
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 0, NULL))
        return false;
    *t = (struct ticket){ .count = (long)o->facts->n, .scheme = SAMPLING_ALL,
                          .serial = o->serial++ };
    return true;
}

struct ticket ticket_part(const struct ticket *t, long from, long count)
{
    BUG_IF(from < 0 || count < 1 || from + count > t->count);
    BUG_IF(t->aggregated);           /* the law is of the whole mean */
    BUG_IF(t->scheme == SAMPLING_POISSON || t->scheme == SAMPLING_SUBSET);   /* priced as a whole */
    struct ticket part = *t;
    part.first += from;
    part.count = count;
    return part;
}

/* The records from position t->first on, where there is a list of them. */
static const long *records_of(const struct oracle *o, const struct ticket *t)
{
    if (t->scheme == SAMPLING_REPLACE)
        return oracle_drawn(o, t);
    const long *list = t->scheme > SAMPLING_ALL ? oracle_members(o, t)->record
                     : t->scheme == SAMPLING_FRESH ? o->order : NULL;
    return list ? list + t->first : NULL;
}

long oracle_record(const struct oracle *o, const struct ticket *t, long k)
{
    const long *list = records_of(o, t);
    if (list)
        return list[k];
    if (t->scheme == SAMPLING_REPLACE) {
        struct rng draws = ticket_draws(o, t);
        return oracle_drawn_at(o, t, &draws, k);
    }
    return t->first + k;
}

struct samples oracle_behind(const struct oracle *o, const struct ticket *t, long from, long m, long *room)
{
    const long *list = records_of(o, t);
    if (list)
        return (struct samples){ from, m, list };
    if (t->scheme != SAMPLING_REPLACE)
        return (struct samples){ t->first + from, m, NULL };
    for (long k = 0; k < m; k++)
        room[k] = oracle_record(o, t, from + k);
    return (struct samples){ 0, m, room };
}

void oracle_records(const struct oracle *o, const struct ticket *t, long from, long m, long *record)
{
    struct samples s = oracle_behind(o, t, from, m, record);
    for (long k = 0; s.index != record && k < m; k++)
        record[k] = sample_index(&s, k);
}

/* A random draw is checked against what was handed out: the whole of it, or parts of an epoch. */
static void check_drawn(const struct ticket *t, const struct draw *was)
{
    bool parts = t->scheme == SAMPLING_SHUFFLED;
    BUG_IF(!was || was->scheme != t->scheme || was->q != t->q || was->from != t->from ||
           was->of != t->of);
    BUG_IF(!parts && (t->first > 0 || t->count != was->count));
}

void oracle_check(const struct oracle *o, const struct ticket *t)
{
    long limit = t->scheme == SAMPLING_FRESH ? o->position
               : t->scheme == SAMPLING_REPLACE || !o->stored ? LONG_MAX : (long)o->facts->n;
    const struct draw *drawn = oracle_draw_of(o, t->serial);
    BUG_IF(t->scheme != SAMPLING_FRESH && !o->stored && !(t->of && t->scheme == SAMPLING_REPLACE));
    BUG_IF(t->of && ((t->scheme != SAMPLING_REPLACE && t->scheme != SAMPLING_POISSON) ||
                     t->from + t->of > o->position));
    BUG_IF(t->serial >= o->serial || t->first < 0 || t->first > limit - t->count);
    BUG_IF(t->count < (t->scheme == SAMPLING_POISSON ? 0 : 1));
    BUG_IF(t->scheme <= SAMPLING_ALL && drawn);
    BUG_IF(t->aggregated && !o->problem->batch_law);
    if (t->scheme > SAMPLING_ALL)
        check_drawn(t, drawn);
}

/* --- gradients */

void oracle_one_gradient(struct oracle *o, long record, const double *x, double a, double *g)
{
    a *= neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return;
    if (o->problem->sample_grad) {
        o->problem->sample_grad(o->self, record, x, a, g);
        return;
    }
    o->problem->grad(o->self, x, o->sum);        /* a deterministic family: every sample is F */
    vec_axpy(o->d, a, o->sum, g);
}

/* Does every sample answer at a point, or with a function, of its own? */
static bool sample_by_sample(const struct batch *q)
{
    return q->blur > 0 || q->envelope > 0;
}

void oracle_asked_gradient(struct oracle *o, const struct batch *q, long record, int p, double a,
                           double *v)
{
    const double *x = q->x[p];
    a *= q->a ? q->a[p] : 1;
    if (q->blur > 0) {
        struct rng z = rng_at(q->draws, (uint64_t)record);
        rng_normals(&z, o->d, q->blur, o->at);
        vec_axpy(o->d, 1, x, o->at);
        x = o->at;
    }
    if (q->envelope > 0)
        oracle_envelope_gradient(o, q->envelope, record, x, a, v);
    else
        oracle_one_gradient(o, record, x, a, v);
}

double oracle_nonzeros(const struct oracle *o, const struct ticket *t)
{
    const struct problem *p = o->problem;
    double n = o->facts->n, all = o->facts->nonzeros;
    if (!p->sample_nonzeros || (o->stored && all == n * (double)o->d))   /* no row has an entry less */
        return (double)t->count * (double)o->d;
    if (t->scheme == SAMPLING_ALL && t->count == (long)n && !isnan(all))
        return all;
    const long *list = records_of(o, t);
    double sum = 0;
    for (long k = 0; k < t->count; k++)
        sum += (double)p->sample_nonzeros(o->self, list ? list[k] : oracle_record(o, t, k));
    return sum;
}

/* Unclipped, and the family answers whole batches. */
static void add_batch(struct oracle *o, const struct batch *q, int point, double a)
{
    const struct problem *p = o->problem;
    const struct ticket *t = q->ticket;
    const double *x = q->x[point];
    double n = (double)t->count;

    if (t->count == 0)
        return;
    if (t->scheme != SAMPLING_REPLACE) {
        const long *index = t->scheme == SAMPLING_ALL ? NULL
                          : t->scheme == SAMPLING_FRESH ? o->order : oracle_members(o, t)->record;
        struct samples s = { t->first, t->count, index };
        double scale = t->scheme == SAMPLING_POISSON && !q->w ? n * ticket_even(o, t) : 1;
        p->batch_grad(o->self, &s, q->w, x, a * scale, q->g);
        return;
    }
    long index[BLOCK];
    for (long from = 0; from < t->count; from += BLOCK) {
        long b = t->count - from < BLOCK ? t->count - from : BLOCK;
        oracle_records(o, t, from, b, index);
        struct samples s = { 0, b, index };
        p->batch_grad(o->self, &s, q->w ? q->w + from : NULL, x, q->w ? a : a * (double)b / n, q->g);
    }
}

void oracle_clip(struct oracle *o, const struct batch *q, double *v)
{
    double before = vec_norm(o->d, v), lost = 0;
    if (q->clip == CLIP_NORM && before > q->C) {
        vec_clip_norm(o->d, q->C, v);
        lost = before - q->C;
    } else if (q->clip == CLIP_COORDS) {
        for (long j = 0; j < o->d; j++) {
            double excess = fabs(v[j]) - q->C_j[j];
            lost += excess > 0 ? excess * excess : 0;
        }
        lost = sqrt(lost);
        vec_clip_coords(o->d, q->C_j, v);
    }
    oracle_clip_seen(o, before, lost);
}

void oracle_one_sample(struct oracle *o, const struct batch *q, long record, double w)
{
    double *v = q->clip == CLIP_NONE ? q->g : o->one;
    double scale = q->clip == CLIP_NONE ? w : 1;
    if (q->clip != CLIP_NONE)
        vec_zero(o->d, v);
    for (int p = 0; p < q->points; p++)
        oracle_asked_gradient(o, q, record, p, scale, v);
    if (q->clip == CLIP_NONE)
        return;
    oracle_clip(o, q, v);
    vec_axpy(o->d, w, v, q->g);
}

static void add_each(struct oracle *o, const struct batch *q)
{
    double even = ticket_even(o, q->ticket);
    for (long k = 0; k < q->ticket->count; k++)
        oracle_one_sample(o, q, oracle_record(o, q->ticket, k), q->w ? q->w[k] : even);
}

/* A deterministic family: F's gradient once, with the weight of the whole batch. */
static void add_same(struct oracle *o, const struct batch *q)
{
    double weight = 0;
    for (long k = 0; q->w && k < q->ticket->count; k++)
        weight += q->w[k];
    if (!q->w)
        weight = (double)q->ticket->count * ticket_even(o, q->ticket);
    for (int p = 0; p < q->points; p++) {
        o->problem->grad(o->self, q->x[p], o->sum);
        vec_axpy(o->d, weight * (q->a ? q->a[p] : 1), o->sum, q->g);
    }
}

static void add_samples(struct oracle *o, const struct batch *q)
{
    if (q->clip != CLIP_NONE || o->neighbour.kind != NEIGHBOUR_SAME)
        add_each(o, q);
    else if (!o->problem->sample_grad)
        add_same(o, q);
    else if (o->problem->batch_grad)
        for (int p = 0; p < q->points; p++)
            add_batch(o, q, p, q->a ? q->a[p] : 1);
    else
        add_each(o, q);
}

static void add_law(struct oracle *o, const struct batch *q)
{
    const struct ticket *t = q->ticket;
    struct rng law = rng_sub(&o->data, UINT64_MAX), at = rng_at(&law, (uint64_t)t->first);
    struct rng draw = rng_sub(&at, (uint64_t)t->count);
    static const double one = 1;
    if (q->a) {
        o->problem->batch_law(o->self, &draw, (double)t->count, q->points, q->x, q->a, q->g);
        return;
    }
    for (int p = 0; p < q->points; p++)
        o->problem->batch_law(o->self, &draw, (double)t->count, 1, q->x + p, &one, q->g);
}

/* One sample whose gradient goes straight into the answer gains nothing from blocks of rows. */
static bool alone(const struct oracle *o, const struct batch *q)
{
    return q->ticket->count == 1 && q->clip == CLIP_NONE && o->problem->sample_grad;
}

bool oracle_batch(struct oracle *o, const struct batch *q)
{
    struct batch unclipped = *q;
    if (q->clip == CLIP_NORM && isinf(q->C)) {
        unclipped.clip = CLIP_NONE;
        q = &unclipped;
    }
    oracle_expect(o, CALL_SAMPLES);
    BUG_IF(q->blur > 0 && !q->draws);
    double cost = (double)q->ticket->count * q->points;
    const struct charge bill[] = { { COUNT_sample_grads, cost }, { COUNT_batch_steps, 1 } };
    if (q->ticket->aggregated && (q->clip != CLIP_NONE || q->w || sample_by_sample(q) || o->neighbour.kind != NEIGHBOUR_SAME))
        o->refused = "aggregated answers have no clipping, weights, points of their own or neighbours";
    if (q->envelope > 0 && !oracle_enveloped(o))
        o->refused = "envelopes of samples were asked for, and these have no proximal points in "
                     "closed form";
    if (!oracle_pay_samples(o, q->ticket, q->points, 2, bill))
        return false;
    oracle_visited(o, q->ticket);
    if (!q->ticket->aggregated)
        o->counts.of[COUNT_nonzeros] += oracle_nonzeros(o, q->ticket) * q->points;
    vec_zero(o->d, q->g);
    if (o->counting)
        return true;
    if (q->ticket->aggregated)
        add_law(o, q);
    else if (sample_by_sample(q))
        add_each(o, q);
    else if (o->problem->linear && !alone(o, q))
        oracle_linear_batch(o, q);
    else if (!o->problem->shared || !oracle_shared_batch(o, q))
        add_samples(o, q);
    if (o->tape)
        tape_batch(o, q);
    return true;
}

/* The next sample of a stream is asked alone: no neighbour, no law in its place, nobody listens, and
 * the run so far was one pass. */
static bool single_pass(const struct oracle *o)
{
    const struct problem *p = o->problem;
    const struct span *last = o->spans.count ? o->spans.at + o->spans.count - 1 : NULL;
    return p->sample_grad && !o->stored && !o->tape && !o->counting &&
           o->neighbour.kind == NEIGHBOUR_SAME && !(o->aggregate && p->batch_law) && last &&
           last->end == o->position && last->visits == 1;
}

/* What oracle_draw and oracle_batch come to then, without a ticket, as most of what stochastic methods ask. */
static bool next_sample(struct oracle *o, const double *x, double *g)
{
    const struct charge bill[] = { { COUNT_taken, 1 }, { COUNT_sample_grads, 1 },
                                   { COUNT_batch_steps, 1 } };
    const struct problem *p = o->problem;
    const struct samples s = { .first = o->position, .count = 1 };
    oracle_expect(o, CALL_SAMPLES);
    if (!oracle_pay(o, 3, bill))
        return false;
    o->serial++;
    o->spans.at[o->spans.count - 1].end = ++o->position;
    o->counts.of[COUNT_nonzeros] += p->sample_nonzeros
                                        ? (double)p->sample_nonzeros(o->self, s.first) : (double)o->d;
    vec_zero(o->d, g);
    if (p->batch_grad)
        p->batch_grad(o->self, &s, NULL, x, 1, g);
    else
        p->sample_grad(o->self, s.first, x, 1, g);
    return true;
}

bool oracle_sgrad(struct oracle *o, long b, const double *x, double *g)
{
    const struct charge bill[] = { { COUNT_sample_grads, (double)b }, { COUNT_batch_steps, 1 } };
    struct ticket t;
    if (b == 1 && single_pass(o))
        return next_sample(o, x, g);
    return oracle_affords(o, 2, bill) && oracle_draw(o, b, &t) &&
           oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = &x, .g = g });
}

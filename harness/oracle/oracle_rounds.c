/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_rounds.c - rounds of many queries. A round is paid for before its first answer is seen; answers are
 * computed whenever they are used. */
#include <string.h>

#include "numeric/linear_dense.h"
#include "oracle/oracle_state.h"

/* Doubles in one block of rows: 16 KB, half a first-level cache, which leaves room for the sum. Larger blocks
 * leave the cache, smaller ones cost more calls. */
enum { CLOUD_BLOCK = 2048 };

static long cloud_rows(long d)
{
    long m = CLOUD_BLOCK / (d > 0 ? d : 1);
    return m < 1 ? 1 : m > CLOUD_ROWS ? CLOUD_ROWS : m;
}

long cloud_work(long d) { return cloud_rows(d) * d; }

/* z[m*d] <- centre + scale z */
static void cloud_points(const struct cloud *c, long m, long d, double *z)
{
    for (long k = 0; k < m; k++, z += d)
        vec_axpby(d, 1, c->centre, c->scale, z);
}

static void point_of(const struct oracle *o, const struct round *q, long i, double *x)
{
    if (!q->cloud) {
        q->point(q->ctx, i, x);
        return;
    }
    q->cloud->rows(q->cloud->ctx, i, 1, x);
    cloud_points(q->cloud, 1, o->d, x);
}

/* A hash of the bits of the last query's point, by which a change of ctx is found. */
static uint64_t last_row(struct oracle *o, const struct round *q)
{
    uint64_t h = 0, bits;
    point_of(o, q, q->m - 1, o->at);
    for (long j = 0; j < o->d; j++) {
        memcpy(&bits, &o->at[j], sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static bool begin(struct oracle *o, long m, struct round *q)
{
    const struct charge bill[] = {
        { COUNT_sample_grads, (double)m }, { COUNT_issued, (double)m }, { COUNT_batch_steps, 1 } };
    if (!oracle_affords(o, 3, bill) || !oracle_draw(o, m, &q->ticket) || !oracle_pay(o, 3, bill))
        return false;
    q->ticket.aggregated = false;
    oracle_visited(o, &q->ticket);
    o->counts.of[COUNT_nonzeros] += oracle_nonzeros(o, &q->ticket);
    q->m = m;
    q->last_row = last_row(o, q);
    return true;
}

bool oracle_round(struct oracle *o, long m, point_fn point, const void *ctx, struct round *q)
{
    struct round fresh = { .point = point, .ctx = ctx };
    if (!begin(o, m, &fresh))
        return false;
    *q = fresh;
    return true;
}

bool oracle_cloud(struct oracle *o, long m, const struct cloud *c, struct round *q)
{
    struct round fresh = { .cloud = c };
    if (!begin(o, m, &fresh))
        return false;
    *q = fresh;
    return true;
}

/* Counts rows first, ..., first+count-1 as used. */
static void use(struct oracle *o, struct round *q, long first, long count)
{
    BUG_IF(first < 0 || count < 0 || first + count > q->m);
    /* The point is compared at calls 1, 2, 4, 8, ...: a ctx that changes is found early, at negligible cost. */
    q->calls++;
    if ((q->calls & (q->calls - 1)) == 0)
        BUG_IF(last_row(o, q) != q->last_row);
    long fresh_from = first > q->used ? first : q->used;
    if (first + count > fresh_from) {
        o->counts.of[COUNT_consumed] += (double)(first + count - fresh_from);
        q->used = first + count;
    }
}

void round_add(struct oracle *o, struct round *q, long first, long count, const double *w,
               double *work, double *g)
{
    use(o, q, first, count);
    for (long k = 0; k < count && !o->counting; k++) {
        point_of(o, q, first + k, work);
        oracle_one_gradient(o, oracle_record(o, &q->ticket, first + k), work, w ? w[k] : 1, g);
    }
}

void cloud_add(struct oracle *o, struct round *q, long first, long count, const double *u,
               weigh_fn weigh, void *ctx, double *work, double *g)
{
    const struct cloud *c = q->cloud;
    long d = o->d, block = cloud_rows(d);
    double w[CLOUD_ROWS] = { 0 };

    BUG_IF(!c);
    use(o, q, first, count);
    for (long from = 0; from < count && !o->counting; from += block) {
        long m = count - from < block ? count - from : block;
        c->rows(c->ctx, first + from, m, work);
        if (u)
            linear_kernels()->dots_move(m, d, u, c->scale, c->centre, work, w);
        else
            cloud_points(c, m, d, work);
        weigh(ctx, m, w);
        for (long k = 0; k < m; k++)
            oracle_one_gradient(o, oracle_record(o, &q->ticket, first + from + k), work + k * d,
                                w[k], g);
    }
}

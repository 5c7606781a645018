/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_values.c - values of single samples: means, and differences along random directions. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <string.h>

double oracle_one_value(const struct oracle *o, long record, const double *x)
{
    double sign = neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return 0;
    return sign * (o->problem->sample_value ? o->problem->sample_value(o->self, record, x)
                                            : o->problem->value(o->self, x));
}

/* `each` values of every sample, along so many random directions. */
static bool pay_values(struct oracle *o, const struct ticket *t, double each, int directions)
{
    double count = (double)t->count;
    const struct charge bill[] = { { COUNT_sample_values, count * each }, { COUNT_batch_steps, 1 },
                                   { COUNT_directions, count * directions } };
    if (t->aggregated)
        o->refused = "aggregated answers have no sample values";
    if (!oracle_pay_samples(o, t, each, directions ? 3 : 2, bill))
        return false;
    oracle_visited(o, t);
    return true;
}

bool oracle_values(struct oracle *o, const struct ticket *t, const double *w, const double *x, double *f)
{
    oracle_expect(o, CALL_SAMPLE_VALUES);
    if (!pay_values(o, t, 1, 0))
        return false;
    *f = 0;
    if (o->problem->linear && !o->counting) {
        *f = oracle_linear_values(o, t, w, x);
        return true;
    }
    for (long k = 0; k < t->count && !o->counting; k++)
        *f += (w ? w[k] : ticket_even(o, t)) * oracle_one_value(o, oracle_record(o, t, k), x);
    return true;
}

/* v[p*m + j] <- f(x_p + r_p u_j; record), u[m d], sharing scores where the family can. */
static void values_along(struct oracle *o, const struct probe *q, long record, int m, const double *u,
                         double *v)
{
    const struct problem *p = o->problem;
    bool same = neighbour_record(&o->neighbour, record) == record &&
                neighbour_sign(&o->neighbour, record) > 0;
    if (p->values_along && same) {
        p->values_along(o->self, record, q->points, q->x, q->r, m, u, v);
        return;
    }
    for (int k = 0; k < q->points; k++)
        for (int j = 0; j < m; j++) {
            vec_lincomb(o->d, 1, q->x[k], q->r[k], u + j * o->d, o->at);
            v[k * m + j] = oracle_one_value(o, record, o->at);
        }
}

enum { POINTS_MAX = 8 };

/* c[m] <- clamped, without a NaN among them. Where losses are linear, differences are the bound itself but
 * for rounding, which no branch foresees. */
static void clamp_numbers(struct oracle *o, double bound, int m, double *c)
{
    double beyond[DIRECTIONS_MOST];
    int clipped = 0;
    for (int j = 0; j < m; j++) {
        double size = fabs(c[j]), kept = size < bound ? size : bound;
        beyond[j] = size - kept;
        clipped += size > bound;
        c[j] = copysign(kept, c[j]);
    }
    for (int j = 0; j < m; j++)
        o->clip_mass += beyond[j];
    o->clipped += clipped;
}

/* Largest |c_j|; NaN if one is. Numbers that are not negative stand in the order of their bits, and a NaN
 * above all. */
static double largest_of(int m, const double *c)
{
    int64_t top = 0;
    double largest;
    for (int j = 0; j < m; j++) {
        int64_t size;
        memcpy(&size, &c[j], sizeof size);
        size &= INT64_MAX;
        top = size > top ? size : top;
    }
    memcpy(&largest, &top, sizeof largest);
    return largest;
}

/* c[m] within the bound, whatever the values are: a difference of two infinite ones is no number, which no
 * comparison catches and no noise covers, so it counts as 0. */
static void clamp_all(struct oracle *o, double bound, int m, double *c)
{
    double largest = largest_of(m, c);
    if (isnan(largest)) {
        for (int j = 0; j < m; j++)
            c[j] = isnan(c[j]) && bound < INFINITY ? 0 : c[j];
        largest = 0;
        for (int j = 0; j < m; j++)
            largest = fabs(c[j]) > largest ? fabs(c[j]) : largest;   /* of what is a number */
    }
    o->clip_seen += m;
    o->clip_largest = largest > o->clip_largest ? largest : o->clip_largest;
    if (largest > bound)
        clamp_numbers(o, bound, m, c);
}

/* What sample k has along m directions u[m d]. */
static void probe_along(struct oracle *o, const struct probe *q, long k, int m, const double *u)
{
    double v[POINTS_MAX * DIRECTIONS_MOST], c[DIRECTIONS_MOST];
    double w = q->w ? q->w[k] : ticket_even(o, q->ticket);
    values_along(o, q, oracle_record(o, q->ticket, k), m, u, v);
    for (int j = 0; j < m; j++)
        c[j] = 0 + q->a[0] * v[j];
    for (int p = 1; p < q->points; p++)
        for (int j = 0; j < m; j++)
            c[j] += q->a[p] * v[p * m + j];
    clamp_all(o, q->clamp, m, c);
    for (int j = 0; j < m; j++)
        c[j] *= w;
    vec_add_rows(m, o->d, u, c, q->g);
}

/* As many directions at a time as there is room for; of more samples at once where these are few and short:
 * those of the next sample are the next rows of the stream, and few numbers take nearly as long to draw as
 * many. */
static void probe_samples(struct oracle *o, const struct probe *q, const struct rng *stream)
{
    long n = q->ticket->count, each = q->directions, room = directions_room(o->d);
    long block = room < DIRECTIONS_MOST ? room : DIRECTIONS_MOST;
    long most = each > block ? 1 : room / each;
    for (long k = 0; k < n; k += most) {
        uint64_t row = (uint64_t)(q->ticket->first + k) * (uint64_t)each;
        long samples = n - k < most ? n - k : most;
        for (long from = 0; from < each; from += block) {
            long m = each - from < block ? each - from : block;
            rng_sphere_rows(stream, row + (uint64_t)from, samples * m, o->d, o->directions);
            for (long s = 0; s < samples; s++)
                probe_along(o, q, k + s, (int)m, o->directions + s * m * o->d);
        }
    }
}

enum { PROBE_STREAM = 7 };

/* The same along directions that were drawn with those of other questions. false: they were not. */
static bool probe_ahead(struct oracle *o, const struct probe *q, uint64_t serial)
{
    long n = q->ticket->count, each = q->directions;
    if (n > AHEAD_SMALL || each > DIRECTIONS_MOST)
        return false;
    struct ahead_ask ask = { serial, (uint64_t)q->ticket->first * (uint64_t)each, n * each, o->d, 0 };
    const double *u = ahead_numbers(&o->probes, &o->sampling, PROBE_STREAM, &ask);
    for (long k = 0; u && k < n; k++)
        probe_along(o, q, k, (int)each, u + k * each * o->d);
    return u != NULL;
}

bool oracle_probe(struct oracle *o, const struct probe *q)
{
    oracle_expect(o, CALL_SAMPLE_VALUES);
    BUG_IF(q->points < 1 || q->points > POINTS_MAX || q->clamp < 0);
    if (!pay_values(o, q->ticket, (double)q->points * q->directions, q->directions))
        return false;
    vec_zero(o->d, q->g);
    uint64_t serial = o->serial++;
    if (!o->counting && q->directions > 0 && !probe_ahead(o, q, serial)) {
        struct rng base = rng_sub(&o->sampling, serial), stream = rng_sub(&base, PROBE_STREAM);
        probe_samples(o, q, &stream);
    }
    return true;
}

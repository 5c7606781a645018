/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_ahead.c - random numbers of coming questions, drawn together. */
#include "oracle/oracle_ahead.h"

#include <stddef.h>

/* Does this question continue the sequence of the last two? It does if `serial` and `first` have increased by as
 * much as they did the time before, and the other members are equal. Also remembers the question. */
static bool follows(struct ahead *a, const struct ahead_ask *q)
{
    uint64_t stride = q->serial - a->last.serial, step = q->first - a->last.first;
    bool same = stride == a->stride && step == a->step && q->rows == a->last.rows && q->d == a->last.d &&
                q->sd == a->last.sd;
    a->stride = stride;
    a->step = step;
    a->last = *q;
    return same;
}

/* a->numbers <- the numbers of q and of the m - 1 >= 0 questions that would follow it at the same steps of `serial`
 * and `first`. Returns false if a->numbers must not be used, because a vector to be scaled to the sphere was 0. */
static bool draw_ahead(struct ahead *a, const struct rng *base, uint64_t label, const struct ahead_ask *q,
                       long m)
{
    struct rng stream[AHEAD_STREAMS];
    uint64_t name[AHEAD_STREAMS], first[AHEAD_STREAMS];
    long k = 0;
    do {
        stream[k] = *base;
        name[k] = q->serial + (uint64_t)k * a->stride;
        first[k] = q->first + (uint64_t)k * a->step;
    } while (++k < m);
    rng_subs(m, stream, name, stream);
    for (k = 0; k < m; k++)
        name[k] = label;
    if (label)
        rng_subs(m, stream, name, stream);
    if (q->sd == 0)
        return rng_sphere_each(m, stream, first, q->rows, q->d, a->numbers);
    rng_normals_each(m, stream, first, q->rows, q->d, q->sd, a->numbers);
    return true;
}

/* Draws for FIRST questions and then for twice as many as the last time, so that at most about as many numbers are
 * drawn in vain as were used. */
const double *ahead_numbers(struct ahead *a, const struct rng *base, uint64_t label, const struct ahead_ask *q)
{
    enum { FIRST = 4 };
    if (!a->numbers || q->rows < 1 || q->d < 1 || q->rows > AHEAD_SMALL || q->rows * q->d > AHEAD_SMALL)
        return NULL;
    long each = q->rows * q->d, most = AHEAD_NUMBERS / each;
    if (!follows(a, q)) {
        a->ready = a->given = 0;
        a->together = FIRST;
        return NULL;
    }
    if (a->given == a->ready) {
        most = most < AHEAD_STREAMS ? most : AHEAD_STREAMS;
        long m = a->together < most ? a->together : most;
        a->given = 0;
        a->ready = draw_ahead(a, base, label, q, m) ? m : 0;
        a->together = 2 * m;
    }
    return a->given < a->ready ? a->numbers + a->given++ * each : NULL;
}

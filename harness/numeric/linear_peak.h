/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_peak.h - the largest entry of a vector and where it stands: a part of linear_kernels.h, by its
 * names, for each instruction set. */

/* Of SPAN entries, in four chains, the largest of each lane; sum[4] of their squares grows. */
static inline __attribute__((always_inline)) TARGET V NAME(span_top)(const double *x, V *sum)
{
    V top[4] = { SET(-INFINITY), SET(-INFINITY), SET(-INFINITY), SET(-INFINITY) };
    for (long j = 0; j < SPAN; j += 4 * W)
        for (int k = 0; k < 4; k++) {
            V v = LOAD(x + j + k * W);
            top[k] = MAX(v, top[k]);
            sum[k] = FMA(v, v, sum[k]);
        }
    return MAX(MAX(top[0], top[1]), MAX(top[2], top[3]));
}

/* The first of SPAN entries that equals `top`, or SPAN: all are compared, since a branch at the place
 * cannot be foreseen. */
static inline __attribute__((always_inline)) TARGET long NAME(span_place)(const double *x, double top)
{
    uint64_t equal = 0;
    for (long j = 0; j < SPAN; j += W)
        equal |= (uint64_t)EQUAL(LOAD(x + j), SET(top)) << j;
    return equal ? __builtin_ctzll(equal) : SPAN;
}

/* Each lane keeps its largest and the first span that has it. */
static TARGET long NAME(peak)(long d, const double *x, double *square)
{
    V sum[4] = { SET(0), SET(0), SET(0), SET(0) }, most = SET(-INFINITY), where = SET(0);
    double top = -INFINITY, rest = 0, from = 0, lane[W];
    long best = 0, j = 0;
    for (; j + SPAN <= d; j += SPAN) {
        V here = NAME(span_top)(x + j, sum);
        where = PICK_LESS(most, here, SET((double)j), where);
        most = MAX(here, most);
    }
    if (j > 0) {
        STORE(lane, most);
        for (int k = 0; k < W; k++)
            top = lane[k] > top ? lane[k] : top;
        STORE(lane, PICK_LESS(most, SET(top), SET((double)d), where));
        from = lane[0];
        for (int k = 1; k < W; k++)
            from = lane[k] < from ? lane[k] : from;
    }
    for (long at = (long)from, in; at < j; at += SPAN)     /* further only where all are -infinite */
        if ((in = NAME(span_place)(x + at, top)) < SPAN) {
            best = at + in;
            break;
        }
    for (; j < d; j++) {
        best = x[j] > top ? j : best;
        top = x[j] > top ? x[j] : top;
        rest += x[j] * x[j];
    }
    *square = rest + SUM(ADD(ADD(sum[0], sum[1]), ADD(sum[2], sum[3])));
    return best;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_both.h - rows that are added, clipped or not, while others are scored: a part of
 * linear_kernels.h, by its names, for each instruction set. */

/* add_short of m rows and dot_short of m others, in the bits of both: additions to g wait for each
 * other, and the others fill the time. */
static TARGET void NAME(both_short)(long m, long d, const double *const *row, const double *c,
                                    double *g, const double *const *other, const double *x,
                                    double *s)
{
    V x0 = LOADN(x, d), g0 = LOADN(g, d), v[DOTS];
    for (long k = 0; k < m; k += DOTS) {
        for (int r = 0; r < DOTS; r++) {
            v[r] = MUL(LOADN(other[k + r], d), x0);
            g0 = FMA(SET(c[k + r]), LOADN(row[k + r], d), g0);
        }
        SUMS(v, s + k);
    }
    STOREN(g, d, g0);
}

/* add_few of FEW rows and dot_few of others, in the bits of both: the others come to the first
 * cache while the rows, which are there, are added. Of more, pointers exceed the registers. `ahead`:
 * as many rows after the others are fetched, if rows follow one another. */
static inline __attribute__((always_inline)) TARGET void NAME(both_few)(
    const bool ahead, long d, const double *const *row, const double *c, double *g, const double *const *other,
    const double *x, double *s)
{
    V w[FEW], even[FEW], odd[FEW];
    const double *a[FEW], *b[FEW];
    long j = 0;
    for (int r = 0; r < FEW; r++) {
        a[r] = row[r];
        b[r] = other[r];
        w[r] = SET(c[r]);
        even[r] = odd[r] = SET(0);
    }
    for (; j + 2 * W <= d; j += 2 * W) {
        V x0 = LOAD(x + j), x1 = LOAD(x + j + W), g0 = LOAD(g + j), g1 = LOAD(g + j + W);
        for (int r = 0; r < FEW; r++) {
            even[r] = FMA(LOAD(b[r] + j), x0, even[r]);
            odd[r] = FMA(LOAD(b[r] + j + W), x1, odd[r]);
            g0 = FMA(w[r], LOAD(a[r] + j), g0);
            g1 = FMA(w[r], LOAD(a[r] + j + W), g1);
        }
        for (int r = 0; ahead && r < FEW; r++)
            __builtin_prefetch(b[r] + FEW * d + j, 0, 3);
        STORE(g + j, g0);
        STORE(g + j + W, g1);
    }
    for (; j + W <= d; j += W) {
        V x0 = LOAD(x + j), g0 = LOAD(g + j);
        for (int r = 0; r < FEW; r++) {
            even[r] = FMA(LOAD(b[r] + j), x0, even[r]);
            g0 = FMA(w[r], LOAD(a[r] + j), g0);
        }
        STORE(g + j, g0);
    }
    if (j < d) {
        V x0 = LOADN(x + j, d - j), g0 = LOADN(g + j, d - j);
        for (int r = 0; r < FEW; r++) {
            odd[r] = FMA(LOADN(b[r] + j, d - j), x0, odd[r]);
            g0 = FMA(w[r], LOADN(a[r] + j, d - j), g0);
        }
        STOREN(g + j, d - j, g0);
    }
    for (int r = 0; r < FEW; r++)
        even[r] = ADD(even[r], odd[r]);
    SUMS_FEW(even, s);
}

/* The same of m rows, a multiple of FEW, of n vectors, the last in part where `part`: x and g stay in
 * registers, since loading them takes as long as the rows. */
static inline __attribute__((always_inline)) TARGET void NAME(both_held)(
    const int n, const bool part, long m, long d, const double *const *row, const double *c,
    double *g, const double *const *other, const double *x, double *s)
{
    V x0[HELD_MOST], g0[HELD_MOST], sum[FEW];
    const int whole = n - part;
    const long last = (n - 1) * W;
    for (int j = 0; j < n; j++) {
        x0[j] = j < whole ? LOAD(x + j * W) : LOADN(x + last, d - last);
        g0[j] = j < whole ? LOAD(g + j * W) : LOADN(g + last, d - last);
    }
    for (long k = 0; k < m; k += FEW) {
        for (int r = 0; r < FEW; r++) {
            const double *a = row[k + r], *b = other[k + r];
            V w = SET(c[k + r]), even = SET(0), odd = SET(0);
            for (int j = 0; j < whole; j++) {
                if (j % 2 == 0)
                    even = FMA(LOAD(b + j * W), x0[j], even);
                else
                    odd = FMA(LOAD(b + j * W), x0[j], odd);
                g0[j] = FMA(w, LOAD(a + j * W), g0[j]);
            }
            if (part) {
                odd = FMA(LOADN(b + last, d - last), x0[n - 1], odd);
                g0[n - 1] = FMA(w, LOADN(a + last, d - last), g0[n - 1]);
            }
            sum[r] = ADD(even, odd);
        }
        SUMS_FEW(sum, s + k);
    }
    for (int j = 0; j < whole; j++)
        STORE(g + j * W, g0[j]);
    if (part)
        STOREN(g + last, d - last, g0[n - 1]);
}

/* By the number of vectors, of which each is a function of its own. */
static TARGET void NAME(both_held_rows)(long m, long d, const double *const *row, const double *c,
                                         double *g, const double *const *other, const double *x,
                                         double *s)
{
#define HELD_CASE(n)                                                                              \
    case n:                                                                                       \
        if (d % W)                                                                                \
            NAME(both_held)(n, true, m, d, row, c, g, other, x, s);                               \
        else                                                                                      \
            NAME(both_held)(n, false, m, d, row, c, g, other, x, s);                              \
        break;
    switch ((d + W - 1) / W) {
        HELD_CASE(2)
        HELD_CASE(3)
        HELD_CASE(4)
    }
#undef HELD_CASE
}

/* clip_few without rest and dot_few of as many others, in the bits of both. */
static inline __attribute__((always_inline)) TARGET void NAME(clip_both)(
    const int R, long d, const double *const *row, const double *u, const double *C,
    const double *w, double *g, double *norm2, double *lost2, const double *const *other,
    const double *x, double *s)
{
    V size[CLIPS], lost[CLIPS], slope[CLIPS], weight[CLIPS], even[CLIPS], odd[CLIPS];
    const double *a[CLIPS], *next[CLIPS];
    long j = 0;
    for (int k = 0; k < R; k++) {
        size[k] = lost[k] = even[k] = odd[k] = SET(0);
        slope[k] = SET(u[k]);
        weight[k] = SET(w[k]);
        a[k] = row[k];
        next[k] = other[k];
    }
    for (; j + 2 * W <= d; j += 2 * W)
        for (int half = 0; half < 2; half++) {
            long i = j + half * W;
            V x0 = LOAD(x + i), b = LOAD(C + i), g0 = LOAD(g + i);
            for (int k = 0; k < R; k++) {
                V v = FMA(slope[k], LOAD(a[k] + i), SET(0));
                CLIP_STEP(v, b, g0, k);
                if (half)
                    odd[k] = FMA(LOAD(next[k] + i), x0, odd[k]);
                else
                    even[k] = FMA(LOAD(next[k] + i), x0, even[k]);
            }
            STORE(g + i, g0);
        }
    for (; j + W <= d; j += W) {
        V x0 = LOAD(x + j), b = LOAD(C + j), g0 = LOAD(g + j);
        for (int k = 0; k < R; k++) {
            V v = FMA(slope[k], LOAD(a[k] + j), SET(0));
            CLIP_STEP(v, b, g0, k);
            even[k] = FMA(LOAD(next[k] + j), x0, even[k]);
        }
        STORE(g + j, g0);
    }
    if (j < d) {
        V x0 = LOADN(x + j, d - j), b = LOADN(C + j, d - j), g0 = LOADN(g + j, d - j);
        for (int k = 0; k < R; k++) {
            V v = FMA(slope[k], LOADN(a[k] + j, d - j), SET(0));
            CLIP_STEP(v, b, g0, k);
            odd[k] = FMA(LOADN(next[k] + j, d - j), x0, odd[k]);
        }
        STOREN(g + j, d - j, g0);
    }
    for (int k = 0; k < R; k++) {
        norm2[k] = SUM(size[k]);
        lost2[k] = SUM(lost[k]);
        s[k] = SUM(ADD(even[k], odd[k]));
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_kernels.h - products of dense rows and vectors. linear_dense.c includes this file once for each
 * instruction set, and defines before
 *     NAME(f)                  the name of function f for this instruction set
 *     TARGET                   the function attribute that selects the instruction set
 *     V, W                     the vector type, and how many doubles it holds
 *     LOAD STORE SET           of a whole vector
 *     LOADN STOREN             of the first n doubles, n < W; the other lanes are loaded as 0
 *     SUM(v)                   the sum of the lanes of a vector
 *     SUMS(v, s) SUMS_FEW(v, s)    s[DOTS], s[FEW] <- SUM of as many vectors, with the same bits
 *     FMA MUL ADD SUB MIN MAX  by lanes; where an argument of MIN, MAX is NaN, the result is the second argument
 *     EQUAL(a, b)              a word with one bit for each lane
 *     PICK_LESS(p, q, a, b)    p < q ? a : b by lanes
 *     DOTS ADDS CLIPS          how many rows a kernel takes at a time: as many as the registers allow
 *     HELD                     rows of up to HELD vectors have x and g in registers for the whole call
 * Functions below take R rows together, where R is a constant of the call. The sums of a row have the same bits
 * whatever this number is. */

/* s[R] <- the lane sums of even[R] + odd[R]. */
static inline __attribute__((always_inline)) TARGET void NAME(few_sums)(const int R, V *even,
                                                                       const V *odd, double *s)
{
    for (int r = 0; r < R; r++)
        even[r] = ADD(even[r], odd[r]);
    if (R == DOTS)
        SUMS(even, s);
    for (int r = 0; R < DOTS && r < R; r++)
        s[r] = SUM(even[r]);
}

/* s[R] <- <row_r, x>. Meanwhile the rows of next, if it is not NULL, are prefetched to the second-level cache. */
static inline __attribute__((always_inline)) TARGET void NAME(dot_few)(
    const int R, long d, const double *const *row, const double *const *next, const double *x,
    double *s)
{
    V even[DOTS], odd[DOTS];
    long j = 0;
    for (int r = 0; r < R; r++)
        even[r] = odd[r] = SET(0);
    for (; j + 2 * W <= d; j += 2 * W) {
        V x0 = LOAD(x + j), x1 = LOAD(x + j + W);
        for (int r = 0; r < R; r++) {
            even[r] = FMA(LOAD(row[r] + j), x0, even[r]);
            odd[r] = FMA(LOAD(row[r] + j + W), x1, odd[r]);
        }
        for (int r = 0; next && r < R; r++)
            for (int line = 0; line < 2 * W; line += LINE)
                __builtin_prefetch(next[r] + j + line, 0, 2);
    }
    for (; j + W <= d; j += W)
        for (int r = 0; r < R; r++)
            even[r] = FMA(LOAD(row[r] + j), LOAD(x + j), even[r]);
    if (j < d) {
        V x0 = LOADN(x + j, d - j);
        for (int r = 0; r < R; r++)
            odd[r] = FMA(LOADN(row[r] + j, d - j), x0, odd[r]);
    }
    NAME(few_sums)(R, even, odd, s);
}

/* dot_few for rows of at most one vector: x is loaded once for all rows. */
static TARGET void NAME(dot_short)(long m, long d, const double *const *row, const double *x,
                                   double *s)
{
    V x0 = LOADN(x, d), v[DOTS];
    long k = 0;
    for (; k + DOTS <= m; k += DOTS) {
        for (int r = 0; r < DOTS; r++)
            v[r] = MUL(LOADN(row[k + r], d), x0);
        SUMS(v, s + k);
    }
    for (; DOTS > FEW && k + FEW <= m; k += FEW) {
        for (int r = 0; r < FEW; r++)
            v[r] = MUL(LOADN(row[k + r], d), x0);
        SUMS_FEW(v, s + k);
    }
    for (; k < m; k++)
        s[k] = SUM(MUL(LOADN(row[k], d), x0));
}

/* g[d] += sum_i c_i row_i for rows of at most one vector: g is loaded and stored once. */
static TARGET void NAME(add_short)(long m, long d, const double *const *row, const double *c,
                                   double *g)
{
    V g0 = LOADN(g, d);
    for (long k = 0; k < m; k++)
        g0 = FMA(SET(c[k]), LOADN(row[k], d), g0);
    STOREN(g, d, g0);
}

/* g[d] += sum_r c_r row_r, in this order. */
static inline __attribute__((always_inline)) TARGET void NAME(add_few)(
    const int R, long d, const double *const *row, const double *c, double *g)
{
    V w[ADDS];
    const double *a[ADDS];           /* copies of the pointers: the compiler sees that stores to g keep them */
    long j = 0;
    for (int r = 0; r < R; r++) {
        a[r] = row[r];
        w[r] = SET(c[r]);
    }
    for (; j + 2 * W <= d; j += 2 * W) {
        V g0 = LOAD(g + j), g1 = LOAD(g + j + W);
        for (int r = 0; r < R; r++) {
            g0 = FMA(w[r], LOAD(a[r] + j), g0);
            g1 = FMA(w[r], LOAD(a[r] + j + W), g1);
        }
        STORE(g + j, g0);
        STORE(g + j + W, g1);
    }
    for (; j + W <= d; j += W) {
        V g0 = LOAD(g + j);
        for (int r = 0; r < R; r++)
            g0 = FMA(w[r], LOAD(a[r] + j), g0);
        STORE(g + j, g0);
    }
    if (j < d) {
        V g0 = LOADN(g + j, d - j);
        for (int r = 0; r < R; r++)
            g0 = FMA(w[r], LOADN(a[r] + j, d - j), g0);
        STOREN(g + j, d - j, g0);
    }
}

/* One vector v = u a + r of row k of the clipped sum: adds v^2 to size[k], the square of the part of v outside [-b,
 * b] to lost[k], and the clamped v, times weight[k], to g0. A NaN in v makes lost[k] NaN. */
#define CLIP_STEP(v, b, g0, k)                                                                    \
    do {                                                                                          \
        V kept = MAX(SUB(SET(0), b), MIN(b, v)), beyond = SUB(v, kept);                            \
        size[k] = FMA(v, v, size[k]);                                                             \
        lost[k] = FMA(beyond, beyond, lost[k]);                                                   \
        g0 = FMA(weight[k], kept, g0);                                                            \
    } while (0)

/* `clips` for R rows. */
static inline __attribute__((always_inline)) TARGET void NAME(clip_few)(
    const int R, long d, const double *const *row, const double *u, const double *rest,
    const double *C, const double *w, double *g, double *norm2, double *lost2)
{
    V size[CLIPS], lost[CLIPS], slope[CLIPS], weight[CLIPS];
    const double *a[CLIPS];
    long j = 0;
    for (int k = 0; k < R; k++) {
        size[k] = lost[k] = SET(0);
        slope[k] = SET(u[k]);
        weight[k] = SET(w[k]);
        a[k] = row[k];
    }
    for (; j + W <= d; j += W) {
        V b = LOAD(C + j), g0 = LOAD(g + j), r0 = rest ? LOAD(rest + j) : SET(0);
        for (int k = 0; k < R; k++) {
            V v = FMA(slope[k], LOAD(a[k] + j), r0);
            CLIP_STEP(v, b, g0, k);
        }
        STORE(g + j, g0);
    }
    if (j < d) {
        V b = LOADN(C + j, d - j), g0 = LOADN(g + j, d - j);
        V r0 = rest ? LOADN(rest + j, d - j) : SET(0);
        for (int k = 0; k < R; k++) {
            V v = FMA(slope[k], LOADN(a[k] + j, d - j), r0);
            CLIP_STEP(v, b, g0, k);
        }
        STOREN(g + j, d - j, g0);
    }
    for (int k = 0; k < R; k++) {
        norm2[k] = SUM(size[k]);
        lost2[k] = SUM(lost[k]);
    }
}

/* add_short of m rows and dot_short of m others, with the bits of both. The additions to g wait for one another,
 * and the dot products fill that time. */
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

/* add_few of FEW rows and dot_few of FEW others, with the bits of both: the others come to the first-level cache
 * while the rows, which are in it already, are added. With more than FEW rows the pointers would exceed the
 * registers. ahead: the FEW rows behind the others are prefetched, which helps if rows follow one another in
 * memory. */
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

/* both_few for m rows, m a multiple of FEW, of n vectors each; part: the last vector is not full. x and g stay in
 * registers, since loading them anew would take as long as loading the rows. */
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

/* both_held by the number of vectors in a row, with code of its own for each number. */
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

/* What clip_few with rest = NULL and dot_few of as many other rows compute, in one pass and with the same bits. */
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

/* s[R] <- <z_r, x> for the rows of z[R*d], with the bits of dot_few; then z_r <- b + a z_r, with the bits of
 * lincomb. Both are done in one pass. */
static inline __attribute__((always_inline)) TARGET void NAME(dot_move_few)(
    const int R, long d, const double *x, double a, const double *b, double *z, double *s)
{
    V even[DOTS], odd[DOTS], w = SET(a);
    long j = 0;
    for (int r = 0; r < R; r++)
        even[r] = odd[r] = SET(0);
    for (; j + 2 * W <= d; j += 2 * W)
        for (int half = 0; half < 2; half++) {
            long i = j + half * W;
            V x0 = LOAD(x + i), b0 = LOAD(b + i), v[DOTS];
            for (int r = 0; r < R; r++)
                v[r] = LOAD(z + r * d + i);
            for (int r = 0; r < R; r++) {
                if (half)
                    odd[r] = FMA(v[r], x0, odd[r]);
                else
                    even[r] = FMA(v[r], x0, even[r]);
                STORE(z + r * d + i, ADD(b0, MUL(w, v[r])));
            }
        }
    for (; j + W <= d; j += W)
        for (int r = 0; r < R; r++) {
            V z0 = LOAD(z + r * d + j);
            even[r] = FMA(z0, LOAD(x + j), even[r]);
            STORE(z + r * d + j, ADD(LOAD(b + j), MUL(w, z0)));
        }
    for (int r = 0; j < d && r < R; r++) {
        V z0 = LOADN(z + r * d + j, d - j);
        odd[r] = FMA(z0, LOADN(x + j, d - j), odd[r]);
        STOREN(z + r * d + j, d - j, ADD(LOADN(b + j, d - j), MUL(w, z0)));
    }
    NAME(few_sums)(R, even, odd, s);
}

static TARGET void NAME(dots_move)(long m, long d, const double *x, double a, const double *b,
                                   double *z, double *s)
{
    long k = 0;
    for (; k + DOTS <= m; k += DOTS)
        NAME(dot_move_few)(DOTS, d, x, a, b, z + k * d, s + k);
    for (; k < m; k++)
        NAME(dot_move_few)(1, d, x, a, b, z + k * d, s + k);
}

/* Returns the largest of SPAN entries in each lane, found by four independent chains; sum[4] += the squares of the
 * entries. */
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

/* Returns the place of the first of SPAN entries that equals `top`; SPAN where none does. All entries are compared,
 * since the branch that ends a search could not be predicted. */
static inline __attribute__((always_inline)) TARGET long NAME(span_place)(const double *x, double top)
{
    uint64_t equal = 0;
    for (long j = 0; j < SPAN; j += W)
        equal |= (uint64_t)EQUAL(LOAD(x + j), SET(top)) << j;
    return equal ? __builtin_ctzll(equal) : SPAN;
}

/* The kernel of vec_peak. Each lane keeps the largest entry that it has met and the first span in which that entry
 * stands. */
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
    for (long at = (long)from, in; at < j; at += SPAN)     /* goes on only where all entries are -infinity */
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

/* dot and square_distance keep four vectors of partial sums, since one would wait for the latency of every
 * addition. */
static TARGET double NAME(dot)(long d, const double *x, const double *y)
{
    V sum[4];
    long j = 0;
    for (int k = 0; k < 4; k++)
        sum[k] = SET(0);
    for (; j + 4 * W <= d; j += 4 * W)
        for (int k = 0; k < 4; k++)
            sum[k] = FMA(LOAD(x + j + k * W), LOAD(y + j + k * W), sum[k]);
    for (; j + W <= d; j += W)
        sum[0] = FMA(LOAD(x + j), LOAD(y + j), sum[0]);
    if (j < d)
        sum[1] = FMA(LOADN(x + j, d - j), LOADN(y + j, d - j), sum[1]);
    return SUM(ADD(ADD(sum[0], sum[1]), ADD(sum[2], sum[3])));
}

static TARGET double NAME(square_distance)(long d, const double *x, const double *y)
{
    V sum[4], v;
    long j = 0;
    for (int k = 0; k < 4; k++)
        sum[k] = SET(0);
    for (; j + 4 * W <= d; j += 4 * W)
        for (int k = 0; k < 4; k++) {
            v = SUB(LOAD(x + j + k * W), LOAD(y + j + k * W));
            sum[k] = FMA(v, v, sum[k]);
        }
    for (; j + W <= d; j += W) {
        v = SUB(LOAD(x + j), LOAD(y + j));
        sum[0] = FMA(v, v, sum[0]);
    }
    if (j < d) {
        v = SUB(LOADN(x + j, d - j), LOADN(y + j, d - j));
        sum[1] = FMA(v, v, sum[1]);
    }
    return SUM(ADD(ADD(sum[0], sum[1]), ADD(sum[2], sum[3])));
}

static TARGET void NAME(axpy)(long d, double a, const double *x, double *y)
{
    V w = SET(a);
    long j = 0;
    for (; j + W <= d; j += W)
        STORE(y + j, ADD(LOAD(y + j), MUL(w, LOAD(x + j))));
    if (j < d)
        STOREN(y + j, d - j, ADD(LOADN(y + j, d - j), MUL(w, LOADN(x + j, d - j))));
}

/* axpys for the columns of P vectors; their sums stay in registers for all rows. */
static inline __attribute__((always_inline)) TARGET void NAME(axpys_panel)(
    const int P, long m, long d, const double *A, const double *c, double *g)
{
    V sum[4];
    for (int p = 0; p < P; p++)
        sum[p] = LOAD(g + p * W);
    for (long k = 0; k < m; k++, A += d)
        for (int p = 0; p < P; p++)
            sum[p] = ADD(sum[p], MUL(SET(c[k]), LOAD(A + p * W)));
    for (int p = 0; p < P; p++)
        STORE(g + p * W, sum[p]);
}

static TARGET void NAME(axpys)(long m, long d, const double *A, const double *c, double *g)
{
    long j = 0;
    for (; j + 4 * W <= d; j += 4 * W)
        NAME(axpys_panel)(4, m, d, A + j, c, g + j);
    for (; j + 2 * W <= d; j += 2 * W)
        NAME(axpys_panel)(2, m, d, A + j, c, g + j);
    for (; j + W <= d; j += W)
        NAME(axpys_panel)(1, m, d, A + j, c, g + j);
    if (j < d) {
        V sum = LOADN(g + j, d - j);
        for (long k = 0; k < m; k++)
            sum = ADD(sum, MUL(SET(c[k]), LOADN(A + k * d + j, d - j)));
        STOREN(g + j, d - j, sum);
    }
}

static TARGET void NAME(lincomb)(long d, double a, const double *x, double b, const double *y,
                                 double *z)
{
    V v = SET(a), w = SET(b);
    long j = 0;
    for (; j + W <= d; j += W)
        STORE(z + j, ADD(MUL(v, LOAD(x + j)), MUL(w, LOAD(y + j))));
    if (j < d)
        STOREN(z + j, d - j, ADD(MUL(v, LOADN(x + j, d - j)), MUL(w, LOADN(y + j, d - j))));
}

/* R rows of `products`: the sums of adds, row after row. Each sum waits for its last addition, and the others fill
 * that time. */
static inline __attribute__((always_inline)) TARGET void NAME(products_few)(
    const int R, long m, long d, const double *A, const double *X, double *Y)
{
    for (long j = 0; j < d; j += W) {
        V sum[ADDS];
        for (int r = 0; r < R; r++)
            sum[r] = SET(0);
        for (long i = 0; i < m; i++) {
            V row = d - j < W ? LOADN(A + i * d + j, d - j) : LOAD(A + i * d + j);
            for (int r = 0; r < R; r++)
                sum[r] = FMA(SET(X[r * m + i]), row, sum[r]);
        }
        for (int r = 0; r < R; r++)
            if (d - j < W)
                STOREN(Y + r * d + j, d - j, sum[r]);
            else
                STORE(Y + r * d + j, sum[r]);
    }
}

static TARGET void NAME(products)(long k, long m, long d, const double *A, const double *X, double *Y)
{
    long i = 0;
    for (; i + ADDS <= k; i += ADDS)
        NAME(products_few)(ADDS, m, d, A, X + i * m, Y + i * d);
    for (; i < k; i++)
        NAME(products_few)(1, m, d, A, X + i * m, Y + i * d);
}

static TARGET void NAME(dots)(long m, long d, const double *const *row, long fetch,
                              const double *const *next, const double *x, double *s)
{
    long k = 0;
    if (d > 0 && d <= W) {
        NAME(dot_short)(m, d, row, x, s);
        return;
    }
    for (; k + DOTS <= m && k + DOTS <= fetch; k += DOTS)
        NAME(dot_few)(DOTS, d, row + k, next + k, x, s + k);
    for (; k + DOTS <= m; k += DOTS)
        NAME(dot_few)(DOTS, d, row + k, NULL, x, s + k);
    for (; k < m; k++)
        NAME(dot_few)(1, d, row + k, NULL, x, s + k);
}

static TARGET void NAME(adds)(long m, long d, const double *const *row, const double *c, double *g)
{
    long k = 0;
    if (d > 0 && d <= W) {
        NAME(add_short)(m, d, row, c, g);
        return;
    }
    for (; k + ADDS <= m; k += ADDS)
        NAME(add_few)(ADDS, d, row + k, c + k, g);
    for (; k < m; k++)
        NAME(add_few)(1, d, row + k, c + k, g);
}

static TARGET void NAME(adds_dots)(long d, long m, const double *const *row, const double *c,
                                   double *g, long others, const double *const *other,
                                   const double *x, double *s)
{
    long k = 0, both = m < others ? m : others;
    if (d > 0 && d <= W) {
        k = both / DOTS * DOTS;
        if (k)
            NAME(both_short)(k, d, row, c, g, other, x, s);
    } else if (d > W && d <= HELD * W) {
        k = both / FEW * FEW;
        if (k)
            NAME(both_held_rows)(k, d, row, c, g, other, x, s);
    }
    for (; d <= FETCHED && k + FEW <= both; k += FEW)
        NAME(both_few)(true, d, row + k, c + k, g, other + k, x, s + k);
    for (; k + FEW <= both; k += FEW)
        NAME(both_few)(false, d, row + k, c + k, g, other + k, x, s + k);
    if (k < m)
        NAME(adds)(m - k, d, row + k, c + k, g);
    if (k < others)
        NAME(dots)(others - k, d, other + k, 0, NULL, x, s + k);
}

static TARGET void NAME(clips)(long m, long d, const double *const *row, const double *u,
                               const double *r, const double *C, const double *w, double *g,
                               double *norm2, double *lost2)
{
    long k = 0;
    for (; k + CLIPS <= m; k += CLIPS)
        NAME(clip_few)(CLIPS, d, row + k, u + k, r, C, w + k, g, norm2 + k, lost2 + k);
    for (; k < m; k++)
        NAME(clip_few)(1, d, row + k, u + k, r, C, w + k, g, norm2 + k, lost2 + k);
}

static TARGET void NAME(clips_dots)(long d, long m, const double *const *row, const double *u,
                                    const double *C, const double *w, double *g, double *norm2,
                                    double *lost2, long others, const double *const *other,
                                    const double *x, double *s)
{
    long k = 0, both = d > W ? m < others ? m : others : 0;
    for (; k + CLIPS <= both; k += CLIPS)
        NAME(clip_both)(CLIPS, d, row + k, u + k, C, w + k, g, norm2 + k, lost2 + k, other + k, x,
                        s + k);
    if (k < m)
        NAME(clips)(m - k, d, row + k, u + k, NULL, C, w + k, g, norm2 + k, lost2 + k);
    if (k < others)
        NAME(dots)(others - k, d, other + k, 0, NULL, x, s + k);
}

static const struct linear_kernels NAME(kernels) = {
    NAME(dot), NAME(square_distance), NAME(axpy), NAME(axpys), NAME(lincomb), NAME(dots),
    NAME(dots_move), NAME(adds), NAME(adds_dots), NAME(clips), NAME(clips_dots), NAME(peak),
    NAME(products), W
};

#undef CLIP_STEP
#undef NAME
#undef TARGET
#undef V
#undef W
#undef LOAD
#undef STORE
#undef LOADN
#undef STOREN
#undef SET
#undef SUM
#undef SUMS
#undef SUMS_FEW
#undef FMA
#undef MUL
#undef ADD
#undef SUB
#undef MIN
#undef MAX
#undef EQUAL
#undef PICK_LESS
#undef DOTS
#undef ADDS
#undef CLIPS
#undef HELD

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.c - the functions of linear.h: sparse rows, the column of ones, the lengths of blocks and groups. Dense
 * rows go to the kernels of linear_kernels.h. */
#include "linear.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "numeric/linear_dense.h"
#include "vec.h"

/* BLOCK_DOUBLES: the number of entries in a block of rows, 64 KiB, which is half of the smallest usual second-level
 * cache. Measured: for rows of 64 to 4096 entries the time of a gradient is within 5% of that of the best length,
 * in cache and out of it. A longer block leaves the cache between the two passes of a gradient. BLOCK_MIN: the
 * least number of rows; fewer rows than the widest kernel takes at a time would leave its registers empty. */
enum { BLOCK_DOUBLES = 8192, BLOCK_MIN = 8 };
/* The size of a usual last-level cache in bytes. A larger table is read from memory, where prefetching the next
 * block makes a gradient a sixth faster; a smaller one stays in the cache, where prefetching makes it a sixth
 * slower. */
enum { LAST_CACHE = 32 << 20 };

const struct linear_kernels *const linear_kernels_of[LANES_COUNT] = {
    [LANES_portable] = &linear_portable,
#ifdef __x86_64__
    [LANES_avx2] = &linear_avx2,
    [LANES_avx512] = &linear_avx512,
#endif
};

long linear_block(long d)
{
    long m = BLOCK_DOUBLES / (d > 0 ? d : 1) / BLOCK_MIN * BLOCK_MIN;
    return m < BLOCK_MIN ? BLOCK_MIN : m > LINEAR_ROWS ? LINEAR_ROWS : m;
}

/* --- sparse rows
 *
 * A dot product keeps four partial sums, since one sum would wait for the latency of every addition. Two of them
 * share a vector, which gives the same bits as two scalars. */

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair load(const double *v)
{
    pair p;
    memcpy(&p, v, sizeof p);
    return p;
}

static inline pair gather(const double *x, const int *index) { return (pair){ x[index[0]], x[index[1]] }; }

static double sparse_dot(long count, const int *index, const double *v, const double *x)
{
    pair s = { 0, 0 }, r = { 0, 0 };
    long k = 0;
    for (; k + 4 <= count; k += 4) {
        s += load(v + k) * gather(x, index + k);
        r += load(v + k + 2) * gather(x, index + k + 2);
    }
    for (; k < count; k++)
        s[0] += v[k] * x[index[k]];
    return (s[0] + s[1]) + (r[0] + r[1]);
}

/* Prefetches for rows that follow one another in memory. AHEAD: the distance in entries, 2 KiB of values; it makes
 * a gradient a fifth faster where the table exceeds the second-level cache. LINE: doubles in a cache line, one
 * prefetch each. SHORT: rows with fewer entries are not prefetched, because the instructions cost more than they
 * save. */
static void sparse_fetch(long count, const int *index, const double *v)
{
    enum { AHEAD = 256, LINE = 8, SHORT = 16 };
    for (long k = 0; count >= SHORT && k < count; k += LINE) {
        __builtin_prefetch(v + AHEAD + k, 0, 3);
        if (k % (2 * LINE) == 0)
            __builtin_prefetch(index + AHEAD + k, 0, 3);
    }
}

/* g += c a. The columns of a row differ, so four entries of g are loaded before the first of them is stored. */
static void sparse_add(long count, const int *index, const double *v, double c, double *g)
{
    long k = 0;
    for (; k + 4 <= count; k += 4) {
        pair s = gather(g, index + k) + c * load(v + k), r = gather(g, index + k + 2) + c * load(v + k + 2);
        g[index[k]] = s[0];
        g[index[k + 1]] = s[1];
        g[index[k + 2]] = r[0];
        g[index[k + 3]] = r[1];
    }
    for (; k < count; k++)
        g[index[k]] += c * v[k];
}

static double clamp(double v, double C) { return v > C ? C : v < -C ? -C : v; }

/* Returns the square of the part of v outside of [-C, C]; 0 for NaN. */
static double lost_square(double v, double C)
{
    double beyond = fabs(v) - C;
    return beyond > 0 ? beyond * beyond : 0;
}

/* Returns the sum of lost_square over the entries of u a + r, where a is a row. */
static double lost_of(long d, const double *a, double u, const double *r, const double *C)
{
    double sum = 0;
    for (long j = 0; j < d; j++)
        sum += lost_square(u * a[j] + (r ? r[j] : 0), C[j]);
    return sum;
}

static void sparse_clip(const struct linear_rows *A, long i, double u, const double *C, double w,
                        double *g, double *norm2, double *lost2)
{
    *norm2 = *lost2 = 0;
    for (long k = 0; k < A->count[i]; k++) {
        long j = A->index[i][k];
        double v = u * A->at[i][k];
        *norm2 += v * v;
        *lost2 += lost_square(v, C[j]);
        g[j] += w * clamp(v, C[j]);
    }
}

/* |r|^2 and the squared norm of what clamping removes from r, over some columns; the column of ones is not among
 * them. */
struct rest {
    double norm2, lost2;
};

/* g += (sum of w) clamp(r), which is the result if no row has an entry. Returns the sums over all columns of r. */
static struct rest clip_rest(const struct linear_rows *A, const double *r, const double *C,
                             const double *w, double *g)
{
    struct rest all = { 0, 0 };
    double weight = 0;
    for (long i = 0; i < A->m; i++)
        weight += w[i];
    for (long j = 0; j < A->d - A->ones; j++) {
        all.norm2 += r[j] * r[j];
        all.lost2 += lost_square(r[j], C[j]);
        g[j] += weight * clamp(r[j], C[j]);
    }
    return all;
}

/* Returns the sums of struct rest over the columns where row i has no entry. */
static struct rest rest_beside(const struct linear_rows *A, long i, const double *r,
                               const double *C)
{
    struct rest beside = { 0, 0 };
    for (long j = 0, k = 0; j < A->d - A->ones; j++) {
        if (k < A->count[i] && A->index[i][k] == j) {
            k++;
            continue;
        }
        beside.norm2 += r[j] * r[j];
        beside.lost2 += lost_square(r[j], C[j]);
    }
    return beside;
}

/* Corrects g at the entries of row i, where clip_rest added w clamp(r), and computes the row's norms. `all` holds
 * the sums over all columns of r; those over the columns without an entry are `all` less the terms at the entries.
 * Where this difference is below LEFT of the whole, cancellation has taken its digits, and rest_beside sums it
 * anew. */
static void sparse_clip_beside(const struct linear_rows *A, long i, double u, const double *r,
                               struct rest all, const double *C, double w, double *g,
                               double *norm2, double *lost2)
{
    static const double LEFT = 0.01;
    struct rest beside = all;
    *norm2 = *lost2 = 0;
    for (long k = 0; k < A->count[i]; k++) {
        long j = A->index[i][k];
        double v = u * A->at[i][k] + r[j], own = clamp(v, C[j]), shared = clamp(r[j], C[j]);
        *norm2 += v * v;
        *lost2 += lost_square(v, C[j]);
        beside.norm2 -= r[j] * r[j];
        beside.lost2 -= lost_square(r[j], C[j]);
        if (own != shared)           /* the difference of equal infinities would be NaN */
            g[j] += w * (own - shared);
    }
    if (!(beside.norm2 > LEFT * all.norm2) || (all.lost2 > 0 && !(beside.lost2 > LEFT * all.lost2)))
        beside = rest_beside(A, i, r, C);
    *norm2 += beside.norm2;
    *lost2 += beside.lost2;
}

/* --- how rows are padded, and how many go into a group */

/* Rows are padded to whole lines of LINE doubles if the padding is at most 1/SHARE of the row, and the table fits a
 * last-level cache: a larger table is read from memory, and its padding would be read too. */
long linear_stride(long n, long d)
{
    enum { LINE = 8, SHARE = 8 };
    long whole = (d + LINE - 1) / LINE * LINE;
    return SHARE * (whole - d) <= d && !linear_far((double)n, (double)d) ? whole : d;
}

/* QUARTER: the doubles that a group may have, 8 KiB, a quarter of a first-level cache of 32 KiB. Kernels work on
 * two neighbouring groups at a time; of the sizes that were measured, two groups in half of the cache are the
 * fastest. FEW: a kernel takes so many rows at a time, and a group has a multiple of them, for long rows FEW
 * itself. LONGEST: for rows longer than this, grouping gains nothing. */
long linear_group(long d)
{
    enum { FEW = 4, QUARTER = 1024, LONGEST = 512 };
    long m = d > 0 ? QUARTER / d / FEW * FEW : LINEAR_ROWS;
    if (d > LONGEST)
        return 0;
    return d <= linear_exact()->width || m > LINEAR_ROWS ? LINEAR_ROWS : m < FEW ? FEW : m;
}

bool linear_far(double rows, double d)
{
    return rows * d * sizeof(double) > LAST_CACHE;
}

/* --- scores, sums and norms of rows, dense or sparse */

void linear_scores_ahead(const struct linear_rows *A, const struct linear_rows *next,
                         const double *x, double *s)
{
    if (!A->sparse && next)
        linear_kernels()->dots(A->m, A->d - A->ones, A->at, next->m, next->at, x, s);
    if (A->sparse || !next) {
        linear_scores_of(A, 0, A->m, x, s);
        return;
    }
    for (long i = 0; A->ones && i < A->m; i++)
        s[i] += x[A->d - 1];
}

void linear_scores_of(const struct linear_rows *A, long from, long m, const double *x, double *s)
{
    if (!A->sparse)
        linear_kernels()->dots(m, A->d - A->ones, A->at + from, 0, NULL, x, s);
    bool follow = A->sparse && A->m > 1 && A->at[1] == A->at[0] + A->count[0];
    for (long i = from; A->sparse && i < from + m; i++) {
        if (follow)
            sparse_fetch(A->count[i], A->index[i], A->at[i]);
        s[i - from] = sparse_dot(A->count[i], A->index[i], A->at[i], x);
    }
    for (long i = 0; A->ones && i < m; i++)
        s[i] += x[A->d - 1];
}

void linear_scores(const struct linear_rows *A, const double *x, double *s)
{
    linear_scores_ahead(A, NULL, x, s);
}

void linear_add(const struct linear_rows *A, const double *c, double *g)
{
    if (!A->sparse)
        linear_kernels()->adds(A->m, A->d - A->ones, A->at, c, g);
    for (long i = 0; A->sparse && i < A->m; i++)
        sparse_add(A->count[i], A->index[i], A->at[i], c[i], g);
    for (long i = 0; A->ones && i < A->m; i++)
        g[A->d - 1] += c[i];
}

void linear_norms(struct linear_rows *A)
{
    for (long i = 0; !A->norm && i < A->m; i++) {
        double norm = vec_norm(A->sparse ? A->count[i] : A->d - A->ones, A->at[i]);
        A->length[i] = A->ones ? hypot(norm, 1) : norm;
    }
    A->norm = A->norm ? A->norm : A->length;
}

static void clip_ones(const struct linear_rows *A, double u, const double *r, const double *C,
                      double w, double *g, double *norm2, double *lost2)
{
    long last = A->d - 1;
    double v = u + (r ? r[last] : 0);
    *norm2 += v * v;
    *lost2 += lost_square(v, C[last]);
    g[last] += w * clamp(v, C[last]);
}

void linear_clip_beside(const struct linear_rows *A, long i, double u, const double *r,
                        const double *C, double w, double *g, double *norm2, double *lost2)
{
    if (isnan(*lost2))
        *lost2 = lost_of(A->d - A->ones, A->at[i], u, r, C);
    if (A->ones)
        clip_ones(A, u, r, C, w, g, norm2, lost2);
}

void linear_add_clipped(const struct linear_rows *A, const double *u, const double *r,
                        const double *C, const double *w, double *g, double *norm2,
                        double *lost2)
{
    struct rest rest = { 0, 0 };
    if (A->sparse && r)
        rest = clip_rest(A, r, C, w, g);
    if (!A->sparse)
        linear_kernels()->clips(A->m, A->d - A->ones, A->at, u, r, C, w, g, norm2, lost2);
    for (long i = 0; i < A->m; i++) {
        if (!A->sparse) {
            linear_clip_beside(A, i, u[i], r, C, w[i], g, &norm2[i], &lost2[i]);
            continue;
        }
        if (r)
            sparse_clip_beside(A, i, u[i], r, rest, C, w[i], g, &norm2[i], &lost2[i]);
        else
            sparse_clip(A, i, u[i], C, w[i], g, &norm2[i], &lost2[i]);
        if (A->ones)
            clip_ones(A, u[i], r, C, w[i], g, &norm2[i], &lost2[i]);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_products.c - rows that are added while others are scored, without losses: the kernels of linear
 * models, compared with bare loops of the same multiply-adds, which are the limit of the machine.
 *
 * `bare loop` reads each row once, for its score and its part in the sum. A gradient cannot do this, as its slopes
 * depend on the scores. Its sums are in any order. `in order` adds rows one after the other, as the kernels must,
 * whose result may not depend on how rows are split into blocks: for rows of W entries, which are one vector of the
 * processor, every addition waits for the one before.
 *
 * On a Zen 4, ns a row: d = 8: 1.26 (in order 1.08, bare 0.68); 32: 3.8 (3.5); 64: 8.6 (7.4); 504: 70 to 80
 * (55 to 60). A row of 504 entries comes from the second cache in 34 ns, and two passes took 88: rows are
 * therefore added by groups of 4 while the next 4 are scored, which nearly fits the first cache. These
 * variants were not faster: groups of 2, 3 or 8 (80, 74, 92), prefetched rows (74 and more), the sum split
 * into halves before and after the slopes (98). */
#include <stdlib.h>

#include <immintrin.h>

#include "nights/gbench.h"
#include "numeric/lanes.h"
#include "numeric/linear_dense.h"
#include "vec.h"

#define TARGET __attribute__((target("avx512f")))
enum { W = 8, FEW = 4, GROUP_MOST = LINEAR_ROWS };

struct product {
    long n, d;
    double *A, *x, *g, *c, *s;       /* A[n*d]: the table; x[d]: the point; g[d]: the sum of rows; c[n]: weights of
                                        the rows; s[n]: scores */
    const double **row;              /* [n] the rows of A */
};

/* Goes through the table group by group, as a gradient does. */
static void kernels(void *p, long iterations)
{
    struct product *q = p;
    const struct linear_kernels *use = linear_kernels();
    long m = linear_group(q->d);
    for (; iterations > 0; iterations--) {
        vec_zero(q->d, q->g);
        use->dots(m, q->d, q->row, 0, NULL, q->x, q->s);
        for (long from = 0, next; from < q->n; from = next) {
            next = from + m;
            long now = q->n - from < m ? q->n - from : m;
            long others = q->n - next < m ? q->n - next : m;
            use->adds_dots(q->d, now, q->row + from, q->c + from, q->g, others > 0 ? others : 0,
                           q->row + next, q->x, q->s + next);
        }
    }
}

/* Takes FEW rows at a time. Where a row is one vector of W numbers, each of the FEW rows has a sum of its own, so
 * that no addition waits for another. g <- the sum of the weighted rows; s[0..W-1] <- parts of the sum of all
 * scores. */
static TARGET void bare(void *p, long iterations)
{
    struct product *q = p;
    for (; iterations > 0; iterations--) {
        __m512d apart[FEW], part[FEW];
        vec_zero(q->d, q->g);
        for (int r = 0; r < FEW; r++)
            apart[r] = part[r] = _mm512_setzero_pd();
        for (long i = 0; i < q->n; i += FEW)
            for (long j = 0; j < q->d; j += W) {
                __m512d x = _mm512_loadu_pd(q->x + j), g = apart[0];
                if (q->d > W)
                    g = _mm512_loadu_pd(q->g + j);
                for (int r = 0; r < FEW; r++) {
                    __m512d a = _mm512_loadu_pd(q->A + (i + r) * q->d + j);
                    __m512d w = _mm512_set1_pd(q->c[i + r]);
                    part[r] = _mm512_fmadd_pd(a, x, part[r]);
                    if (q->d > W)
                        g = _mm512_fmadd_pd(w, a, g);
                    else
                        apart[r] = _mm512_fmadd_pd(w, a, apart[r]);
                }
                if (q->d > W)
                    _mm512_storeu_pd(q->g + j, g);
            }
        if (q->d == W)
            _mm512_storeu_pd(q->g, (apart[0] + apart[1]) + (apart[2] + apart[3]));
        _mm512_storeu_pd(q->s, (part[0] + part[1]) + (part[2] + part[3]));
    }
}

/* Adds the rows, which have W entries each, in their order. */
static TARGET void in_order(void *p, long iterations)
{
    struct product *q = p;
    for (; iterations > 0; iterations--) {
        __m512d g = _mm512_setzero_pd();
        for (long i = 0; i < q->n; i++)
            g = _mm512_fmadd_pd(_mm512_set1_pd(q->c[i]), _mm512_loadu_pd(q->A + i * W), g);
        _mm512_storeu_pd(q->g, g);
    }
}

/* --- checks: all entries are whole numbers, so that every sum is exact in any order */

static int sum_right(void *p, void (*run)(void *, long))
{
    struct product *q = p;
    long wrong = 0;
    vec_fill(q->n, -1, q->s);
    run(q, 1);
    for (long j = 0; j < q->d; j++) {
        double sum = 0;
        for (long i = 0; i < q->n; i++)
            sum += q->c[i] * q->A[i * q->d + j];
        wrong += q->g[j] != sum;
    }
    return wrong != 0;
}

static int kernels_right(void *p)
{
    struct product *q = p;
    int wrong = sum_right(p, kernels);
    for (long i = 0; i < q->n; i++) {
        double sum = 0;
        for (long j = 0; j < q->d; j++)
            sum += q->A[i * q->d + j] * q->x[j];
        wrong |= q->s[i] != sum;
    }
    return wrong;
}

static int bare_right(void *p)
{
    struct product *q = p;
    double all = 0, parts = 0;
    int wrong = sum_right(p, bare);
    for (long i = 0; i < q->n * q->d; i++)
        all += q->A[i] * q->x[i % q->d];
    for (int k = 0; k < W; k++)
        parts += q->s[k];
    return wrong || parts != all;
}

static int in_order_right(void *p) { return sum_right(p, in_order); }

/* --- the sizes that are timed */

static struct product sizes[] = { { 4000, 8 }, { 4000, 32 }, { 4000, 64 }, { 1000, 504 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void *memory(long n)
{
    void *p = aligned_alloc(64, (size_t)(n + W) / W * W * sizeof(double));
    if (!p)
        abort();
    return p;
}

static struct gbench_case cases[2 * SIZES + 1 + 1];

static void open_product(struct product *q)
{
    q->A = memory(q->n * q->d);
    q->x = memory(q->d);
    q->g = memory(q->d);
    q->c = memory(q->n);
    q->s = memory(q->n);
    q->row = memory(q->n);
    for (long i = 0; i < q->n * q->d; i++)
        q->A[i] = (double)(i % 7);
    for (long j = 0; j < q->d; j++)
        q->x[j] = (double)(j % 3);
    for (long i = 0; i < q->n; i++) {
        q->c[i] = (double)(i % 5);
        q->row[i] = q->A + i * q->d;
    }
}

static void begin(void)
{
    static const char *const names[SIZES] = { "4000 x 8", "4000 x 32", "4000 x 64", "1000 x 504" };
    bool wide = __builtin_cpu_supports("avx512f");
    struct gbench_case *c = cases;
    for (int k = 0; k < SIZES; k++) {
        struct product *q = &sizes[k];
        double entries = (double)(q->n * q->d);
        open_product(q);
        struct gbench_case one = { "adds, scores", names[k], q, kernels, kernels_right,
            .bytes = 8 * entries, .flops = 4 * entries, .items = (double)q->n,
            .working_set = 8 * entries, .peer = wide ? "bare loop" : NULL };
        *c++ = one;
        one.kernel = "bare loop";
        one.run = bare;
        one.check = bare_right;
        one.peer = NULL;
        if (wide)
            *c++ = one;
        one.kernel = "in order";
        one.run = in_order;
        one.check = in_order_right;
        one.flops /= 2;
        if (wide && q->d == W)
            *c++ = one;
    }
}

const struct gbench_group bench_products = { "products", cases, begin };

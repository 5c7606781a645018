/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_linear.c - blocks of rows, compared with long double, at every SIMD level: lengths around the width of a
 * vector, columns of ones, empty and sparse rows, NaN and infinities. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/levels.h"
#include "linear.h"
#include "numeric/linear_dense.h"
#include "rng.h"
#include "vec.h"

enum { LONGEST = 131, MOST = 24 };
static const long lengths[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65, LONGEST };
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* |value - truth| must be within 40 ulps of the sum of the absolute terms. */
static void near(double value, long double truth, long double size)
{
    if (!(fabsl(value - truth) <= 40 * DBL_EPSILON * size + DBL_MIN))
        fail_msg("%.17g, not %.17Lg", value, truth);
}

/* A block of rows, and the same numbers as a full matrix with zeros and the column of ones. entry, index: what
 * the rows store. x: a point; c, w: weights of the rows; r: a vector; C: bounds of coordinates. */
struct block {
    struct linear_rows A;
    double full[MOST][LONGEST + 1], entry[MOST][LONGEST];
    int index[MOST][LONGEST];
    double x[LONGEST + 1], c[MOST], w[MOST], r[LONGEST + 1], C[LONGEST + 1];
};

/* Draws a block. Sparse rows store every third entry, and row 1 none. */
static struct block *draw(long m, long stored, bool ones, bool sparse)
{
    static struct block b;
    struct rng rng = rng_stream((uint64_t)(1000 * m + stored));
    memset(&b, 0, sizeof b);
    b.A = (struct linear_rows){ .m = m, .d = stored + ones, .ones = ones, .sparse = sparse };
    rng_normals(&rng, LONGEST + 1, 1, b.x);
    rng_normals(&rng, LONGEST + 1, 0.3, b.r);
    rng_normals(&rng, MOST, 1, b.c);
    rng_normals(&rng, MOST, 1, b.w);
    for (long j = 0; j <= LONGEST; j++)
        b.C[j] = rng_uniform(&rng);
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < stored; j++) {
            double v = rng_normal(&rng);
            if (sparse && (i == 1 || (i + j) % 3))
                continue;
            b.full[i][j] = v;
            b.index[i][b.A.count[i]] = (int)j;
            b.entry[i][sparse ? b.A.count[i] : j] = v;
            b.A.count[i]++;
        }
        b.full[i][stored] = ones;
        b.A.at[i] = b.entry[i];
        b.A.index[i] = b.index[i];
    }
    return &b;
}

static void check_scores(const struct block *b)
{
    double s[MOST];
    struct linear_rows A = b->A;
    linear_scores(&A, b->x, s);
    linear_norms(&A);
    for (long i = 0; i < A.m; i++) {
        long double sum = 0, size = 0, square = 0;
        for (long j = 0; j < A.d; j++) {
            sum += (long double)b->full[i][j] * b->x[j];
            size += fabsl((long double)b->full[i][j] * b->x[j]);
            square += (long double)b->full[i][j] * b->full[i][j];
        }
        near(s[i], sum, size);
        near(A.norm[i], sqrtl(square), sqrtl(square));
    }
}

static void check_sums(const struct block *b)
{
    double g[LONGEST + 1];
    memcpy(g, b->r, sizeof g);
    linear_add(&b->A, b->c, g);
    for (long j = 0; j <= LONGEST; j++) {
        long double sum = b->r[j], size = fabsl(sum);
        for (long i = 0; i < b->A.m && j < b->A.d; i++) {
            sum += (long double)b->c[i] * b->full[i][j];
            size += fabsl((long double)b->c[i] * b->full[i][j]);
        }
        near(g[j], sum, size);
    }
}

static void check_clipped(const struct block *b, const double *r)
{
    double g[LONGEST + 1] = { 0 }, norm2[MOST], lost2[MOST];
    linear_add_clipped(&b->A, b->c, r, b->C, b->w, g, norm2, lost2);
    long double truth[LONGEST + 1] = { 0 }, size[LONGEST + 1] = { 0 };
    for (long i = 0; i < b->A.m; i++) {
        long double square = 0, lost = 0;
        for (long j = 0; j < b->A.d; j++) {
            long double v = (long double)b->c[i] * b->full[i][j] + (r ? r[j] : 0);
            long double kept = fmaxl(-b->C[j], fminl(b->C[j], v));
            square += v * v;
            lost += (v - kept) * (v - kept);
            truth[j] += b->w[i] * kept;
            size[j] += fabsl(b->w[i]) * (fabsl(kept) + (r ? fabsl(r[j]) : 0));
        }
        near(norm2[i], square, square + (r ? 10 : 0));
        near(lost2[i], lost, square + (r ? 10 : 0));
    }
    for (long j = 0; j <= LONGEST; j++)
        near(g[j], truth[j], size[j]);
}

/* A row has the same score whether it is alone or among others, and whether or not the rows of a next block are
 * prefetched. A sum over rows is the same whether they are added at once or one by one. */
static void check_bits(const struct block *b)
{
    double s[MOST], one, g[LONGEST + 1], h[LONGEST + 1];
    linear_scores(&b->A, b->x, s);
    for (struct linear_rows next = b->A; next.m >= 0; next.m--) {
        double ahead[MOST];
        linear_scores_ahead(&b->A, &next, b->x, ahead);
        assert_memory_equal(ahead, s, (size_t)b->A.m * sizeof *s);
    }
    memcpy(g, b->r, sizeof g);
    memcpy(h, b->r, sizeof h);
    linear_add(&b->A, b->c, g);
    for (long i = 0; i < b->A.m; i++) {
        struct linear_rows alone = b->A;
        alone.m = 1;
        alone.at[0] = b->A.at[i];
        alone.index[0] = b->A.index[i];
        alone.count[0] = b->A.count[i];
        linear_scores(&alone, b->x, &one);
        assert_memory_equal(&one, &s[i], sizeof one);
        linear_add(&alone, b->c + i, h);
    }
    /* The column of ones is added after the others of its block, in the same order. */
    assert_memory_equal(g, h, sizeof g);
}

/* Dense rows are added and rows are scored in one pass. Sum and scores have the same bits as if computed apart,
 * whether more rows are added or more are scored. */
static void check_together(const struct block *b)
{
    double s[MOST], both[MOST], g[LONGEST + 1], h[LONGEST + 1];
    const struct linear_kernels *kernels = linear_kernels();
    const double *const *row = b->A.at;
    long d = b->A.d - b->A.ones, all = b->A.m;
    kernels->dots(all, d, row, 0, NULL, b->x, s);
    for (long few = 0; few <= all; few++)
        for (int more = 0; more < 2; more++) {
            long added = more ? few : all, scored = more ? all : few;
            memcpy(g, b->r, sizeof g);
            memcpy(h, b->r, sizeof h);
            kernels->adds(added, d, row, b->c, h);
            kernels->adds_dots(d, added, row, b->c, g, scored, row, b->x, both);
            assert_memory_equal(g, h, sizeof g);
            assert_memory_equal(both, s, (size_t)scored * sizeof *s);
        }
}

/* Rows are clipped and rows are scored in one pass. Both results have the same bits as if computed apart. */
static void check_clipped_together(const struct block *b)
{
    double s[MOST], both[MOST], norm[2][MOST], lost[2][MOST], g[LONGEST + 1], h[LONGEST + 1];
    const struct linear_kernels *kernels = linear_kernels();
    const double *const *row = b->A.at;
    long d = b->A.d - b->A.ones, all = b->A.m;
    kernels->dots(all, d, row, 0, NULL, b->x, s);
    for (long few = 0; few <= all; few++)
        for (int more = 0; more < 2; more++) {
            long m = more ? few : all, scored = more ? all : few;
            memcpy(g, b->r, sizeof g);
            memcpy(h, b->r, sizeof h);
            kernels->clips(m, d, row, b->c, NULL, b->C, b->w, h, norm[0], lost[0]);
            kernels->clips_dots(d, m, row, b->c, b->C, b->w, g, norm[1], lost[1], scored, row,
                                b->x, both);
            assert_memory_equal(g, h, sizeof g);
            assert_memory_equal(norm[1], norm[0], (size_t)m * sizeof *s);
            assert_memory_equal(lost[1], lost[0], (size_t)m * sizeof *s);
            assert_memory_equal(both, s, (size_t)scored * sizeof *s);
        }
}

/* dots_move computes the scores of rows and replaces each row v by r + 0.3 v in one pass. Both results have the
 * same bits as if computed apart, and the number after the last row does not change. */
static void check_moved(const struct block *b)
{
    static double z[MOST * LONGEST + 1];
    double s[MOST], both[MOST], h[LONGEST + 1];
    const struct linear_kernels *kernels = linear_kernels();
    long d = b->A.d - b->A.ones, m = b->A.m;
    for (long i = 0; i < m; i++)
        memcpy(z + i * d, b->A.at[i], (size_t)d * sizeof *z);
    z[m * d] = 7;
    kernels->dots(m, d, b->A.at, 0, NULL, b->x, s);
    kernels->dots_move(m, d, b->x, 0.3, b->r, z, both);
    assert_memory_equal(both, s, (size_t)m * sizeof *s);
    for (long i = 0; i < m; i++) {
        kernels->lincomb(d, 1, b->r, 0.3, b->A.at[i], h);
        assert_memory_equal(z + i * d, h, (size_t)d * sizeof *z);
    }
    assert_true(z[m * d] == 7);
}

static void all_shapes(int level, void *unused)
{
    static const long rows[] = { 1, 2, 3, 4, 5, 7, 8, 9, 16, MOST };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int q = 0; q < LENGTHS; q++)
            for (int how = 0; how < 4; how++) {
                const struct block *b = draw(rows[k], lengths[q], how & 1, how & 2);
                check_scores(b);
                check_sums(b);
                check_clipped(b, NULL);
                check_clipped(b, b->r);
                check_bits(b);
                if (how & 2)
                    continue;
                check_together(b);
                check_clipped_together(b);
                check_moved(b);
            }
}

static void test_shapes(void **state)
{
    assert_true(each_level(all_shapes, NULL) >= 1);
}

/* NaN and infinities reach only the sums in which they are; a clamp keeps NaN and cuts infinity. */
static void not_finite(int level, void *unused)
{
    const long d = 11, bad = 2, row = 3;
    for (int how = 0; how < 2; how++) {
        struct block *b = draw(9, d, false, false);
        double s[MOST], g[LONGEST + 1] = { 0 }, norm2[MOST], lost2[MOST];
        b->entry[row][bad] = how ? INFINITY : NAN;
        b->c[row] = b->w[row] = 1;
        linear_scores(&b->A, b->x, s);
        linear_norms(&b->A);
        for (long i = 0; i < 9; i++)
            assert_true(isfinite(s[i]) == (i != row) && isfinite(b->A.norm[i]) == (i != row));
        linear_add(&b->A, b->c, g);
        for (long j = 0; j < d; j++)
            assert_true(isfinite(g[j]) == (j != bad));
        vec_zero(d, g);
        linear_add_clipped(&b->A, b->c, NULL, b->C, b->w, g, norm2, lost2);
        for (long j = 0; j < d; j++)
            assert_true(isnan(g[j]) == (!how && j == bad));
        assert_true(how ? isinf(norm2[row]) && isinf(lost2[row])
                        : isnan(norm2[row]) && isfinite(lost2[row]));
    }
}

static void test_not_finite(void **state)
{
    assert_true(each_level(not_finite, NULL) >= 1);
}

static void test_block(void **state)
{
    for (long d = 0; d < 100000; d = 2 * d + 1)
        assert_true(linear_block(d) >= 8 && linear_block(d) <= LINEAR_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}

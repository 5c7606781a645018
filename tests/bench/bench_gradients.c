/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_gradients.c - gradients of linear models through the oracle: whole, clipped, sparse, from random
 * lists, by coordinates, and values along directions. Dense gradients are compared with two products of BLAS
 * with the same table, once without a loss and once with the slopes of the loss computed one by one between
 * them. Sparse gradients are compared with a gather and a scatter of the same entries, since bandwidth is not
 * their limit. Bytes are those of one pass over the rows, flops those of the scores and the sum; the loss
 * counts as neither.
 *
 * The column `share` is the part of the machine's limit that is reached. What bounds it is listed here in ns a row,
 * measured on a Zen 4 with 107 GB/s from the second cache, 93 from the third, 29 from memory, and one 512-bit
 * multiply-add a cycle (58 Gflop/s). Products alone: bench_products.c.
 *
 *       d = 8 (on a Zen 3, AVX2): 4.3 in all: slope 1.6, scores and sum in one pass 1.5, indices and weights
 *         0.8. The products of BLAS take 3.1 without a slope and 13 with one. Additions to the sum wait for
 *         each other, 1.25 a row, since their order is fixed. The total could only fall if the slopes were
 *         computed during that wait, by a kernel for each loss. Squares, whose slope is a difference: 2.6
 *         (0.84 of BLAS).
 *       d = 64: products 8.2, slope 1.7, indices, labels and weights 2; the table is in the third cache.
 *       d = 500: products 70 to 80, 81 to 87 in all: the slopes of a group of rows wait for its scores, and
 *         the 63 stores of the sum are repeated for every group. Rows that are not aligned to cache lines:
 *         115. Clipped by norm: 98.
 *       d = 4096: of 830, 350 are a pass from the third cache and 305 one from the second; x and g, each as
 *         large as the first cache, are read again for every four rows.
 *       d = 1000 from memory: of 395, 275 are the first pass and 75 the second, from the second cache, which
 *         hardly overlap. Groups of 4 rows: 540; prefetching rows during the sum: 5% at most. A random list:
 *         450.
 *       clipped by coordinates: seven operations on a vector of entries in place of one. Four of them are in
 *         the units of multiplication and take 69 at one a cycle, 86 with that of the score, of 117 in all.
 *       values along directions: a pass over 16 directions in the second cache takes 36 of 62 ns a
 *         direction; a coordinate step: 1.4 of 2.1 ns a record are its slope; sparse: a gather and a scatter
 *         of 50 entries take 83 of 97 ns. */
#include "bench/bench_asking.h"

static void blas(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++) {
        product(a, CblasNoTrans, a->x, a->s);
        product(a, CblasTrans, a->s, a->g);
    }
}

/* The two products with the slopes between them, computed one by one by libm. */
static void blas_slopes(void *p, long iterations)
{
    struct asking *a = p;
    const struct loss *loss = loss_find(a->loss);
    for (long k = 0; k < iterations; k++) {
        product(a, CblasNoTrans, a->x, a->s);
        for (long i = 0; i < a->n; i++)
            a->s[i] = a->scale * loss->slope(1, a->s[i], a->y[i]) / (double)a->n;
        product(a, CblasTrans, a->s, a->g);
    }
}

static int blas_slopes_right(void *p)
{
    struct asking *a = p;
    double *g = arena_vec(a->memory, a->d);
    gradient(a, 1);
    vec_copy(a->d, a->g, g);
    blas_slopes(a, 1);
    return !(vec_dist(a->d, a->g, g) <= 1e-12 * vec_norm(a->d, g));
}

/* Checks that <A'A x, x> = |A x|^2. */
static int blas_right(void *p)
{
    struct asking *a = p;
    blas(a, 1);
    double square = vec_dot(a->n, a->s, a->s);
    return !(fabs(vec_dot(a->d, a->g, a->x) - square) <= 1e-11 * square);
}

/* The limit of sparse rows: for every entry of the table an entry of x is read and one of g is added to, block
 * after block, without rows, labels or slopes. */
static void gather_scatter(void *p, long iterations)
{
    enum { BLOCK = 64 * KEPT, AHEAD = 256 };
    struct asking *a = p;
    struct linear_rows A;
    long entries = (long)a->facts.nonzeros;
    a->problem->linear->rows(a->self, &(struct samples){ 0, 1, NULL }, NULL, &A);
    const double *v = A.at[0];
    const int *at = A.index[0];
    for (; iterations > 0; iterations--) {
        double sum[8] = { 0 };
        vec_zero(a->d, a->g);
        for (long from = 0; from < entries; from += BLOCK) {
            long to = from + BLOCK < entries ? from + BLOCK : entries, k = from;
            for (; k + 8 <= to; k += 8) {
                __builtin_prefetch(v + k + AHEAD);
                __builtin_prefetch(at + k + AHEAD);
                for (int c = 0; c < 8; c++)
                    sum[c] += v[k + c] * a->x[at[k + c]];
            }
            for (; k < to; k++)
                sum[0] += v[k] * a->x[at[k]];
            for (k = from; k < to; k++)
                a->g[at[k]] += 0.5 * v[k];
        }
        a->s[0] = 0;
        for (int c = 0; c < 8; c++)
            a->s[0] += sum[c];
    }
}

/* Checks that gather and scatter used the same entries: s, the sum over entries of value times x, is 2 <g, x>, as g
 * adds half of every value. */
static int gather_scatter_right(void *p)
{
    struct asking *a = p;
    gather_scatter(a, 1);
    double twice = 2 * vec_dot(a->d, a->g, a->x);
    return !(fabs(a->s[0] - twice) <= 1e-10 * vec_norm(a->d, a->g) * vec_norm(a->d, a->x));
}

/* --- one coordinate after the other: a partial derivative, then a step */

static void coordinate(void *p, long iterations)
{
    struct asking *a = p;
    double partial;
    for (long k = 0; k < iterations; k++) {
        a->j = a->j + 1 < a->d ? a->j + 1 : 0;
        point_coord(a->point, a->j, NULL, &partial);
        point_add(a->point, a->j, -0.1 * partial);
        a->g[a->j] = partial;
    }
}

/* Checks that after d steps the partial derivatives at the point are the gradient there. */
static int coordinate_right(void *p)
{
    struct asking *a = p;
    coordinate(a, a->d);
    double partial, off = 0;
    a->problem->composite->smooth_grad(a->self, point_at(a->point), a->g);
    for (long j = 0; j < a->d; j++) {
        point_coord(a->point, j, NULL, &partial);
        off = fmax(off, fabs(partial - a->g[j]));
    }
    return !(off <= 1e-12);
}

/* --- values of one sample along directions that share their scores */

static void along(void *p, long iterations)
{
    struct asking *a = p;
    const double r[2] = { 0.1, -0.1 }, *const x[2] = { a->x, a->x };
    for (long k = 0; k < iterations; k++)
        a->problem->values_along(a->self, k % a->n, 2, x, r, DIRECTIONS, a->u, a->s);
}

static int along_right(void *p)
{
    struct asking *a = p;
    along(a, 1);
    double off = 0;
    for (int j = 0; j < DIRECTIONS; j++) {
        vec_lincomb(a->d, 1, a->x, 0.1, a->u + j * a->d, a->g);
        off = fmax(off, fabs(a->problem->sample_value(a->self, 0, a->g) - a->s[j]));
    }
    return !(off <= 1e-13);
}

#define DRAWN_TABLE(n_, d_) { .n = n_, .d = d_, .scheme = SAMPLING_ALL }
static struct asking tables[] = {
    DRAWN_TABLE(4000, 8), DRAWN_TABLE(4000, 64), DRAWN_TABLE(1000, 500), DRAWN_TABLE(250, 4096),
    DRAWN_TABLE(40000, 1000),
    { .n = 40000, .d = 1000, .scheme = SAMPLING_SUBSET },
    { .n = 1000, .d = 500, .scheme = SAMPLING_ALL, .clip = CLIP_NORM },
    { .n = 1000, .d = 500, .scheme = SAMPLING_ALL, .clip = CLIP_COORDS },
};
enum { TABLES = sizeof tables / sizeof *tables };
static struct asking logistic = { .n = 1000, .d = 500, .kind = DENSE_FILE, .scheme = SAMPLING_ALL },
                     squares = { .n = 4000, .d = 8, .kind = DENSE_FILE, .loss = "squares", .scheme = SAMPLING_ALL },
                     tall = { .n = 20000, .d = 25, .kind = DENSE_FILE, .scheme = SAMPLING_ALL },
                     sparse = { .n = 20000, .d = 10000, .kind = SPARSE_FILE,
                                .scheme = SAMPLING_ALL };

static void begin(void)
{
    for (int k = 0; k < TABLES; k++)
        open_blas(&tables[k]);
    open_blas(&logistic);
    open_blas(&squares);
    open_question(&tall);
    open_question(&sparse);
}

static void end(void)
{
    for (int k = 0; k < TABLES; k++)
        arena_free(tables[k].memory);
    arena_free(logistic.memory);
    arena_free(squares.memory);
    arena_free(tall.memory);
    arena_free(sparse.memory);
}

#define WORK(N, D) WORK_AT(N, D, 1)
#define GRADIENT(KERNEL, WORDS, N, D, P)                                                          \
    { KERNEL, WORDS, P, gradient, gradient_right, WORK(N, D), .peer = "dgemv twice" },            \
    { "dgemv twice", WORDS, P, blas, blas_right, WORK(N, D) },                                    \
    { "dgemv, slopes, dgemv", WORDS, P, blas_slopes, blas_slopes_right, WORK(N, D),               \
      .peer = "dgemv twice" }

static const struct gbench_case cases[] = {
    GRADIENT("sigmoid", "4000 x 8", 4000, 8, &tables[0]),
    GRADIENT("sigmoid", "4000 x 64", 4000, 64, &tables[1]),
    GRADIENT("sigmoid", "1000 x 500", 1000, 500, &tables[2]),
    GRADIENT("sigmoid", "250 x 4096", 250, 4096, &tables[3]),
    GRADIENT("sigmoid", "40000 x 1000", 40000, 1000, &tables[4]),
    { "sigmoid, subset", "20000 x 1000", &tables[5], gradient, gradient_right, .bytes = 1.6e8,
      .flops = 8e7, .items = 20000, .working_set = 3.2e8 },
    GRADIENT("logistic", "1000 x 500, file", 1000, 500, &logistic),
    GRADIENT("squares", "4000 x 8, file", 4000, 8, &squares),
    { "norm clipped", "1000 x 500", &tables[6], gradient, gradient_right, WORK(1000, 500) },
    { "coordinates clipped", "1000 x 500", &tables[7], gradient, gradient_right, WORK(1000, 500) },
    { "logistic, sparse", "20000 x 50 of 10000", &sparse, gradient, gradient_right,
      .bytes = 12.0 * 20000 * KEPT, .flops = 4.0 * 20000 * KEPT, .items = 20000,
      .working_set = 12.0 * 20000 * KEPT, .peer = "gather, scatter" },
    { "gather, scatter", "20000 x 50 of 10000", &sparse, gather_scatter, gather_scatter_right,
      .bytes = 12.0 * 20000 * KEPT, .flops = 4.0 * 20000 * KEPT, .items = 20000,
      .working_set = 12.0 * 20000 * KEPT },
    { "coordinate step", "20000 x 25", &tall, coordinate, coordinate_right,
      .bytes = 8.0 * 6 * 20000, .written = 8.0 * 20000, .items = 20000, .working_set = 8.0 * 20000 * 27 },
    { "coordinate step", "20000 x 50 of 10000", &sparse, coordinate, coordinate_right, .bytes = 52.0 * 2 * KEPT,
      .written = 16.0 * KEPT, .items = 2 * KEPT, .working_set = 12.0 * 20000 * KEPT },
    { "values along", "16 of 500", &logistic, along, along_right, .bytes = 8.0 * 16 * 500,
      .flops = 2.0 * 16 * 500, .items = 16, .working_set = 8.0 * 16 * 500 },
    { 0 }
};

const struct gbench_group bench_gradients = { "gradients", cases, begin, end };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.h - the vector kernels behind rng.h and vmath.h. One source, lanes_kernels.h, is compiled for three
 * instruction sets, the levels; a process chooses one of them at its first call.
 *
 * At every level a lane does the same IEEE operations in the same order, and a multiply-add is fused only where the
 * source says so. Hence all levels give the same bits. */
#ifndef ASSAY_LANES_H
#define ASSAY_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#define LANES_LIST(X) X(portable) X(avx2) X(avx512)

enum lanes_level {
#define X(name) LANES_##name,
    LANES_LIST(X)
#undef X
        LANES_COUNT
};

/* Philox blocks that follow one another: rows of `per_row` blocks, where row k begins at `block` in substream
 * index + k. A call that draws from one row only does not cross a block number that is a multiple of 2^32. */
struct lanes_blocks {
    uint32_t key[2];
    uint64_t index, block, per_row;
};

/* Separate blocks, each with a key: number k is block[k] of substream index[k] under key[k], where the second word
 * of the key is the upper half of key[k]. */
struct lanes_apart {
    const uint64_t *key, *index, *block;
};
/* Doubles in a vector of the widest level. */
enum { LANES_MOST = 8 };

/* The kernels of linear_dense.h. The sums of different levels differ by rounding. */
struct linear_kernels {
    double (*dot)(long d, const double *x, const double *y);
    double (*square_distance)(long d, const double *x, const double *y);
    void (*axpy)(long d, double a, const double *x, double *y);      /* not fused */
    /* g[d] += sum_k c_k row_k of A[m*d], with the bits of m calls of axpy in this order */
    void (*axpys)(long m, long d, const double *A, const double *c, double *g);
    /* z = a x + b y, not fused; z may be x or y */
    void (*lincomb)(long d, double a, const double *x, double b, const double *y, double *z);
    /* s[m] <- <row_i, x>; meanwhile the rows next[fetch] are prefetched */
    void (*dots)(long m, long d, const double *const *row, long fetch, const double *const *next,
                 const double *x, double *s);
    /* s[m] <- <z_i, x> for the rows of z[m*d], then z_i <- b + a z_i: the bits of dots and of lincomb */
    void (*dots_move)(long m, long d, const double *x, double a, const double *b, double *z,
                      double *s);
    /* g[d] += sum_i c_i row_i, row after row, by fused multiply-adds where the instruction set has them */
    void (*adds)(long m, long d, const double *const *row, const double *c, double *g);
    /* What adds and dots compute, in one pass and with the same bits: adds takes m rows, dots takes `others`
     * further rows. row, c and g may be NULL where m = 0; other, x and s where others = 0. */
    void (*adds_dots)(long d, long m, const double *const *row, const double *c, double *g,
                      long others, const double *const *other, const double *x, double *s);
    /* linear_add_clipped without a column of ones; lost2 may become NaN where an entry is not finite */
    void (*clips)(long m, long d, const double *const *row, const double *u, const double *r,
                  const double *C, const double *w, double *g, double *norm2, double *lost2);
    /* What clips (with r = NULL) and dots compute, in one pass and with the same bits: clips takes m rows, dots
     * takes `others` further rows. m and others may be 0 */
    void (*clips_dots)(long d, long m, const double *const *row, const double *u, const double *C,
                       const double *w, double *g, double *norm2, double *lost2, long others,
                       const double *const *other, const double *x, double *s);
    long (*peak)(long d, const double *x, double *square);           /* the kernel of vec_peak */
    /* the kernel of vec_combine_rows */
    void (*products)(long k, long m, long d, const double *A, const double *X, double *Y);
    long width;                      /* doubles in a vector; 1 at the portable level */
};

struct lanes {
    /* y[d] <- the function of x[d]; y may be x. See vmath.h. */
    void (*exp)(long d, const double *x, double *y);
    void (*log)(long d, const double *x, double *y);
    void (*log1pexp)(long d, const double *x, double *y);
    void (*logistic)(long d, const double *x, double *y);
    void (*logistic_slope)(long d, const double *x, double *y);
    void (*turned_logistic)(long d, const double *y, double *x);
    void (*turned_logistic_slope)(long d, const double *y, double *x);
    /* out[m] <- the first m numbers of these blocks, two from each block, row after row. scale: the standard
     * deviation of normals, the mean of |x| of laplaces; uniforms do not use it. */
    void (*normals)(const struct lanes_blocks *at, long m, double scale, double *out);
    void (*laplaces)(const struct lanes_blocks *at, long m, double scale, double *out);
    void (*uniforms)(const struct lanes_blocks *at, long m, double scale, double *out);
    /* The words of the blocks: two of 64 bits from each, as doubles of the same bits. */
    void (*words)(const struct lanes_blocks *at, long m, double unused, double *out);
    /* normals and words, but of separate blocks; out[2 blocks], where `blocks` is a multiple of LANES_MOST. */
    void (*normals_apart)(const struct lanes_apart *at, long blocks, double scale, double *out);
    void (*words_apart)(const struct lanes_apart *at, long blocks, double unused, double *out);
    /* The first number of a block, given the first word of the block, or both: a standard normal, and a laplace of
     * mean |x| = b. */
    double (*normal)(uint64_t first, uint64_t second);
    double (*laplace)(uint64_t word, double b);
    /* Divides each of the m rows of x[m*d] by its norm, which is summed in the same order at all levels. Rows of
     * norm 0 stay as they are; returns how many these are. */
    long (*unit_rows)(long m, long d, double *x);
    struct linear_kernels rows;
};

extern const struct lanes lanes_portable, lanes_avx2, lanes_avx512;

/* One more than the level in use; 0: none is chosen yet. Only lanes_level may use the variable and the function
 * lanes_level_first, which chooses a level. */
extern _Atomic int lanes_level_set;
int lanes_level_first(void);
/* Returns the level in use: the widest that this machine has, unless lanes_use or ASSAY_SIMD has set one. Inline,
 * since every call for a short vector asks for it. */
static inline int lanes_level(void)
{
    int set = lanes_level_set;
    return set ? set - 1 : lanes_level_first();
}
/* The kernels of each level, NULL where this processor has none, and those of the level in use. */
extern const struct lanes *const lanes_of[LANES_COUNT];
static inline const struct lanes *lanes_now(void) { return lanes_of[lanes_level()]; }
const char *lanes_name(void);
/* Sets the level for this process. Returns REFUSED where this machine lacks it. */
enum status lanes_use(enum lanes_level level, struct why *why);
/* Sets the level that the environment variable ASSAY_SIMD names, or the widest where it is not set. Returns
 * BAD_INPUT where there is no such level, or this machine lacks it. */
enum status lanes_from_environment(struct why *why);

#endif

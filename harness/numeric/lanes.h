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
/* Returns the kernels of the level in use. */
const struct lanes *lanes_now(void);
const char *lanes_name(void);
/* Sets the level for this process. Returns REFUSED where this machine lacks it. */
enum status lanes_use(enum lanes_level level, struct why *why);
/* Sets the level that the environment variable ASSAY_SIMD names, or the widest where it is not set. Returns
 * BAD_INPUT where there is no such level, or this machine lacks it. */
enum status lanes_from_environment(struct why *why);

#endif

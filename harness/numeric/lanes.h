/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.h - the vector kernels behind rng.h and vmath.h: one source, lanes_kernels.h, compiled for
 * three instruction sets and chosen once at run time.
 *
 * A lane does the same IEEE operations in the same order whatever the width, and operations are
 * fused where the source says so alone, so every level gives the same bits. */
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

/* Where a run of blocks lies: rows of `per_row` blocks, row k in substream index + k from
 * `block` on. A single row does not cross a multiple of 2^32. */
struct lanes_blocks {
    uint32_t key[2];
    uint64_t index, block, per_row;
};

/* Blocks that lie anywhere, each under a key of its own: block[k] of substream index[k], key[k] with its
 * second word in the upper half. */
struct lanes_apart {
    const uint64_t *key, *index, *block;
};
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
    /* out[m] <- the first m of the numbers of these blocks, two a block, row after row. scale: the
     * standard deviation, the mean of |x|, or nothing. */
    void (*normals)(const struct lanes_blocks *at, long m, double scale, double *out);
    void (*laplaces)(const struct lanes_blocks *at, long m, double scale, double *out);
    void (*uniforms)(const struct lanes_blocks *at, long m, double scale, double *out);
    /* The blocks themselves, as doubles of the same bits. */
    void (*words)(const struct lanes_blocks *at, long m, double unused, double *out);
    /* The same of blocks apart, whose number is a multiple of LANES_MOST: out[2 blocks]. */
    void (*normals_apart)(const struct lanes_apart *at, long blocks, double scale, double *out);
    void (*words_apart)(const struct lanes_apart *at, long blocks, double unused, double *out);
    /* The number that a block of these words begins with. */
    double (*normal)(uint64_t first, uint64_t second);
    double (*laplace)(uint64_t word, double b);
    /* Each of the m rows of x[m*d] <- the row over its norm, summed in one order at all levels.
     * Returns how many have norm 0, and stay as they were. */
    long (*unit_rows)(long m, long d, double *x);
};

extern const struct lanes lanes_portable, lanes_avx2, lanes_avx512;

/* One more than the level in use; 0: nobody has asked yet, or set one. For lanes_level alone. */
extern _Atomic int lanes_level_set;
int lanes_level_first(void);
/* The level in use: the widest that this machine has, unless lanes_use has set one. Inline, as short vectors ask
 * for their kernels at every call. */
static inline int lanes_level(void)
{
    int set = lanes_level_set;
    return set ? set - 1 : lanes_level_first();
}
/* The kernels of that level. */
const struct lanes *lanes_now(void);
const char *lanes_name(void);
/* Sets the level for this process. REFUSED: this machine lacks it. */
enum status lanes_use(enum lanes_level level, struct why *why);
/* Sets the level from the environment variable ASSAY_SIMD, if there is one. BAD_INPUT: no such
 * level. */
enum status lanes_from_environment(struct why *why);

#endif

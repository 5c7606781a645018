/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rng.h - counter-based streams (Philox4x32-10 of Random123: Salmon et al., SC 2011) with keyed
 * random access: draw k of substream i is a pure function of (key, i, k), so samples, noise and
 * query points can be recomputed instead of stored, in any order and on any worker.
 *
 * struct rng is opaque: only the functions below read its members. It is a value, and a copy of it is a position
 * from which drawing can restart. */
#ifndef ASSAY_RNG_H
#define ASSAY_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint32_t key[2];
    uint64_t index;          /* which substream */
    uint64_t block;          /* next block of four 32-bit words */
    uint32_t word[4];
    int      left;           /* words of `word` not yet given out */
};

/* Returns the stream of a 64-bit seed. The harness makes seeds by hashing the text of a cell. */
struct rng rng_stream(uint64_t seed);
/* Returns substream i of a stream, at its beginning. This takes O(1), independent of the position of `base`. */
struct rng rng_at(const struct rng *base, uint64_t i);
/* Returns a new stream keyed by (base's key, base's index, label): for a second level of addressing. */
struct rng rng_sub(const struct rng *base, uint64_t label);

uint32_t rng_u32(struct rng *r);
uint64_t rng_u64(struct rng *r);
/* Returns a number that is uniform on the open interval (0,1): never 0, never 1. */
double rng_uniform(struct rng *r);
/* Returns a number of {0, ..., n-1}, each with exactly the same probability (by rejection). n >= 1. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* Returns -1 or +1, each with probability 1/2. */
double rng_sign(struct rng *r);
double rng_normal(struct rng *r);
/* Returns a number of density exp(-|x|/b)/(2b). */
double rng_laplace(struct rng *r, double b);
/* Returns J in {1,2,...} with P(J=j) = 2^-j, capped at 64*8. */
int rng_geometric(struct rng *r);

/* Vectors. A vector begins at the next block of four words, and takes one block for two numbers. So a vector drawn
 * in parts of even length has the same bits, and so have uniform and Laplace numbers drawn one by one from the
 * beginning of a block; rng_normal takes a whole block, and returns the first normal of its pair. The bits are the
 * same at every instruction set (see vmath.h). A normal is within 2 units in the last place of Box and Muller's
 * transform of its block, and reaches 9.4 standard deviations. */
/* out[d] <- independent N(0, sd^2). */
void rng_normals(struct rng *r, long d, double sd, double *out);
/* out[d] <- independent, density exp(-|x|/b)/(2b). */
void rng_laplaces(struct rng *r, long d, double b, double *out);
/* out[d] <- independent, uniform on (0,1). */
void rng_uniforms(struct rng *r, long d, double *out);
/* Moves past a vector of d numbers without drawing it. */
void rng_skip(struct rng *r, long d);
/* out[d] <- uniform on the unit sphere of R^d. */
void rng_sphere(struct rng *r, long d, double *out);
/* out[d] <- uniform in the unit ball of R^d. */
void rng_ball(struct rng *r, long d, double *out);
/* out[m*d] <- the results of m calls of rng_ball, in their order, computed together. */
void   rng_balls(struct rng *r, long m, long d, double *out);

/* out[m*d]: row k has the bits that the function of the same name without _rows draws from substream first + k,
 * beginning at the block at which `base` would begin a vector. A row must not reach block 2^32. Many short rows
 * take as long as one long vector of as many numbers. */
void rng_normals_rows(const struct rng *base, uint64_t first, long m, long d, double sd,
                      double *out);
void rng_laplaces_rows(const struct rng *base, uint64_t first, long m, long d, double b,
                       double *out);
void rng_uniforms_rows(const struct rng *base, uint64_t first, long m, long d, double *out);
void rng_sphere_rows(const struct rng *base, uint64_t first, long m, long d, double *out);
/* out[m*d], d even and at most 512: row k holds what d calls of rng_u64 draw from substream first + k, beginning at
 * the block at which `base` would begin a vector. */
void rng_words_rows(const struct rng *base, uint64_t first, long m, long d, uint64_t *out);

/* out[k] <- rng_sub(&base[k], label[k]), k < m, computed together. */
void rng_subs(long m, const struct rng *base, const uint64_t *label, struct rng *out);
/* out[k*rows + i] <- rng_below(n) of substream first + i of base[k], from the beginning of the substream;
 * k < m, i < rows, computed together. */
void rng_below_each(long m, const struct rng *base, uint64_t first, long rows, uint64_t n, uint64_t *out);
/* out[m*rows*d] <- for each k < m in turn, the `rows` rows of rng_normals_rows(&base[k], first[k], rows, d, sd),
 * computed together. */
void rng_normals_each(long m, const struct rng *base, const uint64_t *first, long rows, long d, double sd,
                      double *out);
/* out <- the rows of rng_sphere_rows, in the order of rng_normals_each. Returns false if a row of normals was zero;
 * out must then not be used. */
bool rng_sphere_each(long m, const struct rng *base, const uint64_t *first, long rows, long d, double *out);

#endif

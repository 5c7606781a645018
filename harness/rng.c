/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rng.c - Philox4x32-10 streams. The counter is (block, index): 64 bits each; the key is 64 bits. */
#include "rng.h"

#include <math.h>
#include <string.h>

#include <Random123/philox.h>

#include "vec.h"

static void philox(const uint32_t key[2], uint64_t block, uint64_t index, uint32_t out[4])
{
    philox4x32_ctr_t c = {{ (uint32_t)block, (uint32_t)(block >> 32),
                            (uint32_t)index, (uint32_t)(index >> 32) }};
    philox4x32_key_t k = {{ key[0], key[1] }};
    philox4x32_ctr_t r = philox4x32_R(10, c, k);
    memcpy(out, r.v, sizeof r.v);
}

struct rng rng_stream(uint64_t seed)
{
    return (struct rng){ .key = { (uint32_t)seed, (uint32_t)(seed >> 32) } };
}

struct rng rng_at(const struct rng *base, uint64_t i)
{
    return (struct rng){ .key = { base->key[0], base->key[1] }, .index = i };
}

/* The last block of a substream is never reached by drawing, so keys come from there. */
struct rng rng_sub(const struct rng *base, uint64_t label)
{
    uint32_t w[4], key[2];
    philox(base->key, UINT64_MAX, base->index, w);
    key[0] = w[0] ^ w[2];
    key[1] = w[1] ^ w[3];
    philox(key, UINT64_MAX - 1, label, w);
    return (struct rng){ .key = { w[0], w[1] } };
}

uint32_t rng_u32(struct rng *r)
{
    if (r->left == 0) {
        philox(r->key, r->block++, r->index, r->word);
        r->left = 4;
    }
    return r->word[4 - r->left--];
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t hi = rng_u32(r);
    return hi << 32 | rng_u32(r);
}

/* 52 random bits and a half: the midpoints of a grid, symmetric and inside (0,1). */
static double open_uniform(uint64_t u)
{
    return ((double)(u >> 12) + 0.5) * 0x1p-52;
}

double rng_uniform(struct rng *r)
{
    return open_uniform(rng_u64(r));
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    /* Lemire (2019): multiply, and reject the short first interval. */
    __extension__ unsigned __int128 m = (unsigned __int128)rng_u64(r) * n;
    if ((uint64_t)m < n) {
        uint64_t least = -n % n;
        while ((uint64_t)m < least)
            m = (unsigned __int128)rng_u64(r) * n;
    }
    return (uint64_t)(m >> 64);
}

double rng_sign(struct rng *r)
{
    return rng_u32(r) >> 31 ? 1.0 : -1.0;
}

/* Box and Muller: one block of four words gives two normals, at any position of the stream. The
 * radius keeps 64 bits, so that tails reach 9.4 standard deviations. */
static void normal_pair(const uint32_t w[4], double *a, double *b)
{
    uint64_t u = (uint64_t)w[0] << 32 | w[1], v = (uint64_t)w[2] << 32 | w[3];
    double radius = sqrt(-2 * log(((double)u + 0.5) * 0x1p-64));
    double angle = 2 * M_PI * open_uniform(v);
    *a = radius * cos(angle);
    *b = radius * sin(angle);
}

double rng_normal(struct rng *r)
{
    uint32_t w[4];
    double a, b;
    for (int k = 0; k < 4; k++)
        w[k] = rng_u32(r);
    normal_pair(w, &a, &b);
    return a;
}

void rng_normals(struct rng *r, long d, double sd, double *out)
{
    double last;
    long j = 0;
    uint32_t w[4];

    r->left = 0;             /* vectors begin at a block, so that they can be made block-wise */
    for (; j + 1 < d; j += 2) {
        philox(r->key, r->block++, r->index, w);
        normal_pair(w, out + j, out + j + 1);
        out[j] *= sd;
        out[j + 1] *= sd;
    }
    if (j < d) {
        philox(r->key, r->block++, r->index, w);
        normal_pair(w, out + j, &last);
        out[j] *= sd;
    }
}

double rng_laplace(struct rng *r, double b)
{
    uint64_t u = rng_u64(r);
    double e = -log(((double)(u >> 1) + 0.5) * 0x1p-63);
    return u & 1 ? b * e : -b * e;
}

int rng_geometric(struct rng *r)
{
    int j = 1;
    for (int words = 0; words < 16; words++, j += 32) {
        uint32_t w = rng_u32(r);
        if (w)
            return j + __builtin_ctz(w);
    }
    return 64 * 8;
}

void rng_sphere(struct rng *r, long d, double *out)
{
    double norm;
    do {
        rng_normals(r, d, 1, out);
        norm = vec_norm(d, out);
    } while (norm == 0);
    vec_scale(d, 1 / norm, out);
}

void rng_ball(struct rng *r, long d, double *out)
{
    rng_sphere(r, d, out);
    vec_scale(d, pow(rng_uniform(r), 1.0 / (double)d), out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rng.c - the streams of rng.h by Philox4x32-10. The counter is (block, index), 64 bits each; the key has 64 bits.
 * Arrays of numbers come from the kernels of lanes.h. */
#include "rng.h"

#include <math.h>
#include <string.h>

#include <Random123/philox.h>

#include "numeric/lanes.h"
#include "status.h"
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

/* The two blocks of a substream from which rng_sub makes keys. They are the last two, which drawing never
 * reaches. */
static const uint64_t KEY_BLOCK = UINT64_MAX, LABEL_BLOCK = UINT64_MAX - 1;

struct rng rng_sub(const struct rng *base, uint64_t label)
{
    uint32_t w[4], key[2];
    philox(base->key, KEY_BLOCK, base->index, w);
    key[0] = w[0] ^ w[2];
    key[1] = w[1] ^ w[3];
    philox(key, LABEL_BLOCK, label, w);
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
    if (r->left == 0) {
        philox(r->key, r->block++, r->index, r->word);
        r->left = 2;
        return (uint64_t)r->word[0] << 32 | r->word[1];
    }
    uint64_t hi = rng_u32(r);
    return hi << 32 | rng_u32(r);
}

/* Returns (k + 1/2) 2^-52 with 52 random bits k: these are the midpoints of a grid, which lie symmetrically inside
 * (0,1). */
double rng_uniform(struct rng *r) { return ((double)(rng_u64(r) >> 12) + 0.5) * 0x1p-52; }

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

double rng_normal(struct rng *r)
{
    uint64_t first = rng_u64(r);
    return lanes_now()->normal(first, rng_u64(r));
}

double rng_laplace(struct rng *r, double b) { return lanes_now()->laplace(rng_u64(r), b); }

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

/* --- vectors. Each begins at a new block, so that whole blocks can be drawn; a block gives two numbers. */

typedef void draw_function(const struct lanes_blocks *at, long m, double scale, double *out);

void rng_skip(struct rng *r, long d)
{
    r->left = 0;
    r->block += (uint64_t)(d / 2 + d % 2);
}

/* Draws d numbers from the next blocks of r. One call of a kernel must not cross a multiple of 2^32 blocks, so a
 * longer range of blocks is cut there. */
static void draw(draw_function *numbers, struct rng *r, long d, double scale, double *out)
{
    while (d > 0) {
        uint64_t room = 2 * ((UINT64_C(1) << 32) - (uint32_t)r->block);
        long now = (uint64_t)d > room ? (long)room : d;
        struct lanes_blocks at = { { r->key[0], r->key[1] }, r->index, r->block, UINT64_MAX };
        numbers(&at, now, scale, out);
        rng_skip(r, now);
        out += now;
        d -= now;
    }
}

void rng_normals(struct rng *r, long d, double sd, double *out)
{
    r->left = 0;
    draw(lanes_now()->normals, r, d, sd, out);
}

void rng_laplaces(struct rng *r, long d, double b, double *out)
{
    r->left = 0;
    draw(lanes_now()->laplaces, r, d, b, out);
}

void rng_uniforms(struct rng *r, long d, double *out)
{
    r->left = 0;
    draw(lanes_now()->uniforms, r, d, 1, out);
}

/* out[m*d] <- rows of numbers, row k from substream first + k. A block gives two numbers, so a row of odd length
 * leaves out one number of its last block: such rows pass through the buffer `gaps`. ROOM: doubles of the buffer, 8
 * KiB. LONG: rows of at least so many numbers are drawn one by one, since for a single row all lanes share a
 * substream, which saves one Philox round of ten. */
static void draw_rows(draw_function *numbers, const struct rng *base, uint64_t first, long m,
                      long d, double scale, double *out)
{
    enum { ROOM = 1024, LONG = 96 };
    struct lanes_blocks at = {
        { base->key[0], base->key[1] }, first, base->block, (uint64_t)(d / 2 + d % 2)
    };
    double gaps[ROOM];
    long even = d + d % 2, rows = d >= LONG ? 1 : even == d ? m : ROOM / even;
    for (long k = 0; k < m && d > 0; k += rows) {
        long now = m - k < rows ? m - k : rows;
        at.index = first + (uint64_t)k;
        if (now == 1 || even == d)
            numbers(&at, now * d, scale, out + k * d);
        else {
            numbers(&at, now * even, scale, gaps);
            for (long i = 0; i < now; i++)
                memcpy(out + (k + i) * d, gaps + i * even, (size_t)d * sizeof *out);
        }
    }
}

void rng_normals_rows(const struct rng *base, uint64_t first, long m, long d, double sd,
                      double *out)
{
    draw_rows(lanes_now()->normals, base, first, m, d, sd, out);
}

void rng_laplaces_rows(const struct rng *base, uint64_t first, long m, long d, double b,
                       double *out)
{
    draw_rows(lanes_now()->laplaces, base, first, m, d, b, out);
}

void rng_uniforms_rows(const struct rng *base, uint64_t first, long m, long d, double *out)
{
    draw_rows(lanes_now()->uniforms, base, first, m, d, 1, out);
}

void rng_words_rows(const struct rng *base, uint64_t first, long m, long d, uint64_t *out)
{
    enum { ROOM = 512 };
    double bits[ROOM];
    BUG_IF(d % 2 || d > ROOM);
    long rows = d > 0 ? ROOM / d : m;
    for (long k = 0; k < m; k += rows) {
        long now = m - k < rows ? m - k : rows;
        draw_rows(lanes_now()->words, base, first + (uint64_t)k, now, d, 1, bits);
        memcpy(out + k * d, bits, (size_t)(now * d) * sizeof *out);
    }
}

/* out[d] <- a uniform point of the unit sphere. A vector of zeros, which has no direction, is drawn anew. It comes
 * only if Box and Muller's radius is 0 for every pair of normals, which has probability 2^-54 a pair. */
void rng_sphere(struct rng *r, long d, double *out)
{
    do
        rng_normals(r, d, 1, out);
    while (lanes_now()->unit_rows(1, d, out) > 0);
}

static bool all_zero(long d, const double *x)
{
    long j = 0;
    while (j < d && x[j] == 0)
        j++;
    return j == d;
}

/* Draws the rows by parts of BLOCK doubles, 16 KiB, which the first-level cache holds. */
void rng_sphere_rows(const struct rng *base, uint64_t first, long m, long d, double *out)
{
    enum { BLOCK = 2048 };
    long rows = d < BLOCK ? BLOCK / (d > 0 ? d : 1) : 1;
    for (long from = 0; from < m; from += rows, out += rows * d) {
        long now = m - from < rows ? m - from : rows;
        rng_normals_rows(base, first + (uint64_t)from, now, d, 1, out);
        if (lanes_now()->unit_rows(now, d, out) == 0)
            continue;
        for (long k = 0; k < now; k++)
            if (all_zero(d, out + k * d)) {
                struct rng r = rng_at(base, first + (uint64_t)(from + k));
                r.block = base->block;
                rng_sphere(&r, d, out + k * d);
            }
    }
}

void rng_ball(struct rng *r, long d, double *out)
{
    rng_sphere(r, d, out);
    vec_scale(d, pow(rng_uniform(r), 1.0 / (double)d), out);
}

/* Draws m points of the ball together. A point takes the blocks of its normals and one more for its radius. Here
 * normals and uniforms are made of all blocks, and the numbers of the wrong kind are thrown away. Returns false
 * where a vector of zeros came up: rng_sphere would draw it anew, so that the stream would continue elsewhere. */
static bool balls_together(struct rng *r, long m, long d, double *out)
{
    enum { ROOM = 512 };
    long each = 2 * (d / 2 + d % 2 + 1), most = ROOM / each;
    double normals[ROOM], radii[ROOM];
    for (; m > 0; m -= most, out += most * d) {
        long now = m < most ? m : most;
        struct rng same = *r;
        rng_normals(r, now * each, 1, normals);
        rng_uniforms(&same, now * each, radii);
        for (long k = 0; k < now; k++)
            memcpy(out + k * d, normals + k * each, (size_t)d * sizeof *out);
        if (lanes_now()->unit_rows(now, d, out) > 0)
            return false;
        for (long k = 0; k < now; k++)
            vec_scale(d, pow(radii[(k + 1) * each - 2], 1.0 / (double)d), out + k * d);
    }
    return true;
}

/* Points of more than SHORT coordinates gain nothing from being drawn together. The last point is drawn by
 * rng_ball, which leaves the stream where m calls of rng_ball would. */
void rng_balls(struct rng *r, long m, long d, double *out)
{
    enum { SHORT = 128 };
    struct rng before = *r;
    bool together = m > 1 && d > 0 && d <= SHORT && balls_together(r, m - 1, d, out);
    if (!together)
        *r = before;
    for (long k = together ? m - 1 : 0; k < m; k++)
        rng_ball(r, d, out + k * d);
}

/* --- blocks under many keys, PIECE blocks at a time */

enum { PIECE = 128 };
struct piece { uint64_t key[PIECE], index[PIECE], block[PIECE]; };

/* Appends copies of the last block of a piece until its length is one of whole vectors, which the kernels need.
 * Returns the new length. */
static long fill_up(struct piece *p, long n)
{
    for (; n % LANES_MOST; n++) {
        p->key[n] = p->key[n - 1];
        p->index[n] = p->index[n - 1];
        p->block[n] = p->block[n - 1];
    }
    return n;
}

static struct lanes_apart apart(const struct piece *p)
{
    return (struct lanes_apart){ p->key, p->index, p->block };
}

static uint64_t key_of(const uint32_t key[2]) { return (uint64_t)key[1] << 32 | key[0]; }

/* word[2 n] <- the words of the n blocks of a piece. */
static void piece_words(struct piece *p, long n, uint64_t *word)
{
    double bits[2 * PIECE];
    struct lanes_apart at = apart(p);
    lanes_now()->words_apart(&at, fill_up(p, n), 1, bits);
    memcpy(word, bits, (size_t)n * 2 * sizeof *bits);
}

static void subs_piece(long m, const struct rng *base, const uint64_t *label, struct rng *out)
{
    struct piece p;
    uint64_t word[2 * PIECE];
    for (long k = 0; k < m; k++) {
        p.key[k] = key_of(base[k].key);
        p.index[k] = base[k].index;
        p.block[k] = KEY_BLOCK;
    }
    piece_words(&p, m, word);
    for (long k = 0; k < m; k++) {
        uint64_t both = word[2 * k] ^ word[2 * k + 1];       /* the words of the new key: key[0] is the upper half
                                                                of `both` */
        p.key[k] = both << 32 | both >> 32;
        p.index[k] = label[k];
        p.block[k] = LABEL_BLOCK;
    }
    piece_words(&p, m, word);
    for (long k = 0; k < m; k++)
        out[k] = (struct rng){ .key = { (uint32_t)(word[2 * k] >> 32), (uint32_t)word[2 * k] } };
}

void rng_subs(long m, const struct rng *base, const uint64_t *label, struct rng *out)
{
    for (; m > 0; m -= PIECE, base += PIECE, label += PIECE, out += PIECE)
        subs_piece(m < PIECE ? m : PIECE, base, label, out);
}

/* The first word of the first block of a substream gives the number, unless Lemire's rejection may apply; rng_below
 * then draws it from the beginning of the substream. */
void rng_below_each(long m, const struct rng *base, uint64_t first, long rows, uint64_t n, uint64_t *out)
{
    struct piece p;
    uint64_t word[2 * PIECE];
    for (long from = 0; from < m * rows; from += PIECE) {
        long now = m * rows - from < PIECE ? m * rows - from : PIECE;
        for (long k = 0; k < now; k++) {
            p.key[k] = key_of(base[(from + k) / rows].key);
            p.index[k] = first + (uint64_t)((from + k) % rows);
            p.block[k] = 0;
        }
        piece_words(&p, now, word);
        for (long k = 0; k < now; k++) {
            struct rng r = rng_at(&base[(from + k) / rows], p.index[k]);
            __extension__ unsigned __int128 product = (unsigned __int128)word[2 * k] * n;
            out[from + k] = (uint64_t)product < n ? rng_below(&r, n) : (uint64_t)(product >> 64);
        }
    }
}

/* out <- rows of d normals, each from `each` blocks of the piece. Where d is odd, the last number of the last block
 * of a row is left out. */
static void piece_normals(struct piece *p, long blocks, long each, long d, double sd, double *out)
{
    double gaps[2 * PIECE];
    struct lanes_apart at = apart(p);
    bool whole = blocks % LANES_MOST == 0 && d % 2 == 0;
    lanes_now()->normals_apart(&at, fill_up(p, blocks), sd, whole ? out : gaps);
    for (long k = 0; k < blocks / each && !whole; k++)
        memcpy(out + k * d, gaps + 2 * k * each, (size_t)d * sizeof *out);
}

void rng_normals_each(long m, const struct rng *base, const uint64_t *first, long rows, long d, double sd,
                      double *out)
{
    struct piece p;
    long each = d / 2 + d % 2, n = 0;
    if (each > PIECE) {
        for (long k = 0; k < m; k++)
            rng_normals_rows(&base[k], first[k], rows, d, sd, out + k * rows * d);
        return;
    }
    for (long k = 0; k < m * rows && d > 0; k++) {
        const struct rng *r = &base[k / rows];
        for (long j = 0; j < each; j++, n++) {
            p.key[n] = key_of(r->key);
            p.index[n] = first[k / rows] + (uint64_t)(k % rows);
            p.block[n] = r->block + (uint64_t)j;
        }
        if (n + each > PIECE || k == m * rows - 1) {
            piece_normals(&p, n, each, d, sd, out);
            out += n / each * d;
            n = 0;
        }
    }
}

bool rng_sphere_each(long m, const struct rng *base, const uint64_t *first, long rows, long d, double *out)
{
    rng_normals_each(m, base, first, rows, d, 1, out);
    return lanes_now()->unit_rows(m * rows, d, out) == 0;
}

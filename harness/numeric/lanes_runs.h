/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_runs.h - the words of a run of blocks (struct lanes_blocks), a chunk at a time: one row, rows of
 * whole vectors, or any rows. */
#ifndef ASSAY_LANES_RUNS_H
#define ASSAY_LANES_RUNS_H

#include "numeric/lanes.h"
#include "numeric/lanes_random.h"

/* Lanes hold blocks in the order in which unpacking leaves them: 0, LANES/2, 1, LANES/2 + 1, ... */
static inline vu lane_blocks(void)
{
    uint64_t n[LANES];
    vu u;
    for (int k = 0; k < LANES; k++)
        n[k] = (uint64_t)(k % 2 * (LANES / 2) + k / 2);
    memcpy(&u, n, sizeof u);
    return u;
}

/* Blocks of one row: the substream is the same in all lanes, so the first round costs nothing, nor
 * does half of the second. */
struct row {
    vu lane, c3, k0, k1, q0;
};

INLINE void row_words(struct row *r, const struct schedule *keys, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        vu p0 = times_low(r->lane, PHILOX_M[0]), q1 = times_low((p0 >> 32) ^ r->c3, PHILOX_M[1]);
        c[g] = (struct counters){ (q1 >> 32) ^ r->k0, q1, p0 ^ r->k1, r->q0 };
        r->lane += LANES;
    }
    philox_rounds(keys, 2, groups, c, first, second);
}

static inline struct row row_begin(const struct lanes_blocks *at, const struct schedule *keys)
{
    uint64_t p1 = (at->index & UINT32_MAX) * PHILOX_M[1];
    uint64_t q0 = ((p1 >> 32) ^ (at->block >> 32) ^ at->key[0]) * PHILOX_M[0];
    return (struct row){ .lane = at->block + lane_blocks(),
                         .c3 = all_u((at->index >> 32) ^ at->key[1]),
                         .k0 = all_u((p1 & UINT32_MAX) ^ keys->k0[1]),
                         .k1 = all_u((q0 >> 32) ^ keys->k1[1]),
                         .q0 = all_u(q0) };
}

/* Blocks of many rows: every lane has an address of its own. */
struct rows {
    vu column, row, last, wrap, right, down;
};

INLINE void rows_words(struct rows *r, const struct schedule *keys, int groups, vu *first,
                       vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        c[g] = (struct counters){ r->column, r->column >> 32, r->row, r->row >> 32 };
        r->column += r->right;
        vu over = less_u(r->last, r->column);
        r->column -= over & r->wrap;
        r->row += r->down - over;
    }
    philox_rounds(keys, 0, groups, c, first, second);
}

/* A quotient of numbers below LANES, by their reciprocal: a division of vectors is one of every lane. */
static inline vu few_over(vu number, uint64_t by)
{
    enum { ONE = 1 << 16 };
    return by < LANES ? times_low(number, ONE / (uint32_t)by + 1) >> 16 : all_u(0);
}

static inline struct rows rows_begin(const struct lanes_blocks *at, const struct schedule *keys)
{
    vu number = lane_blocks(), row = few_over(number, at->per_row);
    return (struct rows){ .column = at->block + number - row * at->per_row,
                          .row = at->index + row,
                          .last = all_u(at->block + at->per_row - 1),
                          .wrap = all_u(at->per_row),
                          .right = all_u(LANES % at->per_row),
                          .down = all_u(LANES / at->per_row) };
}

/* Blocks of many rows of whole vectors: all lanes of a vector are in one row, which saves as much as where
 * there is but one. */
struct even {
    vu begin, lane;
    uint64_t index, high, key, vector, per_row;
};

INLINE void even_words(struct even *r, const struct schedule *keys, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        uint64_t p1 = (r->index & UINT32_MAX) * PHILOX_M[1], q0 = ((p1 >> 32) ^ r->high) * PHILOX_M[0];
        vu p0 = times_low(r->lane, PHILOX_M[0]);
        vu q1 = times_low((p0 >> 32) ^ all_u((r->index >> 32) ^ r->key), PHILOX_M[1]);
        c[g] = (struct counters){ (q1 >> 32) ^ all_u((p1 & UINT32_MAX) ^ keys->k0[1]), q1,
                                  p0 ^ all_u((q0 >> 32) ^ keys->k1[1]), all_u(q0) };
        r->lane += LANES;
        if (++r->vector == r->per_row) {
            r->vector = 0;
            r->index++;
            r->lane = r->begin;
        }
    }
    philox_rounds(keys, 2, groups, c, first, second);
}

static inline bool is_even(const struct lanes_blocks *at)
{
    return at->per_row % LANES == 0 && (at->block & UINT32_MAX) + at->per_row <= UINT32_MAX;
}

static inline struct even even_begin(const struct lanes_blocks *at)
{
    vu begin = at->block + lane_blocks();
    return (struct even){ .begin = begin, .lane = begin, .index = at->index,
                          .high = (at->block >> 32) ^ at->key[0], .key = at->key[1],
                          .per_row = at->per_row / LANES };
}

/* Blocks that lie anywhere: the keys are lanes too. */
struct apart {
    struct lanes_apart at;
};

/* The next LANES of them, in the order of lane_blocks. */
static inline vu next_apart(const uint64_t **at)
{
    vu u;
    memcpy(&u, *at, sizeof u);
    *at += LANES;
#if LANES == 8
    return (vu)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), (__m512i)u);
#elif LANES == 4
    return (vu)_mm256_permute4x64_epi64((__m256i)u, 0xd8);
#else
    return u;
#endif
}

/* unused: the schedule of one key for all. */
INLINE void apart_words(struct apart *r, const struct schedule *unused, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    vu k0[GROUP], k1[GROUP];
    for (int g = 0; g < groups; g++) {
        vu block = next_apart(&r->at.block), index = next_apart(&r->at.index);
        c[g] = (struct counters){ block, block >> 32, index, index >> 32 };
        k0[g] = next_apart(&r->at.key);
        k1[g] = k0[g] >> 32;
    }
    for (int round = 0; round < PHILOX_ROUNDS - 1; round++)
        for (int g = 0; g < groups; g++) {
            vu p0 = times_low(c[g].c0, PHILOX_M[0]), p1 = times_low(c[g].c2, PHILOX_M[1]);
            c[g] = (struct counters){ xor_all(p1 >> 32, c[g].c1, k0[g]), p1,
                                      xor_all(p0 >> 32, c[g].c3, k1[g]), p0 };
            k0[g] += PHILOX_W[0];
            k1[g] += PHILOX_W[1];
        }
    for (int g = 0; g < groups; g++) {
        first[g] = xor_all(times_low(c[g].c2, PHILOX_M[1]), c[g].c1 << 32, k0[g] << 32);
        second[g] = xor_all(times_low(c[g].c0, PHILOX_M[0]), c[g].c3 << 32, k1[g] << 32);
    }
}

/* Side by side: what the registers hold, addresses included. */
enum {
    GROUP_row = GROUP,
    GROUP_even = GROUP,
    GROUP_rows = LANES == 8 ? GROUP : 2,
    GROUP_apart = GROUP_rows
};

#define WORDS(kind)                                                                      \
    static void kind##_chunk(struct kind *state, const struct schedule *keys,            \
                             long vectors, struct words *w)                              \
    {                                                                                    \
        struct kind r = *state;                                                          \
        long j = 0;                                                                      \
        for (; j + GROUP_##kind <= vectors; j += GROUP_##kind)                           \
            kind##_words(&r, keys, GROUP_##kind, w->first + j, w->second + j);           \
        for (; j + 2 <= vectors; j += 2)                                                 \
            kind##_words(&r, keys, 2, w->first + j, w->second + j);                      \
        for (; j < vectors; j++)                                                         \
            kind##_words(&r, keys, 1, w->first + j, w->second + j);                      \
        *state = r;                                                                      \
    }

WORDS(row)
WORDS(rows)
WORDS(even)
WORDS(apart)

/* Where a run of blocks stands. */
struct run {
    enum { RUN_ROW, RUN_ROWS, RUN_EVEN } kind;
    union { struct row row; struct rows rows; struct even even; } at;
};

static inline void run_begin(struct run *r, const struct lanes_blocks *at, const struct schedule *keys,
                             long blocks)
{
    r->kind = at->per_row >= (uint64_t)blocks ? RUN_ROW : is_even(at) ? RUN_EVEN : RUN_ROWS;
    switch (r->kind) {
    case RUN_ROW:  r->at.row = row_begin(at, keys); break;
    case RUN_ROWS: r->at.rows = rows_begin(at, keys); break;
    case RUN_EVEN: r->at.even = even_begin(at); break;
    }
}

static inline void run_chunk(struct run *r, const struct schedule *keys, long vectors, struct words *w)
{
    switch (r->kind) {
    case RUN_ROW:  row_chunk(&r->at.row, keys, vectors, w); break;
    case RUN_ROWS: rows_chunk(&r->at.rows, keys, vectors, w); break;
    case RUN_EVEN: even_chunk(&r->at.even, keys, vectors, w); break;
    }
}

#endif

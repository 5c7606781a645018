/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_limits.c - the limits of one core of this machine: reading, triad (STREAM) and updating in place in
 * each level of memory, and multiply-adds at each vector width. Memory comes from an arena, like that of the
 * program. The file is compiled with contraction, so that a * b + c is one instruction where the processor has
 * one. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "nights/gbench.h"
#include "numeric/lanes.h"
#include "vec.h"

/* Multiply-adds are timed in CHAINS independent chains, which hide the latency of one, by STEPS steps each. The
 * first numbers of the chains are not known to the compiler, which would merge equal chains. */
enum { CHAINS = 12, STEPS = 64 };

struct memory {
    long n;                          /* doubles in each array */
    double *x, *y, *z, sum;          /* [n] each, or NULL where a case needs fewer; sum: of x, by `read` */
};

struct width {
    const char *name;
    int lanes;                       /* doubles in a register */
    void (*read)(void *memory, long iterations);
    void (*triad)(void *memory, long iterations);          /* z = x + 3 y */
    void (*update)(void *memory, long iterations);         /* z = x + z/2 */
    void (*multiply_add)(void *ends, long iterations);
    int (*right)(void *none);                              /* the check of multiply_add */
};

/* The last numbers of all chains. A chain c <- c/2 + 1/2 from 0 is 1 - 2^-k after k steps, exactly while k <= 53;
 * then 1. */
static double ends[CHAINS * 8];

static int multiply_add_right(void (*multiply_add)(void *, long), int lanes)
{
    memset(ends, 0, sizeof ends);
    multiply_add(ends, 1);
    for (int i = 0; i < CHAINS * lanes; i++)
        if (ends[i] != 1)
            return 1;
    return 0;
}

/* One body for each width: a vector type as wide as a register, and functions for processors that have it.
 * Reading uses two streams, since one does not keep the memory busy. */
#define WIDTH(NAME, TARGET, LANES)                                                                \
    typedef double NAME##_vector __attribute__((vector_size(8 * LANES)));                         \
    TARGET static void NAME##_read(void *p, long iterations)                                      \
    {                                                                                             \
        struct memory *m = p;                                                                     \
        for (long k = 0; k < iterations; k++) {                                                   \
            long half = m->n / LANES / 2;                                                         \
            const NAME##_vector *x = (const void *)m->x, *y = x + half;                           \
            NAME##_vector sum[8] = { 0 };                                                         \
            for (long i = 0; i < half; i += 4)                                                    \
                for (int c = 0; c < 4; c++) {                                                     \
                    sum[c] += x[i + c];                                                           \
                    sum[4 + c] += y[i + c];                                                       \
                }                                                                                 \
            for (int c = 1; c < 8; c++)                                                           \
                sum[0] += sum[c];                                                                 \
            m->sum = 0;                                                                           \
            for (int lane = 0; lane < LANES; lane++)                                              \
                m->sum += sum[0][lane];                                                           \
            __asm__ volatile("" ::: "memory");                                                    \
        }                                                                                         \
    }                                                                                             \
    TARGET static void NAME##_triad(void *p, long iterations)                                     \
    {                                                                                             \
        struct memory *m = p;                                                                     \
        for (long k = 0; k < iterations; k++) {                                                   \
            const NAME##_vector *x = (const void *)m->x, *y = (const void *)m->y;                 \
            NAME##_vector *z = (void *)m->z;                                                      \
            for (long i = 0; i < m->n / LANES; i += 4)                                            \
                for (int c = 0; c < 4; c++)                                                       \
                    z[i + c] = x[i + c] + 3 * y[i + c];                                           \
            __asm__ volatile("" ::: "memory");                                                    \
        }                                                                                         \
    }                                                                                             \
    TARGET static void NAME##_update(void *p, long iterations)                                    \
    {                                                                                             \
        struct memory *m = p;                                                                     \
        for (long k = 0; k < iterations; k++) {                                                   \
            const NAME##_vector *x = (const void *)m->x;                                          \
            NAME##_vector *z = (void *)m->z;                                                      \
            for (long i = 0; i < m->n / LANES; i += 4)                                            \
                for (int c = 0; c < 4; c++)                                                       \
                    z[i + c] = x[i + c] + 0.5 * z[i + c];                                         \
            __asm__ volatile("" ::: "memory");                                                    \
        }                                                                                         \
    }                                                                                             \
    TARGET static void NAME##_multiply_add(void *p, long iterations)                              \
    {                                                                                             \
        NAME##_vector chain[CHAINS], half = { 0 };                                                \
        memcpy(chain, p, sizeof chain);                                                           \
        half += 0.5;                                                                              \
        for (long k = 0; k < iterations * STEPS; k++)                                             \
            for (int c = 0; c < CHAINS; c++)                                                      \
                chain[c] = chain[c] * half + half;                                                \
        memcpy(p, chain, sizeof chain);                                                           \
    }                                                                                             \
    static int NAME##_right(void *p) { return multiply_add_right(NAME##_multiply_add, LANES); }   \
    static const struct width NAME = { #NAME, LANES, NAME##_read, NAME##_triad, NAME##_update,    \
                                       NAME##_multiply_add, NAME##_right };

#ifdef __x86_64__
WIDTH(sse2, , 2)
WIDTH(avx2, __attribute__((target("avx2,fma"))), 4)
WIDTH(avx512, __attribute__((target("avx512f"))), 8)
static const struct width *const widths[] = { &sse2, &avx2, &avx512 };

static const struct width *widest(void)
{
    return __builtin_cpu_supports("avx512f") ? &avx512
           : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2 : &sse2;
}
#else
WIDTH(neon, , 2)
static const struct width *const widths[] = { &neon };

static const struct width *widest(void) { return &neon; }
#endif

/* The entries are 0 to 7 in turn: their sum is exact in any order. */
static int read_right(void *p)
{
    struct memory *m = p;
    widest()->read(m, 1);
    return m->sum != 3.5 * (double)m->n;
}

static int triad_right(void *p)
{
    struct memory *m = p;
    vec_zero(m->n, m->z);
    widest()->triad(m, 1);
    long wrong = 0;
    for (long i = 0; i < m->n; i++)
        wrong += m->z[i] != (double)(i % 8) + 3 * (double)(i % 5);
    return wrong != 0;
}

static int update_right(void *p)
{
    struct memory *m = p;
    vec_zero(m->n, m->z);
    widest()->update(m, 2);
    long wrong = 0;
    for (long i = 0; i < m->n; i++)
        wrong += m->z[i] != 1.5 * (double)(i % 8);
    return wrong != 0;
}

/* Levels of memory. index: that of the cache in the kernel's list (sysfs); bytes: the size that the kernel reports
 * there, or `usual` where it reports none. */
static struct level { const char *name; int index; long usual, bytes; } levels[] = {
    { "L1", 0, 32L << 10 }, { "L2", 2, 1L << 20 }, { "L3", 3, 32L << 20 }, { "DRAM" }
};
enum { LEVELS = sizeof levels / sizeof *levels };

static long cache_bytes(const struct level *l)
{
    char path[64];
    long kib = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", l->index);
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%ldK", &kib) != 1 || kib < 1)
        kib = l->usual >> 10;
    if (f)
        fclose(f);
    return kib << 10;
}

static struct arena *memory;
static struct memory read_memory[LEVELS], triad_memory[LEVELS], update_memory[LEVELS];
static struct gbench_case cases[3 * LEVELS + 3 + 1];

/* The entries are whole numbers, so that every result is exact. Lengths are multiples of what a loop unrolls. */
static struct memory *open_memory(struct memory *m, long bytes, int arrays)
{
    enum { BLOCK = 64 };
    double **all[] = { &m->x, &m->z, &m->y };
    m->n = bytes / (8 * arrays) / BLOCK * BLOCK;
    for (int k = 0; k < arrays; k++)
        *all[k] = arena_vec(memory, m->n);
    for (long i = 0; i < m->n; i++) {
        m->x[i] = (double)(i % 8);
        if (m->z)
            m->z[i] = 0;
        if (m->y)
            m->y[i] = (double)(i % 5);
    }
    return m;
}

/* The bytes that the arrays of level k take together. A cache: half of it, so that they stay in it. The last cache,
 * which cores share: four times the cache before it, but no more than half, since larger arrays are slower
 * (measured: 99 GB/s of 4 MiB, 83 of 16) and a limit should be the highest rate. Main memory: four times the last
 * cache, but no more than LARGEST. */
static long bytes_of(int k)
{
    enum { LARGEST = 512 << 20 };
    bool cache = k < LEVELS - 1;
    if (cache)
        levels[k].bytes = cache_bytes(&levels[k]);
    long most = cache ? levels[k].bytes / 2 : LARGEST;
    long bytes = k < LEVELS - 2 ? most : 4 * levels[k - 1].bytes;
    return bytes < most ? bytes : most;
}

static void open_level(int k)
{
    bool cache = k < LEVELS - 1;
    long bytes = bytes_of(k);
    const struct width *w = widest();
    struct gbench_case all[] = {
        { "read", .payload = open_memory(&read_memory[k], bytes, 1), .run = w->read,
          .check = read_right, .bytes = 8.0 * (double)read_memory[k].n },
        { "triad", .payload = open_memory(&triad_memory[k], bytes, 3), .run = w->triad,
          .check = triad_right, .bytes = 24.0 * (double)triad_memory[k].n,
          .written = 8.0 * (double)triad_memory[k].n },
        { "update", .payload = open_memory(&update_memory[k], bytes, 2), .run = w->update,
          .check = update_right, .bytes = 24.0 * (double)update_memory[k].n,
          .written = 8.0 * (double)update_memory[k].n },
    };
    for (int kind = 0; kind < 3; kind++) {
        all[kind].size = levels[k].name;
        all[kind].working_set = cache ? (double)levels[k].bytes : INFINITY;
        all[kind].limit = GBENCH_BANDWIDTH;
        cases[kind * LEVELS + k] = all[kind];
    }
}

static void tell_machine(void)
{
    char line[128], *colon, name[128] = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && (colon = strchr(line, ':'))) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    if (f)
        fclose(f);
    gbench_context("machine", name);
    snprintf(line, sizeof line, "%s, kernels %s; caches %ld KiB, %ld KiB, %ld KiB; one core", widest()->name,
             lanes_name(), levels[0].bytes >> 10, levels[1].bytes >> 10, levels[2].bytes >> 10);
    gbench_context("level", line);
    gbench_context("blas", vec_blas_build());
    gbench_context("core", vec_blas_core());
}

static void begin(void)
{
    memory = arena_new(0);
    for (int k = 0; k < LEVELS; k++)
        open_level(k);
    struct gbench_case *c = &cases[3 * LEVELS];
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const struct width *w = widths[k];
        *c++ = (struct gbench_case) { "multiply-add", w->name, ends, w->multiply_add, w->right,
            .flops = 2.0 * CHAINS * STEPS * w->lanes, .limit = GBENCH_PEAK };
        if (w == widest())
            break;
    }
    tell_machine();
}

static void end(void) { arena_free(memory); }

const struct gbench_group bench_limits = { "limits", cases, begin, end };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_flat.c - the time of a sample gradient as a function of n and of d.
 *
 * Along n. Samples of a stream are functions of their index and are not stored, so that n should cost nothing. Two
 * cases are measured: the next sample of a stream that has already handed out n, and a sample that is drawn again
 * from n such samples. Stored records (spectral_stored) are recomputed in the same way, but each has 12 bytes in
 * memory, for its place in the order and for the number of its visits; 1e9 records would need 12 GB. At 1e7 the
 * count of visits of a random record comes from main memory. Small draws are made several at a time, so that the
 * counts of the next ones are prefetched: a draw at 1e7 then takes 1.04 to 1.07 times as long as at 1e3; without
 * prefetching it would take 1.8 times as long.
 *
 * Along d. Up to a few hundred coordinates the constant part of a gradient dominates. Beyond, its four arrays (32
 * bytes a coordinate) leave the first cache at d = 1000 and the second at 16000; the column `share` is the part
 * that is reached of the bandwidth of the level that holds them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cell/cell.h"
#include "nights/gbench.h"
#include "oracle/oracle_state.h"
#include "cell/registry.h"

enum { D = 40 };
#define D_TEXT "d = 40"

struct flat {
    const char *family;
    long n, d;                       /* n: number of samples handed out before, or of records */
    struct arena *memory;            /* NULL: not open yet */
    void *self;
    struct facts facts;
    struct oracle oracle;
    struct ticket had;               /* for a stream: the ticket of all n samples */
    double *x, *g, *direct;          /* [d] the point; the oracle's answer; the family's own gradient */
};

/* Opens the family when it is first used, since `begin` is also called for cases that are not selected. */
static void open_family(struct flat *a)
{
    const struct problem *p = registry_problem(a->family);
    struct cell *c;
    struct bag bag = { 0 };
    struct why why;
    struct rng data = rng_stream(1), start = rng_stream(2);
    bag_put(&bag, "problem.d", (double)a->d);
    if (strstr(a->family, "stored"))
        bag_put(&bag, "problem.n", (double)a->n);
    a->memory = arena_new(0);
    if (cell_make(a->family, "sgd", &bag, 0, &c, &why) != OK ||
        p->make(c->problem_params, &data, a->memory, &a->self, &a->facts, &why) != OK)
        abort();
    oracle_open(&a->oracle, p, a->self, &a->facts, CALL_SAMPLES, &data, 1, a->memory);
    a->x = arena_vec(a->memory, a->d);
    a->g = arena_vec(a->memory, a->d);
    a->direct = arena_vec(a->memory, a->d);
    rng_normals(&start, a->d, 0.1, a->x);
    if (!isfinite(a->facts.n) && !oracle_take(&a->oracle, a->n, &a->had))
        abort();
    bag_free(&bag);
    cell_free(c);
}

/* Asks for the next sample of a stream, or for a random record, with replacement. */
static void next(void *p, long iterations)
{
    struct flat *a = p;
    for (long k = 0; k < iterations; k++)
        oracle_sgrad(&a->oracle, 1, a->x, a->g);
}

static void again(void *p, long iterations)
{
    struct flat *a = p;
    struct ticket t;
    const double *x = a->x;
    for (long k = 0; k < iterations; k++)
        if (oracle_draw_from(&a->oracle, &a->had, 1, &t))
            oracle_batch(&a->oracle, &(struct batch){ .ticket = &t, .points = 1, .x = &x, .g = a->g });
}

/* --- checks: the answer must be the family's own gradient of the sample that was due */

static int differs(struct flat *a, long sample)
{
    vec_zero(a->d, a->direct);
    a->oracle.problem->sample_grad(a->self, sample, a->x, 1, a->direct);
    return !(vec_dist(a->d, a->g, a->direct) <= 1e-12 * vec_norm(a->d, a->direct));
}

/* Checks the gradients of the next three samples of a stream, and that three gradients are counted. */
static int next_right(void *p)
{
    struct flat *a = p;
    open_family(a);
    int wrong = 0;
    for (long k = 0; k < 3; k++) {
        next(a, 1);
        wrong |= differs(a, a->n + k);
    }
    return wrong || a->oracle.counts.of[COUNT_sample_grads] != 3;
}

static int drawn_right(struct flat *a, const struct ticket *t)
{
    const double *x = a->x;
    long sample = oracle_record(&a->oracle, t, 0);
    oracle_batch(&a->oracle, &(struct batch){ .ticket = t, .points = 1, .x = &x, .g = a->g });
    return sample < 0 || sample >= a->n || differs(a, sample);
}

static int again_right(void *p)
{
    struct flat *a = p;
    struct ticket t;
    open_family(a);
    return !oracle_draw_from(&a->oracle, &a->had, 1, &t) || drawn_right(a, &t);
}

static int record_right(void *p)
{
    struct flat *a = p;
    struct ticket t;
    open_family(a);
    return !oracle_draw(&a->oracle, 1, &t) || drawn_right(a, &t);
}

/* --- cases */

#define ALONG_N(list, name)                                                                                  \
    static struct flat list[] = { { name, 1000, D }, { name, 100000, D }, { name, 10000000, D },              \
                                  { name, 1000000000, D } };
ALONG_N(nexts, "spectral")
ALONG_N(agains, "spectral")
ALONG_N(rows, "glm_sphere")
static struct flat records[] = { { "spectral_stored", 1000, D }, { "spectral_stored", 100000, D },
                                 { "spectral_stored", 10000000, D } };
static struct flat wide[] = { { "spectral", 1000, 1 }, { "spectral", 1000, 10 }, { "spectral", 1000, 100 },
                              { "spectral", 1000, 1000 }, { "spectral", 1000, 10000 },
                              { "spectral", 1000, 100000 } };

#define CASE_OF(kernel, size, first, of, run, check)                                                         \
    { kernel, size, of, run, check, .items = 1, .peer = kernel, .peer_size = first }
#define CASES_ALONG_N(kernel, list, run, check)                                                              \
    CASE_OF(kernel, "n = 1e3", "n = 1e3", &list[0], run, check),                                             \
    CASE_OF(kernel, "n = 1e5", "n = 1e3", &list[1], run, check),                                             \
    CASE_OF(kernel, "n = 1e7", "n = 1e3", &list[2], run, check)
#define TO_BILLIONS(kernel, list, run, check)                                                                \
    CASES_ALONG_N(kernel, list, run, check), CASE_OF(kernel, "n = 1e9", "n = 1e3", &list[3], run, check)
#define COORDINATES(size, first, of, count)                                                                  \
    { "a coordinate, spectral", size, of, next, next_right, .items = count, .peer = "a coordinate, spectral", \
      .peer_size = first, .bytes = 32 * count, .written = 8 * count, .flops = 3 * count, .working_set = 32 * count }

static const struct gbench_case cases[] = {
    TO_BILLIONS("next of spectral, " D_TEXT, nexts, next, next_right),
    TO_BILLIONS("drawn again of spectral, " D_TEXT, agains, again, again_right),
    TO_BILLIONS("drawn again of glm_sphere, " D_TEXT, rows, again, again_right),
    CASES_ALONG_N("record of spectral_stored, " D_TEXT, records, next, record_right),
    CASE_OF("a gradient, spectral", "d = 1", "d = 1", &wide[0], next, next_right),
    CASE_OF("a gradient, spectral", "d = 10", "d = 1", &wide[1], next, next_right),
    CASE_OF("a gradient, spectral", "d = 100", "d = 1", &wide[2], next, next_right),
    COORDINATES("d = 1e3", "d = 1e3", &wide[3], 1e3),
    COORDINATES("d = 1e4", "d = 1e3", &wide[4], 1e4),
    COORDINATES("d = 1e5", "d = 1e3", &wide[5], 1e5),
    { 0 }
};

static void begin(void)
{
    gbench_context("flat", "a sample gradient along n, a coordinate of one along d; the last column: time of an "
                           "item over that of the row it names. Flat along n: at most 1.2; along d: the share of "
                           "each cache is no less than that of the nearer one");
}

static void close_all(struct flat *list, size_t count)
{
    for (struct flat *a = list; a < list + count; a++)
        if (a->memory) {
            oracle_release(&a->oracle);
            arena_free(a->memory);
        }
}
#define CLOSE(list) close_all(list, sizeof list / sizeof *list)

static void end(void)
{
    CLOSE(nexts);
    CLOSE(agains);
    CLOSE(rows);
    CLOSE(records);
    CLOSE(wide);
}

const struct gbench_group bench_flat = { "flat", cases, begin, end };

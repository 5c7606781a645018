/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract_srgd.c - accelerated DP-SRGD through oracle_batch and the noise tree: a clipped weighted
 * difference of two gradients per sample, 2n - B gradients, T rounds. */
#include <stdlib.h>

#include "contract/contract.h"

/* The points and prefixes of a run, [T][d] each; a name that ends in _free is for the point before the
 * projection. */
struct path {
    long d;
    double *x, *prefix, *z, *z_free, *y_free;
};

struct srgd {
    long T, B;
    double beta,                      /* inverse step length */
           C,                        /* an infinite C means no clipping */
           sd;                       /* noise of one tree node */
    struct path *path;
};

static struct path path_new(struct arena *a, long T, long d)
{
    return (struct path){ d, arena_vec(a, T * d), arena_vec(a, T * d), arena_vec(a, T * d),
                          arena_vec(a, T * d), arena_vec(a, T * d) };
}

/* The method:
 *     Delta_t = (1/B) sum_i clip( eta_t grad f(x_t; i) - eta_{t-1} grad f(x_{t-1}; i), C )
 *     G_t     = sum_{s<=t} Delta_s + N_t,    eta_t = t + 1
 *     z_{t+1} = Pi(z_t - G_t/beta),          y_{t+1} = Pi(x_t - G_t/(eta_t beta))
 *     x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1},   tau = 2/(t + 3);   the answer is y_T
 * i goes over the batch of step t, N_t is the noise of the tree, and Pi the projection. Delta_0 has the first
 * gradient only. */
static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *y)
{
    const struct srgd *p = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *before = arena_vec(w, d), *z = arena_vec(w, d);
    double *Delta = arena_vec(w, d), *prefix = arena_vec(w, d), *G = arena_vec(w, d);
    struct prefix *tree = noise_prefix(o, w, PREFIX_TREE, p->T, d);

    arena_seal(w);
    vec_zero(d, x);
    vec_zero(d, z);
    vec_zero(d, prefix);
    for (long t = 0; t < p->T; t++) {
        double eta = (double)t + 1, tau = 2 / ((double)t + 3);
        const double *at[] = { x, before }, a[] = { eta, -(eta - 1) };
        struct ticket batch;
        if (!oracle_take(o, p->B, &batch) ||
            !oracle_batch(o, &(struct batch){ .ticket = &batch, .points = t ? 2 : 1, .x = at,
                                              .a = a, .clip = CLIP_NORM, .C = p->C,
                                              .g = Delta }))
            break;
        vec_axpy(d, 1, Delta, prefix);
        vec_copy(d, prefix, G);
        prefix_release(tree, &(struct release){ .site = "prefix", .norm = NORM_2, .ticket = &batch,
                                              .sensitivity = p->C / (double)p->B }, p->sd, G);
        vec_copy(d, x, p->path->x + t * d);
        vec_copy(d, prefix, p->path->prefix + t * d);
        vec_copy(d, z, p->path->z + t * d);
        vec_axpy(d, -1 / p->beta, G, z);
        vec_lincomb(d, 1, x, -1 / (eta * p->beta), G, y);
        vec_copy(d, z, p->path->z_free + t * d);
        vec_copy(d, y, p->path->y_free + t * d);
        oracle_project(o, 0, z);
        oracle_project(o, 0, y);
        vec_copy(d, x, before);
        vec_lincomb(d, 1 - tau, y, tau, z, x);
        oracle_mark(o, y);
    }
    return OK;
}

static const struct algo algo = {
    .name = "srgd", .doc = "prototype", .cite = "Algorithm 1", .calls = CALL_SAMPLES | CALL_NOISE,
    .reads = FACT_BIT(M), .adjacency = ADJACENCY_ZERO_OUT, .run = run
};

enum { T = 13, B = 5, D = 7 };

struct bench {
    struct arena *memory, *work;
    struct instance in;
    struct srgd p;
};

static struct bench bench_new(double s, double C, double sd)
{
    struct bench b = { .memory = arena_new(0), .work = arena_new(0) };
    b.in = INSTANCE(b.memory, "spectral", { "d", D }, { "s", s }, { "decades", 1 },
                    { "rr", 1.4 });
    b.p = (struct srgd){ .T = T, .B = B, .beta = b.in.f.M, .C = C, .sd = sd };
    return b;
}

static void bench_free(struct bench *b)
{
    arena_free(b->work);
    arena_free(b->memory);
}

/* Runs the method and returns the path; y[D] <- the answer. */
static struct path bench_run(struct bench *b, struct oracle *o, double *y)
{
    struct path path = path_new(b->memory, b->p.T, D);
    struct rng rng = rng_stream(3);
    b->p.path = &path;
    arena_reset(b->work);
    assert_int_equal(run(o, &b->p, b->work, &rng, y), OK);
    return path;
}

static void add_clipped(double C, double B_, const double *v, double *sum)
{
    double norm = 0;
    for (long j = 0; j < D; j++)
        norm += v[j] * v[j];
    norm = sqrt(norm);
    for (long j = 0; j < D; j++)
        sum[j] += v[j] * (norm > C ? C / norm : 1) / B_;
}

static void to_ball(double radius, double *x)
{
    double norm = 0;
    for (long j = 0; j < D; j++)
        norm += x[j] * x[j];
    for (long j = 0; j < D && sqrt(norm) > radius; j++)
        x[j] *= radius / sqrt(norm);
}

/* y[D] <- the answer of the method, computed sample by sample from the printed recursion. The noise is what `twin`,
 * an oracle of the same seed, adds to zero. */
static void reference(const struct bench *b, struct oracle *twin, double *y)
{
    double x[D] = { 0 }, before[D] = { 0 }, z[D] = { 0 }, nabla[D] = { 0 };
    struct prefix *tree = noise_prefix(twin, b->memory, PREFIX_TREE, T, D);
    for (int t = 0; t < T; t++) {
        double Delta[D] = { 0 }, N[D] = { 0 }, eta = t + 1;
        struct ticket batch;
        assert_true(oracle_take(twin, B, &batch));
        for (long i = t * B; i < (t + 1) * B; i++) {
            double v[D] = { 0 };
            b->in.p->sample_grad(b->in.self, i, x, eta, v);
            if (t)
                b->in.p->sample_grad(b->in.self, i, before, -(eta - 1), v);
            add_clipped(b->p.C, B, v, Delta);
        }
        prefix_release(tree, &(struct release){ .site = "twin", .ticket = &batch }, b->p.sd, N);
        for (int j = 0; j < D; j++) {
            nabla[j] = Delta[j] / eta + (eta - 1) / eta * nabla[j];
            z[j] -= eta / b->p.beta * nabla[j] + N[j] / b->p.beta;
            y[j] = x[j] - nabla[j] / b->p.beta - N[j] / (eta * b->p.beta);
        }
        to_ball(b->in.f.radius, z);
        to_ball(b->in.f.radius, y);
        for (int j = 0; j < D; j++) {
            before[j] = x[j];
            x[j] = y[j] + 2.0 / (t + 3) * (z[j] - y[j]);
        }
    }
}

/* A run must ask for 2n - B gradients in T rounds, use every record in one round, and book one mechanism. Count
 * mode must agree. */
static void u12_counts_u20_reference(void **state)
{
    struct bench b = bench_new(1, 1.1, 0.02);
    struct oracle o, twin, counted;
    double y[D], truth[D], n = T * B;

    contract_open(&o, &b.in, &algo, 11, b.memory);
    bench_run(&b, &o, y);
    expect_count(&o, COUNT_sample_grads, 2 * n - B);
    expect_count(&o, COUNT_batch_steps, T);
    expect_count(&o, COUNT_taken, n);
    expect_count(&o, COUNT_max_visits, 1);
    expect_count(&o, COUNT_project_0, 2 * T);
    expect_count(&o, COUNT_noise_tree, T);
    assert_true(o.clipped > 0 && o.clipped < o.clip_seen && o.clip_seen == n);

    assert_int_equal(o.ledger.entries, 1);
    const struct ledger_entry *e = o.ledger.entry;
    assert_int_equal(e->mechanism, MECHANISM_TREE);
    assert_true(e->cover == 4);          /* floor(lg 13) + 1 */
    assert_true(e->repeats == T && e->count == T * B && e->batch == B && e->step == 1);
    assert_true(e->sensitivity == 1.1 / B && e->scale == 0.02 && !e->hidden);

    contract_open(&twin, &b.in, &algo, 11, b.memory);
    reference(&b, &twin, truth);
    expect_vectors("y_T", D, y, truth, 1e-12);

    contract_open(&counted, &b.in, &algo, 11, b.memory);
    counted.counting = true;
    bench_run(&b, &counted, y);
    expect_same_counts(&counted, &o);
    oracle_release(&o);
    oracle_release(&twin);
    oracle_release(&counted);
    bench_free(&b);
}

/* If all samples are equal and there is no noise, the prefix sum_{s<=t} Delta_s over eta_t must be grad F(x_t), and
 * the first step a gradient step. */
static void u1_exact_gradient_u13_u25(void **state)
{
    struct bench b = bench_new(0, INFINITY, 0);
    struct oracle o;
    double y[D], g[D], first[D];

    contract_open(&o, &b.in, &algo, 1, b.memory);
    struct path path = bench_run(&b, &o, y);
    for (int t = 0; t < T; t++) {
        double eta = t + 1, *x = path.x + t * D;
        b.in.p->grad(b.in.self, x, g);
        for (int j = 0; j < D; j++) {
            expect_near("nabla_t", path.prefix[t * D + j] / eta, g[j], 1e-12);
            expect_near("z' - z_t", path.z_free[t * D + j] - path.z[t * D + j],
                        eta * (path.y_free[t * D + j] - x[j]), 1e-12);
        }
    }
    b.in.p->grad(b.in.self, path.x, first);  /* x_0 = 0 */
    vec_scale(D, -1 / b.p.beta, first);
    to_ball(b.in.f.radius, first);
    expect_vectors("z_1", D, path.z + D, first, 1e-15);
    oracle_release(&o);
    bench_free(&b);
}

/* If a record of batch t0 is zeroed and the noise stays the same, nothing before t0 must change, and the prefix of
 * step t0 must change by the clipped term of this record, divided by B. */
static void u7_neighbour(void **state)
{
    enum { t0 = 6, record = t0 * B + 2 };
    struct bench b = bench_new(1, 1.1, 0.02);
    struct oracle o, other;
    double y[D], y_other[D], v[D] = { 0 }, term[D] = { 0 };

    contract_open(&o, &b.in, &algo, 11, b.memory);
    contract_open(&other, &b.in, &algo, 11, b.memory);
    other.neighbour = (struct neighbour){ NEIGHBOUR_NULL, record, 0 };
    struct path path = bench_run(&b, &o, y), moved = bench_run(&b, &other, y_other);

    assert_memory_equal(path.x, moved.x, (t0 + 1) * D * sizeof(double));
    assert_memory_equal(path.prefix, moved.prefix, t0 * D * sizeof(double));
    b.in.p->sample_grad(b.in.self, record, path.x + t0 * D, t0 + 1, v);
    b.in.p->sample_grad(b.in.self, record, path.x + (t0 - 1) * D, -t0, v);
    add_clipped(b.p.C, B, v, term);
    for (int j = 0; j < D; j++)
        term[j] = path.prefix[t0 * D + j] - term[j];
    expect_vectors("prefix of step t0", D, moved.prefix + t0 * D, term, 1e-13);
    double size = vec_dist(D, path.prefix + t0 * D, moved.prefix + t0 * D);
    assert_true(size > 0 && size <= b.p.C / B * (1 + 1e-14));
    assert_true(vec_dist(D, y, y_other) > 0);
    expect_same_counts(&other, &o);
    oracle_release(&o);
    oracle_release(&other);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u12_counts_u20_reference),
        cmocka_unit_test(u1_exact_gradient_u13_u25),
        cmocka_unit_test(u7_neighbour),
    };
    return cmocka_run_group_tests_name("contract: accelerated DP-SRGD", tests, NULL, NULL);
}

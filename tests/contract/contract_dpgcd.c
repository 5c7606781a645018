/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract_dpgcd.c - DP-GCD through struct point on wide sparse data: per-coordinate clipping,
 * noisy argmax, Laplace update, O(nonzeros) a step; on dorothea, or a file of its shape. */
#include <time.h>

#include "contract/contract.h"
#include "data.h"

struct dpgcd {
    long T;
    double n, gamma, eps_step;       /* gamma/M_j: step length along coordinate j; eps_step infinite: no noise */
    const double *M_j, *C_j;
    /* Kept for the test: the chosen coordinates [T], their noisy derivatives [T] and the gradients [T*d]. */
    long *chosen;
    double *change, *seen;
};

/* The method:
 *     j_t = argmax |g_j + Lap(b_j)|/sqrt(M_j),   x_j -= (gamma/M_j)(g_j + Lap(b_j)) for j = j_t, with new noise,
 *     g_j = mean over the records of their partial derivatives clipped to C_j,   b_j = 2 C_j/(n eps_step) */
static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct dpgcd *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *b = arena_vec(w, d), *root = arena_vec(w, d), most = 0;
    struct point *at = oracle_point(o, w);

    for (long j = 0; j < d; j++) {
        b[j] = 2 * p->C_j[j] / (p->n * p->eps_step);
        root[j] = sqrt(p->M_j[j]);
        most = fmax(most, 2 * p->C_j[j] / p->n / root[j]);
    }
    arena_seal(w);
    point_set(at, x);
    for (long t = 0; t < p->T; t++) {
        if (!point_grad(at, p->C_j, g))
            break;
        const struct release select = { .site = "select", .norm = NORM_INF,
                                        .sensitivity = most };
        long j = noise_max(o, &select, d, g, b, root);
        double v = g[j];
        noise_laplace(o, &(struct release){ .site = "update", .norm = NORM_1,
                                            .sensitivity = 2 * p->C_j[j] / p->n }, b[j], 1, &v);
        point_add(at, j, -p->gamma / p->M_j[j] * v);
        oracle_mark(o, point_at(at));
        p->chosen[t] = j;
        p->change[t] = v;
        vec_copy(d, g, p->seen + t * d);
    }
    vec_copy(d, point_at(at), x);
    return OK;
}

static const struct algo algo = {
    .name = "dpgcd", .doc = "prototype", .cite = "Algorithm 1", .calls = CALL_POINT | CALL_NOISE,
    .reads = FACT_BIT(n) | FACT_BIT(M_j), .adjacency = ADJACENCY_REPLACE_ONE, .run = run
};

/* --- the data */

enum { STEPS = 10 };
static const double L2 = 1e-4;
struct bench {
    struct arena *a, *work;
    struct instance in;
    const struct table *table;
    double *C_j;
    char path[1024];
};

/* Makes the problem. The table of records stays in memory, so that the file is no longer needed. */
static enum status load(struct bench *b, struct why *why)
{
    struct instance *in = &b->in;
    const struct param *table = registry_problem("erm")->params;
    *in = (struct instance){ .p = registry_problem("erm"), .name = "erm" };
    in->params = arena_bytes(b->a, in->p->params_size);
    params_default(table, in->params);
    TRY(params_set_text(params_find(table, "data"), in->params, b->path, "erm", why));
    TRY(params_set(params_find(table, "l2"), in->params, L2, "erm", why));
    TRY(instance_make(in, 1, b->a, &in->self, &in->f, why));
    in->d = (long)in->f.d;
    return data_table(b->path, &b->table, why);
}

static int setup(void **state)
{
    struct bench *b = *state = test_calloc(1, sizeof *b);
    struct why why = { "" };
    double trace = 0, C = 30;

    b->a = arena_new(0);
    b->work = arena_new(0);
    bool made = contract_wide_data(b->path, sizeof b->path);
    enum status s = load(b, &why);
    if (made)
        unlink(b->path);
    if (s != OK)
        fail_msg("%s", why.text);
    b->C_j = arena_vec(b->a, b->in.d);       /* with C_j = C sqrt(M_j/sum M) some records are clipped */
    for (long j = 0; j < b->in.d; j++)
        trace += b->in.f.M_j[j];
    for (long j = 0; j < b->in.d; j++)
        b->C_j[j] = C * sqrt(b->in.f.M_j[j] / trace);
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    arena_free(b->work);
    arena_free(b->a);
    test_free(b);
    return 0;
}

static struct dpgcd method(struct bench *b, double eps_step)
{
    return (struct dpgcd){
        .T = STEPS, .n = b->in.f.n, .gamma = 0.5, .eps_step = eps_step, .M_j = b->in.f.M_j,
        .C_j = b->C_j, .chosen = ARENA_ARRAY(b->a, STEPS, long),
        .change = arena_vec(b->a, STEPS), .seen = arena_vec(b->a, STEPS * b->in.d)
    };
}

/* Runs the method from x = 0. Returns the processor seconds of a step. */
static double bench_run(struct bench *b, struct oracle *o, const struct dpgcd *p)
{
    struct rng rng = rng_stream(3);
    arena_reset(b->work);
    double *x = arena_vec(b->work, b->in.d);
    vec_zero(b->in.d, x);
    clock_t from = clock();
    assert_int_equal(run(o, p, b->work, &rng, x), OK);
    return (double)(clock() - from) / CLOCKS_PER_SEC / STEPS;
}

/* --- the expected gradient, from every partial derivative of every record, one by one */

static void clipped_gradient(const struct bench *b, const double *x, double *row, double *g)
{
    const struct table *t = b->table;
    memset(g, 0, (size_t)t->d * sizeof *g);
    memset(row, 0, (size_t)t->d * sizeof *row);
    for (long i = 0; i < t->n; i++) {
        double margin = 0, slope;
        struct entries a = table_row(t, i);
        for (long k = 0; k < a.count; k++) {
            row[a.index[k]] = a.value[k];
            margin += a.value[k] * x[a.index[k]];
        }
        slope = -t->label[i] / (1 + exp(t->label[i] * margin));
        for (long j = 0; j < t->d; j++) {
            double v = slope * row[j] + L2 * x[j];
            g[j] += (fabs(v) > b->C_j[j] ? copysign(b->C_j[j], v) : v) / (double)t->n;
        }
        for (long k = 0; k < a.count; k++)
            row[a.index[k]] = 0;
    }
}

/* Compares the gradients of the first and the last step with the expected ones at the iterates rebuilt from the
 * choices and their noisy derivatives. */
static void expect_gradients(struct bench *b, const struct dpgcd *p)
{
    long d = b->in.d;
    double *x = arena_vec(b->a, d), *row = arena_vec(b->a, d), *g = arena_vec(b->a, d);
    vec_zero(d, x);
    for (long t = 0; t < STEPS; t++) {
        if (t == 0 || t == STEPS - 1) {
            clipped_gradient(b, x, row, g);
            expect_vectors("clipped gradient", d, p->seen + t * d, g, 1e-13);
        }
        x[p->chosen[t]] -= p->gamma / p->M_j[p->chosen[t]] * p->change[t];
    }
}

/* --- tests */

/* A step costs n d partial derivatives, which is one pass over the records, one batch step and d + 1 Laplace
 * values. It touches the nonzeros of the table and of the column that moved. */
static void counts_of_a_step(void **state)
{
    struct bench *b = *state;
    struct dpgcd p = method(b, 0.05);
    struct oracle o, counted;
    const struct columns *columns;
    double n = (double)b->table->n, d = (double)b->table->d, nonzeros = 0;
    assert_int_equal(data_columns(b->table, &columns, NULL), OK);
    contract_open(&o, &b->in, &algo, 52, b->a);
    double seconds = bench_run(b, &o, &p);
    printf("n = %ld, d = %ld, %ld nonzeros: %.2f ms a step\n", b->table->n, b->table->d,
           b->table->nonzeros, 1e3 * seconds);
    for (int t = 0; t < STEPS; t++)
        nonzeros += (double)(b->table->nonzeros + table_column(columns, p.chosen[t]).count);
    expect_count(&o, COUNT_coords, STEPS * n * d);
    expect_count(&o, COUNT_passes, STEPS);
    expect_count(&o, COUNT_batch_steps, STEPS);
    expect_count(&o, COUNT_noise_laplace, STEPS * (d + 1));
    expect_count(&o, COUNT_noise_max, STEPS);
    expect_count(&o, COUNT_nonzeros, nonzeros);
    expect_count(&o, COUNT_sample_grads, 0);
    expect_count(&o, COUNT_max_visits, STEPS);
    assert_true(seconds < 0.25);             /* two passes over n d doubles would take longer */

    /* Count mode does not know which columns move; all other counts must agree. */
    contract_open(&counted, &b->in, &algo, 52, b->a);
    counted.counting = true;
    bench_run(b, &counted, &p);
    counted.counts.of[COUNT_nonzeros] = nonzeros;
    expect_same_counts(&counted, &o);
    oracle_release(&counted);
    oracle_release(&o);
}

static void ledger_of_a_step(const struct bench *b, const struct dpgcd *p, const struct oracle *o)
{
    double n = (double)b->table->n, most = 0;
    for (long j = 0; j < b->in.d; j++)
        most = fmax(most, p->C_j[j] / sqrt(p->M_j[j]));
    assert_int_equal(o->ledger.entries, 2 * STEPS);
    for (int t = 0; t < STEPS; t++) {
        const struct ledger_entry *e = o->ledger.entry + 2 * t, *u = e + 1;
        assert_true(e->mechanism == MECHANISM_NOISY_MAX && u->mechanism == MECHANISM_LAPLACE);
        assert_true(e->scheme == SAMPLING_ALL && u->scheme == SAMPLING_ALL);
        assert_true(e->count == b->table->n && u->count == b->table->n);
        assert_true(e->dimension == b->in.d && u->dimension == 1);
        expect_near("selection: sensitivity", e->sensitivity, 2 * most / n, 1e-15);
        expect_near("selection: eps", e->sensitivity / e->scale, p->eps_step, 1e-12);
        expect_near("update: sensitivity", u->sensitivity, 2 * p->C_j[p->chosen[t]] / n, 1e-15);
        expect_near("update: eps", u->sensitivity / u->scale, p->eps_step, 1e-12);
    }
}

/* With noise, the gradients must be the expected ones, and the choices and their noisy derivatives must follow from
 * these gradients and from the noise, which a second oracle of the same seed repeats. */
static void noisy_steps_and_their_ledger(void **state)
{
    struct bench *b = *state;
    struct dpgcd p = method(b, 0.05);
    struct oracle o, twin;
    long d = b->in.d, different = 0;
    double *scale = arena_vec(b->a, d), *root = arena_vec(b->a, d);
    const struct release any = { .site = "twin" };

    contract_open(&o, &b->in, &algo, 53, b->a);
    contract_open(&twin, &b->in, &algo, 53, b->a);
    bench_run(b, &o, &p);
    expect_gradients(b, &p);
    ledger_of_a_step(b, &p, &o);
    for (long j = 0; j < d; j++) {
        root[j] = sqrt(p.M_j[j]);
        scale[j] = 2 * p.C_j[j] / ((double)b->table->n * p.eps_step);
    }
    for (long t = 0; t < STEPS; t++) {
        const double *g = p.seen + t * d;
        long j = noise_max(&twin, &any, d, g, scale, root), best = 0;
        double v = g[j];
        noise_laplace(&twin, &any, scale[j], 1, &v);
        assert_int_equal(j, p.chosen[t]);
        assert_true(v == p.change[t] && v != g[j]);
        for (long k = 0; k < d; k++)
            best = fabs(g[k]) / root[k] > fabs(g[best]) / root[best] ? k : best;
        different += best != j;
    }
    assert_true(different > 0);              /* the noise does change the choice */
    oracle_release(&twin);
    oracle_release(&o);
}

/* Without noise, the choices must follow the greedy rule on the expected clipped gradients. Ties are common
 * (clipped sums of ones), so that a choice need only have the largest score up to rounding. */
static void noiseless_steps_are_greedy(void **state)
{
    struct bench *b = *state;
    struct dpgcd p = method(b, INFINITY);
    struct oracle o;
    long d = b->in.d;

    contract_open(&o, &b->in, &algo, 54, b->a);
    bench_run(b, &o, &p);
    expect_gradients(b, &p);
    for (long t = 0; t < STEPS; t++) {
        const double *g = p.seen + t * d;
        double best = 0;
        for (long j = 0; j < d; j++)
            best = fmax(best, fabs(g[j]) / sqrt(p.M_j[j]));
        expect_near("score", fabs(g[p.chosen[t]]) / sqrt(p.M_j[p.chosen[t]]), best, 1e-12 * best);
        assert_true(p.change[t] == g[p.chosen[t]]);
    }
    assert_true(o.ledger.entry[0].scale == 0);
    oracle_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_a_step),
        cmocka_unit_test(noisy_steps_and_their_ledger),
        cmocka_unit_test(noiseless_steps_are_greedy),
    };
    return cmocka_run_group_tests_name("contract: DP-GCD", tests, setup, teardown);
}

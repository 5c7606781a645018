/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm_make.c - how an empirical risk is made: labels and targets, held-out records, the origin of its
 * constants, optima kept on disk. */
#include "support/erm_tables.h"

#include "oracle/oracle_state.h"
#include "reference.h"
#include "cell/reference_cache.h"

static void expect_refusal(const char *name, const char *text, const char *reason)
{
    char path[64];
    struct built b;
    struct why why = { "" };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    enum status s = try_build(&b, &(struct setting){ .data = path, .l2 = 0.1 }, &why);
    remove(path);
    arena_free(b.a);
    assert_int_equal(s, BAD_INPUT);
    if (!strstr(why.text, reason) || !strstr(why.text, path))
        fail_msg("'%s' does not contain '%s: %s'", why.text, path, reason);
}

static void test_labels(void **state)
{
    expect_refusal("one", "1 1:1\n1 2:1\n",
                   "every label is 1: expected two different labels");
    expect_refusal("three", "0 1:1\n1 2:1\n2.5 1:1\n3 1:1\n",
                   "labels 0, 1, and 2.5 of record 3: logistic expected only two different "
                   "labels; for targets: squares");
    expect_refusal("huge", "0 1:1e200\n1 1:1\n", "expected entries with finite squares");
    expect_refusal("text", "0 1:1\nb 1:1\n", "'b': expected a label");
}

static void test_origins(void **state)
{
    struct built b = build(file[DENSE], 0.1, 2);
    static const int public[] = { FACT_n, FACT_d, FACT_mu, FACT_weak, FACT_radius, FACT_diameter };
    static const int data[] = { FACT_L, FACT_G, FACT_M, FACT_M_F, FACT_dist, FACT_Phi, FACT_f_star,
                                FACT_nonzeros, FACT_L_j, FACT_M_j, FACT_sigma, FACT_R_M1 };
    for (size_t k = 0; k < sizeof public / sizeof *public; k++)
        assert_int_equal(b.f.origin[public[k]], ORIGIN_PUBLIC);
    for (size_t k = 0; k < sizeof data / sizeof *data; k++)
        assert_int_equal(b.f.origin[data[k]], ORIGIN_DATA);
    assert_true(b.f.n == 300 && b.f.d == 9 && b.f.nonzeros == 300 * 9);
    assert_true(b.t->dense && b.t->nonzeros < 300 * 9);
    arena_free(b.a);
}

/* By the setting `target` the targets of records are the labels, the labels less their mean, or (label - mean)/sd.
 * F(0) of squares is half of the second moment of the targets. */
static void test_targets(void **state)
{
    static const char *const targets[] = { "none", "centre", "zscore" };
    for (int k = 0; k < 3; k++) {
        struct built b = BUILD(.data = file[DENSE], .loss = "squares", .target = targets[k],
                               .optimum = "none");
        double *x = arena_vec(b.a, b.d), n = (double)b.n, mean = 0, second = 0;
        for (long i = 0; i < b.n; i++) {
            mean += b.t->label[i] / n;
            second += b.t->label[i] * b.t->label[i] / n;
        }
        vec_zero(b.d, x);
        double truth = (k == 0 ? second : k == 1 ? second - mean * mean : 1) / 2;
        assert_true(fabs(P->value(b.self, x) - truth) <= 1e-12 * truth);
        arena_free(b.a);
    }
    struct built b;
    struct why why = { "" };
    struct setting s = { .data = file[DENSE], .target = "zscore" };
    assert_int_equal(try_build(&b, &s, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "logistic has classes"));
    arena_free(b.a);
}

/* With a quarter of the records held out, the two parts make up the file. The measures held_loss and held_accuracy
 * are those computed here from the held-out records. Without held-out records they are not known. */
static void test_held_out(void **state)
{
    struct setting s = { .data = file[DENSE], .test = 0.25, .split = 5, .l2 = 0.1, .intercept = 1 };
    struct built b = build_with(&s), whole = build(file[DENSE], 0.1, INFINITY);
    struct data_request q = { .data = file[DENSE], .test = 0.25, .split = 5, .heldout = true };
    const struct table *held;
    double *x = arena_vec(b.a, b.d), error, right = 0;
    long double loss = 0, slope;
    assert_int_equal(data_load(&q, &held, NULL), OK);
    assert_true(held->n == 75 && b.n == 225 && whole.n == 300);
    P->minimiser(b.self, x);
    for (long i = 0; i < held->n; i++) {
        struct entries a = table_row(held, i);
        long double z = x[b.d - 1];
        for (long k = 0; k < a.count; k++)
            z += (long double)a.value[k] * x[a.index[k]];
        loss += brute_loss(&b, z, held->label[i], &slope) / held->n;
        right += (held->label[i] > 0 ? z : -z) > 0;
    }
    assert_true(fabsl(measured(&b, "held_loss", x, &error) - loss) <= 1e-14L);
    assert_true(measured(&b, "held_accuracy", x, &error) == right / 75 && right > 40);
    assert_true(isnan(measured(&whole, "held_loss", x, &error)));
    assert_true(isnan(measured(&whole, "held_accuracy", x, &error)));
    arena_free(b.a);
    arena_free(whole.a);
}

/* With records of norm 1 the largest slope and curvature of the loss are known without the data. */
static void test_public_constants(void **state)
{
    struct built b = BUILD(.data = file[DENSE], .scaling = "unit", .l2 = 0.1, .radius = 2);
    assert_int_equal(b.f.origin[FACT_L], ORIGIN_PUBLIC);
    assert_int_equal(b.f.origin[FACT_M], ORIGIN_PUBLIC);
    assert_int_equal(b.f.origin[FACT_G], ORIGIN_DATA);
    assert_true(fabs(b.f.L - 1.2) <= 1e-9 && fabs(b.f.M - 0.35) <= 1e-9);
    arena_free(b.a);
    b = BUILD(.data = file[DENSE], .scaling = "unit", .loss = "squares", .radius = 2);
    assert_int_equal(b.f.origin[FACT_L], ORIGIN_DATA);       /* the constant depends on the targets, which are
                                                                data */
    arena_free(b.a);
}

static void test_kept(void **state)
{
    char optima[80];
    snprintf(optima, sizeof optima, "%s/optima", folder);
    for (int loss = 0; loss < 2; loss++) {
        struct setting s = { .data = file[DENSE], .loss = loss ? "hinge" : "logistic", .l2 = 0.1,
                             .radius = 5 };
        reference_cache(optima);
        struct built first = build_with(&s), again = build_with(&s);
        long d = first.d, count = loss ? d + first.n + 2 : d + 2;
        struct reference_key key = { "erm", P->params, first.params, first.t->checksum, count };
        double *values = arena_vec(first.a, count), *x = arena_vec(first.a, d);
        assert_true(reference_recall(&key, values));
        assert_true(first.f.f_star == again.f.f_star && values[count - 2] == first.f.f_star);
        arena_free(again.a);

        /* A point is put on disk with the certificate of another point: it is not used. */
        P->minimiser(first.self, x);
        values[0] += 1e-7;
        reference_keep(&key, values);
        again = build_with(&s);
        assert_true(again.f.f_star == first.f.f_star);
        assert_true(reference_recall(&key, values) && values[0] == x[0]);    /* the optimum was computed again, and
                                                                                kept */
        arena_free(again.a);

        vec_fill(count, 0, values);              /* x = 0 and alpha = 0, with a false certificate */
        values[count - 2] = first.f.f_star;
        reference_keep(&key, values);
        again = build_with(&s);
        assert_true(again.f.f_star == first.f.f_star);
        arena_free(again.a);
        arena_free(first.a);
    }
    /* x = 0 with a ridge: F(0) and the gap |grad F(0)|^2/(2 l2) are a true certificate. They are used, which shows
     * that the file is read. */
    struct setting s = { .data = file[DENSE], .l2 = 0.3 };
    struct built b = build_with(&s);
    double *x = arena_vec(b.a, b.d), *values = arena_vec(b.a, b.d + 2), error;
    struct reference_key key = { "erm", P->params, b.params, b.t->checksum, b.d + 2 };
    vec_zero(b.d + 2, values);
    vec_zero(b.d, x);
    values[b.d] = P->value(b.self, x);
    values[b.d + 1] = measured(&b, "gap", x, &error);
    reference_keep(&key, values);
    struct built again = build_with(&s);
    assert_true(again.f.f_star == values[b.d] && again.f.f_star > b.f.f_star);
    measured(&again, "excess", x, &error);
    assert_true(error >= values[b.d] - b.f.f_star);
    arena_free(again.a);
    arena_free(b.a);
    reference_cache(NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -r '%s'", optima);
    assert_int_equal(system(command), 0);
}

/* One pass over all records reads as many entries as the table stores, zeros of a dense table included, and with an
 * intercept one more in each record. This holds for the whole gradient and for a batch of all records. */
static void test_nonzeros(void **state)
{
    for (int run = 0; run < 2 * KINDS; run++) {
        struct setting s = { .data = file[run / 2], .intercept = run % 2, .optimum = "none" };
        struct built b = build_with(&s);
        struct rng data = rng_stream(1);
        struct oracle o;
        struct ticket t;
        double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), each = 0;
        const double *xs = x;
        vec_zero(b.d, x);
        oracle_open(&o, P, b.self, &b.f, ~0u, &data, 1, b.a);
        for (long i = 0; i < b.n; i++)
            each += (double)(table_row(b.t, i).count + run % 2);
        assert_true(oracle_grad(&o, x, g) && o.counts.of[COUNT_nonzeros] == each);
        assert_true(oracle_all(&o, &t));
        assert_true(oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &xs, .g = g }));
        assert_true(o.counts.of[COUNT_nonzeros] == 2 * each);
        assert_true(run / 2 != DENSE || each == (double)b.n * (double)b.d);
        oracle_release(&o);
        arena_free(b.a);
    }
}

/* truth <- sum_i w_i (sum_k a_k grad f_i(x_k)), each term clipped, from the gradients of single records. */
static void brute_batch(const struct built *b, const struct batch *q, double *truth)
{
    double *g = arena_vec(b->a, b->d);
    vec_zero(b->d, truth);
    for (long i = 0; i < b->n; i++) {
        vec_zero(b->d, g);
        for (int k = 0; k < q->points; k++)
            P->sample_grad(b->self, i, q->x[k], q->a ? q->a[k] : 1, g);
        double norm = vec_norm(b->d, g), shrink = q->clip == CLIP_NORM && norm > q->C ? q->C / norm : 1;
        for (long j = 0; j < b->d; j++) {
            double kept = q->clip == CLIP_COORDS ? fmax(-q->C_j[j], fmin(q->C_j[j], g[j])) : shrink * g[j];
            truth[j] += (q->w ? q->w[i] : 1.0 / (double)b->n) * kept;
        }
    }
}

/* A batch of all records, whose rows are added in groups, is the sum over single records: with and without a column
 * of ones, at one point and at two, with every kind of clipping. */
static void test_batches(void **state)
{
    const double a[2] = { 1, -0.7 };
    for (int run = 0; run < 2 * KINDS; run++) {
        struct setting s = { .data = file[run / 2], .intercept = run % 2, .optimum = "none" };
        struct built b = build_with(&s);
        struct rng r = rng_stream(60 + (uint64_t)run), data = rng_stream(1);
        double *x = arena_vec(b.a, b.d), *y = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
        double *truth = arena_vec(b.a, b.d), *C_j = arena_vec(b.a, b.d), *w = arena_vec(b.a, b.n);
        const double *const xs[2] = { x, y };
        struct oracle o;
        struct ticket t;
        rng_normals(&r, b.d, 0.3, x);
        rng_normals(&r, b.d, 0.3, y);
        rng_normals(&r, b.n, 1.0 / (double)b.n, w);
        vec_fill(b.d, 0.1, C_j);
        oracle_open(&o, P, b.self, &b.f, ~0u, &data, 1, b.a);
        assert_true(oracle_all(&o, &t));
        for (int k = 0; k < 12; k++) {
            struct batch q = { .ticket = &t, .points = 1 + k % 2, .x = xs, .a = k % 2 ? a : NULL, .g = g,
                               .w = k / 2 % 2 ? w : NULL, .clip = (enum clip)(k / 4), .C = 0.3, .C_j = C_j };
            assert_true(oracle_batch(&o, &q));
            brute_batch(&b, &q, truth);
            for (long j = 0; j < b.d; j++)
                if (!(fabs(g[j] - truth[j]) <= 1e-12))
                    fail_msg("run %d, case %d, entry %ld: %.17g, expected %.17g", run, k, j, g[j], truth[j]);
        }
        oracle_release(&o);
        arena_free(b.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nonzeros), cmocka_unit_test(test_batches),
        cmocka_unit_test(test_labels), cmocka_unit_test(test_origins),
        cmocka_unit_test(test_targets), cmocka_unit_test(test_held_out),
        cmocka_unit_test(test_public_constants), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests_name("erm_make", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_worst_group.c - groups and pieces of worst-group logistic regression by brute force; the certified optimum,
 * compared with a search on nested intervals. */
#include "support/method.h"

enum { RECORDS = 61 };
static double table[RECORDS][3];             /* label, two columns */
static char path[] = "/tmp/assay-groups-XXXXXX";

static int write_table(void **state)
{
    struct rng r = rng_stream(8);
    int f = mkstemp(path);
    FILE *out = fdopen(f, "w");
    assert_non_null(out);
    for (int i = 0; i < RECORDS; i++) {
        table[i][1] = rng_normal(&r);
        table[i][2] = 2 * rng_normal(&r);
        table[i][0] = table[i][1] - 0.3 * table[i][2] + 2 * rng_normal(&r) > 0 ? 2 : 1;
        fprintf(out, "%g,%.17g,%.17g\n", table[i][0], table[i][1], table[i][2]);
    }
    fclose(out);
    return setup(state);
}

static int remove_table(void **state)
{
    remove(path);
    return teardown(state);
}

static struct instance groups(double by, double N, double l2, double radius)
{
    return INSTANCE(memory, "worst_group", { "data", 0, path }, { "by", by }, { "N", N },
                    { "l2", l2 }, { "radius", radius });
}

/* Returns the position of record i in the order of a column; the values are distinct. */
static int rank_of(int i, int column)
{
    int before = 0;
    for (int k = 0; k < RECORDS; k++)
        before += table[k][column] < table[i][column];
    return before;
}

/* v[N] <- the mean losses of the groups, each plus (l2/2)|x|^2; returns the largest. Group g has the records of
 * ranks floor(n g/N) to floor(n (g+1)/N) - 1 in the column, n = RECORDS. */
static double brute(int column, int N, double l2, const double *x, double *v)
{
    double most = -INFINITY;
    for (int g = 0; g < N; g++) {
        int from = RECORDS * g / N, to = RECORDS * (g + 1) / N;
        long double sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            double sign = table[i][0] == 2 ? 1 : -1, s = table[i][1] * x[0] + table[i][2] * x[1];
            int at = rank_of(i, column);
            if (at >= from && at < to)
                sum += log1pl(expl(-sign * s)) / (to - from);
        }
        v[g] = (double)sum + l2 / 2 * (x[0] * x[0] + x[1] * x[1]);
        most = fmax(most, v[g]);
    }
    return most;
}

static void pieces_by_brute_force(void **state)
{
    struct rng r = rng_stream(9);
    for (int column = 1; column <= 2; column++)
        for (int N = 1; N <= RECORDS; N = 3 * N + 1) {
            struct instance in = groups(column, N, 0.1, 2);
            double v[RECORDS], truth[RECORDS], x[2];
            assert_true(in.f.N == N && in.f.d == 2);
            for (int k = 0; k < 5; k++) {
                rng_normals(&r, 2, 1, x);
                double most = brute(column, N, 0.1, x, truth);
                in.p->pieces->values(in.self, x, v);
                expect_vectors("pieces", N, v, truth, 1e-13);
                expect_near("F", in.p->value(in.self, x), most, 1e-13);
            }
        }
}

/* Gradients are compared with central differences of step 1e-5, which have an error of 1e-9. L must bound the
 * gradient of every piece in the ball. */
static void gradients_and_their_bound(void **state)
{
    struct instance in = groups(1, 5, 0.2, 2);
    struct rng r = rng_stream(10);
    double largest = 0;
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < 5; i++) {
            double x[2], g[2] = { 0 }, slope[2];
            rng_ball(&r, 2, x);
            vec_scale(2, 2, x);
            in.p->pieces->grad(in.self, i, x, 1, g);
            for (int j = 0; j < 2; j++) {
                double up[2] = { x[0], x[1] }, down[2] = { x[0], x[1] };
                up[j] += 1e-5;
                down[j] -= 1e-5;
                slope[j] = in.p->pieces->value(in.self, i, up) - in.p->pieces->value(in.self, i, down);
                slope[j] /= 2e-5;
            }
            expect_vectors("gradient", 2, g, slope, 1e-8);
            largest = fmax(largest, vec_norm(2, g));
        }
    double norms[5] = { 0 }, most = 0;
    for (int i = 0; i < RECORDS; i++)
        for (int g = 0; g < 5; g++) {
            int from = RECORDS * g / 5, to = RECORDS * (g + 1) / 5, at = rank_of(i, 1);
            if (at >= from && at < to)
                norms[g] += hypot(table[i][1], table[i][2]) / (to - from);
        }
    for (int g = 0; g < 5; g++)
        most = fmax(most, norms[g]);
    expect_near("L", in.f.L, most + 0.2 * 2, 1e-12);
    assert_true(largest <= in.f.L && largest > in.f.L / 5);
}

/* The context of two nested searches for a minimum by golden sections: `outer` over x[0], `inner` over x[1]. */
struct nested { int column, N; double l2, radius, x[2]; };

static double outer(struct nested *s, double at);
static double inner(struct nested *s, double at)
{
    double v[RECORDS];
    s->x[1] = at;
    return brute(s->column, s->N, s->l2, s->x, v);
}

static double least(struct nested *s, double (*f)(struct nested *, double), double reach)
{
    const double golden = (sqrt(5) - 1) / 2;
    double lo = -reach, hi = reach, a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    double at_a = f(s, a), at_b = f(s, b);
    while (hi - lo > 1e-7 * reach) {
        if (at_a < at_b) {
            hi = b, b = a, at_b = at_a;
            at_a = f(s, a = hi - golden * (hi - lo));
        } else {
            lo = a, a = b, at_a = at_b;
            at_b = f(s, b = lo + golden * (hi - lo));
        }
    }
    return fmin(at_a, at_b);
}

static double outer(struct nested *s, double at)
{
    s->x[0] = at;
    return least(s, inner, sqrt(fmax(0, s->radius * s->radius - at * at)));
}

/* The search ends above F* by less than L 1e-6; the error of the certificate is 1e-6 log 2. In some cases the
 * minimiser is inside the ball, in others on its sphere, with one group and with several. */
static void optimum_against_a_search(void **state)
{
    static const struct nested cases[] = { { 1, 1, 0, 3, { 0 } }, { 1, 4, 0, 3, { 0 } },
                                           { 2, 6, 0, 0.3, { 0 } }, { 2, 3, 0.5, 5, { 0 } },
                                           { 1, 12, 0.01, 0.8, { 0 } } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct nested s = cases[k];
        struct instance in = groups(s.column, s.N, s.l2, s.radius);
        double truth = least(&s, outer, s.radius), zero[2] = { 0 }, error;
        double excess = in.p->measures[0].at(in.self, zero, &error);
        assert_true(error <= 1e-6);
        expect_near("F*", in.f.f_star, truth, 3e-6);
        assert_true(in.f.f_star <= truth + 1e-6 && in.f.f_star >= truth - 3e-6);
        expect_near("excess of 0", excess, log(2) - truth, 4e-6);
        assert_true(excess >= log(2) - in.f.f_star && excess - error <= log(2) - truth + 3e-6);
    }
}

static void refusals(void **state)
{
    const struct problem *p = registry_problem("worst_group");
    struct instance in;
    struct why why = { "" };
    const struct with many[] = { { "data", 0, path }, { "N", 62 }, { 0 } };
    const struct with far[] = { { "data", 0, path }, { "by", 3 }, { 0 } };
    assert_int_equal(instance_with(memory, p, many, &in, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "worst_group.N = 62: expected at most the 61 records of"));
    assert_int_equal(instance_with(memory, p, far, &in, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "worst_group.by = 3: expected at most the 2 columns of"));
}

/* If the records are grouped by class, the 61 records make two groups, of 30 and of 31 records. */
static void by_class(void **state)
{
    struct instance in = groups(0, 2, 0, 1);
    double x[2] = { 0.3, -0.2 }, v[2], sum = 0;
    in.p->pieces->values(in.self, x, v);
    for (int i = 0; i < RECORDS; i++) {
        double sign = table[i][0] == 2 ? 1 : -1;
        sum += log1p(exp(-sign * (table[i][1] * x[0] + table[i][2] * x[1])));
    }
    expect_near("all records", 30 * v[0] + 31 * v[1], sum, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_by_brute_force),
        cmocka_unit_test(gradients_and_their_bound),
        cmocka_unit_test(optimum_against_a_search),
        cmocka_unit_test(refusals),
        cmocka_unit_test(by_class),
    };
    return cmocka_run_group_tests_name("the worst group", tests, write_table, remove_table);
}

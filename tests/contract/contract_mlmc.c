/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract_mlmc.c - the bias-reduced optimum estimator as a struct estimator: a draw is one run of EpochSGD, and
 * the levels are strata of known weight. */
#include <stdlib.h>

#include "contract/contract.h"
#include "record/record.h"
#include "run/run.h"
#include "run/run_internal.h"

struct mlmc {
    double mu;                       /* psi(x) = (mu/2)|x|^2 */
    long jmax;
};

static const struct param params[] = {
    PARAM(mlmc, mu, 1, 1e-100, INFINITY, "f/x^2", "strong convexity of psi"),
    PARAM(mlmc, jmax, 12, 1, 40, "levels", "largest level"),
    PARAM_END
};

/* Returns the number of epochs that a budget of 2^j points has room for: floor(log2(2^j/16 + 1)). */
static int epochs_of(int j)
{
    return j < 4 ? 0 : j == 4 ? 1 : j - 4;
}

/* w[d] <- argmin_{x'} eta (<h, x'> + psi(x')) + |x' - w|^2/2 over the feasible set, h[d] a gradient; NULL: it is
 * 0. */
static void prox_step(struct oracle *o, double mu, const double *h, double eta, double *w)
{
    long d = oracle_dim(o);
    if (h)
        vec_axpy(d, -eta, h, w);
    vec_scale(d, 1 / (1 + mu * eta), w);
    oracle_project(o, 0, w);
    oracle_depth(o, 1);
}

/* Runs epoch k = 1, 2, ... of T_k = 2^(k+3) points, with T_k - 1 sample gradients: x[d] is the start of the epoch,
 * then the mean of the points. */
static bool epoch(struct oracle *o, double mu, int k, double *h, double *w, double *x)
{
    long d = oracle_dim(o), T_k = 8L << k;
    double eta = 1 / (mu * (double)(2L << k));
    vec_copy(d, x, w);
    prox_step(o, mu, NULL, eta, w);
    vec_copy(d, w, x);
    for (long t = 1; t < T_k; t++) {
        if (!oracle_sgrad(o, 1, w, h))
            return false;
        prox_step(o, mu, h, eta, w);
        vec_axpy(d, 1, w, x);
    }
    vec_scale(d, 1 / (double)T_k, x);
    return true;
}

/* v[d] <- x_0 + 2^J (x_J - x_{J-1}) with J = stratum + 1, where x_j is the point of one run after epochs_of(j)
 * epochs. The last stratum stands for J > jmax, with v = x_0. */
static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    const struct mlmc *p = vp;
    long d = oracle_dim(o);
    double *h = arena_vec(a, d), *w = arena_vec(a, d);
    double *x = arena_vec(a, d), *coarse = arena_vec(a, d);
    int J = stratum + 1, fine = epochs_of(J), rough = epochs_of(J - 1);

    arena_seal(a);
    vec_zero(d, v);
    oracle_project(o, 0, v);
    if (J > p->jmax || fine == rough)
        return OK;
    vec_copy(d, v, x);
    for (int k = 0; k <= fine; k++) {
        if (k > 0 && !epoch(o, p->mu, k, h, w, x))
            return OK;
        if (k == rough)
            vec_copy(d, x, coarse);
    }
    vec_axpy(d, ldexp(1, J), x, v);
    vec_axpy(d, -ldexp(1, J), coarse, v);
    return OK;
}

static int strata(const void *vp, double *weight)
{
    const struct mlmc *p = vp;
    for (int k = 0; k <= p->jmax; k++)
        weight[k] = ldexp(1, k < p->jmax ? -k - 1 : -k);
    return (int)p->jmax + 1;
}

/* out[d] <- the target, argmin <g, x> + psi = -g/mu for a constant gradient g, projected on the feasible set. */
static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    const struct mlmc *p = vp;
    double *origin = arena_vec(w, d);
    vec_zero(d, origin);
    problem->grad(self, origin, out);
    vec_scale(d, -1 / p->mu, out);
    problem->sets[0].project(self, out);
    return true;
}

static double along(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, env->target, v) / vec_dot(env->d, env->target, env->target);
}

static double across(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, env->direction, v) -
           along(env, v) * vec_dot(env->d, env->direction, env->target);
}

static const struct functional functionals[] = {
    { "along", "1", "<v, x*>/|x*|^2", along },
    { "across", "x", "<v, e>, e a fixed unit vector, of the part of v orthogonal to x*", across },
    { 0 }
};

static const struct estimator mlmc = {
    .name = "mlmc", .doc = "prototype", .cite = "Section 2.4", .calls = CALL_SAMPLES | CALL_GRAD,
    .assumes = ASSUMES_CONVEX, .params = params, .params_size = sizeof(struct mlmc), .vectors = 1,
    .functionals = functionals, .strata = strata, .target = target, .draw = draw
};

/* --- tests, on linear losses with mean slope 1/2, noise 1 and mu = 1. The iterates w have |w| <= 1.5 and never
 * leave the ball of radius 3. Every step is therefore affine, and E x_J is the x_J of the run without noise. */

static struct instance linear(struct arena *a)
{
    return INSTANCE(a, "linear", { "d", 4 }, { "hardness", 0.5 }, { "s", 1 }, { "radius", 3 });
}

/* Returns the c with E x_j = c x*. An epoch of T_k points replaces c by the mean of 1 + (q c - 1) q^t, t = 0, ...,
 * T_k - 1, q = 1/(1 + mu eta_k). */
static double expected_share(int j)
{
    double c = 0;
    for (int k = 1; k <= epochs_of(j); k++) {
        double T_k = ldexp(1, k + 3), q = 1 / (1 + ldexp(1, -k - 1));
        c = 1 + (q * c - 1) * (1 - pow(q, T_k)) / (T_k * (1 - q));
    }
    return c;
}

/* A draw of level J must take 16(2^e - 1) - e sample gradients, e = epochs_of(J), and none for J = 1, 2, 3, 5 and
 * J > jmax. The mean over the strata must be 15/16 + sum_{j=6}^{12} (1 - 2^{4-j} - (j-4)2^-j) = 7.350098. */
static void draws_cost_the_sum_of_their_epochs(void **state)
{
    struct arena *a = arena_new(0), *w = arena_new(0);
    struct instance in = linear(a);
    struct mlmc p = { 1, 12 };
    struct oracle o;
    struct rng rng = rng_stream(41);
    double weight[64], v[4], mean = 0, total = 0;
    int count = strata(&p, weight);

    contract_open(&o, &in, NULL, 42, a);
    assert_int_equal(count, 13);
    for (int k = 0; k < count; k++) {
        int J = k + 1, e = epochs_of(J);
        double before = o.counts.of[COUNT_sample_grads];
        double truth = J < 4 || J == 5 || J > 12 ? 0 : 16 * (ldexp(1, e) - 1) - e;
        arena_reset(w);
        assert_int_equal(draw(&o, &p, w, &rng, k, v), OK);
        assert_true(o.counts.of[COUNT_sample_grads] - before == truth);
        mean += weight[k] * truth;
        total += weight[k];
    }
    assert_true(total == 1);
    assert_true(mean == 7.35009765625);
    oracle_release(&o);
    arena_free(w);
    arena_free(a);
}

/* Draws are made in parallel: gradients must add up, and rounds and depth must be those of the longest draw. */
static void a_batch_is_as_deep_as_its_longest_draw(void **state)
{
    static const int levels[] = { 4, 7, 1, 9, 6, 13 };
    struct arena *a = arena_new(0), *w = arena_new(0);
    struct instance in = linear(a);
    struct mlmc p = { 1, 12 };
    struct oracle o;
    struct rng rng = rng_stream(43);
    double v[4], sum = 0, longest = 16 * 31 - 5;     /* J = 9 has 5 epochs */

    contract_open(&o, &in, NULL, 44, a);
    oracle_fork(&o);
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        int e = levels[k] > 12 ? 0 : epochs_of(levels[k]);
        oracle_branch(&o);
        arena_reset(w);
        assert_int_equal(draw(&o, &p, w, &rng, levels[k] - 1, v), OK);
        sum += 16 * (ldexp(1, e) - 1) - e;
    }
    oracle_join(&o);
    expect_count(&o, COUNT_sample_grads, sum);
    expect_count(&o, COUNT_batch_steps, longest);
    expect_count(&o, COUNT_depth, longest + 5);      /* each epoch has one more step, without a gradient */
    expect_count(&o, COUNT_max_visits, 1);
    oracle_release(&o);
    arena_free(w);
    arena_free(a);
}

__attribute__((format(printf, 2, 3)))
static double value(const struct record *r, const char *format, ...)
{
    char name[RECORD_NAME];
    double v = NAN;
    va_list ap;
    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    if (!record_get(r, name, &v))
        fail_msg("the record has no %s", name);
    return v;
}

/* Returns the estimate of a functional from the weighted strata; *error2 <- the square of the standard error. */
static double weighted(const struct record *r, int count, double draws, const char *functional,
                       double *error2)
{
    double sum = 0;
    *error2 = 0;
    for (int k = 0; k < count; k++) {
        double weight = value(r, "stratum.%d.weight", k);
        sum += weight * value(r, "stratum.%d.mean.%s", k, functional);
        *error2 += weight * weight * value(r, "stratum.%d.variance.%s", k, functional) / draws;
    }
    return sum;
}

/* Runs a cell of an estimator that is in no registry. */
static struct record *run_draws(long draws)
{
    struct { long d; double hardness, s, radius; } problem = { 4, 0.5, 1, 3 };
    struct mlmc p = { 1, 12 };
    struct cell c = {
        .text = "mlmc", .seed = 45, .data_seed = 46, .problem = registry_problem("linear"),
        .estimator = &mlmc, .problem_params = &problem, .algo_params = &p, .algo_set = 3,
        .goal = goal_unknown(), .run = { .draws = draws }
    };
    struct runner *runner = runner_new(0);
    c.goal.n = INFINITY;
    struct record *r = run_cell(runner, &c, NULL);
    if (r->outcome != OUTCOME_OK)
        fail_msg("%s", r->message);
    runner_free(runner);
    return r;
}

/* The mean over the strata must be E x_jmax, along x* and across it, and the costs must be those of
 * draws_cost_the_sum_of_their_epochs. */
static void the_mean_of_a_cell_is_that_of_the_last_level(void **state)
{
    enum { DRAWS = 250 };
    struct record *r = run_draws(DRAWS);
    double cost = 0, error2, mean = weighted(r, 13, DRAWS, "along", &error2);

    expect_near("E <v, x*>/|x*|^2", mean, expected_share(12), Z * sqrt(error2));
    assert_true(sqrt(error2) < 0.2);
    mean = weighted(r, 13, DRAWS, "across", &error2);
    expect_near("E <v, e>", mean, 0, Z * sqrt(error2));
    for (int k = 0; k < 13; k++)
        cost += value(r, "stratum.%d.weight", k) * value(r, "stratum.%d.cost", k);
    assert_true(cost == 7.35009765625);
    assert_true(value(r, "count.draws") == 13 * DRAWS);
    assert_true(value(r, "stratum.%d.variance.%s", 4, "along") == 0);      /* stratum 4 is J = 5: v = x_0 */
    assert_true(value(r, "stratum.%d.variance.%s", 3, "along") > 0);
    record_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_cost_the_sum_of_their_epochs),
        cmocka_unit_test(a_batch_is_as_deep_as_its_longest_draw),
        cmocka_unit_test(the_mean_of_a_cell_is_that_of_the_last_level),
    };
    return cmocka_run_group_tests_name("contract: bias-reduced MLMC", tests, NULL, NULL);
}

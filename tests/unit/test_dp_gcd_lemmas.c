/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_lemmas.c - lemmas and theorems of DP-GCD by simulation: single steps with visible noise on quadratics
 * and on a logistic loss, the recursion, tails by integration, whole runs of the method against its bounds.
 *
 * Statements that hold with certainty are checked at every step. The other bounds hold with probability 0.9 a run
 * at least. The worst of 10^4 runs is below 1/3000 of its bound. To exceed a bound, a noise value would have to be
 * some 50 times as large as the largest of 10^7 draws, which is 16 times the scale lambda of the Laplace noise;
 * this has the probability e^-800. The one mean is compared at 7 standard errors.
 *
 * Serves: dp-gcd */
#include <gsl/gsl_integration.h>

#include "support/quadratic.h"

/* --- single steps, which the test makes with noise that it sees */

/* n records with their labels multiplied into x, and the weight l2 of the ridge. */
struct logistic { long n; double x[40][P_MAX], l2; };

struct objective {
    struct quadratic q;              /* the objective, if l is NULL; else only p and M of q are used */
    const struct logistic *l;
    double star[P_MAX], f_star, mu;  /* the minimiser, the minimum, mu_{M,1} or a lower bound of it */
};

static double objective_value(const struct objective *o, const double *w)
{
    double f = 0;
    if (!o->l)
        return quadratic_smooth(&o->q, w);
    for (long i = 0; i < o->l->n; i++) {
        double z = vec_dot(o->q.p, o->l->x[i], w);
        f += (log1p(exp(-fabs(z))) + fmax(0, -z)) / (double)o->l->n;
    }
    return f + o->l->l2 / 2 * vec_dot(o->q.p, w, w);
}

/* g[p] <- the gradient. Unless H is NULL, the Hessian of the logistic losses, without the ridge, is added to it. */
static void objective_slopes(const struct objective *o, const double *w, double *g,
                             double H[P_MAX][P_MAX])
{
    if (!o->l)
        quadratic_smooth_grad(&o->q, w, g);
    for (long j = 0; o->l && j < o->q.p; j++)
        g[j] = o->l->l2 * w[j];
    for (long i = 0; o->l && i < o->l->n; i++) {
        const double *x = o->l->x[i];
        double s = 1 / (1 + exp(vec_dot(o->q.p, x, w))), n = (double)o->l->n;
        for (long j = 0; j < o->q.p; j++) {
            g[j] -= s * x[j] / n;
            for (long k = 0; H && k < o->q.p; k++)
                H[j][k] += s * (1 - s) * x[j] * x[k] / n;
        }
    }
}

/* Returns a logistic objective, with w* found by Newton's method; mu_{M,1} is taken from the ridge alone, which
 * gives a lower bound. */
static struct objective objective_logistic(const struct logistic *l, long p)
{
    struct objective o = { .q = { .p = p }, .l = l };
    double flatness = 0, g[P_MAX], step[P_MAX];
    for (long j = 0; j < p; j++) {
        for (long i = 0; i < l->n; i++)
            o.q.M[j] += l->x[i][j] * l->x[i][j] / (4 * (double)l->n);
        o.q.M[j] += l->l2;
        flatness += o.q.M[j] / l->l2;
    }
    o.mu = 1 / flatness;
    for (int k = 0; k < 40; k++) {
        struct quadratic newton = { .p = p };
        objective_slopes(&o, o.star, g, newton.H);
        for (long j = 0; j < p; j++)
            newton.H[j][j] += l->l2, newton.b[j] = -g[j];
        quadratic_minimum(&newton, step);
        vec_axpy(p, 1, step, o.star);
    }
    for (long j = 0; j < p; j++)
        assert_true(fabs(g[j]) < 1e-14);
    o.f_star = objective_value(&o, o.star);
    return o;
}

static struct objective objective_quadratic(uint64_t seed)
{
    struct objective o = { .q = quadratic_random(seed, 6, 0.3) };
    o.f_star = quadratic_minimum(&o.q, o.star);
    o.mu = quadratic_mu_M1(&o.q);
    return o;
}

static long largest(const struct objective *o, const double *g, const double *chi)
{
    long best = 0;
    for (long j = 1; j < o->q.p; j++)
        if (fabs(g[j] + chi[j]) / sqrt(o->q.M[j]) > fabs(g[best] + chi[best]) / sqrt(o->q.M[best]))
            best = j;
    return best;
}

/* In `runs` runs from the origin, every step must satisfy the inequalities (14), B.2, B.3 and (53) of the paper,
 * which bound the decrease of the excess by the gradient and the noise of the step. */
static void steps_obey(const struct objective *o, double lambda, int runs, uint64_t seed)
{
    static const double silence[P_MAX] = { 0 };
    struct rng r = rng_stream(seed);
    const double *M = o->q.M;
    for (int run = 0; run < runs; run++) {
        double w[P_MAX] = { 0 }, g[P_MAX], chi[P_MAX], xi = objective_value(o, w) - o->f_star;
        for (int t = 0; t < 50; t++) {
            objective_slopes(o, w, g, NULL);
            rng_laplaces(&r, o->q.p, lambda, chi);
            double eta = rng_laplace(&r, lambda), far = 0;
            long j = largest(o, g, chi), top = largest(o, g, silence);
            double noise = eta * eta / (2 * M[j]) + chi[j] * chi[j] / (2 * M[j])
                         + chi[top] * chi[top] / (4 * M[top]), tiny = 1e-12 * (1 + noise + xi);
            for (long k = 0; k < o->q.p; k++)
                far += sqrt(M[k]) * fabs(w[k] - o->star[k]);
            w[j] -= (g[j] + eta) / M[j];
            double next = objective_value(o, w) - o->f_star;
            assert_true(next <= xi - (g[j] * g[j] - eta * eta) / (2 * M[j]) + tiny);
            assert_true(next <= xi - g[top] * g[top] / (8 * M[top]) + noise + tiny);
            assert_true(next <= xi - xi * xi / (8 * far * far) + noise + tiny);
            assert_true(next <= (1 - o->mu / 4) * xi + noise + tiny);
            xi = next;
        }
    }
}

static void s7_6_quadratic_steps(void **state)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct objective o = objective_quadratic(seed);
        for (double lambda = 1e-3; lambda < 20; lambda *= 10)
            steps_obey(&o, lambda, 40, 100 + seed);
    }
}

static void s7_6_logistic_steps(void **state)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct rng r = rng_stream(200 + seed);
        struct logistic l = { .n = 40, .l2 = 0.05 };
        for (long i = 0; i < l.n; i++) {
            double score = rng_normal(&r);
            for (long j = 0; j < 5; j++)
                score += l.x[i][j] = rng_normal(&r) * (double)(1 + j);
            vec_scale(5, score > 0 ? 1 : -1, l.x[i]);
        }
        struct objective o = objective_logistic(&l, 5);
        for (double lambda = 1e-3; lambda < 20; lambda *= 10)
            steps_obey(&o, lambda, 40, 300 + seed);
    }
}

/* --- Lemma B.5 and Corollary B.6, along runs of the method from 0 */

/* A minimiser in d dimensions of which tau entries are above alpha in absolute value. */
struct sparse { long d, tau; double alpha; };

/* Returns max_j g_j^2/M_j at w, where all M_j = 1. *xi <- the excess at w. */
static double top_of(const struct instance *in, const double *w, double *xi)
{
    double g[P_MAX * 4], most = 0, error;
    in->p->grad(in->self, w, g);
    for (long j = 0; j < in->d; j++)
        most = fmax(most, g[j] * g[j]);
    *xi = in->p->measures[0].at(in->self, w, &error);
    return most;
}

/* Counts failures of Lemma B.5 at the T iterates of ten runs, with top = max_j g_j^2/M_j and m = least(s, t) at
 * iterate t, and tail = (d - tau) alpha^2/2: *misses <- how often top/2 >= m (xi - tail) fails; *printed <- how
 * often it fails with top^(1/2) in place of top, as the paper prints it. */
static void count_misses(const struct instance *in, long T,
                         double (*least)(const struct sparse *, long), const struct sparse *s,
                         long *misses, long *printed)
{
    double tail = (double)(s->d - s->tau) * s->alpha * s->alpha / 2, xi;
    *misses = *printed = 0;
    for (long t = 1; t <= T; t++)
        for (uint64_t run = 0; run < 10; run++) {
            struct method *m = METHOD("dp-gcd", in, &none, { "T", (double)t }, { "C", INFINITY },
                                      { "share", 0.5 });
            double top = top_of(in, method_run(m, 500 + run, nobody), &xi);
            double right = least(s, t) * (xi - tail);
            *misses += !(top / 2 >= right - 1e-12 * xi);
            *printed += !(sqrt(top) / 2 >= right - 1e-12 * xi);
            method_free(m);
        }
}

/* Returns mu^(k)_{M,1} for k = t + tau (at most d), the constant of strong convexity for vectors with at most k
 * non-zeros. It is 1/k if the second derivative along every coordinate j is M_j. */
static double of_support(const struct sparse *s, long t)
{
    return 1 / fmin((double)(t + s->tau), (double)s->d);
}
static double of_all(const struct sparse *s, long t) { return 1 / (double)s->d; }

static void s3_2_6_quasi_sparse(void **state)
{
    for (int k = 0; k < 2; k++) {
        const struct sparse s = { 48, 4, k ? 0.02 : 0 };
        struct instance in = INSTANCE(memory, "private_mean", { "d", 48 }, { "active", 4 },
                                      { "rest", 1 }, { "r", 10 }, { "alpha", s.alpha },
                                      { "L", 10 });
        long misses, printed;
        count_misses(&in, 40, of_support, &s, &misses, &printed);
        assert_true(misses == 0 && printed > 0);
    }
}

static void s3_2_7_strongly_convex(void **state)
{
    const struct sparse s = { 8, 8, 0 };
    struct instance in = INSTANCE(memory, "private_mean", { "d", 8 }, { "active", 8 }, { "r", 100 },
                                  { "L", 100 });
    long misses, printed;
    count_misses(&in, 20, of_all, &s, &misses, &printed);
    assert_true(misses == 0 && printed > 0);
}

/* --- Lemma B.4: the worst sequence that it admits, from many starts */

static void s7_6_recursion(void **state)
{
    for (double beta = 1e-8; beta <= 1; beta *= 10)
        for (int k = 0; k <= 20; k++) {
            double s = sqrt(beta), xi = 2 * s + fmax(0, 1 - 2 * s) * k / 20;
            bool falling = true;
            for (int t = 1; t <= 2000; t++) {
                double next = fmax(0, xi - xi * xi + beta);
                falling = falling && next <= xi;
                assert_true(falling || next <= 2 * s * (1 + 1e-12));
                assert_true(next <= (1 / (double)t + 2 * s) * (1 + 1e-12));
                xi = next;
            }
        }
}

/* --- Lemma B.1: tails of a sum of squares of Laplace variables */

/* The arguments of tail_of_two. */
struct tail { double b, weight; };

/* Returns P(weight Y^2 >= b - x^2) for Y of Lap(1), times e^-x, the density of |X| at x for X of Lap(1). */
static double tail_at(double x, void *ctx)
{
    const struct tail *t = ctx;
    double left = t->b - x * x;
    return exp(-x) * (left > 0 ? exp(-sqrt(left / t->weight)) : 1);
}

/* Returns P(X^2 + weight Y^2 >= b) for independent X and Y of Lap(1), by quadrature. */
static double tail_of_two(double b, double weight)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(400);
    struct tail t = { b, weight };
    gsl_function f = { tail_at, &t };
    double inside, error;
    assert_int_equal(gsl_integration_qags(&f, 0, sqrt(b), 0, 1e-10, 400, w, &inside, &error), 0);
    gsl_integration_workspace_free(w);
    return inside + exp(-sqrt(b));
}

/* The proof of Theorem 4.4 needs P(eta^2 + chi_j^2 + chi_j*^2/2 >= b) <= 8 exp(-sqrt(b)/2) for Laplace variables
 * eta and chi. The bound must also hold if j = j*, which makes the last two terms one variable, 3/2 chi_j^2. There
 * Markov's inequality gives the factor E exp((|eta| + sqrt(3/2) |chi|)/2) = 2/(1 - sqrt(3/8)) = 5.16 in place of
 * 8. */
static void s8_4_one_coordinate(void **state)
{
    for (double b = 0.01; b < 4000; b *= 1.3) {
        double p = tail_of_two(b, 1.5);
        assert_true(p <= 2 / (1 - sqrt(0.375)) * exp(-sqrt(b) / 2));
        assert_true(p <= 8 * exp(-sqrt(b) / 2));
    }
    expect_near("moment", 2 / (1 - sqrt(0.375)), 2 * 2.58, 0.005);
}

/* Lemma B.1 says P(S >= b) <= 2^K exp(-sqrt(b)/2) for the sum S of K squares of Laplace variables. For K = 1 and 2
 * the bound is compared with the probability by closed form and by quadrature. For K = 3 the probability is
 * estimated from 10^6 draws, at the b whose bound is 0.1. */
static void s7_6_squares(void **state)
{
    enum { DRAWS = 1000000 };
    struct rng r = rng_stream(61);
    long above = 0;
    for (double b = 0.01; b < 4000; b *= 1.3) {
        assert_true(exp(-sqrt(b)) <= 2 * exp(-sqrt(b) / 2));
        assert_true(tail_of_two(b, 1) <= 4 * exp(-sqrt(b) / 2));
    }
    expect_near("bound", 8 * exp(-sqrt(76.8086) / 2), 0.1, 1e-6);
    for (long k = 0; k < DRAWS; k++) {
        double x[3];
        rng_laplaces(&r, 3, 1, x);
        above += vec_dot(3, x, x) >= 76.8086;
    }
    print_message("P(S >= b): %g, bound 0.1\n", (double)above / DRAWS);
    assert_true(above > 0 && above < DRAWS / 20);
}

/* --- whole runs of the method, compared with the bounds of the theorems */

enum { RUNS = 10000, ROUNDS = 30 };
static const double zeta = 0.1;

/* Returns the largest excess at the end of RUNS runs of T rounds; *mean <- the mean excess. */
static double largest_excess(const struct instance *in, long T, double *mean)
{
    struct goal goal = goal_private(in->f.n, 1, 1e-6);
    struct method *m = METHOD("dp-gcd", in, &goal, { "T", (double)T }, { "C", INFINITY },
                              { "accounting", 0, "thm42" }, { "rnm_mode", 0, "paper" });
    double most = 0, sum = 0, error;
    for (uint64_t run = 0; run < RUNS; run++) {
        double xi = in->p->measures[0].at(in->self, method_run(m, 1000 + run, nobody), &error);
        most = fmax(most, xi);
        sum += xi / RUNS;
    }
    method_free(m);
    *mean = sum;
    return most;
}

/* Return, for L_j = M_j = 1, the scale lambda of the noise by Theorem 4.2, and the noise term beta = 2 lambda^2
 * log(8Tp/zeta)^2/M of a round with it. */
static double lambda_of(const struct facts *f, long T)
{
    return 8 * sqrt((double)T * log(1e6)) / f->n;
}
static double beta_of(const struct facts *f, long T)
{
    double noise = lambda_of(f, T) * log(8 * (double)T * f->p / zeta);
    return 2 * noise * noise;
}

static void expect_below(const char *what, double xi, double bound, double xi_0)
{
    print_message("%s: %g of the bound %g\n", what, xi, bound);
    assert_true(xi <= bound && bound < xi_0);            /* the bound is also below the excess of the start */
}

static void s3_3_1_convex(void **state)
{
    struct instance in = INSTANCE(memory, "private_mean", { "d", 12 }, { "n", 1e5 }, { "r", 0.9 });
    double R2 = in.f.R_M1 * in.f.R_M1, beta = beta_of(&in.f, ROUNDS), mean;
    assert_true(in.f.Phi >= sqrt(32 * R2 * beta) && beta <= 8 * R2);
    expect_near("R_M1", in.f.R_M1, 0.9, 1e-12);
    expect_below("(28)", largest_excess(&in, ROUNDS, &mean),
                 8 * R2 / ROUNDS + sqrt(32 * R2 * beta), in.f.Phi);
}

static void s3_3_4_strongly_convex(void **state)
{
    struct instance in = INSTANCE(memory, "private_mean", { "d", 3 }, { "active", 3 },
                                  { "n", 1e6 }, { "r", 0.9 });
    double mu = in.f.mu_M1, mean;
    expect_near("mu_M1", mu, 1.0 / 3, 1e-15);
    expect_below("(55), corrected", largest_excess(&in, ROUNDS, &mean),
                 pow(1 - mu / 4, ROUNDS) * in.f.Phi + 4 * beta_of(&in.f, ROUNDS) / mu, in.f.Phi);
}

static void s3_3_7_quasi_sparse(void **state)
{
    enum { tau = 2 };
    const double alpha = 1e-3;
    struct instance in = INSTANCE(memory, "private_mean", { "d", 12 }, { "active", tau },
                                  { "rest", 1 }, { "alpha", alpha }, { "n", 1e6 }, { "r", 0.9 });
    double contraction = 1, p = 12, mean;
    for (int t = 0; t < ROUNDS; t++)
        contraction *= 1 - 1 / fmin(p, t + tau) / 4; /* the factor is 1 - mu^(k)_{M,1}/4 with mu^(k)_{M,1} = 1/k */
    expect_below("Theorem 4.7, corrected", largest_excess(&in, ROUNDS, &mean),
                 contraction * in.f.Phi + 4 * p * beta_of(&in.f, ROUNDS) +
                 (p - tau) * alpha * alpha / 2, in.f.Phi);
}

/* If the minimiser has tau = 5 entries far above the noise, p = 2^30 and T = 10, the mean excess after T rounds is
 * T lambda^2, lambda the scale of the noise. A step along a coordinate leaves the excess eta^2/2, where eta is the
 * noise of the step. The standard deviation of eta^2/2 is sqrt(5) lambda^2; that of the mean of 10^4 runs is 0.7%
 * of T lambda^2. */
static void s3_5_4_easy_law(void **state)
{
    enum { T = 10 };
    struct instance in = INSTANCE(memory, "private_mean", { "d", 0x1p30 }, { "active", 5 },
                                  { "rest", 1 }, { "n", 1e6 }, { "blocks", 1 }, { "free", T });
    double lambda = lambda_of(&in.f, T), mean;
    largest_excess(&in, T, &mean);
    print_message("E xi_T = %.4f T lambda^2\n", mean / (T * lambda * lambda));
    expect_near("E xi_T/(T lambda^2)", mean / (T * lambda * lambda), 1, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_6_quadratic_steps), cmocka_unit_test(s7_6_logistic_steps),
        cmocka_unit_test(s3_2_6_quasi_sparse), cmocka_unit_test(s3_2_7_strongly_convex),
        cmocka_unit_test(s7_6_recursion), cmocka_unit_test(s8_4_one_coordinate),
        cmocka_unit_test(s7_6_squares), cmocka_unit_test(s3_3_1_convex),
        cmocka_unit_test(s3_3_4_strongly_convex), cmocka_unit_test(s3_3_7_quasi_sparse),
        cmocka_unit_test(s3_5_4_easy_law),
    };
    return cmocka_run_group_tests_name("lemmas of dp-gcd", tests, setup, teardown);
}

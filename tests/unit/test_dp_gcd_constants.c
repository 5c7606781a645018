/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_constants.c - constants in the norms of DP-GCD: closed forms are compared with enumeration and
 * search; the inequalities between constants; and two inequalities that are wrong as the paper prints them. Seeds
 * are fixed: there are no false alarms. The norms are |v|_{M,1} = sum_j sqrt(M_j) |v_j| and |v|_{M,2}^2 = sum_j M_j
 * v_j^2; mu_{M,q} is the constant of strong convexity in |.|_{M,q}, and H the Hessian of a quadratic.
 *
 * Serves: dp-gcd */
#include "support/promised.h"
#include "support/quadratic.h"

static double norm_M1(const struct quadratic *q, const double *v)
{
    double sum = 0;
    for (long j = 0; j < q->p; j++)
        sum += sqrt(q->M[j]) * fabs(v[j]);
    return sum;
}

static double norm_M2(const struct quadratic *q, const double *v)
{
    double sum = 0;
    for (long j = 0; j < q->p; j++)
        sum += q->M[j] * v[j] * v[j];
    return sqrt(sum);
}

/* Returns v'Hv, H the Hessian of q. */
static double form(const struct quadratic *q, const double *v)
{
    double sum = 0;
    for (long i = 0; i < q->p; i++)
        for (long j = 0; j < q->p; j++)
            sum += v[i] * q->H[i][j] * v[j];
    return sum;
}

/* Returns a random diag(h), with h_j <= M_j. */
static struct quadratic diagonal(uint64_t seed, long p)
{
    struct quadratic q = { .p = p };
    struct rng r = rng_stream(seed);
    for (long j = 0; j < p; j++) {
        q.M[j] = exp(rng_normal(&r));
        q.H[j][j] = q.M[j] * rng_uniform(&r);
        q.b[j] = rng_normal(&r);
        q.L[j] = 1;
    }
    return q;
}

/* The constant mu_{M,1} is the minimum over v of v'Hv/|v|_{M,1}^2. The function quadratic_mu_M1 finds it by
 * enumerating the signs of u, u_j = +-sqrt(M_j). The quotient must be at least this at every v, and equal to it at
 * v = H^-1 u for one of these u. For H = diag(h), 1/mu_{M,1} is the sum of M_j/h_j. */
static void s1_3_strong_convexity(void **state)
{
    struct rng r = rng_stream(41);
    for (uint64_t seed = 0; seed < 40; seed++) {
        long p = 2 + (long)(seed % 6);
        struct quadratic q = seed % 2 ? diagonal(seed, p) : quadratic_random(seed, p, 0.1);
        double mu = quadratic_mu_M1(&q), v[P_MAX], least = INFINITY, flatness = 0;
        for (int k = 0; k < 2000; k++) {
            rng_normals(&r, p, 1, v);
            least = fmin(least, form(&q, v) / pow(norm_M1(&q, v), 2));
        }
        assert_true(mu <= least * (1 + 1e-12));
        for (long s = 0; s < 1L << p; s++) {             /* all v = H^-1 u with u_j = +-sqrt(M_j) */
            struct quadratic dual = q;
            for (long j = 0; j < p; j++)
                dual.b[j] = (s >> j & 1 ? -1 : 1) * sqrt(q.M[j]);
            quadratic_minimum(&dual, v);
            least = fmin(least, form(&q, v) / pow(norm_M1(&q, v), 2));
        }
        expect_near("mu_M1", mu, least, 1e-9 * least);
        for (long j = 0; j < p; j++)
            flatness += q.M[j] / q.H[j][j];
        if (seed % 2)
            expect_near("diagonal", mu, 1 / flatness, 1e-12);
    }
}

/* The radius R_{M,1} of the level set satisfies R_{M,1}^2 = 2 xi_0/mu_{M,1}, xi_0 the excess of the start: no point
 * of the level set is farther than R_{M,1} from the minimiser, and a search finds a point beyond 0.97 R_{M,1}. */
static void s1_3_radius(void **state)
{
    struct rng r = rng_stream(42);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct quadratic q = quadratic_random(seed, 5, 0.1);
        double star[P_MAX], v[P_MAX], best[P_MAX] = { 0 };
        double xi_0 = -quadratic_minimum(&q, star), R = sqrt(2 * xi_0 / quadratic_mu_M1(&q));
        double most = 0;
        for (int k = 0; k < 20000; k++) {                /* a point on the boundary of the level set */
            for (long j = 0; j < q.p; j++)
                v[j] = best[j] * (k > 10000) + rng_normal(&r) * (k > 10000 ? 0.02 * R : 1);
            vec_scale(q.p, sqrt(2 * xi_0 / form(&q, v)), v);
            if (norm_M1(&q, v) > most)
                most = norm_M1(&q, v), vec_copy(q.p, v, best);
        }
        assert_true(most <= R * (1 + 1e-12) && most > 0.97 * R);
    }
}

/* From h_jj <= M_j it follows that mu_{M,1} <= 1/p. As R_{M,1}^2 = 2 xi_0/mu_{M,1}, the bound 8 R_{M,1}^2/T is
 * therefore below xi_0, the excess of the start, only for T > 16/mu_{M,1} >= 16 p. */
static void s8_10_one_over_p(void **state)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        long p = 1 + (long)(seed % 8);
        struct quadratic q = seed % 2 ? diagonal(seed, p) : quadratic_random(seed, p, 0.1);
        assert_true(quadratic_mu_M1(&q) <= (1 + 1e-12) / (double)p);
    }
}

/* The bound (28) without noise, 8 R^2/T, is xi_0 at T = 16/mu_{M,1}. The claim promises 0.024 of it. */
static void s3_5_2_least_rounds(void **state)
{
    struct facts f = facts_unknown();
    struct goal goal = goal_private(INFINITY, 1, 1e-6);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct quadratic q = quadratic_random(seed, 5, 0.1);
        double star[P_MAX], mu = quadratic_mu_M1(&q), xi_0 = -quadratic_minimum(&q, star);
        double R2 = 2 * xi_0 / mu, T = 8 * R2 / xi_0;
        expect_near("8 R^2/xi_0", T, 16 / mu, 1e-9 * T);
        assert_true(T >= 16 * 5);
        f.n = INFINITY, f.p = 5, f.M = 1, f.R_M1 = sqrt(R2);
        double claim = promised("dp-gcd/convex.near28.excess.n", false, &f, &goal, rint(T)) / 0.024;
        expect_near("(28)", claim * rint(T) / T, xi_0, 1e-12 * xi_0);
    }
}

/* For diagonal H, mu_{M,2}/p <= mu_{M,1} <= mu_{M,2}. For every v, |v|_{M,2} <= |v|_{M,1} <= sqrt(p) |v|_{M,2},
 * from which R_{M,2}^2 <= R_{M,1}^2 <= p R_{M,2}^2 follows. */
static void s1_3_comparisons(void **state)
{
    struct rng r = rng_stream(43);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct quadratic q = diagonal(seed, 6);
        double mu_1 = quadratic_mu_M1(&q), mu_2 = INFINITY, v[P_MAX];
        for (long j = 0; j < q.p; j++)
            mu_2 = fmin(mu_2, q.H[j][j] / q.M[j]);
        assert_true(mu_2 / 6 <= mu_1 * (1 + 1e-12) && mu_1 <= mu_2 * (1 + 1e-12));
        rng_normals(&r, q.p, 1, v);
        double one = norm_M1(&q, v), two = norm_M2(&q, v);
        assert_true(two <= one * (1 + 1e-12) && one <= sqrt(6) * two * (1 + 1e-12));
    }
}

/* --- the constants that the family private_mean states */

/* R_{M,1} is the largest distance of a point of the level set from the minimiser nearest to it; from the farthest
 * minimiser the distance would be infinite. So coordinates without curvature do not count, and R_{M,1} = sqrt(M) r
 * for every dimension d, where r is a parameter of the family. */
static void s8_3_flat(void **state)
{
    for (double d = 2; d < 1e6; d *= 7)
        for (double M = 1; M < 20; M *= 4) {
            struct instance in = INSTANCE(memory, "private_mean", { "d", d }, { "r", 0.8 },
                                          { "kappa", 0.3 }, { "M", M });
            expect_near("R_M1", in.f.R_M1, sqrt(M) * 0.8, 1e-12 * sqrt(M));
            assert_true(in.f.mu_M1 == 0);
        }
}

/* For the family private_mean 1/mu_{M,1} is the sum of M_j/h_j, and mu_{M,1} <= 1/p. */
static void s8_10_families(void **state)
{
    for (double k = 1; k <= 64; k *= 4) {
        struct instance in = INSTANCE(memory, "private_mean", { "d", 64 }, { "active", k },
                                      { "rest", 0.5 }, { "decades", 1 });
        double flatness = (64 - k) / 0.5, xi_0 = 0;
        for (double j = 0; j < k; j++) {
            double h = pow(10, k > 1 ? -j / (k - 1) : 0);
            flatness += 1 / h;
            xi_0 += h * 0.25 / 2;
        }
        expect_near("mu_M1", in.f.mu_M1, 1 / flatness, 1e-12);
        expect_near("R_M1", in.f.R_M1, sqrt(2 * xi_0 * flatness), 1e-10);
        assert_true(in.f.mu_M1 <= 1.0 / 64);
    }
}

/* --- quasi-sparsity */

static long entries_above(long p, const double *w, double alpha)
{
    long n = 0;
    for (long j = 0; j < p; j++)
        n += fabs(w[j]) > alpha;
    return n;
}

/* A vector w is (alpha, tau)-quasi-sparse if at most tau entries have |w_j| > alpha. For alpha = 0 this is
 * sparsity, and the minimiser of private_mean is as sparse as its parameters say. If the entries with |w_j| >=
 * alpha were counted, every entry would count at alpha = 0. */
static void s1_4_threshold(void **state)
{
    enum { d = 20 };
    struct instance in = INSTANCE(memory, "private_mean", { "d", d }, { "active", 3 },
                                  { "rest", 1 }, { "alpha", 0.01 }, { "r", 0.9 });
    double w[d];
    assert_true(in.p->minimiser(in.self, w));
    assert_int_equal(entries_above(d, w, 0.01), 3);
    assert_int_equal(entries_above(d, w, 0.009), d);
    assert_int_equal(entries_above(d, w, 0), d);
    struct instance sparse = INSTANCE(memory, "private_mean", { "d", d }, { "active", 3 },
                                      { "rest", 1 }, { "r", 0.9 });
    assert_true(sparse.p->minimiser(sparse.self, w));
    assert_int_equal(entries_above(d, w, 0), 3);
}

/* --- two statements that are wrong as the paper prints them */

/* A quadratic f with Hessian H and h_jj <= M_j is coordinate-wise smooth, which suffices for the descent, but need
 * not be jointly smooth. For H = [[2,1],[1,3]] and M its diagonal, f(v+u) > f(v) + <g,u> + |u|_{M,2}^2/2 at u =
 * (1,1); with |u|_{M,1}^2 the inequality of smoothness holds. */
static void s8_7_smoothness(void **state)
{
    const struct quadratic q = { .p = 2, .H = { { 2, 1 }, { 1, 3 } }, .M = { 2, 3 } };
    const double u[2] = { 1, 1 };
    struct rng r = rng_stream(44);
    assert_true(form(&q, u) > pow(norm_M2(&q, u), 2));
    for (int k = 0; k < 2000; k++) {
        struct quadratic any = quadratic_random((uint64_t)k % 50, 5, 0);
        double v[P_MAX];
        rng_normals(&r, any.p, 1, v);
        assert_true(form(&any, v) <= pow(norm_M1(&any, v), 2) * (1 + 1e-12));
    }
}

/* Inequality (41) of the paper is derived from definition (40) for pairs of k-sparse vectors, whose difference may
 * be 2k-sparse. For H = M = I and k = 1 the constant mu^{(1)}_{M,1} of pairs is 1/2, less than the printed
 * mu_{M,2}/k = 1. If the joint support is at most k, or with 2k in place of k, (41) holds. */
static void s8_8_pairs(void **state)
{
    enum { p = 6 };
    struct quadratic q = { .p = p };
    struct rng r = rng_stream(45);
    for (long j = 0; j < p; j++)
        q.H[j][j] = q.M[j] = 1;
    for (long k = 1; k <= 3; k++) {
        double pairs = INFINITY, joint = INFINITY;       /* mu_{M,1}^{(k)} over pairs of k-sparse vectors, and over
                                                            vectors of joint support at most k */
        for (int i = 0; i < 4000; i++) {
            double v[p] = { 0 };
            long many = 1 + (long)rng_below(&r, (uint64_t)(2 * k));
            for (long j = 0; j < many; j++)
                v[j] = i % 2 ? rng_normal(&r) : 1;
            double mu = form(&q, v) / pow(norm_M1(&q, v), 2);
            pairs = fmin(pairs, mu);
            joint = many <= k ? fmin(joint, mu) : joint;
        }
        expect_near("pairs", pairs, 1 / (2 * (double)k), 1e-12);
        expect_near("joint", joint, 1 / (double)k, 1e-12);
        assert_true(pairs < 1 / (double)k);
    }
}

/* A block counts as the number of coordinates that it stands for, also in the choice of parameters: clipping
 * thresholds are C over the root of p, for p entries as for one entry and a block of p - 1. The same holds for T
 * and, if no L_j is known, for C = sqrt(sum M). If the M_j differ and no L_j is known, C cannot be known before the
 * run, and the method refuses. */
static void s2_5_blocks(void **state)
{
    struct goal goal = none;
    goal.eps = 1;
    goal.delta = 1e-6;
    struct instance in[2] = {
        INSTANCE(memory, "private_mean", { "d", 1000 }, { "n", 1e5 }, { "M", 3 }, { "kappa", 2 }),
        INSTANCE(memory, "private_mean", { "d", 1000 }, { "n", 1e5 }, { "M", 3 }, { "kappa", 2 },
                 { "blocks", 1 }),
    };
    double T[2], C[2];
    assert_true(in[1].d < 10);
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("dp-gcd", &in[k], &goal, { "C", 2 });
        T[k] = method_param(m, "T");
        method_free(m);
        in[k].f.L_j = NULL;
        m = METHOD("dp-gcd", &in[k], &goal, { "T", 5 });
        C[k] = method_param(m, "C");
        method_free(m);
    }
    /* The expected T is cbrt(n^2 eps^2 R^2 M/(64 L^2 log(1/delta))) at eps = 1, with L = C/sqrt(p), R = sqrt(M) r,
     * r = 1/2. */
    double R = sqrt(3) / 2, L = 2 / sqrt(1000);
    expect_near("T", T[0], rint(cbrt(1e10 * R * R * 3 / (64 * L * L * log(1e6)))), 0);
    expect_near("T of a block", T[1], T[0], 0);
    expect_near("C", C[0], sqrt(3000), 1e-9);
    expect_near("C of a block", C[1], C[0], 1e-9);
    double *M_j = arena_vec(memory, in[1].d);
    struct why why;
    vec_copy(in[1].d, in[1].f.M_j, M_j);
    M_j[0] = 2;
    in[1].f.M_j = M_j;
    assert_null(method_tuned("dp-gcd", &in[1], &goal, (const struct with[]){ { "T", 5 }, { 0 } },
                             &why));
    assert_non_null(strstr(why.text, "different M_j"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s1_3_strong_convexity), cmocka_unit_test(s1_3_radius),
        cmocka_unit_test(s8_10_one_over_p), cmocka_unit_test(s3_5_2_least_rounds),
        cmocka_unit_test(s1_3_comparisons), cmocka_unit_test(s8_3_flat),
        cmocka_unit_test(s8_10_families), cmocka_unit_test(s1_4_threshold),
        cmocka_unit_test(s8_7_smoothness), cmocka_unit_test(s8_8_pairs),
        cmocka_unit_test(s2_5_blocks),
    };
    return cmocka_run_group_tests_name("constants of dp-gcd", tests, setup, teardown);
}

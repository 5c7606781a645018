/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd.c - DP-GCD, compared with a loop over records and with the scores as the paper prints them; its
 * ledger, its counts, its horizons and its refusals. Random numbers are compared only with those that a second
 * oracle of the same seed, the twin, draws. g_j is the partial derivative in coordinate j, clipped to [-C_j, C_j]
 * for every record; M_j bounds its smoothness; psi is the simple part, GS-s, GS-r and GS-q are the rules that score
 * coordinates. rnm_mode says whether the noise of the choice is the paper's or the corrected one, which allows for
 * scores that move in both directions.
 *
 * Serves: dp-gcd */
#include <unistd.h>

#include "privacy/account_ledger.h"
#include "support/method.h"

enum { T = 12 };
static const double R1 = 0.02, R2 = 0.05, CLIP = 3;

/* --- the scores, as the paper prints them; the simple part is psi(w) = R1 |w| + (R2/2) w^2 */

struct scores {
    char rule;                       /* the last letter of GS-s, GS-r, GS-q */
    double r1, r2;
    const double *w, *M;
};

static double soft(double z, double k) { return copysign(fmax(fabs(z) - k, 0), z); }

static double psi(const struct scores *s, double w) { return s->r1 * fabs(w) + s->r2 / 2 * w * w; }

static double printed(const void *ctx, long j, double v)
{
    const struct scores *s = ctx;
    double w = s->w[j], M = s->M[j], smooth = v + s->r2 * w;
    double a = soft(w - v / M, s->r1 / M) / (1 + s->r2 / M) - w;
    if (s->rule == 'r')
        return sqrt(M) * fabs(a);
    if (s->rule == 'q')
        return -(v * a + M / 2 * a * a + psi(s, w + a) - psi(s, w));
    return (w == 0 ? fmax(fabs(smooth) - s->r1, 0) : fabs(smooth + copysign(s->r1, w))) / sqrt(M);
}

/* --- DP-GCD as a loop over records */

/* Parameters of dp-gcd. r1, r2: weights of the penalties |w| and w^2/2; share: eps' of one mechanism. */
struct setting_of_run {
    const char *rule, *rnm_mode, *selection, *accounting;
    double r1, r2, share;
};

/* g[d] <- the mean over the records of their clipped partial derivatives. */
static void by_records(const struct instance *in, const double *x, const double *C, double *g)
{
    double *v = arena_vec(memory, in->d);
    vec_zero(in->d, g);
    for (long i = 0; i < (long)in->f.n; i++) {
        vec_zero(in->d, v);
        in->p->sample_grad(in->self, i, x, 1, v);
        for (long j = 0; j < in->d; j++)
            g[j] += fmax(-C[j], fmin(C[j], v[j])) / in->f.n;
    }
}

static void thresholds(const struct instance *in, double *C)
{
    double sum = 0, square = 0;
    for (long j = 0; j < in->d; j++)
        sum += in->f.M_j[j];
    for (long j = 0; j < in->d; j++) {
        C[j] = CLIP * sqrt(in->f.M_j[j] / sum);
        square += C[j] * C[j];
    }
    expect_near("sum of C_j^2", square, CLIP * CLIP, 1e-12);
}

/* Returns the coordinate that dp-gcd should choose at x, by the paper's scores and with the noise of the twin. */
static long chosen(struct oracle *twin, const struct instance *in, const struct setting_of_run *s,
                   const double *C, const double *x, const double *g)
{
    static const struct release any = { .site = "twin" };
    long d = in->d;
    double *b = arena_vec(memory, d), *root = arena_vec(memory, d), *score = arena_vec(memory, d);
    double S = 0, sharp = strcmp(s->accounting, "corrected") == 0 ? 2 * s->share : s->share;
    bool paper = strcmp(s->rnm_mode, "paper") == 0, laplace = strcmp(s->selection, "laplace") == 0;
    struct scores by = { s->rule[3], s->r1, s->r2, x, in->f.M_j };
    for (long j = 0; j < d; j++) {
        root[j] = sqrt(in->f.M_j[j]);
        S = fmax(S, 2 * C[j] / in->f.n / root[j]);
    }
    bool gradients = laplace && (paper || by.rule == 's' || (s->r1 == 0 && s->r2 == 0));
    for (long j = 0; j < d; j++) {
        b[j] = !gradients ? 2 * S / sharp
             : paper ? 2 * C[j] / in->f.n / s->share : root[j] * 2 * S / sharp;
        score[j] = printed(&by, j, g[j]);
        score[j] = by.rule == 'q' ? sqrt(2 * fmax(score[j], 0)) : score[j];
    }
    if (gradients)
        return noise_choose(twin, &any, MAX_ABS_LAPLACE, &(struct candidates){
            .m = d, .score = g, .b = b, .weight = root, .key = printed, .ctx = &by }).block;
    enum max_rule law = laplace ? MAX_LAPLACE
                      : strcmp(s->selection, "gumbel") == 0 ? MAX_GUMBEL : MAX_EXPONENTIAL;
    return noise_choose(twin, &any, law, &(struct candidates){ .m = d, .score = score,
                                                               .b = b }).block;
}

static void loop(const struct instance *in, const struct setting_of_run *s, double step, double *x)
{
    struct oracle twin;
    long d = in->d;
    double *g = arena_vec(memory, d), *C = arena_vec(memory, d);
    contract_open(&twin, in, NULL, 11, memory);
    thresholds(in, C);
    vec_zero(d, x);
    for (int t = 0; t < T; t++) {
        by_records(in, x, C, g);
        long j = chosen(&twin, in, s, C, x, g);
        double v = g[j], h = step / in->f.M_j[j];
        noise_laplace(&twin, &(struct release){ .site = "twin" }, 2 * C[j] / in->f.n / s->share, 1,
                      &v);
        x[j] = soft(x[j] - h * v, h * s->r1) / (1 + h * s->r2);
    }
    oracle_release(&twin);
}

static struct instance heart(double r1, double r2)
{
    return INSTANCE(memory, "erm", { "l1", r1 }, { "l2", r2 }, { "prox", 0, "all" },
                    { "optimum", 0, "none" });
}

static struct method *tuned(const struct instance *in, const struct setting_of_run *s)
{
    return METHOD("dp-gcd", in, &none, { "T", T }, { "C", CLIP }, { "step", 1.5 },
                  { "share", s->share }, { "rule", 0, s->rule }, { "rnm_mode", 0, s->rnm_mode },
                  { "selection", 0, s->selection }, { "accounting", 0, s->accounting });
}

/* The answer must be that of `loop`. Each of T steps counts n d derivatives, one pass, one batch step, one noisy
 * maximum and one draw of Laplace noise, or d + 1 where the choice has Laplace noise. */
static void s2_2_loop(void **state)
{
    static const struct setting_of_run cases[] = {
        { "GS-s", "paper", "laplace", "eq2", 0, 0, 0.5 },
        { "GS-s", "corrected", "laplace", "eq2", 0, 0, 0.5 },
        { "GS-s", "corrected", "laplace", "corrected", 0.02, 0.05, 0.5 },
        { "GS-s", "paper", "laplace", "corrected", 0.02, 0, 0.5 },
        { "GS-r", "paper", "laplace", "eq2", 0.02, 0.05, 0.5 },
        { "GS-q", "paper", "laplace", "eq2", 0.02, 0.05, 0.5 },
        { "GS-r", "corrected", "laplace", "corrected", 0.02, 0.05, 0.5 },
        { "GS-q", "corrected", "laplace", "corrected", 0.02, 0.05, 2 },
        { "GS-r", "corrected", "gumbel", "corrected", 0.02, 0.05, 0.5 },
        { "GS-s", "corrected", "exponential", "eq2", 0.02, 0, 0.5 },
        { "GS-q", "corrected", "gumbel", "eq2", 0, 0, 0.5 },
        { "GS-s", "corrected", "laplace", "corrected", 0.02, 0.05, 1e7 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct instance in = heart(cases[k].r1, cases[k].r2);
        struct method *m = tuned(&in, &cases[k]);
        double *x = arena_vec(memory, in.d), moved = 0;
        char what[64];
        snprintf(what, sizeof what, "case %zu", k);
        loop(&in, &cases[k], 1.5, x);
        expect_vectors(what, in.d, method_run(m, 11, nobody), x, 1e-13);
        for (long j = 0; j < in.d; j++)
            moved += x[j] != 0;
        assert_true(moved >= 1 && moved <= T);
        bool laplace = strcmp(cases[k].selection, "laplace") == 0;
        expect_count(&m->o, COUNT_coords, T * in.f.n * (double)in.d);
        expect_count(&m->o, COUNT_passes, T);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_noise_max, T);
        expect_count(&m->o, COUNT_noise_laplace, laplace ? T * (double)(in.d + 1) : T);
        method_free(m);
    }
}

/* --- the scores of the rules, compared with a search for the best step */

static double model(const struct scores *s, double a)
{
    return s->M[0] / 2 * a * a + psi(s, s->w[0] + a) - psi(s, s->w[0]);
}

/* Returns the minimum over a of v a + (M/2) a^2 + psi(w + a) - psi(w), by golden section, as this function is
 * convex. */
static double least(const struct scores *s, double v)
{
    double low = -2000, high = 2000, golden = (sqrt(5) - 1) / 2;
    while (high - low > 1e-11) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (v * a + model(s, a) < v * b + model(s, b))
            high = b;
        else
            low = a;
    }
    return v * low + model(s, low);
}

/* The score of GS-q is the decrease of the model v a + (M/2) a^2 + psi(w + a) - psi(w) by the best step a along
 * the coordinate; it is at least (M/2) a^2. If psi = 0, or at w = 0 with l1, the three rules order coordinates
 * alike. The scores of GS-s and GS-r, and sqrt(2 q) for the score q of GS-q, are Lipschitz in v with constant
 * 1/sqrt(M). */
static void s7_1_rules(void **state)
{
    struct rng r = rng_stream(5);
    for (int k = 0; k < 4000; k++) {
        double w = k % 3 ? rng_normal(&r) : 0, M = exp(rng_normal(&r)), v = 4 * rng_normal(&r);
        struct scores s = { 'q', k % 2 ? 0.7 : 0, k % 5 ? 0.3 : 0, &w, &M };
        double q = printed(&s, 0, v), root = sqrt(M), e = 1e-3;
        expect_near("q", q, -least(&s, v), 1e-9 * (1 + q));
        double q2 = printed(&s, 0, v + e);
        s.rule = 'r';
        double a = printed(&s, 0, v), a2 = printed(&s, 0, v + e);
        assert_true(q >= a * a / 2 - 1e-12 * (1 + q));
        s.rule = 's';
        double slope = printed(&s, 0, v), slope2 = printed(&s, 0, v + e);
        assert_true(fabs(a2 - a) <= e / root * (1 + 1e-9));
        assert_true(fabs(slope2 - slope) <= e / root * (1 + 1e-9));
        assert_true(fabs(sqrt(2 * fmax(q2, 0)) - sqrt(2 * fmax(q, 0))) <= e / root * (1 + 1e-6));
        if (s.r2 == 0 && (s.r1 == 0 || w == 0)) {
            expect_near("r = s", a, slope, 1e-12 * (1 + slope));
            expect_near("q = s^2/2", q, slope * slope / 2, 1e-12 * (1 + q));
        }
    }
}

/* --- a path computed by hand, on f = w'Hw/2 - b'w with H = [[2,1],[1,3]], b = (1,2) */

static void s7_1_trace(void **state)
{
    static const double path[4][2] = { { 0, 0 }, { 0, 2. / 3 }, { 1. / 6, 2. / 3 },
                                       { 1. / 6, 11. / 18 } };
    char file[] = "/tmp/assay-gcd-XXXXXX";
    FILE *f = fdopen(mkstemp(file), "w");
    assert_non_null(f);
    fprintf(f, "1 1:2 2:1\n%.17g 2:%.17g\n", 3 / sqrt(5), sqrt(5));
    assert_int_equal(fclose(f), 0);
    struct instance in = INSTANCE(memory, "erm", { "data", 0, file }, { "loss", 0, "squares" },
                                  { "l2", 0 }, { "optimum", 0, "none" });
    unlink(file);
    expect_near("M_1", in.f.M_j[0], 2, 1e-15);
    expect_near("M_2", in.f.M_j[1], 3, 1e-15);
    for (int t = 1; t <= 3; t++) {
        struct method *m = METHOD("dp-gcd", &in, &none, { "T", t });
        expect_vectors("trace", 2, method_run(m, 1, nobody), path[t], 1e-15);
        assert_true(m->o.ledger.entry[0].scale == 0);        /* scale 0: no noise was added */
        method_free(m);
    }
    /* A run with hardly any noise has the path of a run without noise. */
    struct method *m = METHOD("dp-gcd", &in, &none, { "T", 3 }, { "share", 1e14 }, { "C", 1e3 });
    expect_vectors("next to no noise", 2, method_run(m, 1, nobody), path[3], 1e-9);
    method_free(m);
}

/* --- the number of rounds T that a schedule prescribes */

static double horizon(struct facts f, const struct goal *goal, const char *schedule, double tau)
{
    static const double ones[] = { 1, 1, 1, 1 };
    const struct algo *a = registry_algo("dp-gcd");
    _Alignas(16) unsigned char params[512];
    f.d = 4;
    f.L_j = f.M_j = ones;
    params_default(a->params, params);
    const struct param *word = params_find(a->params, "schedule");
    assert_int_equal(params_set_text(word, params, schedule, "", NULL), OK);
    assert_int_equal(params_set(params_find(a->params, "tau"), params, tau, "", NULL), OK);
    assert_int_equal(a->tune(&f, goal, params, NULL), OK);
    return params_get(params_find(a->params, "T"), params);
}

/* The numbers of rounds T by each schedule, for M = L = R = eps = 1 and delta = 1e-6, and for other constants, are
 * those that were computed from the formulas by hand. */
static void s2_4_horizons(void **state)
{
    static const double convex[][2] = { { 1e3, 10 }, { 1e4, 48 }, { 1e5, 224 }, { 1e6, 1042 },
                                        { 1e7, 4836 }, { 1e8, 22447 }, { 1e9, 104188 } };
    struct facts f = facts_unknown();
    struct goal goal = goal_private(NAN, 1, 1e-6);
    f.R_M1 = 1;
    for (size_t k = 0; k < sizeof convex / sizeof *convex; k++) {
        f.n = convex[k][0];
        expect_near("Theorem 4.4.1", horizon(f, &goal, "thm441", 0), convex[k][1], 1);
    }
    f = facts_unknown();
    f.n = 1e4, f.mu_M1 = 0.1, f.mu_M2 = 0.2, f.Phi = 2, goal.zeta = 0.05;
    /* the formula of Theorem 4.4.2 with its constants put in: 40 log( 0.2e8/(128 * 13.8155 * log 640) ) */
    expect_near("Theorem 4.4.2", horizon(f, &goal, "thm442", 0), rint(40 * log(2e7 / 11426.4)), 0);
    /* The formula of Theorem 4.7 is (4 (s + tau)/mu) log(...), s the nonzeros of an iterate, tau the large entries
     * of the optimum. At s = tau = 3 it is (4 * 6/0.2) log( 2 * 0.2 * 1e8 ). */
    expect_near("Theorem 4.7", horizon(f, &goal, "thm47", 3), rint(120 * log(4e7)), 0);
}

/* --- what a run books in the ledger, and what that costs */

static double priced(const struct oracle *o, double n, double delta)
{
    struct priced by[ACCOUNTANTS];
    account_ledger(&o->ledger, n, delta, by);
    return account_ledger_least(by);
}

/* A round has two mechanisms, with the noise scales of the formulas. By the accountants, a run with rnm_mode =
 * corrected keeps the promise eps = 1. A run of many rounds with the paper's noise and equation 2 breaks it,
 * although equation 2 says that the run spends exactly eps = 1. A run with the paper's noise and the share of
 * Theorem 4.2 keeps it. */
static void s2_3_s2_6_ledger(void **state)
{
    static const struct { const char *rnm_mode, *accounting, *rule, *selection; } cases[] = {
        { "corrected", "corrected", "GS-s", "laplace" }, { "paper", "eq2", "GS-s", "laplace" },
        { "corrected", "eq2", "GS-s", "laplace" }, { "corrected", "corrected", "GS-r", "laplace" },
        { "corrected", "corrected", "GS-q", "exponential" },
        { "corrected", "corrected", "GS-s", "gumbel" }, { "paper", "thm42", "GS-s", "laplace" } };
    const double delta = 1e-6;
    struct goal goal = goal_private(NAN, 1, delta);
    struct instance in = heart(R1, R2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (long rounds = 1; rounds <= 40; rounds = 2 * rounds + 1) {
            struct method *m = METHOD("dp-gcd", &in, &goal, { "T", (double)rounds }, { "C", CLIP },
                                      { "rnm_mode", 0, cases[k].rnm_mode },
                                      { "accounting", 0, cases[k].accounting },
                                      { "rule", 0, cases[k].rule },
                                      { "selection", 0, cases[k].selection });
            bool corrected = strcmp(cases[k].accounting, "corrected") == 0;
            bool paper = strcmp(cases[k].rnm_mode, "paper") == 0;
            double share = method_param(m, "share");
            method_run(m, 4, nobody);
            assert_int_equal(m->o.ledger.entries, 2 * rounds);
            for (long t = 0; t < rounds; t++) {
                const struct ledger_entry *e = m->o.ledger.entry + 2 * t;
                assert_true(e->mechanism != MECHANISM_LAPLACE && e->count == (long)in.f.n);
                expect_near("choice", e->sensitivity / e->scale,
                            corrected || paper ? share : share / 2, 1e-12);
                assert_true(e[1].mechanism == MECHANISM_LAPLACE && e[1].dimension == 1);
                expect_near("update", e[1].sensitivity / e[1].scale, share, 1e-12);
            }
            double spent = priced(&m->o, in.f.n, delta);
            if (!paper && !(spent <= 1 + 1e-9))
                fail_msg("case %zu, T = %ld: spends %g", k, rounds, spent);
            if (paper && strcmp(cases[k].accounting, "eq2") == 0)
                assert_true(rounds < 15 ? spent < 1.2 : spent > 1.15);
            if (strcmp(cases[k].accounting, "thm42") == 0)
                assert_true(spent <= 1);
            method_free(m);
        }
}

/* With a simple part, the scores of GS-r with the noise of the paper are booked as if the noisy derivatives of all
 * 13 coordinates were released; without a simple part they are booked as one maximum. A coordinate that never
 * moves, since its M_j is 0, is not released. No replay shows this, since replacing a record changes g by at most
 * 2 C_j/n. */
static void s8_9_unproven(void **state)
{
    struct instance in = heart(R1, R2), plain = heart(0, 0), flat = heart(R1, R2);
    const struct instance *const on[] = { &in, &plain, &flat };
    const double price[] = { 0.5 * 13, 1, 0.5 * 12 };
    double M_j[13];
    vec_copy(13, flat.f.M_j, M_j);
    M_j[0] = 0;
    flat.f.M_j = M_j;
    for (int k = 0; k < 3; k++) {
        struct method *m = METHOD("dp-gcd", on[k], &none, { "T", 1 }, { "C", CLIP },
                                  { "share", 0.5 }, { "rnm_mode", 0, "paper" },
                                  { "accounting", 0, "eq2" }, { "rule", 0, "GS-r" });
        method_run(m, 4, nobody);
        const struct ledger_entry *e = m->o.ledger.entry;
        expect_near("price", 2 * e->sensitivity / e->scale, price[k], 1e-12);
        method_free(m);
    }
}

/* --- refusals */

static void test_refusals(void **state)
{
    struct instance in = heart(0, 0);
    struct goal theory = goal_private(NAN, 1, 1e-6), rho = goal_unknown();
    rho.rho = 0.5;
    theory.constants = CONSTANTS_THEORY;
    in.f.L_j = NULL;
    expect_refusal("dp-gcd", &in, &theory, (const struct with[]){ { 0 } }, "give algo.C");
    theory.constants = CONSTANTS_PRACTICAL;
    expect_refusal("dp-gcd", &in, &theory, (const struct with[]){ { "C", INFINITY }, { 0 } },
                   "expected a clip");
    theory.delta = 0;
    expect_refusal("dp-gcd", &in, &theory, (const struct with[]){ { 0 } }, "0 < delta < 1");
    const struct with printed_account[] = { { "accounting", 0, "eq2" }, { 0 } };
    expect_refusal("dp-gcd", &in, &rho, printed_account, "prices no goal rho");
    struct method *m = METHOD("dp-gcd", &in, &rho, { "T", 20 });
    expect_near("zCDP", 20 * 2.5 * pow(method_param(m, "share"), 2), 0.5 * 0.5 / 2, 1e-15);
    method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_2_loop),          cmocka_unit_test(s7_1_rules),
        cmocka_unit_test(s7_1_trace),         cmocka_unit_test(s2_4_horizons),
        cmocka_unit_test(s2_3_s2_6_ledger),   cmocka_unit_test(s8_9_unproven),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("dp-gcd", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_parallel_sco.c - ball-accel-epoch-sgd and ball-accel-ac-sa, the methods of Theorems 1 and 2 of the paper
 * `resque`: accuracy, counts, units, refusals; and, on the command line, their budget and the items that they
 * serve. Here eps is the accuracy, kappa = L R/eps, r the radius of a ball oracle, lam the weight of its proximal
 * term, and A the sum of the weights a of the accelerated method.
 *
 * Serves: resque */
#include "support/method.h"
#include "run/run.h"
#include "support/shell.h"

static struct instance family_of(int k, double d)
{
    return k == 0   ? INSTANCE(memory, "norm", { "d", d })
           : k == 1 ? INSTANCE(memory, "noisy_l1", { "d", d }, { "p", 0.5 })
                    : INSTANCE(memory, "coercive_max", { "d", d });
}

static double excess_of(const struct method *m)
{
    double error;
    return m->in->p->measures[0].at(m->in->self, m->x, &error);
}

static double note_of(const struct method *m, const char *name)
{
    for (int k = 0; m->algo->notes[k].name; k++)
        if (strcmp(m->algo->notes[k].name, name) == 0)
            return m->o.note[k].last;
    fail_msg("no note %s", name);
    return NAN;
}

/* The excess is at most eps, of which half is left for the difference of the objective and its Gaussian smoothing.
 * Another implementation, with practical constants, has an excess of 0.02 to 0.5 eps. Every round of ball
 * acceleration and every line search is one batch step. */
static void s3_5_c9_accuracy_and_rounds(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.1;
    for (int k = 0; k < 6; k++) {
        struct instance in = family_of(k / 2, 16);
        struct method *m = k % 2 ? METHOD("ball-accel-ac-sa", &in, &goal, { "c", 12 })
                                 : METHOD("ball-accel-epoch-sgd", &in, &goal, { "c", 12 });
        for (uint64_t seed = 0; seed < 4; seed++) {
            method_run(m, seed, nobody);
            double rounds = note_of(m, "rounds"), probes = note_of(m, "probes");
            if (!(excess_of(m) >= 0 && excess_of(m) <= 0.1))
                fail_msg("%s on %s: %g", m->algo->name, in.name, excess_of(m));
            expect_count(&m->o, COUNT_batch_steps, rounds + probes);
            expect_count(&m->o, COUNT_consumed, m->o.counts.of[COUNT_issued]);
            assert_true(note_of(m, "ess") >= 0.3 && note_of(m, "log_w") < 8);
            /* The calls of ball oracles: one for each line search, one each for x' and x_0 of a round, and two
             * more in a round whose draw has a level. */
            double answers = note_of(m, "calls") - probes - 2 * rounds;
            assert_true(answers >= 0 && answers <= 2 * rounds && fmod(answers, 2) == 0);
        }
        method_free(m);
    }
}

/* If lam_min is chosen in every round, a round is one batch step, whose queries are counted by formulas: for
 * EpochSGD 12 x 4/(lam r)^2, cut to whole epochs; for AC-SA the sum of T N_k over two stages of T steps of N_k
 * queries. The number of rounds follows from A + a = lam a^2, as the run ends once A >= 2/eps. */
static void u10_counts_by_formula(void **state)
{
    struct instance in = INSTANCE(memory, "coercive_max", { "d", 256 });
    struct goal goal = goal_unknown();
    double r = 0.025 / 16, K = pow(1 / r, 2.0 / 3), lam = 0.025 * K * K, A = 0, rounds = 0;
    goal.acc = 0.05;
    for (; A < 1 / 0.025; rounds++)
        A += (1 + sqrt(1 + 4 * lam * A)) / (2 * lam);
    for (int k = 0; k < 2; k++) {
        struct method *m = k ? METHOD("ball-accel-ac-sa", &in, &goal, { "gradient", 0, "search" })
                             : METHOD("ball-accel-epoch-sgd", &in, &goal,
                                      { "gradient", 0, "search" });
        double T = 48 / (lam * r * lam * r), steps = ceil(4 * sqrt(1 / (r * lam) + 1)), each = 0;
        for (int j = 0; k == 0 && 16 * (exp2(j + 1) - 1) <= T; j++)
            each += ldexp(16, j) - 1;
        for (int j = 1; k == 1 && j <= 2; j++)
            each += steps * ceil(12 * exp2(j) / (lam * r * lam * r * steps));
        method_run(m, 1, nobody);
        expect_near("binding", note_of(m, "binding"), 0, 0);
        expect_count(&m->o, COUNT_batch_steps, rounds);
        expect_count(&m->o, COUNT_sample_grads, rounds * each);
        assert_true(excess_of(m) <= 0.05);
        method_free(m);
    }
}

static struct record *counted(struct runner *rn, const char *text, uint64_t seed)
{
    struct cell *c;
    struct why why;
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s", why.text);
    c->seed = seed;
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_OK)
        fail_msg("%s: %s", text, r->message);
    cell_free(c);
    return r;
}

static double count_of(const struct record *r, const char *name)
{
    double y = NAN;
    assert_true(record_get(r, name, &y));
    return y;
}

/* If every line search of a run accepts lam_min, count mode counts the same as the run, including the queries of
 * the random levels of its estimates. Otherwise count mode counts the shortest run, in which every search accepts.
 * Count mode also allows sizes that no run allows, with d as a parameter of the method: at kappa = 100 and d =
 * 10^8, where K = 1.6 10^4, there are two batch steps in each of 2K rounds. */
static void s6_5_u10_count_mode(void **state)
{
    static const char *const names[] = { "ball-accel-ac-sa", "ball-accel-epoch-sgd" };
    struct runner *rn = runner_new(0);
    for (int k = 0; k < 2; k++) {
        char text[300];
        struct record *r[2];
        for (int count = 0; count < 2; count++) {
            snprintf(text, sizeof text, "problem coercive_max d=256 | algo %s | goal n=1e8 acc=0.05 | "
                     "run%s | rep 1", names[k], count ? " count=1" : "");
            r[count] = counted(rn, text, 17);
        }
        for (int i = 0; i < COUNT_KINDS; i++) {
            char name[64];
            snprintf(name, sizeof name, "count.%s", count_name(i));
            expect_near(name, count_of(r[1], name), count_of(r[0], name), 0);
        }
        record_free(r[0]);
        record_free(r[1]);
        snprintf(text, sizeof text, "problem norm d=2 | algo %s d=100000000 | goal n=1e14 acc=0.01 | "
                 "run count=1 | rep 1", names[k]);
        r[0] = counted(rn, text, 17);
        double K = pow(2e6, 2.0 / 3);
        assert_true(fabs(count_of(r[0], "count.batch_steps") / (4 * K) - 1) <= 0.01);
        record_free(r[0]);
    }
    runner_free(rn);
}

/* If f is scaled by 3 and x by 7, the excess is 21 times as large, and all counts are the same. */
static void s1_1_units(void **state)
{
    struct instance one = INSTANCE(memory, "noisy_l1", { "d", 16 }, { "p", 0.5 });
    struct instance two = INSTANCE(memory, "noisy_l1", { "d", 16 }, { "p", 0.5 }, { "L", 3 },
                                   { "dist", 7 });
    struct goal small = goal_unknown(), large = goal_unknown();
    small.acc = 0.1;
    large.acc = 2.1;
    struct method *m = METHOD("ball-accel-epoch-sgd", &one, &small, { "c", 12 });
    struct method *n = METHOD("ball-accel-epoch-sgd", &two, &large, { "c", 12 });
    method_run(m, 1, nobody);
    method_run(n, 1, nobody);
    expect_same_counts(&m->o, &n->o);
    expect_near("excess", excess_of(n), 21 * excess_of(m), 1e-6 * excess_of(n));
    assert_true(note_of(m, "probes") > note_of(m, "rounds") && note_of(m, "level") >= 1);
    method_free(m);
    method_free(n);
}

/* Returns the number of queries of an answer with accuracy lam r^2/c for L = 1: those of the epochs of 16, 32, 64,
 * ... steps, the last of which asks for nothing, that fit in 48 c/(lam r)^2 steps. */
static double answer_queries(double c, double lam, double r)
{
    double steps = 0, queries = 0;
    for (double epoch = 16; steps + epoch <= ceil(48 * c / (lam * lam * r * r)); epoch *= 2) {
        steps += epoch;
        queries += epoch - 1;
    }
    return queries;
}

/* Returns the number of queries of a run with the constants of theory, for L = R = 1. Half of the accuracy pays for
 * the Gaussian of radius r = eps/(2 sqrt d), the rest is 1/kappa. K = r^(-2/3) and lam = K^2 log^2(kappa)/kappa, so
 * that the sum of weights k^2/(4 lam) reaches 3 kappa after 2 sqrt(3) K log(kappa) rounds. A round has two line
 * searches of 20 log(1/zeta) answers with c = 15606, zeta = 1/(K kappa log kappa), one answer for x' with c = 17
 * log^3 kappa, and a proximal point: one answer with c = 17 log^2(kappa/r) and, with probability 2^-j, two with 2^j
 * and 2^(j-1) times this c, j <= log2 K + 17. */
static double theory_queries(double d, double eps)
{
    double r = eps / (2 * sqrt(d)), kappa = 2 / eps, K = pow(r, -2.0 / 3), l = log(kappa);
    double lam = K * K * l * l / kappa, rounds = ceil(2 * sqrt(3) * K * l), prox = 17 * pow(log(kappa / r), 2);
    double each = 2 * ceil(20 * log(K * kappa * l)) * answer_queries(15606, lam, r) +
                  answer_queries(17 * l * l * l, lam, r) + answer_queries(prox, lam, r);
    assert_true(lam <= 2 / r);
    for (double j = 1, share = 0.5; j <= ceil(log2(K) + 17); j++, share /= 2)
        each += share * (answer_queries(prox / share, lam, r) + answer_queries(prox / share / 2, lam, r));
    return rounds * each;
}

/* With the constants of theory a run is refused, and the message says how many queries it would ask. A run is also
 * refused if its ball oracle would never move, or if the instance or the budget lacks what the method requires. */
static void s6_2_refusals(void **state)
{
    struct instance in = family_of(1, 16),
                    ball = INSTANCE(memory, "spectral", { "d", 4 }, { "radius", INFINITY });
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, still[] = { { "c", 0.5 }, { "c_search", 1 }, { 0 } };
    struct why why = { "" };
    expect_refusal("ball-accel-epoch-sgd", &in, &goal, nothing, "needs an accuracy");
    goal.acc = 1.5;
    expect_refusal("ball-accel-ac-sa", &in, &goal, nothing, "expected at most L R = 1");
    goal.acc = 0.1;
    expect_refusal("ball-accel-ac-sa", &ball, &goal, nothing, "relies on E|g|^2 <= L^2");
    expect_refusal("ball-accel-epoch-sgd", &in, &goal, still, "leave no epoch");
    goal.n = 1e5;
    expect_refusal("ball-accel-epoch-sgd", &in, &goal, nothing, "expected at most 1e+05");
    goal.n = NAN;
    goal.acc = 0.02;
    goal.constants = CONSTANTS_THEORY;
    assert_null(method_tuned("ball-accel-epoch-sgd", &in, &goal, nothing, &why));
    char *about = strstr(why.text, "about ");
    double predicted = about ? atof(about + 6) : NAN;
    double queries = theory_queries(16, 0.02);
    if (!(fabs(predicted / queries - 1) <= 0.01))
        fail_msg("%s, and the constants give %g", why.text, queries);
}

static int shell_setup(void **state)
{
    shell_begin();
    return 0;
}
static int shell_teardown(void **state)
{
    shell_end();
    return 0;
}

/* For an accuracy without a budget `assay solve` takes as n the least power of ten that the method accepts. In
 * names '-' and '_' count as equal. */
static void solve_finds_a_budget(void **state)
{
    assert_int_equal(
        shell("assay solve --algorithm ball_accel_ac_sa --problem coercive-max --d 16 --acc 0.1 "
              "> out 2> err"),
        0);
    assert_true(shell_contains("err", "no budget given: --n 1e6"));
    assert_true(shell_contains("out", "algo ball-accel-ac-sa | goal n=1e6 acc=0.1"));
    assert_true(shell_contains("out", "problem coercive_max d=16"));
    assert_int_equal(shell("assay solve --algorithm ball-accel-ac-sa --problem coercive_max --d 16 "
                           "--acc 2 2> err"),
                     2);
    assert_true(shell_contains("err", "expected at most L R = 1"));
    assert_int_equal(
        shell("assay solve --algorithm ball-accel-ac-sa --problem coercive_max --d 16 --acc 0.1 "
              "--n 1000 2> err"),
        2);
    assert_int_equal(
        shell("assay solve --algorithm ball-accel-ac-sa --problem coercive_ma --acc 0.1 2> err"),
        2);
    assert_true(shell_contains("err", "did you mean coercive_max"));
}

/* The queries and the iterates of the method leave every ball. A family whose objective is known only inside a ball
 * is therefore refused. */
static void s8_30_all_of_the_space(void **state)
{
    assert_int_equal(shell("assay solve --algorithm ball-accel-ac-sa --problem noisy_l1 --acc 0.1 "
                           "--set problem.radius=1 2> err"),
                     2);
    assert_true(shell_contains("err", "relies on an unconstrained problem"));
}

/* `list coverage --claim PATTERN` prints the items whose name PAPER/PART.ITEM matches the pattern, and those that a
 * matching claim serves. */
static void coverage_by_claims(void **state)
{
    shell("assay list coverage --claim 'resque/parallel.*' --format csv > all");
    shell("assay list coverage --claim 'resque/parallel.lemma1*' --format csv > lemma");
    assert_true(shell_lines("all") > 80);
    assert_int_equal(shell("grep -q '^U3,resque,.*test_resque_steps/u3' all"), 0);
    assert_int_equal(
        shell("cut -d, -f1 lemma | tr '\\n' ' ' | grep -qx 'item 2.1 C1 C2 H3 E1 8.2 '"), 0);
    assert_int_equal(shell("cut -d, -f2 all | sort -u | tr '\\n' ' ' | grep -qx 'paper resque '"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s3_5_c9_accuracy_and_rounds),
        cmocka_unit_test(u10_counts_by_formula),
        cmocka_unit_test(s6_5_u10_count_mode),
        cmocka_unit_test(s1_1_units),
        cmocka_unit_test(s6_2_refusals),
        cmocka_unit_test_setup_teardown(solve_finds_a_budget, shell_setup, shell_teardown),
        cmocka_unit_test_setup_teardown(s8_30_all_of_the_space, shell_setup, shell_teardown),
        cmocka_unit_test_setup_teardown(coverage_by_claims, shell_setup, shell_teardown),
    };
    return cmocka_run_group_tests_name("parallel stochastic convex optimisation", tests, setup,
                                       teardown);
}

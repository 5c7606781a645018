/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private.c - the check `private`: which check catches which planted leak, verdicts from observations,
 * the claims made for every private method, and the commands. Seeds are fixed. */
#include "support/replayed.h"

#include <sys/resource.h>

#include "support/shell.h"
#include "judge/verdict.h"

static struct verdict judged(const struct privacy_seen *p)
{
    static struct fit fit;
    fit.points = 1;
    fit.privacy[0] = *p;
    return verdict_private(&fit);
}

/* --- planted leaks: each is contradicted by the check that its file names */

/* The leaking methods. eps: what the ledger of the method costs at delta = 1e-5, where 1 is promised. The GDP
 * parameter of epsilon 1 is 0.26805112. A method whose parameter is k times as large costs the epsilon of k-fold
 * 0.26805112, found by bisection of the curve delta(eps) of GDP. With half of the noise k = 2; with a tree of 8
 * steps and 3 levels in place of 4, k = sqrt(4/3); with two uses k = sqrt 2; with eight samples priced as if all
 * records were drawn, k = sqrt 8. NaN: the price is less than promised, since samples amplify. */
static const struct { const char *name; enum leak leak; double eps; } planted[] = {
    { "noise", LEAK_NONE, 2.15467666 },  { "sensitivity", LEAK_CHANGE, 1 },
    { "depth", LEAK_NONE, 1.17137121 },  { "reuse", LEAK_ANSWER, 1 },
    { "clip", LEAK_CHANGE, 1 },          { "step", LEAK_ANSWER, 1 },
    { "twice", LEAK_NONE, 1.46516996 },  { "stop", LEAK_NUMBER, 1 },
    { "max", LEAK_ANSWER, 1 },           { "mark", LEAK_MARK, 1 },
    { "redraw", LEAK_SIZE, 3.18579556 }, { "size", LEAK_SIZE, NAN },
    { "weight", LEAK_CHANGE, 1 },
};
enum { PLANTED = sizeof planted / sizeof *planted };

static void test_planted_leaks(void **state)
{
    for (size_t k = 0; k < PLANTED; k++) {
        char algo[64];
        snprintf(algo, sizeof algo, "planted-leak-%s", planted[k].name);
        bool sampled = planted[k].leak == LEAK_SIZE;
        struct privacy_seen p =
            sampled ? seen_of("coins_stored d=8 n=64", algo, "budget=6400 eps=1 delta=1e-5", 12, 0)
                    : seen_of("linear d=8", algo, "n=64 eps=1 delta=1e-5", 12, 0);
        struct verdict v = judged(&p);
        bool by_replay = strstr(v.reason, "replay") != NULL;
        assert_true(p.promise == 1 && p.replays == 12 && p.gaussian);
        if (p.leak != planted[k].leak || (planted[k].leak && !p.leaks))
            fail_msg("%s: %s", algo, leak_words(p.leak));
        if (isnan(planted[k].eps) ? !(p.spent < 1) : !(fabs(p.spent - planted[k].eps) <= 1e-7))
            fail_msg("%s: eps %.10g, expected %g", algo, p.spent, planted[k].eps);
        if (v.word != CONTRADICTED || by_replay != (planted[k].leak != LEAK_NONE))
            fail_msg("%s: %s, %s", algo, verdict_word(v.word), v.reason);
    }
}

/* A method gives one record in each batch of 512 too large a weight. A neighbour drawn at random changes one of
 * these 8 among 4096 records with probability 0.2%. The neighbour at the record of largest weight always does, and
 * so does the canary of an audit. By its weight of 4 and its norm of 0.9 C it shows the GDP parameter 4 x 0.925 x
 * 0.9 = 3.3, where 0.925, that of epsilon 4, is promised. With 500 judging runs on each side the strict limits, and
 * six standard deviations of a rate of 0.05 or 0.99, reduce this by less than 1.2, so that an epsilon above 4 is
 * shown. */
static void test_places(void **state)
{
    struct privacy_seen p = seen_of("linear d=8", "planted-leak-weight", "n=4096 eps=1 delta=1e-5",
                                    3, 0);
    struct verdict v = judged(&p);
    if (v.word != CONTRADICTED || p.leak != LEAK_CHANGE)
        fail_msg("%s: %s", verdict_word(v.word), v.reason);
    p = seen_of("linear d=4", "planted-leak-weight T=1", "n=64 eps=4 delta=1e-5", 1, 1000);
    if (!(privacy_shown(&p) > 4))
        fail_msg("audits show %g", privacy_shown(&p));
}

/* Half of the noise at eps = 4 and a canary of norm 0.9 C give mu = 1.67, where 0.925 is promised. With 2000
 * judging runs on each side the normal quantiles of rates near 0.2 have the standard error 0.032. The strict
 * limits, at the level 10^-6, are 2 x 4.9 x 0.032 = 0.31 below mu, and six standard deviations are another 0.27. */
static void test_audit_catches(void **state)
{
    struct privacy_seen p = seen_of("linear d=4", "planted-leak-noise T=1",
                                    "n=8 eps=4 delta=1e-5", 1, 4000);
    p.spent = p.lower = p.promise;       /* as if the accountants priced a larger noise */
    struct verdict v = judged(&p);
    if (v.word != CONTRADICTED || !strstr(v.reason, "audit"))
        fail_msg("%s: %s", verdict_word(v.word), v.reason);
}

/* Every planted leak is in the list above, and its file names the check that the list expects. */
static void test_files_name_their_check(void **state)
{
    for (const struct algo *const *a = registry_algos(); *a; a++) {
        const char *name = (*a)->name, prefix[] = "planted-leak-";
        char path[300], text[700] = "";
        if (strncmp(name, prefix, strlen(prefix)))
            continue;
        name += strlen(prefix);
        int k = 0;
        while (k < PLANTED && strcmp(planted[k].name, name))
            k++;
        assert_true(k < PLANTED);
        snprintf(path, sizeof path, SOURCE_DIR "/tests/planted/algos/leak_%s.c", name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_true(fread(text, 1, sizeof text - 1, file) > 100);
        fclose(file);
        const char *caught = strstr(text, "Caught by ");
        if (!caught || strncmp(caught + 10, planted[k].leak ? "the replay" : "accounting", 10))
            fail_msg("%s names another check", path);
    }
}

/* The goal rho = 1 promises 0.5-zCDP in place of (eps, delta)-privacy; the promised eps is the conversion of this
 * at delta, an infimum over Renyi orders. A method that keeps the promise is SUPPORTED, and the audit's lower limit
 * on mu is large enough: the audit wins 76% of 1000 pairs at mu = 1, which estimates mu with the standard error
 * 0.062, and the limit is the estimate minus 1.645 standard errors. With 6 more for chance it is above
 * 1 - (1.645 + 6) 0.062 = 0.52. A method with half of the noise has mu = 2 and must be CONTRADICTED by the audit
 * alone: with 2000 pairs and the strict level the limit is above 2 - (4.75 + 6) 0.058 = 1.38. This is an epsilon of
 * 6.38, and 4.73 is promised. */
static void test_zcdp_goal(void **state)
{
    double eps = INFINITY, rho = 0.5;
    for (double a = 1.001; a < 100; a *= 1.001)
        eps = fmin(eps, rho * a + log(1 / (a * 1e-5)) / (a - 1) + log1p(-1 / a));
    struct privacy_seen p = seen_of("linear d=8", "dp-sgd C=0.5 step=0.1",
                                    "n=64 delta=1e-5 rho=1", 12, 2000);
    struct verdict v = judged(&p);
    if (v.word != SUPPORTED || !(fabs(p.promise - eps) <= 1e-4))
        fail_msg("%s, %s; promised %g, expected %g", verdict_word(v.word), v.reason, p.promise,
                 eps);
    assert_true(p.mu > 0.52 && privacy_explained(&p) > 0.3 && privacy_explained(&p) <= 1);
    assert_true(p.spent < p.promise);
    /* A method that spends the whole promise is 1-GDP: its epsilon at delta = 1e-5, by Balle and Wang's curve. */
    assert_true(fabs(privacy_whole(&p) - 4.377178096) < 1e-8);
    p = seen_of("linear d=8", "planted-leak-noise C=0.5", "n=64 delta=1e-5 rho=1", 12, 4000);
    assert_true(judged(&p).word == CONTRADICTED && p.lower > p.promise);
    p.spent = p.lower = p.promise;
    v = judged(&p);
    assert_true(v.word == CONTRADICTED && strstr(v.reason, "audit"));
}

/* Methods that keep their promise are SUPPORTED on several families, where the neighbour has one record zeroed. */
static void test_honest(void **state)
{
    static const char *const algos[] = { "dp-sgd", "accelerated-dp-srgd beta=1",
                                         "accelerated-dp-srgd beta=1 noise=root" };
    static const char *const problems[] = { "linear d=8", "coins_stored d=8 n=64", "spectral d=8",
                                            "glm_stored d=8 n=64", "sigmoid_stored d=8 n=64" };
    for (int a = 0; a < 3; a++)
        for (int q = 0; q < 5; q++) {
            char algo[80];
            snprintf(algo, sizeof algo, "%s C=0.5%s", algos[a], a ? "" : " step=0.1");
            struct privacy_seen p = seen_of(problems[q], algo, "n=64 eps=1 delta=1e-5", 6, 0);
            struct verdict v = judged(&p);
            if (v.word != SUPPORTED)
                fail_msg("%s on %s: %s, %s", algo, problems[q], verdict_word(v.word), v.reason);
            assert_true(privacy_ratio(&p) > 0.1 && privacy_ratio(&p) <= TAPE_RATIO);
        }
}

/* --- verdicts from observations */

static struct privacy_seen good(void)
{
    struct privacy_seen p = privacy_none();
    p.promise = p.spent = 1;
    p.delta = 1e-5;
    p.lower = 0.999;
    p.records = p.replays = 6;
    p.gaussian = true;
    p.sites = 1;
    p.site[0] = (struct private_site){ .name = "s", .ratio = 1, .touched = 6 };
    return p;
}

#define EXPECT(expected, words, ...) do {                                                     \
        struct privacy_seen p = good();                                                       \
        __VA_ARGS__;                                                                          \
        struct verdict v = judged(&p);                                                        \
        if (v.word != (expected) || !strstr(v.reason, words))                                 \
            fail_msg("%s, not %s: %s", verdict_word(v.word), #expected, v.reason);            \
        assert_true((v.word == INCONCLUSIVE) == (v.next[0] != 0));                            \
    } while (0)

static void test_verdicts(void **state)
{
    EXPECT(SUPPORTED, "ratio 1", (void)p);
    EXPECT(SUPPORTED, "", p.spent = 1 + 1e-12);
    EXPECT(NOT_RUN, "nothing", p = privacy_none());
    EXPECT(INCONCLUSIVE, "best proof", p.spent = 1.01);
    EXPECT(INCONCLUSIVE, "best proof", p.spent = INFINITY; p.lower = NAN);
    EXPECT(CONTRADICTED, "accounting", p.spent = 1.2; p.lower = 1.1);
    EXPECT(CONTRADICTED, "accounting", p.spent = p.lower = INFINITY);
    EXPECT(INCONCLUSIVE, "no epsilon", p.promise = NAN);
    EXPECT(INCONCLUSIVE, "computed from the data", p.told = true);
    EXPECT(CONTRADICTED, "replay", p.told = true; p.leaks = 1; p.leak = LEAK_ANSWER);
    EXPECT(CONTRADICTED, "1 of 6", p.leaks = 1; p.leak = LEAK_CHANGE; p.call = 17);
    EXPECT(INCONCLUSIVE, "no replayed release", p.site[0].touched = 0);
    EXPECT(INCONCLUSIVE, "no replayed release", p.replays = 0);
    EXPECT(CONTRADICTED, "audit", p.audit_strict = 1.01);
    EXPECT(SUPPORTED, "", p.audit = 1.01; p.audit_strict = 0.5);     /* only a bound at the strict level
                                                                        contradicts; one at 95% does not */
    EXPECT(CONTRADICTED, "audit", p.mu_strict = 0.2681);             /* eps = 1 is that of GDP with mu = 0.26805 */
    EXPECT(SUPPORTED, "", p.mu_strict = 0.2680);
    EXPECT(SUPPORTED, "", p.mu_strict = 0.5; p.gaussian = false);    /* mu is too large, but nothing was promised
                                                                        about mu */
    /* With failure probability 0.01, 3 failures of 6 are no proof, as their probability is (6 choose 3) 10^-6 =
     * 2e-5. 4 failures of 6 (1.5e-7) are. */
    EXPECT(SUPPORTED, "", p.site[0].failure = 0.01; p.site[0].exceeded = 3);
    EXPECT(CONTRADICTED, "declared", p.site[0].failure = 0.01; p.site[0].exceeded = 4);
}

/* The verdict of several points is that of the worst point. */
static void test_points(void **state)
{
    static struct fit fit;
    fit.points = 3;
    for (int k = 0; k < 3; k++)
        fit.privacy[k] = good();
    assert_int_equal(verdict_private(&fit).word, SUPPORTED);
    fit.privacy[1].spent = 2;
    assert_int_equal(verdict_private(&fit).word, INCONCLUSIVE);
    fit.privacy[2].leaks = 1;
    assert_int_equal(verdict_private(&fit).word, CONTRADICTED);
    fit.points = 0;
    assert_int_equal(verdict_private(&fit).word, NOT_RUN);
}

/* If several records are gathered, the largest of their values is kept; the numbers of touched releases are
 * added. */
static void test_gathering(void **state)
{
    struct privacy_seen p = privacy_none();
    static const struct { const char *name; double v[2]; } values[] = {
        { "privacy.promise", { 1, 1 } },          { "privacy.eps", { 0.5, 0.7 } },
        { "privacy.eps.exact", { 0.5, 0.7 } },    { "privacy.eps.rdp", { 0.9, 0.8 } },
        { "replay.leak", { 0, LEAK_NOISE } },     { "replay.call", { 0, 17 } },
        { "replay.ratio.a", { 0.2, 0.1 } },       { "replay.touched.a", { 1, 2 } },
        { "replay.exceeded.b", { 1, 0 } },        { "replay.failure.b", { 0.1, 0.1 } },
        { "flag.told_data", { 0, 1 } },
    };
    for (int k = 0; k < 2; k++) {
        struct record *r = record_new("cell", "0");
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            record_put(r, values[i].name, values[i].v[k]);
        privacy_add(&p, r, k + 1);
        record_free(r);
    }
    assert_true(p.spent == 0.7 && p.promise == 1 && p.told && p.gaussian && p.records == 2);
    assert_true(p.accountants == 2 && p.by[0].eps == 0.7 && p.by[1].eps == 0.9);
    assert_true(p.leaks == 1 && p.leak == LEAK_NOISE && p.call == 17 && p.neighbour == 2);
    int a = strcmp(p.site[0].name, "a") != 0, b = 1 - a;
    assert_true(p.sites == 2 && p.site[a].ratio == 0.2 && p.site[a].touched == 3);
    assert_true(p.site[b].exceeded == 1 && p.site[b].failure == 0.1 && privacy_ratio(&p) == 0.2);
}

/* --- commands */

/* Does a paper make a claim of privacy about the method in the quick profile? */
static bool has_own(const struct algo *a)
{
    const struct claim *c;
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (struct claim_walk all = claims_of(*p); (c = next_claim(&all)); )
            if (c->check == CHECK_PRIVATE && c->window[PROFILE_QUICK].points && !strcmp(c->algo, a->name))
                return true;
    return false;
}

/* Is the id the first field of a line of list.csv? */
static bool listed(const char *id)
{
    return shell("cut -d, -f1 list.csv | grep -qxF '%s'", id) == 0;
}

static void test_verify(void **state)
{
    shell_begin();
    assert_int_equal(shell("assay list claims --check private --format csv > list.csv"), 0);
    for (const struct algo *const *a = registry_algos(); *a; a++) {
        char id[100];
        snprintf(id, sizeof id, "privacy/%s.eps", (*a)->name);
        if ((*a)->adjacency != ADJACENCY_NONE && !has_own(*a) && !listed(id))
            fail_msg("%s: no claim of privacy", id);
        for (const char *const *v = (*a)->variants; v && *v; v++) {
            snprintf(id, sizeof id, "privacy/%s.%s.eps", (*a)->name, strchr(*v, '=') + 1);
            if (!listed(id))
                fail_msg("%s: no claim of privacy", id);
        }
    }
    assert_int_equal(shell("assay verify --check private --algorithm dp-sgd --profile quick "
                           "--format csv -j2 > out.csv 2> err.txt"), 0);
    assert_true(shell_contains("out.csv", "SUPPORTED") && shell_contains("out.csv", "CAUGHT"));
    assert_true(shell_contains("results/report/report.md", "## Privacy"));
    assert_true(shell_contains("results/report/report.md", "eps 1 at delta 1e-05"));
    assert_true(shell_contains("results/report/paper-privacy.html", "id=\"privacy\""));
    shell_end();
}

static double children_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

/* Every command first collects the claims, those of variants of methods included. This takes 0.03 s; if it
 * calibrated the noise of a method by privacy losses, it would take 11 s. */
static void test_collecting(void **state)
{
    double before = children_seconds();
    shell_begin();
    assert_int_equal(shell("assay list claims > list.txt"), 0);
    shell_end();
    assert_true(children_seconds() - before < 4);
}

static void test_audit_verb(void **state)
{
    static const struct { const char *line; int code; const char *words;
    } list[] = {
        { "audit dp-sgd --replay --reps 3 -j2", 0, "verdict     OK" },
        { "audit planted-leak-step --replay --reps 3 -j0", 1, "LEAK" },
        { "audit dp-sgd --runs 100 --eps 1 --delta 1e-5 -j2", 0, "verdict     OK" },
        { "audit planted-leak-noise --runs 1000 --eps 4 --delta 1e-5 --n 8 --T 1 --d 2", 1,
          "EXCEEDED" },
        { "audit planted-leak-noise --runs 4 --eps 1 --delta 1e-5 --n 64", 1,
          "verdict     EXCEEDED: what was booked costs eps" },
        { "audit planted-leak-noise --replay --reps 3", 1, "EXCEEDED: what was booked" },
        { "audit dp-sgd --runs 8", 0, "explained   nothing: so few runs" },
        { "audit dp-sgd --eps 0 --runs 10", 0, "explained   nothing is promised" },
        { "audit dp-sgd --rho 0 --runs 10", 0, "explained   nothing is promised" },
        { "audit sgd", 2, "declares no adjacency" },
        { "audit", 2, "expected the name" },
        { "audit dp-sgd --runs 1", 2, "--runs" },
    };
    shell_begin();
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        int code = shell("assay %s > out.txt 2>&1", list[k].line);
        if (code != list[k].code || !shell_contains("out.txt", list[k].words))
            fail_msg("%s: exit %d, expected %d and '%s' in\n%s", list[k].line, code, list[k].code,
                     list[k].words, shell_read("out.txt"));
        assert_true(code != 2 || shell_lines("out.txt") == 1);
        assert_false(shell_contains("out.txt", "nan%"));
    }
    /* The numbers are equal for any number of workers. */
    assert_int_equal(
        shell("assay audit dp-sgd --runs 250 --eps 4 -j0 > a.txt 2>&1 && "
              "assay audit dp-sgd --runs 250 --eps 4 -j3 > b.txt 2>&1 && cmp a.txt b.txt"),
        0);
    shell_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_leaks), cmocka_unit_test(test_places),
        cmocka_unit_test(test_audit_catches),
        cmocka_unit_test(test_files_name_their_check),
        cmocka_unit_test(test_zcdp_goal),
        cmocka_unit_test(test_honest),        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_points),        cmocka_unit_test(test_gathering),
        cmocka_unit_test(test_verify),        cmocka_unit_test(test_audit_verb),
        cmocka_unit_test(test_collecting),
    };
    return cmocka_run_group_tests_name("private", tests, begin, end);
}

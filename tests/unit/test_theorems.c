/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_theorems.c - theorems and their rows: slopes of laws are compared with closed forms, malformed rows are
 * refused in one line; and the output of `list theorems`, `verify --theorem` and `explain` on the papers'
 * theorems. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cell/registry.h"
#include "judge/theorems.h"
#include "plan/names.h"
#include "plan/private_claims.h"
#include "support/shell.h"

/* --- the slope of a law on a grid */

static double square(double x) { return x * x; }
static double depth(double kappa) { return pow(kappa, 2. / 3) * log(kappa); }
static double negative(double x) { return -x; }

/* Between 80 and 320, kappa^(2/3) log kappa has the exponent 2/3 + log(log 320 / log 80)/log 4 = 0.8649 by its two
 * ends; the least-squares exponent of three equally spaced points is that of the ends. */
static void slopes_are_those_of_the_grid(void **state)
{
    const struct window w = { 80, 320, 3, 1 };
    assert_true(fabs(row_slope(&(struct row_law){ "x^2", 0, square }, &w) - 2) < 1e-12);
    assert_true(fabs(row_slope(&(struct row_law){ "x^(2/3) log x", 0, depth }, &w) -
                     (2. / 3 + log(log(320.) / log(80.)) / log(4.))) < 1e-12);
    assert_true(row_slope(&(struct row_law){ "x^-0.5", -0.5 }, &w) == -0.5);
    assert_true(isnan(row_slope(&(struct row_law){ "-x", 0, negative }, &w)));
}

/* --- rows that are refused: the band of baselines/sgd.rate.excess.n is -0.6 to -0.4 */

#define SGD "baselines/sgd.rate.excess.n"

static enum status check(const struct theorem *t, struct why *why)
{
    const struct theorem list[] = { *t, { 0 } };
    const struct paper p = { .key = "mine", .theorems = list };
    return theorems_check(&p, why);
}

static void ill_made_rows_are_refused(void **state)
{
    static const struct {
        const char *id, *says;
        struct theorem_row row[3];
    } cases[] = {
        { "other/thm1", "begins with mine/", { { "n", "excess", { "n^(-1/2)", -0.5 }, .claim = SGD }, { 0 } } },
        { "mine/thm*", "no blank, comma or pattern", { { "n", "excess", { "n^(-1/2)", -0.5 }, .claim = SGD },
                                                       { 0 } } },
        { "mine/thm1", "row excess.n: expected the id of a claim, not 'baselines/none'",
          { { "n", "excess", { "n^(-1/2)", -0.5 }, .claim = "baselines/none" }, { 0 } } },
        { "mine/thm1", "expected one row excess.n, there are two",
          { { "n", "excess", { "n^(-1/2)", -0.5 }, .claim = SGD },
            { "n", "excess", { "n^-1", -1 }, .state = ROW_NONE }, { 0 } } },
        { "mine/thm1", "expected a promise", { { "n", "excess", .claim = SGD }, { 0 } } },
        { "mine/thm1", "expected a claim, or the state", { { "n", "excess", { "n^(-1/2)", -0.5 } }, { 0 } } },
        { "mine/thm1", "expected a claim, or the state",
          { { "n", "excess", { "n^(-1/2)", -0.5 }, .state = ROW_EVIDENCE }, { 0 } } },
        { "mine/thm1", "holds the promise n^(-0.7)", { { "n", "excess", { "n^(-0.7)", -0.7 }, .claim = SGD },
                                                       { 0 } } },
        { "mine/thm1", "that of the rival n^(-2/3)",
          { { "n", "excess", { "n^(-1/2)", -0.5 }, { { "n^(-2/3)", -2. / 3 } }, .claim = SGD }, { 0 } } },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct why why = { "" };
        const struct theorem t = { cases[k].id, "Theorem 1", "It holds.", NULL, cases[k].row };
        assert_int_equal(check(&t, &why), BAD_INPUT);
        if (!strstr(why.text, cases[k].says) || strchr(why.text, '\n') || !strstr(why.text, cases[k].id))
            fail_msg("expected '%s', not '%s'", cases[k].says, why.text);
    }
}

static void at_most_three_rounds(void **state)
{
    for (int rounds = 0; rounds <= 4; rounds++) {
        const struct claim claims[] = { { .id = "mine/one", .rounds = rounds }, { 0 } };
        const struct paper p = { .key = "mine", .claims = claims };
        struct why why = { "" };
        assert_int_equal(theorems_check(&p, &why), rounds > 3 ? BAD_INPUT : OK);
        if (rounds > 3)
            assert_string_equal(why.text, "claim mine/one: expected at most 3 rounds of replicates, not 4");
    }
}

/* The row along n has the rivals n^-1 and x^2, which is called the square. row_rival_within returns the rival whose
 * exponent is in the interval. */
static void a_rival_is_found_by_its_slope(void **state)
{
    static const struct theorem_row rows[] = {
        { "d", "excess", { "1", 0 }, .state = ROW_NONE },
        { "n", "excess", { "n^(-1/2)", -0.5 }, { { "n^-1", -1 }, { "x^2", 0, square, "the square" } },
          .claim = SGD },
        { 0 } };
    static const struct theorem list[] = { { "mine/thm1", "Theorem 1", "It holds.", NULL, rows }, { 0 } };
    const struct paper p = { .key = "mine", .theorems = list };
    const struct window w = { 16, 256, 5, 1 };
    struct claim c = { .id = SGD };
    assert_string_equal(row_rival_within(&p, &c, &w, -1.1, -0.9)->text, "n^-1");
    assert_string_equal(row_rival_within(&p, &c, &w, 1.9, 2.1)->whose, "the square");
    assert_null(row_rival_within(&p, &c, &w, -0.6, -0.4));       /* the promise itself is no rival */
    c.law.form = LAW_LOG;
    assert_null(row_rival_within(&p, &c, &w, -1.1, -0.9));
    c = (struct claim){ .id = "mine/other" };
    assert_null(row_rival_within(&p, &c, &w, -1.1, -0.9));
}

static void sound_rows_pass(void **state)
{
    static const struct theorem_row rows[] = {
        { "n", "excess", { "n^(-1/2)", -0.5 }, { { "n^-1", -1 }, { "constant", 0 } }, .claim = SGD },
        { "d", "excess", { "constant", 0 }, .state = ROW_NONE },
        { "d", "gradients", { "constant", 0 }, .state = ROW_DATA, .reason = "Its data are nowhere." },
        { 0 } };
    struct why why = { "" };
    const struct theorem t = { "mine/thm1", "Theorem 1", "It holds.", NULL, rows };
    assert_int_equal(check(&t, &why), OK);
    for (const struct paper *const *p = registry_papers(); *p; p++)
        if (theorems_check(*p, &why) != OK)
            fail_msg("%s", why.text);
}

/* --- attempts that are refused: the claim of the row, SGD, decides it */

static void ill_made_attempts_are_refused(void **state)
{
    static const struct theorem_row rows[] = {
        { "n", "excess", { "n^(-1/2)", -0.5 }, .claim = SGD },
        { "d", "excess", { "constant", 0 }, .state = ROW_NONE }, { 0 } };
    static const struct theorem theorems[] = { { "mine/thm1", "Theorem 1", "It holds.", NULL, rows }, { 0 } };
#define ATTEMPT(claim, row, number) { claim, row, number, "n = 1 to 9", "no steps", "INCONCLUSIVE", "Few points." }
    static const struct { const char *says; struct attempt attempt[4]; } cases[] = {
        { NULL, { ATTEMPT("mine/old", "mine/thm1 excess.d", 1), ATTEMPT("mine/older", "mine/thm1 excess.d", 2) } },
        { "not 'mine/thm1 excess.T'", { ATTEMPT("mine/old", "mine/thm1 excess.T", 1) } },
        { "not 'mine/thm2 excess.n'", { ATTEMPT("mine/old", "mine/thm2 excess.n", 1) } },
        { "not 'mine/none'", { ATTEMPT("mine/old", "mine/none", 1) } },
        { "row mine/thm1 excess.d: expected the number 1", { ATTEMPT("mine/old", "mine/thm1 excess.d", 2) } },
        { "row mine/thm1 excess.d: expected the number 2",
          { ATTEMPT("mine/old", "mine/thm1 excess.d", 1), ATTEMPT("mine/older", "mine/thm1 excess.d", 3) } },
        { "row mine/thm1 excess.n: expected a number below 0", { ATTEMPT("mine/old", "mine/thm1 excess.n", 1) } },
        { "row mine/thm1 excess.d: expected a claim that was replaced", { ATTEMPT(SGD, "mine/thm1 excess.d", 1) } },
        /* The claim decides a row, so that the attempt must name the row and not the claim. */
        { "not 'resque/parallel.lemma1.1.mean.u'", { ATTEMPT("mine/old", "resque/parallel.lemma1.1.mean.u", 1) } },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct paper p = { .key = "mine", .theorems = theorems, .attempts = cases[k].attempt };
        struct why why = { "" };
        enum status s = theorems_check(&p, &why);
        if (s != (cases[k].says ? BAD_INPUT : OK) || (cases[k].says && !strstr(why.text, cases[k].says)))
            fail_msg("expected '%s', not '%s'", cases[k].says ? cases[k].says : "no refusal", why.text);
        assert_null(strchr(why.text, '\n'));
    }
}

/* The attempts that a claim replaced are listed in the order of their numbers, 1, 2, ..., which are below the
 * number of the claim. */
static void attempts_count_up_to_the_claim_that_stands(void **state)
{
    const struct claim *c;
    int found = 0;
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (struct claim_walk all = claims_of(*p); (c = next_claim(&all)); ) {
            const struct attempt *a;
            for (int k = 0; (a = attempt_before(c, k)); k++, found++)
                assert_true(a->number == k + 1 && a->number < c->attempt);
        }
    assert_true(found > 100);
    assert_int_equal(attempt_contradicted(claim_by_id("private-zeroth-order/vr.thm4.9.noise.beside.n")), 2);
    assert_int_equal(attempt_contradicted(claim_by_id("resque/parallel.naive.straight.kappa")), 0);
}

/* --- counts of a theorem: a claim that is known to be supported, one that is not, and one of which nothing is
 * known */

static const char *word_of(void *ctx, const char *claim)
{
    return strcmp(claim, "a") == 0 ? "SUPPORTED" : strcmp(claim, "b") == 0 ? "CONTRADICTED" : NULL;
}

static void supported_rows_are_counted(void **state)
{
    static const struct theorem_row rows[] = {
        { "n", "x", { "1", 0 }, .claim = "a" }, { "d", "x", { "1", 0 }, .claim = "b" },
        { "T", "x", { "1", 0 }, .claim = "c" }, { "B", "x", { "1", 0 }, .state = ROW_NONE }, { 0 } };
    const struct theorem t = { "mine/thm1", "", "", NULL, rows };
    struct theorem_count n = theorem_count(&t, word_of, NULL);
    assert_int_equal(n.rows, 4);
    assert_int_equal(n.supported, 1);
    assert_int_equal(n.decided, 2);
    assert_string_equal(row_word(&rows[2], word_of, NULL), "NOT_RUN");
    assert_string_equal(row_word(&rows[3], word_of, NULL), "none");
}

/* Every claim that a cell of a paper's table names exists. */
static void tables_name_claims(void **state)
{
    const struct paper *p;
    int cells = 0;
    private_claims_register();               /* registers the paper `privacy`, as the program does */
    for (int k = 0; (p = paper_at(k, false)); k++)
        for (const struct exhibit *t = p->tables; t && t->id; t++)
            for (const struct exhibit_row *r = t->row; r->label; r++)
                for (int c = 0; c < TABLE_COLUMNS; c++) {
                    if (r->claim[c] && !claim_by_id(r->claim[c]))
                        fail_msg("%s: %s", t->id, r->claim[c]);
                    cells += r->claim[c] != NULL;
                }
    assert_true(cells > 50);
}

/* --- as users see them */

static void theorems_are_listed(void **state)
{
    assert_int_equal(shell("assay list theorems --format csv > all.csv"), 0);
    assert_int_equal(shell("head -n 1 all.csv | grep -qx 'theorem,row,axis,promise,claim,attempt,verdict,reason'"),
                     0);
    assert_true(shell_lines("all.csv") > 120);
    assert_int_equal(shell("test $(cut -d/ -f1 all.csv | sed 1d | sort -u | grep -c .) -ge 5"), 0);
    assert_int_equal(shell("assay list theorems --paper resque --format csv | sed 1d > some.csv; "
                           "grep -c . some.csv > /dev/null && ! grep -v '^resque/' some.csv"), 0);
    /* The verdict of the baseline is shown beside its claim. */
    assert_int_equal(shell("assay list theorems --baseline '%s/results/baseline' --format csv | grep -c "
                           "',SUPPORTED,' > n && test $(cat n) -gt 10", SOURCE_DIR), 0);
    assert_int_equal(shell("assay list theorems --baseline nowhere 2> err"), 2);
    assert_true(shell_contains("err", "nowhere"));
}

static void attempts_are_told(void **state)
{
    assert_int_equal(shell("assay list attempts --format csv > all.csv"), 0);
    assert_int_equal(shell("head -n 1 all.csv | grep -qx 'claim,row,number,window,control,verdict,reason'"), 0);
    assert_int_equal(shell("assay list attempts --paper dp-gcd --format csv | sed 1d > some.csv; test -s some.csv "
                           "&& ! grep -v '^\"*dp-gcd/' some.csv"), 0);
    int code = shell("assay verify --theorem resque/lemma2 --profile quick -j2 > out 2> err");
    assert_true(code == 0 || code == 3);
    assert_true(shell_contains("results/report/theorem-resque__lemma2.html",
                               "<summary>Attempts that were replaced: 1</summary>"));
    assert_true(shell_contains("results/report/theorem-resque__lemma2.html",
                               "resque/parallel.lemma2.1.bound.power"));
    assert_true(shell_contains("results/report/report.md", "<details><summary>Attempts that were replaced: 1"));
    assert_true(shell_contains("results/report/summary.md", "Attempts at rows that were replaced: 1, listed"));
    assert_int_equal(shell("assay explain resque/lemma2 --profile quick > out"), 0);
    assert_true(shell_contains("out", "attempt 1 resque/parallel.lemma2.1.bound.power: SUPPORTED"));
    shell("assay explain private-zeroth-order/thm4.9-terms --profile quick > out");      /* the exit code is 3, as
                                                                                            nothing was run */
    assert_true(shell_contains("out", "attempt 2 CONTRADICTED"));
}

static void a_theorem_selects_its_claims(void **state)
{
    assert_int_equal(shell("assay plan --theorem resque/lemma1 --profile quick --format csv | cut -d, -f1 | sed 1d "
                           "| sort -u > planned; assay list theorems --theorem resque/lemma1 --format csv > "
                           "rows.csv; test -s planned && while read -r c; do grep -q \",$c,\" rows.csv || exit 1; "
                                   "done < planned"), 0);
    int code = shell("assay verify --theorem resque/lemma1 --profile quick -j2 > out 2> err");
    assert_true(code == 0 || code == 3);         /* exit code 3 says that a row is open, which is an answer */
    assert_true(shell_contains("out", "theorems: rows supported of all"));
    assert_true(shell_contains("out", "  resque/lemma1 "));
    assert_true(shell_contains("results/report/index.html", "<section id=\"theorems\""));
    assert_true(shell_contains("results/report/summary.md", "## Theorems"));
    /* A theorem that no claim decides stands in the grid of its paper, with its reasons on a page. */
    assert_int_equal(shell("assay list theorems --paper resque --format csv | awk -F, 'NR > 1 && $5 != \"\" { "
                           "with[$1] } NR > 1 { all[$1] } END { for (t in all) if (!(t in with)) print t }' "
                           "> none; test -s none && while read -r t; do f=theorem-$(echo $t | sed 's,/,__,').html; "
                           "test -s results/report/$f && grep "
                           "-q \"$f\" results/report/index.html || exit 1; done < none"), 0);
    assert_int_equal(shell("assay explain resque/lemma1 --profile quick > out"), 0);
    assert_true(shell_contains("out", "resque/lemma1: "));
    assert_true(shell_contains("out", "promise   "));
    assert_int_equal(shell("assay list theorems --theorem resque/lemma1 --store results/store/assay.db --profile "
                           "quick --format csv | grep -q ',SUPPORTED,'"), 0);
    /* The id of a theorem that has several parts names all of them. */
    assert_int_equal(shell("assay list theorems --theorem dp-gcd/thm4.4 --format csv | sed 1d | cut -d, -f1 | sort "
                           "-u > parts && printf 'dp-gcd/thm4.4-convex\\ndp-gcd/thm4.4-strong\\n' | cmp - parts"),
                           0);
    /* A long list of claims is taken whole, here that of all claims of a paper, which are more than 50. */
    assert_int_equal(shell("assay list claims --paper resque --format csv | sed 1d | cut -d, -f1 > ids; "
                           "test $(grep -c . ids) -gt 50 && assay plan --claim \"$(paste -sd, ids)\" "
                           "--profile full "
                           "--format csv | sed 1d | cut -d, -f1 | sort -u > planned && "
                           "test $(grep -c . planned) -gt 50"), 0);
    assert_int_equal(shell("assay verify --theorem resque/lemm1 2> err"), 2);
    assert_true(shell_contains("err", "resque/lemma1"));
}

static int begin(void **state) { shell_begin(); return 0; }
static int end(void **state) { shell_end(); return 0; }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_those_of_the_grid),
        cmocka_unit_test(ill_made_rows_are_refused),
        cmocka_unit_test(at_most_three_rounds),
        cmocka_unit_test(a_rival_is_found_by_its_slope),
        cmocka_unit_test(sound_rows_pass),
        cmocka_unit_test(supported_rows_are_counted),
        cmocka_unit_test(ill_made_attempts_are_refused),
        cmocka_unit_test(attempts_count_up_to_the_claim_that_stands),
        cmocka_unit_test_setup_teardown(theorems_are_listed, begin, end),
        cmocka_unit_test_setup_teardown(attempts_are_told, begin, end),
        cmocka_unit_test_setup_teardown(a_theorem_selects_its_claims, begin, end),
        cmocka_unit_test(tables_name_claims),
    };
    return cmocka_run_group_tests_name("theorems", tests, NULL, NULL);
}

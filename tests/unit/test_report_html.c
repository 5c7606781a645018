/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report_html.c - the report as a page, from hand-made judgements, read back by xmllint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/page/parts.h"
#include "support/paged.h"
#include "report/report_page.h"

static void page_is_whole(void **state)
{
    PARSER();
    struct report_input in = input(false);
    const char *page = write_page(&in, "r");
    assert_int_equal(xml_count(page, "//h1"), 1);
    assert_int_equal(xml_count(page, "//article"), JUDGED);
    assert_int_equal(xml_count(page, "//table[@class=\"verdicts\"]/tbody/tr"), JUDGED);
    for (int k = 0; k < JUDGED; k++) {
        char nodes[400];
        snprintf(nodes, sizeof nodes, "//article[h3=\"%s\"]", claim[k].id);
        assert_int_equal(xml_count(page, nodes), 1);
    }
    /* The page refers to nothing but itself and its folder of figures. */
    assert_int_equal(xml_count(page, "//@src | //link | //@href[contains(., \":\")]"), 0);
    assert_int_equal(xml_count(page, "//@*[local-name()=\"href\"][not(starts-with(., \"#\") or "
                                     "starts-with(., \"figures/\"))]"),
                     0);
    assert_int_equal(xml_count(page, "//@*[local-name()=\"href\"][starts-with(., \"#\")]"
                                     "[not(substring(., 2) = //@id)]"),
                     0);
    assert_int_equal(xml_count(page, "//@id[. = ../preceding::*/@id or . = ../ancestor::*/@id]"),
                     0);
    const char *files = xml_said(
        "grep -o 'href=\"figures/[^\"]*' '%s' | cut -c7- | while read -r f; "
        "do test -s '%s'/$f || echo missing $f; done",
        page, in_folder("r"));
    assert_string_equal(files, "");
}

/* WCAG 1.1.1, 1.3.1, 2.4.1, 2.4.6, 3.1.1. */
static void page_is_accessible(void **state)
{
    PARSER();
    struct report_input in = input(false);
    const char *page = write_page(&in, "r");
    assert_string_equal(xml_value(page, "string(/html/@lang)"), "en");
    assert_int_equal(xml_count(page, "//th[not(@scope)] | //table[not(caption)]"), 0);
    assert_int_equal(xml_count(page, "//body/a[1][@class=\"skip\"]"), 1);
    assert_int_equal(xml_count(page, "//*[@aria-labelledby][not(@aria-labelledby = //@id)]"), 0);
    assert_int_equal(
        xml_count(page, "//input[not(ancestor::label)] | //select[not(ancestor::label)]"), 0);
    /* Without scripts a page shows everything except its filters. */
    assert_int_equal(xml_count(page, "//*[@hidden]"), 2);
    assert_int_equal(xml_count(page, "//form[@hidden] | //p[@id=\"nothing\"][@hidden]"), 2);
    /* Nothing is told by colour alone: there is a sign and a word, too. */
    assert_int_equal(xml_count(page,
                               "//span[contains(@class, \"word \")][not(span[@aria-hidden]) or "
                               "string-length(span[2]) < 5]"),
                     0);
}

/* WCAG 2.2, relative luminance and contrast ratio. */
static double luminance(const char *style, const char *name)
{
    double sum = 0, weight[] = { 0.2126, 0.7152, 0.0722 };
    char start[32];
    unsigned c[3];
    snprintf(start, sizeof start, "--%s: ", name);
    const char *at = strstr(style, start);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(start), "#%2x%2x%2x", &c[0], &c[1], &c[2]), 3);
    for (int k = 0; k < 3; k++) {
        double x = c[k] / 255.0;
        sum += weight[k] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* WCAG 1.4.3: 4.5 for all words, on light and on dark screens. */
static void words_have_contrast(void **state)
{
    static const char *const ink[] = { "ink", "soft", "link", "good", "bad", "open", "odd", "none" };
    static const char *const ground[] = { "page", "plate", "tint" };
    const char *light = strstr(page_parts[0].text, ":root {");
    const char *style[] = { light, strstr(light + 1, ":root {") };
    for (int k = 0; k < 2 * 8 * 3; k++) {
        double a = luminance(style[k % 2], ink[k / 2 % 8]);
        double b = luminance(style[k % 2], ground[k / 16]);
        assert_true((fmax(a, b) + 0.05) / (fmin(a, b) + 0.05) >= 4.5);
    }
}

static void figures_are_inside_and_say_what_they_show(void **state)
{
    PARSER();
    if (system("gnuplot --version >/dev/null 2>&1")) {
        print_message("skip: no gnuplot\n");
        skip();
    }
    struct report_input in = input(false);
    const char *page = write_page(&in, "r");
    int figures = atoi(xml_said("ls %s/figures/*.svg | wc -l", in_folder("r")));
    assert_true(figures >= 4);
    assert_int_equal(xml_count(page, "//*[local-name()=\"svg\"]"), figures);
    assert_int_equal(xml_count(page, "//*[local-name()=\"svg\"][@role=\"img\"][@viewBox]"),
                     figures);
    assert_string_equal(
        xml_value(page, "string(//article[1]//*[local-name()=\"svg\"]/@aria-label)"),
        "mean excess against n (samples), logarithmic axes, 5 points from 4 to 1024. "
        "Measured n^-0.5 (-0.52 to -0.48), promised n^-0.5 +- 0.1: SUPPORTED. "
        "Control CAUGHT.");
    /* at most 60 kB a figure, and 150 kB for the rest */
    struct stat found;
    assert_int_equal(stat(page, &found), 0);
    assert_true(found.st_size < 60000 * figures + 150000);
    assert_int_equal(
        xml_count(page, "//*[local-name()=\"svg\"]//*[local-name()=\"title\" or @font-family]"), 0);
}

static const char *cell_of(const char *page, int claim_index, const char *label)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes, "string(//tr[@data-claim=\"%s\"]/td[@data-label=\"%s\"])",
             claim_index == J_RATE ? "alpha__sgd.rate.excess.n" : "beta__gd.count.batch_steps.T",
             label);
    return xml_value(page, nodes);
}

static void rows_and_sections_say_the_same(void **state)
{
    PARSER();
    struct report_input in = input(false);
    const char *page = write_page(&in, "r");
    assert_string_equal(cell_of(page, J_RATE, "measured"), "n\u22120.5 (\u22120.52 to \u22120.48)");
    assert_string_equal(cell_of(page, J_RATE, "promised"), "n\u22120.5 \u00b1 0.1");
    assert_string_equal(cell_of(page, J_RATE, "verdict"), "\u2713SUPPORTED");
    assert_string_equal(cell_of(page, J_RATE, "control"), "\u2713CAUGHT");
    assert_string_equal(cell_of(page, J_COUNT, "measured"), "formula +25%");
    assert_string_equal(cell_of(page, J_COUNT, "quantity"), "deviation from formula");
    assert_string_equal(cell_of(page, J_COUNT, "verdict"), "\u2717CONTRADICTED");
    static const char *const of_rate[][2] = {
        { "//p[@class=\"says\"]", "E F(x) \u2212 F* ~ n\u22121/2 | 'quoted', `echo` & <b>" },
        { "//dt[.=\"Measured\"]/following-sibling::dd[1]",
          "n\u22120.5 (\u22120.52 to \u22120.48)" },
        { "//table[@class=\"numbers\"]/tbody/tr[2]/td[2]", "0.5" }, /* 2 * 16^(-1/2) */
        { "//pre", "assay verify --claim 'alpha/sgd.rate.excess.n' --profile quick" }
    };
    for (size_t k = 0; k < sizeof of_rate / sizeof *of_rate; k++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes, "string(//article[1]%s)", of_rate[k][0]);
        assert_string_equal(xml_value(page, nodes), of_rate[k][1]);
    }
    assert_string_equal(
        xml_value(page, "string(//p[@class=\"summary\"])"),
        "8 claims: 2 supported, 2 contradicted, 1 inconclusive, 1 suspect, 2 not run; "
        "controls: 1 of 2 caught.");
    assert_int_equal(xml_count(page, "//article//p[@class=\"next\"]"), 3);
    assert_int_equal(xml_count(page, "//section[@aria-labelledby=\"failures\"]/pre"), 1);
    assert_int_equal(xml_count(page, "//*[@id=\"errata\"]"), 0);
    claim[J_COUNT].kind = KIND_ERRATUM;
    page = write_page(&in, "errata");
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//li/a/@href)"),
                        "#beta__gd.count.batch_steps.T");
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//dt[.=\"printed "
                                  "in\"]/following-sibling::dd[1])"),
                        claim[J_COUNT].cite);
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//dt[.=\"again\"]/following-sibling::dd[1])"),
                        "assay verify --claim 'beta/gd.count.batch_steps.T' --profile quick");
    assert_int_equal(xml_count(page, "//nav/a[@href=\"#errata\"]"), 1);
}

static void accepted_contradictions_are_listed(void **state)
{
    PARSER();
    struct report_input in = input(false);
    char baseline[128];
    snprintf(baseline, sizeof baseline, "%s/verdicts.csv", folder);
    in.baseline = baseline;
    const char *page = write_page(&in, "none");
    assert_int_equal(xml_count(page, "//*[@id=\"accepted\"]"), 0);
    FILE *out = fopen(in.baseline, "w");
    fputs("profile,claim,verdict,samples,reason,commit\r\n"
          "quick,beta/gd.count.batch_steps.T,CONTRADICTED,5,\"a quarter more, "
          "\"\"rounded\"\"\n<up>\",12ab\r\n"
          "quick,alpha/sgd.rate.excess.n,SUPPORTED,5,,12ab\nfull,elsewhere/x,SUSPECT", out);
    fclose(out);
    page = write_page(&in, "some");
    assert_int_equal(xml_count(page, "//*[@id=\"accepted\"]//li"), 2);
    assert_string_equal(xml_value(page, "normalize-space(//*[@id=\"accepted\"]//li[1])"),
                        "beta/gd.count.batch_steps.T CONTRADICTED: a quarter more, \"rounded\" "
                        "<up> quick, commit 12ab");
    assert_string_equal(xml_value(page, "string(//*[@id=\"accepted\"]//li[1]/a/@href)"),
                        "#beta__gd.count.batch_steps.T");
    assert_string_equal(xml_value(page, "normalize-space(//*[@id=\"accepted\"]//li[2])"),
                        "elsewhere/x SUSPECT full");
}

/* Two points, two replicates each; the control, a search and a failure do not count. */
static void counters_are_means_of_the_claims_own_runs(void **state)
{
    PARSER();
    static const double spent[7] = { 10, 30, 100, 300, 7777, 8888, 9999 };
    struct record *record[7];
    struct task task[7] = { 0 };
    for (int k = 0; k < 7; k++) {
        char cell[32];
        snprintf(cell, sizeof cell, "cell %d", k);
        record[k] = record_new(cell, "00ff");
        record_put(record[k], "count.sample_grads", spent[k]);
        record_put(record[k], "count.prox", 0);
        task[k] = (struct task){
            .claim = &claim[0], .axis = k < 2 ? 4 : 1024, .grid = -1, .cell = k
        };
    }
    task[4].role = ROLE_CONTROL;
    task[5].grid = 0;
    record_end(record[6], OUTCOME_CRASHED, "signal 11");
    struct planned_claim planned[JUDGED] = { { .claim = &claim[0], .task = task, .tasks = 7 } };
    struct plan plan = { .cells = 7, .claim = planned, .claims = JUDGED };
    struct report_input in = input(true);
    in.plan = &plan;
    in.record = record;
    const char *page = write_page(&in, "r");
    assert_int_equal(xml_count(page, "//details[summary=\"What a run spent\"]//tbody/tr"), 1);
    assert_string_equal(xml_value(page, "normalize-space(//details[1]//thead)"),
                        "counterat n = 4at n = 1024counts");
    assert_string_equal(xml_value(page, "normalize-space(//details[1]//tbody)"),
                        "sample_grads20200gradients of one sample at one point");
    assert_string_equal(xml_value(page, "string(//article[1]//details[2]/pre)"),
                        "assay rerun 'cell 0'");
    assert_string_equal(xml_value(page, "string(//section[@aria-labelledby=\"failures\"]/pre)"),
                        "assay rerun 'cell 6'");
    for (int k = 0; k < 7; k++)
        record_free(record[k]);
}

/* Texts come from plug-ins, files and signals. */
static void hostile_texts_stay_texts(void **state)
{
    PARSER();
    static const char hostile[] =
        "</script><script>alert(1)</script>]]>--><img src=x onerror=y> &amp; \"'\x01";
    static const char shown[] =
        "</script><script>alert(1)</script>]]>--><img src=x onerror=y> &amp; \"'\ufffd";
    struct report_input in = input(false);
    claim[J_RATE].says = claim[J_RATE].cite = claim[J_RATE].algo = hostile;
    claim[J_RATE].id = "alpha/<b>'\"&.\xff";
    claim[J_RATE].axis = "<i>";
    claim[J_RATE].control.why = hostile;
    in.command = hostile;
    snprintf(j[J_RATE].verdict.reason, sizeof j[J_RATE].verdict.reason, "%s", hostile);
    snprintf(j[J_SUSPECT].first_failure, sizeof j[J_SUSPECT].first_failure, "%s: %s", hostile,
             hostile);
    const char *page = write_page(&in, "r");
    assert_int_equal(xml_count(page, "//script"), 1);
    assert_int_equal(xml_count(page, "//img | //b | //i"), 0);
    assert_string_equal(xml_value(page, "string(//article[1]/p[@class=\"says\"])"), shown);
    assert_string_equal(xml_value(page, "string(//dt[.=\"command\"]/following-sibling::dd[1])"),
                        shown);
    assert_string_equal(xml_value(page, "string(//article[1]/h3)"), "alpha/<b>'\"&.\u00ff");
    const char *junit = in_folder("r/junit.xml");
    assert_true(xml_well_formed(junit));
    assert_int_equal(xml_count(junit, "//testcase"), JUDGED);
}

static void canonical_pages_are_the_same_bytes(void **state)
{
    struct report_input in = input(true), full = input(false);
    write_page(&in, "a");
    j[J_RATE].seconds = 99;
    in.command = "assay verify -j 1";
    write_page(&in, "b");
    write_page(&full, "full");
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && diff -r a b && ! grep -E ' seconds of|moon|-j 7|time=' "
             "a/index.html a/junit.xml && for w in ' seconds of' moon 'j 7'; do grep -q -- \"$w\" "
             "full/index.html || exit 1; done; grep -q 'time=\"123.456\"' full/junit.xml",
             folder);
    assert_int_equal(system(command), 0);
}

static void without_gnuplot_the_page_stands(void **state)
{
    PARSER();
    struct report_input in = input(true);
    char *path = strdup(getenv("PATH"));
    struct why why = { "" };
    setenv("PATH", "/nonexistent", 1);
    enum status s = report_write(&in, in_folder("r"), &why);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(s, OK);
    const char *page = in_folder("r/index.html");
    assert_true(xml_well_formed(page));
    assert_int_equal(xml_count(page, "//*[local-name()=\"svg\"] | //a[contains(@href, \".svg\")]"),
                     0);
    assert_true(xml_count(page, "//figcaption[contains(., \"gnuplot-nox\")]") >= 4);
    in.judgements = 0;
    in.infos = 0;
    page = write_page(&in, "empty");
    assert_string_equal(xml_value(page, "substring(//p[@class=\"summary\"], 1, 10)"), "0 claims: ");
}

/* The page must agree with the table results/baseline/statistics.csv. */
static void trust_shows_the_committed_table(void **state)
{
    PARSER();
    struct report_input in = input(true);
    const char *page = write_page(&in, "r");
    int rows = atoi(xml_said("awk -F, '$1 == \"coverage\" { print $2 $4 }' " SOURCE_DIR
                             "/results/baseline/statistics.csv | sort -u | wc -l"));
    assert_true(rows > 5);
    assert_int_equal(xml_count(page, "//section[@aria-labelledby=\"trust\"]/details[not(@open)]"),
                     1);
    assert_int_equal(
        xml_count(page, "//section[@aria-labelledby=\"trust\"]//div[2]/table/tbody/tr"), rows);
    int poor = atoi(xml_said("awk -F, '$1 == \"coverage\" && $11 == \"poor\"' " SOURCE_DIR
                             "/results/baseline/statistics.csv | wc -l"));
    assert_int_equal(xml_count(page, "//section[@aria-labelledby=\"trust\"]//td/em"), poor);
}

/* Two claims share their runs: 4 seconds, not 8. Then hours, and minutes of claims that share none. */
static void computing_is_counted_once(void **state)
{
    struct record one = { .seconds = 1.5 }, two = { .seconds = 2.5 }, *record[] = { &one, NULL, &two };
    struct plan plan = { .cells = 3 };
    struct judgement both[2] = { { .seconds = 4 }, { .seconds = 4 } };
    struct report_input in = { .plan = &plan, .record = record, .judgement = both, .judgements = 2 };
    assert_string_equal(report_computing(&in).at, "4 seconds of computing");
    two.seconds = 9000;
    assert_string_equal(report_computing(&in).at, "2.5 hours of computing");
    in.record = NULL;
    both[1].seconds = 596;
    assert_string_equal(report_computing(&in).at, "10 minutes of computing");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(page_is_whole), TEST(page_is_accessible), TEST(words_have_contrast),
        TEST(figures_are_inside_and_say_what_they_show), TEST(rows_and_sections_say_the_same),
        TEST(counters_are_means_of_the_claims_own_runs),
        TEST(accepted_contradictions_are_listed), TEST(hostile_texts_stay_texts),
        TEST(canonical_pages_are_the_same_bytes), TEST(without_gnuplot_the_page_stands),
        TEST(trust_shows_the_committed_table), cmocka_unit_test(computing_is_counted_once)
    };
    return cmocka_run_group_tests_name("report as a page", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report_html.c - the report as pages, from hand-made judgements, read back by xmllint. */
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

#define ALPHA "paper-alpha.html"
#define BETA  "paper-beta.html"

static void pages_are_whole(void **state)
{
    need("xmllint");
    struct report_input in = input(false);
    write_page(&in, "r");
    const char *all = all_pages("r");
    assert_int_equal(xml_count(all, "//page"), 4);
    assert_int_equal(xml_count(all, "//page[count(.//h1) != 1]"), 0);
    assert_int_equal(xml_count(all, "//article"), JUDGED);
    assert_int_equal(xml_count(all, "//table[@class=\"verdicts\"]/tbody/tr"), JUDGED);
    for (int k = 0; k < JUDGED; k++) {
        char nodes[400];
        snprintf(nodes, sizeof nodes, "//article[h3=\"%s\"]", claim[k].id);
        assert_int_equal(xml_count(all, nodes), 1);
    }
    /* Pages refer to each other and to files beside them, which exist, and to places that are in the pages. */
    assert_int_equal(xml_count(all, "//@href[contains(., \":\")] | //@src[contains(., \":\")]"), 0);
    assert_int_equal(
        xml_count(all,
                  "//@href[starts-with(., \"#\")][not(substring(., 2) = ancestor::page//@id)]"),
        0);
    assert_string_equal(
        xml_said("cd %s/r && for f in *.html; do grep -oE ' id=\"[^\"]*' $f | sort | uniq -d; done",
                 folder),
        "");
}

/* Pages of a report with another paper are removed; other files of the folder stay. */
static void pages_of_another_report_go(void **state)
{
    struct report_input in = input(false);
    write_page(&in, "r");
    assert_int_equal(access(in_folder("r/" BETA), F_OK), 0);
    assert_string_equal(xml_said("touch %s/r/reproduce-x.html 2>&1", folder), "");
    in.judgements = 2; /* only the two judgements of paper alpha */
    write_page(&in, "r");
    assert_int_equal(access(in_folder("r/" ALPHA), F_OK), 0);
    assert_int_equal(access(in_folder("r/" BETA), F_OK), -1);
    assert_int_equal(access(in_folder("r/reproduce-x.html"), F_OK), 0);
}

/* A claim that was not run is shown with the verdict that the store or the baseline has of it, and with a sign; it
 * counts as not run. */
static void the_last_verdict_is_shown(void **state)
{
    need("xmllint");
    struct standing before[2] = {
        { .claim = "beta/gd.rate.late",
          .profile = "full",
          .word = SUPPORTED,
          .reason = "run of 2026-05-04" },
        { .claim = "alpha/sgd.rate.excess.n", .profile = "full", .word = SUSPECT }
    };
    struct standings last = { before, 2 };
    struct report_input in = input(false);
    in.last = &last;
    const char *page = write_page_of(&in, "r", BETA);
    assert_string_equal(
        xml_value(page, "normalize-space(//tr[@data-claim=\"beta__gd.rate.late\"]/td[@data-label=\""
                        "verdict\"])"),
        "\u2713SUPPORTED not run now; before, in profile full, run of 2026-05-04");
    /* The table is sorted by the word that it shows: this claim has the key of the supported ones. */
    assert_int_equal(xml_count(page, "//tr[@data-claim=\"beta__gd.rate.late\"]/td[@data-label=\"verdict\"]"
                                     "[@data-key=\"6\"]"), 1);
    page = write_page_of(&in, "r", ALPHA);
    assert_string_equal(
        xml_value(page,
                  "normalize-space(//tr[@data-claim=\"alpha__sgd.rate.excess.n\"]/td[@data-label="
                  "\"verdict\"])"),
        "\u2713SUPPORTED");
    page = write_page(&in, "r");
    assert_true(strstr(xml_value(page, "string(//p[@class=\"summary\"])"), "2 not run") != NULL);
    in.canonical = true; /* the canonical report leaves out the date of a run */
    page = write_page_of(&in, "c", BETA);
    assert_int_equal(xml_count(page, "//*[contains(., \"2026-05-04\")]"), 0);
}

/* Pages have what WCAG 1.1.1, 1.3.1, 2.4.1, 2.4.6 and 3.1.1 ask for, as far as it can be counted: texts for
 * pictures, labels of inputs, captions and heads of tables, a link that skips to the text, and the language. */
static void pages_are_accessible(void **state)
{
    need("xmllint");
    struct report_input in = input(false);
    write_page(&in, "r");
    const char *all = all_pages("r");
    assert_int_equal(xml_count(all, "//html[@lang=\"en\"]"), 4);
    assert_int_equal(xml_count(all, "//th[not(@scope)] | //table[not(caption)]"), 0);
    assert_int_equal(xml_count(all, "//body/a[1][@class=\"skip\"][@href=\"#main\"]"), 4);
    assert_int_equal(xml_count(all, "//*[@aria-labelledby][not(@aria-labelledby = //@id)]"), 0);
    assert_int_equal(xml_count(all, "//img[not(@alt)] | //object[not(@aria-label)]"), 0);
    assert_int_equal(
        xml_count(all, "//input[not(ancestor::label)] | //select[not(ancestor::label)]"), 0);
    /* Without scripts a page shows everything except its filters. */
    int forms = xml_count(all, "//form");
    assert_int_equal(forms, 2);
    assert_int_equal(xml_count(all, "//*[@hidden]"), 2 * forms);
    assert_int_equal(xml_count(all, "//form[@hidden] | //p[@id=\"nothing\"][@hidden]"), 2 * forms);
    /* Nothing is shown by colour alone: there is a sign and a word, too. */
    assert_int_equal(
        xml_count(all,
                  "//span[contains(@class, \"word \")][not(@title)][not(span[@aria-hidden]) or "
                  "string-length(span[2]) < 5]"),
        0);
    /* Terms of the glossary have their explanation. */
    assert_int_equal(
        xml_count(all, "//dt/abbr[.=\"Control\"][contains(@title, \"known to be wrong\")]"),
        JUDGED);
}

/* Returns the relative luminance of WCAG 2.2, from which contrast ratios are computed. */
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

/* Words have a contrast ratio of 4.5 or more (WCAG 1.4.3), on light and on dark screens. */
static void words_have_contrast(void **state)
{
    static const char *const ink[] = { "ink", "soft", "link", "good", "bad", "open", "odd", "none" };
    static const char *const ground[] = { "page", "plate", "tint" };
    const char *light = strstr(template_text(page_parts, "report.css"), ":root {");
    const char *style[] = { light, strstr(light + 1, ":root {") };
    for (int k = 0; k < 2 * 8 * 3; k++) {
        double a = luminance(style[k % 2], ink[k / 2 % 8]);
        double b = luminance(style[k % 2], ground[k / 16]);
        assert_true((fmax(a, b) + 0.05) / (fmin(a, b) + 0.05) >= 4.5);
    }
}

static void figures_say_what_they_show(void **state)
{
    need("xmllint");
    need("gnuplot");
    struct report_input in = input(false);
    const char *page = write_page_of(&in, "r", ALPHA);
    int figures = atoi(xml_said("ls %s/figures/*.svg | wc -l", in_folder("r")));
    assert_true(figures >= 4);
    const char *all = all_pages("r");
    assert_int_equal(
        xml_count(all, "//object[@type=\"image/svg+xml\"][starts-with(@data, \"figures/\")]"),
        figures);
    assert_int_equal(xml_count(all, "//td[@data-label=\"figure\"]/img[@loading=\"lazy\"]"),
                     figures);
    assert_string_equal(
        xml_value(page, "string(//article[1]//object/@aria-label)"),
        "mean excess against n (samples), logarithmic axes, 5 points from 4 to 1024. "
        "Measured n^-0.5 (-0.52 to -0.48), promised n^-0.5 +- 0.1: SUPPORTED. "
        "Control CAUGHT.");
    /* There is one script for all figures, and each figure can be drawn larger or smaller. */
    assert_int_equal(access(in_folder("r/figures/gnuplot_svg.js"), F_OK), 0);
    assert_string_equal(
        xml_said(
            "cd %s/r/figures && grep -L 'xlink:href=\"./gnuplot_svg.js\"' *.svg; grep -L viewBox "
            "*.svg",
            folder),
        "");
    /* A drawing is kept as long as script and data are the same, and is drawn anew when they change. */
    xml_said("cd %s/r/figures && for f in *.svg; do echo '<!-- kept -->' >> $f; done", folder);
    write_page(&in, "r");
    assert_int_equal(atoi(xml_said("cd %s/r/figures && grep -l kept *.svg | wc -l", folder)),
                     figures);
    j[J_RATE].fit.point[0].axis *= 1.5;
    write_page(&in, "r");
    assert_int_equal(atoi(xml_said("cd %s/r/figures && grep -l kept *.svg | wc -l", folder)),
                     figures - 1);
}

/* --figures pdf: a PDF of each drawing, and a LaTeX figure that includes it, in whose caption no character is a
 * command. */
static void figures_for_papers(void **state)
{
    struct report_input in = input(false);
    need("gnuplot");
    claim[J_RATE].says = "50% of $x_1$ & {y}\\input{z}";
    in.pdf = true;
    write_page(&in, "r");
    int figures = atoi(xml_said("ls %s/r/figures/*.svg | wc -l", folder));
    assert_true(figures >= 4);
    assert_int_equal(
        atoi(xml_said("cd %s/r/figures && head -qc 5 *.pdf | grep -o '%%PDF-' | wc -l", folder)),
        figures);
    assert_int_equal(atoi(xml_said("ls %s/r/figures/*.tex | wc -l", folder)), figures);
    assert_string_equal(
        xml_said("cat %s/r/figures/alpha__sgd.rate.excess.n.tex", folder),
        "\\begin{figure}\n\\centering\n\\includegraphics{alpha__sgd.rate.excess.n.pdf}\n"
        "\\caption{50\\% of \\$x\\_1\\$ \\& \\{y\\}\\textbackslash{}input\\{z\\}}\n"
        "\\label{fig:alpha__sgd.rate.excess.n}\n\\end{figure}\n");
    in.pdf = false; /* a report without PDF removes the .pdf and .tex files of the report before it */
    write_page(&in, "r");
    assert_string_equal(xml_said("ls %s/r/figures | grep -e pdf -e tex", folder), "");
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
    need("xmllint");
    struct report_input in = input(false);
    const char *index = write_page(&in, "r"), *page = write_page_of(&in, "r", ALPHA);
    const char *beta = write_page_of(&in, "r", BETA),
               *about = write_page_of(&in, "r", "about.html");
    assert_string_equal(cell_of(page, J_RATE, "measured"), "n\u22120.5 (\u22120.52 to \u22120.48)");
    assert_string_equal(cell_of(page, J_RATE, "promised"), "n\u22120.5 \u00b1 0.1");
    assert_string_equal(cell_of(page, J_RATE, "verdict"), "\u2713SUPPORTED");
    assert_string_equal(cell_of(page, J_RATE, "control"), "\u2713CAUGHT");
    assert_string_equal(cell_of(beta, J_COUNT, "measured"), "formula +25%");
    assert_string_equal(cell_of(beta, J_COUNT, "quantity"), "deviation from formula");
    assert_string_equal(cell_of(beta, J_COUNT, "verdict"), "\u2717CONTRADICTED");
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
        xml_value(index, "string(//p[@class=\"summary\"])"),
        "8 claims: 2 supported, 2 contradicted, 1 inconclusive, 1 suspect, 2 not run; "
        "controls: 1 of 2 caught.");
    assert_int_equal(xml_count(page, "//article//p[@class=\"next\"]") +
                         xml_count(beta, "//article//p[@class="
                                         "\"next\"]"),
                     3);
    assert_int_equal(xml_count(about, "//section[@id=\"failures\"]/pre"), 1);
    assert_int_equal(xml_count(index, "//*[@id=\"errata\"]"), 0);
    /* Contradicted claims stand first on the page, each with a link to its details. */
    assert_int_equal(xml_count(index, "//main//section[1][@id=\"against\"]//li"), 3);
    assert_string_equal(
        xml_value(index,
                  "string(//*[@id=\"against\"]//li[a=\"beta/gd.count.batch_steps.T\"]/a/@href)"),
        BETA "#beta__gd.count.batch_steps.T");
    claim[J_COUNT].kind = KIND_ERRATUM;
    page = write_page(&in, "errata");
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//li/a/@href)"),
                        BETA "#beta__gd.count.batch_steps.T");
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//dt[.=\"printed "
                                  "in\"]/following-sibling::dd[1])"),
                        claim[J_COUNT].cite);
    assert_string_equal(xml_value(page, "string(//*[@id=\"errata\"]//dt[.=\"again\"]/following-sibling::dd[1])"),
                        "assay verify --claim 'beta/gd.count.batch_steps.T' --profile quick");
    /* A contradiction that nobody has accepted is called new, also one of an erratum. */
    assert_int_equal(xml_count(page, "//*[@id=\"against\"]//li[contains(., \"finding\")]"), 0);
    assert_int_equal(xml_count(page, "//*[@id=\"against\"]/h3[starts-with(., \"New\")]"), 1);
}

static void accepted_contradictions_are_listed(void **state)
{
    need("xmllint");
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
    /* The accepted contradiction is called a finding; the other two are called new. */
    assert_int_equal(xml_count(page, "//*[@id=\"against\"]/ul[1]/li"), 2);
    assert_int_equal(xml_count(page, "//*[@id=\"against\"]/ul[2]/li[contains(., \"finding\")]"), 1);
    assert_string_equal(xml_value(page, "string(//*[@id=\"against\"]/ul[2]/li/a)"), "beta/gd.count.batch_steps.T");
    assert_int_equal(xml_count(page, "//*[@id=\"against\"]/ul[2]/li[contains(@title, \"a quarter more\")]"), 1);
    assert_int_equal(xml_count(page, "//*[@id=\"accepted\"]//li"), 2);
    assert_string_equal(xml_value(page, "normalize-space(//*[@id=\"accepted\"]//li[1])"),
                        "beta/gd.count.batch_steps.T CONTRADICTED: a quarter more, \"rounded\" "
                        "<up> quick, commit 12ab");
    assert_string_equal(xml_value(page, "string(//*[@id=\"accepted\"]//li[1]/a/@href)"),
                        BETA "#beta__gd.count.batch_steps.T");
    assert_string_equal(xml_value(page, "normalize-space(//*[@id=\"accepted\"]//li[2])"),
                        "elsewhere/x SUSPECT full");
}

/* In four nights the level of a claim rises by half. A graph shows the level, with a point for each night and its
 * verdict, and another one the time. The measurements of the night before are drawn under the present ones. */
static void a_claim_has_its_nights(void **state)
{
    need("xmllint");
    struct night night[4];
    struct history h = { night, 4 };
    for (int k = 0; k < 4; k++) {
        struct standing s = { .profile = "quick", .word = k < 3 ? SUPPORTED : INCONCLUSIVE, .cells = 8,
                              .scale = SCALE_LOG, .seconds = 1 + k, .own.groups = 2 };
        snprintf(s.claim, sizeof s.claim, "%s", claim[J_RATE].id);
        s.own.level[0] = log(k < 2 ? 0.5 : 0.75);
        s.own.level[1] = log(k < 2 ? 0.5 : 0.75);
        night[k] = (struct night){ .run = k + 1, .commit = "c" };
        snprintf(night[k].started, sizeof night[k].started, "2026-05-%02dT02:00:00Z", k + 1);
        standings_put(&night[k].standings, &s);
    }
    struct judgement before[JUDGED];
    memcpy(before, j, sizeof before);
    for (int k = 0; k < JUDGED; k++)
        before[k].fit.points = k == J_RATE ? j[k].fit.points : 0;
    before[J_RATE].fit.point[0].y.value *= 3;
    struct report_input in = input(false);
    in.history = &h;
    in.before = before;
    const char *page = write_page_of(&in, "r", ALPHA);
    assert_int_equal(xml_count(page, "//*[local-name()=\"svg\"][@class=\"nights\"]"), 2);
    assert_int_equal(xml_count(page, "//*[local-name()=\"circle\"]"), 4);
    assert_int_equal(xml_count(page, "//*[local-name()=\"circle\"][@class=\"open\"]"), 1);
    assert_string_equal(xml_value(page, "string(//*[local-name()=\"circle\"][3]/*)"),
                        "2026-05-03: 0.75, SUPPORTED");
    assert_int_equal(xml_count(page, "//details[@open][summary=\"4 nights\"]"), 1);
    assert_int_equal(atoi(xml_said("grep -c '^before' %s/r/figures/alpha__sgd.rate.excess.n.tsv", folder)), 5);
    assert_int_equal(atoi(xml_said("grep -l '^before' %s/r/figures/*.tsv | wc -l", folder)), 1);
    assert_int_equal(
        atoi(xml_said("grep -c '<text>the night before<' %s/r/figures/alpha__sgd.rate.excess.n.svg", folder)), 1);
    in.history = NULL;
    assert_int_equal(xml_count(write_page_of(&in, "r", ALPHA), "//*[local-name()=\"svg\"]"), 0);
    for (int k = 0; k < 4; k++)
        standings_free(&night[k].standings);
}

/* The claim has sixty nights, the last twenty with another verdict. Its row has two cells. The page is longer than
 * that of three nights only by the dates of two headings and the points of two graphs, less than 20 kB. If nothing
 * has changed there is no graph of the level. */
static void many_nights_are_a_short_page(void **state)
{
    need("xmllint");
    struct night night[NIGHTS];
    struct history h = { night, 3 };
    for (int k = 0; k < NIGHTS; k++) {
        struct standing s = { .profile = "quick", .word = k < 40 ? SUPPORTED : INCONCLUSIVE, .cells = 8,
                              .seconds = 1, .own = { .groups = 2, .level = { 0.5, 0.5 } } };
        snprintf(s.claim, sizeof s.claim, "%s", claim[J_RATE].id);
        night[k] = (struct night){ .run = k + 1, .commit = "c" };
        unsigned days = (unsigned)k;
        snprintf(night[k].started, sizeof night[k].started, "2026-%02u-%02uT02:00:00Z", 5 + days / 30 % 7,
                 1 + days % 30);
        standings_put(&night[k].standings, &s);
    }
    struct report_input in = input(false);
    in.history = &h;
    const char *page = write_page_of(&in, "r", ALPHA);
    assert_int_equal(xml_count(page, "//*[local-name()=\"svg\"][@class=\"nights\"]"), 1);
    long few = atol(xml_said("wc -c < %s/r/nights.html", folder));
    h.nights = NIGHTS;
    page = write_page_of(&in, "r", "nights.html");
    long many = atol(xml_said("wc -c < %s/r/nights.html", folder));
    assert_true(few > 1000 && many > few && many < few + 20000);
    assert_int_equal(xml_count(page, "//table[caption[contains(., \"Claim\")]]/tbody/tr[1]/td"), 2);
    assert_int_equal(xml_count(page, "//table[caption[contains(., \"Claim\")]]/tbody/tr[1]/td[@colspan=40]"), 1);
    assert_string_equal(xml_value(page, "string(//table[caption[contains(., \"Claim\")]]/tbody/tr[1]/td[2]/*"
                                        "/@title)"),
                        "2026-06-11 to 2026-06-30: INCONCLUSIVE");
    for (int k = 0; k < NIGHTS; k++)
        standings_free(&night[k].standings);
}

/* The counters of a claim are means over its own runs, here two points with two replicates each. Runs of the
 * control, of a search and failed runs do not count. */
static void counters_are_means_of_the_claims_own_runs(void **state)
{
    need("xmllint");
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
    const char *page = write_page_of(&in, "r", ALPHA);
    assert_int_equal(xml_count(page, "//details[summary=\"What a run spent\"]//tbody/tr"), 1);
    assert_string_equal(xml_value(page, "normalize-space(//details[1]//thead)"),
                        "counterat n = 4at n = 1024counts");
    assert_string_equal(xml_value(page, "normalize-space(//details[1]//tbody)"),
                        "sample_grads20200gradients of one sample at one point");
    assert_string_equal(xml_value(page, "string(//article[1]//details[2]/pre)"),
                        "assay rerun 'cell 0'");
    assert_string_equal(
        xml_value(write_page_of(&in, "r", "about.html"), "string(//section[@id=\"failures\"]/pre)"),
        "assay rerun 'cell 6'");
    for (int k = 0; k < 7; k++)
        record_free(record[k]);
}

/* Texts that come from plug-ins, files and signals, and look like markup, are shown as text. */
static void hostile_texts_stay_texts(void **state)
{
    need("xmllint");
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
    const char *page = write_page_of(&in, "r", ALPHA),
               *about = write_page_of(&in, "r", "about.html");
    const char *all = all_pages("r");
    assert_int_equal(xml_count(all, "//script[@src=\"report.js\"]"), 4);
    assert_int_equal(
        xml_count(all,
                  "//script[not(@src)] | //img[not(starts-with(@src, \"figures/\"))] | //b | //i"),
        0);
    assert_string_equal(xml_value(page, "string(//article[1]/p[@class=\"says\"])"), shown);
    assert_string_equal(xml_value(about, "string(//dt[.=\"command\"]/following-sibling::dd[1])"),
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
             "a/*.html a/junit.xml && for w in ' seconds of' moon 'j 7'; do grep -q -- \"$w\" "
             "full/*.html || exit 1; done; grep -q 'time=\"123.456\"' full/junit.xml",
             folder);
    assert_int_equal(system(command), 0);
}

static void without_gnuplot_the_page_stands(void **state)
{
    need("xmllint");
    struct report_input in = input(true);
    char *path = strdup(getenv("PATH"));
    struct why why = { "" };
    setenv("PATH", "/nonexistent", 1);
    enum status s = report_write(&in, in_folder("r"), &why);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(s, OK);
    const char *page, *all = all_pages("r");
    assert_int_equal(xml_count(all, "//object | //img | //a[contains(@href, \".svg\")]"), 0);
    assert_true(xml_count(all, "//figcaption[contains(., \"gnuplot-nox\")]") >= 4);
    in.judgements = 0;
    in.infos = 0;
    page = write_page(&in, "empty");
    assert_string_equal(xml_value(page, "substring(//p[@class=\"summary\"], 1, 10)"), "0 claims: ");
}

/* The section on trust has a row for each interval and noise of the table results/baseline/statistics.csv, and
 * marks as many coverages as poor as the table does. */
static void trust_shows_the_committed_table(void **state)
{
    need("xmllint");
    struct report_input in = input(true);
    const char *page = write_page_of(&in, "r", "about.html");
    int rows = atoi(xml_said("awk -F, '$1 == \"coverage\" { print $2 $4 }' " SOURCE_DIR
                             "/results/baseline/statistics.csv | sort -u | wc -l"));
    assert_true(rows > 5);
    assert_int_equal(xml_count(page, "//section[@id=\"trust\"]/details[not(@open)]"), 1);
    assert_int_equal(xml_count(page, "//section[@id=\"trust\"]//div[2]/table/tbody/tr"), rows);
    int poor = atoi(xml_said("awk -F, '$1 == \"coverage\" && $11 == \"poor\"' " SOURCE_DIR
                             "/results/baseline/statistics.csv | wc -l"));
    assert_int_equal(xml_count(page, "//section[@id=\"trust\"]//td/em"), poor);
}

/* Two claims that share their runs take 4 seconds together, not 8. A longer time is printed in hours. Without the
 * records the times of the claims are added up, here to minutes. */
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
    const struct CMUnitTest tests[] = { TEST(pages_are_whole),
                                        TEST(pages_of_another_report_go),
                                        TEST(the_last_verdict_is_shown),
                                        TEST(pages_are_accessible),
                                        TEST(words_have_contrast),
                                        TEST(figures_say_what_they_show),
                                        TEST(figures_for_papers),
                                        TEST(rows_and_sections_say_the_same),
                                        TEST(counters_are_means_of_the_claims_own_runs),
                                        TEST(accepted_contradictions_are_listed),
                                        TEST(a_claim_has_its_nights), TEST(many_nights_are_a_short_page),
                                        TEST(hostile_texts_stay_texts),
                                        TEST(canonical_pages_are_the_same_bytes),
                                        TEST(without_gnuplot_the_page_stands),
                                        TEST(trust_shows_the_committed_table),
                                        cmocka_unit_test(computing_is_counted_once) };
    return cmocka_run_group_tests_name("report as pages", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report.c - the report on disk, from hand-made judgements. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/judged.h"
#include "plan/names.h"
#include "report/report.h"
#include "report/report_formats.h"

static struct judgement j[JUDGED];
static char folder[64];

static int setup(void **state)
{
    judged_fill(j);
    strcpy(folder, "/tmp/assay-report-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static char *in_folder(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *slurp(const char *name)
{
    FILE *in = fopen(in_folder(name), "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(in);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

static const struct store_info info[] = { { "commit", "feedface" },
                                          { "compiler", "cc 1.0" },
                                          { "host", "moon" },
                                          { "started", "2001-01-01" } };

static struct report_input input(bool canonical)
{
    static struct plan plan;
    return (struct report_input){ .plan = &plan, .judgement = j, .judgements = JUDGED, .info = info,
                                  .infos = 4, .profile = PROFILE_QUICK, .canonical = canonical,
                                  .command = "assay verify -j 7" };
}

static void write_report(const struct report_input *in, const char *name)
{
    struct why why = { "" };
    assert_int_equal(report_write(in, in_folder(name), &why), OK);
}

static void every_claim_once_and_links_lead_somewhere(void **state)
{
    struct report_input in = input(false);
    write_report(&in, "deep/er");
    char *text = slurp("deep/er/report.md"), line[600];
    int links = 0;
    for (int k = 0; k < JUDGED; k++) {
        snprintf(line, sizeof line, "\n### `%s`\n", j[k].claim->id);
        assert_int_equal(count(text, line), 1);
        snprintf(line, sizeof line, "\n| [`%s`](#", j[k].claim->id);
        assert_int_equal(count(text, line), 1);
    }
    for (char *s = text; (s = strstr(s, "](")); s++) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(s + 2, ")"), s + 2);
        char path[700], anchor[700];
        snprintf(path, sizeof path, "deep/er/%s", line);
        snprintf(anchor, sizeof anchor, "<a id=\"%s\"></a>", line + 1);
        if (*line == '#')
            assert_int_equal(count(text, anchor), 1);
        else
            assert_int_equal(access(in_folder(path), R_OK), 0);
        links++;
    }
    assert_true(links > 2 * JUDGED);
    assert_non_null(strstr(text,
                           "8 claims: 2 supported, 2 contradicted, 1 inconclusive, 1 suspect, "
                           "2 not run"));
    assert_non_null(strstr(text, "Aggregated"));
    assert_int_equal(count(text, "EXPLORATORY: settings"), 1);
    /* Bars and backticks of a statement do not become those of a table or of code. */
    assert_non_null(strstr(text, "\\| 'quoted', \\`echo\\` \\& \\<b\\> | n^-0.5"));
    free(text);
}

/* A hundred claims with the longest names have changed. The page counts the claims that it leaves out, is no longer
 * than a comment on a pull request may be, and its table adds up to the number of judged claims. */
static void a_page_for_a_pull_request(void **state)
{
    enum { CHANGED = 100 };
    static struct standing base[CHANGED], now[CHANGED];
    struct report_input in = input(false);
    for (int k = 0; k < CHANGED; k++) {
        base[k] = (struct standing){ .profile = "quick", .word = SUPPORTED, .cells = 1 };
        snprintf(base[k].claim, sizeof base[k].claim, "p/%03d*%0110d", k, 0);
        now[k] = base[k];
        now[k].word = INCONCLUSIVE;
        now[k].own.counts.of[COUNT_sample_grads] = 1;
    }
    struct comparison c = compare(&(struct standings){ base, CHANGED }, &(struct standings){ now, CHANGED },
                                  "quick", NULL, NULL);
    in.changes = &c;
    write_report(&in, "r");
    char *text = slurp("r/summary.md"), *row = strstr(text, "|---|---:|");
    assert_true(strlen(text) < 60000);
    assert_int_equal(count(text, "\n- **verdict** `p/"), 20);
    assert_non_null(strstr(text, "\n- and 80 more to be accepted or mended\n"));
    assert_non_null(strstr(text, "0 of 100 claims as before; **100 to be accepted or mended**."));
    assert_int_equal(count(text, "- **CONTRADICTED** `"), 2);
    assert_int_equal(count(text, "- **SUSPECT** `"), 1);
    int sum[6] = { 0 }, of[6];
    while ((row = strchr(row, '\n')) && sscanf(row, "\n| %*[^|]| %d | %d | %d | %d | %d | %d |", of, of + 1,
                                               of + 2, of + 3, of + 4, of + 5) == 6) {
        for (int w = 0; w < 6; w++)
            sum[w] += of[w];
        row++;
    }
    const int truth[6] = { JUDGED, 2, 2, 1, 1, 2 };
    assert_memory_equal(sum, truth, sizeof sum);
    free(text);
    free(c.change);
}

/* Far more claims are contradicted than fit on a page, each in a paper of its own and for a long reason. The page
 * says how many lines it leaves out. */
static void a_page_is_short_whatever_is_judged(void **state)
{
    enum { MANY = 3000 };
    struct judgement *many = calloc(MANY, sizeof *many);
    struct paper *papers = calloc(MANY, sizeof *papers);
    const struct paper *p;
    const struct claim *c;
    int n = 0;
    while (n < MANY)
        for (int k = 0; (p = paper_at(k, true)); k++)
            for (struct claim_walk all = claims_of(p); n < MANY && (c = next_claim(&all)); n++) {
                papers[n] = (struct paper){ .key = "a key of forty characters, as long as any" };
                many[n] = (struct judgement){ .claim = c, .paper = &papers[n], .verdict.word = CONTRADICTED };
                memset(many[n].verdict.reason, 'x', sizeof many[n].verdict.reason - 1);
            }
    struct report_input in = input(false);
    in.judgement = many;
    in.judgements = n;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_markdown(out, &in, NULL);
    fclose(out);
    assert_true(size > 30000 && size < 60000);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, " more lines stand in `report.md`."));
    free(text);
    free(many);
    free(papers);
}

/* Rows and headings of a table have the same number of bars. */
static void tables_are_rectangular(void **state)
{
    struct report_input in = input(false);
    write_report(&in, "r");
    char *text = slurp("r/report.md");
    int bars = 0, rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int n = 0;
        for (char *s = line; *line == '|' && *s; s++)
            n += *s == '|' && (s == line || s[-1] != '\\');
        if (n && bars)
            assert_int_equal(n, bars);
        rows += n > 0;
        bars = strchr(line, '#') == line || *line == '<' ? 0 : n ? n : *line == '|' ? bars : 0;
    }
    assert_true(rows > 40);
    free(text);
}

static void canonical_is_the_same_and_timeless(void **state)
{
    struct report_input in = input(true), full = input(false);
    write_report(&in, "a");
    j[J_RATE].seconds = 99;
    in.command = "assay verify -j 1";
    write_report(&in, "b");
    write_report(&full, "full");
    char *a = slurp("a/report.md"), *b = slurp("b/report.md"), *c = slurp("full/report.md");
    static const char *const variable[] = { "123", " seconds of", "moon", "2001", "-j 7" };
    assert_string_equal(a, b);
    for (size_t k = 0; k < sizeof variable / sizeof *variable; k++) {
        assert_null(strstr(a, variable[k]));
        assert_non_null(strstr(c, variable[k]));
    }
    assert_non_null(strstr(a, "feedface"));
    char command[256];
    snprintf(command, sizeof command, "diff -r %s/a %s/b", folder, folder);
    assert_int_equal(system(command), 0);
    free(a);
    free(b);
    free(c);
}

static int entries(const char *name)
{
    DIR *d = opendir(in_folder(name));
    int n = 0;
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static void nothing_is_half_written(void **state)
{
    struct report_input in = input(true);
    struct why why = { "" };
    FILE *file = fopen(in_folder("file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(report_write(&in, in_folder("file/report"), &why), IO_ERROR);
    assert_non_null(strstr(why.text, in_folder("file")));
    assert_int_equal(report_write(&in, in_folder("file"), &why), IO_ERROR);
    assert_non_null(strstr(why.text, in_folder("file")));
    assert_int_equal(entries(""), 1);

    /* The last step of writing fails: neither the new page nor the temporary folder is left behind. */
    assert_int_equal(mkdir(in_folder("blocked"), 0777), 0);
    assert_int_equal(mkdir(in_folder("blocked/report.md"), 0777), 0);
    assert_int_equal(report_write(&in, in_folder("blocked"), &why), IO_ERROR);
    assert_non_null(strstr(why.text, in_folder("blocked/report.md")));
    assert_int_equal(entries("blocked"), 2);
    assert_int_equal(entries("blocked/report.md"), 0);
}

static void without_gnuplot_the_report_stands(void **state)
{
    struct report_input in = input(true);
    char *path = strdup(getenv("PATH"));
    write_report(&in, "r");
    j[J_RATE].fit.point[0].axis *= 1.5;
    setenv("PATH", "/nonexistent", 1);
    write_report(&in, "r");
    setenv("PATH", path, 1);
    free(path);
    char *text = slurp("r/report.md");
    assert_non_null(strstr(text, "gnuplot-nox"));
    assert_null(strstr(text, "alpha__sgd.rate.excess.n.svg"));
    assert_int_equal(access(in_folder("r/figures/alpha__sgd.rate.excess.n.tsv"), R_OK), 0);
    assert_int_equal(access(in_folder("r/figures/alpha__sgd.rate.excess.n.gp"), R_OK), 0);
    /* The picture of the first report is removed, as it would not fit the new numbers. */
    assert_int_equal(access(in_folder("r/figures/alpha__sgd.rate.excess.n.svg"), F_OK), -1);
    free(text);
}

static void failures_come_with_their_rerun(void **state)
{
    struct report_input in = input(true);
    struct record *record[3] = { NULL, record_new("problem a | algo b | rep 0", ""),
                                 record_new("problem it's | algo c | rep 1", "") };
    struct plan plan = { .cells = 3 };
    write_report(&in, "first");
    char *text = slurp("first/report.md");
    assert_non_null(strstr(text, "\n    assay rerun 'problem nowhere | algo gd | rep 0'\n"));
    free(text);
    record_end(record[2], OUTCOME_TIMEOUT, "after 10 s");
    in.plan = &plan;
    in.record = record;
    write_report(&in, "all");
    text = slurp("all/report.md");
    assert_non_null(strstr(
        text, "timeout: after 10 s\n\n    assay rerun 'problem it'\\''s | algo c | rep 1'\n"));
    assert_int_equal(count(text, "assay rerun"), 1);
    free(text);
    record_end(record[2], OUTCOME_OK, NULL);
    write_report(&in, "none");
    text = slurp("none/report.md");
    assert_int_equal(count(text, "assay rerun"), 0);
    free(text);
    record_free(record[1]);
    record_free(record[2]);
}

static void empty_report_is_a_report(void **state)
{
    struct report_input in = input(true);
    in.judgements = 0;
    in.infos = 0;
    write_report(&in, "r");
    char *text = slurp("r/report.md");
    assert_non_null(strstr(text, "0 claims: 0 supported"));
    free(text);
}

/* Remarks are shown in Markdown, on the page and in the terminal: once, escaped, and only where there is one.
 * Words and numbers of the verdicts do not change. */
static void remarks_are_shown_and_judge_nothing(void **state)
{
    static struct claim remarked;
    struct report_input in = input(true);
    char *said, *text;
    size_t size;
    write_report(&in, "without");
    text = slurp("without/report.md");
    assert_int_equal(count(text, "Remark"), 0);
    free(text);
    remarked = *j[J_RATE].claim;
    remarked.remark = "At n < 10^3 the *second* term is | half of it.";
    j[J_RATE].claim = &remarked;
    write_report(&in, "with");
    text = slurp("with/report.md");
    assert_int_equal(count(text, "\n\nRemark: At n \\< 10^3 the \\*second\\* term is \\| half of it.\n"), 1);
    assert_int_equal(count(text, "Remark"), 1);
    free(text);
    text = slurp("with/paper-alpha.html");
    assert_int_equal(count(text, ">Remark: At n &lt; 10"), 1);
    free(text);
    FILE *out = open_memstream(&said, &size);
    for (int k = 0; k < JUDGED; k++)
        report_explain(out, &in, &j[k]);
    report_table_json(out, j, JUDGED);
    fclose(out);
    assert_int_equal(count(said, "  remark      At n < 10^3 the *second* term is | half of it.\n"), 1);
    assert_int_equal(count(said, "\"remark\":\"At n < 10^3 the *second* term is | half of it.\""), 1);
    assert_int_equal(count(said, "remark"), 1 + JUDGED);
    free(said);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_claim_once_and_links_lead_somewhere), TEST(tables_are_rectangular),
        TEST(a_page_for_a_pull_request),
        TEST(a_page_is_short_whatever_is_judged),
        TEST(canonical_is_the_same_and_timeless), TEST(nothing_is_half_written),
        TEST(without_gnuplot_the_report_stands), TEST(failures_come_with_their_rerun),
        TEST(empty_report_is_a_report), TEST(remarks_are_shown_and_judge_nothing)
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_figure.c - tables, scripts and pictures of hand-made judgements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/figure.h"
#include "report/figure_internal.h"
#include "support/judged.h"
#include "support/need.h"

static struct judgement j[JUDGED];
static struct sheet sheet;
static char folder[64];

static int setup(void **state)
{
    judged_fill(j);
    strcpy(folder, "/tmp/assay-figure-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static char *slurp(const char *name, const char *ending)
{
    static char text[1 << 20];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *in = fopen(path, "r");
    if (!in)
        return NULL;
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    return text;
}

static void write_all(struct figure *f)
{
    struct why why;
    for (int k = 0; k < JUDGED; k++)
        assert_int_equal(figure_write(&j[k], NULL, folder, &f[k], &why), OK);
}

static void names_are_file_names(void **state)
{
    char name[FIGURE_NAME];
    figure_name("paper/a.b.c.n", name);
    assert_string_equal(name, "paper__a.b.c.n");
    figure_name("../../etc/x y'`;$(z)", name);
    assert_string_equal(name, "_.__..__etc__x_y_____z_");
    char longer[400];
    memset(longer, '/', sizeof longer);
    longer[399] = 0;
    figure_name(longer, name);
    assert_true(strlen(name) < FIGURE_NAME);
}

/* row <- the rows of one series, read back from the text; returns their number. */
static int read_series(char *text, const char *series, double (*row)[4])
{
    int n = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *field[6], *rest = line;
        for (int k = 0; k < 6; k++)
            field[k] = strsep(&rest, "\t");
        assert_non_null(field[5]);
        assert_null(rest);
        if (strcmp(field[0], series))
            continue;
        for (int k = 0; k < 4; k++)
            row[n][k] = strtod(field[k + 2], NULL);
        n++;
    }
    return n;
}

static void table_reads_back(void **state)
{
    static struct figure f[JUDGED];
    double row[SHEET_ROWS][4];
    write_all(f);
    for (int k = 0; k < JUDGED; k++) {
        const struct fit *fit = &j[k].fit;
        assert_int_equal(f[k].data, k != J_NOT_RUN);
        if (!f[k].data)
            continue;
        assert_int_equal(read_series(slurp(f[k].name, "tsv"), "measured", row), fit->points);
        for (int i = 0; i < fit->points; i++) {
            assert_true(row[i][0] == fit->point[i].axis && row[i][1] == fit->point[i].y.value);
            assert_true(row[i][2] == fit->point[i].y.lo && row[i][3] == fit->point[i].y.hi);
        }
    }
    /* In the claim of an order the measured values are 1/axis, those of the rival, curve1, 4/axis, and those of
     * curve2, a second algorithm beside it, 8/axis. */
    assert_int_equal(read_series(slurp(f[J_ORDER].name, "tsv"), "curve2", row), JUDGED_POINTS);
    for (int i = 0; i < JUDGED_POINTS; i++)
        assert_true(row[i][1] == 8 / row[i][0]);
    /* The bound claim measures half of the bound 1/T, so that 1/T is drawn; the count claim measures 1.25 T, and
     * has the formula T. */
    assert_int_equal(read_series(slurp(f[J_BOUND].name, "tsv"), "formula", row), JUDGED_POINTS);
    for (int i = 0; i < JUDGED_POINTS; i++)
        assert_float_equal(row[i][1] * row[i][0], 1, 1e-12);
    assert_int_equal(read_series(slurp(f[J_COUNT].name, "tsv"), "formula", row), JUDGED_POINTS);
    for (int i = 0; i < JUDGED_POINTS; i++)
        assert_float_equal(row[i][1] / row[i][0], 1, 1e-12);
}

/* A name with a tab, a line's end or a quote, in which gnuplot would see other columns, stays one field. */
static void names_are_one_field(void **state)
{
    struct figure f;
    struct why why;
    double row[SHEET_ROWS][4];
    for (int k = 0; k < j[J_ORDER].curves; k++)
        j[J_ORDER].curve[k].name = "\"a\tb\nc";
    assert_int_equal(figure_write(&j[J_ORDER], NULL, folder, &f, &why), OK);
    assert_null(strchr(slurp(f.name, "tsv"), '"'));
    assert_int_equal(read_series(slurp(f.name, "tsv"), "curve2", row), JUDGED_POINTS);
    for (int i = 0; i < JUDGED_POINTS; i++)
        assert_true(row[i][0] == judged_axis(i) && row[i][1] == 8 / row[i][0]);
}

/* From T = 4 to T = 1024 the values fall by 72 powers of ten. An axis has at most nine labels and these are evenly
 * spaced, so that the last tick is within nine powers of the end of the axis. */
static void a_long_axis_has_ticks_to_its_end(void **state)
{
    static struct figure f;
    struct why why;
    double lo, hi, at, last = 0;
    judged_power(&j[J_RATE].fit, 1, -30, 0.1, 0);
    assert_int_equal(figure_write(&j[J_RATE], NULL, folder, &f, &why), OK);
    char *text = strstr(slurp(f.name, "gp"), "set yrange [");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "set yrange [%lf:%lf]", &lo, &hi), 2);
    assert_true(log10(hi / lo) > 60);
    text = strstr(text, "set ytics (");
    *strchr(text, '\n') = 0;
    for (char *tick = strchr(text, '\''); tick; tick = strchr(tick + 1, '\'')) {
        tick = strchr(tick + 1, '\'');
        last = sscanf(tick, "' %lf", &at) == 1 ? fmax(last, at) : last;
    }
    assert_true(last <= hi && last > hi * 1e-9);
}

/* The fitted line is 2 n^-0.49, and the promised law n^-0.5. The line of the law meets the fit at the centre of the
 * window, n = 64, with slope -0.5; the edges of the band meet it there with slopes -0.6 and -0.4. */
static void law_passes_through_the_fit(void **state)
{
    j[J_RATE].fit.rate.law.value[LAW_EXPONENT] = -0.49;
    sheet_fill(&sheet, &j[J_RATE]);
    assert_int_equal(sheet.count[SHEET_PROMISED], SHEET_GRID);
    for (int k = 0; k < sheet.rows; k++) {
        const struct sheet_row *r = &sheet.row[k];
        double fit = 2 * pow(r->axis, -0.49), centre = 2 * pow(64, -0.49), far = r->axis / 64;
        double a = centre * pow(far, -0.6), b = centre * pow(far, -0.4);
        if (r->kind == SHEET_FIT)
            assert_float_equal(r->y.value / fit, 1, 1e-12);
        if (r->kind == SHEET_PROMISED)
            assert_float_equal(r->y.value / (centre * pow(far, -0.5)), 1, 1e-12);
        if (r->kind == SHEET_BAND) {
            assert_float_equal(r->y.lo / fmin(a, b), 1, 1e-12);
            assert_float_equal(r->y.hi / fmax(a, b), 1, 1e-12);
        }
    }
    /* With a band that has no lower edge, y is not bounded from below on the right of the centre, nor from above on
     * the left of it. */
    struct judgement *open = &j[J_NOT_RUN];
    judged_power(&open->fit, 1, -1, 0, 0);
    sheet_fill(&sheet, open);
    for (int k = 0; k < sheet.rows; k++)
        if (sheet.row[k].kind == SHEET_BAND && fabs(sheet.row[k].axis - 64) > 1)
            assert_true(sheet.row[k].axis > 64 ? sheet.row[k].y.lo == 0 : isinf(sheet.row[k].y.hi));
}

static void what_has_no_logarithm_is_counted(void **state)
{
    static struct figure f[JUDGED];
    write_all(f);
    assert_string_equal(f[J_MOMENT].note, "1 value is zero, negative or infinite: not drawn");
    assert_string_equal(f[J_BOUND].note, "5 values are outside the frame (control)");
    assert_string_equal(f[J_RATE].note, "");
    assert_false(f[J_INFINITE].script);
    assert_non_null(strstr(f[J_INFINITE].note, "No figure"));
    assert_true(f[J_MOMENT].script);
}

static void frame_holds_all_but_far_controls(void **state)
{
    struct frame frame;
    for (int k = 0; k < JUDGED; k++) {
        sheet_fill(&sheet, &j[k]);
        if (!sheet_frame(&sheet, &frame))
            continue;
        for (int i = 0; i < sheet.rows; i++) {
            const struct sheet_row *r = &sheet.row[i];
            if (r->kind == SHEET_CONTROL || !(r->y.value > 0))
                continue;
            assert_true(r->axis > frame.x[0] && r->axis < frame.x[1]);
            assert_true(r->y.value > frame.y[0] && r->y.value < frame.y[1]);
        }
    }
    /* Intervals that are open on both sides do not change the frame. */
    struct frame bare;
    sheet_fill(&sheet, &j[J_RATE]);
    sheet.rows = JUDGED_POINTS;
    for (int i = 0; i < sheet.rows; i++)
        sheet.row[i].y.lo = sheet.row[i].y.hi = sheet.row[i].y.value;
    assert_true(sheet_frame(&sheet, &bare));
    for (int i = 0; i < sheet.rows; i++) {
        sheet.row[i].y.lo = 0;
        sheet.row[i].y.hi = INFINITY;
    }
    assert_true(sheet_frame(&sheet, &frame));
    assert_true(frame.y[0] == bare.y[0] && frame.y[1] == bare.y[1]);
    /* The measured values go from the top left to the bottom right corner. */
    sheet_fill(&sheet, &j[J_RATE]);
    sheet.rows = JUDGED_POINTS;
    assert_true(sheet_frame(&sheet, &frame));
    assert_string_equal(sheet_free_corner(&sheet, &frame, 0.3, 0.3), "top right");
    assert_null(sheet_free_corner(&sheet, &frame, 0.9, 0.9));
}

static void pictures_are_drawn_and_equal(void **state)
{
    static struct figure f[JUDGED];
    char *first;
    need("gnuplot");
    write_all(f);
    figure_draw(folder, NULL, false, f, JUDGED);
    for (int k = 0; k < JUDGED; k++) {
        assert_int_equal(f[k].drawn, f[k].script);
        if (f[k].drawn)
            assert_non_null(strstr(slurp(f[k].name, "svg"), "</svg>"));
    }
    first = strdup(slurp(f[J_ORDER].name, "svg"));
    assert_non_null(strstr(first, "nesterov"));
    figure_draw(folder, NULL, false, f, JUDGED);
    write_all(f);
    figure_draw(folder, NULL, false, f, JUDGED);
    assert_string_equal(first, slurp(f[J_ORDER].name, "svg"));
    assert_non_null(strstr(first, "xlink:href=\"./gnuplot_svg.js\""));
    free(first);
    assert_null(slurp("draw-all", "gp"));
    assert_non_null(strstr(slurp("gnuplot_svg", "js"), "gnuplot_svg = function"));
}

/* The statement of a claim is only text: its quotes, backticks and dollars reach neither a shell nor gnuplot. */
static void statements_are_not_commands(void **state)
{
    struct claim evil = judged_claim[J_ORDER];
    struct figure f;
    struct why why;
    char says[1024], path[128];
    need("gnuplot");
    snprintf(path, sizeof path, "%s/evil", folder);
    snprintf(says, sizeof says,
             "it's `touch %s` $(touch %s) \"; system('touch %s'); \\\n@x {/:Bold", path, path,
             path);
    evil.says = evil.control.why = says;
    j[J_ORDER].claim = &evil;
    assert_int_equal(figure_write(&j[J_ORDER], NULL, folder, &f, &why), OK);
    figure_draw(folder, NULL, false, &f, 1);
    assert_string_equal(f.note, "");
    assert_true(f.drawn);
    assert_int_equal(access(path, F_OK), -1);
}

/* Writes a program `gnuplot` that counts its starts, and then runs the commands `then`. */
static void put_program(const char *then)
{
    char path[128];
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    FILE *out = fopen(path, "w");
    fprintf(out, "#!/bin/sh\necho x >> %s/starts.txt\n%s\n", folder, then);
    fclose(out);
    chmod(path, 0755);
}

static void with_path(const char *path, struct figure *f, int n)
{
    char *before = strdup(getenv("PATH")), now[4096];
    snprintf(now, sizeof now, "%s%s", path, before);
    setenv("PATH", *path == ':' ? "/nonexistent" : now, 1);
    figure_draw(folder, NULL, false, f, n);
    setenv("PATH", before, 1);
    free(before);
}

static void one_process_and_one_more_per_failure(void **state)
{
    static struct figure f[JUDGED];
    char path[256], then[256];
    need("gnuplot");
    snprintf(then, sizeof then, "PATH=${PATH#*:}; exec gnuplot \"$@\"");
    put_program(then);
    snprintf(path, sizeof path, "%s:", folder);
    write_all(f);
    with_path(path, f, JUDGED);
    assert_string_equal(slurp("starts", "txt"), "x\n");

    write_all(f);
    char script[512];
    snprintf(script, sizeof script, "%s/%s.gp", folder, f[J_COUNT].name);
    FILE *out = fopen(script, "w");
    fputs("plot nonsense\n", out);
    fclose(out);
    with_path(path, f, JUDGED);
    assert_string_equal(slurp("starts", "txt"), "x\nx\nx\n");
    for (int k = 0; k < JUDGED; k++)
        assert_int_equal(f[k].drawn, f[k].script && k != J_COUNT);
    assert_non_null(strstr(f[J_COUNT].note, "undefined variable: nonsense"));
}

static void without_gnuplot_there_is_a_note(void **state)
{
    static struct figure f[JUDGED];
    write_all(f);
    with_path(":", f, JUDGED);
    for (int k = 0; k < JUDGED; k++) {
        assert_false(f[k].drawn);
        assert_int_equal(strstr(f[k].note, "gnuplot-nox") != NULL, f[k].script);
    }
    char path[256];
    put_program("echo out of luck >&2; exit 3");
    snprintf(path, sizeof path, "%s:", folder);
    write_all(f);
    with_path(path, f, 1);
    assert_string_equal(f[0].note, "No figure: gnuplot failed: out of luck");
}

static void unwritable_folder_is_named(void **state)
{
    struct figure f;
    struct why why = { "" };
    assert_int_equal(figure_write(&j[J_RATE], NULL, "/nonexistent/here", &f, &why), IO_ERROR);
    assert_non_null(
        strstr(why.text, "/nonexistent/here/alpha__sgd.rate.excess.n.tsv: No such file"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_are_file_names), TEST(table_reads_back), TEST(names_are_one_field),
        TEST(a_long_axis_has_ticks_to_its_end),
        TEST(law_passes_through_the_fit),
        TEST(what_has_no_logarithm_is_counted), TEST(frame_holds_all_but_far_controls),
        TEST(pictures_are_drawn_and_equal), TEST(statements_are_not_commands),
        TEST(one_process_and_one_more_per_failure), TEST(without_gnuplot_there_is_a_note),
        TEST(unwritable_folder_is_named)
    };
    return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}

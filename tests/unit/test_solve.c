/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solve.c - solve on a user's file: its output is compared with a Newton method written here, and epsilon with
 * the accountants; the model file is read back; labels, and bad input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "privacy/account.h"
#include "support/need.h"
#include "support/shell.h"

enum { N = 80, D = 3 };
static const double L2 = 0.05;

struct file { double a[N][D], y[N]; };

/* Writes records whose classes overlap, from a linear congruential generator; *f <- the same records in memory. */
static void write_file(const char *name, struct file *f)
{
    unsigned long s = 12345;
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    for (int i = 0; i < N; i++) {
        double score = 0;
        for (int j = 0; j < D; j++) {
            s = s * 6364136223846793005ul + 1442695040888963407ul;
            f->a[i][j] = rint((double)(s >> 40) / 0x1p24 * 4000) / 1000 - 1 + 2 * j;
            score += (j - 1.2) * (f->a[i][j] - 1 - 2 * j);
        }
        s = s * 6364136223846793005ul + 1442695040888963407ul;
        f->y[i] = score + 3 * ((double)(s >> 40) / 0x1p24 - 0.5) > 0 ? 1 : -1;
        fprintf(out, "%g", f->y[i]);
        for (int j = 0; j < D; j++)
            fprintf(out, " %d:%.3f", j + 1, f->a[i][j]);
        fprintf(out, "\n");
    }
    fclose(out);
}

static void zscores(struct file *f, double *mean, double *sd)
{
    for (int j = 0; j < D; j++) {
        mean[j] = sd[j] = 0;
        for (int i = 0; i < N; i++)
            mean[j] += f->a[i][j] / N;
        for (int i = 0; i < N; i++)
            sd[j] += (f->a[i][j] - mean[j]) * (f->a[i][j] - mean[j]) / N;
        sd[j] = sqrt(sd[j]);
        for (int i = 0; i < N; i++)
            f->a[i][j] = (f->a[i][j] - mean[j]) / sd[j];
    }
}

static void unit_rows(struct file *f)
{
    for (int i = 0; i < N; i++) {
        double square = 0;
        for (int j = 0; j < D; j++)
            square += f->a[i][j] * f->a[i][j];
        for (int j = 0; j < D; j++)
            f->a[i][j] /= sqrt(square);
    }
}

/* Returns F(x), the mean logistic loss of the records plus (L2/2)|x|^2; g, H <- its gradient and Hessian. */
static double objective(const struct file *f, const double *x, double *g, double H[D][D])
{
    double F = 0;
    for (int j = 0; j < D; j++) {
        F += L2 / 2 * x[j] * x[j];
        g[j] = L2 * x[j];
        for (int k = 0; k < D; k++)
            H[j][k] = j == k ? L2 : 0;
    }
    for (int i = 0; i < N; i++) {
        double m = f->y[i] * (f->a[i][0] * x[0] + f->a[i][1] * x[1] + f->a[i][2] * x[2]);
        double p = 1 / (1 + exp(m));
        F += log1p(exp(-m)) / N;
        for (int j = 0; j < D; j++) {
            g[j] -= p * f->y[i] * f->a[i][j] / N;
            for (int k = 0; k < D; k++)
                H[j][k] += p * (1 - p) * f->a[i][j] * f->a[i][k] / N;
        }
    }
    return F;
}

/* Returns min F by damped Newton steps, each solved by Cramer's rule. */
static double minimum(const struct file *f)
{
    double x[D] = { 0 }, g[D], H[D][D], F = 0;
    for (int t = 0; t < 100; t++) {
        F = objective(f, x, g, H);
        double c[D][D], det = 0;
        for (int j = 0; j < D; j++)
            for (int k = 0; k < D; k++)
                c[j][k] = H[(j + 1) % D][(k + 1) % D] * H[(j + 2) % D][(k + 2) % D] -
                          H[(j + 1) % D][(k + 2) % D] * H[(j + 2) % D][(k + 1) % D];
        for (int k = 0; k < D; k++)
            det += H[0][k] * c[0][k];
        for (int j = 0; j < D; j++)
            for (int k = 0; k < D; k++)
                x[j] -= (t < 20 ? 0.5 : 1) * c[k][j] * g[k] / det;
    }
    assert_true(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) < 1e-14);
    return F;
}

/* Returns the value in the line of `name` of a CSV file. */
static double value(const char *csv, const char *name)
{
    char line[2000], wanted[100];
    double v = NAN;
    FILE *f = fopen(csv, "r");
    assert_non_null(f);
    snprintf(wanted, sizeof wanted, ",,%s,", name);
    while (fgets(line, sizeof line, f))
        if (strstr(line, wanted))
            v = strtod(strstr(line, wanted) + strlen(wanted), NULL);
    fclose(f);
    if (isnan(v))
        fail_msg("no %s in %s", name, csv);
    return v;
}

/* Reads the model file: x, and mean and sd of each column where the file has them, else 0 and 1. Returns how many
 * numbers a line has, 2 or 4. */
static int read_model(const char *name, double *x, double *mean, double *sd)
{
    char line[1000];
    int columns = 0;
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        int j, n;
        double v[3];
        if (*line == '#')
            continue;
        n = sscanf(line, "%d %lf %lf %lf", &j, &v[0], &v[1], &v[2]);
        assert_true(n >= 2 && j >= 1 && j <= D);
        columns = n;
        x[j - 1] = v[0];
        mean[j - 1] = n == 4 ? v[1] : 0;
        sd[j - 1] = n == 4 ? v[2] : 1;
    }
    fclose(f);
    return columns;
}

/* Runs solve with text to a.txt and messages to err; returns the exit code. */
static int solve(const char *words)
{
    return shell("assay solve %s > a.txt 2> err", words);
}

static int begin(void **state)
{
    shell_begin();
    return 0;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* The printed objective is the one computed here at the point of the model file. The excess computed here is at
 * most the printed one, and less by at most its printed error. */
static void answers_and_models(void **state)
{
    static const char *const scalings[] = { "none", "zscore", "unit" };
    static const char *const algos[] = { "gd --T 40", "sgd --budget 4000", "nesterov --T 2000" };
    for (int k = 0; k < 9; k++) {
        struct file f;
        double x[D] = { 0 }, mean[D], sd[D], m[D], s[D], g[D], H[D][D];
        write_file("u.txt", &f);
        if (shell("assay solve --algorithm %s --data u.txt --l2 0.05 --scaling %s --format csv "
                  "--model m.txt "
                  "--force > a.csv 2> err",
                  algos[k / 3], scalings[k % 3]))
            fail_msg("%s", shell_read("err"));
        assert_int_equal(read_model("m.txt", x, m, s), k % 3 == 1 ? 4 : 2);
        if (k % 3 == 1) {
            zscores(&f, mean, sd);
            for (int j = 0; j < D; j++)
                assert_true(fabs(m[j] - mean[j]) < 1e-13 && fabs(s[j] - sd[j]) < 1e-13);
        } else if (k % 3 == 2) {
            unit_rows(&f);
        }
        double F = objective(&f, x, g, H), excess = F - minimum(&f);
        double reported = value("a.csv", "measure.excess"), error = value("a.csv", "error.excess");
        assert_true(fabs(value("a.csv", "measure.objective") - F) < 1e-14);
        /* 1e-15 is the rounding of the expected value itself. */
        assert_true(excess <= reported + 1e-15 && excess >= reported - error - 1e-15);
        assert_true(value("a.csv", "measure.gap") >= excess - 1e-15 && error < 1e-9);
        if (k >= 6)
            assert_true(excess < 1e-12);
    }
}

/* For one pass of DP-SGD with disjoint batches the run is mu-GDP with mu = C/(B sigma), which the exact curve
 * converts to epsilon. */
static void epsilon_of_a_run(void **state)
{
    struct file f;
    write_file("u.txt", &f);
    assert_int_equal(
        shell(
            "assay solve --algorithm dp-sgd --data u.txt --eps 2 --delta 1e-3 --set algo.sigma=0.7 "
            "--format csv > a.csv 2> err"),
        0);
    double mu = value("a.csv", "param.C") / (value("a.csv", "param.B") * 0.7);
    double exact = account_gaussian_eps(mu, 1e-3),
           zcdp = account_zcdp_bun_steinke(mu * mu / 2, 1e-3);
    assert_true(fabs(value("a.csv", "eps.exact") / exact - 1) < 1e-9);
    assert_true(fabs(value("a.csv", "eps.zcdp") / zcdp - 1) < 1e-9);
    assert_true(value("a.csv", "eps.delta") == 1e-3);
    /* For records of norm 1 and a ball of radius 1, L = 1 + l2 radius, which is also the clipping norm. */
    assert_true(fabs(value("a.csv", "param.C") - 1.01) < 1e-9);
    assert_int_equal(solve("--algorithm accelerated-dp-srgd --data u.txt --eps 2 --delta 1e-3 --verbose"), 0);
    assert_int_equal(shell("grep -q '^    exact  *2 ' a.txt && grep -q '^  private ' a.txt && "
                           "! grep -q 'NOT PRIVATE' a.txt && ! grep -q 'MORE WAS SPENT' a.txt"), 0);
    assert_int_equal(shell("grep -q 'nothing was released' a.txt"), 1);
    /* The noise is far less than the promise needs. */
    assert_int_equal(solve("--algorithm dp-sgd --data u.txt --eps 2 --set algo.sigma=0.01") ||
                     shell("grep -q 'MORE WAS SPENT' a.txt"), 0);
}

/* The first phase of the method takes 32 samples. With fewer samples nothing is released: the answer is the start,
 * at no privacy cost. */
static void nothing_released(void **state)
{
    assert_int_equal(solve("--problem linear --algorithm phased-sgd --d 4 --n 64 --eps 1 --budget 10 --verbose"),
                     0);
    assert_int_equal(shell("grep -q '^  nothing was released' a.txt && "
                           "grep -q '^    exact  *0 ' a.txt"), 0);
    assert_int_equal(solve("--problem linear --algorithm phased-sgd --d 4 --n 64 --eps 1"), 0);
    assert_int_equal(shell("grep -q 'nothing was released' a.txt"), 1);
}

/* If the target is a column in the middle that holds two texts, the results are those of a file with the target in
 * front, as -1 and 1. Without --verbose the output has at most 11 lines. */
static void target_of_a_csv(void **state)
{
    assert_int_equal(shell("awk 'BEGIN { print \"hours,\\\"of what\\\",sleep\"; for (i = 1; i <= 40; "
                           "i++) print i * 37 %% 101 / 10 \",\" "
                           "(i * 29 %% 41 > 20 ? \"\\\"spam\\\"\" : \"ham\") \",\" i * 53 %% 89 / 7 }' > t.csv && "
                           "awk -F, 'NR > 1 { print ($2 ~ /spam/ ? 1 : -1) \",\" $1 \",\" $3 }' t.csv "
                           "> plain.csv"), 0);
    assert_int_equal(solve("--algorithm nesterov --data plain.csv --l2 0.1 --T 50 --format json --canonical"), 0);
    assert_int_equal(shell("mv a.txt plain.json; mv err plain.err"), 0);
    assert_int_equal(solve("--algorithm nesterov --data t.csv --target 'of what' --l2 0.1 --T 50 --format json "
                           "--canonical"), 0);
    assert_true(shell_contains("err", "target: column 2 'of what' of t.csv: ham = -1, spam = 1"));
    assert_int_equal(shell("python3 -c \"import json\n"
                           "a, b = (json.load(open(f)) for f in ('plain.json', 'a.txt'))\n"
                           "assert a['answer'] == b['answer'] and a['record']['values'] == b['record']['values']\n"
                           "assert 0 < a['answer']['accuracy']['value'] < 1\""), 0);
    assert_int_equal(solve("--algorithm nesterov --data plain.csv --target 1 --l2 0.1 --T 50 --canonical"), 0);
    assert_true(shell_contains("err", "target: column 1 of plain.csv") && shell_lines("a.txt") <= 11);
    assert_int_equal(solve("--algorithm nesterov --data t.csv --target hours --loss squares --l2 0.1 --T 50"), 2);
    assert_true(shell_contains("err", "t.csv:2: column 'of what' is '"));
    assert_int_equal(shell("cut -d, -f1,3 t.csv > n.csv"), 0);
    assert_int_equal(solve("--algorithm nesterov --data n.csv --loss squares --l2 0.1 --T 50"), 0);
    assert_true(shell_contains("a.txt", "target    column 1 'hours' of n.csv (--target NAME chooses another)"));
    assert_int_equal(solve("--algorithm nesterov --data n.csv --loss squares --l2 0.1 --T 50 --verbose"), 0);
    assert_true(shell_contains("a.txt", "constants that the problem states") && shell_lines("a.txt") > 25);
}

/* Separators inside quotes separate nothing, and quotes inside a name are kept. */
static void quoted_names(void **state)
{
    assert_int_equal(shell("printf '\"a, b, c\";y\\n1;2\\n-1;3\\n' > q.csv"), 0);
    assert_int_equal(solve("--algorithm gd --data q.csv --target y --loss squares --T 5"), 0);
    assert_true(shell_contains("err", "target: column 2 'y' of q.csv"));
    assert_int_equal(shell("printf 'y,\"5\"\" pipe\",z\\n1,2,3\\n-1,3,5\\n' > p.csv"), 0);
    assert_int_equal(solve("--algorithm gd --data p.csv --target y --T 5"), 0);
    assert_int_equal(solve("--algorithm gd --data p.csv --target '5\" pipe' --loss squares --T 5"), 0);
    assert_true(shell_contains("err", "target: column 2 '5\" pipe' of p.csv"));
}

/* Each message names file, line and column. */
static void bad_target(void **state)
{
    static const struct { const char *lines, *target, *says; } cases[] = {
        { "a,kind,c\n1,2,3\n", "knd", "bad.csv:1: no column 'knd'; did you mean kind?; "
          "the columns are a, kind, c" },
        { "1,2,3\n4,5,6\n", "b", "bad.csv:1: no names of columns: expected --target 1 to 3" },
        { "1,2,3\n4,5,6\n", "4", "expected --target 1 to 3" },
        { "a,b,c\n1,2,3\n4,,6\n", "a", "bad.csv:3: column 'b' has no value: expected one in every record" },
        { "a,b,c\n1,2,3\n4,NA,6\n", "a", "bad.csv:3: column 'b' has no value ('NA')" },
        { "a,b,c\n1,2,3\n?,1,6\n", "a", "bad.csv:3: column 'a' has no value ('?')" },
        { "a,b,c\n1,red,3\n", "a", "bad.csv:2: column 'b' is 'red': expected a finite decimal number" },
        { "a,b,c\nx,1,3\ny,1,3\nz,1,3\n", "a", "bad.csv:4: target 'a' is 'z', beside 'x' and 'y': expected "
          "numbers, or two texts" },
        { "a,b,c\nx,1,3\nx,2,3\n", "a", "the one text 'x' as target: expected two" },
        { "a,b,c\n1,2\n", "a", "bad.csv:2: 2 fields: expected 3, as in the first line" },
        { "a,b,c\n1,\"2,3\n", "a", "bad.csv:2: a quote that does not end in its line" },
        { "a,b,c\n", "a", "end of file without a record" },
        { "a\n1\n", "a", "bad.csv:1: expected CSV: a first line with at least two columns" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FILE *f = fopen("bad.csv", "w");
        fputs(cases[k].lines, f);
        fclose(f);
        assert_int_equal(shell("assay solve --algorithm gd --data bad.csv --target '%s' --T 5 > a.txt "
                               "2> err", cases[k].target), 2);
        if (!shell_contains("err", cases[k].says) || shell_lines("err") != 1) {
            shell("cat err");
            fail_msg("expected '%s'", cases[k].says);
        }
    }
    assert_int_equal(solve("--algorithm gd --problem chain --target x --T 5"), 2);
    assert_true(shell_contains("err", "--target x: of --data FILE only"));
    assert_int_equal(solve("--algorithm gd --data none.csv --target x --T 5"), 2);
    assert_true(shell_contains("err", "none.csv") && shell_lines("err") == 1);
}

/* Whether a run counts as private depends on the origin of what the method knows. The same run is started with
 * several sets of options. */
static void labels(void **state)
{
    static const struct { const char *words, *label, *other;
    } cases[] = {
        { "--eps 1", "^  private ", "NOT PRIVATE" },
        { "--eps 1 --scaling unit --radius 3", "^  private ", "NOT PRIVATE" },
        { "--eps 1 --scaling none --radius 2", "NOT PRIVATE .*--public L,M$", "^  private " },
        { "--eps 1 --scaling none --radius 2 --public L", "NOT PRIVATE .*--public M$",
          "^  private " },
        { "--eps 1 --scaling none --radius 2 --public M_F,L", "NOT PRIVATE .*--public M$",
          "^  private " },
        { "--eps 1 --radius 2 --public L,M", "^  declared public *L,M", "NOT PRIVATE" },
        { "--eps 1 --radius 2 --public M,L", "^  private ", "NOT PRIVATE" },
        { "--eps 1 --scaling zscore --radius 2 --public L,M", "NOT PRIVATE .*zscore",
          "^  private " },
        { "", "NOT PRIVATE .*no noise", "^  private " },
    };
    struct file f;
    write_file("u.txt", &f);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (shell("assay solve --algorithm dp-sgd --data u.txt %s > a.txt 2> err",
                  cases[k].words) ||
            shell("grep -q -- '%s' a.txt && ! grep -q -- '%s' a.txt", cases[k].label,
                  cases[k].other))
            fail_msg("%s: %s%s", cases[k].words, shell_read("a.txt"), shell_read("err"));
    assert_int_equal(solve("--algorithm gd --data u.txt") ||
                     shell("! grep -iq priva a.txt"), 0);
    /* A private answer must not be printed with the objective of the data. */
    assert_int_equal(
        solve("--algorithm dp-sgd --data u.txt --eps 1 --model m.txt") ||
            shell("grep -q '^# private: as booked' m.txt && ! grep -q objective m.txt"),
        0);
}

/* The output is one JSON object, also with infinite and unknown values. In the output of lines[0] epsilon, delta,
 * the name of the model file and the number of records are as expected. */
static void json(void **state)
{
    static const char *const lines[] = {
        "--algorithm dp-sgd --data u.txt --eps 1 --test-share 0.25 --model 'm \"1\".txt'",
        "--algorithm dp-sgd --data u.txt", "--algorithm gd --data u.txt --loss sigmoid",
        "--algorithm gd --problem chain --T 10", "--algorithm gd --problem chain --T 10 --count",
    };
    struct file f;
    need("python3");
    write_file("u.txt", &f);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (shell("assay solve %s --format json > a.json 2> err && python3 -m json.tool a.json > "
                  "/dev/null",
                  lines[k]))
            fail_msg("%s: %s%s", lines[k], shell_read("a.json"), shell_read("err"));
    assert_int_equal(
        shell("assay solve %s --force --format json > a.json 2> err && python3 -c \"\n"
              "import json; r = json.load(open('a.json')); p = r['privacy']\n"
              "assert p['asked'] == 1 and p['exceeded'] is False\n"
              "assert p['private'] is True and abs(p['epsilon']['exact']['eps'] - 1) < 1e-9\n"
              "assert abs(p['delta'] * 60 * 60 - 1) < 1e-12 and p['adjacency'] == 'zero-out'\n"
              "assert r['model'] == 'm \\\"1\\\".txt' and r['answer']['excess']['certainty'] == "
              "'certified'\n"
              "assert 0 <= r['answer']['held_accuracy']['value'] <= 1\n"
              "assert r['record']['values']['fact.n'] == 60\"",
              lines[0]),
        0);
}

/* A method without a proximal step treats l1 by subgradients; a loss that is not convex has no known excess. The
 * output says both in words. */
static void unknown_values_are_said_in_words(void **state)
{
    struct file f;
    write_file("u.txt", &f);
    assert_int_equal(solve("--algorithm gd --data u.txt --l2 0 --set problem.optimum=none"), 0);
    assert_false(shell_contains("a.txt", "a certified reference"));
    assert_int_equal(
        solve("--algorithm dp-sgd --data u.txt --eps 1 --set algo.mu=5 --format json"), 0);
    assert_true(shell_contains("a.txt", "\"asked\":1,\"exceeded\":true"));
    assert_int_equal(solve("--algorithm dp-sgd --data u.txt --rho 1"), 0);
    assert_true(shell_contains("a.txt", "rho = 1: (rho^2/2)-zCDP"));
    assert_int_equal(solve("--algorithm gd --data u.txt --loss sigmoid"), 0);
    assert_true(shell_contains("a.txt", "not known") && shell_contains("a.txt", "is not convex"));
    assert_false(shell_contains("a.txt", "held_"));
    assert_int_equal(solve("--algorithm sgd --data u.txt --l1 0.1 --set algo.step=0.01") ||
                     shell("grep -q 'prox=none' a.txt err"), 0);
    assert_int_equal(solve("--algorithm gd --data u.txt --test-share 0.25") ||
                     shell("grep -q held_accuracy a.txt"), 0);
    assert_int_equal(solve("--algorithm accelerated-dp-srgd --data u.txt --eps 50 --radius 0.01") ||
                     shell("grep -q 'larger --radius' a.txt"), 0);
}

static void model_files(void **state)
{
    struct file f;
    write_file("u.txt", &f);
    assert_int_equal(shell("echo mine > m.txt"), 0);
    assert_int_equal(solve("--algorithm gd --data u.txt --model m.txt"), 2);
    assert_true(shell_lines("err") == 1 && shell_contains("err", "--force") &&
                shell_contains("m.txt", "mine"));
    assert_int_equal(shell("test ! -s a.txt"), 0);
    assert_int_equal(solve("--algorithm gd --data u.txt --model m.txt --force") ||
                     shell("! grep -q mine m.txt && "
                           "test $(ls | grep -c '^m.txt') = 1"), 0);
    /* A folder in which the model cannot be written is reported before the run, not after it. */
    assert_int_equal(solve("--algorithm gd --data u.txt --model no/folder/m.txt"), 2);
    assert_true(shell_contains("err", "no/folder/m.txt: No such") && shell_lines("a.txt") == 0);
    assert_int_equal(solve("--algorithm gd --data u.txt --model folder/"), 2);
    assert_true(shell_contains("err", "folder/: Is a directory"));
    assert_int_equal(solve("--algorithm gd --data u.txt --model . --force"), 2);
    /* A refused run writes no model. */
    assert_int_equal(solve("--algorithm nesterov --data u.txt --loss sigmoid --model n.txt"), 2);
    assert_int_equal(shell("test ! -e n.txt"), 0);
}

static void bad_input(void **state)
{
    static const struct { const char *words, *named; } bad[] = {
        { "--algorithm sgd --data u.txt --eps 1", "private" },
        { "--algorithm sgd --data u.txt --rho 1", "private" },
        { "--algorithm dp-sgd --data u.txt --rho 1 --eps 1", "two ways" },
        { "--algorithm dp-sgd --data u.txt --eps 1 --public L,Q", "'Q'" },
        { "--algorithm dp-sgd --data u.txt --eps 1 --public f_star", "f_star" },
        { "--algorithm gd --data u.txt --scaling other", "--scaling other" },
        { "--algorithm gd --data u.txt --test-share 1.5", "--test-share 1.5" },
        { "--algorithm gd --data u.txt --test-share 0.001", "records" },
        { "--algorithm gd --data u.txt --l1 -1", "--l1 -1" },
        { "--algorithm gd --data u.txt --loss other", "other" },
        { "--algorithm gd --problem chain --T 9 --loss logistic", "loss" },
        { "--algorithm gd --problem chain --T 9 --scaling unit", "scaling" },
        { "--algorithm dp-sgd --data u.txt --eps 1 --delta 2", "delta = 2" },
    };
    struct file f;
    write_file("u.txt", &f);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay solve %s > a.txt 2> err; c=$?; grep '^assay:' err > one; exit $c",
                         bad[k].words);
        if (code != 2 || shell_lines("one") != 1 || !shell_contains("one", bad[k].named))
            fail_msg("%s: exit %d, %s", bad[k].words, code, shell_read("err"));
        assert_int_equal(shell("test ! -s a.txt"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_and_models, begin, end),
        cmocka_unit_test_setup_teardown(epsilon_of_a_run, begin, end),
        cmocka_unit_test_setup_teardown(nothing_released, begin, end),
        cmocka_unit_test_setup_teardown(target_of_a_csv, begin, end),
        cmocka_unit_test_setup_teardown(quoted_names, begin, end),
        cmocka_unit_test_setup_teardown(bad_target, begin, end),
        cmocka_unit_test_setup_teardown(labels, begin, end),
        cmocka_unit_test_setup_teardown(json, begin, end),
        cmocka_unit_test_setup_teardown(unknown_values_are_said_in_words, begin, end),
        cmocka_unit_test_setup_teardown(model_files, begin, end),
        cmocka_unit_test_setup_teardown(bad_input, begin, end),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}

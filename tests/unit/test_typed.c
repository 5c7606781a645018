/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_typed.c - `test` and `sweep` as users type them, on planted-lever. Its excess is known in closed form: part
 * T^(-power) (1 + noise) times the start's distance, which is 1 on the family norm. Words, exponents and ratios
 * follow from this without any run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "support/shell.h"

#define LEVER "--algorithm planted-lever --problem norm --T 4..64 "

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

/* --- `assay test` */

static void verdicts_follow_from_the_closed_form(void **state)
{
    static const struct { const char *line; int code; const char *word, *says;
    } cases[] = {
        /* The exponent of the excess is -1/2. */
        { "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1", 0, "SUPPORTED", "T^-0.5" },
        { "--promise '3/sqrt(T) +- 0.1' --control algo.part=0.3*T^0.3", 0, "SUPPORTED", "CAUGHT" },
        { "--promise 'T^-0.75 +- 0.1' --control algo.power=0.1 --rival T^-0.5", 1, "CONTRADICTED",
          "it agrees with T^-0.5" },
        { "--promise 'T^-0.25 +- 0.1' --control algo.power=0.1", 3, "INCONCLUSIVE", "better" },
        { "--promise 'T^-0.5 +- 0.1' --control algo.power=0.45", 3, "INCONCLUSIVE", "control missed" },
        { "--promise 'T^-0.5 +- 0.1'", 3, "INCONCLUSIVE", "control not run" },
        /* The excess T^(-1/2)/2 is 0.5/0.6 of the first bound, and 0.5/0.4 of the second; the third bound is
         * 0.9/0.05 times too large. */
        { "--promise '<= 0.6*R/sqrt(T)' --control algo.part=1", 0, "SUPPORTED", "0.833 x bound" },
        { "--promise '<= 0.4*R/sqrt(T)' --control algo.part=1", 1, "CONTRADICTED", "1.25 times the bound" },
        { "--set algo.part=0.05 --promise '<= 0.9*R/sqrt(T)' --control algo.part=1", 0, "HOLDS", "slack 18" },
        { "--promise '<= M_F' --control algo.part=1", 3, "INCONCLUSIVE", "no usable value" },
        /* The parameter `part` of the rival is twice as large. */
        { "--against planted-lever,algo.part=1 --control algo.part=2", 0, "SUPPORTED", "0.5 x rival" },
        { "--against algo.power=0.25 --promise 'T^-0.25 +- 0.1' --control algo.power=0.25", 0, "SUPPORTED",
          "x rival" },
        /* The excess T^(-1/2)/2 over log(T)^2 is no power of T, as the slopes of the two halves of the window
         * show. */
        { "--promise 'log(T)^2*T^-0.5 +- 0.1' --control algo.power=0.1", 3, "INCONCLUSIVE", "" },
        /* The rules: the excess falls too little from that at the start; the mechanism acts often enough, or too
         * rarely; without the mechanism `nothing` the method does not move. */
        { "--set algo.power=0.02 --set algo.part=0.99 --promise 'T^-0.02 +- 0.01' --control algo.power=0.5", 3,
          "INCONCLUSIVE", "rule 1, hollow" },
        { "--promise 'T^-0.5 +- 0.1' --mechanism power", 0, "SUPPORTED", "CAUGHT" },
        { "--promise 'T^-0.5 +- 0.1' --mechanism power --set algo.often=0.3", 3, "INCONCLUSIVE", "rule 3" },
        { "--promise 'T^-0.5 +- 0.1' --mechanism nothing", 3, "INCONCLUSIVE", "rule 2" },
        /* A run that tunes finds the largest power of the grid. */
        { "--promise 'T^-1 +- 0.1' --tune algo.power=0.25..1:3 --control algo.part=T^1", 0, "SUPPORTED",
          "T^-1" },
        /* A count is a number of the method itself, whatever the method achieves. */
        { "--promise '1 +- 0.1' --measure full_grads --control algo.rounds=T^1", 0, "IDENTITY", "rule 6" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay test " LEVER "%s > out 2> err", cases[k].line);
        if (code != cases[k].code || !shell_contains("out", cases[k].word) || !shell_contains("out", cases[k].says))
            fail_msg("%s: exit %d\n%s%s", cases[k].line, code, shell_read("out"), shell_read("err"));
    }
}

/* At 1 the logarithm is 0, and below 1 it is negative: the measure is not divided by it. */
static void a_logarithm_that_is_not_positive_decides_nothing(void **state)
{
    static const struct { const char *line, *says;
    } cases[] = {
        { "--T 16 --d 1..64:4 --promise 'd*log(d) +- 0.2'", "no usable value at d = 1" },
        { "--T 1..64:4 --promise 'T^-1*log(T) +- 0.2'", "no usable value at T = 1" },
        { "--T 16 --eps 0.1..0.8 --promise '1/(eps*log(eps)) +- 0.2'", "no usable value at eps = 0.1" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay test --algorithm planted-lever --problem norm --reps 4 %s > out 2> err",
                         cases[k].line);
        if (code != 3 || !shell_contains("out", "INCONCLUSIVE") || !shell_contains("out", cases[k].says))
            fail_msg("%s: exit %d\n%s%s", cases[k].line, code, shell_read("out"), shell_read("err"));
    }
}

/* A list of values makes a claim for each value. A second window makes a claim along it, with the first axis at its
 * last value. The excess of planted-lever does not depend on d. */
static void several_axes_make_several_claims(void **state)
{
    assert_int_equal(
        shell("assay test " LEVER
              "--d 2,5 --promise 'T^-0.5 +- 0.1' --control algo.power=0.1 > out 2> err"),
        0);
    assert_true(shell_contains("out", "planted-lever.norm.excess.d=2.T  SUPPORTED  T^-0.5"));
    assert_true(shell_contains("out", "planted-lever.norm.excess.d=5.T  SUPPORTED"));
    assert_true(shell_contains("err", "320 cells"));
    assert_int_equal(
        shell("assay test " LEVER
              "--d 2..32:3 --promise 'sqrt(d/T) +- 0.1' --control algo.power=0.1 > out 2> err"),
        3);
    assert_true(shell_contains("out", "planted-lever.norm.excess.T  SUPPORTED"));
    assert_true(shell_contains("out", "does not saturate: exponent"));
    assert_int_equal(
        shell("assay test " LEVER
              "--d 2..32:3 --promise '<= 0.6*R/sqrt(T)' --control algo.part=1 > out 2> err"),
        0);
    assert_true(shell_contains("out", "planted-lever.norm.excess.T  SUPPORTED  0.833 x bound"));
    assert_true(shell_contains("out", "planted-lever.norm.excess.d  SUPPORTED  0.833 x bound"));
    /* The drawings of the claims that were typed before are removed. */
    assert_int_equal(shell("ls results/test/figures | grep -q 'd=2'; test $? -eq 1"), 0);
}

/* If the method has a mechanism and the claim names none, the output says that the verdict is about the method as a
 * whole. */
static void a_method_as_a_whole_is_named(void **state)
{
    assert_int_equal(shell("assay test " LEVER "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1 > out 2> err"),
                     0);
    assert_true(shell_contains("err", "about planted-lever as a whole"));
    assert_true(shell_contains("results/test/theorem-typed__promise.html",
                               "about planted-lever as a whole"));
    assert_int_equal(shell("assay test " LEVER "--promise 'T^-0.5 +- 0.1' --mechanism power > out 2> err"), 0);
    assert_false(shell_contains("err", "as a whole"));
}

/* Replicates are doubled while the verdict is open, at most twice: the method and the control, at 5 points each,
 * get 16, 32 and 64 replicates. */
static void replicates_are_raised(void **state)
{
    assert_int_equal(
        shell("assay test " LEVER "--d 3 --promise 'T^-0.5 +- 0.1' --control algo.power=0.45 > out 2> err"), 3);
    assert_true(shell_contains("err", "640 cells"));
    assert_int_equal(
        shell("assay test " LEVER "--d 3 --promise 'T^-0.5 +- 0.1' --control algo.power=0.1 > out 2> err"), 0);
    assert_true(shell_contains("err", "160 cells: 80 run, 80 reused"));
    /* A control that has not exceeded the bound is open, unless the bound is too far away to be near. */
    assert_int_equal(
        shell("assay test " LEVER "--d 4 --promise '<= 0.6*R/sqrt(T)' --control algo.part=0.6 > out 2> err"), 0);
    assert_true(shell_contains("out", "HOLDS") && shell_contains("err", "640 cells"));
    assert_int_equal(
        shell("assay test " LEVER "--d 4 --set algo.part=0.05 --promise '<= 0.9*R/sqrt(T)' --control algo.part=0.8 "
              "> out 2> err"), 0);
    assert_true(shell_contains("out", "HOLDS") && shell_contains("err", "160 cells"));
    assert_int_equal(
        shell("assay test --algorithm sgd --problem linear --n 256..1024:3 --set problem.d=20 --promise "
              "'<= M_F*R^2/(2*T) + R*sigma/sqrt(T)' --control algo.c=0.45 > out 2> err"), 0);
    assert_true(shell_contains("out", "SUPPORTED") && shell_contains("err", "192 cells"));
}

static void the_page_shows_the_command_and_the_figure(void **state)
{
    assert_int_equal(
        shell("assay test " LEVER "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1 --output page > out 2> err"),
        0);
    assert_true(shell_contains("page/report.md", "assay test --algorithm planted-lever --problem norm --T 4..64 "
                               "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1"));
    assert_int_equal(shell("test -s page/figures/typed__planted-lever.norm.excess.T.tsv"), 0);
    /* A long command line stands there to its end. */
    char store[330];
    memset(store, 'a', sizeof store);
    for (size_t k = 99; k < sizeof store; k += 100)
        store[k] = '/';
    store[sizeof store - 1] = 0;
    assert_int_equal(
        shell("mkdir -p %s && assay test " LEVER "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1 "
              "--store %s/s.db --output page --timeout 499 > out 2> err", store, store), 0);
    assert_int_equal(shell("grep -q '^    assay test .*a/s.db --output page --timeout 499$' page/report.md && "
                           "grep -q '<code>assay test .*a/s.db --output page --timeout 499</code>' "
                           "page/theorem-typed__promise.html"), 0);
    assert_int_equal(
        shell("assay test " LEVER "--promise 'T^-0.5 +- 0.1' --control algo.power=0.1 --format csv 2> err | "
              "grep -q '^typed/planted-lever.norm.excess.T,typed,rate,theorem,SUPPORTED,CAUGHT,no,exponent,'"),
        0);
}

/* `sweep` has the defaults of `solve` for private methods: delta = 1/n^2, and --scaling unit and --radius 1, by
 * which the constants are known without the data. gd, which adds no noise, gets the same scaling and radius, so
 * that both methods minimise one objective. */
static void private_methods_on_files_have_defaults(void **state)
{
    assert_int_equal(
        shell("printf '+1 1:1 2:0.5\\n-1 1:-1 2:0.25\\n+1 1:0.5 2:1\\n-1 1:-0.5 2:-1\\n' > few.svm;"
              "assay sweep --algorithm dp-sgd,gd --data few.svm --loss logistic --eps 0.5,1,2 "
              "--reps 2 > out 2> err"),
        0);
    assert_true(shell_contains("err", "--scaling unit") && shell_contains("err", "--radius 1"));
    assert_true(shell_contains("err", "no delta given: --delta 0.0625 (1/n^2)"));
    assert_int_equal(shell("assay export --wide --format csv --where 'algorithm=gd' | grep -c "
                           "'scaling=unit.*radius=1'"),
                     0);
    assert_false(shell_contains("out", "refused"));
}

/* --- study files */

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char study[] = "; a promise, and two runs that must fail\n"
                            "[test]\n"
                            "algorithm = planted-lever\n"
                            "problem   = norm\n"
                            "T         = 4..64\n"
                            "d         = 5\n"
                            "promise   = T^-0.5 +- 0.1\n"
                            "control   = algo.power=0.1\n"
                            "control   = algo.power=1\n";

/* A study file gives the same cells as the line that was typed, and an option typed beside the file wins. */
static void a_study_file_is_the_line(void **state)
{
    write_file("study.ini", study);
    assert_int_equal(shell("assay test " LEVER
                           "--d 5 --promise 'T^-0.5 +- 0.1' --control algo.power=0.1 --control algo.power=1 "
                           "--store f.db > typed 2> err"),
                     0);
    assert_true(shell_contains("err", "240 cells: 240 run"));
    assert_int_equal(shell("assay test study.ini --store f.db > out 2> err"), 0);
    assert_true(shell_contains("err", "240 cells: 0 run, 240 reused"));
    assert_int_equal(shell("cmp typed out"), 0);
    assert_int_equal(shell("assay test study.ini --store f.db --promise 'T^-0.75 +- 0.1' > out 2> err"), 1);
    assert_true(shell_contains("out", "CONTRADICTED"));
}

static void study_files_are_refused_with_the_line(void **state)
{
    static const struct { const char *text, *words;
    } cases[] = {
        { "[test]\nalgoritm = sgd\n", "bad.ini:2: unknown key 'algoritm'; did you mean algorithm?" },
        { "algorithm = sgd\n\nx = sample_grads\n", "bad.ini:3: unknown key 'x': not an option of `test`" },
        { "algorithm = sgd\nstatistics = yes\n", "bad.ini:2: unknown key 'statistics'" },
        { "[sweep]\nalgorithm = sgd\n", "bad.ini:2: expected the section [test], not [sweep]" },
        { "algorithm = sgd\n# again\nalgorithm = gd\n", "bad.ini:3: algorithm: given twice, first in line 1" },
        { "algorithm = sgd\nn = 10..abc\n", "bad.ini:2: n = 10..abc: expected a number" },
        { "algorithm = sgd\nproblem spectral\n", "bad.ini:2: expected a section [test]" },
        { "fresh = perhaps\n", "bad.ini:1: fresh = perhaps: expected yes or no" },
        { "algorithm =\n", "bad.ini:1: algorithm: expected a value" },
        { "algorithm = sgd\nproblem = spectral\nn = 1e3..1e4\npromise = n +\n",
          "bad.ini:4: promise: expected a number" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_file("bad.ini", cases[k].text);
        int code = shell("assay test bad.ini > out 2> err");
        if (code != 2 || !shell_contains("err", cases[k].words) || shell_lines("out"))
            fail_msg("%s: exit %d, %s", cases[k].text, code, shell_read("err"));
    }
    assert_int_equal(
        shell(
            "{ printf 'algorithm = '; head -c 300 /dev/zero | tr '\\0' x; } > bad.ini; assay test bad.ini 2> err"),
        2);
    assert_true(shell_contains("err", "bad.ini:1: expected at most 196 letters"));
    assert_int_equal(shell("assay test . > out 2> err"), 2);
}

/* The claim that `test` prints as C, compiled as a plug-in, plans the cells that the line ran, and comes to the
 * same verdict. */
static void the_c_form_is_the_same_claim(void **state)
{
    static const struct { const char *options, *verdict;
    } cases[] = {
        { "study.ini", "SUPPORTED" },
        { LEVER "--d 5 --promise 'log(T)*T^-0.5 +- 0.5' --control algo.power=2 --rival T^-2", "SUPPORTED" },
        { LEVER "--d 5 --promise '<= 0.6*R/sqrt(T) + 0*Phi/2' --control algo.part=1 --tune algo.power=0.25..0.5:2",
          "SUPPORTED" },
        { LEVER "--d 5 --against planted-lever,algo.part=1 --control algo.part=T^1 --mechanism power",
          "SUPPORTED" },
        { LEVER "--d 4..16 --promise '<= 0.6*R/sqrt(T)' --control algo.part=1", "SUPPORTED" },
        { LEVER "--d 2,3 --promise 'T^-0.5 +- 0.1' --control algo.power=2", "SUPPORTED" },
    };
    write_file("study.ini", study);
    write_file("plugin.c", "#include \"plugin.h\"\nextern const struct paper paper_my_paper;\n"
                           "static const struct paper *const papers[] = { &paper_my_paper, 0 };\n"
                           "const struct plugin assay_plugin = { .abi = PLUGIN_ABI, .papers = papers };\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay test %s --store c.db > out 2> err", cases[k].options);
        assert_true(code == 0 || code == 1 || code == 3);
        assert_int_equal(shell("rm -rf gen && assay new claim my-paper %s --output gen > out2", cases[k].options),
                         0);
        assert_int_equal(
            shell("cc -std=c17 -fPIC -shared -Wall -Wextra -Werror -Wno-missing-field-initializers "
                  "-Wno-unused-parameter -I'%s/harness/api' plugin.c gen/claims/my_paper.c -lm -o p.so",
                  SOURCE_DIR),
            0);
        assert_int_equal(shell("assay verify --paper my-paper --plugin ./p.so --store c.db > out2 2> err2"), code);
        if (!shell_contains("err2", " 0 run, ") || (cases[k].verdict && !shell_contains("out2", cases[k].verdict)))
            fail_msg("%s: %s%s", cases[k].options, shell_read("out2"), shell_read("err2"));
        assert_int_equal(
            shell("grep -o 'SUPPORTED\\|CONTRADICTED\\|INCONCLUSIVE\\|HOLDS' out | head -n 1 > a; "
                  "grep -o 'SUPPORTED\\|CONTRADICTED\\|INCONCLUSIVE\\|HOLDS' out2 | head -n 1 > b; "
                  "test -s a && cmp a b"),
            0);
    }
}

/* --- `assay sweep` */

/* Returns the number that an awk program prints of sweep.csv; NaN: it prints none. */
static double field(const char *awk)
{
    char command[600];
    snprintf(command, sizeof command, "tr -d '\"' < sweep.csv | awk -F, '%s'", awk);
    FILE *f = popen(command, "r");
    double v = NAN;
    if (fscanf(f, "%lf", &v) != 1)
        v = NAN;
    pclose(f);
    return v;
}

static void a_grid_of_axes_has_its_exponents(void **state)
{
    assert_int_equal(shell("assay sweep " LEVER
                           "--set algo.part=0.5 --d 2,4,8 --reps 3 --store s.db --format csv > sweep.csv 2> err"),
                     0);
    assert_true(shell_contains("err", "45 cells: 45 run"));          /* there are 5 values of T, 3 of d and 3
                                                                        replicates */
    assert_int_equal(shell_lines("sweep.csv"), 1 + 15 + 15);
    for (int T = 4; T <= 64; T *= 2) {
        char awk[200];
        snprintf(awk, sizeof awk, "$4 == \"T\" && $3 == \"d=4\" && $5 == %d { print $9 }", T);
        assert_true(fabs(field(awk) - 0.5 / sqrt(T)) < 1e-12);
    }
    assert_true(fabs(field("$4 == \"T\" && $3 == \"d=8\" { print $15; exit }") + 0.5) < 1e-9);
    assert_true(fabs(field("$4 == \"d\" && $3 == \"T=64\" { print $15; exit }")) < 1e-9);
    assert_true(field("$4 == \"T\" && $5 == 64 { print $13; exit }") == 1);       /* a run of planted-lever is one
                                                                                     batch step, whatever T is */
}

static void a_sweep_resumes_and_draws(void **state)
{
    assert_int_equal(shell("assay sweep " LEVER "--reps 3 --store r.db > first 2> err"), 0);
    assert_int_equal(
        shell(
            "assay sweep --algorithm planted-lever --problem norm --T 4..64:5 --reps 3 --store r.db > out 2> err"),
        0);
    assert_true(shell_contains("err", "15 cells: 0 run, 15 reused"));
    assert_int_equal(shell("cmp first out"), 0);
    assert_true(shell_contains("out", "excess ~ T^-0.5"));
    assert_true(shell_contains("results/sweep/index.html", "assay sweep --algorithm planted-lever"));
    assert_int_equal(shell("xmllint --noout results/sweep/index.html 2> err"), 0);
}

/* The grid 1/4, 1/2, 1 is tried on 4 seeds at each of 5 points; the largest power has the least excess. */
static void tuning_is_counted(void **state)
{
    assert_int_equal(shell("assay sweep " LEVER "--reps 3 --tune algo.power=0.25..1:3 --store t.db > out 2> err"),
                     0);
    assert_true(shell_contains("err", "75 cells: 75 run"));          /* there are 5 x 3 x 4 cells to tune, and 5 x 3
                                                                        others */
    assert_true(shell_contains("out", "excess ~ T^-1"));
    assert_true(shell_contains("out", "tuning algo.power: 60 runs, 60 batch_steps; an end of the grid was chosen"));
}

/* A method that takes no samples has as many steps as others have samples. A setting by which no run of a method
 * ends, here n, is reported. */
static void methods_of_several_kinds(void **state)
{
    assert_int_equal(
        shell("assay sweep --algorithm sgd,nesterov --problem spectral --n 100..1000:3 --reps 2 --format csv "
              "> sweep.csv 2> err"),
        0);
    assert_true(
        shell_contains("err", "n ends no run of nesterov on spectral: it is the number of its steps T there"));
    assert_true(field("$2 == \"nesterov\" && $5 == 1000 { print $13 }") == 1000);
    assert_true(field("$2 == \"sgd\" && $5 == 100 { print $13 }") == 100);
    assert_int_equal(shell("for f in spectral.excess.n spectral.excess.n.by.batch_steps reached.batch_steps "
                           "profile.batch_steps; do "
                           "test -s results/sweep/figures/typed__figure.$f.tsv || exit 1; done"),
                     0);
    assert_int_equal(
        shell("assay sweep --algorithm gd,planted-lever --problem norm --T 4..64 --reps 2 > out 2> err"), 3);
    assert_true(shell_contains("out", "gd relies on a smooth objective"));
}

/* The file gives least squares with one unknown. With the step 1/M gradient descent is at the optimum after one
 * step. Each of the T steps asks for both records. */
static void a_file_is_an_instance(void **state)
{
    write_file("two.csv", "x,y\n1,1\n2,2\n");
    assert_int_equal(
        shell("assay sweep --algorithm gd --data two.csv --loss squares --l2 0.1 --T 4..64:3 --reps 2 --format csv "
              "> sweep.csv 2> err"),
        0);
    assert_int_equal(shell_lines("sweep.csv"), 1 + 3);
    assert_true(field("$1 == \"erm\" && $5 == 16 { print $9 }") < 1e-12);
    assert_true(field("$1 == \"erm\" && $5 == 16 { print $13 }") == 32);
}

static void bad_lines_are_refused(void **state)
{
    static const struct { const char *line, *words;
    } cases[] = {
        { "test nothing.ini", "nothing.ini: No such file or directory: expected a study file" },
        { "test --algorithm sgd", "test: expected --problem NAME or --data FILE" },
        { "sweep --problem spectral --n 1..10", "sweep: expected --algorithm NAME" },
        { "sweep --algorithm sgd --problem spectral", "expected an axis of several values, as --n 1e3..1e6" },
        { "sweep --algorithm sgd --problem spectral --n 1..10:1", "--n 1: expected 2 to 64" },
        { "sweep --algorithm sgd --problem spectral --n 1..3", "--n: 5 points from 1 to 3 are not all different" },
        { "sweep --algorithm sgd,sgd --problem spectral --n 1..10", "sgd is named twice" },
        { "sweep --algorithm sgd --problem spectral --data x --n 1..10", "not both" },
        { "sweep --algorithm sgd --data no/such.csv --n 1..10", "--data no/such.csv: No such file or directory" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --x foo", "--x foo: expected a count" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --measure foo", "does not measure 'foo'" },
        { "sweep --algorithm sgd,gd --problem spectral --n 1..10 --tune algo.c=1..2", "gd has no such parameter" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --tune algo.c=1",
          "expected algo.NAME=FROM..TO:POINTS" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --tune algo.c=1..2:2 --tune algo.step=1..2:2",
          "--tune: given twice" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --tune", "expected algo.NAME=FROM..TO:POINTS" },
        { "sweep --algorithm sgd --problem spectral --n 1..10 --promise n",
          "--promise: not an option of `sweep`, but of test, import, new" },
        { "test --algorithm sgd,gd --problem spectral --n 1..10 --against gd",
          "expected one method, and others by --against" },
        { "test --algorithm sgd --problem spectral,linear --n 1..10 --against gd", "expected one problem" },
        { "new claim zz --output out --algorithm sgd --problem spectral --n 1..10 --against gd "
          "--d 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "expected axes that make at most 16 claims" },
        { "test --algorithm sgd --problem spectral --n 1,10 --against gd", "--n: expected a window FROM..TO" },
        { "test --algorithm sgd --problem spectral --n 1..10", "expected --promise LAW or --against METHOD" },
        { "test --algorithm sgd --problem spectral --n 1..10 --against foo",
          "--against foo: expected a method or NAME=VALUE" },
        { "test --algorithm sgd --problem spectral --n 1..10 --against gd --control foo=3",
          "expected a name as problem.X" },
        { "test --algorithm sgd --problem spectral --n 1..10 --against gd --control algo.foo=3",
          "sgd has no such parameter" },
        { "test --algorithm sgd --problem spectral --n 1..10 --promise '<= n' --against gd",
          "a bound has no rival" },
        { "test --algorithm sgd --problem spectral --n 1..10 --against gd --rival n^-1",
          "expected a --promise of one power" },
        { "test --algorithm sgd --problem spectral --n 1..10 --promise 'n^-0.5 +- 0.3' --rival n^-1",
          "within half of the way" },
        { "test --algorithm sgd --problem spectral --n 1..10 --against gd --mechanism tree",
          "the method declares no mechanism" },
        { "test " LEVER "--against gd --mechanism tree", "one that the method declares: power, nothing, noise" },
        { "test " LEVER "--against gd --tune algo.power=0.1..1:3 --control algo.power=1",
          "--tune chooses this setting" },
        { "test " LEVER "--control a --control b --control c", "--control c: expected at most 2" },
        { "reproduce dp_gcd --tune algo.c=1..2:3", "the grids of `reproduce` are the paper's" },
        { "new algorithm x --algorithm sgd", "are for `new claim`" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay %s > out 2> err", cases[k].line);
        if (code != 2 || shell_lines("err") != 1 || shell_lines("out") || !shell_contains("err", cases[k].words))
            fail_msg("%s: exit %d, %s", cases[k].line, code, shell_read("err"));
    }
    assert_int_equal(
        shell(
            "assay test --algorithm sgd --problem spectral --n 1e3..1e5 --promise '<= 2*L*/sqrt(n)' > out 2> err"),
        2);
    assert_int_equal(shell("printf 'assay: --promise: expected a number, a name or %%s\\n  <= 2*L*/sqrt(n)\\n      "
                           "   ^\\n' \"'('\" | cmp - err"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_from_the_closed_form), cmocka_unit_test(a_method_as_a_whole_is_named),
        cmocka_unit_test(a_logarithm_that_is_not_positive_decides_nothing),
        cmocka_unit_test(several_axes_make_several_claims),
        cmocka_unit_test(private_methods_on_files_have_defaults),
        cmocka_unit_test(replicates_are_raised), cmocka_unit_test(the_page_shows_the_command_and_the_figure),
        cmocka_unit_test(a_study_file_is_the_line), cmocka_unit_test(study_files_are_refused_with_the_line),
        cmocka_unit_test(the_c_form_is_the_same_claim), cmocka_unit_test(a_grid_of_axes_has_its_exponents),
        cmocka_unit_test(a_sweep_resumes_and_draws), cmocka_unit_test(tuning_is_counted),
        cmocka_unit_test(methods_of_several_kinds), cmocka_unit_test(a_file_is_an_instance),
        cmocka_unit_test(bad_lines_are_refused),
    };
    return cmocka_run_group_tests_name("typed", tests, begin, end);
}

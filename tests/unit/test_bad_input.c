/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bad_input.c - mistakes of users: the exit code is 2, one line on stderr names the mistake and what was
 * expected, nothing is on stdout, and nothing changes on disk. (Data files, plug-ins and `new` are in test_data and
 * test_plugin.) Nothing is random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

struct row { const char *line, *words; };

/* Lists names, bytes and times of all files except those that this test writes itself. */
static void look(const char *to)
{
    shell("{ find . -type f ! -name '*.txt' -exec cksum {} + ; "
          "find . ! -name '*.txt' ! -path . -printf '%%p %%s %%m %%T@\\n'; } | sort > %s", to);
}

/* Makes a folder with a store that no process has open, and without a report. */
static int begin(void **state)
{
    shell_begin();
    int code = shell("assay run --claim 'baselines/gd.count*' --store s.db -j0 2> err.txt");
    look("before.txt");
    return code;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void refused(const struct row *rows, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        int code = shell("assay %s > out.txt 2> err.txt", rows[k].line);
        look("after.txt");
        if (code != 2 || shell_lines("err.txt") != 1 || shell_lines("out.txt") != 0 ||
            !shell_contains("err.txt", rows[k].words) || !shell_contains("err.txt", "assay: "))
            fail_msg("assay %s: exit %d, expected '%s': %s", rows[k].line, code, rows[k].words,
                     shell_read("err.txt"));
        if (shell("cmp before.txt after.txt"))
            fail_msg("assay %s: changed files", rows[k].line);
    }
}
#define REFUSED(rows) refused(rows, sizeof rows / sizeof *rows)

static void verbs_and_options(void **state)
{
    static const struct row rows[] = {
        { "verfiy", "unknown verb 'verfiy'; did you mean verify?" },
        { "frobnicate", "unknown verb 'frobnicate': see `assay help`" },
        { "''", "unknown verb ''" },
        { "plan everything", "plan: unexpected argument 'everything'" },
        { "explain a b", "unexpected argument 'b'; expected [GLOB]" },
        { "plan 1 2 3 4 5 6 7 8 9", "unexpected argument '1'" },
        { "plan --profil3 quick", "unknown option '--profil3'; did you mean --profile?" },
        { "plan --profil3=quick", "unknown option '--profil3=quick'; did you mean --profile?" },
        { "plan --banana", "unknown option '--banana'" },
        { "plan -y", "unknown option '-y'" },
        { "plan -yxz", "unknown option '-yxz'" },
        { "plan --p quick", "unknown option '--p'" },           /* --p is short for paper, planted, plugin and
                                                                   problem */
        { "run --engine slurm --fresh --detach", "--detach: not together with --fresh" },
        { "run --claim baselines/gd.count.full_grads.T --detach",
          "--detach: for cells that run elsewhere, expected --engine slurm" },
        { "verify --claim baselines/gd.count.full_grads.T --detach --engine files", "expected --engine slurm" },
        { "nightly --claim baselines/gd.count.full_grads.T --max-running 3 --engine files",
          "--max-running: for cells that run elsewhere" },
        { "sweep --slurm-args x", "--slurm-args: for cells that run elsewhere, expected --engine slurm" },
        { "test --tries 5", "--tries: for cells that run elsewhere, expected --engine slurm or files" },
        { "run --claim baselines/gd.count.full_grads.T --seconds 5 --engine local",
          "--seconds: for cells that run elsewhere" },
        { "nightly --detach", "--detach: not an option of `nightly`, but of verify, run, sweep, test" },
        { "plan --n", "--n: expected a value" },
        { "plan -j", "-j: expected a value" },
        { "plan --count=3", "--count=3: takes no value" },
        { "plan --seed 1 --seed 1", "--seed 1: given twice" },
        { "run --n 3 -j2 --n 5", "--n 5: given twice" },
        { "run -j2 -j3", "--jobs 3: given twice" },
        { "export --claim 'baselines/*'", "--claim: of `export` for --wide, --format sqlite, --format extrap "
         "only" },
        { "list algorithms --paper baselines",
          "--paper: of `list` for claims, figures, coverage, theorems, attempts only" },
        { "list claims --store s.db", "--store: of `list` for theorems only" },
        { "explain 'baselines/gd.rate*' --claim 'baselines/sgd.bound*' --store s.db",
          "explain baselines/gd.rate*: --claim too, expected one of them" },
        { "explain resque/lemma2 --theorem resque/lemma1 --store s.db", "--theorem too, expected one of them" },
        { "accept '*' --claim baselines/gd.rate.excess.T --reason x --store s.db",
          "accept *: --claim too, expected one of them" },
        { "report --history --format csv --store s.db", "--format: of `report` without --history only" },
        { "audit dp-sgd --reps 3", "--reps: of `audit` with --replay only" },
        { "audit dp-sgd --replay --runs 8", "--runs: of `audit` without --replay only" },
        { "new algorithm zz --n 1e4 --reps 3", "are for `new claim`" },
        { "new claim zz --n 1e4 --reps 3", "expected --algorithm" },
        { "doctor --format csv", "--format: of `doctor` with --statistics only" },
        { "doctor --statistics --format json", "expected text or csv" },
        { "doctor --statistics --output report.html", "--output: of `doctor` without --statistics only" },
        { "doctor --statistics --store s.db", "--store: of `doctor` without --statistics only" },
        { "doctor artefact.tar --store s.db", "--store: of `doctor` without a file only" },
        { "doctor artefact.tar --statistics", "--statistics: of `doctor` without a file only" },
        { "report --loss hinge", "--loss: not an option of `report`, but of solve, sweep, test, audit, new" },
        { "plan -j2", "--jobs: not an option of `plan`, but of verify, run, nightly, sweep, test, reproduce, "
         "merge, work, audit" },
        { "solve --algorithm gd --problem chain --T 10 --sigma 3",
          "--sigma: not an option of `solve`, but of account; a method's own are --set" },
    };
    REFUSED(rows);
}

static void names(void **state)
{
    static const struct row rows[] = {
        { "list claim", "did you mean claims?" },
        { "list claim --format yaml", "yaml" },
        { "list fruit", "list fruit: expected claims, algorithms" },
        { "list claims --paper baseline", "unknown paper 'baseline'; did you mean baselines?" },
        { "verify --paper baselines,nothing", "unknown paper 'nothing': see `assay list papers`" },
        { "verify --paper ''", "unknown paper ''" },
        { "verify --claim 'no/such*'", "nothing selected" },
        { "verify --claim baselines/gd.rate.excess.t", "did you mean baselines/gd.rate.excess.T?" },
        { "verify --claim baselines/sgd.rate.excess.n --check count", "nothing selected" },
        { "plan --algorithm gdd", "unknown algorithm 'gdd'; did you mean gd?" },
        { "plan --problem spectrla", "unknown problem 'spectrla'; did you mean spectral?" },
        { "plan --check rates", "unknown check 'rates'; did you mean rate?" },
        { "solve --algorithm dp-sgd --problem spectral --n 100 --sigma 4", "--sigma: not an option of `solve`, but "
         "of account" },
        { "verify --profile weekly", "--profile weekly: expected one of quick, nightly, full" },
        { "verify --constants best", "expected one of practical, theory" },
        { "export --format yaml --store s.db", "--format yaml: expected one of text, csv, json, coco, extrap, "
         "sqlite" },
        { "explain baselines/gd.rat.excess.T", "did you mean baselines/gd.rate.excess.T?" },
        { "explain 'baselines/*'", "assay.db: no such store" },
        { "export", "assay.db: no such store" },
        { "report", "assay.db: no such store" },
        { "export --store .", "." },
        { "export --store ''", "expected the path of a file" },
        { "verify --store :memory:", "expected the path of a file" },
        { "verify --set algo.stepp=1 --claim baselines/gd.bound.excess.step", "did you mean step" },
        { "verify --set banana", "--set banana: expected NAME=VALUE" },
        { "verify --set =3", "expected NAME=VALUE" },
        { "verify --set fruit.banana=1", "expected problem.NAME" },
        { "verify --paper baselines --plugin no.so", "plug-in no.so: No such file" },
    };
    REFUSED(rows);
}

static void numbers(void **state)
{
    static const struct row rows[] = {
        { "verify --n banana", "--n banana: expected a number" },
        { "verify --n ''", "--n: expected a number" },
        { "verify --n 1..2..3", "--n 1..2..3: expected a number" },
        { "verify --n 2^10..", "--n 2^10..: expected a number" },
        { "verify --n ..2^10", "--n ..2^10: expected a number" },
        { "verify --n 1e6..1e3", "--n 1e6..1e3: expected increasing values" },
        { "verify --n 8..8", "expected increasing values" },
        { "verify --n 0..8", "expected FROM above 0" },
        { "verify --d 32,8", "--d 32,8: expected increasing values" },
        { "verify --d 8,,32", "expected a number" },
        { "verify --d 8,8", "expected increasing values" },
        { "verify --d -8", "expected a number" },
        { "verify --eps nan", "--eps nan: expected a number" },
        { "verify --eps -nan", "expected a number" },
        { "verify --eps inf", "--eps inf: expected finite" },
        { "verify --eps -1", "none negative" },
        { "verify --eps 1e400", "--eps 1e400: expected a number" },
        { "verify --eps 0x10", "--eps 0x10: expected a number" },
        { "verify --eps 1/0", "expected a number" },
        { "verify --eps 2^2^2", "expected a number" },
        { "verify --eps '1 '", "expected a number" },
        { "verify --paper baselines --rho 1,5", "several values" },
        { "verify --n 100,200.5", "--n 100,200.5: expected integers, not 200.5" },
        { "verify --radius 1..inf", "--radius 1..inf: expected FROM above 0 and a finite TO" },
        { "sweep --radius 2,inf", "--radius 2,inf: expected finite numbers, or inf alone" },
        { "verify --seed -3", "--seed -3: expected 0 to" },
        { "verify --seed 1.5", "--seed 1.5: expected an integer" },
        { "verify --seed 1e300", "--seed 1e300: expected 0 to" },
        { "verify --reps 0", "--reps 0: expected 1 to" },
        { "verify --reps 2.5", "--reps 2.5: expected an integer" },
        { "verify --jobs 1e9", "--jobs 1e9: expected 0 to 256" },
        { "verify -j two", "--jobs two: expected a number" },
        { "verify --timeout 0", "--timeout 0: expected 0.001" },
        { "verify --memory nan", "--memory nan: expected a number" },
        { "verify --memory 0", "--memory 0: expected 1 to" },
        { "export --run 0 --store s.db", "--run 0: expected 1 to" },
        { "export --run 1.5 --store s.db", "--run 1.5: expected an integer" },
        { "verify --d 8,32 --claim baselines/gd.count.full_grads.T", "several values" },
        { "verify --T 2^99 --claim baselines/sgd.count.sample_grads.n --set algo.B=0.5", "integer" },
        { "verify --set problem.d=nan --claim baselines/gd.rate.excess.T",
          "spectral.d = 'nan': expected a number" },
        { "verify --set goal.T=64 --claim baselines/gd.rate.excess.T",
          "gd.rate.excess.T: --set goal.T: goal.T is its axis and set to a constant: nothing would move; --T " },
        { "verify --set goal.T=64 --T 16..256 --claim baselines/gd.rate.excess.T", "goal.T is its axis" },
        { "sweep --algorithm gd --problem chain --T 10,20,40 --set goal.T=50",
          "figure typed/figure.chain.excess.T: goal.T is its axis and set to a constant" },
    };
    REFUSED(rows);
}

static void one_run(void **state)
{
    static const struct row rows[] = {
        { "solve", "expected --algorithm NAME" },
        { "solve --algorithm sgd", "--problem" },
        { "solve --algorithm sdg --data heart_scale", "unknown algorithm 'sdg'; did you mean sgd?" },
        { "solve --algorithm sgd --problem spectrall --n 10", "did you mean spectral?" },
        { "solve --algorithm sgd --problem spectral --n 10 --d 1.5", "integer" },
        { "solve --algorithm sgd --problem spectral --n 10 --set problem.d=1e30",
          "spectral.d = 1e+30: expected an integer, 1 <= d" },
        { "solve --algorithm gd --problem spectral --n 10", "give goal T" },
        { "solve --algorithm gd --problem chain --T 1.5", "--T 1.5: expected integers" },
        { "solve --algorithm gd --problem chain --set goal.T=1.5", "goal.T = 1.5: expected an integer" },
        { "solve --algorithm sgd --problem spectral --n 100 --B 1.5", "--B 1.5: expected integers" },
        { "solve --algorithm sgd --problem spectral --n 100 --d 4.5", "--d 4.5: expected integers" },
        { "solve --algorithm sgd --problem spectral --budget 4.5", "--budget 4.5: expected integers" },
        { "solve --algorithm sgd --problem spectral --n 9 --reps 2", "--reps: not an option of `solve`" },
        { "solve --algorithm dp-sgd --problem glm --n 50 --eps 1 --delta 1e-4",
          "glm does not state L, M: --set algo.NAME=VALUE" },
        { "solve --algorithm gd --problem linear --d 2,3", "one value" },
        { "solve --algorithm gd --data no-such-file.libsvm", "no-such-file.libsvm" },
        { "solve --algorithm gd --data x --problem spectral", "not both" },
        { "solve --algorithm gd --data heart_scale --loss fruit", "fruit" },
        { "rerun", "expected" },
        { "rerun 'problem spectral'", "expected" },
        { "rerun ''", "expected" },
        { "rerun 'problem spectral | algo nothing | goal T=3 | run | rep 0'", "nothing" },
        { "rerun 'problem spectral | algo gd | goal T=3 | run | rep 0.5'", "expected" },
        { "rerun 'problem spectral | algo gd | goal T=3 | run | fruit 0'", "expected" },
    };
    REFUSED(rows);
}

/* Every value in the environment must satisfy the rules of its option; the message names the variable or the wrong
 * value. */
static void environment(void **state)
{
    static const struct { const char *set, *words; } rows[] = {
        { "ASSAY_PROFILE=weekly", "ASSAY_PROFILE=weekly: expected one of quick" },
        { "ASSAY_SEED=x", "ASSAY_SEED=x: expected a number" },
        { "ASSAY_JOBS=1e9", "ASSAY_JOBS=1e9: expected 0 to 256" },
        { "ASSAY_N=7..3", "ASSAY_N=7..3: expected increasing" },
        { "ASSAY_PAPER=nothing", "unknown paper 'nothing'" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(shell("%s assay plan > out.txt 2> err.txt", rows[k].set), 2);
        assert_int_equal(shell_lines("err.txt"), 1);
        if (!shell_contains("err.txt", rows[k].words))
            fail_msg("%s: %s", rows[k].set, shell_read("err.txt"));
    }
}

/* All verbs share the environment: variables of options that a verb does not take are ignored. */
static void environment_of_others(void **state)
{
    assert_int_equal(shell("ASSAY_LOSS=hinge ASSAY_CLAIM=baselines/none ASSAY_T=9 ASSAY_SIGMA=3 "
                           "assay export --store s.db > out.txt 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "unknown claim"));          /* a wrong value of a variable that the verb
                                                                         takes is reported */
    assert_int_equal(shell("ASSAY_LOSS=hinge ASSAY_T=9 ASSAY_JOBS=3 "
                           "assay export --store s.db > out.txt 2> err.txt"), 0);
    assert_int_equal(shell_lines("err.txt"), 0);
    assert_int_equal(shell("ASSAY_T=9 assay account gaussian --sigma 1 --delta 1e-5 "
                           "> out.txt 2> err.txt"), 0);
    assert_int_equal(shell("assay solve --algorithm gd --problem chain --T 4 --loss hinge -h "
                           "> out.txt && assay help solve | cmp - out.txt"), 0);
}

/* Output that cannot be written is a failure. */
static void full_output(void **state)
{
    if (access("/dev/full", W_OK)) {
        print_message("skip: no /dev/full\n");
        skip();
    }
    static const char *const lines[] = { "list claims", "help", "plan", "export --store s.db",
                                         "doctor --statistics",
                                         "solve --algorithm gd --problem chain --T 4" };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        assert_int_equal(shell("assay %s > /dev/full 2> err.txt", lines[k]), 2);
        assert_int_equal(shell_lines("err.txt"), 1);
        assert_true(shell_contains("err.txt", "cannot write"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verbs_and_options), cmocka_unit_test(names), cmocka_unit_test(numbers),
        cmocka_unit_test(one_run), cmocka_unit_test(environment),
        cmocka_unit_test(environment_of_others), cmocka_unit_test(full_output),
    };
    return cmocka_run_group_tests_name("bad input", tests, begin, end);
}

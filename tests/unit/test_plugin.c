/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plugin.c - plug-ins built outside the tree and loaded, and broken ones refused; files that `assay new`
 * writes, in a plug-in and in the tree. Nothing is random.
 * Slow */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#define API "-I'" SOURCE_DIR "/harness/api' "
#define BUILD "cc -std=c17 -O2 -Wall -Wextra -Wno-unused-parameter " \
              "-Wno-missing-field-initializers -Werror -fPIC -shared " API
#define BUILD_BAD BUILD "plug/*.c plug/*/*.c -o bad.so"
#define EXAMPLE "plug/plugin.c plug/algos/heavy_ball.c plug/claims/heavy_ball.c -o x.so "

/* Copies the example into the folder of the test and builds it there. */
static int begin(void **state)
{
    shell_begin();
    return shell("cp -r '%s/tests/plugin' plug && " BUILD EXAMPLE, SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Returns the number after a word at the beginning of a line. */
static double printed(const char *file, const char *word)
{
    char *text = shell_read(file), *at = text;
    double value = NAN;
    for (char *line; (line = strsep(&at, "\n"));) {
        line += strspn(line, " ");
        if (strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] == ' ')
            value = strtod(line + strlen(word), NULL);
    }
    free(text);
    return value;
}

static void expect_near(double value, double truth)
{
    if (!(fabs(value - truth) <= 1e-8 * truth))
        fail_msg("%.10g, expected %.10g", value, truth);
}

/* --- plug-ins that load, and plug-ins that are refused */

static void example_is_listed_and_judged(void **state)
{
    assert_int_equal(shell("assay verify --paper heavy-ball --plugin x.so > out.txt 2> err"), 0);
    assert_true(shell_contains("out.txt", "1 supported"));
    assert_true(shell_contains("out.txt", "1 of 1 caught"));
    assert_int_equal(shell("grep -q '^| plugins | x.so [0-9a-f]\\{32\\} |' "
                           "results/report/report.md"), 0);
    assert_int_equal(shell("assay list algorithms --plugin x.so | grep -q '^heavy-ball '"), 0);
    assert_int_equal(shell("assay list claims --plugin x.so | grep -q "
                           "'^heavy-ball/root.value.excess.T '"), 0);
    assert_int_equal(shell("assay list coverage --paper heavy-ball --plugin x.so | grep -q '^V1 "
                           ".*heavy-ball/root'"), 0);
    assert_int_equal(shell("assay doctor --plugin x.so | grep -q \"^ok *plugin .*/x.so: 1 "
                           "algorithms, .* 1 papers, [0-9a-f]*$\""), 0);
    assert_int_equal(shell("assay list algorithms > out.txt"), 0);
    assert_false(shell_contains("out.txt", "heavy-ball"));

    /* The excess is M/2 D^2 (1 + s T)^2 (1 - s)^(2T), with s = sqrt h for the relative step h = 0.01 of the method
     * (not the parameter s of the family), M = 1, D = |x_0 - x*| = 1/2 and T = 10. */
    assert_int_equal(shell("assay solve --algorithm heavy-ball --problem spectral --d 1 "
                           "--set problem.s=0 --set problem.radius=inf --T 10 --plugin x.so "
                           "> out.txt"), 0);
    expect_near(printed("out.txt", "excess"), 0.125 * 4 * pow(0.9, 20));
    /* The line that repeats the run names the plug-in. */
    assert_int_equal(shell("grep -q \"^again .* --plugin '/.*/x.so'\" out.txt && "
                           "eval \"$(sed -n 's/^again *//p' out.txt)\" > again.txt 2> err"), 0);
    assert_true(shell_contains("again.txt", "measure.excess"));
}

/* A plug-in is identified by its bytes: a copy reuses the records, an edit that changes no number makes equal
 * records again, and no record of another method is run again. */
static void edited_plugin_reruns_its_cells(void **state)
{
    const char *const claims = "--claim 'heavy-ball/*,baselines/gd.count*' -j2";
    assert_int_equal(shell("assay verify %s --plugin x.so > out.txt 2> err", claims), 0);
    assert_true(shell_contains("err", "28 cells: 28 run, 0 reused"));
    shell("assay export --canonical > before.txt; cp x.so y.so");
    assert_int_equal(shell("assay verify %s --plugin y.so > out.txt 2> err", claims), 0);
    assert_true(shell_contains("err", "28 cells: 0 run, 28 reused"));

    assert_int_equal(shell("sed -i \"s/with Polyak's/with  Polyak's/\" plug/algos/heavy_ball.c "
                           "&& " BUILD EXAMPLE), 0);
    assert_int_equal(shell("assay verify %s --plugin x.so > out.txt 2> err", claims), 0);
    assert_true(shell_contains("err", "28 cells: 16 run, 12 reused"));
    shell("assay export --canonical > after.txt");
    assert_int_equal(shell("cmp -s before.txt after.txt"), 1);
    assert_int_equal(shell("for f in before after; do grep -v '^ *fingerprint' $f.txt > $f; "
                           "done; cmp before after"), 0);

    assert_int_equal(shell("sed -i 's/p->beta, v)/0.9 * p->beta, v)/' plug/algos/heavy_ball.c && "
                           BUILD EXAMPLE), 0);
    assert_int_equal(shell("assay verify %s --plugin x.so > out.txt 2> err", claims), 1);
    assert_true(shell_contains("out.txt", "CONTRADICTED"));
    assert_true(shell_contains("out.txt", "1 identities"));
}

/* The files that `new` writes outside of the tree make a second plug-in beside the first. */
static void new_files_make_a_plugin(void **state)
{
    assert_int_equal(shell("for k in algorithm problem claim; do assay new $k my-$k --output "
                           "mine || exit; done > out.txt"), 0);
    assert_true(shell_contains("out.txt", "mine/algos/my_algorithm.c"));
    shell("printf '#include \"plugin.h\"\\nextern const struct algo algo_my_algorithm;\\n"
          "extern const struct problem problem_my_problem;\\n"
          "extern const struct paper paper_my_claim;\\n"
          "static const struct algo *const a[] = { &algo_my_algorithm, 0 };\\n"
          "static const struct problem *const p[] = { &problem_my_problem, 0 };\\n"
          "static const struct paper *const k[] = { &paper_my_claim, 0 };\\n"
          "const struct plugin assay_plugin = { PLUGIN_ABI, a, 0, p, k };\\n' > mine/plugin.c");
    assert_int_equal(shell(BUILD "mine/plugin.c mine/*/*.c -o mine.so"), 0);
    assert_int_equal(shell("assay verify --paper my-claim --plugin mine.so > out.txt 2> err"), 0);
    assert_true(shell_contains("out.txt", "1 supported"));
    assert_true(shell_contains("out.txt", "1 of 1 caught"));

    /* If there is one curvature only, a step of 1/M ends at x*. The errors of the heavy ball then follow a
     * recursion with the double root 0.9, so that after 10 steps from the distance 1 the excess is 0.5 * 4 *
     * 0.9^20. */
    const char *const on = "--problem my-problem --set problem.kappa=1 --set problem.s=0";
    assert_int_equal(shell("assay solve --algorithm my-algorithm %s --T 1 --plugin mine.so > "
                           "out.txt", on), 0);
    assert_true(printed("out.txt", "excess") == 0 && printed("out.txt", "full_grads") == 1);
    assert_int_equal(shell("ASSAY_PLUGIN=mine.so assay solve --algorithm heavy-ball %s --T 10 "
                           "--plugin x.so --plugin ./x.so > out.txt", on), 0);
    expect_near(printed("out.txt", "excess"), 0.5 * 4 * pow(0.9, 20));
}

/* Shell commands that make a bad.so, and words of the line that the program must print about it. */
static const struct { const char *make, *words; } broken[] = {
    { "true", "No such file" },
    { "mkdir bad.so", "not a file" },
    { "mkfifo bad.so", "not a file" },
    { "touch bad.so", "not an ELF object" },
    { "echo 'int x;' > bad.so", "not an ELF object" },
    { "head -c 20 x.so > bad.so", "file too short" },
    { "cc -std=c17 " API "-c plug/plugin.c -o bad.so", "only ET_DYN" },
    { "echo 'int x;' | " BUILD "-x c - -o bad.so", "defines no assay_plugin" },
    { "echo '#include \"plugin.h\"\nconst struct plugin assay_plugin = { 1000 };' | "
      BUILD "-x c - -o bad.so",
      "built for interface 1000, this program has" },
    { "sed '$a int store_open(void); int f(void); int f(void) { return store_open(); }' "
      "plug/plugin.c > bad.c && " BUILD
      "bad.c plug/*/*.c -o bad.so", "undefined symbol: store_open" },
    { "sed -i 's/\"heavy-ball\"/\"gd\"/' plug/algos/heavy_ball.c && " BUILD_BAD,
      "algorithm gd exists already" },
    { "sed -i 's/\"heavy-ball\"/\"planted-gd-idle\"/' plug/algos/heavy_ball.c && "
      BUILD_BAD, "algorithm planted-gd-idle exists already" },
    { "sed -i 's/{ &algo/{ \\&algo_heavy_ball, \\&algo/' plug/plugin.c && "
      BUILD_BAD, "algorithm heavy-ball exists already" },
    { "sed -i 's/\"heavy-ball\"/\"heavy ball\"/' plug/algos/heavy_ball.c && " BUILD_BAD,
      "expected a name" },
    { "sed -i '/\\.run = run/d' plug/algos/heavy_ball.c && cc -w -fPIC -shared " API
      "plug/*.c plug/*/*.c -o bad.so", "algorithm heavy-ball is not complete" },
    { "sed -i 's/\"heavy-ball\"/\"baselines\"/' plug/claims/heavy_ball.c && " BUILD_BAD,
      "paper baselines exists already" },
    { "sed -i 's/\\.claims = \\([a-z]*\\),/& .themes = (const struct claim *const[]){ \\1, NULL },/' "
      "plug/claims/heavy_ball.c && " BUILD_BAD, "claim heavy-ball/root.value.excess.T exists already" },
    { "sed -i 's,\"heavy-ball/root,\"baselines/root,' plug/claims/heavy_ball.c && "
      BUILD_BAD, "expected heavy-ball/NAME" },
    { "echo 'static void f(void) __attribute__((constructor)); static void f(void) { "
      "*(volatile int *)8 = 1; }' | cc -O1 -w -fPIC -shared -x c - -o bad.so", "crashes when loaded (Segmentation "
              "fault)" },
    { "echo '#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { abort(); }' | "
      "cc -fPIC -shared -x c - -o bad.so", "crashes when loaded (Aborted)" },
    { "echo '#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { "
      "_Exit(0); }' | cc -fPIC -shared -x c - -o bad.so", "ends the program when loaded" },
    { "echo '#include <unistd.h>\n__attribute__((constructor)) static void f(void) { "
      "alarm(1); for (;;) pause(); }' | cc -fPIC -shared -x c - -o bad.so", "not loaded after" },
    { "sed -i 's/\\.algos = algos/.algos = (const struct algo *const *)8/; /algos\\[\\]/d' "
      "plug/plugin.c && " BUILD_BAD, "crashes when loaded (Segmentation fault)" },
};

/* Each bad plug-in gives exit code 2 and one line, and leaves the folder unchanged. */
static void broken_plugins_are_one_line(void **state)
{
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        shell("rm -rf bad.so bad.c plug; cp -r '%s/tests/plugin' plug", SOURCE_DIR);
        if (shell("%s", broken[k].make))
            fail_msg("%s", broken[k].make);
        shell("touch out.txt err after; ls -AR > before");
        int code = shell("assay verify --paper baselines --plugin bad.so > out.txt 2> err");
        shell("ls -AR > after");
        if (code != 2 || shell_lines("err") != 1 || shell_lines("out.txt") != 0 ||
            !shell_contains("err", "assay: plug-in ") || !shell_contains("err", broken[k].words)) {
            shell("cat err");
            fail_msg("exit %d, expected '%s'", code, broken[k].words);
        }
        assert_int_equal(shell("cmp before after"), 0);
    }
    /* The test loads the same algorithm under two file names. */
    assert_int_equal(shell("cp x.so y.so; assay list --plugin x.so --plugin y.so > out.txt 2> "
                           "err"), 2);
    assert_true(shell_contains("err", "y.so: algorithm heavy-ball exists already"));
}

/* A setting that is a constant on the axis would override the axis at every point: it is refused before anything
 * runs. A power of the axis is accepted. */
static void claims_move_along_their_axis(void **state)
{
    static const struct { const char *setting; int code; } with[] = {
        { "\"goal.T\", 5", 2 }, { "\"goal.T\", 1, 1", 0 }
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        assert_int_equal(shell("rm -rf bad.so plug; cp -r '%s/tests/plugin' plug && sed -i 's/{ "
                               "\"problem.d\", 1 }/{ %s }, &/' plug/claims/heavy_ball.c && " BUILD_BAD,
                               SOURCE_DIR, with[k].setting), 0);
        assert_int_equal(shell("assay plan --paper heavy-ball --plugin bad.so > out.txt 2> err"),
                         with[k].code);
        assert_int_equal(shell_contains("err", "goal.T is its axis and set to a constant: nothing "
                                               "would move"), with[k].code == 2);
    }
}

/* Theorems of a plug-in are listed and judged as those of the program. Ill-made theorems are refused when the
 * plug-in is loaded. */
static void theorems_of_a_plugin(void **state)
{
    static const struct { const char *edit, *words; } bad[] = {
        { "s/tests = \"momentum\"/tests = \"tree\"/", "root.value.excess.T, row excess.T: it tests 'tree': "
                                                      "expected a mechanism that heavy-ball declares" },
        { "s/tests = \"momentum\"/&, .acts = { .note = \"note.none\" }/", "expected note.NAME of a note that "
         "heavy-ball records" },
        { "s,claim = \"heavy-ball/root,&s,", "theorem heavy-ball/root, row excess.T: expected the id of a claim, "
         "not" },
    };
    int code = shell("assay verify --theorem heavy-ball/root --plugin x.so > out.txt 2> err");
    assert_true(code == 0 && shell_contains("out.txt", "SUPPORTED") &&
                shell_contains("out.txt", "heavy-ball/root"));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("rm -rf bad.so plug; cp -r '%s/tests/plugin' plug && sed -i '%s' "
                               "plug/claims/heavy_ball.c && "
                               BUILD_BAD, SOURCE_DIR, bad[k].edit), 0);
        assert_int_equal(shell("assay list theorems --plugin bad.so > out.txt 2> err"), 2);
        if (!shell_contains("err", bad[k].words) || shell_lines("err") != 1)
            fail_msg("expected '%s', not '%s'", bad[k].words, shell_read("err"));
    }
}

/* A claim about a cost that marks do not keep is refused at once, since no record would have its number. */
static void hits_are_counts_that_marks_keep(void **state)
{
    static const struct { const char *measure, *words; } with[] = {
        { "hit.batch_steps", NULL }, { "hit.piece_grads", NULL },
        { "hit.nothing", "marks keep no 'nothing': expected one of hit.batch_steps, " },
        { "hit.", "marks keep no ''" }, { "hit.ruler", "not 'hit.ruler'" },
        { "hit.depth", "hit.piece_grads, not 'hit.depth'" },
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        assert_int_equal(shell("rm -rf bad.so plug; cp -r '%s/tests/plugin' plug && sed -i "
                               "'s/measure = \"excess\"/measure = \"%s\"/' "
                               "plug/claims/heavy_ball.c && " BUILD_BAD, SOURCE_DIR,
                               with[k].measure), 0);
        int code = shell("assay plan --paper heavy-ball --plugin bad.so > out.txt 2> err");
        assert_int_equal(code, with[k].words ? 2 : 0);
        assert_true(!with[k].words || shell_contains("err", with[k].words));
    }
}

/* --- files that `assay new` writes, and names that it refuses */

static void new_refuses(void **state)
{
    static const struct { const char *line, *words; } bad[] = {
        { "new", "expected algorithm, problem or claim" },
        { "new fruit x", "fruit" },
        { "new algorithm", "expected" },
        { "new algorithm a b", "expected" },
        { "new algorithm Big --output o", "'Big'" },
        { "new algorithm 2fast --output o", "'2fast'" },
        { "new algorithm a_b --output o", "'a_b'" },
        { "new algorithm ../x --output o", "'../x'" },
        { "new algorithm '' --output o", "''" },
        { "new problem a2345678901234567890123456789012345678901 --output o", "at most 40" },
        { "new algorithm gd --output o", "algorithm gd already exists" },
        { "new problem spectral --output o", "problem spectral already exists" },
        { "new claim baselines --output o", "claim baselines already exists" },
        { "new algorithm x", "no folder algos here" },
        { "new algorithm x --output no/such/place", "no/such/place" },
        { "new algorithm heavy-ball --output plug", "plug/algos/heavy_ball.c: exists already" },
    };
    shell("touch out.txt err after before.sums after.sums; ls -AR > before; cksum plug/*/*.c > "
          "before.sums");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay %s > out.txt 2> err", bad[k].line);
        if (code != 2 || shell_lines("err") != 1 || shell_lines("out.txt") != 0 ||
            !shell_contains("err", bad[k].words)) {
            shell("cat err");
            fail_msg("%s: exit %d", bad[k].line, code);
        }
    }
    shell("ls -AR > after; cksum plug/*/*.c > after.sums");
    assert_int_equal(shell("cmp before after && cmp before.sums after.sums"), 0);
}

/* Options of make for the copy of the tree that the test below makes: only these tests are built, which run over
 * all registered units, since other tests need methods that the copy lacks. */
#define FEW "TESTS='tests/unit/test_algos.c tests/unit/test_algo_tables.c tests/unit/test_problems.c " \
            "tests/unit/test_samples.c tests/unit/test_firewall.c' FUZZERS="

/* Works in a copy of the tree without the claims and most methods and families, which have other tests. Three new
 * files are written, and the program and the tests of the registry are built again in the copy. Of the folder
 * `build` only what make needs was copied. */
static void new_files_work_in_the_tree(void **state)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: new files are built by the plain build\n");
        skip();
    }
    assert_int_equal(shell("mkdir -p tree/build tree/results && cd '%s' && "
                           "cp -a [!br]* \"$OLDPWD/tree\" && cp -a results/baseline "
                           "\"$OLDPWD/tree/results\" && cp -a build/obj build/gen build/flags "
                           "build/assay build/libassay.a \"$OLDPWD/tree/build\"",
                           SOURCE_DIR), 0);
    assert_int_equal(shell("cd tree && rm -rf build/obj/tests/unit/test_firewall.o claims/* && "
                           "find algos problems -maxdepth 1 -name '*.c' ! -name nesterov.c "
                           "! -name gd.c ! -name chain.c ! -name spectral.c -delete"), 0);
    assert_int_equal(shell("cd tree && for k in algorithm problem claim; do assay new $k my-$k "
                           "|| exit; done > ../out.txt"), 0);
    assert_true(shell_contains("out.txt", "wrote algos/my_algorithm.c"));
    assert_int_equal(shell("cd tree && assay new algorithm my-algorithm > ../out.txt 2> "
                           "../err"), 2);
    assert_int_equal(shell("cd tree && make -s build/assay build/assay-tests " FEW " > ../make.txt "
                           "2>&1 || { cat ../make.txt; false; }"), 0);
    assert_int_equal(shell("tree/build/assay list algorithms | grep -q '^my-algorithm ' && "
                           "tree/build/assay list problems | grep -q '^my-problem ' && "
                           "tree/build/assay list claims | grep -q '^my-claim/'"), 0);
    assert_int_equal(shell("tree/build/assay verify --paper my-claim > out.txt 2> err"), 0);
    assert_true(shell_contains("out.txt", "SUPPORTED"));
    assert_true(shell_contains("out.txt", "CAUGHT"));
    assert_int_equal(shell("tree/build/assay list coverage --paper my-claim > out.txt"), 0);
    assert_int_equal(shell("cd tree && for t in algos algo_tables problems samples firewall; do "
                           "build/assay-tests test_$t > ../out.txt 2>&1 "
                           "|| { cat ../out.txt; exit 1; }; done"), 0);

    /* The test of the firewall in the copy checks the new files: with a forbidden call it fails. */
    assert_int_equal(shell("cd tree && sed -i 's/^#include \"algo.h\"/#include <stdlib.h>\\n&/; "
                           "s/^    arena_seal(w);/    srand(1);\\n&/' algos/my_algorithm.c && "
                           "make -s build/assay-tests " FEW " > ../make.txt 2>&1; "
                           "build/assay-tests test_firewall > ../out.txt 2>&1"), 1);
    assert_true(shell_contains("out.txt", "algos/my_algorithm.c uses srand"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(example_is_listed_and_judged, begin, end),
        cmocka_unit_test_setup_teardown(edited_plugin_reruns_its_cells, begin, end),
        cmocka_unit_test_setup_teardown(new_files_make_a_plugin, begin, end),
        cmocka_unit_test_setup_teardown(broken_plugins_are_one_line, begin, end),
        cmocka_unit_test_setup_teardown(theorems_of_a_plugin, begin, end),
        cmocka_unit_test_setup_teardown(claims_move_along_their_axis, begin, end),
        cmocka_unit_test_setup_teardown(hits_are_counts_that_marks_keep, begin, end),
        cmocka_unit_test_setup_teardown(new_refuses, begin, end),
        cmocka_unit_test_setup_teardown(new_files_work_in_the_tree, begin, end),
    };
    return cmocka_run_group_tests_name("plugin", tests, NULL, NULL);
}

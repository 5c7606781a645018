/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guides.c - the pages of docs/ show commands that work, and name pages and files that exist. The tutorial
 * and the page of experiments have test_tutorial.c.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

/* Makes a copy of the tree, with a store of one paper for the commands that read a store. */
static int begin(void **state)
{
    shell_begin();
    return shell("mkdir tree && cp -a '%s'/. tree 2> /dev/null; cd tree && rm -rf .git results/store "
                 "results/report mysets plugin night.db mine.csv && build/assay verify --paper baselines > "
                         "/dev/null 2>&1; [ $? -le 3 ]",
                 SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Runs the commands that the pages show in indented blocks. A block begins after an empty line. An indented line that
 * stands directly under text belongs to an item of a list and is no command. Three things are left out: calls of
 * `make` and `git`, blocks between lines of ```, and commands whose comment says that they take minutes or an hour.
 * The exit code must be 0, 3 (a verdict is open), or the one that the comment names. */
static void commands_run(void **state)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: the commands of docs/ are run by the plain build\n");
        skip();
    }
    assert_int_equal(shell("cd tree && for page in docs/*.md docs/*/*.md; do [ -e $page ] && "
                           "[ $page != docs/tutorial.md ] && "
                           "[ $page != docs/experiments.md ] && awk '/^```/ { fenced = !fenced } "
                           "{ code = !fenced && /^    / && (code || empty); empty = /^ *$/ } "
                           "code && sub(/^    /, \"\") && /^[a-zA-Z]/' $page; done | "
                           "grep -v '^make\\|#.*minute\\|#.*an hour\\|^git' > ../commands"), 0);
    assert_true(shell_lines("commands") >= 40);
    assert_int_equal(shell("cd tree && while read -r line; do sh -c \"$line\" > ../out.txt 2>&1 < /dev/null; "
                           "code=$?; case \"$line\" in *'# exits with '*) want=${line##*# exits with };; *) "
                           "want='[03]';; esac; case $code in $want) ;; *) echo \"$line: exit $code\"; cat "
                           "../out.txt; exit 1;; esac; done < ../commands"), 0);
}

/* Links of the pages of docs/ lead to pages that exist, and the files of the tree that they name in code style
 * exist. */
static void names_exist(void **state)
{
    assert_int_equal(shell("cd '%s'/docs && for page in *.md; do "
                           "grep -o '](\\([a-z-]*\\.md\\))' $page | tr -d '()]' | sort -u | while read -r to; do "
                           "[ -e $to ] || { echo \"$page links to $to\"; exit 1; }; done || exit 1; "
                           "grep -o '`\\(docs\\|tests\\|harness\\)/[A-Za-z0-9_./-]*`' $page | tr -d '`' | grep -v "
                           "NAME | sort -u | while read -r to; do [ -e ../$to ] || { echo \"$page names $to\"; "
                           "exit 1; }; done || exit 1; done", SOURCE_DIR), 0);
}

/* The table of false alarms and power on the page of verdicts is that of the file that the page cites. */
static void rates_are_measured(void **state)
{
    FILE *f = fopen("rates.awk", "w");
    assert_non_null(f);
    fputs("function show(v) { return v < .9995 ? sprintf(\"%.3g\", 100 * v) : 100 }\n"
          "BEGIN { split(\"log-sd 0.3,log-sd 0.7,log-sd 1.5,Pareto with log-sd 0.3\", noise, \",\") }\n"
          "FNR == NR { split($0, c, \",\"); key = c[1] \"|\" c[2] \"|\" c[3] \"|\" c[4]; right = show(c[7]); wrong "
                  "= show(c[9])\n"
          "            cell[key] = c[3] == \"true\" ? right \" / \" wrong : wrong \" / \" right; next }\n"
          "/^[|] (rate|bound|order) [|] .* [|] (true|false) [|]/ { n = split($0, c, / *[|] */); rows++\n"
          "    for (k = 1; k <= 4; k++) {\n"
          "        want = cell[c[2] \"|\" c[3] \"|\" c[4] \"|\" noise[k]]\n"
          "        if (c[4 + k] != want) { print c[3] \", \" noise[k] \": \" c[4 + k] \", measured \" want; bad = "
                  "1 } } }\n"
          "END { exit bad || rows != 40 }\n", f);
    fclose(f);
    assert_int_equal(shell("awk -f rates.awk '%s/results/baseline/statistics.csv' '%s/docs/verdicts.md'",
                           SOURCE_DIR, SOURCE_DIR), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_run),
        cmocka_unit_test(names_exist),
        cmocka_unit_test(rates_are_measured),
    };
    return cmocka_run_group_tests_name("guides", tests, begin, end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_readme.c - what the README shows works as shown: every command typed as printed, and the
 * algorithm of "Add your own algorithm" saved as printed, built and run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

/* A copy of the tree with its objects: only what is new is compiled. Without the model of somebody
 * who typed the same commands: it is not replaced. */
static int begin(void **state)
{
    shell_begin();
    return shell("mkdir tree && cp -a '%s'/. tree 2> /dev/null; rm -rf tree/.git tree/results/store tree/results/report; "
                 "rm -f tree/heart.model; "
                 "test -e tree/README.md", SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void only_in_the_plain_build(void)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: the README's commands are run by the plain build\n");
        skip();
    }
}

/* But for minutes of a paper's experiments, on data that are not here and tuned: one drawn panel of
 * them runs, and test_reproduce has the like of the rest. */
static void commands_run(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell("cd tree && sed -n 's/^    \\(build\\/assay [^#]*\\|cc -[^#]*\\).*/\\1/p' README.md | grep -v 'momentum\\|--data-dir\\|--tune' > ../commands"), 0);
    assert_true(shell_lines("commands") >= 8);
    /* 3: a verdict is open, which is an answer */
    assert_int_equal(shell("cd tree && while read -r line; do sh -c \"$line\" > ../out.txt 2>&1 < /dev/null || "
                           "[ $? -eq 3 ] || { echo \"$line: exit $?\"; cat ../out.txt; exit 1; }; done < ../commands"), 0);
}

static void shown_algorithm_works(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell("cd tree && sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' > algos/momentum.c && "
                           "grep -q algo_momentum algos/momentum.c"), 0);
    /* the copy's firewall test must look at the copy: its folders are compiled in */
    assert_int_equal(shell("cd tree && rm -f build/obj/tests/unit/test_firewall.o && make -s build/assay build/assay-tests > ../make.txt 2>&1 "
                           "|| { cat ../make.txt; false; }"), 0);
    assert_int_equal(shell("cd tree && sed -n 's/^    \\(build\\/assay .*momentum.*\\)/\\1/p' README.md > ../line && sh ../line > ../out.txt"), 0);
    assert_true(shell_contains("out.txt", "Polyak's heavy ball"));
    /* heavy ball on the chain of 101 coordinates has all but converged after 1000 steps */
    assert_int_equal(shell("sed -n 's/^ *excess *\\([^ ]*\\).*/\\1/p' out.txt | awk '{ exit !($1 < 1e-6) }'"), 0);
    assert_int_equal(shell("cd tree && build/assay-tests test_algos > ../out.txt 2>&1 && build/assay-tests test_firewall > ../out.txt 2>&1 "
                           "|| { cat ../out.txt; false; }"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_run),
        cmocka_unit_test(shown_algorithm_works),
    };
    return cmocka_run_group_tests_name("readme", tests, begin, end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_readme.c - what the README shows works as shown: in a copy of the tree every command is typed as printed,
 * and the ten verdicts are those that the program gives.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

/* Makes a copy of the tree with its objects, so that only what is new is compiled. Files left by somebody who typed
 * the same commands are not copied. */
static int begin(void **state)
{
    shell_begin();
    return shell("mkdir tree && cp -a '%s'/. tree 2> /dev/null; rm -rf tree/.git tree/results/store "
                 "tree/results/report; rm -f tree/algos/my_method.c; "
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

/* Types all commands in their order, except `make verify` and `make test`, since these run this test. DEPS=no tells
 * make that the packages are installed. */
static void commands_run(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell("cd tree && sed -n 's/^    \\(build\\/assay [^#]*\\|make\\) *\\(#.*\\)\\{0,1\\}$/\\1/p' "
                           "README.md > ../commands"), 0);
    assert_int_equal(shell_lines("commands"), 9);
    /* Exit code 3 says that a verdict is open, which is an answer. */
    assert_int_equal(shell("cd tree && export DEPS=no; while read -r line; do sh -c \"$line\" > ../out.txt 2>&1 < "
                           "/dev/null || [ $? -eq 3 ] || { echo \"$line: exit $?\"; cat ../out.txt; exit 1; }; "
                                   "done < ../commands"), 0);
    /* The last command solves with the method that the first command of its block has written. */
    assert_true(shell_contains("out.txt", "algorithm my-method"));
}

/* Claim, verdict and control of each row of the table, with the paper in front of the claim. */
#define ROWS "awk '/^ *claim  *verdict/ { table = 1; next } /^ *$/ { table = 0 } table && NF == 1 { paper = $1 } " \
             "table && NF > 2 && $2 ~ /^[A-Z_]+$/ { print paper \"/\" $1, $2, $NF }'"

static void shown_verdicts_are_real(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell(ROWS " tree/README.md > shown"), 0);
    assert_int_equal(shell_lines("shown"), 10);
    /* Exit code 3 says that a verdict is open. */
    assert_int_equal(shell("mkdir rows && cd rows && assay verify --claim $(cut -d' ' -f1 ../shown | paste -sd,) > "
                           "../out.txt 2>&1"), 3);
    assert_int_equal(shell(ROWS " out.txt > given"), 0);
    assert_int_equal(shell("sort shown > a && sort given > b && diff a b"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_run),
        cmocka_unit_test(shown_verdicts_are_real),
    };
    return cmocka_run_group_tests_name("readme", tests, begin, end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_verb.c - assay account: it prints published figures, and one line about bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

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

/* Compares published figures and closed forms with rows of the output, which are found by their first words. */
static void figures(void **state)
{
    static const struct { const char *line, *row;
    } good[] = {
        { "gaussian --sigma 1 --delta 1e-5", "^exact  *4.377178096" },
        { "gaussian --sigma 20 --sensitivity 2 --steps 100 --delta 1e-5", "^exact  *4.377178096" },
        { "gaussian --eps 1 --delta 1e-6", "^exact  *4.224678889" },
        { "gaussian --sigma 1 --delta 1e-5", "^zcdp  *5.298525912" },
        { "gaussian --sigma 1 --n 1000", "delta = 1e-06" },
        { "subsampled-gaussian --q 0.01 --sigma 1 --steps 1000 --delta 1e-5", "^pld  *1.8282[34]" },
        { "subsampled-gaussian --q 0.01 --sigma 1 --steps 1000 --delta 1e-5",
          "^rdp-integer  *2.538347545" },
        { "subsampled-gaussian --q 1 --sigma 10 --steps 100 --delta 1e-5",
          "^unsampled  *4.377178096" },
        { "subset --sigma 4 --q 0.01 --steps 1000 --delta 1e-5", "^rdp-cks  *0.80212" },
        { "subset --sigma 4 --q 1 --steps 16 --delta 1e-5", "^unsampled  *4.377178096" },
        { "subsampled-gaussian --q 1 --sigma 10 --steps 100 --delta 1e-5",
          "^inversion  *4.377178096" },
        { "gaussian --sigma 1 --delta 1e-300", "^exact  *37.448847" },
        { "tree --sigma 8.83 --steps 1000 --delta 1e-6", "^exact  *1.565359029" },
        { "laplace --scale 10 --steps 100 --delta 1e-5", "^basic  *10 " },
        { "laplace --scale 10 --steps 100 --delta 1e-5", "^advanced  *5.850235093" },
        { "exponential --eps0 0.1 --steps 100 --delta 1e-5", "^zcdp-cks  *4.728386985" },
        { "pure --eps0 0.05 --steps 1000 --delta 1e-6", "^advanced  *10.8748455" },
        { "dp-gcd --eps 1 --steps 1 --n 1000", "^eq2  *0.129688" },
        { "dp-gcd --eps 1 --steps 1 --n 1000", "^closed  *0.067259" },
        { "snowball --sigma 1 --batch 1 --steps 1 --delta 1e-5", "^iteration  *4.377178096" },
        { "replacement --sigma 5 --q 0.01 --delta 1e-5", "^rdp-cks  *0" },
        { "replacement --sigma 5 --q 0.01 --delta 1e-5 --failure 1e-5", "^rdp  *inf .*the failures" },
        { "replacement --sigma 1 --q 0.01 --delta 1e-5", "^rdp  *inf .*2 sigma^2) <= 1/3" },
        { "replacement --sigma 5 --q 0.1 --delta 1e-5", "^rdp  *inf .*q < 1/40" },
        { "subsampled-gaussian --q 0.01 --sigma 1 --delta 1e-291", "^inversion  *- " },
        { "gaussian --sigma 0 --delta 1e-5", "^exact  *inf" },
        { "gaussian --sigma 1 --delta 1e-5 --format csv",
          "^gaussian,1e-5,exact,4.37717809568.*,,\"*Balle" },
        { "gaussian --sigma 1 --delta 1e-5 --format json",
          "\"method\":\"exact\",\"eps\":4.37717809568[0-9]*,\"lower\":null" },
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        if (shell("assay account %s > out.txt 2> err.txt && grep -q '%s' out.txt", good[k].line,
                  good[k].row) || shell_lines("err.txt"))
            fail_msg("account %s: no line %s in\n%s%s", good[k].line, good[k].row,
                     shell_read("out.txt"), shell_read("err.txt"));
    assert_int_equal(
        shell("assay account pure --eps0 1 --n 9 --format csv | awk -F, 'NF < 6 { exit 1 }'"), 0);
}

static void bad_input(void **state)
{
    static const struct { const char *line, *words; } bad[] = {
        { "", "expected one of gaussian" },
        { "fruit", "account fruit: expected one of gaussian" },
        { "gaussian laplace", "laplace" },
        { "gaussian --delta 1e-5", "give --sigma, or --eps" },
        { "subsampled-gaussian --sigma 1 --delta 1e-5", "give --q" },
        { "gaussian --sigma 1", "give --delta, or --n" },
        { "gaussian --sigma -1 --delta 1e-5", "--sigma -1" },
        { "gaussian --sigma nan --delta 1e-5", "--sigma nan" },
        { "gaussian --sigma 1 --q 0.1 --delta 0.1", "no --q" },
        { "gaussian --sigma 1 --d 3 --delta 0.1", "--d: not an option of `account`" },
        { "tree --sigma 1 --steps 1000 --epochs 1000 --delta 0.1", "1000 epochs" },
        { "root --sigma 1 --steps 9 --restart 2 --delta 0.1", "root.restart = 2" },
        { "noisy-max --scale 1 --sides 3 --delta 0.1", "noisy-max.sides = 3" },
        { "gaussian --sigma 1 --delta 2", "delta = 2" },
        { "gaussian --sigma 1 --delta 0", "delta = 0" },
        { "gaussian --sigma 1 --delta 1e-6,1e-5", "--delta: expected one value" },
        { "gaussian --sigma 1 --eps 1 --delta 1e-5", "not both" },
        { "gaussian --sigma 1 --delta 1e-5 --steps 1.5", "integer" },
        { "subsampled-gaussian --q 2 --sigma 1 --delta 1e-5", "q = 2" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay account %s > out.txt 2> err.txt", bad[k].line);
        if (code != 2 || shell_lines("err.txt") != 1 || !shell_contains("err.txt", bad[k].words) ||
            !shell_contains("err.txt", "assay:") || shell_lines("out.txt"))
            fail_msg("assay account %s: exit %d, %s", bad[k].line, code, shell_read("err.txt"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures, begin, end),
        cmocka_unit_test_setup_teardown(bad_input, begin, end),
    };
    return cmocka_run_group_tests_name("account_verb", tests, NULL, NULL);
}

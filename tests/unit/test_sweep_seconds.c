/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sweep_seconds.c - `assay sweep --x seconds`, whose cost of a run is the time that it takes.
 * Alone: the ratio of the times of two runs. */
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

/* Seconds are measured anew in every sweep, one cell at a time. They grow with the number of steps, here 5 to 20
 * times from 4000 to 40,000 steps. */
static void seconds_are_a_cost(void **state)
{
    for (int k = 0; k < 2; k++) {
        assert_int_equal(shell("assay sweep --algorithm gd --problem chain --d 200 --T 40..40000:4 "
                               "--reps 3 --x seconds "
                               "--format csv > out 2> err"),
                         0);
        assert_true(shell_contains("err", "12 cells: 12 run, 0 reused"));
        assert_true(shell_contains("err", "over those of the yardstick"));
        assert_int_equal(shell("python3 -c \"import csv\n"
                               "r = list(csv.DictReader(open('out')))\n"
                               "assert [x['count'] for x in r] == ['yardsticks'] * 4\n"
                               "cost = [float(x['cost']) for x in r]\n"
                               "assert cost[0] > 0 and 5 < cost[3] / cost[2] < 20, cost\""), 0);
    }
    assert_true(shell_contains("results/sweep/index.html", "Targets reached against yardsticks"));
    assert_int_equal(shell("assay sweep --algorithm gd --problem chain --d 20,40,80 --T 40 --reps "
                           "3 --x seconds > out 2> err"),
                     0);
    assert_true(shell_contains("err", "no figure of targets reached"));
    assert_int_equal(shell("ls results/sweep/figures | grep -q reached; test $? -eq 1"), 0);
    assert_int_equal(
        shell(
            "assay sweep --algorithm gd --problem chain --T 4..40 --x seconds --canonical 2> err"),
        2);
    assert_true(shell_contains("err", "no part of --canonical output"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(seconds_are_a_cost) };
    return cmocka_run_group_tests_name("sweep, seconds", tests, begin, end);
}

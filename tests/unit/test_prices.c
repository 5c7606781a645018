/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_prices.c - the prices of planned cells, which are computed apart from the plan. The price of a cell is what
 * its method expects to need (`expected`, from which its seconds are estimated). Each price is the one that a
 * separate runner finds for this cell alone, and only cells that will run are priced. The longest cells then run
 * first, and cells of one instance together. */
#include <math.h>

#include "pool/execute.h"
#include "plan/plan_budget.h"
#include "run/run.h"
#include "support/stored.h"

enum { CELLS = 12 };

static struct cell *parsed(const char *form, double acc, long rep)
{
    char text[200];
    struct cell *c = NULL;
    struct why why = { "" };
    snprintf(text, sizeof text, form, acc, rep);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s", why.text);
    return c;
}

/* Returns cell k of a list of methods, goals and replicates in which several cells have the same instance. Some
 * goals are refused by their method. */
static struct cell *mixed(int k)
{
    static const char *const form[] = {
        "problem half_ball d=8 | algo randomised-smoothing | goal acc=%g T=1e9 | rep %ld",
        "problem half_ball | algo envelope-agd | goal acc=%g budget=1e12 | rep %ld",
        "problem composite_l1 | algo composite-agd | goal acc=%g budget=1e12 | rep %ld",
        "problem norm | algo sgd | goal acc=%g T=10 | rep %ld",
    };
    return parsed(form[k % 4], k % 3 ? 0.1 : 0.3, k % 2);
}

static void each_price_is_its_own(void **state)
{
    struct cell *cell[CELLS], *order[CELLS];
    int known = 0;
    for (int k = 0; k < CELLS; k++)
        order[k] = cell[k] = mixed(k);
    plan_price(order, CELLS);
    for (int k = 0; k < CELLS; k++) {
        struct cell *again = mixed(k);
        struct runner *r = runner_new(0);
        double truth = run_expected(r, again), price = cell[k]->expected;
        assert_string_equal(again->text, cell[k]->text);
        if (!(price == truth || (isnan(price) && isnan(truth))))
            fail_msg("%s: %g, and alone %g", again->text, price, truth);
        known += price > 0;
        runner_free(r);
        cell_free(again);
        cell_free(cell[k]);
    }
    assert_true(known >= 6);
}

/* --- which cells are priced */

static size_t asked;
static bool stored_too;

/* Prices each cell by its replicate, so that the last replicate seems the longest. */
static void price_by_rep(struct cell **cell, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        cell[k]->expected = (double)cell[k]->rep + 1;
        stored_too |= cell[k]->rep == 1;
    }
    asked += n;
}

static void run_these(struct store *s, long run, struct cell **cell, int n)
{
    struct record *record[CELLS];
    struct execution x = { .cell = cell, .cells = n, .price = price_by_rep, .timeout = 60, .store = s,
                           .run = run, .record = record };
    assert_int_equal(execute(&x, NULL), OK);
    for (int k = 0; k < n; k++)
        record_free(record[k]);
}

static void only_cells_that_run_are_priced(void **state)
{
    struct store *s = opened(file("prices.db"), STORE_WRITE);
    struct cell *cell[4];
    struct store_ask ask[4];
    struct store_hit hit[4];
    long run;
    assert_int_equal(store_begin_run(s, NULL, 0, &run, NULL), OK);
    for (int k = 0; k < 4; k++) {
        cell[k] = parsed("problem norm | algo sgd step=%g | goal T=10 | rep %ld", 0.5, k);
        ask[k] = (struct store_ask){ cell[k]->text, cell[k]->fingerprint };
    }
    run_these(s, run, cell + 1, 1);
    assert_int_equal(asked, 1);
    stored_too = false;
    asked = 0;
    run_these(s, run, cell, 4);
    assert_int_equal(asked, 3);
    assert_false(stored_too);
    assert_int_equal(store_scan(s, ask, 4, hit, NULL), OK);
    assert_true(hit[1].id < hit[3].id && hit[3].id < hit[2].id && hit[2].id < hit[0].id && hit[1].id > 0);
    for (int k = 0; k < 4; k++)
        cell_free(cell[k]);
    store_close(s);
}

/* --- an instance is made once */

enum { REPLICATES = 6 };             /* more instances than a runner keeps */

/* Gives prices by which all cells with step = 0.5 would run before those with step = 0.25, although each instance
 * has cells of both. */
static void price_by_step(struct cell **cell, size_t n)
{
    for (size_t k = 0; k < n; k++)
        cell[k]->expected = strstr(cell[k]->text, "step=0.5") ? 1000 : 10;
}

/* record[CELLS] <- the records of all cells, run by `workers` processes. Returns how often any instance was
 * made. */
static long made_by(struct cell **cell, int workers, struct record **record)
{
    struct execution x = { .cell = cell, .cells = CELLS, .workers = workers, .price = price_by_step, .timeout = 60,
                           .record = record };
    assert_int_equal(execute(&x, NULL), OK);
    assert_int_equal(x.ran, CELLS);
    assert_int_equal(x.failed, 0);
    return x.made;
}

static void an_instance_is_made_once(void **state)
{
    struct cell *cell[CELLS];
    struct record *record[4][CELLS];
    for (int k = 0; k < CELLS; k++)
        cell[k] = parsed("problem spectral_stored d=4 n=50 | algo sgd step=%g | goal T=20 | rep %ld",
                         k % 2 ? 0.5 : 0.25, k / 2);
    for (int workers = 0; workers < 4; workers++) {
        long made = made_by(cell, workers, record[workers]);
        /* At the end an idle worker takes cells from another worker, and makes their instance again. */
        int helpers = workers > 1 ? workers - 1 : 0;
        if (made < REPLICATES || made > REPLICATES + helpers * helpers)
            fail_msg("%d workers made %d instances %ld times", workers, REPLICATES, made);
        for (int k = 0; k < CELLS; k++)
            assert_true(record_equal(record[0][k], record[workers][k]));
    }
    for (int k = 0; k < 4 * CELLS; k++)
        record_free(record[k / CELLS][k % CELLS]);
    for (int k = 0; k < CELLS; k++)
        cell_free(cell[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_price_is_its_own),
        cmocka_unit_test_setup_teardown(only_cells_that_run_are_priced, make_folder, drop_folder),
        cmocka_unit_test(an_instance_is_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

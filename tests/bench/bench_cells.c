/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_cells.c - one run of a small cell, up to its record, and one epsilon computed from the privacy loss of 1000
 * steps of DP-SGD. */
#include <stdbool.h>
#include <stdlib.h>

#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "cell/cell.h"
#include "nights/gbench.h"
#include "run/run.h"

static struct runner *runner;
static struct cell *small_cell;

static void one_cell(void *p, long iterations)
{
    for (long k = 0; k < iterations; k++)
        record_free(run_cell(runner, small_cell, NULL));
}

/* The record must show ten gradients, which is what gradient descent spends. */
static int cell_right(void *p)
{
    double spent = 0;
    struct record *r = run_cell(runner, small_cell, NULL);
    bool right = r && r->outcome == OUTCOME_OK && record_get(r, "count.full_grads", &spent) &&
                 spent == 10;
    record_free(r);
    return !right;
}

enum { STEPS = 1000 };
static const double q = 0.01, sd = 1, delta = 1e-5;
static struct pld_eps epsilon;

static void composition(void *p, long iterations)
{
    for (long k = 0; k < iterations; k++)
        epsilon = pld_sampled_gaussian(q, sd, STEPS, delta);
}

/* The two bounds on epsilon must lie within 1% of each other, and not above the epsilon of the moments
 * accountant. */
static int composition_right(void *p)
{
    struct rdp moments = { 0 };
    rdp_add_sampled_gaussian(&moments, STEPS, q, sd);
    composition(NULL, 1);
    return !(epsilon.lower > 0 && epsilon.lower <= epsilon.upper &&
             epsilon.upper <= 1.01 * epsilon.lower &&
             epsilon.upper <= rdp_eps(RDP_CKS, &moments, delta, NULL));
}

static void begin(void)
{
    struct bag bag = { 0 };
    struct why why;
    bag_put(&bag, "goal.T", 10);
    if (cell_make("chain", "gd", &bag, 0, &small_cell, &why) != OK)
        abort();
    runner = runner_new(0);
}

static void end(void)
{
    cell_free(small_cell);
    runner_free(runner);
}

static const struct gbench_case cases[] = {
    { "gd on chain", "T = 10", NULL, one_cell, cell_right, .items = 1 },
    { "privacy loss", "1000 steps", NULL, composition, composition_right, .items = STEPS },
    { 0 }
};

const struct gbench_group bench_cells = { "cells", cases, begin, end };

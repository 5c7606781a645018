/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_prices.c - what methods expect to spend on planned cells. */
#include "plan/plan_prices.h"

#include <stdlib.h>

#include "run/run.h"

/* Cells of one problem instance stand together; a price depends on no order. */
static int by_instance(const void *a, const void *b)
{
    const struct cell *x = *(struct cell *const *)a, *y = *(struct cell *const *)b;
    return (x->data_seed > y->data_seed) - (x->data_seed < y->data_seed);
}

void plan_price(struct cell **cell, size_t n)
{
    struct runner *r = runner_new(0);
    qsort(cell, n, sizeof *cell, by_instance);
    for (size_t k = 0; k < n; k++)
        cell[k]->expected = run_expected(r, cell[k]);
    runner_free(r);
}

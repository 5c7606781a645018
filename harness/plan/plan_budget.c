/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_budget.c - computes what planned cells are expected to cost, and leaves whole claims out of a plan that
 * would take too long. */
#include "plan/plan_budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_cells.h"
#include "run/run.h"

/* Orders cells by the data seed: cells with one problem instance are then neighbours. */
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

/* --- leaving claims out */

struct budget {
    struct plan *plan;
    const double *cost;
    int *users;              /* [cells] number of claims and lines of plots that need the cell */
    int *last;               /* [cells] scratch: the claim or line that counted the cell last */
    double total;            /* seconds of the cells that are left */
};

/* Returns the index of the next cell of claim (or line) k, each once; -1: there are no more. *at must be 0 at the
 * first call; the calls must go on until -1. */
static int next_cell(struct budget *b, int k, int *at)
{
    const struct planned_claim *c = &b->plan->claim[k];
    while (*at < c->tasks) {
        int cell = c->task[(*at)++].cell;
        if (b->last[cell] != k) {
            b->last[cell] = k;
            return cell;
        }
    }
    for (int t = 0; t < c->tasks; t++)
        b->last[c->task[t].cell] = -1;
    return -1;
}

static void count_users(struct budget *b)
{
    for (int k = 0; k < b->plan->cells; k++) {
        b->last[k] = -1;
        b->total += b->cost[k];
    }
    for (int k = 0; k < b->plan->claims + b->plan->lines; k++)
        for (int at = 0, cell; (cell = next_cell(b, k, &at)) >= 0;)
            b->users[cell]++;
}

/* Returns the seconds saved by leaving claim k out, which are those of the cells that no other claim needs. */
static double saved(struct budget *b, int k)
{
    double s = 0;
    for (int at = 0, cell; (cell = next_cell(b, k, &at)) >= 0;)
        s += b->users[cell] == 1 ? b->cost[cell] : 0;
    return s;
}

/* Is `item`, of n characters, among the words of the list? */
static bool among(const char *list, const char *item, size_t n)
{
    for (const char *at = list; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == n && memcmp(at, item, n) == 0)
            return true;
    return false;
}

static bool served_without(const struct budget *b, int k, const char *item, size_t n)
{
    const struct planned_claim *c = &b->plan->claim[k];
    for (int i = 0; i < b->plan->claims; i++) {
        const struct planned_claim *other = &b->plan->claim[i];
        if (i != k && other->tasks && other->paper == c->paper && among(other->claim->item, item, n))
            return true;
    }
    return false;
}

/* Returns 0 for a line of a plot; 1 for a claim whose items (struct claim) are all served by other claims of its
 * paper that are still in the plan; 2 for any other claim. */
static int importance(const struct budget *b, int k)
{
    if (k >= b->plan->claims)
        return 0;
    for (const char *at = b->plan->claim[k].claim->item; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (!served_without(b, k, at, strcspn(at, " ")))
            return 2;
    return 1;
}

/* Returns the index of the claim or line to leave out next: of those with the smallest `importance` the one that
 * saves most seconds; -1: none is left. */
static int least(struct budget *b)
{
    int choice = -1, lowest = 3;
    double most = -1;
    for (int k = 0; k < b->plan->claims + b->plan->lines; k++) {
        if (!b->plan->claim[k].tasks)
            continue;
        int i = importance(b, k);
        double s = saved(b, k);
        if (i < lowest || (i == lowest && s > most)) {
            choice = k;
            lowest = i;
            most = s;
        }
    }
    return choice;
}

static void leave_out(struct budget *b, int k, const char *why)
{
    struct planned_claim *c = &b->plan->claim[k];
    b->total -= saved(b, k);
    for (int at = 0, cell; (cell = next_cell(b, k, &at)) >= 0;)
        b->users[cell]--;
    c->tasks = c->points = 0;
    c->searching = false;
    c->dropped = true;
    snprintf(c->missing, sizeof c->missing, "%s", why);
}

/* Removes the cells that no claim or line needs any more from the plan; the others keep their order. */
static void compact(struct budget *b)
{
    struct plan *p = b->plan, kept = { 0 };
    int *place = b->last;
    for (int k = 0; k < p->cells; k++) {
        if (b->users[k])
            place[k] = plan_add_cell(&kept, p->cell[k]);
        else
            cell_free(p->cell[k]);
    }
    for (int k = 0; k < p->claims + p->lines; k++)
        for (int t = 0; t < p->claim[k].tasks; t++)
            p->claim[k].task[t].cell = place[p->claim[k].task[t].cell];
    free(p->cell);
    free(p->slot);
    p->cell = kept.cell;
    p->cells = kept.cells;
    p->cell_room = kept.cell_room;
    p->slot = kept.slot;
    p->slots = kept.slots;
}

void plan_budget(struct plan *p, const double *cost, double seconds, const char *why)
{
    struct budget b = { p, cost, calloc((size_t)p->cells + 1, sizeof(int)),
                        calloc((size_t)p->cells + 1, sizeof(int)), 0 };
    int out;
    BUG_IF(!b.users || !b.last);
    count_users(&b);
    while (b.total > seconds && (out = least(&b)) >= 0)
        leave_out(&b, out, why);
    compact(&b);
    free(b.users);
    free(b.last);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_facts.c - the numbers that settings are functions of, kept instance by instance: roles of a claim
 * and claims on one problem meet the same instances again, and to make one may take longer than all the
 * rest of its cell's plan. */
#include "plan/plan_state.h"

#include <stdlib.h>

struct known { bool taken; uint64_t instance; struct facts facts; };

struct plan_facts { struct known *at; size_t room, n; };     /* room: a power of two, at least twice n */

/* Where an instance stands, or would; its name is a hash. */
static struct known *place(const struct plan_facts *f, uint64_t instance)
{
    size_t k = instance & (f->room - 1);
    while (f->at[k].taken && f->at[k].instance != instance)
        k = (k + 1) & (f->room - 1);
    return &f->at[k];
}

static void grow(struct plan_facts *f)
{
    struct plan_facts more = { .room = f->room ? 2 * f->room : 256, .n = f->n };
    more.at = calloc(more.room, sizeof *more.at);
    BUG_IF(!more.at);
    for (size_t k = 0; k < f->room; k++)
        if (f->at[k].taken)
            *place(&more, f->at[k].instance) = f->at[k];
    free(f->at);
    *f = more;
}

static enum status look(struct planning *g, const struct cell *c, struct known *known, struct why *why)
{
    const void *self;
    const struct facts *facts;
    TRY(runner_instance(g->runner, c, &self, &facts, why));
    *known = (struct known){ true, c->data_seed, *facts };
    known->facts.L_j = known->facts.M_j = NULL;              /* they go with the instance */
    return OK;
}

enum status plan_facts_of(struct planning *g, const struct cell *c, struct facts *facts, struct why *why)
{
    struct plan *p = g->plan;
    p->facts = p->facts ? p->facts : calloc(1, sizeof *p->facts);
    BUG_IF(!p->facts);
    if (2 * (p->facts->n + 1) > p->facts->room)
        grow(p->facts);
    struct known *known = place(p->facts, c->data_seed);
    if (!known->taken) {
        TRY(look(g, c, known, why));
        p->facts->n++;
    }
    *facts = known->facts;
    return OK;
}

void plan_forget_facts(struct plan *p)
{
    if (p->facts)
        free(p->facts->at);
    free(p->facts);
    p->facts = NULL;
}

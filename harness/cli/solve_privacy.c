/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_privacy.c - the epsilon that a run has spent, and whether it may be called private. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "cli/solve.h"

const char *solve_word(const struct cell *c, const char *name)
{
    const struct param *p = params_find(c->problem->params, name);
    if (!p || p->type != PARAM_TEXT)
        return NULL;
    return *(const char *const *)((const char *)c->problem_params + p->offset);
}

const char *solve_words(const struct cell *c, size_t size, char *text)
{
    size_t used = 0;
    *text = 0;
    for (const struct param *p = c->algo->params; p && p->name && used < size; p++) {
        if (p->type != PARAM_TEXT)
            continue;
        const char *word = *(const char *const *)((const char *)c->algo_params + p->offset);
        if (word)
            used += (size_t)snprintf(text + used, size - used, "%s%s = %s", used ? ", " : "",
                                     p->name, word);
    }
    return text;
}

/* The setting that prepares the table by means over its records; NULL: none. */
static const char *looks(const struct cell *c)
{
    const char *scaling = solve_word(c, "scaling"), *target = solve_word(c, "target");
    if (scaling && strcmp(scaling, "zscore") == 0)
        return "problem.scaling=zscore";
    if (target && strcmp(target, "none"))
        return "problem.target";
    return NULL;
}

void solve_privacy(const struct cell *c, const struct facts *facts, const struct ledger *ledger,
                   struct privacy *p)
{
    double n = isfinite(facts->n) ? facts->n : c->goal.n;
    *p = (struct privacy){ .applies = c->algo->adjacency != ADJACENCY_NONE };
    if (!p->applies)
        return;
    p->delta = isnan(c->goal.delta) ? 1 / (n * n) : c->goal.delta;
    p->told = run_told(c, facts, ORIGIN_DATA);
    p->declared = run_told(c, facts, ORIGIN_DECLARED);
    p->looks = looks(c);
    p->silent = true;
    for (long k = 0; k < ledger->entries; k++)
        p->silent &= ledger->entry[k].hidden;
    account_ledger(ledger, facts->n, p->delta, p->by);
}

bool solve_is_private(const struct privacy *p)
{
    return p->applies && !p->told && !p->looks && isfinite(account_ledger_least(p->by));
}

const char *solve_names(unsigned long facts, size_t size, char *text)
{
    size_t used = 0;
    *text = 0;
    for (int k = 0; k < FACT_COUNT && used < size; k++)
        if (facts >> k & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                                     fact_name(k));
    return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_names.c - checks the names inside of units, which plug-ins may choose. The name of a parameter becomes part
 * of the text of a cell, where blanks, bars and equal signs have a meaning. The id of a claim, of a figure or of a
 * table becomes the name of a file; two ids that differ in other characters alone would be one file. */
#include <string.h>

#include "cell/registry.h"
#include "cli/cli.h"
#include "plan/names.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static bool consists_of(const char *name, const char *letters)
{
    return *name && strspn(name, letters) == strlen(name);
}

static enum status check_parameters(const char *owner, const struct param *p, struct why *why)
{
    for (; p->name; p++)
        if (!consists_of(p->name, LETTERS))
            return why_set(why, BAD_INPUT, "%.60s: parameter '%.60s': expected a name of letters, digits, _ and -",
                           owner, p->name);
    return OK;
}

static enum status check_id(const char *id, struct why *why)
{
    return consists_of(id, LETTERS "./=") && !strstr(id, "..") ? OK
           : why_set(why, BAD_INPUT, "%.100s: expected an id of letters, digits and _-./= without ..", id);
}

static enum status check_ids(const struct paper *paper, struct why *why)
{
    const struct claim *c;
    for (struct claim_walk all = claims_of(paper); (c = next_claim(&all)); )
        TRY(check_id(c->id, why));
    for (const struct plot *f = paper->plots; f && f->id; f++)
        TRY(check_id(f->id, why));
    for (const struct exhibit *t = paper->tables; t && t->id; t++)
        TRY(check_id(t->id, why));
    for (const struct theorem *t = paper->theorems; t && t->id; t++)
        TRY(check_id(t->id, why));
    return OK;
}

enum status unit_names_check(struct why *why)
{
    const struct paper *paper;
    for (const struct algo *const *a = registry_algos(); *a; a++)
        TRY(check_parameters((*a)->name, (*a)->params, why));
    for (const struct estimator *const *e = registry_estimators(); *e; e++)
        TRY(check_parameters((*e)->name, (*e)->params, why));
    for (const struct problem *const *f = registry_problems(); *f; f++)
        TRY(check_parameters((*f)->name, (*f)->params, why));
    for (int k = 0; (paper = paper_at(k, false)); k++)
        TRY(check_ids(paper, why));
    return OK;
}

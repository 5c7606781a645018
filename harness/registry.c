/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "registry.h"

#include <string.h>

const struct algo *const *registry_algos(void) { return registry_algos_; }
const struct estimator *const *registry_estimators(void) { return registry_estimators_; }
const struct problem *const *registry_problems(void) { return registry_problems_; }
const struct paper *const *registry_papers(void) { return registry_papers_; }
const struct algo *const *registry_planted_algos(void) { return registry_planted_algos_; }
const struct problem *const *registry_planted_problems(void) { return registry_planted_problems_; }
const struct paper *const *registry_planted_papers(void) { return registry_planted_papers_; }

/* The three structs begin with their name; the lists differ only in type. */
#define FIND_IN(list, wanted)                                 \
    for (size_t k = 0; (list)[k]; k++)                        \
        if (strcmp((list)[k]->name, (wanted)) == 0)           \
            return (list)[k]

const struct algo *registry_algo(const char *name)
{
    FIND_IN(registry_algos_, name);
    FIND_IN(registry_planted_algos_, name);
    return NULL;
}

const struct estimator *registry_estimator(const char *name)
{
    FIND_IN(registry_estimators_, name);
    FIND_IN(registry_planted_estimators_, name);
    return NULL;
}

const struct problem *registry_problem(const char *name)
{
    FIND_IN(registry_problems_, name);
    FIND_IN(registry_planted_problems_, name);
    return NULL;
}

static const struct paper *owner(const struct paper *const *list, const struct claim *c)
{
    for (; *list; list++)
        for (const struct claim *k = (*list)->claims; k && k->id; k++)
            if (k == c)
                return *list;
    return NULL;
}

const struct paper *registry_paper_of(const struct claim *c)
{
    const struct paper *p = owner(registry_papers_, c);
    return p ? p : owner(registry_planted_papers_, c);
}

static const struct registry_hash *hash_of(const void *unit)
{
    const struct registry_hash *h = registry_hashes_;
    while (h->unit && h->unit != unit)
        h++;
    return h;
}

const char *registry_source_hash(const void *unit)
{
    const char *hash = hash_of(unit)->hash;
    return hash ? hash : "";
}

const char *registry_source_file(const void *unit)
{
    const char *file = hash_of(unit)->file;
    return file ? file : "";
}

const char *registry_core_hash(void) { return registry_core_hash_; }

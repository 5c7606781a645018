/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c - the generated lists, and the units that plug-ins add to them. */
#include "cell/registry.h"

#include <stdlib.h>
#include <string.h>

/* The present lists: the generated ones, until plug-ins add units when the program begins. */
static const struct algo *const *algos = registry_algos_;
static const struct estimator *const *estimators = registry_estimators_;
static const struct problem *const *problems = registry_problems_;
static const struct paper *const *papers = registry_papers_;
static struct registry_hash *added;      /* ends with { 0 }; NULL: no plug-in */

/* A copy of a list of `count` entries of `size` bytes, with one more entry and the zero entry that ends it. */
static void *longer(const void *list, size_t count, size_t size, const void *entry)
{
    char *copy = calloc(count + 2, size);
    BUG_IF(!copy);
    if (count)
        memcpy(copy, list, count * size);
    memcpy(copy + count * size, entry, size);
    return copy;
}

static void add_hash(const void *unit, const char *hash)
{
    struct registry_hash h = { unit, strdup(hash) };
    size_t n = 0;
    BUG_IF(!h.hash);
    while (added && added[n].unit)
        n++;
    struct registry_hash *more = longer(added, n, sizeof h, &h);
    free(added);
    added = more;
}

#define DEFINE_ADD(kind, list)                                                            \
    void registry_add_##kind(const struct kind *unit, const char *hash)                   \
    {                                                                                     \
        const struct kind *const *old = list;                                             \
        size_t n = 0;                                                                     \
        while (old[n])                                                                    \
            n++;                                                                          \
        list = longer(old, n, sizeof unit, &unit);                                        \
        if (old != registry_##list##_)                                                    \
            free((void *)old);                                                            \
        add_hash(unit, hash);                                                             \
    }
DEFINE_ADD(algo, algos)
DEFINE_ADD(estimator, estimators)
DEFINE_ADD(problem, problems)
DEFINE_ADD(paper, papers)

const struct algo *const *registry_algos(void) { return algos; }
const struct estimator *const *registry_estimators(void) { return estimators; }
const struct problem *const *registry_problems(void) { return problems; }
const struct paper *const *registry_papers(void) { return papers; }
const struct algo *const *registry_planted_algos(void) { return registry_planted_algos_; }
const struct estimator *const *registry_planted_estimators(void)
{
    return registry_planted_estimators_;
}
const struct paper *const *registry_planted_papers(void) { return registry_planted_papers_; }

/* In a name '-' and '_' are the same. */
static char dashed(char c) { return c == '_' ? '-' : c; }

static bool same_name(const char *a, const char *b)
{
    while (*a && dashed(*a) == dashed(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Returns the entry of a list by its member `name`; the lists differ only in type. */
#define FIND_IN(list, wanted)                                 \
    for (size_t k = 0; (list)[k]; k++)                        \
        if (same_name((list)[k]->name, (wanted)))             \
            return (list)[k]

const struct algo *registry_algo(const char *name)
{
    FIND_IN(algos, name);
    FIND_IN(registry_planted_algos_, name);
    return NULL;
}

const struct estimator *registry_estimator(const char *name)
{
    FIND_IN(estimators, name);
    FIND_IN(registry_planted_estimators_, name);
    return NULL;
}

const struct problem *registry_problem(const char *name)
{
    FIND_IN(problems, name);
    FIND_IN(registry_planted_problems_, name);
    return NULL;
}

static const struct paper *owner(const struct paper *const *list, const struct claim *c)
{
    const struct claim *found;
    for (; *list; list++)
        for (int k = 0; (found = paper_claim(*list, k)); k++)
            if (found == c)
                return *list;
    return NULL;
}

const struct paper *registry_paper_of(const struct claim *c)
{
    const struct paper *p = owner(papers, c);
    return p ? p : owner(registry_planted_papers_, c);
}

static const struct registry_hash *hash_of(const void *unit)
{
    const struct registry_hash *h = registry_hashes_;
    while (h->unit && h->unit != unit)
        h++;
    if (h->unit || !added)
        return h;
    for (h = added; h->unit && h->unit != unit;)
        h++;
    return h;
}

const char *registry_source_hash(const void *unit)
{
    const char *hash = hash_of(unit)->hash;
    return hash ? hash : "";
}

const char *registry_core_hash(void) { return registry_core_hash_; }

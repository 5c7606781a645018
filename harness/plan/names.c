/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - checks that everything a selection names exists. */
#include "plan/names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/nearest.h"
#include "cell/registry.h"

static bool known_algorithm(const char *word)
{
    const struct paper *p;
    bool program = false;
    for (int k = 0; !program && (p = paper_at(k, true)); k++)
        program = paper_program(p, word);
    return program || registry_algo(word) || registry_estimator(word);
}

static bool known_problem(const char *word)
{
    return registry_problem(word);
}

const struct paper *paper_at(int k, bool planted)
{
    const struct paper *const *list = registry_papers();
    int n = 0;
    while (list[n])
        n++;
    return k < n ? list[k] : planted ? registry_planted_papers()[k - n] : NULL;
}

const struct paper *paper_by_key(const char *key)
{
    const struct paper *p = NULL;
    for (int k = 0; (p = paper_at(k, true)) && strcmp(p->key, key); k++)
        ;
    return p;
}

const struct theorem *theorem_at(int k)
{
    const struct paper *p;
    for (int i = 0; (p = paper_at(i, true)); i++)
        for (const struct theorem *t = p->theorems; t && t->id; t++)
            if (k-- == 0)
                return t;
    return NULL;
}

/* Compares the word of `near` with the keys of all papers or, if `claims`, with the ids of their claims, figures
 * and tables. Returns true where the word is one of these. */
static bool walk(struct nearest *near, bool claims)
{
    const struct paper *p;
    const struct claim *c;
    for (int k = 0; (p = paper_at(k, true)); k++) {
        if (!claims)
            nearest_try(near, p->key);
        for (struct claim_walk all = claims_of(p); claims && (c = next_claim(&all)); )
            nearest_try(near, c->id);
        for (const struct plot *f = p->plots; claims && f && f->id; f++)
            nearest_try(near, f->id);
        for (const struct exhibit *t = p->tables; claims && t && t->id; t++)
            nearest_try(near, t->id);
    }
    return near->edits == 0;
}

static struct nearest nearest_paper(const char *word)
{
    struct nearest near = nearest_to(word, strlen(word));
    walk(&near, false);
    return near;
}

static struct nearest nearest_claim(const char *word)
{
    struct nearest near = nearest_to(word, strlen(word));
    walk(&near, true);
    return near;
}

static struct nearest nearest_check(const char *word)
{
    struct nearest near = nearest_to(word, strlen(word));
    for (int k = CHECK_COUNT; k <= CHECK_FIGURE; k++)
        nearest_try(&near, check_name((enum check)k));
    return near;
}

static struct nearest nearest_theorem(const char *word)
{
    const struct theorem *t;
    struct nearest near = nearest_to(word, strlen(word));
    for (int k = 0; (t = theorem_at(k)); k++)
        nearest_try(&near, t->id);
    return near;
}

bool names_theorem(const char *id)
{
    const struct theorem *t;
    for (int k = 0; !strpbrk(id, "*?[,") && (t = theorem_at(k)); k++)
        if (theorem_named(id, t->id))
            return true;
    return false;
}

bool names_claim(const char *id) { return nearest_claim(id).edits == 0; }

/* also: is a word known to which none of these names is equal, such as one that is planted? NULL: none is. */
static const struct kind_of_name {
    const char *word, *see;
    struct nearest (*nearest)(const char *word);
    bool (*also)(const char *word);
} kinds[] = {
    { "paper", ": see `assay list papers`", nearest_paper, NULL },
    { "claim", ": see `assay list claims`", nearest_claim, NULL },
    { "theorem", ": see `assay list theorems`", nearest_theorem, names_theorem },
    { "algorithm", ": see `assay list algorithms`", nearest_algorithm, known_algorithm },
    { "problem", ": see `assay list problems`", nearest_problem, known_problem },
    { "check", ": see `assay help`", nearest_check, NULL },
};

/* Calls each(ctx, key of the paper, id) for all claims, figures and tables of papers until a call returns true.
 * Returns whether one did. */
static bool any_id(bool (*each)(void *ctx, const char *key, const char *id), void *ctx)
{
    const struct paper *const *lists[] = { registry_papers(), registry_planted_papers() };
    const struct claim *c;
    bool found = false;
    for (int k = 0; k < 2 && !found; k++)
        for (const struct paper *const *p = lists[k]; *p && !found; p++) {
            for (struct claim_walk all = claims_of(*p); !found && (c = next_claim(&all)); )
                found = each(ctx, (*p)->key, c->id);
            for (const struct plot *f = (*p)->plots; !found && f && f->id; f++)
                found = each(ctx, (*p)->key, f->id);
            for (const struct exhibit *t = (*p)->tables; !found && t && t->id; t++)
                found = each(ctx, (*p)->key, t->id);
        }
    return found;
}

/* word: a word of --claim, as typed; with: the same with the key of a paper and a slash in front. */
struct pattern { const char *word; char with[640]; };

static bool matches(void *ctx, const char *key, const char *id)
{
    const struct pattern *p = ctx;
    (void)key;
    return fnmatch(p->word, id, 0) == 0;
}

static bool matches_with_key(void *ctx, const char *key, const char *id)
{
    struct pattern *p = ctx;
    snprintf(p->with, sizeof p->with, "%.100s/%s", key, p->word);
    return fnmatch(p->with, id, 0) == 0;
}

/* Returns BAD_INPUT where the word matches no claim, but would with the key of a paper in front. */
static enum status check_key(const char *word, struct why *why)
{
    struct pattern p = { .word = word };
    if (any_id(matches, &p) || !any_id(matches_with_key, &p))
        return OK;
    return why_set(why, BAD_INPUT, "no claim matches '%.100s'; did you mean '%.150s'?", word, p.with);
}

/* Checks that each of the words, separated by commas, is the name of something of this kind. A word with a wildcard
 * need not be; if a plan then selects nothing, plan_make says so. Of --claim it is checked whether the key of a
 * paper is missing in front. */
static enum status check_words(const struct kind_of_name *kind, const char *words, struct why *why)
{
    char *copy = strdup(words ? words : "*"), *rest = copy, *word;
    enum status s = OK;
    BUG_IF(!copy);
    while (s == OK && (word = strsep(&rest, ","))) {
        if (kind->nearest == nearest_claim)
            s = check_key(word, why);
        if (s != OK || strpbrk(word, "*?["))
            continue;
        struct nearest near = kind->nearest(word);
        if (near.edits == 0 || (kind->also && kind->also(word)))
            continue;
        s = why_set(why, BAD_INPUT, "unknown %s '%.100s'%s", kind->word, word,
                    near.name ? nearest_hint(&near, "") : kind->see);
    }
    free(copy);
    return s;
}

enum status names_check(const struct selection *s, struct why *why)
{
    const char *const words[] = { s->paper, s->claim, s->theorem, s->algorithm, s->problem, s->check };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        TRY(check_words(&kinds[k], words[k], why));
    return OK;
}

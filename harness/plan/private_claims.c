/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_claims.c - the paper `privacy`: one claim of check `private` for every private algorithm. */
#include "plan/private_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/cell.h"
#include "cell/registry.h"
#include "run/run.h"

/* The families on which private methods are tested, in the order in which they are tried. Their instances are
 * small: the fewer records, the larger the share of one record in every release, and an audit needs many runs.
 * glm_stored has stored records, which serve as a stream and for random samples alike. huber_pair is for methods
 * that need M: its losses have curvature, since without curvature a gradient step of any length expands no
 * distance. private_mean has public constants by coordinate. The control is a planted method: on erm one that makes
 * a step from unreleased data; on the other families, which have a pair of canaries, one that states half the right
 * sensitivity. */
static const struct stage {
    const char *problem;
    struct setting with[SETTINGS_MAX];
    struct variant control;
} stages[] = {
    { "glm_stored", { { "problem.d", 8 }, { "problem.n", 64 }, { "goal.n", 64 } },
      { .algo = "planted-leak-sensitivity", .why = "planted: half the sensitivity that is due" } },
    { "huber_pair", { { "problem.d", 8 }, { "problem.decades", 0 }, { "goal.n", 64 } },
      { .algo = "planted-leak-sensitivity", .why = "planted: half the sensitivity that is due" } },
    { "linear", { { "problem.d", 8 }, { "goal.n", 64 } },
      { .algo = "planted-leak-sensitivity", .why = "planted: half the sensitivity that is due" } },
    { "private_mean", { { "problem.d", 8 }, { "problem.n", 64 }, { "problem.rest", 1 },
                        { "goal.T", 16 } },
      { .algo = "planted-leak-sensitivity", .with = { { "algo.C", 3 } },
        .why = "planted: half the sensitivity that is due" } },
    { "erm", { { "problem.scaling", .text = "unit" }, { "problem.radius", 1 }, { "goal.T", 16 },
               { "problem.optimum", .text = "none" } },
      { .algo = "planted-leak-step", .why = "planted: the step looks at the data" } },
};
enum { STAGES = sizeof stages / sizeof *stages };

/* Returns the claim of check `private` about a method on a family. variant: a setting of one of the method's
 * parameters; if its name is NULL, the method has its default parameters. */
static struct claim claim_on(const struct algo *a, const struct setting *variant,
                             const struct stage *at)
{
    struct claim c = {
        .cite = a->cite,
        .item = "",
        .kind = KIND_THEOREM,
        .check = CHECK_PRIVATE,
        .algo = a->name,
        .problem = at->problem,
        .axis = "eps",
        .measure = "privacy.eps",
        .says =
            "(eps, delta)-differentially private in its own adjacency: the ledger costs no more, "
            "no data pass a release, no audit shows more",
        .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.25, 4, 5, 96 } },
        .control = at->control,
    };
    memcpy(c.with, at->with, sizeof c.with);
    int n = 0;
    while (n < SETTINGS_MAX && c.with[n].name)
        n++;
    BUG_IF(n + 1 >= SETTINGS_MAX);
    c.with[n] = (struct setting){ .name = "goal.delta", .value = 1e-5 };
    c.with[n + 1] = *variant;
    return c;
}

/* Can the method, with the setting `variant`, run on this family? The cell is made and checked, but not run. */
static bool runs_on(struct runner *rn, const struct algo *a, const struct setting *variant,
                    const struct stage *at)
{
    struct bag bag = { 0 };
    struct cell *c;
    struct why why;
    for (const struct setting *s = at->with; s < at->with + SETTINGS_MAX && s->name; s++) {
        if (s->text)
            bag_put_text(&bag, s->name, s->text);
        else
            bag_put(&bag, s->name, s->value);
    }
    if (variant->name)
        bag_put_text(&bag, variant->name, variant->text);
    bag_put(&bag, "goal.eps", 1);
    bag_put(&bag, "goal.delta", 1e-5);
    bool fits = cell_make(at->problem, a->name, &bag, 0, &c, &why) == OK;
    fits = fits && run_fits(rn, c, &why) == OK;
    cell_free(c);
    bag_free(&bag);
    return fits;
}

const struct claim *private_claim_of(const struct algo *a)
{
    const struct claim *c;
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (struct claim_walk all = claims_of(*p); (c = next_claim(&all)); )
            if (c->check == CHECK_PRIVATE && c->kind != KIND_ERRATUM &&
                c->window[PROFILE_QUICK].points && strcmp(c->algo, a->name) == 0)
                return c;
    return NULL;
}

struct list { struct claim *at; int n; };

/* Adds the claim about the method with this setting or, if its name is NULL, with its default parameters. Nothing
 * frees the id of the claim, since the registry keeps claims until the program ends. */
static void add_claim(struct list *l, struct runner *rn, const struct algo *a,
                      const struct setting *variant)
{
    int at = 0;
    char *id = NULL;
    while (at < STAGES && !runs_on(rn, a, variant, &stages[at]))
        at++;
    l->at = realloc(l->at, (size_t)(l->n + 2) * sizeof *l->at);
    BUG_IF(!l->at);
    BUG_IF(asprintf(&id, "privacy/%s%s%s.eps", a->name, variant->name ? "." : "",
                    variant->name ? variant->text : "") < 0);
    l->at[l->n] = claim_on(a, variant, &stages[at % STAGES]);
    l->at[l->n].id = id;
    l->at[++l->n] = (struct claim){ 0 };
}

/* Returns the setting algo.NAME with the value WORD, from the text "NAME=WORD". */
static struct setting setting_of(const char *text)
{
    const char *word = strchr(text, '=');
    char *name = NULL;
    BUG_IF(!word || asprintf(&name, "algo.%.*s", (int)(word - text), text) < 0);
    return (struct setting){ .name = name, .text = word + 1 };
}

void private_claims_register(void)
{
    static const struct item none[] = { { 0 } };
    static struct paper paper = {
        .key = "privacy", .title = "Every private method, checked", .cite = "this program",
        .items = none,
    };
    struct list list = { 0 };
    struct runner *rn = runner_new(0);
    for (const struct algo *const *a = registry_algos(); *a; a++) {
        if ((*a)->adjacency == ADJACENCY_NONE)
            continue;
        if (!private_claim_of(*a))
            add_claim(&list, rn, *a, &(struct setting){ 0 });
        for (const char *const *v = (*a)->variants; v && *v; v++) {
            struct setting with = setting_of(*v);
            add_claim(&list, rn, *a, &with);
        }
    }
    runner_free(rn);
    paper.claims = list.at;
    if (list.n)
        registry_add_paper(&paper, "");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "private_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "registry.h"
#include "run.h"

/* Small instances: a record has its share of every release, and runs are many. Stored records come
 * first, as they serve streams and random samples alike; then, for methods that need M, losses that
 * curve, as without curvature every step contracts. Families with a canary pair show a sensitivity
 * that is half of what is due; on others a step that looks at the data is the control. */
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
    { "erm", { { "problem.scaling", .text = "unit" }, { "problem.radius", 1 }, { "goal.T", 16 },
               { "problem.optimum", .text = "none" } },
      { .algo = "planted-leak-step", .why = "planted: the step looks at the data" } },
};
enum { STAGES = sizeof stages / sizeof *stages };

static struct claim claim_on(const struct algo *a, const struct stage *at)
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
    BUG_IF(n == SETTINGS_MAX);
    c.with[n] = (struct setting){ .name = "goal.delta", .value = 1e-5 };
    return c;
}

/* Does the method run on the stage, as far as that can be told before it runs? */
static bool runs_on(struct runner *rn, const struct algo *a, const struct stage *at)
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
    bag_put(&bag, "goal.eps", 1);
    bag_put(&bag, "goal.delta", 1e-5);
    bool fits = cell_make(at->problem, a->name, &bag, 0, &c, &why) == OK;
    fits = fits && run_fits(rn, c, &why) == OK;
    cell_free(c);
    bag_free(&bag);
    return fits;
}

/* Somebody's own claim knows better where to look; an erratum is about what is printed. */
static bool has_claim(const struct algo *a)
{
    const struct claim *c;
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (int k = 0; (c = paper_claim(*p, k)); k++)
            if (c->check == CHECK_PRIVATE && c->kind != KIND_ERRATUM &&
                strcmp(c->algo, a->name) == 0)
                return true;
    return false;
}

void private_claims_register(void)
{
    static const struct item none[] = { { 0 } };
    static struct paper paper = {
        .key = "privacy", .title = "Every private method, checked", .cite = "this program",
        .items = none,
    };
    struct claim *list = NULL;
    struct runner *rn = runner_new(0);
    int n = 0;
    for (const struct algo *const *a = registry_algos(); *a; a++) {
        int at = 0;
        if ((*a)->adjacency == ADJACENCY_NONE || has_claim(*a))
            continue;
        while (at < STAGES && !runs_on(rn, *a, &stages[at]))
            at++;
        list = realloc(list, (size_t)(n + 2) * sizeof *list);
        BUG_IF(!list);
        char *id = NULL;
        BUG_IF(asprintf(&id, "privacy/%s.eps", (*a)->name) < 0);
        list[n] = claim_on(*a, &stages[at % STAGES]);
        list[n].id = id;
        list[++n] = (struct claim){ 0 };
    }
    runner_free(rn);
    paper.claims = list;
    if (n)
        registry_add_paper(&paper, "harness/private_claims.c", "");
}

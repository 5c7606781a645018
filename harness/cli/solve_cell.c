/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_cell.c - makes one cell of the command line of `solve`, and prints each default that it uses. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"
#include "cli/csv_target.h"
#include "cli/solve.h"
#include "exec/method.h"

/* The settings gathered so far, and the names of the problem and the algorithm. */
struct asking {
    const struct options *o;
    struct runner *runner;
    struct bag bag;
    const char *problem, *algo;
    bool compares;                   /* several methods are compared, so one that is not private may be given an
                                        epsilon, which it ignores */
    void (*tell)(void *ctx, const char *words);      /* called with a line for each default that is used */
    void *ctx;
};

__attribute__((format(printf, 2, 3)))
static void say(const struct asking *q, const char *format, ...)
{
    char words[300];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    q->tell(q->ctx, words);
}

static void say_on_stderr(void *ctx, const char *words) { fprintf(stderr, "%s\n", words); }

static bool is_set(const struct asking *q, const char *name)
{
    return bag_find(&q->bag, name) != NULL;
}

/* Replaces the data file by a table whose first column is the one that --target names. */
static enum status put_target(struct asking *q, struct why *why)
{
    struct csv_target made;
    TRY(csv_target(q->o->data, q->o->target, q->o->cache, &made, why));
    bag_put_text(&q->bag, "problem.data", made.path);
    fprintf(stderr, "target: %s; the table with it in front is %s\n", made.says, made.path);
    return OK;
}

static enum status put_words(struct asking *q, struct why *why)
{
    const struct options *o = q->o;
    const struct {
        const char *name, *text;
    } words[] = {
        { "problem.data", o->data }, { "problem.format", o->data_format },
        { "problem.loss", o->loss }, { "problem.scaling", o->scaling },
        { "run.public", o->public },
    };
    if (o->data && q->problem)
        return why_set(why, BAD_INPUT, "give --data FILE or --problem NAME, not both");
    if (o->data)
        q->problem = "erm";
    if (o->target && !o->data)
        return why_set(why, BAD_INPUT, "--target %.80s: of --data FILE only", o->target);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].text)
            bag_put_text(&q->bag, words[k].name, words[k].text);
    if (o->target)
        TRY(put_target(q, why));
    if (!isnan(o->test_share))
        bag_put(&q->bag, "problem.test", o->test_share);
    if (!q->problem || !q->algo)
        return why_set(why, BAD_INPUT,
                       "solve: expected --algorithm NAME and --problem NAME or --data FILE");
    return OK;
}

static enum status put_axes(struct asking *q, struct why *why)
{
    for (int k = 0; k < q->o->select.ranges; k++) {
        const struct range *r = &q->o->select.range[k];
        if (r->values > 1)
            return why_set(why, BAD_INPUT, "--%s: solve takes one value", r->name);
        plan_put_axis(&q->bag, r->name, q->problem, q->algo, r->value[0]);
    }
    return OK;
}

/* --- defaults */

/* Sets the default for a private method that takes steps along coordinates and has a prox: the prox gets all
 * regularisers. Records are not scaled to norm 1 for such a method, since it clips each partial derivative. */
static void default_coordinates(struct asking *q, const struct algo *a)
{
    if (!(a->calls & CALL_PROX) || is_set(q, "problem.prox"))
        return;
    bag_put_text(&q->bag, "problem.prox", "all");
    say(q, "private, by coordinates: regularisers hold no data, and stay outside clipping "
           "and noise (--set problem.prox=all)");
}

/* Sets defaults by which L is known without the data: records of norm 1, and a ball. A method over R^d has no ball,
 * and gets no l2, whose gradient is unbounded. */
static void default_lipschitz(struct asking *q, const struct algo *a)
{
    const struct assignment *scaling;
    if (!is_set(q, "problem.scaling") && !is_set(q, "run.public")) {
        bag_put_text(&q->bag, "problem.scaling", "unit");
        say(q, "private, no scaling given: --scaling unit (each record to norm 1, so that "
               "L and M are known without the data)");
    }
    scaling = bag_find(&q->bag, "problem.scaling");
    if (!scaling || !scaling->text || strcmp(scaling->text, "unit") != 0)
        return;
    if (a->assumes & ASSUMES_UNBOUNDED) {
        if (is_set(q, "problem.l2"))
            return;
        bag_put(&q->bag, "problem.l2", 0);
        say(q, "private over all of R^d, no l2 given: --l2 0 (with it no loss is "
               "L-Lipschitz)");
    } else if (!is_set(q, "problem.radius")) {
        bag_put(&q->bag, "problem.radius", 1);
        say(q, "private, no radius given: --radius 1 (the noise grows with it)");
    }
}

/* Sets the defaults that depend on the method. If problem or method are unknown, cell_make prints the error
 * later. */
static enum status default_method(struct asking *q, struct why *why)
{
    const struct algo *a = registry_algo(q->algo);
    const struct problem *p = registry_problem(q->problem);
    bool records = p && params_find(p->params, "scaling") && params_find(p->params, "radius");
    const struct assignment *l1 = bag_find(&q->bag, "problem.l1");
    if (!a)
        return OK;
    bool asks = is_set(q, "goal.eps") || is_set(q, "goal.rho");
    if (!q->compares && a->adjacency == ADJACENCY_NONE && !method_not_audited(a) && asks)
        return why_set(why, BAD_INPUT,
                       "--eps and --rho ask for privacy, and %s adds no noise: "
                       "expected a private method",
                       a->name);
    if (is_set(q, "goal.eps") && is_set(q, "goal.rho"))
        return why_set(why, BAD_INPUT, "--eps and --rho are two ways to ask: expected one");
    if (l1 && l1->value > 0 && !(a->calls & CALL_PROX) && !is_set(q, "problem.prox")) {
        bag_put_text(&q->bag, "problem.prox", "none");
        say(q, "%s takes no prox: l1 |x|_1 is in every sample, by subgradients "
               "(--set problem.prox=none)",
                a->name);
    }
    bool noisy = is_set(q, "goal.eps") || is_set(q, "goal.rho") || is_set(q, "algo.mu") ||
                 is_set(q, "algo.sigma");
    if (a->adjacency == ADJACENCY_NONE || !noisy || !records)
        return OK;
    if (a->calls & CALL_POINT) {
        default_coordinates(q, a);
        return OK;
    }
    default_lipschitz(q, a);
    return OK;
}

/* Sets delta = 1/n^2 for a goal with epsilon and without delta, where n is the number of records, or of samples. */
static enum status default_delta(struct asking *q, struct why *why)
{
    struct cell *c;
    const void *self;
    const struct facts *facts;
    const struct assignment *n = bag_find(&q->bag, "goal.n");
    if (!is_set(q, "goal.eps") || is_set(q, "goal.delta"))
        return OK;
    TRY(cell_make(q->problem, q->algo, &q->bag, 0, &c, why));
    enum status s = runner_instance(q->runner, c, &self, &facts, why);
    double records = s == OK && isfinite(facts->n) ? facts->n : n ? n->value : NAN;
    cell_free(c);
    if (s == OK && isnan(records))
        return why_set(why, BAD_INPUT,
                       "--eps without --delta: no number of samples to choose 1/n^2 from");
    if (s == OK) {
        bag_put(&q->bag, "goal.delta", 1 / (records * records));
        say(q, "no delta given: --delta %.3g (1/n^2)", 1 / (records * records));
    }
    return s;
}

/* Returns a budget that the method accepts: with a target accuracy a method may refuse one that is too small. It is
 * the default times the least power of ten that the method accepts, or the default if the method accepts none up to
 * 10^12. */
static double accepted(struct asking *q, const char *full, double value)
{
    for (double more = value; is_set(q, "goal.acc") && more <= 1e12; more *= 10) {
        struct bag bag = { 0 };
        struct why why;
        struct cell *c;
        bag_copy(&bag, &q->bag);
        bag_put(&bag, full, more);
        enum status s = cell_make(q->problem, q->algo, &bag, 0, &c, &why);
        bag_free(&bag);
        if (s != OK)
            return value;
        s = run_fits(q->runner, c, &why);
        cell_free(c);
        if (s == OK)
            return more;
    }
    return value;
}

/* Sets the budget if none is given. On stored data it is 100 passes, or one for methods that use each record once
 * or ask for values of samples only; else it is 10^5 samples, or 1,000 steps for methods that take no samples. */
static enum status default_budget(struct asking *q, struct why *why)
{
    struct cell *c;
    const void *self;
    const struct facts *facts;
    if (is_set(q, "goal.n") || is_set(q, "goal.T") || is_set(q, "goal.budget"))
        return OK;
    TRY(cell_make(q->problem, q->algo, &q->bag, 0, &c, why));
    enum status s = runner_instance(q->runner, c, &self, &facts, why);
    if (s == OK && c->algo) {
        bool samples = c->algo->calls & (CALL_SAMPLES | CALL_SAMPLE_VALUES);
        bool stored = isfinite(facts->n), once = stored && samples && c->run.once;
        bool gradients = c->algo->calls & CALL_SAMPLES, each = stored && samples && !gradients;
        const char *name = stored && !once && !each ? "budget" : samples ? "n" : "T";
        double value = once || each ? facts->n : stored ? 100 * facts->n : samples ? 1e5 : 1000;
        char full[32], number[32];
        snprintf(full, sizeof full, "goal.%s", name);
        value = accepted(q, full, value);
        bag_put(&q->bag, full, value);
        say(q, "no budget given: --%s %s", name, number_text(value, number));
    }
    cell_free(c);
    return s;
}

enum status solve_defaults(struct runner *runner, const char *problem, const char *algo, struct bag *bag,
                           void (*tell)(void *ctx, const char *words), void *ctx, struct why *why)
{
    struct asking q = { NULL, runner, *bag, problem, algo, true, tell, ctx };
    enum status s = default_method(&q, why);
    if (s == OK)
        s = default_delta(&q, why);
    if (s == OK)
        s = default_budget(&q, why);
    *bag = q.bag;
    return s;
}

static enum status gather(struct asking *q, struct cell **cell, struct why *why)
{
    TRY(put_words(q, why));
    TRY(put_axes(q, why));
    bag_copy(&q->bag, &q->o->select.overrides);
    if (!isnan(q->o->select.seed) && q->o->select.seed != 1)
        bag_put(&q->bag, "run.seed", q->o->select.seed);
    TRY(default_method(q, why));
    TRY(default_delta(q, why));
    TRY(default_budget(q, why));
    return cell_make(q->problem, q->algo, &q->bag, 0, cell, why);
}

enum status solve_cell(const struct options *o, struct runner *runner, struct cell **cell,
                       struct why *why)
{
    struct asking q = { o, runner, { 0 }, o->select.problem, o->select.algorithm, false, say_on_stderr, NULL };
    *cell = NULL;
    enum status s = gather(&q, cell, why);
    bag_free(&q.bag);
    if (s == OK && !(*cell)->algo)
        s = why_set(why, BAD_INPUT, "%s is an estimator: it is checked by claims, not solved with",
                    o->select.algorithm);
    return s;
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

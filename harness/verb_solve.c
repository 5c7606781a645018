/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_solve.c - one run for its answer: solve, and rerun of a stored cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "params.h"
#include "registry.h"
#include "run.h"

/* --- printing one record */

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* Lines `  name  value unit` of every value whose name begins with the prefix; zeros on request. */
static void print_group(const struct record *r, const char *title, const char *prefix, bool zeros)
{
    size_t n = strlen(prefix);
    bool any = false;
    for (size_t k = 0; k < r->values; k++) {
        if (strncmp(r->value[k].name, prefix, n) || (!zeros && r->value[k].value == 0))
            continue;
        if (!any)
            printf("%s\n", title);
        any = true;
        printf("  %-18s %.10g\n", r->value[k].name + n, r->value[k].value);
    }
}

static void print_measures(const struct cell *c, const struct record *r)
{
    char name[RECORD_NAME];
    printf("answer\n");
    for (const struct measure *m = c->problem->measures; m && m->name; m++) {
        if (!m->at)
            continue;
        snprintf(name, sizeof name, "measure.%s", m->name);
        if (isnan(value_of(r, name))) {
            printf("  %-18s %-14s  %s\n", m->name, "not known", m->doc);
            continue;
        }
        printf("  %-18s %-14.10g", m->name, value_of(r, name));
        snprintf(name, sizeof name, "error.%s", m->name);
        if (m->certainty == CERTIFIED)
            printf(" certified to %.2g", value_of(r, name));
        else if (m->certainty == ESTIMATED)
            printf(" +- %.2g", value_of(r, name));
        printf("  %s\n", m->doc);
    }
}

static void print_solution(const struct cell *c, const struct record *r)
{
    printf("problem   %s: %s\n", c->problem->name, c->problem->doc);
    printf("algorithm %s: %s (%s)\n", c->algo->name, c->algo->doc, c->algo->cite);
    if (!c->run.count)
        print_measures(c, r);
    print_group(r, "cost", "count.", false);
    print_group(r, "parameters", "param.", true);
    print_group(r, "constants told by the problem", "fact.", true);
    print_group(r, "diagnostics", "note.", true);
    print_group(r, "clipping", "clip.", true);
    printf("time      %.3g s\n", r->seconds);
    printf("again     assay rerun '%s'\n", c->text);
}

static void print_record(const struct options *o, const struct cell *c, const struct record *r)
{
    if (o->format != RECORD_TEXT) {
        if (o->format == RECORD_CSV)
            fputs(RECORD_CSV_HEADER, stdout);
        record_write(stdout, r, o->format, o->canonical);
        if (o->format == RECORD_JSON)
            putchar('\n');
        return;
    }
    print_solution(c, r);
}

/* --- what was asked, as a bag of settings */

static enum status put_data(const struct options *o, struct bag *bag, const char **problem,
                            struct why *why)
{
    if (!o->data)
        return OK;
    if (*problem)
        return why_set(why, BAD_INPUT, "give --data FILE or --problem NAME, not both");
    *problem = "erm";
    if (o->data_format)
        bag_put_text(bag, "problem.format", o->data_format);
    bag_put_text(bag, "problem.data", o->data);
    if (o->loss)
        bag_put_text(bag, "problem.loss", o->loss);
    return OK;
}

static bool bounded(const struct bag *bag)
{
    return bag_find(bag, "goal.n") || bag_find(bag, "goal.T") || bag_find(bag, "goal.budget");
}

/* Without a budget: a hundred passes over stored data, a thousand exact steps, 10^5 samples. */
static enum status default_budget(struct bag *bag, const char *problem, const char *algo,
                                  struct runner *runner, struct why *why)
{
    struct cell *c;
    const void *self;
    const struct facts *facts;
    if (bounded(bag))
        return OK;
    TRY(cell_make(problem, algo, bag, 0, &c, why));
    enum status s = runner_instance(runner, c, &self, &facts, why);
    if (s == OK && c->algo) {
        bool samples = c->algo->calls & (CALL_SAMPLES | CALL_SAMPLE_VALUES);
        bool stored = isfinite(facts->n), once = stored && samples && c->run.once;
        const char *name = stored && !once ? "budget" : samples ? "n" : "T";
        double value = once ? facts->n : stored ? 100 * facts->n : samples ? 1e5 : 1000;
        char full[32];
        snprintf(full, sizeof full, "goal.%s", name);
        bag_put(bag, full, value);
        fprintf(stderr, "no budget given: --%s %g\n", name, value);
    }
    cell_free(c);
    return s;
}

/* A goal of epsilon without delta: 1/n^2, n the records or the samples asked for. */
static enum status default_delta(const struct options *o, struct bag *bag, const char *problem,
                                 const char *algo, struct runner *runner, struct why *why)
{
    struct cell *c;
    const void *self;
    const struct facts *facts;
    const struct assignment *n = bag_find(bag, "goal.n");
    if (!bag_find(bag, "goal.eps") || bag_find(bag, "goal.delta") ||
        bag_find(&o->select.overrides, "goal.delta"))
        return OK;
    TRY(cell_make(problem, algo, bag, 0, &c, why));
    enum status s = runner_instance(runner, c, &self, &facts, why);
    double records = s == OK && isfinite(facts->n) ? facts->n : n ? n->value : NAN;
    cell_free(c);
    if (s == OK && isnan(records))
        return why_set(why, BAD_INPUT, "--eps without --delta: no number of samples to choose 1/n^2 from");
    if (s == OK) {
        bag_put(bag, "goal.delta", 1 / (records * records));
        fprintf(stderr, "no delta given: --delta %.3g (1/n^2)\n", 1 / (records * records));
    }
    return s;
}

static enum status solve_cell(const struct options *o, struct runner *runner, struct cell **cell,
                              struct why *why)
{
    struct bag bag = { 0 };
    const char *problem = o->select.problem, *algo = o->select.algorithm;
    enum status s = put_data(o, &bag, &problem, why);
    *cell = NULL;
    if (s == OK && (!problem || !algo))
        s = why_set(why, BAD_INPUT, "solve: expected --algorithm NAME and --problem NAME or --data FILE");
    for (int k = 0; s == OK && k < o->select.ranges; k++) {
        if (o->select.range[k].values > 1)
            s = why_set(why, BAD_INPUT, "--%s: solve takes one value", o->select.range[k].name);
        else
            plan_put_axis(&bag, o->select.range[k].name, problem, algo,
                          o->select.range[k].value[0]);
    }
    if (s == OK)
        s = default_delta(o, &bag, problem, algo, runner, why);
    bag_copy(&bag, &o->select.overrides);
    if (!isnan(o->select.seed) && o->select.seed != 1)
        bag_put(&bag, "run.seed", o->select.seed);
    if (s == OK)
        s = default_budget(&bag, problem, algo, runner, why);
    if (s == OK)
        s = cell_make(problem, algo, &bag, 0, cell, why);
    bag_free(&bag);
    if (s == OK && !(*cell)->algo)
        s = why_set(why, BAD_INPUT, "%s is an estimator: it is checked by claims, not solved with", algo);
    return s;
}

static int finish(const struct record *r, const char *what)
{
    if (r->outcome == OUTCOME_OK)
        return EXIT_OK;
    fprintf(stderr, "assay: %s %s: %s\n", what, record_outcome_name(r->outcome), r->message);
    return r->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
}

int verb_solve(struct options *o)
{
    struct runner *runner = runner_new((size_t)(o->memory * 0x1p20));
    struct cell *c;
    struct why why = { "" };
    enum status s = solve_cell(o, runner, &c, &why);
    int code = EXIT_OK;
    if (s != OK) {
        code = complain(s, &why);
    } else {
        struct record *r = run_cell(runner, c, NULL);
        code = finish(r, "solve");
        if (code == EXIT_OK)
            print_record(o, c, r);
        record_free(r);
    }
    cell_free(c);
    runner_free(runner);
    return code;
}

/* --- rerun */

static int compare(const struct options *o, const struct cell *c, const struct record *now)
{
    struct store *store;
    struct record *then = NULL;
    struct why why = { "" };
    if (store_open(o->store, STORE_READ, 1, &store, &why) != OK) {
        fprintf(stderr, "not compared: %s\n", why.text);
        return EXIT_OK;
    }
    enum status s = store_find(store, c->text, c->fingerprint, &then, &why);
    store_close(store);
    if (s != OK)
        return complain(s, &why);
    bool equal = then && record_equal(then, now);
    fprintf(stderr, "%s\n", !then ? "the store has no record of this cell from this build"
                          : equal ? "equal to the stored record, bit for bit"
                                  : "DIFFERENT from the stored record of the same build");
    record_free(then);
    return !then || equal ? EXIT_OK : EXIT_CONTRADICTED;
}

int verb_rerun(struct options *o)
{
    struct cell *c = NULL;
    struct why why = { "" };
    if (o->arguments != 1) {
        fprintf(stderr, "assay: rerun: expected the text of one cell, as the report prints it\n");
        return EXIT_USAGE;
    }
    enum status s = cell_parse(o->argument[0], &c, &why);
    if (s != OK)
        return complain(s, &why);
    struct runner *runner = runner_new((size_t)(o->memory * 0x1p20));
    struct record *r = run_cell(runner, c, NULL);
    record_write(stdout, r, o->format, o->canonical);
    int code = finish(r, "rerun"), compared = compare(o, c, r);
    record_free(r);
    cell_free(c);
    runner_free(runner);
    return code ? code : compared;
}

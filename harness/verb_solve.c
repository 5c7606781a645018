/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_solve.c - one run for its answer: solve, and rerun of a stored cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "progress.h"
#include "solve.h"

static int finish(const struct record *r, const char *what)
{
    if (r->outcome == OUTCOME_OK)
        return EXIT_OK;
    fprintf(stderr, "assay: %s %s: %s\n", what, record_outcome_name(r->outcome), r->message);
    return r->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
}

/* The part done of a run that takes more than a second, on a terminal. */
static void see(void *ctx, double part) { progress_part(ctx, part); }

/* Accountants' figures become values of the record, for formats that print all of it. */
static void put_epsilons(struct record *r, const struct privacy *p)
{
    char name[RECORD_NAME];
    for (int k = 0; p->applies && k < ACCOUNTANTS; k++) {
        if (isnan(p->by[k].eps))
            continue;
        snprintf(name, sizeof name, "eps.%s", p->by[k].name);
        record_put(r, name, p->by[k].eps);
    }
    if (p->applies)
        record_put(r, "eps.delta", p->delta);
}

/* Prints even if the model cannot be written: the run may have taken long. */
static int answer(const struct options *o, const struct runner *runner, struct solution *s,
                  struct record *r)
{
    struct why why = { "" };
    solve_privacy(s->cell, s->facts, runner_ledger(runner), &s->privacy);
    put_epsilons(r, &s->privacy);
    enum status written = o->model ? solve_model_write(o->model, s, &why) : OK;
    s->model = o->model && written == OK ? o->model : NULL;
    solve_print(o, s);
    return written == OK ? EXIT_OK : complain(written, &why);
}

static int solve(const struct options *o, struct runner *runner, const struct cell *c)
{
    struct solution s = { .cell = c };
    struct progress progress;
    struct why why = { "" };
    const void *self;
    double *x;
    enum status known = runner_instance(runner, c, &self, &s.facts, &why);
    if (known != OK)
        return complain(known, &why);
    progress_begin_one(&progress, progress_wanted(STDERR_FILENO));
    runner_watch(runner, progress.on ? see : NULL, &progress);
    struct record *r = run_cell(runner, c, &x);
    progress_end(&progress);
    int code = finish(r, "solve");
    s.record = r;
    s.x = x;
    if (code == EXIT_OK)
        code = answer(o, runner, &s, r);
    free(x);
    record_free(r);
    return code;
}

int verb_solve(struct options *o)
{
    struct runner *runner = runner_new((size_t)(o->memory * 0x1p20));
    struct cell *c = NULL;
    struct why why = { "" };
    enum status s = o->model ? solve_model_free(o->model, o->force, &why) : OK;
    if (s == OK)
        s = solve_cell(o, runner, &c, &why);
    int code = s == OK ? solve(o, runner, c) : complain(s, &why);
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

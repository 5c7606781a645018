/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_solve.c - one run: solve for its answer, and rerun of a stored cell. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "text/progress.h"
#include "cli/solve.h"

static int finish(const struct record *r, const char *what)
{
    if (r->outcome == OUTCOME_OK)
        return EXIT_OK;
    fprintf(stderr, "assay: %s %s: %s\n", what, record_outcome_name(r->outcome), r->message);
    return r->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
}

/* --- a deadline: the run is in this process, so the timer ends the process */

static char deadline_words[96];          /* the handler's message, made before the timer starts */

static void too_late(int signal)
{
    if (write(STDERR_FILENO, deadline_words, strlen(deadline_words)) < 0)
        _exit(EXIT_USAGE);
    _exit(EXIT_FAILED_CELL);
}

/* Starts the timer; c: NULL, or the cell, which may have a deadline of its own. No output is lost, as all of it is
 * printed after the run. */
static void set_deadline(const struct options *o, const char *verb, const struct cell *c)
{
    double whole, seconds = fmin(o->timed ? o->timeout : INFINITY, c ? c->run.timeout : INFINITY);
    if (!(seconds < 1e9))
        return;
    struct itimerval t = { .it_value.tv_usec = (suseconds_t)(1e6 * modf(seconds, &whole)) };
    t.it_value.tv_sec = (time_t)whole;
    snprintf(deadline_words, sizeof deadline_words,
             "%sassay: %s timeout: not done after %g s; see --timeout\n",
             isatty(STDERR_FILENO) ? "\n" : "", verb, seconds);
    signal(SIGALRM, too_late);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void lift_deadline(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

/* --- solve */

/* Shows the progress of a run, on a terminal, after one second. */
static void see(void *ctx, double part) { progress_part(ctx, part); }

/* The accountants' epsilons become values of the record, for the formats that print records. */
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

/* Prints the answer even if the model cannot be written, as the run may have taken long. */
static int answer(const struct options *o, const struct runner *runner, struct solution *s,
                  struct record *r)
{
    struct why why = { "" };
    solve_privacy(s->cell, s->facts, runner_ledger(runner), &s->privacy);
    put_epsilons(r, &s->privacy);
    enum status written = o->model ? solve_model_write(o->model, s, &why) : OK;
    s->model = o->model && written == OK ? o->model : NULL;
    solve_print(o, s);
    fflush(stdout);
    if (written != OK)
        return complain(written, &why);
    if (!solve_uncertified(s))
        return EXIT_OK;
    fprintf(stderr, "assay: solve: no certified optimum, so the excess is not known; "
            "--set problem.optimum=none asks for none\n");
    return EXIT_INCOMPLETE;
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
    lift_deadline();
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
    set_deadline(o, "solve", NULL);
    if (s == OK)
        s = solve_cell(o, runner, &c, &why);
    if (s == OK && isfinite(c->run.timeout))
        set_deadline(o, "solve", c);
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
    set_deadline(o, "rerun", c);
    struct record *r = run_cell(runner, c, NULL);
    lift_deadline();
    record_write(stdout, r, o->format, o->canonical);
    fflush(stdout);
    int code = finish(r, "rerun"), compared = compare(o, c, r);
    record_free(r);
    cell_free(c);
    runner_free(runner);
    return code ? code : compared;
}

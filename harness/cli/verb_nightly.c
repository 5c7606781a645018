/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_nightly.c - nightly: every cell again, judged and compared with the baseline; gc: old records dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "nights/compare.h"
#include "nights/history.h"
#include "pool/interrupt.h"
#include "cli/judged.h"
#include "plan/plan_budget.h"
#include "judge/plan_records.h"

/* --- budget */

static void keep_within(const struct options *o, struct plan *p)
{
    char why[DATA_MISSING];
    const struct run_request q = options_request(o);
    double *cost = plan_costs(&q, p, NULL);
    snprintf(why, sizeof why, "no time for it in --budget %.30s", o->time);
    plan_budget(p, cost, o->seconds * (o->jobs > 0 ? o->jobs : 1), why);
    free(cost);
}

/* --- the night */

/* The exit code of a night: by the changes since the baseline; without a baseline by the verdicts. */
static int night_code(const struct options *o, const struct judged *j, const struct comparison *c,
                      const struct execution *x)
{
    int code = judged_code(o, j);
    if (code == EXIT_USAGE || code == EXIT_FAILED_CELL)
        return code;
    if (comparison_gates(c) || x->unlike)
        return EXIT_CONTRADICTED;
    if (!c->compared)
        return code;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].dropped || j->judgement[k].no_data)
            return EXIT_INCOMPLETE;
    if (code == EXIT_CONTRADICTED)
        return code;
    for (int k = 0; k < c->n; k++)
        if (c->change[k].kind == CHANGE_ABSENT ||
            (c->change[k].kind == CHANGE_NEW && c->change[k].now->word != SUPPORTED))
            return EXIT_INCOMPLETE;
    return EXIT_OK;
}

static void print_unlike(const struct execution *x)
{
    if (x->unlike)
        fprintf(stderr, "%d cells gave other numbers than the same program did before, first: %s\n",
                x->unlike, x->unlike_cell);
}

static enum status keep_history(const struct options *o, const struct judged *j, long run,
                                struct history *h, struct why *why)
{
    struct store *store;
    TRY(judged_keep(o, j, run, why));
    TRY(judged_bench(o, run, why));
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_read(store, profile_name(o->select.profile), NIGHTS, h, why);
    store_close(store);
    return s;
}

static int judge_night(const struct options *o, struct judged *j, const struct execution *x)
{
    struct standings base = { NULL, 0 }, now = { NULL, 0 };
    struct history history = { NULL, 0 };
    struct why why = { "" };
    judge_plan(&j->plan, j->record, j->judgement);
    judged_standings(o, j, &now);
    enum status s = baseline_read(o->baseline, &base, &why);
    if (s == OK)
        s = keep_history(o, j, x->run, &history, &why);
    struct comparison c = s == OK ? judged_compare(o, &j->plan, &base, &now) : (struct comparison){ 0 };
    if (s == OK) {
        judged_table(o, j);
        print_ran(&j->plan, x);
        print_unlike(x);
        bool based = c.n > c.kinds[CHANGE_NEW];      /* false too if all lines are of another profile */
        if (based) {
            compare_print(stderr, &c, RECORD_TEXT);
            compare_uncovered(stderr, &c, profile_name(o->select.profile));
        } else
            fprintf(stderr, "no baseline in %s: `assay accept` makes one of this night\n", o->baseline);
        s = judged_report(o, j, &history, &why);
    }
    int code = s == OK ? night_code(o, j, &c, x) : complain(s, &why);
    free(c.change);
    standings_free(&base);
    standings_free(&now);
    history_free(&history);
    return code;
}

int verb_nightly(struct options *o)
{
    struct judged j = { .judgement = NULL };
    struct execution x;
    struct why why = { "" };
    o->fresh = o->night = true;
    if (!o->profiled)
        o->select.profile = PROFILE_NIGHTLY;
    if (!o->stored)
        o->store = "results/store/nightly.db";
    enum status s = plan_make(&o->select, &j.plan, &why);
    if (s != OK)
        return complain(s, &why);
    if (o->time)
        keep_within(o, &j.plan);
    j.judgement = judge_none(&j.plan);
    const struct run_request q = options_request(o);
    s = run_plan(&q, &j.plan, &x, j.judgement, &why);
    j.record = x.record;
    j.reference = x.reference;
    int code = s != OK ? complain(s, &why) : x.interrupted ? interrupt_code() : judge_night(o, &j, &x);
    if (s == OK && x.interrupted)
        fprintf(stderr, "interrupted; the next `assay nightly` continues this run\n");
    judged_free(&j);
    return code;
}

/* --- gc */

int verb_gc(struct options *o)
{
    struct store *store;
    struct why why = { "" };
    long records;
    enum status s = OK;
    if (!o->keep)
        s = why_set(&why, BAD_INPUT, "gc: --keep: expected how many of the newest runs keep their records");
    else if (access(o->store, F_OK))
        s = why_set(&why, BAD_INPUT, "%.300s: no such store", o->store);
    if (s == OK)
        s = store_open(o->store, STORE_WRITE, 10, &store, &why);
    if (s != OK)
        return complain(s, &why);
    s = store_collect(store, o->keep, &records, &why);
    store_close(store);
    if (s == OK)
        printf("%ld records dropped\n", records);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_claims.c - plan, run, verify, explain, report: the stages from a plan to the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nights/bench_times.h"
#include "nights/history.h"
#include "pool/interrupt.h"
#include "cli/judged.h"
#include "plan/names.h"
#include "judge/plan_records.h"
#include "record/listing.h"
#include "report/report.h"
#include "report/report_theorems.h"

int complain(enum status s, const struct why *why)
{
    fflush(stdout);
    fprintf(stderr, "assay: %s\n", why->text[0] ? why->text : status_text(s));
    if (store_damaged(why))
        return EXIT_DAMAGED;
    return s == BAD_INPUT || s == REFUSED ? EXIT_USAGE : s == IO_ERROR ? EXIT_USAGE : EXIT_FAILED_CELL;
}

/* --- plan */

/* A line of a plot is printed under the id of its figure, with its label. */
static void print_plan(const struct plan *p, const struct options *o)
{
    printf("%-44s %-6s %6s %5s %7s\n", "claim", "check", "points", "reps", "cells");
    for (int k = 0; k < p->claims + p->lines; k++) {
        const struct planned_claim *c = &p->claim[k];
        const char *label = c->plot ? c->plot->line[c->line].label : "";
        printf("%-44s %-6s ", c->claim->id, check_name(c->claim->check));
        if (c->tasks)
            printf("%6d %5ld %7d%s%s%s\n", c->points, c->claim->deterministic ? 1 : c->reps,
                   c->tasks, c->exploratory ? "  exploratory" : "", *label ? "  " : "", label);
        else if (*c->missing)
            printf("     - %s%s%s\n", c->missing, *label ? "  " : "", label);
        else
            printf("     - not in profile %s%s%s\n", profile_name(o->select.profile),
                   *label ? "  " : "", label);
    }
    int known;
    const struct run_request q = options_request(o);
    double *cost = plan_costs(&q, p, &known), sum = 0;
    for (int k = 0; k < p->cells; k++)
        sum += cost[k];
    free(cost);
    printf("%d claims, %d cells, about %.3g s on one core", p->claims, p->cells, sum);
    if (known)
        printf("; of %d the store knows the time", known);
    printf("\n");
}

/* Every task of every claim with its cell. */
static void print_cells(const struct plan *p, enum record_format format)
{
    static const char *const role[] = { "main", "rival", "control", "control-rival", "control2",
                                        "control2-rival", "also" };
    struct listing l = { .out = stdout, .format = format, .columns = 5, .digits = 17, .nan = "nan",
                         .name = { "claim", "role", "axis", "rep", "cell" } };
    listing_heading(&l);
    for (int k = 0; k < p->claims + p->lines; k++)
        for (const struct task *t = p->claim[k].task, *end = t + p->claim[k].tasks; t < end; t++) {
            listing_text(&l, t->claim->id);
            listing_text(&l, t->grid >= 0 ? "search" : p->claim[k].plot ? "line" : role[t->role]);
            listing_real(&l, t->axis);
            listing_count(&l, t->rep);
            listing_text(&l, p->cell[t->cell]->text);
        }
    listing_end(&l);
}

int verb_plan(struct options *o)
{
    struct plan p;
    struct why why = { "" };
    enum status s = plan_make(&o->select, &p, &why);
    if (s != OK)
        return complain(s, &why);
    if (o->format == RECORD_TEXT)
        print_plan(&p, o);
    else
        print_cells(&p, o->format);
    plan_free(&p);
    return EXIT_OK;
}

/* --- running */

static bool lacks_data(const struct plan *p)
{
    for (int k = 0; k < p->claims + p->lines; k++)
        if (*p->claim[k].missing)
            return true;
    return false;
}

int verb_run(struct options *o)
{
    struct plan p;
    struct execution x;
    struct why why = { "" };
    enum status s = plan_make(&o->select, &p, &why);
    if (s != OK)
        return complain(s, &why);
    struct judgement *list = judge_none(&p);
    const struct run_request q = options_request(o);
    s = run_plan(&q, &p, &x, list, &why);
    int code = s != OK ? complain(s, &why) : x.interrupted ? interrupt_code()
             : x.failed ? EXIT_FAILED_CELL : lacks_data(&p) ? EXIT_INCOMPLETE : EXIT_OK;
    if (s == OK)
        print_ran(&p, &x);
    free(list);
    free_records(&p, x.record);
    plan_free(&p);
    return code;
}

/* --- judging */

static int judge_run_plan(struct options *o, struct judged *j, const struct execution *x)
{
    struct why why = { "" };
    judge_plan(&j->plan, j->record, j->judgement);
    judged_table(o, j);
    print_ran(&j->plan, x);
    if (x->interrupted)
        return interrupt_code();
    int code = judged_code(o, j);
    enum status s = judged_keep(o, j, x->run, &why);
    if (s == OK)
        s = judged_report(o, j, NULL, &why);
    return s == OK ? code : complain(s, &why);
}

int verb_verify(struct options *o)
{
    struct judged j = { .judgement = NULL };
    struct execution x;
    struct why why = { "" };
    enum status s = plan_make(&o->select, &j.plan, &why);
    if (s != OK)
        return complain(s, &why);
    j.judgement = judge_none(&j.plan);
    const struct run_request q = options_request(o);
    s = run_plan(&q, &j.plan, &x, j.judgement, &why);
    j.record = x.record;
    j.reference = x.reference;
    int code = s == OK ? judge_run_plan(o, &j, &x) : complain(s, &why);
    judged_free(&j);
    return code;
}

static enum status read_history(const struct options *o, const char *profile, struct history *h, struct why *why)
{
    struct store *store;
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_read(store, profile, NIGHTS, h, why);
    store_close(store);
    return s;
}

int verb_explain(struct options *o)
{
    struct judged j;
    struct why why = { "" };
    bool theorem = o->arguments && names_theorem(o->argument[0]);
    if (theorem)
        o->select.theorem = o->argument[0];
    else if (o->arguments)
        o->select.claim = o->argument[0];
    enum status s = names_check(&o->select, &why);
    if (s == OK)
        s = judged_from(o, o->store, false, &j, &why);
    if (s != OK)
        return complain(s, &why);
    if (theorem)
        report_explain_theorem(stdout, o->select.theorem, j.judgement, j.plan.claims);
    for (int k = 0; k < j.plan.claims; k++)
        report_explain(stdout, &j.judgement[k], o->select.profile);
    struct report_input in = { .judgement = j.judgement, .judgements = j.plan.claims,
                               .profile = o->select.profile };
    struct plotted *plotted = plotted_all(&j.plan, j.record, j.judgement, &in.plots);
    in.plotted = plotted;
    report_explain_exhibits(stdout, &in);
    free(plotted);
    judged_free(&j);
    return EXIT_OK;
}

/* Prints the nights of the store; judges nothing and writes no file. */
static int print_history(const struct options *o)
{
    struct history history = { NULL, 0 }, kernels = { NULL, 0 };
    struct standings base = { NULL, 0 };
    struct why why = { "" };
    enum status s = baseline_read(o->baseline, &base, &why);
    if (s == OK)
        s = read_history(o, profile_name(o->select.profile), &history, &why);
    if (s == OK)
        s = read_history(o, BENCH_PROFILE, &kernels, &why);
    if (s == OK) {
        history_print(stdout, &history, &base, profile_name(o->select.profile));
        history_print_kernels(stdout, &kernels);
    }
    history_free(&history);
    history_free(&kernels);
    standings_free(&base);
    return s == OK ? EXIT_OK : complain(s, &why);
}

int verb_report(struct options *o)
{
    struct why taken = { "" };
    enum status bench = judged_bench(o, 0, &taken);
    if (bench != OK)
        return complain(bench, &taken);
    if (o->history)
        return print_history(o);
    struct judged j;
    struct history history = { NULL, 0 };
    struct why why = { "" };
    enum status s = judged_from(o, o->store, false, &j, &why);
    if (s != OK)
        return complain(s, &why);
    s = read_history(o, profile_name(o->select.profile), &history, &why);
    if (s == OK)
        s = judged_report(o, &j, &history, &why);
    int code = s == OK ? judged_code(o, &j) : complain(s, &why);
    if (s == OK)
        judged_table(o, &j);
    history_free(&history);
    judged_free(&j);
    return code;
}

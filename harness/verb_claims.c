/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_claims.c - plan, run, verify, explain, report: the stages, each from what the one before left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "baseline.h"
#include "cli.h"
#include "interrupt.h"
#include "judge.h"
#include "names.h"
#include "progress.h"
#include "report.h"
#include "plan_records.h"

int complain(enum status s, const struct why *why)
{
    fflush(stdout);
    fprintf(stderr, "assay: %s\n", why->text[0] ? why->text : status_text(s));
    if (store_damaged(why))
        return EXIT_DAMAGED;
    return s == BAD_INPUT || s == REFUSED ? EXIT_USAGE : s == IO_ERROR ? EXIT_USAGE : EXIT_FAILED_CELL;
}

/* --- plan */

/* A line of a plot stands under its figure's id, with its label. */
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
    printf("%d claims, %d cells, about %.3g s on one core\n", p->claims, p->cells, p->cost);
}

/* Every place of every claim with the cell that stands there. */
static void print_cells(const struct plan *p, enum record_format format)
{
    static const char *const role[] = { "main", "rival", "control", "control-rival", "control2",
                                        "control2-rival", "also" };
    if (format == RECORD_CSV)
        printf("claim,role,axis,rep,cell\n");
    const char *open = "[\n ";
    for (int k = 0; k < p->claims + p->lines; k++)
        for (const struct task *t = p->claim[k].task, *end = t + p->claim[k].tasks; t < end; t++) {
            const char *text = p->cell[t->cell]->text;
            const char *name = t->grid >= 0 ? "search" : p->claim[k].plot ? "line" : role[t->role];
            if (format == RECORD_CSV) {
                printf("%s,%s,%.17g,%ld,%s\n", t->claim->id, name, t->axis, t->rep, text);
                continue;
            }
            printf("%s{\"claim\": \"%s\", \"role\": \"%s\", \"axis\": %.17g, \"rep\": %ld, \"cell\": ",
                   open, t->claim->id, name, t->axis, t->rep);
            record_write_json_text(stdout, text);
            printf("}");
            open = ",\n ";
        }
    if (format == RECORD_JSON)
        printf("%s]\n", *open == '[' ? "[" : "\n");
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

static void print_ran(const struct plan *p, const struct execution *x)
{
    for (int k = 0; k < p->claims + p->lines; k++)
        if (*p->claim[k].missing)
            fprintf(stderr, "%s is not run: %s\n", p->claim[k].claim->id, p->claim[k].missing);
    fprintf(stderr, "%d cells: %d run, %d reused from the store%s\n", x->cells, x->ran, x->reused,
            x->interrupted ? "; interrupted, the next run resumes" : "");
}

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
    s = run_plan(o, &p, &x, &why);
    int code = s != OK ? complain(s, &why) : x.interrupted ? interrupt_code()
             : x.failed ? EXIT_FAILED_CELL : lacks_data(&p) ? EXIT_INCOMPLETE : EXIT_OK;
    if (s == OK)
        print_ran(&p, &x);
    free_records(&p, x.record);
    plan_free(&p);
    return code;
}

/* --- judging */

/* Lines of plots fail, but have no verdict. Verdicts against a claim that the baseline accepts are
 * results. */
static int exit_code(const struct judgement *j, const struct plan *p, const struct standings *baseline,
                     const char *profile)
{
    bool failed = false, against = false, open = false, measured = false;
    for (int k = p->claims; k < p->claims + p->lines; k++) {
        failed |= j[k].failed > 0;
        measured |= j[k].cells > 0;
        open |= j[k].no_data;
    }
    for (int k = 0; k < p->claims; k++) {
        enum word word = j[k].verdict.word;
        bool evidence = j[k].claim->kind == KIND_EVIDENCE;
        failed |= j[k].failed > 0;
        measured |= j[k].cells > 0;
        if (standings_accept(baseline, j[k].claim->id, profile, word))
            continue;
        against |= (word == CONTRADICTED && !evidence) || word == SUSPECT;
        open |= word == INCONCLUSIVE || (word == CONTRADICTED && evidence) ||
                (word == NOT_RUN && (j[k].cells || j[k].no_data));
    }
    return failed ? EXIT_FAILED_CELL : against ? EXIT_CONTRADICTED
         : open || !measured ? EXIT_INCOMPLETE : EXIT_OK;
}

/* A baseline that cannot be read is an error of its own. */
static int judged_code(const struct options *o, const struct judgement *j, const struct plan *p)
{
    struct standings baseline;
    struct why why = { "" };
    enum status s = baseline_read(o->baseline, &baseline, &why);
    int code = s != OK ? complain(s, &why) : exit_code(j, p, &baseline, profile_name(o->select.profile));
    standings_free(&baseline);
    return code;
}

static int terminal_width(void)
{
    struct winsize w;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 60 ? w.ws_col : 100;
}

static void print_table(const struct options *o, const struct judgement *j, int n)
{
    const char *no_color = getenv("NO_COLOR");
    bool color = progress_wanted(STDOUT_FILENO) && !(no_color && *no_color);
    if (o->format == RECORD_CSV)
        report_table_csv(stdout, j, n);
    else if (o->format == RECORD_JSON)
        report_table_json(stdout, j, n);
    else
        report_table(stdout, j, n, color, terminal_width());
    fflush(stdout);                      /* before what stderr says, where both go to one file */
}

static enum status write_report(const struct options *o, const struct plan *p,
                                struct record *const *record, const struct judgement *j,
                                struct why *why)
{
    size_t infos;
    int plots;
    const struct store_info *info = provenance_now(o, &infos);
    struct plotted *plotted = plotted_all(p, record, j, &plots);
    struct report_input in = { .plan = p, .record = record, .judgement = j, .judgements = p->claims, .info = info,
                               .infos = infos, .plotted = plotted, .plots = plots,
                               .profile = o->select.profile,
                               .canonical = o->canonical, .command = o->command,
                               .baseline = o->baseline };
    enum status s = report_write(&in, o->output, why);
    free(plotted);
    return s;
}

int verb_verify(struct options *o)
{
    struct plan p;
    struct execution x;
    struct why why = { "" };
    enum status s = plan_make(&o->select, &p, &why);
    if (s != OK)
        return complain(s, &why);
    s = run_plan(o, &p, &x, &why);
    int code = s != OK ? complain(s, &why) : EXIT_OK;
    if (s == OK) {
        struct judgement *j = judge_plan(&p, x.record);
        print_table(o, j, p.claims);
        print_ran(&p, &x);
        code = x.interrupted ? interrupt_code() : judged_code(o, j, &p);
        s = x.interrupted ? OK : write_report(o, &p, x.record, j, &why);
        if (s != OK)
            code = complain(s, &why);
        else if (!x.interrupted)
            fprintf(stderr, "report: %s/index.html\n", o->output);
        free(j);
    }
    free_records(&p, x.record);
    plan_free(&p);
    return code;
}

/* Judges what the store holds and hands it to `use`. */
static int from_store(struct options *o, int (*use)(struct options *, const struct plan *,
                                                    struct record *const *, const struct judgement *))
{
    struct plan p;
    struct why why = { "" };
    enum status s = plan_make(&o->select, &p, &why);
    if (s != OK)
        return complain(s, &why);
    struct record **record;
    s = read_plan(o, o->store, false, &p, &record, &why);
    int code = EXIT_OK;
    if (s != OK) {
        code = complain(s, &why);
    } else {
        struct judgement *j = judge_plan(&p, record);
        code = use(o, &p, record, j);
        free(j);
    }
    free_records(&p, record);
    plan_free(&p);
    return code;
}

static int use_explain(struct options *o, const struct plan *p, struct record *const *record,
                       const struct judgement *j)
{
    for (int k = 0; k < p->claims; k++)
        report_explain(stdout, &j[k], o->select.profile);
    struct report_input in = { .judgement = j, .judgements = p->claims,
                               .profile = o->select.profile };
    struct plotted *plotted = plotted_all(p, record, j, &in.plots);
    in.plotted = plotted;
    report_explain_exhibits(stdout, &in);
    free(plotted);
    return EXIT_OK;
}

static int use_report(struct options *o, const struct plan *p, struct record *const *record,
                      const struct judgement *j)
{
    struct why why = { "" };
    enum status s = write_report(o, p, record, j, &why);
    if (s != OK)
        return complain(s, &why);
    print_table(o, j, p->claims);
    fprintf(stderr, "report: %s/index.html\n", o->output);
    return judged_code(o, j, p);
}

int verb_explain(struct options *o)
{
    struct why why = { "" };
    if (o->arguments)
        o->select.claim = o->argument[0];
    if (names_check(&o->select, &why) != OK)
        return complain(BAD_INPUT, &why);
    return from_store(o, use_explain);
}

int verb_report(struct options *o)
{
    return from_store(o, use_report);
}

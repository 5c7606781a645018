/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.c - a plan with its records and judgements, and the steps that several verbs take with them. */
#include "cli/judged.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "nights/bench_times.h"
#include "base/params.h"
#include "judge/plan_records.h"
#include "text/progress.h"
#include "report/report.h"
#include "report/report_theorems.h"

struct plan judged_free_but_plan(struct judged *j)
{
    free_records(&j->plan, j->record);
    free(j->judgement);
    return j->plan;
}

void judged_free(struct judged *j)
{
    struct plan p = judged_free_but_plan(j);
    plan_free(&p);
}

static void keep_reference(void *ctx, const char *key, const char *value)
{
    if (strcmp(key, RUN_REFERENCE) == 0)
        number_parse(value, ctx);
}

/* The yardstick's time in the newest run. */
static enum status read_reference(const char *path, double *reference, struct why *why)
{
    struct store *store;
    long run = 0;
    *reference = NAN;
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = store_last_run(store, &run, why);
    if (s == OK && run)
        s = store_run_info(store, run, keep_reference, reference, why);
    store_close(store);
    return s;
}

enum status judged_from(const struct options *o, const char *path, bool any, struct judged *j,
                        struct why *why)
{
    memset(j, 0, sizeof *j);
    TRY(plan_make(&o->select, &j->plan, why));
    j->judgement = judge_none(&j->plan);
    const struct run_request q = options_request(o);
    enum status s = read_plan(&q, path, any, &j->plan, &j->record, j->judgement, why);
    if (s == OK)
        s = read_reference(path, &j->reference, why);
    if (s == OK)
        judge_plan(&j->plan, j->record, j->judgement);
    else
        judged_free(j);
    return s;
}

/* --- standings */

bool judged_asks(const struct plan *p, const char *claim)
{
    for (int k = 0; k < p->claims; k++)
        if (strcmp(p->claim[k].claim->id, claim) == 0)
            return p->claim[k].tasks || *p->claim[k].missing;
    return false;
}

void judged_standing(const struct options *o, const struct judged *j, int k, struct standing *s)
{
    standing_of(&j->plan, j->record, &j->judgement[k], k, profile_name(o->select.profile), s);
    s->reference = j->reference > 0 ? j->reference : 0;
}

void judged_standings(const struct options *o, const struct judged *j, struct standings *list)
{
    struct standing one;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].absent < j->judgement[k].cells) {
            judged_standing(o, j, k, &one);
            standings_put(list, &one);
        }
}

enum status judged_keep(const struct options *o, const struct judged *j, long run, struct why *why)
{
    struct standings list = { NULL, 0 };
    struct store *store;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].exploratory)
            return OK;
    TRY(store_open(o->store, STORE_WRITE, 10, &store, why));
    judged_standings(o, j, &list);
    enum status s = history_write(store, run, &list, why);
    store_close(store);
    standings_free(&list);
    return s;
}

enum status judged_bench(const struct options *o, long run, struct why *why)
{
    struct standings list = { NULL, 0 };
    struct store *store;
    size_t infos;
    if (!o->bench)
        return OK;
    enum status s = bench_times_read(o->bench, &list, why);
    if (s == OK)
        s = store_open(o->store, STORE_WRITE, 10, &store, why);
    if (s == OK) {
        const struct store_info *info = provenance_now(o, &infos);
        if (!run)
            s = store_last_run(store, &run, why);
        if (s == OK && !run)
            s = store_begin_run(store, info, infos, &run, why);
        if (s == OK)
            s = history_write(store, run, &list, why);
        store_close(store);
    }
    standings_free(&list);
    return s;
}

/* Keeps the lines of claims in the plan. Lines of claims that no longer exist are kept too, as they are changes, unless
 * the command line selects some claims. */
static void keep_selected(const struct options *o, const struct plan *p, struct standings *list)
{
    const struct selection *s = &o->select;
    bool all = !s->paper && !s->claim && !s->theorem && !s->algorithm && !s->problem && !s->check;
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
        int k = 0;
        while (k < p->claims && strcmp(p->claim[k].claim->id, list->of[i].claim))
            k++;
        if (k < p->claims || all)
            list->of[kept++] = list->of[i];
    }
    list->n = kept;
}

static bool is_asked(const void *plan, const char *claim) { return judged_asks(plan, claim); }

struct comparison judged_compare(const struct options *o, const struct plan *p, struct standings *base,
                                 struct standings *now)
{
    keep_selected(o, p, base);
    keep_selected(o, p, now);
    return compare(base, now, profile_name(o->select.profile), is_asked, p);
}

/* --- what is printed */

/* Lines of plots may fail, but have no verdict. A contradiction that the baseline accepts is not counted. */
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
                (word == NOT_RUN && (j[k].cells || j[k].no_data || j[k].dropped));
    }
    return failed ? EXIT_FAILED_CELL : against ? EXIT_CONTRADICTED
         : open || !measured ? EXIT_INCOMPLETE : EXIT_OK;
}

int judged_code(const struct options *o, const struct judged *j)
{
    struct standings baseline;
    struct why why = { "" };
    enum status s = baseline_read(o->baseline, &baseline, &why);
    int code = s != OK ? complain(s, &why)
             : exit_code(j->judgement, &j->plan, &baseline, profile_name(o->select.profile));
    standings_free(&baseline);
    return code;
}

static int terminal_width(void)
{
    struct winsize w;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 60 ? w.ws_col : 100;
}

void judged_table(const struct options *o, const struct judged *j)
{
    const char *no_color = getenv("NO_COLOR");
    bool color = progress_wanted(STDOUT_FILENO) && !(no_color && *no_color);
    if (o->format == RECORD_CSV)
        report_table_csv(stdout, j->judgement, j->plan.claims);
    else if (o->format == RECORD_JSON)
        report_table_json(stdout, j->judgement, j->plan.claims);
    else
        report_table(stdout, j->judgement, j->plan.claims, color, terminal_width());
    if (o->format == RECORD_TEXT)
        report_theorems(stdout, j->judgement, j->plan.claims);
    fflush(stdout);                      /* so that the table precedes messages on stderr if both go to one file */
}

static enum status read_kernels(const struct options *o, struct history *kernels, struct why *why)
{
    struct store *store;
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_read(store, BENCH_PROFILE, NIGHTS, kernels, why);
    store_close(store);
    return s;
}

static enum status write_pages(const struct options *o, const struct judged *j,
                               const struct comparison *changes, const struct history *history,
                               const struct history *kernels, struct why *why)
{
    size_t infos;
    int plots;
    const struct store_info *info = provenance_now(o, &infos);
    struct plotted *plotted = plotted_all(&j->plan, j->record, j->judgement, &plots);
    struct peers peers = { NULL, 0 };
    struct why trouble = { "" };
    bool readable = o->canonical || peers_read(PEERS_FILE, &peers, &trouble) == OK;
    if (!readable)
        fprintf(stderr, "report: %s; its times are left out\n", trouble.text);
    struct report_input in = { .plan = &j->plan, .record = j->record, .judgement = j->judgement,
                               .judgements = j->plan.claims, .info = info, .infos = infos,
                               .plotted = plotted, .plots = plots, .profile = o->select.profile,
                               .canonical = o->canonical, .command = o->command,
                               .baseline = o->baseline, .changes = changes,
                               .history = o->canonical ? NULL : history,
                               .kernels = kernels->nights ? kernels : NULL, .peers = &peers,
                               .peers_trouble = readable ? NULL : trouble.text };
    enum status s = report_write(&in, o->output, why);
    free(plotted);
    free(peers.of);
    return s;
}

/* The comparison with the baseline; c.compared is 0 if the baseline has no line of a claim that ran. */
struct since { struct standings base, now; struct comparison c; };

/* If the baseline cannot be read, judged_code and the page print the error. */
static void since_baseline(const struct options *o, const struct judged *j, struct since *since)
{
    struct why why;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].exploratory)
            return;
    if (baseline_read(o->baseline, &since->base, &why) != OK)
        return;
    judged_standings(o, j, &since->now);
    since->c = judged_compare(o, &j->plan, &since->base, &since->now);
}

static void since_free(struct since *since)
{
    free(since->c.change);
    standings_free(&since->base);
    standings_free(&since->now);
}

enum status judged_report(const struct options *o, const struct judged *j, const struct history *history,
                          struct why *why)
{
    struct history kernels = { NULL, 0 };
    struct since since = { .c.change = NULL };
    if (history && !o->canonical)
        TRY(read_kernels(o, &kernels, why));
    if (!o->canonical)
        since_baseline(o, j, &since);
    enum status s = write_pages(o, j, since.c.compared ? &since.c : NULL, history, &kernels, why);
    since_free(&since);
    history_free(&kernels);
    if (s == OK)
        fprintf(stderr, "report: %s/index.html\n", o->output);
    return s;
}

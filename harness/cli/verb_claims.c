/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_claims.c - the verbs plan, run, verify, explain, report and nightly, which go from a plan to a report; and
 * the verb gc, which drops old records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/judged.h"
#include "cli/kinds.h"
#include "judge/plan_records.h"
#include "judge/theorems.h"
#include "nights/bench_times.h"
#include "plan/names.h"
#include "plan/plan_budget.h"
#include "pool/interrupt.h"
#include "record/listing.h"
#include "report/report.h"
#include "report/report_theorems.h"
#include "text/memstream.h"
#include "text/progress.h"

int complain(enum status s, const struct why *why)
{
    struct why line = *why;
    /* An error is printed as one line, except for a fault in an expression: a second line then points at the fault
     * with the mark ^. */
    const char *last = strrchr(line.text, '\n');
    bool points = last && strcmp(last + 1 + strspn(last + 1, " "), "^") == 0;
    fflush(stdout);
    for (char *c = line.text; *c; c++)       /* a control character of a name would break the line */
        if (((unsigned char)*c < ' ' || *c == 127) && !(points && *c == '\n'))
            *c = '?';
    fprintf(stderr, "assay: %s\n", line.text[0] ? line.text : status_text(s));
    return s == DAMAGED ? EXIT_DAMAGED
         : s == BAD_INPUT || s == REFUSED || s == IO_ERROR ? EXIT_USAGE : EXIT_FAILED_CELL;
}

int first_code(int a, int b)
{
    static const int order[] = { EXIT_DAMAGED, EXIT_USAGE, EXIT_FAILED_CELL, EXIT_CONTRADICTED, EXIT_INCOMPLETE,
                                 EXIT_OK };
    const int *code = order;
    while (*code != a && *code != b && *code != EXIT_OK)
        code++;
    return *code;
}

/* --- the verb plan */

/* Prints the plan. A line of a plot is printed under the id of its figure, with its label. */
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

/* Prints every task of every claim with its cell. */
static void print_cells(const struct plan *p, enum record_format format)
{
    struct listing l = { .out = stdout, .format = format, .columns = 5, .digits = 17, .nan = "nan",
                         .name = { "claim", "role", "axis", "rep", "cell" } };
    listing_heading(&l);
    for (int k = 0; k < p->claims + p->lines; k++)
        for (const struct task *t = p->claim[k].task, *end = t + p->claim[k].tasks; t < end; t++) {
            listing_text(&l, t->claim->id);
            listing_text(&l, task_name(&p->claim[k], t));
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

/* --- standings and times in the store */

static enum status read_history(const struct options *o, const char *profile, struct history *h, struct why *why)
{
    struct store *store;
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_read(store, profile, NIGHTS, h, why);
    store_close(store);
    return s;
}

/* Writes the standings of all claims into the store as those of a run. If settings were overridden, writes
 * nothing. */
static enum status keep_standings(const struct options *o, const struct judged *j, long run, struct why *why)
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

/* Adds the times in the file of --bench, if given, to a run of the store; run 0: the newest run, or a new one in an
 * empty store. BAD_INPUT, IO_ERROR, DAMAGED. */
static enum status keep_bench(const struct options *o, long run, struct why *why)
{
    struct standings list = { NULL, 0 };
    struct store *store;
    if (!o->bench)
        return OK;
    enum status s = bench_times_read(o->bench, &list, why);
    if (s == OK)
        s = store_open(o->store, STORE_WRITE, 10, &store, why);
    if (s == OK) {
        const struct run_request q = options_request(o);
        if (!run)
            s = store_last_run(store, &run, why);
        if (s == OK && !run)
            s = store_begin_run(store, q.info, q.infos, &run, why);
        if (s == OK)
            s = history_write(store, run, &list, why);
        store_close(store);
    }
    standings_free(&list);
    return s;
}

/* --- exit codes, the table of verdicts, the last known verdicts */

/* Returns the exit code of all judgements of a plan. The runs of plots may fail, but plots have no verdict. A
 * verdict that the baseline accepts is not counted. */
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

/* Returns the exit code of the verdicts. */
static int verdict_code(const struct options *o, const struct judged *j)
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

/* Prints the table of verdicts on stdout. */
static void print_verdicts(const struct options *o, const struct judged *j)
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
    fflush(stdout);                      /* so that the table precedes messages on stderr where both go to one
                                            file */
}

/* words <- the kinds of machine in the store. Prints to stderr where there are several. */
static enum status name_kinds(const char *store, char words[KINDS_WORDS], struct why *why)
{
    size_t n;
    TRY(kinds_of(store, words, &n, why));
    if (n > 1)
        fprintf(stderr, "%s: records of %s\n", store, words);
    return OK;
}

/* last <- the last verdicts that the store or, where it has none, the baseline knows of claims, in whatever
 * profile. A baseline that cannot be read has none: verdict_code prints the error. */
static enum status last_verdicts(const struct options *o, struct standings *last, struct why *why)
{
    struct standings base;
    struct store *store;
    struct why trouble;
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_last(store, last, why);
    store_close(store);
    if (baseline_read(o->baseline, &base, &trouble) == OK)
        for (int k = 0; k < base.n; k++)
            if (!standings_find(last, base.of[k].claim, NULL)) {
                struct standing one = base.of[k];
                snprintf(one.reason, sizeof one.reason, "the baseline%s%s",
                         *one.commit ? " of commit " : "", one.commit);
                standings_put(last, &one);
            }
    standings_free(&base);
    return s;
}

/* Are the records read from files of other programs (verb import)? No store has such records. */
static bool is_reported(const struct judged *j)
{
    return j->plan.claims && strcmp(j->plan.claim[0].paper->key, PAPER_REPORTED) == 0;
}

/* --- judgements of the night before; writing the report */

struct place { const char *text; int cell; };

/* The records that one earlier run made of some cells of a plan. */
struct taken {
    struct place *place;             /* [n] the cells, by their text */
    int n;
    struct record **record;          /* [plan->cells] */
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->text, ((const struct place *)b)->text);
}

static bool take_record(void *ctx, const struct record *r)
{
    struct taken *t = ctx;
    struct place wanted = { r->cell, 0 };
    const struct place *found = bsearch(&wanted, t->place, (size_t)t->n, sizeof wanted, by_text);
    if (found && !t->record[found->cell])
        t->record[found->cell] = record_copy(r);
    return true;
}

/* changed[claims] <- did the claim measure other numbers in the last night than in the one before? wanted[cells] <-
 * the cells of these claims. Returns false if there is no such claim. */
static bool cells_of_changed(const struct plan *p, const struct history *h, bool *changed, bool *wanted)
{
    const struct standings *last = &h->night[h->nights - 1].standings,
                           *before = &h->night[h->nights - 2].standings;
    bool any = false;
    for (int k = 0; k < p->claims; k++) {
        const char *id = p->claim[k].claim->id;
        const struct standing *now = standings_find(last, id, NULL), *then = standings_find(before, id, NULL);
        changed[k] = now && then && memcmp(now->own.level, then->own.level, sizeof now->own.level) != 0;
        any |= changed[k];
        for (int i = 0; changed[k] && i < p->claim[k].tasks; i++)
            wanted[p->claim[k].task[i].cell] = true;
    }
    return any;
}

/* Judges the claims whose numbers changed between the last two nights by the records of the earlier of these
 * nights. Returns an array of judgements; free() it. NULL: no claim has changed, or the store has fewer than two
 * nights. */
static struct judgement *judge_before(const struct options *o, const struct judged *j, const struct history *h)
{
    struct why why;
    struct store *store;
    const struct plan *p = &j->plan;
    if (!h || h->nights < 2 || store_open(o->store, STORE_READ, 10, &store, &why) != OK)
        return NULL;
    size_t n = (size_t)p->cells + 1;
    struct taken t = { calloc(n, sizeof *t.place), 0, calloc(n, sizeof *t.record) };
    bool *wanted = calloc(n, sizeof *wanted), *changed = calloc((size_t)p->claims + 1, sizeof *changed);
    struct judgement *list = NULL;
    BUG_IF(!t.place || !wanted || !changed || !t.record);
    if (cells_of_changed(p, h, changed, wanted)) {
        for (int k = 0; k < p->cells; k++)
            if (wanted[k])
                t.place[t.n++] = (struct place){ p->cell[k]->text, k };
        qsort(t.place, (size_t)t.n, sizeof *t.place, by_text);
        if (store_each_of_run(store, h->night[h->nights - 2].run, take_record, &t, &why) == OK) {
            list = judge_none(p);
            for (int k = 0; k < p->claims; k++)
                if (changed[k])
                    judge_one(p, t.record, k, list);
        }
    }
    store_close(store);
    for (int k = 0; k < p->cells; k++)
        record_free(t.record[k]);
    free(t.record);
    free(changed);
    free(wanted);
    free(t.place);
    return list;
}

static enum status write_pages(const struct options *o, const struct judged *j,
                               const struct comparison *changes, const struct history *history,
                               const struct history *kernels, struct why *why)
{
    int plots;
    char kinds[KINDS_WORDS];
    struct store_info info[PROVENANCE_MOST + 1];
    const struct run_request q = options_request(o);
    size_t infos = q.infos;
    memcpy(info, q.info, infos * sizeof *info);
    struct standings last = { NULL, 0 };
    enum status s = OK;
    if (!is_reported(j)) {
        TRY(name_kinds(o->store, kinds, why));
        s = last_verdicts(o, &last, why);
        info[infos++] = (struct store_info){ "kinds", kinds };
    }
    struct judgement *before = o->canonical || is_reported(j) ? NULL : judge_before(o, j, history);
    struct plotted *plotted = plotted_all(&j->plan, j->record, j->judgement, &plots);
    struct peers peers = { NULL, 0 };
    struct why trouble = { "" };
    bool readable = o->canonical || peers_read(PEERS_FILE, &peers, &trouble) == OK;
    if (!readable)
        fprintf(stderr, "report: %s; its times are left out\n", trouble.text);
    struct report_input in = { .plan = &j->plan,
                               .record = j->record,
                               .judgement = j->judgement,
                               .judgements = j->plan.claims,
                               .info = info,
                               .infos = infos,
                               .plotted = plotted,
                               .plots = plots,
                               .profile = o->select.profile,
                               .select = &o->select,
                               .canonical = o->canonical,
                               .pdf = o->pdf,
                               .command = o->command,
                               .baseline = o->baseline,
                               .changes = changes,
                               .history = o->canonical ? NULL : history,
                               .before = before,
                               .last = &last,
                               .kernels = kernels->nights ? kernels : NULL,
                               .peers = &peers,
                               .peers_trouble = readable ? NULL : trouble.text };
    if (s == OK)
        s = report_write(&in, o->output, why);
    standings_free(&last);
    free(before);
    free(plotted);
    free(peers.of);
    return s;
}

/* The comparison with the baseline; c.compared is 0 if the baseline has no line of a claim that ran. */
struct since { struct standings base, now; struct comparison c; };

/* *since <- the comparison of the judged claims with the baseline; empty where settings were overridden, or the
 * baseline cannot be read: verdict_code and the page then print the error. */
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

/* Writes a report of the claims of j into o->output. It has a section on changes since the baseline if the baseline
 * has a line of a claim that ran. */
static enum status write_selected(const struct options *o, const struct judged *j, struct why *why)
{
    struct history kernels = { NULL, 0 }, history = { NULL, 0 };
    struct since since = { .c.change = NULL };
    bool stored = !is_reported(j);
    enum status s = stored ? read_history(o, profile_name(o->select.profile), &history, why) : OK;
    if (s == OK && stored)
        s = read_history(o, BENCH_PROFILE, &kernels, why);
    if (!o->canonical)
        since_baseline(o, j, &since);
    if (s == OK)
        s = write_pages(o, j, since.c.compared ? &since.c : NULL, &history, &kernels, why);
    since_free(&since);
    history_free(&kernels);
    history_free(&history);
    if (s == OK)
        fprintf(stderr, "report: %s/index.html\n", o->output);
    return s;
}

static bool is_of_paper(const char *id, const char *key)
{
    size_t n = strlen(key);
    return strncmp(id, key, n) == 0 && id[n] == '/';
}

/* Prints, each with a comma, the ids of the figures of all papers of which a claim was judged now or stands in
 * `last`. */
static void add_figures(FILE *out, const struct judged *j, const struct standings *last)
{
    const struct paper *p;
    for (int k = 0; (p = paper_at(k, true)); k++) {
        bool any = false;
        for (int i = 0; i < j->plan.claims + j->plan.lines && !any; i++)
            any = j->judgement[i].paper == p;
        for (int i = 0; i < last->n && !any; i++)
            any = is_of_paper(last->of[i].claim, p->key);
        for (const struct plot *plot = p->plots; any && plot && plot->id; plot++)
            fprintf(out, "%s,", plot->id);
    }
}

/* Returns, as a list for --claim, the claims of the registry that were judged now or of which the store has a
 * verdict, and the figures of their papers; free() it. *more <- the list has claims that were not judged now, or
 * only with settings that the user overrode. */
static char *claims_of_store(const struct judged *j, const struct standings *last, bool *more)
{
    char *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    BUG_IF(!out);
    *more = false;
    for (int k = 0; k < j->plan.claims; k++) {
        fprintf(out, "%s,", j->plan.claim[k].claim->id);
        *more |= j->judgement[k].exploratory;
    }
    for (int k = 0; k < last->n; k++) {
        int i = 0;
        while (i < j->plan.claims && strcmp(j->plan.claim[i].claim->id, last->of[k].claim))
            i++;
        if (i == j->plan.claims && claim_by_id(last->of[k].claim)) {
            fprintf(out, "%s,", last->of[k].claim);
            *more = true;
        }
    }
    add_figures(out, j, last);
    memstream_close(out, &list);
    if (size)
        list[size - 1] = 0;
    return list;
}

/* Writes the report: without --output of all that the store holds, in this profile and as the registry declares it,
 * so that a run of few claims does not replace the report of many. */
static enum status write_report(const struct options *o, const struct judged *j, struct why *why)
{
    struct options whole = *o;
    struct standings last = { NULL, 0 };
    struct store *store;
    struct judged all;
    bool more;
    if (!o->unplaced)
        return write_selected(o, j, why);
    TRY(store_open(o->store, STORE_READ, 10, &store, why));
    enum status s = history_last(store, &last, why);
    store_close(store);
    char *list = claims_of_store(j, &last, &more);
    standings_free(&last);
    if (s == OK && more) {
        whole.select = (struct selection){
            .profile = o->select.profile, .planted = o->select.planted, .seed = NAN, .claim = list
        };
        s = judged_from(&whole, o->store, false, &all, why);
        if (s == OK) {
            s = write_selected(&whole, &all, why);
            judged_free(&all);
        }
    } else if (s == OK) {
        s = write_selected(o, j, why);
    }
    free(list);
    return s;
}

/* --- running a plan; the verb run */

/* Leaves claims out of the plan for which --budget leaves no time. */
static void keep_within(const struct options *o, struct plan *p)
{
    char why[DATA_MISSING];
    const struct run_request q = options_request(o);
    double *cost = plan_costs(&q, p, NULL);
    snprintf(why, sizeof why, "no time for it in --budget %.30s", o->time);
    plan_budget(p, cost, o->seconds * (o->jobs > 0 ? o->jobs : 1), why);
    free(cost);
}

int judged_run(struct options *o, judged_use *use)
{
    struct judged j = { .judgement = NULL };
    struct execution x;
    struct why why = { "" };
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
    int code = s != OK ? complain(s, &why) : x.detached ? EXIT_OK : use(o, &j, &x);
    judged_free(&j);
    return code;
}

static bool lacks_data(const struct plan *p)
{
    for (int k = 0; k < p->claims + p->lines; k++)
        if (*p->claim[k].missing)
            return true;
    return false;
}

int judged_ran_code(const struct plan *p, const struct execution *x)
{
    return x->interrupted ? interrupt_code() : x->failed ? EXIT_FAILED_CELL
         : lacks_data(p) ? EXIT_INCOMPLETE : EXIT_OK;
}

static int after_run(struct options *o, struct judged *j, const struct execution *x)
{
    print_ran(&j->plan, x);
    return judged_ran_code(&j->plan, x);
}

int verb_run(struct options *o) { return judged_run(o, after_run); }

/* --- judging a plan; the verbs verify, explain and report */

/* Judges the claims and writes the report. keep: the standings are written to the store. Returns the exit code. */
static int judge_then_report(struct options *o, struct judged *j, const struct execution *x, bool keep)
{
    struct why why = { "" };
    judge_plan(&j->plan, j->record, j->judgement);
    print_verdicts(o, j);
    print_ran(&j->plan, x);
    if (x->interrupted)
        return interrupt_code();
    int code = verdict_code(o, j);
    if (!keep)
        study_drop_drawings(o->output, PAPER_TYPED);
    enum status s = keep ? keep_standings(o, j, x->run, &why) : OK;
    if (s == OK)
        s = keep ? write_report(o, j, &why) : write_selected(o, j, &why);
    return s == OK ? code : complain(s, &why);
}

static int judge_and_keep(struct options *o, struct judged *j, const struct execution *x)
{
    return judge_then_report(o, j, x, true);
}

static int judge_only(struct options *o, struct judged *j, const struct execution *x)
{
    return judge_then_report(o, j, x, false);
}

int judged_report(struct options *o, const struct judged *j)
{
    struct why why = { "" };
    print_verdicts(o, j);
    int code = verdict_code(o, j);
    study_drop_drawings(o->output, PAPER_REPORTED);
    enum status s = write_selected(o, j, &why);
    return s == OK ? code : complain(s, &why);
}

int verb_verify(struct options *o) { return judged_run(o, judge_and_keep); }
int judged_verify(struct options *o) { return judged_run(o, judge_only); }

int verb_explain(struct options *o)
{
    struct judged j;
    struct why why = { "" };
    bool theorem = o->arguments && names_theorem(o->argument[0]);
    if (theorem)
        o->select.theorem = o->argument[0];
    else if (o->arguments)
        o->select.claim = o->argument[0];
    const char *beside = o->arguments ? options_typed(o, theorem ? "theorem" : "claim") : NULL;
    enum status s = beside ? why_set(&why, BAD_INPUT, "explain %.80s: --%s too, expected one of them",
                                     o->argument[0], beside) : names_check(&o->select, &why);
    if (s == OK)
        s = judged_profile(o, o->store, &why);
    if (s == OK)
        s = judged_from(o, o->store, false, &j, &why);
    if (s != OK)
        return complain(s, &why);
    if (theorem)
        report_explain_theorem(stdout, o->select.theorem, j.judgement, j.plan.claims);
    struct report_input in = { .judgement = j.judgement, .judgements = j.plan.claims,
                               .profile = o->select.profile, .select = &o->select };
    for (int k = 0; k < j.plan.claims; k++)
        report_explain(stdout, &in, &j.judgement[k]);
    struct plotted *plotted = plotted_all(&j.plan, j.record, j.judgement, &in.plots);
    in.plotted = plotted;
    report_explain_exhibits(stdout, &in);
    free(plotted);
    judged_free(&j);
    return EXIT_OK;
}

/* Draws, night by night, level and time of the selected claims; where none are selected, of those whose verdict or
 * level has changed. */
static enum status draw_history(const struct options *o, const struct history *h, struct why *why)
{
    struct plan p;
    struct night_point point[NIGHTS];
    const struct selection *s = &o->select;
    bool all = s->paper || s->claim || s->theorem || s->algorithm || s->problem || s->check;
    TRY(plan_make(s, &p, why));
    for (int k = 0; k < p.claims; k++) {
        const char *id = p.claim[k].claim->id;
        if (all || history_changed(point, history_points(h, id, point)))
            history_draw(stdout, h, id);
    }
    plan_free(&p);
    return OK;
}

/* Prints the nights of the store; judges nothing and writes no file. Returns the exit code. */
static int print_history(struct options *o)
{
    struct history history = { NULL, 0 }, kernels = { NULL, 0 };
    struct standings base = { NULL, 0 };
    struct why why = { "" };
    enum status s = judged_profile(o, o->store, &why);
    if (s == OK)
        s = baseline_read(o->baseline, &base, &why);
    if (s == OK)
        s = read_history(o, profile_name(o->select.profile), &history, &why);
    if (s == OK)
        s = read_history(o, BENCH_PROFILE, &kernels, &why);
    if (s == OK) {
        history_print(stdout, &history, &base, profile_name(o->select.profile));
        history_print_kernels(stdout, &kernels);
        s = draw_history(o, &history, &why);
    }
    history_free(&history);
    history_free(&kernels);
    standings_free(&base);
    return s == OK ? EXIT_OK : complain(s, &why);
}

int verb_report(struct options *o)
{
    struct why taken = { "" };
    const char *unread = o->history ? options_typed(o, "format canonical output figures") : NULL;
    enum status bench = unread ? why_set(&taken, BAD_INPUT, "--%s: of `report` without --history only", unread)
                               : keep_bench(o, 0, &taken);
    if (bench != OK)
        return complain(bench, &taken);
    if (o->history)
        return print_history(o);
    struct judged j;
    struct why why = { "" };
    enum status s = judged_profile(o, o->store, &why);
    if (s == OK)
        s = judged_from(o, o->store, false, &j, &why);
    if (s != OK)
        return complain(s, &why);
    s = write_report(o, &j, &why);
    int code = s == OK ? verdict_code(o, &j) : complain(s, &why);
    if (s == OK)
        print_verdicts(o, &j);
    judged_free(&j);
    return code;
}

/* --- the verb nightly */

/* Returns the exit code of a night: by the changes since the baseline; without a baseline by the verdicts. */
static int night_code(const struct options *o, const struct judged *j, const struct comparison *c,
                      const struct execution *x)
{
    int code = verdict_code(o, j);
    if (code == EXIT_USAGE || code == EXIT_FAILED_CELL)
        return code;
    if (comparison_gates(c) || x->unlike)
        return EXIT_CONTRADICTED;
    if (!c->compared || code == EXIT_CONTRADICTED)
        return code;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].dropped || j->judgement[k].no_data)
            return EXIT_INCOMPLETE;
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

static enum status keep_night(const struct options *o, const struct judged *j, long run,
                              struct why *why)
{
    TRY(keep_standings(o, j, run, why));
    return keep_bench(o, run, why);
}

static int judge_night(struct options *o, struct judged *j, const struct execution *x)
{
    if (x->interrupted) {
        fprintf(stderr, "interrupted; the next `assay nightly` continues this run\n");
        return interrupt_code();
    }
    struct standings base = { NULL, 0 }, now = { NULL, 0 };
    struct why why = { "" };
    judge_plan(&j->plan, j->record, j->judgement);
    judged_standings(o, j, &now);
    enum status s = baseline_read(o->baseline, &base, &why);
    if (s == OK)
        s = keep_night(o, j, x->run, &why);
    struct comparison c = s == OK ? judged_compare(o, &j->plan, &base, &now) : (struct comparison){ 0 };
    if (s == OK) {
        print_verdicts(o, j);
        print_ran(&j->plan, x);
        print_unlike(x);
        bool based = c.n > c.kinds[CHANGE_NEW];      /* false also if all lines are of another profile */
        if (based) {
            compare_print(stderr, &c, RECORD_TEXT);
            compare_uncovered(stderr, &c, profile_name(o->select.profile));
        } else
            fprintf(stderr, "no baseline in %s: `assay accept` makes one of this night\n", o->baseline);
        s = write_report(o, j, &why);
    }
    int code = s == OK ? night_code(o, j, &c, x) : complain(s, &why);
    free(c.change);
    standings_free(&base);
    standings_free(&now);
    return code;
}

int verb_nightly(struct options *o)
{
    o->fresh = o->night = true;
    if (!o->profiled)
        o->select.profile = PROFILE_NIGHTLY;
    if (!o->stored)
        o->store = "results/store/nightly.db";
    return judged_run(o, judge_night);
}

/* --- the verb gc */

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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.c - the sections that every format of the report has, as sentences and cells of tables: what a
 * verdict means, runs and failures, privacy, figures and tables of the papers, other programs, trust. */
#include "report/report_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/plugins.h"
#include "cell/registry.h"
#include "exec/method.h"
#include "judge/calibrate.h"
#include "judge/private.h"
#include "text/memstream.h"
#include "text/shell_word.h"
#include "oracle.h"

const char *const report_meaning[] = {
    "SUPPORTED means that these runs, on these problem families and inside these windows, "
    "behave as the theorem says, and that the same check caught the control, a run that is "
    "wrong on purpose. It is no proof: other families, sizes and constants were not seen. "
    "CONTRADICTED means that two disjoint sets of runs both left what was promised, or that "
    "one run did where the promise is about every run; the theorem, its reading here, or the "
    "implementation is wrong. Intervals are two-sided 95% intervals of the statistic, limits "
    "that contradict one-sided 0.5% in each set; attempt k at a row of a theorem has 2^-k of these "
    "levels, the first a half.",
    "A verdict is EXPLORATORY if a declared axis, setting or number of replicates was "
    "overridden. Such verdicts are for looking around: they are never accepted nor compared "
    "with a baseline; a window that happened to suit a claim does not confirm it.",
    "Seeds are known, so nothing here is private: every noisy release is a simulation.",
    NULL
};

bool report_tells(const struct report_input *in, const struct store_info *info)
{
    static const char *const stable[] = { "commit", "dirty", "compiler", "flags", "core", "gsl",
                                          "openblas", "sqlite", "lbfgs", "zlib", "blas_core" };
    if (!in->canonical)
        return strcmp(info->key, "command") != 0;
    for (size_t k = 0; k < sizeof stable / sizeof *stable; k++)
        if (strcmp(info->key, stable[k]) == 0)
            return true;
    return false;
}

/* --- the last known verdict of a claim that was not run now */

const struct standing *report_last(const struct report_input *in, int k)
{
    const struct judgement *j = &in->judgement[k];
    const struct standing *last = j->verdict.word == NOT_RUN && in->last
                                      ? standings_find(in->last, j->claim->id, NULL)
                                      : NULL;
    return last && last->word != NOT_RUN ? last : NULL;
}

struct phrase report_last_words(const struct report_input *in, const struct standing *last)
{
    return report_say("not run now; before, in profile %.12s%s%.100s", last->profile,
                      *last->reason && !in->canonical ? ", " : "",
                      in->canonical ? "" : last->reason);
}

enum word report_word(const struct report_input *in, int k)
{
    const struct standing *last = report_last(in, k);
    return last ? last->word : in->judgement[k].verdict.word;
}

/* --- numbers and times of runs */

struct phrase report_runs(const struct judgement *j, bool canonical)
{
    struct phrase p;
    size_t room = sizeof p.at;
    int n = snprintf(p.at, room, "%d", j->cells);
    if (j->failed)
        n += snprintf(p.at + n, room - (size_t)n,
                      ", of which %d crashed, timed out or ran out of memory", j->failed);
    if (j->refused)
        n += snprintf(p.at + n, room - (size_t)n, ", %d refused by the algorithm or the problem",
                      j->refused);
    if (!canonical)
        n += snprintf(p.at + n, room - (size_t)n, "; %.3g seconds of computing", j->seconds);
    snprintf(p.at + n, room - (size_t)n, ".%s",
             j->aggregated ? " Aggregated: means of fresh batches were drawn from their exact law "
                             "instead of sample by sample; the law of the run is the same."
                           : "");
    return p;
}

/* Returns the processor seconds of all runs. Claims share runs: if the input has the records each run is counted
 * once, else once for each claim that needs it. */
static double seconds_of(const struct report_input *in)
{
    double s = 0;
    for (int k = 0; !in->record && k < in->judgements; k++)
        s += in->judgement[k].seconds;
    for (int k = 0; in->record && k < in->plan->cells; k++)
        s += in->record[k] ? in->record[k]->seconds : 0;
    return s;
}

struct phrase report_computing(const struct report_input *in)
{
    struct phrase p;
    double s = seconds_of(in);
    if (s < 120)
        snprintf(p.at, sizeof p.at, "%.3g seconds of computing", s);
    else if (s < 7200)
        snprintf(p.at, sizeof p.at, "%.0f minutes of computing", s / 60);
    else
        snprintf(p.at, sizeof p.at, "%.1f hours of computing", s / 3600);
    return p;
}

/* --- runs that failed */

static bool failed_record(const struct record *r, struct failure *f)
{
    if (!r || r->outcome == OUTCOME_OK)
        return false;
    *f = (struct failure){ r->cell, record_outcome_name(r->outcome), r->message, "" };
    return true;
}

/* *f <- the first failed run of a judged claim, for an input without records. j->first_failure is its text, "cell:
 * outcome: message". Returns false where no run failed. */
static bool failed_claim(const struct judgement *j, struct failure *f)
{
    char *end;
    snprintf(f->text, sizeof f->text, "%s", j->first_failure);
    if (!(end = strstr(f->text, ": ")))
        return false;
    *end = 0;
    f->cell = f->text;
    f->heading = j->claim->id;
    f->message = end + 2;
    return true;
}

bool report_failure(const struct report_input *in, int *k, struct failure *f)
{
    int n = in->record ? in->plan->cells : in->judgements;
    while (*k < n) {
        int i = (*k)++;
        if (in->record ? failed_record(in->record[i], f) : failed_claim(&in->judgement[i], f))
            return true;
    }
    return false;
}

int report_failures_untold(const struct report_input *in)
{
    int failures = 0, k = 0;
    struct failure f;
    for (int i = 0; i < in->judgements && !in->record; i++)
        failures += in->judgement[i].failed + in->judgement[i].refused;
    while (!in->record && report_failure(in, &k, &f))
        failures--;
    return failures > 0 ? failures : 0;
}

/* --- how to reproduce */

/* Prints the options that load what this process has loaded. */
static void put_loaded(FILE *out)
{
    for (size_t k = 0; k < plugins_count(); k++) {
        fputs(" --plugin ", out);
        shell_word_print(out, plugins_at(k)->path);
    }
    for (int k = 0; method_spec(k); k++) {
        if (method_of_paper(k))
            continue;
        fputs(" --method ", out);
        shell_word_print(out, method_spec(k));
    }
}

/* Prints the options by which the user has changed what the claim declares. */
static void put_changes(FILE *out, const struct claim *c, const struct selection *s)
{
    char number[32];
    for (int k = 0; k < s->overrides.count; k++) {
        const struct assignment *a = &s->overrides.at[k];
        fprintf(out, " --set %s=", a->name);
        if (a->text)
            shell_word_print(out, a->text);
        else
            fputs(number_text(a->value, number), out);
    }
    for (int k = 0; k < s->ranges; k++) {
        const struct range *r = &s->range[k];
        if (r->values > 1 && (!c->axis || strcmp(r->name, c->axis)))
            continue;                        /* it is the window of other claims */
        fprintf(out, " --%s ", r->name);
        for (int i = 0; i < r->values; i++)
            fprintf(out, "%s%s", i == 0 ? "" : r->ends ? ".." : ",", number_text(r->value[i], number));
        if (r->ends && r->points)
            fprintf(out, ":%d", r->points);
    }
    if (s->reps > 0)
        fprintf(out, " --reps %ld", s->reps);
    if (!isnan(s->seed))
        fprintf(out, " --seed %s", number_text(s->seed, number));
}

static bool is_planted(const struct paper *p)
{
    const struct paper *const *planted = registry_planted_papers();
    while (*planted && *planted != p)
        planted++;
    return *planted;
}

char *report_rerun(const char *cell)
{
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    BUG_IF(!out);
    fputs("assay rerun ", out);
    shell_word_print(out, cell);
    put_loaded(out);
    memstream_close(out, &command);
    return command;
}

char *report_command(const struct report_input *in, const struct judgement *j)
{
    const struct claim *c = j->claim;
    enum profile profile = in->profile;
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    BUG_IF(!out);
    if (strncmp(c->id, PAPER_TYPED "/", strlen(PAPER_TYPED "/")) == 0 ||
        strncmp(c->id, PAPER_REPORTED "/", strlen(PAPER_REPORTED "/")) == 0) {
        fputs(c->cite, out);
    } else {
        for (int p = 0; c->window[profile].points == 0 && p < PROFILES; p++)
            if (c->window[p].points)
                profile = (enum profile)p;
        fputs("assay verify --claim ", out);
        shell_word_print(out, c->id);
        fprintf(out, " --profile %s%s", profile_name(profile), is_planted(j->paper) ? " --planted" : "");
        if (j->exploratory && in->select)
            put_changes(out, c, in->select);
        put_loaded(out);
    }
    memstream_close(out, &command);
    return command;
}

/* --- the table of private methods */

static struct phrase accountants(const struct privacy_seen *p)
{
    struct phrase list = { "" };
    for (int k = 0; k < p->accountants; k++) {
        size_t n = strlen(list.at);
        snprintf(list.at + n, sizeof list.at - n, "%s%s %.20s", n ? ", " : "", p->by[k].name,
                 report_number(p->by[k].eps).at);
    }
    return list;
}

static struct phrase audited(const struct privacy_seen *p)
{
    if (!p->audits)
        return report_say("not audited");
    struct phrase one = p->canaries > 0 ? report_say("; one run of %.0f canaries %s", p->canaries,
                                              report_number(p->one).at)
                                        : report_say("%s", "");
    struct phrase mu = p->gaussian ? report_say(", mu %s", report_number(p->mu).at) : report_say("%s", "");
    if (!(privacy_whole(p) > 0))
        return report_say("eps %s%.60s%.60s; %.0f runs a side", report_number(p->audit).at, mu.at, one.at,
                   p->audits);
    if (privacy_without_power(p))
        return report_say("no power: %.0f runs a side show less than 1%% of what is claimed, "
                          "even if all of it is spent", p->audits);
    return report_say("eps %s%.60s%.60s: %.3g%% of what is claimed, %.3g%% could be; %.0f runs a side",
               report_number(p->audit).at, mu.at, one.at, 100 * privacy_explained(p),
               100 * privacy_ceiling(p), p->audits);
}

static struct phrase replayed(const struct privacy_seen *p)
{
    if (!p->replays)
        return report_say("not replayed");
    if (p->leaks)
        return report_say("LEAK on %d of %d neighbours: %.200s", p->leaks, p->replays,
                   leak_words(p->leak));
    return report_say("%s over %d neighbours", report_number(privacy_ratio(p)).at, p->replays);
}

static bool privacy_row(const void *of, int k, struct report_row *row)
{
    const struct report_input *in = of;
    if (k < 0)
        return report_heading(row, (const char *const[]){ "method", "claimed", "accounted", "by accountant",
                              "audited, at least", "worst replay ratio", "control", NULL });
    for (int i = 0; i < in->judgements; i++) {
        const struct judgement *j = &in->judgement[i];
        for (int point = 0; j->claim->check == CHECK_PRIVATE && point < j->fit.points; point++) {
            const struct privacy_seen *p = &j->fit.privacy[point];
            if (p->records == 0 || k-- > 0)
                continue;
            row->judgement = i;
            report_cell(row, j->claim->algo);
            report_cell(row, report_say("eps %s at delta %s", report_number(p->promise).at,
                                        report_number(p->delta).at).at);
            report_cell(row, report_say("%s%s", report_number(p->spent).at, p->told ? "; told data: not "
                                        "private" : "").at);
            report_cell(row, accountants(p).at);
            report_cell(row, audited(p).at);
            report_cell(row, replayed(p).at);
            report_cell(row, report_control(j));
            return true;
        }
    }
    return false;
}

/* --- figures of the papers: names of their axes, and their lines in words */

/* Returns a claim about the first line of a plot, to be passed to the functions that name the axes of a claim's
 * figure; these names are the same for all lines. */
static struct claim claim_named(const struct plot *p, const char *measure)
{
    return (struct claim){ .check = CHECK_FIGURE, .algo = p->line[0].algo, .problem = p->problem,
                           .axis = p->axis, .measure = measure, .statistic = p->statistic,
                           .quantile = p->quantile, .deterministic = p->deterministic };
}

struct phrase report_plot_x(const struct plot *p)
{
    struct claim c = claim_named(p, p->x);
    c.statistic = STAT_MEAN;
    c.deterministic |= p->kind != PLOT_POINTS;
    if (p->kind == PLOT_PROFILE)
        return report_say("%.100s over those of the method that is there first", report_measure(&c).at);
    return p->x ? report_measure(&c) : report_axis(&c);
}

/* The measure "search" is the setting that the plot's search has chosen, so the axis has its name. */
struct phrase report_plot_y(const struct plotted *p)
{
    const struct plot *plot = p->plot;
    struct claim c = claim_named(plot, plot->measure);
    if (report_plot_shares(plot))
        return report_say("part of %d targets that is reached", p->pairs);
    if (plot->kind == PLOT_PATH)
        return report_say("median %.40s over the start's, best so far", plot->measure);
    if (strcmp(plot->measure, "search") == 0)
        c.measure = plot->search.name;
    return report_measure(&c);
}

static struct phrase right_name(const struct plot *p)
{
    struct phrase name = report_say("%.60s", p->x ? p->x : p->axis);
    for (char *s = name.at; *s; s++)
        if (*s == '_')
            *s = ' ';
    return name;
}

static const struct plotted_point *least_of(const struct plotted_line *l)
{
    const struct plotted_point *least = l->point;
    for (const struct plotted_point *p = l->point; p < l->point + l->points; p++)
        if (p->y.value < least->y.value)
            least = p;
    return least;
}

static struct phrase nothing_of(const struct plotted_line *l)
{
    const struct judgement *j = l->runs;
    if (j->first_failure[0]) {
        const char *said = strstr(j->first_failure, ": ");
        return report_say("no point; %s", said ? said + 2 : j->first_failure);
    }
    if (j->no_data || j->dropped)
        return report_say("not run; %s", j->verdict.reason);
    return report_say(j->cells ? "not run" : "not in this profile");
}

/* Returns the share of targets that a line has reached at cost x: the value at its last point with a cost of at
 * most x, 0 if there is none. */
static double part_at(const struct plotted_line *l, double x)
{
    double part = 0;
    for (const struct plotted_point *p = l->point; p < l->point + l->points && p->x <= x * (1 + 1e-12); p++)
        part = p->y.value;
    return part;
}

static struct phrase shares_of(const struct plotted_line *l, const struct plotted *p)
{
    const struct plotted_point *last = &l->point[l->points - 1], *half = l->point;
    struct phrase failed = l->failed + l->refused ? report_say("; %d runs failed", l->failed + l->refused)
                                                  : report_say("%s", "");
    if (p->plot->kind == PLOT_PROFILE)
        return report_say("first at %s of the targets, within twice the first's cost at %s, reaches %s%s",
                   report_number(part_at(l, 1)).at, report_number(part_at(l, 2)).at,
                   report_number(last->y.value).at, failed.at);
    while (half < last && half->y.value < 0.5)
        half++;
    if (half->y.value < 0.5)
        return report_say("reaches %s of the targets%s", report_number(last->y.value).at, failed.at);
    return report_say("reaches %s of the targets, half of them all within %s %s%s", report_number(last->y.value).at,
               report_number(half->x).at, right_name(p->plot).at, failed.at);
}

struct phrase report_line(const struct plotted *p, int k)
{
    const struct plotted_line *l = &p->line[k];
    struct phrase x = right_name(p->plot);
    if (!l->points)
        return nothing_of(l);
    if (report_plot_shares(p->plot))
        return shares_of(l, p);
    const struct plotted_point *least = least_of(l), *last = &l->point[l->points - 1];
    struct phrase t = report_say("%s at %.60s = %s", report_number(l->point->y.value).at, x.at,
                          report_number(l->point->x).at);
    if (least != l->point && least != last)
        t = report_say("%.160s, least %s at %s", t.at, report_number(least->y.value).at,
                report_number(least->x).at);
    if (last != l->point)
        t = report_say("%.230s, %s at %s", t.at, report_number(last->y.value).at,
                report_number(last->x).at);
    if (!isnan(l->slope))
        t = report_say("%.270s; slope %.3g for %.40s from %s to %s", t.at, l->slope, p->plot->axis,
                report_number(l->line->over[0]).at, report_number(l->line->over[1]).at);
    if (l->line->over[1] > 0 && !l->line->theory)
        t = report_say("%.350s, theory %s", t.at, report_number(l->line->exponent).at);
    if (l->runs->failed + l->runs->refused)
        t = report_say("%.360s; %d runs failed", t.at, l->runs->failed + l->runs->refused);
    return t;
}

/* --- the points of a figure, as a table */

static bool plot_row(const void *of, int k, struct report_row *row)
{
    const struct plotted *p = of;
    bool points = p->plot->kind == PLOT_POINTS;
    int line = 0;
    if (k < 0)
        return report_heading(row, (const char *const[]){ "line", points ? p->plot->axis : "runs",
                              p->plot->x ? report_plot_x(p->plot).at : "runs", report_plot_y(p).at, "95% interval",
                              "theory", NULL });
    while (line < p->lines && k >= p->line[line].points)
        k -= p->line[line++].points;
    if (line == p->lines)
        return false;
    const struct plotted_point *at = &p->line[line].point[k];
    struct phrase runs = report_say("%d", at->reps);
    report_cell(row, p->line[line].line->label);
    report_cell(row, points ? report_number(at->axis).at : runs.at);
    report_cell(row, p->plot->x ? report_number(at->x).at : runs.at);
    report_cell(row, report_number(at->y.value).at);
    report_cell(row, points ? report_interval(&at->y).at : "-");
    report_cell(row, isnan(at->theory) ? "-" : report_number(at->theory).at);
    return true;
}

const struct text_table report_plot_points = {
    "Points of the figure", "Point by point", .words = 1, .formulas = true, .row = plot_row };

/* --- tables of the papers */

int report_table_claim(const struct report_input *in, const struct exhibit_row *r, int column)
{
    for (int k = 0; r->claim[column] && k < in->judgements; k++)
        if (strcmp(in->judgement[k].claim->id, r->claim[column]) == 0)
            return k;
    return -1;
}

static bool is_judged(const struct report_input *in, const struct exhibit *t)
{
    for (const struct exhibit_row *r = t->row; r->label; r++)
        for (int c = 0; c < TABLE_COLUMNS; c++)
            if (report_table_claim(in, r, c) >= 0)
                return true;
    return false;
}

const struct exhibit *report_table_at(const struct report_input *in, int k)
{
    for (int i = 0; i < in->judgements; i++) {
        const struct paper *p = in->judgement[i].paper;
        if (!p || !report_opens_paper(in->judgement, i))
            continue;
        for (const struct exhibit *t = p->tables; t && t->id; t++)
            if (is_judged(in, t) && k-- == 0)
                return t;
    }
    return NULL;
}

/* --- the table of other programs */

static struct phrase duration(double seconds)
{
    static const struct { double below, unit; const char *name; } units[] = {
        { 1e-6, 1e-9, "ns" }, { 1e-3, 1e-6, "us" }, { 1, 1e-3, "ms" }, { INFINITY, 1, "s" } };
    size_t k = 0;
    while (k < 3 && seconds >= units[k].below)
        k++;
    return report_say("%.3g %s", seconds / units[k].unit, units[k].name);
}

static struct phrase peer_name(const struct peer *p)
{
    return *p->version ? report_say("%s (%s)", p->peer, p->version) : report_say("%s", p->peer);
}

static struct phrase peer_checked(const struct peer *p)
{
    return isnan(p->off) ? report_say("%s", p->checked)
                         : report_say("%s: to %.2g, at most %.2g", p->checked, p->off, p->allowed);
}

static struct phrase peer_measured(const struct peer *p)
{
    struct phrase on = *p->machine ? report_say(", %.130s", p->machine) : report_say("%s", "");
    return report_say("%.10s%.140s%s%.30s", p->date, on.at, *p->commit ? ", commit " : "", p->commit);
}

static bool peers_row(const void *of, int k, struct report_row *row)
{
    const struct report_input *in = of;
    if (k < 0)
        return report_heading(row, (const char *const[]){ "work", "assay", "the other program", "ratio",
                              "found equal first", "measured", NULL });
    if (!in->peers || k >= in->peers->n)
        return false;
    const struct peer *p = &in->peers->of[k];
    bool done = !*p->skipped;
    report_cell(row, p->work);
    report_cell(row, done ? duration(p->ours).at : "-");
    report_cell(row, done ? report_say("%.20s, %.300s", duration(p->theirs).at, peer_name(p).at).at
           : *p->peer ? p->peer : "-");
    report_cell(row, done ? report_number(p->theirs / p->ours).at : "-");
    report_cell(row, done ? peer_checked(p).at : report_say("skipped: %s", p->skipped).at);
    report_cell(row, peer_measured(p).at);
    return true;
}

/* --- how far the harness itself can be trusted */

const char *report_trust_sentence(void)
{
    return calibration_kept->check
               ? "Synthetic data whose law is known went through the fit and the verdict that "
                 "judge the claims above (`assay doctor --statistics` prints all cases): coverage, "
                 "in percent by replicates, should be 95, and where it is below 93 (in italics) "
                 "an interval promises more than it keeps: what it supports is called INCONCLUSIVE "
                 "for skew; a CONTRADICTED is as doubtful as the first column of false alarms "
                 "says, a SUPPORTED as the second, and low power means that many a claim stays "
                 "INCONCLUSIVE."
               : "No table was compiled in; `assay doctor --statistics` computes it.";
}

/* --- the table of the coverage of intervals */

static bool same_line(const struct calibration *k, const struct calibration *line)
{
    return k->check && strcmp(k->check, "coverage") == 0 && strcmp(k->law, line->law) == 0 &&
           strcmp(k->noise, line->noise) == 0;
}

static const struct calibration *line_end(const struct calibration *first)
{
    const struct calibration *k = first;
    while (same_line(k, first))
        k++;
    return k;
}

/* Row k of the table of coverage: how often, in percent, an interval of one kind covers the truth, on data of one
 * distribution; a column for each number of replicates. */
static bool coverage_row(const void *of, int k, struct report_row *row)
{
    const struct calibration *first = calibration_kept;
    if (k < 0)
        report_heading(row, (const char *const[]){ "coverage of", "data", NULL });
    for (int i = 0; i < k; i++)
        first = line_end(first);
    const struct calibration *end = line_end(first);
    if (k >= 0 && first < end) {
        report_cell(row, first->law);
        report_cell(row, first->noise);
    }
    for (const struct calibration *c = first; c < end && row->cells < ROW_CELLS; c++) {
        row->poor |= (unsigned)(strcmp(c->mark, "good") != 0) << row->cells;
        report_cell(row, (k < 0 ? report_say("%d", c->reps) : report_say("%.1f", 100 * c->right)).at);
    }
    return first < end;
}

/* --- the table of false alarms and power */

struct share {
    int rows;
    long trials;
    double sum, least, most;
    const struct calibration *worst;
};

/* Sums up those rows of the table of calibrate.h that are about this check with this truth ("true": the claim
 * holds, "false": it does not): their shares of wrong verdicts (wrong) or of right ones. */
static struct share share_of(const char *check, const char *truth, bool wrong)
{
    struct share s = { .least = INFINITY, .most = -INFINITY };
    for (const struct calibration *k = calibration_kept; k->check; k++) {
        double x = wrong ? k->wrong : k->right;
        if (strcmp(k->check, check) || strcmp(k->truth, truth))
            continue;
        s.rows++;
        s.trials += k->trials;
        s.sum += x;
        s.least = fmin(s.least, x);
        if (x > s.most)
            s.worst = k;
        s.most = fmax(s.most, x);
    }
    return s;
}

/* Returns the text of a cell of the table of false alarms and power (trust_row), in the row of this check. Columns
 * 0, 1: the share of wrong verdicts where the claim is true, and where it is false; 2, 3: of right ones. "-": it
 * was not measured. */
static struct phrase trust_share(const char *check, int column)
{
    bool wrong = column < 2;
    struct share s = share_of(check, column % 2 ? "false" : "true", wrong);
    struct phrase p = { "-" };
    if (!s.rows)
        return p;
    if (!wrong)
        snprintf(p.at, sizeof p.at, "%.3g%% on average, %.3g%% to %.3g%%", 100 * s.sum / s.rows,
                 100 * s.least, 100 * s.most);
    else if (s.most == 0)
        snprintf(p.at, sizeof p.at, "none of %ld", s.trials);
    else
        snprintf(p.at, sizeof p.at, "%.2g%% on average, at most %.3g%% (%.150s, %.100s)",
                 100 * s.sum / s.rows, 100 * s.most, s.worst->law, s.worst->noise);
    return p;
}

static bool trust_row(const void *of, int k, struct report_row *row)
{
    static const char *const checks[] = { "rate", "bound", "order", "moment", "law" };
    if (k < 0)
        return report_heading(row, (const char *const[]){ "check", "CONTRADICTED though true",
                              "SUPPORTED though false", "SUPPORTED when true", "CONTRADICTED when false", NULL });
    if (k >= (int)(sizeof checks / sizeof *checks) || !calibration_kept->check)
        return false;
    report_cell(row, checks[k]);
    for (int c = 0; c < 4; c++)
        report_cell(row, trust_share(checks[k], c).at);
    return true;
}

/* --- the list of all sections */

const struct text_table report_sections[] = {
    [SECTION_PRIVACY] = {
        "Privacy of each method", "Claimed, accounted, audited, replayed",
        "Accounted: the least epsilon that an accountant proves of what was booked, and of each of "
        "them. "
        "Audited: lower limits at 95% from runs on two neighbouring data sets, by exact limits of both "
        "rates and, for Gaussian noise, through mu, by pairs of runs; and from one run with many "
        "canaries; what could be explained is the bound that so many runs show of noise that spends "
        "all that is claimed. Replayed: on "
        "neighbouring data sets with every release forced, the change of a value before its noise over "
        "what was declared; above 1, or where anything else differs, data leak. Seeds are known: every "
        "release is a simulation.",
        ~0u, .row = privacy_row },
    [SECTION_COVERAGE] = {
        "Coverage of intervals", "Coverage in percent, by replicates", NULL, 3, .row = coverage_row },
    [SECTION_TRUST] = {
        "False alarms and power", "Verdicts, over the cases of a check, each with its own spread", NULL, ~0u,
        .row = trust_row },
    [SECTION_PEERS] = {
        "Beside other programs", "Processor time of the same work",
        "The same work by other programs, each on one core and as it is meant to be used: processor time, and as "
        "the ratio theirs over ours, so that above 1 assay is faster. Times are kept only where the answers are "
        "equal. They decide nothing. `make peers` measures them anew.",
        1 << 0 | 1 << 2 | 1 << 4 | 1 << 5, .row = peers_row },
};

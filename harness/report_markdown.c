/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_markdown.c - the report as Markdown: summary, tables, a section for each claim, what a
 * verdict means, failures, provenance. */
#include "report_markdown.h"

#include <math.h>
#include <string.h>

#include "calibrate.h"
#include "report_points.h"
#include "report_words.h"

/* Statements contain * _ < | $, which mean something else here. */
static void put(FILE *out, const char *text)
{
    for (; text && *text; text++) {
        if (strchr("\\`*_{}[]<>#|~$&", *text))
            putc('\\', out);
        putc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
}

/* Text between backticks; a | would end a table's field. */
static void put_code(FILE *out, const char *text)
{
    putc('`', out);
    for (; *text; text++) {
        char c = *text == '`' ? '\'' : *text == '|' ? '/' : *text;
        putc((unsigned char)c < 32 ? ' ' : c, out);
    }
    putc('`', out);
}

/* A command in its own lines, byte for byte. */
static void put_command(FILE *out, const char *command)
{
    fprintf(out, "    %s\n", command);
}

/* --- tables by paper */

static void put_claim_row(FILE *out, const struct judgement *j, const struct figure *f)
{
    fprintf(out, "| [");
    put_code(out, j->claim->id);
    fprintf(out, "](#%s) | ", f->name);
    put(out, j->claim->says);
    fputs(" | ", out);
    put(out, report_measured(j->claim, &j->fit).at);
    fputs(" | ", out);
    put(out, report_promised(j->claim).at);
    fprintf(out, " | %s%s | %s |\n", verdict_word(j->verdict.word),
            j->exploratory ? " (EXPLORATORY)" : "", report_control(j));
}

static void put_tables(FILE *out, const struct report_input *in, const struct figure *f)
{
    const struct judgement *j = in->judgement;
    for (int k = 0; k < in->judgements; k++) {
        if (!report_opens_paper(j, k))
            continue;
        fputs("\n### ", out);
        put(out, report_paper_key(&j[k]));
        if (j[k].paper && j[k].paper->title) {
            fputs(": ", out);
            put(out, j[k].paper->title);
        }
        fputs("\n\n| claim | what the theorem says | measured | promised | verdict | control |\n"
              "|---|---|---|---|---|---|\n", out);
        for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
            put_claim_row(out, &j[i], &f[i]);
    }
}

/* --- one claim */

static void put_points(FILE *out, const struct judgement *j)
{
    char cell[POINT_COLUMNS][64];
    int columns = report_points_heading(j, cell);
    fputs("\n|", out);
    for (int c = 0; c < columns; c++) {
        putc(' ', out);
        put(out, cell[c]);
        fputs(" |", out);
    }
    fputs("\n|", out);
    for (int c = 0; c < columns; c++)
        fputs("---:|", out);
    for (int k = 0; k < j->fit.points; k++) {
        report_points_row(j, k, cell);
        fputs("\n|", out);
        for (int c = 0; c < columns; c++)
            fprintf(out, " %s |", cell[c]);
    }
    putc('\n', out);
}

static void put_figure(FILE *out, const struct judgement *j, const struct figure *f)
{
    if (f->drawn) {
        fputs("\n![", out);
        put(out, j->claim->says ? j->claim->says : j->claim->id);
        fprintf(out, "](figures/%s.svg)\n", f->name);
    }
    if (f->note[0]) {
        fputs("\n*", out);
        put(out, f->note);
        fputs("*\n", out);
    }
    if (f->data)
        fprintf(out, "\n[data](figures/%s.tsv)", f->name);
    if (f->script)
        fprintf(out, ", [gnuplot script](figures/%s.gp)", f->name);
    fputs(f->data ? "\n" : "", out);
}

static void put_runs(FILE *out, const struct report_input *in, const struct judgement *j)
{
    fprintf(out, "\nRuns: %d", j->cells);
    if (j->failed)
        fprintf(out, ", of which %d crashed, timed out or ran out of memory", j->failed);
    if (j->refused)
        fprintf(out, ", %d refused by the algorithm or the problem", j->refused);
    if (!in->canonical)
        fprintf(out, "; %.3g seconds of computing", j->seconds);
    fputs(".", out);
    if (j->aggregated)
        fputs(" Aggregated: means of fresh batches were drawn from their exact law instead of "
              "sample by sample; the law of the run is the same.", out);
    putc('\n', out);
}

static void put_claim(FILE *out, const struct report_input *in, const struct judgement *j,
                      const struct figure *f)
{
    const struct claim *c = j->claim;
    fprintf(out, "\n<a id=\"%s\"></a>\n\n### ", f->name);
    put_code(out, c->id);
    fprintf(out, "\n\n**%s.** ", verdict_word(j->verdict.word));
    put(out, j->verdict.reason);
    fputs(".\n\n> ", out);
    put(out, c->says);
    fputs("\n\n", out);
    put(out, c->cite);
    fprintf(out, ". Kind: %s; checked by %s.\n", kind_name(c->kind), check_name(c->check));
    if (j->exploratory)
        fputs("\nEXPLORATORY: settings were overridden; it never enters a baseline.\n", out);
    if (j->verdict.next[0]) {
        fputs("\nWhat would decide it: ", out);
        put(out, j->verdict.next);
        fputs(".\n", out);
    }
    put_figure(out, j, f);
    if (j->fit.points)
        put_points(out, j);
    fputs("\nRule: ", out);
    put(out, report_rule(c->check));
    fputs("\n\nControl: ", out);
    put(out, report_control_sentence(j).at);
    putc('\n', out);
    if (j->cells)
        put_runs(out, in, j);
    fputs("\nReproduce:\n\n", out);
    put_command(out, report_command(c, in->profile).at);
}

/* --- failures */

static void put_failure(FILE *out, const char *cell, const char *outcome, const char *message)
{
    fprintf(out, "\n%s%s", outcome, message[0] ? ": " : "");
    put(out, message);
    fputs("\n\n    assay rerun '", out);
    for (; *cell; cell++)
        if (*cell == '\'')
            fputs("'\\''", out);
        else
            putc(*cell, out);
    fputs("'\n", out);
}

static int put_all_failures(FILE *out, const struct report_input *in)
{
    int failures = 0;
    for (int k = 0; k < in->plan->cells; k++) {
        const struct record *r = in->record[k];
        if (!r || r->outcome == OUTCOME_OK)
            continue;
        put_failure(out, r->cell, record_outcome_name(r->outcome), r->message);
        failures++;
    }
    return failures;
}

/* Without the records: the first one of each claim, "cell: outcome: message". */
static int put_first_failures(FILE *out, const struct report_input *in)
{
    int failures = 0;
    for (int k = 0; k < in->judgements; k++) {
        const struct judgement *j = &in->judgement[k];
        const char *end = strstr(j->first_failure, ": ");
        char cell[sizeof j->first_failure];
        failures += j->failed + j->refused;
        if (!end)
            continue;
        snprintf(cell, sizeof cell, "%.*s", (int)(end - j->first_failure), j->first_failure);
        put_failure(out, cell, j->claim->id, end + 2);
    }
    return failures;
}

static void put_failures(FILE *out, const struct report_input *in)
{
    fputs("\n## Runs that failed\n", out);
    int failures = in->record ? put_all_failures(out, in) : put_first_failures(out, in);
    if (!failures)
        fputs("\nNone.\n", out);
}

/* --- what a verdict means, provenance */

static void put_meaning(FILE *out)
{
    fputs("\n## What a verdict means\n\n", out);
    for (int w = 0; w <= SUSPECT; w++)
        fprintf(out, "- **%s**: %s.\n", verdict_word((enum word)w), verdict_meaning((enum word)w));
    fputs("\nSUPPORTED means that these runs, on these problem families and inside these windows, "
          "behave as the theorem says, and that the same check caught the control, a run that is "
          "wrong on purpose. It is no proof: other families, sizes and constants were not seen. "
          "CONTRADICTED means that two disjoint sets of runs both left what was promised, or that "
          "one run did where the promise is about every run; the theorem, its reading here, or the "
          "implementation is wrong. Intervals are two-sided 95% intervals of the statistic; limits "
          "that contradict are one-sided 0.5% in each set.\n\n"
          "A verdict is EXPLORATORY if a declared axis, setting or number of replicates was "
          "overridden. Such verdicts are for looking around: they are never accepted nor compared "
          "with a baseline; a window that happened to suit a claim does not confirm it.\n\n"
          "Seeds are known, so nothing here is private: every noisy release is a simulation.\n",
          out);
}

/* --- how far the harness itself can be trusted: the table compiled into the program */

static bool same_line(const struct calibration *k, const struct calibration *line)
{
    return k->check && strcmp(k->check, "coverage") == 0 && strcmp(k->law, line->law) == 0 &&
           strcmp(k->noise, line->noise) == 0;
}

/* A line for each interval and spread, a column for each number of replicates. */
static void put_coverage(FILE *out)
{
    const struct calibration *k, *line = calibration_kept;
    int columns = 0;
    fputs("\n| coverage of | data |", out);
    for (k = line; same_line(k, line); k++, columns++)
        fprintf(out, " %d |", k->reps);
    fputs("\n|---|---|", out);
    for (int c = 0; c < columns; c++)
        fputs("---:|", out);
    for (k = line; same_line(k, line); line = k) {
        fputs("\n| ", out);
        put(out, line->law);
        fprintf(out, " | %s |", line->noise);
        int c = 0;
        for (; same_line(k, line); k++, c++)
            fprintf(out, strcmp(k->mark, "good") ? " *%.1f* |" : " %.1f |", 100 * k->right);
        for (; c < columns; c++)
            fputs(" - |", out);
    }
    putc('\n', out);
}

struct share {
    int rows;
    long trials;
    double sum, least, most;
    const struct calibration *worst;
};

/* Over the rows of a check with this truth: the shares `wrong`, or else `right`. */
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

static void put_share(FILE *out, const char *check, const char *truth, bool wrong)
{
    struct share s = share_of(check, truth, wrong);
    if (!s.rows)
        fputs(" - |", out);
    else if (!wrong)
        fprintf(out, " %.3g%% on average, %.3g%% to %.3g%% |", 100 * s.sum / s.rows, 100 * s.least,
                100 * s.most);
    else if (s.most == 0)
        fprintf(out, " none of %ld |", s.trials);
    else {
        fprintf(out, " %.2g%% on average, at most %.3g%% (", 100 * s.sum / s.rows, 100 * s.most);
        put(out, s.worst->law);
        fprintf(out, ", %s) |", s.worst->noise);
    }
}

static void put_trust(FILE *out)
{
    static const char *const checks[] = { "rate", "bound", "order", "moment", "law" };
    fputs("\n## How far the harness itself can be trusted\n", out);
    if (!calibration_kept->check) {
        fputs("\nNo table was compiled in; `assay doctor --statistics` computes it.\n", out);
        return;
    }
    fputs("\nSynthetic data whose law is known went through the fit and the verdict that judge the "
          "claims above (`assay doctor --statistics` prints all cases): coverage, in percent by "
          "replicates, should be 95, and where it is below 93 (in italics) an interval promises "
          "more than it keeps: what it supports is called INCONCLUSIVE for skew; a CONTRADICTED is as "
          "doubtful as the first column of false alarms says, a SUPPORTED as the second, and low "
          "power means that many a claim stays INCONCLUSIVE.\n", out);
    put_coverage(out);
    fputs("\nVerdicts, over the cases of a check, each with its own spread:\n"
          "\n| check | CONTRADICTED though true | SUPPORTED though false | SUPPORTED when true | "
          "CONTRADICTED when false |\n|---|---|---|---|---|\n", out);
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        fprintf(out, "| %s |", checks[k]);
        put_share(out, checks[k], "true", true);
        put_share(out, checks[k], "false", true);
        put_share(out, checks[k], "true", false);
        put_share(out, checks[k], "false", false);
        putc('\n', out);
    }
}

/* The same bytes for any number of workers and any resume. */
static bool is_canonical(const char *key)
{
    static const char *const stable[] = { "commit", "dirty", "compiler", "flags", "core", "gsl",
                                          "openblas", "sqlite", "lbfgs", "zlib", "blas_core" };
    for (size_t k = 0; k < sizeof stable / sizeof *stable; k++)
        if (strcmp(key, stable[k]) == 0)
            return true;
    return false;
}

static void put_provenance(FILE *out, const struct report_input *in)
{
    fputs("\n## Provenance\n\n| | |\n|---|---|\n", out);
    fprintf(out, "| profile | %s |\n", profile_name(in->profile));
    if (in->command && !in->canonical) {
        fputs("| command | ", out);
        put_code(out, in->command);
        fputs(" |\n", out);
    }
    for (size_t k = 0; k < in->infos; k++) {
        const char *key = in->info[k].key;
        if ((in->canonical && !is_canonical(key)) || strcmp(key, "command") == 0)
            continue;
        fputs("| ", out);
        put(out, key);
        fputs(" | ", out);
        put(out, in->info[k].value);
        fputs(" |\n", out);
    }
}

void report_markdown(FILE *out, const struct report_input *in, const struct figure *figure)
{
    fprintf(out, "# Theorems against measurements\n\n%s.\n\n## Verdicts\n",
            report_summary(in->judgement, in->judgements).at);
    put_tables(out, in, figure);
    fputs("\n## Claims\n", out);
    for (int k = 0; k < in->judgements; k++)
        put_claim(out, in, &in->judgement[k], &figure[k]);
    put_meaning(out);
    put_trust(out);
    put_failures(out, in);
    put_provenance(out, in);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.c - what every page of a report says beside its claims. */
#include "report/report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "cell/plugins.h"

const char *const report_title = "Theorems against measurements";

const char *const report_meaning[] = {
    "SUPPORTED means that these runs, on these problem families and inside these windows, "
    "behave as the theorem says, and that the same check caught the control, a run that is "
    "wrong on purpose. It is no proof: other families, sizes and constants were not seen. "
    "CONTRADICTED means that two disjoint sets of runs both left what was promised, or that "
    "one run did where the promise is about every run; the theorem, its reading here, or the "
    "implementation is wrong. Intervals are two-sided 95% intervals of the statistic; limits "
    "that contradict are one-sided 0.5% in each set.",
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

/* --- runs */

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

/* Claims share runs: each is counted once where they are known. */
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

/* --- failures */

static bool failed_record(const struct record *r, struct failure *f)
{
    if (!r || r->outcome == OUTCOME_OK)
        return false;
    *f = (struct failure){ r->cell, record_outcome_name(r->outcome), r->message, "" };
    return true;
}

/* Without the records: "cell: outcome: message". */
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

/* As one word of a shell's line. */
static void put_quoted(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    putc('\'', out);
}

char *report_rerun(const char *cell)
{
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    BUG_IF(!out);
    fputs("assay rerun ", out);
    put_quoted(out, cell);
    for (size_t k = 0; k < plugins_count(); k++) {
        fputs(" --plugin ", out);
        put_quoted(out, plugins_at(k)->path);
    }
    fclose(out);
    return command;
}

/* --- what was spent */

/* The record of a measured run of the claim itself, not of a rival, a control or a search. */
static const struct record *measured(const struct report_input *in, const struct task *t)
{
    const struct record *r = in->record[t->cell];
    return t->role == ROLE_MAIN && t->grid < 0 && r && r->outcome == OUTCOME_OK ? r : NULL;
}

const struct record *report_first_run(const struct report_input *in, int claim)
{
    const struct planned_claim *c = claim < in->plan->claims ? &in->plan->claim[claim] : NULL;
    for (int k = 0; c && in->record && k < c->tasks; k++)
        if (measured(in, &c->task[k]))
            return measured(in, &c->task[k]);
    return NULL;
}

static void range_of_axis(const struct report_input *in, const struct planned_claim *c,
                          double *ends)
{
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (const struct task *t = c->task; t < c->task + c->tasks; t++)
        if (measured(in, t)) {
            ends[0] = fmin(ends[0], t->axis);
            ends[1] = fmax(ends[1], t->axis);
        }
}

/* false: none of this kind was spent. */
static bool spent_of(const struct report_input *in, const struct planned_claim *c, int kind,
                     const double *ends, struct spent *s)
{
    char name[RECORD_NAME];
    double runs[2] = { 0, 0 }, v;
    bool any = false;
    *s = (struct spent){ kind, { 0, 0 } };
    snprintf(name, sizeof name, "count.%s", count_name(kind));
    for (const struct task *t = c->task; t < c->task + c->tasks; t++) {
        const struct record *r = measured(in, t);
        if (!r || !record_get(r, name, &v))
            continue;
        any |= v != 0;
        for (int e = 0; e < 2; e++)
            if (t->axis == ends[e]) {
                s->end[e] += v;
                runs[e]++;
            }
    }
    for (int e = 0; e < 2; e++)
        s->end[e] = runs[e] > 0 ? s->end[e] / runs[e] : NAN;
    return any;
}

int report_spent(const struct report_input *in, int claim, struct spent *spent, double *ends)
{
    int n = 0;
    if (!report_first_run(in, claim))
        return 0;
    const struct planned_claim *c = &in->plan->claim[claim];
    range_of_axis(in, c, ends);
    for (int kind = 0; kind < COUNT_KINDS; kind++)
        n += spent_of(in, c, kind, ends, &spent[n]);
    return n;
}

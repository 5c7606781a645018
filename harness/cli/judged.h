/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.h - a plan with its records and judgements, and the steps that several verbs take with them. */
#ifndef ASSAY_JUDGED_H
#define ASSAY_JUDGED_H

#include "cli/cli.h"
#include "nights/compare.h"
#include "nights/history.h"

struct judged {
    struct plan plan;
    struct record **record;          /* [plan.cells] */
    struct judgement *judgement;     /* [plan.claims + plan.lines] */
    double reference;                /* seconds of the yardstick during the run; NaN: not known */
};

void judged_free(struct judged *j);
/* Frees all but the plan, which the caller gets and frees by plan_free. */
struct plan judged_free_but_plan(struct judged *j);
/* Judges the claims of this program on the records of the store at `path`. any: the latest record of each cell, also
 * one that another version of the program made. */
enum status judged_from(const struct options *o, const char *path, bool any, struct judged *j,
                        struct why *why);
/* The standing of planned claim k. */
void judged_standing(const struct options *o, const struct judged *j, int k, struct standing *s);
/* Adds the standing of every claim that has a record. */
void judged_standings(const struct options *o, const struct judged *j, struct standings *list);
/* Writes these standings into the store as those of a run. If settings were overridden, writes nothing. */
enum status judged_keep(const struct options *o, const struct judged *j, long run, struct why *why);
/* Does the plan have the claim, with tasks in its profile or with data that are missing? */
bool judged_asks(const struct plan *p, const char *claim);
/* Compares two lists, without the lines of claims that the plan leaves out, which are removed from both lists. free()
 * the member change. */
struct comparison judged_compare(const struct options *o, const struct plan *p, struct standings *base,
                                 struct standings *now);
/* The table of verdicts on stdout. */
void judged_table(const struct options *o, const struct judged *j);
/* Adds the times in the file of --bench, if given, to a run of the store; run 0: the newest run, or a new one in an
 * empty store. BAD_INPUT, IO_ERROR. */
enum status judged_bench(const struct options *o, long run, struct why *why);

/* Writes the report. It has a section on changes since the baseline if the baseline has a line of a claim that ran.
 * history NULL: no section on nights. */
enum status judged_report(const struct options *o, const struct judged *j, const struct history *history,
                          struct why *why);
/* The exit code of the verdicts; a contradiction that the baseline accepts is not counted. */
int judged_code(const struct options *o, const struct judged *j);

#endif

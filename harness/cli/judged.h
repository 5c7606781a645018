/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.h - a plan with its records and judgements, and what verbs do with these. */
#ifndef ASSAY_JUDGED_H
#define ASSAY_JUDGED_H

#include "cli/cli.h"
#include "nights/compare.h"
#include "nights/history.h"

struct judged {
    struct plan plan;
    struct record **record;          /* [plan.cells] */
    struct judgement *judgement;     /* [plan.claims + plan.lines] */
    double reference;                /* seconds of the yardstick in the run; NaN: not known */
};

void judged_free(struct judged *j);
/* The plan is the caller's: plan_free. */
struct plan judged_free_but_plan(struct judged *j);
/* What the store at path holds, by the claims of this program; any: the latest record of each cell,
 * whichever program made it. */
enum status judged_from(const struct options *o, const char *path, bool any, struct judged *j,
                        struct why *why);
/* Of planned claim k. */
void judged_standing(const struct options *o, const struct judged *j, int k, struct standing *s);
/* Adds the standing of every claim of which something was measured. */
void judged_standings(const struct options *o, const struct judged *j, struct standings *list);
/* The same into the store, as those of a run, unless settings were overridden. */
enum status judged_keep(const struct options *o, const struct judged *j, long run, struct why *why);
/* Does the plan ask for the claim, in its profile? */
bool judged_asks(const struct plan *p, const char *claim);
/* Lines of claims that the plan does not ask for are left out of both lists; free() its change. */
struct comparison judged_compare(const struct options *o, const struct plan *p, struct standings *base,
                                 struct standings *now);
/* The table of verdicts on stdout. */
void judged_table(const struct options *o, const struct judged *j);
/* Takes the times of --bench, if it is given, in to a run of the store; run 0: the newest, or a new one where
 * there is none. BAD_INPUT, IO_ERROR. */
enum status judged_bench(const struct options *o, long run, struct why *why);

/* The report on disk, with what has changed since the baseline where that has a line of what ran. history
 * NULL: none. */
enum status judged_report(const struct options *o, const struct judged *j, const struct history *history,
                          struct why *why);
/* The exit code of the verdicts; what the baseline accepts is a result. */
int judged_code(const struct options *o, const struct judged *j);

#endif

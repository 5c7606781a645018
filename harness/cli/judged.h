/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.h - a plan with its records and judgements, and their comparison with earlier ones. */
#ifndef ASSAY_JUDGED_H
#define ASSAY_JUDGED_H

#include "cli/cli.h"
#include "judge/plan_records.h"
#include "nights/compare.h"
#include "nights/history.h"

struct judged {
    struct plan plan;
    struct record **record;          /* [plan.cells] */
    struct judgement *judgement;     /* [plan.claims + plan.lines] */
    double reference;                /* seconds of the yardstick during the run; NaN: not known */
};

void judged_free(struct judged *j);
/* A function by which a verb uses the records of its plan. Returns the exit code. */
typedef int judged_use(struct options *o, struct judged *j, const struct execution *x);
/* Runs the cells of the plan of o->select that the store lacks, then calls `use` with all records of the plan.
 * Returns the exit code. */
int judged_run(struct options *o, judged_use *use);
/* Returns the exit code of a plan that was run and not judged, which is that of the verb run. */
int judged_ran_code(const struct plan *p, const struct execution *x);
/* Does what the verb verify does, but does not write standings to the store. The claims of a command line are
 * judged this way, since the registry of the next run lacks them. */
int judged_verify(struct options *o);
/* Prints the verdicts of a plan that is judged, writes its page, and returns the exit code of the verdicts. */
int judged_report(struct options *o, const struct judged *j);
/* Judges the claims of this program on the records of the store at `path`. any: takes the latest record of each
 * cell, even if another version of the program made it. */
enum status judged_from(const struct options *o, const char *path, bool any, struct judged *j,
                        struct why *why);
/* Adds the standing of every claim that has a record to the list. */
void judged_standings(const struct options *o, const struct judged *j, struct standings *list);
/* Compares two lists of standings. If the command line selects claims, the lines of claims that are not in the plan
 * are removed from both lists before. free() the member change. */
struct comparison judged_compare(const struct options *o, const struct plan *p, struct standings *base,
                                 struct standings *now);

/* Calls `each` with key and value of each item of the provenance of the newest run of a store, if it has a run. */
enum status judged_run_info(const char *path, void (*each)(void *ctx, const char *key, const char *value),
                            void *ctx, struct why *why);
/* Without --profile, the profile of o becomes that of the newest run of the store at `path`. */
enum status judged_profile(struct options *o, const char *path, struct why *why);

#endif

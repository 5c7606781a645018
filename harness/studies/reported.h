/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported.h - results that other programs have measured: tables in CSV, what benchopt writes, folders of COCO.
 * Each run becomes a record, and the records become a plan, so that sweeps draw them and claims are judged on them
 * by the same code as runs of this program. What they say of queries is taken as reported: nobody counted them here.
 *
 *     reported_table, reported_coco: files to runs     reported_sweep, reported_claim: runs to a plan */
#ifndef ASSAY_REPORTED_H
#define ASSAY_REPORTED_H

#include "judge/judge.h"
#include "record/record.h"

enum { REPORTED_SETTINGS = 32, REPORTED_NAME = 56, REPORTED_TEXT = 200 };

/* A column that says how runs were made: "goal.n", "problem.d", "algo.step". */
struct reported_setting {
    char name[REPORTED_NAME];
};
/* text NULL: a number; NaN: none. */
struct reported_value {
    const char *text;
    double number;
};

struct reported_run {
    const char *problem, *method;
    struct reported_value with[REPORTED_SETTINGS];
    long rep; /* below 0: not stated */
    double seed; /* NaN: not stated */
    bool start; /* before the first step: tells what its curve began with, and is no run */
    const char *file;
    long line; /* of the file, for messages */
    struct record *record;
};

struct reported {
    struct arena *arena; /* of texts */
    struct reported_setting setting[REPORTED_SETTINGS];
    int settings;
    struct reported_run *run;
    int runs, room;
    char measure[REPORTED_NAME]; /* what is measured where nothing else is asked for; "": nothing was read */
    char ignored[REPORTED_TEXT]; /* names of columns that were not read, by commas; "": none */
    const char *program; /* whose output it is: "benchopt", "COCO"; NULL: a table */
};

/* *r <- no results. reported_free() it, also after a failure to read. */
void reported_begin(struct reported *r);
void reported_free(struct reported *r);

/* A run without values; its record is an OK one, and its texts are copies. Valid until the next call. */
struct reported_run *reported_add(struct reported *r, const char *problem, const char *method);
/* The place of a setting, which is new or known. -1: there are too many. */
int reported_setting(struct reported *r, const char *name);
/* Is it a setting of how long a run may be (n, T, budget), whose runs of one replicate are a curve? */
bool reported_is_budget(const char *setting);
/* A copy of a text that lives as long as the results. */
const char *reported_text(struct reported *r, const char *text);

/* Adds the runs of a CSV table with a heading. A column is the method, the problem, rep, seed, a setting (n d T
 * B ...; goal.X, problem.X, algo.X), a count (sample_grads ...; count.X), a measure (excess ...; measure.X, or
 * `measure`), a constant (M_F sigma ...; fact.X), idle.X (the measure X at the start), error.X (X is within it
 * of the truth), outcome or seconds: the columns of `export --wide` are among these. The table of benchopt is
 * known by its columns. BAD_INPUT: file, line and column, and what was expected; IO_ERROR. */
enum status reported_table(struct reported *r, const char *path, const char *measure, struct why *why);
/* Adds the runs of all .info files in a folder and the folders below. BAD_INPUT, IO_ERROR. */
enum status reported_coco(struct reported *r, const char *folder, struct why *why);
/* After all files: numbers the replicates that have no number, gives every run what its curve began with.
 * BAD_INPUT: two runs of one method with the same settings and replicate, or with the same seed. */
enum status reported_end(struct reported *r, struct why *why);

/* --- from runs to a plan */

/* What is asked: texts as typed, NULL where nothing was. */
struct reported_request {
    const char *algorithm, *problem, *measure, *cost;
    const char *promise, *against;
    const char *command; /* the line as typed, for the page */
    const char *control[2], *rival[RIVALS_MAX];
    const struct bag *set; /* settings that the runs of the claim, or all that are drawn, have */
    const struct range *range; /* [ranges] of an axis: its runs alone are taken */
    int ranges;
};

struct reported_plan {
    struct plan plan; /* cells of the runs, in their order */
    struct record **record; /* [plan.cells] those of the runs */
    struct judgement *judgement; /* [plan.claims + plan.lines] */
    const char *cost; /* what plots against cost have */
    char note[REPORTED_TEXT]; /* what was left out, "": nothing */
    struct reported_made *made; /* what it points to */
};
/* *p <- plots of all methods along every axis, and what targets they reached. BAD_INPUT. reported_plan_free() it,
 * also after a failure. */
enum status reported_sweep(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why);
/* *p <- the claim that is promised, and its controls. BAD_INPUT, with a caret under what does not parse. Its paper
 * stays in the registry. */
enum status reported_claim(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why);
/* Fills p->judgement. A claim for which a rule needs a number that nobody reported is not SUPPORTED. */
void reported_judge(struct reported_plan *p);
void reported_plan_free(struct reported_plan *p);

#endif

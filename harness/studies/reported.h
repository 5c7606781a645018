/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported.h - reads results that other programs have measured: CSV tables, tables of benchopt (a benchmark
 * runner), folders of COCO (a platform for black-box optimisation). Each run becomes a record, and the records
 * become a plan; so sweeps draw them and claims are judged on them by the same code as runs of this program.
 * Numbers of queries are those that the files state; no oracle of this program has counted them.
 *
 *     reported_table, reported_coco: from files to runs     reported_sweep, reported_claim: runs to a plan */
#ifndef ASSAY_REPORTED_H
#define ASSAY_REPORTED_H

#include "judge/judge.h"
#include "record/record.h"

enum { REPORTED_SETTINGS = 32, REPORTED_NAME = 56, REPORTED_TEXT = 200 };

/* The name of a setting of runs, with its scope: "goal.n", "problem.d", "algo.step". */
struct reported_setting {
    char name[REPORTED_NAME];
};
/* The value of a setting: a text or, where text is NULL, a number; NaN: the run does not state this setting. */
struct reported_value {
    const char *text;
    double number;
};

struct reported_run {
    const char *problem, *method;
    struct reported_value with[REPORTED_SETTINGS];
    long rep; /* the replicate; below 0: not stated */
    double seed; /* NaN: not stated */
    bool start; /* this is not a run: its record has the measures at the start of its curve */
    const char *file;
    long line; /* the line of the file, for messages */
    struct record *record;
};

struct reported {
    struct arena *arena; /* the memory of the texts */
    struct reported_setting setting[REPORTED_SETTINGS];
    int settings;
    struct reported_run *run;
    int runs, room;
    char measure[REPORTED_NAME]; /* the measure that is judged if the user asks for none; "": nothing was read */
    char ignored[REPORTED_TEXT]; /* names of columns that were not read, with commas between them; "": none */
    const char *program; /* the program that wrote the files: "benchopt", "COCO"; NULL: a CSV table */
};

/* *r <- results without runs. The caller calls reported_free, also if reading fails. */
void reported_begin(struct reported *r);
void reported_free(struct reported *r);

/* Adds a run without values and returns it; the pointer is valid until the next call. Its record is OK and empty.
 * The names are copied. */
struct reported_run *reported_add(struct reported *r, const char *problem, const char *method);
/* Returns the index in r->setting of the setting with this name, which is added if it is new. -1: there are too
 * many settings, or the name is too long. */
int reported_setting(struct reported *r, const char *name);
/* Is the setting a budget (n, T, budget)? The runs of one replicate that differ in a budget only are one curve. */
bool reported_is_budget(const char *setting);
/* Returns a copy of a text that lives as long as the results. */
const char *reported_text(struct reported *r, const char *text);

/* Adds the runs of a CSV table with a heading. A column is the method, the problem, rep, seed, a setting (n d T B
 * ...; goal.X, problem.X, algo.X), a count (sample_grads ...; count.X), a measure (excess ...; measure.X, or
 * `measure`), a constant (M_F sigma ...; fact.X), idle.X (the measure X at the start), error.X (a bound of the
 * error of X), outcome or seconds. The columns of `export --wide` are among these. A table of benchopt is
 * recognised by its columns. measure: the name of a column that is a measure; NULL: none is named. BAD_INPUT: *why
 * has file, line and column, and what was expected. IO_ERROR: the file cannot be read. */
enum status reported_table(struct reported *r, const char *path, const char *measure, struct why *why);
/* Adds the runs of COCO's .info files in a folder and the folders below it. BAD_INPUT: *why has file, line and what
 * was expected. IO_ERROR: a file cannot be read. */
enum status reported_coco(struct reported *r, const char *folder, struct why *why);
/* To be called when all files have been read: numbers the replicates that have no number, and gives every run the
 * measures at the start of its curve. BAD_INPUT: two runs of one method have the same settings and replicate, or
 * the same settings and seed. */
enum status reported_end(struct reported *r, struct why *why);

/* --- from runs to a plan */

/* What the command line asks for: the values of its options as typed, NULL: not given. */
struct reported_request {
    const char *algorithm, *problem, *measure, *cost;
    const char *promise, *against;
    const char *command; /* the command line as typed, for the page */
    const char *control[2], *rival[RIVALS_MAX];
    const struct bag *set; /* of --set: only runs with these settings are taken */
    const struct range *range; /* [ranges] ranges of axes: only runs within them are taken */
    int ranges;
};

struct reported_plan {
    struct plan plan; /* its cells are those of the runs, in the order of the runs */
    struct record **record; /* [plan.cells] the records of the runs */
    struct judgement *judgement; /* [plan.claims + plan.lines] */
    const char *cost; /* the cost in the plots against cost */
    char note[REPORTED_TEXT]; /* a text that says which runs were left out; "": none */
    struct reported_made *made; /* the memory of everything that the plan points to */
};
/* *p <- a plan with plots of all methods along every axis, which is a setting that is not one of the methods'; the
 * same plots against the cost; and, if every run tells its cost and its measure at the start, plots of which
 * targets the methods reached. BAD_INPUT: the results lack a method, problem or setting that *q names, no setting
 * has several values, or the cost that *q names is not above 0 in every run. The caller calls reported_plan_free,
 * also after a failure. */
enum status reported_sweep(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why);
/* *p <- a plan with the claim that q->promise makes, and its controls; without a promise, the claim that the
 * measure is below that of the method q->against. BAD_INPUT: *why has a caret under what does not parse. The paper
 * of the claim stays in the registry until the program ends. */
enum status reported_claim(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why);
/* Fills p->judgement. A claim about an answer is not SUPPORTED if the files do not say what its measure is at the
 * start. */
void reported_judge(struct reported_plan *p);
void reported_plan_free(struct reported_plan *p);

#endif

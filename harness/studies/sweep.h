/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - makes a sweep from the plots of a plan: the means of each method along each axis, the exponents that
 * are fitted to them, and the cost of tuning. It is printed as text, as rows of CSV or JSON, and as a page. Nothing
 * is judged. */
#ifndef ASSAY_SWEEP_H
#define ASSAY_SWEEP_H

#include "report/plotted.h"
#include "studies/study.h"

/* The name of the cost that measures time: the processor seconds of a run divided by those of the yardstick.
 * sweep_put_times puts it into records, as the value measure.yardsticks. */
#define SWEEP_TIME "yardsticks"

struct sweep_exponent {
    struct estimate value;           /* the exponent with 95% limits; NaN: none was fitted */
    char why[120];                   /* the reason why none was fitted, or "" */
};

/* A line of a plot along an axis, with the costs of its runs. */
struct sweep_line {
    const struct plotted *plot;
    const struct plotted_line *line;
    const struct planned_claim *planned;
    struct sweep_exponent exponent;
    double tuned[FIT_POINTS_MAX];    /* the value of the tuned setting that the search chose at each point; NaN:
                                        none */
    bool edge;                       /* at some point this value is an end of the search's grid */
    double cost[FIT_POINTS_MAX];     /* mean cost of the measured runs at each point; NaN: there are none */
    long tuning_runs;
    double tuning_cost;              /* tuning_runs: number of search runs; tuning_cost: their total cost */
};

struct sweep {
    const struct plan *plan;
    struct plotted *plotted;         /* [plots] */
    int plots;
    const char *cost;                /* the count by which costs are measured */
    struct sweep_line *line;         /* [lines] the lines of the plots along an axis */
    int lines;
    int failed, refused, missing;    /* failed, refused: numbers of cells; missing: number of lines whose data are
                                        not on this machine */
};

/* *s <- the sweep of a plan that has plots only, with its records and judgements. cost: the name of the count by
 * which costs are measured. The caller calls sweep_free. */
void sweep_make(const struct plan *plan, struct record *const *record, const struct judgement *judgement,
                const char *cost, struct sweep *s);
void sweep_free(struct sweep *s);

/* Adds SWEEP_TIME to every record of the plan. reference: the median time of the yardstick in seconds while the
 * cells ran. Also replaces the marks of every run by its start and end (sweep_mark_ends), since the times of other
 * marks are not known. */
void sweep_put_times(const struct plan *plan, struct record *const *record, double reference);
/* Replaces the trace of a record by two marks, each with the measure and the cost: the start of the run, at cost 0,
 * and its end. A record that does not have the measure at the start, or the cost, is not changed. */
void sweep_mark_ends(struct record *r, const char *measure, const char *cost);

/* Prints the sweep on stdout, in the format of q->format. */
void sweep_print(const struct study_request *q, const struct sweep *s);
/* Writes q->output/index.html and the figures of this page, and removes those of an earlier sweep. IO_ERROR: a file
 * cannot be written. */
enum status sweep_page(const struct study_request *q, const struct sweep *s, struct why *why);

#endif

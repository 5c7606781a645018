/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the plots of a plan as a sweep: what each method measured along each axis, the exponents fitted to
 * it, what tuning cost; a table, rows, and a page with figures. Nothing is judged. */
#ifndef ASSAY_SWEEP_H
#define ASSAY_SWEEP_H

#include "report/plotted.h"
#include "studies/study.h"

/* The cost of a run in time: its processor seconds over those of the yardstick, the value measure.yardsticks of
 * a record (sweep_put_times). */
#define SWEEP_TIME "yardsticks"

struct sweep_exponent {
    struct estimate value;           /* 95%; NaN: none was fitted */
    char why[120];                   /* why none was; else "" */
};

/* A line of a plot along an axis. */
struct sweep_line {
    const struct plotted *plot;
    const struct plotted_line *line;
    const struct planned_claim *planned;
    struct sweep_exponent exponent;
    double tuned[FIT_POINTS_MAX];    /* the value that was chosen at each point; NaN: none */
    bool edge;                       /* one of them is an end of the grid */
    double cost[FIT_POINTS_MAX];     /* mean over the runs; NaN: none */
    long tuning_runs;
    double tuning_cost;              /* of all of them */
};

struct sweep {
    const struct plan *plan;
    struct plotted *plotted;         /* [plots] */
    int plots;
    const char *cost;                /* the count that costs are told in */
    struct sweep_line *line;         /* [lines], of the plots along an axis */
    int lines;
    int failed, refused, missing;    /* cells; lines whose data are not here */
};

/* Fills *s from a plan of plots alone, with its records and judgements; cost: a count. sweep_free() it. */
void sweep_make(const struct plan *plan, struct record *const *record, const struct judgement *judgement,
                const char *cost, struct sweep *s);
void sweep_free(struct sweep *s);

/* Gives every record of the plan its time. reference: seconds of the yardstick while the cells ran. The marks of
 * a run become its start and its end (sweep_mark_ends), since the times of others are not known. */
void sweep_put_times(const struct plan *plan, struct record *const *record, double reference);
/* Replaces the trace by two marks: where the run began, at no cost, and where it ended. A record without the
 * measure at the start or without the cost is left alone. */
void sweep_mark_ends(struct record *r, const char *measure, const char *cost);

/* On stdout, in the format asked for. */
void sweep_print(const struct study_request *q, const struct sweep *s);
/* output/index.html with its figures. IO_ERROR. */
enum status sweep_page(const struct study_request *q, const struct sweep *s, struct why *why);

#endif

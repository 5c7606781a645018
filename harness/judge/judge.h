/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.h - records in, verdicts out: collects the points of each planned claim, fits them and judges claim and
 * controls. Pure in the plan and the records. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#include "judge/fit.h"
#include "judge/series.h"
#include "judge/verdict.h"

/* The points of one algorithm, or of the ratio to the rival, for the figure of a claim: statistic with 95%
 * interval. */
struct curve {
    const char *name;                    /* algorithm */
    int points;
    struct { double axis; struct estimate y; } point[FIT_POINTS_MAX];
};

enum { CURVES_MAX = 8 };

struct judgement {
    const struct claim *claim;           /* NULL: not judged yet */
    const struct paper *paper;
    struct verdict verdict;              /* of the claim, its controls considered */
    struct verdict alone, control, control2;
    bool has_control, has_control2;
    bool caught;                         /* the claim has a control, and every one was caught */
    bool exploratory;                    /* the user overrode an axis, a setting or a number that the claim
                                            declares */
    bool no_data, dropped;               /* why the verdict is NOT_RUN. no_data: the data are not on this machine;
                                            dropped: --budget leaves no time for the claim */
    struct fit fit, control_fit;
    struct curve curve[CURVES_MAX];      /* the rival, then the ratio to it (rate), then the algorithms of `also` */
    int curves;
    int cells, failed, refused, absent;  /* of all cells of the claim: planned, failed, refused, without a record */
    double seconds;                      /* processor time of the cells */
    bool aggregated;                     /* some answers came from an exact law of the mean */
    char first_failure[300];             /* the cell's text and what happened, or "" */
    struct extent { int tasks; long reps; } of;      /* the size of the planned claim when it was judged */
};

/* Returns the judgements of a plan while it grows, none of them made yet: one for each planned claim and, behind
 * them, one for each line of a plot. They are freed as one block with free(). The judgement of a line has a fit,
 * with the mean of the line's theory as zone.formula; its verdict is meaningless. */
struct judgement *judge_none(const struct plan *p);
/* Judges planned claim k, unless list[k] was made from as many runs as the claim has now. record[i]: the record of
 * plan->cell[i], or NULL if the cell was not run and will not be. */
const struct judgement *judge_one(const struct plan *p, struct record *const *record, int k,
                                  struct judgement *list);
/* Judges all claims and lines by judge_one. */
void judge_plan(const struct plan *p, struct record *const *record, struct judgement *list);

#endif

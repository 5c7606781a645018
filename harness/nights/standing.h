/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standing.h - the outcome of a claim in one line of text: verdict, counts, and enough of the measured
 * numbers to tell a changed program from an unchanged one. Baselines are lists of these, and two of
 * them are compared (compare.h). */
#ifndef ASSAY_STANDING_H
#define ASSAY_STANDING_H

#include "text/csv_line.h"
#include "judge/judge.h"
#include "oracle.h"

/* Replicate k is in group k modulo STANDING_GROUPS; of a single replicate, the points of the axis are the groups.
 * More groups make Student's t between two runs sharper and the lines of a baseline longer. */
enum { STANDING_GROUPS = 16 };

/* What a level is the mean of. LOG: of log y, but linear in y below a resolution of 1e-12 of the problem's scale,
 * so that zero and negative rounding errors are small differences. PLAIN: of y, in checks whose y may have any
 * sign. POINTS: of y, one replicate. */
enum standing_scale { SCALE_LOG, SCALE_PLAIN, SCALE_POINTS };

enum standing_control { CONTROL_NONE, CONTROL_CAUGHT, CONTROL_MISSED };

/* The runs of one side: of the claim, or of its rival. */
struct standing_side {
    struct counts counts;            /* totals */
    int groups;
    double level[STANDING_GROUPS];   /* mean over the finite y of the points and replicates of
                                        the group; groups without a finite y are left out */
    double error[STANDING_GROUPS];   /* how far the level may be from what another processor measures:
                                        certificates and rounding (judge_slack) */
    double infinite;                 /* runs whose y is not finite */
};

struct standing {
    char claim[128], profile[12];
    enum word word;
    enum standing_control control;
    int cells, absent;               /* of the claim and its controls; without a record */
    enum standing_scale scale;       /* of both sides */
    struct standing_side own, rival; /* rival: all 0 where the claim has none, or where the line
                                        is of an older version */
    double seconds;                  /* processor time of all cells */
    double reference;                /* of the yardstick in the same run; 0: not known */
    char reason[400], commit[64];    /* why it was accepted, and at which commit; "" */
};

/* Does the line have the numbers of that side? */
bool standing_side_known(const struct standing_side *s);

/* Of planned claim k; profile is its name. */
void standing_of(const struct plan *p, struct record *const *record, const struct judgement *j, int k,
                 const char *profile, struct standing *s);

#define STANDING_HEADING                                                                              \
    "claim,profile,verdict,control,cells,counts,scale,levels,infinite,seconds,reason,commit,errors,reference," \
    "rival_counts,rival_levels,rival_errors,rival_infinite\n"

/* One line of a file that begins with the heading: RFC 4180, numbers in as many digits as comparing
 * needs. */
void standing_print(FILE *out, const struct standing *s);

/* Where each column of a heading stands. false: claim, profile or verdict is missing. */
struct standing_columns { int of[18]; };
bool standing_columns(const struct csv_line *heading, struct standing_columns *c);
/* BAD_INPUT names the column and what was expected. Columns that are not there are empty. */
enum status standing_parse(const struct csv_line *l, const struct standing_columns *c,
                           struct standing *s, struct why *why);

#endif

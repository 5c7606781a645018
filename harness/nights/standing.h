/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standing.h - the outcome of a claim as one line of text: verdict, counts, and enough of the measured numbers to
 * distinguish a changed program from an unchanged one. Baselines are lists of standings, and two lists are compared
 * (compare.h). */
#ifndef ASSAY_STANDING_H
#define ASSAY_STANDING_H

#include "text/csv_line.h"
#include "judge/judge.h"
#include "oracle.h"

/* Replicate k is in group k modulo STANDING_GROUPS; where there is a single replicate, the points of the axis are
 * the groups. More groups make Student's t between two runs sharper and the lines of a baseline longer. */
enum { STANDING_GROUPS = 16 };

/* What a level is the mean of. SCALE_LOG: of log y, but linear in y below a resolution of 1e-12 of the problem's
 * scale, so that zero and negative rounding errors are small differences. SCALE_PLAIN: of y, in checks whose y may
 * have any sign. SCALE_POINTS: of y, where there is one replicate. */
enum standing_scale { SCALE_LOG, SCALE_PLAIN, SCALE_POINTS };

enum standing_control { CONTROL_NONE, CONTROL_CAUGHT, CONTROL_MISSED };

/* What was measured in the claim's own runs, or in those of its rival. */
struct standing_side {
    struct counts counts;            /* totals over the runs */
    int groups;
    double level[STANDING_GROUPS];   /* mean over the finite y of the points and replicates of the group; groups
                                        without a finite y are left out */
    double error[STANDING_GROUPS];   /* how far the level may be from what another processor measures:
                                        certificates and rounding (judge_slack) */
    double infinite;                 /* runs whose y is not finite */
};

struct standing {
    char claim[128], profile[12];
    enum word word;
    enum standing_control control;
    int cells, absent;               /* of the claim and its controls. cells: all cells; absent: cells without a
                                        record */
    enum standing_scale scale;       /* the scale of the levels of own and rival */
    struct standing_side own, rival; /* rival: all 0 where the claim has none, or where the line
                                        is of an older version */
    double seconds;                  /* processor time of all cells */
    double reference;                /* time of the yardstick in the same run, in seconds; 0: not known */
    char reason[400], commit[64];    /* reason: why a contradiction was accepted, or ""; commit: the commit at which
                                        it was accepted */
};

/* Has any number of *s been measured? */
bool standing_side_known(const struct standing_side *s);

/* *s <- the standing of planned claim k; profile: the name of the profile. */
void standing_of(const struct plan *p, struct record *const *record, const struct judgement *j, int k,
                 const char *profile, struct standing *s);

#define STANDING_HEADING                                                                              \
    "claim,profile,verdict,control,cells,counts,scale,levels,infinite,seconds,reason,commit,errors,reference," \
    "rival_counts,rival_levels,rival_errors,rival_infinite\n"

/* Prints a standing as a line of a file that begins with the heading: RFC 4180, with numbers in as many digits as a
 * comparison needs. */
void standing_print(FILE *out, const struct standing *s);

/* *c <- where each column of a heading stands; -1: the heading lacks it. Returns false where it lacks claim,
 * profile or verdict. */
struct standing_columns { int of[18]; };
bool standing_columns(const struct csv_line *heading, struct standing_columns *c);
/* *s <- the standing of a line. BAD_INPUT names the column and what was expected. Columns that the heading lacks
 * are empty. */
enum status standing_parse(const struct csv_line *l, const struct standing_columns *c,
                           struct standing *s, struct why *why);

#endif

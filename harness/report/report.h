/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - verdicts as text: the table of a terminal, the reasons of one claim, the report on disk. This
 * stage decides nothing; it only prints what the judge decided. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "nights/compare.h"
#include "nights/history.h"
#include "judge/judge.h"
#include "nights/peers.h"
#include "report/plotted.h"
#include "store/store.h"

struct report_input {
    const struct plan *plan;
    struct record *const *record;        /* [plan->cells], as judged. With them every failed run is listed,
                                            without them (NULL) the first one of each claim */
    const struct judgement *judgement;   /* [judgements] */
    int judgements;
    const struct store_info *info;       /* [infos] the provenance */
    size_t infos;
    const struct plotted *plotted;       /* [plots] */
    int plots;
    enum profile profile;
    bool pdf; /* figures as PDF and for LaTeX too */
    bool canonical;                      /* no times, host, run or command line, so that the bytes are the
                                            same for any number of workers and any resume */
    const char *command;                 /* the command line, or NULL */
    const char *baseline;                /* file of accepted verdicts (baseline.h), or NULL */
    const struct comparison *changes;    /* from that baseline to now, or NULL */
    const struct history *history;       /* the nights of the store, or NULL */
    const struct judgement *before;      /* [judgements] of the night before, of claims whose numbers have changed
                                            since; others have no point. NULL: there is none */
    const struct standings
        *last; /* the last verdict of claims that may not have been run now; `reason` says
                                            where it is from. NULL: none is known */
    const struct history *kernels;       /* the times of the kernels' benchmarks (bench_times.h), or NULL */
    const struct peers *peers;           /* the times of other programs, or NULL */
    const char *peers_trouble;           /* why these times are not known, or NULL */
};

/* Writes the pages of site.h, report.md, summary.md, junit.xml and directory/figures/ (the figure of each claim,
 * its gnuplot script and its data), creating the folders. Files are written to a folder aside and renamed,
 * report.md last; a figure that cannot be drawn is replaced by a note. Pages of papers and theorems that this
 * report does not have are removed. IO_ERROR names the file and the system's reason. */
enum status report_write(const struct report_input *in, const char *directory, struct why *why);

/* Prints the verdict table as aligned text, at most `width` columns wide where that leaves it legible (0: no
 * limit). color: with ANSI escapes around the words. */
void report_table(FILE *out, const struct judgement *j, int n, bool color, int width);
/* Prints the verdict table as RFC 4180 text, one line per claim: doubles as %.17g, nan, inf. */
void report_table_csv(FILE *out, const struct judgement *j, int n);
/* Prints the verdict table as a JSON array of objects with the points measured. null stands where there is no
 * number, the strings "inf" and "-inf" for infinities. */
void report_table_json(FILE *out, const struct judgement *j, int n);

/* Prints why a verdict is what it is: statement, numbers, rule, control, next action, how to reproduce it. */
void report_explain(FILE *out, const struct judgement *j, enum profile profile);
/* Prints the figures and tables of the input: each line with its points, each cell with its verdict. */
void report_explain_exhibits(FILE *out, const struct report_input *in);

#endif

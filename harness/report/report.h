/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - prints verdicts: as a table on a terminal, with the reasons of one claim, and as the report, a folder
 * of pages. It decides nothing; it prints what harness/judge decided. */
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
    struct record *const *record;        /* [plan->cells] the records that were judged. With them the report lists
                                            every failed run, without them (NULL) the first one of each claim */
    const struct judgement *judgement;   /* [judgements] */
    int judgements;
    const struct store_info *info;       /* [infos] the provenance of the run */
    size_t infos;
    const struct plotted *plotted;       /* [plots] */
    int plots;
    enum profile profile;
    const struct selection *select;      /* what the user asked for: what is changed in exploratory claims; NULL:
                                            nothing */
    bool pdf; /* draw figures as PDF, and write them for LaTeX, too */
    bool canonical;                      /* leave out times, host, run and command line, so that the bytes do not
                                            depend on the number of workers, or on whether the run was interrupted
                                            and continued */
    const char *command;                 /* the command line, or NULL */
    const char *baseline;                /* file of accepted verdicts (baseline.h), or NULL */
    const struct comparison *changes;    /* the comparison of that baseline with this run, or NULL */
    const struct history *history;       /* the nights of the store, or NULL */
    const struct judgement *before;      /* [judgements] for each claim its judgement of the night before, if its
                                            numbers have changed since; else one without points. NULL: there are
                                            none */
    const struct standings
        *last; /* the last known verdicts, for claims that are not in this run; their `reason` says which run they
                  are from. NULL: none is known */
    const struct history *kernels;       /* the times of the benchmarks of kernels, by night (bench_times.h), or
                                            NULL */
    const struct peers *peers;           /* the times that other programs take for the same work, or NULL */
    const char *peers_trouble;           /* why these times are not known, or NULL */
};

/* Writes the pages of site.h, report.md, summary.md, junit.xml and directory/figures/ (the figure of each claim,
 * its gnuplot script and its data), creating the folders. Files are written to a temporary folder and renamed,
 * report.md last; a figure that cannot be drawn is replaced by a note. Pages of an earlier report, of papers and
 * theorems that this one does not have, are removed. IO_ERROR: *why names the file and the system's reason. */
enum status report_write(const struct report_input *in, const char *directory, struct why *why);

/* Prints the verdict table as aligned text, at most `width` columns wide where that leaves it legible (0: no
 * limit). color: with ANSI escapes around the words. */
void report_table(FILE *out, const struct judgement *j, int n, bool color, int width);
/* Prints the verdict table as CSV (RFC 4180), one line a claim: doubles as %.17g, nan, inf. */
void report_table_csv(FILE *out, const struct judgement *j, int n);
/* Prints the verdict table as a JSON array of objects with the points measured. null stands where there is no
 * number, the strings "inf" and "-inf" for infinities. */
void report_table_json(FILE *out, const struct judgement *j, int n);

/* Prints why the verdict of a claim of the input is what it is: statement, numbers, rule, control, next action, how
 * to reproduce it. */
void report_explain(FILE *out, const struct report_input *in, const struct judgement *j);
/* Prints the plots and tables of the input's papers: each line of a plot with its points, each cell of a table with
 * its verdict. */
void report_explain_exhibits(FILE *out, const struct report_input *in);

#endif

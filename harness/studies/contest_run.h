/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_run.h - runs a contest (api/contest.h): tunes every method, runs the winners on fresh seeds, compares
 * them in a table, and draws the conclusion. */
#ifndef ASSAY_CONTEST_RUN_H
#define ASSAY_CONTEST_RUN_H

#include "contest.h"
#include "numeric/stats.h"
#include "studies/study.h"

enum { CONTEST_RUNS = 64 };

/* The winner of a method's grid on one instance at one size, that is, the choice of settings with the smallest mean
 * of the measure; and its runs on fresh seeds. */
struct contest_entry {
    double value[GRID_SETTINGS];     /* the settings of the winner; NaN: the method has no such setting */
    bool found, edge[GRID_SETTINGS]; /* found: at least one choice ran; edge[k]: the value of setting k is an end of
                                        its grid */
    int tried, refused, failed;      /* tried: number of choices; refused: how many of these the method refused;
                                        failed: number of runs, of both stages, that crashed or timed out */
    char message[200];               /* the message of the first run of the first stage that was refused or failed,
                                        or "" */
    int runs;
    double y[CONTEST_RUNS];          /* [runs] the measure in each fresh replicate; infinite: the run diverged; NaN:
                                        it failed */
    struct estimate mean;            /* the geometric mean of y, with limits at 95%; NaN: some y is not positive and
                                        finite, or there are fewer than two */
};

enum contest_word { CONTEST_BELOW, CONTEST_ABOVE, CONTEST_OPEN, CONTEST_MISSING };

/* The ratio of the measure of method[0] to that of the rival. */
struct contest_ratio {
    double value;
    struct interval limits;          /* limits of the ratio, such that those of all rows hold together with
                                        probability 99% */
    enum contest_word word;
};

struct contest_row {                 /* one instance at one size */
    const struct contest_instance *on;
    double size;
    struct contest_entry entry[CONTEST_METHODS];
    struct contest_ratio ratio;
};

struct contest_table {
    const struct contest *what;
    int methods, rows, choices;      /* rows: instances times sizes; choices: number of combinations of settings
                                        that are tried in one row, over all methods */
    struct contest_row *row;         /* [rows] in the order of instances, and of sizes in an instance */
    bool altered;                    /* the user has changed settings of the contest, its replicates or its seed */
    int failed;
};

struct contest_answer {
    int count[4];                    /* count[word]: number of rows with this enum contest_word */
    const struct contest_row *best;  /* the row with the least ratio; NULL: no row was compared */
    char text[1200];                 /* the conclusion in words, with its numbers */
};

/* Runs both stages, all choices of the grids and then the winners on fresh seeds, and fills the table. The caller
 * calls contest_free, also after a failure. *code <- the exit code if the run was interrupted, else it is left as
 * it was. BAD_INPUT: the user has selected no instance of the contest, has selected a method, has given several
 * values of an axis or any value of the contest's own axis; or no cell accepts the settings. */
enum status contest_run(const struct study_request *q, const struct contest *what,
                        struct contest_table *t, int *code, struct why *why);
void contest_free(struct contest_table *t);

/* Computes the means of all entries and the ratios of all rows from the runs on fresh seeds in *t. */
void contest_compare(struct contest_table *t);
/* *a <- the conclusion from the ratios of all rows. */
void contest_conclude(const struct contest_table *t, struct contest_answer *a);

/* Prints the table and the conclusion on stdout, in the format of q->format. */
void contest_print(const struct study_request *q, const struct contest_table *t,
                   const struct contest_answer *a);
/* *name <- NAME, by study_page_name. Writes output/NAME.html, the figures of this page and output/NAME.txt, the
 * text of the answer, for the report. IO_ERROR: a file cannot be written. */
enum status contest_page(const struct study_request *q, const struct paper *paper,
                         const struct contest_table *t, const struct contest_answer *a,
                         struct page_name *name, struct why *why);

#endif

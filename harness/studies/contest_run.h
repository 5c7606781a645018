/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_run.h - runs a contest (api/contest.h): tuning, then fresh seeds; a table of them, and the conclusion. */
#ifndef ASSAY_CONTEST_RUN_H
#define ASSAY_CONTEST_RUN_H

#include "contest.h"
#include "numeric/stats.h"
#include "studies/study.h"

enum { CONTEST_RUNS = 64 };

/* The winner of a method's grid on one instance at one size, and its fresh runs. */
struct contest_entry {
    double value[GRID_SETTINGS];     /* NaN: no such setting */
    bool found, edge[GRID_SETTINGS]; /* a choice ran; the best one is an end of its grid */
    int tried, refused, failed;      /* choices; those the method refused; cells that crashed or timed out */
    int runs;
    double y[CONTEST_RUNS];          /* by replicate */
    struct estimate mean;            /* by the mean of the logarithms, with limits at 95%; NaN: some run is not
                                        positive */
};

enum contest_word { CONTEST_BELOW, CONTEST_ABOVE, CONTEST_OPEN, CONTEST_MISSING };

/* method[0] over the rival. */
struct contest_ratio {
    double value;
    struct interval limits;          /* of the ratio, all comparisons together at 99% */
    enum contest_word word;
};

struct contest_row {                 /* an instance at a size */
    const struct contest_instance *on;
    double size;
    struct contest_entry entry[CONTEST_METHODS];
    struct contest_ratio ratio;
};

struct contest_table {
    const struct contest *what;
    int methods, rows, choices;      /* choices: of all grids together, per row */
    struct contest_row *row;         /* by instance, then size */
    bool altered;                    /* by the user's settings */
    int failed;
};

struct contest_answer {
    int count[4];                    /* rows by enum contest_word */
    const struct contest_row *best;  /* of least ratio; NULL: none was compared */
    char text[1200];                 /* in words, with the numbers */
};

/* Fills the table; contest_free() it, also after a failure. *code: of an interruption, else as it was. BAD_INPUT:
 * nothing selected, settings that no cell accepts. */
enum status contest_run(const struct study_request *q, const struct contest *what,
                        struct contest_table *t, int *code, struct why *why);
void contest_free(struct contest_table *t);

/* The ratios of all rows, from the fresh runs. Pure. */
void contest_compare(struct contest_table *t);
/* *a <- the conclusion from the ratios. Pure. */
void contest_conclude(const struct contest_table *t, struct contest_answer *a);

/* On stdout, in the format asked for. */
void contest_print(const struct study_request *q, const struct contest_table *t,
                   const struct contest_answer *a);
/* Writes output/NAME.html with its figures, and the answer alone as output/NAME.txt, which the report shows.
 * IO_ERROR. */
enum status contest_page(const struct study_request *q, const struct paper *paper,
                         const struct contest_table *t, const struct contest_answer *a,
                         struct page_name *name, struct why *why);

#endif

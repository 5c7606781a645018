/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_run.h - harness of api/contest.h: two stages of cells, tuning and fresh seeds; a table; what it says. */
#ifndef ASSAY_CONTEST_RUN_H
#define ASSAY_CONTEST_RUN_H

#include "contest.h"
#include "plan/plan_cells.h"
#include "numeric/stats.h"
#include "studies/study.h"

enum { CONTEST_RUNS = 64 };

/* The winner of a method's grid on one instance at one size, and its fresh runs. */
struct contest_entry {
    double value[GRID_SETTINGS];     /* NaN: no such setting */
    bool found, edge[GRID_SETTINGS]; /* any choice ran; the best is an end of its grid */
    int tried, refused, failed;      /* choices; of them, by the method; cells that crashed or timed out */
    int runs;
    double y[CONTEST_RUNS];          /* by replicate */
    struct location log_mean;
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
    int methods, rows, choices;      /* choices: of all grids together, an instance and size */
    struct contest_row *row;         /* by instance, then size */
    bool altered;                    /* by settings of the user's */
    int failed;
};

struct contest_answer {
    int count[4];                    /* rows by enum contest_word */
    const struct contest_row *best;  /* of least ratio; NULL: none was compared */
    char text[1200];                 /* in words, with the numbers */
};

/* --- contest.c. Fills the table; free_table. *code: of an interruption, else 0. BAD_INPUT: nothing selected,
 * settings that no cell accepts. */
enum status contest_run(const struct study_request *q, const struct contest *what,
                        struct contest_table *t, int *code, struct why *why);
void contest_free(struct contest_table *t);
double contest_grid_value(const struct contest_method *m, int which, int k);

/* --- contest_judge.c: pure */
void contest_compare(struct contest_table *t);
void contest_conclude(const struct contest_table *t, struct contest_answer *a);
const char *contest_word(enum contest_word w);

/* --- contest_print.c, contest_page.c */
struct contest_choice { char at[160]; };
struct contest_choice contest_choice(const struct contest_method *m, const struct contest_entry *e);
void contest_print(const struct study_request *q, const struct contest_table *t,
                   const struct contest_answer *a);
enum status contest_page(const struct study_request *q, const struct paper *paper,
                         const struct contest_table *t, const struct contest_answer *a,
                         char name[120], struct why *why);

#endif

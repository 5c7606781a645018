/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - measured error rates of the harness itself: the coverage of its intervals, and how often its
 * verdicts are right and wrong on synthetic data whose law is known. Pure in (row, trials, seed): every run gives
 * the same table. */
#ifndef ASSAY_CALIBRATE_H
#define ASSAY_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One row of the table. check "coverage": `right` is the share of trials whose interval held the truth, `wrong` the
 * rest. Other checks: on a claim that is `true`, `right` is the share of SUPPORTED verdicts, `wrong` that of
 * CONTRADICTED; on a claim that is `false` it is the other way round. The rest is INCONCLUSIVE. "control" counts
 * verdicts of verdict_control, where CONTRADICTED means caught; a control that is `true` has a slope not beyond the
 * band. */
struct calibration {
    const char *check;       /* "coverage", "rate", "bound", "order", "moment", "law"; for slopes at the edge of the
                                band "control", "contradiction", "support" */
    const char *law;         /* coverage: which interval; else what was drawn */
    const char *truth;       /* "true", "false"; "-" for coverage */
    char noise[32];
    int reps, trials;
    double right, wrong;
    const char *mark;        /* "good": coverage at least 93%; false CONTRADICTED at most 1%, false
                                SUPPORTED at most 5%; calibrate_most of wrong at most 1e-3 for control and
                                support, 1e-4 for contradiction; a control that is `false` caught in at
                                least 90%. Else "poor" */
};

/* The committed table, results/baseline/statistics.csv, compiled in. Ends with { 0 }. */
extern const struct calibration calibration_kept[];

/* The seed of the committed table. */
#define CALIBRATE_SEED 20260

int calibrate_rows(void);
/* Returns the row without its shares: what is drawn, and how often by default. */
struct calibration calibrate_plan(int row);
/* Returns the expected seconds of a row on one core, within a factor of about 2. */
double calibrate_cost(int row);
/* Computes a row; trials 0: the default. */
struct calibration calibrate_row(int row, int trials, uint64_t seed);

/* Returns the binomial standard error of a share. */
double calibrate_error(double share, int trials);
/* Returns the exact upper limit of a share at 95% (Clopper and Pearson 1934). */
double calibrate_most(double share, int trials);
/* Print the table as CSV, or in aligned columns. */
void calibrate_print_heading(FILE *out, bool aligned);
void calibrate_print(FILE *out, const struct calibration *row, bool aligned);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_draw.h - the synthetic laws that calibrate.h judges, and samples of them. Pure. */
#ifndef ASSAY_CALIBRATE_DRAW_H
#define ASSAY_CALIBRATE_DRAW_H

#include "judge/fit.h"

enum { CALIBRATE_LENGTH = 7, CALIBRATE_POINTS = 8, CALIBRATE_REPS = 128 };

/* y = mean(axis) * noise at 16, 32, ... A rate claim says axis^-0.5 within 0.1, the same plus a
 * constant, or (log axis)^2 within 0.4; the truth is axis^exponent (log axis)^log_power, with the
 * local slope changing by `bend` over the window, plus `floor`. With `differs` the claim is about
 * y / rival, and the rival is axis^-0.25. A bound or order claim says y <= 1 or y below the rival,
 * whose mean is 1; the truth is `ratio` at the last point, `rest` at the others. */
struct shape {
    const char *law;
    enum check check;
    bool holds;
    enum law_form claimed;
    double exponent, log_power, bend, floor;
    double ratio, rest;
    double calm, rival_calm;         /* the noise is divided by this; 0: as it is */
    double lost, rival_lost;         /* share of runs that diverge, at point lost_at only */
    int lost_at;
    bool differs, common;            /* common: y has the rival's noise and a third of its own */
};
extern const struct shape calibrate_shapes[];
int calibrate_shape_count(void);
double calibrate_said(const struct shape *s);        /* the exponent claimed */

/* log-normal with this log-sd; 1 + Student's t with 3 degrees of freedom / 10, which can be
 * negative; exponential; Pareto with this log-sd, index 1/log_sd; one value in 20 is ten times the
 * others, which have log-sd 0.2. All have mean 1. */
enum noise_kind { NOISE_LOGNORMAL, NOISE_STUDENT, NOISE_GAMMA, NOISE_PARETO, NOISE_MIXTURE };

/* rounds: the verdict is asked after reps/2^(rounds-1), ..., reps/2, reps replicates until it is
 * not INCONCLUSIVE; 0: once. */
struct law_noise {
    char name[32];
    enum noise_kind kind;
    double log_sd;
    int reps, rounds;
};

/* A sample: the series points into it. */
struct trial {
    struct series s;
    struct series_point point[CALIBRATE_POINTS];
    double y[CALIBRATE_POINTS][CALIBRATE_REPS], rival[CALIBRATE_POINTS][CALIBRATE_REPS];
    double formula[CALIBRATE_REPS];
};
void calibrate_draw(const struct shape *s, const struct law_noise *noise, int points, struct rng *r,
                    struct trial *t);
/* The claim that is made about it. */
struct claim calibrate_claim(const struct shape *s, const struct law_noise *noise);
/* The mean of y at point i of so many. */
double calibrate_mean(const struct shape *s, int points, int i);

#endif

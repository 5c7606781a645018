/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_moment.h - the rows of the calibration table for moments and laws; numbered from 0,
 * otherwise as in calibrate.h. */
#ifndef ASSAY_CALIBRATE_MOMENT_H
#define ASSAY_CALIBRATE_MOMENT_H

#include "judge/calibrate.h"
#include "rng.h"

int calibrate_moment_rows(void);
struct calibration calibrate_moment_plan(int row);
double calibrate_moment_cost(int row);
/* data: the row's own stream. */
struct calibration calibrate_moment_row(int row, int trials, const struct rng *data);

#endif

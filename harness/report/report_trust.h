/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_trust.h - how far the harness itself can be trusted, from the table compiled into the
 * program (calibrate.h), for every writer of a report. Pure. */
#ifndef ASSAY_REPORT_TRUST_H
#define ASSAY_REPORT_TRUST_H

#include <stdbool.h>
#include "judge/calibrate.h"
#include "report/report_words.h"

/* Code between backticks. */
const char *report_trust_sentence(void);

/* One interval and spread of the data: its coverage by number of replicates. */
enum { COVERAGE_CELLS = 16 };
struct coverage {
    const char *law, *noise;
    int cells;
    const struct calibration *cell[COVERAGE_CELLS];
};
/* The line behind `last`, the first one for NULL; false: none. */
bool report_coverage(const struct calibration *last, struct coverage *line);
/* "93.4": percent. */
struct phrase report_covered(const struct calibration *cell);
bool report_covers(const struct calibration *cell);

/* Verdicts on synthetic data by check. Ends with NULL. */
extern const char *const report_trust_checks[];
/* In the order of report_trust_heading: CONTRADICTED though true, ... "-": not measured. */
enum { TRUST_COLUMNS = 4 };
extern const char *const report_trust_heading[TRUST_COLUMNS];
struct phrase report_trust_share(const char *check, int column);

#endif

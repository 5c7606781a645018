/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_junit.h - the report for machines that count tests: JUnit XML. */
#ifndef ASSAY_REPORT_JUNIT_H
#define ASSAY_REPORT_JUNIT_H

#include "report/report.h"

/* A suite for each paper, a case for each claim: CONTRADICTED and SUSPECT are failures,
 * INCONCLUSIVE and NOT_RUN skipped, each with its reason; the control in system-out. The caller
 * asks ferror. */
void report_junit(FILE *out, const struct report_input *in);

#endif

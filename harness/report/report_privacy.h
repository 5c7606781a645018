/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_privacy.h - what the report says of each private method: claimed, accounted, audited,
 * replayed. Shared by the formats. */
#ifndef ASSAY_REPORT_PRIVACY_H
#define ASSAY_REPORT_PRIVACY_H

#include "report/report.h"
#include "report/report_words.h"

enum { PRIVACY_COLUMNS = 7 };
extern const char *const report_privacy_heading[PRIVACY_COLUMNS];
extern const char *const report_privacy_sentence;

/* A measured point of a claim of privacy: which judgement, and its cells as text. */
struct privacy_row {
    int judgement;
    struct phrase cell[PRIVACY_COLUMNS];
};
/* The k-th row, k = 0, 1, ...; false: there are no more. */
bool report_privacy_row(const struct report_input *in, int k, struct privacy_row *row);

/* Spent over promised, the largest over the points; NaN: nothing was promised or priced. */
double report_privacy_share(const struct fit *fit);
/* "1 x eps, ratio 0.97", "1 x eps, 3 leaks" */
struct phrase report_privacy_measured(const struct fit *fit);

#endif

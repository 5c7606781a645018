/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_short.h - the report in a page, for a comment on a pull request or the summary of a job: what
 * has changed, what speaks against a theorem, each paper in a line. */
#ifndef ASSAY_REPORT_SHORT_H
#define ASSAY_REPORT_SHORT_H

#include "report/report.h"

/* Below 60,000 characters, however much there is to tell (a comment on GitHub holds 65,536): lists are
 * cut, and how much is left out is said. The caller asks ferror. */
void report_short(FILE *out, const struct report_input *in);

/* What has changed since the baseline, as a section: at most so many lines of what is to be accepted or
 * mended, gravest first, the rest counted. */
void report_put_changes(FILE *out, const struct comparison *c, int most);

#endif

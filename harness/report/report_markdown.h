/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_markdown.h - one writer of the report; others read the same input and the same figures. */
#ifndef ASSAY_REPORT_MARKDOWN_H
#define ASSAY_REPORT_MARKDOWN_H

#include "report/figure.h"
#include "report/report.h"

/* figure[in->judgements], drawn in the folder figures/ beside the page. The caller asks ferror. */
void report_markdown(FILE *out, const struct report_input *in, const struct figure *figure);

#endif

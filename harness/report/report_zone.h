/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_zone.h - moments and laws in a few words, for report_words.c. Pure. */
#ifndef ASSAY_REPORT_ZONE_H
#define ASSAY_REPORT_ZONE_H

#include "report/report_words.h"

/* "formula +0.3% (-0.1% to 0.7%)", "12 of 1000, p = 0.005 to 0.02", "distance 0.03 (0 to 0.07)". */
struct phrase report_zone_measured(const struct claim *c, const struct fit_point *p);
/* "<= formula +- 5%", "probability +- margin", "distance <= 0.05". */
struct phrase report_zone_promised(const struct claim *c);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_accepted.h - contradictions that were accepted as results, from the baseline: a CSV file
 * (RFC 4180) whose first line names its columns, among them claim, profile, verdict, reason and
 * commit, in any order. */
#ifndef ASSAY_REPORT_ACCEPTED_H
#define ASSAY_REPORT_ACCEPTED_H

#include <stdbool.h>
#include <stddef.h>

/* Columns the file does not have are "". */
struct accepted { char claim[128], profile[16], verdict[24], reason[400], commit[64]; };

/* *list (free() it) <- the lines of the file that say CONTRADICTED or SUSPECT; returns how many, 0
 * without a file or without the columns claim and verdict. Texts are cut to fit. */
size_t report_accepted(const char *path, struct accepted **list);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* baseline.h - the verdicts that a run is compared with: a text file of standings, small enough to be committed,
 * with one line for each claim and profile. A contradiction that has a reason there is accepted as a result. */
#ifndef ASSAY_BASELINE_H
#define ASSAY_BASELINE_H

#include "nights/standing.h"

#define BASELINE_FILE "results/baseline/verdicts.csv"

struct standings { struct standing *of; int n; };

/* Reads a file that begins with a heading; where there is no such file the list is empty. BAD_INPUT: `FILE:LINE:
 * column NAME: 'TEXT': expected ...`, or a claim occurs twice for a profile. *list is to be freed in any case. */
enum status baseline_read(const char *path, struct standings *list, struct why *why);
void standings_free(struct standings *list);
/* Adds a line to the list; it replaces that of the same claim and profile. */
void standings_put(struct standings *list, const struct standing *s);
/* Returns the line of a claim; NULL: there is none. profile NULL: the line of any profile. */
const struct standing *standings_find(const struct standings *list, const char *claim,
                                      const char *profile);
/* Does the list accept this verdict of the claim in this profile? It does if its line of the claim has the same
 * verdict, CONTRADICTED or SUSPECT, with a reason. */
bool standings_accept(const struct standings *list, const char *claim, const char *profile,
                      enum word word);
/* Writes the lines, sorted by claim and profile, to a file of another name and renames it to path; creates its
 * folder. IO_ERROR. */
enum status baseline_write(const char *path, const struct standings *list, struct why *why);

#endif

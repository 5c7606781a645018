/* SPDX-License-Identifier: GPL-3.0-or-later */
/* baseline.h - the verdicts that a run is compared with: a text file of standings, small enough to be committed,
 * one line per claim and profile. Contradictions in it with a reason are accepted as results. */
#ifndef ASSAY_BASELINE_H
#define ASSAY_BASELINE_H

#include "nights/standing.h"

#define BASELINE_FILE "results/baseline/verdicts.csv"

struct standings { struct standing *of; int n; };

/* Reads a file that begins with a heading; no such file: an empty list. BAD_INPUT: `FILE:LINE: column
 * NAME: 'TEXT': expected ...`, or a claim that stands there twice for a profile. *list is to be freed
 * then too. */
enum status baseline_read(const char *path, struct standings *list, struct why *why);
void standings_free(struct standings *list);
/* Replaces the line of the same claim and profile, or adds one. */
void standings_put(struct standings *list, const struct standing *s);
/* NULL: there is none. profile NULL: of any profile. */
const struct standing *standings_find(const struct standings *list, const char *claim,
                                      const char *profile);
/* Is this verdict of the claim, in this profile, one that was accepted? */
bool standings_accept(const struct standings *list, const char *claim, const char *profile,
                      enum word word);
/* Writes the file, sorted by claim and profile, under another name and renames it; creates its folder. IO_ERROR. */
enum status baseline_write(const char *path, const struct standings *list, struct why *why);

#endif

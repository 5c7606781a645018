/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_coco.h - runs that left a trace, in the files that COCO's post-processing reads
 * (https://numbbo.github.io/data-format): of every algorithm a folder, in it an .info file for every
 * function, with a block for each dimension, that names its .dat file and how each run ended.
 *
 * A function is a problem with a goal, its dimension apart; an instance is a replicate, from 1. An
 * evaluation is a sample gradient, or a whole gradient or a batch step of runs that asked for none;
 * the comment of a block says which. The fitness is the family's own ruler, what is above the optimum. */
#ifndef ASSAY_EXPORT_COCO_H
#define ASSAY_EXPORT_COCO_H

#include "store/store.h"

/* Of a run or STORE_LATEST; *runs <- how many were written. BAD_INPUT: none has a trace. IO_ERROR. */
enum status export_coco(struct store *s, long run, const char *folder, int *runs, struct why *why);

#endif

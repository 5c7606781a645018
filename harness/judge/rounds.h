/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds.h - the stages of a plan in their order: search, first replicates, and as long as a claim with
 * declared rounds is open, twice the replicates. Each stage is a pure function of stored records. */
#ifndef ASSAY_ROUNDS_H
#define ASSAY_ROUNDS_H

#include "judge/judge.h"

/* Adds the cells of the next stage; *grew: there are some. What has to be judged for that is kept in
 * list, of judge_none. */
enum status rounds_next(const struct selection *s, struct plan *p, struct record *const *record,
                        struct judgement *list, bool *grew, struct why *why);

#endif

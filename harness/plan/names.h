/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - does all that a selection names exist? */
#ifndef ASSAY_NAMES_H
#define ASSAY_NAMES_H

#include "plan/plan.h"

/* Every paper, claim, algorithm, problem and check that is named without a pattern must exist:
 * BAD_INPUT with the nearest name. */
enum status names_check(const struct selection *s, struct why *why);

/* Has a paper a claim, a figure or a table of this id? */
bool names_claim(const char *id);

#endif

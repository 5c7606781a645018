/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - check that all that a selection names exists. */
#ifndef ASSAY_NAMES_H
#define ASSAY_NAMES_H

#include "plan/plan.h"

/* BAD_INPUT, with the nearest name: a paper, claim, algorithm, problem or check is named without a pattern and does
 * not exist. */
enum status names_check(const struct selection *s, struct why *why);

/* Does a paper have a claim, a figure or a table of this id? */
bool names_claim(const char *id);

/* Has a paper a theorem of this id? */
bool names_theorem(const char *id);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - checks that everything a selection names exists. */
#ifndef ASSAY_NAMES_H
#define ASSAY_NAMES_H

#include "plan/plan.h"

/* Returns BAD_INPUT, with the nearest name, where the selection names, without a wildcard, a paper, claim, theorem,
 * algorithm, problem or check that does not exist; also where a word of `claim`, with or without a wildcard,
 * matches nothing because the key of a paper is missing in front of it. */
enum status names_check(const struct selection *s, struct why *why);

/* Returns the k-th paper, k = 0, 1, ...; NULL: there are no more. planted: the planted papers are counted too,
 * behind the others. */
const struct paper *paper_at(int k, bool planted);
/* Returns the paper of this key, also a planted one; NULL: there is none. */
const struct paper *paper_by_key(const char *key);
/* Returns the k-th theorem of all papers, also of planted ones; NULL: there are no more. */
const struct theorem *theorem_at(int k);

/* Does a paper have a claim, a figure or a table of this id? */
bool names_claim(const char *id);

/* Has a paper a theorem of this id, or parts of a theorem of this id (theorem_named)? */
bool names_theorem(const char *id);

#endif

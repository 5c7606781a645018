/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanism.h - the mechanism of a method that a claim is about, and the runs without it. */
#ifndef ASSAY_MECHANISM_H
#define ASSAY_MECHANISM_H

#include "algo.h"
#include "claim.h"

/* Returns the mechanism that claim->tests names; NULL: it names none, or the claim's method declares none of this
 * name. */
const struct method_mechanism *claim_mechanism(const struct claim *c);
/* Returns which of the claim's controls, 1 or 2, is the method without its mechanism; 0: neither is, or the claim
 * names no mechanism. */
int claim_control_without(const struct claim *c);
/* Checks what a claim says of mechanisms. BAD_INPUT, with one line: `tests` names a mechanism that the method does
 * not declare, or is "none" without a reason; acts.note is no note that the method records; acts.least is below
 * ACTS_LEAST without a reason; reaches.measure is no property of an answer, or reaches.probability is not above 0.
 * Mechanisms and notes are not checked if the method is not loaded, such as one of a plug-in. */
enum status mechanism_check(const struct claim *c, struct why *why);

#endif

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
/* Checks what a claim says of mechanisms. BAD_INPUT, in one line that names the method: a mechanism that the method
 * does not declare, a note that the method does not record, "none" without a reason, a `least` below ACTS_LEAST
 * without a reason, or a claim that reaches (`reaches`) a measure which is no property of an answer, or does so
 * with a probability of 0. A claim about a method that is not loaded, as that of a plug-in, is not checked. */
enum status mechanism_check(const struct claim *c, struct why *why);

#endif

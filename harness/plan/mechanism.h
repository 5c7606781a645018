/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanism.h - the mechanism of a method that a claim is about, and the runs without it. */
#ifndef ASSAY_MECHANISM_H
#define ASSAY_MECHANISM_H

#include "algo.h"
#include "claim.h"

/* The mechanism that claim->tests names; NULL: none, or the claim's method declares none of this name. */
const struct method_mechanism *claim_mechanism(const struct claim *c);
/* Which of the claim's controls, 1 or 2, is the method without its mechanism; 0: neither, or the claim names
 * none. */
int claim_control_without(const struct claim *c);
/* BAD_INPUT, in one line that names the method: a mechanism that the method does not declare, a note that it does
 * not record, "none" without a reason, less action than ACTS_LEAST without one, a measure to be reached that is no
 * property of an answer. A method that is not here, as of a plug-in that is not loaded, is not looked at. */
enum status mechanism_check(const struct claim *c, struct why *why);

#endif

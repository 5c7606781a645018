/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_claims.h - the paper `privacy`: one claim of check `private` for every private algorithm
 * that no paper makes such a claim about. */
#ifndef ASSAY_PRIVATE_CLAIMS_H
#define ASSAY_PRIVATE_CLAIMS_H

#include "algo.h"
#include "claim.h"

/* Registers the paper; once, after plug-ins are loaded. Each method meets the first family of a
 * list that it runs on, with a control that family can catch. Without such a family the claim
 * stands on the first one, and its runs say why they are refused. */
void private_claims_register(void);

/* What is claimed of the method's privacy, judged in the quick profile; an erratum is about what is printed.
 * NULL: nothing. */
const struct claim *private_claim_of(const struct algo *a);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_claims.h - the paper `privacy`: one claim of check `private` for every private algorithm about which no
 * paper makes such a claim. */
#ifndef ASSAY_PRIVATE_CLAIMS_H
#define ASSAY_PRIVATE_CLAIMS_H

#include "algo.h"
#include "claim.h"

/* Registers the paper `privacy`; to be called once, after plug-ins are loaded. Each method runs on the first family
 * of a list on which it can run, with a control that can be caught on this family. A method that can run on none of
 * them gets a claim on the first family; its runs are refused with the reason. */
void private_claims_register(void);

/* Returns the first claim of check `private` about method a that runs in the quick profile; NULL: there is none.
 * Errata are left out, since they say that something printed is wrong. */
const struct claim *private_claim_of(const struct algo *a);

#endif

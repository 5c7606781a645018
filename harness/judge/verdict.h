/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - from a claim and its fit to one word and the reason. Pure. */
#ifndef ASSAY_VERDICT_H
#define ASSAY_VERDICT_H

#include "claim.h"
#include "judge/fit.h"

/* X(word, meaning) */
#define WORDS_LIST(X)                                                            \
    X(NOT_RUN, "nothing was measured")                                           \
    X(SUPPORTED, "decided for the claim, and its control was caught")            \
    X(INCONCLUSIVE, "not decidable from this run")                               \
    X(CONTRADICTED, "decided against the claim")                                 \
    X(SUSPECT, "too good to be true: look at the harness first")

enum word {
#define X(word, meaning) word,
    WORDS_LIST(X)
#undef X
};

const char *verdict_word(enum word w);
const char *verdict_meaning(enum word w);

struct verdict {
    enum word word;
    char reason[240];        /* one sentence with the numbers that decided */
    char next[160];          /* what would decide an INCONCLUSIVE; else empty */
};

/* The verdict of one fit, without its control. First that applies: nothing measured NOT_RUN;
 * missing data or an unusable formula INCONCLUSIVE; a negative excess or a beaten lower bound
 * SUSPECT; then the rules of the check. SUPPORTED becomes INCONCLUSIVE where the measured coverage of
 * such intervals is too low (skew.h). Checks that are not judged from a fit: NOT_RUN. */
struct verdict verdict_alone(const struct claim *c, const struct fit *fit);

/* Of the check `private`, from fit->privacy: the first point that refutes the promise, else the
 * first that leaves it open. CONTRADICTED: a leak in a replay, a ledger whose least cost is above the
 * promise, an audit that shows more than the promise. SUPPORTED: a proof of the promised epsilon, and
 * every replay within its sensitivities. */
struct verdict verdict_private(const struct fit *fit);

/* A control is judged by the claim's own check, band and formula: CAUGHT if it comes out
 * CONTRADICTED or SUSPECT. */
bool verdict_caught(const struct verdict *control);

/* The verdict of a claim: SUPPORTED becomes INCONCLUSIVE unless the control was caught. control NULL:
 * it was not run. */
struct verdict verdict_with_control(const struct verdict *alone, const struct verdict *control);

#endif

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
    X(SUSPECT, "too good to be true: look at the harness first")                 \
    X(HOLDS, "true, but by so much that it tells little: it decides no row")     \
    X(IDENTITY, "a number of the method itself, true whatever it answers: it decides no row")

enum word {
#define X(word, meaning) word,
    WORDS_LIST(X)
#undef X
    WORDS
};

const char *verdict_word(enum word w);
const char *verdict_meaning(enum word w);

struct verdict {
    enum word word;
    char reason[240];        /* one sentence with the numbers that decided */
    char next[160];          /* what would decide an INCONCLUSIVE; empty for other verdicts */
};

/* Returns a verdict with a reason, which is cut to fit. */
__attribute__((format(printf, 2, 3)))
struct verdict verdict_say(enum word word, const char *format, ...);

/* Returns the verdict of one fit, without its control. The first that applies counts: nothing measured is NOT_RUN;
 * missing data or an unusable formula is INCONCLUSIVE; a negative excess or a beaten lower bound is SUSPECT; then
 * the rules of the check decide. SUPPORTED becomes INCONCLUSIVE where the measured coverage of such intervals is
 * too low (skew.h). Checks that are not judged from a fit are NOT_RUN. */
struct verdict verdict_alone(const struct claim *c, const struct fit *fit);

/* Exact slopes that differ by less than this count as equal: counts that are rounded to whole rounds and epochs
 * change a slope by as much. */
#define VERDICT_CLEAR 0.02

/* How a slope is judged. A theorem speaks of one end of the window: of the last point for axes that grow, of the
 * first for small accuracies, privacies and curvatures (the list of axes is in verdict.c). The worse side of the
 * band is that of the larger y at this end: the side of larger exponents if it is the last point, else that of
 * smaller ones. A one-sided band has only the side of its finite edge. All measures that have a rate are errors,
 * costs and constants, of which larger is worse; a quantity of which more is better is claimed by its inverse or
 * by a one-sided band.
 *
 * CONTRADICTED is said on the worse side only. The confidence limits of the whole window and of each half must be
 * beyond the edge in both sets of replicates, and the half at the theorem's end must not be nearer to the band than
 * the other half. A difference counts only if it is larger than VERDICT_CLEAR and than what the two 95% intervals
 * explain. Beyond the other edge y is better than promised, which is no contradiction: the instance does not
 * saturate the promise, and the claim is INCONCLUSIVE. A fit cannot show two things: that the formula of the claim
 * divides out the logarithms of the promise, and that the mechanism acts. */

/* Returns the judgement of a control: CONTRADICTED if it is caught. A slope is caught where the confidence limits
 * of the whole window lie beyond one edge of the band, on whichever side, in both sets of replicates, and the
 * estimate of the half at the theorem's end lies beyond that edge, too. With fewer than 8 replicates in a set, the
 * 95% interval of this half must lie beyond it as well. A slope of deterministic data is caught where all
 * exponents of three consecutive points lie beyond that edge by VERDICT_CLEAR. For other checks, and where no
 * slope is fitted, verdict_alone decides. */
struct verdict verdict_control(const struct claim *c, const struct fit *fit);

/* Returns the verdict of the check `private`, from fit->privacy: that of the first point that refutes the promise,
 * else of the first that leaves it open. CONTRADICTED: a leak in a replay, a sensitivity that fails more often than
 * declared, a ledger that costs at least more than the promise, or an audit that shows more than the promise.
 * SUPPORTED: a proof of the promised epsilon, and every replay within its sensitivities. */
struct verdict verdict_private(const struct fit *fit);

/* A control is CAUGHT if verdict_control says CONTRADICTED or SUSPECT. */
bool verdict_caught(const struct verdict *control);

/* Returns the verdict of a claim: SUPPORTED becomes INCONCLUSIVE unless the control was caught. control NULL: it
 * was not run. */
struct verdict verdict_with_control(const struct verdict *alone, const struct verdict *control);

#endif

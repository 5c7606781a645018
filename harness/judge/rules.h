/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - what makes a claim one that could have failed (docs/verdicts.md): a method that never moves must not
 * pass, the result must depend on the mechanism that the claim is about, a bound must be near, and the claim must
 * not be a formula of the run's parameters. Pure in the plan and the records. */
#ifndef ASSAY_RULES_H
#define ASSAY_RULES_H

#include "judge/series.h"
#include "judge/verdict.h"

/* Applies the rules to a verdict that is SUPPORTED or, for an upper bound on a property of the answer, INCONCLUSIVE
 * only because a control was not caught (missed). Returns the verdict itself, or IDENTITY, HOLDS or INCONCLUSIVE
 * with the rule that the claim does not satisfy. fit: the fit of the claim's runs. A CONTRADICTED whose mechanism
 * does not act becomes INCONCLUSIVE. Other verdicts are returned as they are. */
struct verdict rules_apply(const struct source *s, const struct fit *fit, const struct verdict *v, bool missed);

/* Does the mechanism make up at least half of the mean that is measured, at every point? `without`: the control
 * that is the run without the mechanism; its runs are paired with those of the claim. Returns CONTRADICTED where
 * the mechanism does, as of a control that is caught; INCONCLUSIVE where it does not, where this is not shown, or
 * where runs are missing; NOT_RUN where nothing was measured. */
struct verdict rules_carried(const struct source *s, enum role without);

/* Is the slack of an upper bound, by the fit of the claim's runs, within what rule 5 asks for? */
bool rules_near(const struct claim *c, const struct fit *fit);

/* Checks what every claim of the paper says of mechanisms (mechanism_check). BAD_INPUT: the first claim that is
 * wrong. */
enum status rules_check(const struct paper *p, struct why *why);

#endif

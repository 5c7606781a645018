/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - what a claim must be able to fail (docs/verdicts.md): a method that never moves must not pass it, the
 * mechanism that it is about must carry it, a bound must be near, a formula of the run's own parameters is none.
 * Pure in the plan and the records. */
#ifndef ASSAY_RULES_H
#define ASSAY_RULES_H

#include "judge/series.h"
#include "judge/verdict.h"

/* What is left of SUPPORTED, or of INCONCLUSIVE for want of a control (missed): the verdict itself, or IDENTITY,
 * HOLDS or INCONCLUSIVE with the rule that the claim falls short of. fit: that of the claim's own runs; missed: a
 * control was not caught. A CONTRADICTED whose mechanism does not act becomes INCONCLUSIVE. Other verdicts are
 * returned as they are. */
struct verdict rules_apply(const struct source *s, const struct fit *fit, const struct verdict *v, bool missed);

/* Does the mechanism carry half of what is measured at every point, run by run? `without`: the control that is the
 * run without it. CONTRADICTED: it does, as of a control that is caught; INCONCLUSIVE: it does not, or it is not
 * shown. */
struct verdict rules_carried(const struct source *s, enum role without);

/* mechanism_check of every claim of the paper. */
enum status rules_check(const struct paper *p, struct why *why);

#endif

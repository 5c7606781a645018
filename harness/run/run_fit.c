/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_fit.c - may this algorithm meet this problem? */
#include "run/run_fit.h"

#include <math.h>

static unsigned offers(const struct problem *p)
{
    return (p->value ? CALL_VALUE : 0) | (p->grad ? CALL_GRAD : 0) |
           (p->sample_grad || p->grad ? CALL_SAMPLES : 0) |
           (p->sample_value || p->value ? CALL_SAMPLE_VALUES : 0) | (p->cursor_set ? CALL_POINT : 0) |
           (p->piece_values ? CALL_PIECES : 0) | (p->smooth_grad ? CALL_SMOOTH : 0) |
           (p->prox ? CALL_PROX : 0) | (p->linear_min ? CALL_LINEAR_MIN : 0) | CALL_NOISE | CALL_BLOCKS;
}

static const char *first_call(unsigned calls)
{
    static const char *const names[] = {
        "CALL_VALUE", "CALL_GRAD", "CALL_SAMPLES", "CALL_SAMPLE_VALUES", "CALL_POINT", "CALL_PIECES",
        "CALL_SMOOTH", "CALL_PROX", "CALL_LINEAR_MIN", "CALL_NOISE",
        "CALL_BLOCKS" };
    return names[__builtin_ctz(calls)];
}

static const char *denied(unsigned assumes, const struct facts *f)
{
    if (assumes & ASSUMES_CONVEX && !(f->weak == 0))
        return "a convex objective";
    if (assumes & ASSUMES_SMOOTH && !isfinite(f->M_F))
        return "a smooth objective (M_F)";
    if (assumes & ASSUMES_LIPSCHITZ && !isfinite(f->L))
        return "Lipschitz sample losses (L)";
    if (assumes & ASSUMES_STRONGLY_CONVEX && !(f->mu > 0))
        return "strong convexity (mu)";
    if (assumes & ASSUMES_BOUNDED && !isfinite(f->radius))
        return "a bounded feasible set";
    if (assumes & ASSUMES_UNBOUNDED && isfinite(f->radius))
        return "an unconstrained problem";
    return NULL;
}

enum status run_check_fit(const struct cell *c, const void *self, const struct facts *f,
                          struct why *why)
{
    unsigned calls = c->algo ? c->algo->calls : c->estimator->calls;
    unsigned assumes = c->algo ? c->algo->assumes : c->estimator->assumes;
    unsigned long reads = c->algo ? c->algo->reads : c->estimator->reads;
    const char *name = c->algo ? c->algo->name : c->estimator->name;
    const char *no = denied(assumes, f);
    int missing = facts_missing(f, reads);
    bool composite = c->problem->composite && c->problem->composite(self);
    unsigned lacking = calls & ~offers(c->problem);

    if (calls & (CALL_SAMPLES | CALL_POINT) && !composite)
        lacking &= ~(unsigned)CALL_PROX;
    if (c->algo && c->algo->random_counts && c->run.count)
        return why_set(why, REFUSED, "%s asks by what it is answered: its counts are random, and are only "
                       "known from a run without count mode", name);
    if (lacking)
        return why_set(why, REFUSED, "%s asks %s, which %s does not offer", name,
                       first_call(lacking), c->problem->name);
    if (composite && !(calls & CALL_PROX))
        return why_set(why, REFUSED, "%s never asks for the prox: it would not see the simple part "
                       "of %s (its parameter prox says what that is)", name, c->problem->name);
    if (c->problem->rest_sampled && !(calls & CALL_SMOOTH))
        return why_set(why, REFUSED, "%s never asks for the smooth part of %s: samples are of the rest "
                       "alone", name, c->problem->name);
    if (run_has_blocks(c->problem, self) && !(calls & CALL_BLOCKS))
        return why_set(why, REFUSED, "%s moves every coordinate on its own: %s has blocks of them here",
                       name, c->problem->name);
    if (no)
        return why_set(why, REFUSED, "%s relies on %s; %s does not state it", name, no, c->problem->name);
    if (missing >= 0)
        return why_set(why, REFUSED, "%s needs the constant %s (%s); %s does not state it", name,
                       fact_name(missing), fact_doc(missing), c->problem->name);
    return OK;
}

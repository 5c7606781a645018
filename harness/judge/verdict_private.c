/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict_private.c - is it private as claimed? Accounting, replay, audit, point by point. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "judge/verdict.h"

/* What rounding may add to a priced epsilon, relative. */
static const double ROUNDING = 1e-9;

__attribute__((format(printf, 2, 3)))
static struct verdict say(enum word word, const char *format, ...)
{
    struct verdict v = { .word = word };
    va_list list;
    va_start(list, format);
    vsnprintf(v.reason, sizeof v.reason, format, list);
    va_end(list);
    return v;
}

static struct verdict open_because(const char *reason, const char *next)
{
    struct verdict v = say(INCONCLUSIVE, "%s", reason);
    snprintf(v.next, sizeof v.next, "%s", next);
    return v;
}

static bool is_more(double eps, double promise)
{
    return eps > promise * (1 + ROUNDING);
}

/* What refutes the promise; SUPPORTED: nothing does. */
static struct verdict refuted(const struct privacy_seen *p)
{
    const struct private_site *often = privacy_fails(p);
    if (p->leaks)
        return say(CONTRADICTED,
                   "replay: %s, at call %.0f on neighbour %.0f; %d of %d neighbours leak",
                   leak_words(p->leak), p->call, p->neighbour, p->leaks, p->replays);
    if (often)
        return say(CONTRADICTED,
                   "replay: %.40s exceeds its sensitivity %.0f times of %.0f, declared "
                   "probability %.3g",
                   often->name, often->exceeded, often->touched, often->failure);
    if (is_more(p->lower, p->promise))
        return say(CONTRADICTED,
                   "accounting: the ledger costs eps = %.4g at least, promised %.4g at "
                   "delta = %.3g",
                   p->lower, p->promise, p->delta);
    if (is_more(privacy_shown(p), p->promise))
        return say(CONTRADICTED, "audit: eps is %.4g at least, promised %.4g at delta = %.3g",
                   privacy_shown(p), p->promise, p->delta);
    return say(SUPPORTED, "eps = %.6g of %.6g spent at delta = %.3g; %d neighbours replayed, worst "
               "ratio %.6g; audits show %.3g", p->spent, p->promise, p->delta, p->replays,
               privacy_ratio(p), fmax(p->audit, p->one));
}

/* What keeps a promise that nothing refutes from being supported. */
static struct verdict judge_point(const struct privacy_seen *p)
{
    struct verdict v = refuted(p);
    if (p->records == 0)
        return say(NOT_RUN, "nothing was measured");
    if (v.word == CONTRADICTED)
        return v;
    if (isnan(p->promise))
        return open_because("the goal promises no epsilon",
                            "set goal.eps and goal.delta, or goal.rho");
    if (p->told)
        return open_because("the method was told constants computed from the data: the run is not "
                            "private", "declare them public with run.public, or bounds that are");
    if (!p->replays || !privacy_met(p))
        return open_because("no replayed release met the changed record",
                            "more neighbours: raise --reps");
    if (!(p->spent <= p->promise * (1 + ROUNDING))) {
        v = say(INCONCLUSIVE,
                "accounting: the best proof gives eps = %.6g, promised %.6g at delta = "
                "%.3g",
                p->spent, p->promise, p->delta);
        snprintf(v.next, sizeof v.next, "more noise, or an accountant that proves it");
    }
    return v;
}

struct verdict verdict_private(const struct fit *fit)
{
    struct verdict worst = say(NOT_RUN, "nothing was measured");
    for (int k = 0; k < fit->points; k++) {
        struct verdict v = judge_point(&fit->privacy[k]);
        if (k == 0 || v.word == CONTRADICTED || (v.word != SUPPORTED && worst.word == SUPPORTED))
            worst = v;
        if (worst.word == CONTRADICTED)
            break;
    }
    return worst;
}

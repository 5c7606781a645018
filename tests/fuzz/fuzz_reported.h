/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_reported.h - bytes as results of other programs: they are refused with a reason, or give runs that satisfy
 * reported.h, and curves of them. A reason may quote a field with a line break; complain() of cli/verb_claims.c
 * prints it in one line. */
#ifndef ASSAY_TESTS_FUZZ_REPORTED_H
#define ASSAY_TESTS_FUZZ_REPORTED_H

#include <math.h>

#include "base/bag.h"
#include "fuzz/fuzz.h"
#include "studies/reported.h"

static inline void fuzz_hold_reason(enum status s, const struct why *why)
{
    BUG_IF((s == OK) != !why->text[0]);
}

/* Plans and judges the curves of the runs along every axis, without any option. */
static inline void fuzz_draw_reported(const struct reported *r)
{
    struct bag none = { 0 };
    const struct reported_request q = { .set = &none };
    struct reported_plan p = { .made = NULL };
    struct why why = { "" };
    enum status s = reported_sweep(r, &q, &p, &why);
    fuzz_hold_reason(s, &why);
    if (s == OK)
        reported_judge(&p);
    if (p.made)
        reported_plan_free(&p);
    bag_free(&none);
}

/* Checks that the runs of r are as reported.h promises, and makes curves of them. s: the status of reading a file
 * into r. */
static inline void fuzz_hold_reported(struct reported *r, enum status s, struct why *why)
{
    fuzz_hold_reason(s, why);
    if (s == OK) {
        s = reported_end(r, why);
        fuzz_hold_reason(s, why);
    }
    for (int k = 0; s == OK && k < r->runs; k++) {
        const struct reported_run *run = &r->run[k];
        BUG_IF(!run->problem || !run->method || !run->record || !run->file || run->line < 1 || run->rep < 0);
    }
    if (s == OK)
        fuzz_draw_reported(r);
}

#endif

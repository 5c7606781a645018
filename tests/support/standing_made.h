/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standing_made.h - makes an invented standing of a claim, and the change between two standings. */
#ifndef ASSAY_TESTS_STANDING_MADE_H
#define ASSAY_TESTS_STANDING_MADE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "nights/compare.h"

/* Returns a standing with sixteen groups of replicates, SUPPORTED. */
static inline struct standing example(const char *claim)
{
    struct standing s = { .profile = "nightly", .word = SUPPORTED, .control = CONTROL_CAUGHT,
                          .cells = 96, .own.groups = STANDING_GROUPS, .seconds = 2.5 };
    snprintf(s.claim, sizeof s.claim, "%s", claim);
    s.own.counts.of[COUNT_sample_grads] = 9007199254740993.0;
    s.own.counts.of[COUNT_batch_steps] = 17;
    for (int k = 0; k < s.own.groups; k++)
        s.own.level[k] = -3 + 0.1 * k;
    return s;
}

static inline struct change change_of(struct standing base, struct standing now)
{
    struct standings a = { &base, 1 }, b = { &now, 1 };
    struct comparison c = compare(&a, &b, "nightly", NULL, NULL);
    assert_int_equal(c.n, 1);
    struct change x = c.change[0];
    x.base = x.now = NULL;               /* base and now end with this call */
    free(c.change);
    return x;
}

static inline enum change_kind kind_of(struct standing base, struct standing now)
{
    return change_of(base, now).kind;
}

#endif

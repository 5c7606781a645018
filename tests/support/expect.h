/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expect.h - for the tests of the verdict: fails unless the verdict on a sample is the given word. */
#ifndef ASSAY_TEST_EXPECT_H
#define ASSAY_TEST_EXPECT_H

#include "support/sample.h"
#include "judge/verdict.h"

static struct sample m;

static inline void make(int points, int reps)
{
    sample_make(&m, points, reps);
}

static inline struct verdict judge(const struct claim *c)
{
    static struct fit fit;
    assert_true(sample_fit(c, &m, &fit));
    return verdict_alone(c, &fit);
}

#define EXPECT(claim, expected) do {                                                    \
        struct verdict v_ = judge(claim);                                               \
        if (v_.word != (expected))                                                      \
            fail_msg("%s, not %s: %s", verdict_word(v_.word), #expected, v_.reason);    \
        assert_true(v_.reason[0] != '\0');                                              \
        assert_true((v_.word == INCONCLUSIVE) == (v_.next[0] != '\0'));                 \
    } while (0)

static inline struct claim claim_of(enum check check)
{
    return (struct claim){ .check = check, .axis = "n", .measure = "excess" };
}

#endif

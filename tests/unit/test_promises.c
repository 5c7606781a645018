/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_promises.c - private methods in their variants: the ledger costs what was promised, and the replay finds no
 * leak. The default variants are tested by claims. */
#include "support/replayed.h"

static const char linear[] = "linear d=8", stored[] = "glm_stored d=8 n=64";

/* least: the calibration spends at least this part of the promised epsilon, which is 1. few: only two neighbours
 * are tried, as each run computes its noise anew. The samples of these methods are random and may use up the goal
 * one step early, so that less is spent. */
static const struct { const char *algo, *problem; double least; bool few; } cases[] = {
    { "dp-sgd answer=last", linear, 0.999 },
    { "dp-srgd weights=constant noise=root T=15", linear, 0.999 },
    { "dp-srgd noise=independent answer=average C=1", stored, 0.999 },
    { "accelerated-dp-srgd noise=independent", linear, 0.999 },
    { "accelerated-dp-sgd calibration=classical", stored, 0.5 },
    { "dp-ftrl noise=root", linear, 0.999 },
    { "dp-ftrl", stored, 0.999 },
    { "phased-sgd", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "phased-sgd calibration=paper", linear, 0.2 },
    { "snowball-sgd schedule=constant b=1", linear, 0.999 },
    { "snowball-sgd", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "multi-epoch-dp-sgd E=3 T=12", linear, 0.999 },
    { "multi-epoch-dp-sgd E=16", stored, 0.999 },
    { "multi-epoch-dp-sgd variant=bst14", stored, 0.9, true },
    { "multi-epoch-dp-sgd variant=bst14 calibration=paper", stored, 0.01 },
    { "multi-epoch-dp-sgd variant=bftt19", stored, 0.9, true },
    { "ac-sa", "glm_stored d=8 n=64", 0.999 },
    { "online-to-batch k=2 noise=root", linear, 0.999 },
    { "online-to-batch T=9", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "dp-gd method=plain", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "localised-ac-sa", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "localised-ac-sa calibration=paper", linear, 0.005 },
    { "localised-ac-sa sampling=poisson K=12 R=15 sigma=4.7", "glm_stored d=8 n=64 loss=logistic",
      0.5 },
    { "phased-erm", "glm_stored d=8 n=64 loss=logistic", 0.999 },
    { "phased-erm calibration=paper", linear, 0.1 },
    { "phased-optimum estimator=exact k=4 B=0.2", linear, 0.999 },
    { "phased-optimum estimator=exact k=4 B=0.2", "glm_stored d=8 n=64 loss=logistic", 0.999 },
};
enum { CASES = sizeof cases / sizeof *cases };

static void test_promises(void **state)
{
    for (int k = 0; k < CASES; k++) {
        struct privacy_seen p = seen_of(cases[k].problem, cases[k].algo, "n=64 eps=1 delta=1e-5",
                                        cases[k].few ? 2 : 3, 0);
        double ratio = privacy_ratio(&p);
        if (p.leaks || !privacy_met(&p) || !(ratio > 0.05 && ratio <= TAPE_RATIO) || p.told ||
            !(p.spent <= 1 + 1e-9 && p.spent >= cases[k].least))
            fail_msg("%s on %s: epsilon %g, ratio %g, %d leaks", cases[k].algo, cases[k].problem,
                     p.spent, ratio, p.leaks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_promises) };
    return cmocka_run_group_tests_name("promises", tests, begin, end);
}

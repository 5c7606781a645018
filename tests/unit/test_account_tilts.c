/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_tilts.c - the least bound on the privacy loss over a grid of tilts, found by halving the grid,
 * compared with the least over all tilts of the grid. A tilt is the order of a Renyi divergence minus 1. */
#include "contract/contract.h"

#include "privacy/account_rdp.h"
#include "privacy/account_tilts.h"

/* Returns the least bound over all tilts of the grid: of epsilon at delta = at (of_eps), or of delta at epsilon =
 * at. */
static double least_of_all(double q, double sd, double steps, bool with, bool of_eps, double at)
{
    double least = INFINITY, a = 1.0 / 1024;
    for (int k = 0; k < TILTS; k++, a *= 1.3) {
        double moment = steps * rdp_log_moment(q, sd, with ? 1 + a : -a);
        double eps = (moment - log(at) - log1p(a)) / a + log(a / (1 + a));
        double delta = exp(moment - a * at + a * log(a / (1 + a)) - log1p(a));
        least = fmin(least, of_eps ? eps : delta);
    }
    return of_eps ? fmax(0, least) : least;
}

static void test_least(void **state)
{
    static const double rates[] = { 1e-5, 0.01, 0.3, 0.99, 1 }, sds[] = { 0.12, 0.5, 1, 4, 50 };
    static const double steps[] = { 1, 40, 1e4, 1e9 }, deltas[] = { 0.1, 1e-5, 1e-60 };
    for (int k = 0; k < 5 * 5 * 4 * 2; k++) {
        struct tilts t;
        double q = rates[k % 5], sd = sds[k / 5 % 5], T = steps[k / 25 % 4];
        bool with = k / 100;
        tilts_begin(&t, q, sd, T, with);
        for (int i = 0; i < 3; i++) {
            double eps = least_of_all(q, sd, T, with, true, deltas[i]);
            double delta = least_of_all(q, sd, T, with, false, eps);
            expect_near("eps", tilts_eps(&t, deltas[i]), eps, 1e-13 * (1 + eps));
            expect_near("delta", tilts_delta(&t, eps), delta, 1e-9 * delta);
            expect_near("farther", tilts_delta(&t, 3 * eps + 1),
                        least_of_all(q, sd, T, with, false, 3 * eps + 1), 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_least) };
    return cmocka_run_group_tests_name("account_tilts", tests, NULL, NULL);
}

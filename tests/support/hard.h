/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hard.h - helpers that tests of families share: named measures, Pearson's chi-square sum. Chi-square tests have
 * level 1e-9 and z-tests 6 standard errors (2e-9). test_hard makes 15 such tests and test_coins 110, so that the
 * probability of a false alarm in either program is below 3e-7. */
#ifndef ASSAY_TESTS_HARD_H
#define ASSAY_TESTS_HARD_H

#include <gsl/gsl_cdf.h>

#include "support/instances.h"

static inline int hard_setup(void **state)
{
    *state = arena_new(0);
    return 0;
}

static inline int hard_teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* Returns the value of a measure of the family at x; fails if the family reports an error bound of it above 0. */
static inline double measured(const struct instance *in, const char *name, const double *x)
{
    for (const struct measure *m = in->p->measures; m->name; m++) {
        double error = NAN, value = m->at(in->self, x, &error);
        if (strcmp(m->name, name) == 0) {
            assert_true(m->certainty == EXACT && error == 0);
            return value;
        }
    }
    fail_msg("no measure %s", name);
    return NAN;
}

static inline void near(double value, double truth, double relative)
{
    if (!(fabs(value - truth) <= relative * fabs(truth)))
        fail_msg("%.17g, expected %.17g", value, truth);
}

static inline void within(const char *what, double value, double truth, double slack)
{
    if (!(fabs(value - truth) <= slack))
        fail_msg("%s: %.17g, expected %.17g +- %g", what, value, truth, slack);
}

/* Checks that Pearson's chi-square sum of the counts `seen` is below its 1 - 1e-9 quantile, and that cells with
 * expected number 0 are empty. */
static inline void chi_square(int cells, const double *seen, const double *probability, double n)
{
    double sum = 0;
    int used = 0;
    for (int k = 0; k < cells; k++) {
        double expected = n * probability[k];
        if (expected == 0) {
            assert_true(seen[k] == 0);
            continue;
        }
        sum += (seen[k] - expected) * (seen[k] - expected) / expected;
        used++;
    }
    double limit = gsl_cdf_chisq_Qinv(1e-9, used - 1);
    if (!(sum < limit))
        fail_msg("chi-square %g with %d cells, limit %g", sum, used, limit);
}

static inline void refused(struct arena *a, const char *family, const struct with *with,
                           const char *names)
{
    struct instance in;
    struct why why = { "" };
    assert_int_equal(instance_with(a, registry_problem(family), with, &in, &why), BAD_INPUT);
    if (!strstr(why.text, names))
        fail_msg("'%s' does not name %s", why.text, names);
}

#endif

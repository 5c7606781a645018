/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orthogonal.h - for tests of `reproduce`: a folder with a data set on which a risk is separable, so that
 * outcomes have closed forms, and comparisons with these. */
#ifndef ASSAY_TESTS_ORTHOGONAL_H
#define ASSAY_TESTS_ORTHOGONAL_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/csv_number.h"
#include "support/shell.h"

/* Writes the data set of n = 4 records: row i is 2 e_i with label y_i, so that A'A/n = I. The minimiser in
 * coordinate j alone is b_j = y_j/2 = 4, 3, 2, 1. */
static inline int begin(void **state)
{
    shell_begin();
    FILE *f = fopen("orthogonal.csv", "w");
    for (int i = 0; f && i < 4; i++)
        fprintf(f, "%d,%d,%d,%d,%d\n", 2 * (4 - i), 2 * (i == 0), 2 * (i == 1), 2 * (i == 2),
                2 * (i == 3));
    return f ? fclose(f) : -1;
}

static inline int end(void **state)
{
    shell_end();
    return 0;
}

static inline void near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * (1 + fabs(wanted))))
        fail_msg("%.17g, not %.17g", got, wanted);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - known answers: CSV files of numbers, in a folder outside of the repository. */
#ifndef ASSAY_TESTS_KNOWN_H
#define ASSAY_TESTS_KNOWN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_ROWS = 220, KNOWN_COLUMNS = 16 };
struct known { double at[KNOWN_COLUMNS]; };      /* NaN where a field is empty */

/* row[KNOWN_ROWS] <- the rows of known-answers/NAME in the folder ASSAY_SHARED or ../shared; returns their
 * number. The test is skipped if there is no such file. */
static inline int known_answers(const char *name, struct known *row)
{
    char path[600], line[400];
    const char *shared = getenv("ASSAY_SHARED");
    int n = 0;
    snprintf(path, sizeof path, "%s/known-answers/%s", shared ? shared : SOURCE_DIR "/../shared",
             name);
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("skip: %s is absent\n", path);
        skip();
    }
    assert_non_null(fgets(line, sizeof line, f));
    for (; fgets(line, sizeof line, f); n++) {
        char *rest = line, *field;
        assert_true(n < KNOWN_ROWS);
        for (int k = 0; k < KNOWN_COLUMNS; k++) {
            field = strsep(&rest, ",\n");
            row[n].at[k] = field && *field ? strtod(field, NULL) : NAN;
        }
    }
    fclose(f);
    assert_true(n >= 4);
    return n;
}

/* Checks that `value` is an upper bound of `truth` and close to it: truth <= value <= truth (1 + slack), apart from
 * a relative error `blur` of truth. */
static inline void expect_above(const char *what, double value, double truth, double slack,
                                double blur)
{
    double size = fabs(truth);
    if (value != truth && !(value >= truth - blur * size && value <= truth + (slack + blur) * size))
        fail_msg("%s: %.17g, expected %.17g and at most %g above", what, value, truth,
                 slack * size);
}

#endif

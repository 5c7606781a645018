/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_number.h - numbers from a CSV file that a command has written. */
#ifndef ASSAY_TESTS_CSV_NUMBER_H
#define ASSAY_TESTS_CSV_NUMBER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number in column `name` of the first row that begins with `row`; NaN if there is none. */
static inline double csv_number(const char *csv, const char *row, const char *name)
{
    char head[1000], line[2000], *field;
    double value = NAN;
    FILE *f = fopen(csv, "r");
    assert_non_null(f);
    assert_non_null(fgets(head, sizeof head, f));
    while (fgets(line, sizeof line, f)) {
        char *at = line, *names = head;
        if (strncmp(line, row, strlen(row)))
            continue;
        for (field = strsep(&at, ","); field; field = strsep(&at, ",")) {
            size_t n = strcspn(names, ",\n");
            if (n == strlen(name) && strncmp(names, name, n) == 0)
                value = *field ? strtod(field, NULL) : NAN;
            names += n + 1;
        }
        break;
    }
    fclose(f);
    return value;
}

#endif

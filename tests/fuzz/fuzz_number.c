/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_number.c - a number as users write it: a number that is read, printed and read again does not change. */
#include <math.h>

#include "fuzz/fuzz.h"
#include "base/params.h"

FUZZ(number)
{
    char *text = fuzz_text(data, size), buffer[32];
    double v = NAN, again = NAN;
    if (number_parse(text, &v)) {
        BUG_IF(isnan(v));
        BUG_IF(!number_parse(number_text(v, buffer), &again) || again != v);
    }
    free(text);
    return 0;
}

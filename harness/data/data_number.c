/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_number.c - A mantissa below 2^53 and a power of ten up to 10^22 are exact, so one rounded
 * operation is the right answer (Clinger 1990). In extended precision the same holds below 2^64 and
 * up to 10^27, but for the second rounding, to 53 bits: as midpoints of doubles are numbers of 64
 * bits and rounding is monotone, it errs only if the first result is a midpoint. All else is
 * strtod's. */
#include "data/data_number.h"

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG == 64, "the extended format of x86");

static const double ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
    1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
static const long double extended_ten[] = { 1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L,
    1e9L, 1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L,
    1e23L, 1e24L, 1e25L, 1e26L, 1e27L };

/* true: *value <- the double nearest to mantissa * 10^power, the mantissa of at most 19 digits. */
static bool scaled(uint64_t mantissa, long power, double *value)
{
    if (mantissa <= 1ull << 53 && power >= -22 && power <= 22) {
        *value = power < 0 ? (double)mantissa / ten[-power] : (double)mantissa * ten[power];
        return true;
    }
    if (power < -27 || power > 27)
        return false;
    long double q = power < 0 ? (long double)mantissa / extended_ten[-power]
                              : (long double)mantissa * extended_ten[power];
    uint64_t bits;
    memcpy(&bits, &q, sizeof bits);
    *value = (double)q;
    return (bits & 0x7ff) != 0x400;
}

/* Steps over e, a sign and digits: the exponent, clamped; *c <- NULL if a digit is missing. */
static long exponent(const char **c)
{
    const char *s = *c + 1;
    bool minus = *s == '-';
    long e = 0;
    s += minus || *s == '+';
    *c = is_digit(*s) ? s : NULL;
    for (; is_digit(*s); *c = ++s)
        e = e < 100000 ? e * 10 + (*s - '0') : e;
    return minus ? -e : e;
}

const char *decimal(const char *s, double *value)
{
    const char *c = s;
    bool minus = *c == '-';
    c += minus || *c == '+';
    uint64_t mantissa = 0;
    const char *first = c;
    for (; is_digit(*c); c++)
        mantissa = mantissa * 10 + (uint64_t)(*c - '0');
    ptrdiff_t digits = c - first;
    long power = 0;
    if (*c == '.') {
        const char *point = ++c;
        for (; is_digit(*c); c++)
            mantissa = mantissa * 10 + (uint64_t)(*c - '0');
        power = point - c;
        digits += c - point;
    }
    if (digits == 0)
        return NULL;
    if (*c == 'e' || *c == 'E') {
        power += exponent(&c);
        if (!c)
            return NULL;
    }
    double v;
    if (digits > 19 || !scaled(mantissa, power, &v))
        *value = strtod(s, NULL);            /* reads as far, by the syntax checked */
    else
        *value = minus ? -v : v;
    return c;
}

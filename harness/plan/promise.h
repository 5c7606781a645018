/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promise.h - a promise as it is typed, and what a claim needs of it. y is the measured number:
 *
 *     n^-0.5 +- 0.1               a rate: the exponent of the axis, and the half-width of its band
 *     n^-1*log(n)^2 +- 0.1        a rate of y/log(n)^2
 *     n^-0.5 + n^-1 +- 0.1        a sum with coefficients >= 0; the band is about the first term
 *     <= M_F*R^2/(2*T)            a bound, with constants of the instance, the goal, the run and the method */
#ifndef ASSAY_PROMISE_H
#define ASSAY_PROMISE_H

#include "claim.h"
#include "plan/expression.h"
#include "status.h"

enum { PROMISE_TEXT = 200, PROMISE_OTHERS = 4 };

struct promise {
    char text[PROMISE_TEXT];         /* as typed, with <= and +- in place of their Unicode characters */
    enum check check;                /* CHECK_RATE or CHECK_BOUND */
    struct expression formula;       /* bound */
    struct law law;                  /* rate */
    double band[2], log_power;       /* rate: y is divided by log(axis)^log_power */
};

/* What the names in a formula may be, in addition to the facts, the goal, the counts and R, which is the fact
 * dist. */
struct promise_names {
    const char *axis;
    const struct param *params;      /* of the method; NULL: none */
    int others;                      /* further axes, with the value at which each stays while this one moves */
    const char *other[PROMISE_OTHERS];
    double value[PROMISE_OTHERS];
};

/* Parses a promise. BAD_INPUT: the option that is wrong, what was expected, the text, and in the last line a caret
 * under the place of the mistake. */
enum status promise_parse(const char *option, const char *text, const struct promise_names *names,
                          struct promise *p, struct why *why);
/* *exponent <- the exponent of the law of a rival, which must be one power of the axis. */
enum status promise_rival(const char *option, const char *text, const char *axis, double *exponent,
                          struct why *why);
/* Reads a setting of a claim: a number, or c*AXIS^p. Returns false where the text is neither. */
bool promise_setting(const char *text, const char *axis, double *value, double *power);

/* Fills check, law, band, formula and says of the claim. A claim's formula has no argument that names its promise.
 * So only one promise is in use at a time, and *p must outlive the judgement of the claim. */
void promise_use(const struct promise *p, const struct promise_names *names, struct claim *c);

/* Prints the C of what a claim's formula returns. Returns false where the promise needs no formula. goal_has: is
 * this member of the goal set? */
bool promise_print(FILE *out, const struct promise *p, const struct promise_names *names,
                   bool (*goal_has)(const void *ctx, const char *name), const void *ctx);

#endif

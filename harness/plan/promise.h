/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promise.h - a promise as a user types it, and the members of a claim that follow from it. In these examples y is
 * the measured number and n the axis:
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
    char text[PROMISE_TEXT];         /* as typed, with <=, +- and - in place of the Unicode characters for them */
    enum check check;                /* CHECK_RATE or CHECK_BOUND */
    struct expression formula;       /* CHECK_BOUND: what stands behind <= */
    struct law law;                  /* CHECK_RATE: the law of y in the axis */
    double band[2], log_power;       /* CHECK_RATE. band: the interval of the exponent; log_power: y is divided by
                                        log(axis)^log_power */
};

/* The names that a promise may contain, in addition to the facts, the members of a goal, the counts and R, which is
 * the fact dist. */
struct promise_names {
    const char *axis;
    const struct param *params;      /* the parameters of the method; NULL: none */
    int others;                      /* number of further axes; value[k]: where the axis other[k] stays while `axis`
                                        moves */
    const char *other[PROMISE_OTHERS];
    double value[PROMISE_OTHERS];
};

/* Parses the promise `text`, the value of a command line option. BAD_INPUT: *why has the option, what was expected,
 * the text, and in the last line a caret under the mistake. */
enum status promise_parse(const char *option, const char *text, const struct promise_names *names,
                          struct promise *p, struct why *why);
/* *exponent <- the exponent in the law of a rival, such as n^-1: `text` must be one power of the axis. */
enum status promise_rival(const char *option, const char *text, const char *axis, double *exponent,
                          struct why *why);
/* Reads the value of a setting, a number c or c*AXIS^p: *value <- c, *power <- p or 0. Returns false where the text
 * is neither. */
bool promise_setting(const char *text, const char *axis, double *value, double *power);

/* Sets check, law, band, formula and says of the claim c. A claim's formula has no argument that names its promise,
 * so only one promise can be in use at a time, and *p must live until the claim has been judged. */
void promise_use(const struct promise *p, const struct promise_names *names, struct claim *c);

/* Prints, as C, the expression that the formula of a claim with this promise returns. Returns false where the
 * promise needs no formula. goal_has says whether a member of the goal is set. */
bool promise_print(FILE *out, const struct promise *p, const struct promise_names *names,
                   bool (*goal_has)(const void *ctx, const char *name), const void *ctx);

#endif

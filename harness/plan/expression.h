/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.h - formulas as users type them: numbers, names, + - * / ^, parentheses, sqrt log exp min max. */
#ifndef ASSAY_EXPRESSION_H
#define ASSAY_EXPRESSION_H

#include <stdbool.h>
#include <stdio.h>

enum { EXPRESSION_NODES = 64, EXPRESSION_NAME = 24, EXPRESSION_DEPTH = 32 };

enum operation {
    OPERATION_NUMBER, OPERATION_NAME, OPERATION_MINUS,           /* -a */
    OPERATION_ADD, OPERATION_SUBTRACT, OPERATION_MULTIPLY, OPERATION_DIVIDE, OPERATION_POWER,
    OPERATION_SQRT, OPERATION_LOG, OPERATION_EXP, OPERATION_MIN, OPERATION_MAX
};

struct operation_node {
    enum operation operation;
    double value;                    /* OPERATION_NUMBER */
    char name[EXPRESSION_NAME];      /* OPERATION_NAME */
    int place;                       /* the byte of the text to which a mistake at this node points: that of a sign,
                                        or the first byte of a number, a name, a call or a power */
    int a, b;                        /* indices in node[] of the operands; a function or a minus with one operand
                                        uses a only */
};

struct expression { int nodes, root; struct operation_node node[EXPRESSION_NODES]; };

/* What is wrong with a text, and the byte at which it is. */
struct mistake { int place; char text[160]; };

/* Parses an expression of the text, from byte `from` on. *end <- the first byte behind it and behind blanks: the
 * end of the text, "+-", which begins the width of a band, or something that cannot continue an expression, which
 * is for the caller to refuse. `known` says whether a name may be used; NULL: all may. On a mistake returns false;
 * *m says what was expected, and where. */
bool expression_parse(const char *text, int from, bool (*known)(const void *ctx, const char *name), const void *ctx,
                      struct expression *e, int *end, struct mistake *m);

/* Returns the value of the expression, where the name NAME has the value value_of(ctx, NAME), NaN if it has
 * none. */
double expression_value(const struct expression *e, double (*value_of)(const void *ctx, const char *name),
                        const void *ctx);

/* Prints the expression as C; put_name(out, ctx, NAME) prints the C of a name. */
void expression_print(FILE *out, const struct expression *e,
                      void (*put_name)(FILE *out, const void *ctx, const char *name), const void *ctx);

/* A term c x^power (log x)^log_power of a sum, where x is the axis. */
struct monomial { double c, power, log_power; };

/* Writes an expression as a sum of monomials in x, the axis `name`: term[] <- its terms, at most `room`. Returns
 * how many there are. Returns 0 where the expression is not such a sum; *m says what was expected, and where. */
int expression_terms(const struct expression *e, const char *name, int room, struct monomial *term,
                     struct mistake *m);

#endif

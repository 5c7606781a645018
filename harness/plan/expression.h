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
    int place;                       /* the byte of the text where the operation begins */
    int a, b;                        /* indices of the operands */
};

struct expression { int nodes, root; struct operation_node node[EXPRESSION_NODES]; };

/* What is wrong with a text, and the byte at which it is. */
struct mistake { int place; char text[160]; };

/* Parses text from byte `from` on. *end <- the byte behind the expression: the end of the text, or "+-", which
 * stands before the width of a band. `known` says whether a name may be used; NULL: all may. Returns false with
 * what was expected, and where, in *m. */
bool expression_parse(const char *text, int from, bool (*known)(const void *ctx, const char *name), const void *ctx,
                      struct expression *e, int *end, struct mistake *m);

/* Returns the value of the expression, where the name NAME has the value value_of(ctx, NAME); NaN: a name has no
 * value. */
double expression_value(const struct expression *e, double (*value_of)(const void *ctx, const char *name),
                        const void *ctx);

/* Prints the expression as C; put_name(out, ctx, NAME) prints the C of a name. */
void expression_print(FILE *out, const struct expression *e,
                      void (*put_name)(FILE *out, const void *ctx, const char *name), const void *ctx);

/* A term c x^power (log x)^log_power of a sum. */
struct monomial { double c, power, log_power; };

/* Finds the terms of a sum of monomials in one name, at most `room`; returns how many. Returns 0 where the
 * expression is no such sum; *m says what was expected, and where. */
int expression_terms(const struct expression *e, const char *name, int room, struct monomial *term,
                     struct mistake *m);

#endif

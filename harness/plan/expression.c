/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.c - formulas as users type them, by recursive descent:
 *
 *     sum     = product { (+|-) product }
 *     product = power { (*|/) power }
 *     power   = - power | atom [ ^ power ]            ^ binds to the right, and -x^2 is -(x^2)
 *     atom    = number | name | name ( sum { , sum } ) | ( sum ) */
#include "plan/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "status.h"

struct parser {
    const char *text;
    int at, depth;
    bool (*known)(const void *ctx, const char *name);
    const void *ctx;
    struct expression *e;
    struct mistake *m;
};

static const struct { const char *name; enum operation operation; int arguments; } functions[] = {
    { "sqrt", OPERATION_SQRT, 1 }, { "log", OPERATION_LOG, 1 }, { "exp", OPERATION_EXP, 1 },
    { "min", OPERATION_MIN, 2 },   { "max", OPERATION_MAX, 2 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const char *function_name(enum operation o)
{
    for (int k = 0; k < FUNCTIONS; k++)
        if (functions[k].operation == o)
            return functions[k].name;
    return NULL;
}

/* *m <- what is wrong, and at which byte of the text. Returns -1, which stands for no node. */
__attribute__((format(printf, 3, 4)))
static int mistaken(struct mistake *m, int place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    m->place = place;
    vsnprintf(m->text, sizeof m->text, format, list);
    va_end(list);
    return -1;
}

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)p->text[p->at]))
        p->at++;
}

/* Steps over c if it is the next character of the text behind blanks. Returns whether it was. */
static bool take(struct parser *p, char c)
{
    skip_blanks(p);
    if (p->text[p->at] != c)
        return false;
    p->at++;
    return true;
}

static int add_node(struct parser *p, enum operation o, int place, int a, int b)
{
    if (a < 0 || b < 0)
        return -1;
    if (p->e->nodes == EXPRESSION_NODES)
        return mistaken(p->m, place, "expected at most %d numbers, names and operations", EXPRESSION_NODES);
    p->e->node[p->e->nodes] = (struct operation_node){ .operation = o, .place = place, .a = a, .b = b };
    return p->e->nodes++;
}

static int parse_sum(struct parser *p);

static int parse_number(struct parser *p)
{
    char *end;
    double v = strtod(p->text + p->at, &end);
    int place = p->at, node = add_node(p, OPERATION_NUMBER, place, 0, 0);
    if (node >= 0)
        p->e->node[node].value = v;
    p->at = (int)(end - p->text);
    return node;
}

static int parse_call(struct parser *p, int function, int place)
{
    int argument[2] = { 0, 0 };
    for (int k = 0; k < functions[function].arguments; k++) {
        if (k && !take(p, ','))
            return mistaken(p->m, p->at, "expected ',' and the second argument of %s", functions[function].name);
        argument[k] = parse_sum(p);
        if (argument[k] < 0)
            return -1;
    }
    if (!take(p, ')'))
        return mistaken(p->m, p->at, "expected ')'");
    return add_node(p, functions[function].operation, place, argument[0], argument[1]);
}

static int parse_name(struct parser *p)
{
    char name[EXPRESSION_NAME];
    int place = p->at, n = 0;
    while (isalnum((unsigned char)p->text[p->at + n]) || p->text[p->at + n] == '_')
        n++;
    if (n >= EXPRESSION_NAME)
        return mistaken(p->m, place, "expected a name of fewer than %d letters", EXPRESSION_NAME);
    snprintf(name, sizeof name, "%.*s", n, p->text + p->at);
    p->at += n;
    if (take(p, '(')) {
        for (int k = 0; k < FUNCTIONS; k++)
            if (strcmp(functions[k].name, name) == 0)
                return parse_call(p, k, place);
        return mistaken(p->m, place, "expected sqrt, log, exp, min or max before '('");
    }
    if (p->known && !p->known(p->ctx, name))
        return mistaken(p->m, place, "unknown name '%s'", name);
    int node = add_node(p, OPERATION_NAME, place, 0, 0);
    if (node >= 0)
        memcpy(p->e->node[node].name, name, sizeof name);
    return node;
}

static int parse_atom(struct parser *p)
{
    skip_blanks(p);
    char c = p->text[p->at];
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p->text[p->at + 1])))
        return parse_number(p);
    if (isalpha((unsigned char)c) || c == '_')
        return parse_name(p);
    if (!take(p, '('))
        return mistaken(p->m, p->at, "expected a number, a name or '('");
    int inner = parse_sum(p);
    if (inner >= 0 && !take(p, ')'))
        return mistaken(p->m, p->at, "expected ')'");
    return inner;
}

static int parse_power(struct parser *p)
{
    skip_blanks(p);
    int place = p->at, node;
    if (p->depth == EXPRESSION_DEPTH)
        return mistaken(p->m, place, "expected at most %d levels of parentheses and powers", EXPRESSION_DEPTH);
    p->depth++;
    if (take(p, '-')) {
        node = add_node(p, OPERATION_MINUS, place, parse_power(p), 0);
    } else {
        node = parse_atom(p);
        if (node >= 0 && take(p, '^'))
            node = add_node(p, OPERATION_POWER, place, node, parse_power(p));
    }
    p->depth--;
    return node;
}

static int parse_product(struct parser *p)
{
    int node = parse_power(p);
    while (node >= 0) {
        skip_blanks(p);
        int place = p->at;
        if (take(p, '*'))
            node = add_node(p, OPERATION_MULTIPLY, place, node, parse_power(p));
        else if (take(p, '/'))
            node = add_node(p, OPERATION_DIVIDE, place, node, parse_power(p));
        else
            break;
    }
    return node;
}

/* Is the next thing in the text "+-", where the width of a band begins? */
static bool at_band(struct parser *p)
{
    skip_blanks(p);
    return strncmp(p->text + p->at, "+-", 2) == 0;
}

static int parse_sum(struct parser *p)
{
    int node = parse_product(p);
    while (node >= 0 && !at_band(p)) {
        int place = p->at;
        if (take(p, '+'))
            node = add_node(p, OPERATION_ADD, place, node, parse_product(p));
        else if (take(p, '-'))
            node = add_node(p, OPERATION_SUBTRACT, place, node, parse_product(p));
        else
            break;
    }
    return node;
}

bool expression_parse(const char *text, int from, bool (*known)(const void *ctx, const char *name), const void *ctx,
                      struct expression *e, int *end, struct mistake *m)
{
    struct parser p = { text, from, 0, known, ctx, e, m };
    e->nodes = 0;
    e->root = parse_sum(&p);
    skip_blanks(&p);
    *end = p.at;
    return e->root >= 0;
}

/* --- the value of an expression */

static double apply(enum operation o, double a, double b)
{
    switch (o) {
    case OPERATION_MINUS: return -a;
    case OPERATION_ADD: return a + b;
    case OPERATION_SUBTRACT: return a - b;
    case OPERATION_MULTIPLY: return a * b;
    case OPERATION_DIVIDE: return a / b;
    case OPERATION_POWER: return pow(a, b);
    case OPERATION_SQRT: return sqrt(a);
    case OPERATION_LOG: return log(a);
    case OPERATION_EXP: return exp(a);
    case OPERATION_MIN: return isnan(a) || isnan(b) ? NAN : fmin(a, b);
    case OPERATION_MAX: return isnan(a) || isnan(b) ? NAN : fmax(a, b);
    default: return NAN;
    }
}

/* In node[] operands come before the operation that uses them, so that one pass computes all values. */
double expression_value(const struct expression *e, double (*value_of)(const void *ctx, const char *name),
                        const void *ctx)
{
    double value[EXPRESSION_NODES];
    for (int k = 0; k < e->nodes; k++) {
        const struct operation_node *n = &e->node[k];
        value[k] = n->operation == OPERATION_NUMBER ? n->value
                 : n->operation == OPERATION_NAME   ? value_of(ctx, n->name)
                                                    : apply(n->operation, value[n->a], value[n->b]);
    }
    return value[e->root];
}

/* --- printing an expression as C */

typedef void put_name_fn(FILE *out, const void *ctx, const char *name);

struct printing { FILE *out; const struct expression *e; put_name_fn *put_name; const void *ctx; };

/* Returns the precedence of an operation in C: a larger one binds more tightly; numbers, names and calls have the
 * largest. */
static int binding(enum operation o)
{
    return o == OPERATION_ADD || o == OPERATION_SUBTRACT ? 1 : o == OPERATION_MULTIPLY || o == OPERATION_DIVIDE ? 2
         : o == OPERATION_MINUS ? 3 : 4;
}

static void print_node(const struct printing *p, int k, int least);

/* Prints a number. Whole numbers get a point, since 1/2 must not be 0 in C. */
static void print_number(FILE *out, double v)
{
    char buffer[32];
    const char *text = number_text(v, buffer);
    fprintf(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

static void print_call(const struct printing *p, const struct operation_node *n)
{
    bool two = n->operation == OPERATION_POWER || n->operation == OPERATION_MIN || n->operation == OPERATION_MAX;
    fprintf(p->out, "%s(", n->operation == OPERATION_POWER ? "pow"
                         : n->operation == OPERATION_MIN   ? "fmin"
                         : n->operation == OPERATION_MAX   ? "fmax" : function_name(n->operation));
    print_node(p, n->a, 1);
    if (two) {
        fputs(", ", p->out);
        print_node(p, n->b, 1);
    }
    fputs(")", p->out);
}

/* Prints node k as C, in parentheses if the precedence of its operation (`binding`) is below `least`. */
static void print_node(const struct printing *p, int k, int least)
{
    static const char *const sign[] = { [OPERATION_ADD] = " + ", [OPERATION_SUBTRACT] = " - ",
                                        [OPERATION_MULTIPLY] = " * ", [OPERATION_DIVIDE] = " / " };
    const struct operation_node *n = &p->e->node[k];
    int own = binding(n->operation);
    bool commutes = n->operation == OPERATION_ADD || n->operation == OPERATION_MULTIPLY;
    fputs(own < least ? "(" : "", p->out);
    if (n->operation == OPERATION_NUMBER)
        print_number(p->out, n->value);
    else if (n->operation == OPERATION_NAME)
        p->put_name(p->out, p->ctx, n->name);
    else if (own == 4)
        print_call(p, n);
    else if (n->operation == OPERATION_MINUS) {
        fputs("-", p->out);
        print_node(p, n->a, 4);
    } else {
        print_node(p, n->a, own);
        fputs(sign[n->operation], p->out);
        print_node(p, n->b, commutes ? own : own + 1);
    }
    fputs(own < least ? ")" : "", p->out);
}

void expression_print(FILE *out, const struct expression *e, put_name_fn *put_name, const void *ctx)
{
    const struct printing p = { out, e, put_name, ctx };
    print_node(&p, e->root, 1);
}

/* --- sums of monomials */

struct terms { const struct expression *e; const char *name; struct mistake *m; };

static bool monomial_of(const struct terms *t, int k, struct monomial *x);

static bool constant(const struct monomial *x) { return x->power == 0 && x->log_power == 0; }

/* *x <- the logarithm of node k, which must be the name of the axis or a number above 0. */
static bool logarithm_of(const struct terms *t, int k, int place, struct monomial *x)
{
    if (!monomial_of(t, k, x))
        return false;
    if (constant(x) && x->c > 0) {
        x->c = log(x->c);
        return true;
    }
    if (x->c != 1 || x->power != 1 || x->log_power != 0) {
        mistaken(t->m, place, "expected log(%s)", t->name);
        return false;
    }
    *x = (struct monomial){ 1, 0, 1 };
    return true;
}

static bool power_of(const struct terms *t, const struct operation_node *n, struct monomial *x)
{
    struct monomial exponent;
    if (!monomial_of(t, n->a, x) || !monomial_of(t, n->b, &exponent))
        return false;
    if (!constant(&exponent)) {
        mistaken(t->m, t->e->node[n->b].place, "expected a number as the exponent");
        return false;
    }
    *x = (struct monomial){ pow(x->c, exponent.c), x->power * exponent.c, x->log_power * exponent.c };
    return true;
}

/* *x <- the sum (sign 1) or difference (-1) of the operands of node n. It is a monomial only where both have the
 * same powers, as two numbers have. */
static bool sum_of(const struct terms *t, const struct operation_node *n, double sign, struct monomial *x)
{
    struct monomial y;
    if (!monomial_of(t, n->a, x) || !monomial_of(t, n->b, &y))
        return false;
    if (x->power != y.power || x->log_power != y.log_power) {
        mistaken(t->m, n->place, "expected a product of powers of %s and log(%s): the terms of a sum stand outside "
                 "of parentheses", t->name, t->name);
        return false;
    }
    x->c += sign * y.c;
    return true;
}

static bool product_of(const struct terms *t, const struct operation_node *n, double sign, struct monomial *x)
{
    struct monomial y;
    if (!monomial_of(t, n->a, x) || !monomial_of(t, n->b, &y))
        return false;
    *x = (struct monomial){ sign > 0 ? x->c * y.c : x->c / y.c, x->power + sign * y.power,
                            x->log_power + sign * y.log_power };
    return true;
}

static bool monomial_of(const struct terms *t, int k, struct monomial *x)
{
    const struct operation_node *n = &t->e->node[k];
    switch (n->operation) {
    case OPERATION_NUMBER:
        *x = (struct monomial){ n->value, 0, 0 };
        return true;
    case OPERATION_NAME:
        *x = (struct monomial){ 1, 1, 0 };
        if (strcmp(n->name, t->name) == 0)
            return true;
        mistaken(t->m, n->place, "expected a law in the axis %s, not '%s': constants do not change a rate, and "
                 "'<= ...' promises a bound", t->name, n->name);
        return false;
    case OPERATION_MINUS:
        if (!monomial_of(t, n->a, x))
            return false;
        x->c = -x->c;
        return true;
    case OPERATION_ADD: return sum_of(t, n, +1, x);
    case OPERATION_SUBTRACT: return sum_of(t, n, -1, x);
    case OPERATION_MULTIPLY: return product_of(t, n, +1, x);
    case OPERATION_DIVIDE: return product_of(t, n, -1, x);
    case OPERATION_POWER: return power_of(t, n, x);
    case OPERATION_SQRT:
        if (!monomial_of(t, n->a, x))
            return false;
        *x = (struct monomial){ sqrt(x->c), x->power / 2, x->log_power / 2 };
        return true;
    case OPERATION_LOG: return logarithm_of(t, n->a, n->place, x);
    default:
        mistaken(t->m, n->place, "expected powers of %s and log(%s), not %s", t->name, t->name,
                 function_name(n->operation));
        return false;
    }
}

/* Appends to term[] the terms of the expression whose root is node k: those of both operands of a sum, in order;
 * any other expression is one term. */
static bool add_terms(const struct terms *t, int k, int room, struct monomial *term, int *n)
{
    const struct operation_node *node = &t->e->node[k];
    if (node->operation == OPERATION_ADD)
        return add_terms(t, node->a, room, term, n) && add_terms(t, node->b, room, term, n);
    if (*n == room) {
        mistaken(t->m, node->place, "expected at most %d terms", room);
        return false;
    }
    if (!monomial_of(t, k, &term[*n]))
        return false;
    if (!(term[*n].c > 0 && isfinite(term[*n].c) && isfinite(term[*n].power) && isfinite(term[*n].log_power))) {
        mistaken(t->m, node->place, "expected a positive term with a finite exponent");
        return false;
    }
    ++*n;
    return true;
}

int expression_terms(const struct expression *e, const char *name, int room, struct monomial *term,
                     struct mistake *m)
{
    const struct terms t = { e, name, m };
    int n = 0;
    return add_terms(&t, e->root, room, term, &n) ? n : 0;
}

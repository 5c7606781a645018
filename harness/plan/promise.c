/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promise.c - parses a promise of a command line or study file, and fills in the members of a claim that follow
 * from it. */
#include "plan/promise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "cell/cell.h"

/* --- names that a formula may contain */

static int count_of(const char *name)
{
    int k = 0;
    while (k < COUNT_KINDS && strcmp(count_name(k), name))
        k++;
    return k < COUNT_KINDS ? k : -1;
}

static int fact_of(const char *name)
{
    int k = 0;
    if (strcmp(name, "R") == 0)
        return FACT_dist;
    while (k < FACT_COUNT && strcmp(fact_name(k), name))
        k++;
    return k < FACT_COUNT && k != FACT_L_j && k != FACT_M_j ? k : -1;
}

/* Returns the index in n->other of the further axis that has this name; -1: none. */
static int other_of(const struct promise_names *n, const char *name)
{
    int k = 0;
    while (k < n->others && strcmp(n->other[k], name))
        k++;
    return k < n->others ? k : -1;
}

static bool known(const void *ctx, const char *name)
{
    const struct promise_names *n = ctx;
    struct goal goal = goal_unknown();
    return strcmp(n->axis, name) == 0 || other_of(n, name) >= 0 || goal_member(&goal, name) ||
           fact_of(name) >= 0 || count_of(name) >= 0 || (n->params && params_find(n->params, name));
}

/* Returns the number that a name has in the run `ctx` (struct env): that of the goal, a fact, a count or a
 * parameter, in this order. */
static double value_of(const void *ctx, const char *name)
{
    const struct env *e = ctx;
    struct goal goal = *e->goal;
    const double *asked = goal_member(&goal, name);
    int fact = fact_of(name), count = count_of(name);
    if (asked && !isnan(*asked))
        return *asked;
    if (fact >= 0 && !isnan(fact_value(e->facts, fact)))
        return fact_value(e->facts, fact);
    return count >= 0 ? e->counts->of[count] : env_param(e, name);
}

/* --- messages with the text of the promise and a caret under the byte of the mistake */

enum { CARET_ROOM = 110 };

static enum status refuse(const char *option, const char *text, const struct mistake *m, struct why *why)
{
    int from = m->place > CARET_ROOM - 10 ? m->place - CARET_ROOM + 10 : 0, column = 0;
    for (int k = from; k < m->place; k++)
        column += ((unsigned char)text[k] & 0xc0) != 0x80;       /* counts characters of UTF-8, not bytes */
    return why_set(why, BAD_INPUT, "%s: %s\n  %.*s\n  %*s^", option, m->text, CARET_ROOM, text + from, column, "");
}

/* --- parsing a promise */

/* out <- the text, with "<=", "+-" and "-" in place of the Unicode characters for them. Returns false where it is
 * too long. */
static bool plain(const char *text, char out[PROMISE_TEXT])
{
    static const char *const sign[][2] = { { "\u2264", "<=" }, { "\u00b1", "+-" }, { "\u2212", "-" } };
    size_t n = 0;
    while (*text && n + 3 < PROMISE_TEXT) {
        size_t k = 0;
        while (k < 3 && strncmp(text, sign[k][0], strlen(sign[k][0])))
            k++;
        n += (size_t)snprintf(out + n, PROMISE_TEXT - n, "%.*s", k < 3 ? 2 : 1, k < 3 ? sign[k][1] : text);
        text += k < 3 ? strlen(sign[k][0]) : 1;
    }
    out[n] = '\0';
    return !*text;
}

static bool no_name(const void *ctx, const char *name) { return false; }
static double no_value(const void *ctx, const char *name) { return NAN; }

/* Parses "+- WIDTH", which must reach from byte `at` to the end of the text; *width <- the number WIDTH. */
static bool parse_width(const char *text, int at, double *width, struct mistake *m)
{
    struct expression e;
    int end;
    *m = (struct mistake){ at, "expected +- and the half-width of the band of the exponent, as in n^-0.5 +- 0.1" };
    if (strncmp(text + at, "+-", 2))
        return false;
    if (!expression_parse(text, at + 2, no_name, NULL, &e, &end, m))
        return false;
    *width = expression_value(&e, no_value, NULL);
    bool good = !text[end] && *width > 0 && isfinite(*width);
    if (!good)
        *m = (struct mistake){ text[end] ? end : at + 2, "expected one number above 0 behind +-" };
    return good;
}

static bool parse_bound(struct promise *p, int from, const struct promise_names *names, struct mistake *m)
{
    int end;
    p->check = CHECK_BOUND;
    if (!expression_parse(p->text, from, known, names, &p->formula, &end, m))
        return false;
    if (p->text[end])
        *m = (struct mistake){ end, "expected an operation or the end: a bound has no band" };
    return !p->text[end];
}

/* Sets the law of a promise from its n terms: a sum of several powers of the axis, or one power times a power of
 * the logarithm. */
static bool set_law(struct promise *p, int n, const struct monomial *term, struct mistake *m)
{
    p->law = (struct law){ .form = n > 1 ? LAW_SUM : LAW_POWER, .terms = n > 1 ? n : 0 };
    p->log_power = term[0].log_power;
    for (int k = 0; k < n; k++) {
        p->law.exponent[k] = term[k].power;
        for (int i = 0; i < k; i++)
            if (term[i].power == term[k].power) {
                *m = (struct mistake){ 0, "expected terms with different exponents" };
                return false;
            }
        if (n > 1 && term[k].log_power != 0) {
            *m = (struct mistake){ 0, "expected powers without logarithms in a sum" };
            return false;
        }
    }
    return true;
}

static bool parse_rate(struct promise *p, const struct promise_names *names, struct mistake *m)
{
    struct expression e;
    struct monomial term[TERMS_MAX];
    double width;
    int end, n;
    p->check = CHECK_RATE;
    if (!expression_parse(p->text, 0, known, names, &e, &end, m))
        return false;
    for (int k = 0; k < e.nodes; k++) {
        int other = e.node[k].operation == OPERATION_NAME ? other_of(names, e.node[k].name) : -1;
        if (other >= 0) {
            e.node[k].operation = OPERATION_NUMBER;
            e.node[k].value = names->value[other];
        }
    }
    n = expression_terms(&e, names->axis, TERMS_MAX, term, m);
    if (n && names->others && term[0].log_power != 0) {
        *m = (struct mistake){ 0, "expected powers without logarithms, as several axes have several values" };
        return false;
    }
    if (!n || !set_law(p, n, term, m) || !parse_width(p->text, end, &width, m))
        return false;
    p->band[0] = p->law.exponent[0] - width;
    p->band[1] = p->law.exponent[0] + width;
    return true;
}

enum status promise_parse(const char *option, const char *text, const struct promise_names *names,
                          struct promise *p, struct why *why)
{
    struct mistake m = { 0, "" };
    memset(p, 0, sizeof *p);
    if (!plain(text, p->text))
        return why_set(why, BAD_INPUT, "%s: expected at most %d letters", option, PROMISE_TEXT - 4);
    int from = (int)strspn(p->text, " ");
    bool good = false;
    if (strncmp(p->text + from, "<=", 2) == 0)
        good = parse_bound(p, from + 2, names, &m);
    else if (strchr("<>=~", p->text[from]) && p->text[from])
        m = (struct mistake){ from, "expected <= and a bound, or a law with its band, as in n^-0.5 +- 0.1" };
    else
        good = parse_rate(p, names, &m);
    return good ? OK : refuse(option, p->text, &m, why);
}

enum status promise_rival(const char *option, const char *text, const char *axis, double *exponent, struct why *why)
{
    struct expression e;
    struct monomial term;
    struct mistake m = { 0, "" };
    int end;
    bool good = expression_parse(text, 0, NULL, NULL, &e, &end, &m) && expression_terms(&e, axis, 1, &term, &m);
    if (good && (text[end] || term.log_power != 0)) {
        m = (struct mistake){ text[end] ? end : 0, "expected one power of the axis, without a logarithm" };
        good = false;
    }
    if (!good)
        return refuse(option, text, &m, why);
    *exponent = term.power;
    return OK;
}

bool promise_setting(const char *text, const char *axis, double *value, double *power)
{
    struct expression e;
    struct monomial term;
    struct mistake m;
    int end;
    *power = 0;
    if (number_parse(text, value))
        return true;
    if (!expression_parse(text, 0, NULL, NULL, &e, &end, &m) || text[end] ||
        !expression_terms(&e, axis, 1, &term, &m) || term.log_power != 0)
        return false;
    *value = term.c;
    *power = term.power;
    return true;
}

/* --- the formula that a claim calls */

/* The promise that promised_bound and promised_logarithm evaluate. A formula of a claim is a C function whose only
 * argument is a run, so the promise that it is made of is kept here. It is set once, before anything is planned. */
static const struct promise *in_use;
static struct promise_names names_in_use;

struct named_env { const struct env *env; };

static double value_in_use(const void *ctx, const char *name)
{
    const struct env *e = ((const struct named_env *)ctx)->env;
    return !names_in_use.others && strcmp(name, names_in_use.axis) == 0 ? e->axis : value_of(e, name);
}

static double promised_bound(const struct env *e)
{
    return expression_value(&in_use->formula, value_in_use, &(struct named_env){ e });
}

static double promised_logarithm(const struct env *e) { return pow(log(e->axis), in_use->log_power); }

void promise_use(const struct promise *p, const struct promise_names *names, struct claim *c)
{
    in_use = p;
    names_in_use = *names;
    c->says = p->text;
    c->check = p->check;
    c->law = p->law;
    c->band[0] = p->band[0];
    c->band[1] = p->band[1];
    if (p->check == CHECK_BOUND)
        c->formula = promised_bound;
    else if (p->log_power != 0)
        c->formula = promised_logarithm;
}

/* --- printing a formula as C */

struct printing {
    const struct promise_names *names;
    bool (*goal_has)(const void *ctx, const char *name);
    const void *ctx;
};

static void put_name(FILE *out, const void *ctx, const char *name)
{
    const struct printing *p = ctx;
    bool param = p->names->params && params_find(p->names->params, name);
    if (strcmp(name, p->names->axis) == 0)
        fputs("e->axis", out);
    else if (p->goal_has(p->ctx, name))
        fprintf(out, "e->goal->%s", name);
    else if (fact_of(name) >= 0)
        fprintf(out, "e->facts->%s", fact_name(fact_of(name)));
    else if (count_of(name) >= 0)
        fprintf(out, "env_count(e, COUNT_%s)", name);
    else
        fprintf(out, param ? "env_param(e, \"%s\")" : "e->goal->%s", name);
}

bool promise_print(FILE *out, const struct promise *p, const struct promise_names *names,
                   bool (*goal_has)(const void *ctx, const char *name), const void *ctx)
{
    const struct printing printing = { names, goal_has, ctx };
    if (p->check == CHECK_BOUND)
        expression_print(out, &p->formula, put_name, &printing);
    else if (p->log_power != 0)
        fprintf(out, "pow(log(e->axis), %g)", p->log_power);
    return p->check == CHECK_BOUND || p->log_power != 0;
}

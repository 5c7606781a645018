/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where.c - parses conditions on the rows of a table of runs, and evaluates them. */
#include "record/where.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "cell/nearest.h"

static enum status bad(const char *part, struct why *why)
{
    return why_set(why, BAD_INPUT, "--where '%.80s': expected NAME=VALUE, or one of != < <= > >= between a "
                   "column and a value", part);
}

/* *sign <- the comparison sign with which a text begins. Returns the number of characters of the sign, 0 if there
 * is none. */
static size_t sign_at(const char *text, enum where_sign *sign)
{
    static const struct { const char *text; enum where_sign sign; } all[] = {
        { "!=", WHERE_UNEQUAL }, { "<=", WHERE_AT_MOST }, { ">=", WHERE_AT_LEAST }, { "==", WHERE_EQUAL },
        { "=", WHERE_EQUAL }, { "<", WHERE_LESS }, { ">", WHERE_MORE },
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strncmp(text, all[k].text, strlen(all[k].text)) == 0) {
            *sign = all[k].sign;
            return strlen(all[k].text);
        }
    return 0;
}

static enum status parse_one(const char *part, struct condition *c, struct why *why)
{
    size_t n = strcspn(part, "!=<>"), sign = sign_at(part + n, &c->sign);
    const char *value = part + n + sign;
    if (!n || !sign || !*value || n >= sizeof c->name || strlen(value) >= sizeof c->text)
        return bad(part, why);
    snprintf(c->name, sizeof c->name, "%.*s", (int)n, part);
    snprintf(c->text, sizeof c->text, "%s", value);
    if (!number_parse(value, &c->number))
        c->number = NAN;
    if (isnan(c->number) && c->sign > WHERE_UNEQUAL)
        return why_set(why, BAD_INPUT, "--where '%.80s': expected a number behind <, <=, > or >=", part);
    return OK;
}

enum status where_parse(const char *text, struct where *where, struct why *why)
{
    char copy[2048], *rest = copy, *part;
    where->conditions = 0;
    if (!text)
        return OK;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return why_set(why, BAD_INPUT, "--where: expected at most %zu characters", sizeof copy - 1);
    while ((part = strsep(&rest, ","))) {
        if (where->conditions == WHERE_MAX)
            return why_set(why, BAD_INPUT, "--where: expected at most %d conditions", WHERE_MAX);
        TRY(parse_one(part, &where->condition[where->conditions++], why));
    }
    return OK;
}

static bool compares(const struct condition *c, double x)
{
    switch (c->sign) {
    case WHERE_EQUAL:    return x == c->number;
    case WHERE_UNEQUAL:  return x != c->number;
    case WHERE_LESS:     return x < c->number;
    case WHERE_AT_MOST:  return x <= c->number;
    case WHERE_MORE:     return x > c->number;
    case WHERE_AT_LEAST: return x >= c->number;
    }
    return false;
}

static bool holds(const struct condition *c, const struct wide_value *v)
{
    if (v->text)
        return (fnmatch(c->text, v->text, 0) == 0) == (c->sign == WHERE_EQUAL) && c->sign <= WHERE_UNEQUAL;
    return !isnan(v->number) && compares(c, v->number);
}

bool where_holds(const struct where *where, const struct wide *w)
{
    for (int k = 0; k < where->conditions; k++) {
        int at = wide_find(w, where->condition[k].name);
        if (at < 0 || !holds(&where->condition[k], &w->value[at]))
            return false;
    }
    return true;
}

enum status where_known(const struct where *where, const struct wide *w, struct why *why)
{
    for (int k = 0; k < where->conditions; k++) {
        const char *name = where->condition[k].name;
        struct nearest near = nearest_to(name, strlen(name));
        if (wide_find(w, name) >= 0)
            continue;
        for (int i = 0; i < w->columns; i++)
            nearest_try(&near, w->column[i].name);
        return why_set(why, BAD_INPUT, "--where: no run has a column '%.70s'%s", name, nearest_hint(&near, ""));
    }
    return OK;
}

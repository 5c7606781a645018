/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_value.c - values of options: numbers, words, ranges, and what is wrong with them. */
#include "cli/options_state.h"

#include <argp.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"

bool options_from_environment(const struct argp_state *state)
{
    return state->next <= 1 + ((struct parsing *)state->input)->environment;
}

void options_refuse(struct argp_state *state, const char *name, const char *text,
                    const char *format, ...)
{
    struct parsing *p = state->input;
    char expected[300], twin[TWIN_MAX];
    va_list ap;
    if (p->bad)
        return;
    p->bad = true;
    va_start(ap, format);
    vsnprintf(expected, sizeof expected, format, ap);
    va_end(ap);
    if (options_from_environment(state))
        why_set(p->why, BAD_INPUT, "%s=%.80s: %s", options_twin(name, twin), text, expected);
    else
        why_set(p->why, BAD_INPUT, "--%s%s%.80s: %s", name, *text ? " " : "", text, expected);
}

double options_number(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi)
{
    double v = 0;
    if (!number_parse(text, &v))
        options_refuse(state, name, text, "expected a number");
    else if (v < lo || v > hi)
        options_refuse(state, name, text, "expected %g to %g", lo, hi);
    return v >= lo && v <= hi ? v : lo;      /* what is refused may be cast all the same */
}

double options_whole(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi)
{
    double v = options_number(state, name, text, lo, hi);
    if (v != rint(v))
        options_refuse(state, name, text, "expected an integer");
    return v;
}

int options_word(struct argp_state *state, const char *name, const char *text,
                 const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    char list[200] = "";
    for (int k = 0; words[k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", words[k]);
    options_refuse(state, name, text, "expected one of %s", list);
    return 0;
}

bool options_time(const char *text, double *seconds)
{
    static const struct { char letter; double seconds; } unit[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
    size_t n = strlen(text);
    char number[32] = "";
    double v;
    if (n < 2 || n > sizeof number)
        return false;
    memcpy(number, text, n - 1);
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        if (text[n - 1] == unit[k].letter && number_parse(number, &v) && v > 0 && v <= 1e7) {
            *seconds = v * unit[k].seconds;
            return true;
        }
    return false;
}

/* The place of an axis among the ranges; what is typed replaces what the environment said. */
static struct range *range_named(struct selection *s, const char *name)
{
    struct range *r = s->range;
    while (r < s->range + s->ranges && strcmp(r->name, name))
        r++;
    BUG_IF(r == s->range + RANGES_MAX);
    if (r == s->range + s->ranges)
        s->ranges++;
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

/* Every axis is positive, but for regulariser and privacy parameters, which may be 0. */
static void add_value(struct argp_state *state, struct range *r, const char *text, const char *item)
{
    double v = 0;
    bool endless = strcmp(r->name, "radius") == 0;       /* of all of R^d */
    if (r->values == RANGE_VALUES)
        options_refuse(state, r->name, text, "more than %d values", RANGE_VALUES);
    else if (!number_parse(item, &v) || !(v >= 0))
        options_refuse(state, r->name, text,
                       "expected a number, FROM..TO or a list A,B,C; none negative");
    else if (v > DBL_MAX && !endless)
        options_refuse(state, r->name, text, "expected finite numbers");
    else if (axis_counts(r->name) && v != rint(v))
        options_refuse(state, r->name, text, "expected integers, not %.10g", v);
    else if (r->values && v <= r->value[r->values - 1])
        options_refuse(state, r->name, text, "expected increasing values");
    else
        r->value[r->values++] = v;
}

void options_range(struct argp_state *state, struct options *o, const char *name, const char *text)
{
    char copy[1024], *rest = copy, *item;
    struct range *r = range_named(&o->select, name);
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        options_refuse(state, name, text, "value too long");
    char *dots = strstr(copy, "..");
    if (dots) {
        *dots = 0;
        r->ends = true;
        add_value(state, r, text, copy);
        add_value(state, r, text, dots + 2);
        if (r->value[0] <= 0 || r->value[r->values - 1] > DBL_MAX)
            options_refuse(state, name, text, "expected FROM above 0 and a finite TO");
        return;
    }
    while ((item = strsep(&rest, ",")))
        add_value(state, r, text, item);
}

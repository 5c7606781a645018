/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_account.c - the verb account, which prints the epsilon of a mechanism by every accountant, or the noise that
 * a given epsilon needs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "privacy/account_price.h"
#include "cli/cli.h"
#include "base/params.h"
#include "record/listing.h"

static enum status find_kind(const struct options *o, const struct account_kind **kind,
                             struct why *why)
{
    char list[300] = "";
    const char *name = o->arguments ? o->argument[0] : "";
    for (const struct account_kind *k = account_kinds; k->name; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", k->name);
        if (strcmp(k->name, name) == 0)
            *kind = k;
    }
    if (o->arguments == 1 && *kind)
        return OK;
    return why_set(why, BAD_INPUT, "account%s%.60s: expected one of %s", *name ? " " : "",
                   o->arguments > 1 ? o->argument[1] : name, list);
}

/* *value <- the value of an axis on the command line; NaN: it was not given. */
static enum status one_value(const struct options *o, const char *name, double *value,
                             struct why *why)
{
    const struct range *r = plan_range(&o->select, name);
    *value = r ? r->value[0] : NAN;
    return !r || r->values == 1 ? OK : why_set(why, BAD_INPUT, "account: --%s: expected one value", name);
}

/* *delta <- --delta, else 1/n^2. */
static enum status find_delta(const struct options *o, double *delta, struct why *why)
{
    double n;
    TRY(one_value(o, "delta", delta, why));
    TRY(one_value(o, "n", &n, why));
    if (isnan(*delta))
        *delta = 1 / (n * n);
    if (isnan(*delta))
        return why_set(why, BAD_INPUT, "account: give --delta, or --n for delta = 1/n^2");
    if (!(*delta > 0 && *delta < 1))
        return why_set(why, BAD_INPUT, "account: delta = %g: expected between 0 and 1", *delta);
    return OK;
}

/* *c <- the mechanism and the delta that the options describe. With --eps the parameter that is computed from it
 * must not be typed. */
static enum status describe(const struct options *o, const struct account_kind *kind, bool solving,
                            struct account_case *c, struct why *why)
{
    memset(c, 0, sizeof *c);
    c->scale = c->eps0 = NAN;
    params_default(kind->params, c);
    for (int k = 0; k < o->mechanism.count; k++) {
        const struct assignment *a = &o->mechanism.at[k];
        const struct param *p = params_find(kind->params, a->name);
        if (!p)
            return why_set(why, BAD_INPUT, "account %s has no --%s", kind->name, a->name);
        if (solving && strcmp(a->name, kind->solved) == 0)
            return why_set(why, BAD_INPUT, "account %s: --eps asks for %s: not both", kind->name,
                           a->name);
        TRY(params_set(p, c, a->value, kind->name, why));
    }
    for (const struct param *p = kind->params; p->name; p++)
        if (p->type == PARAM_REAL && isnan(params_get(p, c)) &&
            !(solving && strcmp(p->name, kind->solved) == 0))
            return why_set(why, BAD_INPUT, "account %s: give --%s%s", kind->name, p->name,
                           strcmp(p->name, kind->solved) ? ""
                                                         : ", or --eps for the value it needs");
    double passes = c->restart ? 1 : (double)c->epochs;     /* without a restart the accountant pairs all steps that
                                                               use one record */
    if ((double)c->steps * passes * passes * passes > 1e9)
        return why_set(why, BAD_INPUT, "account %s: %ld steps, %ld epochs in one stream: expected "
                       "steps times epochs^3 of at most 1e9", kind->name, c->steps, c->epochs);
    return find_delta(o, &c->delta, why);
}

static const char *number(double x, char text[40])
{
    snprintf(text, 40, isnan(x) ? "-" : "%.10g", x);
    return text;
}

static void print_head(const struct account_kind *kind, const struct account_case *c, double eps)
{
    printf("%s: %s\n", kind->name, kind->doc);
    for (const struct param *p = kind->params; p->name; p++)
        if (isnan(eps) || strcmp(p->name, kind->solved))
            printf("  %s = %.10g", p->name, params_get(p, c));
    if (!isnan(eps))
        printf("  eps = %.10g", eps);
    printf("  delta = %.10g\n\n%-14s %-16s %-16s %s\n", c->delta, "method",
           isnan(eps) ? "eps" : kind->solved, isnan(eps) ? "at least" : "", "note");
}

/* Prints a row of the result. Text has ten digits; CSV and JSON have all digits. */
static void print_row(struct listing *l, const struct account_kind *kind, const struct account_method *m,
                      double delta, double value, double lower, const char *note)
{
    char a[40], b[40];
    if (l->format == RECORD_TEXT) {
        printf("%-14s %-16s %-16s %s\n", m->name, number(value, a), isnan(lower) ? "" : number(lower, b), note);
        return;
    }
    listing_text(l, kind->name);
    listing_real(l, delta);
    listing_text(l, m->name);
    listing_real(l, value);
    listing_real(l, lower);
    listing_text(l, note);
}

int verb_account(struct options *o)
{
    const struct account_kind *kind = NULL;
    struct account_case c;
    struct why why = { "" };
    double eps = NAN;
    bool compared = false;
    enum status s = find_kind(o, &kind, &why);
    if (s == OK)
        s = one_value(o, "eps", &eps, &why);
    if (s == OK)
        s = describe(o, kind, !isnan(eps), &c, &why);
    if (s != OK)
        return complain(s, &why);
    static const struct listing_layout compact = { "[\n ", ",\n ", "\n]\n", "[]\n", false };
    struct listing l = { .out = stdout, .format = o->format, .columns = 6, .layout = &compact, .name = {
        "mechanism", "delta", "method", isnan(eps) ? "eps" : kind->solved, "lower", "note" } };
    if (o->format == RECORD_TEXT)
        print_head(kind, &c, eps);
    for (const struct account_method *m = kind->methods; m->name; m++) {
        double lower = NAN, value;
        value = isnan(eps) ? m->eps(&c, m->how, &lower) : account_solve(kind, m, &c, eps);
        compared |= strcmp(m->name, "unsampled") == 0;
        const char *open = isnan(eps) && isinf(value) && kind->open ? kind->open(&c) : NULL;
        print_row(&l, kind, m, c.delta, value, lower, open ? open : m->note);
    }
    listing_end(&l);
    if (compared && o->format == RECORD_TEXT)
        puts("\nunsampled is there for comparison: as if every step used all records. The others count the "
             "sampling.");
    return EXIT_OK;
}

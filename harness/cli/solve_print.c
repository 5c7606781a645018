/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_print.c - the answer of solve: its measures, its cost, its privacy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "record/listing.h"
#include "report/report_page.h"
#include "cli/solve.h"

static const char *const adjacencies[] = {
    [ADJACENCY_NONE] = "none",
    [ADJACENCY_ZERO_OUT] = "zero-out",
    [ADJACENCY_REPLACE_ONE] = "replace-one",
    [ADJACENCY_ADD_REMOVE] = "add-remove",
};

static double value_of(const struct record *r, const char *scope, const char *name)
{
    char full[RECORD_NAME];
    double v = NAN;
    snprintf(full, sizeof full, "%s.%s", scope, name);
    record_get(r, full, &v);
    return v;
}

/* Lines `  name  value` of every value whose name begins with the prefix; zeros on request. */
static void print_group(const struct record *r, const char *title, const char *prefix, bool zeros)
{
    size_t n = strlen(prefix);
    bool any = false;
    for (size_t k = 0; k < r->values; k++) {
        if (strncmp(r->value[k].name, prefix, n) || (!zeros && r->value[k].value == 0))
            continue;
        if (!any)
            printf("%s\n", title);
        any = true;
        printf("  %-18s %.10g\n", r->value[k].name + n, r->value[k].value);
    }
}

/* --- the answer */

/* Is a measure without a value left out: one of held-out records if none are held out, or a gradient at a kink? */
static bool idle(const struct measure *m, double value)
{
    bool few = strncmp(m->name, "held_", 5) == 0 || strcmp(m->name, "gradient") == 0;
    return !m->at || (isnan(value) && few);
}

bool solve_uncertified(const struct solution *s)
{
    double excess = value_of(s->record, "measure", "excess"),
           error = value_of(s->record, "error", "excess"),
           scale = fmax(1, fabs(value_of(s->record, "measure", "objective")));
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++)
        if (m->certainty == CERTIFIED && strcmp(m->name, "excess") == 0)
            return !isnan(excess) && !(isfinite(error) && !(error > scale));
    return false;
}

static bool uncertified(const struct solution *s, const struct measure *m)
{
    return m->certainty == CERTIFIED && (solve_uncertified(s) ||
                                         !isfinite(value_of(s->record, "error", m->name)));
}

/* Why a measure has no value, or how exact its value is. */
static void print_trust(const struct solution *s, const struct measure *m, double value,
                        double error)
{
    if (isnan(value) && !(s->facts->weak == 0))
        printf(" (the objective is not convex)");
    else if (!isnan(value) && m->certainty == CERTIFIED && !uncertified(s, m))
        printf(" certified to %.2g", error);
    else if (!isnan(value) && m->certainty == CERTIFIED)
        printf(" without certificate: the best known is not proven optimal");
    else if (!isnan(value) && m->certainty == ESTIMATED)
        printf(" +- %.2g", error);
}

static void print_measures(const struct solution *s)
{
    printf("answer\n");
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++) {
        double value = value_of(s->record, "measure", m->name);
        if (idle(m, value))
            continue;
        if (isnan(value))
            printf("  %-18s %-14s", m->name, "not known");
        else
            printf("  %-18s %-14.10g", m->name, value);
        print_trust(s, m, value, value_of(s->record, "error", m->name));
        /* The text after the comma is about the certificate; without a certificate it is left out. */
        bool cut = uncertified(s, m);
        printf("  %.*s\n", (int)(cut ? strcspn(m->doc, ",") : strlen(m->doc)), m->doc);
    }
    double radius = s->facts->radius, length = vec_norm((long)s->facts->d, s->x);
    if (isfinite(radius) && length > 0.99 * radius)
        printf("  on the ball's edge |x| = %.4g: a larger --radius may fit better\n", length);
}

/* --- privacy */

static void print_label(const struct privacy *p)
{
    char names[200];
    if (p->told)
        printf("  NOT PRIVATE        it was told %s of these data: where that is known without "
               "them, --public %s\n",
               solve_names(p->told, sizeof names, names), names);
    if (p->looks)
        printf("  NOT PRIVATE        %s uses means of these data\n", p->looks);
    if (isinf(account_ledger_least(p->by)))
        printf("  NOT PRIVATE        no noise bounds what was released\n");
    if (solve_is_private(p))
        printf("  private            x alone, by what was booked: not what is measured on the data "
               "here; a simulation, as seeds are known\n");
    if (p->silent)
        printf("  nothing was released: the run ended before its first release, and x is the start "
               "unless it was answered unbooked; more samples or a larger budget\n");
    if (p->declared)
        printf("  declared public    %s\n", solve_names(p->declared, sizeof names, names));
}

/* Was more spent than the epsilon that was asked for, by the best accountant? */
static bool exceeded(const struct solution *s)
{
    return account_ledger_least(s->privacy.by) > s->cell->goal.eps * (1 + 1e-9);
}

static void print_privacy(const struct solution *s)
{
    const struct privacy *p = &s->privacy;
    const struct goal *g = &s->cell->goal;
    if (!p->applies)
        return;
    printf("privacy\n");
    print_label(p);
    printf("  adjacency          %s\n", adjacencies[s->cell->algo->adjacency]);
    if (!isnan(g->eps))
        printf("  asked              eps = %.6g at delta = %.6g%s\n", g->eps, g->delta,
               exceeded(s) ? ": MORE WAS SPENT" : "");
    else if (!isnan(g->rho))
        printf("  asked              rho = %.6g: (rho^2/2)-zCDP\n", g->rho);
    printf("  epsilon            at delta = %.6g, of the record that pays most\n", p->delta);
    for (int k = 0; k < ACCOUNTANTS; k++) {
        const struct priced *by = &p->by[k];
        char lower[40] = "";
        if (isnan(by->eps))
            continue;
        if (!isnan(by->lower))
            snprintf(lower, sizeof lower, ", at least %.10g", by->lower);
        printf("    %-16s %-14.10g %s%s\n", by->name, by->eps, by->note, lower);
    }
}

static void print_text(const struct solution *s)
{
    const struct cell *c = s->cell;
    char words[500];
    printf("problem   %s: %s\n", c->problem->name, c->problem->doc);
    printf("algorithm %s: %s (%s)\n", c->algo->name, c->algo->doc, c->algo->cite);
    if (!c->run.count)
        print_measures(s);
    print_privacy(s);
    print_group(s->record, "cost", "count.", false);
    print_group(s->record, "parameters", "param.", true);
    if (*solve_words(c, sizeof words, words))
        printf("words     %s\n", words);
    print_group(s->record, "constants told by the problem", "fact.", true);
    print_group(s->record, "diagnostics", "note.", true);
    print_group(s->record, "clipping", "clip.", true);
    if (s->model)
        printf("model     %s\n", s->model);
    printf("time      %.3g s\n", s->record->seconds);
    char *again = report_rerun(c->text);
    printf("again     %s\n", again);
    free(again);
}

/* --- JSON */

static void put_measures(struct json *j, const struct solution *s)
{
    static const char *const words[] = { "exact", "certified", "estimated" };
    json_open(j, "answer", '{');
    for (const struct measure *m = s->cell->problem->measures; m && m->name; m++) {
        if (!m->at)
            continue;
        json_open(j, m->name, '{');
        json_real(j, "value", value_of(s->record, "measure", m->name));
        json_real(j, "error", value_of(s->record, "error", m->name));
        json_text(j, "certainty", uncertified(s, m) ? "not certified" : words[m->certainty]);
        json_text(j, "unit", m->unit);
        json_close(j, '}');
    }
    json_close(j, '}');
}

static void put_privacy(struct json *j, const struct solution *s)
{
    const struct privacy *p = &s->privacy;
    char told[200], declared[200];
    if (!p->applies) {
        json_text(j, "privacy", NULL);
        return;
    }
    json_open(j, "privacy", '{');
    json_flag(j, "private", solve_is_private(p));
    json_text(j, "adjacency", adjacencies[s->cell->algo->adjacency]);
    json_text(j, "told", solve_names(p->told, sizeof told, told));
    json_text(j, "declared", solve_names(p->declared, sizeof declared, declared));
    json_text(j, "looks", p->looks);
    json_real(j, "asked", s->cell->goal.eps);
    json_flag(j, "exceeded", exceeded(s));
    json_flag(j, "released", !p->silent);
    json_real(j, "delta", p->delta);
    json_open(j, "epsilon", '{');
    for (int k = 0; k < ACCOUNTANTS; k++) {
        json_open(j, p->by[k].name, '{');
        json_real(j, "eps", p->by[k].eps);
        json_real(j, "lower", p->by[k].lower);
        json_close(j, '}');
    }
    json_close(j, '}');
    json_close(j, '}');
}

static void print_json(const struct options *o, const struct solution *s)
{
    char words[500];
    struct json j = { .out = stdout, .digits = 17 };
    json_open(&j, NULL, '{');
    json_text(&j, "problem", s->cell->problem->name);
    json_text(&j, "algorithm", s->cell->algo->name);
    json_text(&j, "words", solve_words(s->cell, sizeof words, words));
    put_measures(&j, s);
    put_privacy(&j, s);
    json_text(&j, "model", s->model);
    printf(",\"record\":");
    record_write(stdout, s->record, RECORD_JSON, o->canonical);
    printf("}\n");
}

void solve_print(const struct options *o, const struct solution *s)
{
    if (o->format == RECORD_TEXT) {
        print_text(s);
    } else if (o->format == RECORD_JSON) {
        print_json(o, s);
    } else {
        record_write_heading(stdout, RECORD_CSV);
        record_write(stdout, s->record, RECORD_CSV, o->canonical);
    }
}

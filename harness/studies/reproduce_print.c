/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce_print.c - trials as text, CSV and JSON. */
#include "studies/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/listing.h"
#include "report/report_words.h"

struct choice_words choice_text(const struct trial *t)
{
    struct choice_words w;
    const struct tuning *g = t->choice.tuning;
    int n = snprintf(w.at, sizeof w.at, "%.3g pass%s", t->choice.passes,
                     t->choice.passes == 1 ? "" : "es");
    for (int k = 0; g && k < GRID_SETTINGS; k++) {
        const char *dot = strchr(g->grid[k].name, '.');
        n += snprintf(w.at + n, sizeof w.at - (size_t)n, ", %.30s = %.3g",
                      dot ? dot + 1 : g->grid[k].name, t->choice.value[k]);
    }
    return w;
}

/* --- text */

static bool tells_support(const struct trial *t)
{
    return t->panel->support > 0 && t->outcome.runs;
}

static void print_row(const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    bool indented = t->kind == TRIAL_TUNED || t->kind == TRIAL_FRESH;
    bool said = c->gap > 0 && trial_is_published(t);
    char name[120];
    snprintf(name, sizeof name, "%.90s%s%s", c->label, indented ? ", " : "",
             indented ? trial_word(t->kind) : "");
    printf("  %s%-*s ", indented ? "  " : "", indented ? 42 : 44, name);
    if (!o->runs) {
        printf("%s\n", *o->message ? o->message : "not run");
        return;
    }
    printf("%9.3g (%.3g to %.3g)", o->mean, o->least, o->most);
    if (said)
        printf(", published %.3g, ratio %.2f", c->gap, o->mean / c->gap);
    if (tells_support(t)) {
        printf("; non-zeros %.1f right, %.1f wrong", o->hits, o->errors);
        if (said)
            printf(", published %g, %g", c->hits, c->errors);
    }
    printf("; %s; %.2g s", choice_text(t).at, o->seconds);
    if (o->failed)
        printf("; %d runs failed: %s", o->failed, o->message);
    printf("\n");
    if (c->remark && !indented && !t->altered)
        printf("      %s\n", c->remark);
}

static void print_panel(const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    printf("%s%s\n", t->kind == TRIAL_ABLATION ? "ablation: " : "", t->panel->title);
    if (*t->missing) {
        printf("  skipped: %s\n", t->missing);
        return;
    }
    if (!o->runs)
        return;
    printf("  %-44s %9.3g", "w = 0", o->start);
    if (t->panel->support > 0)
        printf("; optimum with %g non-zeros, published %g", o->support, t->panel->support);
    printf("\n");
}

static void print_tuned(const struct trial *of, const struct trials *tuned)
{
    for (const struct trial *t = tuned->at; t < tuned->at + tuned->count; t++)
        if (of->kind == TRIAL_PUBLISHED && t->panel == of->panel && t->method == of->method)
            print_row(t);
}

static void print_text(const struct trials *published, const struct trials *tuned)
{
    printf("%s\nrelative error (F - F*)/F*: mean (least to largest)\n", published->what->title);
    if (published->at[0].altered)
        printf("%s\n", trials_altered);
    for (int k = 0; k < published->count; k++) {
        const struct trial *t = &published->at[k];
        if (k == 0 || t[-1].panel != t->panel)
            print_panel(t);
        if (*t->missing)
            continue;
        print_row(t);
        print_tuned(t, tuned);
    }
}

/* --- CSV, JSON: the same fields */

struct field { const char *name, *text; double value; };
enum { FIELDS = 24 };

/* The fields of a row. What a grid chose is named beside its value: each method has its own grid.
 * text NULL: a number, NaN where there is none. */
static void fields_of(const struct trial *t, struct field f[FIELDS])
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    const struct tuning *grid = t->choice.tuning;
    bool said = c->gap > 0 && trial_is_published(t), ran = o->runs;
    bool support = said && t->panel->support > 0;
    const struct field row[FIELDS] = {
        { "panel", t->panel->name, 0 },
        { "method", c->label, 0 },
        { "kind", trial_word(t->kind), 0 },
        { "passes", NULL, t->choice.passes },
        { "first_setting", grid ? grid->grid[0].name : "", 0 },
        { "first", NULL, grid ? t->choice.value[0] : NAN },
        { "second_setting", grid ? grid->grid[1].name : "", 0 },
        { "second", NULL, grid ? t->choice.value[1] : NAN },
        { "runs", NULL, o->runs },
        { "failed", NULL, o->failed },
        { "mean", NULL, ran ? o->mean : NAN },
        { "least", NULL, ran ? o->least : NAN },
        { "largest", NULL, ran ? o->most : NAN },
        { "published", NULL, said ? c->gap : NAN },
        { "ratio", NULL, said && ran ? o->mean / c->gap : NAN },
        { "start", NULL, o->start },
        { "right", NULL, ran ? o->hits : NAN },
        { "wrong", NULL, ran ? o->errors : NAN },
        { "published_right", NULL, support ? c->hits : NAN },
        { "published_wrong", NULL, support ? c->errors : NAN },
        { "support", NULL, o->support },
        { "seconds", NULL, ran ? o->seconds : NAN },
        { "message", *t->missing ? t->missing : o->message, 0 },
        { "remark", c->remark && !t->altered ? c->remark : "", 0 },
    };
    memcpy(f, row, sizeof row);
}

static void print_field(struct listing *l, const struct field *f)
{
    if (f->text)
        listing_text(l, f->text);
    else
        listing_real(l, f->value);
}

static void print_fields(const struct study_request *q, const struct trials *published,
                         const struct trials *tuned)
{
    static const struct listing_layout layout = { "[", ",\n ", "]\n", "]\n", true };
    const struct trials *list[] = { published, tuned };
    struct field f[FIELDS];
    struct listing l = { .out = stdout, .format = q->format, .columns = FIELDS, .layout = &layout,
                         .digits = q->format == RECORD_JSON ? 17 : 0 };
    fields_of(&published->at[0], f);
    for (int k = 0; k < FIELDS; k++)
        l.name[k] = f[k].name;
    listing_heading(&l);
    for (int i = 0; i < 2; i++)
        for (const struct trial *t = list[i]->at; t < list[i]->at + list[i]->count; t++) {
            fields_of(t, f);
            for (int k = 0; k < FIELDS; k++)
                print_field(&l, &f[k]);
        }
    listing_end(&l);
}

void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned)
{
    if (q->format == RECORD_TEXT)
        print_text(published, tuned);
    else
        print_fields(q, published, tuned);
    fflush(stdout);
}

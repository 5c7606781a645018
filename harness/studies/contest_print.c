/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_print.c - a contest as text, CSV and JSON. */
#include "studies/contest_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/listing.h"
#include "studies/reproduce.h"

struct contest_choice contest_choice(const struct contest_method *m, const struct contest_entry *e)
{
    struct contest_choice c = { "" };
    int n = 0;
    for (int k = 0; k < GRID_SETTINGS && m->grid[k].name; k++) {
        const char *dot = strchr(m->grid[k].name, '.');
        n += snprintf(c.at + n, sizeof c.at - (size_t)n, "%s%.30s = %.10g%s", k ? ", " : "",
                      dot ? dot + 1 : m->grid[k].name, e->value[k],
                      e->edge[k] ? " (end of its grid)" : "");
    }
    return c;
}

static void print_entry(const struct contest_method *m, const struct contest_entry *e)
{
    struct interval i = stats_interval(&e->log_mean, 0.95);
    printf("    %-36s", m->label);
    if (!e->found) {
        printf(" %s\n", e->refused == e->tried ? "refuses every choice" : "no choice ran");
        return;
    }
    if (isnan(e->log_mean.value))
        printf(" diverged or failed in some of %d runs", e->runs);
    else
        printf(" %9.3g (%.3g to %.3g)", exp(e->log_mean.value), exp(i.lo), exp(i.hi));
    if (m->grid[0].name)
        printf("; %s", contest_choice(m, e).at);
    if (e->refused)
        printf("; %d of %d choices refused", e->refused, e->tried);
    if (e->failed)
        printf("; %d runs failed", e->failed);
    printf("\n");
}

static void print_text(const struct contest_table *t, const struct contest_answer *a)
{
    const struct contest *w = t->what;
    printf("%s\n%s: mean of fresh runs (95%%)\n", w->as.title, w->measure);
    if (t->altered)
        printf("%s\n", "With settings of your own: not the search that is declared.");
    for (int r = 0; r < t->rows; r++) {
        const struct contest_row *row = &t->row[r];
        if (r == 0 || row->on != t->row[r - 1].on)
            printf("%s: %s%s%s\n", row->on->name, row->on->title, row->on->measure ? "; " : "",
                   row->on->measure ? row->on->measure : "");
        printf("  %s = %.10g\n", w->axis, row->size);
        for (int m = 0; m < t->methods; m++)
            print_entry(&w->method[m], &row->entry[m]);
        printf("    %s / %s: %.3g (%.3g to %.3g), %s\n", w->method[0].label, w->method[w->rival].label,
               row->ratio.value, row->ratio.limits.lo, row->ratio.limits.hi,
               contest_word(row->ratio.word));
    }
    printf("%s\n%s\n", w->as.says, a->text);
}

/* --- CSV, JSON: one row a method, the same fields; ratio and word: of the first to this method where it is the
 * rival. */

struct field { const char *name, *text; double value; };
enum { FIELDS = 17 };

static void fields_of(const struct contest_table *t, int r, int m, struct field f[FIELDS])
{
    const struct contest_row *row = &t->row[r];
    const struct contest_entry *e = &row->entry[m];
    const struct contest_method *how = &t->what->method[m];
    struct interval i = stats_interval(&e->log_mean, 0.95);
    bool known = !isnan(e->log_mean.value), rival = m == t->what->rival;
    const struct field row_fields[FIELDS] = {
        { "instance", row->on->name, 0 },
        { t->what->axis, NULL, row->size },
        { "method", how->label, 0 },
        { "first_setting", how->grid[0].name ? how->grid[0].name : "", 0 },
        { "first", NULL, e->value[0] },
        { "second_setting", how->grid[1].name ? how->grid[1].name : "", 0 },
        { "second", NULL, e->value[1] },
        { "edge", NULL, e->edge[0] || e->edge[1] },
        { "runs", NULL, e->runs },
        { "refused", NULL, e->refused },
        { "failed", NULL, e->failed },
        { "mean", NULL, known ? exp(e->log_mean.value) : NAN },
        { "ratio", NULL, rival ? row->ratio.value : NAN },
        { "ratio_lo", NULL, rival ? row->ratio.limits.lo : NAN },
        { "ratio_hi", NULL, rival ? row->ratio.limits.hi : NAN },
        { "mean_hi", NULL, known ? exp(i.hi) : NAN },
        { "word", rival ? contest_word(row->ratio.word) : "", 0 },
    };
    memcpy(f, row_fields, sizeof row_fields);
}

static void print_fields(struct listing *l, const struct field f[FIELDS])
{
    for (int c = 0; c < FIELDS; c++)
        if (f[c].text)
            listing_text(l, f[c].text);
        else
            listing_real(l, f[c].value);
}

static void print_rows(const struct contest_table *t, enum record_format format)
{
    static const struct listing_layout layout = { "\n  ", ",\n  ", "]}\n", "]}\n", true };
    struct listing l = { .out = stdout, .format = format, .columns = FIELDS, .layout = &layout,
                         .digits = format == RECORD_JSON ? 17 : 0 };
    struct field f[FIELDS];
    fields_of(t, 0, 0, f);
    for (int c = 0; c < FIELDS; c++)
        l.name[c] = f[c].name;
    listing_heading(&l);
    for (int k = 0; k < t->rows * t->methods; k++) {
        fields_of(t, k / t->methods, k % t->methods, f);
        print_fields(&l, f);
    }
    listing_end(&l);
}

/* The rows are a list at the end of the object. */
static void print_json(const struct contest_table *t, const struct contest_answer *a)
{
    struct json j = { .out = stdout, .spaced = true };
    json_open(&j, NULL, '{');
    json_text(&j, "answer", a->text);
    printf(",\n \"below\": %d, \"above\": %d, \"open\": %d, \"missing\": %d,\n \"rows\": [",
           a->count[CONTEST_BELOW], a->count[CONTEST_ABOVE], a->count[CONTEST_OPEN],
           a->count[CONTEST_MISSING]);
    print_rows(t, RECORD_JSON);
}

void contest_print(const struct study_request *q, const struct contest_table *t,
                   const struct contest_answer *a)
{
    if (q->format == RECORD_TEXT)
        print_text(t, a);
    else if (q->format == RECORD_JSON)
        print_json(t, a);
    else
        print_rows(t, RECORD_CSV);
    fflush(stdout);
}

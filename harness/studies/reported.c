/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported.c - runs that other programs report. The readers of files add runs by these functions; when all files
 * are read, copies are dropped, replicates are numbered, and runs get the measures at their start. */
#include "studies/reported.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "text/memstream.h"
#include "oracle.h"

void reported_begin(struct reported *r) { *r = (struct reported){ .arena = arena_new(0) }; }

void reported_free(struct reported *r)
{
    for (int k = 0; k < r->runs; k++)
        record_free(r->run[k].record);
    free(r->run);
    arena_free(r->arena);
}

const char *reported_text(struct reported *r, const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(arena_bytes(r->arena, n), text, n);
}

int reported_setting(struct reported *r, const char *name)
{
    for (int k = 0; k < r->settings; k++)
        if (strcmp(r->setting[k].name, name) == 0)
            return k;
    if (r->settings == REPORTED_SETTINGS || strlen(name) >= REPORTED_NAME)
        return -1;
    strcpy(r->setting[r->settings].name, name);
    for (int k = 0; k < r->runs; k++)
        r->run[k].with[r->settings].number = NAN;
    return r->settings++;
}

struct reported_run *reported_add(struct reported *r, const char *problem, const char *method)
{
    if (r->runs == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->run = realloc(r->run, (size_t)r->room * sizeof *r->run);
        BUG_IF(!r->run);
    }
    struct reported_run *run = &r->run[r->runs++];
    *run = (struct reported_run){ .problem = reported_text(r, problem),
                                  .method = reported_text(r, method),
                                  .rep = -1,
                                  .seed = NAN,
                                  .record = record_new("", "") };
    BUG_IF(!run->record);
    for (int k = 0; k < REPORTED_SETTINGS; k++)
        run->with[k].number = NAN;
    return run;
}

/* --- all runs together: sorting them, numbering replicates, giving them their starts */

bool reported_is_budget(const char *name)
{
    return strcmp(name, "goal.n") == 0 || strcmp(name, "goal.T") == 0 || strcmp(name, "goal.budget") == 0;
}

static int order_of_values(const struct reported_value *a, const struct reported_value *b)
{
    if (a->text || b->text)
        return !a->text ? -1 : !b->text ? 1 : strcmp(a->text, b->text);
    if (isnan(a->number) || isnan(b->number))
        return isnan(b->number) - isnan(a->number);
    return (a->number > b->number) - (a->number < b->number);
}

/* Compares two runs by problem, method and all settings but the budgets. Runs that are equal in these and in the
 * replicate are one curve. */
static int order_of_curves(const struct reported *r, const struct reported_run *a, const struct reported_run *b)
{
    int c = strcmp(a->problem, b->problem);
    c = c ? c : strcmp(a->method, b->method);
    for (int k = 0; !c && k < r->settings; k++)
        if (!reported_is_budget(r->setting[k].name))
            c = order_of_values(&a->with[k], &b->with[k]);
    return c;
}

/* Compares two runs as order_of_curves does, and then by their budgets. */
static int order_of_settings(const struct reported *r, const struct reported_run *a, const struct reported_run *b)
{
    int c = order_of_curves(r, a, b);
    for (int k = 0; !c && k < r->settings; k++)
        if (reported_is_budget(r->setting[k].name))
            c = order_of_values(&a->with[k], &b->with[k]);
    return c;
}

static int place_in_files(const struct reported_run *a, const struct reported_run *b)
{
    int c = strcmp(a->file, b->file);
    return c ? c : (a->line > b->line) - (a->line < b->line);
}

static int by_settings(const void *a, const void *b, void *r)
{
    int c = order_of_settings(r, a, b);
    return c ? c : place_in_files(a, b);
}

static int by_replicate(const void *a, const void *b, void *r)
{
    const struct reported_run *x = a, *y = b;
    int c = order_of_settings(r, x, y);
    c = c ? c : (x->rep > y->rep) - (x->rep < y->rep);
    return c ? c : place_in_files(x, y);
}

static int by_seed(const void *a, const void *b, void *r)
{
    const struct reported_run *x = a, *y = b;
    int c = order_of_settings(r, x, y);
    c = c ? c : (x->seed > y->seed) - (x->seed < y->seed);
    return c ? c : place_in_files(x, y);
}

static int by_curve(const void *a, const void *b, void *r)
{
    const struct reported_run *x = a, *y = b;
    int c = order_of_curves(r, x, y);
    c = c ? c : (x->rep > y->rep) - (x->rep < y->rep);
    return c ? c : order_of_settings(r, x, y);
}

static void sort(struct reported *r, int (*order)(const void *, const void *, void *))
{
    qsort_r(r->run, (size_t)r->runs, sizeof *r->run, order, r);
}

/* Drops runs that the files have twice: with the same settings, the same stated replicate and equal numbers. */
static void drop_copies(struct reported *r)
{
    int kept = 0;
    sort(r, by_replicate);
    for (int k = 0; k < r->runs; k++) {
        const struct reported_run *run = &r->run[k], *last = kept ? &r->run[kept - 1] : NULL;
        if (last && run->rep >= 0 && last->rep == run->rep && order_of_settings(r, last, run) == 0 &&
            record_equal(last->record, run->record))
            record_free(run->record);
        else
            r->run[kept++] = *run;
    }
    r->runs = kept;
}

static enum status twice(const struct reported_run *a, const struct reported_run *b, const char *what,
                         struct why *why)
{
    return why_set(
        why, BAD_INPUT, "%.200s:%ld: %s with the same settings as line %ld%s%.80s: expected one run each", b->file,
        b->line, what, a->line, strcmp(a->file, b->file) ? " of " : "", strcmp(a->file, b->file) ? a->file : "");
}

/* Gives a replicate number to the runs that state none: 0, 1, ... among runs of equal settings, in the order of the
 * files. BAD_INPUT: two runs have the same settings, and the same replicate or seed. */
static enum status number_replicates(struct reported *r, struct why *why)
{
    sort(r, by_settings);
    for (int k = 0, rep = 0; k < r->runs; k++) {
        rep = k && order_of_settings(r, &r->run[k - 1], &r->run[k]) == 0 ? rep + 1 : 0;
        if (r->run[k].rep < 0)
            r->run[k].rep = rep;
    }
    sort(r, by_replicate);
    for (int k = 1; k < r->runs; k++)
        if (order_of_settings(r, &r->run[k - 1], &r->run[k]) == 0 && r->run[k - 1].rep == r->run[k].rep)
            return twice(&r->run[k - 1], &r->run[k], "the same method and rep", why);
    sort(r, by_seed);
    for (int k = 1; k < r->runs; k++)
        if (order_of_settings(r, &r->run[k - 1], &r->run[k]) == 0 && r->run[k - 1].seed == r->run[k].seed)
            return twice(&r->run[k - 1], &r->run[k], "the same method and seed", why);
    return OK;
}

static void copy_value(const struct record *from, const char *scope, const char *to_scope, struct record *to)
{
    size_t n = strlen(scope);
    char name[RECORD_NAME];
    double known;
    for (size_t k = 0; k < from->values; k++) {
        if (strncmp(from->name[k], scope, n))
            continue;
        if (snprintf(name, sizeof name, "%s%s", to_scope, from->name[k] + n) < (int)sizeof name &&
            !record_get(to, name, &known))
            record_put(to, name, from->value[k]);
    }
}

/* Gives every run the values idle.NAME, the measures at its start, from the row of its curve with budget 0, but for
 * those that it states itself. The rows with budget 0 are not runs, and are removed. */
static void give_starts(struct reported *r)
{
    const struct reported_run *start = NULL;
    int kept = 0;
    sort(r, by_curve);
    for (int k = 0; k < r->runs; k++) {
        struct reported_run *run = &r->run[k];
        if (run->start)
            start = run;
        else if (start && (order_of_curves(r, start, run) || start->rep != run->rep))
            start = NULL;
        if (start && start != run)
            copy_value(start->record, "measure.", "idle.", run->record);
    }
    for (int k = 0; k < r->runs; k++)
        if (r->run[k].start)
            record_free(r->run[k].record);
        else
            r->run[kept++] = r->run[k];
    r->runs = kept;
}

/* --- the text of a cell for a reported run, in the form of this program's cells */

static void put_word(FILE *out, const char *word)
{
    for (; *word; word++)
        fprintf(out, (unsigned char)*word <= ' ' || strchr("|%=", *word) ? "%%%02x" : "%c", (unsigned char)*word);
}

static void put_section(FILE *out, const struct reported *r, const struct reported_run *run, const char *scope)
{
    char number[32];
    for (int k = 0; k < r->settings; k++) {
        const struct reported_value *v = &run->with[k];
        size_t n = strlen(scope);
        if (strncmp(r->setting[k].name, scope, n) || r->setting[k].name[n] != '.' || (!v->text && isnan(v->number)))
            continue;
        fprintf(out, " %s=", r->setting[k].name + n + 1);
        if (v->text)
            put_word(out, v->text);
        else
            fputs(number_text(v->number, number), out);
    }
}

static void write_cell(const struct reported *r, struct reported_run *run)
{
    size_t n;
    char *text = NULL;
    FILE *out = open_memstream(&text, &n);
    BUG_IF(!out);
    fputs("problem ", out);
    put_word(out, run->problem);
    put_section(out, r, run, "problem");
    fputs(" | algo ", out);
    put_word(out, run->method);
    put_section(out, r, run, "algo");
    fputs(" | goal", out);
    put_section(out, r, run, "goal");
    fputs(" | run", out);
    put_section(out, r, run, "run");
    fprintf(out, " | rep %ld", run->rep);
    memstream_close(out, &text);
    free(run->record->cell);
    run->record->cell = text;
}

/* Puts the run's numeric settings into its record, where formulas read them: those of the method as param.NAME, the
 * others under their names; the dimension also as fact.d. */
static void put_settings(const struct reported *r, struct reported_run *run)
{
    char name[RECORD_NAME + 8];
    for (int k = 0; k < r->settings; k++) {
        const char *setting = r->setting[k].name;
        if (run->with[k].text || isnan(run->with[k].number))
            continue;
        if (strncmp(setting, "algo.", 5) == 0)
            snprintf(name, sizeof name, "param.%.49s", setting + 5);
        else
            snprintf(name, sizeof name, "%.55s", setting);
        record_put(run->record, name, run->with[k].number);
        double known;
        if (strcmp(setting, "problem.d") == 0 && !record_get(run->record, "fact.d", &known))
            record_put(run->record, "fact.d", run->with[k].number);
    }
}

enum status reported_end(struct reported *r, struct why *why)
{
    if (!r->runs)
        return why_set(why, BAD_INPUT, "no runs were read: expected a line for each");
    drop_copies(r);
    TRY(number_replicates(r, why));
    give_starts(r);
    for (int k = 0; k < r->runs; k++) {
        write_cell(r, &r->run[k]);
        put_settings(r, &r->run[k]);
    }
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_wide.c - the verb export with --wide or --format sqlite: writes runs as rows of tables with plain columns.
 *
 * The store is read twice, as it was at the beginning: first for the columns that the runs have, then for the
 * rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/export.h"
#include "cli/judged.h"
#include "record/where.h"
#include "store/plain.h"
#include "store/store.h"

/* --- which runs: all of the store, or those of the selected claims */

/* A cell of the plan, by its text. A place of a cell is a task of a claim that uses the cell; the places of all
 * cells are one list, in which those of this cell begin at index `first`. */
struct known { const char *text; int cell, first; };
struct place { int cell; const struct planned_claim *claim; const struct task *task; };

/* A table of the runs of one paper, with a row for each run of each claim. */
struct paper_table {
    const struct paper *paper;
    bool *used;                      /* [room] does one of the paper's runs have a value in this column of the wide
                                        table? */
    int room, table;
};

struct export_of {
    const struct options *o;
    struct store *store;
    struct wide wide;
    struct where where;
    struct judged judged;
    bool planned, selected;          /* planned: there is a plan; selected: only the plan's runs are exported */
    struct known *known;             /* [judged.plan.cells] in the byte order of their texts */
    struct place *place;             /* [places] in the order of their cells */
    int places;
    struct paper_table *paper;
    int papers;
    struct wide traced;              /* sqlite: the columns of traces */
    struct plain *file;              /* sqlite: the file; NULL in the first pass */
    int runs_table, trace_table;
    long runs;                       /* number of runs kept so far in this pass */
    enum status status;
    struct why *why;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct known *)a)->text, ((const struct known *)b)->text);
}

static int by_cell(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int cells = (x->cell > y->cell) - (x->cell < y->cell);
    return cells ? cells : (x->task > y->task) - (x->task < y->task);
}

/* Lists the cells of the plan by their texts, with the tasks that each of them has. */
static void index_plan(struct export_of *e)
{
    const struct plan *p = &e->judged.plan;
    size_t tasks = 0;
    for (int k = 0; k < p->claims + p->lines; k++)
        tasks += (size_t)p->claim[k].tasks;
    e->known = calloc((size_t)p->cells + 1, sizeof *e->known);
    e->place = calloc(tasks + 1, sizeof *e->place);
    BUG_IF(!e->known || !e->place);
    for (int k = 0; k < p->claims + p->lines; k++)
        for (int i = 0; i < p->claim[k].tasks; i++) {
            const struct task *t = &p->claim[k].task[i];
            e->place[e->places++] = (struct place){ t->cell, &p->claim[k], t };
        }
    qsort(e->place, tasks, sizeof *e->place, by_cell);
    int first = 0;
    for (int k = 0; k < p->cells; k++) {
        while (first < e->places && e->place[first].cell < k)
            first++;
        e->known[k] = (struct known){ p->cell[k]->text, k, first };
    }
    qsort(e->known, (size_t)p->cells, sizeof *e->known, by_text);
}

/* Returns the known cell with this text; NULL: the cell is not one of the plan. */
static const struct known *known_cell(const struct export_of *e, const char *text)
{
    const struct known key = { .text = text };
    return e->planned ? bsearch(&key, e->known, (size_t)e->judged.plan.cells, sizeof key, by_text) : NULL;
}

/* --- the first pass: which columns the runs have */

static struct paper_table *paper_of(struct export_of *e, const struct paper *paper)
{
    for (int k = 0; k < e->papers; k++)
        if (e->paper[k].paper == paper)
            return &e->paper[k];
    e->paper = realloc(e->paper, (size_t)(e->papers + 1) * sizeof *e->paper);
    BUG_IF(!e->paper);
    e->paper[e->papers] = (struct paper_table){ .paper = paper };
    return &e->paper[e->papers++];
}

static void use_columns(struct paper_table *t, const struct wide *w)
{
    if (t->room < w->columns) {
        t->used = realloc(t->used, (size_t)w->columns * sizeof *t->used);
        BUG_IF(!t->used);
        memset(t->used + t->room, 0, (size_t)(w->columns - t->room) * sizeof *t->used);
        t->room = w->columns;
    }
    for (int k = 0; k < w->columns; k++)
        t->used[k] |= w->value[k].text || !isnan(w->value[k].number);
}

/* *first <- the index of the first place of a cell; returns the index behind the last. */
static int places_of(const struct export_of *e, const struct known *k, int *first)
{
    int end = *first = k ? k->first : 0;
    while (k && end < e->places && e->place[end].cell == k->cell)
        end++;
    return end;
}

/* Reads the row of a record, and numbers it. Returns false where the selection of claims or --where leaves the
 * record out. */
static bool wanted(struct export_of *e, const struct record *r, const struct known **known)
{
    *known = known_cell(e, r->cell);
    if (e->selected && !*known)
        return false;
    wide_read(&e->wide, r);
    if (!where_holds(&e->where, &e->wide))
        return false;
    e->runs++;
    if (e->o->foreign == FOREIGN_SQLITE)
        wide_put(&e->wide, "id", NULL, (double)e->runs);
    return true;
}

/* e->traced <- a row of the trace of the present run. */
static void read_trace(struct export_of *e, const struct record_trace *t, size_t row)
{
    wide_clear(&e->traced);
    wide_put(&e->traced, "id", NULL, (double)e->runs);
    wide_put(&e->traced, "row", NULL, (double)row);
    for (size_t k = 0; k < t->columns; k++)
        wide_put(&e->traced, t->column[k], NULL, t->value[row * t->columns + k]);
}

static bool learn(void *ctx, const struct record *r)
{
    struct export_of *e = ctx;
    const struct known *known;
    int at, end;
    if (!wanted(e, r, &known))
        return true;
    wide_keep(&e->wide);
    end = places_of(e, known, &at);
    for (; e->o->foreign == FOREIGN_SQLITE && at < end; at++)
        use_columns(paper_of(e, e->place[at].claim->paper), &e->wide);
    for (size_t k = 0; e->o->trace && k < r->trace.rows; k++) {
        read_trace(e, &r->trace, k);
        wide_keep(&e->traced);
    }
    return true;
}

/* --- the second pass: tables of SQLite */

enum { OWN = 4 };                    /* columns of a paper's table before those of the runs: claim, role, axis, x */

static enum status make_table(struct plain *p, const char *name, const struct wide *w, int *table, struct why *why)
{
    struct wide_column *column = calloc((size_t)w->shows + 1, sizeof *column);
    BUG_IF(!column);
    for (int k = 0; k < w->shows; k++)
        column[k] = w->column[w->shown[k]];
    enum status s = plain_table(p, name, column, w->shows, table, why);
    free(column);
    return s;
}

/* Makes the table of a paper, whose name is the key of the paper with _ for -. */
static enum status make_paper_table(struct export_of *e, struct paper_table *t)
{
    const struct wide *w = &e->wide;
    char name[80];
    int n = OWN;
    struct wide_column *column = calloc((size_t)w->shows + OWN, sizeof *column);
    BUG_IF(!column);
    column[0] = (struct wide_column){ "claim", WIDE_TEXT, false };
    column[1] = (struct wide_column){ "role", WIDE_TEXT, false };
    column[2] = (struct wide_column){ "axis", WIDE_TEXT, false };
    column[3] = (struct wide_column){ "x", WIDE_REAL, false };
    for (int k = 0; k < w->shows; k++)
        if (w->shown[k] < t->room && t->used[w->shown[k]])
            column[n++] = w->column[w->shown[k]];
    snprintf(name, sizeof name, "%s", t->paper->key);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    enum status s = plain_table(e->file, name, column, n, &t->table, e->why);
    free(column);
    return s;
}

static enum status make_tables(struct export_of *e)
{
    TRY(make_table(e->file, "runs", &e->wide, &e->runs_table, e->why));
    for (int k = 0; k < e->papers; k++)
        TRY(make_paper_table(e, &e->paper[k]));
    return e->o->trace && e->traced.shows ? make_table(e->file, "trace", &e->traced, &e->trace_table, e->why) : OK;
}

static enum status put_row(struct export_of *e, const struct wide *w, int table)
{
    struct wide_value *value = calloc((size_t)w->shows + 1, sizeof *value);
    BUG_IF(!value);
    for (int k = 0; k < w->shows; k++)
        value[k] = w->value[w->shown[k]];
    enum status s = plain_row(e->file, table, value, e->why);
    free(value);
    return s;
}

static enum status put_place(struct export_of *e, const struct place *at)
{
    const struct wide *w = &e->wide;
    const struct paper_table *t = paper_of(e, at->claim->paper);
    const char *axis = at->claim->claim->axis;
    struct wide_value *value = calloc((size_t)w->shows + OWN, sizeof *value);
    int n = OWN;
    BUG_IF(!value);
    value[0].text = at->claim->plot ? at->claim->plot->id : at->claim->claim->id;
    value[1].text = task_name(at->claim, at->task);
    value[2] = (struct wide_value){ axis, NAN };
    value[3].number = axis ? at->task->axis : NAN;
    for (int k = 0; k < w->shows; k++)
        if (w->shown[k] < t->room && t->used[w->shown[k]])
            value[n++] = w->value[w->shown[k]];
    enum status s = plain_row(e->file, t->table, value, e->why);
    free(value);
    return s;
}

static enum status put_tables(struct export_of *e, const struct record *r, const struct known *known)
{
    int at, end = places_of(e, known, &at);
    TRY(put_row(e, &e->wide, e->runs_table));
    for (; at < end; at++)
        TRY(put_place(e, &e->place[at]));
    for (size_t k = 0; e->o->trace && k < r->trace.rows; k++) {
        read_trace(e, &r->trace, k);
        TRY(put_row(e, &e->traced, e->trace_table));
    }
    return OK;
}

static bool write_run(void *ctx, const struct record *r)
{
    struct export_of *e = ctx;
    const struct known *known;
    if (!wanted(e, r, &known))
        return true;
    if (e->file)
        e->status = put_tables(e, r, known);
    else
        wide_write(&e->wide, stdout, e->o->format);
    return e->status == OK && !ferror(stdout);
}

static enum status write_file(struct export_of *e, long run)
{
    TRY(plain_open(e->o->argument[0], e->o->force, &e->file, e->why));
    enum status s = make_tables(e);
    if (s == OK)
        s = store_each_of_run(e->store, run, write_run, e, e->why);
    s = s == OK ? e->status : s;
    if (s == OK && e->o->trace && e->traced.shows)
        s = plain_index(e->file, "trace", "id", e->why);
    enum status closed = plain_close(e->file, s == OK, s == OK ? e->why : NULL);
    return s == OK ? closed : s;
}

static enum status write_lines(struct export_of *e, long run)
{
    if (e->o->format != RECORD_JSON)
        wide_heading(&e->wide, stdout);
    return store_each_of_run(e->store, run, write_run, e, e->why);
}

/* --- both passes */

static enum status write_all(struct export_of *e)
{
    long run = e->o->run ? e->o->run : STORE_LATEST;
    bool file = e->o->foreign == FOREIGN_SQLITE;
    TRY(store_open(e->o->store, STORE_READ, 10, &e->store, e->why));
    TRY(store_hold(e->store, e->why));
    TRY(store_each_of_run(e->store, run, learn, e, e->why));
    TRY(where_known(&e->where, &e->wide, e->why));
    if (!e->runs)
        return why_set(e->why, BAD_INPUT, "export: %.200s has no such run%s", e->o->store,
                       e->selected ? "; the claims are those of --profile, and `assay verify` with "
                                     "the same options runs them"
                                   : "");
    wide_arrange(&e->wide);
    wide_arrange(&e->traced);
    e->runs = 0;
    return file ? write_file(e, run) : write_lines(e, run);
}

/* Does the command line select claims, or set something that only a plan has, such as the profile or an axis? */
static bool selects(const struct options *o)
{
    const struct selection *s = &o->select;
    return s->paper || s->claim || s->theorem || s->algorithm || s->problem || s->check || s->planted ||
           o->profiled || s->reps || s->ranges || s->overrides.count || !isnan(s->seed);
}

static enum status plan_runs(struct export_of *e)
{
    e->selected = selects(e->o);
    if (!e->selected && e->o->foreign != FOREIGN_SQLITE)
        return OK;
    TRY(judged_from(e->o, e->o->store, true, &e->judged, e->why));
    e->planned = true;
    index_plan(e);
    return OK;
}

static enum status check_request(const struct options *o, struct why *why)
{
    bool file = o->foreign == FOREIGN_SQLITE;
    if (file && o->arguments != 1)
        return why_set(why, BAD_INPUT, "export --format sqlite: expected the name of a file to write");
    if (!file && o->format == RECORD_TEXT && o->aligned)
        return why_set(why, BAD_INPUT, "export --wide: --format text: expected csv, json or sqlite");
    return OK;
}

int export_wide(const struct options *o)
{
    struct why why = { "" };
    struct export_of e = { .o = o, .wide = wide_new(o->canonical), .traced = wide_new(true), .why = &why };
    enum status s = check_request(o, &why);
    if (s == OK)
        s = where_parse(o->where, &e.where, &why);
    if (s == OK)
        s = plan_runs(&e);
    if (s == OK)
        s = write_all(&e);
    store_close(e.store);
    if (s == OK && o->foreign == FOREIGN_SQLITE)
        fprintf(stderr, "%s: %ld runs\n", o->argument[0], e.runs);
    if (e.planned)
        judged_free(&e.judged);
    for (int k = 0; k < e.papers; k++)
        free(e.paper[k].used);
    free(e.paper);
    free(e.known);
    free(e.place);
    wide_free(&e.wide);
    wide_free(&e.traced);
    return s == OK ? EXIT_OK : complain(s, &why);
}

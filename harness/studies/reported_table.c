/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_table.c - reads CSV tables of results: finds out what each column is, and makes a run of each line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/cell.h"
#include "cell/registry.h"
#include "plan/measure.h"
#include "studies/reported.h"
#include "text/csv_line.h"

/* The most bytes that the name of a method or problem may have; messages and figures have no room for longer
 * ones. */
enum { NAME_MOST = 120 };

/* --- what a column is */

enum column_as {
    AS_NONE,
    AS_UNKNOWN,
    AS_METHOD,
    AS_PROBLEM,
    AS_DATASET,
    AS_REP,
    AS_SEED,
    AS_OUTCOME,
    AS_MESSAGE,
    AS_SECONDS,
    AS_BYTES,
    AS_SETTING,
    AS_VALUE,
    AS_STOP,
    AS_STRATEGY
};

/* What a column is. AS_SETTING: name is that of the setting, `setting` its index in the results. AS_VALUE: name is
 * that of a value of the record. */
struct column {
    enum column_as role;
    char name[REPORTED_NAME];
    int setting;
};

struct table {
    struct reported *r;
    const char *path, *measure;
    bool benchopt;
    int columns;
    char (*heading)[CSV_FIELD];
    struct column column[CSV_FIELDS];
    struct why wrong; /* what is wrong with the heading; "": nothing */
    long line;
    int from; /* the index of the first run of this file */
};

static const struct {
    const char *name;
    enum column_as role;
} words[] = {
    { "method", AS_METHOD },   { "algorithm", AS_METHOD }, { "algo", AS_METHOD },      { "solver", AS_METHOD },
    { "problem", AS_PROBLEM }, { "function", AS_PROBLEM }, { "dataset", AS_PROBLEM },  { "rep", AS_REP },
    { "replicate", AS_REP },   { "seed", AS_SEED },        { "outcome", AS_OUTCOME },  { "message", AS_MESSAGE },
    { "seconds", AS_SECONDS }, { "time", AS_SECONDS },     { "peak_bytes", AS_BYTES }, { "cell", AS_NONE },
    { "paper", AS_NONE },      { "claim", AS_NONE },       { "role", AS_NONE },        { "axis", AS_NONE },
};

/* The columns of benchopt that are known by their whole names. column_of_benchopt knows others by the beginnings of
 * their names; the rest describe the machine and the files. */
static const struct {
    const char *name;
    enum column_as role;
} words_of_benchopt[] = {
    { "solver_name", AS_METHOD },   { "objective_name", AS_PROBLEM },
    { "dataset_name", AS_DATASET }, { "data_name", AS_DATASET },
    { "idx_rep", AS_REP },          { "stop_val", AS_STOP },
    { "time", AS_SECONDS },         { "sampling_strategy", AS_STRATEGY },
};

static bool has_scope(const char *name, const char *scope)
{
    size_t n = strlen(scope);
    return strncmp(name, scope, n) == 0 && name[n] == '.' && name[n + 1];
}

static bool is_measure(const char *name)
{
    for (const struct problem *const *p = registry_problems(); *p; p++)
        for (const struct measure *m = (*p)->measures; m && m->name; m++)
            if (strcmp(m->name, name) == 0)
                return true;
    return false;
}

static bool is_fact(const char *name)
{
    int k = 0;
    while (k < FACT_COUNT && strcmp(fact_name(k), name))
        k++;
    return k < FACT_COUNT;
}

/* Returns a column of this role, whose name is `scope`, such as "goal." or "", followed by `name`. */
static struct column column_as(enum column_as role, const char *scope, const char *name)
{
    struct column c = { .role = role, .setting = -1 };
    if (snprintf(c.name, sizeof c.name, "%s%s", scope, name) >= (int)sizeof c.name)
        c.role = AS_UNKNOWN;
    return c;
}

/* Returns what a column is whose name has no scope. The measure that the user names comes first; d and members of
 * the goal are settings; other names are looked up among counts, measures and facts, in this order. */
static struct column bare_column(const struct table *t, const char *name)
{
    struct goal goal = goal_unknown();
    if (t->measure && strcmp(name, t->measure) == 0)
        return column_as(AS_VALUE, measure_is_count(name) ? "count." : "measure.", name);
    if (strcmp(name, "d") == 0)
        return column_as(AS_SETTING, "problem.", name);
    if (goal_member(&goal, name))
        return column_as(AS_SETTING, "goal.", name);
    if (measure_is_count(name))
        return column_as(AS_VALUE, "count.", name);
    if (is_measure(name))
        return column_as(AS_VALUE, "measure.", name);
    if (is_fact(name))
        return column_as(AS_VALUE, "fact.", name);
    return column_as(AS_UNKNOWN, "", name);
}

static struct column column_of(const struct table *t, const char *name)
{
    static const char *const settings[] = { "goal", "problem", "algo", "run" };
    static const char *const values[] = { "measure", "count", "fact", "idle", "centre", "error", "param", "note" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k].name, name) == 0)
            return column_as(words[k].role, "", name);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        if (has_scope(name, settings[k]))
            return column_as(strcmp(name, "run.trace") ? AS_SETTING : AS_NONE, "",
                             name); /* run.trace is left out, since no number of a run depends on it */
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (has_scope(name, values[k]))
            return column_as(AS_VALUE, "", name);
    if (strchr(name, '.'))
        return column_as(AS_NONE, "", name); /* a table that `export` has written has also columns audit.X,
                                                replay.X, set.X */
    return bare_column(t, name);
}

/* Returns what a column of a table of benchopt is, by its name. Parameters of data set and objective (p_dataset_X,
 * p_obj_X) become settings of the problem, values of the objective (objective_X) measures. */
static struct column column_of_benchopt(const char *name)
{
    for (size_t k = 0; k < sizeof words_of_benchopt / sizeof *words_of_benchopt; k++)
        if (strcmp(words_of_benchopt[k].name, name) == 0)
            return column_as(words_of_benchopt[k].role, "", name);
    if (strncmp(name, "p_dataset_", 10) == 0)
        return column_as(AS_SETTING, "problem.", name + 10);
    if (strncmp(name, "p_obj_", 6) == 0)
        return column_as(AS_SETTING, "problem.", name + 6);
    if (strncmp(name, "objective_", 10) == 0)
        return column_as(AS_VALUE, "measure.", name + 10);
    return column_as(AS_NONE, "", name);
}

/* --- reading the heading of a table */

static void note_ignored(struct reported *r, const char *name)
{
    size_t n = strlen(r->ignored);
    if (!strstr(r->ignored, name) && n + strlen(name) + 8 < sizeof r->ignored)
        snprintf(r->ignored + n, sizeof r->ignored - n, "%s%.60s", n ? ", " : "", name);
}

/* Sets r->measure, which is judged if the user asks for none: excess if there is a column for it, else the first
 * measure. */
static void choose_measure(struct table *t)
{
    struct reported *r = t->r;
    for (int k = 0; k < t->columns; k++) {
        const struct column *c = &t->column[k];
        bool measure = c->role == AS_VALUE && has_scope(c->name, "measure");
        if (measure && (!*r->measure || strcmp(c->name, "measure.excess") == 0))
            snprintf(r->measure, sizeof r->measure, "%.55s", c->name + 8);
    }
}

static bool has_role(const struct table *t, enum column_as role)
{
    for (int k = 0; k < t->columns; k++)
        if (t->column[k].role == role)
            return true;
    return false;
}

static enum status check_heading(struct table *t, struct why *why)
{
    const char *wanted = t->measure ? t->measure : "a measure, as excess or measure.X";
    bool measured = false;
    if (!has_role(t, AS_METHOD))
        return why_set(why, BAD_INPUT, "no column says the method: expected one named method");
    for (int k = 0; k < t->columns; k++) {
        const struct column *c = &t->column[k];
        for (int i = 0; i < k; i++)
            if (c->role > AS_UNKNOWN && c->role == t->column[i].role && strcmp(c->name, t->column[i].name) == 0)
                return why_set(why, BAD_INPUT, "columns %d and %d are both %.60s: expected one", i + 1, k + 1,
                               c->name);
        if (c->role == AS_VALUE && t->measure)
            measured |= strcmp(strchr(c->name, '.') + 1, t->measure) == 0 || strcmp(c->name, t->measure) == 0;
        else if (c->role == AS_VALUE)
            measured |= has_scope(c->name, "measure");
    }
    measured |= t->benchopt && t->measure && strcmp(t->measure, "above_best") == 0;
    return measured
               ? OK
               : why_set(why, BAD_INPUT, "no column has %.100s: expected one with a number for each run", wanted);
}

static bool take_heading(void *ctx, const struct csv_line *l)
{
    struct table *t = ctx;
    t->columns = l->fields;
    t->heading = malloc((size_t)l->fields * sizeof *t->heading + 1);
    BUG_IF(!t->heading);
    memcpy(t->heading, l->field, (size_t)l->fields * sizeof *t->heading);
    if (l->fields && memcmp(l->field[0], "\xef\xbb\xbf", 3) == 0)
        memmove(t->heading[0], t->heading[0] + 3, strlen(t->heading[0]) - 2);
    t->benchopt = csv_line_column(l, "solver_name") >= 0 && csv_line_column(l, "stop_val") >= 0;
    if (l->fields == CSV_FIELDS) {
        why_set(&t->wrong, BAD_INPUT, "expected fewer than %d columns", CSV_FIELDS);
        return true;
    }
    for (int k = 0; k < t->columns; k++) {
        struct column *c = &t->column[k];
        *c = t->benchopt ? column_of_benchopt(t->heading[k]) : column_of(t, t->heading[k]);
        if (c->role == AS_SEED &&
            csv_line_column(l, "cell") >= 0) /* in a table that this program has exported, which has a column
                                                "cell", `seed` is the master seed */
            *c = column_as(AS_SETTING, "run.", "seed");
        if (c->role == AS_SETTING && (c->setting = reported_setting(t->r, c->name)) < 0)
            why_set(&t->wrong, BAD_INPUT, "%.60s: expected at most %d settings", c->name, REPORTED_SETTINGS);
        if (c->role == AS_UNKNOWN)
            note_ignored(t->r, t->heading[k]);
    }
    choose_measure(t);
    if (!*t->wrong.text)
        check_heading(t, &t->wrong);
    return true;
}

/* --- reading a line of a table as a run */

static enum status bad_field(const struct table *t, int column, const char *text, const char *expected,
                             struct why *why)
{
    return why_set(why, BAD_INPUT, "%.60s: '%.60s': expected %s", t->heading[column], text, expected);
}

/* *x <- the number in a text as programs write it, also inf or Infinity; NaN for nan, na, none and an empty text.
 * Returns false if it is not a number. */
static bool read_number(const char *text, double *x)
{
    *x = NAN;
    if (!*text || strcasecmp(text, "nan") == 0 || strcasecmp(text, "na") == 0 || strcasecmp(text, "none") == 0)
        return true;
    if (number_parse(text, x))
        return true;
    char *end;
    *x = strtod(text, &end);
    return end != text && !*end;
}

static enum status take_rep(const struct table *t, int column, const char *text, struct reported_run *run,
                            struct why *why)
{
    double x;
    if (!*text)
        return OK;
    if (!read_number(text, &x) || !(x >= 0 && x < 1e9) || x != rint(x))
        return bad_field(t, column, text, "a whole number, at least 0", why);
    run->rep = (long)x;
    return OK;
}

static enum status take_outcome(const struct table *t, int column, const char *text, struct reported_run *run,
                                struct why *why)
{
    enum outcome o;
    if (!*text)
        return OK;
    if (!record_outcome_parse(text, &o))
        return bad_field(t, column, text, "ok, refused, crashed, timeout or memory", why);
    record_end(run->record, o, "as reported");
    return OK;
}

static enum status take_value(struct table *t, int column, const char *text, struct reported_run *run,
                              struct why *why)
{
    const struct column *c = &t->column[column];
    double x;
    if (!read_number(text, &x))
        return bad_field(t, column, text, "a number", why);
    if (c->role == AS_SEED)
        run->seed = x;
    else if (c->role == AS_BYTES)
        run->record->peak_bytes = x;
    else if (c->role == AS_SECONDS && !isnan(x) && !(x >= 0))
        return bad_field(t, column, text, "seconds, at least 0", why);
    else if (c->role == AS_SECONDS)
        run->record->seconds = x;
    else if (*text)
        record_put(run->record, c->name, x);
    return OK;
}

/* A setting that is not stated is empty, nan or na. The word none is a value, as that of problem.prox. */
static void take_setting(struct table *t, int setting, const char *text, struct reported_run *run)
{
    double x;
    if (strcasecmp(text, "none") && read_number(text, &x))
        run->with[setting].number = x;
    else
        run->with[setting].text = reported_text(t->r, text);
}

static enum status take_field(struct table *t, int k, const char *text, struct reported_run *run, struct why *why)
{
    switch (t->column[k].role) {
    case AS_REP: return take_rep(t, k, text, run, why);
    case AS_OUTCOME: return take_outcome(t, k, text, run, why);
    case AS_SEED:
    case AS_SECONDS:
    case AS_BYTES:
    case AS_VALUE: return take_value(t, k, text, run, why);
    case AS_SETTING: take_setting(t, t->column[k].setting, text, run); return OK;
    default: return OK;
    }
}

static const char *text_of(const struct table *t, const struct csv_line *l, enum column_as role)
{
    for (int k = 0; k < t->columns; k++)
        if (t->column[k].role == role)
            return csv_line_field(l, k);
    return "";
}

/* Returns the length of a name of benchopt without the settings in brackets at its end, which have columns of their
 * own. */
static int plain_length(const char *name) { return (int)strcspn(name, "["); }

/* Sets the setting that ended a run of benchopt: goal.T, a number of iterations, or for the strategy "tolerance"
 * goal.acc, an accuracy. */
static enum status take_stop(struct table *t, const struct csv_line *l, struct reported_run *run, struct why *why)
{
    const char *strategy = text_of(t, l, AS_STRATEGY), *text = text_of(t, l, AS_STOP);
    bool tolerance = strcasecmp(strategy, "tolerance") == 0;
    double x;
    int setting = reported_setting(t->r, tolerance ? "goal.acc" : "goal.T");
    if (setting < 0)
        return why_set(why, BAD_INPUT, "expected at most %d settings", REPORTED_SETTINGS);
    if (!read_number(text, &x))
        return why_set(why, BAD_INPUT, "stop_val: '%.60s': expected a number", text);
    run->with[setting].number = x;
    return OK;
}

/* Is the row the start of a curve, that is, does it have the budget 0? */
static bool is_start(const struct reported *r, const struct reported_run *run)
{
    for (int k = 0; k < r->settings; k++)
        if (reported_is_budget(r->setting[k].name) && run->with[k].number == 0)
            return true;
    return false;
}

static enum status take_line(void *ctx, const struct csv_line *l, struct why *why)
{
    struct table *t = ctx;
    const char *problem = text_of(t, l, AS_PROBLEM), *method = text_of(t, l, AS_METHOD);
    const char *data = text_of(t, l, AS_DATASET);
    char name[2 * CSV_FIELD];
    t->line++;
    if (*t->wrong.text)
        return BAD_INPUT;
    if (l->fields == 1 && !*l->field[0])
        return OK;
    if (l->fields != t->columns)
        return why_set(why, BAD_INPUT, "%d fields: expected %d, as in the heading", l->fields, t->columns);
    if (!*method || strlen(method) > NAME_MOST || strlen(problem) > NAME_MOST || strlen(data) > NAME_MOST)
        return why_set(why, BAD_INPUT, "method '%.60s', problem '%.60s': expected names of at most %d bytes",
                       method, problem, NAME_MOST);
    if (t->benchopt)
        snprintf(name, sizeof name, "%.*s%s%.*s", plain_length(problem), problem, *data ? ", " : "",
                 plain_length(data), data);
    else
        snprintf(name, sizeof name, "%s", *problem ? problem : "results");
    struct reported_run *run = reported_add(t->r, name, method);
    run->file = t->path;
    run->line = t->line;
    if (t->benchopt)
        TRY(take_stop(t, l, run, why));
    for (int k = 0; k < t->columns; k++)
        TRY(take_field(t, k, csv_line_field(l, k), run, why));
    run->start = is_start(t->r, run);
    return OK;
}

/* --- the measure of benchopt: a value less the best value that any solver found on the same instance */

static bool same_instance(const struct reported *r, const struct reported_run *a, const struct reported_run *b)
{
    bool same = strcmp(a->problem, b->problem) == 0;
    for (int k = 0; same && k < r->settings; k++)
        if (has_scope(r->setting[k].name, "problem"))
            same = a->with[k].text || b->with[k].text
                       ? a->with[k].text && b->with[k].text && strcmp(a->with[k].text, b->with[k].text) == 0
                       : a->with[k].number == b->with[k].number ||
                             (isnan(a->with[k].number) && isnan(b->with[k].number));
    return same;
}

static void put_above_best(struct table *t)
{
    struct reported *r = t->r;
    int n = r->runs - t->from;
    bool *done = calloc((size_t)n + 1, sizeof *done), any = false;
    BUG_IF(!done);
    for (int k = 0; k < n; k++) {
        double best = INFINITY, y;
        for (int pass = 0; pass < 2 && !done[k]; pass++)
            for (int i = k; i < n; i++) {
                struct reported_run *run = &r->run[t->from + i];
                if (done[i] || !record_get(run->record, "measure.value", &y) ||
                    !same_instance(r, &r->run[t->from + k], run))
                    continue;
                if (pass)
                    record_put(run->record, "measure.above_best", y - best);
                else
                    best = fmin(best, y);
                done[i] = pass && i > k;
                any = true;
            }
        done[k] = true;
    }
    free(done);
    if (any)
        snprintf(r->measure, sizeof r->measure, "above_best");
}

enum status reported_table(struct reported *r, const char *path, const char *measure, struct why *why)
{
    static const struct csv_table csv = { "a heading with the names of columns", take_heading, take_line };
    struct table *t = calloc(1, sizeof *t);
    BUG_IF(!t);
    *t = (struct table){ .r = r, .path = reported_text(r, path), .measure = measure, .line = 1, .from = r->runs };
    enum status s = csv_table_read(path, &csv, t, why);
    if (*t->wrong.text)
        s = why_set(why, BAD_INPUT, "%.300s:1: %.180s", path, t->wrong.text);
    if (s == OK && t->benchopt) {
        r->program = "benchopt";
        put_above_best(t);
    }
    free(t->heading);
    free(t);
    return s;
}

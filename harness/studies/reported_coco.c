/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_coco.c - reads the folders that COCO's observers write. They have .info files and, for each function and
 * dimension, a .dat file with the best values that runs had reached after numbers of evaluations. */
#include "studies/reported.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"

/* --- the .info files of a folder */

static int by_path(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static bool is_info(const FTSENT *f)
{
    return f->fts_info == FTS_F && f->fts_namelen > 5 && strcmp(f->fts_name + f->fts_namelen - 5, ".info") == 0;
}

/* --- one .info file. It consists of groups of three lines: settings, a comment, and the name of a data file
 * followed by a list of its runs. */

enum { SUITE = 80, PLACES = 64 };
struct group {
    char suite[SUITE], method[SUITE];
    double function, d;
};

/* value <- the VALUE, without quotes, of NAME = VALUE in a line of such pairs with commas between them; "": NAME is
 * not there. */
static void value_of(const char *line, const char *name, char value[SUITE])
{
    size_t n = strlen(name);
    *value = '\0';
    for (const char *at = line; (at = strstr(at, name)); at += n) {
        const char *v = at + n + strspn(at + n, " ");
        if ((at > line && at[-1] != ' ' && at[-1] != ',') || *v++ != '=')
            continue;
        v += strspn(v, " ");
        char end = *v == '\'' || *v == '"' ? *v++ : ',';
        size_t length = 0;
        while (v[length] && v[length] != end && v[length] != '\n' && length + 1 < SUITE)
            length++;
        snprintf(value, SUITE, "%.*s", (int)length, v);
        return;
    }
}

static enum status read_group(const char *line, struct group *g, struct why *why)
{
    char value[SUITE];
    value_of(line, "indicator", value);
    if (*value)
        return why_set(why, BAD_INPUT, "a suite of several objectives: expected one of a single objective");
    value_of(line, "suite", g->suite);
    if (!*g->suite)
        strcpy(g->suite, "coco");
    value_of(line, "algId", g->method);
    if (!*g->method)
        value_of(line, "algorithm", g->method);
    value_of(line, "funcId", value);
    bool good = number_parse(value, &g->function);
    value_of(line, "DIM", value);
    good = good && number_parse(value, &g->d);
    return good && *g->method ? OK : why_set(why, BAD_INPUT, "expected funcId, DIM and algId, as COCO writes them");
}

/* --- one data file. A heading line begins a run; every other line has a number of evaluations and the best value
 * so far. */

/* Reads a line of a data file that is not a heading; returns false if it cannot. The best value is its third number
 * in all formats for a single objective. */
static bool read_mark(const char *line, double *evaluations, double *best)
{
    double x[3];
    char *end;
    for (int k = 0; k < 3; k++) {
        x[k] = strtod(line, &end);
        if (end == line)
            return false;
        line = end;
    }
    *evaluations = x[0];
    *best = x[2];
    return true;
}

/* To be called when all marks of a run have been read. Puts the measures and the cost of the run into its record
 * and, if it went on after its last mark, a mark at its end; nothing if it has no marks. last: the number of all
 * its evaluations. */
static void finish_run(struct reported_run *run, double last)
{
    struct record *r = run->record;
    const struct record_trace *t = &r->trace;
    double best = INFINITY, cost = 0;
    for (size_t k = 0; k < t->rows; k++) {
        best = fmin(best, t->value[2 * k + 1]);
        cost = t->value[2 * k];
    }
    if (!t->rows)
        return;
    record_put(r, "measure.excess", best);
    record_put(r, "idle.excess", t->value[1]);
    record_put(r, "count.full_values", fmax(cost, last));
    if (last > cost)
        record_trace_row(r, (double[]){ last, best });
}

static struct reported_run *begin_run(struct reported *r, const struct group *g, const char *path, long line)
{
    static const char *const columns[] = { "full_values", "ruler" };
    char problem[SUITE + 32];
    int d = reported_setting(r, "problem.d");
    snprintf(problem, sizeof problem, "%s f%.0f", g->suite, g->function);
    struct reported_run *run = reported_add(r, problem, g->method);
    run->with[d].number = g->d;
    run->file = path;
    run->line = line;
    record_trace_columns(run->record, 2, columns);
    return run;
}

/* Reads the next entry of a list like "1:400|1.9e-02, 2:400|6.0e-03", which has INSTANCE:EVALUATIONS|VALUE for each
 * run in the order of the data file. Returns the rest of the list; NULL: there is no further entry. */
static const char *next_instance(const char *list, long *instance, double *evaluations)
{
    char *end;
    while (*list && !isdigit((unsigned char)*list))
        list++;
    *instance = strtol(list, &end, 10);
    if (end == list || *end != ':')
        return NULL;
    *evaluations = strtod(end + 1, &end);
    end += strcspn(end, ",");
    return end;
}

/* Returns the replicate number of a run: the instance, plus 1000 for each of the n earlier runs (before[n]: their
 * instances) that were on this instance too. */
static long replicate_of(long instance, const long *before, int n)
{
    long again = 0;
    for (int k = 0; k < n; k++)
        again += before[k] == instance;
    return instance + 1000 * again;
}

static enum status read_data(struct reported *r, const struct group *g, const char *path, const char *instances,
                             struct why *why)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    long at = 0, instance = 0, before[PLACES];
    int runs = 0;
    double evaluations, best, last = 0;
    struct reported_run *run = NULL;
    const char *file = reported_text(r, path);
    enum status s = in ? OK : why_set(why, IO_ERROR, "%.200s: %s", path, strerror(errno));
    while (s == OK && getline(&line, &room, in) >= 0) {
        at++;
        if (*line == '%') {
            if (run)
                finish_run(run, last);
            instances = instances ? next_instance(instances, &instance, &last) : NULL;
            if (instances && runs == PLACES)
                s = why_set(why, BAD_INPUT,
                            "%.200s:%ld: expected at most %d runs of a function and dimension",
                            path, at, PLACES);
            if (!instances || s != OK)
                break; /* the list has no entry for a run that did not end */
            run = begin_run(r, g, file, at);
            run->rep = replicate_of(instance, before, runs);
            before[runs++] = instance;
        } else if (!run || !read_mark(line, &evaluations, &best)) {
            s = why_set(why, BAD_INPUT, "%.200s:%ld: expected a heading '%%', or evaluations and values", path, at);
        } else {
            record_trace_row(run->record, (double[]){ evaluations, best });
        }
    }
    if (s == OK && run && instances)
        finish_run(run, last);
    free(line);
    if (in)
        fclose(in);
    return s;
}

/* path <- the path of the data file that a line of the .info file `info` names, relative to the folder of that
 * file; *rest <- the text behind the name. */
static void data_path(const char *info, const char *line, char path[4096], const char **rest)
{
    size_t n = strcspn(line, ","), folder = (size_t)(strrchr(info, '/') ? strrchr(info, '/') - info + 1 : 0);
    snprintf(path, 4096, "%.*s%.*s", (int)folder, info, (int)n, line);
    for (char *c = path; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    *rest = line[n] ? line + n + 1 : "";
}

static enum status read_info(struct reported *r, const char *info, struct why *why)
{
    FILE *in = fopen(info, "r");
    char *line = NULL, path[4096];
    const char *rest;
    size_t room = 0;
    struct group g;
    struct why reason = { "" };
    bool headed = false;
    long at = 0;
    enum status s = in ? OK : why_set(why, IO_ERROR, "%.200s: %s", info, strerror(errno));
    while (s == OK && getline(&line, &room, in) >= 0) {
        at++;
        line[strcspn(line, "\r\n")] = '\0';
        if (!*line || *line == '%')
            continue;
        if (strstr(line, "funcId")) {
            if (read_group(line, &g, &reason) != OK)
                s = why_set(why, BAD_INPUT, "%.200s:%ld: %s", info, at, reason.text);
            headed = true;
        } else if (!headed) {
            s = why_set(why, BAD_INPUT, "%.200s:%ld: expected a line with funcId, DIM and algId", info, at);
        } else {
            data_path(info, line, path, &rest);
            s = read_data(r, &g, path, rest, why);
        }
    }
    free(line);
    if (in)
        fclose(in);
    return s;
}

enum status reported_coco(struct reported *r, const char *folder, struct why *why)
{
    char *const roots[] = { (char *)folder, NULL };
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_path);
    enum status s = walk ? OK : why_set(why, IO_ERROR, "%.200s: %s", folder, strerror(errno));
    int files = 0;
    for (FTSENT *f; s == OK && (f = fts_read(walk));)
        if (is_info(f)) {
            s = read_info(r, f->fts_accpath, why);
            files++;
        }
    if (walk)
        fts_close(walk);
    if (s == OK && !files)
        s = why_set(why, BAD_INPUT, "%.200s: a folder without .info files: expected one that COCO wrote", folder);
    snprintf(r->measure, sizeof r->measure, "excess");
    r->program = "COCO";
    return s;
}

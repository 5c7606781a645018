/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_model.c - the answer of a run as a text file that says how to use it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "base/params.h"
#include "cli/solve.h"

static double number_of(const struct cell *c, const char *name)
{
    const struct param *p = params_find(c->problem->params, name);
    return p && p->type != PARAM_TEXT ? params_get(p, c->problem_params) : 0;
}

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* Can a file be created at the path? false: errno is the reason. */
static bool folder_takes_files(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return access(".", W_OK | X_OK) == 0;
    if (!slash[1]) {
        errno = EISDIR;
        return false;
    }
    if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path) >= (int)sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    return access(folder, W_OK | X_OK) == 0;
}

enum status solve_model_free(const char *path, bool force, struct why *why)
{
    struct stat s;
    if (stat(path, &s)) {
        if (errno == ENOENT && folder_takes_files(path))
            return OK;
        return why_set(why, BAD_INPUT, "--model %.200s: %s", path, strerror(errno));
    }
    if (!S_ISREG(s.st_mode))
        return why_set(why, BAD_INPUT, "--model %.200s: expected the name of a file", path);
    return force ? OK
                 : why_set(why, BAD_INPUT,
                           "--model %.200s: the file exists: expected a new "
                           "name, or --force",
                           path);
}

/* --- the comments above the values */

/* The table of data of the problem; NULL: it has none. */
static const struct table *table_of(const struct cell *c)
{
    const struct table *t = NULL;
    const char *data = solve_word(c, "data");
    struct data_request q = { data,
                              solve_word(c, "format"),
                              solve_word(c, "scaling"),
                              number_of(c, "test"),
                              (long)number_of(c, "split"),
                              false };
    return data && data_load(&q, &t, NULL) == OK ? t : NULL;
}

/* How labels follow from scores: two classes, or a target that was shifted and scaled. */
static void write_labels(FILE *f, const struct solution *s, const struct table *t)
{
    double low = INFINITY, high = -INFINITY, n = (double)t->n, mean = 0, square = 0;
    const char *target = solve_word(s->cell, "target");
    for (long i = 0; i < t->n; i++) {
        low = fmin(low, t->label[i]);
        high = fmax(high, t->label[i]);
        mean += t->label[i] / n;
    }
    if (!isnan(value_of(s->record, "measure.accuracy")))
        fprintf(f, "# classes: label %.17g where the score is positive, %.17g where it is "
                   "negative; 0 counts as wrong\n", high, low);
    else if (target && strcmp(target, "none")) {
        for (long i = 0; i < t->n; i++)
            square += (t->label[i] - mean) * (t->label[i] - mean) / n;
        bool scaled = strcmp(target, "zscore") == 0;
        fprintf(f, "# target: label = %.17g + %.17g score\n", mean, scaled ? sqrt(square) : 1);
    }
}

static void write_use(FILE *f, const struct solution *s, const struct table *t)
{
    const char *scaling = solve_word(s->cell, "scaling");
    bool unit = scaling && strcmp(scaling, "unit") == 0;
    const char *entry = t->mean ? "(a_index - mean)/sd" : unit ? "a_index/|a|" : "a_index";
    fprintf(f, "# score of a record a: sum of value * %s over the lines below%s\n", entry,
            number_of(s->cell, "intercept") == 1 ? "; the last index is the intercept, entry 1"
                                                 : "");
    write_labels(f, s, t);
}

static void write_head(FILE *f, const struct solution *s, const struct table *t)
{
    const char *scaling = solve_word(s->cell, "scaling");
    fprintf(f, "# assay model: index value%s, from 1; what is left out is 0\n",
            t && t->mean ? " mean sd" : "");
    fprintf(f, "# cell: %s\n", s->cell->text);
    if (t)
        fprintf(f, "# data: %s, %ld records\n", solve_word(s->cell, "data"), t->n);
    if (solve_word(s->cell, "loss"))
        fprintf(f, "# loss: %s, l2 %.17g, l1 %.17g\n", solve_word(s->cell, "loss"),
                number_of(s->cell, "l2"), number_of(s->cell, "l1"));
    fprintf(f, "# algorithm: %s\n", s->cell->algo->name);
    if (s->privacy.applies)
        fprintf(f, "# private: %s, eps %.10g at delta %.10g\n",
                solve_is_private(&s->privacy) ? "as booked" : "NO",
                account_ledger_least(s->privacy.by), s->privacy.delta);
    else if (!isnan(
                 value_of(s->record, "measure.objective"))) /* the objective depends on the data, so a private answer must not contain it */
        fprintf(f, "# objective: %.17g\n", value_of(s->record, "measure.objective"));
    fprintf(f, "# d: %ld\n", (long)s->facts->d);
    if (t) {
        fprintf(f, "# scaling: %s\n", scaling ? scaling : "none");
        write_use(f, s, t);
    }
}

static bool write_all(FILE *f, const struct solution *s)
{
    const struct table *t = table_of(s->cell);
    write_head(f, s, t);
    for (long j = 0; j < (long)s->facts->d; j++) {
        if (s->x[j] == 0)
            continue;
        fprintf(f, "%ld %.17g", j + 1, s->x[j]);
        if (t && t->mean)
            fprintf(f, " %.17g %.17g", j < t->d ? t->mean[j] : 0, j < t->d ? t->sd[j] : 1);
        fputc('\n', f);
    }
    return !ferror(f);
}

enum status solve_model_write(const char *path, const struct solution *s, struct why *why)
{
    char part[4200];
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    errno = 0;
    FILE *f = fopen(part, "w");
    bool whole = f && write_all(f, s);
    if (f)
        whole &= fclose(f) == 0;
    if (whole && rename(part, path) == 0)
        return OK;
    int error = errno;
    if (f)
        remove(part);
    return why_set(why, IO_ERROR, "--model %.200s: %s", path,
                   error ? strerror(error) : "cannot be written");
}

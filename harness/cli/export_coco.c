/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_coco.c - runs that left a trace, in the files that COCO's post-processing reads. */
#include "cli/export_coco.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/folder.h"

enum { TEXT = 400 };

struct coco_run {
    char algo[TEXT], function[TEXT];     /* as in the cell, without the dimension */
    long d, instance;
    int id;                              /* of the function, from 1 */
    struct record *record;
};

struct coco { struct coco_run *run; int runs; };

/* --- names, from the text of a cell */

/* text <- section `name` of a cell's text, or "". */
static void section(const char *cell, const char *name, char text[TEXT])
{
    char copy[4096], *rest = copy, *part;
    size_t n = strlen(name);
    *text = 0;
    snprintf(copy, sizeof copy, "%s", cell);
    while ((part = strsep(&rest, "|"))) {
        part += strspn(part, " ");
        if (strncmp(part, name, n) || part[n] != ' ')
            continue;
        snprintf(text, TEXT, "%.*s", TEXT - 1, part + n + 1);
        for (char *end = text + strlen(text); end > text && end[-1] == ' ';)
            *--end = 0;
    }
}

/* Removes the words d=..., and turns single quotes into double ones, since .info files quote with single ones. */
static void without_dimension(char *text)
{
    char copy[TEXT], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    *text = 0;
    while ((word = strsep(&rest, " ")))
        if (strncmp(word, "d=", 2)) {
            strcat(text, *text ? " " : "");
            strcat(text, word);
        }
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
}

static bool take(void *ctx, const struct record *r)
{
    struct coco *all = ctx;
    char goal[TEXT / 2 + 1], text[TEXT];
    double d;
    if (r->outcome != OUTCOME_OK || !r->trace.rows || !record_get(r, "fact.d", &d))
        return true;
    all->run = realloc(all->run, (size_t)(all->runs + 1) * sizeof *all->run);
    BUG_IF(!all->run);
    struct coco_run *c = &all->run[all->runs++];
    *c = (struct coco_run){ .d = (long)d, .record = record_copy(r) };
    BUG_IF(!c->record);
    section(r->cell, "algo", c->algo);
    section(r->cell, "goal", text);
    snprintf(goal, sizeof goal, "%.*s", (int)sizeof goal - 1, text);
    section(r->cell, "problem", text);
    snprintf(c->function, sizeof c->function, "%.190s | %s", text, goal);
    without_dimension(c->function);
    without_dimension(c->algo);
    section(r->cell, "rep", text);
    c->instance = strtol(text, NULL, 10) + 1;
    return true;
}

static int in_order(const void *a, const void *b)
{
    const struct coco_run *x = a, *y = b;
    int c = strcmp(x->function, y->function);
    c = c ? c : strcmp(x->algo, y->algo);
    return c ? c : x->d != y->d ? (x->d > y->d) - (x->d < y->d) : (x->instance > y->instance) - (x->instance < y->instance);
}

/* --- one run */

static long column(const struct record_trace *t, const char *name)
{
    for (size_t k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return (long)k;
    return -1;
}

/* The count that is this run's number of evaluations: the first of these that is not zero. */
static const char *unit_of(const struct record_trace *t)
{
    static const char *const unit[] = { "sample_grads", "full_grads", "batch_steps" };
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
        long c = column(t, unit[k]);
        if (c >= 0 && t->value[(t->rows - 1) * t->columns + (size_t)c] > 0)
            return unit[k];
    }
    return NULL;
}

struct ending { double evaluations, best; };

/* Prints the rows of a run, without its start, since COCO has no row of 0 evaluations. out NULL: only computes the
 * ending. */
static struct ending put_rows(FILE *out, const struct record_trace *t, const char *unit)
{
    long cost = column(t, unit), ruler = column(t, "ruler");
    struct ending e = { 0, INFINITY };
    for (size_t k = 0; k < t->rows && ruler >= 0; k++) {
        const double *row = t->value + k * t->columns;
        if (!(row[cost] >= 1) || !isfinite(row[ruler]))
            continue;
        e = (struct ending){ row[cost], fmin(e.best, row[ruler]) };
        if (out)
            fprintf(out, "%.0f 0 %+.9e %+.9e %+.9e\n", e.evaluations, e.best, row[ruler], e.best);
    }
    return e;
}

static bool is_usable(const struct coco_run *c)
{
    const char *unit = unit_of(&c->record->trace);
    return unit && put_rows(NULL, &c->record->trace, unit).evaluations > 0;
}

/* --- files */

/* name <- the text as the name of a folder: letters, digits, dots and dashes. */
static void slug(const char *text, char name[128])
{
    snprintf(name, 128, "%.127s", text);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *c))
            *c = '_';
}

static FILE *open_in(const char *folder, const char *name, const char *mode, char path[PATH_MAX],
                     struct why *why)
{
    snprintf(path, PATH_MAX, "%.3900s/%.150s", folder, name);
    FILE *out = fopen(path, mode);
    if (!out)
        why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    return out;
}

static enum status close_good(FILE *out, const char *path, struct why *why)
{
    bool bad = ferror(out) != 0;
    return fclose(out) || bad ? why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno)) : OK;
}

static enum status put_data(const char *folder, const char *name, const struct coco_run *run, int runs,
                            struct why *why)
{
    char path[PATH_MAX];
    FILE *out = open_in(folder, name, "w", path, why);
    if (!out)
        return IO_ERROR;
    for (int k = 0; k < runs; k++) {
        fprintf(out, "%% f evaluations | g evaluations | best noise-free fitness - Fopt (%.12e) + sum g_i+ | "
                "measured fitness | best measured fitness or single-digit g-values\n", 0.0);
        put_rows(out, &run[k].record->trace, unit_of(&run[k].record->trace));
    }
    return close_good(out, path, why);
}

static enum status put_info(const char *folder, const char *name, const char *data,
                            const struct coco_run *run, int runs, bool first, struct why *why)
{
    char path[PATH_MAX];
    FILE *out = open_in(folder, name, first ? "w" : "a", path, why);
    if (!out)
        return IO_ERROR;
    fprintf(out, "suite = 'assay', funcId = %d, DIM = %ld, Precision = 1.000e-08, algId = '%s', "
            "logger = 'bbob', data_format = 'bbob-new2', coco_version = '2.6'\n%% %s; evaluations: %s\n%s",
            run->id, run->d, run->algo, run->function, unit_of(&run->record->trace), data);
    for (int k = 0; k < runs; k++) {
        const struct record_trace *t = &run[k].record->trace;
        struct ending e = put_rows(NULL, t, unit_of(t));
        fprintf(out, ", %ld:%.0f|%.1e", run[k].instance, e.evaluations, e.best);
    }
    fputs("\n", out);
    return close_good(out, path, why);
}

/* The runs of one algorithm on one function in one dimension. first: of this function's file. */
static enum status put_block(const char *folder, const struct coco_run *run, int runs, bool first,
                             struct why *why)
{
    char name[128], own[PATH_MAX], sub[PATH_MAX + 32], file[64], data[96];
    slug(run->algo, name);
    snprintf(own, sizeof own, "%.3500s/%s", folder, name);
    snprintf(sub, sizeof sub, "%s/data_f%d", own, run->id);
    TRY(folder_make(sub, why));
    snprintf(file, sizeof file, "assay_f%d_DIM%ld.dat", run->id, run->d);
    snprintf(data, sizeof data, "data_f%d/%s", run->id, file);
    TRY(put_data(sub, file, run, runs, why));
    snprintf(file, sizeof file, "assay_f%d.info", run->id);
    return put_info(own, file, data, run, runs, first, why);
}

static bool same(const struct coco_run *a, const struct coco_run *b, bool dimension)
{
    return strcmp(a->function, b->function) == 0 && strcmp(a->algo, b->algo) == 0 &&
           (!dimension || a->d == b->d);
}

/* The end of the block that starts at `from`. Instances of one number get new ones: runs of one replicate may differ in
 * settings that are not part of these texts. */
static int block_at(struct coco *all, int from)
{
    int to = from;
    while (to < all->runs && same(&all->run[from], &all->run[to], true)) {
        if (to > from && all->run[to].instance <= all->run[to - 1].instance)
            all->run[to].instance = all->run[to - 1].instance + 1;
        to++;
    }
    return to;
}

static enum status put_all(struct coco *all, const char *folder, struct why *why)
{
    int id = 0;
    for (int k = 0; k < all->runs; k++)
        all->run[k].id = k && strcmp(all->run[k].function, all->run[k - 1].function) == 0 ? id : ++id;
    for (int from = 0, to; from < all->runs; from = to) {
        to = block_at(all, from);
        bool first = !from || !same(&all->run[from - 1], &all->run[from], false);
        TRY(put_block(folder, &all->run[from], to - from, first, why));
    }
    return OK;
}

enum status export_coco(struct store *s, long run, const char *folder, int *runs, struct why *why)
{
    struct coco all = { NULL, 0 };
    int kept = 0;
    enum status status = store_each_of_run(s, run, take, &all, why);
    for (int k = 0; k < all.runs; k++) {
        if (is_usable(&all.run[k]))
            all.run[kept++] = all.run[k];
        else
            record_free(all.run[k].record);
    }
    *runs = all.runs = kept;
    if (status == OK && !kept)
        status = why_set(why, BAD_INPUT, "export: no run of the store has a trace: expected runs with "
                         "`--set run.trace=1`");
    if (kept)
        qsort(all.run, (size_t)kept, sizeof *all.run, in_order);
    if (status == OK)
        status = put_all(&all, folder, why);
    for (int k = 0; k < all.runs; k++)
        record_free(all.run[k].record);
    free(all.run);
    return status;
}

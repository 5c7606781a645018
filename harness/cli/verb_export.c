/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_export.c - the verb export, which writes records in formats that other programs read. */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/export.h"
#include "cli/judged.h"
#include "judge/judge.h"
#include "oracle.h"
#include "plan/names.h"
#include "record/listing.h"
#include "store/store.h"
#include "text/folder.h"

/* --- COCO: runs with a trace, in the files that the post-processing of COCO reads
 * (https://numbbo.github.io/data-format).
 *
 * Each algorithm has a folder. In it each function has an .info file with a block for each dimension; the block
 * names its .dat file and says how each run ended. A function is a problem with a goal, without its dimension; an
 * instance is a replicate, counted from 1. An evaluation is a sample gradient or, for runs without sample
 * gradients, a whole gradient or a batch step; the comment of a block names it. The fitness is the ruler of the
 * family, the excess over the optimum.
 *
 * The post-processing knows a fixed list of suites and refuses others. The files say that the runs are of
 * bbob-largescale: this suite has no constraints, no reference algorithm to compare with, and any dimension is
 * read. Functions are numbered from 1 and are not those of that suite; the comment of a block says which they are.
 * Each .dat file has a .tdat file beside it, which COCO writes at fixed numbers of evaluations; here either file
 * has every mark of the trace. */
#define COCO_SUITE "bbob-largescale"

/* The longest text that is kept of a section of a cell; longer texts are cut. */
enum { TEXT = 400 };

struct coco_run {
    char algo[TEXT], function[TEXT];     /* algo: the section of the cell; function: its sections problem and goal,
                                            without the dimension */
    long d, instance;
    int id;                              /* number of the function, from 1 */
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

/* Removes the words d=..., and turns single quotes into double ones, since .info files use single quotes. */
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

static bool take_run(void *ctx, const struct record *r)
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
    return c              ? c
           : x->d != y->d ? (x->d > y->d) - (x->d < y->d)
                          : (x->instance > y->instance) - (x->instance < y->instance);
}

/* --- the rows of one run */

static long column(const struct record_trace *t, const char *name)
{
    for (size_t k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return (long)k;
    return -1;
}

/* Returns the count that serves as number of evaluations of this run: the first of several counts that is not
 * zero. */
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

/* Prints the rows of a run; returns its last number of evaluations, and the best value until then. The start is
 * left out, since COCO has no row of 0 evaluations. out NULL: prints nothing. */
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

/* --- the files of COCO */

/* name <- the text as the name of a folder: characters other than letters, digits, dots and dashes become _. */
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
    fprintf(out, "suite = '" COCO_SUITE "', funcId = %d, DIM = %ld, Precision = 1.000e-08, algId = '%s', "
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

/* Writes the runs of one algorithm on one function in one dimension. first: it is the first block in the file of
 * this function. */
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
    snprintf(file, sizeof file, "assay_f%d_DIM%ld.tdat", run->id, run->d);
    TRY(put_data(sub, file, run, runs, why));
    snprintf(file, sizeof file, "assay_f%d.info", run->id);
    return put_info(own, file, data, run, runs, first, why);
}

static bool same_block(const struct coco_run *a, const struct coco_run *b, bool dimension)
{
    return strcmp(a->function, b->function) == 0 && strcmp(a->algo, b->algo) == 0 &&
           (!dimension || a->d == b->d);
}

/* Returns the end of the block that starts at `from`. Runs of a block with the same number of an instance get new
 * numbers: runs of one replicate may differ in settings that are not part of the texts `algo` and `function`. */
static int block_at(struct coco *all, int from)
{
    int to = from;
    while (to < all->runs && same_block(&all->run[from], &all->run[to], true)) {
        if (to > from && all->run[to].instance <= all->run[to - 1].instance)
            all->run[to].instance = all->run[to - 1].instance + 1;
        to++;
    }
    return to;
}

/* Is this the name of a file that an export writes? *id <- the number of its function; *d <- the dimension, -1 for
 * an .info file, which has all dimensions. */
static bool is_of_export(const char *name, int *id, long *d)
{
    char end[6] = "";
    int n = 0;
    *d = -1;
    if (sscanf(name, "assay_f%d%n", id, &n) != 1)
        return false;
    return strcmp(name + n, ".info") == 0 ||
           (sscanf(name + n, "_DIM%ld.%5s", d, end) == 2 && (strcmp(end, "dat") == 0 || strcmp(end, "tdat") == 0));
}

static bool is_written(const struct coco *all, const char *algo, int id, long d)
{
    char name[128];
    for (int k = 0; k < all->runs; k++) {
        if (all->run[k].id != id || (d >= 0 && all->run[k].d != d))
            continue;
        slug(all->run[k].algo, name);
        if (strcmp(name, algo) == 0)
            return true;
    }
    return false;
}

/* Looks for files that another export has left in the folder and this one does not write over. A reader would take
 * their functions for those of this export, under numbers that mean others here. force: removes them, and the
 * folders below it that are then empty; else BAD_INPUT. */
static enum status clear_folder(const struct coco *all, const char *folder, bool force, struct why *why)
{
    char *const roots[] = { (char *)folder, NULL };
    enum status s = OK;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    int id;
    long d;
    if (!tree)
        return file_trouble(folder, why);
    for (FTSENT *e; s == OK && (e = fts_read(tree));) {
        if (e->fts_info == FTS_DP && e->fts_level > 0 && e->fts_number && rmdir(e->fts_path) == 0)
            e->fts_parent->fts_number = 1;           /* something was removed from this folder */
        if (e->fts_info != FTS_F || !is_of_export(e->fts_name, &id, &d) || e->fts_level != (d < 0 ? 2 : 3) ||
            is_written(all, d < 0 ? e->fts_parent->fts_name : e->fts_parent->fts_parent->fts_name, id, d))
            continue;
        if (!force)
            s = why_set(why, BAD_INPUT, "%.200s: of another export, whose functions have other numbers: expected "
                        "another folder as --output, or --force, which removes such files", e->fts_path);
        else if (unlink(e->fts_path))
            s = file_trouble(e->fts_path, why);
        e->fts_parent->fts_number = 1;
    }
    fts_close(tree);
    return s;
}

static enum status put_all(struct coco *all, const char *folder, bool force, struct why *why)
{
    int id = 0;
    for (int k = 0; k < all->runs; k++)
        all->run[k].id = k && strcmp(all->run[k].function, all->run[k - 1].function) == 0 ? id : ++id;
    TRY(clear_folder(all, folder, force, why));
    for (int from = 0, to; from < all->runs; from = to) {
        to = block_at(all, from);
        bool first = !from || !same_block(&all->run[from - 1], &all->run[from], false);
        TRY(put_block(folder, &all->run[from], to - from, first, why));
    }
    return OK;
}

/* Writes the records of a run of the program (`run`: its number in the store, or STORE_LATEST) into the folder;
 * *runs <- how many cells were written. BAD_INPUT: no record has a trace, or the folder has files of another export
 * and `force` is not set. IO_ERROR: a file cannot be written. */
static enum status export_coco(struct store *s, long run, const char *folder, bool force, int *runs,
                               struct why *why)
{
    struct coco all = { NULL, 0 };
    int kept = 0;
    enum status status = store_each_of_run(s, run, take_run, &all, why);
    for (int k = 0; k < all.runs; k++) {
        if (is_usable(&all.run[k]))
            all.run[kept++] = all.run[k];
        else
            record_free(all.run[k].record);
    }
    *runs = all.runs = kept;
    if (status == OK && !kept)
        status = why_set(why, BAD_INPUT, "export: no %s has a trace: expected runs with `--set run.trace=1`",
                         run == STORE_LATEST ? "run of the store" : "cell of this run");
    if (kept)
        qsort(all.run, (size_t)kept, sizeof *all.run, in_order);
    if (status == OK)
        status = put_all(&all, folder, force, why);
    for (int k = 0; k < all.runs; k++)
        record_free(all.run[k].record);
    free(all.run);
    return status;
}

/* --- Extra-P: the values of claims as JSON lines, one for each point and metric,
 *
 *     {"params": {AXIS: number}, "callpath": CLAIM, "metric": NAME, "value": [one for each replicate]}
 *
 * The metrics are the claim's measure, the counts that are not 0, and seconds. */

struct metric { const char *name; int count; };      /* count: the kind of count; -1: the measure; -2: seconds */

static bool metric_value(const struct plan *p, const struct task *t, const struct record *r,
                     const struct metric *m, double *v)
{
    struct evaluated e;
    char name[RECORD_NAME];
    if (m->count == -2) {
        *v = r->seconds;
        return true;
    }
    if (m->count >= 0) {
        snprintf(name, sizeof name, "count.%s", m->name);
        return record_get(r, name, v) && *v != 0;
    }
    if (!judge_run(t, p->cell[t->cell], r, &e))
        return false;
    *v = e.y;
    return isfinite(*v);
}

/* Prints the line of one metric of a claim at one point, from the runs of the claim itself. Returns false, and
 * prints nothing, where no run has a number. */
static bool put_line(FILE *out, const struct plan *p, struct record *const *record,
                     const struct planned_claim *c, int point, const struct metric *m)
{
    struct json j = { .out = out, .digits = 17 };
    bool any = false;
    for (const struct task *t = c->task, *end = t + c->tasks; t < end; t++) {
        const struct record *r = record[t->cell];
        double v;
        if (t->role != ROLE_MAIN || t->grid >= 0 || t->point != point || !r || r->outcome != OUTCOME_OK ||
            !metric_value(p, t, r, m, &v))
            continue;
        if (!any) {
            json_open(&j, NULL, '{');
            json_open(&j, "params", '{');
            json_real(&j, c->claim->axis, t->axis);
            json_close(&j, '}');
            json_text(&j, "callpath", c->claim->id);
            json_text(&j, "metric", m->name);
            json_open(&j, "value", '[');
        }
        json_real(&j, NULL, v);
        any = true;
    }
    if (any)
        fputs("]}\n", out);
    return any;
}

static long put_claim(FILE *out, const struct plan *p, struct record *const *record,
                      const struct planned_claim *c)
{
    long lines = 0;
    for (int point = 0; point < c->points; point++) {
        lines += put_line(out, p, record, c, point, &(struct metric){ c->claim->measure, -1 });
        for (int k = 0; k < COUNT_KINDS; k++)
            if (strcmp(count_name(k), c->claim->measure))
                lines += put_line(out, p, record, c, point, &(struct metric){ count_name(k), k });
        lines += put_line(out, p, record, c, point, &(struct metric){ "seconds", -2 });
    }
    return lines;
}

/* Exports the claims; *lines <- how many lines were printed. BAD_INPUT: the claims have several axes, but all lines
 * of a file must have the same parameters; or nothing was measured. */
static enum status export_extrap(FILE *out, const struct plan *p, struct record *const *record, long *lines,
                          struct why *why)
{
    const struct claim *first = NULL;
    *lines = 0;
    for (int k = 0; k < p->claims; k++) {
        const struct claim *c = p->claim[k].claim;
        if (!c->axis || !c->measure || !p->claim[k].tasks)
            continue;
        if (first && strcmp(first->axis, c->axis))
            return why_set(why, BAD_INPUT, "export: %.100s has the axis %.20s, %.100s %.20s: expected claims of "
                           "one axis, see --claim", first->id, first->axis, c->id, c->axis);
        first = first ? first : c;
    }
    for (int k = 0; k < p->claims; k++)
        if (p->claim[k].claim->axis && p->claim[k].claim->measure)
            *lines += put_claim(out, p, record, &p->claim[k]);
    return *lines ? OK : why_set(why, BAD_INPUT, "export: the store holds no run of these claims: run `assay "
                                 "verify` first");
}

/* --- the verb */

static int of_store(const struct options *o)
{
    struct store *store;
    struct why why = { "" };
    int runs = 0;
    bool coco = o->foreign == FOREIGN_COCO;
    long run = o->run ? o->run : STORE_LATEST;
    struct store_identity id;
    enum status s = store_open(o->store, STORE_READ, 10, &store, &why);
    if (s != OK)
        return complain(s, &why);
    if (o->run)
        s = store_identity_of(store, run, &id, &why);
    if (s == OK)
        s = coco ? export_coco(store, run, o->output, o->force, &runs, &why)
                 : store_export(store, run, stdout, o->format, o->canonical, &why);
    store_close(store);
    if (s == OK && coco)
        fprintf(stderr, "%s: %d runs\n", o->output, runs);
    return s == OK ? EXIT_OK : complain(s, &why);
}

static int of_claims(struct options *o)
{
    struct judged j;
    struct why why = { "" };
    long lines;
    enum status s = names_check(&o->select, &why);
    if (s == OK)
        s = judged_from(o, o->store, true, &j, &why);
    if (s != OK)
        return complain(s, &why);
    s = export_extrap(stdout, &j.plan, j.record, &lines, &why);
    judged_free(&j);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* The forms of the export. A table below lists the options that have an effect in some forms only; options that are
 * not listed select claims and their settings. */
enum form { FORM_RECORDS = 1, FORM_WIDE = 2, FORM_SQLITE = 4, FORM_COCO = 8, FORM_EXTRAP = 16, FORMS = 31,
            FORM_TABLES = FORM_WIDE | FORM_SQLITE };

static const struct { const char *option; int forms; } effects[] = {
    { "format", FORMS }, { "store", FORMS }, { "plugin", FORMS }, { "help", FORMS },
    { "canonical", FORM_RECORDS | FORM_TABLES | FORM_COCO }, { "run", FORM_RECORDS | FORM_TABLES | FORM_COCO },
    { "output", FORM_COCO }, { "wide", FORM_TABLES }, { "where", FORM_TABLES }, { "trace", FORM_SQLITE },
    { "force", FORM_SQLITE | FORM_COCO },
};

static int forms_of(const char *option)
{
    for (size_t k = 0; k < sizeof effects / sizeof *effects; k++)
        if (strcmp(effects[k].option, option) == 0)
            return effects[k].forms;
    return FORM_TABLES | FORM_EXTRAP;
}

static enum form form_of(const struct options *o)
{
    return o->foreign == FOREIGN_COCO ? FORM_COCO : o->foreign == FOREIGN_EXTRAP ? FORM_EXTRAP
         : o->foreign == FOREIGN_SQLITE ? FORM_SQLITE : o->wide ? FORM_WIDE : FORM_RECORDS;
}

/* Refuses the first typed option that has no effect in this form. */
static enum status check_form(const struct options *o, enum form form, struct why *why)
{
    static const struct { enum form form; const char *text; } names[] = {
        { FORM_WIDE, "--wide" }, { FORM_SQLITE, "--format sqlite" }, { FORM_COCO, "--format coco" },
        { FORM_EXTRAP, "--format extrap" },
    };
    const char *const *option = o->typed;
    while (*option && (forms_of(*option) & form))
        option++;
    if (!*option)
        return OK;
    char list[100] = "";
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (forms_of(*option) & names[k].form)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", names[k].text);
    return why_set(why, BAD_INPUT, "--%s: of `export` for %s only", *option, list);
}

int verb_export(struct options *o)
{
    struct why why = { "" };
    enum form form = form_of(o);
    enum status s = check_form(o, form, &why);
    if (s == OK && o->arguments && form != FORM_SQLITE)
        s = why_set(&why, BAD_INPUT, "export: unexpected argument '%.80s'; a FILE is for --format sqlite",
                    o->argument[0]);
    if (s != OK)
        return complain(s, &why);
    return form & FORM_TABLES ? export_wide(o) : form == FORM_EXTRAP ? of_claims(o) : of_store(o);
}

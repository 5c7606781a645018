/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_import.c - the verb import, which reads results of other programs and draws them as a sweep, or judges a
 * promise on them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/judged.h"
#include "studies/reported.h"
#include "studies/sweep.h"

static enum status read_path(struct reported *r, const char *path, const char *measure, struct why *why)
{
    struct stat about;
    size_t n = strlen(path);
    if (stat(path, &about))
        return why_set(why, IO_ERROR, "%.300s: %m", path);
    if (S_ISDIR(about.st_mode))
        return reported_coco(r, path, why);
    if (n > 8 && strcmp(path + n - 8, ".parquet") == 0)
        return why_set(why, BAD_INPUT,
                       "%.150s: Parquet: expected CSV, which `benchopt run --output "
                       "results.csv` writes, and pandas.read_parquet(...).to_csv",
                       path);
    return reported_table(r, path, measure, why);
}

static enum status read_all(const struct options *o, struct reported *r, struct why *why)
{
    if (!o->arguments)
        return why_set(why, BAD_INPUT, "import: expected files or folders of results");
    for (int k = 0; k < o->arguments; k++)
        TRY(read_path(r, o->argument[k], o->experiment.measure, why));
    return reported_end(r, why);
}

/* Returns the request that the options make. *set <- the settings of --set and the axes with a single value;
 * range[] <- the other axes. */
static struct reported_request request_of(const struct options *o, struct bag *set, struct range *range)
{
    const struct experiment *e = &o->experiment;
    struct reported_request q = { .algorithm = o->select.algorithm,
                                  .problem = o->select.problem,
                                  .measure = e->measure,
                                  .cost = e->cost,
                                  .promise = e->promise,
                                  .against = e->against,
                                  .command = o->command,
                                  .control = { e->control[0], e->control[1] },
                                  .set = set,
                                  .range = range };
    memcpy(q.rival, e->rival, sizeof q.rival);
    bag_copy(set, &o->select.overrides);
    for (int k = 0; k < o->select.ranges; k++)
        if (o->select.range[k].values == 1)
            bag_put(set, o->select.range[k].name, o->select.range[k].value[0]);
        else
            range[q.ranges++] = o->select.range[k];
    return q;
}

/* Prints what was read, what was left out, and what the files do not count. */
static void print_read(const struct reported *r, const struct reported_plan *p)
{
    if (*r->ignored)
        fprintf(stderr,
                "columns that are not read: %s; measure.NAME, count.NAME, problem.NAME or algo.NAME would be\n",
                r->ignored);
    if (*p->note)
        fprintf(stderr, "%s\n", p->note);
    fprintf(stderr, "%d runs%s%s, counts as reported\n", r->runs, r->program ? " of " : "",
            r->program ? r->program : "");
}

static int show_sweep(struct options *o, struct reported_plan *p)
{
    const struct study_request q = { options_request(o), o->output, o->command, o->format };
    struct why why = { "" };
    struct sweep s;
    sweep_make(&p->plan, p->record, p->judgement, p->cost, &s);
    sweep_print(&q, &s);
    enum status status = sweep_page(&q, &s, &why);
    sweep_free(&s);
    if (status != OK)
        return complain(status, &why);
    fprintf(stderr, "report: %s/index.html\n", o->output);
    return EXIT_OK;
}

int verb_import(struct options *o)
{
    struct why why = { "" };
    struct reported r;
    struct reported_plan p = { .made = NULL };
    struct bag set = { 0 };
    struct range range[RANGES_MAX];
    const struct reported_request q = request_of(o, &set, range);
    bool promised = q.promise || q.against;
    reported_begin(&r);
    enum status s = promised || !(q.control[0] || q.rival[0])
                        ? read_all(o, &r, &why)
                        : why_set(&why, BAD_INPUT,
                                  "import: --control and --rival need --promise LAW or --against METHOD");
    if (s == OK)
        s = promised ? reported_claim(&r, &q, &p, &why) : reported_sweep(&r, &q, &p, &why);
    int code = s == OK ? EXIT_OK : complain(s, &why);
    if (s == OK) {
        reported_judge(&p);
        const struct judged j = { p.plan, p.record, p.judgement, NAN };
        code = promised ? judged_report(o, &j) : show_sweep(o, &p);
        print_read(&r, &p);
    }
    if (p.made)
        reported_plan_free(&p);
    reported_free(&r);
    bag_free(&set);
    return code;
}

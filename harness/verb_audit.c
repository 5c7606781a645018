/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_audit.c - audit NAME: attacks on the privacy of one method; audit NAME --replay: what
 * passes its releases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "execute.h"
#include "pool.h"
#include "private.h"
#include "registry.h"
#include "run_private.h"
#include "solve.h"

enum { NEIGHBOURS = 12, RUNS = 1000, BLOCK = 100 };      /* blocks are even: audit_collect */

/* --- what is asked */

static bool asked(const struct options *o, const char *axis)
{
    char name[64];
    for (int k = 0; k < o->select.ranges; k++)
        if (strcmp(o->select.range[k].name, axis) == 0)
            return true;
    snprintf(name, sizeof name, "goal.%s", axis);
    return bag_find(&o->select.overrides, name);
}

static void set_default(struct options *o, const char *name, double value)
{
    bag_put(&o->select.overrides, name, value);
    fprintf(stderr, "by default: --set %s=%g\n", name, value);
}

/* Small. Methods by coordinates: records whose every entry is as large as it may be, so that a
 * neighbour differs by the whole sensitivity in each. One step is attacked: over many, what accountants
 * can prove of such noise is far above what anyone sees. */
static void default_instance(struct options *o, const struct algo *a)
{
    bool cursor = a && a->calls & CALL_POINT;
    const char *axis = cursor ? "goal.T" : "goal.n";
    o->select.problem = cursor ? "private_mean" : "linear";
    fprintf(stderr, "by default: --problem %s\n", o->select.problem);
    if (!bag_find(&o->select.overrides, "problem.d") && !asked(o, "d"))
        set_default(o, "problem.d", 8);
    if (!asked(o, "n") && !asked(o, "T") && !asked(o, "budget"))
        set_default(o, axis, !cursor ? 64 : o->replay ? 8 : 1);
}

/* The cell that is attacked: as in solve, on a small instance where nothing else is said. */
static enum status audit_cell(struct options *o, struct runner *rn, struct cell **c,
                              struct why *why)
{
    *c = NULL;
    if (o->arguments != 1)
        return why_set(why, BAD_INPUT, "audit: expected the name of one private algorithm");
    const struct algo *a = registry_algo(o->argument[0]);
    if (a && a->adjacency == ADJACENCY_NONE)
        return why_set(why, BAD_INPUT, "audit: %s is no private method: it declares no adjacency",
                       a->name);
    o->select.algorithm = o->argument[0];
    if (!o->select.problem && !o->data)
        default_instance(o, a);
    if (!asked(o, "eps") && !asked(o, "rho"))
        set_default(o, "goal.eps", 1);
    return solve_cell(o, rn, c, why);
}

/* The same with a neighbour, and as replicate k - 1: other data, other draws. */
static enum status with_neighbour(const struct cell *c, long k, struct cell **out, struct why *why)
{
    struct bag bag = { 0 };
    bag_copy(&bag, &c->bag);
    bag_put(&bag, "run.replay", (double)k);
    enum status s = cell_make(c->problem->name, c->algo->name, &bag, k - 1, out, why);
    bag_free(&bag);
    return s;
}

/* --- printing */

static void print_promise(const struct cell *c, const struct privacy_seen *p)
{
    static const char *const adjacency[] = { "none", "zero-out", "replace-one", "add/remove" };
    printf("cell        %s\n", c->text);
    printf("promised    eps = %.6g at delta = %.3g, adjacency %s\n", p->promise, p->delta,
           adjacency[c->algo->adjacency]);
    if (privacy_whole(p) < p->promise)
        printf("            normal noise can spend eps = %.6g of it: parts are of that\n",
               privacy_whole(p));
    printf("accounted   eps = %.6g:", p->spent);
    for (int k = 0; k < p->accountants; k++)
        printf("%s %s %.6g", k ? "," : "", p->by[k].name, p->by[k].eps);
    printf("\n");
    if (p->told)
        printf("not private: the method was told constants computed from the data\n");
}

static void print_sites(const struct privacy_seen *p)
{
    for (int k = 0; k < p->sites; k++) {
        const struct private_site *s = &p->site[k];
        printf("  %-32s met the record %.0f times", s->name, s->touched);
        if (s->failure > 0)
            printf(", beyond its sensitivity %.0f times, declared probability %.3g\n", s->exceeded,
                   s->failure);
        else
            printf(", worst ratio %.6g\n", s->ratio);
    }
}

static bool over(double eps, double promise)
{
    return eps > promise * (1 + 1e-9);
}

/* What was booked, against the promise: the exit code, EXIT_OK where a proof keeps it. */
static int priced(const struct privacy_seen *p)
{
    return over(p->lower, p->promise)   ? EXIT_CONTRADICTED
           : over(p->spent, p->promise) ? EXIT_INCOMPLETE
                                        : EXIT_OK;
}

static void print_priced(const struct privacy_seen *p)
{
    if (priced(p) == EXIT_CONTRADICTED)
        printf("verdict     EXCEEDED: what was booked costs eps = %.6g at least\n", p->lower);
    else
        printf("verdict     OPEN: the best proof is of eps = %.6g\n", p->spent);
}

/* As numbers instead: CSV lines, or a JSON array of records. */
static void print_records(const struct options *o, struct record *const *record, int n)
{
    if (o->format == RECORD_CSV)
        fputs(RECORD_CSV_HEADER, stdout);
    for (int k = 0; k < n; k++) {
        if (o->format == RECORD_JSON)
            fputs(k ? ",\n" : "[", stdout);
        record_write(stdout, record[k], o->format, o->canonical);
    }
    if (o->format == RECORD_JSON)
        fputs("]\n", stdout);
}

/* --- replay */

static const char *const choices[] = { "random", "canary", "largest" };

/* 0: all ran; else the exit code of the first that did not. */
static int failed_replays(struct record *const *record, int n)
{
    int code = 0;
    for (int k = 0; k < n; k++) {
        if (record[k]->outcome == OUTCOME_OK)
            continue;
        fprintf(stderr, "assay: neighbour %d %s: %s\n", k + 1,
                record_outcome_name(record[k]->outcome), record[k]->message);
        if (!code)
            code = record[k]->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
    }
    return code;
}

static void print_leaks(struct cell *const *cell, struct record *const *record, int n)
{
    for (int k = 0; k < n; k++) {
        double leak = 0, call = 0, choice = 0;
        record_get(record[k], "replay.leak", &leak);
        record_get(record[k], "replay.call", &call);
        record_get(record[k], "replay.choice", &choice);
        if (leak > 0 && call > 0)
            printf("  neighbour %d (%s), call %.0f: %s\n", k + 1, choices[(int)choice], call,
                   leak_words((enum leak)leak));
        else if (leak > 0)
            printf("  neighbour %d (%s): %s\n", k + 1, choices[(int)choice],
                   leak_words((enum leak)leak));
        if (leak > 0)
            printf("    assay rerun '%s'\n", cell[k]->text);
    }
}

static int print_replays(const struct options *o, struct cell *const *cell,
                         struct record *const *record, int n)
{
    struct privacy_seen p = privacy_none();
    int failed = failed_replays(record, n);
    if (failed)
        return failed;
    for (int k = 0; k < n; k++)
        privacy_add(&p, record[k], k + 1);
    const struct private_site *often = privacy_fails(&p);
    bool leaks = p.leaks || often, met = privacy_met(&p);
    int code = leaks ? EXIT_CONTRADICTED : priced(&p);
    if (code == EXIT_OK && !met)
        code = EXIT_INCOMPLETE;
    if (o->format != RECORD_TEXT) {
        print_records(o, record, n);
        return code;
    }
    print_promise(cell[0], &p);
    printf("replayed    %d neighbours, each with data and draws of its own\n", p.replays);
    print_sites(&p);
    print_leaks(cell, record, n);
    if (often)
        printf("  %s fails more often than it declares\n", often->name);
    if (!leaks && priced(&p) != EXIT_OK)
        print_priced(&p);
    else
        printf("verdict     %s\n", leaks ? "LEAK" : met ? "OK" : "OPEN: no release met the record");
    return code;
}

static int replay(const struct options *o, const struct cell *c)
{
    struct why why = { "" };
    int n = o->select.reps > 0 ? (int)o->select.reps : NEIGHBOURS, code;
    struct cell **cell = calloc((size_t)n, sizeof *cell);
    struct record **record = calloc((size_t)n, sizeof *record);
    BUG_IF(!cell || !record);
    enum status s = OK;
    for (int k = 0; k < n && s == OK; k++)
        s = with_neighbour(c, k + 1, &cell[k], &why);
    struct execution x = { .cell = cell, .cells = n, .workers = o->jobs, .timeout = o->timeout,
                           .memory_limit = (size_t)(o->memory * 0x1p20), .record = record };
    if (s == OK)
        s = execute(&x, &why);
    code = s == OK ? print_replays(o, cell, record, n) : complain(s, &why);
    for (int k = 0; k < n; k++) {
        cell_free(cell[k]);
        record_free(record[k]);
    }
    free(cell);
    free(record);
    return code;
}

/* --- audit: blocks of runs in workers */

struct attack {
    const struct cell *cell;
    size_t memory;
    struct runner *runner;
    struct audit_runs all;
    long runs;
    bool failed;
    struct why why;
};

static long block_size(const struct attack *a, size_t index)
{
    long left = a->runs - (long)index * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static void work(void *ctx, size_t index, struct pool_reply *reply)
{
    struct attack *a = ctx;
    struct audit_runs part;
    struct why why = { "" };
    struct runner *rn = runner_new(a->memory);
    long n = block_size(a, index);
    enum status s = audit_collect(rn, a->cell, (long)index * BLOCK, n, &part, &why);
    if (s == OK) {
        pool_append(reply, &part.release, sizeof part.release);
        for (int side = 0; side < 2; side++)
            pool_append(reply, part.side[side],
                        (size_t)(n * audit_row(&part)) * sizeof(double));
    }
    audit_free(&part);
    runner_free(rn);
}

static void done(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                 const char *message, double seconds)
{
    struct attack *a = ctx;
    struct audit_runs *all = &a->all;
    long release, block = block_size(a, index);
    if (end != POOL_DONE || n < sizeof release) {
        a->failed = true;
        snprintf(a->why.text, sizeof a->why.text, "a block of runs failed: %.200s",
                 end == POOL_DONE ? "refused" : message);
        return;
    }
    memcpy(&release, bytes, sizeof release);
    if (!all->side[0])
        audit_room(all, release);
    size_t part = (size_t)(block * audit_row(all));
    const double *v = (const double *)((const char *)bytes + sizeof release);
    for (int side = 0; side < 2; side++)
        memcpy(all->side[side] + (long)index * BLOCK * audit_row(all), v + (size_t)side * part,
               part * sizeof *v);
}

static enum status collect(const struct options *o, struct attack *a, struct why *why)
{
    size_t jobs = (size_t)((a->runs + BLOCK - 1) / BLOCK);
    struct pool_job *job = calloc(jobs, sizeof *job);
    BUG_IF(!job);
    for (size_t k = 0; k < jobs; k++)
        job[k] = (struct pool_job){ k, o->timeout, a->memory };
    struct pool_config config = { .workers = o->jobs, .job = job, .jobs = jobs, .ctx = a,
                                  .work = work, .done = done };
    enum pool_result result = pool_run(&config, why);
    free(job);
    if (a->failed)
        *why = a->why;
    return result == POOL_COMPLETE && !a->failed ? OK : NO_MEMORY;
}

static const char *statistic_words(const char *name)
{
    if (strcmp(name, "loss") == 0)
        return "likelihood of all releases with the record against without it";
    return strcmp(name, "release") == 0
               ? "the first release that meets the record, projected on the difference of means"
               : strcmp(name, "answer") == 0 ? "the answer, projected on the difference of means"
                                             : "none: too few runs";
}

struct words { char at[60]; };

/* An epsilon as a part of what is promised. */
static struct words part(const struct privacy_seen *p, double eps)
{
    struct words text;
    if (privacy_whole(p) > 0)
        snprintf(text.at, sizeof text.at, "%.3g%% of what is promised",
                 100 * eps / privacy_whole(p));
    else
        snprintf(text.at, sizeof text.at, eps > 0 ? "more than nothing, which is promised"
                                                  : "nothing is promised");
    return text;
}

/* What the bounds could be, were the promise spent to the last. */
static void print_ceiling(const struct privacy_seen *p, long held)
{
    double by_mu = p->ceiling_mu > 0 ? account_gaussian_eps(p->ceiling_mu, p->delta) : 0;
    printf("ceiling     %ld runs a side show eps >= %.4g (Clopper and Pearson) of %s that spends "
           "all\n", held, p->ceiling, p->gaussian ? "Gaussian noise" : "a mechanism");
    if (p->gaussian)
        printf("            of it, and mu >= %.4g, that is eps >= %.4g: %s\n", p->ceiling_mu,
               by_mu, part(p, by_mu).at);
    else
        printf("            of it: %s\n", part(p, p->ceiling).at);
}

static int print_audit(const struct options *o, const struct cell *c, struct record *r,
                       const struct audit *a, const struct audit *answer,
                       const struct audit_one *one)
{
    struct privacy_seen p = privacy_none();
    privacy_add(&p, r, 1);
    double by_mu = a->mu > 0 ? account_gaussian_eps(a->mu, p.delta) : 0;
    bool more = over(privacy_shown(&p), p.promise);
    int code = more ? EXIT_CONTRADICTED : priced(&p);
    if (o->format != RECORD_TEXT) {
        print_records(o, &r, 1);
        return code;
    }
    print_promise(c, &p);
    printf("statistic   %s\n", statistic_words(a->statistic));
    printf("runs        %.0f a side: half to choose the statistic, half to judge\n", p.audits);
    printf("shown       eps >= %.4g (95%%, Clopper and Pearson): %s\n", a->eps,
           part(&p, a->eps).at);
    printf("            mu >= %.4g (95%%, pairs), for Gaussian noise eps >= %.4g: %s\n", a->mu,
           by_mu, part(&p, by_mu).at);
    print_ceiling(&p, a->held);
    printf("answer only eps >= %.4g (95%%), mu >= %.4g\n", answer->eps, answer->mu);
    if (one->guesses)
        printf("one run     %ld canaries, guessed by %s: %ld of %ld right, eps >= %.4g (95%%): "
               "%s\n", one->m, one->white ? "the releases" : "the answer", one->right,
               one->guesses, one->eps, part(&p, one->eps).at);
    printf("explained   %s\n", part(&p, privacy_most(&p)).at);
    if (!more && code != EXIT_OK)
        print_priced(&p);
    else
        printf("verdict     %s: eps >= %.4g but for a chance of 1e-6\n", more ? "EXCEEDED" : "OK",
               privacy_shown(&p));
    return code;
}

static int attack(const struct options *o, struct runner *rn, const struct cell *c)
{
    struct attack a = { .cell = c, .memory = (size_t)(o->memory * 0x1p20),
                        .runs = o->runs > 0 ? o->runs : RUNS };
    struct why why = { "" };
    struct cell *priced;
    struct audit_one one = { 0 };
    enum status s = with_neighbour(c, 1, &priced, &why);
    if (s != OK)
        return complain(s, &why);
    struct record *r = run_cell(rn, priced, NULL);
    cell_free(priced);
    int code = r->outcome == OUTCOME_OK ? EXIT_OK
             : r->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
    if (code != EXIT_OK) {
        fprintf(stderr, "assay: audit %s: %s\n", record_outcome_name(r->outcome), r->message);
        record_free(r);
        return code;
    }
    double d = NAN, delta = NAN, taken = NAN;
    record_get(r, "fact.d", &d);
    record_get(r, "privacy.delta", &delta);
    record_get(r, "count.taken", &taken);
    a.all = (struct audit_runs){ .n = a.runs, .d = (long)d };
    s = collect(o, &a, &why);
    if (s == OK)
        s = audit_one_run(rn, c, taken < 1e6 ? (long)taken : 0, delta, &one, &why);
    if (s == OK) {
        struct audit judged = audit_judge(&a.all, delta);
        struct audit answer = audit_judge_answer(&a.all, delta);
        private_put_audit(r, a.runs, &judged);
        private_put_one(r, &one);
        code = print_audit(o, c, r, &judged, &answer, &one);
    } else {
        code = complain(s, &why);
    }
    audit_free(&a.all);
    record_free(r);
    return code;
}

int verb_audit(struct options *o)
{
    struct runner *rn = runner_new((size_t)(o->memory * 0x1p20));
    struct cell *c = NULL;
    struct why why = { "" };
    enum status s = audit_cell(o, rn, &c, &why);
    int code = s != OK ? complain(s, &why) : o->replay ? replay(o, c) : attack(o, rn, c);
    cell_free(c);
    runner_free(rn);
    return code;
}

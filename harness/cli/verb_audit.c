/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_audit.c - the verb audit. audit NAME attacks the privacy of a method; audit NAME --replay looks for data
 * that reach the answer of a method other than through releases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "cli/solve.h"
#include "exec/method.h"
#include "judge/private.h"
#include "plan/private_claims.h"
#include "pool/execute.h"
#include "pool/pool.h"
#include "privacy/account.h"
#include "run/audit.h"
#include "run/run_private.h"

/* NEIGHBOURS: the default number of replays. RUNS: the default number of runs on each of two data sets; a lower
 * limit of epsilon at 95% grows about with the logarithm of this number. BLOCK: how many runs one job of the pool
 * makes; it is even, as audit_collect needs an even number for the first run of a block. */
enum { NEIGHBOURS = 12, RUNS = 1000, BLOCK = 100 };

/* --- the cell that is audited */

static bool asked(const struct options *o, const char *axis)
{
    char name[64];
    snprintf(name, sizeof name, "goal.%s", axis);
    return plan_range(&o->select, axis) || bag_find(&o->select.overrides, name);
}

static void set_default(struct options *o, const char *name, double value)
{
    bag_put(&o->select.overrides, name, value);
    fprintf(stderr, "by default: --set %s=%g\n", name, value);
}

static void set_word(struct options *o, const char *name, const char *word)
{
    bag_put_text(&o->select.overrides, name, word);
    fprintf(stderr, "by default: --set %s=%s\n", name, word);
}

/* Sets the default problem over R^d, since the default elsewhere, linear losses, has no minimum there: `sigmoid`, a
 * smooth loss, for methods that use gradients, and `sloped` with its shape `slope` for methods that use values. */
static void default_unbounded(struct options *o, bool gradients)
{
    o->select.problem = gradients ? "sigmoid" : "sloped";
    fprintf(stderr, "by default: --problem %s\n", o->select.problem);
    if (gradients && !bag_find(&o->select.overrides, "problem.radius"))
        set_default(o, "problem.radius", INFINITY);
    if (!gradients && !bag_find(&o->select.overrides, "problem.shape"))
        set_word(o, "problem.shape", "slope");
}

/* Sets the default instance, which is small. For methods that take steps along coordinates every entry of a record
 * is as large as allowed, so that a neighbour differs by the whole sensitivity in each coordinate. An attack on
 * such a method is on one step: over many steps the epsilon that accountants can prove is far above the one that an
 * attack can show. A replay is of eight steps. */
static void default_instance(struct options *o, const struct algo *a)
{
    bool cursor = a && a->calls & CALL_POINT;
    const char *axis = cursor ? "goal.T" : "goal.n";
    if (a && a->assumes & ASSUMES_UNBOUNDED && !cursor) {
        default_unbounded(o, a->calls & CALL_SAMPLES);
    } else {
        o->select.problem = cursor ? "private_mean" : "linear";
        fprintf(stderr, "by default: --problem %s\n", o->select.problem);
    }
    if (!bag_find(&o->select.overrides, "problem.d") && !asked(o, "d"))
        set_default(o, "problem.d", 8);
    if (!asked(o, "n") && !asked(o, "T") && !asked(o, "budget"))
        set_default(o, axis, !cursor ? 64 : o->replay ? 8 : 1);
}

/* Returns the first value of an axis on the command line; NaN: it was not given. */
static double value_asked(const struct options *o, const char *axis)
{
    char name[64];
    snprintf(name, sizeof name, "goal.%s", axis);
    const struct assignment *set = bag_find(&o->select.overrides, name);
    const struct range *r = plan_range(&o->select, axis);
    return r ? r->value[0] : set ? set->value : NAN;
}

/* Can this claim provide the instance of an audit? Its axis must be eps, its settings plain numbers, and its kind
 * not conditional. */
static bool serves(const struct claim *c)
{
    bool plain = c && c->axis && strcmp(c->axis, "eps") == 0 && c->kind != KIND_CONDITIONAL;
    for (int k = 0; plain && k < SETTINGS_MAX && c->with[k].name; k++)
        plain = !c->with[k].of;
    return plain;
}

/* Copies into o the problem and the settings of the claim, at the first point of its quick profile, except for
 * options that were typed. With --n the number of stored records is n too. */
static void instance_of_claim(struct options *o, const struct claim *claim)
{
    double eps = value_asked(o, "eps"), n = value_asked(o, "n");
    if (isnan(eps) && !asked(o, "rho"))
        set_default(o, "goal.eps", eps = claim->window[PROFILE_QUICK].from);
    o->select.problem = claim->problem;
    fprintf(stderr, "by default: --problem %s\n", o->select.problem);
    for (const struct setting *s = claim->with; s < claim->with + SETTINGS_MAX && s->name; s++) {
        bool goal = strncmp(s->name, "goal.", 5) == 0, records = strcmp(s->name, "problem.n") == 0;
        if (bag_find(&o->select.overrides, s->name) || (goal && asked(o, s->name + 5)))
            continue;
        if (s->text)
            set_word(o, s->name, s->text);
        else
            set_default(o, s->name, records && !isnan(n) ? n : s->power ? s->value * pow(eps, s->power) : s->value);
    }
}

/* *c <- the cell that is audited, made as the verb solve makes it. Without --problem it has the small default
 * instance or, if the method refuses that, the instance of a claim about the method. */
static enum status audit_cell(struct options *o, struct runner *rn, struct cell **c,
                              struct why *why)
{
    *c = NULL;
    if (o->arguments ? options_typed(o, "algorithm") != NULL : !o->select.algorithm)
        return why_set(why, BAD_INPUT, "audit: expected the name of one private algorithm");
    if (o->arguments)
        o->select.algorithm = o->argument[0];
    const struct algo *a = registry_algo(o->select.algorithm);
    if (method_not_audited(a))
        return why_set(why, REFUSED,
                       "audit: %s is not audited: it says that it has noise or data of its own, "
                       "and only those of "
                       "the harness can be audited",
                       a->name);
    if (a && a->adjacency == ADJACENCY_NONE)
        return why_set(why, BAD_INPUT, "audit: %s is no private method: it declares no adjacency",
                       a->name);
    bool chosen = !o->select.problem && !o->data;
    const struct claim *claim = a && chosen ? private_claim_of(a) : NULL;
    struct bag said = { 0 };
    struct why no;
    bag_copy(&said, &o->select.overrides);
    if (chosen)
        default_instance(o, a);
    if (!asked(o, "eps") && !asked(o, "rho"))
        set_default(o, "goal.eps", 1);
    enum status s = solve_cell(o, rn, c, why);
    if (s == OK && serves(claim) && run_fits(rn, *c, &no) != OK) {
        fprintf(stderr, "refused there: %s\nby default: the instance of the claim %s\n", no.text, claim->id);
        cell_free(*c);
        *c = NULL;
        bag_free(&o->select.overrides);
        bag_copy(&o->select.overrides, &said);
        instance_of_claim(o, claim);
        s = solve_cell(o, rn, c, why);
    }
    bag_free(&said);
    return s;
}

/* *out <- the cell with a replay on neighbour k, as replicate k - 1, which has other data and other draws. */
static enum status with_neighbour(const struct cell *c, long k, struct cell **out, struct why *why)
{
    struct bag bag = { 0 };
    bag_copy(&bag, cell_settings(c));
    bag_put(&bag, "run.replay", (double)k);
    enum status s = cell_make(c->problem->name, c->algo->name, &bag, k - 1, out, why);
    bag_free(&bag);
    return s;
}

/* --- Printing. print_replays and print_attack return the exit code: contradicted if a replay shows a leak, or an
 * attack or the booked noise more than the promise; incomplete if no accountant proves the promise, or no replayed
 * release met the record. */

static void print_promise(const struct cell *c, const struct privacy_seen *p)
{
    static const char *const adjacency[] = { "none", "zero-out", "replace-one", "add/remove" };
    char words[500];
    printf("cell        %s\n", c->text);
    if (*solve_words(c, sizeof words, words))
        printf("words       %s\n", words);
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

/* Compares the booked noise with the promise. Returns EXIT_OK if an accountant proves the promise. */
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

/* --- results of replays */

static const char *const choices[] = { "random", "canary", "largest" };

/* Returns 0 if all runs succeeded; else the exit code of the first failure. */
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

/* Prints the results of n replays; record[k] is that of cell[k]. */
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
    bool leaks = p.leaks || often, reached = privacy_met(&p);
    int code = leaks ? EXIT_CONTRADICTED : priced(&p);
    if (code == EXIT_OK && !reached)
        code = EXIT_INCOMPLETE;
    if (o->format != RECORD_TEXT) {
        record_write_all(stdout, record, n, o->format, o->canonical);
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
        printf("verdict     %s\n", leaks ? "LEAK" : reached ? "OK" : "OPEN: no release met the record");
    return code;
}

/* --- results of an attack */

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

/* Returns an epsilon as a percentage of the promise. */
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

/* Prints the lower limits of epsilon and mu that an attack with `held` runs on each data set would show if a method
 * spent its whole promise. */
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

/* Prints the results of an attack on c. a: the audit by all that an attacker sees; answer: the one by the answer x
 * alone; one: the one by a single run with canaries. r: the record of a run of c, which has the values of a and of
 * one, too. */
static int print_attack(const struct options *o, const struct cell *c, struct record *r,
                const struct audit *a, const struct audit *answer, const struct audit_one *one)
{
    struct privacy_seen p = privacy_none();
    privacy_add(&p, r, 1);
    double by_mu = a->mu > 0 ? account_gaussian_eps(a->mu, p.delta) : 0;
    bool more = over(privacy_shown(&p), p.promise);
    int code = more ? EXIT_CONTRADICTED : priced(&p);
    if (o->format != RECORD_TEXT) {
        record_write_all(stdout, &r, 1, o->format, o->canonical);
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
    if (privacy_without_power(&p))
        printf("explained   nothing: so few runs would show less than 1%% even if the whole promise were spent\n");
    else
        printf("explained   %s\n", part(&p, privacy_most(&p)).at);
    if (!more && code != EXIT_OK)
        print_priced(&p);
    else
        printf("verdict     %s: eps >= %.4g but for a chance of 1e-6\n", more ? "EXCEEDED" : "OK",
               privacy_shown(&p));
    return code;
}

/* --- the replays of a method */

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

/* --- the attack on a method: blocks of runs in workers */

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
        code = print_attack(o, c, r, &judged, &answer, &one);
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
    const char *unread = options_typed(o, o->replay ? "runs" : "reps");
    enum status s = unread ? why_set(&why, BAD_INPUT, "--%s: of `audit` %s --replay only", unread,
                                     o->replay ? "without" : "with") : audit_cell(o, rn, &c, &why);
    int code = s != OK ? complain(s, &why) : o->replay ? replay(o, c) : attack(o, rn, c);
    cell_free(c);
    runner_free(rn);
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.c - audits: makes runs on neighbouring data sets, keeps what an attacker saw of them, and computes the
 * bounds on epsilon that follow. */
#include "run/audit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stats.h"
#include "oracle/privacy_loss.h"
#include "oracle/tape_state.h"
#include "privacy/account.h"

/* --- bounds */

/* Confidence limits of the probabilities that a run lies beyond the threshold. with: the lower limit for runs with
 * the record; without: the upper limit for runs without it. Of the lower and upper limits of both, these two give
 * the smallest bound on epsilon. */
struct rates { double with, without; };

static struct rates exact_rates(long n, long with, long without, double level)
{
    return (struct rates){ stats_clopper_pearson(with, n, level).lo,
                           stats_clopper_pearson(without, n, level).hi };
}

static double loss_of_rates(double p, double q, double delta)
{
    return p > delta && q > 0 ? log((p - delta) / q) : 0;
}

static double eps_of(struct rates r, double delta)
{
    double event = loss_of_rates(r.with, r.without, delta);
    return fmax(0, fmax(event, loss_of_rates(1 - r.without, 1 - r.with, delta)));
}

double audit_eps(long n, long yes_with, long yes_without, double delta, double level)
{
    return eps_of(exact_rates(n, yes_with, yes_without, level), delta);
}

static double mu_of(double p)
{
    return p > 0.5 ? M_SQRT2 * gsl_cdf_ugaussian_Pinv(p) : 0;
}

double audit_mu(long n, long won, double level)
{
    return mu_of(stats_clopper_pearson(won, n, 2 * level - 1).lo);
}

static long expected(long n, double p) { return (long)floor((double)n * p); }

struct audit_ceiling audit_ceiling(long n, double eps, double mu, double delta)
{
    double p = delta + (1 - delta) / (1 + exp(-eps));
    struct audit_ceiling most = { 0, 0 };
    if (mu == 0) {
        most.eps = audit_eps(n, expected(n, p), expected(n, 1 - p), delta, AUDIT_LEVEL);
        return most;
    }
    for (double z = -4; z <= 4; z += 0.05) {
        long with = expected(n, gsl_cdf_ugaussian_Q(z - mu));
        long without = expected(n, gsl_cdf_ugaussian_Q(z));
        most.eps = fmax(most.eps, audit_eps(n, with, without, delta, AUDIT_LEVEL));
    }
    most.mu = audit_mu(n, expected(n, gsl_cdf_ugaussian_P(mu / M_SQRT2)), AUDIT_LEVEL);
    return most;
}

/* Returns Wilson's confidence limit (1927) of the probability of an event that happened in k of n runs; side: -1
 * for the lower limit, 1 for the upper. It is close to the exact limit and fast to compute. The printed bounds do
 * not use it; it only helps to choose the statistic and the threshold. */
static double wilson(long k, long n, int side)
{
    double z = 1.96, m = (double)n, p = (double)k / m;
    return (p + z * z / (2 * m) + side * z * sqrt(p * (1 - p) / m + z * z / (4 * m * m))) /
           (1 + z * z / m);
}

/* --- Statistics of a run: d columns of its row in struct audit_runs, from column `from` on, projected on the
 * difference between the two sides in the means of these columns; the privacy loss is used as it is. */

struct projection {
    const char *name;
    long from, d;
    double *w;                   /* [d] the difference of the means, on which runs are projected */
    double threshold;
};

static const double *row(const struct audit_runs *a, int side, long k)
{
    return a->side[side] + k * audit_row(a);
}

/* Returns the statistic p of run k of a side. It is NaN for a run that released nothing, and NaN is above no
 * threshold. */
static double projected(const struct projection *p, const struct audit_runs *a, int side, long k)
{
    return vec_dot(p->d, p->w, row(a, side, k) + p->from);
}

/* Has run k of a side finite numbers in all columns of the statistic? */
static bool has_all(const struct projection *p, const struct audit_runs *a, int side, long k)
{
    return vec_finite(p->d, row(a, side, k) + p->from);
}

/* p->w <- the sum of the columns over the even runs of side 0, minus the same sum over the even runs of side 1. Run k
 * of one side and run k of the other are a pair, with the same random draws. A pair is left out if one of its runs
 * released nothing or has no finite answer, so that both sums have equally many runs. Returns false if no pair is
 * left. */
static bool point(struct projection *p, const struct audit_runs *a)
{
    bool any = false;
    vec_zero(p->d, p->w);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a->n; k += 2)
            if (has_all(p, a, 0, k) && has_all(p, a, 1, k)) {
                vec_axpy(p->d, side ? -1 : 1, row(a, side, k) + p->from, p->w);
                any = true;
            }
    return any;
}

static long beyond(const struct projection *p, const struct audit_runs *a, int side, int parity,
                   double threshold)
{
    long n = 0;
    for (long k = parity; k < a->n; k += 2)
        n += projected(p, a, side, k) > threshold;
    return n;
}

/* Returns the number of pairs of runs, of even numbers (parity 0) or odd ones (1), in which the run with the record
 * has the larger statistic. Odd runs of the same number make a pair. Even runs share their random draws with the
 * run of the same number on the other side, so each is paired with the next even run instead. */
static long won(const struct projection *p, const struct audit_runs *a, int parity)
{
    long n = 0, half = (a->n + 1 - parity) / 2;
    for (long k = 0; k < half; k++) {
        long other = parity ? k : (k + 1) % half;
        n += projected(p, a, 0, 2 * k + parity) > projected(p, a, 1, 2 * other + parity);
    }
    return n;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sets p->threshold to the one with the largest bound on epsilon from the even runs, of at most TRIES values that
 * the statistic has in them. Returns this bound plus a thousandth of the bound on mu from pairs of even runs, by
 * which statistics can be compared even if all bounds on epsilon are 0. -1: the statistic is NaN in all even
 * runs. */
static double choose_threshold(struct projection *p, const struct audit_runs *a, double delta)
{
    enum { TRIES = 128 };
    long half = (a->n + 1) / 2, n = 0;
    double *t = malloc(2 * (size_t)half * sizeof *t), eps = -1;
    BUG_IF(!t);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a->n; k += 2) {
            double v = projected(p, a, side, k);
            if (!isnan(v))
                t[n++] = v;
        }
    qsort(t, (size_t)n, sizeof *t, rising);
    p->threshold = INFINITY;
    for (long k = 0; k < TRIES && n; k++) {
        double at = t[k * n / TRIES];
        long with = beyond(p, a, 0, 0, at), without = beyond(p, a, 1, 0, at);
        double e = eps_of((struct rates){ wilson(with, half, -1), wilson(without, half, +1) },
                          delta);
        if (e > eps)
            p->threshold = at;
        eps = fmax(eps, e);
    }
    free(t);
    return n ? eps + 1e-3 * mu_of(wilson(won(p, a, 0), half, -1)) : -1;
}

/* *out <- the bounds that the odd runs give with the statistic p and its threshold. */
static void judge(const struct projection *p, const struct audit_runs *a, double delta,
                  struct audit *out)
{
    out->statistic = p->name;
    for (int side = 0; side < 2; side++)
        out->yes[side] = beyond(p, a, side, 1, p->threshold);
    out->won = won(p, a, 1);
    out->eps = audit_eps(out->held, out->yes[0], out->yes[1], delta, AUDIT_LEVEL);
    out->eps_strict = audit_eps(out->held, out->yes[0], out->yes[1], delta, AUDIT_STRICT);
    out->mu = audit_mu(out->held, out->won, AUDIT_LEVEL);
    out->mu_strict = audit_mu(out->held, out->won, AUDIT_STRICT);
}

enum { BY_LOSS, BY_RELEASE, BY_ANSWER, STATISTICS };

/* Tries statistic k (BY_LOSS, ...). If the bound that choose_threshold returns for it is more than `least` times
 * *most, then *most <- this bound, and *out <- the bounds that the odd runs give with this statistic. */
static void try_statistic(const struct audit_runs *a, double delta, int k, double least,
                          double *most, struct audit *out)
{
    struct projection p[] = { { .name = "loss", .from = a->release + a->d, .d = 1 },
                              { .name = "release", .from = 0, .d = a->release },
                              { .name = "answer", .from = a->release, .d = a->d } };
    p[k].w = malloc((size_t)p[k].d * sizeof *p[k].w + 1);
    BUG_IF(!p[k].w);
    if (k == BY_LOSS)
        p[k].w[0] = 1;
    bool pointed = k == BY_LOSS || (p[k].d > 0 && point(&p[k], a));
    double good = pointed ? choose_threshold(&p[k], a, delta) : -1;
    if (good > *most * least) {
        *most = good;
        judge(&p[k], a, delta, out);
    }
    free(p[k].w);
}

struct audit audit_judge(const struct audit_runs *a, double delta)
{
    const double clearly = 1.5;
    struct audit out = { .statistic = "none", .held = a->n / 2 };
    double most = -1;
    for (int k = 0; k < STATISTICS && a->n >= 4; k++)
        try_statistic(a, delta, k, strcmp(out.statistic, "loss") == 0 ? clearly : 1, &most, &out);
    return out;
}

struct audit audit_judge_answer(const struct audit_runs *a, double delta)
{
    struct audit out = { .statistic = "none", .held = a->n / 2 };
    double most = -1;
    if (a->n >= 4)
        try_statistic(a, delta, BY_ANSWER, 1, &most, &out);
    return out;
}

/* --- the runs of an audit: those of one side differ in their random draws only, not in the data */

void audit_free(struct audit_runs *a)
{
    free(a->side[0]);
    free(a->side[1]);
    memset(a, 0, sizeof *a);
}

/* Returns the seed of a run. Even runs, from which the statistic is chosen, share their random draws with the run
 * of the same number on the other side: the difference of the means is then due to the record alone. Odd runs are
 * independent. */
static uint64_t seed_of(const struct cell *c, int side, long k)
{
    struct rng base = rng_stream(c->seed), all = rng_sub(&base, 6);
    struct rng one = rng_at(&all, 2 * (uint64_t)k + (uint64_t)(side && k % 2));
    return rng_u64(&one);
}

/* What all runs of an audit share: runner, cell, pass, and the record in which the two data sets differ. i: the
 * index of this record or, if by_position, its place in stream order. */
struct watched {
    struct runner *rn;
    const struct cell *c;
    struct pass p;
    long i;
    bool by_position;
};

/* Returns the data set of a side: side 0 has the record as it is or, where the family has a pair of canaries, the
 * first canary in its place; in side 1 it is changed. */
static struct neighbour state(const struct watched *v, int side)
{
    const struct cell *c = v->c;
    static const enum neighbour_kind changed[] = {
        [ADJACENCY_ZERO_OUT] = NEIGHBOUR_NULL, [ADJACENCY_REPLACE_ONE] = NEIGHBOUR_REPLACE,
        [ADJACENCY_ADD_REMOVE] = NEIGHBOUR_REMOVE,
    };
    bool pair = c->problem->canaries == 2;
    if (side == 0)
        return (struct neighbour){ pair ? NEIGHBOUR_REPLACE : NEIGHBOUR_SAME,
                                   .i = v->i, .with = -1 };
    return (struct neighbour){ changed[c->algo->adjacency], .i = v->i,
                               .with = pair ? -2 : v->i == 0 };
}

void audit_room(struct audit_runs *a, long release)
{
    a->release = release;
    for (int side = 0; side < 2; side++) {
        size_t room = (size_t)(a->n * audit_row(a));
        a->side[side] = malloc(room * sizeof(double) + 1);
        BUG_IF(!a->side[side]);
        for (size_t k = 0; k < room; k++)
            a->side[side][k] = NAN;
    }
}

/* Makes run number k on the data set of a side; *watch <- a tape of its releases. */
static enum status one_run(struct watched *v, int side, long k, struct tape *watch,
                           struct why *why)
{
    *watch = (struct tape){ .mode = TAPE_WATCH, .limit = runner_limit(v->rn) };
    v->p.neighbour = state(v, side);
    v->p.by_position = v->by_position;
    v->p.tape = watch;
    v->p.seed = seed_of(v->c, side, k);
    return run_pass(v->rn, v->c, &v->p, why);
}

/* Chooses the record in which the two data sets differ. It is the first one of stream order, since all later
 * releases may depend on it, unless another record has a clearly larger share of a sum in one run, as it has where
 * the method weighs records by their places. The choice is the same for every part of an audit (audit_part). */
static enum status choose(struct watched *v, struct why *why)
{
    const double clearly = 2;
    struct tape look = { .mode = TAPE_RECORD, .limit = runner_limit(v->rn) };
    v->p.tape = &look;
    v->p.seed = v->c->seed;
    enum status s = run_pass(v->rn, v->c, &v->p, why);
    const struct tape_share *most = &look.largest[0];
    bool other = most->place > 0 && most->share > clearly * look.first;
    v->by_position = true;
    v->i = other ? most->place : 0;
    tape_free(&look);
    return s;
}

/* Repeats the run that is on the tape v->p.tape, with its releases forced, on the data set of a side. With
 * `poisson` the record is in every Poisson sample; with LOSS_LACKING as the side, it is in none, and the data set
 * is that of side 0. heard <- the values before noise of this run. *events is lowered to the number of releases
 * that the run reached. */
static enum status force(struct watched *v, int side, bool poisson, double *heard, long *events,
                        struct why *why)
{
    struct pass *p = &v->p;
    p->neighbour = state(v, side == LOSS_LACKING ? 0 : side);
    p->by_position = v->by_position;
    p->neighbour.coin = side == LOSS_LACKING ? COIN_OUT : poisson ? COIN_IN : COIN_DRAWN;
    tape_force(p->tape, heard);
    enum status s = run_pass(v->rn, v->c, p, why);
    *events = p->tape->at < *events ? p->tape->at : *events;
    return s;
}

/* *loss <- the privacy loss of the run that is on the tape v->p.tape and was made on the data set of side `own`;
 * NaN: the loss cannot be computed. It does not depend on whether Poisson samples of this run held the record,
 * because the attacker does not know that. */
static enum status loss_run(struct watched *v, int own, double *loss, struct why *why)
{
    struct tape *t = v->p.tape;
    bool poisson;
    *loss = NAN;
    if (!loss_written(t, &poisson))
        return OK;
    int cases = poisson ? LOSS_CASES : 2;
    long events = t->events;
    double *room = malloc(LOSS_CASES * t->used * sizeof *room + 1);
    const double *heard[LOSS_CASES] = { NULL };
    BUG_IF(!room);
    enum status s = OK;
    for (int h = 0; h < cases && s == OK; h++) {
        double *at = room + (size_t)h * t->used;
        heard[h] = h == own && !poisson ? t->pool : at;
        if (heard[h] == at)
            s = force(v, h, poisson, at, &events, why);
    }
    if (s == OK)
        *loss = loss_of(t, events, heard);
    free(room);
    return s;
}

/* *d <- the number of entries of the first release that may depend on the record, taken from the first of the runs
 * 0, ..., 31 that has such a release; 0: none of them has. Every part of an audit (audit_part) finds the same
 * number. */
static enum status release_size(struct watched *v, long *d, struct why *why)
{
    enum { TRIES = 32 };
    *d = 0;
    for (long k = 0; k < TRIES && *d == 0; k++) {
        struct tape watch;
        enum status s = one_run(v, 0, k, &watch, why);
        *d = watch.seen_d;
        tape_free(&watch);
        TRY(s);
    }
    return OK;
}

/* to[audit_row] <- run k of a side as a row of *a (struct audit_runs): release, answer, privacy loss. */
static enum status collect_run(struct watched *v, int side, long k, const struct audit_runs *a, double *to,
                       struct why *why)
{
    struct tape watch;
    enum status s = one_run(v, side, k, &watch, why);
    if (s == OK && watch.seen && watch.seen_d == a->release)
        vec_copy(a->release, watch.seen, to);
    if (s == OK) {
        vec_copy(a->d, v->p.x, to + a->release);
        s = loss_run(v, side, to + a->release + a->d, why);
    }
    tape_free(&watch);
    return s;
}

enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why)
{
    const void *self;
    const struct facts *facts;
    *a = (struct audit_runs){ .n = n };
    TRY(runner_instance(rn, c, &self, &facts, why));
    a->d = (long)facts->d;
    double *x = malloc((size_t)a->d * sizeof *x + 1);
    BUG_IF(!x);
    struct watched v = { .rn = rn, .c = c, .p = { .x = x } };
    long release = 0;
    enum status s = choose(&v, why);
    if (s == OK)
        s = release_size(&v, &release, why);
    if (s == OK)
        audit_room(a, release);
    for (long k = 0; k < 2 * n && s == OK; k++)
        s = collect_run(&v, (int)(k % 2), first + k / 2, a, a->side[k % 2] + k / 2 * audit_row(a), why);
    free(v.p.params);
    free(x);
    return s;
}

/* --- the runs of one part of an audit as the trace of a record */

void audit_part(long runs, long part, long parts, long *first, long *n)
{
    long each = 2 * ((runs + 2 * parts - 1) / (2 * parts));
    *first = (part - 1) * each;
    *n = *first >= runs ? 0 : runs - *first < each ? runs - *first : each;
}

void audit_put_trace(struct record *r, const struct audit_runs *a, long first)
{
    static const char *const before[] = { "side", "run" };
    char name[RECORD_NAME];
    long columns = audit_row(a);
    double *row = malloc((size_t)(columns + 2) * sizeof *row);
    BUG_IF(!row);
    record_trace_columns(r, 2, before);
    for (long j = 0; j < columns; j++) {
        bool release = j < a->release;
        snprintf(name, sizeof name, "%s.%ld", release ? "release" : "answer", release ? j : j - a->release);
        record_trace_column(r, j == columns - 1 ? "loss" : name);
    }
    for (long k = 0; k < 2 * a->n; k++) {
        row[0] = (double)(k % 2);
        row[1] = (double)(first + k / 2);
        vec_copy(columns, a->side[k % 2] + k / 2 * columns, row + 2);
        record_trace_row(r, row);
    }
    free(row);
}

static long columns_named(const struct record_trace *t, const char *with)
{
    long n = 0;
    for (size_t k = 0; k < t->columns; k++)
        n += strncmp(t->column[k], with, strlen(with)) == 0;
    return n;
}

static bool holds_runs(const struct record *r)
{
    return r && r->outcome == OUTCOME_OK && r->trace.rows && strcmp(r->trace.column[0], "side") == 0;
}

bool audit_take_traces(const struct record *const *r, int n, struct audit_runs *a)
{
    const struct record_trace *of = NULL;
    *a = (struct audit_runs){ 0 };
    for (int k = 0; k < n; k++) {
        if (!holds_runs(r[k]))
            continue;
        if (of && r[k]->trace.columns != of->columns)
            return false;
        of = &r[k]->trace;
        a->n += (long)of->rows / 2;
    }
    if (!of)
        return false;
    a->d = columns_named(of, "answer.");
    audit_room(a, columns_named(of, "release."));
    long at = 0, columns = audit_row(a);
    for (int k = 0; k < n; k++)
        for (size_t i = 0; holds_runs(r[k]) && i < r[k]->trace.rows; i++, at++)
            vec_copy(columns, r[k]->trace.value + i * r[k]->trace.columns + 2, a->side[at % 2] + at / 2 * columns);
    return true;
}

/* --- one run with many canaries: each was present or not, and the attacker guesses which */

struct guess { double score; bool in; };

static int falling(const void *a, const void *b)
{
    double x = ((const struct guess *)a)->score, y = ((const struct guess *)b)->score;
    return (x < y) - (x > y);
}

/* Guesses that the out->guesses/2 records with the largest scores are present and as many with the smallest absent;
 * out->right <- the number of right guesses. */
static void count_right(struct guess *g, struct audit_one *out)
{
    long each = out->guesses / 2;
    qsort(g, (size_t)out->m, sizeof *g, falling);
    for (long k = 0; k < each; k++)
        out->right += g[k].in + !g[out->m - 1 - k].in;
}

/* --- white box: guesses by the releases */

enum { CASES_MOST = 10000000 };      /* limit on the sample gradients of a white-box attack, and on the numbers that
                                        it keeps */

/* Repeats the run on the tape p->tape, with its releases forced and with all of the first m = p->neighbour.i
 * records absent except record `only` (-1: all are absent). less, heard and white have one number for each that the
 * tape keeps (tape->used). heard <- the values of the repeated run before noise, minus `less`; white <- these
 * differences with the correlation of the noise removed (loss_whiten). Returns false if the run does not reach
 * every release, or if a noise is not Gaussian. */
static bool noised(struct runner *rn, const struct cell *c, struct pass *p, long only,
                   const double *less, double *heard, double *white)
{
    struct tape *t = p->tape;
    long m = p->neighbour.i;
    unsigned char *absent = malloc((size_t)m);
    struct pass forced = *p;
    struct why why;
    BUG_IF(!absent);
    for (long i = 0; i < m; i++)
        absent[i] = i != only;
    forced.neighbour.absent = absent;
    tape_force(t, heard);
    bool all = run_pass(rn, c, &forced, &why) == OK && t->at == t->events;
    free(absent);
    for (long k = 0; k < t->events && all; k++) {
        const struct tape_event *e = &t->event[k];
        vec_axpy(e->noise.d, -1, less + e->noise.at, heard + e->noise.at);
    }
    all = all && loss_whiten(t, t->events, heard, white);
    for (long k = 0; k < t->events && all; k++)
        all = vec_finite(t->event[k].noise.d, white + t->event[k].noise.at);
    return all;
}

/* r <- the releases on the tape, each at the index where its value before noise begins in the pool. */
static void releases(const struct tape *t, double *r)
{
    for (long k = 0; k < t->events; k++)
        vec_copy(t->event[k].noise.d, tape_released(t, &t->event[k]), r + t->event[k].noise.at);
}

static void add_whitened(const struct tape *t, double a, const double *v, double *w)
{
    for (long k = 0; k < t->events; k++)
        vec_axpy(t->event[k].noise.d, a, v + t->event[k].noise.at, w + t->event[k].noise.at);
}

static double inner(const struct tape *t, const double *v, const double *w)
{
    double sum = 0;
    for (long k = 0; k < t->events; k++)
        sum += vec_dot(t->event[k].noise.d, v + t->event[k].noise.at, w + t->event[k].noise.at);
    return sum;
}

/* Scores the first m records by the releases. The presence of record i changes the values before noise, whitened
 * (loss_whiten), by u_i. The mean of the releases is taken with every record half present. Then log p(with
 * i)/p(without i), where the other records stay half present, is <u_i, released - mean>; this is the score of
 * record i. Returns false where no white-box attack is possible; g is then untouched. */
static bool score_releases(struct runner *rn, const struct cell *c, struct pass *p, long m,
                           struct guess *g)
{
    struct tape *t = p->tape;
    bool poisson, all = loss_written(t, &poisson) && !poisson && t->events;
    double gradients = p->counts.of[COUNT_sample_grads], numbers = (double)t->used;
    if (!all || (double)m * gradients > CASES_MOST || (double)m * numbers > CASES_MOST)
        return false;
    size_t used = t->used;
    double *u = malloc(((size_t)m + 4) * used * sizeof *u), *rest = u + (size_t)m * used;
    double *none = rest + used, *heard = none + used, *r = heard + used;
    BUG_IF(!u);
    for (size_t k = 0; k < used; k++)
        none[k] = 0;
    releases(t, r);
    all = noised(rn, c, p, -1, r, heard, rest);      /* rest: the values with no record less the releases,
                                                        whitened */
    for (long k = 0; k < t->events && all; k++) {
        const struct tape_event *e = &t->event[k];
        vec_lincomb(e->noise.d, 1, heard + e->noise.at, 1, r + e->noise.at, none + e->noise.at);
    }
    for (long i = 0; i < m && all; i++) {
        double *of = u + (size_t)i * used;
        if ((all = noised(rn, c, p, i, none, heard, of)))
            add_whitened(t, 0.5, of, rest);
    }
    for (long i = 0; i < m && all; i++)
        g[i].score = -inner(t, u + (size_t)i * used, rest);
    free(u);
    return all;
}

/* --- black box: guesses by the answer */

/* g[i].score <- <gradient of record i at the start x0, x0 - x> for the answer x: a descent method moves against the
 * gradients of the records that are present. */
static void score_answer(const struct cell *c, const void *self, long d, long m, const double *x,
                  struct guess *g)
{
    double *x0 = calloc((size_t)d, sizeof *x0), *grad = calloc((size_t)d, sizeof *grad);
    BUG_IF(!x0 || !grad);
    if (c->problem->start)
        c->problem->start(self, x0);
    for (long i = 0; i < m; i++) {
        vec_zero(d, grad);
        c->problem->sample_grad(self, i, x0, 1, grad);
        g[i].score = vec_dot(d, grad, x0) - vec_dot(d, grad, x);
    }
    free(x0);
    free(grad);
}

/* --- the run, and the bound from its guesses */

enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why)
{
    const void *self;
    const struct facts *facts;
    *out = (struct audit_one){ 0 };
    TRY(runner_instance(rn, c, &self, &facts, why));
    m = isfinite(facts->n) && m > (long)facts->n ? (long)facts->n : m;
    if (m < 10 || !c->problem->sample_grad || c->algo->adjacency != ADJACENCY_ZERO_OUT)
        return OK;
    *out = (struct audit_one){ .m = m, .guesses = m / 5 / 2 * 2 };
    long d = (long)facts->d;
    double *x = malloc(2 * (size_t)d * sizeof *x + 1), *forced = x + d;
    unsigned char *absent = malloc((size_t)m);
    struct guess *g = malloc((size_t)m * sizeof *g);
    BUG_IF(!x || !absent || !g);
    struct rng base = rng_stream(c->seed), coins = rng_sub(&base, 7);
    for (long i = 0; i < m; i++) {
        absent[i] = rng_below(&coins, 2) == 0;
        g[i].in = !absent[i];
    }
    struct tape t = { .mode = TAPE_WATCH, .limit = runner_limit(rn) };
    struct pass p = { .neighbour = { NEIGHBOUR_ABSENT, m, 0, absent }, .x = x, .tape = &t,
                      .seed = rng_u64(&coins) };
    enum status s = run_pass(rn, c, &p, why);
    if (s == OK) {
        score_answer(c, self, d, m, x, g);
        p.x = forced;
        out->white = score_releases(rn, c, &p, m, g);
        count_right(g, out);
        out->eps = account_audit_eps((double)m, out->guesses, out->right, delta, 1 - AUDIT_LEVEL);
    }
    tape_free(&t);
    free(p.params);
    free(g);
    free(absent);
    free(x);
    return s;
}

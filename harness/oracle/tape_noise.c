/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape_noise.c - noise calls of the two runs: arguments alike, values within their sensitivity,
 * releases forced. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tape_state.h"

/* --- noise calls: sites */

static struct tape_site *site_of(struct tape *t, const struct release *r)
{
    int k = 0;
    while (k < t->sites && strncmp(t->site[k].name, r->site, TAPE_SITE - 1))
        k++;
    if (k == TAPE_SITES)
        k--;                             /* the last one stands for all that do not fit */
    if (k == t->sites) {
        t->sites++;
        t->site[k].hidden = true;
        snprintf(t->site[k].name, TAPE_SITE, "%s", r->site);
    }
    return &t->site[k];
}

/* How often the differing record is among those a release has touched. */
static double occurrences(const struct oracle *o, const struct ticket *q)
{
    long i = o->neighbour.i, n = 0;
    if (!q)
        return 1;
    if (q->scheme == SAMPLING_FRESH && !o->order)
        return i >= q->first && i < q->first + q->count;
    for (long k = 0; k < q->count; k++)
        n += oracle_record(o, q, k) == i;
    return (double)n;
}

/* For one who does not know which records a random sample holds. */
static bool may_meet(const struct oracle *o, const struct ticket *q)
{
    bool known = !q || q->scheme == SAMPLING_FRESH || q->scheme == SAMPLING_ALL;
    return !known || occurrences(o, q) > 0;
}

static double norm_of(enum norm norm, long d, const double *v, const double *weight)
{
    double sum = 0;
    for (long j = 0; j < d; j++) {
        double x = fabs(v[j]) / (weight ? weight[j] : 1);
        if (isnan(x))
            return INFINITY;
        sum = norm == NORM_INF ? fmax(sum, x) : sum + (norm == NORM_1 ? x : x * x);
    }
    return norm == NORM_2 ? sqrt(sum) : sum;
}

static bool is_iteration(const struct ledger_entry *e)
{
    return e->mechanism == MECHANISM_STEP || e->mechanism == MECHANISM_LAST;
}

/* The change of a stream's sum or of an iterate so far, NULL for what is neither. */
static double *stream_change(struct tape *t, const struct ledger_entry *e, long d)
{
    int k = 0;
    if (!e->stream)
        return NULL;
    while (k < t->streams && t->stream[k].id != e->stream)
        k++;
    if (k == t->streams) {
        t->stream = realloc(t->stream, (size_t)++t->streams * sizeof *t->stream);
        BUG_IF(!t->stream);
        t->stream[k] = (struct tape_stream){ e->stream, calloc((size_t)d, sizeof(double)), d };
        BUG_IF(!t->stream[k].change);
    }
    BUG_IF(t->stream[k].d != d);
    return t->stream[k].change;
}

/* Change of the value before noise, of a stream that of this step's summand; *size: of the values,
 * what rounding is measured by. */
static double change_of(struct tape *t, const struct tape_value *v, const double *was, double *size)
{
    double *before = stream_change(t, v->entry, v->d), *change = malloc((size_t)v->d * sizeof *change + 1);
    BUG_IF(!change);
    for (long j = 0; j < v->d; j++) {
        double whole = v->v[j] - was[j];
        if (v->v[j] == was[j])           /* infinities too */
            whole = 0;
        change[j] = before && !is_iteration(v->entry) ? whole - before[j] : whole;
        if (before)
            before[j] = whole;
    }
    double norm = norm_of(v->entry->norm, v->d, change, v->argument[0]);
    *size = norm_of(v->entry->norm, v->d, was, v->argument[0]) +
            norm_of(v->entry->norm, v->d, v->v, v->argument[0]);
    free(change);
    return norm;
}

/* How far the iterates of an iteration stood apart before this step; no step may widen that by more
 * than its sensitivity, nor the release at all: the noise is the same in both runs. */
static double apart_before(struct tape *t, const struct tape_value *v)
{
    return is_iteration(v->entry) ? vec_norm(v->d, stream_change(t, v->entry, v->d)) : 0;
}

/* What is told of a change that may be `may`: of an iteration what its own steps added over what
 * they declared, as what was apart before would only be compared with itself. */
static double told_ratio(const struct ledger_entry *e, double ratio, double times, double may,
                         double apart)
{
    double own = times * e->sensitivity;
    if (!is_iteration(e) || !(ratio <= TAPE_RATIO))
        return ratio;
    return own > 0 ? fmax(0, fmin(ratio, (ratio * may - apart) / own)) : 0;
}

/* times: occurrences of the record in the first data set. */
static void compare_value(struct oracle *o, const struct tape_value *v, const double *was,
                          double times)
{
    struct tape *t = o->tape;
    if (t->coins)
        times = 0;
    struct tape_site *site = site_of(t, v->release);
    double size, apart = apart_before(t, v), may = times * v->entry->sensitivity + apart;
    double change = change_of(t, v, was, &size);
    /* What costs nothing may not round either: a sum of known terms, released or forced, is equal
     * to the bit. */
    bool free = v->entry->sensitivity == 0 && v->entry->scale == 0 && !v->entry->stream;
    double slack = isfinite(size) && !free ? 0x1p-40 * size : 0;
    if (v->entry->scale > 0)             /* nor by what the noise would not hide */
        slack = fmin(slack, 0x1p-20 * v->entry->scale);
    double ratio = change <= slack ? 0 : may > 0 ? (change - slack) / may : INFINITY;

    site->released++;
    site->touched += times > 0;
    site->failure = fmax(site->failure, v->entry->failure);
    if (v->entry->hidden && v->entry->mechanism != MECHANISM_STEP)
        return;
    site->hidden = false;
    if (v->entry->failure > 0) {
        site->exceeded += ratio > TAPE_RATIO;
        return;
    }
    site->ratio = fmax(site->ratio, told_ratio(v->entry, ratio, times, may, apart));
    if (ratio > TAPE_RATIO)
        tape_note_leak(t, LEAK_CHANGE, "%s: changes by %.6g, declared %.6g for %g occurrences",
                  v->release->site, change, may, times);
}

/* --- noise calls: arguments */

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void compare_argument(struct tape *t, const char *site, const char *name, double was,
                             double is)
{
    if (!same(was, is))
        tape_note_leak(t, LEAK_NOISE, "%s: %s %.12g became %.12g", site, name, was, is);
}

static void compare_vector(struct tape *t, const char *site, const char *name, long d,
                           const double *was, const double *is)
{
    for (long j = 0; j < d; j++)
        if (!same(was[j], is[j]))
            tape_note_leak(t, LEAK_NOISE, "%s: %s %ld, %.12g became %.12g", site, name, j, was[j],
                           is[j]);
}

static void compare_arguments(struct tape *t, const struct tape_event *e,
                              const struct tape_value *v)
{
    const struct ledger_entry *was = &e->noise.entry, *is = v->entry;
    const struct ticket *ticket = v->release->ticket;
    const double *pool = t->pool + e->noise.at;
    const struct { const char *name; double was, is; } list[] = {
        { "mechanism", was->mechanism, is->mechanism }, { "norm", was->norm, is->norm },
        { "sensitivity", was->sensitivity, is->sensitivity }, { "scale", was->scale, is->scale },
        { "scheme", was->scheme, is->scheme }, { "first", (double)was->first, (double)is->first },
        { "count", (double)was->count, (double)is->count },
        { "step", (double)was->step, (double)is->step }, { "cover", was->cover, is->cover },
        { "failure", was->failure, is->failure }, { "hidden", was->hidden, is->hidden },
        { "dimension", (double)e->noise.d, (double)v->d },
        { "ticket", (double)e->noise.serial, ticket ? (double)ticket->serial : 0 },
        { "stream", (double)was->stream, (double)is->stream }, { "q", was->q, is->q },
        { "units", e->noise.given[0], v->argument[0] != NULL },
        { "noises", e->noise.given[1], v->argument[1] != NULL },
        { "candidates", e->noise.given[2], v->argument[2] != NULL },
    };
    static const char *const argument[] = { "unit", "noise", "candidates of" };
    if (strcmp(was->site, is->site))
        tape_note_leak(t, LEAK_NOISE, "site %.60s became %.60s", was->site, is->site);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        compare_argument(t, is->site, list[k].name, list[k].was, list[k].is);
    if (t->apart)
        return;
    for (int k = 0; k < TAPE_ARGUMENTS; k++)
        if (v->argument[k])
            compare_vector(t, is->site, argument[k], v->d, pool += v->d, v->argument[k]);
}

/* --- noise calls */

static void record_noise(struct oracle *o, const struct tape_value *v)
{
    struct tape *t = o->tape;
    struct tape_event *e = tape_event_new(o, EVENT_NOISE);
    if (!e)
        return;
    e->noise.entry = *v->entry;
    e->noise.serial = v->release->ticket ? v->release->ticket->serial : 0;
    e->noise.occurrences = occurrences(o, v->release->ticket);
    e->noise.d = v->d;
    e->noise.rule = v->rule;
    e->noise.keyed = v->keyed;
    e->noise.at = t->used;
    bool kept = tape_keep(o, v->d, v->v);
    for (int k = 0; k < TAPE_ARGUMENTS && kept; k++)
        if ((e->noise.given[k] = v->argument[k]))
            kept = tape_keep(o, v->d, v->argument[k]);
}

/* A run that asks for other noise is not compared, only left. */
static void hear(struct oracle *o, const struct tape_value *v)
{
    struct tape *t = o->tape;
    const struct tape_event *e = t->at < t->events ? &t->event[t->at] : NULL;
    t->apart |= !e || e->noise.d != v->d || e->noise.entry.mechanism != v->entry->mechanism;
    if (!tape_parted(o))
        vec_copy(v->d, v->v, t->heard + e->noise.at);
}

void tape_noise(struct oracle *o, const struct tape_value *v)
{
    struct tape *t = o->tape;
    if (t->mode == TAPE_WATCH) {
        t->watching = !t->seen && !v->entry->hidden && may_meet(o, v->release->ticket);
        t->deaf |= !tape_loss_written(v->entry, v->keyed);
    }
    if (t->deaf)
        return;
    if (t->mode == TAPE_WATCH || t->mode == TAPE_RECORD) {
        record_noise(o, v);
        return;
    }
    if (t->mode == TAPE_FORCE) {
        hear(o, v);
        return;
    }
    const struct tape_event *e = tape_event_next(o, EVENT_NOISE);
    if (!e)
        return;
    t->hiding |= v->entry->hidden;
    compare_arguments(t, e, v);
    if (!tape_parted(o))
        compare_value(o, v, t->pool + e->noise.at, e->noise.occurrences);
}

static void watch(struct tape *t, long d, const double *v)
{
    t->seen = malloc((size_t)d * sizeof *v + 1);
    BUG_IF(!t->seen);
    memcpy(t->seen, v, (size_t)d * sizeof *v);
    t->seen_d = d;
    t->watching = false;
}

void tape_release(struct oracle *o, long d, double *v)
{
    struct tape *t = o->tape;
    bool first = t->mode == TAPE_RECORD || t->mode == TAPE_WATCH;
    if (t->watching)
        watch(t, d, v);
    if (t->deaf || t->full || tape_parted(o))
        return;
    struct tape_event *e = &t->event[first ? t->events - 1 : t->at];
    if (first) {
        e->noise.released = d;
        tape_keep(o, d, v);
        return;
    }
    const double *was = tape_released(t, e);
    BUG_IF(e->noise.released != d);
    if (is_iteration(&e->noise.entry))
        vec_sub(d, v, was, stream_change(t, &e->noise.entry, d));
    if (!e->noise.entry.hidden)
        memcpy(v, was, (size_t)d * sizeof *v);
    t->at++;
}

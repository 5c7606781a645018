/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.c - records the calls of one run and compares those of a second run with them (tape.h). */
#include "oracle/tape_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *leak_words(enum leak leak)
{
    static const char *const words[] = {
#define X(id, text) text,
        LEAKS_LIST(X)
#undef X
    };
    return words[leak];
}

void tape_free(struct tape *t)
{
    for (int k = 0; k < t->streams; k++)
        free(t->stream[k].change);
    free(t->stream);
    free(t->event);
    free(t->pool);
    free(t->seen);
    memset(t, 0, sizeof *t);
}

void tape_rewind(struct tape *t)
{
    t->mode = TAPE_REPLAY;
    t->at = 0;
}

void tape_force(struct tape *t, double *heard)
{
    t->mode = TAPE_FORCE;
    t->at = 0;
    t->apart = false;
    t->heard = heard;
}

/* --- leaks: how they are noted, and when the comparison ends */

/* Notes a leak. The tape keeps the first leak of a run; any leak but LEAK_CHANGE also ends the comparison. */
__attribute__((format(printf, 3, 4)))
static void note_leak(struct tape *t, enum leak leak, const char *format, ...)
{
    va_list ap;
    t->apart |= leak != LEAK_CHANGE;
    if (t->leak)
        return;
    t->leak = leak;
    t->call = t->at + 1;
    va_start(ap, format);
    vsnprintf(t->what, sizeof t->what, format, ap);
    va_end(ap);
}

/* Has the second run departed from the first? If so, the second run ends as if its budget had ended. */
static bool parted(struct oracle *o)
{
    o->spent |= o->tape->apart;
    return o->tape->apart;
}

void tape_end(struct tape *t)
{
    if (t->at < t->events)
        note_leak(t, LEAK_NUMBER, "the run ends after %ld of %ld calls", t->at, t->events);
}

/* --- events and numbers appended to a tape, and the event that is compared next */

static void refuse(struct oracle *o)
{
    o->tape->full = true;
    o->refused = "the tape of this run does not fit in memory: a smaller n, T or d, or --memory";
}

static bool fits(struct oracle *o, size_t more)
{
    const struct tape *t = o->tape;
    size_t bytes = (size_t)t->event_room * sizeof *t->event + t->room * sizeof *t->pool + more;
    if (!t->limit || bytes <= t->limit)
        return true;
    refuse(o);
    return false;
}

/* Appends an event to the tape and returns it. Returns NULL where the tape would exceed its limit of memory; the
 * run is then refused. */
static struct tape_event *event_new(struct oracle *o, enum tape_kind kind)
{
    struct tape *t = o->tape;
    if (t->full)
        return NULL;
    if (t->events == t->event_room) {
        long room = t->event_room ? 2 * t->event_room : 256;
        if (!fits(o, (size_t)(room - t->event_room) * sizeof *t->event))
            return NULL;
        t->event = realloc(t->event, (size_t)room * sizeof *t->event);
        BUG_IF(!t->event);
        t->event_room = room;
    }
    struct tape_event *e = &t->event[t->events++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    t->at = t->events;
    return e;
}

/* Appends v[d] to the pool of numbers. Returns false where the tape would exceed its limit of memory; the run is
 * then refused. */
static bool keep(struct oracle *o, long d, const double *v)
{
    struct tape *t = o->tape;
    size_t n = (size_t)d;
    if (t->used + n > t->room) {
        size_t room = 2 * t->room + n + 256;
        if (!fits(o, (room - t->room) * sizeof *t->pool))
            return false;
        t->pool = realloc(t->pool, room * sizeof *t->pool);
        BUG_IF(!t->pool);
        t->room = room;
    }
    memcpy(t->pool + t->used, v, n * sizeof *v);
    t->used += n;
    return true;
}

/* Returns the event of the first run with which the present call is to be compared. Returns NULL, and notes a leak,
 * where that event has another kind or there is none. */
static const struct tape_event *event_next(struct oracle *o, enum tape_kind kind)
{
    static const char *const name[] = { "a charge", "a question about samples", "a noise call",
                                        "a mark" };
    struct tape *t = o->tape;
    if (parted(o))
        return NULL;
    if (t->at >= t->events)
        note_leak(t, LEAK_NUMBER, "the run goes on after all %ld calls", t->events);
    else if (t->event[t->at].kind != kind)
        note_leak(t, LEAK_CALL, "%s became %s", name[t->event[t->at].kind], name[kind]);
    return parted(o) ? NULL : &t->event[t->at];
}

/* --- charges and samples, recorded or compared */

/* Was a Poisson sample drawn, and do those of the second run lack the record in which the data sets differ? Their
 * size, which is secret, may then be smaller by one. */
static bool lacks_record(const struct oracle *o)
{
    const struct neighbour *n = &o->neighbour;
    return o->tape->sampled && (n->kind == NEIGHBOUR_REMOVE || n->coin == COIN_OUT);
}

/* May the charge `was` of the first run be `is` in the second? It may if they have the same kind and amount, or if
 * the second is smaller by the cost of the one record that a Poisson sample lacks. */
static bool same_charge(struct oracle *o, const struct charge *was, const struct charge *is)
{
    double each = was->amount - is->amount;
    bool samples = is->kind == COUNT_taken || is->kind == COUNT_sample_grads ||
                   is->kind == COUNT_sample_values || is->kind == COUNT_directions;
    bool lacks = samples && lacks_record(o) && each > 0 && fmod(is->amount, each) == 0;
    o->tape->lacking |= lacks;
    return was->kind == is->kind && (each == 0 || lacks);
}

static bool same_samples(const struct oracle *o, const struct ticket *was, const struct ticket *is)
{
    bool lacks = lacks_record(o) && is->scheme == SAMPLING_POISSON && was->count == is->count + 1;
    return was->first == is->first && was->scheme == is->scheme && was->serial == is->serial &&
           was->from == is->from && was->of == is->of &&
           (was->count == is->count || lacks);
}

void tape_pay(struct oracle *o, int n, const struct charge *c)
{
    struct tape *t = o->tape;
    BUG_IF(n > CHARGES_MAX);
    if (t->mode == TAPE_WATCH || t->mode == TAPE_FORCE)
        return;
    if (t->mode == TAPE_RECORD) {
        struct tape_event *e = event_new(o, EVENT_PAY);
        if (!e)
            return;
        e->pay.n = n;
        for (int k = 0; k < n; k++)
            e->pay.c[k] = c[k];
        return;
    }
    const struct tape_event *e = event_next(o, EVENT_PAY);
    if (!e)
        return;
    if (e->pay.n != n)
        note_leak(t, LEAK_CALL, "another kind of call");
    for (int k = 0; k < n && e->pay.n == n; k++) {
        const struct charge *was = &e->pay.c[k];
        if (!same_charge(o, was, &c[k]))
            note_leak(t, LEAK_CALL, "%.12g %s became %.12g %s", was->amount,
                           count_name((int)was->kind), c[k].amount, count_name((int)c[k].kind));
    }
    if (!parted(o))
        t->at++;
}

void tape_samples(struct oracle *o, const struct ticket *q)
{
    struct tape *t = o->tape;
    if (t->mode == TAPE_WATCH || t->mode == TAPE_FORCE)
        return;
    if (t->mode == TAPE_RECORD) {
        struct tape_event *e = event_new(o, EVENT_SAMPLES);
        if (e)
            e->ticket = *q;
        return;
    }
    const struct tape_event *e = event_next(o, EVENT_SAMPLES);
    if (!e)
        return;
    const struct ticket *was = &e->ticket;
    if (!same_samples(o, was, q))
        note_leak(t, LEAK_SAMPLES, "samples %ld..%ld became %ld..%ld", was->first,
                  was->first + was->count - 1, q->first, q->first + q->count - 1);
    if (!parted(o))
        t->at++;
}

/* --- noise calls: how far the value before noise differs between the runs, site by site */

static struct tape_site *site_of(struct tape *t, const struct release *r)
{
    int k = 0;
    while (k < t->sites && strncmp(t->site[k].name, r->site, TAPE_SITE - 1))
        k++;
    if (k == TAPE_SITES)
        k--;                             /* the last site serves all further sites, for which there is no room */
    if (k == t->sites) {
        t->sites++;
        t->site[k].hidden = true;
        snprintf(t->site[k].name, TAPE_SITE, "%s", r->site);
    }
    return &t->site[k];
}

/* Returns how often the record in which the data sets differ is among the records of a ticket; 1 without a ticket,
 * which means all records. */
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

/* May the record in which the data sets differ be among those of the ticket? For a ticket of random records the
 * answer is yes, since an observer does not know who was drawn. */
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

/* Returns [d] the difference between the two runs, before this call, in the prefix sum of a stream or in the
 * iterate of hidden steps; NULL for other mechanisms. */
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

/* Returns the norm of the difference between the two runs in the value before noise; for a stream of prefix sums,
 * in the summand of this step. was[d]: the value in the first run. *size <- the sum of the norms of both values, to
 * which rounding errors are proportional. */
static double change_of(struct tape *t, const struct tape_value *v, const double *was, double *size)
{
    double *before = stream_change(t, v->entry, v->d), *change = malloc((size_t)v->d * sizeof *change + 1);
    BUG_IF(!change);
    for (long j = 0; j < v->d; j++) {
        double whole = v->v[j] - was[j];
        if (v->v[j] == was[j])           /* also for equal infinities */
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

/* Returns the distance between the iterates of the two runs before this hidden step; 0 for other mechanisms. A step
 * may increase the distance by its sensitivity times the occurrences of the record. The release of the iterate,
 * which has sensitivity 0, may not increase it. */
static double apart_before(struct tape *t, const struct tape_value *v)
{
    return is_iteration(v->entry) ? vec_norm(v->d, stream_change(t, v->entry, v->d)) : 0;
}

/* Returns the ratio that a site reports for a change of `ratio` times `may`, the largest change allowed. For a
 * hidden step whose change is allowed, the distance `apart` before the step is subtracted from the change and from
 * `may`, because the step declares only what it adds. */
static double reported_ratio(const struct ledger_entry *e, double ratio, double times, double may,
                         double apart)
{
    double own = times * e->sensitivity;
    if (!is_iteration(e) || !(ratio <= TAPE_RATIO))
        return ratio;
    return own > 0 ? fmax(0, fmin(ratio, (ratio * may - apart) / own)) : 0;
}

/* Compares a value before noise with was[d], that of the first run, and notes a leak where the change exceeds what
 * is declared. times: how often the record in which the data sets differ occurs, in the first data set. Two kinds
 * of releases give no leak: one in which the record occurs and which has a declared failure probability, whose
 * excess is only counted, and hidden noise that is no step of an iteration. */
static void compare_value(struct oracle *o, const struct tape_value *v, const double *was,
                          double times)
{
    struct tape *t = o->tape;
    if (t->coins)
        times = 0;
    struct tape_site *site = site_of(t, v->release);
    double size, apart = apart_before(t, v), may = times * v->entry->sensitivity + apart;
    double change = change_of(t, v, was, &size);
    /* A release with sensitivity 0 and no noise may not differ even by rounding: it may depend only on values that
     * were released before, which are equal to the bit in both runs. */
    bool free = v->entry->sensitivity == 0 && v->entry->scale == 0 && !v->entry->stream;
    double slack = isfinite(size) && !free ? 0x1p-40 * size : 0;
    if (v->entry->scale > 0)             /* a rounding error that is not small beside the noise is not excused */
        slack = fmin(slack, 0x1p-20 * v->entry->scale);
    double ratio = change <= slack ? 0 : may > 0 ? (change - slack) / may : INFINITY;

    site->released++;
    site->touched += times > 0;
    site->failure = fmax(site->failure, v->entry->failure);
    if (v->entry->hidden && v->entry->mechanism != MECHANISM_STEP)
        return;
    site->hidden = false;
    if (v->entry->failure > 0 && times > 0) {
        site->exceeded += ratio > TAPE_RATIO;
        return;
    }
    site->ratio = fmax(site->ratio, reported_ratio(v->entry, ratio, times, may, apart));
    if (ratio > TAPE_RATIO)
        note_leak(t, LEAK_CHANGE, "%s: changes by %.6g, declared %.6g for %g occurrences",
                  v->release->site, change, may, times);
}

/* --- noise calls: the arguments compared */

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void compare_argument(struct tape *t, const char *site, const char *name, double was,
                             double is)
{
    if (!same(was, is))
        note_leak(t, LEAK_NOISE, "%s: %s %.12g became %.12g", site, name, was, is);
}

static void compare_vector(struct tape *t, const char *site, const char *name, long d,
                           const double *was, const double *is)
{
    for (long j = 0; j < d; j++)
        if (!same(was[j], is[j]))
            note_leak(t, LEAK_NOISE, "%s: %s %ld, %.12g became %.12g", site, name, j, was[j],
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
        note_leak(t, LEAK_NOISE, "site %.60s became %.60s", was->site, is->site);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        compare_argument(t, is->site, list[k].name, list[k].was, list[k].is);
    if (t->apart)
        return;
    for (int k = 0; k < TAPE_ARGUMENTS; k++)
        if (v->argument[k])
            compare_vector(t, is->site, argument[k], v->d, pool += v->d, v->argument[k]);
}

/* --- noise calls: recorded, compared or forced */

static void record_noise(struct oracle *o, const struct tape_value *v)
{
    struct tape *t = o->tape;
    struct tape_event *e = event_new(o, EVENT_NOISE);
    if (!e)
        return;
    e->noise.entry = *v->entry;
    e->noise.serial = v->release->ticket ? v->release->ticket->serial : 0;
    e->noise.occurrences = occurrences(o, v->release->ticket);
    e->noise.d = v->d;
    e->noise.rule = v->rule;
    e->noise.keyed = v->keyed;
    e->noise.at = t->used;
    bool kept = keep(o, v->d, v->v);
    for (int k = 0; k < TAPE_ARGUMENTS && kept; k++)
        if ((e->noise.given[k] = v->argument[k]))
            kept = keep(o, v->d, v->argument[k]);
}

/* t->heard <- the value before noise of a run on which releases are forced. A run whose noise calls differ from
 * those of the tape ends here, without a leak. */
static void keep_value(struct oracle *o, const struct tape_value *v)
{
    struct tape *t = o->tape;
    const struct tape_event *e = t->at < t->events ? &t->event[t->at] : NULL;
    t->apart |= !e || e->noise.d != v->d || e->noise.entry.mechanism != v->entry->mechanism;
    if (!parted(o))
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
        keep_value(o, v);
        return;
    }
    const struct tape_event *e = event_next(o, EVENT_NOISE);
    if (!e)
        return;
    t->hiding |= v->entry->hidden;
    compare_arguments(t, e, v);
    if (!parted(o))
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
    if (t->deaf || t->full || parted(o))
        return;
    struct tape_event *e = &t->event[first ? t->events - 1 : t->at];
    if (first) {
        e->noise.released = d;
        keep(o, d, v);
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

/* --- marks, recorded or compared */

/* Records a mark, or compares it with that of the first run. Marks after the first hidden noise are not compared:
 * hidden noise is not forced to the first run's value, so that later points differ. */
void tape_mark(struct oracle *o, const double *x)
{
    struct tape *t = o->tape;
    if (t->mode == TAPE_WATCH || t->mode == TAPE_FORCE)
        return;
    if (t->mode == TAPE_RECORD) {
        struct tape_event *e = event_new(o, EVENT_MARK);
        if (!e)
            return;
        e->mark = t->used;
        keep(o, o->d, x);
        return;
    }
    const struct tape_event *e = event_next(o, EVENT_MARK);
    if (!e)
        return;
    t->at++;
    if (!t->hiding && !t->marked && memcmp(t->pool + e->mark, x, (size_t)o->d * sizeof *x))
        t->marked = t->at;
}

void tape_end_marks(struct tape *t)
{
    if (t->leak || !t->marked)
        return;
    t->leak = LEAK_MARK;
    t->call = t->marked;
    snprintf(t->what, sizeof t->what, "a mark, which a smaller budget would make the answer");
}

/* --- the records with the largest shares (struct tape_share) */

static bool is_larger(const struct tape_share *a, const struct tape_share *b)
{
    return a->share > b->share || (a->share == b->share && a->norm > b->norm);
}

static void rank(struct tape *t, const struct tape_share *s)
{
    struct tape_share *list = t->largest;
    int k = 0;
    while (k < TAPE_LARGEST && list[k].share > 0 && list[k].record != s->record)
        k++;
    if (k == TAPE_LARGEST)
        k--;
    if (list[k].share > 0 && !is_larger(s, &list[k]))
        return;
    for (; k > 0 && is_larger(s, &list[k - 1]); k--)
        list[k] = list[k - 1];
    list[k] = *s;
}

/* Returns the norm of a sample's gradient v[d] after clipping; norm: its norm before clipping. v may be
 * overwritten. */
static double clipped_norm(const struct batch *q, long d, double norm, double *v)
{
    if (q->clip == CLIP_NORM)
        return norm > q->C ? q->C : norm;
    if (q->clip == CLIP_NONE)
        return norm;
    vec_clip_coords(d, q->C_j, v);
    return vec_norm(d, v);
}

void tape_batch(struct oracle *o, const struct batch *q)
{
    const struct ticket *t = q->ticket;
    if (o->tape->mode != TAPE_RECORD || t->aggregated)
        return;
    for (long k = 0; k < t->count; k++) {
        struct tape_share s = { .record = oracle_record(o, t, k), .place = -1 };
        vec_zero(o->d, o->one);
        for (int p = 0; p < q->points; p++)
            oracle_asked_gradient(o, q, s.record, p, 1, o->one);
        s.norm = vec_norm(o->d, o->one);
        s.share = fabs(q->w ? q->w[k] : ticket_even(o, t)) *
                  clipped_norm(q, o->d, s.norm, o->one);
        if (t->scheme == SAMPLING_FRESH)
            s.place = t->first + k;
        if (s.place == 0)
            o->tape->first = fmax(o->tape->first, s.share);
        if (s.share > 0)
            rank(o->tape, &s);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.c - recording calls, and comparing those of a second run. */
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

/* --- what differs */

void tape_note_leak(struct tape *t, enum leak leak, const char *format, ...)
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

bool tape_parted(struct oracle *o)
{
    o->spent |= o->tape->apart;
    return o->tape->apart;
}

void tape_end(struct tape *t)
{
    if (t->at < t->events)
        tape_note_leak(t, LEAK_NUMBER, "the run ends after %ld of %ld calls", t->at, t->events);
}

/* --- room */

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

struct tape_event *tape_event_new(struct oracle *o, enum tape_kind kind)
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

bool tape_keep(struct oracle *o, long d, const double *v)
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

const struct tape_event *tape_event_next(struct oracle *o, enum tape_kind kind)
{
    static const char *const name[] = { "a charge", "a question about samples", "a noise call",
                                        "a mark" };
    struct tape *t = o->tape;
    if (tape_parted(o))
        return NULL;
    if (t->at >= t->events)
        tape_note_leak(t, LEAK_NUMBER, "the run goes on after all %ld calls", t->events);
    else if (t->event[t->at].kind != kind)
        tape_note_leak(t, LEAK_CALL, "%s became %s", name[t->event[t->at].kind], name[kind]);
    return tape_parted(o) ? NULL : &t->event[t->at];
}

/* --- calls that are paid */

bool tape_poisson(const struct oracle *o)
{
    const struct neighbour *n = &o->neighbour;
    return o->tape->sampled && (n->kind == NEIGHBOUR_REMOVE || n->coin == COIN_OUT);
}

/* Of the same kind and amount, or of a sample that lacks one record: the difference is what one
 * costs. */
static bool same_charge(struct oracle *o, const struct charge *was, const struct charge *is)
{
    double each = was->amount - is->amount;
    bool samples = is->kind == COUNT_taken || is->kind == COUNT_sample_grads ||
                   is->kind == COUNT_sample_values || is->kind == COUNT_directions;
    bool lacks = samples && tape_poisson(o) && each > 0 && fmod(is->amount, each) == 0;
    o->tape->lacking |= lacks;
    return was->kind == is->kind && (each == 0 || lacks);
}

static bool same_samples(const struct oracle *o, const struct ticket *was, const struct ticket *is)
{
    bool lacks = tape_poisson(o) && is->scheme == SAMPLING_POISSON && was->count == is->count + 1;
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
        struct tape_event *e = tape_event_new(o, EVENT_PAY);
        if (!e)
            return;
        e->pay.n = n;
        for (int k = 0; k < n; k++)
            e->pay.c[k] = c[k];
        return;
    }
    const struct tape_event *e = tape_event_next(o, EVENT_PAY);
    if (!e)
        return;
    if (e->pay.n != n)
        tape_note_leak(t, LEAK_CALL, "another kind of call");
    for (int k = 0; k < n && e->pay.n == n; k++) {
        const struct charge *was = &e->pay.c[k];
        if (!same_charge(o, was, &c[k]))
            tape_note_leak(t, LEAK_CALL, "%.12g %s became %.12g %s", was->amount,
                           count_name((int)was->kind), c[k].amount, count_name((int)c[k].kind));
    }
    if (!tape_parted(o))
        t->at++;
}

void tape_samples(struct oracle *o, const struct ticket *q)
{
    struct tape *t = o->tape;
    if (t->mode == TAPE_WATCH || t->mode == TAPE_FORCE)
        return;
    if (t->mode == TAPE_RECORD) {
        struct tape_event *e = tape_event_new(o, EVENT_SAMPLES);
        if (e)
            e->ticket = *q;
        return;
    }
    const struct tape_event *e = tape_event_next(o, EVENT_SAMPLES);
    if (!e)
        return;
    const struct ticket *was = &e->ticket;
    if (!same_samples(o, was, q))
        tape_note_leak(t, LEAK_SAMPLES, "samples %ld..%ld became %ld..%ld", was->first,
                  was->first + was->count - 1, q->first, q->first + q->count - 1);
    if (!tape_parted(o))
        t->at++;
}

/* --- marks */

/* Hidden noise is not forced: what follows it is another point. */
void tape_mark(struct oracle *o, const double *x)
{
    struct tape *t = o->tape;
    if (t->mode == TAPE_WATCH || t->mode == TAPE_FORCE)
        return;
    if (t->mode == TAPE_RECORD) {
        struct tape_event *e = tape_event_new(o, EVENT_MARK);
        if (!e)
            return;
        e->mark = t->used;
        tape_keep(o, o->d, x);
        return;
    }
    const struct tape_event *e = tape_event_next(o, EVENT_MARK);
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

/* --- who is changed the most */

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

/* v[d], a sample's gradient, as long as clipping leaves it. */
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

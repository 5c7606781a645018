/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_visits.c - in how many rounds was one sample evaluated? Positions of a stream are kept as disjoint
 * spans of equal tally, so that a single pass in order is one span of any length. Where draws from a part of
 * the stream cut it into many short spans, these are replaced by a table with a tally per position, as stored
 * records have. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };
/* FEW: more spans than this are put in a table, since inserting into a long list is slow. SPARSE: the table
 * may have up to this many positions per span replaced, and longer spans at the ends stay spans, so that
 * memory is in proportion to the spans. A larger SPARSE takes more memory and fewer spans. */
enum { FEW = 256, SPARSE = 64 };

/* The index of the first span that ends after position i. */
static long span_after(const struct spans *s, long i)
{
    long lo = 0, hi = s->count;
    while (lo < hi) {
        long mid = lo + (hi - lo) / 2;
        if (s->at[mid].end > i)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static void insert(struct spans *s, long k, struct span span)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        BUG_IF(!s->at);
    }
    memmove(s->at + k + 1, s->at + k, (size_t)(s->count - k) * sizeof *s->at);
    s->at[k] = span;
    s->count++;
}

/* Splits the span that holds position i so that a span begins at i. */
static void split(struct spans *s, long i)
{
    long k = span_after(s, i);
    if (k == s->count || s->at[k].begin >= i)
        return;
    insert(s, k, s->at[k]);
    s->at[k].end = s->at[k + 1].begin = i;
}

static void merge(struct spans *s, long k)
{
    while (k > 0 && k < s->count && s->at[k - 1].end == s->at[k].begin &&
           s->at[k - 1].visits == s->at[k].visits) {
        s->at[k - 1].end = s->at[k].end;
        memmove(s->at + k, s->at + k + 1, (size_t)(s->count - k - 1) * sizeof *s->at);
        s->count--;
    }
}

static double visit_spans(struct spans *s, long begin, long end)
{
    double most = 1;
    split(s, begin);
    split(s, end);
    long k = span_after(s, begin);
    for (long i = begin; i < end; k++) {
        if (k < s->count && s->at[k].begin == i) {
            s->at[k].visits++;
            most = fmax(most, s->at[k].visits);
        } else {
            long next = k < s->count && s->at[k].begin < end ? s->at[k].begin : end;
            insert(s, k, (struct span){ i, next, 1 });
        }
        i = s->at[k].end;
    }
    for (; k >= 0; k--) {                /* only spans changed above and their neighbours can merge */
        if (k < s->count && s->at[k].end < begin)
            break;
        merge(s, k);
    }
    return most;
}

/* Replaces spans k..m-1 and the old table by a table of the positions from..to-1. */
static void tabulate(struct spans *s, long from, long to, long k, long m)
{
    uint32_t *table = calloc((size_t)(to - from), sizeof *table);
    BUG_IF(!table);
    if (s->length)
        memcpy(table + (s->base - from), s->table, (size_t)s->length * sizeof *table);
    for (long j = k; j < m; j++)
        for (long i = s->at[j].begin; i < s->at[j].end; i++)
            table[i - from] = (uint32_t)s->at[j].visits;
    memmove(s->at + k, s->at + m, (size_t)(s->count - m) * sizeof *s->at);
    s->count -= m - k;
    free(s->table);
    s->table = table;
    s->base = from;
    s->length = to - from;
}

/* Moves short spans to the table, with all positions between them and the old table. Long spans at either
 * end, which come from passes in order, stay. */
static void tabulate_pieces(struct spans *s)
{
    long k = 0, m = s->count;
    while (k < m && s->at[k].end - s->at[k].begin > SPARSE)
        k++;
    while (m > k && s->at[m - 1].end - s->at[m - 1].begin > SPARSE)
        m--;
    if (k == m)
        return;
    long from = s->at[k].begin, to = s->at[m - 1].end;
    if (s->length && s->base < from)
        from = s->base;
    if (s->length && s->base + s->length > to)
        to = s->base + s->length;
    if ((double)(to - from) > SPARSE * (double)(m - k) + 2 * (double)s->length)
        return;
    tabulate(s, from, to, span_after(s, from), span_after(s, to));
}

static double visit_table(struct spans *s, long begin, long end)
{
    uint32_t most = 0;
    for (uint32_t *at = s->table + (begin - s->base); begin < end; begin++, at++)
        if (++*at > most)
            most = *at;
    return most;
}

double spans_visit(struct spans *s, long begin, long end)
{
    long base = s->base, after = base + s->length;
    double most = 1;
    if (s->length == 0 || end <= base || begin >= after)
        most = visit_spans(s, begin, end);
    else {
        most = visit_table(s, begin > base ? begin : base, end < after ? end : after);
        if (begin < base)
            most = fmax(most, visit_spans(s, begin, base));
        if (end > after)
            most = fmax(most, visit_spans(s, after, end));
    }
    if (s->count > FEW)
        tabulate_pieces(s);
    return most;
}

void spans_free(struct spans *s)
{
    free(s->at);
    free(s->table);
    memset(s, 0, sizeof *s);
}

/* --- tickets */

static uint32_t tally_known(struct oracle *o, long m, const long *record, uint32_t rounds)
{
    uint32_t top = 0;
    for (long k = 0; k < m; k++) {
        uint32_t *at = &o->visited[record[k]];
        *at += rounds;
        top = *at > top ? *at : top;
    }
    return top;
}

/* Adds `rounds` to the tally of every record of the ticket; returns the largest tally among them. */
static double tally_records(struct oracle *o, const struct ticket *t, double rounds)
{
    long record[BLOCK];
    uint32_t top = 0;
    for (long from = 0; from < t->count; from += BLOCK) {
        long left = t->count - from, m = left < BLOCK ? left : BLOCK;
        oracle_records(o, t, from, m, record);
        uint32_t most = tally_known(o, m, record, (uint32_t)rounds);
        top = most > top ? most : top;
    }
    return top;
}

/* Adds the uses of the repeated ticket to the tallies of its records, before another ticket is tallied. */
static void settle(struct oracle *o)
{
    if (o->repeated.rounds > 0)
        tally_records(o, &o->repeated.of, o->repeated.rounds);
    o->repeated = (struct repeated){ 0 };
}

/* Tallies a ticket of stored records. Uses of the same fresh ticket in a row are only counted, and added to
 * its records when another ticket comes. */
static void visit_records(struct oracle *o, const struct ticket *t)
{
    struct repeated *a = &o->repeated;
    if (t->scheme == SAMPLING_FRESH && a->of.count && ticket_same(t, &a->of)) {
        a->rounds++;
    } else {
        settle(o);
        a->top = tally_records(o, t, 1);
        if (t->scheme == SAMPLING_FRESH)
            a->of = *t;
    }
    o->most_visited = fmax(o->most_visited, a->top + a->rounds);
}

void oracle_tally_drawn(struct oracle *o, long m, const long *record)
{
    settle(o);
    o->repeated.top = tally_known(o, m, record, 1);
    o->most_visited = fmax(o->most_visited, o->repeated.top);
    o->counts.of[COUNT_max_visits] = o->whole_visits + o->most_visited;
}

void oracle_visited(struct oracle *o, const struct ticket *t)
{
    oracle_check(o, t);
    oracle_tally(o, t);
}

/* Stored records are tallied one by one, a stream by spans of positions; draws with replacement from a stream
 * are not tallied. */
void oracle_tally(struct oracle *o, const struct ticket *t)
{
    if (o->tape)
        tape_samples(o, t);
    double *most = &o->counts.of[COUNT_max_visits];
    if (!o->stored && t->scheme == SAMPLING_REPLACE)
        return;
    if (!o->stored) {
        struct span *last = o->spans.count ? o->spans.at + o->spans.count - 1 : NULL;
        double visits = 1;
        if (last && last->end == t->first && last->visits == 1 && t->first >= o->spans.base + o->spans.length)
            last->end += t->count;       /* the next batch of a single pass */
        else
            visits = spans_visit(&o->spans, t->first, t->first + t->count);
        *most = visits > *most ? visits : *most;
        return;
    }
    if (t->scheme != SAMPLING_FRESH && t->scheme != SAMPLING_REPLACE &&
        t->count == (long)o->facts->n) {
        o->whole_visits++;
    } else {
        visit_records(o, t);
    }
    *most = o->whole_visits + o->most_visited;
}

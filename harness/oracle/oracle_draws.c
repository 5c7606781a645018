/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_draws.c - random records of stored data: Poisson samples, subsets, shuffled epochs. A draw
 * is a pure function of its number and of n, not of the data: neighbouring data meet it too. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <stdlib.h>

void oracle_permute(struct rng *r, long n, long *at)
{
    for (long i = 0; i < n; i++) {               /* Fisher and Yates, inside out */
        long k = (long)rng_below(r, (uint64_t)i + 1);
        at[i] = at[k];
        at[k] = i;
    }
}

void members_free(struct members *m)
{
    if (!m)
        return;
    free(m->record);
    free(m->at);
    for (int k = 0; k < DRAWS_KEPT; k++)
        free(m->drawn[k].record);
}

/* --- the three draws; n records of which m->count come */

/* A record takes its place among those of a sample, which rise. */
static void join(struct members *m, long record)
{
    long k = m->count++;
    for (; k > 0 && m->record[k - 1] > record; k--)
        m->record[k] = m->record[k - 1];
    m->record[k] = record;
}

/* Is the record at one of the places that a sample is made of? */
static bool may_be_drawn(const struct oracle *o, const struct members *m, long record)
{
    for (long k = 0; k < m->of; k++)
        if (o->order[m->from + k] == record)
            return true;
    return m->of == 0;
}

/* From one member to the next: geometric gaps, so that the cost is that of the sample. A record
 * that is gone is passed over, which moves no other. */
static void draw_poisson(const struct oracle *o, struct members *m, struct rng *r, long n)
{
    const struct neighbour *other = &o->neighbour;
    const long *place = m->of ? o->order + m->from : NULL;
    bool removed = other->kind == NEIGHBOUR_REMOVE;
    bool flips = other->coin != COIN_DRAWN && m->q > 0 && m->q < 1, told = removed || flips;
    double at = -1;
    m->count = 0;
    while ((at += 1 + floor(log(rng_uniform(r)) / log1p(-m->q))) < (double)n) {
        long record = place ? place[(long)at] : (long)at;
        if (!told || record != other->i)
            m->record[m->count++] = record;
    }
    if (flips && other->coin == COIN_IN && !removed && may_be_drawn(o, m, other->i))
        join(m, other->i);
}

/* The first steps of a shuffle, taken back: a place that moved is a first one or in the sample. */
static void draw_subset(struct members *m, struct rng *r, long n)
{
    for (long k = 0; k < m->count; k++) {
        long j = k + (long)rng_below(r, (uint64_t)(n - k));
        m->record[k] = m->at[j];
        m->at[j] = m->at[k];
        m->at[k] = m->record[k];
    }
    for (long k = 0; k < m->count; k++) {
        m->at[k] = k;
        m->at[m->record[k]] = m->record[k];
    }
}

static void reserve(struct members *m, long n)
{
    m->record = malloc((size_t)n * sizeof *m->record);
    m->at = malloc((size_t)n * sizeof *m->at);
    BUG_IF(!m->record || !m->at);
    for (long k = 0; k < n; k++)
        m->at[k] = k;
}

const struct members *oracle_members(const struct oracle *o, const struct ticket *t)
{
    struct members *m = o->members;
    long n = (long)o->facts->n;
    if (!m->record)
        reserve(m, n);
    if (m->scheme == t->scheme && m->serial == t->serial)
        return m;
    struct rng r = ticket_draws(o, t);
    m->scheme = t->scheme;
    m->serial = t->serial;
    m->q = t->q;
    m->from = t->from;
    m->of = t->of;
    m->count = t->count;
    if (t->scheme == SAMPLING_POISSON)
        draw_poisson(o, m, &r, t->of ? t->of : n);
    else if (t->scheme == SAMPLING_SUBSET)
        draw_subset(m, &r, n);
    else
        oracle_permute(&r, m->count = n, m->record);
    return m;
}

/* A place for the draw of this number, of the ticket's form. */
static struct drawn *begin_drawn(const struct oracle *o, const struct ticket *t, uint64_t serial)
{
    struct drawn *d = oracle_drawn_place(o, serial);
    if (t->count > d->room) {
        free(d->record);
        d->room = t->count;
        d->record = malloc((size_t)d->room * sizeof *d->record);
        BUG_IF(!d->record);
    }
    d->serial = serial;
    d->from = t->from;
    d->of = t->of;
    d->first = t->first;
    d->count = t->count;
    return d;
}

/* How many draws are made now, this one and those of the next numbers: one that follows on one of its form
 * will be followed. Twice as many as the last time, so that few are made for nobody. */
static long drawn_together(const struct oracle *o, const struct ticket *t)
{
    const struct drawn *last = oracle_drawn_place(o, t->serial - 1);
    struct members *m = o->members;
    bool follows = last->serial == t->serial - 1 && last->from == t->from && last->of == t->of &&
                   last->first == 0 && t->first == 0 && last->count == t->count && t->count <= DRAWS_SMALL;
    m->together = !follows ? 1 : 2 * m->together < DRAWS_TOGETHER ? 2 * m->together : DRAWS_TOGETHER;
    return m->together;
}

/* d->record <- the draws that stand in at[count]. Tallies of their visits, of many records far away, come to the
 * cache meanwhile: draws made together are asked one after the other. */
static void drawn_from(const struct oracle *o, struct drawn *d, const uint64_t *at, long from, long count)
{
    for (long k = 0; k < count; k++) {
        long record = oracle_place(o, d->from, d->of, at[k]);
        d->record[from + k] = record;
        if (o->visited)
            __builtin_prefetch(&o->visited[record], 1);
    }
}

const long *oracle_draw_records(const struct oracle *o, const struct ticket *t)
{
    enum { KEPT_MAX = 1 << 20, BLOCK = DRAWS_TOGETHER * DRAWS_SMALL };
    if (t->count > KEPT_MAX)
        return NULL;
    struct rng draws[DRAWS_TOGETHER];
    uint64_t serial[DRAWS_TOGETHER], at[BLOCK];
    long m = drawn_together(o, t);
    for (long k = 0; k < m; k++) {
        draws[k] = o->sampling;
        serial[k] = t->serial + (uint64_t)k;
    }
    rng_subs(m, draws, serial, draws);
    for (long from = 0, now; from < t->count; from += now) {
        now = t->count - from < BLOCK / m ? t->count - from : BLOCK / m;
        rng_below_each(m, draws, (uint64_t)(t->first + from), now, oracle_among(o, t->of), at);
        for (long k = 0; k < m; k++)
            drawn_from(o, begin_drawn(o, t, serial[k]), at + k * now, from, now);
    }
    return oracle_drawn_place(o, t->serial)->record;
}

/* --- tickets */

const struct draw *oracle_draw_of(const struct oracle *o, uint64_t serial)
{
    long low = 0, high = o->drawn.n;
    while (low < high) {
        long mid = low + (high - low) / 2;
        if (o->drawn.at[mid].serial < serial)
            low = mid + 1;
        else
            high = mid;
    }
    return low < o->drawn.n && o->drawn.at[low].serial == serial ? &o->drawn.at[low] : NULL;
}

static void keep(struct draw_list *l, const struct ticket *t)
{
    if (l->n == l->room) {
        l->room = 2 * l->room + 16;
        l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
        BUG_IF(!l->at);
    }
    l->at[l->n++] = (struct draw){ t->scheme, t->serial, t->q, t->from, t->of, t->count };
}

/* The budget moves with the counts, so that what is left of it is the same for every size; whole
 * numbers, so that it is to the bit. */
bool oracle_pay_samples(struct oracle *o, const struct ticket *t, double each, int n,
                        const struct charge *c)
{
    if (t->scheme == SAMPLING_POISSON && n > 0) {
        double *all = &o->expected.of[c->kind], before = rint(*all);
        *all += each * t->q * ticket_among(o, t);
        o->budget.of[c->kind] += c->amount - (rint(*all) - before);
    }
    return oracle_pay(o, n, c);
}

/* A ticket of the scheme, drawn and paid for; t->count is known before, unless it is Poisson's. */
static bool draw(struct oracle *o, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    oracle_expect_reuse(o);
    if (!o->stored)
        o->refused = "random records were asked for, and this problem is a stream";
    if (!oracle_affords(o, 0, NULL))
        return false;
    t->serial = o->serial;
    if (t->scheme == SAMPLING_POISSON)
        t->count = oracle_members(o, t)->count;
    if (o->tape)
        o->tape->sampled |= t->scheme == SAMPLING_POISSON;
    const struct charge taken = { COUNT_taken, (double)t->count };
    if (!oracle_pay_samples(o, t, 1, t->of ? 0 : 1, &taken))     /* a block is paid for */
        return false;
    o->serial++;
    o->ledger.drawn[t->scheme]++;
    keep(&o->drawn, t);
    return true;
}

static bool hand_out(struct oracle *o, struct ticket asked, struct ticket *t)
{
    if (!draw(o, &asked))
        return false;
    *t = asked;
    return true;
}

bool oracle_poisson(struct oracle *o, double q, struct ticket *t)
{
    BUG_IF(!(q >= 0 && q <= 1));
    return hand_out(o, (struct ticket){ .scheme = SAMPLING_POISSON, .q = q }, t);
}

bool oracle_poisson_of(struct oracle *o, const struct ticket *block, double q, struct ticket *t)
{
    BUG_IF(!(q >= 0 && q <= 1) || block->scheme != SAMPLING_FRESH || block->count < 1);
    oracle_check(o, block);
    return hand_out(o, (struct ticket){ .scheme = SAMPLING_POISSON, .q = q, .from = block->first,
                                        .of = block->count }, t);
}

bool oracle_subset(struct oracle *o, long b, struct ticket *t)
{
    BUG_IF(b < 1 || (o->stored && b > (long)o->facts->n));
    return hand_out(o, (struct ticket){ .scheme = SAMPLING_SUBSET, .count = b }, t);
}

bool oracle_shuffle(struct oracle *o, struct ticket *t)
{
    long n = o->stored ? (long)o->facts->n : 0;
    return hand_out(o, (struct ticket){ .scheme = SAMPLING_SHUFFLED, .count = n }, t);
}

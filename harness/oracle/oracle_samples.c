/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_samples.c - all questions about single samples: tickets and random draws, gradients, values. The file is
 * long because its functions call each other once per sample: as static functions of one file they can be
 * inlined. */
#include "oracle/oracle_state.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/linear_dense.h"

/* --- Random draws of records. A draw is a pure function of its serial number and of n, not of the data: two
 * neighbouring data sets get the same draw. */

/* The records of one draw with replacement, or of a part of it. */
struct drawn {
    uint64_t serial;
    long from, of;               /* of > 0: the records are drawn from the `of` positions of the stream that begin
                                    at `from`; of = 0: from all records */
    long first, count, room;     /* first, count: the positions of the draw whose records are kept */
    long *record;                /* [room] */
};

/* The latest draws. The records of a Poisson sample, a subset or an epoch are computed at first use and kept until
 * another such draw is used; the members up to `at` are those of this one draw. Of draws with replacement the last
 * DRAWS_KEPT are kept, at place serial % DRAWS_KEPT, because a walk (oracle_marks.c) looks up the draws of coming
 * steps. Small draws, of at most DRAWS_SMALL records, are made together, up to DRAWS_TOGETHER of them in one call,
 * which is faster than one by one. */
enum { DRAWS_KEPT = 32, DRAWS_TOGETHER = 16, DRAWS_SMALL = 8 };
struct members {
    enum sampling scheme;
    uint64_t serial;
    double q;                    /* the rate of a Poisson sample; 0 for other draws */
    long from, of, count;
    long *record, *at;           /* [n] each, NULL before first use; at is 0, 1, ..., n-1 between draws */
    struct drawn drawn[DRAWS_KEPT];
    long together;               /* number of draws that the latest call of draw_records made at once */
};

/* Returns the random stream of a ticket. It follows from the serial number, so that the records of a draw can be
 * computed again after they were dropped. */
static inline struct rng ticket_draws(const struct oracle *o, const struct ticket *t)
{
    return rng_sub(&o->sampling, t->serial);
}
/* Returns the number of records that a draw with replacement chooses from: the member `of` of its ticket, or all n
 * where that is 0. */
static inline uint64_t drawn_among(const struct oracle *o, long of)
{
    return of ? (uint64_t)of : (uint64_t)o->facts->n;
}
/* Returns record number `at`, counted from 0, of those that a draw with replacement chooses from; from, of: as in
 * struct ticket. */
static inline long drawn_from_place(const struct oracle *o, long from, long of, uint64_t at)
{
    long place = from + (long)at;
    return of && o->order ? o->order[place] : place;
}
/* Returns the k-th record of a ticket with replacement; draws: the random stream of the ticket. */
static inline long drawn_record(const struct oracle *o, const struct ticket *t,
                                   const struct rng *draws, long k)
{
    struct rng r = rng_at(draws, (uint64_t)(t->first + k));
    return drawn_from_place(o, t->from, t->of, rng_below(&r, drawn_among(o, t->of)));
}

static inline struct drawn *drawn_place(const struct oracle *o, uint64_t serial)
{
    return &o->members->drawn[serial % DRAWS_KEPT];
}

/* at[n] <- a uniform permutation of 0, ..., n-1. */
static void permute(struct rng *r, long n, long *at)
{
    for (long i = 0; i < n; i++) {               /* the "inside-out" shuffle of Fisher and Yates */
        long k = (long)rng_below(r, (uint64_t)i + 1);
        at[i] = at[k];
        at[k] = i;
    }
}

/* --- Poisson samples, subsets and epochs: m->record[m->count] <- the records that are drawn from n */

/* Inserts a record into the sample, whose records are in ascending order if it is drawn from all records. */
static void join(struct members *m, long record)
{
    long k = m->count++;
    for (; k > 0 && m->record[k - 1] > record; k--)
        m->record[k] = m->record[k - 1];
    m->record[k] = record;
}

/* Can the record be in this Poisson sample, that is, does it stand at one of the places m->from, ..., m->from +
 * m->of - 1 of the order of records? With m->of = 0 every record can. */
static bool may_be_drawn(const struct oracle *o, const struct members *m, long record)
{
    for (long k = 0; k < m->of; k++)
        if (o->order[m->from + k] == record)
            return true;
    return m->of == 0;
}

/* Draws a Poisson sample of rate m->q by the geometric gaps between consecutive records of the sample, so that the
 * cost is proportional to the size of the sample. A record that the neighbouring data set lacks, or whose presence
 * is not drawn but set (COIN_IN, COIN_OUT), is skipped; the other records of the sample stay the same. With COIN_IN
 * it is inserted afterwards. */
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

/* Draws a subset: makes the first m->count steps of a shuffle of m->at and then undoes them. The shuffle changes
 * entries of m->at only below m->count and at the drawn records. */
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

/* Returns the records of the Poisson sample, subset or epoch that the ticket is drawn from: those of the whole
 * draw, of which the ticket may be a part. */
static const struct members *members_of(const struct oracle *o, const struct ticket *t)
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
        permute(&r, m->count = n, m->record);
    return m;
}

/* Makes room for the records of draw number `serial` at its place among the draws kept. The draw has the serial
 * number `serial` and otherwise the members of ticket t. */
static struct drawn *begin_drawn(const struct oracle *o, const struct ticket *t, uint64_t serial)
{
    struct drawn *d = drawn_place(o, serial);
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

/* Returns how many draws to make now: the draw of ticket t and those of the next serial numbers. Where the draw
 * with the serial number before had the same size and source, more draws of this kind are likely to follow, and the
 * number of draws doubles from call to call. So at most about as many draws are made in vain as were used. */
static long drawn_together(const struct oracle *o, const struct ticket *t)
{
    const struct drawn *last = drawn_place(o, t->serial - 1);
    struct members *m = o->members;
    bool follows = last->serial == t->serial - 1 && last->from == t->from && last->of == t->of &&
                   last->first == 0 && t->first == 0 && last->count == t->count && t->count <= DRAWS_SMALL;
    m->together = !follows ? 1 : 2 * m->together < DRAWS_TOGETHER ? 2 * m->together : DRAWS_TOGETHER;
    return m->together;
}

/* d->record[from + k] <- record number at[k] of those that the draw chooses from, k < count. Also prefetches the
 * visit counters of these records, which otherwise miss the cache when the ticket is tallied (oracle_marks.c). */
static void drawn_from(const struct oracle *o, struct drawn *d, const uint64_t *at, long from, long count)
{
    for (long k = 0; k < count; k++) {
        long record = drawn_from_place(o, d->from, d->of, at[k]);
        d->record[from + k] = record;
        if (o->visited)
            __builtin_prefetch(&o->visited[record], 1);
    }
}

static const long *draw_records(const struct oracle *o, const struct ticket *t)
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
        rng_below_each(m, draws, (uint64_t)(t->first + from), now, drawn_among(o, t->of), at);
        for (long k = 0; k < m; k++)
            drawn_from(o, begin_drawn(o, t, serial[k]), at + k * now, from, now);
    }
    return drawn_place(o, t->serial)->record;
}

/* Returns the records of a ticket with replacement; NULL: they are more than KEPT_MAX, too many to keep. They are
 * kept because a batch needs them three times, to tally visits, to count nonzeros and to fetch rows. */
static inline const long *drawn_records(const struct oracle *o, const struct ticket *t)
{
    const struct drawn *kept = drawn_place(o, t->serial);
    if (t->serial == kept->serial && t->from == kept->from && t->of == kept->of &&
        t->first >= kept->first && t->first + t->count <= kept->first + kept->count)
        return kept->record + (t->first - kept->first);
    return draw_records(o, t);
}

/* --- the memory for draws and kinds of samples */

static void members_free(struct members *m)
{
    if (!m)
        return;
    free(m->record);
    free(m->at);
    for (int k = 0; k < DRAWS_KEPT; k++)
        free(m->drawn[k].record);
}

static void kinds_free(struct kinds *k)
{
    free(k->at);
    free(k->slot);
}

void oracle_samples_open(struct oracle *o, const struct rng *base, struct arena *a)
{
    o->members = ARENA_ARRAY(a, 1, struct members);
    *o->members = (struct members){ .serial = UINT64_MAX };
    for (int k = 0; k < DRAWS_KEPT; k++)
        o->members->drawn[k].serial = UINT64_MAX;
    if (!o->stored)
        return;
    long n = (long)o->facts->n;
    struct rng shuffle = rng_sub(base, 3);
    o->order = ARENA_ARRAY(a, n, long);
    o->visited = ARENA_ARRAY(a, n, uint32_t);
    permute(&shuffle, n, o->order);
}

void oracle_samples_free(struct oracle *o)
{
    members_free(o->members);
    kinds_free(&o->kinds);
    free(o->drawn.at);
}

/* --- tickets: handed out, divided into parts, resolved to records, checked */

bool oracle_take(struct oracle *o, long b, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1);
    long first = o->position;
    if (o->stored && first + b > (long)o->facts->n) {
        o->spent = true;
        return false;
    }
    const struct charge taken = { COUNT_taken, (double)b };
    if (!oracle_pay(o, 1, &taken))
        return false;
    o->position += b;
    *t = (struct ticket){ .first = first, .count = b, .scheme = SAMPLING_FRESH,
                          .serial = o->serial++,
                          .aggregated = o->aggregate && o->problem->batch_law && !o->stored };
    return true;
}

struct ticket oracle_replaced(struct oracle *o, long b)
{
    o->ledger.drawn[SAMPLING_REPLACE]++;
    return (struct ticket){ .count = b, .scheme = SAMPLING_REPLACE, .serial = o->serial++ };
}

bool oracle_draw(struct oracle *o, long b, struct ticket *t)
{
    if (!o->stored || o->once)
        return oracle_take(o, b, t);
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1);
    if (!oracle_charge(o, COUNT_taken, (double)b))
        return false;
    *t = oracle_replaced(o, b);
    return true;
}

bool oracle_draw_from(struct oracle *o, const struct ticket *block, long b, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(b < 1 || block->scheme != SAMPLING_FRESH);
    oracle_check(o, block);
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 0, NULL))
        return false;
    *t = (struct ticket){ .count = b, .scheme = SAMPLING_REPLACE, .serial = o->serial++,
                          .from = block->first, .of = block->count };
    o->ledger.drawn[SAMPLING_REPLACE]++;
    return true;
}

bool oracle_all(struct oracle *o, struct ticket *t)
{
    oracle_expect(o, CALL_SAMPLES | CALL_SAMPLE_VALUES);
    BUG_IF(!o->stored);
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 0, NULL))
        return false;
    *t = (struct ticket){ .count = (long)o->facts->n, .scheme = SAMPLING_ALL,
                          .serial = o->serial++ };
    return true;
}

struct ticket ticket_part(const struct ticket *t, long from, long count)
{
    BUG_IF(from < 0 || count < 1 || from + count > t->count);
    BUG_IF(t->aggregated);           /* an aggregated answer is drawn from the exact law of the mean over the whole
                                        ticket */
    BUG_IF(t->scheme == SAMPLING_POISSON || t->scheme == SAMPLING_SUBSET);   /* the privacy of a release is computed
                                                                                for the whole draw */
    struct ticket part = *t;
    part.first += from;
    part.count = count;
    return part;
}

/* Returns a pointer to the first of the ticket's records in the list where they stand one after another. Returns
 * NULL where there is no list, because the record numbers are consecutive or too many to keep. */
static const long *records_of(const struct oracle *o, const struct ticket *t)
{
    if (t->scheme == SAMPLING_REPLACE)
        return drawn_records(o, t);
    const long *list = t->scheme > SAMPLING_ALL ? members_of(o, t)->record
                     : t->scheme == SAMPLING_FRESH ? o->order : NULL;
    return list ? list + t->first : NULL;
}

long oracle_record(const struct oracle *o, const struct ticket *t, long k)
{
    const long *list = records_of(o, t);
    if (list)
        return list[k];
    if (t->scheme == SAMPLING_REPLACE) {
        struct rng draws = ticket_draws(o, t);
        return drawn_record(o, t, &draws, k);
    }
    return t->first + k;
}

struct samples oracle_behind(const struct oracle *o, const struct ticket *t, long from, long m, long *room)
{
    const long *list = records_of(o, t);
    if (list)
        return (struct samples){ from, m, list };
    if (t->scheme != SAMPLING_REPLACE)
        return (struct samples){ t->first + from, m, NULL };
    for (long k = 0; k < m; k++)
        room[k] = oracle_record(o, t, from + k);
    return (struct samples){ 0, m, room };
}

void oracle_records(const struct oracle *o, const struct ticket *t, long from, long m, long *record)
{
    struct samples s = oracle_behind(o, t, from, m, record);
    for (long k = 0; s.index != record && k < m; k++)
        record[k] = sample_index(&s, k);
}

/* Returns the random draw with this serial number; NULL: none was handed out. */
static const struct draw *draw_numbered(const struct oracle *o, uint64_t serial)
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

/* Compares a ticket with the draw of random records `was` that has its serial number: the ticket must be the whole
 * draw or, of a shuffled epoch, a part of it. `was` NULL: no such draw was handed out, which is a bug of the
 * algorithm. */
static void check_drawn(const struct ticket *t, const struct draw *was)
{
    bool parts = t->scheme == SAMPLING_SHUFFLED;
    BUG_IF(!was || was->scheme != t->scheme || was->q != t->q || was->from != t->from ||
           was->of != t->of);
    BUG_IF(!parts && (t->first > 0 || t->count != was->count));
}

void oracle_check(const struct oracle *o, const struct ticket *t)
{
    long limit = t->scheme == SAMPLING_FRESH ? o->position
               : t->scheme == SAMPLING_REPLACE || !o->stored ? LONG_MAX : (long)o->facts->n;
    const struct draw *drawn = draw_numbered(o, t->serial);
    BUG_IF(t->scheme != SAMPLING_FRESH && !o->stored && !(t->of && t->scheme == SAMPLING_REPLACE));
    BUG_IF(t->of && ((t->scheme != SAMPLING_REPLACE && t->scheme != SAMPLING_POISSON) ||
                     t->from + t->of > o->position));
    BUG_IF(t->serial >= o->serial || t->first < 0 || t->first > limit - t->count);
    BUG_IF(t->count < (t->scheme == SAMPLING_POISSON ? 0 : 1));
    BUG_IF(t->scheme <= SAMPLING_ALL && drawn);
    BUG_IF(t->aggregated && !o->problem->batch_law);
    if (t->scheme > SAMPLING_ALL)
        check_drawn(t, drawn);
}

double oracle_nonzeros(const struct oracle *o, const struct ticket *t)
{
    const struct problem *p = o->problem;
    double n = o->facts->n, all = o->facts->nonzeros;
    if (!p->sample_nonzeros || (o->stored && all == n * (double)o->d))   /* dense rows: d entries for every
                                                                            sample */
        return (double)t->count * (double)o->d;
    if (t->scheme == SAMPLING_ALL && t->count == (long)n && !isnan(all))
        return all;
    const long *list = records_of(o, t);
    double sum = 0;
    for (long k = 0; k < t->count; k++)
        sum += (double)p->sample_nonzeros(o->self, list ? list[k] : oracle_record(o, t, k));
    return sum;
}

/* --- tickets of random records, and what samples cost */

static void keep(struct draw_list *l, const struct ticket *t)
{
    if (l->n == l->room) {
        l->room = 2 * l->room + 16;
        l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
        BUG_IF(!l->at);
    }
    l->at[l->n++] = (struct draw){ t->scheme, t->serial, t->q, t->from, t->of, t->count };
}

/* Pays the charges c[n] for the samples of a ticket; the amount of c[0] is for all samples, each of which costs
 * `each`. The moment at which a budget ends must not reveal the size of a Poisson sample. Its expected cost is
 * therefore what c[0] takes from the budget: the budget is raised by the difference between the true and the
 * expected cost, so that what is left does not depend on the size. The expected cost is rounded to whole numbers,
 * which makes this exact to the bit. */
static bool pay_samples(struct oracle *o, const struct ticket *t, double each, int n,
                        const struct charge *c)
{
    if (t->scheme == SAMPLING_POISSON && n > 0) {
        double *all = &o->expected.of[c->kind], before = rint(*all);
        *all += each * t->q * ticket_among(o, t);
        o->budget.of[c->kind] += c->amount - (rint(*all) - before);
    }
    return oracle_pay(o, n, c);
}

/* Draws random records: fills in serial number and size of ticket t and pays for it. The caller has set the other
 * members and, except for Poisson samples, whose size is random, also t->count. */
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
        t->count = members_of(o, t)->count;
    if (o->tape)
        o->tape->sampled |= t->scheme == SAMPLING_POISSON;
    const struct charge taken = { COUNT_taken, (double)t->count };
    if (!pay_samples(o, t, 1, t->of ? 0 : 1, &taken))     /* where a part of the stream is drawn from (t->of > 0),
                                                             its samples were paid for when they were taken */
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

/* --- one sample, for which the record of the neighbouring data set answers */

void oracle_one_gradient(struct oracle *o, long record, const double *x, double a, double *g)
{
    a *= neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return;
    if (o->problem->sample_grad) {
        o->problem->sample_grad(o->self, record, x, a, g);
        return;
    }
    o->problem->grad(o->self, x, o->sum);        /* deterministic family: the gradient of every sample is that
                                                  * of F */
    vec_axpy(o->d, a, o->sum, g);
}

static double one_value(const struct oracle *o, long record, const double *x)
{
    double sign = neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return 0;
    return sign * (o->problem->sample_value ? o->problem->sample_value(o->self, record, x)
                                            : o->problem->value(o->self, x));
}

/* --- The Moreau envelope of one sample's loss f, min_v f(v) + (M/2)|v - x|^2, has the gradient
 * M (x - prox_{f/M}(x)). M is here the parameter of the envelope, which the batch sets. */

/* Can the proximal point of one sample's loss be computed, by the family or, for a linear model without
 * regulariser, by proximal_slope? */
static bool has_envelope(const struct oracle *o)
{
    const struct problem *p = o->problem;
    return p->sample_prox || (p->linear && !p->linear->rest_grad);
}

/* Returns c, the derivative of a linear model's loss l(score, y) in the score, at the proximal point of one sample
 * with row a: the root of c = l'(s - k c, y), where s is the score at x and k = |a|^2/M. The right side does not
 * increase with c, so that the root lies between 0 and l'(s). At a kink of l any subgradient counts as l'. The root
 * is found by bisection down to neighbouring doubles. */
static double proximal_slope(const struct oracle *o, double k, double y, double s)
{
    const struct linear_model *model = o->problem->linear;
    double low = 0, high;
    model->slopes(o->self, 1, &y, &s, &high);
    if (!isfinite(high))
        return high;
    for (double mid; (mid = low + (high - low) / 2) != low && mid != high;) {
        double at = s - k * mid, c;
        model->slopes(o->self, 1, &y, &at, &c);
        if (high > 0 ? c > mid : c < mid)
            low = mid;
        else
            high = mid;
    }
    return high;
}

/* g += a times the gradient at x of the envelope min_v f(v; record) + (M/2)|v - x|^2. */
static void envelope_gradient(struct oracle *o, double M, long record, const double *x, double a,
                              double *g)
{
    const struct problem *p = o->problem;
    a *= neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return;
    if (p->sample_prox) {
        p->sample_prox(o->self, record, 1 / M, x, o->sum);
        vec_axpy(o->d, a * M, x, g);
        vec_axpy(o->d, -a * M, o->sum, g);
        return;
    }
    if (record < 0) {                /* a canary, whose loss is linear. The envelope of a linear function differs
                                        from the function by a constant, so that the two have the same gradient */
        p->sample_grad(o->self, record, x, a, g);
        return;
    }
    struct linear_rows A;
    double s, c;
    p->linear->rows(o->self, &(struct samples){ record, 1, NULL }, o->sum, &A);
    linear_norms(&A);
    linear_scores(&A, x, &s);
    c = a * proximal_slope(o, A.norm[0] * A.norm[0] / M, A.y[0], s);
    linear_add(&A, &c, g);
}

/* --- what one sample adds to a batch: the sum of its gradients at all points, clipped */

/* Must every sample of the batch be evaluated alone, because it has a point of its own (blur) or a function of its
 * own (envelope)? */
static bool sample_by_sample(const struct batch *q)
{
    return q->blur > 0 || q->envelope > 0;
}

void oracle_asked_gradient(struct oracle *o, const struct batch *q, long record, int p, double a,
                           double *v)
{
    const double *x = q->x[p];
    a *= q->a ? q->a[p] : 1;
    if (q->blur > 0) {
        struct rng z = rng_at(q->draws, (uint64_t)record);
        rng_normals(&z, o->d, q->blur, o->at);
        vec_axpy(o->d, 1, x, o->at);
        x = o->at;
    }
    if (q->envelope > 0)
        envelope_gradient(o, q->envelope, record, x, a, v);
    else
        oracle_one_gradient(o, record, x, a, v);
}

/* *norm <- |a + b|, from a2 = |a|^2, b2 = |b|^2 and ab = <a, b>. Returns false where this is too inaccurate,
 * because the terms cancel or overflow; the sum must then be formed. LEFT: the square may shrink to a tenth of
 * |a|^2 + |b|^2, which costs one digit. HUGE_SQUARE: sums below it cannot overflow. With a larger LEFT or a smaller
 * HUGE_SQUARE the sum is formed for more samples, which is slow. */
static inline bool norm_of_sum(double a2, double b2, double ab, double *norm)
{
    static const double LEFT = 0.1, HUGE_SQUARE = 1e300;
    double whole = a2 + b2, square = whole + 2 * ab;
    *norm = sqrt(square);
    return whole < HUGE_SQUARE && square >= LEFT * whole;
}
/* Records that clipping saw `count` gradients of this norm and moved each by the distance `lost`. */
static inline void clips_seen(struct oracle *o, double norm, double lost, double count)
{
    o->clip_seen += count;
    o->clip_largest = norm > o->clip_largest ? norm : o->clip_largest;
    o->clipped += lost > 0 ? count : 0;
    o->clip_mass += count * lost;
}
static inline void clip_seen(struct oracle *o, double norm, double lost)
{
    clips_seen(o, norm, lost, 1);
}
/* Clips a sample's gradient v[d] in place and records how far it moved. */
static void clip_sample(struct oracle *o, const struct batch *q, double *v)
{
    double before = vec_norm(o->d, v), lost = 0;
    if (q->clip == CLIP_NORM && before > q->C) {
        vec_clip_norm(o->d, q->C, v);
        lost = before - q->C;
    } else if (q->clip == CLIP_COORDS) {
        for (long j = 0; j < o->d; j++) {
            double excess = fabs(v[j]) - q->C_j[j];
            lost += excess > 0 ? excess * excess : 0;
        }
        lost = sqrt(lost);
        vec_clip_coords(o->d, q->C_j, v);
    }
    clip_seen(o, before, lost);
}

/* q->g += w clip(sum_k a_k grad f(x_k; record)); the sample's gradient is formed in full where it is clipped. */
static void one_sample(struct oracle *o, const struct batch *q, long record, double w)
{
    double *v = q->clip == CLIP_NONE ? q->g : o->one;
    double scale = q->clip == CLIP_NONE ? w : 1;
    if (q->clip != CLIP_NONE)
        vec_zero(o->d, v);
    for (int p = 0; p < q->points; p++)
        oracle_asked_gradient(o, q, record, p, scale, v);
    if (q->clip == CLIP_NONE)
        return;
    clip_sample(o, q, v);
    vec_axpy(o->d, w, v, q->g);
}

/* --- Linear models, f(x; s_i) = l(<a_i,x>, y_i) + r(x), by blocks of rows. With u_i = sum_k a_k l'(<a_i,x_k>, y_i)
 * and r <- sum_k a_k grad r(x_k), the gradient of sample i is v_i = u_i a_i + r, whose norm follows from |a_i|, |r|
 * and <a_i,r>. For a sample only its row a_i is read, and the only vector of length d that is written is the
 * answer. */

/* Some of a ticket's samples with their rows a_i; fill_block says which are left out. */
struct block {
    struct linear_rows A;
    double w[LINEAR_ROWS];           /* weights w_i of the samples in the sum g */
    double u[LINEAR_ROWS], s[LINEAR_ROWS];       /* u: the u_i of the rows, later times their weights; s: <a_i, r>,
                                                    or room for scores */
    long even;                       /* the first `even` entries of w hold the equal weight of the ticket, which an
                                        earlier block has left there */
    long scored;                     /* of the first `scored` rows, u[k] is the score <a_k,x_0> */
    struct samples of;               /* the samples in A, before a neighbour's record replaces one of them */
    long record[LINEAR_ROWS];        /* room for the list in `of` */
};

/* Fills the block with the samples from, from + 1, ... of a ticket. Left out of the block, and passed to `single`
 * with their weights, are canaries and samples that answer zero on a neighbouring data set, which have no row, and
 * samples that answer with the negative of a record. Returns the number of positions covered. */
static long fill_block(struct oracle *o, const struct ticket *t, const double *w, long from,
                 struct block *b, void (*single)(void *ctx, long record, double w), void *ctx)
{
    long left = t->count - from, m = left < o->block ? left : o->block;
    long there[LINEAR_ROWS], kept = 0;
    b->scored = 0;
    if (w)
        vec_copy(m, w + from, b->w);
    else if (b->even < m)
        vec_fill(m, ticket_even(o, t), b->w);
    if (o->neighbour.kind == NEIGHBOUR_SAME) {
        b->even = w ? 0 : b->even > m ? b->even : m;
        b->of = oracle_behind(o, t, from, m, b->record);
        o->problem->linear->rows(o->self, &b->of, o->rows, &b->A);
        return m;
    }
    b->even = 0;                     /* the loop below moves weights where rows are left out, so that b->w no longer
                                        holds equal weights */
    oracle_records(o, t, from, m, b->record);
    for (long k = 0; k < m; k++) {
        long asked = b->record[k], record = neighbour_record(&o->neighbour, asked);
        double weight = b->w[k];
        if (record < 0 || neighbour_sign(&o->neighbour, asked) < 0) {
            single(ctx, asked, weight);
            continue;
        }
        b->record[kept] = asked;
        b->w[kept] = weight;
        there[kept++] = record;
    }
    b->of = (struct samples){ 0, kept, b->record };
    b->A.m = 0;
    if (kept)
        o->problem->linear->rows(o->self, &(struct samples){ 0, kept, there }, o->rows, &b->A);
    return m;
}

struct linear_sum {
    struct oracle *o;
    const struct batch *q;
    const double *r;                 /* NULL: r = 0 */
    double weight;                   /* the factor of r in the sum so far */
};

static void single_gradient(void *ctx, long record, double w)
{
    struct linear_sum *sum = ctx;
    one_sample(sum->o, sum->q, record, w);
}

/* u_k <- a_0 u_k + sum_p>0 a_p l'(<a_k,x_p>) for rows from, ..., from + m - 1; on entry u_k is the slope at x_0.
 * The m rows fit the first-level cache, and all points are served while they are there. q->x[p] is x_p, q->a[p] is
 * a_p. */
static void other_points(const struct oracle *o, const struct batch *q, struct block *b, long from, long m)
{
    double *u = b->u + from, *s = b->s + from;
    if (q->points > 0 && q->a)
        vec_scale(m, q->a[0], u);
    for (int p = 1; p < q->points; p++) {
        linear_scores_of(&b->A, from, m, q->x[p], s);
        o->problem->linear->slopes(o->self, m, b->A.y + from, s, s);
        vec_axpy(m, q->a ? q->a[p] : 1, s, u);
    }
}

static void derivatives(const struct oracle *o, const struct batch *q, struct block *b,
                        const struct block *next)
{
    long m = b->A.m;
    if (q->points == 0) {
        vec_zero(m, b->u);
        return;
    }
    linear_scores_ahead(&b->A, next && o->far ? &next->A : NULL, q->x[0], b->u);
    o->problem->linear->slopes(o->self, m, b->A.y, b->u, b->u);
    other_points(o, q, b, 0, m);
}

/* u_k <- u_k w_k, the factor of row k in the sum; w_k also counts towards the factor of r. */
static inline void weigh(struct linear_sum *sum, struct block *b, long from, long m)
{
    for (long k = from; k < from + m; k++)
        b->u[k] *= b->w[k];
    for (long k = from; sum->r && k < from + m; k++)
        sum->weight += b->w[k];
}

/* Multiplies u_k by the weight of row k and by the factor that clips this sample to norm C. A sample whose norm
 * cannot be computed accurately from |a_k|, |r| and <a_k,r> is added to the sum in full, and its u_k becomes 0. */
static void weigh_clipped(struct linear_sum *sum, struct block *b, long from, long m)
{
    struct oracle *o = sum->o;
    const struct batch *q = sum->q;
    double r2 = sum->r ? vec_dot(o->d, sum->r, sum->r) : 0;
    for (long k = from; k < from + m; k++) {
        double norm = fabs(b->u[k]) * b->A.norm[k], lost = 0, w = b->w[k];
        if (sum->r && !norm_of_sum(norm * norm, r2, b->u[k] * b->s[k], &norm)) {
            one_sample(o, q, sample_index(&b->of, k), w);
            b->u[k] = 0;
            continue;
        }
        if (norm > q->C) {
            lost = norm - q->C;
            w *= q->C / norm;
        }
        clip_seen(o, norm, lost);
        b->u[k] *= w;
        sum->weight += sum->r ? w : 0;
    }
}

static void add_norm_clipped(struct linear_sum *sum, struct block *b)
{
    linear_norms(&b->A);
    if (sum->r)
        linear_scores(&b->A, sum->r, b->s);
    weigh_clipped(sum, b, 0, b->A.m);
    linear_add(&b->A, b->u, sum->q->g);
}

/* Returns the norm of a sample's unclipped gradient, from the gradient formed in full. For samples whose squared
 * norm has overflowed in the kernel. */
static double formed_norm(struct oracle *o, const struct batch *q, long record)
{
    vec_zero(o->d, o->one);
    for (int p = 0; p < q->points; p++)
        oracle_one_gradient(o, record, q->x[p], q->a ? q->a[p] : 1, o->one);
    return vec_norm(o->d, o->one);
}

static void see_clipped(struct oracle *o, const struct batch *q, const struct block *b, long from,
                        long m, const double *norm2, const double *lost2)
{
    for (long k = 0; k < m; k++) {
        double norm = isinf(norm2[k]) ? formed_norm(o, q, sample_index(&b->of, from + k)) : sqrt(norm2[k]);
        clip_seen(o, norm, sqrt(lost2[k]));
    }
}

static void add_coords_clipped(struct linear_sum *sum, struct block *b)
{
    const struct batch *q = sum->q;
    double norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    linear_add_clipped(&b->A, b->u, sum->r, q->C_j, b->w, q->g, norm2, lost2);
    see_clipped(sum->o, q, b, 0, b->A.m, norm2, lost2);
}

/* o->rest <- sum_k a_k grad r(x_k), the part of a linear model's gradient that all samples share; returns o->rest,
 * or NULL where the sum is 0. */
static const double *rest_of(const struct oracle *o, const struct batch *q)
{
    if (!o->rest)
        return NULL;
    vec_zero(o->d, o->rest);
    for (int p = 0; p < q->points; p++)
        o->problem->linear->rest_grad(o->self, q->x[p], q->a ? q->a[p] : 1, o->rest);
    long zeros = 0;
    while (zeros < o->d && o->rest[zeros] == 0)
        zeros++;
    return zeros == o->d ? NULL : o->rest;
}

/* Adds the samples of block b to the sum. next: the block after b, whose rows may be prefetched meanwhile; NULL:
 * there is none. */
static void add_block(struct linear_sum *sum, struct block *b, struct block *next)
{
    derivatives(sum->o, sum->q, b, next);
    if (sum->q->clip == CLIP_NORM)
        add_norm_clipped(sum, b);
    else if (sum->q->clip == CLIP_COORDS)
        add_coords_clipped(sum, b);
    else {
        weigh(sum, b, 0, b->A.m);
        linear_add(&b->A, b->u, sum->q->g);
    }
}

/* Adds the gradients of rows from, ..., from + m - 1 of b, clipped by coordinate, to the sum. In the same pass
 * computes the scores of rows at, ..., at + others - 1 of `then`. */
static void clip_group(struct linear_sum *sum, const struct linear_kernels *kernels, struct block *b,
                       long from, long m, struct block *then, long at, long others)
{
    const struct batch *q = sum->q;
    double norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    const double *u = b->u + from, *w = b->w + from;
    kernels->clips_dots(b->A.d - b->A.ones, m, b->A.at + from, u, q->C_j, w, q->g, norm2, lost2,
                        others, then->A.at + at, q->x[0], then->u + at);
    for (long k = 0; k < m; k++)
        linear_clip_beside(&b->A, from + k, u[k], NULL, q->C_j, w[k], q->g, &norm2[k], &lost2[k]);
    see_clipped(sum->o, q, b, from, m, norm2, lost2);
}

/* Adds rows as clip_group does, but unclipped or clipped by norm. The kernel of the next group waits until the sum
 * is stored; each call or store between two groups makes it wait longer, so this function is inlined. */
static inline void add_group(struct linear_sum *sum, const struct linear_kernels *kernels,
                             struct block *b, long from, long m, struct block *then, long at,
                             long others)
{
    double *u = b->u + from, *g = sum->q->g;
    long d = b->A.d - b->A.ones;
    if (sum->q->clip == CLIP_NORM)
        weigh_clipped(sum, b, from, m);
    else
        weigh(sum, b, from, m);
    kernels->adds_dots(d, m, b->A.at + from, u, g, others, then->A.at + at, sum->q->x[0],
                       then->u + at);
    for (long k = 0; b->A.ones && k < m; k++)
        g[d] += u[k];
}

/* Is it faster to add the rows by groups (add_groups)? It is not for long rows that cross cache lines: the kernel
 * then waits for the loads of two rows at a time. SHORT: rows of up to 256 doubles are fast either way. HALF_LINE:
 * a row that begins at a multiple of 32 bytes crosses no cache line within one load of a 32-byte vector. */
static bool grouped(const struct linear_rows *A)
{
    enum { SHORT = 256, HALF_LINE = 32 };
    uintptr_t places = (uintptr_t)A->at[0] | (uintptr_t)A->at[A->m / 2];
    return !A->sparse && (A->d <= SHORT || places % HALF_LINE == 0);
}

/* Adds the samples of block b by groups of rows that fit the first-level cache: while one group is added the scores
 * of the next are computed. On entry the scores of the first b->scored rows are in b->u; on return the first group
 * of the next block has its scores. */
static void add_groups(struct linear_sum *sum, struct block *b, struct block *next)
{
    const struct linear_kernels *kernels = linear_kernels();
    const struct oracle *o = sum->o;
    const struct batch *q = sum->q;
    long from = 0, m = b->scored, others;
    struct block *then;
    if (q->clip == CLIP_NORM)
        linear_norms(&b->A);
    do {
        double *u = b->u + from;
        o->problem->linear->slopes(o->self, m, b->A.y + from, u, u);
        other_points(o, q, b, from, m);
        then = from + m < b->A.m || !next ? b : next;
        long at = then == b ? from + m : 0, left = then->A.m - at;
        others = left < o->group ? left : o->group;
        then->scored = at + others;
        if (q->clip == CLIP_COORDS)
            clip_group(sum, kernels, b, from, m, then, at, others);
        else
            add_group(sum, kernels, b, from, m, then, at, others);
        for (long k = at; then->A.ones && k < at + others; k++)
            then->u[k] += q->x[0][then->A.d - 1];
        from += m;
        m = others;
    } while (then == b && m > 0);
}

static void linear_batch(struct oracle *o, const struct batch *q)
{
    struct linear_sum sum = { o, q, rest_of(o, q), 0 };
    struct block b[2], *now = b, *next = b + 1;
    b[0].even = b[1].even = 0;
    long count = q->ticket->count;
    long from = fill_block(o, q->ticket, q->w, 0, now, single_gradient, &sum);
    bool groups = o->group && q->points > 0 && !sum.r;
    bool early = o->stored && (o->far || groups);    /* early: block `next` is filled before block `now` is added.
                                                        Not for a stream, for whose rows there is room for one block
                                                        only */
    for (bool more = true; more;) {
        more = from < count;
        if (more && early)
            from += fill_block(o, q->ticket, q->w, from, next, single_gradient, &sum);
        if (now->A.m > 0)
            (groups && grouped(&now->A) ? add_groups : add_block)(&sum, now,
                                                                  more && early ? next : NULL);
        if (more && !early)
            from += fill_block(o, q->ticket, q->w, from, next, single_gradient, &sum);
        struct block *done = now;
        now = next;
        next = done;
    }
    if (sum.weight != 0)             /* 0 times an infinite entry of r would be NaN */
        vec_axpy(o->d, sum.weight, sum.r, q->g);
}

/* --- values of the samples of a linear model */

struct mean {
    const struct oracle *o;
    const double *x;
    double value;
};

static void single_value(void *ctx, long record, double w)
{
    struct mean *mean = ctx;
    mean->value += w * one_value(mean->o, record, mean->x);
}

/* Returns sum_i w_i f(x; s_i) over the samples of a ticket; w NULL: equal weights. */
static double linear_values(struct oracle *o, const struct ticket *t, const double *w,
                            const double *x)
{
    const struct linear_model *model = o->problem->linear;
    struct block b;
    b.even = 0;
    struct mean mean = { o, x, 0 };
    double r = model->rest ? model->rest(o->self, x) : 0;
    for (long from = 0; from < t->count;) {
        from += fill_block(o, t, w, from, &b, single_value, &mean);
        if (b.A.m == 0)
            continue;
        linear_scores(&b.A, x, b.s);
        model->values(o->self, b.A.m, b.A.y, b.s, b.s);
        for (long k = 0; k < b.A.m; k++)
            mean.value += b.w[k] * (b.s[k] + r);
    }
    return mean.value;
}

/* --- Samples of a shared model (problem.h) by kind. The gradient of such a sample is a vector that all samples
 * share, plus a number v in one coordinate j; v and j do not depend on x, and samples with equal v and j are of one
 * kind. A pass over a whole ticket adds each kind once, times the number of its samples. */

/* KIND_BLOCK: samples whose v and j are looked up at a time. FEW: the samples of tickets with fewer are not counted
 * by kind. KINDS_MAX: the most kinds that are kept, which fill half of the 2^SLOT_BITS slots of the hash table. */
enum { KIND_BLOCK = 256, FEW = 256, KINDS_MAX = 1 << 12, SLOT_BITS = 13 };

static void kinds_begin(struct kinds *k)
{
    size_t slots = (size_t)1 << SLOT_BITS;
    if (!k->at) {
        k->at = malloc(KINDS_MAX * sizeof *k->at);
        k->slot = malloc(slots * sizeof *k->slot);
        BUG_IF(!k->at || !k->slot);
    }
    memset(k->slot, 0, slots * sizeof *k->slot);
    k->n = 0;
    k->counted = true;
    k->many = false;
}

/* Returns the slot of the hash table for samples with entry v in coordinate j: the one that holds their kind, or
 * the one where it is to be inserted. */
static int *slot_of(const struct kinds *k, long j, double v)
{
    uint64_t bits, mask = (UINT64_C(1) << SLOT_BITS) - 1;
    memcpy(&bits, &v, sizeof bits);
    uint64_t h = ((uint64_t)j * UINT64_C(0x9e3779b97f4a7c15) ^ bits) * UINT64_C(0xd6e8feb86659fd93);
    for (h >>= 64 - SLOT_BITS;; h = (h + 1) & mask) {
        const struct sample_kind *at = k->slot[h] ? &k->at[k->slot[h] - 1] : NULL;
        if (!at || (at->j == j && memcmp(&at->v, &v, sizeof v) == 0))
            return &k->slot[h];
    }
}

/* Counts a sample with entry v in coordinate j. Returns false where it would be a kind beyond KINDS_MAX. */
static bool kinds_add(struct kinds *k, long record, long j, double v)
{
    int *slot = slot_of(k, j, v);
    if (!*slot) {
        if (k->n == KINDS_MAX)
            return false;
        k->at[k->n++] = (struct sample_kind){ .j = j, .record = record, .v = v };
        *slot = (int)k->n;
    }
    k->at[*slot - 1].count++;
    return true;
}

static void kinds_count(struct oracle *o, struct kinds *k)
{
    long record[KIND_BLOCK], j[KIND_BLOCK];
    double v[KIND_BLOCK];
    kinds_begin(k);
    for (long from = 0; from < k->of.count && !k->many; from += KIND_BLOCK) {
        long left = k->of.count - from, m = left < KIND_BLOCK ? left : KIND_BLOCK;
        oracle_records(o, &k->of, from, m, record);
        o->problem->shared->entries(o->self, m, record, j, v);
        for (long i = 0; i < m && !k->many; i++)
            k->many = !kinds_add(k, record[i], j[i], v[i]);
    }
    k->many |= k->n > k->of.count / 4;
}

/* Returns the samples of a ticket by kind; NULL: the ticket is not the one that was remembered at an earlier use,
 * is small, or has too many kinds. The kinds of one ticket are remembered: of the tickets of one draw the largest,
 * because a method may use parts of a draw between passes over the whole draw. */
static const struct kinds *kinds_of(struct oracle *o, const struct ticket *t)
{
    struct kinds *k = &o->kinds;
    if (t->count < FEW)
        return NULL;
    if (!k->of.count || !ticket_same(t, &k->of)) {
        if (!k->of.count || t->serial != k->of.serial || t->count > k->of.count) {
            k->of = *t;
            k->counted = false;
        }
        return NULL;
    }
    if (!k->counted)
        kinds_count(o, k);
    return k->many ? NULL : k;
}

/* --- Shared models: samples whose gradients differ in one coordinate only. At x the gradient of sample i is h(x),
 * which all samples share, plus v_i in one coordinate j of its own. With h = sum_k a_k h(x_k) and A = sum_k a_k the
 * gradient of the sample at all points of a batch is h + A v_i e_j, whose norm follows from |h| and h_j: clipping
 * takes constant time a sample in any dimension. Where a ticket is used again, samples of one kind are added
 * together; where A = 0 all samples are equal. In these two cases no pass over the samples is made. The charges do
 * not depend on the case; they are paid by oracle_batch. */

struct shared_sum {
    struct oracle *o;
    const struct batch *q;
    const double *h;
    double A, h2;                    /* h2: |h|^2 */
    double weight;                   /* the factor of h in the sum */
};

/* Adds the gradients of the k->count samples of kind k with weight w each, clipped to norm C if the batch says
 * so. */
static void add_kind(struct shared_sum *s, const struct sample_kind *k, double w)
{
    const struct neighbour *other = &s->o->neighbour;
    double norm, lost = 0, entry = s->A * k->v;
    bool same = other->kind == NEIGHBOUR_SAME || (neighbour_record(other, k->record) == k->record &&
                                                  neighbour_sign(other, k->record) > 0);
    if (s->q->clip == CLIP_NORM) {
        if (!same || !norm_of_sum(entry * entry, s->h2, entry * s->h[k->j], &norm)) {
            for (double i = 0; i < k->count; i++)
                one_sample(s->o, s->q, k->record, w);
            return;
        }
        if (norm > s->q->C) {
            lost = norm - s->q->C;
            w *= s->q->C / norm;
        }
        clips_seen(s->o, norm, lost, k->count);
    }
    s->weight += k->count * w;
    s->q->g[k->j] += k->count * w * entry;
}

/* Returns h, A and |h|^2 of the batch (see "Shared models" above). h is stored in o->sum, which is free here: only
 * deterministic families use it for a sample, and these have no shared model. */
static struct shared_sum common_of(struct oracle *o, const struct batch *q)
{
    struct shared_sum s = { .o = o, .q = q, .h = o->sum };
    vec_zero(o->d, o->sum);
    for (int p = 0; p < q->points; p++) {
        double a = q->a ? q->a[p] : 1;
        o->problem->shared->common(o->self, q->x[p], a, o->sum);
        s.A += a;
    }
    s.h2 = vec_dot(o->d, s.h, s.h);
    return s;
}

static double weight_of_points(const struct batch *q)
{
    double A = 0;
    for (int p = 0; p < q->points; p++)
        A += q->a ? q->a[p] : 1;
    return A;
}

static void add_each_shared(struct shared_sum *s)
{
    const struct ticket *t = s->q->ticket;
    long record[KIND_BLOCK], j[KIND_BLOCK];
    double v[KIND_BLOCK], even = ticket_even(s->o, t);
    for (long from = 0; from < t->count; from += KIND_BLOCK) {
        long left = t->count - from, m = left < KIND_BLOCK ? left : KIND_BLOCK;
        oracle_records(s->o, t, from, m, record);
        s->o->problem->shared->entries(s->o->self, m, record, j, v);
        for (long k = 0; k < m; k++)
            add_kind(s, &(struct sample_kind){ j[k], record[k], v[k], 1 },
                s->q->w ? s->q->w[from + k] : even);
    }
}

/* q->g += the batch, computed by the shared model. Returns false, and does nothing, for batches that are clipped by
 * coordinate, and where adding sample by sample is no slower. */
static bool shared_batch(struct oracle *o, const struct batch *q)
{
    const struct ticket *t = q->ticket;
    bool even = !q->w && o->neighbour.kind == NEIGHBOUR_SAME && t->count > 0;
    bool equal = even && weight_of_points(q) == 0;
    const struct kinds *kinds = even && !equal ? kinds_of(o, t) : NULL;

    if (q->clip != CLIP_NORM && (q->clip != CLIP_NONE || (!equal && !kinds)))
        return false;
    struct shared_sum s = common_of(o, q);
    if (equal)
        add_kind(&s, &(struct sample_kind){ .record = oracle_record(o, t, 0),
                                       .count = (double)t->count }, ticket_even(o, t));
    for (long k = 0; kinds && k < kinds->n; k++)
        add_kind(&s, &kinds->at[k], ticket_even(o, t));
    if (!equal && !kinds)
        add_each_shared(&s);
    if (s.weight != 0)               /* 0 times an infinite entry of h would be NaN */
        vec_axpy(o->d, s.weight, s.h, q->g);
    return true;
}

/* --- questions for gradients: one batch */

/* q->g += a times the gradients of an unclipped batch at its point number `point`, by the function batch_grad of
 * the family. */
static void add_batch(struct oracle *o, const struct batch *q, int point, double a)
{
    const struct problem *p = o->problem;
    const struct ticket *t = q->ticket;
    const double *x = q->x[point];
    double n = (double)t->count;

    if (t->count == 0)
        return;
    if (t->scheme != SAMPLING_REPLACE) {
        const long *index = t->scheme == SAMPLING_ALL ? NULL
                          : t->scheme == SAMPLING_FRESH ? o->order : members_of(o, t)->record;
        struct samples s = { t->first, t->count, index };
        double scale = t->scheme == SAMPLING_POISSON && !q->w ? n * ticket_even(o, t) : 1;
        p->batch_grad(o->self, &s, q->w, x, a * scale, q->g);
        return;
    }
    enum { BLOCK = 1024 };
    long index[BLOCK];
    for (long from = 0; from < t->count; from += BLOCK) {
        long b = t->count - from < BLOCK ? t->count - from : BLOCK;
        oracle_records(o, t, from, b, index);
        struct samples s = { 0, b, index };
        p->batch_grad(o->self, &s, q->w ? q->w + from : NULL, x, q->w ? a : a * (double)b / n, q->g);
    }
}

static void add_each(struct oracle *o, const struct batch *q)
{
    double even = ticket_even(o, q->ticket);
    for (long k = 0; k < q->ticket->count; k++)
        one_sample(o, q, oracle_record(o, q->ticket, k), q->w ? q->w[k] : even);
}

/* For a deterministic family, where every sample has the gradient of F: adds it once, with the weight of the whole
 * batch. */
static void add_same(struct oracle *o, const struct batch *q)
{
    double weight = 0;
    for (long k = 0; q->w && k < q->ticket->count; k++)
        weight += q->w[k];
    if (!q->w)
        weight = (double)q->ticket->count * ticket_even(o, q->ticket);
    for (int p = 0; p < q->points; p++) {
        o->problem->grad(o->self, q->x[p], o->sum);
        vec_axpy(o->d, weight * (q->a ? q->a[p] : 1), o->sum, q->g);
    }
}

static void add_samples(struct oracle *o, const struct batch *q)
{
    if (q->clip != CLIP_NONE || o->neighbour.kind != NEIGHBOUR_SAME)
        add_each(o, q);
    else if (!o->problem->sample_grad)
        add_same(o, q);
    else if (o->problem->batch_grad)
        for (int p = 0; p < q->points; p++)
            add_batch(o, q, p, q->a ? q->a[p] : 1);
    else
        add_each(o, q);
}

static void add_law(struct oracle *o, const struct batch *q)
{
    const struct ticket *t = q->ticket;
    struct rng law = rng_sub(&o->data, UINT64_MAX), at = rng_at(&law, (uint64_t)t->first);
    struct rng draw = rng_sub(&at, (uint64_t)t->count);
    static const double one = 1;
    if (q->a) {
        o->problem->batch_law(o->self, &draw, (double)t->count, q->points, q->x, q->a, q->g);
        return;
    }
    for (int p = 0; p < q->points; p++)
        o->problem->batch_law(o->self, &draw, (double)t->count, 1, q->x + p, &one, q->g);
}

/* Is the batch a single unclipped sample? It is then added to the answer directly: blocks of rows would gain
 * nothing. */
static bool alone(const struct oracle *o, const struct batch *q)
{
    return q->ticket->count == 1 && q->clip == CLIP_NONE && o->problem->sample_grad;
}

bool oracle_batch(struct oracle *o, const struct batch *q)
{
    struct batch unclipped = *q;
    if (q->clip == CLIP_NORM && isinf(q->C)) {
        unclipped.clip = CLIP_NONE;
        q = &unclipped;
    }
    oracle_expect(o, CALL_SAMPLES);
    BUG_IF(q->blur > 0 && !q->draws);
    double cost = (double)q->ticket->count * q->points;
    const struct charge bill[] = { { COUNT_sample_grads, cost }, { COUNT_batch_steps, 1 } };
    if (q->ticket->aggregated && (q->clip != CLIP_NONE || q->w || sample_by_sample(q) ||
                                  o->neighbour.kind != NEIGHBOUR_SAME))
        o->refused = "aggregated answers have no clipping, weights, points of their own or neighbours";
    if (q->envelope > 0 && !has_envelope(o))
        o->refused = "envelopes of samples were asked for, and these have no proximal points in "
                     "closed form";
    if (!pay_samples(o, q->ticket, q->points, 2, bill))
        return false;
    oracle_visited(o, q->ticket);
    if (!q->ticket->aggregated)
        o->counts.of[COUNT_nonzeros] += oracle_nonzeros(o, q->ticket) * q->points;
    vec_zero(o->d, q->g);
    if (o->counting)
        return true;
    if (q->ticket->aggregated)
        add_law(o, q);
    else if (sample_by_sample(q))
        add_each(o, q);
    else if (o->problem->linear && !alone(o, q))
        linear_batch(o, q);
    else if (!o->problem->shared || !shared_batch(o, q))
        add_samples(o, q);
    if (o->tape)
        tape_batch(o, q);
    return true;
}

/* May next_sample serve the next sample of a stream? It may if the family has sample gradients, the run evaluates
 * them (no count mode) on its own data set, no exact law of means answers, no tape records, and the run has been
 * one pass so far. */
static bool single_pass(const struct oracle *o)
{
    const struct problem *p = o->problem;
    const struct span *last = o->spans.count ? o->spans.at + o->spans.count - 1 : NULL;
    return p->sample_grad && !o->stored && !o->tape && !o->counting &&
           o->neighbour.kind == NEIGHBOUR_SAME && !(o->aggregate && p->batch_law) && last &&
           last->end == o->position && last->visits == 1;
}

/* Does what oracle_draw and oracle_batch do for one sample where single_pass holds, without a ticket. One sample
 * gradient is the most frequent question of stochastic methods. */
static bool next_sample(struct oracle *o, const double *x, double *g)
{
    const struct charge bill[] = { { COUNT_taken, 1 }, { COUNT_sample_grads, 1 },
                                   { COUNT_batch_steps, 1 } };
    const struct problem *p = o->problem;
    const struct samples s = { .first = o->position, .count = 1 };
    oracle_expect(o, CALL_SAMPLES);
    if (!oracle_pay(o, 3, bill))
        return false;
    o->serial++;
    o->spans.at[o->spans.count - 1].end = ++o->position;
    o->counts.of[COUNT_nonzeros] += p->sample_nonzeros
                                        ? (double)p->sample_nonzeros(o->self, s.first) : (double)o->d;
    vec_zero(o->d, g);
    if (p->batch_grad)
        p->batch_grad(o->self, &s, NULL, x, 1, g);
    else
        p->sample_grad(o->self, s.first, x, 1, g);
    return true;
}

bool oracle_sgrad(struct oracle *o, long b, const double *x, double *g)
{
    const struct charge bill[] = { { COUNT_sample_grads, (double)b }, { COUNT_batch_steps, 1 } };
    struct ticket t;
    if (b == 1 && single_pass(o))
        return next_sample(o, x, g);
    return oracle_affords(o, 2, bill) && oracle_draw(o, b, &t) &&
           oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = &x, .g = g });
}

/* --- questions for values of samples, and probes along random directions */

/* Pays for `each` values of every sample of a ticket, along `directions` random directions a sample. */
static bool pay_values(struct oracle *o, const struct ticket *t, double each, int directions)
{
    double count = (double)t->count;
    const struct charge bill[] = { { COUNT_sample_values, count * each }, { COUNT_batch_steps, 1 },
                                   { COUNT_directions, count * directions } };
    if (t->aggregated)
        o->refused = "aggregated answers have no sample values";
    if (!pay_samples(o, t, each, directions ? 3 : 2, bill))
        return false;
    oracle_visited(o, t);
    return true;
}

bool oracle_values(struct oracle *o, const struct ticket *t, const double *w, const double *x, double *f)
{
    oracle_expect(o, CALL_SAMPLE_VALUES);
    if (!pay_values(o, t, 1, 0))
        return false;
    *f = 0;
    if (o->problem->linear && !o->counting) {
        *f = linear_values(o, t, w, x);
        return true;
    }
    for (long k = 0; k < t->count && !o->counting; k++)
        *f += (w ? w[k] : ticket_even(o, t)) * one_value(o, oracle_record(o, t, k), x);
    return true;
}

/* v[p*m + j] <- f(x_p + r_p u_j; record) for directions u[m d]. Where the family has a function values_along, it
 * shares work between the values. */
static void values_along(struct oracle *o, const struct probe *q, long record, int m, const double *u,
                         double *v)
{
    const struct problem *p = o->problem;
    bool same = neighbour_record(&o->neighbour, record) == record &&
                neighbour_sign(&o->neighbour, record) > 0;
    if (p->values_along && same) {
        p->values_along(o->self, record, q->points, q->x, q->r, m, u, v);
        return;
    }
    for (int k = 0; k < q->points; k++)
        for (int j = 0; j < m; j++) {
            vec_lincomb(o->d, 1, q->x[k], q->r[k], u + j * o->d, o->at);
            v[k * m + j] = one_value(o, record, o->at);
        }
}

enum { POINTS_MAX = 8 };             /* the most points of a probe: its values stand in an array on the stack */

/* Clamps the numbers c[m], none of them NaN, to [-bound, bound]. The loop has no branches: for linear losses |c_j|
 * may equal the bound up to rounding, so that a branch on it is mispredicted every other time. */
static void clamp_numbers(struct oracle *o, double bound, int m, double *c)
{
    double beyond[DIRECTIONS_MOST];
    int clipped = 0;
    for (int j = 0; j < m; j++) {
        double size = fabs(c[j]), kept = size < bound ? size : bound;
        beyond[j] = size - kept;
        clipped += size > bound;
        c[j] = copysign(kept, c[j]);
    }
    for (int j = 0; j < m; j++)
        o->clip_mass += beyond[j];
    o->clipped += clipped;
}

/* Returns the largest |c_j|; NaN if some c_j is NaN. The bits of doubles with the sign cleared are ordered like the
 * numbers, with NaN above all. */
static double largest_of(int m, const double *c)
{
    int64_t top = 0;
    double largest;
    for (int j = 0; j < m; j++) {
        int64_t size;
        memcpy(&size, &c[j], sizeof size);
        size &= INT64_MAX;
        top = size > top ? size : top;
    }
    memcpy(&largest, &top, sizeof largest);
    return largest;
}

/* Clamps c[m] to [-bound, bound] and records what clamping saw. A difference of two infinite values is NaN, which
 * every comparison lets pass and which no noise hides: where the bound is finite, 0 replaces each NaN. */
static void clamp_all(struct oracle *o, double bound, int m, double *c)
{
    double largest = largest_of(m, c);
    if (isnan(largest)) {
        for (int j = 0; j < m; j++)
            c[j] = isnan(c[j]) && bound < INFINITY ? 0 : c[j];
        largest = 0;
        for (int j = 0; j < m; j++)
            largest = fabs(c[j]) > largest ? fabs(c[j]) : largest;   /* a comparison with NaN is false, so that NaN
                                                                        is passed over */
    }
    o->clip_seen += m;
    o->clip_largest = largest > o->clip_largest ? largest : o->clip_largest;
    if (largest > bound)
        clamp_numbers(o, bound, m, c);
}

/* q->g += the part of a probe's sum that sample k of the ticket has along the m directions u[m d]. */
static void probe_along(struct oracle *o, const struct probe *q, long k, int m, const double *u)
{
    double v[POINTS_MAX * DIRECTIONS_MOST], c[DIRECTIONS_MOST];
    double w = q->w ? q->w[k] : ticket_even(o, q->ticket);
    values_along(o, q, oracle_record(o, q->ticket, k), m, u, v);
    for (int j = 0; j < m; j++)
        c[j] = 0 + q->a[0] * v[j];
    for (int p = 1; p < q->points; p++)
        for (int j = 0; j < m; j++)
            c[j] += q->a[p] * v[p * m + j];
    clamp_all(o, q->clamp, m, c);
    for (int j = 0; j < m; j++)
        c[j] *= w;
    vec_add_rows(m, o->d, u, c, q->g);
}

/* Answers a probe with directions from `stream`. As many directions are drawn at a time as there is room for, since
 * every call has a fixed cost: those of one sample follow those of the sample before in the random stream, and
 * where they are few and short, several samples are served by one call. */
static void probe_samples(struct oracle *o, const struct probe *q, const struct rng *stream)
{
    long n = q->ticket->count, each = q->directions, room = directions_room(o->d);
    long block = room < DIRECTIONS_MOST ? room : DIRECTIONS_MOST;
    long most = each > block ? 1 : room / each;
    for (long k = 0; k < n; k += most) {
        uint64_t row = (uint64_t)(q->ticket->first + k) * (uint64_t)each;
        long samples = n - k < most ? n - k : most;
        for (long from = 0; from < each; from += block) {
            long m = each - from < block ? each - from : block;
            rng_sphere_rows(stream, row + (uint64_t)from, samples * m, o->d, o->directions);
            for (long s = 0; s < samples; s++)
                probe_along(o, q, k + s, (int)m, o->directions + s * m * o->d);
        }
    }
}

enum { PROBE_STREAM = 7 };           /* label of the random stream of a probe's directions */

/* Answers a probe with directions that were drawn ahead, together with those of other questions (oracle_ahead.h).
 * Returns false, and does nothing, where none were drawn ahead. */
static bool probe_ahead(struct oracle *o, const struct probe *q, uint64_t serial)
{
    long n = q->ticket->count, each = q->directions;
    if (n > AHEAD_SMALL || each > DIRECTIONS_MOST)
        return false;
    struct ahead_ask ask = { serial, (uint64_t)q->ticket->first * (uint64_t)each, n * each, o->d, 0 };
    const double *u = ahead_numbers(&o->probes, &o->sampling, PROBE_STREAM, &ask);
    for (long k = 0; u && k < n; k++)
        probe_along(o, q, k, (int)each, u + k * each * o->d);
    return u != NULL;
}

bool oracle_probe(struct oracle *o, const struct probe *q)
{
    oracle_expect(o, CALL_SAMPLE_VALUES);
    BUG_IF(q->points < 1 || q->points > POINTS_MAX || q->clamp < 0);
    if (!pay_values(o, q->ticket, (double)q->points * q->directions, q->directions))
        return false;
    vec_zero(o->d, q->g);
    uint64_t serial = o->serial++;
    if (!o->counting && q->directions > 0 && !probe_ahead(o, q, serial)) {
        struct rng base = rng_sub(&o->sampling, serial), stream = rng_sub(&base, PROBE_STREAM);
        probe_samples(o, q, &stream);
    }
    return true;
}

/* --- rounds of many queries (struct round). A round is paid for before its first answer is seen; answers are
 * computed whenever they are used. */

/* The number of doubles in one block of a cloud's rows: 16 KB, half a first-level cache, which leaves room for the
 * sum. Larger blocks do not stay in the cache, smaller ones cost more calls. */
enum { CLOUD_BLOCK = 2048 };

static long cloud_rows(long d)
{
    long m = CLOUD_BLOCK / (d > 0 ? d : 1);
    return m < 1 ? 1 : m > CLOUD_ROWS ? CLOUD_ROWS : m;
}

long cloud_work(long d) { return cloud_rows(d) * d; }

/* z_k <- centre + scale z_k, for each of the m rows of z[m*d] */
static void cloud_points(const struct cloud *c, long m, long d, double *z)
{
    for (long k = 0; k < m; k++, z += d)
        vec_axpby(d, 1, c->centre, c->scale, z);
}

static void point_of(const struct oracle *o, const struct round *q, long i, double *x)
{
    if (!q->cloud) {
        q->point(q->ctx, i, x);
        return;
    }
    q->cloud->rows(q->cloud->ctx, i, 1, x);
    cloud_points(q->cloud, 1, o->d, x);
}

/* Returns a hash of the bits of the last query's point, by which a change of what q->ctx points to is found. */
static uint64_t last_row(struct oracle *o, const struct round *q)
{
    uint64_t h = 0, bits;
    point_of(o, q, q->m - 1, o->at);
    for (long j = 0; j < o->d; j++) {
        memcpy(&bits, &o->at[j], sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static bool begin(struct oracle *o, long m, struct round *q)
{
    const struct charge bill[] = {
        { COUNT_sample_grads, (double)m }, { COUNT_issued, (double)m }, { COUNT_batch_steps, 1 } };
    if (!oracle_affords(o, 3, bill) || !oracle_draw(o, m, &q->ticket) || !oracle_pay(o, 3, bill))
        return false;
    q->ticket.aggregated = false;
    oracle_visited(o, &q->ticket);
    o->counts.of[COUNT_nonzeros] += oracle_nonzeros(o, &q->ticket);
    q->m = m;
    q->last_row = last_row(o, q);
    return true;
}

bool oracle_round(struct oracle *o, long m, point_fn point, const void *ctx, struct round *q)
{
    struct round fresh = { .point = point, .ctx = ctx };
    if (!begin(o, m, &fresh))
        return false;
    *q = fresh;
    return true;
}

bool oracle_cloud(struct oracle *o, long m, const struct cloud *c, struct round *q)
{
    struct round fresh = { .cloud = c };
    if (!begin(o, m, &fresh))
        return false;
    *q = fresh;
    return true;
}

/* Counts the answers first, ..., first+count-1 of a round as used. */
static void use(struct oracle *o, struct round *q, long first, long count)
{
    BUG_IF(first < 0 || count < 0 || first + count > q->m);
    /* The last query's point is compared at calls 1, 2, 4, 8, ...: a change of what q->ctx points to is found
     * early, at negligible cost. */
    q->calls++;
    if ((q->calls & (q->calls - 1)) == 0)
        BUG_IF(last_row(o, q) != q->last_row);
    long fresh_from = first > q->used ? first : q->used;
    if (first + count > fresh_from) {
        o->counts.of[COUNT_consumed] += (double)(first + count - fresh_from);
        q->used = first + count;
    }
}

void round_add(struct oracle *o, struct round *q, long first, long count, const double *w,
               double *work, double *g)
{
    use(o, q, first, count);
    for (long k = 0; k < count && !o->counting; k++) {
        point_of(o, q, first + k, work);
        oracle_one_gradient(o, oracle_record(o, &q->ticket, first + k), work, w ? w[k] : 1, g);
    }
}

void cloud_add(struct oracle *o, struct round *q, long first, long count, const double *u,
               weigh_fn weights, void *ctx, double *work, double *g)
{
    const struct cloud *c = q->cloud;
    long d = o->d, block = cloud_rows(d);
    double w[CLOUD_ROWS] = { 0 };

    BUG_IF(!c);
    use(o, q, first, count);
    for (long from = 0; from < count && !o->counting; from += block) {
        long m = count - from < block ? count - from : block;
        c->rows(c->ctx, first + from, m, work);
        if (u)
            linear_kernels()->dots_move(m, d, u, c->scale, c->centre, work, w);
        else
            cloud_points(c, m, d, work);
        weights(ctx, m, w);
        for (long k = 0; k < m; k++)
            oracle_one_gradient(o, oracle_record(o, &q->ticket, first + from + k), work + k * d,
                                w[k], g);
    }
}

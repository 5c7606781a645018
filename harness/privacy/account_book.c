/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_book.c - from entries of a ledger to uses per record. */
#include "privacy/account_book.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "status.h"

bool book_is_pure(enum mechanism m)
{
    return m == MECHANISM_LAPLACE || m == MECHANISM_NOISY_MAX || m == MECHANISM_GUMBEL_MAX ||
           m == MECHANISM_EXPONENTIAL_MAX;
}

/* The sensitivity in another norm, by the inequalities between norms. */
static double in_norm(const struct ledger_entry *e, enum norm wanted)
{
    double d = (double)e->dimension;
    if (e->norm == wanted || e->sensitivity == 0)
        return e->sensitivity;
    if (wanted == NORM_2)
        return e->norm == NORM_1 ? e->sensitivity : e->sensitivity * sqrt(d);
    return e->norm == NORM_2 ? e->sensitivity * sqrt(d) : e->sensitivity * d;
}

static double ratio(double sensitivity, double scale)
{
    return sensitivity == 0 ? 0 : sensitivity / scale * (1 + 1e-15);
}

static struct use use_of(const struct ledger_entry *e)
{
    bool all = e->scheme != SAMPLING_FRESH, some = e->of > 0;
    struct use u = { .first = some ? (double)e->from : all ? 0 : (double)e->first,
                     .failure = e->failure,
                     .count = some ? (double)e->of : all ? INFINITY : (double)e->count,
                     .mechanism = e->mechanism,
                     .scheme = e->scheme,
                     .times = all && e->scheme != SAMPLING_SHUFFLED ? e->repeats : 1 };
    if (e->mechanism == MECHANISM_LAPLACE)
        u.eps0 = ratio(in_norm(e, NORM_1), e->scale);
    else if (book_is_pure(e->mechanism))
        u.eps0 = 2 * ratio(e->sensitivity, e->scale);
    else
        u.mu = ratio(in_norm(e, NORM_2), e->scale);
    return u;
}

/* Occurrences of one record that a draw exceeds with probability at most `failure`. The binomial's tail
 * as that of a beta law: batches may be longer than an unsigned. */
static double occurrences(double batch, double n, double failure)
{
    double m = 1;
    while (m < batch && gsl_cdf_beta_P(1 / n, m + 1, batch - m) > failure)
        m++;
    return m;
}

/* The last ones found: draws come in few sizes. */
struct sizes {
    struct { double batch, n, m; } at[64];
    int next;
};

static double occurrences_again(struct sizes *s, double batch, double n, double failure)
{
    enum { ROOM = sizeof s->at / sizeof *s->at };
    for (int k = 0; k < ROOM; k++)
        if (s->at[k].batch == batch && s->at[k].n == n)
            return s->at[k].m;
    double m = occurrences(batch, n, failure);
    s->at[s->next].batch = batch;
    s->at[s->next].n = n;
    s->at[s->next].m = m;
    s->next = (s->next + 1) % ROOM;
    return m;
}

/* No two releases of this scheme share a draw: amplification is of each by itself. And none was
 * passed over for a later one: the chance of being drawn is that of the first draw, not that of the
 * one chosen among several. What is released for nothing uses no draw. */
static bool drawn_once(const struct ledger *l, enum sampling scheme)
{
    const struct ledger_entry *last = NULL;
    long used = 0;
    for (long k = 0; k < l->entries; k++) {
        if (l->entry[k].scheme != scheme)
            continue;
        if (last && l->entry[k].draw <= last->draw)
            return false;
        last = &l->entry[k];
        used += last->sensitivity > 0;
    }
    return used >= l->before[scheme];
}

/* Rounded up, by 2^-36 of it at the most: what differs by the rounding of steps alone is one use. */
static double coarse(double mu)
{
    int e;
    double part = frexp(mu, &e);
    return isfinite(mu) ? ldexp(ceil(ldexp(part, 36)), e - 36) : mu;
}

/* excess: probability of more occurrences than are priced, of each draw. Amplified are draws that one
 * release each has used. Draws without a record and draws with at most m copies of it differ in m
 * places at the most, in each of which the record stands for another (ReSQue, Lemma 6): as far as m
 * participations of a replaced record reach, and twice as far as those of a zeroed one. */
static void price_draws(const struct ledger *l, double records, double excess, struct use *use)
{
    struct sizes sizes = { .next = 0 };
    bool once = drawn_once(l, SAMPLING_REPLACE);
    for (long k = 0; k < l->entries; k++) {
        const struct ledger_entry *e = &l->entry[k];
        double n = e->of ? (double)e->of : records;
        if (e->scheme != SAMPLING_REPLACE)
            continue;
        double m = occurrences_again(&sizes, e->batch, n, excess);
        use[k].mu = coarse(use[k].mu * m);
        use[k].eps0 *= m;
        use[k].failure += m < e->batch ? excess : 0;
        use[k].q = once ? fmin(1, e->batch / n) : 0;
        use[k].apart = use[k].mu * (l->adjacency == ADJACENCY_REPLACE_ONE ? 1 : 2);
    }
}

/* Poisson samples amplify where the sensitivities are of records added, removed or zeroed. Subsets
 * amplify in any adjacency: where a record is not in the subset another is in its place, which
 * differs from a replaced one no more than from the record, but from a zeroed one twice as much as
 * booked. */
static void price_samples(const struct ledger *l, double n, struct use *use)
{
    bool apart = l->adjacency == ADJACENCY_ADD_REMOVE || l->adjacency == ADJACENCY_ZERO_OUT;
    bool poisson = apart && drawn_once(l, SAMPLING_POISSON);
    bool subset = drawn_once(l, SAMPLING_SUBSET);
    for (long k = 0; k < l->entries; k++) {
        const struct ledger_entry *e = &l->entry[k];
        if (e->mechanism != MECHANISM_GAUSSIAN)
            continue;
        if (e->scheme == SAMPLING_POISSON && poisson)
            use[k].q = e->q;
        if (e->scheme == SAMPLING_SUBSET && subset) {
            use[k].q = fmin(1, e->batch / n);
            use[k].apart = use[k].mu * (l->adjacency == ADJACENCY_REPLACE_ONE ? 1 : 2);
        }
    }
}

static int by_use(const void *a, const void *b)
{
    const struct use *u = a, *v = b;
    const double left[] = { u->first, u->count, u->mechanism, u->mu, u->eps0, u->q, u->apart,
                            u->failure, u->scheme };
    const double right[] = { v->first, v->count, v->mechanism, v->mu, v->eps0, v->q, v->apart,
                             v->failure, v->scheme };
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        if (left[k] != right[k])
            return left[k] < right[k] ? -1 : 1;
    return 0;
}

/* Of records that pay once and nothing else, of one kind, the largest pays for all: a single epoch
 * of unlike steps becomes one use. */
static void drop_smaller(struct book *b)
{
    double reach = -INFINITY;
    long n = 0, largest = -1;
    for (long k = 0; k < b->n; k++) {
        struct use *u = &b->use[k], *best = largest >= 0 ? &b->use[largest] : NULL;
        double end = u->first + u->count;
        bool apart = u->first >= reach && (k + 1 == b->n || b->use[k + 1].first >= end);
        reach = fmax(reach, end);
        if (apart && best && best->mechanism == u->mechanism && best->times == u->times &&
            best->q == u->q && best->scheme == u->scheme && best->failure == u->failure &&
            isfinite(u->mu) && isfinite(u->eps0)) {
            best->mu = fmax(best->mu, u->mu);
            best->eps0 = fmax(best->eps0, u->eps0);
            best->apart = fmax(best->apart, u->apart);
            continue;
        }
        b->use[n] = *u;
        if (apart)
            largest = n;
        n++;
    }
    b->n = n;
}

/* A thousand equal releases to all records become one use, a thousand times. */
static void fold(struct book *b)
{
    long n = 0;
    if (b->n)                        /* nothing is not even an array */
        qsort(b->use, (size_t)b->n, sizeof *b->use, by_use);
    for (long k = 0; k < b->n; k++) {
        if (b->use[k].count == 0)
            continue;
        if (n && by_use(&b->use[n - 1], &b->use[k]) == 0)
            b->use[n - 1].times += b->use[k].times;
        else
            b->use[n++] = b->use[k];
    }
    b->n = n;
    drop_smaller(b);
}

/* The uses do not change any more. */
static void find_edges(struct book *b)
{
    struct account_use *span = malloc(((size_t)b->n + 1) * sizeof *span);
    b->edge = malloc((2 * (size_t)b->n + 1) * sizeof *b->edge);
    b->price = malloc(((size_t)b->n + 1) * sizeof *b->price);
    BUG_IF(!span || !b->edge || !b->price);
    for (long k = 0; k < b->n; k++)
        span[k] = (struct account_use){ b->use[k].first, b->use[k].count, 0 };
    b->edges = account_edges(b->n, span, b->edge);
    free(span);
}

double book_draws(const struct ledger *l)
{
    double sum = 0;
    for (long k = 0; k < l->entries; k++)
        sum += l->entry[k].scheme == SAMPLING_REPLACE ? l->entry[k].repeats : 0;
    return sum;
}

void book_add(struct book *b, const struct use *u)
{
    if (b->n == b->room) {
        b->room = 2 * b->room + 16;
        b->use = realloc(b->use, (size_t)b->room * sizeof *b->use);
        BUG_IF(!b->use);
    }
    b->use[b->n++] = *u;
}

/* Priced higher than it need be: draws with replacement at their most occurrences, hidden noise as
 * if it were released, each unlike part of an epoch as if it held every record. Of the steps of an
 * iteration book_streams knows. */
static bool bounded(const struct ledger_entry *e, const struct ledger_entry *before)
{
    return e->scheme == SAMPLING_REPLACE || (e->hidden && e->mechanism != MECHANISM_STEP) ||
           (e->scheme == SAMPLING_SHUFFLED && !e->stream && before && before->draw == e->draw &&
            before->scheme == e->scheme);
}

void book_open(const struct ledger *l, double n, double excess, struct book *b)
{
    *b = (struct book){ .gaussian = true, .pure = true };
    for (long k = 0; k < l->entries; k++) {
        struct use u = use_of(&l->entry[k]);
        book_add(b, &u);
        b->loose |= bounded(&l->entry[k], k ? &l->entry[k - 1] : NULL);
        b->gaussian &= !book_is_pure(l->entry[k].mechanism);
        b->pure &= book_is_pure(l->entry[k].mechanism);
    }
    b->pure &= l->entries > 0;
    price_draws(l, n, excess, b->use);
    price_samples(l, n, b->use);
    book_streams(l, b);
    fold(b);
    find_edges(b);
}

void book_close(struct book *b)
{
    free(b->use);
    free(b->edge);
    free(b->price);
}

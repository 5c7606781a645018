/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_stream.c - what the steps of one record cost together, in a stream of prefix sums, where
 * its changes add up, and in an iteration, where they share the noise still to come. Records of the
 * same steps form groups; where positions do not say who is who, the worst stands for all. */
#include <math.h>
#include <stdlib.h>

#include "privacy/account_book.h"
#include "status.h"

/* Beyond these a bound by cover and number of steps takes the place of the groups. */
enum { STEPS_MAX = 1 << 22, PARTS_MAX = 512 };
static const double WORK_MAX = 2e9;

struct stream {
    struct book *b;
    const struct ledger_entry *entry;    /* of the ledger */
    const long *at;                      /* [n] numbers of its entries */
    long n, T, most;                     /* most: steps of one record */
    enum mechanism mechanism;
    enum sampling scheme;                /* of all; a random sample if any is one */
    struct account_use *span;            /* [n] records of each entry */
    double *sd, *spent;                  /* [T] noise of each step; [T+1] variance before it */
    long *step, *active;                 /* [n] of one group */
    double *change;                      /* [n] */
};

static struct use *use_at(const struct stream *s, long k) { return &s->b->use[s->at[k]]; }
static const struct ledger_entry *entry_at(const struct stream *s, long k)
{
    return &s->entry[s->at[k]];
}
static double change_at(const struct stream *s, long k)
{
    return use_at(s, k)->mu == 0 ? 0 : use_at(s, k)->mu * entry_at(s, k)->scale;
}

/* --- one group: k steps, ascending */

/* The least of sum a_t^2/sd_t^2 over shifts a >= 0 that never run ahead of the changes and at last
 * amount to all of them (Feldman, Mironov, Talwar & Thakurta 2018, Theorem 22): along the greatest
 * convex minorant of the changes so far over the variance so far. */
static double iteration_mu2(const struct stream *s, long k)
{
    double total = 0, done = 0, mu2 = 0;
    for (long m = 0; m < k; m++)
        total += s->change[m];
    for (long m = 0; m < k;) {
        double from = s->spent[s->step[m] - 1], before = done, reach = done, flat = INFINITY;
        long next = k;
        for (long j = m; j < k; j++) {
            reach += s->change[j];
            double until = j + 1 < k ? s->spent[s->step[j + 1] - 1] : s->spent[s->T];
            if (j + 1 < k && s->step[j + 1] == s->step[j])
                continue;
            double slope = reach == before ? 0 : (reach - before) / (until - from);
            if (slope <= flat) {
                flat = slope;
                next = j + 1;
                done = reach;
            }
        }
        mu2 += flat == 0 ? 0 : flat * (done - before);
        m = next;
    }
    return total == 0 ? 0 : mu2 * (1 + ACCOUNT_SLACK);
}

static double group_mu2(const struct stream *s, long k)
{
    if (s->mechanism == MECHANISM_STEP)
        return iteration_mu2(s, k);
    return account_steps_mu2(s->mechanism == MECHANISM_ROOT ? PREFIX_ROOT : PREFIX_TREE, s->T, k,
                             s->step, s->change, s->sd);
}

/* The worst mu of the positions from..to, all in the same entries, active[k] in the order booked,
 * which is that of their steps. */
static double worst_group(const struct stream *s, long k, double from, double to)
{
    double worst = 0;
    for (double p = from, next; p < to; p = next) {
        next = to;
        for (long m = 0; m < k; m++) {
            const struct ledger_entry *e = entry_at(s, s->active[m]);
            double each = (double)e->count / e->repeats;
            double turn = floor((p - (double)e->first) / each);
            s->step[m] = e->step + (long)turn;
            s->change[m] = change_at(s, s->active[m]);
            next = fmin(next, (double)e->first + (turn + 1) * each);
        }
        worst = fmax(worst, group_mu2(s, k));
    }
    return sqrt(worst);
}

/* --- all groups of a stream whose entries share one order of records */

static bool same_order(const struct stream *s)
{
    const struct ledger_entry *first = entry_at(s, 0);
    for (long k = 0; k < s->n; k++) {
        const struct ledger_entry *e = entry_at(s, k);
        if (e->scheme != first->scheme || e->count < 1 ||
            (e->scheme != SAMPLING_FRESH && e->scheme != SAMPLING_SHUFFLED) ||
            (e->scheme == SAMPLING_SHUFFLED && e->draw != first->draw))
            return false;
    }
    return true;
}

static void add_group(const struct stream *s, double first, double count, double mu)
{
    const struct use u = { .first = first, .count = count, .times = 1, .mu = mu,
                           .mechanism = s->mechanism, .scheme = s->scheme };
    book_add(s->b, &u);
}

/* Inserts or removes entry k, in the order of the steps. */
static long change_active(long *active, long n, long k, bool opens)
{
    long i = n;
    if (opens) {
        for (; i > 0 && active[i - 1] > k; i--)
            active[i] = active[i - 1];
        active[i] = k;
        return n + 1;
    }
    for (i = 0; active[i] != k; i++)
        ;
    for (; i + 1 < n; i++)
        active[i] = active[i + 1];
    return n - 1;
}

static void price_groups(const struct stream *s)
{
    bool known = entry_at(s, 0)->scheme == SAMPLING_FRESH;
    struct account_edge *edge = malloc((size_t)(2 * s->n + 1) * sizeof *edge);
    BUG_IF(!edge);
    long edges = account_edges(s->n, s->span, edge), k = 0;
    double worst = 0;
    for (long i = 0; i + 1 < edges; i++) {
        k = change_active(s->active, k, edge[i].use, edge[i].opens);
        if (k == 0 || edge[i].at == edge[i + 1].at)
            continue;
        double mu = worst_group(s, k, edge[i].at, edge[i + 1].at);
        worst = fmax(worst, mu);
        if (known)
            add_group(s, edge[i].at, edge[i + 1].at - edge[i].at, mu);
    }
    if (!known)
        add_group(s, 0, INFINITY, worst);
    free(edge);
}

/* --- prefix sums whose records come in several orders: each part at its worst step */

static bool price_parts(const struct stream *s)
{
    struct account_part part[PARTS_MAX];
    double least = INFINITY;
    long parts = 0, last = -1;
    for (long k = 0; k < s->n; k++) {
        const struct ledger_entry *e = entry_at(s, k);
        bool order = e->scheme == SAMPLING_FRESH || e->scheme == SAMPLING_SHUFFLED;
        bool goes_on = order && last >= 0 && entry_at(s, last)->scheme == e->scheme &&
                       (e->scheme == SAMPLING_FRESH || entry_at(s, last)->draw == e->draw);
        if (!goes_on && parts == PARTS_MAX)
            return false;
        if (!goes_on)
            part[parts++] = (struct account_part){ e->step, 0, 0 };
        /* of an order that comes twice, or whose records do, nothing is known here */
        if (goes_on && e->first < entry_at(s, last)->first + entry_at(s, last)->count)
            return false;
        part[parts - 1].last = e->step + (long)e->repeats - 1;
        part[parts - 1].s = fmax(part[parts - 1].s, change_at(s, k));
        least = fmin(least, e->scale);
        last = k;
    }
    enum prefix_kind kind = s->mechanism == MECHANISM_ROOT ? PREFIX_ROOT : PREFIX_TREE;
    double work = (double)parts * (double)parts * (double)s->T;
    if (!(least > 0) || work * (kind == PREFIX_ROOT ? 1 : 32) > WORK_MAX)
        return false;
    add_group(s, 0, INFINITY, sqrt(account_prefix_mu2(kind, s->T, parts, part)) / least);
    return true;
}

/* (sum of k mu_i)^2 <= k sum of mu_i^2, each at most what covers it. */
static void price_cover(const struct stream *s)
{
    for (long k = 0; k < s->n; k++)
        use_at(s, k)->mu *= sqrt((double)s->most * entry_at(s, k)->cover) * (1 + 1e-15);
}

/* --- a stream */

/* Room, noise of each step; false: too long, or without noise. */
static bool open_stream(struct stream *s, bool ordered)
{
    double work = 0, T = (double)s->T;
    bool fits = true;
    s->sd = s->spent = NULL;
    for (long k = 0; k < s->n; k++) {
        const struct ledger_entry *e = entry_at(s, k);
        const struct use *u = use_at(s, k);
        s->span[k] = (struct account_use){ u->first, u->count, u->times };
        if (ordered)                     /* positions of one order, whoever stands there */
            s->span[k] = (struct account_use){ (double)e->first, (double)e->count, 1 };
        T = fmax(T, (double)e->step + e->repeats - 1);
        if (k == 0 || e->scheme == SAMPLING_POISSON || e->scheme == SAMPLING_SUBSET)
            s->scheme = e->scheme;
        work += e->repeats;
        fits &= isfinite(u->mu) && e->step >= 1;
    }
    if (!fits || T > STEPS_MAX || (s->mechanism == MECHANISM_ROOT && work * T > WORK_MAX))
        return false;
    s->T = (long)T;
    s->sd = malloc((size_t)s->T * sizeof *s->sd);
    s->spent = calloc((size_t)s->T + 1, sizeof *s->spent);
    BUG_IF(!s->sd || !s->spent);
    for (long t = 0; t < s->T; t++)
        s->sd[t] = INFINITY;
    for (long k = 0; k < s->n; k++)
        for (long r = 0; r < (long)entry_at(s, k)->repeats; r++)
            s->sd[entry_at(s, k)->step - 1 + r] = entry_at(s, k)->scale;
    for (long t = 0; t < s->T; t++)
        s->spent[t + 1] = s->spent[t] + s->sd[t] * s->sd[t];
    return true;
}

static void price_stream(struct stream *s)
{
    bool hidden = s->mechanism == MECHANISM_STEP, ordered = same_order(s), priced = false;
    bool whole = open_stream(s, ordered);
    s->most = (long)fmin(1e15, floor(account_worst_record(s->n, s->span) + 0.5));
    if (whole && ordered) {
        price_groups(s);
        priced = true;
    } else if (whole && !hidden) {
        priced = price_parts(s);
    }
    s->b->loose |= !whole || !ordered;   /* the worst of all steps, not one record's */
    if (!priced && !hidden)
        price_cover(s);
    for (long k = 0; k < s->n && priced; k++) {
        use_at(s, k)->mu = 0;
        if (use_at(s, k)->failure == 0)
            use_at(s, k)->count = 0;
    }
    free(s->sd);
    free(s->spent);
}

/* --- all streams of a ledger */

struct member { long stream, entry; };

static int by_stream(const void *a, const void *b)
{
    const struct member *u = a, *v = b;
    return u->stream != v->stream ? (u->stream > v->stream) - (u->stream < v->stream)
                                  : (u->entry > v->entry) - (u->entry < v->entry);
}

/* Hidden steps earn their amplification where their iterate is the very next release. */
static bool earns(const struct ledger *l, const struct member *of, long n)
{
    long end = of[n - 1].entry + 1;
    return end - of[0].entry == n && l->entry[of[0].entry].step == 1 && end < l->entries &&
           l->entry[end].mechanism == MECHANISM_LAST && l->entry[end].stream == of[0].stream;
}

void book_streams(const struct ledger *l, struct book *b)
{
    size_t room = (size_t)l->entries + 1;
    struct member *of = malloc(room * sizeof *of);
    long *at = malloc(room * sizeof *at), members = 0;
    struct stream s = { .b = b, .entry = l->entry, .at = at, .span = malloc(room * sizeof *s.span),
                        .step = malloc(room * sizeof *s.step), .active = malloc(room * sizeof *at),
                        .change = malloc(room * sizeof *s.change) };
    BUG_IF(!of || !at || !s.span || !s.step || !s.active || !s.change);
    for (long k = 0; k < l->entries; k++) {
        enum mechanism m = l->entry[k].mechanism;
        if (m == MECHANISM_TREE || m == MECHANISM_ROOT || m == MECHANISM_STEP)
            of[members++] = (struct member){ l->entry[k].stream, k };
    }
    qsort(of, (size_t)members, sizeof *of, by_stream);
    for (long from = 0, to = 0; from < members; from = to) {
        for (; to < members && of[to].stream == of[from].stream; to++)
            at[to - from] = of[to].entry;
        s.n = to - from;
        s.mechanism = l->entry[at[0]].mechanism;
        s.T = s.mechanism == MECHANISM_STEP ? 0 : l->entry[at[0]].length;
        if (s.mechanism != MECHANISM_STEP || earns(l, of + from, s.n))
            price_stream(&s);
        else
            b->loose = true;
    }
    free(of);
    free(at);
    free(s.span);
    free(s.step);
    free(s.active);
    free(s.change);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_ledger.c - how much privacy the releases of a ledger cost the record that pays most, by each accountant.
 * First every entry of the ledger becomes a use: how often each record takes part, and in what mechanism. The uses
 * of a ledger are its book. The steps of a stream (prefix sums, or an iteration) become uses that have the price of
 * these steps together. Then every accountant prices the uses. The file is long because all this works on one
 * structure, the book, that nothing else needs to see. */
#include "privacy/account_ledger.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "privacy/account.h"
#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "status.h"

/* One end of use number `use`: the position in stream order where its range of records begins (opens) or ends. */
struct edge { double at; long use; bool opens; };

/* Equal mechanisms on the records [first, first + count): each of these records takes part in `times` of them. */
struct use {
    double first, count, times;
    double mu, eps0;                 /* Gaussian: mu, with eps0 = 0; pure: eps0, with mu = 0 */
    double q, failure;               /* q > 0: the use is amplified by sampling, and a record takes part with
                                        probability q. failure: the probability that the use costs more than it is
                                        priced at */
    double apart;                    /* q > 0: the largest mu of a change from one to another of three cases: the
                                        record takes part, it does not, it is changed */
    enum sampling scheme;
    enum mechanism mechanism;
};

struct book {
    struct use *use;
    long n, room;
    struct edge *edge;       /* [edges] the ends of the uses; once they are found, the uses must not change any
                                more */
    long edges;
    double *price;                   /* [n] scratch */
    bool gaussian, pure;             /* gaussian: no mechanism is pure, all noise is normal; pure: all are
                                        pure */
    bool loose;                      /* some prices are only upper bounds, so that no lower bound of the cost
                                        follows */
    double failure;                  /* the largest failure probability of any record */
};

/* --- the record that pays most */

/* Orders edges by position. At one position ends come before beginnings, so that uses of adjacent records do not
 * overlap. */
static int by_place(const void *p, const void *q)
{
    const struct edge *a = p, *b = q;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (int)a->opens - (int)b->opens;
}

static long find_edges(long n, const struct account_use *use, struct edge *edge)
{
    long edges = 0;
    for (long k = 0; k < n; k++) {
        if (use[k].count == 0)
            continue;
        edge[edges++] = (struct edge){ use[k].first, k, true };
        edge[edges++] = (struct edge){ use[k].first + use[k].count, k, false };
    }
    qsort(edge, (size_t)edges, sizeof *edge, by_place);
    return edges;
}

static double worst_edge(long edges, const struct edge *edge, const double *price)
{
    double paid = 0, worst = 0;
    for (long k = 0; k < edges; k++) {
        double p = price[edge[k].use];
        if (!(p >= 0 && isfinite(p)) || isnan(edge[k].at))
            return INFINITY;
        paid += edge[k].opens ? p : -p;
        worst = fmax(worst, paid);
    }
    return worst * (1 + 2.3e-16 * (double)(edges + 1));     /* the sum `paid` is rounded once per edge */
}

double account_worst_record(long n, const struct account_use *use)
{
    struct edge *edge = malloc((size_t)(2 * n + 1) * sizeof *edge);
    double *price = malloc((size_t)(n + 1) * sizeof *price), worst = 0;
    BUG_IF(!edge || !price);
    for (long k = 0; k < n; k++)
        price[k] = use[k].count >= 0 ? use[k].price : INFINITY;
    worst = worst_edge(find_edges(n, use, edge), edge, price);
    free(edge);
    free(price);
    return worst;
}

/* --- from entries of the ledger to uses */

static void book_add(struct book *b, const struct use *u)
{
    if (b->n == b->room) {
        b->room = 2 * b->room + 16;
        b->use = realloc(b->use, (size_t)b->room * sizeof *b->use);
        BUG_IF(!b->use);
    }
    b->use[b->n++] = *u;
}

/* Is one release of this mechanism (eps0, 0)-private for some eps0? */
static bool book_is_pure(enum mechanism m)
{
    return m == MECHANISM_LAPLACE || m == MECHANISM_NOISY_MAX || m == MECHANISM_GUMBEL_MAX ||
           m == MECHANISM_EXPONENTIAL_MAX;
}

/* Returns a bound on the entry's sensitivity in the norm `wanted`, by the inequalities between norms. */
static double in_norm(const struct ledger_entry *e, enum norm wanted)
{
    double d = (double)e->dimension;
    if (e->norm == wanted || e->sensitivity == 0)
        return e->sensitivity;
    if (wanted == NORM_2)
        return e->norm == NORM_1 ? e->sensitivity : e->sensitivity * sqrt(d);
    return e->norm == NORM_2 ? e->sensitivity * sqrt(d) : e->sensitivity * d;
}

static double up_ratio(double sensitivity, double scale)
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
        u.eps0 = up_ratio(in_norm(e, NORM_1), e->scale);
    else if (book_is_pure(e->mechanism))
        u.eps0 = 2 * up_ratio(e->sensitivity, e->scale);
    else
        u.mu = up_ratio(in_norm(e, NORM_2), e->scale);
    return u;
}

/* Returns the number of occurrences of one record that a draw with replacement exceeds with probability at most
 * `failure`. The tail of the binomial law is computed as that of a beta law, because a batch may be longer than an
 * unsigned int. */
static double occurrences(double batch, double n, double failure)
{
    double m = 1;
    while (m < batch && gsl_cdf_beta_P(1 / n, m + 1, batch - m) > failure)
        m++;
    return m;
}

/* The last results of `occurrences` (m for a batch and n) are kept, since the draws of one run have few different
 * sizes. */
struct sizes {
    struct { double batch, n, m; } at[64];
    int next;
};

static double occurrences_known(struct sizes *s, double batch, double n, double failure)
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

/* Is there at most one release for every random draw of this scheme, and was no draw before the last release left
 * without one? Amplification applies to each release separately, and only where the release used the draw that was
 * made: a record has a larger chance to be in a draw that was chosen among several. A release that costs nothing
 * uses no draw. */
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

/* Rounds mu up to 36 bits, by less than 2^-35 of mu: steps whose mu differ by rounding alone become one use. */
static double coarse(double mu)
{
    int e;
    double part = frexp(mu, &e);
    return isfinite(mu) ? ldexp(ceil(ldexp(part, 36)), e - 36) : mu;
}

/* Prices releases on draws with replacement at m occurrences of a record, which a draw exceeds with probability
 * `excess` at most. Where exactly one release has used each draw, Gaussian noise is amplified by sampling. Prefix
 * sums are not: later releases share their noise. A draw without the record and a draw with at most m copies of it
 * differ in at most m places, in each of which the record stands in place of another (ReSQue, Lemma 6). So they
 * differ by as much as m participations of a replaced record, and by twice as much as m participations of a zeroed
 * one. */
static void price_draws(const struct ledger *l, double records, double excess, struct use *use)
{
    struct sizes sizes = { .next = 0 };
    bool once = drawn_once(l, SAMPLING_REPLACE);
    for (long k = 0; k < l->entries; k++) {
        const struct ledger_entry *e = &l->entry[k];
        double n = e->of ? (double)e->of : records;
        bool alone = e->mechanism == MECHANISM_GAUSSIAN || e->mechanism == MECHANISM_STEP;
        if (e->scheme != SAMPLING_REPLACE)
            continue;
        double m = occurrences_known(&sizes, e->batch, n, excess);
        use[k].mu = coarse(use[k].mu * m);
        use[k].eps0 *= m;
        use[k].failure += m < e->batch ? excess : 0;
        use[k].q = once && alone ? fmin(1, e->batch / n) : 0;
        use[k].apart = use[k].mu * (l->adjacency == ADJACENCY_REPLACE_ONE ? 1 : 2);
    }
}

/* Sets the sampling rates that amplify Gaussian noise on Poisson samples and subsets. Poisson samples amplify where
 * the sensitivities are those of records added, removed or zeroed. Subsets amplify for any adjacency. A subset
 * without the record has another record in its place. This changes the sum no more than the replacement of the
 * record does, but up to twice as much as was booked for a zeroed record. */
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

/* Merges uses whose records take part in no other use of the book. No record pays for two of them, so that one use,
 * with the largest price among them, replaces them. For example, a single epoch of steps with different noise
 * becomes one use. Only uses with finite prices are merged, and only if they are equal in all but their records and
 * prices. The uses of b are in ascending order of `first`. */
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

/* Merges equal uses: a thousand equal releases to all records become one use with times = 1000. */
static void fold(struct book *b)
{
    long n = 0;
    if (b->n)                        /* without a use there is no array */
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

/* Fills in b->edge and reserves b->price. The uses must not change any more. */
static void find_book_edges(struct book *b)
{
    struct account_use *span = malloc(((size_t)b->n + 1) * sizeof *span);
    b->edge = malloc((2 * (size_t)b->n + 1) * sizeof *b->edge);
    b->price = malloc(((size_t)b->n + 1) * sizeof *b->price);
    BUG_IF(!span || !b->edge || !b->price);
    for (long k = 0; k < b->n; k++)
        span[k] = (struct account_use){ b->use[k].first, b->use[k].count, 0 };
    b->edges = find_edges(b->n, span, b->edge);
    free(span);
}

/* --- Streams: what the steps of one record cost together. In a stream of prefix sums the changes of a record add
 * up; in an iteration (hidden noisy steps) the noise of all later steps hides them too. Records that take part in
 * the same steps form a group. An entry names its records by positions (ledger.h). Where these do not tell which
 * records they are, as after a shuffle, every record is priced like the most expensive group. */

/* Limits of the exact price of a stream: its steps (STEPS_MAX), its orders of the records in price_parts
 * (PARTS_MAX), and floating-point operations (WORK_MAX). A longer stream of prefix sums is priced by an upper bound
 * from its cover and number of steps, a longer iteration step by step. Larger limits give tighter prices and take
 * more time and memory. */
enum { STEPS_MAX = 1 << 22, PARTS_MAX = 512 };
static const double WORK_MAX = 2e9;

struct stream {
    struct book *b;
    const struct ledger_entry *entry;    /* all entries of the ledger */
    const long *at;                      /* [n] indices in `entry` of the stream's entries */
    long n, T, most;                     /* T: number of steps; most: the largest number of steps in which one
                                            record takes part */
    enum mechanism mechanism;
    enum sampling scheme;                /* the scheme of the entries; where some are of Poisson samples or subsets,
                                            that of the last of these */
    struct account_use *span;            /* [n] the records of each entry */
    double *sd, *spent;                  /* sd: [T] the noise of each step; spent: [T+1] the sum of the variances
                                            before each step */
    long *step, *active;                 /* [n] step: the steps in which one group takes part; active: the stream's
                                            entries of these steps */
    double *change;                      /* [n] by how much a record of the group changes the value before noise, at
                                            each of the group's steps */
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

/* --- one group of records, all of which take part in the same k steps; s->step[k] has the steps in ascending
 * order */

/* Returns mu^2 of a group in an iteration. It is the sum of a_t^2/sd_t^2 over the steps t, for the shifts a_t that
 * make it least. Shifts are >= 0, and their running sum never exceeds the running sum of the changes and equals it
 * in the end (Feldman, Mironov, Talwar & Thakurta 2018, Theorem 22). The shifts follow the greatest convex minorant
 * of the running sum of changes as a function of the running sum of variances. */
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

/* Returns the largest mu that a record at one of the positions from..to-1 pays for its steps. The positions all
 * occur in the same k entries s->active[k], which are in the order in which they were booked, the order of the
 * steps. */
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

static bool one_order(const struct stream *s)
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

/* Inserts k into the ascending list active[n] (opens), or removes it. Returns the new length. */
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
    struct edge *edge = malloc((size_t)(2 * s->n + 1) * sizeof *edge);
    BUG_IF(!edge);
    long edges = find_edges(s->n, s->span, edge), k = 0;
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

/* --- prefix sums whose entries come from several orders of the records, such as epochs: a record takes part once
 * in each order, and is priced as if it did so at the worst step of this order */

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
        /* an order in which a record may take part twice is not priced here */
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

/* Prices a stream of prefix sums by (mu_1 + ... + mu_k)^2 <= k (mu_1^2 + ... + mu_k^2) for the k steps of a record.
 * mu_i^2 is what step i costs in all releases. Later steps hide it too, each with its own noise, so that it is at
 * most the entry's cover times the square of the mu that the entry has with the least noise of the stream. */
static void price_cover(const struct stream *s)
{
    double least = INFINITY;
    for (long k = 0; k < s->n; k++)
        least = fmin(least, entry_at(s, k)->scale);
    for (long k = 0; k < s->n; k++) {
        double *mu = &use_at(s, k)->mu, scale = entry_at(s, k)->scale;
        if (*mu > 0)
            *mu *= sqrt((double)s->most * entry_at(s, k)->cover) * (1 + 1e-15) *
                   (scale > least ? scale / least : 1);
    }
}

/* --- the price of one stream */

/* Fills in span, scheme, T, sd and spent of the stream. Returns false where it is too long for the exact price, or
 * has no noise. ordered: all entries share one order of the records. */
static bool open_stream(struct stream *s, bool ordered)
{
    double work = 0, T = (double)s->T;
    bool fits = true;
    s->sd = s->spent = NULL;
    for (long k = 0; k < s->n; k++) {
        const struct ledger_entry *e = entry_at(s, k);
        const struct use *u = use_at(s, k);
        s->span[k] = (struct account_use){ u->first, u->count, u->times };
        if (ordered)                     /* the range of an entry is then its positions in this order, whichever
                                            records have them */
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
    bool hidden = s->mechanism == MECHANISM_STEP, ordered = one_order(s), priced = false;
    bool whole = open_stream(s, ordered);
    s->most = (long)fmin(1e15, floor(account_worst_record(s->n, s->span) + 0.5));
    if (whole && ordered) {
        price_groups(s);
        priced = true;
    } else if (whole && !hidden) {
        priced = price_parts(s);
    }
    s->b->loose |= !whole || !ordered;   /* the price is then an upper bound, which may be larger than the cost of
                                            any record */
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

/* --- the prices of all streams of a ledger */

/* The index of an entry of the ledger, with the stream that it belongs to. */
struct member { long stream, entry; };

static int by_stream(const void *a, const void *b)
{
    const struct member *u = a, *v = b;
    return u->stream != v->stream ? (u->stream > v->stream) - (u->stream < v->stream)
                                  : (u->entry > v->entry) - (u->entry < v->entry);
}

/* Are the hidden steps of an iteration, l->entry[of[k].entry] for k < n, amplified? They are if the ledger has all
 * of them one after another and directly after them the release of their iterate. */
static bool amplifies(const struct ledger *l, const struct member *of, long n)
{
    long end = of[n - 1].entry + 1;
    return end - of[0].entry == n && l->entry[of[0].entry].step == 1 && end < l->entries &&
           l->entry[end].mechanism == MECHANISM_LAST && l->entry[end].stream == of[0].stream;
}

/* Prices prefix sums and iterations, whose steps are priced together. On entry b->use[k] has the price of
 * l->entry[k] alone. Where l->entry[k] is priced with others, b->use[k] keeps only its failure probability, and
 * uses with the common prices are appended. */
static void book_streams(const struct ledger *l, struct book *b)
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
        if (s.mechanism != MECHANISM_STEP || amplifies(l, of + from, s.n))
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

/* --- the book of a ledger */

/* Returns the number of releases on draws with replacement. */
static double book_draws(const struct ledger *l)
{
    double sum = 0;
    for (long k = 0; k < l->entries; k++)
        sum += l->entry[k].scheme == SAMPLING_REPLACE ? l->entry[k].repeats : 0;
    return sum;
}

/* Is the price of the entry e only an upper bound of its cost? Draws with replacement are priced at their largest
 * number of occurrences, hidden noise as if it were released, parts of an epoch in shuffled order as if it were
 * known which records they hold, and parts of all records as if they held every record. Steps of an iteration are
 * judged by book_streams. */
static bool bounded(const struct ledger_entry *e)
{
    return e->scheme == SAMPLING_REPLACE || e->scheme == SAMPLING_SHUFFLED ||
           (e->scheme == SAMPLING_ALL && e->count > 0 && (double)e->count < e->n) ||
           (e->hidden && e->mechanism != MECHANISM_STEP);
}

/* Fills in all members of b but b->failure. excess: the probability, for each draw with replacement, that a record
 * occurs more often than is priced; n: number of stored records, infinite for a stream. */
static void book_open(const struct ledger *l, double n, double excess, struct book *b)
{
    *b = (struct book){ .gaussian = true, .pure = true };
    for (long k = 0; k < l->entries; k++) {
        struct use u = use_of(&l->entry[k]);
        book_add(b, &u);
        b->loose |= bounded(&l->entry[k]);
        b->gaussian &= !book_is_pure(l->entry[k].mechanism);
        b->pure &= book_is_pure(l->entry[k].mechanism);
    }
    b->pure &= l->entries > 0;
    price_draws(l, n, excess, b->use);
    price_samples(l, n, b->use);
    book_streams(l, b);
    fold(b);
    find_book_edges(b);
}

static void book_close(struct book *b)
{
    free(b->use);
    free(b->edge);
    free(b->price);
}

/* --- accountants for which the price of a composition is the sum of the prices of its uses */

/* Returns the price of one mechanism of a use. at: the order of a Renyi divergence, or delta; not used by other
 * prices. */
typedef double (*price_fn)(const struct use *u, double at);

static double worst(const struct book *b, price_fn price, double at)
{
    for (long k = 0; k < b->n; k++)
        b->price[k] = b->use[k].times * price(&b->use[k], at);
    return worst_edge(b->edges, b->edge, b->price);
}

static double one(const struct use *u, double at) { return 1; }
static double square_mu(const struct use *u, double at) { return u->mu * u->mu; }
static double failure(const struct use *u, double at) { return u->failure; }
static double share(const struct use *u, double at) { return u->eps0; }
static double square_share(const struct use *u, double at) { return u->eps0 * u->eps0; }
static double growth(const struct use *u, double at) { return u->eps0 * expm1(u->eps0); }
static double zcdp(const struct use *u, double at)
{
    double range = u->mechanism == MECHANISM_GUMBEL_MAX ? 4 : 1;     /* bounded range: Cesar & Rogers 2021 */
    return (square_mu(u, 0) + square_share(u, 0) / range) / 2;
}

static double alone(const struct use *u, double delta)
{
    return book_is_pure(u->mechanism) ? u->eps0 : account_gaussian_eps(u->mu, delta);
}

/* Returns an upper bound of what `alone` returns, by a formula in place of a search: for books with many uses. */
static double alone_bounded(const struct use *u, double delta)
{
    return book_is_pure(u->mechanism) ? u->eps0
                                      : account_zcdp_bun_steinke(u->mu * u->mu / 2, delta);
}

static double divergence(const struct use *u, double a)
{
    if (u->mechanism == MECHANISM_LAPLACE)
        return rdp_laplace(u->eps0, a);
    if (u->mechanism == MECHANISM_GUMBEL_MAX)
        return rdp_exponential(u->eps0, a);
    if (book_is_pure(u->mechanism))
        return rdp_pure(u->eps0, a);
    double plain = rdp_gaussian(u->mu, a);
    if (u->scheme == SAMPLING_POISSON)
        return u->q > 0 ? fmin(plain, rdp_sampled_gaussian(u->q, 1 / u->mu, a)) : plain;
    if (u->q > 0 && u->scheme == SAMPLING_SUBSET)
        return fmin(plain, rdp_subset(u->q, u->apart, a));
    return u->q > 0 ? fmin(plain, rdp_replacement(u->q, u->apart * u->apart / 2, a)) : plain;
}

/* --- accountants: epsilon at delta, as if the failure probabilities were 0 */

static double eps_exact(const struct book *b, double delta)
{
    return b->gaussian ? account_gaussian_eps(sqrt(worst(b, square_mu, 0)), delta) : NAN;
}

static double eps_zcdp_cks(const struct book *b, double delta)
{
    return account_zcdp_cks(worst(b, zcdp, 0), delta, NULL);
}

static double eps_zcdp(const struct book *b, double delta)
{
    return account_zcdp_bun_steinke(worst(b, zcdp, 0), delta);
}

/* Returns epsilon of the optimal composition of mechanisms that are all priced like the largest one. It is optimal
 * where all mechanisms are alike. The optimal composition of different mechanisms is #P-hard to compute (Murtagh
 * and Vadhan 2016); for them the result may exceed the sum of all epsilons (eps_basic), and the function `price`
 * then takes the sum. */
static double eps_optimal(const struct book *b, double delta)
{
    double k = worst(b, one, 0), largest = 0;
    for (long i = 0; i < b->n; i++)
        largest = fmax(largest, b->use[i].eps0);
    return b->pure && k <= 1e7 ? account_pure_optimal(largest, 0, (long)ceil(k - 0.5), delta) : NAN;
}

static double eps_advanced(const struct book *b, double delta)
{
    double squares = worst(b, square_share, 0);
    return b->pure ? sqrt(2 * log(1 / delta) * squares) * (1 + ACCOUNT_SLACK) + worst(b, growth, 0)
                   : NAN;
}

static double eps_basic(const struct book *b, double delta)
{
    double times = ceil(worst(b, one, 0) - 0.5);
    bool many = b->n > (b->failure > 0 ? 16 : 4096);     /* with failures the function is called many times */
    return b->pure ? worst(b, share, 0)
                   : worst(b, many ? alone_bounded : alone, delta / fmax(1, times));
}

typedef double (*eps_fn)(const struct book *b, double delta);

static double needed(eps_fn eps, const struct book *b, double delta)
{
    return delta + (1 + exp(eps(b, delta))) * b->failure;
}

/* Returns the smallest eps(delta') with delta' + (1 + e^eps(delta')) f <= delta, where f is the failure probability
 * of the book; infinity if there is none. The left side is convex in delta', because e^eps is (as a function of
 * e^eps, delta is a maximum of lines). So first its minimum is found, and then, right of the minimum, the largest
 * delta' that satisfies the inequality. */
static double with_failure(eps_fn eps, const struct book *b, double delta)
{
    double low = 1e-12 * delta, high = delta;
    if (b->failure == 0)
        return eps(b, delta);
    double least = eps(b, delta);            /* eps(delta) falls: no delta' < delta has a smaller eps */
    if (isnan(least) || isinf(least))
        return least;
    if ((1 + exp(least)) * b->failure > delta)
        return INFINITY;
    for (int k = 0; k < 40; k++) {
        double a = pow(low, 2.0 / 3) * pow(high, 1.0 / 3),
               c = pow(low, 1.0 / 3) * pow(high, 2.0 / 3);
        if (needed(eps, b, a) < needed(eps, b, c))
            high = c;
        else
            low = a;
    }
    if (!(needed(eps, b, low) <= delta))
        return INFINITY;
    for (high = delta; high - low > 1e-10 * low;) {
        double mid = low + (high - low) / 2;
        if (needed(eps, b, mid) <= delta)
            low = mid;
        else
            high = mid;
    }
    return eps(b, low);
}

/* --- the table of accountants */

enum { EXACT_GDP, PLD, ZCDP_CKS, RDP_C, ZCDP, RDP_M, OPTIMAL, ADVANCED, BASIC };
static const struct {
    const char *name, *note;
    eps_fn eps;
} table[ACCOUNTANTS] = {
    [EXACT_GDP] = { "exact", "Gaussian privacy curve, exact", eps_exact },
    [PLD] = { "pld", "composed privacy loss, between bounds", NULL },
    [ZCDP_CKS] = { "zcdp-cks", "Canonne, Kamath and Steinke 2020", eps_zcdp_cks },
    [RDP_C] = { "rdp-cks", "Renyi divergences on a grid of orders, the same conversion", NULL },
    [ZCDP] = { "zcdp", "Bun and Steinke 2016", eps_zcdp },
    [RDP_M] = { "rdp", "Renyi divergences, Mironov 2017", NULL },
    [OPTIMAL] = { "optimal", "Kairouz, Oh and Viswanath 2015, pure mechanisms", eps_optimal },
    [ADVANCED] = { "advanced", "Dwork, Rothblum and Vadhan 2010, pure mechanisms", eps_advanced },
    [BASIC] = { "basic", "sum of all epsilons, delta in equal parts", eps_basic },
};

static void price_rdp(const struct book *b, double delta, struct priced *cks, struct priced *plain)
{
    struct rdp c = { .failure = b->failure };
    for (int k = 0; k < RDP_ORDERS; k++)
        c.divergence[k] = worst(b, divergence, rdp_order[k]);
    cks->eps = rdp_eps(RDP_CKS, &c, delta, NULL);
    plain->eps = rdp_eps(RDP_MIRONOV, &c, delta, NULL);
}

/* *p <- the bounds by the composed privacy loss: of Poisson samples if all releases are alike, else of Gaussian
 * noise as if nothing were amplified by sampling. There is no lower bound where this leaves out an amplification,
 * or where prices are upper bounds only (b->loose). Where a mechanism is pure or can fail, *p is left as it is. */
static void price_pld(const struct book *b, double delta, struct priced *p)
{
    double mu = sqrt(worst(b, square_mu, 0)), q = 1, times = 1;
    bool whole = !b->loose;
    if (!b->gaussian || b->failure > 0)
        return;
    for (long k = 0; k < b->n; k++)
        whole &= b->use[k].scheme != SAMPLING_POISSON && b->use[k].scheme != SAMPLING_SUBSET;
    if (b->n == 1 && b->use[0].scheme == SAMPLING_POISSON && b->use[0].q > 0) {
        mu = b->use[0].mu;
        q = b->use[0].q;
        times = b->use[0].times;
        whole = !b->loose;
    }
    struct pld_eps e = pld_sampled_gaussian(q, 1 / mu, times, delta);
    p->eps = mu > 0 ? e.upper : 0;
    p->lower = mu == 0 ? 0 : whole && isfinite(e.upper) ? e.lower : NAN;
}

/* Lowers out[ACCOUNTANTS] to what the ledger costs by each accountant, where that is less. n: number of stored
 * records; excess: the probability, for each draw with replacement, that a record occurs more often than is
 * priced. */
static void price(const struct ledger *l, double n, double delta, double excess, struct priced *out)
{
    struct book b;
    struct priced now[ACCOUNTANTS];
    memcpy(now, out, sizeof now);
    book_open(l, n, excess, &b);
    b.failure = worst(&b, failure, 0);
    for (int k = 0; k < ACCOUNTANTS; k++)
        now[k].eps = table[k].eps ? with_failure(table[k].eps, &b, delta) : NAN;
    price_rdp(&b, delta, &now[RDP_C], &now[RDP_M]);
    price_pld(&b, delta, &now[PLD]);
    /* BASIC, the sum of all epsilons, bounds the optimal composition too, and is smaller where mechanisms differ
     * much */
    if (!isnan(now[OPTIMAL].eps))
        now[OPTIMAL].eps = fmin(now[OPTIMAL].eps, now[BASIC].eps);
    for (int k = 0; k < ACCOUNTANTS; k++)
        if (!(now[k].eps > out[k].eps))
            out[k] = now[k];
    book_close(&b);
}

void account_ledger(const struct ledger *l, double n, double delta, struct priced *out)
{
    double shares = book_draws(l);
    for (int k = 0; k < ACCOUNTANTS; k++)
        out[k] = (struct priced){ table[k].name, table[k].note, INFINITY, NAN };
    if (shares == 0)
        price(l, n, delta, 0, out);
    for (double part = 0.1; shares > 0 && part > 1e-10; part /= 100)
        price(l, n, delta, delta * part / shares, out);
}

double account_ledger_least(const struct priced *out)
{
    double least = INFINITY;
    for (int k = 0; k < ACCOUNTANTS; k++)
        least = fmin(least, out[k].eps); /* fmin ignores NaN */
    return least;
}

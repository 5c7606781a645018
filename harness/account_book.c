/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_book.c - from entries of a ledger to uses per record. */
#include "account_book.h"

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

static bool is_prefix(const struct ledger_entry *e)
{
    return e->mechanism == MECHANISM_TREE || e->mechanism == MECHANISM_ROOT;
}

static double mu_of(const struct ledger_entry *e)
{
    return ratio(in_norm(e, NORM_2), e->scale) * (is_prefix(e) ? sqrt(e->cover) : 1);
}

static struct use use_of(const struct ledger_entry *e)
{
    bool all = e->scheme != SAMPLING_FRESH;
    struct use u = { .first = all ? 0 : (double)e->first,
                     .failure = e->failure,
                     .count = all ? INFINITY : (double)e->count,
                     .mechanism = e->mechanism,
                     .scheme = e->scheme,
                     .times = all && e->scheme != SAMPLING_SHUFFLED ? e->repeats : 1 };
    if (e->mechanism == MECHANISM_LAPLACE)
        u.eps0 = ratio(in_norm(e, NORM_1), e->scale);
    else if (book_is_pure(e->mechanism))
        u.eps0 = 2 * ratio(e->sensitivity, e->scale);
    else
        u.mu = mu_of(e);
    return u;
}

/* Occurrences of one record that a draw exceeds with probability at most `failure`. */
static double occurrences(double batch, double n, double failure)
{
    double m = 1;
    while (m < batch && gsl_cdf_binomial_Q((unsigned)m, 1 / n, (unsigned)batch) > failure)
        m++;
    return m;
}

/* excess: probability of more occurrences than are priced, of each draw. */
static void price_draws(const struct ledger *l, double n, double excess, struct use *use)
{
    for (long k = 0; k < l->entries; k++) {
        const struct ledger_entry *e = &l->entry[k];
        if (e->scheme != SAMPLING_REPLACE)
            continue;
        double m = occurrences(e->batch, n, excess);
        use[k].mu *= m;
        use[k].eps0 *= m;
        use[k].failure += m < e->batch ? excess : 0;
        use[k].q = fmin(1, e->batch / n);
    }
}

/* Poisson samples amplify where the sensitivities are of records added, removed or zeroed, and no
 * two releases share a sample. */
static void price_samples(const struct ledger *l, struct use *use)
{
    bool apart = l->adjacency == ADJACENCY_ADD_REMOVE || l->adjacency == ADJACENCY_ZERO_OUT;
    const struct ledger_entry *last = NULL;
    for (long k = 0; k < l->entries; k++)
        if (l->entry[k].scheme == SAMPLING_POISSON) {
            apart &= !last || l->entry[k].draw > last->draw;
            last = &l->entry[k];
        }
    for (long k = 0; k < l->entries && apart; k++)
        if (l->entry[k].scheme == SAMPLING_POISSON && l->entry[k].mechanism == MECHANISM_GAUSSIAN)
            use[k].q = l->entry[k].q;
}

/* Steps of one record in one stream: (sum of k mu_i)^2 <= k sum of mu_i^2, k the largest number of
 * steps that any record has. */
struct part { long stream, entry; };

static void price_stream(long n, const struct part *of, struct use *use,
                         struct account_use *scratch)
{
    for (long k = 0; k < n; k++) {
        const struct use *u = &use[of[k].entry];
        scratch[k] = (struct account_use){ u->first, u->count, u->times };
    }
    double steps = floor(account_worst_record(n, scratch) + 0.5);
    for (long k = 0; k < n; k++)
        use[of[k].entry].mu *= sqrt(steps) * (1 + 1e-15);
}

static int by_stream(const void *a, const void *b)
{
    const struct part *u = a, *v = b;
    return (u->stream > v->stream) - (u->stream < v->stream);
}

static void price_streams(const struct ledger *l, struct use *use, struct account_use *scratch)
{
    struct part *of = malloc(((size_t)l->entries + 1) * sizeof *of);
    long parts = 0;
    BUG_IF(!of);
    for (long k = 0; k < l->entries; k++)
        if (is_prefix(&l->entry[k]))
            of[parts++] = (struct part){ l->entry[k].stream, k };
    qsort(of, (size_t)parts, sizeof *of, by_stream);
    for (long from = 0, to = 0; from < parts; from = to) {
        while (to < parts && of[to].stream == of[from].stream)
            to++;
        price_stream(to - from, of + from, use, scratch);
    }
    free(of);
}

/* Hidden steps whose iterate is the next release, every record in at most one of them: a record of
 * step t pays s_t^2/(sd_t^2 + ... + sd_T^2), the last of equal steps the most. */
static void price_iteration(const struct ledger *l, long from, long to, struct use *use,
                            struct account_use *scratch)
{
    double noise = 0;
    for (long k = from; k < to; k++) {
        const struct ledger_entry *e = &l->entry[k];
        if (e->scheme != SAMPLING_FRESH)
            return;
        scratch[k - from] = (struct account_use){ use[k].first, use[k].count, 1 };
    }
    if (account_worst_record(to - from, scratch) > 1.5)
        return;
    for (long k = to - 1; k >= from; k--) {
        const struct ledger_entry *e = &l->entry[k];
        double sd = sqrt(noise + e->scale * e->scale);
        use[k].mu = ratio(e->sensitivity, sd) * (1 + ACCOUNT_SLACK);
        noise += e->repeats * e->scale * e->scale;
    }
}

static void price_iterations(const struct ledger *l, struct use *use, struct account_use *scratch)
{
    for (long from = 0, to = 0; from < l->entries; from = to) {
        to = from + 1;
        if (l->entry[from].mechanism != MECHANISM_STEP)
            continue;
        while (to < l->entries && l->entry[to].mechanism == MECHANISM_STEP &&
               l->entry[to].stream == l->entry[from].stream)
            to++;
        if (to < l->entries && l->entry[to].mechanism == MECHANISM_LAST &&
            l->entry[to].stream == l->entry[from].stream && l->entry[from].step == 1)
            price_iteration(l, from, to, use, scratch);
    }
}

static int by_use(const void *a, const void *b)
{
    const struct use *u = a, *v = b;
    const double left[] = { u->first, u->count, u->mechanism, u->mu, u->eps0, u->q, u->failure,
                            u->scheme };
    const double right[] = { v->first, v->count, v->mechanism, v->mu, v->eps0, v->q, v->failure,
                             v->scheme };
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        if (left[k] != right[k])
            return left[k] < right[k] ? -1 : 1;
    return 0;
}

/* A thousand equal releases to all records become one use, a thousand times. */
static void fold(struct book *b)
{
    long n = 0;
    qsort(b->use, (size_t)b->n, sizeof *b->use, by_use);
    for (long k = 0; k < b->n; k++) {
        if (n && by_use(&b->use[n - 1], &b->use[k]) == 0)
            b->use[n - 1].times += b->use[k].times;
        else
            b->use[n++] = b->use[k];
    }
    b->n = n;
}

double book_draws(const struct ledger *l)
{
    double sum = 0;
    for (long k = 0; k < l->entries; k++)
        sum += l->entry[k].scheme == SAMPLING_REPLACE ? l->entry[k].repeats : 0;
    return sum;
}

void book_open(const struct ledger *l, double n, double excess, struct book *b)
{
    b->n = l->entries;
    b->use = calloc((size_t)l->entries + 1, sizeof *b->use);
    b->price = calloc((size_t)l->entries + 1, sizeof *b->price);
    BUG_IF(!b->use || !b->price);
    b->gaussian = b->pure = true;
    for (long k = 0; k < l->entries; k++) {
        b->use[k] = use_of(&l->entry[k]);
        b->gaussian &= !book_is_pure(l->entry[k].mechanism);
        b->pure &= book_is_pure(l->entry[k].mechanism);
    }
    b->pure &= l->entries > 0;
    price_draws(l, n, excess, b->use);
    price_samples(l, b->use);
    price_streams(l, b->use, b->price);
    price_iterations(l, b->use, b->price);
    fold(b);
}

void book_close(struct book *b)
{
    free(b->use);
    free(b->price);
}

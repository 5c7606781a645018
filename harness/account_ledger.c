/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_ledger.c - the ledger of a run as uses per record, and accountants over them. */
#include "account_ledger.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "account_pld.h"
#include "account_rdp.h"
#include "status.h"

/* Equal mechanisms on the records [first, first + count), `times` of them for each record. */
struct use {
    double first, count, times;
    double mu, eps0; /* Gaussian: mu, eps0 = 0; pure: the other way round */
    double q, failure; /* q > 0: drawn with replacement, a record with probability q */
    enum mechanism mechanism;
};

struct book {
    struct use *use;
    long n;
    struct account_use *price; /* [n] scratch */
    bool gaussian, pure; /* nothing but such mechanisms */
    double failure;
};

/* --- from entries to uses */

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

static bool is_pure(enum mechanism m) { return m == MECHANISM_LAPLACE || m == MECHANISM_NOISY_MAX; }

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
                     .times = all ? e->repeats : 1 };
    if (e->mechanism == MECHANISM_LAPLACE)
        u.eps0 = ratio(in_norm(e, NORM_1), e->scale);
    else if (e->mechanism == MECHANISM_NOISY_MAX)
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

static double draws(const struct ledger *l)
{
    double sum = 0;
    for (long k = 0; k < l->entries; k++)
        sum += l->entry[k].scheme == SAMPLING_REPLACE ? l->entry[k].repeats : 0;
    return sum;
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

/* Steps of one record in one stream: (sum of k mu_i)^2 <= k sum of mu_i^2, k the largest number of
 * steps that any record has. */
static void price_stream(long n, const long *of, struct use *use, struct account_use *scratch)
{
    for (long k = 0; k < n; k++)
        scratch[k] = (struct account_use){ use[of[k]].first, use[of[k]].count, use[of[k]].times };
    double steps = floor(account_worst_record(n, scratch) + 0.5);
    for (long k = 0; k < n; k++)
        use[of[k]].mu *= sqrt(steps) * (1 + 1e-15);
}

static bool continues(const struct ledger_entry *last, const struct ledger_entry *e)
{
    return last->site == e->site && last->mechanism == e->mechanism && e->step > last->step;
}

/* Streams of a site follow each other, those of several sites may alternate. */
static void price_streams(const struct ledger *l, struct use *use, struct account_use *scratch)
{
    long *of = malloc(((size_t)l->entries + 1) * sizeof *of);
    bool *done = calloc((size_t)l->entries + 1, sizeof *done);
    BUG_IF(!of || !done);
    for (long k = 0; k < l->entries; k++) {
        if (done[k] || !is_prefix(&l->entry[k]))
            continue;
        long n = 0;
        const struct ledger_entry *last = NULL;
        for (long i = k; i < l->entries; i++) {
            const struct ledger_entry *e = &l->entry[i];
            if (last && e->site == last->site && e->mechanism == last->mechanism &&
                !continues(last, e))
                break;
            if (last && !continues(last, e))
                continue;
            of[n++] = i;
            done[i] = true;
            last = e;
        }
        price_stream(n, of, use, scratch);
    }
    free(of);
    free(done);
}

static int by_use(const void *a, const void *b)
{
    const struct use *u = a, *v = b;
    const double left[] = { u->first, u->count, u->mechanism, u->mu, u->eps0, u->q, u->failure };
    const double right[] = { v->first, v->count, v->mechanism, v->mu, v->eps0, v->q, v->failure };
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

/* --- prices that add up, and who pays most */

typedef double (*price_fn)(const struct use *u, double at);

static double worst(const struct book *b, price_fn price, double at)
{
    for (long k = 0; k < b->n; k++) {
        const struct use *u = &b->use[k];
        b->price[k] = (struct account_use){ u->first, u->count, u->times * price(u, at) };
    }
    return account_worst_record(b->n, b->price);
}

static double one(const struct use *u, double at) { return 1; }
static double square_mu(const struct use *u, double at) { return u->mu * u->mu; }
static double failure(const struct use *u, double at) { return u->failure; }
static double share(const struct use *u, double at) { return u->eps0; }
static double square_share(const struct use *u, double at) { return u->eps0 * u->eps0; }
static double growth(const struct use *u, double at) { return u->eps0 * expm1(u->eps0); }
static double zcdp(const struct use *u, double at)
{
    return (square_mu(u, 0) + square_share(u, 0)) / 2;
}

static double alone(const struct use *u, double delta)
{
    return is_pure(u->mechanism) ? u->eps0 : account_gaussian_eps(u->mu, delta);
}

static double divergence(const struct use *u, double a)
{
    if (u->mechanism == MECHANISM_LAPLACE)
        return rdp_laplace(u->eps0, a);
    if (u->mechanism == MECHANISM_NOISY_MAX)
        return rdp_pure(u->eps0, a);
    double plain = rdp_gaussian(u->mu, a);
    return u->q > 0 ? fmin(plain, rdp_replacement(u->q, 2 * u->mu * u->mu, a)) : plain;
}

/* --- accountants: epsilon at delta, failures aside */

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
    return b->pure ? worst(b, share, 0) : worst(b, alone, delta / ceil(worst(b, one, 0) - 0.5));
}

typedef double (*eps_fn)(const struct book *b, double delta);

static double needed(eps_fn eps, const struct book *b, double delta)
{
    return delta + (1 + exp(eps(b, delta))) * b->failure;
}

/* delta' + (1 + e^eps(delta')) f is convex in delta', as e^eps is (delta is a maximum of lines in
 * e^eps): first its minimum, then right of it the largest delta' that fits. */
static double with_failure(eps_fn eps, const struct book *b, double delta)
{
    double low = 1e-12 * delta, high = delta;
    if (b->failure == 0)
        return eps(b, delta);
    if (isnan(eps(b, delta)) || isinf(eps(b, delta)))
        return eps(b, delta);
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

/* --- the table */

enum { EXACT_GDP, PLD, ZCDP_CKS, RDP_C, ZCDP, RDP_M, OPTIMAL, ADVANCED, BASIC };
static const struct {
    const char *name, *note;
    eps_fn eps;
} table[ACCOUNTANTS] = {
    [EXACT_GDP] = { "exact", "Gaussian privacy curve, nothing is lost", eps_exact },
    [PLD] = { "pld", "composed privacy loss, between bounds", NULL },
    [ZCDP_CKS] = { "zcdp-cks", "Canonne, Kamath and Steinke 2020", eps_zcdp_cks },
    [RDP_C] = { "rdp-cks", "Renyi divergences on a grid of orders, converted so", NULL },
    [ZCDP] = { "zcdp", "Bun and Steinke 2016", eps_zcdp },
    [RDP_M] = { "rdp", "Renyi divergences, Mironov 2017", NULL },
    [OPTIMAL] = { "optimal", "Kairouz, Oh and Viswanath 2015, pure mechanisms", eps_optimal },
    [ADVANCED] = { "advanced", "Dwork, Rothblum and Vadhan 2010, pure mechanisms", eps_advanced },
    [BASIC] = { "basic", "the sum, delta in equal parts", eps_basic },
};

static void price_rdp(const struct book *b, double delta, struct priced *cks, struct priced *plain)
{
    struct rdp c = { .failure = b->failure };
    for (int k = 0; k < RDP_ORDERS; k++)
        c.divergence[k] = worst(b, divergence, rdp_order[k]);
    cks->eps = rdp_eps(RDP_CKS, &c, delta, NULL);
    plain->eps = rdp_eps(RDP_MIRONOV, &c, delta, NULL);
}

static void price_pld(const struct book *b, double delta, struct priced *p)
{
    double mu = sqrt(worst(b, square_mu, 0));
    if (!b->gaussian || b->failure > 0)
        return;
    struct pld_eps e = pld_sampled_gaussian(1, 1 / mu, 1, delta);
    p->eps = mu > 0 ? e.upper : 0;
    p->lower = mu == 0 ? 0 : isfinite(e.upper) ? e.lower : NAN;
}

static void open_book(const struct ledger *l, double n, double excess, struct book *b)
{
    b->n = l->entries;
    b->use = calloc((size_t)l->entries + 1, sizeof *b->use);
    b->price = calloc((size_t)l->entries + 1, sizeof *b->price);
    BUG_IF(!b->use || !b->price);
    b->gaussian = b->pure = true;
    for (long k = 0; k < l->entries; k++) {
        b->use[k] = use_of(&l->entry[k]);
        b->gaussian &= !is_pure(l->entry[k].mechanism);
        b->pure &= is_pure(l->entry[k].mechanism);
    }
    b->pure &= l->entries > 0;
    price_draws(l, n, excess, b->use);
    price_streams(l, b->use, b->price);
    fold(b);
    b->failure = worst(b, failure, 0);
}

/* Lowers out[ACCOUNTANTS] to what the ledger costs where a draw is given `excess`. */
static void price(const struct ledger *l, double n, double delta, double excess, struct priced *out)
{
    struct book b;
    struct priced now[ACCOUNTANTS];
    memcpy(now, out, sizeof now);
    open_book(l, n, excess, &b);
    for (int k = 0; k < ACCOUNTANTS; k++)
        now[k].eps = table[k].eps ? with_failure(table[k].eps, &b, delta) : NAN;
    price_rdp(&b, delta, &now[RDP_C], &now[RDP_M]);
    price_pld(&b, delta, &now[PLD]);
    for (int k = 0; k < ACCOUNTANTS; k++)
        if (!(now[k].eps > out[k].eps))
            out[k] = now[k];
    free(b.use);
    free(b.price);
}

void account_ledger(const struct ledger *l, double n, double delta, struct priced *out)
{
    double shares = draws(l);
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
        least = fmin(least, out[k].eps); /* fmin drops a NaN */
    return least;
}

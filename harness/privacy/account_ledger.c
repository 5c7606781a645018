/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_ledger.c - accountants over the uses of a run's ledger. */
#include "privacy/account_ledger.h"

#include <math.h>
#include <string.h>

#include "privacy/account_book.h"
#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "status.h"

/* --- prices that add up, and who pays most */

typedef double (*price_fn)(const struct use *u, double at);

static double worst(const struct book *b, price_fn price, double at)
{
    for (long k = 0; k < b->n; k++)
        b->price[k] = b->use[k].times * price(&b->use[k], at);
    return account_worst_edge(b->edges, b->edge, b->price);
}

static double one(const struct use *u, double at) { return 1; }
static double square_mu(const struct use *u, double at) { return u->mu * u->mu; }
static double failure(const struct use *u, double at) { return u->failure; }
static double share(const struct use *u, double at) { return u->eps0; }
static double square_share(const struct use *u, double at) { return u->eps0 * u->eps0; }
static double growth(const struct use *u, double at) { return u->eps0 * expm1(u->eps0); }
static double zcdp(const struct use *u, double at)
{
    double range = u->mechanism == MECHANISM_GUMBEL_MAX ? 4 : 1;     /* bounded: Cesar & Rogers */
    return (square_mu(u, 0) + square_share(u, 0) / range) / 2;
}

static double alone(const struct use *u, double delta)
{
    return book_is_pure(u->mechanism) ? u->eps0 : account_gaussian_eps(u->mu, delta);
}

/* Without a search for each, where there are many. */
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

/* Optimal where all mechanisms are alike. Of different ones the best composition is #P-hard to
 * compute (Murtagh and Vadhan 2016): all as the dearest, which can exceed their sum (price). */
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
    bool many = b->n > (b->failure > 0 ? 16 : 4096);     /* with failures it is asked again and again */
    return b->pure ? worst(b, share, 0)
                   : worst(b, many ? alone_bounded : alone, delta / fmax(1, times));
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
    double least = eps(b, delta);            /* eps falls: no smaller delta' has less */
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

/* Samples are composed as such if all are alike. Unamplified they have no lower bound. */
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

/* Lowers out[ACCOUNTANTS] to what the ledger costs where a draw is given `excess`. */
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
    /* The sum proves as much, and is the better proof where mechanisms differ much. */
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
        least = fmin(least, out[k].eps); /* fmin drops a NaN */
    return least;
}

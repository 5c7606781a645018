/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_pure.c - composition of pure mechanisms, and the shares of DP-GCD. */
#include "privacy/account.h"

#include <math.h>
#include <stdlib.h>

#include "status.h"

double account_basic(int n, const double *times, const double *eps0)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += times[k] * eps0[k];
    return sum >= 0 ? sum * (1 + ACCOUNT_SLACK / 4) : INFINITY;
}

double account_advanced(int n, const double *times, const double *eps0, double delta)
{
    double squares = 0, drift = 0;
    for (int k = 0; k < n; k++) {
        squares += times[k] * eps0[k] * eps0[k];
        drift += times[k] * eps0[k] * expm1(eps0[k]);
    }
    if (!(squares >= 0 && delta > 0 && delta < 1))
        return INFINITY;
    return (sqrt(-2 * log(delta) * squares) + drift) * (1 + ACCOUNT_SLACK / 4);
}

double account_pure_rho(int n, const double *times, const double *eps0, bool exponential)
{
    double squares = 0;
    for (int k = 0; k < n; k++)
        squares += times[k] * eps0[k] * eps0[k];
    if (!(squares >= 0))
        return INFINITY;
    return squares * (exponential ? 0.125 : 0.5) * (1 + ACCOUNT_SLACK / 4);
}

/* Goes from the largest loss down. `above` is the mass at losses above the present one. Under the other data set a
 * mass at the loss l is e^-l times as large; `paid` is e^loss times the sum of these smaller masses. So above -
 * paid is delta(eps) at eps = the present loss, and delta between two losses is above - paid e^(eps - loss). */
double account_loss_eps(long n, double top, double step, const double *mass, double delta)
{
    double above = 0, paid = 0, fall = exp(-step);
    if (!(delta >= 0))
        return INFINITY;
    for (long i = 0; i < n; i++) {
        double loss = top - (double)i * step;
        if (loss <= 0)
            return above - paid * exp(-loss) <= delta ? 0 : loss + log((above - delta) / paid);
        above += mass[i];
        paid += mass[i];
        double next = above - paid * fall;
        if (next > delta)
            return fmax(0, loss + log((above - delta) / paid));
        paid *= fall;
    }
    return 0;
}

double account_pure_optimal(double eps0, double delta0, long k, double delta)
{
    if (delta >= 1 || (eps0 == 0 && delta0 == 0))
        return 0;
    if (!(eps0 >= 0 && delta0 >= 0 && delta0 < 1 && delta >= 0) || isinf(eps0) || k < 1 ||
        k > 10000000)
        return INFINITY;
    double rest = -expm1(log1p(-delta) - (double)k * log1p(-delta0));
    double *mass = malloc((size_t)(k + 1) * sizeof *mass), log_p = -log1p(exp(-eps0));
    BUG_IF(!mass);
    for (long j = 0; j <= k; j++) {
        long double choose = lgammal(k + 1) - lgammal(j + 1) - lgammal(k - j + 1);
        mass[j] = exp((double)choose + (double)k * log_p - (double)j * eps0);
    }
    double top = (double)k * eps0, eps;
    rest = delta0 > 0 ? rest * (1 - 1e-9) : rest;      /* a margin for the rounding of 1 - (1-delta)/(1-delta0)^k,
                                                          whose terms cancel */
    eps = account_loss_eps(k + 1, top, 2 * eps0, mass, rest);
    free(mass);
    return isfinite(eps) ? fmin(top * (1 + ACCOUNT_SLACK / 4), eps * (1 + 1e-9)) : eps;
}

/* --- the epsilon of DP-GCD, and the shares that it may have */

double account_gcd_eps(enum gcd_account kind, double share, double T, double delta)
{
    const double both = 2 * T, times[] = { T, T }, shares[] = { share, 2 * share };
    if (!(share >= 0 && T >= 1 && delta > 0 && delta < 1))
        return INFINITY;
    switch (kind) {
    case GCD_CLOSED:
        return 4 * sqrt(-log(delta) * T) * share * (1 + ACCOUNT_SLACK / 4);
    case GCD_EQ2:
        return account_advanced(1, &both, &share, delta);
    case GCD_BASIC:
        return account_basic(1, &both, &share);
    case GCD_MIN:
        return fmin(account_advanced(1, &both, &share, delta), account_basic(1, &both, &share));
    default:
        return fmin(
            fmin(account_advanced(2, times, shares, delta), account_basic(2, times, shares)),
            account_zcdp_bun_steinke(account_pure_rho(2, times, shares, false), delta));
    }
}

double account_gcd_share(enum gcd_account kind, double eps, double T, double delta)
{
    double low = 0, high = eps;          /* no accountant allows one mechanism more than the whole eps */
    if (!(eps >= 0 && T >= 1 && delta > 0 && delta < 1) || isinf(eps))
        return 0;
    while (high - low > 1e-13 * high) {
        double mid = low + (high - low) / 2;
        if (account_gcd_eps(kind, mid, T, delta) <= eps)
            low = mid;
        else
            high = mid;
    }
    return low;
}

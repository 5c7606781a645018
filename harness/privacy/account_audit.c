/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_audit.c - confidence bounds on epsilon from guesses about many canaries of one run. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "privacy/account.h"
#include "status.h"

/* The p-value is a binomial tail plus a term for delta. Under (eps, 0) the number of right guesses is at most a
 * Binomial(r, q), q = 1/(1 + e^-eps). delta adds at most 2 m delta alpha, where alpha = max_i P(v - i <= Binomial <
 * v)/i. */
double account_audit_p(double m, long r, long v, double eps, double delta)
{
    BUG_IF(!(m >= (double)r && r >= v && v >= 0 && eps >= 0 && delta >= 0));
    double q = 1 / (1 + exp(-eps)), near = 0, alpha = 0;
    double p = v > 0 ? gsl_cdf_binomial_Q((unsigned)(v - 1), q, (unsigned)r) : 1;
    for (long i = 1; delta > 0 && i <= v; i++) {
        near += gsl_ran_binomial_pdf((unsigned)(v - i), q, (unsigned)r);
        alpha = fmax(alpha, near / (double)i);
    }
    return fmin(1, p + 2 * m * delta * alpha);
}

double account_audit_eps(double m, long r, long v, double delta, double p)
{
    double low = 0, high = 1;
    if (!(account_audit_p(m, r, v, 0, delta) < p))
        return 0;
    while (account_audit_p(m, r, v, high, delta) < p) {
        high *= 2;
        if (high > 1000)                 /* a bound on epsilon above 1000 is not looked for: no realistic number of
                                            canaries gives one */
            return low;
        low = high / 2;
    }
    while (high - low > 1e-9) {
        double mid = low + (high - low) / 2;
        if (account_audit_p(m, r, v, mid, delta) < p)
            low = mid;
        else
            high = mid;
    }
    return low;
}

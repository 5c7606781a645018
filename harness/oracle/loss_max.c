/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loss_max.c - the law of a noisy maximum's choice. Gumbel noise has it in closed form; else
 *
 *     P(j) = int_0^inf e^-t prod_{k != j} F_k( y(t) ) dt,   y(t): -log F_j(y) = t
 *
 * F of a block of c equal candidates is the c-th power of one's. Over s = log t the integrand is
 * smooth but for kinks and decays twice exponentially: the trapezoidal rule, to half a percent. */
#include <math.h>

#include "oracle/loss.h"
#include "oracle/noise_state.h"

/* log P(noisy score <= y), y on the scale of the score. */
static double log_cdf(enum max_rule rule, double s, double b, double y)
{
    double far = (y - s) / b, u = fabs(s) / b;
    if (b == 0)
        return y >= (rule == MAX_ABS_LAPLACE ? fabs(s) : s) ? 0 : -INFINITY;
    if (rule == MAX_EXPONENTIAL)
        return far > 0 ? log1p(-exp(-far)) : -INFINITY;
    if (rule == MAX_LAPLACE)
        return far < 0 ? far - M_LN2 : log1p(-exp(-far) / 2);
    if (y < 0)
        return -INFINITY;
    if (y < fabs(s))
        return y / b - u + log1p(-exp(-2 * y / b)) - M_LN2;
    return log1p(-(exp(u - y / b) + exp(-u - y / b)) / 2);
}

static double of(const double *v, long k)
{
    return v ? v[k] : 1;
}

static double gumbel_log(long m, const double *score, const double *b, const double *count,
                         long won)
{
    double sum = 0;
    for (long k = 0; k < m; k++)
        if (of(count, k) > 0)
            sum += of(count, k) * exp(score[k] / b[k] - score[won] / b[won]);
    return -log(sum);
}

/* log of the product over the others at y, a noisy score over its weight. */
static double others(enum max_rule rule, long m, const double *score, const double *b,
                     const double *weight, const double *count, long won, double y)
{
    double sum = 0;
    for (long k = 0; k < m && sum > -INFINITY; k++)
        if (k != won && of(count, k) > 0)
            sum += of(count, k) * log_cdf(rule, score[k], b[k], y * of(weight, k));
    return sum;
}

double loss_max(enum max_rule rule, long m, const double *score, const double *b,
                const double *weight, const double *count, long won)
{
    const double from = 4, to = -36, step = 0.125, enough = 1e-5;
    double sum = 0;
    if (rule == MAX_GUMBEL && b[won] > 0)
        return gumbel_log(m, score, b, count, won);
    for (double s = from; s > to; s -= step) {
        double t = exp(s);
        if (t < enough * step * sum)     /* all that is left is less than t */
            break;
        double y = noise_max_at(rule, score[won], b[won], t / of(count, won)) / of(weight, won);
        sum += exp(s - t + others(rule, m, score, b, weight, count, won, y));
    }
    return log(step * sum);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy_loss.c - the likelihood of the releases on a tape, under each data set of enum loss_case. */
#include "oracle/privacy_loss.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/noise_state.h"
#include "oracle/tape_state.h"

static bool is_normal(const struct tape_event *e)
{
    enum mechanism m = e->noise.entry.mechanism;
    return m == MECHANISM_GAUSSIAN || m == MECHANISM_TREE || m == MECHANISM_ROOT;
}

bool loss_written(const struct tape *t, bool *poisson)
{
    *poisson = false;
    for (long k = 0; k < t->events; k++) {
        const struct ledger_entry *e = &t->event[k].noise.entry;
        *poisson |= e->scheme == SAMPLING_POISSON;
        if (!tape_loss_written(e, t->event[k].noise.keyed))
            return false;
    }
    return !t->deaf;
}

/* --- normal noise: the releases in terms of independent numbers */

/* Returns the index in t->event of the release that is `steps` steps before release k in the same prefix-noise
 * stream; -1: there is none. */
static long earlier(const struct tape *t, long k, long steps)
{
    long stream = t->event[k].noise.entry.stream, step = t->event[k].noise.entry.step;
    while (--k >= 0) {
        const struct ledger_entry *e = &t->event[k].noise.entry;
        if (e->stream == stream && e->step == step - steps)
            return k;
    }
    return -1;
}

/* w <- the noise of the tree's node that ends at step i, the step of release k: the noise of prefix i less that of
 * the prefix that ends where the node begins. v: the noise of all releases. */
static void whiten_tree(const struct tape *t, long k, const double *v, double *w)
{
    const struct tape_event *e = &t->event[k];
    long i = e->noise.entry.step, begins = i & (i - 1);
    long at = begins ? earlier(t, k, i - begins) : -1;
    vec_copy(e->noise.d, v + e->noise.at, w);
    if (at >= 0)
        vec_axpy(e->noise.d, -1, v + t->event[at].noise.at, w);
}

/* w <- the series of (1 - z)^(1/2) applied to the noise v of the stream, at release k, where z means one step
 * earlier. The noise was made from independent normal vectors by the series of (1 - z)^(-1/2). */
static void whiten_root(const struct tape *t, long k, const double *v, double *w)
{
    const struct tape_event *e = &t->event[k];
    double c = 1;
    vec_copy(e->noise.d, v + e->noise.at, w);
    for (long back = 1, at = k; back < e->noise.entry.step; back++) {
        c *= ((double)back - 1.5) / (double)back;
        if ((at = earlier(t, at, 1)) < 0)
            break;
        vec_axpy(e->noise.d, c, v + t->event[at].noise.at, w);
    }
}

/* w <- w divided by the standard deviation of the noise. A release without noise has sd = 0: an entry of w that is
 * within the rounding of the released v_j gives 0; a larger one is impossible under this data set, and gives
 * infinity. */
static void divide(const struct tape_event *e, const double *v, double *w)
{
    double sd = e->noise.entry.scale;
    for (long j = 0; j < e->noise.d; j++)
        w[j] = sd > 0 ? w[j] / sd : fabs(w[j]) <= 0x1p-40 * fabs(v[j]) ? 0 : INFINITY;
}

static void whiten_one(const struct tape *t, long k, const double *v, double *white)
{
    const struct tape_event *e = &t->event[k];
    double *w = white + e->noise.at;
    if (e->noise.entry.mechanism == MECHANISM_TREE)
        whiten_tree(t, k, v, w);
    else if (e->noise.entry.mechanism == MECHANISM_ROOT)
        whiten_root(t, k, v, w);
    else
        vec_copy(e->noise.d, v + e->noise.at, w);
    divide(e, tape_released(t, e), w);
}

bool loss_whiten(const struct tape *t, long events, const double *v, double *white)
{
    for (long k = 0; k < events; k++) {
        if (!is_normal(&t->event[k]))
            return false;
        whiten_one(t, k, v, white);
    }
    return true;
}

/* --- the probability P(j) that a noisy maximum chooses candidate j. For Gumbel noise it has a closed form;
 * otherwise
 *
 *     P(j) = int_0^inf e^-t prod_{k != j} F_k( y(t) ) dt,   y(t): -log F_j(y) = t
 *
 * where F_k(y) = P(the noisy score of candidate k over its weight <= y); that of a block of c equal candidates is
 * the c-th power of one candidate's. Over s = log t the integrand is smooth but for kinks and decays doubly
 * exponentially, so that the trapezoidal rule gives P(j) to half a percent. */

/* Returns log P(noisy score <= y) for a score s with noise of scale b; for MAX_ABS_LAPLACE the noisy score is |s +
 * noise|. y is not divided by the candidate's weight. */
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

static double or_one(const double *v, long k)
{
    return v ? v[k] : 1;
}

static double gumbel_log(long m, const double *score, const double *b, const double *count,
                         long won)
{
    double sum = 0;
    for (long k = 0; k < m; k++)
        if (or_one(count, k) > 0)
            sum += or_one(count, k) * exp(score[k] / b[k] - score[won] / b[won]);
    return -log(sum);
}

/* Returns the logarithm of the probability that the noisy scores of all candidates but `won`, each over its weight,
 * are at most y. The noises are independent, so that it is a sum over the candidates. */
static double others(enum max_rule rule, long m, const double *score, const double *b,
                     const double *weight, const double *count, long won, double y)
{
    double sum = 0;
    for (long k = 0; k < m && sum > -INFINITY; k++)
        if (k != won && or_one(count, k) > 0)
            sum += or_one(count, k) * log_cdf(rule, score[k], b[k], y * or_one(weight, k));
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
        if (t < enough * step * sum)     /* the part of the integral from 0 to t is at most t, since the integrand
                                            is at most 1 */
            break;
        double y = noise_max_at(rule, score[won], b[won], t / or_one(count, won)) / or_one(weight, won);
        sum += exp(s - t + others(rule, m, score, b, weight, count, won, y));
    }
    return log(step * sum);
}

/* --- the log-likelihood of one release, up to a constant */

static double laplace_log(const struct tape_event *e, const double *value, const double *released)
{
    double b = e->noise.entry.scale, far = 0;
    for (long j = 0; j < e->noise.d; j++)
        far += fabs(released[j] - value[j]);
    return b > 0 ? -far / b : far == 0 ? 0 : -INFINITY;
}

static double choice_log(const struct tape *t, const struct tape_event *e, const double *score)
{
    const double *argument[TAPE_ARGUMENTS] = { NULL }, *pool = t->pool + e->noise.at;
    for (int k = 0; k < TAPE_ARGUMENTS; k++)
        if (e->noise.given[k])
            argument[k] = pool += e->noise.d;
    return loss_max(e->noise.rule, e->noise.d, score, argument[1], argument[0], argument[2],
                    (long)tape_released(t, e)[0]);
}

/* Returns the log-likelihood of release k, given the values before noise `value`, up to a constant. rest: receives
 * the release less its value; white: receives the same with the correlation of the noise removed (loss_whiten). All
 * three have the layout of the tape's pool. */
static double release_log(const struct tape *t, long k, const double *value, double *rest,
                          double *white)
{
    const struct tape_event *e = &t->event[k];
    const double *released = tape_released(t, e), *before = value + e->noise.at;
    if (e->noise.entry.mechanism == MECHANISM_LAPLACE)
        return laplace_log(e, before, released);
    if (!is_normal(e))
        return choice_log(t, e, before);
    vec_sub(e->noise.d, released, before, rest + e->noise.at);
    whiten_one(t, k, rest, white);
    double norm = vec_norm(e->noise.d, white + e->noise.at);
    return -norm * norm / 2;
}

/* --- the privacy loss of all releases together */

/* Returns log((1 - q) + q e^a): the log-likelihood of the releases on a Poisson sample of rate q, less that if the
 * record is not in the sample; a: that if it is, less the same. */
static double mixed(double q, double a)
{
    return a > 0 ? a + log(q + (1 - q) * exp(-a)) : log1p(q * expm1(a));
}

/* Returns a - b; 0 where both are -inf, since of two impossible cases neither is likelier, or where one is NaN. */
static double difference(double a, double b)
{
    double loss = a - b;
    return isnan(loss) ? 0 : loss;
}

double loss_of(const struct tape *t, long events, const double *const heard[LOSS_CASES])
{
    double *rest[LOSS_CASES], *white = malloc(t->used * sizeof *white + 1), loss = 0;
    BUG_IF(!white);
    for (int h = 0; h < LOSS_CASES; h++) {
        rest[h] = malloc(t->used * sizeof *white + 1);
        BUG_IF(!rest[h]);
    }
    for (long k = 0; k < events; k++) {
        const struct ledger_entry *e = &t->event[k].noise.entry;
        uint64_t draw = e->draw;
        double log_p[LOSS_CASES] = { 0 }, q = e->scheme == SAMPLING_POISSON ? e->q : 0;
        do                               /* whether the record is in the sample is decided once per draw */
            for (int h = 0; h < LOSS_CASES; h++)
                if (heard[h])
                    log_p[h] += release_log(t, k, heard[h], rest[h], white);
        while (q > 0 && ++k < events && t->event[k].noise.entry.draw == draw);
        k -= q > 0;
        double lacking = log_p[LOSS_LACKING];
        loss += q > 0 ? difference(mixed(q, difference(log_p[LOSS_FIRST], lacking)),
                                   mixed(q, difference(log_p[LOSS_SECOND], lacking)))
                      : difference(log_p[LOSS_FIRST], log_p[LOSS_SECOND]);
    }
    for (int h = 0; h < LOSS_CASES; h++)
        free(rest[h]);
    free(white);
    return loss;
}

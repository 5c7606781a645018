/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snowball_sgd.c - snowball SGD: one pass with batches that grow towards the end, and hidden noise: only the last
 * iterate is released (Feldman, Koren, Talwar, STOC 2020, Algorithm 1)
 *
 *     x_{t+1} = P( x_t - h_t ( (1/B_t) sum_{d in B_t} grad f(x_t,d) + N(0, sigma^2 I) ) ),
 *     B_t = ceil( b sqrt(p/(T-t+1)) ),   t = 1 ... T,   sum_t B_t <= n,   answer x_{T+1}
 *
 * Step lengths are h_t = 2^-i h for T_i < t <= T_{i+1}, T_i = T - ceil(T 2^-i), with which the error of the last
 * iterate has no factor log(T) (Jain, Nagaraj, Netrapalli, COLT 2019, Theorem 1); or h_t = h.
 *
 * Assumptions: the loss f(.,d) of a record d is convex, L-Lipschitz and M-smooth; R is the diameter, p the
 * dimension. For h_t <= 2/M the steps are non-expansive, and the noise of the later steps hides the change by a
 * record (zero-out adjacency):
 *
 *     sigma = (L/mu) max_t (h_t/B_t)/sqrt(h_t^2 + ... + h_T^2)
 *
 * is mu-GDP (Bok, Su, Altschuler 2024); for equal steps it is L/(mu min_t B_t sqrt(T-t+1)). Without convexity, or
 * for steps above 2/M, the method is not private and is refused. The paper's b is 1; with b = max{1, 1/mu} noise of
 * norm L suffices for every mu. h = R/(v sqrt(T)), v^2 = L^2 + p sigma^2, gives an excess of R v/sqrt(T), which is
 * L R (1/sqrt(n) + sqrt(p)/(mu n)) for the largest T that n allows. Without a goal of privacy no noise is added. */
#include "convex.h"
#include "gdp.h"

struct snowball {
    const char *calibration, *schedule;
    long T;
    double b, mu, sigma, step, c, L;
};

static const struct param params[] = {
    PARAM_WORD(snowball, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(snowball, schedule, "halving", "halving|constant", "the steps h_t"),
    PARAM(snowball, T, 0, 0, 0x1p52, "steps", "rounds; 0: as many as the samples allow"),
    PARAM(snowball, b, NAN, 0, INFINITY, "1", "factor of the batches; default max{1, 1/mu}"),
    PARAM(snowball, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(snowball, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise of one step; 0: none"),
    PARAM(snowball, step, NAN, 0, INFINITY, "x^2/f", "h, the first step; default the theorem's"),
    PARAM(snowball, c, 1, 0, INFINITY, "1", "multiplies the theorem's h"),
    PARAM(snowball, L, NAN, 0, INFINITY, "f/x", "bound on one gradient; default fact L"),
    PARAM_END
};

/* Returns B_t for the round t = T + 1 - left, which left - 1 rounds follow. */
static double batch(double b, double p, long left)
{
    return fmax(1, ceil(b * sqrt(p / (double)left)));
}

/* Returns h_t/h. */
static double relative_step(const struct snowball *s, long t)
{
    double part = 1;
    if (strcmp(s->schedule, "constant") == 0)
        return 1;
    while ((double)t > (double)s->T - ceil((double)s->T * part / 2) && part * (double)s->T > 1)
        part /= 2;
    return part;
}

/* Returns the largest T for which the batches B_1, ..., B_T take at most n samples. */
static double rounds(double n, double b, double p)
{
    double taken = 0;
    for (long left = 1;; left++) {
        double B = batch(b, p, left);
        if (B == 1)
            return (double)(left - 1) + (n - taken);
        if ((taken += B) > n)
            return (double)(left - 1);
    }
}

/* Returns max_t (h_t/B_t)/sqrt(h_t^2 + ... + h_T^2), which is sigma in units of L/mu. */
static double exposure(const struct snowball *s, double p)
{
    double squares = 0, most = 0;
    for (long t = s->T; t >= 1; t--) {
        double h = relative_step(s, t);
        squares += h * h;
        most = fmax(most, h / (batch(s->b, p, s->T - t + 1) * sqrt(squares)));
    }
    return most;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "snowball-sgd";
    struct snowball *s = vp;
    /* The noise of a step counts on that of all later steps, so that a run must not end before round T. */
    double n = fmin(one_pass_samples(f, goal, 1), floor(goal->budget));
    double most = isnan(goal->T) ? INFINITY : goal->T;

    TRY(convex_lipschitz(f, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    param_choose(&s->L, f->L);
    param_choose(&s->b, fmax(1, 1 / s->mu));
    if (isinf(n) && isinf(most) && !s->T)
        return why_set(why, REFUSED, "%s needs goal n, T or budget", who);
    double fit = isinf(n) ? INFINITY : rounds(n, s->b, f->d), T = s->T ? (double)s->T : fit;
    if (!(fit >= 1 && T <= fit))
        return why_set(why, REFUSED, "%s: n = %g samples do not allow T = %g rounds of batches "
                       "that grow to %g", who, n, fmax(T, 1), batch(s->b, f->d, 1));
    if ((double)s->T > most)
        return why_set(why, REFUSED, "%s: algo.T = %ld rounds: expected at most goal T = %g", who, s->T, most);
    param_choose_count(&s->T, (long)fmin(T, most));
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->L / s->mu * exposure(s, f->d));
    double v = sqrt(s->L * s->L + f->d * s->sigma * s->sigma);
    param_choose(&s->step, s->c * f->diameter / (v * sqrt((double)s->T)));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs the diameter and L > 0; or algo.step", who);
    return non_expansive(f, s->step, who, why);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct snowball *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct iteration *hidden = noise_iteration(o, w);

    arena_seal(w);
    for (long t = 1; t <= s->T; t++) {
        double B = batch(s->b, (double)d, s->T - t + 1);
        struct ticket samples;
        const struct release r = { .site = "snowball-sgd.step", .norm = NORM_2,
                                   .sensitivity = s->L / B, .ticket = &samples };
        if (!oracle_take(o, (long)B, &samples) ||
            !iteration_step(hidden, &r, s->step * relative_step(s, t), s->sigma, x, g))
            break;
        oracle_depth(o, 2);
    }
    iteration_release(hidden, x);
    oracle_mark(o, x);
    return OK;
}

const struct algo algo_snowball_sgd = {
    .name = "snowball-sgd",
    .doc = "snowball SGD: growing batches, hidden noise, the last iterate alone is released",
    .cite = "Feldman, Koren, Talwar, Private Stochastic Convex Optimization, STOC 2020, Alg. 1",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(weak) |
                FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct snowball),
    .tune = tune,
    .run = run,
};

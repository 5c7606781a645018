/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_draw.c - the synthetic laws that calibrate.h judges, and samples of them. */
#include "judge/calibrate_draw.h"

#include <math.h>

static const double said = -0.5, of_rival = -0.25, half_band = 0.1;
static const double said_log = 2, half_band_log = 0.4;

const struct shape calibrate_shapes[] = {
    { "power: the promised exponent", CHECK_RATE, true, LAW_POWER, -0.5 },
    { "power: at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 },
    { "power: 0.02 outside the band", CHECK_RATE, false, LAW_POWER, -0.38 },
    { "power: 0.1 outside the band", CHECK_RATE, false, LAW_POWER, -0.3 },
    { "power: the rival exponent -1", CHECK_RATE, false, LAW_POWER, -1 },
    { "sum fitted as a sum", CHECK_RATE, true, LAW_SUM, -0.5, .floor = 0.05 },
    { "sum with exponent -1 fitted as a sum", CHECK_RATE, false, LAW_SUM, -1, .floor = 0.01 },
    { "sum fitted as a power", CHECK_RATE, false, LAW_POWER, -0.5, .floor = 0.05 },
    { "power times a logarithm fitted as a power", CHECK_RATE, false, LAW_POWER, -0.5, 1 },
    { "logarithm fitted as a logarithm", CHECK_RATE, true, LAW_LOG, 0, 2 },
    { "power 0.5 fitted as a logarithm", CHECK_RATE, false, LAW_LOG, 0.5 },
    { "curved but inside the band everywhere", CHECK_RATE, true, LAW_POWER, -0.5, .bend = 0.1 },
    { "curved beyond both edges of the band", CHECK_RATE, false, LAW_POWER, -0.5, .bend = 0.6 },
    { "diverges where much is promised", CHECK_RATE, false, LAW_POWER, -0.5, .lost = 0.5,
      .lost_at = CALIBRATE_LENGTH - 1 },
    { "diverges where little is promised", CHECK_RATE, true, LAW_POWER, -0.5, .lost = 0.5 },

    { "difference of exponents as promised", CHECK_RATE, true, LAW_POWER, -0.75, .differs = true,
      .common = true },
    { "difference of exponents as promised with noises apart", CHECK_RATE, true, LAW_POWER, -0.75,
      .differs = true },
    { "difference of exponents 0.02 outside the band", CHECK_RATE, false, LAW_POWER, -0.63,
      .differs = true, .common = true },
    { "difference of exponents 0 instead of -0.5", CHECK_RATE, false, LAW_POWER, -0.25,
      .differs = true, .common = true },

    { "half the bound", CHECK_BOUND, true, .ratio = 0.5, .rest = 0.5 },
    { "0.9 of the bound", CHECK_BOUND, true, .ratio = 0.9, .rest = 0.9 },
    { "equal to the bound", CHECK_BOUND, true, .ratio = 1, .rest = 1 },
    { "1% above it at one point and far below at 2", CHECK_BOUND, false, .ratio = 1.01,
      .rest = 0.05 },
    { "twice the bound at one point of 3", CHECK_BOUND, false, .ratio = 2, .rest = 0.5 },
    { "5 times the bound", CHECK_BOUND, false, .ratio = 5, .rest = 5 },
    { "half the bound but 10% diverge at one point", CHECK_BOUND, false, .ratio = 0.5, .rest = 0.5,
      .lost = 0.1, .lost_at = 2 },

    { "half the rival", CHECK_ORDER, true, .ratio = 0.5, .rest = 0.5 },
    { "0.9 of the rival", CHECK_ORDER, true, .ratio = 0.9, .rest = 0.9 },
    { "equal at one point and a tenth at 2", CHECK_ORDER, false, .ratio = 1, .rest = 0.1 },
    { "twice the rival at one point of 3", CHECK_ORDER, false, .ratio = 2, .rest = 0.5 },
    { "5 times the rival", CHECK_ORDER, false, .ratio = 5, .rest = 5 },
    { "half the rival with its noise in common", CHECK_ORDER, true, .ratio = 0.5, .rest = 0.5,
      .common = true },
    { "equal to the rival with its noise in common", CHECK_ORDER, false, .ratio = 1, .rest = 1,
      .common = true },
    { "half the rival which diverges in 20%", CHECK_ORDER, true, .ratio = 0.5, .rest = 0.5,
      .rival_lost = 0.2 },
    { "half the rival but diverges in 80%", CHECK_ORDER, false, .ratio = 0.5, .rest = 0.5,
      .lost = 0.8 },
    { "mean 0.9 of the rival with a third of its noise", CHECK_ORDER, true, .ratio = 0.9,
      .rest = 0.9, .calm = 3 },
    { "mean 1.1 of the rival with three times its noise", CHECK_ORDER, false, .ratio = 1.1,
      .rest = 1.1, .rival_calm = 3 },
    { "equal to the rival at one point with three times its noise", CHECK_ORDER, false, .ratio = 1,
      .rest = 0.1, .rival_calm = 3 },
    { "equal to the rival at one point with a third of its noise", CHECK_ORDER, false, .ratio = 1,
      .rest = 0.1, .calm = 3 },
};

int calibrate_shape_count(void)
{
    return sizeof calibrate_shapes / sizeof *calibrate_shapes;
}

double calibrate_said(const struct shape *s)
{
    return s->claimed == LAW_LOG ? said_log : said;
}

/* Mean 1, or infinite mean nowhere: Pareto has log-sd below 1. */
static double factor(struct rng *r, const struct law_noise *noise, double calm)
{
    double scale = calm > 0 ? 1 / calm : 1, sd = noise->log_sd * scale, sum = 0, z, large;
    switch (noise->kind) {
    case NOISE_LOGNORMAL:
        return exp(sd * rng_normal(r) - sd * sd / 2);
    case NOISE_STUDENT:
        z = rng_normal(r);
        for (int k = 0; k < 3; k++)
            sum += pow(rng_normal(r), 2);
        return 1 + 0.1 * scale * z / sqrt(sum / 3);
    case NOISE_GAMMA:
        for (int k = 0; k < lround(1 / (scale * scale)); k++)
            sum -= log(rng_uniform(r)) * scale * scale;
        return sum;
    case NOISE_PARETO:
        return pow(rng_uniform(r), -sd) * (1 - sd);
    default:
        large = 1 + 9 * scale;
        z = rng_uniform(r) < 0.05 ? large : 1;
        return z / (1 + 0.05 * (large - 1)) * exp(0.2 * rng_normal(r) - 0.02);
    }
}

static double axis_at(int i)
{
    const int first = 4;
    return ldexp(1, i + first);
}

double calibrate_mean(const struct shape *s, int points, int i)
{
    if (s->check != CHECK_RATE)
        return i == points - 1 ? s->ratio : s->rest;
    double a = axis_at(i), window = log(axis_at(points - 1) / axis_at(0));
    double u = log(a / axis_at(0)) - window / 2;
    double bent = s->bend == 0 ? 1 : exp(s->bend * u * u / (2 * window));
    return pow(a, s->exponent) * pow(log(a), s->log_power) * bent + s->floor;
}

void calibrate_draw(const struct shape *s, const struct law_noise *noise, int points, struct rng *r,
                    struct trial *t)
{
    t->s = (struct series){ .points = points, .point = t->point };
    for (int i = 0; i < points; i++) {
        double mean = calibrate_mean(s, points, i);
        double of = s->differs ? pow(axis_at(i), of_rival) : 1;
        bool compared = s->check == CHECK_ORDER || s->differs;
        t->point[i] = (struct series_point){ .axis = axis_at(i), .reps = noise->reps, .y = t->y[i],
                                             .formula = t->formula,
                                             .rival = compared ? t->rival[i] : NULL };
        for (int j = 0; j < noise->reps; j++) {
            double lost = rng_uniform(r), rival_lost = rng_uniform(r);
            double own = factor(r, noise, s->common ? 3 : s->calm);
            double other = factor(r, noise, s->rival_calm);
            t->formula[j] = 1;
            t->y[i][j] = mean * own * (s->common ? other : 1);
            t->rival[i][j] = of * other;
            if (i == s->lost_at && lost < s->lost)
                t->y[i][j] = INFINITY;
            if (i == s->lost_at && rival_lost < s->rival_lost)
                t->rival[i][j] = INFINITY;
        }
    }
}

struct claim calibrate_claim(const struct shape *s, const struct law_noise *noise)
{
    double e = calibrate_said(s), half = s->claimed == LAW_LOG ? half_band_log : half_band;
    struct claim c = { .check = s->check, .axis = "n", .measure = "excess", .rounds = noise->rounds,
                       .band = { e - half, e + half } };
    if (s->differs)
        c.than.algo = "rival";
    c.law = s->claimed == LAW_SUM
        ? (struct law){ .form = LAW_SUM, .terms = 2, .named = 1, .exponent = { 0, e } }
        : (struct law){ .form = s->claimed, .exponent = { e } };
    return c;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - measures the coverage of the intervals, and false alarms and power of the verdicts, by simulation.
 * A row of the table is one synthetic law with one noise and one number of replicates. The rows are of two kinds:
 * those of rates, bounds, orders and intervals are drawn from a mean and a noise (struct shape), those of moments
 * and laws around the edge of a zone (struct zone_shape). */
#include "judge/calibrate.h"

#include <math.h>
#include <string.h>

#include "judge/fit.h"
#include "judge/skew.h"
#include "judge/verdict.h"

enum { LENGTH = 7, POINTS_MAX = 8, REPS_MAX = 128 };

/* A synthetic law: y = mean * noise at the values 16, 32, ... of the axis. A rate claim says axis^-0.5 within 0.1,
 * this power plus a constant, or (log axis)^2 within 0.4. The truth is axis^exponent (log axis)^log_power, with a
 * local slope that changes by `bend` over the window, plus `floor`. With `differs` the claim is about y / rival,
 * and the rival is axis^-0.25. A bound claim says y <= 1, an order claim that y is below the rival, whose mean is
 * 1; the truth is `ratio` at the last point and `rest` at the others. holds: is the claim then true? */
struct shape {
    const char *law;
    enum check check;
    bool holds;
    enum law_form claimed;
    double exponent, log_power, bend, floor;
    double ratio, rest;
    double calm, rival_calm;         /* the noises of y and of the rival are divided by these; 0: not divided */
    double lost, rival_lost;         /* share of runs that diverge, at point lost_at only */
    int lost_at;
    bool differs, common;            /* common: y has the rival's noise, and a third of independent noise */
};

/* The noises, in the order of the values: log-normal with log-sd `log_sd`; 1 + t/10, where t is Student's with 3
 * degrees of freedom, which can be negative; exponential; Pareto of index 1/log_sd; a mixture in which one value in
 * 20 is ten times the others, which have log-sd 0.2. All have mean 1. */
enum noise_kind { NOISE_LOGNORMAL, NOISE_STUDENT, NOISE_GAMMA, NOISE_PARETO, NOISE_MIXTURE };

/* rounds: a verdict is given after reps/2^(rounds-1), ..., reps/2, reps replicates until it is not INCONCLUSIVE; 0:
 * there is one round. */
struct law_noise {
    char name[32];
    enum noise_kind kind;
    double log_sd;
    int reps, rounds;
};

/* A sample of a synthetic law: the series s has the points `point`, and these have the numbers y, rival and
 * formula. */
struct trial {
    struct series s;
    struct series_point point[POINTS_MAX];
    double y[POINTS_MAX][REPS_MAX], rival[POINTS_MAX][REPS_MAX];
    double formula[REPS_MAX];
};
/* --- the synthetic laws, and samples of them */

static const double said = -0.5, of_rival = -0.25, half_band = 0.1;
static const double said_log = 2, half_band_log = 0.4;

static const struct shape shapes[] = {
    { "power: the promised exponent", CHECK_RATE, true, LAW_POWER, -0.5 },
    { "power: at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 },
    { "power: 0.02 outside the band", CHECK_RATE, false, LAW_POWER, -0.38 },
    { "power: 0.1 outside the band", CHECK_RATE, false, LAW_POWER, -0.3 },
    { "power: the rival exponent 0", CHECK_RATE, false, LAW_POWER, 0 },
    { "power: better than promised with exponent -1", CHECK_RATE, true, LAW_POWER, -1 },
    { "sum fitted as a sum", CHECK_RATE, true, LAW_SUM, -0.5, .floor = 0.05 },
    { "sum with exponent -1 fitted as a sum", CHECK_RATE, false, LAW_SUM, -1, .floor = 0.01 },
    { "sum fitted as a power", CHECK_RATE, false, LAW_POWER, -0.5, .floor = 0.05 },
    { "power times a logarithm fitted as a power", CHECK_RATE, false, LAW_POWER, -0.5, 1 },
    { "logarithm fitted as a logarithm", CHECK_RATE, true, LAW_LOG, 0, 2 },
    { "power 0.5 fitted as a logarithm", CHECK_RATE, false, LAW_LOG, 0.5 },
    { "curved but inside the band everywhere", CHECK_RATE, true, LAW_POWER, -0.5, .bend = 0.1 },
    { "curved beyond both edges of the band", CHECK_RATE, false, LAW_POWER, -0.5, .bend = 0.6 },
    { "diverges where much is promised", CHECK_RATE, false, LAW_POWER, -0.5, .lost = 0.5,
      .lost_at = LENGTH - 1 },
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
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Returns the exponent that the claim promises. */
static double exponent_claimed(const struct shape *s)
{
    return s->claimed == LAW_LOG ? said_log : said;
}

/* Returns a random factor of mean 1. The mean is finite for every noise, as Pareto has log-sd below 1. */
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

/* Returns the mean of y at point i of a window of `points` points. */
static double mean_at(const struct shape *s, int points, int i)
{
    if (s->check != CHECK_RATE)
        return i == points - 1 ? s->ratio : s->rest;
    double a = axis_at(i), window = log(axis_at(points - 1) / axis_at(0));
    double u = log(a / axis_at(0)) - window / 2;
    double bent = s->bend == 0 ? 1 : exp(s->bend * u * u / (2 * window));
    return pow(a, s->exponent) * pow(log(a), s->log_power) * bent + s->floor;
}

static void draw(const struct shape *s, const struct law_noise *noise, int points, struct rng *r,
                    struct trial *t)
{
    t->s = (struct series){ .points = points, .point = t->point };
    for (int i = 0; i < points; i++) {
        double mean = mean_at(s, points, i);
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

/* Returns the claim that is made about a sample. */
static struct claim claim_of(const struct shape *s, const struct law_noise *noise)
{
    double e = exponent_claimed(s), half = s->claimed == LAW_LOG ? half_band_log : half_band;
    struct claim c = { .check = s->check, .axis = "n", .measure = "excess", .rounds = noise->rounds,
                       .band = { e - half, e + half } };
    if (s->differs)
        c.than.algo = "rival";
    c.law = s->claimed == LAW_SUM
        ? (struct law){ .form = LAW_SUM, .terms = 2, .named = 1, .exponent = { 0, e } }
        : (struct law){ .form = s->claimed, .exponent = { e } };
    return c;
}

/* --- synthetic claims about moments and laws, and trials of them */

enum { ZONE_POINTS = 3, ZONE_REPS = 400, LEVELS = 6 };

/* Where the truth of a synthetic claim lies relative to its zone, which is the promise +- `margin`. The truth is
 * the promise plus `off` margins at the last point, and plus `rest` margins at the others. holds: is the claim then
 * true? */
struct zone_shape {
    const char *law;
    enum check check;
    bool holds;
    enum sense sense;
    double off, rest;
};

static const struct zone_shape zone_shapes[] = {
    { "in the middle of the margin", CHECK_MOMENT, true, SENSE_EQUAL, 0, 0 },
    { "half a margin off", CHECK_MOMENT, true, SENSE_EQUAL, 0.5, -0.5 },
    { "1% beyond the margin at one point", CHECK_MOMENT, false, SENSE_EQUAL, 1.01, 0 },
    { "1% below the margin at one point", CHECK_MOMENT, false, SENSE_EQUAL, -1.01, 0 },
    { "two margins off at one point", CHECK_MOMENT, false, SENSE_EQUAL, 2, 0 },
    { "at most: exactly the edge", CHECK_MOMENT, true, SENSE_AT_MOST, 1, 1 },
    { "at most: 1% beyond it at one point", CHECK_MOMENT, false, SENSE_AT_MOST, 1.01, -5 },

    { "probability in the middle of the margin", CHECK_LAW, true, SENSE_EQUAL, 0, 0 },
    { "1% beyond the margin at one point", CHECK_LAW, false, SENSE_EQUAL, 1.01, 0 },
    { "two margins off at one point", CHECK_LAW, false, SENSE_EQUAL, 2, 0 },
    { "at most: exactly the edge", CHECK_LAW, true, SENSE_AT_MOST, 1, 1 },
    { "at most: 1% beyond it at one point", CHECK_LAW, false, SENSE_AT_MOST, 1.01, -1 },
    { "three margins more at one point", CHECK_LAW, false, SENSE_AT_MOST, 3, -1 },
};
enum { ZONE_SHAPES = sizeof zone_shapes / sizeof *zone_shapes };

/* Noises of moments (numbers[]) and of laws (events[]). numbers: the mean is 1, and the margin is so wide that a
 * claim in the middle of the zone is mostly decided. "levels", the one with log_sd 0: 5 draws of each of 6 levels,
 * whose weights are 1/2, 1/4, ..., 1/32, 1/32. The levels contribute equal parts of the mean, and each draw has
 * noise as large as its mean. events: their probability is p. */
struct zone_noise {
    const char *name;
    double log_sd, margin;
    int reps;
    double p;
};
static const struct zone_noise numbers[] = {
    { "log-sd 0.3", 0.3, 0.3, 32 },
    { "log-sd 0.7", 0.7, 0.5, 64 },
    { "log-sd 1.5", 1.5, 1, 256 },
    { "levels", 0, 0.5, 16 },
};
static const struct zone_noise events[] = {
    { "p = 0.5", .margin = 0.1, .reps = 400, .p = 0.5 },
    { "p = 0.05", .margin = 0.03, .reps = 400, .p = 0.05 },
};
enum { NUMBERS = 4, EVENTS = 2, MOMENTS = 7, MOMENT_TRIALS = 2500, LAW_TRIALS = 1000 };

struct zone_row {
    struct calibration text;
    struct zone_shape shape;
    struct zone_noise noise;
};

static int zone_rows(void) { return MOMENTS * NUMBERS + (ZONE_SHAPES - MOMENTS) * EVENTS; }

static struct zone_row zone_row_at(int k)
{
    struct zone_row r;
    bool moment = k < MOMENTS * NUMBERS;
    BUG_IF(k < 0 || k >= zone_rows());
    if (moment) {
        r = (struct zone_row){ .shape = zone_shapes[k / NUMBERS], .noise = numbers[k % NUMBERS] };
    } else {
        k -= MOMENTS * NUMBERS;
        r = (struct zone_row){ .shape = zone_shapes[MOMENTS + k / EVENTS], .noise = events[k % EVENTS] };
    }
    r.text = (struct calibration){ .check = moment ? "moment" : "law",
                                   .law = r.shape.law,
                                   .truth = r.shape.holds ? "true" : "false",
                                   .reps = r.noise.reps,
                                   .trials = moment ? MOMENT_TRIALS : LAW_TRIALS };
    snprintf(r.text.noise, sizeof r.text.noise, "%s", r.noise.name);
    return r;
}

/* Returns the expected seconds of all trials of a row: at each point 200 ns a replicate; or 400 ns a level of a
 * replicate, if these are draws of levels; or, for events, 150 us in all for the exact limits of a probability. */
static double zone_cost(int row)
{
    struct zone_row r = zone_row_at(row);
    double one = r.noise.p > 0 ? 1.5e-4
                               : r.noise.reps * (r.noise.log_sd > 0 ? 2e-7 : LEVELS * 4e-7);
    return r.text.trials * ZONE_POINTS * one;
}

struct zone_trial {
    struct series s;
    struct series_point point[ZONE_POINTS];
    double y[ZONE_POINTS][ZONE_REPS], formula[ZONE_REPS], margin[ZONE_REPS];
    double weight[LEVELS], mean[ZONE_POINTS][ZONE_REPS][LEVELS], variance[ZONE_POINTS][ZONE_REPS][LEVELS];
    struct draws draws[ZONE_POINTS][ZONE_REPS];
};

static void draw_levels(struct zone_trial *t, int i, int j, double mean, struct rng *r)
{
    enum { EACH = 5 };
    t->draws[i][j] = (struct draws){ LEVELS, EACH, t->weight, t->mean[i][j], t->variance[i][j] };
    t->y[i][j] = 0;
    for (int k = 0; k < LEVELS; k++) {
        double x[EACH], sum = 0, squares = 0, value = mean / LEVELS / t->weight[k];
        for (int e = 0; e < EACH; e++) {
            x[e] = value * (1 + rng_normal(r));
            sum += x[e] / EACH;
        }
        for (int e = 0; e < EACH; e++)
            squares += (x[e] - sum) * (x[e] - sum);
        t->mean[i][j][k] = sum;
        t->variance[i][j][k] = squares / (EACH - 1);
        t->y[i][j] += t->weight[k] * sum;
    }
}

static void draw_zone(const struct zone_row *row, struct rng *r, struct zone_trial *t)
{
    const struct zone_noise *noise = &row->noise;
    double promise = noise->p > 0 ? noise->p : 1, sd = noise->log_sd;
    t->s = (struct series){ .points = ZONE_POINTS, .point = t->point };
    for (int k = 0; k < LEVELS; k++)
        t->weight[k] = ldexp(1, k < LEVELS - 1 ? -k - 1 : -k);
    for (int i = 0; i < ZONE_POINTS; i++) {
        double truth = promise +
                       noise->margin * (i == ZONE_POINTS - 1 ? row->shape.off : row->shape.rest);
        bool levels = noise->p == 0 && sd == 0;
        t->point[i] = (struct series_point){ .axis = i + 1,
                                             .reps = noise->reps,
                                             .y = t->y[i],
                                             .formula = t->formula,
                                             .margin = t->margin,
                                             .draws = levels ? t->draws[i] : NULL };
        for (int j = 0; j < noise->reps; j++) {
            t->formula[j] = promise;
            t->margin[j] = noise->margin;
            if (levels)
                draw_levels(t, i, j, truth, r);
            else if (noise->p > 0)
                t->y[i][j] = rng_uniform(r) < truth;
            else
                t->y[i][j] = truth + exp(sd * rng_normal(r) - sd * sd / 2) - 1;
        }
    }
}

/* Returns the mark of a row, "good" or "poor", by the limits of calibrate.h. */
static const char *mark_of(const struct calibration *r)
{
    bool control = strcmp(r->check, "control") == 0, support = strcmp(r->check, "support") == 0;
    double wrong = r->wrong, most = strcmp(r->check, "coverage") == 0 ? 0.07 : *r->truth == 't' ? 0.01 : 0.05;
    if (control && *r->truth == 'f')
        return r->right >= 0.9 ? "good" : "poor";
    if (control || support || strcmp(r->check, "contradiction") == 0) {
        wrong = calibrate_most(r->wrong, r->trials);
        most = control || support ? 1e-3 : 1e-4;
    }
    return wrong <= most + 1e-9 ? "good" : "poor";
}

static struct calibration zone_trials(int row, int trials, const struct rng *data)
{
    struct zone_trial *t;
    struct fit fit;
    struct zone_row r = zone_row_at(row);
    struct claim c = {
        .check = r.shape.check, .sense = r.shape.sense, .axis = "n", .measure = "y"
    };
    struct arena *memory = arena_new(0), *work = arena_new(0);
    long right = 0, wrong = 0;
    t = ARENA_ARRAY(memory, 1, struct zone_trial);
    r.text.trials = trials > 0 ? trials : r.text.trials;
    for (int k = 0; k < r.text.trials; k++) {
        struct rng one = rng_at(data, (uint64_t)k);
        arena_reset(work);
        draw_zone(&r, &one, t);
        BUG_IF(fit_claim(&c, &t->s, &one, work, &fit, NULL) != OK);
        enum word word = verdict_alone(&c, &fit).word;
        right += word == (r.shape.holds ? SUPPORTED : CONTRADICTED);
        wrong += word == (r.shape.holds ? CONTRADICTED : SUPPORTED);
    }
    arena_free(work);
    arena_free(memory);
    r.text.right = (double)right / r.text.trials;
    r.text.wrong = (double)wrong / r.text.trials;
    r.text.mark = mark_of(&r.text);
    return r.text;
}

/* --- the noises of the verdicts; the number of replicates grows with the spread */
static const struct law_noise noises[] = {
    { "log-sd 0.3", NOISE_LOGNORMAL, 0.3, 16 },  { "log-sd 0.7", NOISE_LOGNORMAL, 0.7, 32 },
    { "log-sd 1.5", NOISE_LOGNORMAL, 1.5, 64 },  { "Student 3", NOISE_STUDENT, 0, 16 },
    { "exponential", NOISE_GAMMA, 0, 32 },
    { SKEW_PARETO "0.3", NOISE_PARETO, 0.3, 32 },
    { "one in 20 tenfold", NOISE_MIXTURE, 0, 32 },
    { "log-sd 0.7 in 3 rounds", NOISE_LOGNORMAL, 0.7, 32, 3 },
};
enum { NOISES = sizeof noises / sizeof *noises };

/* --- the intervals whose coverage is measured; the truth is 1, or the promised exponent */
enum covered { COVERED_MEAN, COVERED_EXPONENT, COVERED_DIFFERENCE, COVERED_UPPER };

/* A block of rows: every spread with every number of replicates. An interval is stretched from its estimate by the
 * factor skew_stretch[stretch]. Stretched intervals are measured for few spreads, the widest among them: for any
 * other, skew.c takes the next larger one that was measured. */
struct block {
    enum covered covered;
    int stretch;
    enum noise_kind kind;
    double log_sd[5];                /* ends with its first 0, or is full */
    int trials;
};
static const struct block blocks[] = {
    { COVERED_MEAN, 0, NOISE_LOGNORMAL, { 0.3, 0.7, 1.1, 1.5 }, 4000 },
    { COVERED_EXPONENT, 0, NOISE_LOGNORMAL, { 0.3, 0.7, 1.1, 1.5, 2.2 }, 2500 },
    { COVERED_EXPONENT, 1, NOISE_LOGNORMAL, { 2.2 }, 1000 },
    { COVERED_EXPONENT, 2, NOISE_LOGNORMAL, { 2.2 }, 1000 },
    { COVERED_EXPONENT, 0, NOISE_PARETO, { 0.2, 0.3, 0.4, 0.5 }, 2500 },
    { COVERED_EXPONENT, 1, NOISE_PARETO, { 0.5 }, 1000 },
    { COVERED_EXPONENT, 2, NOISE_PARETO, { 0.5 }, 1000 },
    { COVERED_DIFFERENCE, 0, NOISE_LOGNORMAL, { 0.3, 0.7, 1.1, 1.5 }, 2500 },
    { COVERED_UPPER, 0, NOISE_LOGNORMAL, { 0.3, 0.7, 1.1, 1.5, 2.2 }, 2000 },
    { COVERED_UPPER, 2, NOISE_LOGNORMAL, { 2.2 }, 500 },
    { COVERED_UPPER, 0, NOISE_PARETO, { 0.3, 0.5 }, 300 },
    { COVERED_UPPER, 1, NOISE_PARETO, { 0.3, 0.5 }, 300 },
    { COVERED_UPPER, 2, NOISE_PARETO, { 0.3, 0.5 }, 300 },
};
static const int replicates[] = { 8, 16, 32, 64, 128 };
enum { BLOCKS = sizeof blocks / sizeof *blocks,
       REPLICATES = sizeof replicates / sizeof *replicates };

/* --- Slopes at the upper edge of the band, which is the worse one, and beyond it: controls caught, claims
 * contradicted or supported. In the rows of the control that is to be caught, log-sd 0.06, 16 replicates and 4
 * points are the medians of the nightly claims on rates, and log-sd 0.2 is their upper quartile
 * (docs/verdicts.md). */
enum { SPREADS = 4, SIZES = 5 };
static const struct edge {
    const char *check;
    struct shape shape;
    enum noise_kind kind;
    int points, trials;
    double log_sd[SPREADS];          /* ends with its first 0, or is full */
    int reps[SIZES];                 /* ends with its first 0, or is full */
} edges[] = {
    { "control", { "at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 }, NOISE_LOGNORMAL, 4, 10000,
      { 0.3, 0.7, 1.1, 1.5 }, { 8, 16, 32, 64, 128 } },
    { "control", { "at the edge and bending into the band", CHECK_RATE, true, LAW_POWER, -0.4, .bend = -0.4 },
      NOISE_LOGNORMAL, 4, 10000, { 0.3, 0.7, 1.1, 1.5 }, { 8, 16, 32, 64, 128 } },
    { "control", { "at the edge and bending out of the band", CHECK_RATE, true, LAW_POWER, -0.4, .bend = 0.4 },
      NOISE_LOGNORMAL, 4, 10000, { 0.3, 0.7, 1.1, 1.5 }, { 8, 16, 32, 64, 128 } },
    { "control", { "at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 }, NOISE_PARETO, 4, 10000,
      { 0.3, 0.5 }, { 8, 32, 128 } },
    { "control", { "0.15 beyond the edge", CHECK_RATE, false, LAW_POWER, -0.25 }, NOISE_LOGNORMAL, 4, 2000,
      { 0.06, 0.1, 0.2 }, { 8, 16, 32 } },
    { "contradiction", { "at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 }, NOISE_LOGNORMAL, 4, 40000,
      { 0.3, 1.5 }, { 16, 64 } },
    { "contradiction", { "at the edge and bending out of the band", CHECK_RATE, true, LAW_POWER, -0.4,
                         .bend = 0.4 },
      NOISE_LOGNORMAL, 4, 40000, { 0.3, 1.5 }, { 16, 64 } },
    { "support", { "0.1 beyond the edge", CHECK_RATE, false, LAW_POWER, -0.3 }, NOISE_LOGNORMAL, LENGTH, 4000,
      { 0.1, 0.3, 0.7, 1.5 }, { 8, 32, 128 } },
    { "control", { "at the edge of the band", CHECK_RATE, true, LAW_POWER, -0.4 }, NOISE_LOGNORMAL, 4, 10000,
      { 0.3, 0.7, 1.1, 1.5 }, { 4, 6 } },
    { "control", { "at the edge and bending out of the band", CHECK_RATE, true, LAW_POWER, -0.4, .bend = 0.4 },
      NOISE_LOGNORMAL, 4, 10000, { 0.3, 0.7, 1.1, 1.5 }, { 4, 6 } },
};
enum { EDGES = sizeof edges / sizeof *edges };

/* How many trials a row of verdicts has. Fewer are made where a trial takes long: for fits of sums, and for limits
 * with a bootstrap. */
enum { RATE_TRIALS = 2000, SUM_TRIALS = 200, RATIO_TRIALS = 1000, HEAVY_TRIALS = 250 };

struct row {
    struct calibration text;
    struct shape shape;
    struct law_noise noise;
    const struct block *block;       /* the intervals of a row of coverage; NULL: the row is one of verdicts */
    bool control;                    /* the verdicts are those of a control */
    int points;
};

static int spreads(const struct block *b)
{
    int n = 0;
    while (n < 5 && b->log_sd[n] > 0)
        n++;
    return n;
}

static int coverage_rows(void)
{
    int rows = 0;
    for (int k = 0; k < BLOCKS; k++)
        rows += spreads(&blocks[k]) * REPLICATES;
    return rows;
}

static const char *covered_name(const struct block *b)
{
    switch (b->covered) {
    case COVERED_MEAN:       return "mean (95%)";
    case COVERED_EXPONENT:   return skew_law(SKEW_EXPONENT, b->stretch);
    case COVERED_DIFFERENCE: return "difference of exponents (95%)";
    default:                 return skew_law(SKEW_UPPER, b->stretch);
    }
}

static struct row coverage_row(int k)
{
    const struct block *b = blocks;
    for (; k >= spreads(b) * REPLICATES; b++)
        k -= spreads(b) * REPLICATES;
    bool upper = b->covered == COVERED_UPPER;
    struct row r = { .block = b, .points = upper ? POINTS_MAX
                                         : b->covered == COVERED_MEAN ? 1 : LENGTH,
                     .noise = { .kind = b->kind, .log_sd = b->log_sd[k / REPLICATES],
                                .reps = replicates[k % REPLICATES] } };
    snprintf(r.noise.name, sizeof r.noise.name, "%s%g",
             b->kind == NOISE_PARETO ? SKEW_PARETO : SKEW_LOGNORMAL, r.noise.log_sd);
    r.shape = (struct shape){ .check = CHECK_BOUND, .ratio = 1, .rest = 1 };
    if (!upper)
        r.shape = (struct shape){ .check = CHECK_RATE, .claimed = LAW_POWER, .exponent = -0.5 };
    if (b->covered == COVERED_DIFFERENCE) {
        r.shape.exponent -= 0.25;
        r.shape.differs = r.shape.common = true;
    }
    r.text = (struct calibration){ .check = "coverage", .law = covered_name(b), .truth = "-",
                                   .trials = b->trials };
    return r;
}

static bool bootstraps(const struct row *r)
{
    return (r->shape.check == CHECK_BOUND || r->shape.check == CHECK_ORDER) &&
           (r->noise.kind == NOISE_PARETO || r->noise.kind == NOISE_MIXTURE);
}

static struct row claim_row(int k)
{
    struct row r = { .shape = shapes[k / NOISES], .noise = noises[k % NOISES] };
    bool rate = r.shape.check == CHECK_RATE;
    r.points = rate ? LENGTH : 3;
    r.text = (struct calibration){
        .check = rate ? "rate" : r.shape.check == CHECK_BOUND ? "bound" : "order",
        .law = r.shape.law, .truth = r.shape.holds ? "true" : "false",
        .trials = r.shape.claimed == LAW_SUM ? SUM_TRIALS : rate ? RATE_TRIALS
                : bootstraps(&r) ? HEAVY_TRIALS : RATIO_TRIALS };
    return r;
}

static int edge_spreads(const struct edge *e)
{
    int n = 0;
    while (n < SPREADS && e->log_sd[n] > 0)
        n++;
    return n;
}

static int edge_sizes(const struct edge *e)
{
    int n = 0;
    while (n < SIZES && e->reps[n] > 0)
        n++;
    return n;
}

static int edge_rows(void)
{
    int rows = 0;
    for (int k = 0; k < EDGES; k++)
        rows += edge_spreads(&edges[k]) * edge_sizes(&edges[k]);
    return rows;
}

static struct row edge_row(int k)
{
    const struct edge *e = edges;
    for (; k >= edge_spreads(e) * edge_sizes(e); e++)
        k -= edge_spreads(e) * edge_sizes(e);
    struct row r = { .shape = e->shape, .points = e->points, .control = strcmp(e->check, "control") == 0,
                     .noise = { .kind = e->kind, .log_sd = e->log_sd[k / edge_sizes(e)],
                                .reps = e->reps[k % edge_sizes(e)] } };
    snprintf(r.noise.name, sizeof r.noise.name, "%s%g", e->kind == NOISE_PARETO ? SKEW_PARETO : SKEW_LOGNORMAL,
             r.noise.log_sd);
    r.text = (struct calibration){ .check = e->check, .law = e->shape.law, .trials = e->trials,
                                   .truth = e->shape.holds ? "true" : "false" };
    return r;
}

/* Returns the number of rows of rates, bounds, orders, intervals and edges; rows of moment and law stand behind
 * these. */
static int own_rows(void)
{
    return coverage_rows() + SHAPES * NOISES + edge_rows();
}

static struct row row_at(int k)
{
    BUG_IF(k < 0 || k >= own_rows());
    int coverage = coverage_rows(), edge = k - coverage - SHAPES * NOISES;
    struct row r = k < coverage ? coverage_row(k) : edge < 0 ? claim_row(k - coverage) : edge_row(edge);
    r.text.reps = r.noise.reps;
    memcpy(r.text.noise, r.noise.name, sizeof r.text.noise);
    return r;
}

int calibrate_rows(void)
{
    return own_rows() + zone_rows();
}

struct calibration calibrate_plan(int row)
{
    return row < own_rows() ? row_at(row).text : zone_row_at(row - own_rows()).text;
}

/* Returns the seconds that all trials of a row take. At each point a trial takes 0.2 us a value, 8 us for a rate or
 * 30 us for the quantiles of a ratio, and 6 ns for each value of the 1000 resamples of a bootstrap. Rates need no
 * bootstrap; other checks always need it on the noises of `bootstraps`, and on others in one trial of six. The fit
 * of a sum takes 5 ms more. All rounds together cost at most twice the last round. */
double calibrate_cost(int row)
{
    if (row >= own_rows())
        return zone_cost(row - own_rows());
    struct row r = row_at(row);
    double often = r.shape.check == CHECK_RATE ? 0 : bootstraps(&r) ? 1 : 0.16;
    double point = (r.shape.check == CHECK_RATE ? 8e-6 : 3e-5) +
                   r.noise.reps * (1000 * 6e-9 * often + 2e-7);
    double trial = r.points * point + (r.shape.claimed == LAW_SUM ? 5e-3 : 0);
    return r.text.trials * trial * (r.noise.rounds ? 2 : 1);
}

/* --- one trial of a row, and all trials */
static bool covers(const struct row *r, const struct fit *fit)
{
    double stretch = skew_stretch[r->block->stretch], truth = exponent_claimed(&r->shape);
    struct estimate e = fit->rate.part[LAW_EXPONENT];
    if (r->block->covered == COVERED_MEAN) {
        e = fit->point[0].y;
        truth = mean_at(&r->shape, r->points, 0);
    }
    if (r->block->covered != COVERED_UPPER)
        return e.value - stretch * (e.value - e.lo) <= truth &&
               truth <= e.value + stretch * (e.hi - e.value);
    for (int i = 0; i < fit->points; i++) {
        e = fit->point[i].ratio;
        if (e.value * pow(e.hi / e.value, stretch) < 1)
            return false;
    }
    return true;
}

/* Returns the verdict after all rounds: as in a run, an open verdict gets twice the replicates, the earlier ones
 * included. */
static enum word judged(const struct row *row, const struct claim *c, struct trial *t,
                        const struct rng *bootstrap, struct arena *work, struct fit *fit)
{
    enum word word = INCONCLUSIVE;
    for (int left = fit_rounds(c) - 1; left >= 0 && word == INCONCLUSIVE; left--) {
        for (int i = 0; i < row->points; i++)
            t->point[i].reps = row->noise.reps >> left;
        BUG_IF(fit_claim(c, &t->s, bootstrap, work, fit, NULL) != OK);
        word = (row->control ? verdict_control : verdict_alone)(c, fit).word;
    }
    return word;
}

struct calibration calibrate_row(int row, int trials, uint64_t seed)
{
    struct trial t;
    struct fit fit;
    struct rng base = rng_stream(seed), stream = rng_sub(&base, (uint64_t)row);
    if (row >= own_rows())
        return zone_trials(row - own_rows(), trials, &stream);
    struct row r = row_at(row);
    struct claim c = claim_of(&r.shape, &r.noise);
    struct arena *work = arena_new(0);
    long right = 0, wrong = 0;
    r.text.trials = trials > 0 ? trials : r.text.trials;
    for (int k = 0; k < r.text.trials; k++) {
        struct rng data = rng_at(&stream, (uint64_t)k), bootstrap = rng_sub(&data, 1);
        arena_reset(work);
        draw(&r.shape, &r.noise, r.points, &data, &t);
        enum word word = judged(&r, &c, &t, &bootstrap, work, &fit);
        if (r.block) {
            right += covers(&r, &fit);
            continue;
        }
        right += word == (r.shape.holds ? SUPPORTED : CONTRADICTED);
        wrong += word == (r.shape.holds ? CONTRADICTED : SUPPORTED);
    }
    arena_free(work);
    r.text.right = (double)right / r.text.trials;
    r.text.wrong = r.block ? 1 - r.text.right : (double)wrong / r.text.trials;
    r.text.mark = mark_of(&r.text);
    return r.text;
}

/* --- the table as text */
double calibrate_error(double share, int trials)
{
    return sqrt(share * (1 - share) / trials);
}

double calibrate_most(double share, int trials)
{
    return stats_clopper_pearson(lround(share * trials), trials, 0.9).hi;
}

void calibrate_print_heading(FILE *out, bool aligned)
{
    if (aligned)
        fprintf(out, "%-13s  %-62s  %-5s  %-24s  %4s  %6s  %6s  %6s  %8s  %8s  %s\n", "check", "law",
                "truth", "noise", "reps", "trials", "right", "+-", "wrong", "at most", "mark");
    else
        fputs("check,law,truth,noise,reps,trials,right,right_se,wrong,wrong_most,mark\n", out);
}

/* Prints four digits: more than the trials determine, and the same digits on machines whose libm rounds alike. */
void calibrate_print(FILE *out, const struct calibration *r, bool aligned)
{
    fprintf(out, aligned ? "%-13s  %-62s  %-5s  %-24s  %4d  %6d  %6.4f  %6.4f  %8.3g  %8.3g  %s\n"
                         : "%s,%s,%s,%s,%d,%d,%.4f,%.4f,%.4g,%.4g,%s\n",
            r->check, r->law, r->truth, r->noise, r->reps, r->trials, r->right,
            calibrate_error(r->right, r->trials), r->wrong, calibrate_most(r->wrong, r->trials),
            r->mark);
}

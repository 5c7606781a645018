/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - coverage of the intervals, false alarms and power of verdicts, by simulation. */
#include "calibrate.h"

#include <math.h>
#include <string.h>

#include "calibrate_moment.h"
#include "fit.h"
#include "verdict.h"

enum { LENGTH = 7, REPS_MAX = 128, FIRST_AXIS_LOG2 = 4 };

/* --- what is drawn */

/* y = mean(axis) * noise. A rate claim says axis^-0.5, the same plus a constant, or (log axis)^2;
 * the truth is axis^exponent (log axis)^log_power, with the local slope changing by `bend` over the
 * window, plus `floor`. A bound or order claim says y <= 1 or y below the rival, whose mean is 1;
 * the truth is `ratio` at the last point, `rest` at the others. */
struct shape {
    const char *law;
    enum check check;
    bool holds;
    enum law_form claimed;
    double exponent, log_power, bend, floor;
    double ratio, rest;
    double calm, rival_calm;         /* the noise is divided by this; 0: as it is */
    double lost, rival_lost;         /* share of runs that diverge, at point lost_at only */
    int lost_at;
};

static const double said = -0.5, half_band = 0.1, said_log = 2, half_band_log = 0.4;

static const struct shape shapes[] = {
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
      .lost_at = LENGTH - 1 },
    { "diverges where little is promised", CHECK_RATE, true, LAW_POWER, -0.5, .lost = 0.5 },

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
    { "half the rival which diverges in 20%", CHECK_ORDER, true, .ratio = 0.5, .rest = 0.5,
      .rival_lost = 0.2 },
    { "half the rival but diverges in 80%", CHECK_ORDER, false, .ratio = 0.5, .rest = 0.5,
      .lost = 0.8 },
    { "mean 0.9 of the rival with a third of its noise", CHECK_ORDER, true, .ratio = 0.9,
      .rest = 0.9, .calm = 3 },
    { "mean 1.1 of the rival with three times its noise", CHECK_ORDER, false, .ratio = 1.1,
      .rest = 1.1, .rival_calm = 3 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Replicates grow with the spread. log_sd 0: 1 + Student's t with 3 degrees of freedom / 10, which
 * can be negative. rounds: the verdict is asked after reps/2^(rounds-1), ..., reps/2, reps of them
 * until it is not INCONCLUSIVE; 0: once. */
struct noise { const char *name; double log_sd; int reps, rounds; };
static const struct noise noises[] = { { "log-sd 0.3", 0.3, 16 }, { "log-sd 0.7", 0.7, 32 },
                                       { "log-sd 1.5", 1.5, 64 }, { "Student 3", 0, 16 },
                                       { "log-sd 0.7 in 3 rounds", 0.7, 32, 3 } };
enum { NOISES = sizeof noises / sizeof *noises };

/* --- the intervals whose coverage is asked; the truth is 1, or the promised exponent */
enum covered { COVERED_MEAN, COVERED_EXPONENT, COVERED_UPPER, COVERED_SWEEP };
static const char *const covered_name[] = { "mean (95%)", "exponent of a rate (95%)",
                                            "upper limit of a bound (95%)",
                                            "upper limits of a bound at 5 points (95% together)" };
static const int covered_points[] = { 1, LENGTH, 1, 5 };
static const int covered_trials[] = { 10000, 2500, 1000, 400 };
static const struct noise spread[] = { { "log-sd 0.3", 0.3 }, { "log-sd 0.7", 0.7 },
                                       { "log-sd 1.1", 1.1 }, { "log-sd 1.5", 1.5 } };
static const int replicates[] = { 8, 16, 32, 64, 128 };
enum { SPREADS = 4, REPLICATES = 5, SWEEP_REPLICATES = 3, COVERED_SIZE = SPREADS * REPLICATES,
       COVERAGE_ROWS = 3 * COVERED_SIZE + SPREADS * SWEEP_REPLICATES };

/* Trials of a row. At least 10,000 claims per shape, but for sums, whose fits are slow, and per
 * check for bound, whose bootstrap is. */
static const int rate_trials = 2500, sum_trials = 1000, order_trials = 2500, bound_trials = 400;

struct row {
    struct calibration text;
    struct shape shape;
    struct noise noise;
    enum covered covered;            /* text.check is "coverage" */
    bool coverage;
    int points;
};

static struct row coverage_row(int k)
{
    int sweep = k - 3 * COVERED_SIZE;
    enum covered what = sweep < 0 ? (enum covered)(k / COVERED_SIZE) : COVERED_SWEEP;
    int within = sweep < 0 ? k % COVERED_SIZE : sweep;
    int columns = sweep < 0 ? REPLICATES : SWEEP_REPLICATES;
    struct row r = { .coverage = true, .covered = what, .points = covered_points[what],
                     .noise = spread[within / columns] };
    r.noise.reps = replicates[within % columns];
    r.shape = what == COVERED_EXPONENT || what == COVERED_MEAN
        ? (struct shape){ .check = CHECK_RATE, .claimed = LAW_POWER, .exponent = said }
        : (struct shape){ .check = CHECK_BOUND, .ratio = 1, .rest = 1 };
    r.text = (struct calibration){ .check = "coverage", .law = covered_name[what], .truth = "-",
                                   .trials = covered_trials[what] };
    return r;
}

static struct row claim_row(int k)
{
    struct row r = { .shape = shapes[k / NOISES], .noise = noises[k % NOISES] };
    bool rate = r.shape.check == CHECK_RATE, bound = r.shape.check == CHECK_BOUND;
    r.points = rate ? LENGTH : 3;
    r.text = (struct calibration){
        .check = rate ? "rate" : bound ? "bound" : "order", .law = r.shape.law,
        .truth = r.shape.holds ? "true" : "false",
        .trials = bound ? bound_trials : !rate ? order_trials
                : r.shape.claimed == LAW_SUM ? sum_trials : rate_trials };
    return r;
}

/* Those of calibrate_moment.h stand behind them. */
enum { OWN_ROWS = COVERAGE_ROWS + SHAPES * NOISES };

static struct row row_at(int k)
{
    BUG_IF(k < 0 || k >= OWN_ROWS);
    struct row r = k < COVERAGE_ROWS ? coverage_row(k) : claim_row(k - COVERAGE_ROWS);
    r.text.noise = r.noise.name;
    r.text.reps = r.noise.reps;
    return r;
}

int calibrate_rows(void)
{
    return OWN_ROWS + calibrate_moment_rows();
}

struct calibration calibrate_plan(int row)
{
    return row < OWN_ROWS ? row_at(row).text : calibrate_moment_plan(row - OWN_ROWS);
}

/* 13 ns for each value of a bootstrap, 100 ns for each of the others, 5 us for each point, 1 ms for
 * a sum; rounds that are all needed cost twice the last. */
double calibrate_cost(int row)
{
    if (row >= OWN_ROWS)
        return calibrate_moment_cost(row - OWN_ROWS);
    struct row r = row_at(row);
    double point = 5e-6 + r.noise.reps * (r.shape.check == CHECK_BOUND ? 2000 * 1.3e-8 : 1e-7);
    double trial = r.points * point + (r.shape.claimed == LAW_SUM ? 1e-3 : 0);
    return r.text.trials * trial * (r.noise.rounds ? 2 : 1);
}

/* --- one trial */
struct trial {
    struct series s;
    struct series_point point[LENGTH];
    double y[LENGTH][REPS_MAX], rival[LENGTH][REPS_MAX], formula[REPS_MAX];
};

static double factor(struct rng *r, const struct noise *noise, double calm)
{
    double scale = calm > 0 ? 1 / calm : 1, sd = noise->log_sd * scale, squares = 0;
    if (sd > 0)
        return exp(sd * rng_normal(r) - sd * sd / 2);
    double z = rng_normal(r);
    for (int k = 0; k < 3; k++)
        squares += pow(rng_normal(r), 2);
    return 1 + 0.1 * scale * z / sqrt(squares / 3);
}

static double mean_at(const struct row *r, int i, double axis)
{
    const struct shape *s = &r->shape;
    if (s->check != CHECK_RATE)
        return i == r->points - 1 ? s->ratio : s->rest;
    double window = log(2) * (LENGTH - 1), u = log(axis) - log(2) * FIRST_AXIS_LOG2 - window / 2;
    return pow(axis, s->exponent) * pow(log(axis), s->log_power) *
           exp(s->bend * u * u / (2 * window)) + s->floor;
}

static void draw(const struct row *row, struct rng *r, struct trial *t)
{
    const struct shape *s = &row->shape;
    t->s = (struct series){ .points = row->points, .point = t->point };
    for (int i = 0; i < row->points; i++) {
        double axis = ldexp(1, i + FIRST_AXIS_LOG2), mean = mean_at(row, i, axis);
        t->point[i] = (struct series_point){ .axis = axis, .reps = row->noise.reps, .y = t->y[i],
                                             .formula = t->formula, .rival = t->rival[i] };
        for (int j = 0; j < row->noise.reps; j++) {
            double lost = rng_uniform(r), rival_lost = rng_uniform(r);
            t->formula[j] = 1;
            t->y[i][j] = mean * factor(r, &row->noise, s->calm);
            t->rival[i][j] = factor(r, &row->noise, s->rival_calm);
            if (i == s->lost_at && lost < s->lost)
                t->y[i][j] = INFINITY;
            if (i == s->lost_at && rival_lost < s->rival_lost)
                t->rival[i][j] = INFINITY;
        }
    }
}

static struct claim claim_of(const struct row *r)
{
    bool logarithm = r->shape.claimed == LAW_LOG, sum = r->shape.claimed == LAW_SUM;
    double e = logarithm ? said_log : said, half = logarithm ? half_band_log : half_band;
    struct claim c = { .check = r->shape.check, .axis = "n", .measure = "excess",
                       .rounds = r->noise.rounds, .band = { e - half, e + half } };
    c.law = sum ? (struct law){ .form = LAW_SUM, .terms = 2, .named = 1, .exponent = { 0, e } }
                : (struct law){ .form = r->shape.claimed, .exponent = { e } };
    return c;
}

static bool holds(const struct estimate *e, double truth)
{
    return e->lo <= truth && truth <= e->hi;
}

static bool covers(const struct row *r, const struct fit *fit)
{
    const double first = ldexp(1, FIRST_AXIS_LOG2);
    if (r->covered == COVERED_EXPONENT)
        return holds(&fit->rate.part[LAW_EXPONENT], said);
    if (r->covered == COVERED_MEAN)
        return holds(&fit->point[0].y, mean_at(r, 0, first));
    for (int i = 0; i < fit->points; i++)
        if (fit->point[i].ratio.hi < 1)
            return false;
    return true;
}

/* As the runner does it: an open verdict gets twice the replicates, the earlier ones included. */
static enum word judged(const struct row *row, const struct claim *c, struct trial *t,
                        const struct rng *bootstrap, struct arena *work, struct fit *fit)
{
    enum word word = INCONCLUSIVE;
    for (int left = fit_rounds(c) - 1; left >= 0 && word == INCONCLUSIVE; left--) {
        for (int i = 0; i < row->points; i++)
            t->point[i].reps = row->noise.reps >> left;
        BUG_IF(fit_claim(c, &t->s, bootstrap, work, fit, NULL) != OK);
        word = verdict_alone(c, fit).word;
    }
    return word;
}

struct calibration calibrate_row(int row, int trials, uint64_t seed)
{
    struct trial t;
    struct fit fit;
    struct rng base = rng_stream(seed), stream = rng_sub(&base, (uint64_t)row);
    if (row >= OWN_ROWS)
        return calibrate_moment_row(row - OWN_ROWS, trials, &stream);
    struct row r = row_at(row);
    struct claim c = claim_of(&r);
    struct arena *work = arena_new(0);
    long right = 0, wrong = 0;
    r.text.trials = trials > 0 ? trials : r.text.trials;
    for (int k = 0; k < r.text.trials; k++) {
        struct rng data = rng_at(&stream, (uint64_t)k), bootstrap = rng_sub(&data, 1);
        arena_reset(work);
        draw(&r, &data, &t);
        enum word word = judged(&r, &c, &t, &bootstrap, work, &fit);
        if (r.coverage) {
            right += covers(&r, &fit);
            continue;
        }
        right += word == (r.shape.holds ? SUPPORTED : CONTRADICTED);
        wrong += word == (r.shape.holds ? CONTRADICTED : SUPPORTED);
    }
    arena_free(work);
    r.text.right = (double)right / r.text.trials;
    r.text.wrong = r.coverage ? 1 - r.text.right : (double)wrong / r.text.trials;
    double most = r.coverage ? 0.07 : r.shape.holds ? 0.01 : 0.05;
    r.text.mark = r.text.wrong <= most + 1e-9 ? "good" : "poor";
    return r.text;
}

/* --- the table as text */
double calibrate_error(double share, int trials)
{
    return sqrt(share * (1 - share) / trials);
}

void calibrate_print_heading(FILE *out, bool aligned)
{
    if (aligned)
        fprintf(out, "%-8s  %-50s  %-5s  %-22s  %4s  %6s  %6s  %6s  %6s  %6s  %s\n", "check", "law",
                "truth", "noise", "reps", "trials", "right", "+-", "wrong", "+-", "mark");
    else
        fputs("check,law,truth,noise,reps,trials,right,right_se,wrong,wrong_se,mark\n", out);
}

/* Four digits: more than the trials can tell, and the same on machines whose libm rounds alike. */
void calibrate_print(FILE *out, const struct calibration *r, bool aligned)
{
    fprintf(out, aligned ? "%-8s  %-50s  %-5s  %-22s  %4d  %6d  %6.4f  %6.4f  %6.4f  %6.4f  %s\n"
                         : "%s,%s,%s,%s,%d,%d,%.4f,%.4f,%.4f,%.4f,%s\n",
            r->check, r->law, r->truth, r->noise, r->reps, r->trials, r->right,
            calibrate_error(r->right, r->trials), r->wrong, calibrate_error(r->wrong, r->trials),
            r->mark);
}

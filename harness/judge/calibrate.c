/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - coverage of the intervals, false alarms and power of verdicts, by simulation. */
#include "judge/calibrate.h"

#include <math.h>
#include <string.h>

#include "judge/calibrate_draw.h"
#include "judge/calibrate_moment.h"
#include "judge/skew.h"
#include "judge/verdict.h"

/* --- the noises of the verdicts; replicates grow with the spread */
static const struct law_noise noises[] = {
    { "log-sd 0.3", NOISE_LOGNORMAL, 0.3, 16 },  { "log-sd 0.7", NOISE_LOGNORMAL, 0.7, 32 },
    { "log-sd 1.5", NOISE_LOGNORMAL, 1.5, 64 },  { "Student 3", NOISE_STUDENT, 0, 16 },
    { "exponential", NOISE_GAMMA, 0, 32 },
    { SKEW_PARETO "0.3", NOISE_PARETO, 0.3, 32 },
    { "one in 20 tenfold", NOISE_MIXTURE, 0, 32 },
    { "log-sd 0.7 in 3 rounds", NOISE_LOGNORMAL, 0.7, 32, 3 },
};
enum { NOISES = sizeof noises / sizeof *noises };

/* --- the intervals whose coverage is asked; the truth is 1, or the promised exponent */
enum covered { COVERED_MEAN, COVERED_EXPONENT, COVERED_DIFFERENCE, COVERED_UPPER };

/* A block of rows: spreads by replicates. Intervals are stretched from their estimate as skew.h
 * says; stretched ones are asked for the widest spreads only. */
struct block {
    enum covered covered;
    int stretch;
    enum noise_kind kind;
    double log_sd[5];                /* ends with 0 */
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

/* Trials of a verdict row: fits of sums are slow, and limits with a bootstrap. */
enum { RATE_TRIALS = 2000, SUM_TRIALS = 200, RATIO_TRIALS = 1000, HEAVY_TRIALS = 250 };

struct row {
    struct calibration text;
    struct shape shape;
    struct law_noise noise;
    const struct block *block;       /* coverage; NULL: a verdict */
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
    struct row r = { .block = b, .points = upper ? CALIBRATE_POINTS
                                         : b->covered == COVERED_MEAN ? 1 : CALIBRATE_LENGTH,
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
    struct row r = { .shape = calibrate_shapes[k / NOISES], .noise = noises[k % NOISES] };
    bool rate = r.shape.check == CHECK_RATE;
    r.points = rate ? CALIBRATE_LENGTH : 3;
    r.text = (struct calibration){
        .check = rate ? "rate" : r.shape.check == CHECK_BOUND ? "bound" : "order",
        .law = r.shape.law, .truth = r.shape.holds ? "true" : "false",
        .trials = r.shape.claimed == LAW_SUM ? SUM_TRIALS : rate ? RATE_TRIALS
                : bootstraps(&r) ? HEAVY_TRIALS : RATIO_TRIALS };
    return r;
}

/* Those of calibrate_moment.h stand behind them. */
static int own_rows(void)
{
    return coverage_rows() + calibrate_shape_count() * NOISES;
}

static struct row row_at(int k)
{
    BUG_IF(k < 0 || k >= own_rows());
    int coverage = coverage_rows();
    struct row r = k < coverage ? coverage_row(k) : claim_row(k - coverage);
    r.text.reps = r.noise.reps;
    memcpy(r.text.noise, r.noise.name, sizeof r.text.noise);
    return r;
}

int calibrate_rows(void)
{
    return own_rows() + calibrate_moment_rows();
}

struct calibration calibrate_plan(int row)
{
    return row < own_rows() ? row_at(row).text : calibrate_moment_plan(row - own_rows());
}

/* 6 ns for each value of a bootstrap, which one log-normal sample in six needs too, 0.2 us for
 * each of the others, 30 us for the quantiles of a ratio, 5 ms for a sum; rounds that are all needed
 * cost twice the last. */
double calibrate_cost(int row)
{
    if (row >= own_rows())
        return calibrate_moment_cost(row - own_rows());
    struct row r = row_at(row);
    double often = r.shape.check == CHECK_RATE ? 0 : bootstraps(&r) ? 1 : 0.16;
    double point = (r.shape.check == CHECK_RATE ? 8e-6 : 3e-5) +
                   r.noise.reps * (1000 * 6e-9 * often + 2e-7);
    double trial = r.points * point + (r.shape.claimed == LAW_SUM ? 5e-3 : 0);
    return r.text.trials * trial * (r.noise.rounds ? 2 : 1);
}

/* --- one trial */
static bool covers(const struct row *r, const struct fit *fit)
{
    double stretch = skew_stretch[r->block->stretch], truth = calibrate_said(&r->shape);
    struct estimate e = fit->rate.part[LAW_EXPONENT];
    if (r->block->covered == COVERED_MEAN) {
        e = fit->point[0].y;
        truth = calibrate_mean(&r->shape, r->points, 0);
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
    if (row >= own_rows())
        return calibrate_moment_row(row - own_rows(), trials, &stream);
    struct row r = row_at(row);
    struct claim c = calibrate_claim(&r.shape, &r.noise);
    struct arena *work = arena_new(0);
    long right = 0, wrong = 0;
    r.text.trials = trials > 0 ? trials : r.text.trials;
    for (int k = 0; k < r.text.trials; k++) {
        struct rng data = rng_at(&stream, (uint64_t)k), bootstrap = rng_sub(&data, 1);
        arena_reset(work);
        calibrate_draw(&r.shape, &r.noise, r.points, &data, &t);
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
    double most = r.block ? 0.07 : r.shape.holds ? 0.01 : 0.05;
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
        fprintf(out, "%-8s  %-62s  %-5s  %-24s  %4s  %6s  %6s  %6s  %6s  %6s  %s\n", "check", "law",
                "truth", "noise", "reps", "trials", "right", "+-", "wrong", "+-", "mark");
    else
        fputs("check,law,truth,noise,reps,trials,right,right_se,wrong,wrong_se,mark\n", out);
}

/* Four digits: more than the trials can tell, and the same on machines whose libm rounds alike. */
void calibrate_print(FILE *out, const struct calibration *r, bool aligned)
{
    fprintf(out, aligned ? "%-8s  %-62s  %-5s  %-24s  %4d  %6d  %6.4f  %6.4f  %6.4f  %6.4f  %s\n"
                         : "%s,%s,%s,%s,%d,%d,%.4f,%.4f,%.4f,%.4f,%s\n",
            r->check, r->law, r->truth, r->noise, r->reps, r->trials, r->right,
            calibrate_error(r->right, r->trials), r->wrong, calibrate_error(r->wrong, r->trials),
            r->mark);
}

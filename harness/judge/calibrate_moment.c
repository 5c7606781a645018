/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_moment.c - how often moment and law are right and wrong on synthetic data whose law
 * is known. */
#include "judge/calibrate_moment.h"

#include <math.h>
#include <string.h>

#include "judge/fit.h"
#include "judge/verdict.h"

enum { POINTS = 3, REPS_MAX = 400, LEVELS = 6 };

/* Where the truth stands in a zone of half-width `margin` around the promise: the promise plus
 * `off` margins at the last point, plus `rest` margins at the others. */
struct shape {
    const char *law;
    enum check check;
    bool holds;
    enum sense sense;
    double off, rest;
};

static const struct shape shapes[] = {
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
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Numbers: the mean is 1, the margin such that a claim in its middle is mostly decided. Levels:
 * 5 draws of 6 levels of weight 2^-k, each contributing the same, its noise as large as its
 * value. Events: their probability. */
struct noise {
    const char *name;
    double log_sd, margin;
    int reps;
    double p;
};
static const struct noise numbers[] = {
    { "log-sd 0.3", 0.3, 0.3, 32 },
    { "log-sd 0.7", 0.7, 0.5, 64 },
    { "log-sd 1.5", 1.5, 1, 256 },
    { "levels", 0, 0.5, 16 },
};
static const struct noise events[] = {
    { "p = 0.5", .margin = 0.1, .reps = 400, .p = 0.5 },
    { "p = 0.05", .margin = 0.03, .reps = 400, .p = 0.05 },
};
enum { NUMBERS = 4, EVENTS = 2, MOMENTS = 7, MOMENT_TRIALS = 2500, LAW_TRIALS = 1000 };

struct row {
    struct calibration text;
    struct shape shape;
    struct noise noise;
};

static struct row row_at(int k)
{
    struct row r;
    bool moment = k < MOMENTS * NUMBERS;
    BUG_IF(k < 0 || k >= calibrate_moment_rows());
    if (moment) {
        r = (struct row){ .shape = shapes[k / NUMBERS], .noise = numbers[k % NUMBERS] };
    } else {
        k -= MOMENTS * NUMBERS;
        r = (struct row){ .shape = shapes[MOMENTS + k / EVENTS], .noise = events[k % EVENTS] };
    }
    r.text = (struct calibration){ .check = moment ? "moment" : "law",
                                   .law = r.shape.law,
                                   .truth = r.shape.holds ? "true" : "false",
                                   .reps = r.noise.reps,
                                   .trials = moment ? MOMENT_TRIALS : LAW_TRIALS };
    snprintf(r.text.noise, sizeof r.text.noise, "%s", r.noise.name);
    return r;
}

int calibrate_moment_rows(void) { return MOMENTS * NUMBERS + (SHAPES - MOMENTS) * EVENTS; }

struct calibration calibrate_moment_plan(int row) { return row_at(row).text; }

/* 200 ns a number, 150 us for the exact limits of a point. */
double calibrate_moment_cost(int row)
{
    struct row r = row_at(row);
    double one = r.noise.p > 0 ? 1.5e-4
                               : r.noise.reps * (r.noise.log_sd > 0 ? 2e-7 : LEVELS * 4e-7);
    return r.text.trials * POINTS * one;
}

struct trial {
    struct series s;
    struct series_point point[POINTS];
    double y[POINTS][REPS_MAX], formula[REPS_MAX], margin[REPS_MAX];
    double weight[LEVELS], mean[POINTS][REPS_MAX][LEVELS], variance[POINTS][REPS_MAX][LEVELS];
    struct draws draws[POINTS][REPS_MAX];
};

static void draw_levels(struct trial *t, int i, int j, double mean, struct rng *r)
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

static void draw(const struct row *row, struct rng *r, struct trial *t)
{
    const struct noise *noise = &row->noise;
    double promise = noise->p > 0 ? noise->p : 1, sd = noise->log_sd;
    t->s = (struct series){ .points = POINTS, .point = t->point };
    for (int k = 0; k < LEVELS; k++)
        t->weight[k] = ldexp(1, k < LEVELS - 1 ? -k - 1 : -k);
    for (int i = 0; i < POINTS; i++) {
        double truth = promise +
                       noise->margin * (i == POINTS - 1 ? row->shape.off : row->shape.rest);
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

struct calibration calibrate_moment_row(int row, int trials, const struct rng *data)
{
    struct trial *t;
    struct fit fit;
    struct row r = row_at(row);
    struct claim c = {
        .check = r.shape.check, .sense = r.shape.sense, .axis = "n", .measure = "y"
    };
    struct arena *memory = arena_new(0), *work = arena_new(0);
    long right = 0, wrong = 0;
    t = ARENA_ARRAY(memory, 1, struct trial);
    r.text.trials = trials > 0 ? trials : r.text.trials;
    for (int k = 0; k < r.text.trials; k++) {
        struct rng one = rng_at(data, (uint64_t)k);
        arena_reset(work);
        draw(&r, &one, t);
        BUG_IF(fit_claim(&c, &t->s, &one, work, &fit, NULL) != OK);
        enum word word = verdict_alone(&c, &fit).word;
        right += word == (r.shape.holds ? SUPPORTED : CONTRADICTED);
        wrong += word == (r.shape.holds ? CONTRADICTED : SUPPORTED);
    }
    arena_free(work);
    arena_free(memory);
    r.text.right = (double)right / r.text.trials;
    r.text.wrong = (double)wrong / r.text.trials;
    r.text.mark = r.text.wrong <= (r.shape.holds ? 0.01 : 0.05) + 1e-9 ? "good" : "poor";
    return r.text;
}

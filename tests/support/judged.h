/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.h - judgements made by hand, one of each kind, for the tests of report and figures. */
#ifndef ASSAY_TESTS_JUDGED_H
#define ASSAY_TESTS_JUDGED_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"

enum judged { J_RATE, J_BOUND, J_COUNT, J_ORDER, J_NOT_RUN, J_INFINITE, J_MOMENT, J_SUSPECT,
              JUDGED };

static const struct claim judged_claim[JUDGED + 1] = {
    { .id = "alpha/sgd.rate.excess.n", .cite = "Someone 2020, Theorem 1", .item = "V1",
      .says = "E F(x) - F* ~ n^(-1/2) | 'quoted', `echo` & <b>", .check = CHECK_RATE, .algo = "sgd",
      .problem = "nowhere", .axis = "n", .window = { { 4, 1024, 5, 8 }, { 4, 1024, 5, 8 } },
      .measure = "excess", .law = { .form = LAW_POWER, .exponent = { -0.5 } },
      .band = { -0.6, -0.4 },
      .control = { .algo = "gd", .why = "gd does not sample" } },
    { .id = "alpha/sgd.bound.excess.T", .cite = "Someone 2020, Theorem 2",
      .says = "F(x) - F* <= 1/T",
      .check = CHECK_BOUND, .algo = "sgd", .problem = "nowhere", .axis = "T", .measure = "excess",
      .window = { { 4, 1024, 5, 8 } }, .control = { .algo = "gd", .why = "a long step" } },
    { .id = "beta/gd.count.batch_steps.T", .cite = "Other 2021, Lemma 3",
      .says = "exactly T, no more",
      .check = CHECK_COUNT, .algo = "gd", .problem = "nowhere", .axis = "T",
      .measure = "batch_steps", .deterministic = true, .window = { { 4, 1024, 5, 8 } },
      .control = { .algo = "slow" } },
    { .id = "alpha/sgd.order.excess.n", .cite = "Someone 2020", .says = "sgd beats gd",
      .check = CHECK_ORDER, .algo = "sgd", .problem = "nowhere", .axis = "n", .measure = "excess",
      .than = { .algo = "gd" }, .window = { { 4, 1024, 5, 8 } } },
    { .id = "beta/gd.rate.late", .cite = "Other 2021", .says = "only in full", .check = CHECK_RATE,
      .algo = "gd", .problem = "nowhere", .axis = "T", .measure = "excess",
      .band = { -INFINITY, -1 },
      .law = { .form = LAW_POWER, .exponent = { -1 } },
      .window = { { 0 }, { 0 }, { 4, 1024, 5, 1 } }, .control = { .algo = "slow" } },
    { .id = "beta/gd.bound.diverges", .cite = "Other 2021", .says = "bounded", .check = CHECK_BOUND,
      .algo = "gd", .problem = "nowhere", .axis = "T", .measure = "excess",
      .window = { { 4, 1024, 5, 8 } } },
    { .id = "beta/estimator.moment.bias.jmax", .cite = "Other 2021", .says = "no bias",
      .check = CHECK_MOMENT, .algo = "mlmc", .problem = "nowhere", .axis = "jmax",
      .measure = "note.bias", .window = { { 4, 1024, 5, 8 } } },
    { .id = "beta/gd.count.cheap", .cite = "Other 2021", .says = "T queries", .check = CHECK_COUNT,
      .algo = "gd", .problem = "nowhere", .axis = "T", .measure = "sample_grads",
      .window = { { 4, 1024, 5, 8 } },
      .control = { .algo = "slow", .why = "a \"slow\" one, on purpose" } },
    { 0 }
};
static const struct paper judged_alpha = { .key = "alpha", .title = "On alpha" };
static const struct paper judged_beta = { .key = "beta", .title = "On beta" };

enum { JUDGED_POINTS = 5 };          /* the points of the axis: 4, 16, 64, 256, 1024 */

static inline double judged_axis(int k)
{
    return ldexp(1, 2 * k + 2);
}

/* Fills in the fit of y = c axis^e. The intervals of y have the relative half-width `part`, that of the exponent is
 * e +- 0.02. The ratio of measured to claimed is `ratio` +- 10% at every point. */
static inline void judged_power(struct fit *f, double c, double e, double part, double ratio)
{
    *f = (struct fit){ .points = JUDGED_POINTS, .reps = 8, .negative = -1, .beaten = -1 };
    for (int k = 0; k < JUDGED_POINTS; k++) {
        struct fit_point *p = &f->point[k];
        double y = c * pow(judged_axis(k), e);
        *p = (struct fit_point){ .axis = judged_axis(k), .reps = 8,
                                 .y = { y, y - part * y, y + part * y },
                                 .ratio = { ratio, 0.9 * ratio, 1.1 * ratio } };
        f->rate.law.fitted[k] = y;
    }
    f->rate.law.coefficient[0] = c;
    f->rate.law.value[LAW_EXPONENT] = e;
    f->rate.part[LAW_EXPONENT] = (struct estimate){ e, e - 0.02, e + 0.02 };
}

static inline void judged_word(struct judgement *j, enum word w, const char *reason,
                               const char *next)
{
    j->verdict.word = w;
    snprintf(j->verdict.reason, sizeof j->verdict.reason, "%s", reason);
    snprintf(j->verdict.next, sizeof j->verdict.next, "%s", next);
    j->alone = j->verdict;
}

static inline void judged_control(struct judgement *j, bool caught, const char *reason)
{
    j->has_control = true;
    j->caught = caught;
    j->control.word = caught ? CONTRADICTED : SUPPORTED;
    snprintf(j->control.reason, sizeof j->control.reason, "%s", reason);
}

static inline void judged_curve(struct judgement *j, const char *name, double c)
{
    struct curve *curve = &j->curve[j->curves++];
    curve->name = name;
    curve->points = JUDGED_POINTS;
    for (int k = 0; k < JUDGED_POINTS; k++) {
        double y = c / judged_axis(k);
        curve->point[k].axis = judged_axis(k);
        curve->point[k].y = (struct estimate){ y, 0.9 * y, 1.1 * y };
    }
}

/* j[JUDGED] <- one judgement of each kind: SUPPORTED for a rate and for an order of two methods, INCONCLUSIVE for a
 * bound whose control was missed, CONTRADICTED for a count and for a bound whose runs diverged, NOT_RUN for a rate
 * and for a moment, SUSPECT for a count. */
static inline void judged_fill(struct judgement *j)
{
    memset(j, 0, JUDGED * sizeof *j);
    for (int k = 0; k < JUDGED; k++) {
        j[k].claim = &judged_claim[k];
        j[k].paper = strncmp(judged_claim[k].id, "alpha", 5) == 0 ? &judged_alpha : &judged_beta;
        j[k].cells = 80;
        j[k].seconds = 123.456;
    }
    judged_power(&j[J_RATE].fit, 2, -0.5, 0.1, 0);
    judged_power(&j[J_RATE].control_fit, 3, -1, 0.1, 0);
    judged_word(&j[J_RATE], SUPPORTED, "exponent -0.5 in the band", "");
    judged_control(&j[J_RATE], true, "exponent -1");
    j[J_RATE].aggregated = true;

    judged_power(&j[J_BOUND].fit, 0.5, -1, 0.2, 0.5);
    judged_power(&j[J_BOUND].control_fit, 3e9, -1, 0.2, 3);
    judged_word(&j[J_BOUND], INCONCLUSIVE, "control missed: below", "more replicates");
    judged_control(&j[J_BOUND], false, "below");
    j[J_BOUND].exploratory = true;

    judged_power(&j[J_COUNT].fit, 1.25, 1, 0, 0);
    for (int k = 0; k < JUDGED_POINTS; k++)
        j[J_COUNT].fit.point[k].least = j[J_COUNT].fit.point[k].most = 0.25;
    j[J_COUNT].fit.deterministic = true;
    judged_word(&j[J_COUNT], CONTRADICTED, "T = 4: 25% more than the formula", "");

    judged_power(&j[J_ORDER].fit, 1, -1, 0.1, 0.25);
    for (int k = 0; k < JUDGED_POINTS; k++)
        j[J_ORDER].fit.point[k].wins = 8;
    judged_word(&j[J_ORDER], SUPPORTED, "smaller than the rival", "");
    judged_curve(&j[J_ORDER], "gd", 4);
    judged_curve(&j[J_ORDER], "nesterov", 8);

    j[J_NOT_RUN].cells = 0;
    judged_word(&j[J_NOT_RUN], NOT_RUN, "the profile leaves this claim out", "");

    judged_power(&j[J_INFINITE].fit, 1, 0, 0, 1);
    for (int k = 0; k < JUDGED_POINTS; k++) {
        struct fit_point *p = &j[J_INFINITE].fit.point[k];
        p->y = p->ratio = (struct estimate){ INFINITY, INFINITY, INFINITY };
        p->infinite = 8;
    }
    judged_word(&j[J_INFINITE], CONTRADICTED, "T = 4: 8 of 8 runs diverged", "");

    judged_power(&j[J_MOMENT].fit, 0.25, 0, 0.5, 0);
    j[J_MOMENT].fit.point[1].y = (struct estimate){ -0.1, -0.2, 0.3 };
    j[J_MOMENT].fit.worst = 1;
    for (int k = 0; k < JUDGED_POINTS; k++)
        j[J_MOMENT].fit.point[k].zone = (struct fit_zone){ .formula = 0.25, .margin = 0.05,
                                                           .off = { 0, -0.125, 0.125 } };
    j[J_MOMENT].fit.point[1].zone.off = (struct estimate){ -0.35, -0.45, 0.05 };
    judged_word(&j[J_MOMENT], NOT_RUN, "nothing was measured", "");

    judged_power(&j[J_SUSPECT].fit, 0.5, 1, 0, 0);
    for (int k = 0; k < JUDGED_POINTS; k++)
        j[J_SUSPECT].fit.point[k].least = -0.5;
    judged_word(&j[J_SUSPECT], SUSPECT, "50% less than \"the\" formula, at T = 4", "look, here");
    j[J_SUSPECT].failed = 1;
    snprintf(j[J_SUSPECT].first_failure, sizeof j[J_SUSPECT].first_failure,
             "problem nowhere | algo gd | rep 0: crashed: signal 11");
}

#endif

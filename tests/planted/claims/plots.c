/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plots.c - plots and a table of an invented paper, for tests of both. On huber with tau = 1/(2T+1) and M = R = 1,
 * where R = |x_0|, the excess of gd after T iterations is M R^2/(4T+2). */
#include "claim.h"

static double worst(const struct env *e) { return 1 / (4 * e->goal->T + 2); }
static double tau(double T, const struct facts *f) { return 1 / (2 * T + 1); }

#define ON_HUBER .kind = KIND_THEOREM, .cite = "none", .item = "", .problem = "huber", .axis = "T", \
                 .measure = "excess", .deterministic = true, .algo = "gd", \
                 .with = { { "problem.tau", .of = tau } }
#define SMALL { { 4, 64, 3, 1 }, { 4, 256, 4, 1 }, { 4, 256, 4, 1 } }

static const struct claim claims[] = {
    { .id = "plots/gd.bound.T", .says = "the worst case", ON_HUBER, .check = CHECK_BOUND,
      .window = SMALL, .formula = worst,
      .control = { .with = { { "algo.step", 0.5 } }, .why = "half a step" } },
    { 0 }
};

static const struct claim more[] = {
    { .id = "plots/gd.rate.T", .says = "another theme", ON_HUBER, .check = CHECK_RATE,
      .window = SMALL, .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .control = { .with = { { "problem.tau", 1 }, { "algo.step", 0.002 } },
                   .why = "hardly a step" } },
    { 0 }
};

static const struct claim *const themes[] = { more, NULL };

/* A plot of gd on the linear part of huber, where F - F* falls from 0.095 by h/100 an iteration as long as
 * |x| > tau. h is gd's step length in units of 1/M. */
#define SLOPE .title = "Down a slope", .says = "h/100 a step", .problem = "huber", .axis = "T", \
              .measure = "excess", .x = "full_grads", .deterministic = true, \
              .with = { { "problem.tau", 0.1 } }, .window = { { 16, 32, 2, 1 }, { 16, 32, 2, 1 } }, \
              .line = { { .label = "whole steps", .algo = "gd" }, \
                        { .label = "half steps", .algo = "gd", .with = { { "algo.h", 0.5 } } }, \
                        { .label = "refused", .algo = "dp-sgd", .with = { { "goal.eps", 1 } } } }

static const struct plot plots[] = {
    { .id = "plots/figure.both", .title = "Excess on the worst case", .says = "1/T",
      .problem = "huber", .axis = "T", .measure = "excess", .x = "full_grads",
      .deterministic = true,
      .with = { { "problem.tau", .of = tau } }, .window = SMALL,
      .line = {
          { .label = "as the claim", .algo = "gd", .theory = worst },
          { .label = "a short step", .algo = "gd", .with = { { "algo.step", 0.25 } },
            .exponent = -1, .over = { 4, 20 } },
          { .label = "other points", .algo = "gd", .window = { { 8, 32, 2, 1 }, { 8, 32, 2, 1 } } },
          { .label = "refused", .algo = "dp-sgd", .with = { { "goal.eps", 1 } } },
      } },
    { .id = "plots/figure.crash", .title = "A worker that crashes", .says = "nothing",
      .problem = "huber", .axis = "T", .measure = "excess", .deterministic = true, .window = SMALL,
      .line = { { .label = "crashes", .algo = "planted-crash" } } },
    { .id = "plots/figure.late", .title = "Later", .says = "not in quick",
      .problem = "huber", .axis = "T", .measure = "excess", .deterministic = true,
      .window = { { 0 }, { 4, 64, 3, 1 } },
      .line = { { .label = "late", .algo = "gd" } } },
    { .id = "plots/figure.reached", .kind = PLOT_REACHED, .target = { 0.5, 0.25 }, .targets = 2, SLOPE },
    { .id = "plots/figure.profile", .kind = PLOT_PROFILE, .target = { 0.5, 0.25 }, .targets = 2, SLOPE },
    { .id = "plots/figure.path", .kind = PLOT_PATH, SLOPE },
    { 0 }
};

static const struct exhibit_row rows[] = {
    { "gd", { "plots/gd.bound.T", "plots/gd.rate.T" } },
    { "nobody", { NULL, "plots/gone" } },
    { 0 }
};
static const struct exhibit tables[] = {
    { "plots/table.one", "All of it", "one method", { "bound", "rate" }, rows }, { 0 }
};

static const struct item items[] = { { 0 } };

const struct paper paper_plots = {
    .key = "plots", .title = "Figures and tables", .cite = "none", .claims = claims, .items = items,
    .plots = plots, .tables = tables, .themes = themes,
};

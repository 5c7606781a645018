/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heavy_ball.c - a claim about the plug-in's algorithm: the error along an eigendirection. */
#include "claim.h"

/* Half the curvature times the squared error D (1 + s T) (1 - s)^T, where D = |x_0 - x*| and s = sqrt h. */
static double double_root(const struct env *e)
{
    double s = sqrt(env_param(e, "h")), T = e->goal->T;
    double error = e->facts->dist * (1 + s * T) * pow(1 - s, T);
    return e->facts->M_F / 2 * error * error;
}

static const struct claim claims[] = {
    { .id = "heavy-ball/root.value.excess.T", .item = "V1",
      .cite = "Polyak, USSR Comput. Math. Math. Phys. 4 (1964)",
      .says = "heavy ball on one curvature: F(x_T) - F* = M/2 D^2 (1 + s T)^2 (1 - s)^(2T), "
              "s = sqrt h",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "heavy-ball", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.d", 1 }, { "problem.s", 0 }, { "problem.radius", INFINITY } },
      .window = { { 1, 128, 8, 1 }, { 1, 128, 8, 1 }, { 1, 128, 8, 1 } },
      .formula = double_root, .tolerance = 1e-9,
      .tests = "momentum", .control = { .with = { { "algo.beta", 0 } }, .why = "without momentum" } },
    { 0 }
};

static const struct item items[] = {
    { "V1", "error of the heavy ball where the roots meet", NULL },
    { 0 }
};

static const struct theorem_row rows[] = {
    { "T", "excess", { "(1 + s T)^2 (1 - s)^(2T)" }, { { "(1 - s^2)^(2T)", .whose = "gradient descent" } },
      .claim = "heavy-ball/root.value.excess.T" },
    { 0 }
};

static const struct theorem theorems[] = {
    { "heavy-ball/root", "Polyak 1964", "The error of the heavy ball falls as (1 - s)^T on one curvature.", NULL,
      rows },
    { 0 }
};

const struct paper paper_heavy_ball = {
    .key = "heavy-ball",
    .title = "Polyak's heavy ball, an example of a plug-in",
    .cite = "Polyak 1964",
    .claims = claims,
    .items = items,
    .theorems = theorems,
};

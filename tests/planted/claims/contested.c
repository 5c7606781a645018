/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contested.c - searches whose outcomes are known in closed form, for tests of `reproduce`. On the rows of
 * ./orthogonal.csv one iteration of descent on squares + l2, with step length s, leaves the relative error
 *
 *     (F - F*)/F* = (1 - s c)^2/l2,   c = 1 + l2,
 *
 * and T iterations leave (1 - s c)^(2T)/l2. The first method may have s = 0.1 or 0.2, the rival s = 0.4. The ratio
 * of the errors is ((1 - 0.2 c)/(1 - 0.4 c))^(2T): above 1 at l2 = 0.25, below 1 at 3, and 1 at 7/3, where the
 * excess itself is compared, F* = 15 l2/c. The third method is refused, because there is no goal acc. */
#include "contest.h"

#define ON(x) "erm", { { "problem.data", .text = "./orthogonal.csv" },                         \
                       { "problem.loss", .text = "squares" }, { "problem.l2", x } }

static const struct contest_instance instances[] = {
    { "flat", "little curvature", ON(0.25) },
    { "steep", "much of it", ON(3) },
    { "even", "as much as makes them equal", ON(7.0 / 3), "excess" },
    { 0 }
};

static const struct contest contest = {
    .as = { .title = "Known contest", .says = "all outcomes are known", .runs = 2, .fresh = 3 },
    .yes = "Somewhere.", .no = "Nowhere.",
    .axis = "T", .measure = "relative", .from = 1, .to = 2, .points = 2,
    .method = {
        { .label = "short", .algo = "gd", .grid = { { "algo.step", 0.1, 0.2, 2 } } },
        { .label = "long", .algo = "gd", .with = { { "algo.step", 0.4 } } },
        { .label = "refusing", .algo = "interpolated-descent" },
    },
    .rival = 1,
    .instances = instances,
};

static const struct claim claims[] = { { 0 } };
static const struct item items[] = { { 0 } };

const struct paper paper_contested = {
    .key = "contested", .title = "a search in closed form", .cite = "none",
    .claims = claims, .items = items, .reproduction = &contest.as,
};

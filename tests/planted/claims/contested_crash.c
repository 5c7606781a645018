/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contested_crash.c - a search in which the rival crashes in every run, for tests of `reproduce`. */
#include "contest.h"

static const struct contest_instance instances[] = { { "chain", "a chain", "chain" }, { 0 } };

static const struct contest contest = {
    .as = { .title = "Contest with a crash", .says = "the rival never ends well", .runs = 2, .fresh = 3 },
    .yes = "Somewhere.", .no = "Nowhere.",
    .axis = "T", .measure = "excess", .from = 4, .to = 4, .points = 1,
    .method = { { .label = "good", .algo = "gd" }, { .label = "crashing", .algo = "planted-crash" } },
    .rival = 1,
    .instances = instances,
};

static const struct claim claims[] = { { 0 } };
static const struct item items[] = { { 0 } };

const struct paper paper_contested_crash = {
    .key = "contested-crash", .title = "a search with a crash", .cite = "none",
    .claims = claims, .items = items, .reproduction = &contest.as,
};

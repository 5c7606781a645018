/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_tight.h - exponents of the oracles and of the noise to 0.03, on draws of their own: twice as many as
 * those of zo_draws.h, whose bands are wider. Of a straight path, whose variance is a sum, its closed form
 * against d and B2 to 3%. */
#ifndef ASSAY_PARTS_ZO_TIGHT_H
#define ASSAY_PARTS_ZO_TIGHT_H

#include "zo_draws.h"

#define TWICE { "run.draws", 2000 }
#define SQUARE .check = CHECK_RATE, .measure = "moment.square", .with = { LINEAR, DIFFERENCE, TWICE }
#define TO(e) .law = { .form = LAW_POWER, .exponent = { e } }, .band = { (e) - 0.03, (e) + 0.03 }
#define ALONG .check = CHECK_MOMENT, .measure = "moment.last", .formula = zo_path_last, .tolerance = 0.03

static const struct claim zo_tight[] = {
    { .id = "private-zeroth-order/grad.lemma3.1.tight.b", .item = "V1 6.2", POINT,
      .cite = CITE "Lemma 3.1", .axis = "b",
      .says = "the variance of GRAD falls as 1/b, its exponent within 0.03",
      .check = CHECK_RATE, .measure = "moment.variance", .with = { LINEAR, TWICE },
      .window = { { 0 }, { 1, 256, 5, 16 }, { 1, 256, 9, 16 } }, TO(-1.), .control = ONE_SAMPLE },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.moved", .item = "V2 6.2", POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "moved",
      .says = "the variance of DIFF grows as |x - y|^2, its exponent within 0.03",
      .window = { { 0 }, { 1e-4, 0.1, 7, 16 }, { 1e-4, 0.1, 7, 16 } }, TO(2.), .control = AS_GRADIENT },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.delta", .item = "V2", POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "smoothing",
      .says = "the variance of DIFF falls as 1/delta^2, its exponent within 0.03",
      .window = { { 0 }, { 0.01, 10, 7, 16 }, { 0.01, 10, 7, 16 } }, TO(-2.), .control = AS_GRADIENT },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.d", .item = "V2", POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "d",
      .says = "the variance of DIFF grows as d, its exponent within 0.03",
      .window = { { 0 }, { 4, 64, 5, 16 }, { 4, 128, 6, 16 } }, TO(1.), .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.b", .item = "V2", POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "b",
      .says = "the variance of DIFF falls as 1/b, its exponent within 0.03",
      .window = { { 0 }, { 1, 256, 5, 16 }, { 1, 256, 9, 16 } }, TO(-1.), .control = ONE_SAMPLE },

    { .id = "private-zeroth-order/path.lemma4.8.moment.d", .item = "V3", PATH, ALONG,
      .cite = CITE "Lemma 4.8", .axis = "d",
      .says = "a straight epoch of 64 steps: the variance of g_T in closed form, d from 8 to 64",
      .with = { LINEAR, { "problem.drift", 0 }, { "run.draws", 400 } },
      .window = { { 0 }, { 8, 32, 3, 16 }, { 8, 64, 4, 16 } }, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/path.lemma4.8.moment.B2", .item = "V3", PATH, ALONG,
      .cite = CITE "Lemma 4.8", .axis = "B2",
      .says = "a straight epoch of 64 steps: the variance of g_T in closed form, batches from 1 to 8",
      .with = { LINEAR, { "problem.drift", 0 }, { "problem.d", 16 }, { "run.draws", 400 } },
      .window = { { 0 }, { 1, 4, 3, 16 }, { 1, 8, 4, 16 } }, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/tree.cor4.4.tight.steps", .item = "V10", NOISE,
      .cite = CITE "Corollary 4.4, equation (2)", .axis = "steps",
      .says = "with sensitivity 4 d L/T the mean noise of an epoch falls as lg(T)^(1/2)/T, its exponent "
              "within 0.03",
      .check = CHECK_RATE, .measure = "moment.mean", .formula = zo_levels,
      .with = { { "algo.sensitivity", 32, -1 }, TWICE },
      .window = { { 0 }, { 16, 1024, 4, 16 }, { 16, 4096, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.06, -1.94 },
      .control = { .with = { { "algo.noise", .text = "independent" } },
                   .why = "noise of every summand: 1/T" } },

    { 0 }
};

#endif

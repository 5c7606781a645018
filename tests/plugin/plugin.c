/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c - an example of a plug-in: one algorithm and one claim, as they could be in algos/ and claims/, and
 * the list of both. It can be compiled anywhere; API is the folder harness/api:
 *
 *     cc -std=c17 -O2 -fPIC -shared -I$API plugin.c algos/heavy_ball.c claims/heavy_ball.c -o x.so
 *     assay verify --paper heavy-ball --plugin x.so */
#include "plugin.h"

extern const struct algo algo_heavy_ball;
extern const struct paper paper_heavy_ball;

static const struct algo *const algos[] = { &algo_heavy_ball, NULL };
static const struct paper *const papers[] = { &paper_heavy_ball, NULL };

const struct plugin assay_plugin = { .abi = PLUGIN_ABI, .algos = algos, .papers = papers };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_zeroth_order.c - Zhang, Tran, Cutkosky: "Private Zeroth-Order Nonsmooth Nonconvex
 * Optimization". Three kinds of claim are kept apart: what is exact (tests, counts, privacy), what is
 * statistical and sharp (zo_draws.h), and the upper bounds of Theorem 4.9 (zo_runs.h). */
#include "parts/zo_draws.h"
#include "parts/zo_private.h"
#include "parts/zo_runs.h"

static const struct claim *const themes[] = { zo_runs, zo_private, NULL };

static const struct item items[] = {
    { "V1", "variance of GRAD", NULL },
    { "V2", "variance of DIFF", NULL },
    { "V3", "variance along a straight path", NULL },
    { "V4", "norm of one direction", NULL },
    { "V5", "noise of the tree", NULL },
    { "V6", "sensitivity", NULL },
    { "V7", "privacy by accounting, replay and audit", NULL },
    { "V8", "the descent term", NULL },
    { "V9", "the statistical floor", NULL },
    { "V10", "the privacy floor", NULL },
    { "V11", "no privacy: M", NULL },
    { "V12", "no privacy: d", NULL },
    { "V13", "no privacy: delta", NULL },
    { "V14", "privacy: M", NULL },
    { "V15", "privacy: rho", NULL },
    { "V16", "privacy: d", NULL },
    { "V17", "where privacy is free", NULL },
    { "V18", "variance reduction against the naive oracle", NULL },
    { "V19", "variance-reduced SGD against O2NC",
      "the rivals of section 4 are not built yet" },
    { "V20", "one direction, noise of every summand, four values", NULL },
    { "V21", "resource counts", NULL },
    { "V22", "measured certificate against the bound with the proofs' constants", NULL },
    { "V23", "the branch Phi << L delta", NULL },
    { 0 }
};

const struct paper paper_private_zeroth_order = {
    .key = "private-zeroth-order",
    .title = "Private Zeroth-Order Nonsmooth Nonconvex Optimization",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024)",
    .claims = zo_draws,
    .items = items,
    .themes = themes,
};

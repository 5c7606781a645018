/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_zeroth_order.c - Zhang, Tran, Cutkosky: "Private Zeroth-Order Nonsmooth Nonconvex
 * Optimization". Three kinds of claim are kept apart: what is exact (tests, counts, privacy), what is
 * statistical and sharp (zo_draws.h), and the upper bounds of Theorem 4.9 (zo_runs.h). */
#include "zo_again.h"
#include "zo_baselines.h"
#include "zo_contest.h"
#include "zo_draws.h"
#include "zo_exact.h"
#include "zo_figures.h"
#include "zo_floor.h"
#include "zo_more.h"
#include "zo_private.h"
#include "zo_rivals.h"
#include "zo_tight.h"

static const struct claim *const themes[] = { zo_tight, zo_runs, zo_exact, zo_private, zo_rivals, zo_again,
                                             zo_baselines, zo_floor, zo_more, NULL };

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
    { "V19", "variance-reduced SGD against O2NC", NULL },
    { "V20", "one direction, noise of every summand, four values", NULL },
    { "V21", "resource counts", NULL },
    { "V22", "measured certificate against the bound with the proofs' constants", NULL },
    { "V23", "the branch Phi << L delta", NULL },
    { "AB-dir1", "one direction a sample", NULL },
    { "AB-notree", "noise of every summand", NULL },
    { "AB-novr", "the naive oracle", NULL },
    { "AB-noo2nc", "variance-reduced descent without O2NC", NULL },
    { "AB-B2", "later batches at a fixed product B2 T", NULL },
    { "AB-sym", "DIFF from four values", NULL },
    { "1.4", "conversion of RDP", NULL },
    { "2.3", "the conversion, with restarts", NULL },
    { "2.5", "nodes of the tree", NULL },
    { "2.7", "T, K and whole numbers", NULL },
    { "2.8", "calibrations", NULL },
    { "3.3", "the bound with the proofs' constants", NULL },
    { "3.4", "resource counts", NULL },
    { "4.1", "O2NC with gradients", NULL },
    { "4.2", "O2NC with pairs of values", NULL },
    { "4.3", "descent on the smoothed loss", NULL },
    { "4.4", "the same, variance-reduced", NULL },
    { "4.5", "the naive private oracle", NULL },
    { "4.6", "tree SPIDER for smooth losses", NULL },
    { "4.7", "DP-GD for smooth nonconvex losses", NULL },
    { "4.8", "interpolated normalised gradient", NULL },
    { "4.9", "the follow-up's single pass", NULL },
    { "5.1", "instances", NULL },
    { "5.2", "measures of stationarity", NULL },
    { "5.5", "where privacy is free", NULL },
    { "5.6", "a tuned batch of the naive oracle", NULL },
    { "6.1", "sampling and smoothing", NULL },
    { "6.2", "oracles", NULL },
    { "6.3", "noise of the tree", NULL },
    { "6.4", "learner and conversion; the printed loop of 2.3 tests them too", NULL },
    { "6.5", "scalings and neighbours, bit for bit; turns", NULL },
    { "6.6", "privacy", NULL },
    { "7.1", "T = max, not min", NULL },
    { "7.2", "noise is not fed back", NULL },
    { "7.3", "the radius is 2 delta", NULL },
    { "7.4", "counts of nodes at small T", NULL },
    { "7.5", "right ends share no noise: one released node each", "2.5 tests it" },
    { "7.6", "direction of the conversion's condition", "1.4 tests it" },
    { "7.7", "indices as printed", "2.3 and 2.5 test what is meant" },
    { "7.8", "eta is not printed: three readings", NULL },
    { "7.9", "sigma of the naive oracle", NULL },
    { "7.10", "96 for 80 at B1 = T B2/2", "bounds are computed from B1" },
    { "7.11", "the naive rate holds with a tuned batch", "no claim rests on the printed one" },
    { "7.12", "typing errors of formulas", "implemented as meant" },
    { "7.13", "one direction costs d in M, d^(1/2) in noise", NULL },
    { "7.14", "samples against values", "V21 counts both" },
    { "7.15", "smoothness of the smoothing", "6.1 tests the sharp constant" },
    { "7.16", "variances on linear losses", NULL },
    { "7.17", "Cauchy-Schwarz on a persistent noise", "V22 reports the ratio" },
    { "7.18", "differentiability almost everywhere", "nothing to run" },
    { "7.19", "open: variance reduction against a tuned batch", NULL },
    { "7.20", "private estimates of Phi and L", "outside the paper: they are public here" },
    { 0 }
};

const struct paper paper_private_zeroth_order = {
    .key = "private-zeroth-order",
    .title = "Private Zeroth-Order Nonsmooth Nonconvex Optimization",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024)",
    .claims = zo_draws,
    .items = items,
    .plots = zo_figures,
    .themes = themes,
    .reproduction = &zo_contest.as,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - algorithms, estimators, problems and papers in a shared object of their own, loaded with --plugin
 * FILE. Its source files are written as those of the folders algos/, problems/ and claims/; one more file lists
 * what they define:
 *
 *     static const struct algo *const algos[] = { &algo_mine, NULL };
 *     const struct plugin assay_plugin = { .abi = PLUGIN_ABI, .algos = algos };
 *
 * compiled with -std=c17 -fPIC -shared and this folder as include path. */
#ifndef ASSAY_PLUGIN_H
#define ASSAY_PLUGIN_H

#include "algo.h"
#include "claim.h"
#include "estimator.h"
#include "problem.h"

/* Rises with every change of this folder that an object built before would not survive. */
enum { PLUGIN_ABI = 16 };

/* Each list ends with NULL; a NULL in place of a list means that there is none. A name that exists already is
 * refused, and so is a unit without name, doc or cite. Besides these an algorithm needs params and run; an
 * estimator params, strata, functionals and draw; a problem params, make and measures; a paper key, title, cite and
 * claims. */
struct plugin {
    int abi;                         /* PLUGIN_ABI */
    const struct algo *const *algos;
    const struct estimator *const *estimators;
    const struct problem *const *problems;
    const struct paper *const *papers;
};

/* The one symbol that every plug-in defines. */
extern const struct plugin assay_plugin;

#endif

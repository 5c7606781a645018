/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed.h - from the command line to a paper that is made at run time: the claim of `test`, or the plots of
 * `sweep`. They are planned, run, judged and reported as those of all other papers. Whatever these functions make
 * lives as long as the program. */
#ifndef ASSAY_TYPED_H
#define ASSAY_TYPED_H

#include "cli/cli.h"
#include "plan/promise.h"

enum { TYPED_NAMES = 8, TYPED_AXES = 4 };

/* What the options of either verb ask for. */
struct typed {
    const struct options *o;
    struct runner *runner;               /* makes instances, to see what ends a run on them */
    const char *algo[TYPED_NAMES], *problem[TYPED_NAMES], *measure;
    int algos, problems;
    struct range axis[TYPED_AXES];       /* the axes with several values; `points` is set */
    int axes;
    struct range fixed[TYPED_AXES];      /* other axes, which have one value in a claim: fixed[k].value[0] */
    int fixes;
    struct search search;                /* what --tune asks for; kind SEARCH_NONE: nothing */
    struct notes *notes;                 /* a line for each choice that the options left open */
};
enum { NOTES_ROOM = 2000 };
struct notes { char text[NOTES_ROOM]; };
/* Adds a line to the notes, unless it is there already or there is no room. */
__attribute__((format(printf, 2, 3)))
void typed_note(const struct typed *t, const char *format, ...);

/* Settings of a claim, or of a line of a plot; later ones win. */
struct typed_settings { struct setting at[SETTINGS_MAX + 1]; int n; };

/* Reads the options. BAD_INPUT: no method, no problem, no axis or too many of them, or a method without the
 * parameter of --tune. */
enum status typed_read(const struct options *o, struct typed *t, struct why *why);
/* Prints the notes on stderr, unless the exit code is that of bad input, where one line says everything; frees the
 * members of *t. */
void typed_end(struct typed *t, int code);

/* Returns a text that lives as long as the program, since claims point to it. */
__attribute__((format(printf, 1, 2)))
char *typed_text(const char *format, ...);

/* Returns the name by which messages call the option that had this value: "--promise", or "FILE:LINE: promise". The
 * text lives to the end of the expression that contains the call. */
struct option_name { char at[160]; };
struct option_name typed_option(const struct typed *t, const char *option, const char *value);

/* Return the k-th value of an axis, and the number of its values. */
double typed_value(const struct range *axis, int k);
int typed_values(const struct range *axis);

/* s <- what the options set for this problem and method: data, single values of axes, --set. Settings of methods
 * are included only if this method has them. BAD_INPUT: more settings than a claim can have. */
enum status typed_common(const struct typed *t, const char *problem, const char *algo, struct typed_settings *s,
                         struct why *why);
enum status typed_add(struct typed_settings *s, const struct setting *one, struct why *why);
/* Adds the setting that stands for an axis, with the value c*a^power, where a is the value of the claim's axis and
 * c is `value`. */
enum status typed_add_axis(struct typed_settings *s, const char *name, const char *problem, const char *algo,
                           double value, double power, struct why *why);
/* Where the number of samples does not end a run of this method, adds a setting that does: a budget of sample
 * gradients, or a number of steps, equal to the number of samples. Notes this. axis: the axis of the claim, at its
 * first value. */
enum status typed_ending(const struct typed *t, const char *problem, const char *algo, const struct range *axis,
                         struct typed_settings *s, struct why *why);

/* --- the verb test */

/* A claim along one window, and what it points to: lists of one element and the end of the list. */
struct typed_claim {
    struct claim claim[2];
    struct promise promise;              /* text "": the claim is an order without a promise */
    struct promise_names names;
    struct theorem_row row[2];
    struct theorem theorem[2];
    struct paper paper;
};
enum { TYPED_CLAIMS = 16 };
/* The claims of a command line and their paper; claim[] and row[] have copies of those in of[]. */
struct typed_claims {
    struct typed_claim of[TYPED_CLAIMS];
    struct claim claim[TYPED_CLAIMS + 1];
    struct theorem_row row[TYPED_CLAIMS + 1];
    struct theorem theorem[2];
    struct paper paper;
    int claims;
};
/* Makes the claims that the options promise. Along each window there is a claim for every combination of values of
 * the axes that are lists; it has the other windows at their last value. BAD_INPUT. */
enum status typed_claims(const struct typed *t, struct typed_claims *all, struct why *why);
/* Registers a paper of typed claims, and checks it as the papers of the registry are checked. */
enum status typed_register(const struct paper *paper, struct why *why);
/* Prints the claims as the C source of a paper of this name. */
void typed_source(FILE *out, const struct typed_claims *all, const char *name, const char *symbol);

/* --- the verb sweep */

/* Is the cost of the sweep the time that its runs take (--x seconds)? */
bool typed_times(const struct options *o);

/* *paper <- a registered paper with the plots. For each axis and problem there is a plot along the axis, which has
 * a line for each method and each choice of values of the other axes. If --x names a cost, plots against this cost
 * follow. BAD_INPUT. */
enum status typed_sweep(const struct typed *t, const struct paper **paper, struct why *why);

/* Returns the selection of all claims and plots of the paper `typed`. */
struct selection typed_selection(const struct typed *t);

#endif

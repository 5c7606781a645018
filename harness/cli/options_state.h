/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_state.h - what the files of the command line share. */
#ifndef ASSAY_OPTIONS_STATE_H
#define ASSAY_OPTIONS_STATE_H

#include "cli/cli.h"

struct argp_state;

/* What argp hands to the parser, as state->input. */
struct parsing {
    struct options *o;
    int environment;             /* so many of the first arguments come from the environment */
    bool bad;
    struct why *why;
    int given;                   /* options typed so far: names in o->typed */
};

/* Does the option at hand come from the environment? */
bool options_from_environment(const struct argp_state *state);
/* The first complaint stands: `--name text: expected ...`, or the variable it came from. */
__attribute__((format(printf, 4, 5)))
void options_refuse(struct argp_state *state, const char *name, const char *text,
                    const char *format, ...);
/* A number of [lo, hi], also whole; index of one of the words, which NULL ends. What is refused
 * gives lo or 0. */
double options_number(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi);
double options_whole(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi);
int options_word(struct argp_state *state, const char *name, const char *text,
                 const char *const *words);
/* A time such as 90s, 60m or 8h in seconds; false: it is none. */
bool options_time(const char *text, double *seconds);
/* a..b or a,b,c into the selection. */
void options_range(struct argp_state *state, struct options *o, const char *name, const char *text);

#endif

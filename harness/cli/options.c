/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - parses the command line by argp with one option table; nearly every option has a variable of the
 * environment, ASSAY_NAME. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/params.h"
#include "cell/nearest.h"
#include "cli/cli.h"
#include "nights/baseline.h"
#include "store/store.h"
#include "text/memstream.h"

enum { KEY_FIRST = 0x100, KEY_PAPER = KEY_FIRST, KEY_CLAIM, KEY_THEOREM, KEY_ALGORITHM, KEY_PROBLEM, KEY_CHECK,
       KEY_PROFILE, KEY_SET, KEY_REPS, KEY_SEED, KEY_CONSTANTS, KEY_COUNT, KEY_PLANTED, KEY_DATA,
       KEY_LOSS, KEY_STORE, KEY_CACHE, KEY_OUTPUT, KEY_FORMAT, KEY_HISTORY, KEY_FIGURES, KEY_CANONICAL, KEY_FRESH,
       KEY_RETRY, KEY_RUN, KEY_TIMEOUT, KEY_MEMORY, KEY_STATISTICS, KEY_PLUGIN, KEY_DATA_FORMAT, KEY_DATA_DIR,
       KEY_NAME, KEY_TASK, KEY_LICENCE, KEY_SOURCE, KEY_SCALING, KEY_TEST_SHARE, KEY_PUBLIC,
       KEY_MODEL, KEY_FORCE, KEY_RUNS, KEY_REPLAY, KEY_TUNE, KEY_VERSION, KEY_BASELINE, KEY_REASON,
       KEY_WIDE, KEY_WHERE, KEY_TRACE, KEY_TARGET, KEY_VERBOSE,
       KEY_KEEP, KEY_BENCH, KEY_ARCH, KEY_NO_WAIT, KEY_ENGINE, KEY_SECONDS, KEY_RUNNING, KEY_TRIES, KEY_SLURM,
       KEY_DETACH, KEY_METHOD, KEY_ALLOW, KEY_MEASURE, KEY_X, KEY_PROMISE, KEY_CONTROL, KEY_RIVAL, KEY_AGAINST,
       KEY_ABOUT, KEY_MECHANISM,
       KEY_AXIS = KEY_MECHANISM + 0x40, KEY_BUDGET = KEY_AXIS + 10 };

const struct argp_option options_table[] = {
    { "paper", KEY_PAPER, "KEY", 0, "claims of this paper", 1 },
    { "claim", KEY_CLAIM, "GLOB", 0, "claims whose id matches", 1 },
    { "theorem", KEY_THEOREM, "GLOB", 0, "claims that decide rows of these theorems", 1 },
    { "algorithm", KEY_ALGORITHM, "NAME", 0, "claims about this method, or the method to run", 1 },
    { "problem", KEY_PROBLEM, "NAME", 0, "claims on this problem, or the problem to solve", 1 },
    { "check", KEY_CHECK, "NAME", 0, "count, bound, rate, order, moment, law, private", 1 },
    { "profile", KEY_PROFILE, "NAME", 0, "quick, nightly or full", 1 },
    { "planted", KEY_PLANTED, NULL, 0, "include methods and claims that are wrong on purpose", 1 },
    { "measure", KEY_MEASURE, "NAME", 0, "sweep, test, import: what is measured (default excess)", 1 },
    { "x", KEY_X, "COUNT", 0, "sweep, import: the cost of the figures, as sample_grads or seconds", 1 },
    { "promise", KEY_PROMISE, "LAW", 0, "test, import: 'n^-0.5 +- 0.1', or a bound '<= 2*L*R/sqrt(n)'", 1 },
    { "control", KEY_CONTROL, "SETTINGS", 0,
      "test, import: a run that must fail: NAME=VALUE or a method; may be repeated",
      1 },
    { "rival", KEY_RIVAL, "LAW", 0, "test, import: a law that the band must exclude, as n^-1; may be repeated", 1 },
    { "against", KEY_AGAINST, "METHOD", 0, "test, import: be below this method, or have the promised ratio to it",
      1 },
    { "mechanism", KEY_ABOUT, "NAME", 0, "test: the mechanism of the method that the promise is about", 1 },
    { "set", KEY_SET, "NAME=VALUE", 0, "problem.X, algo.X, goal.X or run.X", 2 },
    { "n", KEY_AXIS + 0, "RANGE", 0, "samples: 1e6, 2^10..2^17, 1e3..1e6:7 or 100,1000", 2 },
    { "d", KEY_AXIS + 1, "RANGE", 0, "dimension", 2 },
    { "T", KEY_AXIS + 2, "RANGE", 0, "batch steps", 2 },
    { "B", KEY_AXIS + 3, "RANGE", 0, "batch size", 2 },
    { "N", KEY_AXIS + 4, "RANGE", 0, "pieces of a maximum", 2 },
    { "eps", KEY_AXIS + 5, "RANGE", 0, "privacy: epsilon", 2 },
    { "delta", KEY_AXIS + 6, "RANGE", 0, "privacy: delta", 2 },
    { "rho", KEY_AXIS + 7, "RANGE", 0, "privacy: (rho^2/2)-zCDP", 2 },
    { "acc", KEY_AXIS + 8, "RANGE", 0, "target accuracy", 2 },
    { "kappa", KEY_AXIS + 9, "RANGE", 0, "G R / accuracy", 2 },
    { "budget", KEY_BUDGET, "RANGE", 0, "sample gradients a run may spend; nightly: 60m, a time", 2 },
    { "reps", KEY_REPS, "N", 0, "replicates at each point", 2 },
    { "seed", KEY_SEED, "N", 0, "master seed, for fresh evidence (default 1)", 2 },
    { "constants", KEY_CONSTANTS, "MODE", 0, "practical or theory", 2 },
    { "count", KEY_COUNT, NULL, 0, "count queries, evaluate nothing", 2 },
    { "data", KEY_DATA, "FILE", 0, "a file, or the name of a set: `data list`", 3 },
    { "data-format", KEY_DATA_FORMAT, "NAME", 0, "libsvm, csv or fann (default: by the content)", 3 },
    { "target", KEY_TARGET, "NAME", 0, "solve: the column of a CSV file to predict (default: the first)", 3 },
    { "data-dir", KEY_DATA_DIR, "DIR", 0, "folder of your data sets (environment: ASSAY_DATA)", 3 },
    { "name", KEY_NAME, "NAME", 0, "data add: name of the set", 3 },
    { "task", KEY_TASK, "NAME", 0, "data add: classification or regression", 3 },
    { "licence", KEY_LICENCE, "TEXT", 0, "data add: licence of the data", 3 },
    { "source", KEY_SOURCE, "URL", 0, "data add: where the file comes from", 3 },
    { "loss", KEY_LOSS, "NAME", 0, "loss of the family erm (default logistic)", 3 },
    { "l1", KEY_AXIS + 12, "X", 0, "regulariser l1 |x|_1", 3 },
    { "l2", KEY_AXIS + 11, "X", 0, "regulariser (l2/2)|x|^2", 3 },
    { "radius", KEY_AXIS + 13, "X", 0, "radius of the feasible ball, or Goldstein's delta", 3 },
    { "scaling", KEY_SCALING, "NAME", 0, "none, zscore (columns) or unit (records)", 3 },
    { "test-share", KEY_TEST_SHARE, "X", 0, "solve: share of the records held out", 3 },
    { "public", KEY_PUBLIC, "NAMES", 0, "solve: constants known without the data, as L,M", 3 },
    { "model", KEY_MODEL, "FILE", 0, "solve: writes the answer to this file", 3 },
    { "force", KEY_FORCE, NULL, 0, "solve --model, export: may replace a file; merge: also records of other "
     "builds", 3 },
    { "jobs", 'j', "N", 0, "worker processes (default: all cores)", 4 },
    { "timeout", KEY_TIMEOUT, "SECONDS", 0, "processor time of a cell (default 600); solve, rerun: real "
     "time (none)", 4 },
    { "memory", KEY_MEMORY, "MIB", 0, "memory of one cell (default 4096)", 4 },
    { "arch", KEY_ARCH, "NAME", 0, "portable, avx2 or avx512: numbers as on other processors", 4 },
    { "no-wait", KEY_NO_WAIT, NULL, 0, "refuse if another process writes to the store", 4 },
    { "engine", KEY_ENGINE, "NAME", 0, "where cells run: local, slurm, or files (shards that you run)", 4 },
    { "seconds", KEY_SECONDS, "X", 0, "work of a shard (default 60)", 4 },
    { "max-running", KEY_RUNNING, "N", 0, "slurm: at most so many shards at once", 4 },
    { "tries", KEY_TRIES, "N", 0, "slurm: of a cell that crashes or runs out of time or memory (default 2)", 4 },
    { "slurm-args", KEY_SLURM, "TEXT", 0, "slurm: more options of sbatch", 4 },
    { "detach", KEY_DETACH, NULL, 0, "slurm: does not wait; a job goes on when the shards have ended", 4 },
    { "fresh", KEY_FRESH, NULL, 0, "run stored cells again", 4 },
    { "retry", KEY_RETRY, NULL, 0, "run stored crashes and time-outs again", 4 },
    { "store", KEY_STORE, "FILE", 0, "the store (default results/store/assay.db)", 5 },
    { "cache", KEY_CACHE, "DIR", 0, "folder of certified optima (default: beside the store; '': none)", 5 },
    { "baseline", KEY_BASELINE, "FILE", 0, "the baseline (default " BASELINE_FILE ")", 5 },
    { "reason", KEY_REASON, "TEXT", 0, "accept: the reason, in one sentence", 5 },
    { "keep", KEY_KEEP, "N", 0, "gc: how many of the newest runs keep their records", 5 },
    { "output", KEY_OUTPUT, "DIR", 0, "folder of the report (default results/report); new: of the sources", 5 },
    { "format", KEY_FORMAT, "NAME", 0, "text, csv or json; export also: sqlite, coco, extrap", 5 },
    { "figures", KEY_FIGURES, "FORMAT", 0, "svg, or pdf: as PDF and for LaTeX too", 5 },
    { "history", KEY_HISTORY, NULL, 0, "report: prints the nights of the store, with steps and drifts", 5 },
    { "bench", KEY_BENCH, "FILE", 0, "nightly, report: adds the times of `make bench CSV=FILE` to the store", 5 },
    { "canonical", KEY_CANONICAL, NULL, 0, "no times, host or run", 5 },
    { "verbose", KEY_VERBOSE, NULL, 0, "solve: also all counts, parameters, constants and diagnostics", 5 },
    { "wide", KEY_WIDE, NULL, 0, "export: a row a run, with a column for each setting and number", 5 },
    { "where", KEY_WHERE, "LIST", 0, "export --wide: conditions on columns, as 'algorithm=sgd,goal.n>=1e4'", 5 },
    { "trace", KEY_TRACE, NULL, 0, "export --format sqlite: also the table of traces", 5 },
    { "run", KEY_RUN, "ID", 0, "run of the store (default: the latest)", 5 },
    { "statistics", KEY_STATISTICS, NULL, 0, "doctor: measures coverage, false alarms and power", 5 },
    { "plugin", KEY_PLUGIN, "FILE", 0, "loads algorithms, problems, claims; may be repeated", 5 },
    { "method", KEY_METHOD, "NAME=exec:PROGRAM ARGS", 0, "a method that is a program of its own; may be repeated",
      5 },
    { "allow-exec", KEY_ALLOW, NULL, 0, "sweep, test: the study file may name methods and plug-ins", 5 },
    { "sigma", KEY_MECHANISM + 0, "X", 0, "account: sd of Gaussian noise", 6 },
    { "scale", KEY_MECHANISM + 1, "X", 0, "account: b of Laplace noise", 6 },
    { "sensitivity", KEY_MECHANISM + 2, "X", 0, "account: change that one record makes (default 1)", 6 },
    { "eps0", KEY_MECHANISM + 3, "X", 0, "account: epsilon of one pure mechanism", 6 },
    { "q", KEY_MECHANISM + 4, "X", 0, "account: share of the data in a step", 6 },
    { "steps", KEY_MECHANISM + 5, "N", 0, "account: releases", 6 },
    { "epochs", KEY_MECHANISM + 6, "N", 0, "account: passes of a tree", 6 },
    { "restart", KEY_MECHANISM + 10, "0|1", 0, "account: 1: every epoch has a stream of its own", 6 },
    { "sides", KEY_MECHANISM + 11, "1|2", 0, "account: 1: all scores move in one direction", 6 },
    { "spare", KEY_MECHANISM + 7, "N", 0, "account: steps that complete a tree", 6 },
    { "batch", KEY_MECHANISM + 8, "X", 0, "account: batch of the last step of a snowball", 6 },
    { "runs", KEY_RUNS, "N", 0, "audit: runs on each of two neighbouring data sets (default 1000)", 6 },
    { "replay", KEY_REPLAY, NULL, 0, "audit: repeat runs on neighbours (--reps, default 12)", 6 },
    { "tune", KEY_TUNE, "NAME=RANGE", OPTION_ARG_OPTIONAL,
      "sweep, test: algo.step=1e-4..1:9, chosen on other seeds; reproduce: the paper's grids too", 6 },
    { "failure", KEY_MECHANISM + 9, "X", 0, "account: probability that a sensitivity fails", 6 },
    { "help", 'h', NULL, 0, "this list", 7 },
    { "version", KEY_VERSION, NULL, 0, "version, commit, compiler, libraries, vector width", 7 },
    { 0 }
};

/* --- names of options */

bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *w = words; w && *w; w = strchr(w, ' ') ? strchr(w, ' ') + 1 : NULL)
        if (strncmp(w, word, n) == 0 && (w[n] == ' ' || w[n] == 0))
            return true;
    return false;
}

bool option_adds_up(const char *name)
{
    return has_word("set control rival method plugin", name);
}

const char *options_typed(const struct options *o, const char *words)
{
    const char *const *name = o->typed;
    while (*name && !has_word(words, *name))
        name++;
    return *name;
}

/* --- values of options, and what is wrong with them */

/* The state of the parser, which argp passes as state->input. */
struct parsing {
    struct options *o;
    int environment;             /* the number of leading arguments that come from the environment */
    bool bad;
    struct why *why;
    int given;                   /* the number of names in o->typed */
    const struct study_key *starts;      /* the first key of a study file that makes the program load code */
};

/* text <- the environment variable of an option, ASSAY_PAPER for --paper. The name of an option of one letter keeps
 * its case, since n and N differ. */
static const char *twin_of(const char *option, char text[TWIN_MAX])
{
    size_t n = (size_t)snprintf(text, TWIN_MAX, "ASSAY_%s", option);
    for (char *c = text + strlen("ASSAY_"); option[1] && c < text + n; c++)
        *c = (char)(*c == '-' ? '_' : toupper((unsigned char)*c));
    return text;
}

/* Returns the key of a study file from which the present option was read; NULL: it was not read from one. */
static const struct study_key *study_key_of(const struct argp_state *state)
{
    const struct parsing *p = state->input;
    int k = state->next - 2 - p->environment;
    return k >= 0 && k < p->o->study.keys ? &p->o->study.key[k] : NULL;
}

static bool from_environment(const struct argp_state *state)
{
    return state->next <= 1 + ((struct parsing *)state->input)->environment;
}

static void refuse(struct argp_state *state, const char *name, const char *text,
                    const char *format, ...)
{
    struct parsing *p = state->input;
    const struct study_key *key = study_key_of(state);
    char expected[300], twin[TWIN_MAX];
    va_list ap;
    if (p->bad)
        return;
    p->bad = true;
    va_start(ap, format);
    vsnprintf(expected, sizeof expected, format, ap);
    va_end(ap);
    if (key)
        why_set(p->why, BAD_INPUT, "%.100s:%d: %s = %.80s: %s", p->o->study.path, key->line, name, text, expected);
    else if (from_environment(state))
        why_set(p->why, BAD_INPUT, "%s=%.80s: %s", twin_of(name, twin), text, expected);
    else
        why_set(p->why, BAD_INPUT, "--%s%s%.80s: %s", name, *text ? " " : "", text, expected);
}

static double number_of(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi)
{
    double v = 0;
    if (!number_parse(text, &v))
        refuse(state, name, text, "expected a number");
    else if (v < lo || v > hi)
        refuse(state, name, text, "expected %g to %g", lo, hi);
    return v >= lo && v <= hi ? v : lo;      /* after an error the result is in the range too: callers cast it to an
                                                integer */
}

static double whole_of(struct argp_state *state, const char *name, const char *text, double lo,
                      double hi)
{
    double v = number_of(state, name, text, lo, hi);
    if (v != rint(v))
        refuse(state, name, text, "expected an integer");
    return v;
}

static int word_of(struct argp_state *state, const char *name, const char *text,
                 const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    char list[200] = "";
    for (int k = 0; words[k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", words[k]);
    refuse(state, name, text, "expected one of %s", list);
    return 0;
}

static bool time_of(const char *text, double *seconds)
{
    static const struct { char letter; double seconds; } unit[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
    size_t n = strlen(text);
    char number[32] = "";
    double v;
    if (n < 2 || n > sizeof number)
        return false;
    memcpy(number, text, n - 1);
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        if (text[n - 1] == unit[k].letter && number_parse(number, &v) && v > 0 && v <= 1e7) {
            *seconds = v * unit[k].seconds;
            return true;
        }
    return false;
}

/* Returns the range of an axis without values: a new one, or the one that exists, emptied, since a typed range
 * replaces that of the environment. */
static struct range *range_named(struct selection *s, const char *name)
{
    struct range *r = s->range;
    while (r < s->range + s->ranges && strcmp(r->name, name))
        r++;
    BUG_IF(r == s->range + RANGES_MAX);
    if (r == s->range + s->ranges)
        s->ranges++;
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

static void drop_range(struct selection *s, const char *name)
{
    struct range *r = range_named(s, name);
    *r = s->range[--s->ranges];
}

/* Adds a value to the range of an axis. The value may be 0, for regularisers and privacy parameters. */
static void add_value(struct argp_state *state, struct range *r, const char *text, const char *item)
{
    double v = 0;
    bool radius = strcmp(r->name, "radius") == 0;        /* inf, alone, is all of R^d; an axis of a figure has no place for it */
    if (r->values == RANGE_VALUES)
        refuse(state, r->name, text, "more than %d values", RANGE_VALUES);
    else if (!number_parse(item, &v) || !(v >= 0))
        refuse(state, r->name, text,
                       "expected a number, FROM..TO or a list A,B,C; none negative");
    else if (v > DBL_MAX && !(radius && (r->ends || !r->values)))
        refuse(state, r->name, text, "expected finite numbers%s", radius ? ", or inf alone" : "");
    else if (axis_counts(r->name) && v != rint(v))
        refuse(state, r->name, text, "expected integers, not %.10g", v);
    else if (r->values && v <= r->value[r->values - 1])
        refuse(state, r->name, text, "expected increasing values");
    else
        r->value[r->values++] = v;
}

static void set_range(struct argp_state *state, struct options *o, const char *name, const char *text)
{
    char copy[1024], *rest = copy, *item;
    struct range *r = range_named(&o->select, name);
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        refuse(state, name, text, "value too long");
    char *dots = strstr(copy, ".."), *colon = dots ? strchr(dots, ':') : NULL;
    if (dots) {
        *dots = 0;
        r->ends = true;
        if (colon) {
            *colon = 0;
            r->points = (int)whole_of(state, name, colon + 1, 2, RANGE_VALUES);
        }
        add_value(state, r, text, copy);
        add_value(state, r, text, dots + 2);
        if (r->value[0] <= 0 || r->value[r->values - 1] > DBL_MAX)
            refuse(state, name, text, "expected FROM above 0 and a finite TO");
        return;
    }
    while ((item = strsep(&rest, ",")))
        add_value(state, r, text, item);
}

/* Sets --budget to a number of sample gradients or to a time. Either replaces the other. */
static void set_budget(struct argp_state *state, struct options *o, const char *text)
{
    o->seconds = 0;
    bool time = time_of(text, &o->seconds);
    o->time = time ? text : NULL;
    if (time)
        drop_range(&o->select, "budget");
    else
        set_range(state, o, "budget", text);
}

/* --- the parser: what each option sets */

static const struct argp_option *option_of(int key)
{
    const struct argp_option *o = options_table;
    while (o->name && o->key != key)
        o++;
    return o;
}

static void add_setting(struct argp_state *state, struct options *o, const char *text)
{
    char name[64];
    double v;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals - text >= (long)sizeof name)
        refuse(state, "set", text, "expected NAME=VALUE");
    else {
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        /* The name of a file or of a data set is a word, even if it looks like a number. */
        if (strcmp(name, "problem.data") && number_parse(equals + 1, &v))
            bag_put(&o->select.overrides, name, v);
        else
            bag_put_text(&o->select.overrides, name, equals + 1);
    }
}

static bool set_selection(int key, char *arg, struct argp_state *state, struct options *o)
{
    static const char *const profiles[] = { "quick", "nightly", "full", NULL };
    struct selection *s = &o->select;
    switch (key) {
    case KEY_PAPER:     s->paper = arg; return true;
    case KEY_CLAIM:     s->claim = arg; return true;
    case KEY_THEOREM:   s->theorem = arg; return true;
    case KEY_ALGORITHM: s->algorithm = arg; return true;
    case KEY_PROBLEM:   s->problem = arg; return true;
    case KEY_CHECK:     s->check = arg; return true;
    case KEY_PROFILE:
        s->profile = (enum profile)word_of(state, "profile", arg, profiles);
        o->profiled = true;
        return true;
    case KEY_PLANTED:   s->planted = true; return true;
    case KEY_SET:       add_setting(state, o, arg); return true;
    case KEY_REPS:      s->reps = (long)whole_of(state, "reps", arg, 1, 1e6); return true;
    case KEY_SEED:      s->seed = whole_of(state, "seed", arg, 0, 0x1p53); return true;
    }
    return false;
}

static void add_text(struct argp_state *state, const char *name, char *arg, const char **list, int room)
{
    int n = 0;
    while (n < room && list[n])
        n++;
    if (n == room)
        refuse(state, name, arg, "expected at most %d of them", room);
    else
        list[n] = arg;
}

/* Sets an option of `sweep` and `test`. Returns false where the key is none of these. */
static bool set_experiment(int key, char *arg, struct argp_state *state, struct options *o)
{
    struct experiment *e = &o->experiment;
    switch (key) {
    case KEY_MEASURE: e->measure = arg; return true;
    case KEY_X:       e->cost = arg; return true;
    case KEY_PROMISE: e->promise = arg; return true;
    case KEY_AGAINST: e->against = arg; return true;
    case KEY_ABOUT:   e->mechanism = arg; return true;
    case KEY_CONTROL: add_text(state, "control", arg, e->control, CONTROLS_MAX); return true;
    case KEY_RIVAL:   add_text(state, "rival", arg, e->rival, RIVALS_MAX); return true;
    case KEY_TUNE:
        /* The value of --tune is optional. It may be the next word of the command line, if that has a '='. */
        if (!arg && state->next < state->argc && *state->argv[state->next] != '-' &&
            strchr(state->argv[state->next], '='))
            arg = state->argv[state->next++];
        o->tune = true;
        e->tune = arg && strchr(arg, '=') ? arg : NULL;
        return true;
    }
    return false;
}

/* Notes that an option was typed. A second value for it is an error, unless its values add up. Returns whether
 * there was an error, after which the option is not set. */
static bool refuse_twice(int key, const char *arg, struct argp_state *state)
{
    struct parsing *p = state->input;
    const char **typed = p->o->typed, *name = option_of(key)->name;
    if (!name || from_environment(state) || study_key_of(state))
        return false;
    for (int k = 0; k < p->given; k++) {
        if (strcmp(typed[k], name))
            continue;
        /* The value of --tune may be the next word, which argp does not see as its value. */
        if ((arg || key == KEY_TUNE) && !option_adds_up(name))
            refuse(state, name, arg ? arg : "", "given twice");
        return p->bad;
    }
    BUG_IF(p->given == TYPED_MAX - 1);
    typed[p->given++] = name;
    return false;
}

/* Notes the error for an option that is unknown, lacks its value, or has a value though it takes none. */
static void refuse_option(struct argp_state *state)
{
    struct parsing *p = state->input;
    char *const *at = state->argv + state->next;
    const char *typed = *at[-1] != '-' && *at ? at[0] : at[-1], *name = typed + strspn(typed, "-");
    size_t n = strcspn(name, "=");
    struct nearest near = nearest_to(name, n);
    if (p->bad)
        return;
    p->bad = true;
    for (const struct argp_option *o = options_table; o->name; o++) {
        nearest_try(&near, o->name);
        if (n == 1 && *name == o->key)
            near.edits = 0;
    }
    if (near.edits)
        why_set(p->why, BAD_INPUT, "unknown option '%.80s'%s", typed, nearest_hint(&near, "--"));
    else
        why_set(p->why, BAD_INPUT, "%.80s: %s", typed,
                name[n] ? "takes no value" : "expected a value");
}

/* Sets the format. The words after json are formats of other programs. */
static void set_format(struct options *o, int word)
{
    o->foreign = word > RECORD_JSON ? (enum foreign)(word - RECORD_JSON) : FOREIGN_NONE;
    o->format = o->foreign ? RECORD_TEXT : (enum record_format)word;
    o->aligned = word == RECORD_TEXT;
}

/* Notes the first key of a study file that makes the program load code, which needs --allow-exec on the command
 * line. */
static void note_start(const struct argp_state *state)
{
    struct parsing *p = state->input;
    if (!p->starts)
        p->starts = study_key_of(state);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const formats[] = { "text", "csv", "json", "coco", "extrap", "sqlite", NULL };
    static const char *const modes[] = { "practical", "theory", NULL };
    static const char *const data_formats[] = { "any", "libsvm", "csv", "fann", NULL };
    static const char *const scalings[] = { "none", "zscore", "unit", NULL };
    static const char *const levels[] = { "portable", "avx2", "avx512", NULL };
    static const char *const engines[] = { "local", "slurm", "files", NULL };
    static const char *const tasks[] = { "classification", "regression", NULL };
    struct options *o = ((struct parsing *)state->input)->o;
    const char *name = option_of(key)->name;
    if (refuse_twice(key, arg, state) || set_selection(key, arg, state, o) ||
        set_experiment(key, arg, state, o))
        return 0;
    switch (key) {
    case KEY_CONSTANTS: o->theory = word_of(state, name, arg, modes); break;
    case KEY_COUNT:     o->count = true; break;
    case KEY_DATA:      o->data = arg; break;
    case KEY_LOSS:      o->loss = arg; break;
    case KEY_SCALING:   o->scaling = scalings[word_of(state, name, arg, scalings)]; break;
    case KEY_TEST_SHARE: o->test_share = number_of(state, name, arg, 0, 1); break;
    case KEY_PUBLIC:    o->public = arg; break;
    case KEY_MODEL:     o->model = arg; break;
    case KEY_FORCE:     o->force = true; break;
    case KEY_DATA_FORMAT:
        o->data_format = data_formats[word_of(state, name, arg, data_formats)];
        break;
    case KEY_DATA_DIR:  BUG_IF(setenv("ASSAY_DATA", arg, 1)); break;
    case KEY_NAME:      o->name = arg; break;
    case KEY_TASK:      o->task = tasks[word_of(state, name, arg, tasks)]; break;
    case KEY_LICENCE:   o->licence = arg; break;
    case KEY_SOURCE:    o->source = arg; break;
    case 'j':           o->jobs = (int)whole_of(state, "jobs", arg, 0, 256); break;
    case KEY_TIMEOUT:
        o->timeout = number_of(state, name, arg, 0.001, 1e7);
        o->timed = true;
        break;
    case KEY_MEMORY:    o->memory = number_of(state, name, arg, 1, 1e9); break;
    case KEY_ARCH:      o->arch = word_of(state, name, arg, levels); break;
    case KEY_NO_WAIT:   store_never_waits(); break;
    case KEY_ENGINE:    o->engine = (enum engine)word_of(state, name, arg, engines); break;
    case KEY_SECONDS:   o->shard = number_of(state, name, arg, 0.001, 1e6); break;
    case KEY_RUNNING:   o->running = (long)whole_of(state, name, arg, 1, 1e6); break;
    case KEY_TRIES:     o->tries = (int)whole_of(state, name, arg, 1, 20); break;
    case KEY_SLURM:     o->slurm_args = arg; break;
    case KEY_DETACH:    o->detach = true; break;
    case KEY_FRESH:     o->fresh = true; break;
    case KEY_RETRY:     o->retry = true; break;
    case KEY_STORE:
        o->store = arg;
        o->stored = true;
        break;
    case KEY_KEEP:      o->keep = (long)whole_of(state, name, arg, 1, 1e9); break;
    case KEY_CACHE:     o->cache = arg; break;
    case KEY_BASELINE:  o->baseline = arg; break;
    case KEY_REASON:    o->reason = arg; break;
    case KEY_OUTPUT:    o->output = arg; break;
    case KEY_FORMAT:
        set_format(o, word_of(state, name, arg, formats));
        break;
    case KEY_RUNS:      o->runs = (long)whole_of(state, name, arg, 4, 1e7); break;
    case KEY_REPLAY:    o->replay = true; break;
    case KEY_HISTORY:   o->history = true; break;
    case KEY_FIGURES:   o->pdf = word_of(state, name, arg, (const char *const[]){ "svg", "pdf", NULL }) == 1; break;
    case KEY_BENCH:     o->bench = arg; break;
    case KEY_CANONICAL: o->canonical = true; break;
    case KEY_STATISTICS: o->statistics = true; break;
    case KEY_RUN:       o->run = (long)whole_of(state, name, arg, 1, 1e15); break;
    case KEY_TARGET:    o->target = arg; break;
    case KEY_VERBOSE:   o->verbose = true; break;
    case KEY_WIDE:      o->wide = true; break;
    case KEY_WHERE:     o->where = arg; break;
    case KEY_TRACE:     o->trace = true; break;
    case KEY_BUDGET:    set_budget(state, o, arg); break;
    case KEY_PLUGIN:
        if (o->plugins == PLUGINS_MAX)
            refuse(state, name, arg, "more than %d", PLUGINS_MAX);
        else
            o->plugin[o->plugins++] = arg;
        note_start(state);
        break;
    case KEY_METHOD:
        if (o->methods == PLUGINS_MAX)
            refuse(state, name, arg, "more than %d", PLUGINS_MAX);
        else
            o->method[o->methods++] = arg;
        note_start(state);
        break;
    case KEY_ALLOW:     o->allow_exec = !study_key_of(state); break;
    case 'h':           o->help = true; break;
    case KEY_VERSION:   o->version = true; break;
    case ARGP_KEY_ERROR: refuse_option(state); break;
    case ARGP_KEY_ARG:
        if (!o->verb)
            o->verb = arg;
        else
            o->argument[o->arguments++] = arg;
        break;
    default:
        /* All axes are parsed alike. Each has a separate key, by which argp distinguishes them. */
        if (key >= KEY_AXIS && name) {
            set_range(state, o, name, arg);
            break;
        }
        if (key >= KEY_MECHANISM && name) {
            bag_put(&o->mechanism, name, number_of(state, name, arg, 0, DBL_MAX));
            break;
        }
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* --- the line that is parsed: options of the environment, then those of a study file, then those that were
 * typed */

/* text <- the name of the environment variable of an option; NULL: it has none. --data has none, because ASSAY_DATA
 * means the folder of --data-dir and is read where that is used. */
const char *options_twin(const struct argp_option *o, char text[TWIN_MAX])
{
    bool none = o->key == KEY_DATA || o->key == KEY_DATA_DIR || o->key == 'h' || o->key == KEY_VERSION;
    return none ? NULL : twin_of(o->name, text);
}

/* Returns the value of an option in the environment; NULL: there is none. The variable of an option without a value
 * switches the option on or off. */
static const char *environment_value(const struct argp_option *o)
{
    static const char *const off[] = { "0", "no", "off", "false" };
    char name[TWIN_MAX];
    const char *twin = options_twin(o, name), *value = twin ? getenv(twin) : NULL;
    for (size_t k = 0; value && !o->arg && k < sizeof off / sizeof *off; k++)
        if (strcasecmp(value, off[k]) == 0)
            return NULL;
    return value && *value ? value : NULL;
}

static char **whole_line(int argc, char **argv, const struct study_file *study, int *count, int *added)
{
    char **line = calloc((size_t)(argc + study->keys) + sizeof options_table / sizeof *options_table, sizeof *line);
    int n = 0;
    BUG_IF(!line);
    line[n++] = argv[0];
    for (const struct argp_option *o = options_table; o->name; o++) {
        const char *value = environment_value(o);
        if (value) {
            int length = o->arg ? asprintf(&line[n++], "--%s=%s", o->name, value)
                                : asprintf(&line[n++], "--%s", o->name);
            BUG_IF(length < 0);
        }
    }
    *added = n - 1;
    for (int k = 0; k < study->keys; k++)
        line[n++] = study->key[k].option;
    for (int k = 1; k < argc; k++)
        line[n++] = argv[k];
    *count = n;
    return line;
}

/* Prints a word so that a shell reads it back. */
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./^-";
    bool quoted = !*word || word[strspn(word, plain)];
    fputs(quoted ? "'" : "", out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputs(quoted ? "'" : "", out);
}

static char *line_typed(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    BUG_IF(!f);
    fputs("assay", f);
    for (int k = 1; k < argc; k++) {
        fputc(' ', f);
        put_word(f, argv[k]);
    }
    memstream_close(f, &text);
    return text;
}

/* --- the whole command line */

/* Returns the path of the folder `optima` beside the store; free() it. */
static char *beside(const char *store)
{
    const char *slash = strrchr(store, '/');
    char *folder = NULL;
    int length = slash ? asprintf(&folder, "%.*s/optima", (int)(slash - store), store)
                       : asprintf(&folder, "optima");
    BUG_IF(length < 0);
    return folder;
}

/* Parses the environment, the study file that is in *o, and argv. */
static enum status parse_line(int argc, char **argv, struct options *o, struct why *why)
{
    static const struct argp argp = { .options = options_table, .parser = parse };
    struct parsing p = { .o = o, .why = why };
    int count;
    o->select.seed = o->test_share = NAN;
    o->jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    o->timeout = 600;
    o->memory = 4096;
    o->shard = 60;
    o->tries = 2;
    o->store = "results/store/assay.db";
    o->baseline = BASELINE_FILE;
    o->command = line_typed(argc, argv);
    o->line = whole_line(argc, argv, &o->study, &count, &o->from_environment);
    o->argument = calloc((size_t)argc + 1, sizeof *o->argument);
    BUG_IF(!o->argument);
    o->arch = -1;
    p.environment = o->from_environment;
    argp_parse(&argp, count, o->line, ARGP_IN_ORDER | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &p);
    if (!p.bad && p.starts && !o->allow_exec)
        return why_set(why, BAD_INPUT,
                       "%.150s:%d: %s: a file starts no program, expected --allow-exec on the command line",
                       o->study.path, p.starts->line, p.starts->name);
    return p.bad ? BAD_INPUT : OK;
}

/* Returns the study file that the command line names; *verb <- the verb whose options it has. NULL: there is
 * none. */
static const char *study_named(const struct options *o, const char **verb)
{
    bool new = o->verb && strcmp(o->verb, "new") == 0;
    bool runs = o->verb && (strcmp(o->verb, "test") == 0 || strcmp(o->verb, "sweep") == 0);
    *verb = new ? "test" : o->verb;
    return runs && o->arguments ? o->argument[0] : new && o->arguments > 2 ? o->argument[2] : NULL;
}

static const char *default_output(const struct options *o)
{
    static const char *const own[][2] = { { "new", "." }, { "sweep", "results/sweep" },
                                          { "test", "results/test" }, { "import", "results/import" } };
    for (size_t k = 0; o->verb && k < sizeof own / sizeof *own; k++)
        if (strcmp(o->verb, own[k][0]) == 0)
            return own[k][1];
    bool coco = o->foreign == FOREIGN_COCO && o->verb && strcmp(o->verb, "export") == 0;
    return coco ? "results/coco" : "results/report";
}

enum status options_parse(int argc, char **argv, struct options *o, struct why *why)
{
    memset(o, 0, sizeof *o);
    enum status s = parse_line(argc, argv, o, why);
    const char *verb, *path = s == OK ? study_named(o, &verb) : NULL;
    if (path) {
        struct study_file study;
        s = study_file_read(path, verb, &study, why);
        options_free(o);
        memset(o, 0, sizeof *o);
        o->study = study;
        enum status again = parse_line(argc, argv, o, s == OK ? why : NULL);
        s = s == OK ? again : s;
    }
    o->unplaced = !o->output;
    if (!o->output)
        o->output = default_output(o);
    if (s == OK)
        s = store_path(o->store, why);   /* checked before the cache is made beside the store */
    o->optima = beside(o->store);
    if (!o->cache)
        o->cache = o->optima;
    if (o->theory)
        bag_put_text(&o->select.overrides, "goal.constants", "theory");
    if (o->count)
        bag_put(&o->select.overrides, "run.count", 1);
    return s == OK ? OK : BAD_INPUT;
}

void options_free(struct options *o)
{
    bag_free(&o->select.overrides);
    bag_free(&o->mechanism);
    free(o->command);
    free(o->argument);
    free(o->optima);
    for (int k = 1; k <= o->from_environment; k++)
        free(o->line[k]);
    free(o->line);
    study_file_free(&o->study);
}

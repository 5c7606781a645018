/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - argp over one option table; every option has an environment twin ASSAY_NAME. */
#include "cli.h"

#include <argp.h>
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "params.h"

enum { KEY_FIRST = 0x100, KEY_PAPER = KEY_FIRST, KEY_CLAIM, KEY_ALGORITHM, KEY_PROBLEM, KEY_CHECK,
       KEY_PROFILE, KEY_SET, KEY_REPS, KEY_SEED, KEY_CONSTANTS, KEY_COUNT, KEY_PLANTED, KEY_DATA,
       KEY_LOSS, KEY_STORE, KEY_CACHE, KEY_OUTPUT, KEY_FORMAT, KEY_CANONICAL, KEY_FRESH, KEY_RETRY,
       KEY_RUN, KEY_TIMEOUT, KEY_MEMORY, KEY_STATISTICS, KEY_PLUGIN, KEY_DATA_FORMAT, KEY_DATA_DIR,
       KEY_NAME, KEY_TASK, KEY_LICENCE, KEY_SOURCE, KEY_MECHANISM, KEY_AXIS = KEY_MECHANISM + 0x40 };

static const struct argp_option option_table[] = {
    { "paper", KEY_PAPER, "KEY", 0, "claims of this paper", 1 },
    { "claim", KEY_CLAIM, "GLOB", 0, "claims whose id matches", 1 },
    { "algorithm", KEY_ALGORITHM, "NAME", 0, "claims about, or the method to run", 1 },
    { "problem", KEY_PROBLEM, "NAME", 0, "claims on, or the problem to solve", 1 },
    { "check", KEY_CHECK, "NAME", 0, "count, bound, rate, order, moment, law", 1 },
    { "profile", KEY_PROFILE, "NAME", 0, "quick, nightly or full", 1 },
    { "planted", KEY_PLANTED, NULL, 0, "include what is wrong on purpose", 1 },
    { "set", KEY_SET, "NAME=VALUE", 0, "problem.X, algo.X, goal.X or run.X", 2 },
    { "n", KEY_AXIS + 0, "RANGE", 0, "samples: 1e6, 2^10..2^17 or 100,1000", 2 },
    { "d", KEY_AXIS + 1, "RANGE", 0, "dimension", 2 },
    { "T", KEY_AXIS + 2, "RANGE", 0, "batch steps", 2 },
    { "B", KEY_AXIS + 3, "RANGE", 0, "batch size", 2 },
    { "N", KEY_AXIS + 4, "RANGE", 0, "pieces of a maximum", 2 },
    { "eps", KEY_AXIS + 5, "RANGE", 0, "privacy: epsilon", 2 },
    { "delta", KEY_AXIS + 6, "RANGE", 0, "privacy: delta", 2 },
    { "rho", KEY_AXIS + 7, "RANGE", 0, "privacy: rho", 2 },
    { "acc", KEY_AXIS + 8, "RANGE", 0, "target accuracy", 2 },
    { "kappa", KEY_AXIS + 9, "RANGE", 0, "G R / accuracy", 2 },
    { "budget", KEY_AXIS + 10, "RANGE", 0, "sample gradients a run may spend", 2 },
    { "reps", KEY_REPS, "N", 0, "replicates at each point", 2 },
    { "seed", KEY_SEED, "N", 0, "master seed, for fresh evidence (default 1)", 2 },
    { "constants", KEY_CONSTANTS, "MODE", 0, "practical or theory", 2 },
    { "count", KEY_COUNT, NULL, 0, "count queries, evaluate nothing", 2 },
    { "data", KEY_DATA, "FILE", 0, "a file, or the name of a set: `data list`", 3 },
    { "data-format", KEY_DATA_FORMAT, "NAME", 0, "libsvm, csv or fann (default: told by content)", 3 },
    { "data-dir", KEY_DATA_DIR, "DIR", 0, "your sets (environment: ASSAY_DATA)", 3 },
    { "name", KEY_NAME, "NAME", 0, "data add: of the set", 3 },
    { "task", KEY_TASK, "NAME", 0, "data add: classification or regression", 3 },
    { "licence", KEY_LICENCE, "TEXT", 0, "data add: of the data", 3 },
    { "source", KEY_SOURCE, "URL", 0, "data add: where the file comes from", 3 },
    { "loss", KEY_LOSS, "NAME", 0, "of the family erm, default logistic", 3 },
    { "l2", KEY_AXIS + 11, "X", 0, "regulariser (l2/2)|x|^2", 3 },
    { "jobs", 'j', "N", 0, "worker processes (default: all cores)", 4 },
    { "timeout", KEY_TIMEOUT, "SECONDS", 0, "of one cell (default 600)", 4 },
    { "memory", KEY_MEMORY, "MIB", 0, "of one cell (default 4096)", 4 },
    { "fresh", KEY_FRESH, NULL, 0, "run stored cells again", 4 },
    { "retry", KEY_RETRY, NULL, 0, "run stored crashes and time-outs again", 4 },
    { "store", KEY_STORE, "FILE", 0, "default results/store/assay.db", 5 },
    { "cache", KEY_CACHE, "DIR", 0, "of certified optima, default beside the store; '': none", 5 },
    { "output", KEY_OUTPUT, "DIR", 0, "of the report, default results/report; of `new`: here", 5 },
    { "format", KEY_FORMAT, "NAME", 0, "text, csv or json", 5 },
    { "canonical", KEY_CANONICAL, NULL, 0, "no times, host or run", 5 },
    { "run", KEY_RUN, "ID", 0, "of the store, default the latest", 5 },
    { "statistics", KEY_STATISTICS, NULL, 0, "doctor: coverage, false alarms and power", 5 },
    { "plugin", KEY_PLUGIN, "FILE", 0, "more algorithms, problems, claims; may be repeated", 5 },
    { "sigma", KEY_MECHANISM + 0, "X", 0, "account: sd of Gaussian noise", 6 },
    { "scale", KEY_MECHANISM + 1, "X", 0, "account: b of Laplace noise", 6 },
    { "sensitivity", KEY_MECHANISM + 2, "X", 0, "account: what one record changes (default 1)", 6 },
    { "eps0", KEY_MECHANISM + 3, "X", 0, "account: epsilon of one pure mechanism", 6 },
    { "q", KEY_MECHANISM + 4, "X", 0, "account: part of the data in a step", 6 },
    { "steps", KEY_MECHANISM + 5, "N", 0, "account: releases", 6 },
    { "epochs", KEY_MECHANISM + 6, "N", 0, "account: passes of a tree", 6 },
    { "spare", KEY_MECHANISM + 7, "N", 0, "account: steps that complete a tree", 6 },
    { "batch", KEY_MECHANISM + 8, "X", 0, "account: of the last step of a snowball", 6 },
    { "failure", KEY_MECHANISM + 9, "X", 0, "account: probability that a sensitivity fails", 6 },
    { 0 }
};

static const char *option_name(int key)
{
    for (const struct argp_option *o = option_table; o->name; o++)
        if (o->key == key)
            return o->name;
    return "";
}

static double number(struct argp_state *state, const char *name, const char *text, double lo, double hi)
{
    double v;
    if (!number_parse(text, &v))
        argp_failure(state, EXIT_USAGE, 0, "--%s %s: expected a number", name, text);
    else if (v < lo || v > hi)
        argp_failure(state, EXIT_USAGE, 0, "--%s %s: expected %g to %g", name, text, lo, hi);
    return v;
}

static int word(struct argp_state *state, const char *name, const char *text, const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    char list[200] = "";
    for (int k = 0; words[k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", words[k]);
    argp_failure(state, EXIT_USAGE, 0, "--%s %s: expected one of %s", name, text, list);
    return 0;
}

/* a..b or a,b,c; every axis is positive, but for regulariser and privacy parameters. */
static void add_range(struct argp_state *state, struct options *o, const char *name, const char *text)
{
    char copy[256], *rest = copy, *item, *dots;
    struct range *r = o->select.range;
    while (r < o->select.range + o->select.ranges && strcmp(r->name, name))
        r++;
    BUG_IF(r == o->select.range + RANGES_MAX);
    if (r == o->select.range + o->select.ranges)
        o->select.ranges++;
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        argp_failure(state, EXIT_USAGE, 0, "--%s: value too long", name);
    if ((dots = strstr(copy, ".."))) {
        *dots = 0;
        r->ends = true;
        r->value[r->values++] = number(state, name, copy, 0, DBL_MAX);
        r->value[r->values++] = number(state, name, dots + 2, 0, DBL_MAX);
        return;
    }
    while ((item = strsep(&rest, ","))) {
        if (r->values == RANGE_VALUES)
            argp_failure(state, EXIT_USAGE, 0, "--%s: more than %d values", name, RANGE_VALUES);
        r->value[r->values++] = number(state, name, item, 0, DBL_MAX);
    }
}

static void add_setting(struct argp_state *state, struct options *o, const char *text)
{
    char name[64];
    double v;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals - text >= (long)sizeof name)
        argp_failure(state, EXIT_USAGE, 0, "--set %s: expected NAME=VALUE", text);
    else {
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (number_parse(equals + 1, &v))
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
    case KEY_ALGORITHM: s->algorithm = arg; return true;
    case KEY_PROBLEM:   s->problem = arg; return true;
    case KEY_CHECK:     s->check = arg; return true;
    case KEY_PROFILE:   s->profile = (enum profile)word(state, "profile", arg, profiles); return true;
    case KEY_PLANTED:   s->planted = true; return true;
    case KEY_SET:       add_setting(state, o, arg); return true;
    case KEY_REPS:      s->reps = (long)number(state, "reps", arg, 1, 1e6); return true;
    case KEY_SEED:
        s->seed = number(state, "seed", arg, 0, 0x1p53);
        if (s->seed != rint(s->seed))
            argp_failure(state, EXIT_USAGE, 0, "--seed %s: expected an integer", arg);
        return true;
    }
    return false;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const formats[] = { "text", "csv", "json", NULL };
    static const char *const modes[] = { "practical", "theory", NULL };
    static const char *const data_formats[] = { "any", "libsvm", "csv", "fann", NULL };
    static const char *const tasks[] = { "classification", "regression", NULL };
    struct options *o = state->input;
    const char *name = option_name(key);
    if (set_selection(key, arg, state, o))
        return 0;
    switch (key) {
    case KEY_CONSTANTS: o->theory = word(state, name, arg, modes); break;
    case KEY_COUNT:     o->count = true; break;
    case KEY_DATA:      o->data = arg; break;
    case KEY_LOSS:      o->loss = arg; break;
    case KEY_DATA_FORMAT: o->data_format = data_formats[word(state, name, arg, data_formats)]; break;
    case KEY_DATA_DIR:  BUG_IF(setenv("ASSAY_DATA", arg, 1)); break;
    case KEY_NAME:      o->name = arg; break;
    case KEY_TASK:      o->task = tasks[word(state, name, arg, tasks)]; break;
    case KEY_LICENCE:   o->licence = arg; break;
    case KEY_SOURCE:    o->source = arg; break;
    case 'j':           o->jobs = (int)number(state, "jobs", arg, 0, 256); break;
    case KEY_TIMEOUT:   o->timeout = number(state, name, arg, 0.001, 1e7); break;
    case KEY_MEMORY:    o->memory = number(state, name, arg, 1, 1e9); break;
    case KEY_FRESH:     o->fresh = true; break;
    case KEY_RETRY:     o->retry = true; break;
    case KEY_STORE:     o->store = arg; break;
    case KEY_CACHE:     o->cache = arg; break;
    case KEY_OUTPUT:    o->output = arg; break;
    case KEY_FORMAT:
        o->format = (enum record_format)word(state, name, arg, formats);
        o->aligned = o->format == RECORD_TEXT;
        break;
    case KEY_CANONICAL: o->canonical = true; break;
    case KEY_STATISTICS: o->statistics = true; break;
    case KEY_RUN:       o->run = (long)number(state, name, arg, 1, 1e15); break;
    case KEY_PLUGIN:
        if (o->plugins == PLUGINS_MAX)
            argp_failure(state, EXIT_USAGE, 0, "--plugin %s: more than %d", arg, PLUGINS_MAX);
        o->plugin[o->plugins++] = arg;
        break;
    case ARGP_KEY_ARG:
        if (!o->verb)
            o->verb = arg;
        else if (o->arguments < ARGUMENTS_MAX)
            o->argument[o->arguments++] = arg;
        else
            argp_failure(state, EXIT_USAGE, 0, "too many arguments from '%s' on", arg);
        break;
    default:
        /* the axes share one meaning; their keys differ so that argp tells them apart */
        if (key >= KEY_AXIS && *name) {
            add_range(state, o, name, arg);
            break;
        }
        if (key >= KEY_MECHANISM && *name) {
            bag_put(&o->mechanism, name, number(state, name, arg, 0, DBL_MAX));
            break;
        }
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ASSAY_PAPER for --paper; one letter keeps its case (n and N differ). ASSAY_DATA is the folder of
 * --data-dir, read where it is used; --data has no twin. */
static const char *twin(const struct argp_option *o)
{
    char name[64] = "ASSAY_";
    size_t n = strlen(name);
    if (!o->name || o->key == KEY_DATA || o->key == KEY_DATA_DIR)
        return NULL;
    for (const char *c = o->name; *c && n + 1 < sizeof name; c++)
        name[n++] = (char)(*c == '-' ? '_' : o->name[1] ? toupper((unsigned char)*c) : *c);
    name[n] = 0;
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* argv with the environment's options put first, so that what is typed wins. */
static char **with_environment(int argc, char **argv, int *count, int *added)
{
    size_t room = (size_t)argc + sizeof option_table / sizeof *option_table + 1;
    char **all = calloc(room, sizeof *all);
    BUG_IF(!all);
    *count = 0;
    all[(*count)++] = argv[0];
    for (const struct argp_option *o = option_table; o->name; o++) {
        const char *value = twin(o);
        char *text = NULL;
        if (!value)
            continue;
        int length = o->arg ? asprintf(&text, "--%s=%s", o->name, value)
                            : asprintf(&text, "--%s", o->name);
        BUG_IF(length < 0);
        all[(*count)++] = text;
    }
    *added = *count - 1;
    for (int k = 1; k < argc; k++)
        all[(*count)++] = argv[k];
    return all;
}

/* The folder `optima` beside the store; free it. */
static char *beside(const char *store)
{
    const char *slash = strrchr(store, '/');
    char *folder = NULL;
    int length = slash ? asprintf(&folder, "%.*s/optima", (int)(slash - store), store)
                       : asprintf(&folder, "optima");
    BUG_IF(length < 0);
    return folder;
}

static char *joined(int argc, char **argv)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    BUG_IF(!f);
    for (int k = 0; k < argc; k++)
        fprintf(f, "%s%s", k ? " " : "", k ? argv[k] : "assay");
    fclose(f);
    return line;
}

static char *verbs_text(int key, const char *text, void *input)
{
    char *out = NULL;
    size_t size;
    if (key != ARGP_KEY_HELP_PRE_DOC)
        return (char *)text;
    FILE *f = open_memstream(&out, &size);
    BUG_IF(!f);
    fprintf(f, "Checks by experiment what theorems promise about optimisation algorithms.\n\nVerbs:\n");
    for (const struct verb *v = verbs; v->name; v++)
        fprintf(f, "  %-8s %-22s %s\n", v->name, v->arguments, v->doc);
    fclose(f);
    return out;
}

static const struct argp argp = { .options = option_table, .parser = parse,
                                  .args_doc = "VERB [ARGUMENT...]", .doc = "",
                                  .help_filter = verbs_text };

void options_parse(int argc, char **argv, struct options *o)
{
    int count;
    memset(o, 0, sizeof *o);
    o->select.seed = NAN;
    o->jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    o->timeout = 600;
    o->memory = 4096;
    o->store = "results/store/assay.db";
    o->command = joined(argc, argv);
    argp_err_exit_status = EXIT_USAGE;
    o->line = with_environment(argc, argv, &count, &o->from_environment);
    argp_parse(&argp, count, o->line, ARGP_IN_ORDER, NULL, o);
    if (!o->output)
        o->output = o->verb && strcmp(o->verb, "new") == 0 ? "." : "results/report";
    o->optima = beside(o->store);
    if (!o->cache)
        o->cache = o->optima;
    if (o->theory)
        bag_put_text(&o->select.overrides, "goal.constants", "theory");
    if (o->count)
        bag_put(&o->select.overrides, "run.count", 1);
}

void options_free(struct options *o)
{
    bag_free(&o->select.overrides);
    bag_free(&o->mechanism);
    free(o->command);
    free(o->optima);
    for (int k = 1; k <= o->from_environment; k++)
        free(o->line[k]);
    free(o->line);
}

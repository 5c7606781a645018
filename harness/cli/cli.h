/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - declares the table of verbs, the struct of all options, the exit codes, and the functions of the
 * verbs. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include <argp.h>
#include <stdbool.h>
#include "judge/judge.h"
#include "plan/plan.h"
#include "cell/plugins.h"
#include "cli/study_file.h"
#include "record/record.h"
#include "shards/engine.h"
#include "store/store.h"
#include "studies/study.h"

/* Exit codes, as docs/exit-codes.md lists them. Where several apply, the code is the first of 130, 143, 5, 2, 4, 1,
 * 3, 0. */
enum {
    EXIT_OK = 0, EXIT_CONTRADICTED = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3, EXIT_FAILED_CELL = 4,
    EXIT_DAMAGED = 5                     /* 130 and 143 are in interrupt.h */
};

enum { TYPED_MAX = 128 };

/* Formats that other programs read. */
enum foreign { FOREIGN_NONE, FOREIGN_COCO, FOREIGN_EXTRAP, FOREIGN_SQLITE };

enum { CONTROLS_MAX = 2 };
/* The options of `sweep`, `test`, `import` and `new claim` in addition to the selection: texts as typed, NULL where
 * nothing was typed. */
struct experiment {
    const char *measure, *cost, *promise, *against, *mechanism, *tune;
    const char *control[CONTROLS_MAX], *rival[RIVALS_MAX];
};

struct options {
    const char *verb, **argument;        /* argument[arguments] */
    int arguments;
    struct selection select;
    struct experiment experiment;
    struct study_file study;             /* the study file, whose keys are options too */
    struct bag mechanism;                /* account: the parameters of the mechanism */
    const char *data, *data_format, *loss, *scaling, *public, *model;
    double test_share;                   /* NaN: not given */
    bool force;
    const char *name, *task, *licence, *source;          /* data add: the description of the set */
    const char *store, *output, *baseline, *reason, *bench;
    const char *cache;                   /* folder of reference optima; empty: none */
    char *optima;                        /* the default of cache; to be freed */
    const char *plugin[PLUGINS_MAX];
    int plugins;
    const char *method[PLUGINS_MAX];     /* methods that are programs: NAME=exec:PROGRAM ARGS */
    int methods;
    bool allow_exec;                     /* a study file may name plug-ins and methods */
    char *command;                       /* the command line as typed, for provenance */
    char **line;                         /* argv, with the options of the environment, then those of the study file,
                                            in front of those that were typed */
    int from_environment;                /* how many options of the environment there are; they begin at line[1] */
    const char *typed[TYPED_MAX];        /* the names of the typed options, each once, then NULL */
    enum record_format format;
    enum foreign foreign;
    bool help, version, canonical, fresh, retry, count, theory, statistics;
    bool aligned;                        /* --format text was typed, not merely the default */
    int listing_failed;                  /* the exit code of a `list` that could not be made; 0: it was made */
    bool uncovered;                      /* list coverage found an item without a claim, test or reason */
    bool replay, tune, history, pdf;
    const char *target;                  /* solve: a column of --data; NULL: the first */
    bool verbose;
    bool wide, trace;                    /* export: wide: a row for each run; trace: also the traces */
    const char *where;                   /* export: conditions on rows */
    long runs;                           /* audit: number of runs on each data set; 0: the default */
    int jobs;
    long run;                            /* --run: the number of a run of the store; 0: the latest run */
    double timeout, memory;              /* of a cell. timeout: seconds; memory: MiB */
    bool timed, profiled, stored;        /* --timeout, --profile, --store was given */
    bool unplaced;                       /* --output was not given */
    bool night;                          /* nightly: a run that was cut off is continued */
    double seconds;                      /* --budget if it is a time, in seconds; 0: it is no time */
    const char *time;                    /* --budget as typed, if it is a time; else NULL */
    long keep;                           /* gc: number of runs to keep; 0: not given */
    int arch;                            /* --arch: enum lanes_level; -1: not given */
    enum engine engine;
    double shard;                        /* --seconds: seconds of work in a shard */
    long running;                        /* --max-running; 0: any number */
    int tries;
    const char *slurm_args;
    bool detach;
};

/* Reads the environment, then the study file that argv names, then argv; a later value wins. BAD_INPUT: *why says
 * what is wrong. *o must be freed in either case. */
enum status options_parse(int argc, char **argv, struct options *o, struct why *why);
void options_free(struct options *o);

/* Is this one of the words, which blanks separate? */
bool has_word(const char *words, const char *word);
/* Do all values of the option count, and not the last one only? */
bool option_adds_up(const char *name);
/* Returns the first typed option that is one of these words; NULL: none is. */
const char *options_typed(const struct options *o, const char *words);

/* The table of options; ends with { 0 }. */
extern const struct argp_option options_table[];
/* text <- the name of the environment variable of an option, as ASSAY_TEST_SHARE for test-share. Returns text;
 * NULL: the option has no variable. */
enum { TWIN_MAX = 64 };
const char *options_twin(const struct argp_option *o, char text[TWIN_MAX]);

struct verb {
    const char *name, *arguments, *doc;
    int (*run)(struct options *o);
    const char *takes;                   /* names of options between blanks, without those that every verb takes */
};
/* The table of verbs; ends with { 0 }. */
extern const struct verb verbs[];
/* Returns the verb of this name; NULL: there is none. */
const struct verb *find_verb(const char *name);
/* Does the verb take the option? */
bool verb_takes(const struct verb *v, const char *option);

int verb_list(struct options *o);
int verb_plan(struct options *o);
int verb_run(struct options *o);
int verb_verify(struct options *o);
int verb_explain(struct options *o);
int verb_report(struct options *o);
int verb_compare(struct options *o);
int verb_accept(struct options *o);
int verb_nightly(struct options *o);
int verb_gc(struct options *o);
int verb_archive(struct options *o);
int verb_merge(struct options *o);
int verb_shards(struct options *o);
int verb_work(struct options *o);
int verb_status(struct options *o);
int verb_solve(struct options *o);
int verb_sweep(struct options *o);
int verb_test(struct options *o);
int verb_import(struct options *o);
int verb_reproduce(struct options *o);
int verb_rerun(struct options *o);
int verb_export(struct options *o);
int verb_account(struct options *o);
int verb_audit(struct options *o);
int verb_new(struct options *o);
int verb_data(struct options *o);
int verb_doctor(struct options *o);
int verb_help(struct options *o);

/* Prints "assay: ..." on stderr, as one line or with an expression and a mark below its fault, and returns the exit
 * code of a status. */
int complain(enum status s, const struct why *why);
/* Returns the one of two exit codes, neither of them that of an interrupt, that comes first in the list above. */
int first_code(int a, int b);
/* Checks the names of parameters, claims, figures, tables and theorems. BAD_INPUT: one has other characters than
 * letters, digits, _ and -, and in an id also . / and =. */
enum status unit_names_check(struct why *why);
/* Returns what the command line asks of a run of a plan. The result points into *o, and to at most PROVENANCE_MOST
 * pairs of key and value about this build and machine, which are valid until the next call. */
enum { PROVENANCE_MOST = 20 };
struct run_request options_request(const struct options *o);
/* Returns what --engine asks for, valid until the next call; NULL: all cells run here. */
const struct engine_request *options_engine(const struct options *o);
/* Prints what has come back of the shards of a folder; returns the exit code of the verb `status`. */
int shards_status(const char *folder);
/* Continues the plan to which the shards of a folder belong, when their records have been merged into the store.
 * Where this machine is of another kind than the shards it runs nothing, and prints what is left and the command
 * for it. Returns the exit code, which is that of the verb `run` where a stage runs. */
int shards_go_on(const char *folder, const char *store, int jobs);
bool is_folder(const char *path);

#endif

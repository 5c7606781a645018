/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the command line: one table of verbs, one struct of options, exit codes. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include <stdbool.h>
#include "judge.h"
#include "plan.h"
#include "plugins.h"
#include "record.h"
#include "store.h"

/* Exit codes, the first that applies. */
enum {
    EXIT_OK = 0, EXIT_CONTRADICTED = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3, EXIT_FAILED_CELL = 4,
    EXIT_DAMAGED = 5, EXIT_INTERRUPTED = 130
};

enum { ARGUMENTS_MAX = 8 };

struct options {
    const char *verb, *argument[ARGUMENTS_MAX];
    int arguments;
    struct selection select;
    struct bag mechanism;                /* account: what is described */
    const char *data, *data_format, *loss;
    const char *name, *task, *licence, *source;          /* of a set to be added */
    const char *store, *output;
    const char *cache;                   /* of reference optima; empty: none */
    char *optima;                        /* its default */
    const char *plugin[PLUGINS_MAX];
    int plugins;
    char *command;                       /* the line as typed, for provenance */
    char **line;                         /* argv with the environment's options put first ... */
    int from_environment;                /* ... this many, from line[1] on */
    enum record_format format;
    bool canonical, fresh, retry, count, theory, statistics;
    bool aligned;                        /* --format text was typed, not merely the default */
    bool uncovered;                      /* list coverage met an item nobody serves */
    int jobs;
    long run;                            /* 0: the latest */
    double timeout, memory;
};

/* Reads environment twins, then argv. Exits 2 with one line on a usage error. */
void options_parse(int argc, char **argv, struct options *o);
void options_free(struct options *o);

struct verb {
    const char *name, *arguments, *doc;
    int (*run)(struct options *o);
};
/* Ends with { 0 }. */
extern const struct verb verbs[];

int verb_list(struct options *o);
int verb_plan(struct options *o);
int verb_run(struct options *o);
int verb_verify(struct options *o);
int verb_explain(struct options *o);
int verb_report(struct options *o);
int verb_solve(struct options *o);
int verb_rerun(struct options *o);
int verb_export(struct options *o);
int verb_account(struct options *o);
int verb_new(struct options *o);
int verb_data(struct options *o);
int verb_doctor(struct options *o);
int verb_help(struct options *o);

/* Prints "assay: ..." on stderr and returns the exit code of a status. */
int complain(enum status s, const struct why *why);
/* Key/value pairs about this build and machine; *n <- how many. Valid until the next call. */
const struct store_info *provenance_now(const struct options *o, size_t *n);

#endif

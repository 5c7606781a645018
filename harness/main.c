/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the verbs. */
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "params.h"
#include "plugins.h"
#include "pool.h"
#include "reference_cache.h"

const struct verb verbs[] = {
    { "verify", "", "run what is missing, judge every claim, write the report", verb_verify },
    { "list", "[WHAT]", "claims, algorithms, problems, estimators, papers, parameters, counts", verb_list },
    { "plan", "", "cells, cost and what the profile would decide; runs nothing", verb_plan },
    { "run", "", "run what is missing", verb_run },
    { "explain", "[GLOB]", "why a verdict, from the store", verb_explain },
    { "report", "", "write the report from the store", verb_report },
    { "solve", "", "one run: --algorithm NAME with --problem NAME or --data FILE", verb_solve },
    { "rerun", "CELL", "one cell again, by its text, and hold it against the store", verb_rerun },
    { "export", "", "records of the store", verb_export },
    { "data", "[WHAT] [NAME...]", "sets of data: list, check, get NAME, add FILE", verb_data },
    { "account", "MECHANISM", "the epsilon of a described mechanism, by every accountant", verb_account },
    { "new", "WHAT NAME", "writes a working algorithm, problem or claim to start from", verb_new },
    { "doctor", "", "what is here, what is missing", verb_doctor },
    { "help", "", "this text", verb_help },
    { 0 }
};

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
    pool_stop();
}

static const struct verb *find_verb(const char *name)
{
    for (const struct verb *v = verbs; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

static int unknown_verb(const char *name)
{
    const char *near = NULL;
    int least = 4;
    for (const struct verb *v = verbs; v->name; v++) {
        int distance = word_distance(name, v->name);
        if (distance < least) {
            least = distance;
            near = v->name;
        }
    }
    fprintf(stderr, "assay: unknown verb '%s'%s%s%s\n", name, near ? "; did you mean " : "",
            near ? near : ": see `assay help`", near ? "?" : "");
    return EXIT_USAGE;
}

static void no_memory_left(size_t wanted, size_t limit)
{
    fprintf(stderr, "assay: out of memory: %zu bytes wanted, limit %zu; see --memory\n", wanted, limit);
    exit(EXIT_FAILED_CELL);
}

static int load_plugins(const struct options *o)
{
    struct why why = { "" };
    for (int k = 0; k < o->plugins; k++) {
        enum status s = plugins_load(o->plugin[k], &why);
        if (s != OK)
            return complain(s, &why);
    }
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    struct options o;
    struct sigaction action = { .sa_handler = on_signal };

    gsl_set_error_handler_off();
    arena_on_exhausted(no_memory_left);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    options_parse(argc, argv, &o);
    reference_cache(*o.cache ? o.cache : NULL);
    const struct verb *v = find_verb(o.verb ? o.verb : "help");
    int code = v ? load_plugins(&o) : unknown_verb(o.verb);
    if (v && code == EXIT_OK)
        code = v->run(&o);
    options_free(&o);
    if (code == EXIT_INTERRUPTED)
        return 128 + (caught ? caught : SIGINT);
    return code;
}

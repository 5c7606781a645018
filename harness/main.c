/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the verbs. */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "names.h"
#include "nearest.h"
#include "plugins.h"
#include "private_claims.h"
#include "reference_cache.h"

const struct verb verbs[] = {
    { "verify", "", "run what is missing, judge every claim, write the report", verb_verify },
    { "list", "[WHAT]", "claims, algorithms, problems, estimators, papers, parameters, ...",
      verb_list },
    { "plan", "", "cells, cost and what the profile would decide; runs nothing", verb_plan },
    { "run", "", "run what is missing", verb_run },
    { "explain", "[GLOB]", "why a verdict, from the store", verb_explain },
    { "report", "", "write the report from the store", verb_report },
    { "solve", "", "one run: --algorithm NAME with --problem NAME or --data FILE", verb_solve },
    { "rerun", "CELL", "one cell again, by its text, and hold it against the store", verb_rerun },
    { "export", "", "records of the store", verb_export },
    { "data", "[WHAT] [NAME...]", "sets of data: list, check, get NAME, add FILE", verb_data },
    { "account", "MECHANISM", "the epsilon of a described mechanism, by every accountant",
      verb_account },
    { "audit", "ALGORITHM", "attacks on its privacy; --replay: what passes its releases",
      verb_audit },
    { "new", "WHAT NAME", "writes a working algorithm, problem or claim to start from", verb_new },
    { "doctor", "", "what is here, what is missing", verb_doctor },
    { "help", "[WHAT]", "verbs and options; man, bash, zsh: manual page and completions",
      verb_help },
    { 0 }
};

static const struct verb *find_verb(const char *name)
{
    for (const struct verb *v = verbs; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

static enum status unknown_verb(const char *name, struct why *why)
{
    struct nearest near = nearest_to(name, strlen(name));
    for (const struct verb *v = verbs; v->name; v++)
        nearest_try(&near, v->name);
    return why_set(why, BAD_INPUT, "unknown verb '%.80s'%s", name,
                   near.name ? nearest_hint(&near, "") : ": see `assay help`");
}

/* As many arguments as the verb's row has words; "..." in it: any number. */
static enum status check_arguments(const struct verb *v, const struct options *o, struct why *why)
{
    int most = 0;
    for (const char *c = v->arguments; *c; c++)
        most += *c != ' ' && (c == v->arguments || c[-1] == ' ');
    if (o->arguments <= most || strstr(v->arguments, "..."))
        return OK;
    return why_set(why, BAD_INPUT, "%s: unexpected argument '%.80s'%s%s", v->name,
                   o->argument[most], most ? "; expected " : "", v->arguments);
}

static void no_memory_left(size_t wanted, size_t limit)
{
    fprintf(stderr, "assay: out of memory: %zu bytes wanted, limit %zu; see --memory\n", wanted, limit);
    exit(EXIT_FAILED_CELL);
}

static enum status load_plugins(const struct options *o, struct why *why)
{
    for (int k = 0; k < o->plugins; k++)
        TRY(plugins_load(o->plugin[k], why));
    return OK;
}

/* All that can be wrong with a line before its verb looks at it. */
static enum status prepare(int argc, char **argv, struct options *o, const struct verb **v,
                           struct why *why)
{
    TRY(options_parse(argc, argv, o, why));
    reference_cache(*o->cache ? o->cache : NULL);
    *v = find_verb(!o->verb || o->help ? "help" : o->verb);
    if (!*v)
        return unknown_verb(o->verb, why);
    if (!o->help)
        TRY(check_arguments(*v, o, why));
    /* A private method that is asked for --sigma must not run without noise. */
    if (!o->help && o->mechanism_typed && strcmp((*v)->name, "account"))
        return why_set(why, BAD_INPUT, "--%s: of `account` alone; a method's own are "
                       "--set algo.NAME=VALUE, see `assay list parameters`", o->mechanism_typed);
    TRY(load_plugins(o, why));
    private_claims_register();
    return names_check(&o->select, why);
}

/* What a verb printed must have arrived; one that exits 2 has said what was wrong. */
static int finish_output(int code)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code == EXIT_USAGE)
        return code;
    fprintf(stderr, "assay: cannot write to standard output\n");
    return code == EXIT_OK ? EXIT_USAGE : code;
}

int main(int argc, char **argv)
{
    struct options o;
    struct why why = { "" };
    const struct verb *v = NULL;

    gsl_set_error_handler_off();
    arena_on_exhausted(no_memory_left);
    enum status s = prepare(argc, argv, &o, &v, &why);
    int code = finish_output(s == OK ? v->run(&o) : complain(s, &why));
    options_free(&o);
    return code;
}

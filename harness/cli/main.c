/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the table of verbs, and the checks of the command line before a verb runs. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arch.h"
#include "cli/cli.h"
#include "numeric/lanes.h"
#include "plan/names.h"
#include "cell/nearest.h"
#include "cell/plugins.h"
#include "cell/registry.h"
#include "judge/rules.h"
#include "judge/theorems.h"
#include "plan/private_claims.h"
#include "cell/reference_cache.h"
#include "exec/method.h"
#include "text/provenance.h"

/* Groups of options that several verbs take. */
#define CHOICE   " paper claim theorem algorithm problem check planted "
#define SETTINGS " set n d T B N eps delta rho acc kappa budget l1 l2 radius seed constants count "
#define PLACES   " store cache data-dir "
#define PLAN     CHOICE SETTINGS PLACES " profile reps "
#define LIMITS   " timeout memory arch "
#define RUN      PLAN LIMITS " jobs fresh retry no-wait detach " ENGINE
#define ENGINE   " engine seconds max-running tries slurm-args "
#define DATA     " data data-format loss scaling test-share public "
#define PRINT    " format canonical "
#define PROMISE  " algorithm problem measure promise control rival against mechanism tune reps "

const struct verb verbs[] = {
    { "verify", "", "run what is missing, judge every claim, write the report", verb_verify,
      RUN PRINT " output baseline figures " },
    { "list", "[WHAT]", "claims, algorithms, problems, estimators, papers, parameters, ...",
      verb_list, CHOICE PLACES " format baseline profile " },
    { "plan", "", "cells and cost of each claim in the profile; runs nothing", verb_plan,
      PLAN " format " },
    { "run", "", "run what is missing", verb_run, RUN },
    { "explain", "[GLOB]", "the reasons of verdicts, from the store", verb_explain, PLAN },
    { "report", "", "write the report from the store", verb_report,
      PLAN PRINT " output baseline history bench figures " },
    { "nightly", "", "runs the nightly profile anew, and compares it with the baseline",
      verb_nightly, PLAN LIMITS PRINT " jobs retry no-wait output baseline bench figures " ENGINE },
    { "compare", "BASE NEW", "what changed from one store or baseline to another", verb_compare,
      PLAN " format " },
    { "accept", "GLOB", "makes the results of these claims in the store the baseline", verb_accept,
      PLAN " baseline reason " },
    { "solve", "", "one run: --algorithm NAME with --problem NAME or --data FILE", verb_solve,
      " algorithm problem model force target verbose " SETTINGS PLACES LIMITS DATA PRINT },
    { "sweep", "[STUDY]", "methods over axes: a table with fitted exponents, and figures", verb_sweep,
      " algorithm problem measure x tune reps allow-exec " SETTINGS PLACES LIMITS DATA PRINT ENGINE
      " jobs fresh retry no-wait detach output " },
    { "test", "[STUDY]", "judges a promise that is typed, by the rules of claims", verb_test,
      PROMISE SETTINGS PLACES LIMITS DATA PRINT ENGINE
      " jobs fresh retry no-wait detach output baseline allow-exec " },
    { "import", "FILE...", "draws or judges results of others: CSV, benchopt, COCO", verb_import,
      " algorithm problem measure x promise control rival against set n d T B N eps delta rho acc kappa budget "
      "output baseline " PRINT },
    { "reproduce", "PAPER", "the paper's experiments, with its parameters or --tune'd ones",
      verb_reproduce, " problem algorithm tune reps " SETTINGS PLACES LIMITS
      " jobs fresh retry output format " },
    { "rerun", "CELL", "runs one cell again, by its text, and compares it with the store", verb_rerun,
      PLACES LIMITS PRINT },
    { "export", "[FILE]", "prints records, or runs as rows (--wide); for SQLite, COCO, Extra-P", verb_export,
      PLAN PRINT " run output wide where trace force " },
    { "gc", "", "drops the records of all runs but the newest --keep; verdicts stay", verb_gc,
      " store keep no-wait " },
    { "archive", "[FILE]", "packs the store and its report for a paper's artefact", verb_archive,
      PLACES " profile baseline canonical figures " },
    { "merge", "STORE INPUT...", "brings the records of stores, or of folders of shards, into one store",
      verb_merge,
      " jobs force no-wait arch " },
    { "shards", "", "packs what --store lacks into shards, for other machines: --output DIR", verb_shards,
      PLAN LIMITS " output seconds " },
    { "work", "SHARD", "runs a shard, and leaves its records beside it", verb_work,
      " jobs cache data-dir arch " },
    { "status", "DIR", "what has come back of the shards of a folder", verb_status, "" },
    { "data", "[WHAT] [NAME...]", "data sets: list, check, get NAME, add FILE", verb_data,
      " data-dir format name task licence source " },
    { "account", "MECHANISM", "the epsilon of a described mechanism, by every accountant",
      verb_account, " n eps delta sigma scale sensitivity eps0 q steps epochs spare batch failure "
      "restart sides format " },
    { "audit", "ALGORITHM", "attacks on its privacy; --replay: leaks besides its releases",
      verb_audit, " algorithm problem runs replay reps jobs " SETTINGS PLACES LIMITS DATA PRINT },
    { "new", "WHAT NAME [STUDY]", "writes a working algorithm, problem or claim to start from", verb_new,
      PROMISE SETTINGS DATA " output " },
    { "doctor", "[FILE]", "what the program finds on this machine, and what is missing", verb_doctor,
      PLACES " output statistics format arch " },
    { "help", "[WHAT]", "verbs and options, or those of a VERB; man, bash, zsh: manual page, completions",
      verb_help, "" },
    { 0 }
};

bool verb_takes(const struct verb *v, const char *option)
{
    return has_word(v->takes, option) || has_word("plugin method help version", option);
}

const struct verb *find_verb(const char *name)
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

/* Checks the number of arguments: a verb takes at most as many as v->arguments has words, and any number where this
 * text contains "...". */
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

/* Was the option typed, or is it a key of the study file? */
static bool is_given(const struct options *o, const char *name)
{
    for (int k = 0; k < o->study.keys; k++)
        if (strcmp(o->study.key[k].name, name) == 0)
            return true;
    return options_typed(o, name);
}

/* Refuses a value that the verb does not read. A value of the environment is dropped instead: its variables are for
 * all verbs. */
static enum status check_values(const struct verb *v, struct options *o, struct why *why)
{
    if (o->time && v->run != verb_nightly) {
        if (is_given(o, "budget"))
            return why_set(why, BAD_INPUT, "--budget %.40s: a time is for `nightly`, expected a number of sample "
                           "gradients", o->time);
        o->time = NULL;
        o->seconds = 0;
    }
    if (o->foreign && v->run != verb_export) {
        if (is_given(o, "format"))
            return why_set(why, BAD_INPUT, "--format coco, extrap, sqlite: for `export`, expected text, csv or "
                           "json");
        o->foreign = FOREIGN_NONE;
    }
    if (o->experiment.tune && v->run == verb_reproduce) {
        if (is_given(o, "tune"))
            return why_set(why, BAD_INPUT, "--tune %.80s: the grids of `reproduce` are the paper's, expected no "
                           "value", o->experiment.tune);
        o->tune = false;
    }
    return OK;
}

/* Refuses a typed option that --engine does not read, and --detach with --fresh. A --detach of the environment that
 * nothing reads is dropped. */
static enum status check_engine(const struct verb *v, struct options *o, struct why *why)
{
    static const struct { const char *option, *engines; } readers[] = {
        { "detach", "slurm" }, { "max-running", "slurm" }, { "slurm-args", "slurm" },
        { "tries", "slurm or files" }, { "seconds", "slurm or files" },
    };
    for (size_t k = 0; k < sizeof readers / sizeof *readers && verb_takes(v, "engine"); k++) {
        bool reads = o->engine == ENGINE_SLURM ||
                     (o->engine == ENGINE_FILES && strstr(readers[k].engines, "files"));
        if (!reads && is_given(o, readers[k].option))
            return why_set(why, BAD_INPUT, "--%s: for cells that run elsewhere, expected --engine %s",
                           readers[k].option, readers[k].engines);
    }
    o->detach &= o->engine == ENGINE_SLURM && verb_takes(v, "detach");
    /* The job that goes on is a run of its own, in which the records of this one are not fresh. */
    if (o->detach && o->fresh)
        return why_set(why, BAD_INPUT, "--detach: not together with --fresh, whose cells would be submitted again "
                       "by every job that goes on");
    return OK;
}

/* Refuses a typed option that the verb does not read: --sigma typed after solve must not lead to a run without that
 * noise. Variables of the environment are for all verbs, so a verb ignores those that it does not read. */
static enum status check_options(const struct verb *v, const struct options *o, struct why *why)
{
    char takers[200] = "";
    const char *const *name = o->typed;
    while (*name && verb_takes(v, *name))
        name++;
    if (!*name)
        return OK;
    for (const struct verb *u = verbs; u->name; u++)
        if (verb_takes(u, *name))
            snprintf(takers + strlen(takers), sizeof takers - strlen(takers), "%s%s",
                     *takers ? ", " : "", u->name);
    bool method = strcmp(takers, "account") == 0;
    return why_set(why, BAD_INPUT, "--%s: not an option of `%s`, but of %s%s", *name, v->name,
                   takers, method ? "; a method's own are --set algo.NAME=VALUE, see "
                   "`assay list parameters`" : "");
}

/* Checks a study file: its keys must be options of the verb that runs it; `new` takes the options of `test`. */
static enum status check_study(const struct verb *v, const struct options *o, struct why *why)
{
    const struct verb *runs = v->run == verb_new ? find_verb("test") : v;
    for (int i = 0; i < o->study.keys; i++) {
        const struct study_key *k = &o->study.key[i];
        if (!verb_takes(runs, k->name))
            return why_set(why, BAD_INPUT, "%.100s:%d: unknown key '%.60s': not an option of `%s`", o->study.path,
                           k->line, k->name, runs->name);
    }
    return OK;
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
    method_limits(0, (size_t)(o->memory * 0x1p20));
    for (int k = 0; k < o->methods; k++)
        TRY(method_load(o->method[k], why));
    return OK;
}

static enum status check_papers(struct why *why)
{
    const struct paper *p;
    TRY(unit_names_check(why));
    for (int k = 0; (p = paper_at(k, true)); k++)
        TRY(theorems_check(p, why));
    for (int k = 0; (p = paper_at(k, true)); k++)
        TRY(rules_check(p, why));
    return OK;
}

/* Finds all errors of a command line that can be found without running its verb. */
static enum status prepare(int argc, char **argv, struct options *o, const struct verb **v,
                           struct why *why)
{
    TRY(options_parse(argc, argv, o, why));
    if (o->arch >= 0)
        TRY(arch_use((enum lanes_level)o->arch, argv, why));
    TRY(lanes_from_environment(why));
    reference_cache(*o->cache ? o->cache : NULL);
    bool help = o->help || o->version;
    *v = find_verb(o->verb && !o->version ? o->verb : "help");
    if (!*v)
        return unknown_verb(o->verb, why);
    if (help)
        *v = find_verb("help");
    if (!help) {
        TRY(check_arguments(*v, o, why));
        TRY(check_values(*v, o, why));
        TRY(check_options(*v, o, why));
        TRY(check_study(*v, o, why));
        TRY(check_engine(*v, o, why));
    }
    TRY(load_plugins(o, why));
    private_claims_register();
    TRY(check_papers(why));
    struct selection select = o->select;
    if (o->verb && strcmp(o->verb, "reproduce") == 0)    /* or a call for its help */
        select.problem = NULL;           /* the option names a panel here, and verb_reproduce finds it */
    if (o->verb && strcmp(o->verb, "import") == 0)
        select.problem = select.algorithm = NULL;    /* they select among the imported results, not in the
                                                        registry */
    return names_check(&select, why);
}

/* Returns the name of the widest vector instructions of this processor. */
static const char *vector_width(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f") ? "AVX-512"
         : __builtin_cpu_supports("avx2") ? "AVX2" : "SSE4.2";
#else
    return "none that the kernels use";
#endif
}

static int print_version(void)
{
    bool dirty = strcmp(provenance_dirty, "yes") == 0;
    printf("assay %s\ncommit    %s%s\ncompiler  %s\nlibraries GSL %s; %s; SQLite %s\n"
           "vectors   %s\n", provenance_version, provenance_commit, dirty ? ", changed since" : "",
           provenance_compiler, gsl_version, vec_blas_build(), store_sqlite_version(),
           vector_width());
    return EXIT_OK;
}

/* Returns the exit code, which is that of an error if standard output cannot be written. A verb that exits with 2
 * has already printed an error. */
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
    int code = finish_output(s != OK ? complain(s, &why) : o.version ? print_version() : v->run(&o));
    options_free(&o);
    method_stop_all();
    return code;
}

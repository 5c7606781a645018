/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_help.c - help [WHAT], and the tables that help, manual page and completions share. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help.h"
#include "cell/nearest.h"

const struct help_exit help_exits[] = {
    { "0", "all went well; all that was judged is supported" },
    { "1", "a theorem is contradicted, or something is suspect" },
    { "2", "usage, input or output: one line on stderr says what was expected" },
    { "3", "something is inconclusive or incomplete; doctor: something is missing" },
    { "4", "a cell crashed, timed out or ran out of memory" },
    { "5", "the store is damaged" },
    { "130, 143", "interrupted by SIGINT or SIGTERM; the next run resumes" },
    { NULL, NULL }
};

const struct help_variable help_variables[] = {
    { "ASSAY_DATA", "folder of your sets of data, as --data-dir" },
    { "ASSAY_SIMD", "vector instructions, of portable, avx2, avx512; numbers stay the same" },
    { "NO_COLOR", "no colours, if it is set and not empty" },
    { "TERM", "`dumb`: neither colours nor a progress bar; these are for terminals only" },
    { NULL, NULL }
};

static const char *const groups[] = { NULL, "Which claims", "Settings", "Data", "Running",
                                      "Files and output", "Accounting", "Help" };

const char *help_group(int group)
{
    return group > 0 && group < (int)(sizeof groups / sizeof *groups) ? groups[group] : NULL;
}

static const struct help_words after_option[] = {
    { "paper", NULL, "papers" }, { "claim", NULL, "claims" }, { "algorithm", NULL, "algorithms" },
    { "problem", NULL, "problems" }, { "check", "count bound rate order moment law private", NULL },
    { "profile", "quick nightly full", NULL }, { "constants", "practical theory", NULL },
    { "format", "text csv json", NULL }, { "data-format", "any libsvm csv fann", NULL },
    { "task", "classification regression", NULL },
};

static const struct help_words after_verb[] = {
    { "list", "claims algorithms problems estimators papers parameters counts facts coverage",
      NULL },
    { "explain", NULL, "claims" }, { "new", "algorithm problem claim", NULL },
    { "data", "list check get add", NULL }, { "help", "man bash zsh", NULL },
};

static const struct help_words *find(const struct help_words *at, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(at[k].of, name) == 0)
            return &at[k];
    return NULL;
}

const struct help_words *help_words_of_option(const char *name)
{
    return find(after_option, sizeof after_option / sizeof *after_option, name);
}

const struct help_words *help_words_of_verb(const char *name)
{
    return find(after_verb, sizeof after_verb / sizeof *after_verb, name);
}

static void print_option(void *ctx, const struct argp_option *o)
{
    int *group = ctx;
    char form[64];
    if (o->group != *group && help_group(o->group))
        printf("\n%s\n", help_group(o->group));
    *group = o->group;
    snprintf(form, sizeof form, o->key < 0x80 ? "-%c, " : "    ", o->key);
    snprintf(form + 4, sizeof form - 4, "--%s%s%s", o->name, o->arg ? " " : "",
             o->arg ? o->arg : "");
    printf("  %-24s %s\n", form, o->doc);
}

static void print_help(void)
{
    int group = 0;
    printf("assay checks by experiment what theorems promise about optimisation algorithms.\n"
           "Start with `assay verify`.\n\nUsage: assay VERB [ARGUMENT...] [OPTION...]\n\n");
    for (const struct verb *v = verbs; v->name; v++)
        printf("  %-8s %-18s %s\n", v->name, v->arguments, v->doc);
    options_each(print_option, &group);
    printf("\nEnvironment\n  Options but --data, --data-dir and --help have twins: "
           "ASSAY_PROFILE=nightly, ASSAY_n=1e6 (one letter\n  keeps its case), ASSAY_RETRY=1. "
           "What is typed wins.\n");
    for (const struct help_variable *e = help_variables; e->name; e++)
        printf("  %-24s %s\n", e->name, e->doc);
    printf("\nExit codes, the first that applies: 130, 143; 5, 2, 4, 1, 3, 0\n");
    for (const struct help_exit *e = help_exits; e->code; e++)
        printf("  %-8s %s\n", e->code, e->doc);
    printf("\n`assay help man`, `help bash` and `help zsh` print the manual page and "
           "completions.\n");
}

static const struct { const char *name; void (*print)(FILE *out); } parts[] = {
    { "man", help_man }, { "bash", help_bash }, { "zsh", help_zsh },
};

int verb_help(struct options *o)
{
    if (o->help || o->arguments == 0) {
        print_help();
        return EXIT_OK;
    }
    const char *what = o->argument[0];
    struct nearest near = nearest_to(what, strlen(what));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strcmp(parts[k].name, what) == 0) {
            parts[k].print(stdout);
            return EXIT_OK;
        }
        nearest_try(&near, parts[k].name);
    }
    fprintf(stderr, "assay: help %.80s: expected man, bash, zsh or nothing%s\n", what,
            nearest_hint(&near, ""));
    return EXIT_USAGE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.h - help, manual page and completions: all printed from the tables of verbs and options. */
#ifndef ASSAY_HELP_H
#define ASSAY_HELP_H

#include <stdio.h>

struct argp_option;

/* The manual page in man(7) macros. */
void help_man(FILE *out);
/* Completion scripts. */
void help_bash(FILE *out);
void help_zsh(FILE *out);

/* Words that may follow an option or a verb: a fixed list, or the first column of `assay list WHAT`
 * (more than the one that printed the script knows, if there are plug-ins). */
struct help_words { const char *of, *words, *list; };
/* NULL: files for FILE and DIR, else nothing to offer. */
const struct help_words *help_words_of_option(const char *name);
const struct help_words *help_words_of_verb(const char *name);

/* Titles of the groups of the option table, by group number; NULL: none of that number. */
const char *help_group(int group);
/* Exit codes and what they mean; code NULL ends. */
struct help_exit { const char *code, *doc; };
extern const struct help_exit help_exits[];
/* Variables of the environment beside the twins; name NULL ends. */
struct help_variable { const char *name, *doc; };
extern const struct help_variable help_variables[];

#endif

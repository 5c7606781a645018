/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve.h - the parts of the verb solve: what is asked as a cell, what the answer is worth as text,
 * and as a file. */
#ifndef ASSAY_SOLVE_H
#define ASSAY_SOLVE_H

#include "privacy/account_ledger.h"
#include "cli/cli.h"
#include "run/run.h"

/* What a run of a private method has spent, and whether the label is deserved. */
struct privacy {
    bool applies;                    /* the method is private at all; else nothing below is set */
    double delta;                    /* the goal's, or 1/n^2 */
    unsigned long told, declared;    /* bits of facts told: of the data, declared public */
    const char *looks;               /* a setting that uses means of the data, as
                                        "problem.scaling=zscore"; NULL: none */
    bool silent;                     /* nothing that was booked is released */
    struct priced by[ACCOUNTANTS];
};

struct solution {
    const struct cell *cell;
    const struct facts *facts;
    const struct record *record;
    const double *x;                 /* [d] the answer */
    struct privacy privacy;
    const char *model;               /* file written, or NULL */
};

/* *cell <- what the options ask for. Defaults that nobody has set are said on stderr, a line each:
 * delta 1/n^2; a budget; for a private method on records unit rows in the unit ball, whose L and M
 * are known without the data; the regulariser l1 in every sample for a method without prox. */
enum status solve_cell(const struct options *o, struct runner *runner, struct cell **cell,
                       struct why *why);

/* Prices what the run has booked. */
void solve_privacy(const struct cell *c, const struct facts *facts, const struct ledger *ledger,
                   struct privacy *p);
bool solve_is_private(const struct privacy *p);
/* Names of the facts of a mask, by commas, into text[size]. */
const char *solve_names(unsigned long facts, size_t size, char *text);

/* Was an optimum sought, and is what was found of no use: without an error, or with one larger than
 * both 1 and F(x)? */
bool solve_uncertified(const struct solution *s);

/* On stdout; JSON: one object. The record of CSV and JSON carries eps.NAME too. */
void solve_print(const struct options *o, const struct solution *s);

/* May the file be written? Asked before the run. BAD_INPUT: it is there and not to be replaced, or its
 * folder takes no files. */
enum status solve_model_free(const char *path, bool force, struct why *why);
/* Writes the answer: comments that say what it is an answer to, then `index value` lines from 1,
 * zeros left out, with mean and sd of the column where the columns were scaled. At once or not at
 * all. IO_ERROR. */
enum status solve_model_write(const char *path, const struct solution *s, struct why *why);

/* The algorithm's parameters that are words, "rule = GS-s, accounting = eq2", into text[size]. */
const char *solve_words(const struct cell *c, size_t size, char *text);
/* A text parameter of the cell's problem; NULL: it has none of this name. */
const char *solve_word(const struct cell *c, const char *name);

#endif

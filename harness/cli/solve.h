/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve.h - the parts of the verb solve: its cell, its privacy, its answer as text and as a file. */
#ifndef ASSAY_SOLVE_H
#define ASSAY_SOLVE_H

#include "privacy/account_ledger.h"
#include "cli/cli.h"
#include "run/run.h"

/* The epsilon that a run of a private method has spent, and whether the answer may be called private. */
struct privacy {
    bool applies;                    /* the method is private; else no other member is set */
    double delta;                    /* the goal's, or 1/n^2 */
    unsigned long told, declared;    /* bits of the facts that the method read: computed from the data; declared public */
    const char *looks;               /* a setting that uses means of the data, as
                                        "problem.scaling=zscore"; NULL: none */
    bool silent;                     /* no booked noise was released */
    struct priced by[ACCOUNTANTS];
};

struct solution {
    const struct cell *cell;
    const struct facts *facts;
    const struct record *record;
    const double *x;                 /* [d] the answer */
    struct privacy privacy;
    const char *model;               /* the file that was written, or NULL */
};

/* *cell <- the cell that the options describe. Each default that is used is printed on stderr: delta 1/n^2; a budget;
 * for a private method on records, rows of norm 1 and the unit ball, where L and M are known without the data; for a
 * method without prox, the regulariser l1 in every sample. */
enum status solve_cell(const struct options *o, struct runner *runner, struct cell **cell,
                       struct why *why);

/* *p <- the epsilon of the noise that the run has booked. */
void solve_privacy(const struct cell *c, const struct facts *facts, const struct ledger *ledger,
                   struct privacy *p);
bool solve_is_private(const struct privacy *p);
/* Names of the facts of a mask, by commas, into text[size]. */
const char *solve_names(unsigned long facts, size_t size, char *text);

/* Was a certified optimum computed without success: without an error bound, or with one above both 1 and |F(x)|? */
bool solve_uncertified(const struct solution *s);

/* On stdout; JSON: one object. The record of CSV and JSON carries eps.NAME too. */
void solve_print(const struct options *o, const struct solution *s);

/* Checks before the run that the file can be written. BAD_INPUT: it exists and force is false, or its folder takes no
 * files. */
enum status solve_model_free(const char *path, bool force, struct why *why);
/* Writes the answer: comments that describe the run, then lines `index value` from index 1 without zeros, with mean
 * and sd of the column if the columns were scaled. The file appears whole or not at all. IO_ERROR. */
enum status solve_model_write(const char *path, const struct solution *s, struct why *why);

/* text[size] <- the algorithm's parameters whose values are words: "rule = GS-s, accounting = eq2". */
const char *solve_words(const struct cell *c, size_t size, char *text);
/* The value of a text parameter of the cell's problem; NULL: it has none of this name. */
const char *solve_word(const struct cell *c, const char *name);

#endif

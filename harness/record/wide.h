/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wide.h - runs as rows of one table, for people and other programs: there is a column for each setting, each
 * number and each text that some run has.
 *
 *     problem algorithm goal.n ... problem.d ... algo.step ... run.trace ... rep seed outcome message seconds
 *     peak_bytes measure.excess ... error.excess ... count.full_grads ... fact.d ... note.NAME ... cell
 *
 * Settings have the names that --set takes, numbers those of the record. The number of columns is known when all
 * runs have been read once, so that a table is made in two passes:
 *
 *     each run: wide_read, wide_keep     wide_arrange     each run: wide_read, wide_write */
#ifndef ASSAY_WIDE_H
#define ASSAY_WIDE_H

#include <stdbool.h>
#include <stdio.h>

#include "record/record.h"

enum { WIDE_NAME = 80 };

/* The type of all values of a column. WIDE_INTEGER: every value is an integer of at most 2^53 in size, and is not
 * -0. */
enum wide_kind { WIDE_INTEGER, WIDE_REAL, WIDE_TEXT };

/* A column is empty, and not written, if it has no value in any of the rows for which wide_keep was called. */
struct wide_column { char name[WIDE_NAME]; enum wide_kind kind; bool empty; };

/* text NULL: the value is `number`, where NaN stands for no value. */
struct wide_value { const char *text; double number; };

struct wide {
    bool canonical;                  /* the table has no columns seconds and peak_bytes */
    struct wide_column *column;      /* [columns] in the order in which they were first read */
    int columns;
    struct wide_value *value;        /* [columns] <- the row that was read last; its texts are valid until the next
                                        row is read */
    const int *shown;                /* [shows] <- the indices in `column` of the columns that are not empty, in the
                                        order of the written table */
    int shows;
    struct wide_index *index;        /* for finding columns by name */
};

/* Returns an empty table; wide_free frees its memory. */
struct wide wide_new(bool canonical);
void wide_free(struct wide *w);

/* w->value <- the values of a record. Columns that w does not have yet are appended. */
void wide_read(struct wide *w, const struct record *r);
/* For rows of other things than runs: wide_clear removes the values of all columns, then each wide_put sets the
 * value of one column. `text` is not copied. */
void wide_clear(struct wide *w);
void wide_put(struct wide *w, const char *name, const char *text, double number);
/* Says that the row in w->value will be written: the columns in which it has a value are then not empty, and have
 * the kind that this value needs. */
void wide_keep(struct wide *w);
/* Fills in w->shown and w->shows. */
void wide_arrange(struct wide *w);
/* Returns the index of the column with this name; -1: there is none. */
int wide_find(const struct wide *w, const char *name);

/* May the number stand in a column of kind WIDE_INTEGER? */
bool wide_is_integer(double x);

/* Write the heading and a row of the table: numbers have the fewest digits that give the same double back. CSV has
 * a heading, and empty fields where a run has no value; an infinity is inf. In JSON a row is one line with an
 * object, without members that the run lacks; an infinity is Infinity, as Python and pandas write and read it. */
void wide_heading(const struct wide *w, FILE *out);
void wide_write(const struct wide *w, FILE *out, enum record_format format);

#endif

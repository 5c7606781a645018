/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.h - the one writer of tables, as text, CSV (RFC 4180) or JSON, and of other JSON objects. No other file
 * knows how texts are quoted. */
#ifndef ASSAY_LISTING_H
#define ASSAY_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "record/record.h"

/* --- single texts */

/* Writes a text so that it stays on one line: control characters and backslashes become \xNN. */
void line_text(FILE *out, const char *text);
/* Writes a field of CSV, in quotes where the text needs them. */
void listing_csv_text(FILE *out, const char *text);

/* --- JSON: members of objects and elements of lists, with the commas between them */

struct json {
    FILE *out;
    bool spaced;                     /* a blank behind every comma and colon */
    int digits;                      /* how many digits a number has; 0: the fewest that give the same double
                                        back */
    const char *nan;                 /* the string that stands for NaN; NULL: null is written */
    bool comma;                      /* the innermost open object or list has a member or element already */
};

/* Opens an object or a list. An element of a list has the name NULL. */
void json_open(struct json *j, const char *name, char bracket);
void json_close(struct json *j, char bracket);
/* Writes a quoted string; bytes that are not UTF-8 are written as the characters of Latin-1. text NULL: null. */
void json_text(struct json *j, const char *name, const char *text);
/* Writes a number; an infinite number is the text "inf" or "-inf". */
void json_real(struct json *j, const char *name, double x);
/* Writes a number whose digits are given as text. */
void json_digits(struct json *j, const char *name, const char *digits);
void json_count(struct json *j, const char *name, long n);
void json_flag(struct json *j, const char *name, bool yes);

/* --- tables: rows of the same columns, written one after the other */

enum { LISTING_COLUMNS = 24 };

/* The text between the rows of a table that is written as a list in JSON. */
struct listing_layout {
    const char *first, *next;        /* first: before the first row; next: before each of the others */
    const char *end, *empty;         /* end: behind the last row; empty: the whole list where there is no row */
    bool spaced;
};

struct listing {
    FILE *out;
    enum record_format format;
    int columns;
    const char *name[LISTING_COLUMNS];
    int width[LISTING_COLUMNS];      /* the least width of each column in a table of text */
    int digits;                      /* how many digits a number has; 0: the fewest that give the same double
                                        back */
    const char *nan;                 /* what stands for NaN in CSV; NULL: an empty field */
    const struct listing_layout *layout;     /* of JSON; NULL: every row is an object on a line of its own, with
                                                blanks behind commas and colons */
    int rows, at;                    /* <- rows: number of complete rows; at: number of fields written of the row
                                        that is begun */
    bool headed;                     /* <- the heading is written */
    struct json row;                 /* <- the row that is begun, in JSON */
};

/* Writes the heading, the line of column names. The first row does so where this function was not called before. */
void listing_heading(struct listing *l);
/* Writes the next field of a row. The field of the last column ends the row. */
void listing_text(struct listing *l, const char *text);
void listing_real(struct listing *l, double x);
void listing_count(struct listing *l, long n);
/* Writes true or false in JSON, yes or no in text and CSV. */
void listing_flag(struct listing *l, bool yes);
/* Writes an empty field; in JSON the member is left out. */
void listing_none(struct listing *l);
/* Writes a row of texts, text[columns]. */
void listing_row(struct listing *l, const char *const *text);
/* Ends the table: writes what a list in JSON ends with; nothing for other formats. */
void listing_end(const struct listing *l);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the result of one cell, as a value: a worker makes it, its parent and the store keep it. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OUTCOME_LIST(X)                                                                      \
    X(OK,      "ok")                                                                         \
    X(REFUSED, "refused")                                                                    \
    X(CRASHED, "crashed")                                                                    \
    X(TIMEOUT, "timeout")                                                                    \
    X(MEMORY,  "memory")                                                                     \
    X(UNSTABLE, "not deterministic")

enum outcome {
#define X(id, text) OUTCOME_##id,
    OUTCOME_LIST(X)
#undef X
    OUTCOMES
};

/* Bytes of the longest name of a value or column, and of the longest message, with the zero byte. */
enum { RECORD_NAME = 56, RECORD_MESSAGE = 256 };

/* A table of doubles by rows: value[row * columns + column]. */
struct record_trace {
    char (*column)[RECORD_NAME];     /* [columns] the names of the columns */
    double *value;
    size_t columns, rows, room;      /* room: rows allocated */
};

struct record {
    char *cell;                      /* the canonical text of the cell, by which a record is found */
    char fingerprint[33];            /* hexadecimal; a hash of every source that can change the numbers */
    enum outcome outcome;
    char *message;                   /* why the outcome is not OK; set by record_end */
    const char **name;               /* [values] in byte order, whatever the order of record_put */
    double *value;                   /* [values] */
    size_t values, room;
    struct record_names *names;      /* the memory of the names (record_data.h) */
    bool own_name;                   /* the array `name` is this record's alone; false: it is the array of the
                                        block `names`, which other records use too */
    struct record_trace trace;
    double seconds, peak_bytes;      /* time and memory of the run; neither is part of canonical output or of
                                        record_equal */
    unsigned uses;                   /* enum uses of kind.h: on which parts of the machine's kind the run depends;
                                        neither part of canonical output nor of record_equal */
    bool out_of_memory;              /* a value or row could not be added for lack of memory: record_pack,
                                        record_copy and the store refuse the record */
};

const char *record_outcome_name(enum outcome o);
/* Returns false where no outcome has this name; *o is then untouched. */
bool record_outcome_parse(const char *name, enum outcome *o);

/* Returns a record with OUTCOME_OK and no values, and with copies of both texts; the fingerprint has at most 32
 * characters. Returns NULL if there is no memory. */
struct record *record_new(const char *cell, const char *fingerprint);
void record_free(struct record *r);
/* Returns a copy; NULL: no memory. */
struct record *record_copy(const struct record *r);

/* Sets the outcome and the message, which is cut to RECORD_MESSAGE bytes; NULL: none. */
void record_end(struct record *r, enum outcome o, const char *message);

/* Adds a value under a name, or replaces the value that has this name. A name of RECORD_NAME bytes or more is a
 * bug. */
void record_put(struct record *r, const char *name, double value);
/* Returns false where there is no value of this name; *value is then untouched. */
bool record_get(const struct record *r, const char *name, double *value);

/* Replaces the trace by an empty one with these columns. */
void record_trace_columns(struct record *r, size_t columns, const char *const *names);
/* Adds a column to a trace without rows. A name of RECORD_NAME bytes or more is a bug. */
void record_trace_column(struct record *r, const char *name);
/* Appends row[columns]. */
void record_trace_row(struct record *r, const double *row);

/* *bytes (free() it), *n <- the record as one flat buffer for this machine, with the exact bits of doubles and a
 * checksum. Returns false without memory. */
bool record_pack(const struct record *r, void **bytes, size_t *n);
/* Returns the record of a buffer that record_pack made. Its names are shared with other records by *names
 * (record_data.h), which may be NULL. Returns NULL with errno EBADMSG where the bytes are truncated, corrupt or
 * followed by others, and with ENOMEM where there is no memory. */
struct record_names_kept;
struct record *record_unpack(const void *bytes, size_t n, struct record_names_kept *names);

/* Do two records have the same texts and the same numbers, to the bit? All NaNs count as the same; seconds,
 * peak_bytes and uses are not compared. */
bool record_equal(const struct record *a, const struct record *b);

enum record_format { RECORD_TEXT, RECORD_CSV, RECORD_JSON };
/* Prints the heading of a file of records, which only CSV has. In CSV every value and every entry of the trace is a
 * line; the column `row` is empty except for the trace. */
void record_write_heading(FILE *out, enum record_format format);
/* Prints one record, with doubles as %.17g, nan, inf or -inf; canonical: without seconds and peak_bytes. JSON is
 * one object without a line end. The caller checks ferror. */
void record_write(FILE *out, const struct record *r, enum record_format format, bool canonical);
/* Prints heading and records; JSON is a list of objects. */
void record_write_all(FILE *out, struct record *const *record, int n, enum record_format format, bool canonical);

#endif

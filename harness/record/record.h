/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - the result of one cell: a plain value that worker, parent and store hand on. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OUTCOME_LIST(X)                                                                      \
    X(OK,      "ok")                                                                         \
    X(REFUSED, "refused")                                                                    \
    X(CRASHED, "crashed")                                                                    \
    X(TIMEOUT, "timeout")                                                                    \
    X(MEMORY,  "memory")

enum outcome {
#define X(id, text) OUTCOME_##id,
    OUTCOME_LIST(X)
#undef X
    OUTCOMES
};

enum { RECORD_NAME = 56 };           /* longest name of a value or column, with its zero byte */

struct record_value {
    const char *name;
    double value;
};

/* A table of doubles by rows: value[row * columns + column]. */
struct record_trace {
    char (*column)[RECORD_NAME];
    double *value;
    size_t columns, rows, room;      /* room: rows allocated */
};

struct record {
    char *cell;                      /* canonical text, the identity */
    char fingerprint[33];            /* hexadecimal: of every source that can change the numbers */
    enum outcome outcome;
    char message[256];               /* why the outcome is not OK */
    struct record_value *value;      /* by name: the order of record_put is immaterial */
    size_t values, room;
    struct record_names *names;      /* where the names of the values stand */
    struct record_trace trace;
    double seconds, peak_bytes;      /* never part of canonical output or of record_equal */
    bool out_of_memory;              /* something is missing: pack, copy and store refuse it */
};

const char *record_outcome_name(enum outcome o);
/* false: no outcome has this name, *o untouched. */
bool record_outcome_parse(const char *name, enum outcome *o);

/* An OK record without values; copies the texts; fingerprint of at most 32 characters. NULL: no
 * memory. */
struct record *record_new(const char *cell, const char *fingerprint);
void record_free(struct record *r);
/* NULL: no memory. */
struct record *record_copy(const struct record *r);

/* Sets outcome and message, which is cut to fit; message NULL: none. */
void record_end(struct record *r, enum outcome o, const char *message);

/* Adds a value or replaces the one of that name. A name of RECORD_NAME bytes or more is a bug. */
void record_put(struct record *r, const char *name, double value);
/* false: no such value, *value untouched. */
bool record_get(const struct record *r, const char *name, double *value);

/* Drops the trace and names the columns of a new one. */
void record_trace_columns(struct record *r, size_t columns, const char *const *names);
/* Adds a column to a trace without rows. A name of RECORD_NAME bytes or more is a bug. */
void record_trace_column(struct record *r, const char *name);
/* Appends row[columns]. */
void record_trace_row(struct record *r, const double *row);

/* *bytes (free() it), *n <- the record as one flat buffer for this machine, exact bits of doubles
 * and a checksum. false: no memory. */
bool record_pack(const struct record *r, void **bytes, size_t *n);
/* *sum <- CRC-32 of all that record_pack keeps. false: no memory. */
bool record_checksum(const struct record *r, uint32_t *sum);
/* NULL: truncated, corrupt, followed by anything, or no memory. */
struct record *record_unpack(const void *bytes, size_t n);

/* Same bits everywhere, all NaN being one; seconds and peak_bytes are not compared. */
bool record_equal(const struct record *a, const struct record *b);

enum record_format { RECORD_TEXT, RECORD_CSV, RECORD_JSON };
/* The first line of a file of records; nothing but for CSV, which has one line per value, with a number in `row`
 * for entries of the trace. */
void record_write_heading(FILE *out, enum record_format format);
/* Prints one record: doubles as %.17g, else nan, inf, -inf; canonical: without seconds and
 * peak_bytes. JSON: one object without a line end. The caller looks at ferror. */
void record_write(FILE *out, const struct record *r, enum record_format format, bool canonical);
/* Heading and records; JSON: a list of objects. */
void record_write_all(FILE *out, struct record *const *record, int n, enum record_format format, bool canonical);

#endif

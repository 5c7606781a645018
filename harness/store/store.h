/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - records and runs in one SQLite file; the only module that knows SQLite.
 *
 * One writer at a time, any number of readers. Every store_put is one transaction: a kill at any
 * moment loses the record being written and nothing else. While a writer is open, commits go to a
 * write-ahead log beside the file and cost no fsync (a power cut may lose the last ones, never the
 * file); closing folds the log in, so that a store at rest is one file. After a kill the file alone
 * is a consistent older state and the next opening recovers the rest. Every record carries a checksum:
 * one whose bytes have changed since is damage, never another number. A connection must not be used in
 * a forked child. */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "record/record.h"
#include "status.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };
/* Version of the tables, and the oldest one that an opening for writing brings up to date. */
enum { STORE_SCHEMA = 4, STORE_OLD = 3 };
enum { STORE_LATEST = -1 };          /* in place of a run: the latest record of each cell */

/* BAD_INPUT: no path that a store could have. Nothing is looked at. */
enum status store_path(const char *path, struct why *why);

/* Opens a store; for writing creates it with its folders and takes the lock file `path`.lock, and brings
 * a store of an older schema to today's: all of it, or it stays as it is.
 * REFUSED: another process still writes after wait_seconds, named by its pid. BAD_INPUT: no such
 * store, no store at all, a newer schema; to be read, an older one. IO_ERROR: the system's reason, or damage. */
enum status store_open(const char *path, enum store_mode mode, double wait_seconds,
                       struct store **store, struct why *why);
void store_close(struct store *s);
/* true: the failure that wrote this sentence was a damaged store. */
bool store_damaged(const struct why *why);
/* Reads the structure of the whole file, not the numbers of its records: OK, or IO_ERROR with what is
 * damaged. */
enum status store_check(struct store *s, struct why *why);
/* Reads all there is, with every checksum; *cells <- how many have a record. The same of the result. */
enum status store_verify(struct store *s, long *cells, struct why *why);

/* The library's version. */
const char *store_sqlite_version(void);

/* Provenance of a run: commit, dirty, command line, compiler, flags, library versions, ... */
struct store_info { const char *key, *value; };

/* A new row of runs, started now; *run >= 1, increasing. Keys are distinct, none is
 * started or ended. */
enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why);
/* Adds to what is known of a run, or replaces it. */
enum status store_put_info(struct store *s, long run, const struct store_info *info, struct why *why);
/* Marks the run as ended now. */
enum status store_end_run(struct store *s, long run, struct why *why);

/* Stores a record, in place of one of the same cell and fingerprint, as a record of this run. */
enum status store_put(struct store *s, long run, const struct record *r, struct why *why);

/* What is asked of the store: fingerprint NULL in the first of many, then in all: the latest of the cell. */
struct store_ask { const char *cell, *fingerprint; };
/* id 0: there is none. */
struct store_hit { long id; enum outcome outcome; double seconds; };

/* hit[n] <- what there is of ask[n], without reading the records. IO_ERROR: damage among the keys of the
 * store, also where it only might hide what was not found. */
enum status store_scan(struct store *s, const struct store_ask *ask, size_t n, struct store_hit *hit,
                       struct why *why);
/* found[n] <- the records of what was hit (record_free them), else NULL. IO_ERROR: one is not what was
 * asked for. The caller is the writer, so that they are still there. */
enum status store_load(struct store *s, const struct store_ask *ask, const struct store_hit *hit, size_t n,
                       struct record **found, struct why *why);
/* Both at one moment, for readers. */
enum status store_find_all(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why);
/* What was hit also counts as of this run; one transaction. */
enum status store_link(struct store *s, long run, const struct store_hit *hit, size_t n, struct why *why);
/* Forgets the hits that are not of this run. */
enum status store_keep_linked(struct store *s, long run, struct store_hit *hit, size_t n, struct why *why);
/* *found <- the record (record_free it) or NULL. fingerprint NULL: the latest of the cell. */
enum status store_find(struct store *s, const char *cell, const char *fingerprint,
                       struct record **found, struct why *why);
/* seconds[n] <- what replicates of each cell took in the mean, the latest 16 that ended well or in time-outs,
 * whichever program made them: of 3689 cells of the quick profile 99% are within a factor 1.5 of it. NaN: there
 * are none. */
enum status store_seconds(struct store *s, const char *const *cell, size_t n, double *seconds, struct why *why);

/* Calls `each` for the records of a run, or of STORE_LATEST, in byte order of the cell texts until
 * it returns false. The record is freed after the call; the callback may read the store. */
enum status store_each_of_run(struct store *s, long run,
                              bool (*each)(void *ctx, const struct record *r), void *ctx,
                              struct why *why);

/* Times are UTC, ISO 8601; ended is "" for a run that never ended. */
struct store_run {
    long id;
    char started[24], ended[24];
    long records;
};

/* Calls `each` for every run, oldest first. */
enum status store_runs(struct store *s, void (*each)(void *ctx, const struct store_run *run),
                       void *ctx, struct why *why);
/* Calls `each` for the provenance of a run, and for its times as started and ended, by key. */
enum status store_run_info(struct store *s, long run,
                           void (*each)(void *ctx, const char *key, const char *value), void *ctx,
                           struct why *why);
/* *run <- the newest run, 0 if there is none. */
enum status store_last_run(struct store *s, long *run, struct why *why);

/* What a claim came to in a run (standing.h), as a line of text; once a run and claim, the last counts. */
enum status store_put_standing(struct store *s, long run, const char *claim, const char *line,
                               struct why *why);
struct store_standing { long run; const char *started, *commit, *line; };
/* Calls `each` for all of them, by claim, oldest run first. */
enum status store_each_standing(struct store *s,
                                void (*each)(void *ctx, const struct store_standing *standing),
                                void *ctx, struct why *why);

/* Drops the records that only runs before the newest `keep` have, and gives the room back; *records <- how
 * many. What these runs came to stays. */
enum status store_collect(struct store *s, long keep, long *records, struct why *why);

/* Prints the records of a run or of STORE_LATEST. canonical: no time, host, run, seconds or bytes,
 * the same bytes whatever the order of insertion. */
enum status store_export(struct store *s, long run, FILE *out, enum record_format format,
                         bool canonical, struct why *why);

#endif

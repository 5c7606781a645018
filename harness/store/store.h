/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - records and runs in one SQLite file. No other room uses SQLite.
 *
 * A store has one writer at a time and any number of readers. Every store_put is one transaction, unless a batch is
 * open, which is one transaction for all its records: a kill at any moment loses the record that was being written,
 * or the open batch, and nothing else. While a writer is open, commits go to a
 * write-ahead log beside the file and cost no fsync: a power cut may lose the last commits, but does not damage the
 * file. Closing copies the log into the file, so that a store that nobody has open is one file. After a kill the
 * file alone is a consistent older state, and the next opening recovers the rest from the log. Every record has a
 * checksum: a record whose bytes have changed is reported as damage and never read as another number. A connection
 * must not be used in a forked child. */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "record/record.h"
#include "status.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };
/* The version of the tables, and the oldest version that store_open upgrades when it opens for writing. */
enum { STORE_SCHEMA = 5, STORE_OLD = 4 };
enum { STORE_LATEST = -1 };          /* in place of the number of a run: the latest record of each cell */

/* Returns BAD_INPUT where the text cannot be the path of a store, because it is empty, too long or begins with a
 * colon. The file system is not looked at. */
enum status store_path(const char *path, struct why *why);

/* Opens a store. For writing it creates the file and its folders, takes the lock file `path`.lock, and upgrades a
 * store of an older schema, from STORE_OLD on. The upgrade is complete, or the store stays as it is. REFUSED:
 * another process had the lock for all of wait_seconds; *why names the process, its host and when it began. While
 * this call waits a line on stderr says so. BAD_INPUT: the file does not exist, is no store, or has a newer schema
 * or one older than STORE_OLD (for reading, older than STORE_SCHEMA). IO_ERROR: *why has the system's reason.
 * DAMAGED: the store is damaged. */
enum status store_open(const char *path, enum store_mode mode, double wait_seconds,
                       struct store **store, struct why *why);
void store_close(struct store *s);
/* Copies the log into the file, as closing does, and says whether that succeeded. Only store_close may follow.
 * IO_ERROR: the file alone lacks records, since its disk is full or another process reads it. */
enum status store_copy_log(struct store *s, struct why *why);
/* From this call on store_open does not wait for another process, whatever its wait_seconds. */
void store_never_waits(void);
/* Checks the structure of the whole file, but not the checksums of records. DAMAGED: *why says what is. */
enum status store_check(struct store *s, struct why *why);
/* Does what store_check does, then reads every record and checks its checksum; *cells <- the number of cells that
 * have a record. DAMAGED: *why says what is. */
enum status store_verify(struct store *s, long *cells, struct why *why);

/* Returns the version of the SQLite library. */
const char *store_sqlite_version(void);

/* One item of the provenance of a run, such as its commit, command line, compiler or a library version. */
struct store_info { const char *key, *value; };

/* Adds a run that starts now, on this host and kind of machine; *run >= 1, larger than that of every earlier run.
 * The keys are distinct, and none of them is "started" or "ended". */
enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why);
/* Returns the name of this machine for makers of records: in a job of Slurm, the name that Slurm has for the
 * node. */
const char *store_host(void);
/* What identifies a run, also in other stores: its start (UTC, ISO 8601), and a uuid. */
struct store_identity { char started[24], uuid[37]; };
/* *id <- the identity of a run that starts now. */
void store_identity_new(struct store_identity *id);
/* *id <- the identity of a run of the store. */
enum status store_identity_of(struct store *s, long run, struct store_identity *id, struct why *why);
/* Begins a part of a run that began in another store: *run <- a run with the identity *of, added as by
 * store_begin_run, or the one that this store has already, with its provenance as it is. When the two stores are
 * merged, the parts are one run again. */
enum status store_begin_part(struct store *s, const struct store_identity *of, const struct store_info *info,
                             size_t n, long *run, struct why *why);
/* Sets one item of a run's provenance; an item with the same key is replaced. */
enum status store_put_info(struct store *s, long run, const struct store_info *info, struct why *why);
/* Marks the run as ended now. */
enum status store_end_run(struct store *s, long run, struct why *why);

/* Stores a record as one of this run. It replaces a record of the same cell and fingerprint, unless that comes from
 * another kind of machine and depends on it (foreign, below). */
enum status store_put(struct store *s, long run, const struct record *r, struct why *why);
/* Opens a batch: records that are put cost a fifth of the time, and readers see them when the batch ends. While it
 * is open nothing but store_put may write to the store. A store_put that fails discards the batch. */
enum status store_batch_begin(struct store *s, struct why *why);
/* Commits the records of the open batch; OK if none is open. IO_ERROR: none of them is stored. */
enum status store_batch_end(struct store *s, struct why *why);

/* A record that is looked up. fingerprint NULL: the latest record of the cell; it must then be NULL in all elements
 * of the array. */
struct store_ask { const char *cell, *fingerprint; };
/* What the index says of a record that was looked up. Of several records with one fingerprint, one of this kind of
 * machine (kind.h) is preferred to one of another, and then a result to a failure. id 0: there is no record.
 * foreign: the record comes from another kind of machine, and running its cell here may give other bits. */
struct store_hit {
    long id;
    enum outcome outcome;
    double seconds;
    bool foreign;
    long maker;                     /* number of the record's maker, for store_hit_kind */
    int64_t stamp;
};
/* text <- the kind of machine that made the record of a hit, in words. Returns text. */
enum { STORE_KIND = 200 };
const char *store_hit_kind(struct store *s, const struct store_hit *hit, char text[STORE_KIND]);
/* Returns the name of the host that made the record of a hit, "" if it is not known; valid until the next call with
 * this store. */
const char *store_hit_host(struct store *s, const struct store_hit *hit);

/* hit[n] <- what the index says of the records ask[n], which are not read. Where a record is not found, the whole
 * index is checked first. DAMAGED: the index is. */
enum status store_scan(struct store *s, const struct store_ask *ask, size_t n, struct store_hit *hit,
                       struct why *why);
/* Does what store_scan does, among the records of this run only. */
enum status store_scan_run(struct store *s, long run, const struct store_ask *ask, size_t n, struct store_hit *hit,
                           struct why *why);
/* found[n] <- the records that store_scan has found (record_free them), NULL where id is 0. ask, hit: as in
 * store_scan. Only the process that has the store open for writing may call this, since otherwise another process could
 * drop a record after the scan. DAMAGED: the store is damaged. */
enum status store_load(struct store *s, const struct store_ask *ask, const struct store_hit *hit, size_t n,
                       struct record **found, struct why *why);
/* Does what store_scan and store_load do, in one transaction, for readers. */
enum status store_find_all(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why);
/* Does what store_find_all does, without foreign records. */
enum status store_find_own(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why);
/* Makes the records that were found (hit[k].id not 0) records of this run too, in one transaction. */
enum status store_link(struct store *s, long run, const struct store_hit *hit, size_t n, struct why *why);
/* *found <- the record of a cell with this fingerprint (record_free it); NULL: there is none, or it is foreign.
 * fingerprint NULL: *found <- the latest record of the cell, even if it is foreign. */
enum status store_find(struct store *s, const char *cell, const char *fingerprint,
                       struct record **found, struct why *why);
/* seconds[n] <- for each cell, the mean time of the 16 latest records of any of its replicates that are OK or timed
 * out, whichever program made them. NaN: there are none. Measured: of 3689 cells of the quick profile 99% took
 * between 1/1.5 and 1.5 times this mean. */
enum status store_seconds(struct store *s, const char *const *cell, size_t n, double *seconds, struct why *why);

/* From this call on, until the store is closed, reading gives what is in the store at this call, whatever other
 * processes write meanwhile. */
enum status store_hold(struct store *s, struct why *why);
/* Calls `each` for the records of a run (with STORE_LATEST: for the latest record of each cell), in byte order of
 * the cell texts, until it returns false. The record is freed after the call; the callback may read the store. */
enum status store_each_of_run(struct store *s, long run,
                              bool (*each)(void *ctx, const struct record *r), void *ctx,
                              struct why *why);

/* A run of a store. Times are UTC, ISO 8601; ended is "" for a run that did not end in order. records: their
 * number. */
struct store_run {
    long id;
    char started[24], ended[24];
    long records;
};

/* Calls `each` for every run, oldest first: by start, then by uuid. */
enum status store_runs(struct store *s, void (*each)(void *ctx, const struct store_run *run),
                       void *ctx, struct why *why);
/* Calls `each` for each item of a run's provenance, ordered by key, and for its start and end, with the keys
 * "started" and "ended". */
enum status store_run_info(struct store *s, long run,
                           void (*each)(void *ctx, const char *key, const char *value), void *ctx,
                           struct why *why);
/* *run <- the newest run, or 0 if there is none. */
enum status store_last_run(struct store *s, long *run, struct why *why);

/* A kind of machine in words, and how many records it made. */
struct store_kind { char text[STORE_KIND]; long records; };
/* (*kind)[*n] <- the kinds of machine that the store's records come from, in byte order; free() it. */
enum status store_kinds(struct store *s, struct store_kind **kind, size_t *n, struct why *why);

/* Stores the standing of a claim in a run (standing.h), as a line of text, in place of an earlier line for this run
 * and claim. */
enum status store_put_standing(struct store *s, long run, const char *claim, const char *line,
                               struct why *why);
struct store_standing { long run; const char *started, *commit, *line; };
/* Calls `each` for every standing in the store, by run, the oldest first, then by claim. */
enum status store_each_standing(struct store *s,
                                void (*each)(void *ctx, const struct store_standing *standing),
                                void *ctx, struct why *why);

/* What a merge did with an input. records: how many it has; added: how many of them are new to the target; before:
 * the input was merged already by an earlier call, and nothing was written; digest: a hash of everything in the
 * input. */
struct store_merged { long records, added; bool before; char digest[20]; };
/* A merge of stores. merged[inputs] <- what the merge did with each input. core: the core hash of this program. An
 * input is refused if none of its runs is of this build or of a build of which the target has a run, unless force
 * is set. results: only results are merged, not records of failures. going: a run of the target that goes on, of
 * which inputs have parts, so that merging them does not end it; 0: none. fresh: the run `going` uses no earlier
 * records: failures of the inputs, which are all its own, take the place of records of earlier runs, as those of
 * store_put do. */
struct store_merge {
    const char *const *input;
    size_t inputs;
    struct store_merged *merged;
    const char *core;
    bool force, results, fresh;
    long going;
};
/* Copies records, runs and standings of the inputs into the store at `target`, which is made if there is none. All
 * inputs are read and checked first. Two results with one identity must be equal in all but seconds, peak_bytes
 * and run; of a result and a failure with one identity the target keeps the result, but for `fresh`. Apart from
 * ids, the target does not depend on the order of the inputs. Each input is one transaction: if the process is
 * killed, the target has whole inputs only, and the same call again continues the merge. If the check of the
 * inputs fails, the target is as it was, except that one of an older schema is brought up to date before the
 * inputs are read. BAD_INPUT, REFUSED: as store_open, or an input is of another build. DAMAGED: a store is
 * damaged, or two results contradict each other and *why names their hosts. */
enum status store_merge(const char *target, const struct store_merge *of, double wait_seconds, struct why *why);

/* Drops the records that belong to none of the newest `keep` runs and frees their space; *records <- how many
 * records were dropped. The standings of all runs stay. */
enum status store_collect(struct store *s, long keep, long *records, struct why *why);

/* Prints the records of a run, or with run = STORE_LATEST the latest record of each cell. canonical: without times,
 * host, run, seconds and peak_bytes, so that the output does not depend on the order in which the records were
 * put. */
enum status store_export(struct store *s, long run, FILE *out, enum record_format format,
                         bool canonical, struct why *why);

#endif

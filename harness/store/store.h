/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - records and runs in one SQLite file. No other module uses SQLite.
 *
 * A store has one writer at a time and any number of readers. Every store_put is one transaction: a kill at any
 * moment loses the record that was being written and nothing else. While a writer is open, commits go to a
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
/* The version of the tables, and the oldest version that an opening for writing brings up to date. */
enum { STORE_SCHEMA = 5, STORE_OLD = 4 };
enum { STORE_LATEST = -1 };          /* in place of a run: the latest record of each cell */

/* Refuses a text that is no path that a store could have: BAD_INPUT. The file system is not looked at. */
enum status store_path(const char *path, struct why *why);

/* Opens a store. For writing it creates the file and its folders, takes the lock file `path`.lock, and upgrades a
 * store of an older schema, from STORE_OLD on. The upgrade is complete, or the store stays as it is. REFUSED:
 * another process still writes after wait_seconds; the sentence names the process, its host and when it began, and
 * a line on stderr names them at once. BAD_INPUT: the file does not exist, is no store, has a newer schema or one
 * older than STORE_OLD; for reading, any older schema. IO_ERROR: the system's reason, or damage. */
enum status store_open(const char *path, enum store_mode mode, double wait_seconds,
                       struct store **store, struct why *why);
void store_close(struct store *s);
/* From this call on no opening for writing waits for another process. */
void store_never_waits(void);
/* store_damaged: was the sentence written because a store is damaged? store_contradicts: because two stores
 * contradict each other? */
bool store_damaged(const struct why *why);
bool store_contradicts(const struct why *why);
/* Checks the structure of the whole file, but not the checksums of records. IO_ERROR names what is damaged. */
enum status store_check(struct store *s, struct why *why);
/* Reads every record and checks its checksum, after store_check; *cells <- the number of cells that have a record.
 * IO_ERROR names what is damaged. */
enum status store_verify(struct store *s, long *cells, struct why *why);

/* Returns the version of the SQLite library. */
const char *store_sqlite_version(void);

/* Provenance of a run: commit, dirty, command line, compiler, flags, library versions, ... */
struct store_info { const char *key, *value; };

/* Adds a run that starts now, on this host and kind of machine; *run >= 1, larger than that of every earlier run.
 * The keys are distinct, and none of them is "started" or "ended". */
enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why);
/* Returns the name of this machine in records: in a job of Slurm, the name that Slurm has for the node. */
const char *store_host(void);
/* What identifies a run in whichever store it is: its start, and a uuid. */
struct store_identity { char started[24], uuid[37]; };
/* *id <- the identity of a run that starts now. */
void store_identity_new(struct store_identity *id);
/* *id <- the identity of a run of the store. */
enum status store_identity_of(struct store *s, long run, struct store_identity *id, struct why *why);
/* Begins a part of a run that another store has, as store_begin_run begins a run; a merge joins the parts again.
 * *run <- the run with the identity *of, if the store has one, without a change of its provenance. */
enum status store_begin_part(struct store *s, const struct store_identity *of, const struct store_info *info,
                             size_t n, long *run, struct why *why);
/* Sets one key of a run's provenance; a value of the same key is replaced. */
enum status store_put_info(struct store *s, long run, const struct store_info *info, struct why *why);
/* Marks the run as ended now. */
enum status store_end_run(struct store *s, long run, struct why *why);

/* Stores a record of this run; it replaces a record of the same cell and fingerprint that is not foreign. */
enum status store_put(struct store *s, long run, const struct record *r, struct why *why);

/* A question for a record. fingerprint NULL asks for the latest record of the cell; it must then be NULL in all
 * questions of one call. */
struct store_ask { const char *cell, *fingerprint; };
/* What the index says of the record that answers a question. Of several records with one fingerprint, one of this
 * kind of machine (kind.h) is taken before one of another, and then a result before a failure. id 0: there is no
 * record. foreign: the record comes from another kind of machine, and the run may give other bits here. */
struct store_hit {
    long id;
    enum outcome outcome;
    double seconds;
    bool foreign;
    long maker;                     /* number of the record's maker, for store_hit_kind */
    int64_t stamp;
};
/* text <- the kind of machine that made the record, in words; returns text. */
enum { STORE_KIND = 200 };
const char *store_hit_kind(struct store *s, const struct store_hit *hit, char text[STORE_KIND]);
/* Returns the name of the host that made the record, "" if it is not known; valid until the next call of the
 * store. */
const char *store_hit_host(struct store *s, const struct store_hit *hit);

/* hit[n] <- the answers to ask[n], by the index, without reading the records. IO_ERROR: the index is
 * damaged, also where the damage could only hide a record that was not found. */
enum status store_scan(struct store *s, const struct store_ask *ask, size_t n, struct store_hit *hit,
                       struct why *why);
/* found[n] <- the records of the hits (record_free them), NULL where there was no hit. IO_ERROR: a record is
 * not the one that was asked for. The caller is the writer, so no record has gone since the scan. */
enum status store_load(struct store *s, const struct store_ask *ask, const struct store_hit *hit, size_t n,
                       struct record **found, struct why *why);
/* Does what store_scan and store_load do, in one transaction, for readers. */
enum status store_find_all(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why);
/* Makes the records of the hits records of this run, too, in one transaction. */
enum status store_link(struct store *s, long run, const struct store_hit *hit, size_t n, struct why *why);
/* Sets the id of those hits to 0 whose records are not of this run. */
enum status store_keep_linked(struct store *s, long run, struct store_hit *hit, size_t n, struct why *why);
/* *found <- the record (record_free it), or NULL; a foreign record is not returned. fingerprint NULL: the latest
 * record of the cell, which may be foreign. */
enum status store_find(struct store *s, const char *cell, const char *fingerprint,
                       struct record **found, struct why *why);
/* seconds[n] <- the mean time of the latest 16 replicates of each cell that ended well or in a time-out, whichever
 * program ran them. NaN: there are none. Measured: of 3689 cells of the quick profile 99% took between 1/1.5 and
 * 1.5 times this mean. */
enum status store_seconds(struct store *s, const char *const *cell, size_t n, double *seconds, struct why *why);

/* From this call on, until the store is closed, it is read as it is now, whatever other processes write. */
enum status store_hold(struct store *s, struct why *why);
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

/* Calls `each` for every run, oldest first: by start, then by uuid. */
enum status store_runs(struct store *s, void (*each)(void *ctx, const struct store_run *run),
                       void *ctx, struct why *why);
/* Calls `each` for the provenance of a run, ordered by key; start and end of the run have the keys "started" and
 * "ended". */
enum status store_run_info(struct store *s, long run,
                           void (*each)(void *ctx, const char *key, const char *value), void *ctx,
                           struct why *why);
/* *run <- the newest run, or 0 if there is none. */
enum status store_last_run(struct store *s, long *run, struct why *why);

/* A kind of machine in words, and how many records it made. */
struct store_kind { char text[STORE_KIND]; long records; };
/* kind[n] <- the kinds of the store's records in byte order; free() it. */
enum status store_kinds(struct store *s, struct store_kind **kind, size_t *n, struct why *why);

/* Keeps the standing of a claim in a run (standing.h) as a line of text; the line replaces that of the same run and
 * claim. */
enum status store_put_standing(struct store *s, long run, const char *claim, const char *line,
                               struct why *why);
struct store_standing { long run; const char *started, *commit, *line; };
/* Calls `each` for every standing, ordered by run, the oldest first, then by claim. */
enum status store_each_standing(struct store *s,
                                void (*each)(void *ctx, const struct store_standing *standing),
                                void *ctx, struct why *why);

/* What a merge did with an input. records: how many it has; added: how many of them are new to the target; before:
 * the input was merged before, and nothing was written; digest: a hash of everything in the input. */
struct store_merged { long records, added; bool before; char digest[20]; };
/* A merge of stores. merged[inputs] <- what the merge did with each input. core: the core hash of this program. An
 * input is refused if none of its runs is of this build or of a build that the target knows, unless force is set.
 * results: records that are failures are not taken from the inputs. */
struct store_merge {
    const char *const *input;
    size_t inputs;
    struct store_merged *merged;
    const char *core;
    bool force, results;
};
/* Brings records, runs and standings of the inputs into the store at `target`, which is made if there is none. All
 * inputs are read and checked first. Records of one identity are compared bit by bit, apart from seconds,
 * peak_bytes and run; of a result and a failure the result stays. The outcome does not depend on the order of the
 * inputs, but for ids. Each input is one transaction: after a kill the target has whole inputs, and the same call
 * continues the merge. After an error of the first pass the target is as it was. BAD_INPUT, REFUSED: as store_open,
 * or an input of another build. IO_ERROR: damage, or records that contradict each other, with the hosts that they
 * come from (store_contradicts). */
enum status store_merge(const char *target, const struct store_merge *of, double wait_seconds, struct why *why);

/* Drops the records that belong to none of the newest `keep` runs and frees their space; *records <- how many
 * records were dropped. The standings of all runs stay. */
enum status store_collect(struct store *s, long keep, long *records, struct why *why);

/* Prints the records of a run or of STORE_LATEST. canonical: without times, host, run, seconds and peak_bytes, so
 * that the output does not depend on the order in which the records were put. */
enum status store_export(struct store *s, long run, FILE *out, enum record_format format,
                         bool canonical, struct why *why);

#endif

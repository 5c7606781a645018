/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shards.h - packs cells that other machines run into shards, and counts which records have come back. A shard is a
 * manifest (manifest.h) in a folder that all machines see.
 *
 * A job that runs a shard writes a store and, when it is complete, renames it into the folder as SHARD.NAME.db
 * (work.h): an attempt at the shard. Two attempts never share a name, also if one job makes both. So a job that was
 * taken for dead can do no harm: what it brings is a duplicate, which merge compares bit by bit. A machine that
 * may not run the shard leaves SHARD.NAME.refused instead. Progress is counted in records, never in jobs or
 * exit codes. */
#ifndef ASSAY_SHARDS_H
#define ASSAY_SHARDS_H

#include <stdio.h>
#include "shards/manifest.h"

/* A list of paths, to be freed by path_list_free. Functions that list files sort them by bytes. */
struct path_list { char **path; size_t n; };
void path_list_free(struct path_list *l);
/* Adds a copy of a path at the end. */
void path_list_add(struct path_list *l, const char *path);
/* *l <- the files of a folder, and of the folders in it, whose names end with `ending`. BAD_INPUT: there is no such
 * folder. IO_ERROR: it cannot be read. */
enum status shards_files(const char *folder, const char *ending, struct path_list *l, struct why *why);
/* *l <- the paths of the stores that attempts at a shard have left; shard: the path of its manifest. */
enum status shard_attempts(const char *shard, struct path_list *l, struct why *why);

#define REFUSAL_END ".refused"
/* Writes a refusal, the file SHARD.NAME.refused, where NAME is the attempt's name `job` (struct work_request): a
 * line with the name of this machine, and the sentence that says why it may not run the shard. If it cannot be
 * written, nothing happens. */
void shard_refuse(const char *shard, const char *job, const char *sentence);
/* *machine, *sentence <- the two lines of a refusal; free() both. Returns false if the file cannot be read. */
bool shard_refusal(const char *path, char **machine, char **sentence);

/* Packs n cells into shards of at most head->seconds of work each, where a longer cell is a shard by itself, and
 * writes their manifests FOLDER/00001.shard and so on; the folder is made. cost[n]: expected seconds of the cells.
 * Cells of one problem instance follow each other, and the instance with the longest cell comes first. *shards <-
 * how many shards there are. IO_ERROR: one could not be written. */
enum status shards_write(const char *folder, const struct manifest *head, struct cell *const *cell,
                         const double *cost, size_t n, long *shards, struct why *why);

/* The state of a cell of a shard: SHARD_RESULT if some attempt has a result of it, else the number of its failures,
 * at most SHARD_FAILED_OFTEN. */
enum { SHARD_NONE = 0, SHARD_FAILED_OFTEN = 2, SHARD_RESULT = 255 };
/* state[m->cells] <- the state of every cell of the manifest m, by all attempts at the shard; shard: the path of
 * the manifest. */
enum status shard_look(const char *shard, const struct manifest *m, unsigned char *state, struct why *why);

/* Sums over all shards of a folder. */
struct shards_state {
    long shards, complete;           /* complete: shards in which every cell has a result, or has failed twice */
    long cells, results;
    long failed_once, failed;        /* cells without a result. failed_once: with one failure; failed: with more */
    long attempts;
    double seconds, left;            /* expected seconds. seconds: of all cells; left: of the cells without a result
                                        that have failed less than twice, each at the mean of its shard */
    double began;                    /* seconds since 1970 when the first manifest was written; 0: there is none */
};
enum status shards_look(const char *folder, struct shards_state *st, struct why *why);

#endif

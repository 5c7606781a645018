/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - runs the cells of a stage on other machines, as shards that Slurm runs, or that somebody else runs.
 *
 * A stage is an array of shards, waited for and merged into the store; then the local pool runs what is left, as it
 * does without an engine. A stage of less work than one shard is left to the local pool at once. After an
 * interruption the same command continues: it waits for arrays that still run, merges what they leave, and submits
 * what is missing. */
#ifndef ASSAY_ENGINE_H
#define ASSAY_ENGINE_H

#include "pool/execute.h"

enum engine { ENGINE_LOCAL, ENGINE_SLURM, ENGINE_FILES };

struct engine_request {
    enum engine engine;
    const char *folder;              /* the folder of the shards; all machines see it under this path */
    double seconds;                  /* seconds of work in a shard */
    double timeout, memory;          /* the limits of a cell. timeout: seconds; memory: MiB */
    long running;                    /* the most shards that run at once; 0: any number */
    int tries;                       /* how often a cell is tried at most if it crashes, or runs out of time or
                                        memory; at least 1 */
    const char *arguments;           /* arguments for sbatch; NULL: none */
    const char *const *options;      /* options of `assay work`, without --method; ends with NULL. The jobs load the
                                        methods that this process has loaded */
    char *const *again;              /* the command line that a job continues with, which ends with NULL; NULL: this
                                        process waits */
    const char *commit;              /* the commit of this program */
};

/* Lets other machines run the cells that the store of *x lacks, and merges their records into this store. For the
 * merge the store is closed and opened again, so that x->store changes. x->detached <- true if this process does
 * not wait: the array is submitted, and a job that continues. x->interrupted <- true if the arrays were cancelled.
 * REFUSED: Slurm does not answer. IO_ERROR: also if merged records contradict those of the store
 * (store_contradicts). */
enum status engine_stage(const struct engine_request *q, struct execution *x, const char *store, struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - runs the cells of a stage on other machines: packs them into shards, which are run by Slurm, by the
 * user or by another scheduler.
 *
 * The engine waits for the shards and merges their records into the store; then the worker processes of this
 * machine run the cells that are left, as they do without an engine. A stage with less work than one shard is left
 * to these processes at once. If the command is interrupted and given again, it waits for Slurm's job arrays that
 * still run, merges what they leave, and submits what is missing. */
#ifndef ASSAY_ENGINE_H
#define ASSAY_ENGINE_H

#include "pool/execute.h"

enum engine { ENGINE_LOCAL, ENGINE_SLURM, ENGINE_FILES };

struct engine_request {
    enum engine engine;
    const char *folder;              /* the folder of the shards; all machines see it under this path */
    double seconds;                  /* expected seconds of work that go into one shard */
    double timeout, memory;          /* the most that a cell may take. timeout: seconds; memory: MiB */
    long running;                    /* the most shards that run at once; 0: any number */
    int tries;                       /* how often a cell is run by shards at most, if it crashes or runs out of time
                                        or memory; at least 1 */
    const char *arguments;           /* arguments for sbatch; NULL: none */
    const char *const *options;      /* options of `assay work`, without --method; ends with NULL. The jobs load the
                                        methods that this process has loaded */
    char *const *again;              /* a command line, ended by NULL, that a job runs after the arrays to continue;
                                        NULL: this process waits instead */
    const char *commit;              /* the commit of this program */
};

/* Lets other machines run those cells of x that the store lacks, and merges their records into the store. store:
 * its path; for the merge it is closed and opened again, so that x->store changes. x->detached <- true if this
 * process does not wait: it has submitted the arrays, and a job that continues when they have ended. x->interrupted
 * <- true if the arrays were cancelled. REFUSED: Slurm does not answer, or refuses a job. BAD_INPUT: in the last
 * try hosts refused shards and no shard was run. DAMAGED: a store is damaged, or merged records contradict those
 * that the store has. */
enum status engine_stage(const struct engine_request *q, struct execution *x, const char *store, struct why *why);

#endif

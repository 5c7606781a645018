/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - the cells of a stage on other machines: as shards that Slurm runs, or that somebody else does.
 *
 * A stage is an array of shards, waited for and merged into the store; then the local pool runs what is left, as it
 * does without an engine. A stage of less work than one shard is left to the local pool at once. The same command
 * goes on after a cut: it waits for arrays that still run, merges what they leave, and submits what is missing. */
#ifndef ASSAY_ENGINE_H
#define ASSAY_ENGINE_H

#include "pool/execute.h"

enum engine { ENGINE_LOCAL, ENGINE_SLURM, ENGINE_FILES };

struct engine_request {
    enum engine engine;
    const char *folder;              /* of the shards; all machines see it under this path */
    double seconds;                  /* of a shard */
    double timeout, memory;          /* of a cell: seconds; MiB */
    long running;                    /* at most so many shards at once; 0: any number */
    int tries;                       /* of a shard whose cells crash, run out of time or memory; at least 1 */
    const char *arguments;           /* of sbatch; NULL: none */
    const char *const *options;      /* of `assay work`, ends with NULL */
    char *const *again;              /* detach: the command line that goes on, ends with NULL; NULL: wait here */
    const char *commit;              /* of this program */
};

/* Brings into the store of *x what other machines make of the cells that it lacks. The store is closed while it is
 * merged into, and opened again: x->store changes. x->detached: the array is submitted, and a job that goes on.
 * x->interrupted: the arrays are cancelled. REFUSED: Slurm does not answer. IO_ERROR: also store_contradicts. */
enum status engine_stage(const struct engine_request *q, struct execution *x, const char *store, struct why *why);

#endif

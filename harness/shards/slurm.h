/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.h - calls the programs of Slurm: sbatch, squeue, scancel, scontrol. No library of Slurm is linked. */
#ifndef ASSAY_SLURM_H
#define ASSAY_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include "status.h"

enum { SLURM_ID = 32 };
/* An array of jobs, or one job. */
struct slurm_job {
    const char *name, *log;          /* log: sbatch's --output */
    const char *arguments;           /* more options of sbatch, quoted as in a shell; NULL: none */
    const char *exclude;             /* hosts, between commas, that the jobs do not go to; "": none */
    const char *after;               /* ids of jobs, between colons, that must have ended before; "": none */
    long first, last, running;       /* first, last: indices of the array; last 0: there is one job and no array.
                                        running: the most jobs that run at once; 0: any number */
    const char *script;              /* path of the script */
};

/* *most <- the largest index that an array may have. REFUSED: there is no Slurm here, or the controller does not
 * answer. */
enum status slurm_most(long *most, struct why *why);
/* id <- the id of the array. REFUSED: sbatch refused it; the sentence has its words. */
enum status slurm_submit(const struct slurm_job *j, char id[SLURM_ID], struct why *why);
/* *jobs <- how many of the jobs with these ids, between commas, wait or run. REFUSED: the controller does not
 * answer. */
enum status slurm_alive(const char *ids, long *jobs, struct why *why);
void slurm_cancel(const char *ids);

#endif

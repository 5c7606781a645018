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
    const char *name, *folder, *log; /* what the job prints goes to FOLDER/LOG; log may have the patterns of
                                        sbatch's --output, folder has none */
    const char *arguments;           /* further options for sbatch, quoted as in a shell; NULL: none */
    const char *exclude;             /* hosts, with commas between them, on which the jobs must not run; "": none */
    const char *after;               /* ids of jobs, with colons between them, that must have ended before this one
                                        starts; "": none */
    long first, last, running;       /* first, last: indices of the array; last 0: there is one job and no array.
                                        running: the most jobs that run at once; 0: any number */
    const char *script;              /* path of the script that each job runs */
};

/* *most <- the largest index that Slurm allows in a job array. REFUSED: there is no Slurm here, or the controller
 * does not answer. */
enum status slurm_most(long *most, struct why *why);
/* Submits *j; id <- the id of the job or array. BAD_INPUT: j->arguments cannot be split into words. REFUSED: sbatch
 * refused it; *why has its words. */
enum status slurm_submit(const struct slurm_job *j, char id[SLURM_ID], struct why *why);
/* *jobs <- how many jobs with these ids (with commas between them) are waiting or running. REFUSED: the controller
 * does not answer. */
enum status slurm_alive(const char *ids, long *jobs, struct why *why);
void slurm_cancel(const char *ids);

#endif

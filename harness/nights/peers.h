/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.h - the times of other programs for the same work: the file that `make peers` writes
 * (tests/peers/peers_table.py), for the report. No verdict depends on it. */
#ifndef ASSAY_PEERS_H
#define ASSAY_PEERS_H

#include <stdbool.h>
#include "status.h"

#define PEERS_FILE "results/peers.csv"

/* A piece of work, done by this program and by another one. */
struct peer {
    char work[128], peer[128], version[64];
    char checked[200];               /* which answers were compared before timing, and were equal */
    char skipped[200];               /* why the work was not done, the other members then being empty; else "" */
    char date[32], machine[128], commit[64];
    double ours, theirs;             /* seconds of the processor */
    double off, allowed;             /* how far the two answers differ, and may differ; NaN: they are compared
                                        otherwise than by a number */
};

struct peers {
    struct peer *of;                 /* [n] as the file has them; free() it */
    int n;
};

/* Reads the file; where there is no such file the list is empty. BAD_INPUT names file, line and column; IO_ERROR.
 * The list is empty after an error, too. */
enum status peers_read(const char *path, struct peers *p, struct why *why);

#endif

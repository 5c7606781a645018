/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.h - what other programs take for the same work: the file that `make peers` writes
 * (tests/peers/peers_table.py), for the report. No verdict knows of it. */
#ifndef ASSAY_PEERS_H
#define ASSAY_PEERS_H

#include <stdbool.h>
#include "status.h"

#define PEERS_FILE "results/peers.csv"

/* A piece of work, done by this program and by another one. */
struct peer {
    char work[128], peer[128], version[64];
    char checked[200];               /* what was found equal first */
    char skipped[200];               /* why it was not done; then nothing more is known. "" */
    char date[32], machine[128], commit[64];
    double ours, theirs;             /* seconds of the processor */
    double off, allowed;             /* how far the answers differ; NaN: there is nothing to subtract */
};

struct peers {
    struct peer *of;                 /* [n] as the file has them; free() it */
    int n;
};

/* No such file: none. BAD_INPUT: `FILE:LINE: COLUMN: ...`; IO_ERROR. Then there are none, too. */
enum status peers_read(const char *path, struct peers *p, struct why *why);

#endif

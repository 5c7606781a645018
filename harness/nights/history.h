/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - what the runs of a store came to, night by night. */
#ifndef ASSAY_HISTORY_H
#define ASSAY_HISTORY_H

#include "nights/baseline.h"
#include "store/store.h"

struct night {
    long run;
    char started[24], commit[64];
    struct standings standings;      /* of one profile */
};

enum { NIGHTS = 60 };                /* so many are shown */

struct history { struct night *night; int nights; };     /* oldest first */

/* The newest `most` runs of the store that left standings of the profile. A line that cannot be read, of
 * another version, is passed over. */
enum status history_read(struct store *s, const char *profile, int most, struct history *h,
                         struct why *why);
void history_free(struct history *h);
/* Adds what a run came to. IO_ERROR. */
enum status history_write(struct store *s, long run, const struct standings *list, struct why *why);

#endif

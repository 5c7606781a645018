/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape_state.h - what tape*.c share. */
#ifndef ASSAY_TAPE_STATE_H
#define ASSAY_TAPE_STATE_H

#include "oracle/oracle_state.h"
#include "oracle/tape.h"

enum { CHARGES_MAX = 4 };
enum tape_kind { EVENT_PAY, EVENT_SAMPLES, EVENT_NOISE, EVENT_MARK };

struct tape_event {
    enum tape_kind kind;
    union {
        struct { int n; struct charge c[CHARGES_MAX]; } pay;
        struct ticket ticket;
        size_t mark;                         /* in the pool */
        struct {
            struct ledger_entry entry;
            bool given[TAPE_ARGUMENTS];
            enum max_rule rule;
            bool keyed;
            uint64_t serial;             /* of the ticket; 0: none */
            double occurrences;          /* of the record, in the first data set */
            long d, released;            /* values before noise; released ones */
            size_t at;                   /* in the pool: value, arguments, released */
        } noise;
    };
};

/* What a noise call released, [noise.released]. */
static inline double *tape_released(const struct tape *t, const struct tape_event *e)
{
    int given = e->noise.given[0] + e->noise.given[1] + e->noise.given[2];
    return t->pool + e->noise.at + (size_t)(e->noise.d * (1 + given));
}

/* Can the likelihood of a run with this release be written? keyed: of tape_value. Not of draws with replacement, of
 * subsets and epochs, nor of what is hidden, nor of streams on Poisson samples. */
static inline bool tape_loss_written(const struct ledger_entry *e, bool keyed)
{
    bool fixed = e->scheme == SAMPLING_FRESH || e->scheme == SAMPLING_ALL;
    return !keyed && !e->hidden && (fixed || (e->scheme == SAMPLING_POISSON && !e->stream));
}

#endif

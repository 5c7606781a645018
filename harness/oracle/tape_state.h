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

/* The first leak stays; any but a change ends the comparison. */
__attribute__((format(printf, 3, 4)))
void tape_note_leak(struct tape *t, enum leak leak, const char *format, ...);
/* The second run cannot be compared from here on: it ends as if its budget had. */
bool tape_parted(struct oracle *o);
/* A new event of the recording, or NULL: no memory, the run is refused. */
struct tape_event *tape_event_new(struct oracle *o, enum tape_kind kind);
/* The next event of the first run if it is of this kind; else the runs have parted. */
const struct tape_event *tape_event_next(struct oracle *o, enum tape_kind kind);
/* Appends v[d] to the pool; false: no memory, the run is refused. */
bool tape_keep(struct oracle *o, long d, const double *v);
/* The second run's Poisson samples lack a record: their size is no secret kept from the oracle but
 * from the world. */
bool tape_poisson(const struct oracle *o);

#endif

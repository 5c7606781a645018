/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape_state.h - the events of a tape, for tape.c, which records them, and for code that computes likelihoods from
 * them. */
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
        size_t mark;                         /* index in the pool where the marked point begins */
        struct {
            struct ledger_entry entry;
            bool given[TAPE_ARGUMENTS];  /* which arguments (struct tape_value) of the noise call were not NULL */
            enum max_rule rule;
            bool keyed;
            uint64_t serial;             /* serial number of the release's ticket; 0: no ticket */
            double occurrences;          /* how often the record in which the data sets differ is in the ticket, in
                                            the first data set; 1 without a ticket */
            long d, released;            /* lengths of the value before noise and of the release */
            size_t at;                   /* index in the pool where the value before noise begins; arguments and
                                            release follow it */
        } noise;
    };
};

/* Returns the released numbers of a noise call, [noise.released]. */
static inline double *tape_released(const struct tape *t, const struct tape_event *e)
{
    int given = e->noise.given[0] + e->noise.given[1] + e->noise.given[2];
    return t->pool + e->noise.at + (size_t)(e->noise.d * (1 + given));
}

/* Can the likelihood of a run with this release be computed? keyed: as in struct tape_value. It cannot for keyed
 * maxima, hidden noise, draws with replacement, subsets, epochs, and streams on Poisson samples. */
static inline bool tape_loss_written(const struct ledger_entry *e, bool keyed)
{
    bool fixed = e->scheme == SAMPLING_FRESH || e->scheme == SAMPLING_ALL;
    return !keyed && !e->hidden && (fixed || (e->scheme == SAMPLING_POISSON && !e->stream));
}

#endif

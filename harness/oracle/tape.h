/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.h - what passes between an algorithm and its oracle, call by call. Recorded in a first
 * run and held against a second one on a neighbouring data set, in which every booked release
 * that is not hidden is forced to the value of the first. What may differ then are points asked
 * and values before noise, those by the sensitivity that was declared; everything else is a
 * leak. Audits keep the releases alone, and hear what stands behind them under other data. */
#ifndef ASSAY_TAPE_H
#define ASSAY_TAPE_H

#include "privacy/ledger.h"
#include "oracle.h"

enum tape_mode {
    TAPE_RECORD,             /* keeps everything */
    TAPE_REPLAY,             /* forces releases, compares, ends the run where calls differ */
    TAPE_WATCH,              /* keeps releases, and which one the record took part in first */
    TAPE_FORCE               /* forces the releases kept; keeps the values before their noise */
};

/* What a second run shows. X(id, words) */
#define LEAKS_LIST(X)                                                                   \
    X(NONE,     "no leak")                                                              \
    X(CALL,     "another call, or one of another size")                                 \
    X(SAMPLES,  "other samples are asked")                                              \
    X(NOISE,    "another argument of a noise call")                                     \
    X(NUMBER,   "fewer or more calls")                                                  \
    X(CHANGE,   "the value before noise changes by more than its declared sensitivity") \
    X(ANSWER,   "the answer depends on data that no release has passed")                \
    X(COUNTS,   "another number of free operations")                                    \
    X(MARK,     "a mark depends on data that no release has passed")                    \
    X(SIZE,     "who is in a secret sample is told, by its size or by places in it")

enum leak {
#define X(id, words) LEAK_##id,
    LEAKS_LIST(X)
#undef X
    LEAKS
};
const char *leak_words(enum leak leak);

enum { TAPE_SITE = 40, TAPE_SITES = 16, TAPE_LARGEST = 8 };

/* Releases of one site: changes before noise over sensitivity times occurrences of the record. */
struct tape_site {
    char name[TAPE_SITE];
    long released, touched;          /* calls; those in which the record occurs */
    double ratio;                    /* worst; infinite: changed without occurring */
    double failure;                  /* declared probability, largest */
    long exceeded;                   /* of calls with a declared failure: ratio above 1 */
    bool hidden;                     /* all are: no promise is made of them */
};

/* A record that entered a batch: its largest share |w_i| |clipped gradient| in a sum. */
struct tape_share {
    long record, place;              /* place in stream order; -1: of a random draw */
    double share, norm;              /* norm before clipping: of equal shares the larger counts */
};

struct tape_event;
struct tape {
    enum tape_mode mode;
    size_t limit;                    /* bytes; 0: none */
    bool full;                       /* it was reached, and the run refused */

    struct tape_event *event;
    long events, event_room;
    double *pool;                    /* arguments, values before noise, released values */
    size_t used, room;
    long at;                         /* event being recorded or compared; a call's number less 1 */

    struct tape_site site[TAPE_SITES];
    int sites;
    struct tape_stream { long id; double *change; long d; } *stream;
    int streams;
    enum leak leak;                  /* the first one ... */
    long call;                       /* ... at this call, from 1; 0: after the last */
    char what[160];
    bool sampled;                    /* a Poisson sample was drawn */
    bool coins;                      /* runs differ in who is drawn alone: no value may change */
    bool lacking;                    /* a Poisson sample lacked the record: counts differ by it */
    bool hiding;                     /* hidden noise was met: marks are no promise from here on */
    long marked;                     /* the first mark that differs, a call's number; 0: none */
    bool apart;                      /* the runs have parted: nothing more is compared */

    struct tape_share largest[TAPE_LARGEST];     /* recorded, falling; share 0: none */
    double first;                    /* the share of place 0 */

    double *seen;                    /* watched: [seen_d] the release; NULL: none yet */
    long seen_d;
    bool watching;
    bool deaf;                       /* watched: its loss cannot be written, so that nothing more is kept */
    double *heard;                   /* forced: [used], in place of the first run's values */
};

void tape_free(struct tape *t);
/* Back to the first call, to be compared with a second run. */
void tape_rewind(struct tape *t);
/* Back to the first release, to be forced on another run, which writes to heard. */
void tape_force(struct tape *t, double *heard);
/* After the second run: did it stop early? */
void tape_end(struct tape *t);
/* If nothing else has leaked, a mark may have: the least of leaks, as marks are answers only of
 * runs that their budget ends. */
void tape_end_marks(struct tape *t);
/* Ratios above this are a leak: 1, and what rounding may add. */
#define TAPE_RATIO 1.000000001

/* --- hooks; o->tape is not NULL */

struct charge;
void tape_pay(struct oracle *o, int n, const struct charge *c);
void tape_samples(struct oracle *o, const struct ticket *t);
/* A mark of o->d coordinates. */
void tape_mark(struct oracle *o, const double *x);
/* Shares of single records in what is asked. */
void tape_batch(struct oracle *o, const struct batch *q);

/* A noise call before its noise. */
enum { TAPE_ARGUMENTS = 3 };
struct tape_value {
    const struct release *release;
    const struct ledger_entry *entry;
    long d;
    const double *v;                 /* [d] before noise */
    /* [d] each or NULL, of a noisy maximum: units of the scores, their noise, candidates. */
    const double *argument[TAPE_ARGUMENTS];
    enum max_rule rule;              /* of a noisy maximum */
    bool keyed;                      /* ... by another order than that of its noisy scores */
};
void tape_noise(struct oracle *o, const struct tape_value *v);
/* ... and after it: v[d] is recorded, or replaced by what the first run released. */
void tape_release(struct oracle *o, long d, double *v);

#endif

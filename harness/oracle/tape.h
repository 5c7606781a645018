/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.h - a recording of the calls between an algorithm and its oracle. A first run is recorded and compared with
 * a second run on a neighbouring data set (replay), in which every booked release that is not hidden is forced to
 * the value of the first run. The points that are asked may then differ, and so may values before noise, by up to
 * the declared sensitivity; any other difference is a leak. Audits record releases only. They force these releases
 * on runs on other data, and so learn the values before noise that would have stood behind the same releases. */
#ifndef ASSAY_TAPE_H
#define ASSAY_TAPE_H

#include "privacy/ledger.h"
#include "oracle.h"

enum tape_mode {
    TAPE_RECORD,             /* records everything */
    TAPE_REPLAY,             /* forces releases, compares calls, ends the run where they differ */
    TAPE_WATCH,              /* records releases, and the first one in which the record may take part */
    TAPE_FORCE               /* forces the recorded releases and keeps the values before their noise */
};

/* The kinds of leaks that a second run can show. X(id, words) */
#define LEAKS_LIST(X)                                                                   \
    X(NONE,     "no leak")                                                              \
    X(CALL,     "another call, or a call of another size")                              \
    X(SAMPLES,  "other samples are used")                                               \
    X(NOISE,    "a noise call has another argument")                                    \
    X(NUMBER,   "fewer or more calls")                                                  \
    X(CHANGE,   "the value before noise changes by more than its declared sensitivity") \
    X(ANSWER,   "the answer depends on data that were not released")                    \
    X(COUNTS,   "another number of free operations")                                    \
    X(MARK,     "a mark depends on data that were not released")                        \
    X(SIZE,     "a secret sample shows who is in it, by its size or by places in it")

enum leak {
#define X(id, words) LEAK_##id,
    LEAKS_LIST(X)
#undef X
    LEAKS
};
/* Returns the words of the list above. */
const char *leak_words(enum leak leak);

/* TAPE_SITE: bytes of a site's name; TAPE_SITES: how many sites are told apart; TAPE_LARGEST: how many shares are
 * kept. */
enum { TAPE_SITE = 40, TAPE_SITES = 16, TAPE_LARGEST = 8 };

/* The releases of one site. A ratio is the change of the value before noise, divided by sensitivity times
 * occurrences of the record. */
struct tape_site {
    char name[TAPE_SITE];
    long released, touched;          /* released: number of calls; touched: how many of these the record occurs
                                        in */
    double ratio;                    /* the largest ratio; infinite: the value changed although the record does not
                                        occur */
    double failure;                  /* the largest declared failure probability */
    long exceeded;                   /* calls with a declared failure whose ratio is above 1 */
    bool hidden;                     /* all releases are hidden: nothing is compared */
};

/* A record of a batch, with its largest share |w_i| |clipped gradient| in a sum. */
struct tape_share {
    long record, place;              /* place in stream order; -1: drawn at random */
    double share, norm;              /* norm before clipping, which decides between equal shares */
};

struct tape_event;
struct tape {
    enum tape_mode mode;
    size_t limit;                    /* bytes; 0: no limit */
    bool full;                       /* the limit was reached and the run is refused */

    struct tape_event *event;
    long events, event_room;
    double *pool;                    /* arguments, values before noise, released values */
    size_t used, room;
    long at;                         /* the event that is recorded or compared, which is the number of the call less
                                        1 */

    struct tape_site site[TAPE_SITES];
    int sites;
    struct tape_stream { long id; double *change; long d; } *stream;     /* change: [d] the difference of the two
                                                                            runs' sums, or iterates, so far */
    int streams;
    enum leak leak;                  /* the first leak */
    long call;                       /* the call of the first leak, counted from 1; 0: after the last call */
    char what[160];
    bool sampled;                    /* a Poisson sample was drawn */
    bool coins;                      /* the runs differ only in whether the record is drawn: no value may change */
    bool lacking;                    /* a Poisson sample lacked the record: counts may differ by the cost of the
                                        record */
    bool hiding;                     /* hidden noise was added: from here on marks are not compared */
    long marked;                     /* the call number of the first mark that differs; 0: none */
    bool apart;                      /* the second run has departed from the first: nothing more is compared */

    struct tape_share largest[TAPE_LARGEST];     /* TAPE_RECORD: the largest shares, in falling order; share 0:
                                                    none */
    double first;                    /* the largest share of the record at place 0 of the stream order */

    double *seen;                    /* TAPE_WATCH: [seen_d] the first release in which the record may take part;
                                        NULL: none yet */
    long seen_d;
    bool watching;                   /* TAPE_WATCH: the release of the present noise call is to be kept in `seen` */
    bool deaf;                       /* TAPE_WATCH: the privacy loss of the run cannot be computed, so that nothing
                                        more is recorded */
    double *heard;                   /* TAPE_FORCE: [used] the values before noise of the present run, laid out as
                                        in `pool` */
};

void tape_free(struct tape *t);
/* Goes back to the first call, for comparison with a second run. */
void tape_rewind(struct tape *t);
/* Goes back to the first release, for forcing the releases on another run, which writes its values before noise to
 * heard. */
void tape_force(struct tape *t, double *heard);
/* Is called after the second run, and notes a leak if that run has stopped early. */
void tape_end(struct tape *t);
/* Notes a leak by a mark if there is no other leak. It counts least of all leaks: a mark is an answer only of a run
 * that is ended by its budget. */
void tape_end_marks(struct tape *t);
/* Ratios above this are a leak: 1, and a margin for rounding. */
#define TAPE_RATIO 1.000000001

/* --- hooks that the oracle calls where o->tape is not NULL */

struct charge;
/* Records or compares the charges c[n] of one question. */
void tape_pay(struct oracle *o, int n, const struct charge *c);
/* Records or compares a ticket whose samples are evaluated. */
void tape_samples(struct oracle *o, const struct ticket *t);
/* Records or compares a mark x[d], d = o->d. */
void tape_mark(struct oracle *o, const double *x);
/* Records the share of single records in a batch. */
void tape_batch(struct oracle *o, const struct batch *q);

/* A noise call before its noise is added. */
enum { TAPE_ARGUMENTS = 3 };
struct tape_value {
    const struct release *release;
    const struct ledger_entry *entry;
    long d;
    const double *v;                 /* [d] before noise */
    /* for a noisy maximum, [d] each or NULL: units of the scores, scales of their noise, numbers of
     * candidates */
    const double *argument[TAPE_ARGUMENTS];
    enum max_rule rule;              /* for a noisy maximum */
    bool keyed;                      /* candidates are compared by a function (key) of their noisy scores */
};
/* Records, compares or keeps the call, by the mode of the tape. */
void tape_noise(struct oracle *o, const struct tape_value *v);
/* Is called after tape_noise, when the noise has been added: v[d] is recorded, or is replaced by what the first run
 * released. */
void tape_release(struct oracle *o, long d, double *v);

#endif

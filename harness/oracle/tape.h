/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.h - a recording of the calls between an algorithm and its oracle. A first run is recorded and compared with
 * a second run on a neighbouring data set (replay), in which every booked release that is not hidden is forced to
 * the value of the first run. The points at which the oracle is asked may then differ, and so may values before
 * noise, by up to the declared sensitivity; any other difference is a leak. An audit records releases only. It
 * forces these releases on a run on other data, and so learns the values before noise that this run would have had
 * with the same releases. */
#ifndef ASSAY_TAPE_H
#define ASSAY_TAPE_H

#include "privacy/ledger.h"
#include "oracle.h"

enum tape_mode {
    TAPE_RECORD,             /* records everything */
    TAPE_REPLAY,             /* forces releases, compares calls, ends the run where they differ */
    TAPE_WATCH,              /* records releases; in `seen` the first one whose ticket may hold the record in which
                                the data sets differ */
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
/* Returns the words of LEAKS_LIST for a kind of leak. */
const char *leak_words(enum leak leak);

/* A site is a line of a method that releases something, by the name that it gives (struct release). TAPE_SITE:
 * bytes of this name; TAPE_SITES: how many sites are told apart; TAPE_LARGEST: how many records with large shares
 * are kept. */
enum { TAPE_SITE = 40, TAPE_SITES = 16, TAPE_LARGEST = 8 };

/* What a replay saw of the releases of one site. A ratio is the norm of the difference between the two runs in the
 * value before noise, divided by sensitivity times occurrences of the record in which the data sets differ. */
struct tape_site {
    char name[TAPE_SITE];
    long released, touched;          /* released: number of calls; touched: how many of these the record occurs
                                        in */
    double ratio;                    /* the largest ratio; infinite: the value changed although the record does not
                                        occur */
    double failure;                  /* the largest declared failure probability */
    long exceeded;                   /* touched calls with a declared failure whose ratio is above 1 */
    bool hidden;                     /* all releases are hidden, and none is a step of an iteration: their changes
                                        are not compared */
};

/* A record i with the largest share that it has in the sum of a batch in this run: |w_i| times the norm of its
 * clipped gradient. */
struct tape_share {
    long record, place;              /* place in stream order; -1: drawn at random */
    double share, norm;              /* norm before clipping, which decides between equal shares */
};

struct tape_event;
struct tape {
    enum tape_mode mode;
    size_t limit;                    /* the most bytes that the tape may take; 0: no limit */
    bool full;                       /* the limit was reached, so that the run is refused */

    struct tape_event *event;
    long events, event_room;
    double *pool;                    /* [room], of which `used` are used: values before noise, arguments, released
                                        values and marked points */
    size_t used, room;
    long at;                         /* index in `event` of the call that is compared; while recording, the number
                                        of events */

    struct tape_site site[TAPE_SITES];
    int sites;
    struct tape_stream { long id; double *change; long d; } *stream;     /* a stream of prefix sums, or hidden
                                                                            steps, by its number id; change: [d] the
                                                                            difference between the two runs' sums,
                                                                            or iterates, so far */
    int streams;
    enum leak leak;                  /* the first leak */
    long call;                       /* the call of the first leak, counted from 1; 0: after the last call */
    char what[160];
    bool sampled;                    /* a Poisson sample was drawn in the run */
    bool coins;                      /* the second run is on the same data, and differs only in whether Poisson
                                        samples hold the record: no value before noise may change */
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
    bool watching;                   /* TAPE_WATCH: the noise call between tape_noise and tape_release is the one
                                        whose release is kept in `seen` */
    bool deaf;                       /* TAPE_WATCH: the privacy loss of the run cannot be computed, so that nothing
                                        more is recorded */
    double *heard;                   /* TAPE_FORCE: [used] the values before noise of the present run, laid out as
                                        in `pool` */
};

void tape_free(struct tape *t);
/* Sets a recorded tape to TAPE_REPLAY and to its first call, for comparison with a second run. */
void tape_rewind(struct tape *t);
/* Goes back to the first release, for forcing the releases on another run, which writes its values before noise to
 * heard. */
void tape_force(struct tape *t, double *heard);
/* For the caller of a replay, after the second run: notes a leak if that run has made fewer calls than the
 * first. */
void tape_end(struct tape *t);
/* Notes a leak if a mark differed and nothing else did. Another leak takes precedence, since a mark becomes an
 * answer only where a smaller budget ends the run there. */
void tape_end_marks(struct tape *t);
/* Ratios above this are a leak: 1, and a margin for rounding. */
#define TAPE_RATIO 1.000000001

/* --- hooks that the oracle calls where o->tape is not NULL */

struct charge;
/* Records the charges c[n] of one question, or compares them with those of the first run. */
void tape_pay(struct oracle *o, int n, const struct charge *c);
/* Records a ticket whose samples are evaluated, or compares it with that of the first run. */
void tape_samples(struct oracle *o, const struct ticket *t);
/* Records a mark x[d], d = o->d, or compares it with that of the first run. */
void tape_mark(struct oracle *o, const double *x);
/* TAPE_RECORD: updates the list `largest` with the shares of the records of a batch (struct tape_share). */
void tape_batch(struct oracle *o, const struct batch *q);

/* A noise call, shown to the tape before its noise is added. */
enum { TAPE_ARGUMENTS = 3 };
struct tape_value {
    const struct release *release;
    const struct ledger_entry *entry;
    long d;
    const double *v;                 /* [d] before noise */
    /* for a noisy maximum over d blocks, [d] each or NULL: weights of the scores, scales of their noise, numbers of
     * candidates (struct candidates) */
    const double *argument[TAPE_ARGUMENTS];
    enum max_rule rule;              /* of a noisy maximum: the law of its noise */
    bool keyed;                      /* candidates are compared by a function (key) of their noisy scores */
};
/* Records the call, compares it with that of the first run, or keeps its value before noise in `heard`, by the mode
 * of the tape. */
void tape_noise(struct oracle *o, const struct tape_value *v);
/* The second half of a noise call, after tape_noise and the adding of noise: the noisy v[d] is recorded or, if it
 * is not hidden, replaced by what the first run released. */
void tape_release(struct oracle *o, long d, double *v);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_state.h - the state behind api/oracle.h and api/noise.h, for the rooms oracle/ and run/ and for
 * tests. */
#ifndef ASSAY_ORACLE_STATE_H
#define ASSAY_ORACLE_STATE_H

#include <math.h>

#include "algo.h"
#include "privacy/ledger.h"
#include "oracle/oracle_ahead.h"
#include "problem.h"
#include "oracle/tape.h"

/* How the data set of this run differs from the data set of the problem: in one record (replay, audits), or by many
 * absent records (one-run audits). */
enum neighbour_kind { NEIGHBOUR_SAME, NEIGHBOUR_NULL, NEIGHBOUR_REPLACE, NEIGHBOUR_REMOVE,
                      NEIGHBOUR_ABSENT };
struct neighbour {
    enum neighbour_kind kind;
    /* NULL: record i answers zero. REPLACE: record i answers as record `with` (-1 and -2 are the canaries). REMOVE:
     * record i is gone, which means that it answers zero in a batch, whose size is fixed, and that the objective as
     * a whole is a mean over n - 1 records. */
    long i, with;
    /* ABSENT: of the records below i those with absent[record] set answer zero. */
    const unsigned char *absent;
    /* Poisson samples: COIN_DRAWN as they are drawn, COIN_IN with record i in all of them, COIN_OUT in none.
     * Samples of rate 0 or 1, which leave no choice, are not changed. */
    enum { COIN_DRAWN, COIN_IN, COIN_OUT } coin;
    bool negated;                /* REPLACE: record i answers with the negative of record `with` */
};

/* Returns the record that answers in place of `record`; NEIGHBOUR_NONE: the answer is zero. */
enum { NEIGHBOUR_NONE = -3 };
static inline long neighbour_record(const struct neighbour *n, long record)
{
    if (n->kind == NEIGHBOUR_ABSENT)
        return record >= 0 && record < n->i && n->absent[record] ? NEIGHBOUR_NONE
                                                                            : record;
    if (n->kind == NEIGHBOUR_SAME || record != n->i)
        return record;
    return n->kind == NEIGHBOUR_REPLACE ? n->with : NEIGHBOUR_NONE;
}

/* Returns the factor, 1 or -1, with which the answer in place of `record` is multiplied. */
static inline double neighbour_sign(const struct neighbour *n, long record)
{
    return n->negated && record == n->i ? -1 : 1;
}

/* Which marks are measured: none, a few whose numbers of batch steps grow in geometric progression, or all. */
enum trace_mode { TRACE_NONE, TRACE_GEOMETRIC, TRACE_EVERY };

/* Columns of a measured mark: the counts of MARKED_LIST, and as last column the family's ruler, its first measure.
 * A record always keeps the first MARK_ALWAYS counts, and the others where they are not 0. */
#define MARKED_LIST(X) X(batch_steps) X(sample_grads) X(full_grads) \
                       X(project_0) X(smooth_grads) X(passes) X(piece_grads)
enum { MARK_COLUMNS = 8, MARK_ALWAYS = 3 };
struct marks {
    enum trace_mode mode;
    double next;             /* the number of batch steps from which on a mark is measured next */
    double *row;             /* [rows][MARK_COLUMNS] the measured marks */
    long rows, room;
};

/* Last value, minimum, maximum, sum and count so far, of a note or of a measure of point sets. */
struct tally { double last, min, max, sum, count; };

/* The most forks within one another, notes of a method, and measures of point sets of a family. */
enum { FORK_DEPTH = 16, NOTES_MAX = 32, SET_MEASURES_MAX = 8 };
/* A fork of the run into parallel branches: batch steps and depth at the fork, and the most of each at the end of a
 * branch so far. */
struct fork { double steps, depth, most_steps, most_depth; };

/* Positions begin..end-1 of the stream of samples, each evaluated in `visits` rounds. */
struct span { long begin, end; double visits; };
struct spans {
    struct span *at;                 /* [count], disjoint and in ascending order */
    long count, room;
    uint32_t *table;                 /* [length] in how many rounds each of the positions base, base + 1, ..., which
                                        no span covers, was evaluated */
    long base, length;
};
/* Counts one more round for positions begin..end-1; returns the largest number of rounds of one of them. */
double spans_visit(struct spans *s, long begin, long end);
void spans_free(struct spans *s);

/* A fresh ticket of stored records that is used several times in a row. `rounds` is the number of its uses that are
 * not yet in the visit counters of its records (`visited` of struct oracle); `top` is the largest of these
 * counters. */
struct repeated { struct ticket of; double top, rounds; };

/* A kind of samples of a shared model (problem.h): the gradients of `count` samples have the term v in coordinate j
 * beside what all samples share; `record` is one of these samples. */
struct sample_kind { long j, record; double v, count; };

/* The samples of one ticket by kind (struct sample_kind). They are counted when the ticket is used a second
 * time. */
struct kinds {
    struct ticket of;            /* of.count = 0: no ticket yet */
    bool counted, many;          /* counted: the kinds have been counted; many: there are so many kinds that the
                                    samples are taken one by one */
    long n;
    struct sample_kind *at;             /* [n] */
    int *slot;                   /* hash table of positions in `at` plus 1; 0: empty */
};

/* The draws of random records that were handed out as tickets, by rising serial number; a ticket that a method uses
 * is compared with its draw. */
struct draw { enum sampling scheme; uint64_t serial; double q; long from, of, count; };
struct draw_list { struct draw *at; long n, room; };

struct oracle {
    /* the problem and what may be asked of it */
    const struct problem *problem;
    const void *self;
    const struct facts *facts;
    unsigned calls;              /* questions that the method has declared: enum calls */
    long d;
    double p;                    /* number of coordinates that the d entries of x represent */
    bool stored;                 /* the samples are stored records, n is finite; false: a stream */
    struct neighbour neighbour;
    bool once;                   /* stored records serve as a stream: each is taken once, and questions about
                                  * all records are refused */
    bool aggregate;              /* fresh tickets are answered by the exact law of their mean where the family
                                  * has one */

    /* costs */
    struct counts counts, budget;
    struct counts expected;      /* the expected cost of Poisson samples, of which `counts` holds the true cost */
    bool counting, spent;        /* counting: count mode; spent: nothing more can be paid, the run is over */
    bool unrecorded;             /* a pass without a record: marks, estimates and visited points are not
                                  * measured */
    struct tape *tape;           /* NULL: calls are not recorded */
    const char *refused;         /* why this instance cannot answer the run; NULL: it can */
    struct fork fork[FORK_DEPTH];
    int forks;

    /* samples and random numbers */
    struct rng data, sampling, noise;    /* `data` is that of the instance, equal for all methods; the others follow
                                            from the cell's seed */
    uint64_t serial;             /* number of the next ticket, probe or noise call */
    long position;               /* position of the next fresh sample */
    long *order;                 /* [n] the seeded order in which stored records are taken */
    uint32_t *visited;           /* [n] rounds in which each stored record was evaluated; whole passes and
                                    `repeated` are not included */
    struct repeated repeated;
    struct kinds kinds;
    struct spans spans;          /* of a stream, in place of `visited`: the number of rounds in which each position
                                    was evaluated */
    struct members *members;     /* the latest random draws */
    struct draw_list drawn;
    long streams;                /* number of prefix-noise streams begun so far */
    struct ahead probes, noises; /* directions and noise drawn ahead */
    double most_visited, whole_visits;   /* most_visited: the largest number in `visited` so far; whole_visits: the
                                            number of rounds that took all records */

    /* scratch vectors, [d] each, but for directions [directions_room(d)][d] and rows [block][d], a block of rows
     * drawn from a stream */
    double *sum, *one, *at, *directions, *rest, *rows;
    long block;                  /* number of rows of a linear model in one block */
    bool far;                    /* the rows do not fit the caches: while a block is used, the next one is
                                    prefetched */
    long group;                  /* number of rows in one group: while a group is added the next is scored; 0: rows
                                    are added block by block */

    /* measurements */
    struct ledger ledger;
    double clip_seen, clipped, clip_mass, clip_largest;  /* clip_seen: how many gradients, or numbers of probes,
                                                            clipping saw; clipped: how many of them it changed;
                                                            clip_mass: the sum of the distances by which it moved
                                                            them; clip_largest: the largest norm it saw */
    double *answer;              /* [d] the point of the last mark */
    bool marked;                 /* there is a mark */
    const struct walk *unwritten; /* the walk in which the last mark still stands; NULL: it stands in `answer` */
    struct marks marks;
    struct tally note[NOTES_MAX];
    struct tally set_measure[SET_MEASURES_MAX];
    struct tally estimate;       /* of oracle_estimate: |g - grad F(x)|^2 */
    double *visit;               /* [visits][d] the points of oracle_visit since the last oracle_close */
    long visits, visit_room;
    void (*see)(void *ctx, double part);     /* called at every mark, with the part of the run that is done, 0 to 1;
                                                may be NULL */
    void *see_ctx;
    double rounds;               /* number of batch steps that the method plans to take in the run; 0: unknown */
};

/* Opens an oracle over one instance. Scratch memory comes from the arena a, memory for measurements from malloc.
 * data: the random stream that the instance was made with; seed: the cell's seed; calls: the allowed questions, ~0u
 * for all. */
void oracle_open(struct oracle *o, const struct problem *problem, const void *self,
                 const struct facts *facts, unsigned calls, const struct rng *data,
                 uint64_t seed, struct arena *a);
void oracle_release(struct oracle *o);
/* The parts of oracle_open and oracle_release that concern samples; base: the random stream of the cell's seed. */
void oracle_samples_open(struct oracle *o, const struct rng *base, struct arena *a);
void oracle_samples_free(struct oracle *o);

enum { DIRECTIONS_LEAST = 16, DIRECTIONS_MOST = 64, DIRECTIONS_NUMBERS = 1024 };
/* Returns how many directions of R^d are drawn together: as many as have DIRECTIONS_NUMBERS numbers in total, which
 * fit the first-level cache, but at least DIRECTIONS_LEAST, so that the fixed cost of a call is small beside the
 * cost of drawing them. For one sample at most DIRECTIONS_MOST are drawn together, the size of arrays on the stack.
 * With fewer numbers the fixed cost shows; more would leave the cache. */
static inline long directions_room(long d)
{
    long room = DIRECTIONS_NUMBERS / (d > 0 ? d : 1);
    return room < DIRECTIONS_LEAST ? DIRECTIONS_LEAST : room;
}

/* Every question to the oracle begins with the functions below. They are inline because charging for a question may
 * cost at most 10 ns. */
struct charge { enum count kind; double amount; };

/* Can the budget pay for these charges? If not, the run is over and nothing is charged. */
static inline bool oracle_affords(struct oracle *o, int n, const struct charge *c)
{
    for (int k = 0; k < n; k++)
        if (o->counts.of[c[k].kind] + c[k].amount > o->budget.of[c[k].kind])
            o->spent = true;
    return !o->spent && !o->refused;
}

/* Charges c[n], all of them or, where the budget does not suffice, none. Returns whether they were charged. */
static inline bool oracle_pay(struct oracle *o, int n, const struct charge *c)
{
    if (!oracle_affords(o, n, c))
        return false;
    for (int k = 0; k < n; k++)
        o->counts.of[c[k].kind] += c[k].amount;
    if (o->tape)
        tape_pay(o, n, c);
    return true;
}

/* Checks that the algorithm has declared one of the kinds of question in `call` (enum calls); an undeclared
 * question is a bug. */
static inline void oracle_expect(const struct oracle *o, unsigned call)
{
    BUG_IF(!(o->calls & call));
}

/* Refuses the run if the samples are stored records and run.once = 1, the setting by which each of them is taken at
 * most once. For questions that use all records at once or may draw a record twice. */
static inline void oracle_expect_reuse(struct oracle *o)
{
    if (o->once && o->stored)
        o->refused = "records were asked for again, or all of them, and run.once = 1 lets each be taken once";
}

/* g += a grad f(x; record), where on a neighbouring data set another record may answer in its place
 * (neighbour_record). In deterministic families every sample answers with the whole gradient. */
void oracle_one_gradient(struct oracle *o, long record, const double *x, double a, double *g);
/* v += a q->a[p] times the gradient that batch q asks of the record at its point p: at a blurred point, or of the
 * Moreau envelope, where q says so. */
void oracle_asked_gradient(struct oracle *o, const struct batch *q, long record, int p, double a,
                           double *v);
/* Returns the number of stored entries that one evaluation of all samples of a ticket reads. */
double oracle_nonzeros(const struct oracle *o, const struct ticket *t);
static inline bool ticket_same(const struct ticket *a, const struct ticket *b)
{
    return a->serial == b->serial && a->first == b->first && a->count == b->count;
}
/* Checks a ticket: one that this oracle has not handed out, or whose members were changed since, is a bug of the
 * algorithm. */
void oracle_check(const struct oracle *o, const struct ticket *t);
/* Checks a ticket and counts one more round in which its samples are evaluated. */
void oracle_visited(struct oracle *o, const struct ticket *t);
/* Returns the number of records that a Poisson sample is drawn from. */
static inline double ticket_among(const struct oracle *o, const struct ticket *t)
{
    return t->of ? (double)t->of : o->facts->n;
}
/* Returns the weight of one sample in the mean over a ticket: 1/count, of a Poisson sample 1 over the expected
 * size. */
static inline double ticket_even(const struct oracle *o, const struct ticket *t)
{
    return 1 / (t->scheme == SAMPLING_POISSON ? t->q * ticket_among(o, t) : (double)t->count);
}
/* Returns the record at position k of a ticket. */
long oracle_record(const struct oracle *o, const struct ticket *t, long k);
/* Returns the records at positions from, ..., from + m - 1 of a ticket: as a part of a list that is valid until the
 * next draw, or as a list in room[m]. */
struct samples oracle_behind(const struct oracle *o, const struct ticket *t, long from, long m, long *room);
/* record[m] <- the records at positions from, ..., from + m - 1 of a ticket. */
void oracle_records(const struct oracle *o, const struct ticket *t, long from, long m, long *record);
/* Returns the ticket of the next draw of b stored records with replacement; the caller has paid for it. */
struct ticket oracle_replaced(struct oracle *o, long b);
/* Returns the point of the last mark, [d]; NULL: nothing was marked. */
const double *oracle_answer(struct oracle *o);
/* Adds the value v to a tally. A NaN becomes minimum and maximum for good. */
void tally_add(struct tally *t, double v);

#endif

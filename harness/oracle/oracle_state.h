/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_state.h - what stands behind api/oracle.h and api/noise.h; for oracle*.c, noise*.c and the
 * runner only. */
#ifndef ASSAY_ORACLE_STATE_H
#define ASSAY_ORACLE_STATE_H

#include <math.h>

#include "algo.h"
#include "privacy/ledger.h"
#include "oracle/oracle_ahead.h"
#include "problem.h"
#include "oracle/tape.h"

/* The data set seen by this run differs from the problem's in one record (see design: replay). */
enum neighbour_kind { NEIGHBOUR_SAME, NEIGHBOUR_NULL, NEIGHBOUR_REPLACE, NEIGHBOUR_REMOVE,
                      NEIGHBOUR_ABSENT };
struct neighbour {
    enum neighbour_kind kind;
    /* Record i answers zero (null), answers as record `with` (replace; -1, -2: canaries), or is
     * gone (remove): zero in a batch, whose size is fixed, and the whole is a mean over n - 1. */
    long i, with;
    /* Absent: of the records below i those marked answer zero; one-run audits. */
    const unsigned char *absent;
    /* Poisson samples: as drawn, or with record i in all of them, or in none; never at rates that
     * leave no choice, 0 and 1. */
    enum { COIN_DRAWN, COIN_IN, COIN_OUT } coin;
    bool negated;                /* replace: by the negative of record `with` */
};

/* The record that answers for `record`; none: the answer is zero. */
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

/* What an answer of `record` is multiplied by. */
static inline double neighbour_sign(const struct neighbour *n, long record)
{
    return n->negated && record == n->i ? -1 : 1;
}

enum trace_mode { TRACE_NONE, TRACE_GEOMETRIC, TRACE_EVERY };

/* Measured marks: counts, of which a record keeps the first three, and others where they are not 0;
 * last, the family's ruler. */
#define MARKED_LIST(X) X(batch_steps) X(sample_grads) X(full_grads) \
                       X(project_0) X(smooth_grads) X(passes) X(piece_grads)
enum { MARK_COLUMNS = 8, MARK_ALWAYS = 3 };
struct marks {
    enum trace_mode mode;
    double next;             /* batch steps at which a mark is measured next */
    double *row;             /* [rows][MARK_COLUMNS] */
    long rows, room;
};

/* Running reductions of notes and of closed point sets. */
struct tally { double last, min, max, sum, count; };

enum { FORK_DEPTH = 16, NOTES_MAX = 32, SET_MEASURES_MAX = 8 };
struct fork { double steps, depth, most_steps, most_depth; };

/* Positions begin..end-1 of the stream, each evaluated in `visits` rounds. */
struct span { long begin, end; double visits; };
struct spans {
    struct span *at;                 /* [count], in order */
    long count, room;
    uint32_t *table;                 /* [length] tallies of positions base, ..., of which no span speaks */
    long base, length;
};
/* One more round for begin..end-1; returns the largest tally among them. */
double spans_visit(struct spans *s, long begin, long end);
void spans_free(struct spans *s);

/* A ticket of stored records that is asked again: `rounds` times since it was tallied, when `top`
 * was the largest tally among its records. */
struct again { struct ticket of; double top, rounds; };

/* Samples of a shared model (problem.h) with the same entry, `count` of them, one of which is
 * `record`. */
struct sample_kind { long j, record; double v, count; };

/* Those of one ticket, once it is asked again. */
struct kinds {
    struct ticket of;            /* count 0: none yet */
    bool counted, many;          /* many: too many kinds to be worth it */
    long n;
    struct sample_kind *at;             /* [n] */
    int *slot;                   /* hash table of positions + 1 */
};

/* Random draws handed out, by rising serial: what a ticket of theirs must say. */
struct draw { enum sampling scheme; uint64_t serial; double q; long from, of, count; };
struct draw_list { struct draw *at; long n, room; };

struct oracle {
    /* what is asked */
    const struct problem *problem;
    const void *self;
    const struct facts *facts;
    unsigned calls;              /* what may be asked: enum calls */
    long d;
    double p;                    /* coordinates that x[d] stands for */
    bool stored;                 /* finite n: records, not a stream */
    struct neighbour neighbour;
    bool once;                   /* stored records serve as a stream; what needs all is refused */
    bool aggregate;              /* fresh tickets are answered by the exact law where there is one */

    /* what it costs */
    struct counts counts, budget;
    struct counts expected;      /* of `counts`, what Poisson samples cost on average */
    bool counting, spent;
    bool unrecorded;             /* a pass: what would be measured goes nowhere */
    struct tape *tape;           /* NULL: nobody listens */
    const char *refused;         /* the run asked what this instance cannot answer */
    struct fork fork[FORK_DEPTH];
    int forks;

    /* which samples */
    struct rng data, sampling, noise;    /* DATA is shared by all algorithms, the others are the cell's */
    uint64_t serial;
    long position;               /* next fresh sample */
    long *order;                 /* [n] seeded order of stored records */
    uint32_t *visited;           /* [n] rounds per stored record beyond whole passes and `again` */
    struct again again;
    struct kinds kinds;
    struct spans spans;          /* of a stream */
    struct members *members;     /* random sets, orders */
    struct draw_list drawn;
    long streams;                /* of prefix noise, begun so far */
    struct ahead probes, noises; /* directions, noise */
    double most_visited, whole_visits;

    /* scratch, d each; rows: a block of drawn ones */
    double *sum, *one, *at, *directions, *rest, *rows;
    long block;                  /* rows of a linear model that go together */
    bool far;                    /* they come from memory: a block is fetched during the last one */
    long group;                  /* as many are added while the next are scored; 0: blocks in turn */

    /* what is measured */
    struct ledger ledger;
    double clip_seen, clipped, clip_mass, clip_largest;
    double *answer;              /* the last mark */
    bool marked;
    const struct walk *late;     /* it stands there, and is written when asked for; NULL: it is */
    struct marks marks;
    struct tally note[NOTES_MAX];
    struct tally set_measure[SET_MEASURES_MAX];
    struct tally estimate;       /* |g - grad F|^2 */
    double *visit;
    long visits, visit_room;
    void (*see)(void *ctx, double part);     /* called at marks; NULL: nobody looks */
    void *see_ctx;
    double rounds;               /* batch steps the method means to take; 0: not known */
};

/* A fresh oracle over one problem instance; memory from a (scratch) and malloc (measuring).
 * data: the stream the instance was made with; seed: the cell's; calls: ~0u for all. */
void oracle_open(struct oracle *o, const struct problem *problem, const void *self,
                 const struct facts *facts, unsigned calls, const struct rng *data,
                 uint64_t seed, struct arena *a);
void oracle_release(struct oracle *o);
void oracle_samples_open(struct oracle *o, const struct rng *base, struct arena *a);
void oracle_samples_free(struct oracle *o);

enum { DIRECTIONS_LEAST = 16, DIRECTIONS_MOST = 64, DIRECTIONS_NUMBERS = 1024 };
/* Directions that are drawn together, of R^d: of what fits the first cache, as many as hide what a call
 * costs. Of one sample at most DIRECTIONS_MOST. */
static inline long directions_room(long d)
{
    long room = DIRECTIONS_NUMBERS / (d > 0 ? d : 1);
    return room < DIRECTIONS_LEAST ? DIRECTIONS_LEAST : room;
}

/* What every question begins with; inline, because a counted call may cost 10 ns beyond its work.
 * */
struct charge { enum count kind; double amount; };

/* Would these be paid? If not, the run is over, and nothing was charged. */
static inline bool oracle_affords(struct oracle *o, int n, const struct charge *c)
{
    for (int k = 0; k < n; k++)
        if (o->counts.of[c[k].kind] + c[k].amount > o->budget.of[c[k].kind])
            o->spent = true;
    return !o->spent && !o->refused;
}

/* Charges several kinds at once, all or nothing. */
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

/* A call the algorithm has not declared is a bug. */
static inline void oracle_expect(const struct oracle *o, unsigned call)
{
    BUG_IF(!(o->calls & call));
}

/* A question about all records at once, or draws that meet one again: `once` refuses it. */
static inline void oracle_expect_reuse(struct oracle *o)
{
    if (o->once && o->stored)
        o->refused = "records were asked for again, or all of them, and run.once = 1 lets each be taken once";
}

/* a grad f(x; record) added to g, with the neighbour's record in place; deterministic families
 * answer with the whole gradient. */
void oracle_one_gradient(struct oracle *o, long record, const double *x, double a, double *g);
/* v += a a_p times what q asks of the record at its point p, blurred or enveloped as q says. */
void oracle_asked_gradient(struct oracle *o, const struct batch *q, long record, int p, double a,
                           double *v);
/* Entries that one look at the samples of a ticket touches. */
double oracle_nonzeros(const struct oracle *o, const struct ticket *t);
static inline bool ticket_same(const struct ticket *a, const struct ticket *b)
{
    return a->serial == b->serial && a->first == b->first && a->count == b->count;
}
/* Tickets are values; one that this oracle has not handed out, or that says something else than it
 * did then, is a bug of the algorithm. */
void oracle_check(const struct oracle *o, const struct ticket *t);
/* Tallies one more round for the samples of a ticket; oracle_visited checks it first. */
void oracle_tally(struct oracle *o, const struct ticket *t);
void oracle_visited(struct oracle *o, const struct ticket *t);
/* The same of a draw with replacement from stored data, of these records. Nobody listens. */
void oracle_tally_drawn(struct oracle *o, long m, const long *record);
/* Records of which a Poisson sample may be made. */
static inline double ticket_among(const struct oracle *o, const struct ticket *t)
{
    return t->of ? (double)t->of : o->facts->n;
}
/* The weight of one sample in a mean. */
static inline double ticket_even(const struct oracle *o, const struct ticket *t)
{
    return 1 / (t->scheme == SAMPLING_POISSON ? t->q * ticket_among(o, t) : (double)t->count);
}
/* The record behind position k of a ticket. */
long oracle_record(const struct oracle *o, const struct ticket *t, long k);
/* Those behind m positions from, ...: of a list, which stands until the next draw, or of room[m]. */
struct samples oracle_behind(const struct oracle *o, const struct ticket *t, long from, long m, long *room);
/* record[m] <- the same */
void oracle_records(const struct oracle *o, const struct ticket *t, long from, long m, long *record);
/* The next draw of b stored records with replacement, paid for already. */
struct ticket oracle_replaced(struct oracle *o, long b);
/* Would a mark now be measured? If not, where p stands may be written later, if at all. */
bool oracle_mark_due(const struct oracle *o);
void oracle_mark_later(struct oracle *o, const struct walk *p);
void oracle_walk_write(const struct walk *p, double *x);
/* The last mark; NULL: none. */
const double *oracle_answer(struct oracle *o);
void tally_add(struct tally *t, double v);

#endif

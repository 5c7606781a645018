/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle.h - all questions that an algorithm may ask. Every question is charged before it is
 * answered, so that a diverging run pays too, and the oracle owns the budget. A call that returns
 * false has left its outputs untouched, and the run is over: return what you have.
 *
 * Rounds. One call that evaluates something is one batch step (one adaptive round), whatever the
 * number of samples and points it asks for; this is what makes "batch steps" countable. Questions in
 * parallel branches are joined by oracle_fork / oracle_branch / oracle_join. */
#ifndef ASSAY_ORACLE_H
#define ASSAY_ORACLE_H

#include <stdbool.h>
#include "arena.h"
#include "rng.h"
#include "vec.h"

struct oracle;

/* --- counts: doubles, exact integers below 2^53. X(name, doc) */
#define COUNTS_LIST(X)                                                              \
    X(sample_grads,  "gradients of one sample at one point")                        \
    X(sample_values, "values of one sample at one point")                           \
    X(directions,    "random directions along which one sample was asked for values")   \
    X(full_grads,    "gradients of the whole objective")                            \
    X(full_values,   "values of the whole objective")                               \
    X(passes,        "passes over all records or all pieces")                       \
    X(coords,        "partial derivatives of one sample")                           \
    X(nonzeros,      "stored entries touched")                                      \
    X(piece_values,  "values of one piece of a maximum")                            \
    X(piece_grads,   "gradients of one piece of a maximum")                         \
    X(smooth_grads,  "gradients of the smooth part")                                \
    X(prox,          "proximal steps of the simple part")                           \
    X(prox_coords,   "proximal steps of one coordinate")                            \
    X(linear_mins,   "linear minimisations over the feasible set")                  \
    X(project_0,     "projections on set 0, the feasible set")                      \
    X(project_1,     "projections on set 1")                                        \
    X(project_2,     "projections on set 2")                                        \
    X(project_3,     "projections on set 3")                                        \
    X(batch_steps,   "adaptive rounds, the longest branch where branches are parallel") \
    X(depth,         "computational depth in vector operations, declared by oracle_depth") \
    X(issued,        "queries issued in rounds of many points")                     \
    X(consumed,      "of these, queries whose answer was used")                     \
    X(taken,         "samples handed out by oracle_take and oracle_draw")             \
    X(max_visits,    "largest number of times one sample was evaluated; all points of a round are one")          \
    X(noise_gauss,   "Gaussian noise vectors released or hidden")                   \
    X(noise_laplace, "Laplace noise values")                                        \
    X(noise_max,     "noisy maxima")                                                \
    X(noise_tree,    "nodes of correlated noise")                                   \
    X(draws,         "estimator draws")

enum count {
#define X(name, doc) COUNT_##name,
    COUNTS_LIST(X)
#undef X
    COUNT_KINDS
};

struct counts { double of[COUNT_KINDS]; };
const char *count_name(int count);
const char *count_doc(int count);

/* --- the problem of the run */
long oracle_dim(const struct oracle *o);
/* Returns the radius of the feasible ball, infinite for all of R^d; the definition of the problem makes it
 * public. */
double oracle_radius(const struct oracle *o);
/* Returns how many fresh samples the run may still take; infinite if nothing bounds it. */
double oracle_left(const struct oracle *o);

/* Blocks. Returns c[d], where c[j] is the number of coordinates that entry j of x represents at the start of the
 * run; NULL: one each. The coordinates of a block have the same x_j, derivative and constants, so that the largest
 * of their noisy scores is drawn at once (noise_choose), and 2^40 coordinates cost only what is visited. Two rules
 * say what happens when a single coordinate moves. First, a block may be followed by entries with c[j] = 0, which
 * are free places. A coordinate that is to move alone leaves the block for the next free place, in order, where it
 * begins at the block's x_j; if no place is left, call oracle_refuse. Second, a block that no entry with c[j] = 0
 * follows consists of coordinates on which the objective does not depend, whatever x_j is: a step on them changes
 * nothing and is not made. The oracle charges a block for all of its coordinates. */
const double *oracle_multiplicity(const struct oracle *o);

/* --- samples: a ticket stands for indices, and can be evaluated at any number of points */
enum sampling {
    SAMPLING_FRESH,          /* disjoint, in stream order (stored data: in a seeded order) */
    SAMPLING_REPLACE,        /* uniform with replacement */
    SAMPLING_ALL,            /* every record once */
    SAMPLING_POISSON,        /* each record with probability q, independently */
    SAMPLING_SUBSET,         /* uniform of fixed size, without replacement */
    SAMPLING_SHUFFLED        /* every record once, in a random order: an epoch */
};

struct ticket {
    long first, count;       /* the samples at positions first, ..., first + count - 1: of the stream with
                                SAMPLING_FRESH, else of the draw */
    enum sampling scheme;
    uint64_t serial;         /* number of the draw: tickets with equal serials hold the same samples */
    double q;                /* SAMPLING_POISSON: the rate, else 0 */
    long from, of;           /* SAMPLING_POISSON, SAMPLING_REPLACE: drawn from the samples at
                              * positions from, ..., from + of - 1 of the stream; of = 0: from all
                              * records */
    bool aggregated;         /* true: the mean over the ticket is drawn from its exact law, which a stream with the
                                setting run.aggregate = 1 may have. Such a ticket has no parts, no clipping, no
                                weights and no sample values. A method that needs these sets it to false */
};

/* Takes b fresh samples, disjoint from all that were taken before. Returns false if fewer are left, or the budget
 * is spent. */
bool oracle_take(struct oracle *o, long b, struct ticket *t);
/* Draws b independent samples of the objective's law: of a stream fresh ones, of stored data records with
 * replacement, each with the same probability (with run.once = 1 fresh ones there too). */
bool oracle_draw(struct oracle *o, long b, struct ticket *t);
/* Makes b draws, uniform with replacement, from the samples of a fresh ticket or of a part of one, of stored data
 * or of a stream. The ticket serves as a data set, for methods that draw repeatedly from what they took once. The
 * drawn samples are not counted as taken; those of a stream do not count for the largest number of visits either.
 * The call is refused for stored data with run.once = 1. */
bool oracle_draw_from(struct oracle *o, const struct ticket *block, long b, struct ticket *t);
/* Takes every record of stored data. */
bool oracle_all(struct oracle *o, struct ticket *t);
/* Draws a random ticket of stored data: oracle_poisson takes each record with probability q, 0 <= q <= 1. The draw
 * is the same for neighbouring data sets, except for the record in which they differ. It is refused for a stream,
 * and with run.once = 1. t->count is random and may be 0. The count is secret, also where records are zeroed:
 * amplification by sampling holds only if nobody learns who is drawn. Every mean over such a ticket therefore
 * divides by q n, and every ticket is released exactly once, whatever its size: if a draw is released twice or not
 * at all, the run has no amplification, and replay reports what else differs between neighbours. Budgets are
 * charged the expected size; counts have the true one. */
bool oracle_poisson(struct oracle *o, double q, struct ticket *t);
/* Draws a Poisson sample among the records of a fresh ticket only: means divide by q block->count, and no other
 * record pays for what is released. The records are not counted as taken again. */
bool oracle_poisson_of(struct oracle *o, const struct ticket *block, double q, struct ticket *t);
/* Takes b of n records without replacement, 1 <= b <= n. As after oracle_poisson, each ticket is released once. */
bool oracle_subset(struct oracle *o, long b, struct ticket *t);
/* Takes all n records in a new random order. The parts of the ticket are the batches of an epoch; who uses the
 * ticket again has an epoch in the same order. */
bool oracle_shuffle(struct oracle *o, struct ticket *t);
/* Returns the ticket of the samples from, ..., from + count - 1 of a ticket. Poisson samples and subsets have no
 * parts. */
struct ticket ticket_part(const struct ticket *t, long from, long count);

/* --- The one gradient primitive:  g = sum_i w_i clip( sum_k a_k grad f(x_k; s_i) ).
 * Each sample may also be asked at a point drawn for it, or for a smoothed loss. */
enum clip { CLIP_NONE, CLIP_NORM, CLIP_COORDS };

struct batch {
    const struct ticket *ticket;
    int points;                      /* k = 0..points-1 */
    const double *const *x;          /* [points][d] */
    const double *a;                 /* [points]; NULL: all 1 */
    const double *w;                 /* [count]; NULL: 1/count; of a Poisson sample 1/(q n) */
    enum clip clip;
    double C;                        /* with CLIP_NORM; infinite: nothing is clipped */
    const double *C_j;               /* CLIP_COORDS, [d] */
    double *g;                       /* [d] <- the sum */
    /* blur > 0: sample i is evaluated at x_k + blur z, where z ~ N(0, I) comes from substream i of `draws` and is
     * the same for all k and for neighbouring data sets. */
    double blur;
    const struct rng *draws;
    /* envelope > 0: asks for the gradient of the Moreau envelope min_v f(v; s_i) + (envelope/2)|v - x|^2,
     * which is not longer than L, computed by the closed form of the proximal point of one sample;
     * refused where there is none. Charged as a gradient. */
    double envelope;
};

/* Costs ticket->count * points sample gradients and one batch step. The record of the run, but not the algorithm,
 * gets what clipping did: the fraction of gradients that it changed (clip.fraction), the mean distance by which it
 * moved a gradient (clip.mass) and the largest norm that it saw (clip.largest). */
bool oracle_batch(struct oracle *o, const struct batch *q);
/* For private methods: g[d] <- the mean of the gradients at x over a ticket, each clipped to norm C. */
static inline bool oracle_clipped(struct oracle *o, const struct ticket *t, const double *x,
                                  double C, double *g)
{
    return oracle_batch(o, &(struct batch){ .ticket = t, .points = 1, .x = &x, .clip = CLIP_NORM,
                                            .C = C, .g = g });
}
/* g[d] <- the mean of b independent sample gradients at x: oracle_draw and oracle_batch in one. */
bool oracle_sgrad(struct oracle *o, long b, const double *x, double *g);

/* --- an iterate that moves only by x <- P(x - eta g), P the projection on the feasible set, and the
 * mean of its values. A step costs what oracle_sgrad and oracle_project cost; on sparse rows of a
 * linear model its time is proportional to the entries touched. Here eta is the step length, and g the mean
 * gradient of a batch. */
struct walk;
/* Returns a walk with batches of b samples. average: the answer is the mean of x_1, ..., x_t (for t = 0 the start);
 * otherwise it is x_t. To be called before arena_seal. */
struct walk *oracle_walk(struct oracle *o, long b, bool average, struct arena *w);
void walk_begin(struct walk *p, const double *x);                /* starts at x[d] */
/* Makes a step and marks its answer. Returns false when the run must end, as every question does. */
bool walk_step(struct walk *p, double eta);
void walk_end(const struct walk *p, double *x);                  /* x[d] <- the answer */

/* --- values along random directions, the zeroth-order primitive:
 *     g = sum_i w_i sum_{j<m} clamp( sum_k a_k f(x_k + r_k u_ij; s_i), bound ) u_ij
 * with u_ij uniform on the unit sphere, the same at every point. */
struct probe {
    const struct ticket *ticket;
    int points;                      /* at most 8 */
    const double *const *x;          /* [points][d] */
    const double *a, *r;             /* [points] */
    int directions;                  /* number m of directions per sample */
    const double *w;                 /* [count]; NULL as in a batch */
    double clamp;                    /* a bound >= 0 to which |sum_k a_k f| is clamped; INFINITY or NaN: none */
    double *g;                       /* [d] <- the sum */
};

/* Costs m directions for each sample of the ticket, as many sample values at each point, and one batch step. */
bool oracle_probe(struct oracle *o, const struct probe *q);
/* *f <- sum_i w_i f(x; s_i); w NULL: as in a batch. Costs t->count sample values and one batch step. */
bool oracle_values(struct oracle *o, const struct ticket *t, const double *w, const double *x, double *f);

/* --- A round of many queries, as a value. Query i asks for one fresh sample gradient at point(ctx, i), a pure
 * function of ctx, which must not change as long as the round is used (a changed point is a bug, which is checked).
 * All m queries are charged, in one batch step, before the first answer is seen. Answers are recomputed whenever
 * they are used, free of charge and with the same bits in any order. */
typedef void (*point_fn)(const void *ctx, long i, double *x);

struct round {
    struct ticket ticket;
    long m;
    point_fn point;
    const void *ctx;                 /* must outlive the round unchanged */
    long used;                       /* the answers 0, ..., used - 1 have been used */
    uint64_t calls, last_row;        /* for the oracle, which checks whether ctx has changed */
    const struct cloud *cloud;       /* set by oracle_cloud, else NULL */
};

bool oracle_round(struct oracle *o, long m, point_fn point, const void *ctx, struct round *q);
/* g += sum_k w_k (answer of query first+k), k < count; w NULL: all 1. work: d doubles. Answers are
 * counted as consumed at first use, in increasing order. */
void round_add(struct oracle *o, struct round *q, long first, long count, const double *w,
               double *work, double *g);

/* A round around one centre: query i is at centre + scale z_i, where `rows` computes z_i whenever it is used.
 * Weights may then depend on <u, z_i>, where u is a vector given to cloud_add. It is computed from z_i itself: the
 * point has lost digits of z_i to the centre. Rows are processed in blocks. A cloud is charged like any round, and
 * round_add may be used with it too. The struct must outlive the round unchanged. */
struct cloud {
    void (*rows)(const void *ctx, long first, long m, double *z);     /* z[m*d] <- z_first, ... */
    const void *ctx;
    const double *centre;            /* [d] */
    double scale;                    /* the factor of z_i, in units of x */
};
enum { CLOUD_ROWS = 32 };
/* w[m] <- the weights of m <= CLOUD_ROWS rows, each a function of ctx and of the row's score <u, z_k>, which is in
 * w[k] at the call; u is the vector given to cloud_add. */
typedef void (*weigh_fn)(void *ctx, long m, double *w);

bool oracle_cloud(struct oracle *o, long m, const struct cloud *c, struct round *q);
/* Returns the number of doubles that cloud_add needs as work. */
long cloud_work(long d);
/* g += sum_k w_k (answer of query first+k), k < count, in the order of the rows. Scores have the bits
 * of linear_scores; u[d] NULL: the weights use no scores. */
void cloud_add(struct oracle *o, struct round *q, long first, long count, const double *u,
               weigh_fn weigh, void *ctx, double *work, double *g);

/* --- The objective as a whole: *f <- F(x), g[d] <- grad F(x). Each question is one batch step; of stored data it
 * is also n sample values or sample gradients and one pass. */
bool oracle_value(struct oracle *o, const double *x, double *f);
bool oracle_grad(struct oracle *o, const double *x, double *g);

/* --- Coordinate cursor: an iterate with cached margins or residuals, whose steps take O(column) time. The cursor
 * begins at the origin. A step asks no question and takes nothing from the budget; the stored entries that it
 * touches are added to the count `nonzeros`. */
struct point;
struct point *oracle_point(struct oracle *o, struct arena *w);   /* call it before arena_seal */
void   point_set(struct point *p, const double *x);              /* moves the cursor to x[d] */
const double *point_at(const struct point *p);                   /* returns the cursor's x[d] */
void   point_add(struct point *p, long j, double step);          /* x_j += step */
/* *partial <- the mean over the n records of partial derivative j at the cursor, each clamped to [-clip_j[j],
 * clip_j[j]]; clip_j[d] NULL: no clipping. Costs n partial derivatives and one batch step. */
bool   point_coord(struct point *p, long j, const double *clip_j, double *partial);
/* g[d] <- the means that point_coord gives for the d coordinates. Costs n * d partial derivatives, one pass and one
 * batch step. */
bool   point_grad(struct point *p, const double *clip_j, double *g);

/* --- F = max of N pieces. To ask for all values v[N] is one pass, N piece values and one batch step; to ask for
 * the value *f or a subgradient g[d] of piece i is one of its kind and one batch step. */
long oracle_pieces(const struct oracle *o);
bool oracle_piece_values(struct oracle *o, const double *x, double *v);
bool oracle_piece_value(struct oracle *o, long i, const double *x, double *f);
bool oracle_piece_grad(struct oracle *o, long i, const double *x, double *g);

/* --- F = smooth part + simple part. g[d] <- the gradient of the smooth part, which is charged as the objective as
 * a whole: of stored data n sample gradients and one pass. */
bool oracle_smooth_grad(struct oracle *o, const double *x, double *g);
/* Is there a simple part that samples and the derivatives of the coordinate cursor (oracle_point) leave out? If so,
 * a method that uses samples must handle it by oracle_prox; if not, the method need not declare CALL_PROX. */
bool oracle_composite(const struct oracle *o);
/* x[d] <- argmin over x of (simple part)(x) + |x - v|^2/(2t); x may be v. */
void oracle_prox(struct oracle *o, double t, const double *v, double *x);
/* Returns entry j of that argmin for v_j = v, where the simple part is a sum over coordinates. */
double oracle_prox_coord(struct oracle *o, double t, long j, double v);
/* Returns the contribution of coordinate j to the simple part at x_j = x; slopes[2] <- the left and right
 * derivatives of that contribution, which differ at a kink. The call is free, because the simple part holds no
 * data. Only where oracle_composite is true. */
double oracle_rest_coord(const struct oracle *o, long j, double x, double slopes[2]);
/* x[d] <- the nearest point of a set of the problem; set 0 is the feasible set. A projection on R^d is free and not
 * counted. */
void oracle_project(struct oracle *o, int set, double *x);
/* x[d] <- argmin over x in the feasible set of <g, x>. Returns false if the budget is spent. */
bool oracle_linear_min(struct oracle *o, const double *g, double *x);

/* A projection on a set that the method itself defines (vec_project_ball around an iterate) is computation, not a
 * question, and is not counted. */

/* --- Parallel branches: counts add up; batch steps and depth are those of the largest branch.
 *     oracle_fork(o); for each branch { oracle_branch(o); ... } oracle_join(o);
 * Forks nest at most 16 deep. */
void oracle_fork(struct oracle *o);
void oracle_branch(struct oracle *o);
void oracle_join(struct oracle *o);
/* Adds to the count `depth`: the vector operations of the method itself that must follow one another. */
void oracle_depth(struct oracle *o, double vector_operations);

/* Call this where a condition on which the answer's privacy or correctness rests does not hold. The run then has no
 * answer, and its outcome is REFUSED with this sentence (a literal). Of several calls the first gives the
 * sentence. */
void oracle_refuse(struct oracle *o, const char *sentence);

/* --- count mode: nothing is evaluated, and outputs are zero. An inner solver may be replaced by the
 * formula for its counts; a test compares the formula with the counters. */
bool oracle_counting(const struct oracle *o);
/* Adds to any counter. Returns false if the budget is spent. */
bool oracle_charge(struct oracle *o, enum count kind, double amount);

/* --- for measuring only, all free of charge */
/* Says: "If the run stopped now, x would be the answer." Of a private method x must follow from its releases;
 * replay checks this up to the first hidden noise. */
void oracle_mark(struct oracle *o, const double *x);
/* Says: "My estimate of grad F(x) is g." The square of its error is measured where the family knows grad F. */
void oracle_estimate(struct oracle *o, const double *x, const double *g);
/* Records a diagnostic that the algorithm declares in its `notes` table; note: its position there. */
void oracle_note(struct oracle *o, int note, double value);
/* A set of points for a certificate: oracle_visit collects x, oracle_close measures the set and empties it. */
void oracle_visit(struct oracle *o, const double *x);
void oracle_close(struct oracle *o);

#endif

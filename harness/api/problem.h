/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.h - a family of problems: data and objective, independent of the methods. A family is one
 * const struct; a NULL slot is an oracle that the family does not offer. Functions are pure in (self,
 * arguments): no state, no counting.
 *
 *     F(x) = E_s f(x; s)   or   (1/n) sum_i f(x; s_i),   over a feasible set
 *
 * Samples are indices. Of a stream every index i >= 0 exists (a hash of i: n = 1e9 costs no memory);
 * of stored data 0 <= i < n. Index -1 and -2 are the family's canary pair, if it has one. In all functions s_i is
 * sample i, and `self` the instance that `make` has built. */
#ifndef ASSAY_PROBLEM_H
#define ASSAY_PROBLEM_H

#include <stdbool.h>
#include "arena.h"
#include "facts.h"
#include "linear.h"
#include "param.h"
#include "rng.h"
#include "status.h"
#include "vec.h"

/* The samples at positions first, ..., first + count - 1 of a list. At position k is sample index[k]; index NULL:
 * sample k. */
struct samples {
    long first, count;
    const long *index;
};

static inline long sample_index(const struct samples *s, long k)
{
    return s->index ? s->index[s->first + k] : s->first + k;
}

/* How far a reported number may be from the truth. */
enum certainty { EXACT, CERTIFIED, ESTIMATED };

/* Something that only the harness may ask. *error (never NULL) <- 0 of an EXACT value, a bound of a CERTIFIED value
 * (the truth is in [value - error, value]), or the standard error of an ESTIMATED value. */
struct measure {
    const char *name, *unit, *doc;
    enum certainty certainty;
    double (*at)(const void *self, const double *x, double *error);
    /* The measure of the set of points x[m][d] that a run has collected (oracle_visit); NULL for measures of one
     * point. */
    double (*of_set)(const void *self, long m, const double *points, double *error);
};

/* A named convex set with a Euclidean projection. Set 0 is the feasible set. */
struct set {
    const char *name, *doc;
    void (*project)(const void *self, double *x);
};
enum { SETS_MAX = 4 };

/* Samples i >= 0 of the form f(x; s_i) = l(<a_i,x>, y_i) + r(x) with the same r: batches, clipped
 * or not, are then made of whole rows, and no sample's gradient is formed. */
struct linear_model {
    /* *A <- rows of m = s->count samples, m <= linear_block(d); room[m*d] for those that have to be drawn. */
    void (*rows)(const void *self, const struct samples *s, double *room, struct linear_rows *A);
    /* c[k] <- dl/dz, the derivative of l(z, y) at the score z = s[k] and the label y = y[k], k < m; c may be s. */
    void (*slopes)(const void *self, long m, const double *y, const double *s, double *c);
    /* v[k] <- l at the score s[k] and the label y[k], k < m; v may be s. */
    void (*values)(const void *self, long m, const double *y, const double *s, double *v);
    /* rest returns r(x); rest_grad adds its gradient, g[d] += a grad r(x). NULL: r = 0. */
    double (*rest)(const void *self, const double *x);
    void (*rest_grad)(const void *self, const double *x, double a, double *g);
    /* Returns c where r(x) = (c/2)|x|^2 and the feasible set is R^d or the centred ball of the fact radius: steps
     * on sparse rows then need not touch all of x. Returns NaN where this does not hold; NULL: it never holds. */
    double (*square)(const void *self);
    /* Rows i[m] will be asked for soon: prefetches their positions and labels. Changes no result. NULL:
     * nothing would be gained. */
    void (*expect)(const void *self, long m, const long *i);
};

/* Samples i >= 0 whose gradients differ in one coordinate, by a number that does not depend on x:
 * grad f(x; s_i) = h(x) + v_i e_(j_i). Batches are then clipped without forming a sample's gradient, and
 * a ticket that is asked again is answered from the counts of equal samples. */
struct shared_model {
    /* g[d] += a h(x) */
    void (*common)(const void *self, const double *x, double a, double *g);
    /* j[m], v[m] <- j_i and v_i of the samples i[m]. */
    void (*entries)(const void *self, long m, const long *i, long *j, double *v);
};

/* Entries of x that stand for several coordinates with the same derivatives and constants: blocks. */
struct blocks_model {
    /* c[d]: entry j of x stands for c_j coordinates; see oracle_multiplicity. Returns NULL where each entry stands
     * for one. */
    const double *(*multiplicity)(const void *self);
    /* Returns the number of entries of x for these parameters, before `make`: the cost of a run depends on it, not
     * on the parameter d. */
    long   (*entries)(const void *params);
};

/* The coordinate cursor (oracle_point): partial derivatives of F, with a cache that follows x. `set` fills the
 * cache for x, coord returns partial derivative j, and grad writes all d of them to g. clip_j bounds partial
 * derivative j of each record before averaging; NULL: no bound. */
struct cursor_model {
    size_t (*bytes)(const void *self);                               /* size of the cache */
    void   (*set)(const void *self, void *cache, const double *x);
    long   (*add)(const void *self, void *cache, long j, double step);  /* after x_j += step; returns the number of
                                                                           entries touched */
    double (*coord)(const void *self, const void *cache, long j, const double *clip_j);
    void   (*grad)(const void *self, const void *cache, const double *clip_j, double *g);
    double (*value)(const void *self, const void *cache);            /* called by tests only; NULL: none */
    long   (*nonzeros)(const void *self, long j);                    /* number of stored entries of column j, which
                                                                        `add` would touch */
};

/* F = max of N pieces. values: v[N] <- the values of all pieces; value returns that of piece i; grad adds a
 * subgradient h of piece i, g[d] += a h. */
struct pieces_model {
    void   (*values)(const void *self, const double *x, double *v);
    double (*value)(const void *self, long i, const double *x);
    void   (*grad)(const void *self, long i, const double *x, double a, double *g);
};

/* F = smooth + rest; a slot that is NULL is not offered. */
struct composite_model {
    double (*smooth_value)(const void *self, const double *x);
    void   (*smooth_grad)(const void *self, const double *x, double *g);
    /* prox: x[d] <- argmin over x of rest(x) + |x - v|^2/(2t). prox_coord returns entry j of that argmin for
     * v_j = v, where rest is a sum over coordinates. */
    void   (*prox)(const void *self, double t, const double *v, double *x);
    double (*prox_coord)(const void *self, double t, long j, double v);
    /* Returns the term of coordinate j of rest, which is a sum over coordinates, at x_j = x; slopes[2] <- its left
     * and right derivative. */
    double (*rest_coord)(const void *self, long j, double x, double slopes[2]);
    /* For families whose samples are of the smooth part alone: has this instance a rest that is not 0? If so, only
     * methods that ask for the prox may run on it. Batches, the cursor's derivatives and the facts M, M_F, M_j, L,
     * L_j, G, sigma are then of the samples, without the rest; value, grad and the facts mu, weak are of F;
     * smooth_value and smooth_grad exist and are the mean of the samples. NULL: samples are of F. */
    bool (*has_rest)(const void *self);
    /* Samples are of the rest alone: F = smooth + E f(x; s). Then only methods that ask for the smooth part may run
     * on the instance. The facts L, G, sigma are of the samples, M_smooth is of the smooth part; value, grad and
     * the facts mu, weak are of F. The family is a stream, and says nothing of neighbours. */
    bool rest_sampled;
};

/* Functions for measuring, which only the harness and the targets of estimators call. NULL: the quantity is not
 * known. */
struct measuring_model {
    /* v[k] <- the k-th of the measures that have of_set, all of one set; for families whose measures share work.
     * NULL: each measure is computed alone. */
    void (*of_sets)(const void *self, long m, const double *points, double *v);
    /* x[d] <- argmin over set 0 of F(x) + (lam/2)|x - y|^2, lam > 0, to rounding; lam (y - x) is then the gradient
     * of the Moreau envelope at y. Returns false where it is not known. */
    bool (*proximal_point)(const void *self, double lam, const double *y, double *x);
    /* Returns F_rho(x) = E F(x + rho z), z ~ N(0, I), rho > 0, over R^d even where a set is given; g[d] <- its
     * gradient, unless NULL. */
    double (*smoothed)(const void *self, double rho, const double *x, double *g);
    /* g <- the gradient of the objective, for families that have it in closed form although no oracle offers it
     * (population gradients). NULL: the slot grad of struct problem is that gradient. */
    void (*grad)(const void *self, const double *x, double *g);
};

struct problem {
    const char *name, *doc, *cite;
    const struct param *params;
    size_t params_size;
    int canaries;                    /* 0, or 2: there are samples -1 and -2 besides, whose gradients differ the
                                        most */
    bool fixed;                      /* `make` draws nothing at random: one instance serves all replicates */

    /* Returns a hash of what the parameters name outside of the program (a data file). It is part of the
     * fingerprint of every cell, because other bytes make another problem. 0: unreadable. NULL: the parameters name
     * nothing outside. */
    unsigned long long (*content)(const void *params);

    /* *self <- one instance, built from its parameters and the random stream `data`; its memory comes from a. Fills
     * in the facts that are known; those of d and of the feasible set always are. */
    enum status (*make)(const void *params, const struct rng *data, struct arena *a,
                        void **self, struct facts *facts, struct why *why);
    /* x0[d]; NULL: the origin. */
    void (*start)(const void *self, double *x0);

    /* --- One sample. sample_grad: g += a grad f(x; s_i), where only the nonzeros are touched if that is possible.
     * A deterministic family offers grad alone: every sample is then F itself. */
    double (*sample_value)(const void *self, long i, const double *x);
    void   (*sample_grad)(const void *self, long i, const double *x, double a, double *g);
    /* Optional, faster: g += a sum_k w_k grad f(x; s_k); w NULL: all 1/count. */
    void   (*batch_grad)(const void *self, const struct samples *s, const double *w,
                         const double *x, double a, double *g);
    /* Optional: v[p*m + j] <- f(x_p + r_p u_j; s_i), where the scores of a sample are computed once. u[m*d]. */
    void   (*values_along)(const void *self, long i, int points, const double *const *x,
                           const double *r, int m, const double *u, double *v);
    /* Optional: the exact law of the mean, in place of samples. g += sum_p a_p (mean of b fresh sample gradients at
     * x_p), p < points. `draw` names the draw: equal draws answer at every point as one batch would. */
    void   (*batch_law)(const void *self, const struct rng *draw, double b, int points,
                        const double *const *x, const double *a, double *g);
    /* Optional, faster than the slots for one sample where the model holds. sample_grad and sample_value must agree
     * with it. */
    const struct linear_model *linear;
    const struct shared_model *shared;
    /* Optional: x[d] <- argmin f(.; s_i) + |. - v|^2/(2t) over R^d, t > 0; x is not v. A linear model with r = 0
     * and convex l need not have it, if its canaries are linear. */
    void   (*sample_prox)(const void *self, long i, double t, const double *v, double *x);
    /* Returns how many entries one sample touches (the length of its CSR row); NULL: d. */
    long   (*sample_nonzeros)(const void *self, long i);

    /* --- the objective as a whole */
    double (*value)(const void *self, const double *x);
    void   (*grad)(const void *self, const double *x, double *g);      /* g <- grad F(x) */

    /* Optional parts, NULL: none. */
    const struct blocks_model *blocks;
    const struct cursor_model *cursor;
    const struct pieces_model *pieces;
    const struct composite_model *composite;

    /* --- the feasible set and others */
    const struct set *sets;          /* ends with { 0 }; NULL: R^d */
    void (*linear_min)(const void *self, const double *g, double *x);  /* x[d] <- argmin over set 0
                                                                          of <g, x> */

    /* --- measuring only; ends with { 0 }. The first one is the family's own ruler. */
    const struct measure *measures;
    /* x[d] <- a minimiser. Returns false where it is not known; NULL: it is never known. */
    bool (*minimiser)(const void *self, double *x);
    const struct measuring_model *measuring;     /* NULL: the family has none of its functions */
};

/* Has this instance a simple part, the rest of composite_model, that its samples leave out? */
static inline bool problem_has_rest(const struct problem *p, const void *self)
{
    return p->composite && p->composite->has_rest && p->composite->has_rest(self);
}

/* Returns the pointer to c[d] that blocks_model describes; NULL where each entry stands for one coordinate. */
static inline const double *problem_multiplicity(const struct problem *p, const void *self)
{
    return p->blocks ? p->blocks->multiplicity(self) : NULL;
}

/* Calls proximal_point of measuring_model. Returns false also for a family that has none. */
static inline bool problem_proximal_point(const struct problem *p, const void *self, double lam,
                                          const double *y, double *x)
{
    return p->measuring && p->measuring->proximal_point &&
           p->measuring->proximal_point(self, lam, y, x);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interpolated_descent.c - interpolated normalised gradient descent (Zhang, Lin, Jegelka, Sra &
 * Jadbabaie 2020; Tian, Zhou & So 2022) with values and gradients of F; it is not private. It begins with
 * m = grad F(x) and goes on as long as |m| > acc:
 *
 *     y = x - delta m/|m|
 *     if F(y) <= F(x) - delta |m|/4:  x <- y,  m <- grad F(y)
 *     else:  m <- the shortest element of [m, grad F(p)],  p uniform on [x, y]
 *
 * m is always in the convex hull of gradients within delta = goal.radius of x, so that the last x is
 * (delta, acc)-stationary, whatever was drawn. Let F be L-Lipschitz, on almost every segment the integral of its
 * derivative, and F(x_1) - inf F <= Phi. Then x moves at most 4 Phi/(delta acc) times. At one x, as long as F does
 * not fall enough, E <grad F(p), m> < |m|^2/4. Let a_k be the mean of |m|^2 after k draws of p, where runs that
 * have ended count as 0. Then a_(k+1) <= a_k - (9/64) a_k^2/L^2, hence a_k <= 64 L^2/(9 k), and a block of ceil(128
 * L^2/(9 acc^2)) draws ends the search at x with probability 1/2. In expectation there are therefore at most
 *
 *     (1 + 4 Phi/(delta acc)) (1 + 2 ceil(128 L^2/(9 acc^2)))   gradients,
 *
 * which is the published order Phi L^2/(delta acc^3) without the logarithm. */
#include "algo.h"

struct own { double radius, acc, decrease; };

static const struct param params[] = {
    PARAM(own, radius, NAN, 1e-300, 1e300, "x", "delta; default goal.radius, else 0.1"),
    PARAM(own, acc, NAN, 0, 1e300, "f/x", "aim; default goal.acc"),
    PARAM(own, decrease, 0.25, 0, 1, "1", "of delta |m|, that a move must gain"),
    PARAM_END
};

enum { CERTIFICATE, MOVES };
static const struct note notes[] = {
    { "certificate", "f/x", "|m|, which bounds the norm at x from above", REDUCE_LAST },
    { "moves", "1", "accepted steps", REDUCE_SUM },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->radius, goal->radius > 0 ? goal->radius : 0.1);
    param_choose(&p->acc, goal->acc);
    if (isnan(p->acc))
        return why_set(why, REFUSED, "interpolated-descent needs goal acc, the norm to end at, or "
                       "algo.acc");
    return OK;
}

struct search {
    double *m, *y, *p, *g;           /* [d] m, y and p of the head; grad F(p) */
    double value,                    /* F(x) */
           norm;                     /* |m| */
};

/* s->m <- the shortest element of [m, g]; s->norm <- its norm. s->y is scratch. */
static void shorten(long d, struct search *s)
{
    vec_sub(d, s->m, s->g, s->y);
    double along = vec_dot(d, s->m, s->y), length = vec_dot(d, s->y, s->y);
    double t = length > 0 ? fmax(0, fmin(along / length, 1)) : 0;
    vec_axpy(d, -t, s->y, s->m);
    s->norm = vec_norm(d, s->m);
}

/* Makes one iteration of the head's loop: moves x to y if F falls enough there, else shortens m. Returns false if
 * the budget is spent. */
static bool step(struct oracle *o, const struct own *p, struct search *s, struct rng *rng, double *x)
{
    long d = oracle_dim(o);
    double value;
    vec_lincomb(d, 1, x, -p->radius / s->norm, s->m, s->y);
    if (!oracle_value(o, s->y, &value))
        return false;
    bool moves = value <= s->value - p->decrease * p->radius * s->norm;
    double part = moves ? 1 : rng_uniform(rng);
    vec_lincomb(d, 1 - part, x, part, s->y, s->p);
    if (!oracle_grad(o, s->p, s->g))
        return false;
    oracle_note(o, MOVES, moves);
    oracle_depth(o, 3);
    if (!moves) {
        shorten(d, s);
        return true;
    }
    vec_copy(d, s->y, x);
    vec_copy(d, s->g, s->m);
    s->value = value;
    s->norm = vec_norm(d, s->m);
    oracle_mark(o, x);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct search s = { arena_vec(a, d), arena_vec(a, d), arena_vec(a, d), arena_vec(a, d), 0, 0 };

    arena_seal(a);
    oracle_mark(o, x);
    if (!oracle_value(o, x, &s.value) || !oracle_grad(o, x, s.m))
        return OK;
    s.norm = vec_norm(d, s.m);
    while (s.norm > p->acc && step(o, p, &s, rng, x))
        continue;
    oracle_note(o, CERTIFICATE, s.norm);
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients: two questions for each move of x and for each draw of p
 * at the last x, if |m| is about L/4, or acc if that is larger. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double steep = fmax(p->acc, f->L / 4);
    return 2 + 2 * (f->Phi / (p->radius * steep) + f->L * f->L / (steep * steep));
}

const struct algo algo_interpolated_descent = {
    .name = "interpolated-descent",
    .doc = "interpolated normalised gradient descent to a Goldstein stationary point",
    .cite = "Zhang, Lin, Jegelka, Sra, Jadbabaie, Complexity of Finding Stationary Points of Nonconvex "
            "Nonsmooth Functions (ICML 2020); Tian, Zhou, So (ICML 2022)",
    .calls = CALL_VALUE | CALL_GRAD,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(L) | FACT_BIT(Phi),
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .random_counts = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_ball_path.c - the steps within one call of a ball optimisation oracle by AC-SA around the origin
 * (parts/resque_ball.h; Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Algorithm 2 and Proposition 4).
 * rho = r, lam = L/(rho condition) and phi = share lam r^2. A draw has the vectors
 *
 *     v_0 = the answer of the call;  v_k = what the call would answer if it ended after step_of(k) steps
 *
 * The target t minimises F_rho + (lam/2)|x|^2 in the ball. The functional `steps` is the number of steps after
 * which the squared distance from t is at most 1/16 of that of the start. A step needs the answer of the step
 * before, and counts three operations of computational depth.
 *
 * Proposition 4 makes ceil(4 (1 + condition)^(1/2)) steps in each phase. The call without acceleration makes ceil(4
 * (1 + condition)) plain ones, of length 1/(2 L/rho + 3 lam), from as many queries. */
#include <string.h>
#include "about_target.h"
#include "resque_ball.h"

/* Places of the path: one after each of the first FINE steps, then FINE in each octave, so that a number of steps
 * is known within a factor of 2^(1/FINE). The last place is after 10^6 steps. */
enum { FINE = 32, PLACES = 511 };

struct own {
    const char *acceleration;
    double condition, share, L, r, c;
};

static const struct method_mechanism mechanisms[] = {
    { "acceleration", "steps that grow with t, and gradients between two points", MECHANISM_HELPS,
      { { "algo.acceleration", .text = "none" } } },
    { 0 }
};

static const struct param params[] = {
    PARAM_WORD(own, acceleration, "ac-sa", "ac-sa|none", "which steps"),
    PARAM(own, condition, 100, 1e-6, 1e8, "1", "L/(rho lam)"),
    PARAM(own, share, 1.0 / 64, 1e-12, 1, "lam r^2", "phi, the accuracy of the call"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "E|g|^2 <= L^2; default the fact G"),
    PARAM(own, r, 1, 1e-300, 1e300, "x", "radius of the ball, and rho"),
    PARAM(own, c, 48, 1e-12, 1e6, "1", "of the number of queries; the proofs have 48"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->G);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "resque-ball-path relies on E|g|^2 <= L^2: G = %g", p->L);
    return OK;
}

static bool is_plain(const struct own *p) { return strcmp(p->acceleration, "none") == 0; }
static double lam_of(const struct own *p) { return p->L / (p->r * p->condition); }
static double phi_of(const struct own *p) { return p->share * lam_of(p) * p->r * p->r; }

static long step_of(int place)
{
    return place <= FINE ? place : lrint(FINE * exp2((double)(place - FINE) / FINE));
}

/* A call of the ball oracle b, the number of its steps so far, and the path v[1 + PLACES][d], of which the places
 * before `place` are known. b is the first member, since the callbacks of b get a pointer to b. */
struct path { struct resque_ball b; long steps; int place; double *v; };

static void reach(struct path *p, const double *x, double steps)
{
    long d = oracle_dim(p->b.pool.o);
    for (; p->place <= PLACES && (double)step_of(p->place) <= steps; p->place++)
        vec_copy(d, x, p->v + p->place * d);
}

/* The gradient of AC-SA, which is asked for once in each step, before the answer moves. */
static bool grad_on_path(void *ctx, const double *x, double *g)
{
    struct path *p = ctx;
    reach(p, p->b.ac.ag, (double)p->steps++);
    return resque_ball_batch(&p->b, x, g);
}

/* --- the call without acceleration */

static double plain_steps(const struct own *p) { return ceil(4 * (1 + p->condition)); }

static double plain_batch(const struct own *p, double k)
{
    return ceil(p->c * exp2(k) * p->condition * p->condition / plain_steps(p));
}

static double plain_queries(const struct own *p, const struct resque_ball *b)
{
    double sum = 0;
    for (double k = resque_ac_phases(b, lam_of(p), phi_of(p)); k >= 1; k--)
        sum += plain_batch(p, k);
    return plain_steps(p) * sum;
}

/* x[d] <- the answer of the phases of AC-SA, all of whose steps are its first one. */
static void plain_call(const struct own *p, struct resque_ball *b, const double *origin, double *x)
{
    double phases = resque_ac_phases(b, lam_of(p), phi_of(p));
    long d = oracle_dim(b->pool.o);
    vec_copy(d, origin, x);
    if (!resque_ask(&b->pool, origin, (long)plain_queries(p, b)) || oracle_counting(b->pool.o))
        return;
    b->lam = b->ac.lambda = lam_of(p);
    vec_copy(d, origin, b->ac.x);
    vec_copy(d, origin, b->ac.ag);
    for (double k = 1; k <= phases; k++) {
        b->batch = (long)plain_batch(p, k);
        for (double t = plain_steps(p); t >= 1; t--)
            ac_sa_round(&b->ac, 1, p->L / p->r + b->lam);
    }
    vec_copy(d, b->ac.ag, x);
}

/* --- the estimator */

static struct resque_ball ball_of(const struct own *p, struct oracle *o)
{
    return (struct resque_ball){ .pool = { .o = o, .rho = p->r }, .L = p->L, .r = p->r, .c = p->c,
                                 .solver = RESQUE_AC_SA };
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct resque_ball b = ball_of(p, NULL);
    return is_plain(p) ? plain_queries(p, &b) : resque_ball_queries(&b, lam_of(p), phi_of(p));
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct path path = { .b = ball_of(p, o), .place = 1, .v = v };
    double *origin = arena_vec(w, d);

    path.b.pool.base = rng_sub(rng, rng_u64(rng));
    resque_ball_reserve(&path.b, w);
    path.b.ac.grad = grad_on_path;
    arena_seal(w);
    vec_zero(d, origin);
    vec_zero(d, v);
    if (is_plain(p))
        plain_call(p, &path.b, origin, v);
    else
        resque_ball(&path.b, lam_of(p), phi_of(p), origin, v);
    reach(&path, v, INFINITY);
    return OK;
}

/* out[d] <- the minimiser of F_rho + (lam/2)|x|^2 in the ball, by Nesterov's method for strong convexity. Its error
 * falls by exp(-40) at least. */
static bool target(const struct problem *problem, const void *self, const void *vp, struct arena *w, long d,
                   double *out)
{
    const struct own *p = vp;
    double lam = lam_of(p), M = p->L / p->r + lam, root = sqrt(lam / M), beta = (1 - root) / (1 + root);
    double *y = arena_vec(w, d), *g = arena_vec(w, d), *next = arena_vec(w, d);
    if (!problem->measuring || !problem->measuring->smoothed)
        return false;
    vec_zero(d, out);
    vec_zero(d, y);
    for (double k = 0; k < 40 / root; k++) {
        problem->measuring->smoothed(self, p->r, y, g);
        vec_lincomb(d, 1 - lam / M, y, -1 / M, g, next);
        vec_project_ball(d, NULL, p->r, next);
        vec_lincomb(d, 1 + beta, next, -beta, out, y);
        vec_copy(d, next, out);
    }
    return true;
}

static double steps(const struct functional_env *env, const double *v)
{
    for (int k = 1; env->target && k <= PLACES; k++)
        if (4 * vec_dist(env->d, v + k * env->d, env->target) <= vec_norm(env->d, env->target))
            return (double)step_of(k);
    return env->target ? INFINITY : NAN;
}

static const struct functional functionals[] = {
    { "steps", "steps", "until |v - t|^2 is 1/16 of that of the start; infinite: never", steps },
    TARGET_FUNCTIONALS,
    { 0 }
};

const struct estimator estimator_resque_ball_path = {
    .name = "resque-ball-path",
    .doc = "the steps of AC-SA in one call of a ball oracle on reweighted queries",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Algorithm 2 and Proposition 4",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(G),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1 + PLACES,
    .functionals = functionals,
    .mechanisms = mechanisms,
    .tune = tune,
    .expects = expects,
    .target = target,
    .draw = draw,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* max_agd.c - minimising a maximum of N pieces with few passes over the pieces, by accelerated proximal points on
 * the softmax of the pieces, whose gradients are sampled by rejection (parts/proximal_agd.h,
 * parts/lambda_bisection.h, parts/ball_oracle.h, parts/softmax.h, parts/mlmc.h; Asi, Carmon, Jambulapati, Jin,
 * Sidford 2021, Theorem 4). Pieces are convex and G-Lipschitz over a ball X, which is within R of x_0. lam, a, A,
 * x, x', y and g are those of parts/proximal_agd.h, f is the maximum of the pieces, eps < G R/(2 ln N) is the
 * accuracy, e = eps/2, and b, c and q are constants given below:
 *
 *     eps' = eps/(2 ln N),  r = eps'/G,  A_0 = R/G,  lam_max = 2G/r
 *     lam, y: by bisection with ball oracles of accuracy r/17
 *     gradient = reduced, Algorithm 4:
 *         x': EpochSGD, T = ceil(b q G^2 a/e)
 *         g: OptEst with the bias delta = e/(2 q R) and the squared error sigma^2 = e/(q a)
 *         lam_min = (eps/(r^(4/3) R^(2/3))) ln^2(G R/eps), until A >= 9 R^2/e or after K rounds,
 *         K = ceil(max{4.85 (R/r)^(2/3) ln(9 G R/e) + 2, 16.97 sqrt(lam_min R^2/e)})
 *         f(x) - f* <= eps with probability 1/2 at least, after O((G R ln N/eps)^(2/3)) passes, up
 *         to logarithms, and O((G R/eps)^2 log^2(G R/eps)) gradients of pieces
 *     gradient = plain, Algorithm 4 without bias reduction:
 *         g = lam (y - w), w by one run of EpochSGD with the budget of the largest level of OptEst, for which the
 *         bound on the bias is the same; order (G R/eps)^2 gradients a round, (G R/eps)^(8/3) in total
 *     gradient = ball, the earlier method (Carmon, Jambulapati, Jin, Sidford 2021):
 *         x': a ball oracle with rho = e/(30 lam R), g = 2 lam (y - x')
 *         lam_min = e/(4 r R); it ends when lam <= 2 lam_min, where f(x') - f* <= 2 lam r R <= e, or when
 *         A >= R^2/e; as many passes as with `reduced`, order (G R/eps)^(8/3) gradients
 *
 * For `reduced` and `plain` with lam_min <= 2G/r, lam_max is instead the least lam_min 2^j, j >= 0, that is not
 * below 2G/r. The bisection, which halves lam from lam_max on, then ends exactly at lam_min. Otherwise it would end
 * between lam_min and 2 lam_min, and the number of rounds would oscillate with eps. With accelerate = no the
 * proximal points are plain ones, y = x and a = 1/lam, which need lam A rounds in place of 2 sqrt(lam A).
 *
 * One pass over the pieces at y serves x' and g; all inner runs stay in the part of X within r of y. In theory c =
 * 32, b = 16, q = 72 (the paper prints 60, for smaller a), and ball oracles are as printed. In practice c = b = 1,
 * q = 6, ball oracles are runs of EpochSGD with C = 8, and lam_min lacks the logarithm. With the logarithm lam_min
 * would be above lam_max, and lam always 2 lam_max, unless eps/(G R) is below (2/(ln^2(G R/eps) (2 ln
 * N)^(1/3)))^(3/2). */
#include <string.h>
#include "ball_oracle.h"
#include "lambda_bisection.h"
#include "mlmc.h"
#include "proximal_agd.h"
#include "softmax.h"
#include "two_balls.h"

struct own {
    const char *gradient, *balls, *accelerate;
    double eps, c, b, q, C;
    double r, lam_min, p_f;
    double G, R;
    long N, K;
};

static const struct param params[] = {
    PARAM_WORD(own, gradient, "reduced", "reduced|plain|ball", "of the envelope: OptEst, one run, or from x'"),
    PARAM_WORD(own, accelerate, "yes", "yes|no", "no: plain proximal points"),
    PARAM_WORD(own, balls, "auto", "auto|epochs|printed", "ball oracle; auto: printed in theory"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, NAN, 1e-6, 1e6, "1", "constant of the estimator; default 32 in theory, else 1"),
    PARAM(own, b, NAN, 1e-6, 1e6, "1", "budget of x'; default 16 in theory, else 1"),
    PARAM(own, q, NAN, 1e-6, 1e6, "1", "share of the errors; default 72 in theory, else 6"),
    PARAM(own, C, 8, 1e-6, 1e6, "1", "budget of a ball oracle by EpochSGD"),
    PARAM(own, r, NAN, 1e-100, 1e100, "x", "radius of the balls; default eps/(2 G ln N)"),
    PARAM(own, lam_min, NAN, 1e-100, 1e100, "f/x^2", "where the bisection ends; default as above"),
    PARAM(own, p_f, NAN, 1e-100, 0.5, "1", "printed ball oracle fails; default 1/(6 K calls)"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "Lipschitz constant of the pieces; default L"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "X is within R of x_0; default the radius"),
    PARAM(own, N, 0, 0, 0x1p40, "pieces", "of the maximum; 0: the fact"),
    PARAM(own, K, 0, 0, 0x1p50, "rounds", "at most; 0: as above"),
    PARAM_END
};

enum { ROUNDS, CALLS, CROSSOVER, A_ROUND, BINDING };

static const struct note notes[] = {
    [ROUNDS] = { "rounds", "rounds", "of accelerated proximal points", REDUCE_LAST },
    [CALLS] = { "calls", "calls", "of ball oracles by the bisections", REDUCE_LAST },
    [CROSSOVER] = { "crossover", "pieces", "values of single pieces over passes: the N at which "
                    "both cost the same", REDUCE_LAST },
    [A_ROUND] = { "a_round", "passes", "in the mean of the rounds", REDUCE_LAST },
    [BINDING] = { "binding", "1", "part of the rounds in which the ball binds: lam above lam_min", REDUCE_MEAN },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "acceleration", "proximal points from between two sequences", MECHANISM_HELPS,
      { { "algo.accelerate", .text = "no" } } },
    { "reduction", "gradients of the envelope with little bias, from draws by levels", MECHANISM_HELPS,
      { { "algo.gradient", .text = "plain" } } },
    { 0 }
};

static bool is(const char *word, const char *wanted) { return strcmp(word, wanted) == 0; }
static bool is_accelerated(const struct own *p) { return is(p->accelerate, "yes"); }
static bool is_reduced(const struct own *p) { return !is(p->gradient, "ball"); }
static double temperature(const struct own *p) { return p->eps / (2 * log((double)p->N)); }
static double lam_max(const struct own *p)
{
    double least = 2 * p->G / p->r;
    return !is_reduced(p) || p->lam_min > least ? least : ldexp(p->lam_min, (int)ceil(log2(least / p->lam_min)));
}
static double last_A(const struct own *p)
{
    return (is_reduced(p) ? 18 : 2) * p->R * p->R / p->eps;
}
static enum ball_method balls(const struct own *p)
{
    return is(p->balls, "printed") ? BALL_PRINTED : BALL_EPOCHS;
}

static double least_lam(const struct own *p, bool theory)
{
    double log_term = log(p->G * p->R / p->eps);
    if (!is_reduced(p))
        return p->eps / (8 * p->r * p->R);
    return p->eps / (pow(p->r, 4.0 / 3) * pow(p->R, 2.0 / 3)) * (theory ? log_term * log_term : 1);
}

/* Returns a bound on the number of rounds: for `reduced` and `plain` that of Lemma 7, with the constants of the
 * proof; for `ball` 2 sqrt(lam_max A); without acceleration lam_max A. */
static double most_rounds(const struct own *p)
{
    double e = p->eps / 2, R = p->R;
    if (!is_accelerated(p))
        return ceil(lam_max(p) * last_A(p)) + 1;
    if (!is_reduced(p))
        return ceil(2 * sqrt(lam_max(p) * last_A(p))) + 1;
    return ceil(fmax(4.85 * pow(R / p->r, 2.0 / 3) * log(9 * p->G * R / e) + 2,
                     16.97 * R * sqrt(p->lam_min / e)));
}

/* Returns an upper bound on the number of calls of the ball oracle in one bisection. First lam is halved until the
 * value that the bisection looks for lies in [lam, 2 lam]; then this interval is bisected on the log scale. */
static double most_calls(const struct own *p)
{
    return fmax(0, log2(lam_max(p) / p->lam_min)) + log2(8 * (p->R + p->G / p->lam_min) / p->r) + 3;
}

/* Returns the largest budget T_max of OptEst in a round with the step length a, where OptEst has the variance
 * sigma^2 = eps/(2 q a). */
static double most_levels(const struct own *p, double a)
{
    return opt_est_T_max(p->c, p->G, p->eps / (4 * p->q * p->R), p->eps / (2 * p->q * a));
}

static double ball_gradients(const struct own *p, double lam, double rho)
{
    return ball_oracle_gradients(balls(p), p->G, p->r, p->C, p->p_f, lam, rho);
}

/* Returns the number of gradients of a bisection that halves lam until it is below lam_min. */
static double bisection_gradients(const struct own *p)
{
    double sum = 0;
    for (double lam = lam_max(p); lam >= p->lam_min; lam /= 2)
        sum += ball_gradients(p, lam, p->r / 17);
    return sum;
}

/* Returns about how many rounds a run takes if every bisection returns the least possible lam. */
static double likely_rounds(const struct own *p)
{
    double lam = fmin(2 * lam_max(p), p->lam_min), A = last_A(p);
    return is_accelerated(p) ? 2 * sqrt(lam * A) : lam * A;
}

/* Returns about how many gradients of pieces a run takes. The budgets of x' and of g are linear in a, and the sum
 * of all a is A. */
static double predicted(const struct own *p)
{
    double A = last_A(p), lam = fmin(2 * lam_max(p), p->lam_min), K = likely_rounds(p);
    double bisection = K * bisection_gradients(p);
    double L = log2(most_levels(p, 1)), per = 2 * p->q * p->G * p->G * A / p->eps;
    if (!is_reduced(p))
        return bisection + K * ball_gradients(p, lam, p->eps / (60 * lam * p->R));
    if (is(p->gradient, "plain"))
        return bisection + per * p->b + K * exp2(L);
    return bisection + per * (p->b + 32 * p->c * L * fmax(0, L - 4.656));
}

static void choose(struct own *p, bool theory)
{
    param_choose(&p->c, theory ? 32 : 1);
    param_choose(&p->b, theory ? 16 : 1);
    param_choose(&p->q, theory ? 72 : 6);
    param_choose(&p->r, temperature(p) / p->G);
    param_choose(&p->lam_min, least_lam(p, theory));
    param_choose_count(&p->K, (long)fmin(most_rounds(p), 0x1p50));
    param_choose(&p->p_f, fmin(0.5, 1 / (6 * most_rounds(p) * most_calls(p))));
    if (is(p->balls, "auto"))
        p->balls = theory ? "printed" : "epochs";
}

/* Returns an estimate of the cost of a run, in gradients: those of pieces, and the passes of the bisections over
 * all pieces. The values of five pieces take about as long as a gradient. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double passes = likely_rounds(p) * (most_calls(p) + 1);
    return predicted(p) + passes * (double)p->N / 5;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "max-agd";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->G, f->L);
    param_choose(&p->R, f->radius);
    param_choose_count(&p->N, isfinite(f->N) ? (long)f->N : 0);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on G-Lipschitz pieces over a ball: L = %g, "
                       "radius = %g", who, p->G, p->R);
    if (p->N < 2 || !(p->eps < p->G * p->R / (2 * log((double)p->N))))
        return why_set(why, REFUSED, "%s: eps = %g, N = %ld: expected eps < G R/(2 ln N), two "
                       "pieces at least", who, p->eps, p->N);
    choose(p, goal->constants == CONSTANTS_THEORY);
    double cost = predicted(p);
    if (goal->constants == CONSTANTS_THEORY && !(cost <= fmin(0x1p33, goal->T)))
        return why_set(why, REFUSED, "%s: c = %g, b = %g, q = %g and %s ball oracles cost about "
                       "%.3g gradients of pieces; infeasible beyond 2^33 or goal T", who, p->c,
                       p->b, p->q, p->balls, cost);
    if (!(cost <= 0x1p40))
        return why_set(why, REFUSED, "%s: about %.3g gradients of pieces: expected at most 2^40",
                       who, cost);
    return OK;
}

struct source {
    const struct own *p;
    struct oracle *o;
    struct rng *rng;
    struct proximal_agd s;
    struct softmax softmax;
    struct mlmc m;
    struct ball_oracle ball;
    double *y,                       /* [d] centre of the ball in which inner runs stay */
           *keep;                    /* [d] scratch of the projection */
    /* Numbers so far: of calls of the ball oracle by bisections, of passes over the pieces, and of values of single
     * pieces that gradients have asked for. */
    double calls, passes, trials;
};

static bool gradient(void *ctx, const double *x, double *h)
{
    struct source *q = ctx;
    bool whole = softmax_grad(&q->softmax, x, h);
    q->trials += q->softmax.trials;
    return whole;
}

static void both_balls(void *ctx, double *x)
{
    struct source *q = ctx;
    two_balls_project(oracle_dim(q->o), oracle_radius(q->o), q->p->r, q->y, q->keep, x);
}

static bool centre(struct source *q)
{
    q->passes++;
    return softmax_centre(&q->softmax, q->y);
}

static bool move(void *ctx, double lam, double *Delta)
{
    struct source *q = ctx;
    if (is_accelerated(q->p))
        proximal_agd_point(&q->s, lam, q->y);
    else
        vec_copy(oracle_dim(q->o), q->s.x, q->y);
    if (!centre(q) || !ball_oracle(&q->ball, lam, q->p->r / 17, q->y))
        return false;
    q->calls++;
    *Delta = vec_dist(oracle_dim(q->o), q->m.run.x, q->y);
    return true;
}

static bool next(void *ctx, const struct proximal_agd *s, double *lam)
{
    struct source *q = ctx;
    const struct lambda_bisection b = { .move = move, .ctx = q, .r = q->p->r, .G = q->p->G,
                                        .R = q->p->R, .lam_max = lam_max(q->p),
                                        .lam_min = q->p->lam_min };
    return lambda_bisection(&b, lam);
}

/* x[d] <- x', g[d] <- g at y for gradient = reduced (Algorithm 4) and plain; without acceleration g is left as it
 * is. One pass over the pieces at y serves both. Returns false if the budget is spent. */
static bool solve_reduced(void *ctx, double lam, double a, const double *y, double *x, double *g)
{
    struct source *q = ctx;
    const struct own *p = q->p;
    double T_max = most_levels(p, a), T = ceil(2 * p->b * p->q * p->G * p->G * a / p->eps);
    double N = opt_est_N(p->c, p->G, p->eps / (2 * p->q * a), T_max);

    vec_copy(oracle_dim(q->o), y, q->y);
    q->m.run.mu = lam;
    q->m.run.z = q->y;
    if (!centre(q) || !epoch_sgd_run(&q->m.run, epoch_sgd_epochs(T)))
        return false;
    vec_copy(oracle_dim(q->o), q->m.run.x, x);
    if (!is_accelerated(p))
        return true;
    if (is(p->gradient, "plain")) {
        if (!epoch_sgd_run(&q->m.run, epoch_sgd_epochs(T_max)))
            return false;
        vec_lincomb(oracle_dim(q->o), lam, y, -lam, q->m.run.x, g);
        return true;
    }
    q->m.jmax = mlmc_levels(T_max);
    return oracle_charge(q->o, COUNT_draws, N) && mor_grad_est(&q->m, q->y, N, q->rng, g);
}

/* x[d] <- x', g[d] <- g at y for gradient = ball. g is 2 lam (y - x'), since a round of proximal_agd.h subtracts
 * (a/2) g from the sequence v, from which this method subtracts a lam (y - x'). Returns false if the budget is
 * spent. */
static bool solve_ball(void *ctx, double lam, double a, const double *y, double *x, double *g)
{
    struct source *q = ctx;
    long d = oracle_dim(q->o);

    vec_copy(d, y, q->y);
    if (!centre(q) || !ball_oracle(&q->ball, lam, q->p->eps / (60 * lam * q->p->R), q->y))
        return false;
    vec_copy(d, q->m.run.x, x);
    vec_lincomb(d, 2 * lam, y, -2 * lam, x, g);
    return true;
}

/* Makes a round without acceleration, where y = x and a = 1/lam. Returns false if the budget is spent. */
static bool plain_round(struct source *q)
{
    struct proximal_agd *s = &q->s;
    double lam;
    if (!next(q, s, &lam))
        return false;
    vec_copy(oracle_dim(q->o), s->x, s->y);
    if (!s->solve(q, lam, 1 / lam, s->y, s->x, s->g))
        return false;
    oracle_depth(q->o, 2);
    s->lam = lam;
    s->A += 1 / lam;
    return true;
}

static bool one_round(struct source *q)
{
    return is_accelerated(q->p) ? proximal_agd_round(&q->s) : plain_round(q);
}

static void begin(struct source *q, struct arena *w)
{
    const struct own *p = q->p;
    long d = oracle_dim(q->o);
    q->softmax = (struct softmax){ .o = q->o, .words.base = rng_sub(q->rng, 0),
                                   .temperature = temperature(p) };
    q->m.run = (struct epoch_sgd){ .o = q->o, .grad = gradient, .project = both_balls, .ctx = q };
    q->ball = (struct ball_oracle){ .run = &q->m.run, .method = balls(p), .G = p->G, .r = p->r,
                                    .C = p->C, .p_f = p->p_f };
    q->s = (struct proximal_agd){ .o = q->o, .next = next, .ctx = q, .A = p->R / p->G,
                                  .solve = is_reduced(p) ? solve_reduced : solve_ball };
    q->y = arena_vec(w, d);
    q->keep = arena_vec(w, d);
    softmax_reserve(&q->softmax, w);
    mlmc_reserve(&q->m, w);
    ball_oracle_reserve(&q->ball, w);
    proximal_agd_reserve(&q->s, w);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct source q = { .p = p, .o = o, .rng = rng };
    begin(&q, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, q.s.x);
    proximal_agd_begin(&q.s);
    for (long k = 1; q.s.A < last_A(p) && k <= p->K && one_round(&q); k++) {
        oracle_mark(o, q.s.x);
        oracle_note(o, ROUNDS, (double)k);
        oracle_note(o, CALLS, q.calls);
        oracle_note(o, CROSSOVER, q.trials / q.passes);
        oracle_note(o, A_ROUND, q.passes / (double)k);
        oracle_note(o, BINDING, q.s.lam > p->lam_min);
        if (!is_reduced(p) && q.s.lam <= 2 * p->lam_min)
            break;
    }
    vec_copy(oracle_dim(o), q.s.x, x);
    return OK;
}

const struct algo algo_max_agd = {
    .name = "max-agd",
    .doc = "accelerated proximal points on the softmax of a maximum, with bias-reduced gradients",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 4 and Theorem 4",
    .calls = CALL_PIECES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(L) | FACT_BIT(N) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .random_counts = true,
    .mechanisms = mechanisms,
};

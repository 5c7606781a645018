/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_gcd.c - differentially private greedy coordinate descent, Algorithms 1 (psi = 0) and 2
 *
 *     g = grad f(w_t), with entry j of each record clipped to [-C_j, C_j] if a clip is set
 *     j = argmax_j of the score of the rule at g_j + chi_j,   chi_j ~ Lap(lambda'_j)   (for psi = 0
 *         this is |g_j + chi_j|/sqrt(M_j))
 *     w_j <- prox_{h_j psi_j}( w_j - h_j (g_j + eta) ),   eta ~ Lap(lambda_j),   h_j = step/M_j
 *
 * f is the mean of n losses that are L_j-Lipschitz in coordinate j (if clipped, C_j replaces L_j) and
 * coordinate-wise M_j-smooth; psi is separable and contains no data. T rounds take n p T partial derivatives, and
 * the answer is the last w. Replacing one record moves g_j by at most 2 L_j/n. With lambda_j = lambda'_j = 2 L_j/(n
 * eps') the paper has
 *     eps' = eps/(4 sqrt(T log 1/delta))                                    Theorem 4.2 (thm42)
 *     eps = sqrt(4 T log 1/delta) eps' + 2 T eps'(e^eps' - 1)               equation 2 (eq2)
 * (Mangold, Bellet, Salmon & Tommasi, AISTATS 2023). A choice by signed scores costs up to twice
 * what is printed, and more where S_j = 2 L_j/(n sqrt(M_j)) varies; rnm_mode = corrected takes
 *     lambda'_j = 2 sqrt(M_j) max_k S_k / eps_s,
 * which is eps_s-DP; eps_s is 2 eps' if accounting = corrected, and eps' otherwise. For GS-r and GS-q with a
 * simple part and noise on gradients, no better cost is proven than that of the release of all g_j + chi_j, which
 * is therefore booked; `corrected` adds Lap(2 max S/eps_s) to the scores instead, which are 1/sqrt(M)-Lipschitz.
 * Noise of another law than Laplace's is always added to the scores. */
#include <string.h>
#include "algo.h"
#include "coordinate_clip.h"
#include "greedy.h"

/* --- blocks: an entry of x may stand for many coordinates (oracle_multiplicity). A coordinate that is
 * updated leaves its block, so that 2^40 coordinates cost no more than those that were updated. */

struct blocks {
    struct oracle *o;
    const double *start;             /* [d] number of coordinates that each entry stands for at the start of the
                                        run; NULL: one each */
    /* [d] number of coordinates that each entry stands for at present; 0 where M_j = 0, since such an entry never
     * moves. */
    double *count;
    long taken;                      /* entries from here on stand for no coordinate yet */
};

static inline struct blocks blocks_new(struct oracle *o, struct arena *w, const double *M_j)
{
    long d = oracle_dim(o);
    struct blocks b = { o, oracle_multiplicity(o), arena_vec(w, d), d };
    while (b.start && b.start[b.taken - 1] == 0)
        b.taken--;
    for (long j = 0; j < d; j++)
        b.count[j] = M_j[j] > 0 ? b.start ? b.start[j] : 1 : 0;
    return b;
}

/* Returns an entry that stands for one coordinate of entry j alone, with the same value: j itself, or a free entry
 * to which the coordinate moves. Returns -1 if no free entry belongs to the block j: the objective does not depend
 * on such a block, which stays whole. Returns -1, with the run refused, if all its free entries are taken. */
static inline long blocks_alone(struct blocks *b, struct point *at, long j)
{
    long d = oracle_dim(b->o), k = j + 1;
    if (b->count[j] == 1)
        return j;
    if (k == d || b->start[k] > 0)
        return -1;
    while (k < d && b->start[k] == 0 && b->count[k] > 0)
        k++;
    if (k == d || b->start[k] > 0) {
        oracle_refuse(b->o, "more coordinates of a block moved than it has places for");
        return -1;
    }
    b->count[j]--;
    b->count[k] = 1;
    b->taken = k < b->taken ? b->taken : k + 1;
    point_add(at, k, point_at(at)[j] - point_at(at)[k]);
    return k;
}

/* --- how many rounds the utility theorems of DP-GCD prescribe (Mangold, Bellet, Salmon
 * & Tommasi 2023), as their proofs do: the statements differ by factors of two. With n, eps, l =
 * log(1/delta), the largest L_j as L, the smallest M_j as M, p coordinates, R_{M,1} the radius of the initial level
 * set in |v|_{M,1} = sum_j M_j^(1/2) |v_j|, mu_{M,q} the strong convexity in |.|_{M,q}, xi_0 = F(w_0) - F*, zeta
 * the probability that the bound fails, s the nonzeros of an iterate and tau the large entries of the optimum:
 *
 *     thm441   (n^2 eps^2 R^2 M/(2^6 L^2 l))^(1/3),   R = R_{M,1}                      convex
 *     thm442   (4/mu) log( mu M n^2 eps^2 xi_0/(128 L^2 l log(8p/zeta)) ),   mu = mu_{M,1}
 *     thm47    (4(s+tau)/mu) log( xi_0 M mu n^2 eps^2/L^2 ),   mu = mu_{M,2}; the factor 4,
 *              which the text drops, makes the first term of the bound small */

struct gcd_horizon {
    const char *schedule;
    double n, eps, delta, zeta, p;
    double L, M;                     /* the largest L_j, the smallest M_j > 0 */
    double sparsity;                 /* s + tau; 0: not known */
};

/* Returns the number of rounds of h->schedule; NaN or infinite where a constant is not known. */
static inline double gcd_horizon(const struct gcd_horizon *h, const struct facts *f)
{
    double l = log(1 / h->delta), noise = h->n * h->eps / h->L;
    if (strcmp(h->schedule, "thm441") == 0)
        return cbrt(noise * noise * f->R_M1 * f->R_M1 * h->M / (64 * l));
    if (strcmp(h->schedule, "thm442") == 0)
        return 4 / f->mu_M1 * log(f->mu_M1 * h->M * noise * noise * f->Phi /
                                  (128 * l * log(8 * h->p / h->zeta)));
    return h->sparsity > 0 ? 4 * h->sparsity / f->mu_M2 *
                                 log(f->Phi * h->M * f->mu_M2 * noise * noise)
                           : NAN;
}

struct dp_gcd {
    const char *rule, *accounting, *rnm_mode, *selection, *schedule;
    long T, s, tau;
    double step, C, share;
    double n;                        /* the number of records, as the facts say; not a parameter */
    const double *M_j, *L_j;
};

static const struct param params[] = {
    PARAM(dp_gcd, T, 0, 0, 0x1p40, "steps", "rounds; 0: goal T, or the schedule's"),
    PARAM_WORD(dp_gcd, schedule, "thm441", "thm441|thm442|thm47",
               "whose T; where its constants are not known, 4 in practice"),
    PARAM(dp_gcd, s, 0, 0, 0x1p40, "coordinates", "of thm47: nonzeros of an iterate; 0: tau"),
    PARAM(dp_gcd, tau, 0, 0, 0x1p40, "coordinates", "of thm47: large entries of the optimum"),
    PARAM_WORD(dp_gcd, rule, "GS-s", "GS-s|GS-r|GS-q",
               "of the choice: slope, length of the step, or decrease of the model"),
    PARAM(dp_gcd, step, 1, 0, INFINITY, "1/M_j", "relative step"),
    PARAM(dp_gcd, C, NAN, 0, INFINITY, "f/x", "clip: C_j = C sqrt(M_j/sum M); infinite: by L_j; "
          "default: by L_j if public, else sqrt(sum M)"),
    PARAM_WORD(dp_gcd, accounting, "corrected", "thm42|eq2|min_basic|corrected",
               "from (eps, delta) to the noise"),
    PARAM_WORD(dp_gcd, rnm_mode, "corrected", "paper|corrected", "noise of the choice"),
    PARAM_WORD(dp_gcd, selection, "laplace", "laplace|gumbel|exponential|none|uniform",
               "law of that noise, of gumbel and exponential on scores; none: not private; uniform: no greedy "
               "choice, a random coordinate"),
    PARAM(dp_gcd, share, NAN, 0, INFINITY, "1", "eps' of one release; default from the goal"),
    PARAM_END
};

/* --- the choice, for `tune`, of the clipping norm C, the rounds T and the parameter share, the eps' of the head */

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

static double largest(const struct facts *f, const double *v)
{
    double most = 0;
    for (long j = 0; j < (long)f->d; j++)
        most = fmax(most, v[j]);
    return most;
}

static double smallest_positive(const struct facts *f, const double *v)
{
    double least = INFINITY;
    for (long j = 0; j < (long)f->d; j++)
        least = v[j] > 0 ? fmin(least, v[j]) : least;
    return least;
}

/* Sets C, unless it is a parameter of the run. */
static enum status choose_clip(const struct facts *f, const struct goal *goal, struct dp_gcd *s,
                               struct why *why)
{
    bool noisy = isnan(s->share) ? isfinite(goal->eps) || isfinite(goal->rho) : isfinite(s->share);
    if (noisy && isnan(s->C) && !f->L_j && goal->constants == CONSTANTS_THEORY)
        return why_set(why, REFUSED, "dp-gcd: the theorem's L_j are not known: give algo.C");
    param_choose(&s->C, !noisy || f->L_j ? INFINITY : sqrt(clip_trace_told(f)));
    if (isnan(s->C))
        return why_set(why, REFUSED, "dp-gcd: blocks of coordinates with different M_j, and no L_j "
                       "is known: give algo.C");
    if (noisy && isinf(s->C) && !f->L_j)
        return why_set(why, REFUSED, "dp-gcd: algo.C = %g, and no L_j is known: expected a clip",
                       s->C);
    if (noisy && !isfinite(f->n))
        return why_set(why, REFUSED, "dp-gcd: n = %g records: expected stored data", f->n);
    return OK;
}

/* Sets T, unless it is a parameter of the run. */
static enum status choose_rounds(const struct facts *f, const struct goal *goal, struct dp_gcd *s,
                                 struct why *why)
{
    static const long PRACTICAL = 4;         /* rounds where the constants of the schedule are not known; tuning
                                                gave this number for accounting = corrected */
    double M_most = largest(f, f->M_j), trace = clip_trace_told(f);
    struct gcd_horizon h = {
        .schedule = s->schedule, .n = f->n, .eps = goal->eps, .delta = goal->delta,
        .p = isnan(f->p) ? f->d : f->p,
        .zeta = isnan(goal->zeta) ? 0.1 : goal->zeta, .M = smallest_positive(f, f->M_j),
        .L = isfinite(s->C) ? s->C * sqrt(M_most / trace) : f->L_j ? largest(f, f->L_j) : NAN,
        .sparsity = (double)((s->s ? s->s : s->tau) + s->tau),
    };
    if (goal->T >= 1)
        param_choose_count(&s->T, (long)goal->T);
    double T = gcd_horizon(&h, f);
    bool known = isfinite(T) && T < 0x1p40;
    if (!s->T && !known && goal->constants == CONSTANTS_THEORY)
        return why_set(why, REFUSED, "dp-gcd: T of %s is %g: expected its constants, eps and "
                       "delta, or algo.T", s->schedule, T);
    param_choose_count(&s->T, known ? (long)fmax(1, rint(T)) : PRACTICAL);
    return OK;
}

static enum status choose_share(const struct goal *goal, struct dp_gcd *s, struct why *why)
{
    double T = (double)s->T;
    enum gcd_account account = is(s->accounting, "thm42") ? GCD_CLOSED
                               : is(s->accounting, "eq2") ? GCD_EQ2
                               : is(s->accounting, "min_basic") ? GCD_MIN : GCD_CORRECTED;
    if (!isnan(s->share))
        return OK;
    if (!(goal->eps < INFINITY) && !isnan(goal->rho)) {     /* zCDP: T (eps'^2/2 + (2 eps')^2/2) = rho^2/2 */
        if (account != GCD_CORRECTED)
            return why_set(why, REFUSED, "dp-gcd: algo.accounting = '%s' prices no goal rho: "
                           "expected corrected, or goal eps", s->accounting);
        s->share = goal->rho / sqrt(5 * T);
        return OK;
    }
    s->share = !(goal->eps < INFINITY) ? INFINITY
             : noise_gcd_share(account, goal->eps, T, goal->delta);
    if (!(s->share > 0))
        return why_set(why, REFUSED, "dp-gcd: goal eps = %g, delta = %g: expected eps > 0 and "
                       "0 < delta < 1", goal->eps, goal->delta);
    return OK;
}

/* Returns, as FACT_BITs, the facts that tune reads. M_j is always read; other facts that depend on the data only if
 * a parameter or the goal asks for them, or if the constants are those of theory. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct dp_gcd *s = vp;
    unsigned long wanted = FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(n) | FACT_BIT(M_j),
                  of_data = 0;
    for (int k = 0; k < FACT_COUNT; k++)
        of_data |= f->origin[k] == ORIGIN_DATA ? 1ul << k : 0;
    unsigned long others = goal->constants == CONSTANTS_THEORY ? ~0ul : ~of_data;
    if (isnan(s->C) || isinf(s->C))
        wanted |= FACT_BIT(L_j) & (isinf(s->C) ? ~0ul : others);
    if (!s->T && !(goal->T >= 1))
        wanted |= (FACT_BIT(R_M1) | FACT_BIT(mu_M1) | FACT_BIT(mu_M2) | FACT_BIT(Phi)) & others;
    return wanted;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct dp_gcd *s = vp;
    s->n = f->n;
    s->M_j = f->M_j;
    s->L_j = f->L_j;
    if (!(largest(f, f->M_j) > 0))
        return why_set(why, REFUSED, "dp-gcd: all M_j are 0: expected one above");
    TRY(choose_clip(f, goal, s, why));
    TRY(choose_rounds(f, goal, s, why));
    return choose_share(goal, s, why);
}

/* --- the noisy choice of a coordinate */

struct choice {
    struct greedy at;
    greedy_fn rule;
    enum max_rule noise;             /* MAX_ABS_LAPLACE: noise on gradients; any other rule: noise on scores */
    struct blocks blocks;
    double *score,                   /* [d] scores; with noise on gradients, the gradients */
           *b,                       /* [d] scales of the noise */
           *root;                    /* [d] sqrt(M_j), or 1 where M_j = 0 */
    struct release release;
};

/* Returns the sensitivity for which the accountant's epsilon of the choice, 2 sensitivity/scale, is the epsilon of
 * releasing the noisy g_j of all coordinates. */
static double by_all(const struct dp_gcd *s, long d, const double *L, const struct choice *c)
{
    double scale = INFINITY, price = 0;
    for (long j = 0; j < d; j++)
        if (c->blocks.count[j] > 0) {
            scale = fmin(scale, c->b[j] / c->root[j]);
            price += c->blocks.count[j] * 2 * L[j] / (s->n * c->b[j]);
        }
    return scale * price / 2;
}

/* Returns the choice with the scales of the noise set. L[d] bounds the partial derivatives of one record; replacing
 * a record changes them by at most twice as much. */
static struct choice choice_new(const struct dp_gcd *s, struct oracle *o, struct arena *w,
                                const double *x, const double *L)
{
    long d = oracle_dim(o);
    bool composite = oracle_composite(o), corrected = is(s->rnm_mode, "corrected");
    bool slope = is(s->rule, "GS-s") || !composite, quiet = isinf(s->share) || is(s->selection, "none");
    struct choice c = { .at = { .o = o, .composite = composite, .x = x, .M_j = s->M_j },
                        .rule = greedy_rule(s->rule),
                        .blocks = blocks_new(o, w, s->M_j), .score = arena_vec(w, d),
                        .b = arena_vec(w, d), .root = arena_vec(w, d),
                        .release = { .site = "dp-gcd.choice", .norm = NORM_INF } };
    double most = 0, own = is(s->accounting, "corrected") ? 2 * s->share : s->share;
    c.noise = is(s->selection, "gumbel") ? MAX_GUMBEL
              : is(s->selection, "exponential") ? MAX_EXPONENTIAL
              : slope || !corrected ? MAX_ABS_LAPLACE : MAX_LAPLACE;
    for (long j = 0; j < d; j++) {
        c.root[j] = s->M_j[j] > 0 ? sqrt(s->M_j[j]) : 1;
        most = fmax(most, 2 * L[j] / (s->n * c.root[j]));
    }
    for (long j = 0; j < d; j++)
        c.b[j] = quiet ? 0
                 : c.noise != MAX_ABS_LAPLACE ? 2 * most / own
                 : corrected ? c.root[j] * 2 * most / own : 2 * L[j] / (s->n * s->share);
    bool proven = slope || c.noise != MAX_ABS_LAPLACE || quiet;
    c.release.sensitivity = proven ? most : fmax(most, by_all(s, d, L, &c));
    c.at.root = c.root;
    c.at.low = arena_vec(w, d);
    c.at.high = arena_vec(w, d);
    return c;
}

/* Returns the entry of a coordinate that is drawn uniformly from all that can move. */
static long choose_uniform(const struct blocks *b, struct rng *rng)
{
    double all = 0;
    long last = 0;
    for (long j = 0; j < b->taken; j++)
        all += b->count[j];
    double place = all * rng_uniform(rng);
    for (long j = 0; j < b->taken; place -= b->count[j++])
        if (b->count[j] > 0 && place < b->count[j])
            return j;
        else if (b->count[j] > 0)
            last = j;
    return last;
}

static long choose(struct choice *c, const double *g)
{
    struct oracle *o = c->at.o;
    bool gradients = c->noise == MAX_ABS_LAPLACE;
    struct candidates all = { .m = c->blocks.taken, .score = gradients ? g : c->score, .b = c->b,
                              .weight = gradients ? c->root : NULL, .count = c->blocks.count,
                              .key = gradients && c->at.composite ? c->rule : NULL,
                              .ctx = &c->at };
    for (long j = 0; j < all.m && !gradients; j++)
        c->score[j] = c->rule(&c->at, j, g[j]);
    if (gradients)
        greedy_charge(&c->at, c->rule);
    return noise_choose(o, &c->release, c->noise, &all).block;
}

/* --- the run of the method */

enum { NOTE_nonzeros, NOTE_lambda };
static const struct note notes[] = {
    { "nonzeros", "coordinates", "of an iterate, the most: s of Theorem 4.7", REDUCE_MAX },
    { "lambda", "f/x", "scale of the noise of a step, the largest", REDUCE_MAX },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "noise", "Laplace noise on the choice and on the step, for privacy", MECHANISM_COSTS,
      { { "algo.share", INFINITY } } },
    { "greedy", "the choice of the coordinate with the largest score", MECHANISM_HELPS,
      { { "algo.selection", .text = "uniform" } } },
    { 0 }
};

/* Returns the value of x_j after a step along the released derivative v. */
static double stepped(const struct dp_gcd *s, const struct greedy *at, long j, double v)
{
    double h = s->step / s->M_j[j], to = at->x[j] - h * v;
    return at->composite ? oracle_prox_coord(at->o, h, j, to) : to;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct dp_gcd *s = vp;
    long d = oracle_dim(o), nonzeros = 0;
    double *g = arena_vec(w, d), *L = arena_vec(w, d);
    struct point *at = oracle_point(o, w);
    bool clips = isfinite(s->C), quiet = isinf(s->share), uniform = is(s->selection, "uniform");

    if (clips)
        clip_thresholds(d, s->C, clip_trace(d, s->M_j, oracle_multiplicity(o)), s->M_j, L);
    else if (s->L_j)
        vec_copy(d, s->L_j, L);
    else
        vec_zero(d, L);
    struct choice c = choice_new(s, o, w, point_at(at), L);
    arena_seal(w);
    point_set(at, x);
    for (long j = 0; j < d; j++) {
        greedy_moved(&c.at, j);
        nonzeros += x[j] != 0;
    }
    for (long t = 0; t < s->T && point_grad(at, clips ? L : NULL, g); t++) {
        long won = uniform ? choose_uniform(&c.blocks, rng) : choose(&c, g);
        long j = blocks_alone(&c.blocks, at, won);
        double lambda = quiet ? 0 : 2 * L[won] / (s->n * s->share);
        double v = g[won], was = j < 0 ? 0 : point_at(at)[j];
        noise_laplace(o, &(struct release){ .site = "dp-gcd.update", .norm = NORM_1,
                                            .sensitivity = quiet ? 0 : 2 * L[won] / s->n },
                      lambda, 1, &v);
        if (j >= 0) {
            point_add(at, j, stepped(s, &c.at, j, v) - was);
            greedy_moved(&c.at, j);
            nonzeros += (point_at(at)[j] != 0) - (was != 0);
        }
        oracle_note(o, NOTE_nonzeros, (double)nonzeros);
        oracle_note(o, NOTE_lambda, lambda);
        oracle_depth(o, 2);
        oracle_mark(o, point_at(at));
    }
    vec_copy(d, point_at(at), x);
    return OK;
}

const struct algo algo_dp_gcd = {
    .name = "dp-gcd",
    .doc = "greedy coordinate descent: noisy choice of one coordinate, noisy step on it",
    .cite = "Mangold, Bellet, Salmon, Tommasi, AISTATS 2023, Algorithms 1 and 2",
    .calls = CALL_POINT | CALL_PROX | CALL_NOISE | CALL_BLOCKS,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(M_j),
    .may_read = FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(n) | FACT_BIT(L_j) | FACT_BIT(R_M1) |
                FACT_BIT(mu_M1) | FACT_BIT(mu_M2) | FACT_BIT(Phi),
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct dp_gcd),
    .notes = notes,
    .looks = looks,
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};

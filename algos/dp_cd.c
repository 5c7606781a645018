/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_cd.c - private random coordinate descent on F = f + psi, psi public and separable:
 *
 *     j uniform in 1..p,
 *     th_j <- prox_{gamma_j psi_j}( th_j - gamma_j (grad_j f(th) + N(0, s_j^2)) )
 *
 * K times from th = w, then w <- the average of the K inner iterates, or the last; all this T times. grad_j f is
 * the mean over the n records of derivatives clipped to C_j = C sqrt(M_j/sum_k M_k); or they are not clipped, and
 * C_j = L_j. Replacing a record changes this mean by at most 2 C_j/n; s_j = z 2 C_j/n. The TK Gaussian releases
 * with noise z in units of their sensitivity are rho-GDP for z = sqrt(TK)/rho, whatever f is.
 *
 * In experiments T = 1, K is p times a number of passes, gamma_j = gamma/M_j, the answer is the last iterate, and z
 * follows from the Renyi divergence of all releases. In theory gamma_j = 1/M_j, iterates are averaged, and
 * s_j^2 = 12 L_j^2 T K log(1/delta)/(n eps)^2. f is convex, L_j-Lipschitz and M_j-smooth in coordinate j;
 * |v|_{M,2}^2 = sum_j M_j v_j^2; R is the larger of the initial distance to a minimiser in |.|_{M,2} and
 * sqrt(F(w) - F*); |L|^2 = sum_j L_j^2/M_j:
 *     convex    T = 1, K = c_K R sqrt(p/log(1/delta)) n eps/|L|:
 *               E F - F* = O~( sqrt(p log(1/delta)) |L| R/(n eps) )
 *     strongly  K = c_K p/mu, T = log2 of R^2 over the squared distance that the noise leaves:
 *               E F - F* = O~( p log(1/delta) |L|^2/(mu (n eps)^2) ), mu the strong convexity in |.|_{M,2}
 * Derivatives are released in units of 2 C_j/n, so that all releases have the sensitivity 1. */
#include "coordinate_clip.h"
#include "whole_gradient.h"

struct dp_cd {
    const char *schedule, *calibration, *answer;
    long T, K;
    double passes, gamma, C, z, R, mu, c_K, n;
    const double *M_j, *L_j;         /* [p]; L_j is NULL where not known */
};

static const struct param params[] = {
    PARAM_WORD(dp_cd, schedule, "passes", "passes|convex|strongly", "who chooses T and K"),
    PARAM_WORD(dp_cd, calibration, "rdp", "rdp|exact|theory",
               "z from divergences, from the exact curve, or the theorem's"),
    PARAM_WORD(dp_cd, answer, "last", "last|average", "of the K inner iterates"),
    PARAM(dp_cd, T, 0, 0, 0x1p40, "1", "outer rounds; 0: the schedule's"),
    PARAM(dp_cd, K, 0, 0, 0x1p52, "updates", "inner updates; 0: the schedule's"),
    PARAM(dp_cd, passes, NAN, 0, 0x1p40, "passes", "K over p; default what the goal allows, or 1"),
    PARAM(dp_cd, gamma, 1, 0, INFINITY, "1", "step times M_j"),
    PARAM(dp_cd, C, NAN, 0, INFINITY, "f/x", "root of the sum of C_j^2; default none, by L_j, if "
          "public; else sqrt(sum M_j)"),
    PARAM(dp_cd, z, NAN, 0, INFINITY, "1", "sd of the noise over 2 C_j/n; 0: none"),
    PARAM(dp_cd, R, NAN, 0, INFINITY, "sqrt(f)", "of convex and strongly"),
    PARAM(dp_cd, mu, NAN, 0, INFINITY, "1", "strong convexity in |.|_{M,2}, of strongly"),
    PARAM(dp_cd, c_K, 1, 0, INFINITY, "1", "multiplies K of convex and strongly"),
    PARAM_END
};

static const char who[] = "dp-cd";

static bool is(const char *word, const char *wanted) { return strcmp(word, wanted) == 0; }

/* --- the choice of T, K and z for `tune` */

/* Returns sum_j L_j^2/M_j. If derivatives are clipped, C_j replaces L_j, and the sum is C^2 p/sum_k M_k. */
static double noise_norm2(const struct facts *f, const struct dp_cd *s)
{
    double sum = 0;
    for (long j = 0; j < (long)f->d && !isfinite(s->C); j++)
        sum += f->M_j[j] > 0 ? f->L_j[j] * f->L_j[j] / f->M_j[j] : 0;
    return isfinite(s->C) ? s->C * s->C * f->d / clip_trace((long)f->d, f->M_j, NULL) : sum;
}

/* Sets K and T, unless they are parameters of the run, to the values of the theorem. */
static enum status theory(const struct facts *f, const struct goal *goal, struct dp_cd *s,
                          struct why *why)
{
    double eps = goal->eps, l_d = log(1 / goal->delta), p = f->d, K, T = 1;
    if (!(eps > 0 && l_d > 0 && s->R > 0))
        return why_set(why, REFUSED, "%s: schedule %s needs goal eps and delta, and algo.R", who,
                       s->schedule);
    double noise2 = noise_norm2(f, s), n_eps = s->n * eps;
    if (is(s->schedule, "convex")) {
        K = s->c_K * s->R * sqrt(p / (noise2 * l_d)) * n_eps;
    } else {
        if (!(s->mu > 0))
            return why_set(why, REFUSED, "%s: schedule strongly needs algo.mu", who);
        K = s->c_K * p / s->mu;
        double floor = p * l_d * noise2 / (s->mu * n_eps * n_eps);
        T = fmax(1, ceil(log2(s->R * s->R / floor)));
    }
    param_choose_count(&s->T, (long)T);
    param_choose_count(&s->K, (long)fmax(1, fmin(0x1p52, rint(K))));
    return OK;
}

/* Sets K and T such that the T K updates are within the goal: at most goal T updates, and p/n updates for each
 * sample gradient of the budget. */
static enum status shape(const struct facts *f, const struct goal *goal, struct dp_cd *s,
                         struct why *why)
{
    double most = fmin(isnan(goal->T) ? INFINITY : goal->T,
                       isnan(goal->budget) ? INFINITY : floor(goal->budget * f->d / s->n));
    if (!is(s->schedule, "passes"))
        TRY(theory(f, goal, s, why));
    double K = isnan(s->passes) ? fmin(f->d, most) : rint(s->passes * f->d);
    if (!s->K && !(K >= 1))
        return why_set(why, REFUSED, "%s: %g passes over %g coordinates are no update", who,
                       isnan(s->passes) ? K / f->d : s->passes, f->d);
    param_choose_count(&s->T, 1);
    param_choose_count(&s->K, (long)K);
    double T = (double)s->T, all = T * (double)s->K;
    if (all <= most)
        return OK;
    if (goal->constants == CONSTANTS_THEORY || most < T)
        return why_set(why, REFUSED, "%s: T = %ld rounds of K = %ld updates, the goal allows %g in "
                       "all", who, s->T, s->K, most);
    s->K = (long)floor(most / T);
    return OK;
}

static enum status noise_of(const struct goal *goal, struct dp_cd *s, struct why *why)
{
    double TK = (double)s->T * (double)s->K, mu = NAN;
    if (!isnan(s->z))
        return OK;
    if (is(s->calibration, "theory") && !isnan(goal->eps)) {
        bool proven = goal->eps > 0 && goal->eps <= 1 && goal->delta > 0 && goal->delta < 1.0 / 3;
        if (!proven)
            return why_set(why, REFUSED, "%s: calibration theory is proven for 0 < eps <= 1 and "
                           "0 < delta < 1/3, not %g and %g", who, goal->eps, goal->delta);
        s->z = sqrt(3 * TK * log(1 / goal->delta)) / goal->eps;
        return OK;
    }
    TRY(gdp_choose(goal, s->calibration, &mu, who, why));
    s->z = isinf(mu) ? 0 : sqrt(TK) / mu;
    return OK;
}

/* Returns, as FACT_BITs, the facts that tune reads. L_j is read only if derivatives are not clipped. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct dp_cd *s = vp;
    unsigned long always = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(M_j);
    return always | (clip_wants_L(f, goal, s->C) ? FACT_BIT(L_j) : 0);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct dp_cd *s = vp;
    bool bounded = whole_is_private(goal, s->z) || !is(s->schedule, "passes");
    double practice = sqrt(clip_trace((long)f->d, f->M_j, NULL));

    s->n = f->n;
    s->M_j = f->M_j;
    s->L_j = f->L_j;
    TRY(whole_clip(f, goal, bounded, practice, &s->C, who, why));
    TRY(shape(f, goal, s, why));
    return noise_of(goal, s, why);
}

/* --- the method */

struct descent {
    struct oracle *o;
    struct point *at;
    double *C_j, *gamma, *lag, *mean; /* [p]; gamma: step lengths; answer_of explains lag and mean */
    bool clips, composite, average;
};

static void begin(struct descent *e, const struct dp_cd *s)
{
    long p = oracle_dim(e->o);
    vec_fill(p, INFINITY, e->C_j);
    if (e->clips)
        clip_thresholds(p, s->C, clip_trace(p, s->M_j, NULL), s->M_j, e->C_j);
    else if (s->L_j)
        vec_copy(p, s->L_j, e->C_j);
    for (long j = 0; j < p; j++)         /* the coordinate of a column of zeros does not move */
        e->gamma[j] = s->M_j[j] > 0 ? s->gamma / s->M_j[j] : 0;
}

/* Makes one update of coordinate j; *change <- by how much th_j moved. Returns false if the budget is spent. */
static bool update(struct descent *e, const struct dp_cd *s, long j, double *change)
{
    const struct release r = { .site = "dp-cd.derivative", .norm = NORM_2, .sensitivity = 1 };
    double v, unit = 2 * e->C_j[j] / s->n, x = point_at(e->at)[j];
    if (!point_coord(e->at, j, e->clips ? e->C_j : NULL, &v))
        return false;
    unit = unit < INFINITY ? unit : 1;               /* C_j may be infinite only without noise */
    v = unit > 0 ? v / unit : 0;
    noise_gaussian(e->o, &r, s->z, 1, &v);
    double to = x - e->gamma[j] * unit * v;
    if (e->composite)
        to = oracle_prox_coord(e->o, e->gamma[j], j, to);
    *change = to - x;
    point_add(e->at, j, *change);
    return true;
}

/* Returns the answer after k updates: th, or the mean of the k iterates. With c_i the change of a coordinate in
 * update i and lag = sum_i (i-1) c_i, the mean is th - lag/k. */
static const double *answer_of(struct descent *e, long k)
{
    if (!e->average || k == 0)
        return point_at(e->at);
    vec_lincomb(oracle_dim(e->o), 1, point_at(e->at), -1 / (double)k, e->lag, e->mean);
    return e->mean;
}

/* Makes K updates. A mark takes time of order p; there is therefore one mark for p updates. Returns false if the
 * budget is spent. */
static bool inner(struct descent *e, const struct dp_cd *s, struct rng *rng)
{
    long p = oracle_dim(e->o), k = 0;
    bool more = true;
    double change;
    vec_zero(p, e->lag);
    while (k < s->K && more) {
        long j = (long)rng_below(rng, (uint64_t)p);
        more = update(e, s, j, &change);
        if (!more)
            break;
        e->lag[j] += (double)k++ * change;
        oracle_depth(e->o, 1);
        if (k % p == 0 && k < s->K)
            oracle_mark(e->o, answer_of(e, k));
    }
    const double *w = answer_of(e, k);
    oracle_mark(e->o, w);
    if (e->average)
        point_set(e->at, w);
    return more;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct dp_cd *s = vp;
    long p = oracle_dim(o);
    struct descent e = { .o = o, .at = oracle_point(o, w), .C_j = arena_vec(w, p),
                         .gamma = arena_vec(w, p), .lag = arena_vec(w, p), .mean = arena_vec(w, p),
                         .clips = isfinite(s->C), .composite = oracle_composite(o),
                         .average = is(s->answer, "average") };

    arena_seal(w);
    begin(&e, s);
    point_set(e.at, x);
    for (long t = 0; t < s->T && inner(&e, s, rng);)
        t++;
    vec_copy(p, point_at(e.at), x);
    return OK;
}

static const struct method_mechanism mechanisms[] = {
    { "noise", "Gaussian noise on every partial derivative, for privacy", MECHANISM_COSTS, { { "algo.z", 0 } } },
    { 0 }
};

const struct algo algo_dp_cd = {
    .name = "dp-cd",
    .doc = "private random coordinate descent: clipped derivatives, Gaussian noise, proximal steps",
    .cite = "Mangold, Bellet, Salmon, Tommasi, ICML 2022 (arXiv 2110.11688)",
    .calls = CALL_POINT | CALL_PROX | CALL_NOISE,
    .one_coordinate = true,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(M_j),
    .may_read = FACT_BIT(L_j),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct dp_cd),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};

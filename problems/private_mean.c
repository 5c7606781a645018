/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_mean.c - a linear loss of private records plus a public potential, separable by coordinates:
 *
 *     l(w; s) = sum_j rho_j(w_j) - L <s, w>,   s in [-1, 1]^d,   rho_j(w) = h_j (w^2/2 + ripple),
 *
 * The partial derivatives of two records differ by at most 2L. The records are chosen such that the mean of s_j is
 * h_j w*_j/L exactly, for every n, so that w* is known. The first `active` coordinates have curvature
 * kappa and |w*_j| = r, the others have curvature `rest` and |w*_j| = alpha. Usual settings are the following,
 * where R_M1 and mu_M1 are facts: the radius of the initial level set, and the strong convexity, in the norm
 * |x|_{M,1} = sqrt(M) |x|_1.
 *
 *     flat          active = 1, rest = 0                  convex, R_M1 = sqrt(M) r whatever d
 *     quasi-sparse  active = tau, kappa = rest = 1        (alpha, tau)-quasi-sparse
 *     dense         active = k, r = 1/sqrt k, rest = 0    R_M1 = sqrt(k M), distance 1
 *     diagonal      active = 1, kappa small, rest = 1     1/mu_M1 = d - 1 + 1/kappa
 *
 * The ripple c (1 - cos(omega (w - w*)))/omega^2, with two periods from 0 to r, does not move the minimum.
 * Curvatures are between h (1 - c) and h (1 + c), and F is nonconvex for c > 1.
 *
 * Column j of the records has n+ entries 1, n- entries -1 and at most one number between. The order of each
 * column is its own permutation i -> (a_j i + b_j) mod n, so that records are recomputed and n = 1e9 costs
 * no memory. */
#include <math.h>
#include <string.h>
#include "parts/ball.h"
#include "parts/simple.h"
#include "problem.h"

/* --- parameters and instance */

struct private_mean {
    long d, active, n, blocks, free;
    double kappa, kappa_unit, r, r_unit, decades, rest, alpha, ripple, M, L;
    const char *mode;
};

struct mean_instance {
    long d,                          /* entries of x */
         active,                     /* active coordinates */
         n;                          /* records */
    long block;                      /* the entry that stands for many coordinates of equal law; -1: there is
                                        none */
    double L, ripple, omega;
    bool records;
    double *h,                       /* [d] curvatures */
           *star;                    /* [d] w* */
    double *M_j, *L_j;               /* [d] */
    /* A free place is an entry behind the block for a coordinate that leaves the block in a run. */
    double *multiplicity;            /* [d] coordinates of an entry at the start of a run; 0 for a free place */
    double *weight;                  /* [d] weight of an entry in sums: of the block, its coordinates less the free
                                        places; else 1 */
    double *plus,                    /* [d] n+ of a column */
           *part;                    /* [d] the number between -1 and 1 of a column */
    long *a, *b;                     /* [d] a_j and b_j of the order of a column */
};

/* --- mean_rise and what follows from it, in one coordinate */

/* Returns the term of coordinate j in F - F* at e = w - w*. */
static inline double mean_rise(const struct mean_instance *o, long j, double e)
{
    double wave = o->ripple > 0 ? sin(o->omega * e / 2) / o->omega : 0;
    return o->h[j] * (e * e / 2 + 2 * o->ripple * wave * wave);
}

static inline double mean_slope(const struct mean_instance *o, long j, double e)
{
    double wave = o->ripple > 0 ? sin(o->omega * e) / o->omega : 0;
    return o->h[j] * (e + o->ripple * wave);
}

/* Returns rho_j(w) = mean_rise + h w* w - h w*^2/2. */
static inline double mean_potential(const struct mean_instance *o, long j, double w)
{
    double star = o->star[j];
    return mean_rise(o, j, w - star) + o->h[j] * star * (w - star / 2);
}

static inline double mean_potential_slope(const struct mean_instance *o, long j, double w)
{
    return mean_slope(o, j, w - o->star[j]) + o->h[j] * o->star[j];
}

/* Returns s_j of record i. The canary records -1 and -2 have all entries 1 and all entries -1. */
static inline double mean_entry(const struct mean_instance *o, long i, long j)
{
    if (i < 0)
        return i == -1 ? 1 : -1;
    double place = (double)((o->a[j] * i + o->b[j]) % o->n);
    return place < o->plus[j] ? 1 : place == o->plus[j] ? o->part[j] : -1;
}

/* Returns the mean over the records of the derivatives in w_j, each clipped to [-C, C]. */
static inline double mean_clipped(const struct mean_instance *o, long j, double w,
                                  double C)
{
    double n = (double)o->n, push = mean_potential_slope(o, j, w), between = o->plus[j] < n;
    double sum = o->plus[j] * simple_clamp(push - o->L, C) +
                 (n - o->plus[j] - between) * simple_clamp(push + o->L, C);
    return (sum + between * simple_clamp(push - o->L * o->part[j], C)) / n;
}

static inline double mean_summed(const struct mean_instance *o, long j, double w, double C)
{
    double push = mean_potential_slope(o, j, w), sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += simple_clamp(push - o->L * mean_entry(o, i, j), C);
    return sum / (double)o->n;
}

static inline double mean_partial(const struct mean_instance *o, long j, double w,
                                  const double *clip_j)
{
    if (o->records)
        return mean_summed(o, j, w, clip_j ? clip_j[j] : INFINITY);
    return clip_j ? mean_clipped(o, j, w, clip_j[j]) : mean_slope(o, j, w - o->star[j]);
}

/* --- make */

static inline enum status mean_check(const struct private_mean *p, struct why *why)
{
    double kappa = p->kappa * p->kappa_unit, r = p->r * p->r_unit;
    if (p->active > p->d)
        return why_set(why, BAD_INPUT, "private_mean.active = %ld: expected at most "
                       "private_mean.d = %ld", p->active, p->d);
    if (!(kappa * r <= p->L * (1 + 1e-12) && p->rest * p->alpha <= p->L * (1 + 1e-12)))
        return why_set(why, BAD_INPUT, "private_mean: curvature times |w*| is %g and %g, expected "
                       "at most private_mean.L = %g, as of a mean of records", kappa * r,
                       p->rest * p->alpha, p->L);
    if (!(fmax(kappa, p->rest) * (1 + p->ripple) <= p->M * (1 + 1e-12)))
        return why_set(why, BAD_INPUT, "private_mean.M = %g: expected at least every curvature, %g",
                       p->M, fmax(kappa, p->rest) * (1 + p->ripple));
    if (p->blocks && p->rest > 0 && p->d > p->active && p->free < 1)
        return why_set(why, BAD_INPUT, "private_mean.free = %ld: expected at least 1, for the "
                       "coordinates of the block that move", p->free);
    if (!p->blocks && p->d > 100000000)
        return why_set(why, BAD_INPUT, "private_mean.d = %ld: expected at most 1e8, or "
                       "private_mean.blocks = 1", p->d);
    return OK;
}

/* Returns the number of entries of x in addition to the active ones. */
static inline long mean_others(const struct private_mean *p)
{
    long rest = p->d - p->active;
    if (!p->blocks || rest == 0)
        return rest;
    return 1 + (p->rest > 0 ? p->free < rest ? p->free : rest : 0);
}

static inline long mean_entries(const void *vp)
{
    const struct private_mean *p = vp;
    return p->active + mean_others(p);
}

static inline long mean_common_divisor(long a, long b)
{
    while (b) {
        long c = a % b;
        a = b;
        b = c;
    }
    return a;
}

/* Makes column j: its mean m in [-1, 1] from n+ = floor(n (1 + m)/2) entries 1 and one number between, and
 * its order, with a_j n < 2^62. */
static inline void mean_fill_column(struct mean_instance *o, long j, struct rng *r)
{
    double n = (double)o->n, m = o->h[j] * o->star[j] / o->L;
    m = simple_clamp(m, 1);
    o->plus[j] = floor(n * (1 + m) / 2);
    o->part[j] = simple_clamp(n * (1 + m) - 2 * o->plus[j] - 1, 1);
    long most = (1L << 62) / o->n;
    do
        o->a[j] = 1 + (long)rng_below(r, (uint64_t)(o->n < most ? o->n : most));
    while (mean_common_divisor(o->a[j], o->n) != 1);
    o->b[j] = (long)rng_below(r, (uint64_t)o->n);
}

static inline void mean_fill(const struct private_mean *p, const struct rng *data,
                             struct mean_instance *o)
{
    struct rng signs = rng_sub(data, 0), orders = rng_sub(data, 1);
    for (long j = 0; j < o->d; j++) {
        bool active = j < o->active;
        double t = o->active > 1 ? (double)j / (double)(o->active - 1) : 0;
        double sign = active || o->block < 0 ? rng_sign(&signs) : 1;
        o->h[j] = active ? p->kappa * p->kappa_unit * pow(10, -p->decades * t) : p->rest;
        o->star[j] = sign * (active ? p->r * p->r_unit : p->alpha);
        o->multiplicity[j] = o->weight[j] = 1;
        if (o->block >= 0 && j > o->block)
            o->multiplicity[j] = 0;
        struct rng order = rng_at(&orders, (uint64_t)j);
        mean_fill_column(o, j, &order);
    }
    if (o->block >= 0) {
        double many = (double)(p->d - p->active);
        o->multiplicity[o->block] = many;
        o->weight[o->block] = many - (double)(o->d - o->block - 1);
    }
    vec_fill(o->d, p->M, o->M_j);
    vec_fill(o->d, p->L, o->L_j);
}

/* States the facts. L_j, M_j and mu are public; R_M1, dist, Phi and sigma are declared; F* comes from the
 * records. */
static inline void mean_state(const struct private_mean *p, const struct mean_instance *o,
                              struct facts *f)
{
    double flatness = 0, flat = 0, least = INFINITY, most = 0, dist2 = 0, sigma2 = 0;
    f->Phi = f->f_star = 0;
    for (long j = 0; j < o->d; j++) {
        double w = o->weight[j], h = o->h[j], m = h * o->star[j] / o->L, n = (double)o->n;
        double square = o->plus[j] < n ? (n - 1 + o->part[j] * o->part[j]) / n : 1;
        f->Phi += w * mean_rise(o, j, -o->star[j]);
        f->f_star -= w * h * o->star[j] * o->star[j] / 2;
        flatness += h > 0 ? w * p->M / h : 0;
        flat += h == 0;
        least = fmin(least, h);
        most = fmax(most, h);
        dist2 += h > 0 ? w * o->star[j] * o->star[j] : 0;
        sigma2 += w * fmax(0, square - m * m);
    }
    ball_facts(f, o->d, (double)p->n, INFINITY);
    f->p = (double)p->d;
    f->nonzeros = f->n * f->p;
    f->L = f->G = most > 0 ? INFINITY : p->L * sqrt(f->p);
    f->sigma = p->L * sqrt(sigma2);
    f->M = f->M_F = p->M;
    f->mu = p->ripple <= 1 ? least * (1 - p->ripple) : NAN;
    f->weak = fmax(0, most * (p->ripple - 1));
    f->mu_M2 = f->mu / p->M;
    f->dist = sqrt(dist2);
    if (p->ripple == 0) {
        f->mu_M1 = flat > 0 ? 0 : 1 / flatness;
        f->R_M1 = sqrt(2 * f->Phi * flatness);
    }
    f->L_j = o->L_j;
    f->M_j = o->M_j;
    f->origin[FACT_dist] = f->origin[FACT_R_M1] = f->origin[FACT_Phi] = ORIGIN_DECLARED;
    f->origin[FACT_sigma] = ORIGIN_DECLARED;
    f->origin[FACT_f_star] = ORIGIN_DATA;
}

static inline enum status mean_make(const void *vp, const struct rng *data, struct arena *a,
                                    void **self, struct facts *facts, struct why *why)
{
    const struct private_mean *p = vp;
    TRY(mean_check(p, why));
    struct mean_instance *o = ARENA_ARRAY(a, 1, struct mean_instance);
    long d = mean_entries(p);
    double r = p->r * p->r_unit;
    *o = (struct mean_instance){ .d = d, .active = p->active, .n = p->n,
                        .block = p->blocks && p->d > p->active ? p->active : -1,
                        .L = p->L, .ripple = p->ripple, .omega = r > 0 ? 4 * M_PI / r : 1,
                        .records = strcmp(p->mode, "records") == 0,
                        .h = arena_vec(a, d), .star = arena_vec(a, d), .M_j = arena_vec(a, d),
                        .L_j = arena_vec(a, d), .multiplicity = arena_vec(a, d),
                        .weight = arena_vec(a, d), .plus = arena_vec(a, d),
                        .part = arena_vec(a, d), .a = ARENA_ARRAY(a, d, long),
                        .b = ARENA_ARRAY(a, d, long) };
    mean_fill(p, data, o);
    mean_state(p, o, facts);
    *self = o;
    return OK;
}

static const struct param params[] = {
    PARAM(private_mean, d, 40, 1, 1e15, "coordinates", "dimension"),
    PARAM(private_mean, n, 200, 1, 1e15, "records", "records of the data set"),
    PARAM(private_mean, active, 1, 1, 1e8, "coordinates", "the first ones, at most d"),
    PARAM(private_mean, kappa, 1, 1e-100, 1e100, "f/x^2", "curvature of the active ones ..."),
    PARAM(private_mean, kappa_unit, 1, 1e-100, 1e100, "1", "... in units of this"),
    PARAM(private_mean, decades, 0, 0, 100, "decades", "by which it falls from first to last"),
    PARAM(private_mean, r, 0.5, 0, 1e100, "x", "|w*_j| of the active ones, random signs ..."),
    PARAM(private_mean, r_unit, 1, 1e-100, 1e100, "1", "... in units of this"),
    PARAM(private_mean, rest, 0, 0, 1e100, "f/x^2", "curvature of the others; 0: flat"),
    PARAM(private_mean, alpha, 0, 0, 1e100, "x", "|w*_j| of the others"),
    PARAM(private_mean, ripple, 0, 0, 1e6, "1", "c; above 1: nonconvex"),
    PARAM(private_mean, M, 1, 1e-100, 1e100, "f/x^2", "M_j, at least every curvature"),
    PARAM(private_mean, L, 1, 1e-100, 1e100, "f/x", "L_j"),
    PARAM_WORD(private_mean, mode, "mean", "mean|records",
               "gradients from the mean of the records, or summed over them"),
    PARAM(private_mean, blocks, 0, 0, 1, "1", "1: the others are a block of exchangeable ones"),
    PARAM(private_mean, free, 0, 0, 1e8, "coordinates", "of a block that is not flat: how many may "
          "move"),
    PARAM_END
};

/* --- slots */

static const double *multiplicity(const void *self)
{
    const struct mean_instance *o = self;
    return o->block < 0 ? NULL : o->multiplicity;
}

static double value(const void *self, const double *x)
{
    const struct mean_instance *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->weight[j] * (mean_rise(o, j, x[j] - o->star[j]) -
                               o->h[j] * o->star[j] * o->star[j] / 2);
    return sum;
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct mean_instance *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->weight[j] * (mean_potential(o, j, x[j]) - o->L * mean_entry(o, i, j) * x[j]);
    return sum;
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct mean_instance *o = self;
    for (long j = 0; j < o->d; j++)
        g[j] += a * (mean_potential_slope(o, j, x[j]) - o->L * mean_entry(o, i, j));
}

static void grad(const void *self, const double *x, double *g)
{
    const struct mean_instance *o = self;
    for (long j = 0; j < o->d; j++)
        g[j] = mean_partial(o, j, x[j], NULL);
}

/* The cache of a cursor is x itself, since the records enter all derivatives through constants. */
static size_t cursor_bytes(const void *self)
{
    const struct mean_instance *o = self;
    return (size_t)o->d * sizeof(double);
}

static void cursor_set(const void *self, void *cache, const double *x)
{
    const struct mean_instance *o = self;
    vec_copy(o->d, x, cache);
}

static long column_nonzeros(const void *self, long j)
{
    const struct mean_instance *o = self;
    return o->n;
}

static long cursor_add(const void *self, void *cache, long j, double step)
{
    double *x = cache;
    x[j] += step;
    return column_nonzeros(self, j);
}

static double cursor_coord(const void *self, const void *cache, long j, const double *clip_j)
{
    const double *x = cache;
    return mean_partial(self, j, x[j], clip_j);
}

static void cursor_grad(const void *self, const void *cache, const double *clip_j, double *g)
{
    const struct mean_instance *o = self;
    const double *x = cache;
    for (long j = 0; j < o->d; j++)
        g[j] = mean_partial(o, j, x[j], clip_j);
}

static double cursor_value(const void *self, const void *cache) { return value(self, cache); }

static bool minimiser(const void *self, double *x)
{
    const struct mean_instance *o = self;
    for (long j = 0; j < o->d; j++)
        x[j] = o->h[j] > 0 ? o->star[j] : 0;
    return true;
}

/* --- measures */

static double excess(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->weight[j] * mean_rise(o, j, x[j] - o->star[j]);
    *error = 0;
    return sum;
}

/* Returns |x - w*| over the coordinates with curvature; in the others every value minimises F. */
static double distance(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->h[j] > 0 ? o->weight[j] * (x[j] - o->star[j]) * (x[j] - o->star[j]) : 0;
    *error = 0;
    return sqrt(sum);
}

/* Returns max_j |grad_j F|/sqrt(M_j), where all M_j are equal. */
static double dual_slope(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    double most = 0;
    for (long j = 0; j < o->d; j++)
        most = fmax(most, fabs(mean_slope(o, j, x[j] - o->star[j])));
    *error = 0;
    return most / sqrt(o->M_j[0]);
}

static double nonzeros(const struct mean_instance *o, const double *x, long from, long to)
{
    double sum = 0;
    for (long j = from; j < to; j++)
        sum += (x[j] != 0) * o->weight[j];
    return sum;
}

static double hits(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    *error = 0;
    return nonzeros(o, x, 0, o->active);
}

/* Returns the number of nonzero coordinates that are not active. It is NaN if they are a block without curvature,
 * where x does not show which coordinates were visited. */
static double misses(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    *error = 0;
    return o->block >= 0 && o->h[o->block] == 0 ? NAN : nonzeros(o, x, o->active, o->d);
}

static double sparsity(const void *self, const double *x, double *error)
{
    return hits(self, x, error) + misses(self, x, error);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "to the nearest minimiser", EXACT, distance, NULL },
    { "dual_slope", "f/x", "|grad F(x)| in the dual of |.|_{M,1}", EXACT, dual_slope, NULL },
    { "hits", "coordinates", "active ones that are not 0", EXACT, hits, NULL },
    { "misses", "coordinates", "others that are not 0", EXACT, misses, NULL },
    { "sparsity", "coordinates", "entries that are not 0", EXACT, sparsity, NULL },
    { 0 }
};

static const struct blocks_model blocks = { .multiplicity = multiplicity, .entries = mean_entries };

static const struct cursor_model cursor = {
    .bytes = cursor_bytes, .set = cursor_set, .add = cursor_add, .coord = cursor_coord,
    .grad = cursor_grad, .value = cursor_value, .nonzeros = column_nonzeros,
};

const struct problem problem_private_mean = {
    .name = "private_mean",
    .doc = "private mean under a public separable potential: flat, quasi-sparse, dense, diagonal",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct private_mean),
    .canaries = 2,
    .make = mean_make,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .value = value,
    .grad = grad,
    .blocks = &blocks,
    .cursor = &cursor,
    .measures = measures,
    .minimiser = minimiser,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_mean.c - a private mean under a public potential, coordinate by coordinate:
 *
 *     l(w; s) = sum_j rho_j(w_j) - L <s, w>,   s in [-1, 1]^d,   rho_j(w) = h_j (w^2/2 + ripple),
 *
 * so that a record moves a partial derivative by at most 2L and all else is known in closed form:
 * the mean of s is h_j w*_j/L, exactly, for every n. The first `active` coordinates have curvature
 * kappa and |w*_j| = r, the others curvature `rest` and |w*_j| = alpha:
 *
 *     flat          active = 1, rest = 0                  convex, R_M1 = sqrt(M) r whatever d
 *     quasi-sparse  active = tau, kappa = rest = 1        (alpha, tau)-quasi-sparse
 *     dense         active = k, r = 1/sqrt k, rest = 0    R_M1 = sqrt(k M), distance 1
 *     diagonal      active = 1, kappa small, rest = 1     1/mu_M1 = d - 1 + 1/kappa
 *
 * The ripple, c (1 - cos o(w - w*))/o^2 with two periods from 0 to r, leaves the minimum where it
 * is; curvatures are h (1 - c) to h (1 + c), and F is nonconvex for c > 1.
 *
 * Column j of the records is n+ times 1, n- times -1 and at most one number between, in an order
 * of its own, i -> (a_j i + b_j) mod n: records are recomputed, n = 1e9 costs no memory. */
#include "parts/private_mean.h"

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

/* The cursor's cache is x: what moves with it is not data. */
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

/* Where nothing pulls every place is a minimiser's. */
static double distance(const void *self, const double *x, double *error)
{
    const struct mean_instance *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->h[j] > 0 ? o->weight[j] * (x[j] - o->star[j]) * (x[j] - o->star[j]) : 0;
    *error = 0;
    return sqrt(sum);
}

/* max_j |grad_j F|/sqrt(M_j); all M_j are one number. */
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

/* A flat block does not say who was visited. */
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

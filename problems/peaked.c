/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peaked.c - the largest coordinate of x plus a term in x_1 of random sign, over R^d:
 *
 *     f(x; s_i) = (L/2) h(x) + (L/2) s_i x_1,   s_i = +-1 fair,
 *     max  h(x) = max( max_j x_j, -floor );     inf  h(x) = max_j |x_j|
 *
 * The two forms of h are the shapes max and inf. Samples are L-Lipschitz, F = (L/2) h. Gradients of F are
 * (L/2)(+-e_j) for the coordinates j that attain the maximum. Let J be the set of coordinates that attain it
 * somewhere within the open ball of radius r. Goldstein's norm at radius r is (L/2)/sqrt(#J); it is 0 if within the
 * ball the floor attains the maximum, or one coordinate does with both signs. The nearest point at which
 * coordinate i attains the maximum has x_i and all larger coordinates replaced by their mean. */
#include <gsl/gsl_sort_double.h>

#include "parts/ball.h"
#include "parts/certificates.h"

struct peaked {
    const char *shape;
    double L, floor, dist, goldstein, reach;
    long d, draws, hull, centre;
};

static const struct param params[] = {
    PARAM(peaked, d, 8, 1, 1e5, "coordinates", "dimension"),
    PARAM_WORD(peaked, shape, "inf", "max|inf", "which"),
    PARAM(peaked, L, 1, 1e-100, 1e100, "f/x", "Lipschitz constant of every f"),
    PARAM(peaked, floor, 1, 0, 1e100, "x", "max: where it ends"),
    PARAM(peaked, dist, 1, 0, 1e100, "x", "|x_1|, in a random direction"),
    CERTIFICATES_PARAMS(peaked),
    PARAM_END
};

struct self {
    struct certificates c;
    long d;
    bool both;                       /* the shape is inf, of absolute values */
    double A, floor;                 /* A = L/2 */
    double *x0;
    struct rng sign;
};

/* Returns the coordinate j that attains the maximum. *h <- x_j, for shape inf |x_j|; *s <- the sign of the
 * derivative of *h in x_j. */
static long top(const struct self *o, const double *x, double *s, double *h)
{
    long best = 0;
    *h = -INFINITY;
    for (long j = 0; j < o->d; j++) {
        double v = o->both ? fabs(x[j]) : x[j];
        if (v > *h) {
            *h = v;
            best = j;
        }
    }
    *s = o->both && x[best] < 0 ? -1 : 1;
    return best;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double s, h;
    top(o, x, &s, &h);
    return o->A * (o->both ? h : fmax(h, -o->floor));
}

static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    double s, h;
    long j = top(o, x, &s, &h);
    if (o->both || h > -o->floor)
        g[j] += a * o->A * s;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->d, g);
    add_grad(o, x, 1, g);
}

/* Returns s_i. The canary samples -1 and -2 have the signs + and -. */
static double sign_of(const struct self *o, long i)
{
    if (i < 0)
        return i == -1 ? 1 : -1;
    struct rng r = rng_at(&o->sign, (uint64_t)i);
    return rng_uniform(&r) < 0.5 ? 1 : -1;
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return value(self, x) + o->A * sign_of(o, i) * x[0];
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    add_grad(o, x, a, g);
    g[0] += a * o->A * sign_of(o, i);
}

/* --- Goldstein's norm */

/* Returns the squared distance from x to the nearest point at which one coordinate attains the maximum. rising[d]:
 * all coordinates in rising order, for shape inf their absolute values; the coordinate itself is an entry that
 * equals `but`, and is passed over. own: its value; for shape inf |x_j|, or -|x_j| to ask for the maximum with the
 * other sign. */
static double lift(const struct self *o, double own, double but, const double *rising)
{
    double mean = own, n = 1, square = 0;        /* square: the sum of squared distances from the mean */
    bool passed = false;
    for (long k = o->d - 1; k >= 0; k--) {
        if (rising[k] == but && !passed) {
            passed = true;
            continue;
        }
        double above = rising[k] - mean;
        if (!(above > 0))
            break;
        mean += above / ++n;
        square += above * (rising[k] - mean);
    }
    /* A largest absolute value is not below 0. */
    return o->both && mean < 0 ? square + n * mean * mean : square;
}

static double floor_away(const struct self *o, const double *x)
{
    double square = 0;
    for (long j = 0; j < o->d; j++)
        square += pow(fmax(0, x[j] + o->floor), 2);
    return square;
}

static double goldstein_exact(const void *self, const double *x, double r)
{
    const struct self *o = self;
    gsl_vector *rising = gsl_vector_alloc((size_t)o->d);
    double J = 0;
    bool flat = !o->both && floor_away(o, x) < r * r;
    for (long j = 0; rising && j < o->d; j++)
        rising->data[j] = o->both ? fabs(x[j]) : x[j];
    if (rising)
        gsl_sort(rising->data, 1, (size_t)o->d);
    for (long j = 0; rising && !flat && j < o->d; j++) {
        double v = o->both ? fabs(x[j]) : x[j];
        bool up = lift(o, v, v, rising->data) < r * r;
        flat = up && o->both && lift(o, -v, v, rising->data) < r * r;
        J += up;
    }
    bool known = rising;
    gsl_vector_free(rising);
    return !known ? NAN : flat ? 0 : o->A / sqrt(J);
}

static double least(const void *self, const double *x, double r, const double *u)
{
    double norm = goldstein_exact(self, x, r);
    return isnan(norm) ? 0 : norm;
}

/* --- make */

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *f, struct why *why)
{
    const struct peaked *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng aside = rng_sub(data, 1);
    *o = (struct self){ .d = p->d, .both = strcmp(p->shape, "inf") == 0, .A = p->L / 2,
                        .floor = p->floor, .x0 = arena_vec(a, p->d), .sign = rng_sub(data, 0) };
    rng_sphere(&aside, p->d, o->x0);
    vec_scale(p->d, p->dist, o->x0);
    o->c = (struct certificates){ .d = p->d, .draws = p->draws, .hull = p->hull,
        .reach = p->reach, .centre = p->centre, .exact = goldstein_exact,
        .q = { .d = p->d, .delta = p->goldstein, .points = rng_sub(data, 3), .self = o,
               .grad = grad, .least = least } };
    ball_facts(f, p->d, INFINITY, INFINITY);
    f->L = f->G = p->L;
    f->sigma = o->A;
    f->mu = f->weak = 0;
    f->f_star = o->both ? 0 : -o->A * p->floor;
    f->Phi = value(o, o->x0) - f->f_star;
    f->dist = o->both ? p->dist : sqrt(floor_away(o, o->x0));
    *self = o;
    return OK;
}

static void start(const void *self, double *x0)
{
    const struct self *o = self;
    vec_copy(o->d, o->x0, x0);
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    for (long j = 0; j < o->d; j++)
        x[j] = o->both ? 0 : fmin(o->x0[j], -o->floor);
    return true;
}

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    return value(self, x) + (o->both ? 0 : o->A * o->floor);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - inf F", EXACT, excess, NULL },
    CERTIFICATES_STATIONARITY,
    CERTIFICATES_MEASURES,
    { 0 }
};

const struct problem problem_peaked = {
    .name = "peaked",
    .doc = "largest coordinate, or the largest absolute one, with a slope of random sign: exact Goldstein "
           "norms 1/sqrt(#J); a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct peaked),
    .canaries = 2,
    .make = make,
    .start = start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .value = value,
    .grad = grad,
    .measures = measures,
    .minimiser = minimiser,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coercive_max.c - Nemirovski's maximum of coordinates i = 0 ... m-1, made coercive by a cone:
 *
 *     F(x) = max( max_i (L x_i - i gap),  L(|x| - R) + F* ),   F* = -L c
 *     x*_i = min(i gap/L - c, 0),  c the root of |x*| = R;  gap = 0: c = R/sqrt m
 *
 * over R^d. Where |x| <= R, some coordinate piece is at least F*; where |x| > R, the cone is above F*. The
 * subgradient is that of the first piece which attains the maximum, so that from x_0 = 0 every answer
 * reveals one coordinate more: with gap = 0 a method whose iterates stay in the span of the answers
 * keeps F >= 0 for m rounds. A Gaussian perturbation of standard deviation rho reveals more than one
 * coordinate a round, unless gap > L rho sqrt(2 ln m) (Bubeck, Jiang, Lee, Li, Sidford 2019). Every
 * sample of the stream is F itself. */
#include <math.h>
#include "parts/ball.h"
#include "parts/samples.h"
#include "problem.h"

struct coercive_max {
    long d, m;
    double L, R, gap;
};

static const struct param params[] = {
    PARAM(coercive_max, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(coercive_max, m, 0, 0, 1e8, "coordinates", "in the maximum, at most d; 0: d"),
    PARAM(coercive_max, L, 1, 1e-100, 1e100, "f/x", "slope of every piece"),
    PARAM(coercive_max, R, 1, 1e-100, 1e100, "x", "|x*|"),
    PARAM(coercive_max, gap, 0, 0, 1e100, "f", "by which each coordinate is below the one before"),
    PARAM_END
};

struct self {
    long d, m;
    double L, R,
           step,                     /* gap/L */
           depth;                    /* c */
};

/* Returns the c with sum_{i<k} (c - i step)^2 = R^2: the depth if exactly the first k coordinates of x* are
 * not 0. The formula uses the mean and the variance of 0, ..., k-1. */
static double depth_of(double k, double step, double R)
{
    if (k == 1)                      /* where the square of a large step would be infinite */
        return R;
    return step * (k - 1) / 2 + sqrt(R * R / k - step * step * (k * k - 1) / 12);
}

/* Returns c. The nonzero coordinates of x* are its first ones. Their number is first taken to be m, and lowered
 * until each coordinate so counted is nonzero. */
static double depth(long m, double step, double R)
{
    double c = depth_of((double)m, step, R);
    while (m > 1 && !(c > step * (double)(m - 1)))
        c = depth_of((double)--m, step, R);
    return c;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct coercive_max *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    long m = p->m > 0 ? p->m : p->d;

    if (m > p->d)
        return why_set(why, BAD_INPUT, "coercive_max.m = %ld: expected at most coercive_max.d = "
                       "%ld", m, p->d);
    *o = (struct self){ .d = p->d, .m = m, .L = p->L, .R = p->R, .step = p->gap / p->L,
                        .depth = depth(m, p->gap / p->L, p->R) };
    ball_facts(facts, p->d, INFINITY, INFINITY);
    facts->N = (double)m + 1;
    facts->L = facts->G = p->L;
    facts->sigma = 0;
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->R;
    facts->Phi = p->L * o->depth;
    facts->f_star = -facts->Phi;
    *self = o;
    return OK;
}

/* --- the pieces: i < m is L x_i - i gap, and m is the cone L(|x| - R) + F* */

static double cone(const struct self *o, const double *x)
{
    return o->L * (vec_norm(o->d, x) - o->R) - o->L * o->depth;
}

/* g[d] += a * (gradient of the cone at x). At x = 0 the subgradient 0 is taken. */
static void add_cone_grad(const struct self *o, const double *x, double a, double *g)
{
    double norm = vec_norm(o->d, x);
    if (norm > 0)
        vec_axpy(o->d, a * o->L / norm, x, g);
}

/* Returns the value of piece i < m, divided by L. */
static double lowered(const struct self *o, const double *x, long i)
{
    return x[i] - (double)i * o->step;
}

static long largest_lowered(const struct self *o, const double *x)
{
    long best = 0;
    for (long i = 1; i < o->m; i++)
        if (lowered(o, x, i) > lowered(o, x, best))
            best = i;
    return best;
}

/* Returns the first i < m whose piece is largest. *square <- |x|^2 up to rounding if gap = 0, where the same pass
 * over x computes both; else infinity. */
static long largest(const struct self *o, const double *x, double *square)
{
    *square = INFINITY;
    if (o->step > 0)
        return largest_lowered(o, x);
    long i = vec_peak(o->m, x, square);
    if (o->m < o->d)
        *square += vec_dot(o->d - o->m, x + o->m, x + o->m);
    return i;
}

static double top(const struct self *o, const double *x)
{
    double square;
    return lowered(o, x, largest(o, x, &square));
}

static double star(const struct self *o, long j)
{
    return j < o->m ? fmin((double)j * o->step - o->depth, 0) : 0;
}

static double piece_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return i < o->m ? o->L * lowered(o, x, i) : cone(o, x);
}

static void piece_values(const void *self, const double *x, double *v)
{
    const struct self *o = self;
    for (long i = 0; i <= o->m; i++)
        v[i] = piece_value(o, i, x);
}

static void piece_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    if (i < o->m)
        g[i] += a * o->L;
    else
        add_cone_grad(o, x, a, g);
}

/* --- the maximum */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double far = cone(o, x);         /* NaN if x has a NaN */
    return isnan(far) ? far : fmax(o->L * top(o, x), far);
}

/* Returns true only if the cone at x is below L * height. `square` is |x|^2 with the rounding of at most 10^8
 * terms; for most points it decides without a square root. */
static bool surely_inside(const struct self *o, double height, double square)
{
    double reach = o->R + o->depth + height;
    return reach > 0x1p-20 * o->R && square < (1 - 0x1p-20) * reach * reach;
}

static void sample_grad(const void *self, long sample, const double *x, double a, double *g)
{
    const struct self *o = self;
    double square;
    long i = largest(o, x, &square);
    bool above = !surely_inside(o, lowered(o, x, i), square) && cone(o, x) > o->L * lowered(o, x, i);
    piece_grad(o, above ? o->m : i, x, a, g);
}

static void batch_grad(const void *self, const struct samples *s, const double *w, const double *x,
                       double a, double *g)
{
    sample_grad(self, 0, x, a * samples_weight(s, w), g);
}

static void grad(const void *self, const double *x, double *g)
{
    vec_zero(((const struct self *)self)->d, g);
    sample_grad(self, 0, x, 1, g);
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    for (long j = 0; j < o->d; j++)
        x[j] = star(o, j);
    return true;
}

/* Returns the t with sum_{i<m} max(v_i - t, 0) = 1, v_i = scale * lowered(y, i): the number that the projection
 * of v on the simplex subtracts (Michelot 1986). In each pass t rises, and fewer coordinates are above it. */
static double simplex_shift(const struct self *o, double scale, const double *y)
{
    double t = -INFINITY, before;
    do {
        double sum = 0, count = 0;
        before = t;
        for (long j = 0; j < o->m; j++)
            if (scale * lowered(o, y, j) > before) {
                sum += scale * lowered(o, y, j);
                count++;
            }
        t = (sum - 1) / count;
    } while (t > before);
    return t;
}

/* x[d] <- the proximal point of max_i (L x_i - i gap): y - (L/lam) p, where p is the projection of v (see
 * simplex_shift) on the simplex. Returns true if at x the cone is not above the coordinates, since x is then the
 * proximal point of F too. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    double t = simplex_shift(o, lam / o->L, y);
    for (long j = 0; j < o->d; j++)
        x[j] = j < o->m ? fmin(y[j], t * o->L / lam + (double)j * o->step) : y[j];
    return cone(o, x) <= o->L * top(o, x);
}

/* Returns F(x) - F*. F* is subtracted from each piece before the maximum is taken, so that digits survive near
 * x*. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double far = vec_norm(o->d, x) - o->R;
    *error = 0;
    return o->L * (isnan(far) ? far : fmax(top(o, x) + o->depth, far));
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->d; j++) {
        double e = x[j] - star(o, j);
        sum += e * e;
    }
    *error = 0;
    return sqrt(sum);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, distance, NULL },
    { 0 }
};

static const struct pieces_model pieces = {
    .values = piece_values, .value = piece_value, .grad = piece_grad,
};

static const struct measuring_model measuring = { .proximal_point = proximal_point };

const struct problem problem_coercive_max = {
    .name = "coercive_max",
    .doc = "maximum of coordinates made coercive: reveals one coordinate a round; deterministic",
    .cite = "Nemirovski, Yudin (1983), Problem complexity; the second piece is ours",
    .params = params,
    .params_size = sizeof(struct coercive_max),
    .fixed = true,
    .make = make,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .value = value,
    .grad = grad,
    .pieces = &pieces,
    .measures = measures,
    .minimiser = minimiser,
    .measuring = &measuring,
};

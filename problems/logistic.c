/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logistic.c - l2-regularised logistic regression on a table of records, no intercept:
 *
 *     f(x; s_i) = log(1 + exp(-y_i <a_i,x>)) + (l2/2)|x|^2,     F(x) = (1/n) sum_i f(x; s_i)
 *
 * over R^d or a centred ball; of the two labels the larger is y = +1. The logistic slope is at most
 * 1 and its derivative at most 1/4, hence the constants. The optimum is a certified reference. */
#include <float.h>
#include <math.h>
#include "data.h"
#include "parts/reference_ball.h"
#include "parts/rows.h"
#include "parts/samples.h"
#include "problem.h"

enum { BLOCK = 256 };
/* Gap of the reference (F(0) = log 2); an F below SEPARATED is taken to be near its infimum 0. */
static const double TARGET = 1e-18, SEPARATED = 1e-6;

struct logistic {
    const char *data;
    double l2, radius;
};

static const struct param params[] = {
    PARAM_WORD(logistic, data, "heart_scale", NULL, "LIBSVM file, or heart_scale"),
    PARAM(logistic, l2, 0.01, 0, 1e100, "f/x^2", "regularisation, = mu"),
    PARAM(logistic, radius, INFINITY, 1e-100, INFINITY, "x", "of the feasible ball"),
    PARAM_END
};

struct self {
    const struct table *t;
    const struct columns *c;
    long n, d;
    double l2, radius;
    double *y;                       /* [n] -1 or +1 */
    struct ball_reference best;
    double length;                   /* root mean square of |a_i| */
};

/* log(1 + e^z) and its derivative, for any z. */
static double softplus(double z) { return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z)); }
static double sigmoid(double z) { return z > 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z)); }

/* Derivative of sample i's loss in its score s = <a_i,x>. */
static double slope(const struct self *o, long i, double s)
{
    return -o->y[i] * sigmoid(-o->y[i] * s);
}

static double ridge(const struct self *o, const double *x)
{
    return o->l2 > 0 ? o->l2 / 2 * vec_dot(o->d, x, x) : 0;
}

/* The loss part over records first, ..., by blocks: g (NULL: not wanted) += a sum_k w_k grad, w
 * NULL: 1/count; *sum (NULL: not wanted) <- the losses added up. */
static void losses(const struct self *o, long first, long count, const double *w, const double *x,
                   double a, double *g, double *sum)
{
    double s[BLOCK], total = 0;
    for (long from = 0; from < count; from += BLOCK) {
        long m = count - from < BLOCK ? count - from : BLOCK;
        double part = 0;
        rows_times(o->t, first + from, m, x, s);
        for (long k = 0; sum && k < m; k++)
            part += softplus(-o->y[first + from + k] * s[k]);
        for (long k = 0; g && k < m; k++)
            s[k] = a * (w ? w[from + k] : 1 / (double)count) * slope(o, first + from + k, s[k]);
        if (g)
            rows_combine(o->t, first + from, m, s, g);
        total += part;
    }
    if (sum)
        *sum = total;
}

/* --- the objective and its samples */

/* F(x); g[d] (NULL: not wanted) <- its gradient. */
static double both(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double sum;
    if (g)
        vec_lincomb(o->d, o->l2, x, 0, x, g);
    losses(o, 0, o->n, NULL, x, 1, g, &sum);
    return sum / (double)o->n + ridge(o, x);
}

static double value(const void *self, const double *x) { return both(self, x, NULL); }

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_lincomb(o->d, o->l2, x, 0, x, g);
    losses(o, 0, o->n, NULL, x, 1, g, NULL);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return softplus(-o->y[i] * rows_dot(o->t, i, x)) + ridge(o, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    rows_axpy(o->t, i, a * slope(o, i, rows_dot(o->t, i, x)), g);
    if (o->l2 > 0)
        vec_axpy(o->d, a * o->l2, x, g);
}

static void batch_grad(const void *self, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    const struct self *o = self;
    if (!s->index)
        losses(o, s->first, s->count, w, x, a, g, NULL);
    for (long k = 0; s->index && k < s->count; k++) {
        long i = sample_index(s, k);
        double w_k = w ? w[k] : 1 / (double)s->count;
        rows_axpy(o->t, i, a * w_k * slope(o, i, rows_dot(o->t, i, x)), g);
    }
    if (o->l2 > 0)
        vec_axpy(o->d, a * o->l2 * samples_weight(s, w), x, g);
}

/* A score of x + r u is <a,x> + r <a,u>: the scores of u are kept in the last row of v until that
 * row is due. */
static void values_along(const void *self, long i, int points, const double *const *x,
                         const double *r, int m, const double *u, double *v)
{
    const struct self *o = self;
    double *along = v + (long)(points - 1) * m;
    for (int j = 0; j < m; j++)
        along[j] = rows_dot(o->t, i, u + (long)j * o->d);
    for (int p = 0; p < points; p++) {
        double here = rows_dot(o->t, i, x[p]);
        for (int j = 0; j < m; j++) {
            const double *u_j = u + (long)j * o->d;
            double square = 0;
            for (long k = 0; o->l2 > 0 && k < o->d; k++)
                square += (x[p][k] + r[p] * u_j[k]) * (x[p][k] + r[p] * u_j[k]);
            v[(long)p * m + j] = softplus(-o->y[i] * (here + r[p] * along[j])) + o->l2 / 2 * square;
        }
    }
}

static long sample_nonzeros(const void *self, long i)
{
    return table_row(((const struct self *)self)->t, i).count;
}

/* --- cursor: the scores A x, then x */

static size_t cursor_bytes(const void *self)
{
    const struct self *o = self;
    return (size_t)(o->n + o->d) * sizeof(double);
}

static void cursor_set(const void *self, void *cache, const double *x)
{
    const struct self *o = self;
    rows_times(o->t, 0, o->n, x, cache);
    vec_copy(o->d, x, (double *)cache + o->n);
}

static long column_nonzeros(const void *self, long j)
{
    return table_column(((const struct self *)self)->c, j).count;
}

static long cursor_add(const void *self, void *cache, long j, double step)
{
    const struct self *o = self;
    struct entries a = table_column(o->c, j);
    double *s = cache;
    s[o->n + j] += step;
    for (long k = 0; k < a.count; k++)
        s[a.index[k]] += step * a.value[k];
    return a.count;
}

/* NaN stays NaN: a diverged iterate must not look like a clipped one. */
static double clamp(double v, double bound)
{
    return v > bound ? bound : v < -bound ? -bound : v;
}

/* Records without an entry in column j have the partial derivative l2 x_j, and are clipped too. */
static double cursor_coord(const void *self, const void *cache, long j, const double *clip_j)
{
    const struct self *o = self;
    struct entries a = table_column(o->c, j);
    const double *s = cache;
    double C = clip_j ? clip_j[j] : INFINITY, rest = o->l2 * s[o->n + j];
    double sum = (double)(o->n - a.count) * clamp(rest, C);
    for (long k = 0; k < a.count; k++)
        sum += clamp(slope(o, a.index[k], s[a.index[k]]) * a.value[k] + rest, C);
    return sum / (double)o->n;
}

static void cursor_grad(const void *self, const void *cache, const double *clip_j, double *g)
{
    const struct self *o = self;
    const double *s = cache, *x = s + o->n;
    for (long j = 0; j < o->d; j++)
        g[j] = (double)(o->n - column_nonzeros(o, j)) *
               clamp(o->l2 * x[j], clip_j ? clip_j[j] : INFINITY);
    for (long i = 0; i < o->n; i++) {
        struct entries a = table_row(o->t, i);
        double c = slope(o, i, s[i]);
        for (long k = 0; k < a.count; k++) {
            long j = a.index[k];
            g[j] += clamp(c * a.value[k] + o->l2 * x[j], clip_j ? clip_j[j] : INFINITY);
        }
    }
    vec_scale(o->d, 1 / (double)o->n, g);
}

static double cursor_value(const void *self, const void *cache)
{
    const struct self *o = self;
    const double *s = cache;
    double sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += softplus(-o->y[i] * s[i]);
    return sum / (double)o->n + ridge(o, s + o->n);
}

/* --- measures */

static double objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);
}

/* The truth lies in [F(x) - F(best), F(x) - F(best) + gap], both ends known up to the rounding of
 * a loss and of its score. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double f = value(self, x), gap = isfinite(o->best.gap) ? o->best.gap : 0;
    double rounding = DBL_EPSILON * (f + o->length * vec_norm(o->d, x));
    *error = o->best.gap + 2 * rounding;
    return f - o->best.value + gap + rounding;
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 2 * o->best.near;
    return vec_dist(o->d, x, o->best.x) + (isfinite(o->best.near) ? o->best.near : 0);
}

static double accuracy(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    long right = 0;
    *error = 0;
    for (long i = 0; i < o->n; i++)
        right += o->y[i] * rows_dot(o->t, i, x) > 0;
    return (double)right / (double)o->n;
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    vec_copy(o->d, o->best.x, x);
    return isfinite(o->best.near);
}

static void project(const void *self, double *x)
{
    const struct self *o = self;
    if (isfinite(o->radius))
        vec_project_ball(o->d, NULL, o->radius, x);
}

/* --- building */

/* M_j, L_j[d] and what else is a sum or maximum over entries; |x_j| <= |x| <= radius. */
static void constants(const struct self *o, double *M_j, double *L_j, struct facts *f)
{
    const struct table *t = o->t;
    double longest = 0, sum = 0, M_sum = 0, M_max = 0, bound = 0;
    if (o->l2 > 0)
        bound = isfinite(o->radius) ? o->l2 * o->radius : NAN;
    for (long i = 0; i < t->n; i++) {
        longest = fmax(longest, rows_square(t, i));
        sum += rows_square(t, i) / (double)t->n;
    }
    for (long j = 0; j < t->d; j++) {
        struct entries a = table_column(o->c, j);
        double square = 0, largest = 0;
        for (long k = 0; k < a.count; k++) {
            square += a.value[k] * a.value[k];
            largest = fmax(largest, fabs(a.value[k]));
        }
        M_j[j] = square / (4 * (double)t->n) + o->l2;
        L_j[j] = largest + bound;
        M_sum += M_j[j];
        M_max = fmax(M_max, M_j[j]);
    }
    f->M = longest / 4 + o->l2;
    f->L = sqrt(longest) + bound;
    f->G = sqrt(sum) + bound;
    f->sigma = sqrt(sum);            /* the ridge is in every sample: it does not vary */
    f->mu_M1 = M_sum > 0 ? o->l2 / M_sum : NAN;      /* |x|_{M,1}^2 <= sum_j M_j |x|^2 */
    f->mu_M2 = M_max > 0 ? o->l2 / M_max : NAN;
    f->M_j = M_j;
    f->L_j = isnan(bound) ? NULL : L_j;
}

/* What the reference tells about the start x_0 = 0. Without strong convexity its own norm stands
 * for |x*|, the radius if there is one; separable records have no x*. */
static void start_facts(const struct self *o, struct facts *f)
{
    const struct ball_reference *b = &o->best;
    double norm = vec_norm(o->d, b->x);
    bool none = o->l2 == 0 && isinf(o->radius) && isfinite(b->gap);
    f->f_star = none ? 0 : b->value;
    f->Phi = M_LN2 - b->value + (isfinite(b->gap) ? b->gap : 0);
    f->dist = isfinite(b->near) ? fmin(norm + b->near, o->radius)
            : isfinite(o->radius) ? o->radius : none ? NAN : norm;
    if (f->mu_M1 > 0)
        f->R_M1 = sqrt(2 * f->Phi / f->mu_M1);
}

static const unsigned long PUBLIC = FACT_BIT(n) | FACT_BIT(d) | FACT_BIT(mu) | FACT_BIT(weak) |
                                    FACT_BIT(radius) | FACT_BIT(diameter);

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct logistic *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    TRY(data_table(p->data, &o->t, why));
    *o = (struct self){ .t = o->t, .n = o->t->n, .d = o->t->d, .l2 = p->l2, .radius = p->radius,
                        .y = arena_vec(a, o->t->n) };
    TRY(data_columns(o->t, &o->c, why));
    TRY(rows_signs(o->t, o->y, why));

    constants(o, arena_vec(a, o->d), arena_vec(a, o->d), facts);
    if (!isfinite(facts->M))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares", o->t->path);
    facts->M_F = fmin(facts->M, rows_eigenvalue(o->t, a) / 4 + o->l2);
    facts->d = (double)o->d;
    facts->n = (double)o->n;
    facts->nonzeros = (double)o->t->nonzeros;
    facts->mu = o->l2;
    facts->weak = 0;
    o->length = facts->sigma;
    facts->radius = o->radius;
    facts->diameter = 2 * o->radius;

    TRY(ball_reference(o->d, both, o, o->l2, o->radius, TARGET, a, &o->best, why));
    if (o->best.value < SEPARATED)
        o->best.gap = fmin(o->best.gap, o->best.value);      /* F >= 0 */
    start_facts(o, facts);
    for (int k = 0; k < FACT_COUNT; k++)
        facts->origin[k] = PUBLIC >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
    *self = o;
    return OK;
}

static const struct set sets[] = { { "ball", "|x| <= radius; infinite: R^d", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, F* a certified reference", CERTIFIED, excess, NULL },
    { "objective", "f", "F(x)", EXACT, objective, NULL },
    { "distance", "x", "|x - x*|, x* a certified reference", CERTIFIED, distance, NULL },
    { "accuracy", "1", "share of records on the right side", EXACT, accuracy, NULL },
    { 0 }
};

static unsigned long long content(const void *vp)
{
    const struct table *table;
    const struct logistic *p = vp;
    return data_table(p->data, &table, NULL) == OK ? table->checksum : 0;
}

const struct problem problem_logistic = {
    .name = "logistic",
    .doc = "l2-regularised logistic regression on a LIBSVM table, in R^d or a ball",
    .cite = "Lin, Weng, Keerthi (2008), Trust region Newton method for logistic regression, JMLR 9",
    .params = params,
    .params_size = sizeof(struct logistic),
    .content = content,
    .make = make,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .values_along = values_along,
    .sample_nonzeros = sample_nonzeros,
    .value = value, .grad = grad,
    .cursor_bytes = cursor_bytes, .cursor_set = cursor_set, .cursor_add = cursor_add,
    .cursor_coord = cursor_coord, .cursor_grad = cursor_grad, .cursor_value = cursor_value,
    .column_nonzeros = column_nonzeros,
    .sets = sets,
    .measures = measures,
    .minimiser = minimiser,
};

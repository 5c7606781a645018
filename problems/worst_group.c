/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worst_group.c - logistic regression for the group of records with the largest loss:
 *
 *     F(x) = max_g f_g(x),  f_g(x) = (1/n_g) sum_(i in g) log(1 + exp(-y_i <a_i,x>)) + (l2/2)|x|^2
 *
 * over |x| <= radius. The records are sorted by one of the columns, or by class, and cut into N groups of nearly
 * equal size. Every sample is F itself; the f_g are the pieces. The optimum is certified. */
#include <float.h>
#include <math.h>
#include <gsl/gsl_sort_double.h>
#include "data.h"
#include "parts/ball.h"
#include "parts/labels.h"
#include "parts/losses.h"
#include "parts/reference_ball.h"
#include "parts/rows.h"
#include "problem.h"

/* --- reference optimum of F = max_i f_i over |x| <= R, R finite; f_1, ..., f_N smooth, >= 0, convex and
 * mu-strongly convex. The softmax t ln sum_i exp(f_i/t) is minimised (parts/reference_ball.h) for a falling
 * sequence of t. With the weights p of the softmax at x, F_p = sum_i p_i f_i <= F, so that
 *
 *     F(x) - F* <= F(x) - F_p(x) + (F_p(x) - min F_p),
 *
 * where the last term is at most the gap of parts/simple.h. The bound holds at any x, however good it is. */

struct max_problem {
    long d, N;
    void (*values)(const void *self, const double *x, double *v);
    void (*add_grad)(const void *self, long i, const double *x, double a, double *g);
    const void *self;
    double mu, R;
};

struct max_softmax {
    const struct max_problem *p;
    double t;
    double *v, *weight;              /* [N] the values f_i and the weights p_i at the x of the last evaluation */
};

/* Returns t ln sum_i exp(f_i(x)/t); g[d] <- the gradient. */
static double max_softmax_both(const void *ctx, const double *x, double *g)
{
    const struct max_softmax *s = ctx;
    const struct max_problem *p = s->p;
    double most = -INFINITY, sum = 0;
    p->values(p->self, x, s->v);
    for (long i = 0; i < p->N; i++)
        most = fmax(most, s->v[i]);
    for (long i = 0; i < p->N; i++)
        sum += s->weight[i] = exp((s->v[i] - most) / s->t);
    vec_zero(p->d, g);
    for (long i = 0; i < p->N; i++) {
        s->weight[i] /= sum;
        if (s->weight[i] > 0)
            p->add_grad(p->self, i, x, s->weight[i], g);
    }
    return most + s->t * log(sum);
}

/* Returns the gap of x that the weights at temperature s->t certify; *F <- F(x). g[d] is scratch. */
static inline double max_gap(const struct max_softmax *s, const double *x, double *g, double *F)
{
    double mean = 0, most = -INFINITY;
    const struct simple_set set = { s->p->mu, 0, s->p->R, INFINITY };
    max_softmax_both(s, x, g);
    for (long i = 0; i < s->p->N; i++) {
        most = fmax(most, s->v[i]);
        mean += s->weight[i] * s->v[i];
    }
    *F = most;
    return fmax(0, most - mean) + simple_gap(&set, s->p->d, x, g);
}

/* Minimises the softmax for t = F(0)/10, F(0)/100, ..., as long as t > target/(10 N) and the gap is above the
 * target. x[d] <- the point with the least gap; *F <- F(x), and the weights at temperature *t prove F(x) - F* <=
 * *gap. *gap may stay above the target; this is no error. */
static inline enum status max_reference(const struct max_problem *p, double target,
                                        struct arena *a, double *x, double *F, double *gap,
                                        double *t, struct why *why)
{
    struct max_softmax s = { p, 1, arena_vec(a, p->N), arena_vec(a, p->N) };
    const struct ball_problem ball = { p->d, max_softmax_both, &s, p->mu, 0, p->R };
    double *at = arena_vec(a, p->d), *g = arena_vec(a, p->d), first;

    vec_zero(p->d, x);
    *gap = max_gap(&s, x, g, F);
    first = *F;
    for (s.t = first / 10; *gap > target && s.t > target / (double)(10 * p->N); s.t /= 10) {
        struct ball_reference best = { arena_vec(a, p->d), NAN, INFINITY, INFINITY };
        struct ball_search b = { &ball, target / 10, 0, arena_vec(a, p->d), g, &best };
        vec_copy(p->d, x, at);
        TRY(ball_solve(&b, at, why));
        if (vec_norm(p->d, at) > p->R)
            TRY(ball_sphere(&b, at, why));
        else
            vec_copy(p->d, at, best.x);
        double value, now = max_gap(&s, best.x, g, &value);
        if (now < *gap) {
            vec_copy(p->d, best.x, x);
            *gap = now;
            *F = value;
            *t = s.t;
        }
    }
    return OK;
}

struct params {
    struct data_request request;
    long by, N, intercept;
    double l2, radius;
};

static const struct param params[] = {
    DATA_PARAMS(params, request),
    PARAM(params, by, 1, 0, 1e9, "column", "whose order groups the records; 0: the class"),
    PARAM(params, N, 8, 1, 1e9, "groups", "of records, the pieces of the maximum"),
    PARAM(params, l2, 0, 0, 1e100, "f/x^2", "regularisation (l2/2)|x|^2 of every group"),
    PARAM(params, radius, 1, 1e-100, 1e100, "x", "of the feasible ball"),
    PARAM(params, intercept, 0, 0, 1, "", "1: a last column of ones"),
    PARAM_END
};

struct self {
    struct rows A;
    const struct loss *loss;
    long d, N;
    long *order,                     /* [n] the records, sorted by group */
         *first;                     /* [N+1] where each group begins in order[] */
    double *y;                       /* [n] -1 or +1, in the order of order[] */
    double l2, radius,
           steepest;                 /* largest mean of |a_i| over a group */
    double *best,                    /* [d] the reference optimum */
           value,                    /* F(best) */
           gap;                      /* F(best) - F* <= gap */
};

/* --- make_groups */

static double column_of(const struct table *t, long i, long j)
{
    struct entries a = table_row(t, i);
    for (long k = 0; k < a.count; k++)
        if (a.index[k] == j)
            return a.value[k];
    return 0;
}

static void make_groups(const struct params *p, const double *y, struct arena *a, struct self *o)
{
    long n = o->A.n;
    double *key = arena_vec(a, n);
    size_t *at = ARENA_ARRAY(a, n, size_t);
    o->order = ARENA_ARRAY(a, n, long);
    o->first = ARENA_ARRAY(a, p->N + 1, long);
    o->y = arena_vec(a, n);
    for (long i = 0; i < n; i++)
        key[i] = p->by == 0 ? y[i] : column_of(o->A.t, i, p->by - 1);
    gsl_sort_index(at, key, 1, (size_t)n);
    for (long i = 0; i < n; i++) {
        o->order[i] = (long)at[i];
        o->y[i] = y[at[i]];
    }
    for (long g = 0; g <= p->N; g++)
        o->first[g] = (long)((double)n * (double)g / (double)p->N);
    o->steepest = 0;
    for (long g = 0; g < p->N; g++) {
        double sum = 0;
        for (long i = o->first[g]; i < o->first[g + 1]; i++)
            sum += sqrt(rows_square(&o->A, o->order[i]));
        o->steepest = fmax(o->steepest, sum / (double)(o->first[g + 1] - o->first[g]));
    }
}

/* --- the pieces f_g */

/* Returns m, the number of rows of group g from `from` on that fit in cache. *A <- these rows; s[m] <- their scores
 * at x. */
static long scores(const struct self *o, long g, long from, const double *x, struct linear_rows *A,
                   double *s)
{
    long most = rows_in_block(&o->A), left = o->first[g + 1] - from;
    long m = left < most ? left : most;
    rows_block(&o->A, &(struct samples){ from, m, o->order }, A);
    linear_scores(A, x, s);
    return m;
}

static double piece_value(const void *self, long g, const double *x)
{
    const struct self *o = self;
    struct linear_rows A;
    double s[LINEAR_ROWS], sum = 0;
    for (long i = o->first[g], m; i < o->first[g + 1]; i += m) {
        m = scores(o, g, i, x, &A, s);
        o->loss->values(0, m, o->y + i, s);
        for (long k = 0; k < m; k++)
            sum += s[k];
    }
    return sum / (double)(o->first[g + 1] - o->first[g]) +
           (o->l2 > 0 ? o->l2 / 2 * vec_dot(o->d, x, x) : 0);
}

static void piece_values(const void *self, const double *x, double *v)
{
    const struct self *o = self;
    for (long g = 0; g < o->N; g++)
        v[g] = piece_value(self, g, x);
}

static void piece_grad(const void *self, long g, const double *x, double a, double *out)
{
    const struct self *o = self;
    struct linear_rows A;
    double s[LINEAR_ROWS], scale = a / (double)(o->first[g + 1] - o->first[g]);
    for (long i = o->first[g], m; i < o->first[g + 1]; i += m) {
        m = scores(o, g, i, x, &A, s);
        o->loss->slopes(0, m, o->y + i, s);
        vec_scale(m, scale, s);
        linear_add(&A, s, out);
    }
    if (o->l2 > 0)
        vec_axpy(o->d, a * o->l2, x, out);
}

/* Returns the first of the groups with the largest value; *F <- that value. */
static long largest(const struct self *o, const double *x, double *F)
{
    long best = 0;
    *F = -INFINITY;
    for (long g = 0; g < o->N; g++) {
        double f = piece_value(o, g, x);
        if (f > *F) {
            *F = f;
            best = g;
        }
    }
    return best;
}

/* --- make */

static enum status make_rows(const struct params *p, struct arena *a, struct self *o, double **y,
                             struct why *why)
{
    const struct table *t;
    struct labels labels = { .scale = 1 };
    TRY(data_load(&p->request, &t, why));
    o->A = rows_of(t, p->intercept == 1);
    o->d = o->A.d;
    o->loss = loss_find("logistic");
    TRY(labels_signs(t, "worst_group", p->request.test == 0, &labels, why));
    *y = arena_vec(a, t->n);
    TRY(labels_apply(&labels, t, *y, why));
    if (p->N > t->n)
        return why_set(why, BAD_INPUT, "worst_group.N = %ld: expected at most the %ld records of "
                       "%.200s", p->N, t->n, t->path);
    if (p->by > t->d)
        return why_set(why, BAD_INPUT, "worst_group.by = %ld: expected at most the %ld columns of "
                       "%.200s", p->by, t->d, t->path);
    return OK;
}

static struct max_problem as_max(const struct self *o)
{
    return (struct max_problem){ o->d, o->N, piece_values, piece_grad, o, o->l2, o->radius };
}

/* Takes the optimum from the store of references, where it lies as x[d] and t, and certifies it anew; computes and
 * keeps it if there is none, or none whose gap is within the target. */
static enum status make_optimum(const struct params *p, struct arena *a, struct self *o,
                                struct why *why)
{
    static const double TARGET = 1e-6;               /* the gap at which the search for the optimum stops, in units
                                                        of F(0) = log 2 */
    struct max_problem problem = as_max(o);
    struct reference_key key = { "worst_group", params, p, o->A.t->checksum, o->d + 1 };
    double *values = arena_vec(a, o->d + 1), *g = arena_vec(a, o->d);
    struct max_softmax s = { &problem, 1, arena_vec(a, o->N), arena_vec(a, o->N) };
    o->best = values;
    if (reference_recall(&key, values) && values[o->d] > 0 &&
        vec_norm(o->d, values) <= o->radius * (1 + 1e-15)) {
        s.t = values[o->d];
        o->gap = max_gap(&s, values, g, &o->value);
        if (o->gap <= TARGET * log(2))
            return OK;
    }
    TRY(max_reference(&problem, TARGET * log(2), a, values, &o->value, &o->gap, &values[o->d],
                      why));
    reference_keep(&key, values);
    return OK;
}

/* States the facts. Those that the parameters determine are public; those computed from the data are not. */
static void make_facts(const struct params *p, const struct self *o, struct facts *f)
{
    unsigned long public = FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(n) | FACT_BIT(N) | FACT_BIT(mu) |
                           FACT_BIT(radius) | FACT_BIT(diameter) | FACT_BIT(weak) | FACT_BIT(dist);
    ball_facts(f, o->d, INFINITY, o->radius);
    f->N = (double)o->N;
    f->L = f->G = o->steepest + o->l2 * o->radius;
    f->sigma = 0;
    f->mu = o->l2;                   /* M and M_F stay unknown, as F is not smooth */
    f->weak = 0;
    f->dist = o->radius;
    f->f_star = o->value;
    f->Phi = fmin(log(2), log(2) - o->value + o->gap);
    for (int k = 0; k < FACT_COUNT; k++)
        f->origin[k] = public >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    double *y;
    *o = (struct self){ .N = p->N, .l2 = p->l2, .radius = p->radius };
    TRY(make_rows(p, a, o, &y, why));
    make_groups(p, y, a, o);
    if (!isfinite(o->steepest))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares",
                       o->A.t->path);
    TRY(make_optimum(p, a, o, why));
    make_facts(p, o, facts);
    *self = o;
    return OK;
}

/* --- the maximum */

static double value(const void *self, const double *x)
{
    double F;
    largest(self, x, &F);
    return F;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double F;
    vec_zero(o->d, g);
    piece_grad(o, largest(o, x, &F), x, 1, g);
}

static void project(const void *self, double *x)
{
    const struct self *o = self;
    vec_project_ball(o->d, NULL, o->radius, x);
}

static void linear_min(const void *self, const double *g, double *x)
{
    const struct self *o = self;
    ball_linear_min(o->d, o->radius, g, x);
}

/* Returns an upper bound on F(x) - F*, which lies between F(x) - F(best) and F(x) - F(best) + gap, up to the
 * rounding of the losses. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double f = value(self, x);
    double rounding = 8 * DBL_EPSILON * (f + o->steepest * vec_norm(o->d, x));
    *error = o->gap + 2 * rounding;
    return f - o->value + o->gap + rounding;
}

static double objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);
}

static const struct set sets[] = { { "ball", "|x| <= radius", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, at most: the certificate's end", CERTIFIED, excess, NULL },
    { "objective", "f", "F(x)", EXACT, objective, NULL },
    { 0 }
};

static unsigned long long content(const void *vp)
{
    const struct params *p = vp;
    const struct table *t;
    return data_load(&p->request, &t, NULL) == OK ? t->checksum : 0;
}

static const struct pieces_model pieces = {
    .values = piece_values, .value = piece_value, .grad = piece_grad,
};

const struct problem problem_worst_group = {
    .name = "worst_group",
    .doc = "logistic regression on a file, the loss of the group of records that fares worst",
    .cite = "Sagawa, Koh, Hashimoto, Liang 2020; groups from the data, as of this program",
    .params = params,
    .params_size = sizeof(struct params),
    .fixed = true,
    .content = content,
    .make = make,
    .value = value,
    .grad = grad,
    .pieces = &pieces,
    .sets = sets,
    .linear_min = linear_min,
    .measures = measures,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm.h - linear models with random design, for the families glm (gaussian), glm_sphere and glm_stored. Sample
 * i is a pair (a, y), recomputed from its index,
 *
 *     f(x; a, y) = l(<a,x>, y) over |x| <= r,     w: the true model
 *     squares, absolute, huber:   y = <a,w> + noise
 *     logistic:                   y = +-1, P(y = 1) = 1/(1 + e^-<a,w>)
 *     hinge:                      y = sign <a,w>, flipped with probability `flip`; |w| does not matter
 *
 * The noise is symmetric, so that x* = w if w is in the ball; for the hinge x* is a multiple of w. */
#ifndef ASSAY_PARTS_GLM_H
#define ASSAY_PARTS_GLM_H

#include "ball.h"
#include "glm_population.h"
#include "problem.h"
#include "samples.h"

enum { GLM_D_MAX = 4096 };           /* the row of a sample stands on the stack */

struct glm {
    long d;
    const char *loss, *noise;
    double h, s, flip, a0, decades, rr, radius;
};

#define GLM_PARAMS(loss_default, noise_default)                                                   \
    PARAM(glm, d, 40, 1, GLM_D_MAX, "coordinates", "dimension"),                                  \
    PARAM_WORD(glm, loss, loss_default, "squares|absolute|huber|logistic|hinge", "l(z, y)"),      \
    PARAM_WORD(glm, noise, noise_default, "uniform|gaussian|laplace", "of the labels y"),         \
    PARAM(glm, s, 0.5, 0, 1e100, "y", "scale of the noise: half width, standard deviation, or "   \
          "mean of |noise|; 0: none"),                                                            \
    PARAM(glm, h, 1, 1e-100, 1e100, "y", "of the huber loss"),                                    \
    PARAM(glm, flip, 0.1, 0, 0.499, "1", "hinge: share of labels on the wrong side"),             \
    PARAM(glm, rr, 0.5, 0, 1e6, "radius", "|w|/r; above 1: minimiser on the sphere"),             \
    PARAM(glm, radius, 1, 1e-100, INFINITY, "x", "r; infinite: all of R^d, and |w| = rr")

struct glm_instance {
    struct glm_population F;
    bool sphere;
    double a0, radius,
           canary;                   /* slope of the canary pair */
    double *sd;                      /* [d] standard deviations of a, gaussian design */
    const double *rows, *labels;     /* [n*d] and [n] of stored records; NULL for a stream */
    struct rng key;
};

/* --- samples */

/* a[m*d], y[m] <- the samples i, ..., i+m-1, i >= 0. The substream of a sample yields the row first, then the
 * random numbers of the label. */
static inline void glm_draw(const struct glm_instance *o, long i, long m, double *a, double *y)
{
    const struct glm_population *F = &o->F;
    struct rng after = o->key;
    rng_skip(&after, F->d);
    if (o->sphere)
        rng_sphere_rows(&o->key, (uint64_t)i, m, F->d, a);
    else
        rng_normals_rows(&o->key, (uint64_t)i, m, F->d, 1, a);
    if (F->loss->signs)
        rng_uniforms_rows(&after, (uint64_t)i, m, 1, y);
    else if (F->s > 0)
        F->noise->draw(&after, (uint64_t)i, m, F->s, y);
    else
        vec_zero(m, y);
    for (long k = 0; k < m; k++) {
        double *row = a + k * F->d;
        if (o->sphere)
            vec_scale(F->d, o->a0, row);
        else
            for (long j = 0; j < F->d; j++)
                row[j] *= o->sd[j];
        double v = vec_dot(F->d, row, F->w);
        if (!F->loss->signs)
            y[k] += v;
        else if (F->coefficients == glm_logistic)
            y[k] = y[k] < loss_logit(v) ? 1 : -1;
        else
            y[k] = (v > 0) == (y[k] >= F->flip) ? 1 : -1;
    }
}

/* Returns the row of sample i >= 0, which is stored or is drawn into room[d]; *y <- the label. */
static inline const double *glm_row(const struct glm_instance *o, long i, double *room, double *y)
{
    if (!o->rows) {
        glm_draw(o, i, 1, room, y);
        return room;
    }
    *y = o->labels[i];
    return o->rows + i * o->F.d;
}

static void glm_rows(const void *self, const struct samples *s, double *room, struct linear_rows *A)
{
    const struct glm_instance *o = self;
    const struct samples drawn = { 0, s->count, NULL };
    A->m = s->count;
    A->d = o->F.d;
    A->ones = A->sparse = false;
    for (long k = 0, run; !o->rows && k < s->count; k += run) {
        run = samples_batch_run(s, k, s->count);
        glm_draw(o, sample_index(s, k), run, room + k * o->F.d, A->label + k);
    }
    samples_places(o->rows ? s : &drawn, o->rows ? o->rows : room, o->F.d, A);
    A->y = o->rows ? samples_column(s, o->labels, A->label) : A->label;
    A->norm = o->sphere ? A->length : NULL;
    if (o->sphere)
        vec_fill(s->count, o->a0, A->length);
}

static void glm_slopes(const void *self, long m, const double *y, const double *s, double *c)
{
    const struct glm_population *F = &((const struct glm_instance *)self)->F;
    if (c != s)
        vec_copy(m, s, c);
    F->loss->slopes(F->h, m, y, c);
}

static void glm_values(const void *self, long m, const double *y, const double *s, double *v)
{
    const struct glm_population *F = &((const struct glm_instance *)self)->F;
    if (v != s)
        vec_copy(m, s, v);
    F->loss->values(F->h, m, y, v);
}

static const struct linear_model glm_linear = { glm_rows, glm_slopes, glm_values, NULL, NULL };

static double glm_sample_value(const void *self, long i, const double *x)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y;
    if (i < 0)
        return (i == -1 ? -o->canary : o->canary) * x[0];
    const double *a = glm_row(o, i, room, &y);
    return o->F.loss->value(o->F.h, vec_dot(o->F.d, a, x), y);
}

static void glm_sample_grad(const void *self, long i, const double *x, double c, double *g)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y;
    if (i < 0) {
        g[0] += i == -1 ? -c * o->canary : c * o->canary;
        return;
    }
    const double *a = glm_row(o, i, room, &y);
    vec_axpy(o->F.d, c * o->F.loss->slope(o->F.h, vec_dot(o->F.d, a, x), y), a, g);
}

/* v[points][m] <- values of sample i at x_k + r_k u_j. A score at x + r u is <a,x> + r <a,u>; the products <a,u_j>
 * are kept in the last row of v until that row is computed. */
static void glm_values_along(const void *self, long i, int points, const double *const *x,
                             const double *r, int m, const double *u, double *v)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y = 0, *along = v + (long)(points - 1) * m;
    const double *a = i < 0 ? room : glm_row(o, i, room, &y);
    if (i < 0) {
        vec_zero(o->F.d, room);
        room[0] = i == -1 ? -o->canary : o->canary;
    }
    vec_gemv(m, o->F.d, 1, u, a, 0, along);
    for (int p = 0; p < points; p++) {
        double here = vec_dot(o->F.d, a, x[p]), *z = v + (long)p * m;
        for (int j = 0; j < m; j++)
            z[j] = here + r[p] * along[j];
        if (i >= 0)
            loss_of_sample(o->F.loss, o->F.h, y, m, z);
    }
}

/* --- the population */

static double glm_excess_measure(const void *self, const double *x, double *error)
{
    const struct glm_instance *o = self;
    *error = 0;
    return glm_excess(&o->F, x);
}

static inline void glm_grad(const void *self, const double *x, double *g)
{
    const struct glm_instance *o = self;
    glm_grad_at(&o->F, x, g);
}

static double glm_distance(const void *self, const double *x, double *error)
{
    const struct glm_instance *o = self;
    *error = 0;
    return vec_dist(o->F.d, x, o->F.star);
}

static inline bool glm_minimiser(const void *self, double *x)
{
    const struct glm_instance *o = self;
    vec_copy(o->F.d, o->F.star, x);
    return true;
}

static void glm_project(const void *self, double *x)
{
    const struct glm_instance *o = self;
    vec_project_ball(o->F.d, NULL, o->radius, x);
}

static void glm_linear_min(const void *self, const double *g, double *x)
{
    const struct glm_instance *o = self;
    ball_linear_min(o->F.d, o->radius, g, x);
}

static const struct set glm_sets[] = { { "ball", "|x| <= radius", glm_project }, { 0 } };

static const struct measure glm_measures[] = {
    { "excess", "f", "F(x) - F* of the population, by quadrature", EXACT, glm_excess_measure,
      NULL },
    { "distance", "x", "|x - x*|", EXACT, glm_distance, NULL },
    { 0 }
};

#define GLM_SLOTS                                                                                 \
    .params_size = sizeof(struct glm), .make = make, .sample_value = glm_sample_value,            \
    .sample_grad = glm_sample_grad, .linear = &glm_linear, .values_along = glm_values_along,      \
    .grad = glm_grad,                                                                             \
    .sets = glm_sets, .linear_min = glm_linear_min, .measures = glm_measures,                     \
    .minimiser = glm_minimiser

/* --- building an instance: the model w, its optimum and the constants of its population and samples */

/* Sets `coefficients`, `feature` and `edge`, which depend on the loss and on the noise. */
static inline void glm_shape(struct glm_population *F)
{
    static const struct {
        const char *loss;
        void (*coefficients)(const struct glm_population *, const struct glm_point *, double *,
                             double *);
    } table[] = { { "squares", glm_squares }, { "absolute", glm_absolute }, { "huber", glm_huber },
                  { "logistic", glm_logistic }, { "hinge", glm_hinge } };
    bool cut = F->s > 0 && F->noise->edge > 0;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].loss, F->loss->name) == 0)
            F->coefficients = table[k].coefficients;
    F->feature = F->coefficients == glm_hinge ? 1 : F->loss->signs ? 2 : INFINITY;
    if (F->coefficients == glm_absolute)
        F->feature = F->s;
    if (F->coefficients == glm_absolute && cut)
        F->edge[F->edges++] = F->s * F->noise->edge;
    if (F->coefficients == glm_huber) {
        F->feature = F->s > 0 ? fmin(F->s, F->h) : F->h;
        F->edge[F->edges++] = cut ? fabs(F->h - F->s * F->noise->edge) : F->h;
        F->edge[F->edges++] = cut ? F->h + F->s * F->noise->edge : F->h;
    }
    if (F->coefficients == glm_hinge)
        F->edge[F->edges++] = 1;
}

/* F->w <- a random direction times `length`; for the hinge, scaled to w'Sigma w = 1 instead. */
static inline void glm_model(struct glm_population *F, double length, struct rng *r)
{
    rng_sphere(r, F->d, F->w);
    if (F->coefficients == glm_hinge)
        length = 1 / sqrt(glm_product(F, F->w, F->w));
    vec_scale(F->d, length, F->w);
    F->length = sqrt(glm_product(F, F->w, F->w));
}

/* Returns the function of z whose integral over z > 0 is E l(0, noise). */
static inline double glm_noise_tail(const void *self, double z)
{
    const struct glm_population *F = self;
    return F->loss->slope(F->h, z, 0) * (1 - noise_centred(F->noise, F->s, z));
}

/* Sets x* and F*. For labels +-1, F* is F(0) less the excess at 0. For labels <a,w> + noise it is F(w), or F(w) +
 * (F(x*) - F(w)) if w is outside of the ball. */
static inline void glm_optimum(struct glm_population *F, double radius)
{
    double shrink = F->coefficients == glm_hinge ? glm_hinge_length(F) : 1;
    double at = fmin(shrink, radius / vec_norm(F->d, F->w));
    double *star = F->star;
    if (F->loss->signs) {
        vec_lincomb(F->d, at, F->w, 0, F->w, star);
        F->f_star = (F->coefficients == glm_hinge ? 1 : M_LN2) - glm_excess(F, F->origin);
        return;
    }
    double far = F->noise->reach * F->s;
    F->f_star = quadrature_broken(&F->q, glm_noise_tail, F, 0, far, far / 64, 1, &F->h);
    if (at < 1) {
        vec_lincomb(F->d, at, F->w, 0, F->w, star);
        F->star = F->w;
        F->f_star += glm_excess(F, star);
        F->star = star;
    } else
        vec_copy(F->d, F->w, star);
}

/* Returns the second derivative of the population loss of a score at distance u from the minimum of this loss. */
static inline double glm_curvature(const struct glm_population *F, double u)
{
    if (F->coefficients == glm_absolute)
        return 2 * noise_density(F->noise, F->s, u);
    if (F->coefficients == glm_huber)
        return glm_huber_at(F, u);
    return F->coefficients == glm_logistic ? glm_logistic_at(F, u) : 1;
}

static inline double glm_curvature_at(const void *F, double u) { return glm_curvature(F, u); }
static inline double glm_radial_at(const void *F, double u) { return u * u * glm_curvature(F, u); }

/* States M_F and mu. The second derivative glm_curvature does not increase with |u|. The Hessian in any direction
 * is therefore largest where |x - w| (for logistic |x|) is 0, and smallest where it is `far`. */
static inline void glm_curvature_facts(const struct glm_population *F, double far, struct facts *f)
{
    double most = F->lam[0], least = F->lam[F->d - 1], square = score_square(&F->law);
    f->mu = 0;
    if (F->coefficients == glm_absolute && F->s == 0)
        return;
    f->M_F = most * square * glm_curvature(F, 0);
    if (F->coefficients == glm_squares)
        f->mu = least * square;
    else if (isfinite(far)) {
        double across = square * score_mean(&F->plus, glm_curvature_at, F, far, F->feature,
                                            F->edges, F->edge);
        double radial = score_mean(&F->law, glm_radial_at, F, far, F->feature, F->edges, F->edge);
        f->mu = least * fmin(across, radial / (far * far));
    }
}

/* States M_F of the hinge, with D and T as in score_law.h. The Hessian is E[aa' P(y = sign u); |u| = 1], u the
 * score. At |x| = 1/k its eigenvalues are at most (1 - flip) 2k f(k) k^2 along x and (1 - flip) 2k f(k) (1 -
 * k^2)/(D - 1) across x, f the density of T. */
static inline void glm_hinge_facts(const struct glm_population *F, struct facts *f)
{
    double D = F->law.D, radial = sqrt(3 * score_square(&F->law)), across = radial / sqrt(3);
    f->mu = 0;
    if (D < 3)
        return;                      /* M_F is infinite, since the density of a score is unbounded */
    double rest = score_normal(&F->law) ? 1 : (1 - across * across) / (D - 1);
    f->M_F = 2 * (1 - F->flip) * F->lam[0] *
             fmax(pow(radial, 3) * score_density(&F->law, radial),
                  across * rest * score_density(&F->law, across));
}

static inline double glm_finite(double v) { return isfinite(v) ? v : NAN; }

/* States the facts, which are constants of the family. L and M are stated for a bounded design only. */
static inline void glm_facts(const struct glm_instance *o, struct arena *a, struct facts *f)
{
    const struct glm_population *F = &o->F;
    double slope = F->loss->lipschitz(F->h), trace = 0, most = F->lam[0], *M_j;
    double far = sqrt(most) * o->radius + F->length, noise = F->s * F->s * F->noise->variance;
    for (long j = 0; j < F->d; j++)
        trace += o->sphere ? F->lam[j] / (double)F->d : F->lam[j];
    if (F->coefficients == glm_hinge)
        glm_hinge_facts(F, f);
    else
        glm_curvature_facts(F, F->coefficients == glm_logistic ? far - F->length : far, f);
    /* Where slopes are unbounded, G^2 = E |a|^2 (<a, x - w> + noise)^2 at the farthest x. */
    double square = (o->sphere ? trace / (double)F->d : trace + 2 * most) * far * far;
    f->G = f->sigma = glm_finite(isfinite(slope) ? slope * sqrt(trace)
                                                 : sqrt(square + noise * trace));
    if (o->sphere) {
        f->L = o->canary;
        f->M = glm_finite(F->loss->smooth(F->h) * most);
        double *L_j = arena_vec(a, F->d);
        vec_fill(F->d, f->L, L_j);
        f->L_j = L_j;
    }
    if (isfinite(f->M_F)) {
        f->M_j = M_j = arena_vec(a, F->d);
        for (long j = 0; j < F->d; j++)
            M_j[j] = f->M_F * F->lam[j] / most;
    }
    ball_facts(f, F->d, INFINITY, o->radius);
    f->weak = 0;
    f->dist = vec_norm(F->d, F->star);
    f->Phi = glm_excess(F, F->origin);
    f->f_star = F->f_star;
}

/* Makes *o. The direction of w comes from key 0 of `data`, samples from key 1. lam[d], the eigenvalues of Sigma,
 * belongs to the caller. */
static inline enum status glm_build(const char *family, const struct glm *p, const double *lam,
                                    const struct rng *data, struct arena *a,
                                    struct glm_instance *o, struct why *why)
{
    struct glm_population *F = &o->F;
    struct rng direction = rng_sub(data, 0);
    double length = p->rr * (isinf(p->radius) ? 1 : p->radius);

    o->a0 = p->a0;
    o->radius = p->radius;
    o->key = rng_sub(data, 1);
    *F = (struct glm_population){ .d = p->d, .loss = loss_find(p->loss), .h = p->h, .s = p->s,
                                  .noise = noise_law_find(p->noise), .flip = p->flip, .lam = lam,
                                  .w = arena_vec(a, p->d), .star = arena_vec(a, p->d),
                                  .origin = arena_vec(a, p->d) };
    vec_zero(p->d, F->origin);
    TRY(quadrature_build(&F->q, why));
    F->law = score_law_build(&F->q, o->sphere ? (double)p->d : INFINITY);
    F->plus = score_law_plus(&F->law);
    glm_shape(F);
    glm_model(F, length, &direction);
    if (F->coefficients == glm_hinge && p->flip == 0 && isinf(p->radius))
        return why_set(why, BAD_INPUT, "%s.flip = 0: expected more than 0, or a finite radius: the "
                       "hinge has no minimiser", family);
    bool outside = F->coefficients == glm_hinge
                 ? glm_hinge_length(F) * vec_norm(p->d, F->w) > p->radius : length > p->radius;
    if (outside && lam[p->d - 1] < lam[0])
        return why_set(why, BAD_INPUT, "%s.decades = %g: expected 0 with a minimiser outside the "
                       "ball", family, p->decades);
    glm_optimum(F, p->radius);
    return OK;
}

/* Returns a bound on the norm of a sample gradient for rows of norm a0: everywhere, where the loss is Lipschitz,
 * else on the ball; infinite if there is none. */
static inline double glm_lipschitz(const struct glm *p, const struct glm_population *F)
{
    if (isfinite(F->loss->lipschitz(p->h)))
        return p->a0 * F->loss->lipschitz(p->h);
    double noise = F->noise->bounded || p->s == 0 ? F->noise->reach * p->s : INFINITY;
    return p->a0 * (p->a0 * p->radius + F->length + noise);
}

/* Makes *o with rows uniform on the sphere of radius a0. The canary pair has the losses L x_1 and -L x_1, where L
 * is the largest norm of a sample gradient. BAD_INPUT: L is infinite. */
static inline enum status glm_sphere_build(const char *family, const struct glm *p,
                                           const struct rng *data, struct arena *a,
                                           struct glm_instance *o, struct why *why)
{
    double *lam = arena_vec(a, p->d);
    o->sphere = true;
    vec_fill(p->d, p->a0 * p->a0, lam);
    TRY(glm_build(family, p, lam, data, a, o, why));
    o->canary = glm_lipschitz(p, &o->F);
    if (!isfinite(o->canary))
        return why_set(why, BAD_INPUT, "%s.loss = squares: expected a finite radius and noise = "
                       "uniform, for a bounded gradient", family);
    return OK;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_build.h - building a linear model with random design (glm.h): the model w, its optimum and
 * the constants of its population and samples. */
#ifndef ASSAY_PARTS_GLM_BUILD_H
#define ASSAY_PARTS_GLM_BUILD_H

#include "glm.h"

/* Where the population loss of a score bends: its coefficients, scale and edges. */
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

/* w[d] <- a random direction of length |w|; |w| = 1 in the norm of Sigma for the hinge. */
static inline void glm_model(struct glm_population *F, double length, struct rng *r)
{
    rng_sphere(r, F->d, F->w);
    if (F->coefficients == glm_hinge)
        length = 1 / sqrt(glm_product(F, F->w, F->w));
    vec_scale(F->d, length, F->w);
    F->length = sqrt(glm_product(F, F->w, F->w));
}

/* Its integral over z > 0 is E l(0, noise). */
static inline double glm_noise_tail(const void *self, double z)
{
    const struct glm_population *F = self;
    return F->loss->slope(F->h, z, 0) * (1 - noise_centred(F->noise, F->s, z));
}

/* x* and F*, from a value that is known: at w for labels <a,w> + noise, at 0 for labels +-1. */
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

/* Second derivative of the population loss of a score, u from the minimum. */
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

/* M_F and mu: the curvature of the score's loss never rises with |u|, so that the Hessian in a
 * direction is largest where |x - w|, of the logistic |x|, is 0, and smallest where it is `far`. */
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

/* M_F of the hinge: its Hessian is E[aa' P(y = sign u); |u| = 1], u the score, whose eigenvalues at
 * |x| = 1/k are at most (1 - flip) 2k f(k) times k^2 along x, (1 - k^2)/(D - 1) across. */
static inline void glm_hinge_facts(const struct glm_population *F, struct facts *f)
{
    double D = F->law.D, radial = sqrt(3 * score_square(&F->law)), across = radial / sqrt(3);
    f->mu = 0;
    if (D < 3)
        return;                      /* the density of a score has no bound */
    double rest = score_normal(&F->law) ? 1 : (1 - across * across) / (D - 1);
    f->M_F = 2 * (1 - F->flip) * F->lam[0] *
             fmax(pow(radial, 3) * score_density(&F->law, radial),
                  across * rest * score_density(&F->law, across));
}

static inline double glm_finite(double v) { return isfinite(v) ? v : NAN; }

/* Constants of the family. Those of a sample are finite for a bounded design only. */
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
    /* E|a|^2 (<a,e> + noise)^2, where slopes have no bound */
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
    f->d = (double)F->d;
    f->n = INFINITY;
    f->weak = 0;
    f->radius = o->radius;
    f->diameter = 2 * o->radius;
    f->dist = vec_norm(F->d, F->star);
    f->Phi = glm_excess(F, F->origin);
    f->f_star = F->f_star;
}

/* The direction comes from key 0 of `data`, samples from key 1. lam[d] belongs to the caller. */
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

/* The largest slope of a sample on the ball; infinite: none. */
static inline double glm_lipschitz(const struct glm *p, const struct glm_population *F)
{
    if (isfinite(F->loss->lipschitz(p->h)))
        return p->a0 * F->loss->lipschitz(p->h);
    double noise = F->noise->bounded || p->s == 0 ? F->noise->reach * p->s : INFINITY;
    return p->a0 * (p->a0 * p->radius + F->length + noise);
}

/* Rows uniform on the sphere of radius a0: samples are Lipschitz, hence a canary pair. */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_problems.c - promises that every family keeps, over the registry: derivatives, optima, facts, sets, purity.
 * The laws of samples are in test_samples.c. */
#include "support/instances.h"
enum { TRIES = 25 };

/* --- derivatives against central differences */

enum part { OBJECTIVE, SAMPLE, PIECE, SMOOTH };

static bool offered(const struct problem *p, enum part part)
{
    switch (part) {
    case OBJECTIVE: return p->value && p->grad;
    case SAMPLE:    return p->sample_value && p->sample_grad;
    case PIECE:     return p->pieces != NULL;
    case SMOOTH:    return p->composite && p->composite->smooth_value && p->composite->smooth_grad;
    }
    return false;
}

static double part_value(const struct instance *in, enum part part, long i, const double *x)
{
    switch (part) {
    case OBJECTIVE: return in->p->value(in->self, x);
    case SAMPLE:    return in->p->sample_value(in->self, i, x);
    case PIECE:     return in->p->pieces->value(in->self, i, x);
    case SMOOTH:    return in->p->composite->smooth_value(in->self, x);
    }
    return NAN;
}

static void part_grad(const struct instance *in, enum part part, long i, const double *x, double *g)
{
    vec_zero(in->d, g);
    switch (part) {
    case OBJECTIVE: in->p->grad(in->self, x, g); break;
    case SAMPLE:    in->p->sample_grad(in->self, i, x, 1, g); break;
    case PIECE:     in->p->pieces->grad(in->self, i, x, 1, g); break;
    case SMOOTH:    in->p->composite->smooth_grad(in->self, x, g); break;
    }
}

/* Compares the gradient of a part (the objective, sample i, piece i or the smooth part) with central differences of
 * its values. A shorter step is tried where a kink lies within the step. */
static void differences(const struct instance *in, enum part part, long i, double *x, double *g)
{
    part_grad(in, part, i, x, g);
    double size = 1 + vec_norm_inf(in->d, g) + fabs(part_value(in, part, i, x));
    for (long j = 0; j < in->d; j++) {
        double xj = x[j], h = 1e-5 * fmax(1, fabs(xj)), slope = NAN;
        for (int k = 0; k < 3 && !(fabs(slope - g[j]) <= 1e-6 * size); k++, h /= 8) {
            x[j] = xj + h;
            slope = part_value(in, part, i, x) / (2 * h);
            x[j] = xj - h;
            slope -= part_value(in, part, i, x) / (2 * h);
        }
        x[j] = xj;
        EXPECT(in, fabs(slope - g[j]) <= 1e-6 * size, "part %d, i %ld, g_%ld = %g, not %g",
               (int)part, i, j, g[j], slope);
    }
}

static bool check_derivatives(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d);
    bool any = false;
    for (enum part part = OBJECTIVE; part <= SMOOTH; part++) {
        if (!offered(in->p, part))
            continue;
        any = true;
        for (int k = 0; k < TRIES; k++) {
            long i = part == PIECE ? (long)rng_below(r, (uint64_t)in->f.N) : instance_sample(in, r);
            if (part == SAMPLE && k < in->p->canaries)
                i = -1 - k;
            instance_point(in, r, x);
            differences(in, part, i, x, g);
        }
    }
    return any;
}

/* --- optima: F*, the first-order condition, measures */

static bool check_minimum(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *star = arena_vec(a, in->d);
    if (!in->p->value || isnan(in->f.f_star))
        return false;
    double scale = fabs(in->f.f_star) + (in->f.Phi > 0 ? in->f.Phi : 0);
    for (int k = 0; k < 40 * TRIES; k++) {
        instance_point(in, r, x);
        EXPECT(in, in->p->value(in->self, x) >= in->f.f_star - 1e-12 * scale, "F* = %g",
               in->f.f_star);
    }
    instance_start(in, x);
    double gap = in->p->value(in->self, x) - in->f.f_star;
    EXPECT(in, !(gap > in->f.Phi + 1e-12 * scale), "F(x_0) - F* = %g, Phi = %g", gap, in->f.Phi);
    if (in->p->minimiser && in->p->minimiser(in->self, star)) {
        double least = in->p->value(in->self, star), dist = vec_dist(in->d, x, star);
        EXPECT(in, fabs(least - in->f.f_star) <= 1e-12 * scale, "F(x*) = %g, F* = %g", least,
               in->f.f_star);
        EXPECT(in, !(dist > in->f.dist * (1 + 1e-12)), "|x_0 - x*| = %g, dist = %g", dist,
               in->f.dist);
    }
    return true;
}

static const struct measure *measure_named(const struct problem *p, const char *name)
{
    for (const struct measure *m = p->measures; m && m->name; m++)
        if (m->at && strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* Checks the first-order condition P(x* - g/M) = x* of smooth F, with a feasible set or without. From a point
 * within `error` of x* this step moves by at most 2 error. */
static bool check_first_order(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *star = arena_vec(a, in->d), *g = arena_vec(a, in->d);
    void (*gradient)(const void *, const double *, double *) =
        in->p->grad ? in->p->grad : in->p->measuring ? in->p->measuring->grad : NULL;
    const struct measure *distance = measure_named(in->p, "distance");
    double error = 0;
    if (!gradient || !isfinite(in->f.M_F) || !in->p->minimiser || (in->p->composite && in->p->composite->prox) ||
        !in->p->minimiser(in->self, star))
        return false;
    gradient(in->self, star, g);
    vec_lincomb(in->d, 1, star, in->f.M_F > 0 ? -1 / in->f.M_F : -1, g, x);
    if (in->p->sets)
        in->p->sets[0].project(in->self, x);
    if (distance && distance->certainty == CERTIFIED)
        distance->at(in->self, star, &error);
    EXPECT(in, vec_dist(in->d, x, star) <= 1e-12 * (1 + vec_norm(in->d, star)) +
           fmin(2 * error, 1e-6), "moved by %g", vec_dist(in->d, x, star));
    return true;
}

static bool check_measures(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), error;
    const struct measure *excess = measure_named(in->p, "excess");
    const struct measure *distance = measure_named(in->p, "distance");
    bool star = in->p->minimiser && in->p->minimiser(in->self, x);
    bool known = excess && excess->certainty != ESTIMATED && in->p->value && !isnan(in->f.f_star);
    if (star && excess) {
        double e = excess->at(in->self, x, &error), size = in->f.Phi > 0 ? in->f.Phi : 1;
        EXPECT(in, fabs(e) <= 1e-14 * size + 6 * error, "excess(x*) = %g", e);
    }
    if (star && distance && distance->certainty != ESTIMATED) {
        double e = distance->at(in->self, x, &error);
        EXPECT(in, e >= 0 && e <= error, "distance(x*) = %g, error %g", e, error);
    }
    for (int k = 0; known && k < TRIES; k++) {
        instance_point(in, r, x);
        double e = excess->at(in->self, x, &error), F = in->p->value(in->self, x);
        double tolerance = 1e-12 * (fabs(F) + fabs(in->f.f_star));
        EXPECT(in, F - in->f.f_star <= e + tolerance && F - in->f.f_star >= e - error - tolerance,
               "excess %g (error %g), F - F* = %g", e, error, F - in->f.f_star);
    }
    return known || star;
}

/* --- feasible sets: projections and linear minimisers */

static bool check_sets(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *y = arena_vec(a, in->d), *p = arena_vec(a, in->d);
    double *q = arena_vec(a, in->d), far = isfinite(in->f.radius) ? 3 * in->f.radius : 3;
    for (const struct set *s = in->p->sets; s && s->name; s++) {
        for (int k = 0; k < TRIES; k++) {
            rng_normals(r, in->d, far, x);
            rng_normals(r, in->d, far, y);
            vec_copy(in->d, x, p);
            vec_copy(in->d, y, q);
            s->project(in->self, p);
            s->project(in->self, q);
            EXPECT(in, vec_dist(in->d, p, q) <= vec_dist(in->d, x, y) * (1 + 1e-12), "%s expands",
                   s->name);
            if (s == in->p->sets)
                EXPECT(in, vec_norm(in->d, p) <= in->f.radius * (1 + 1e-15), "outside the set by %g",
                       vec_norm(in->d, p) - in->f.radius);
            /* Px is the nearest point to x: <x - Px, Py - Px> <= 0 for every y. */
            vec_sub(in->d, x, p, x);
            vec_sub(in->d, q, p, q);
            EXPECT(in, vec_dot(in->d, x, q) <= 1e-12 * far * far * (double)in->d, "%s", s->name);
            vec_copy(in->d, p, q);
            s->project(in->self, q);
            EXPECT(in, vec_dist(in->d, p, q) <= 1e-15 * far, "%s is not idempotent", s->name);
        }
    }
    return in->p->sets != NULL;
}

static bool check_linear_min(const struct instance *in, struct arena *a, struct rng *r)
{
    double *g = arena_vec(a, in->d), *x = arena_vec(a, in->d), *y = arena_vec(a, in->d);
    if (!in->p->linear_min || !isfinite(in->f.radius))
        return false;
    for (int k = 0; k < TRIES; k++) {
        rng_normals(r, in->d, 1, g);
        in->p->linear_min(in->self, g, x);
        vec_copy(in->d, x, y);
        in->p->sets[0].project(in->self, y);
        EXPECT(in, vec_dist(in->d, x, y) <= 1e-14 * in->f.radius, "infeasible");
        double least = vec_dot(in->d, g, x);
        vec_lincomb(in->d, -10 * in->f.radius / vec_norm(in->d, g), g, 0, g, y);
        in->p->sets[0].project(in->self, y);         /* if the set is a ball, this point is the answer */
        EXPECT(in, least <= vec_dot(in->d, g, y) + 1e-12 * in->f.radius, "g'x = %g", least);
        instance_point(in, r, y);
        EXPECT(in, least <= vec_dot(in->d, g, y) + 1e-12 * in->f.radius, "g'x = %g", least);
    }
    vec_zero(in->d, g);
    in->p->linear_min(in->self, g, x);
    EXPECT(in, vec_finite(in->d, x), "the linear minimiser at g = 0 is not finite");
    return true;
}

/* --- pieces, proximal steps and cursors */

static bool check_pieces(const struct instance *in, struct arena *a, struct rng *r)
{
    if (!in->p->pieces)
        return false;
    long N = (long)in->f.N;
    double *x = arena_vec(a, in->d), *v = arena_vec(a, N);
    for (int k = 0; k < TRIES; k++) {
        double most = -INFINITY;
        instance_point(in, r, x);
        in->p->pieces->values(in->self, x, v);
        for (long i = 0; i < N; i++) {
            most = fmax(most, v[i]);
            EXPECT(in, agree(in->p->pieces->value(in->self, i, x), v[i], 1e-12), "piece %ld", i);
        }
        if (in->p->value)
            EXPECT(in, agree(in->p->value(in->self, x), most, 1e-12), "F is not the largest piece");
    }
    return true;
}

/* Checks the proximal step x from v of length t: rest(y) + |y - v|^2/(2t), a 1/t-strongly convex function of y,
 * must be at least its value at x plus |y - x|^2/(2t) for every y. */
static bool check_prox(const struct instance *in, struct arena *a, struct rng *r)
{
    const struct problem *p = in->p;
    double *v = arena_vec(a, in->d), *x = arena_vec(a, in->d), *y = arena_vec(a, in->d);
    if (!p->composite || !p->composite->prox || !p->value || !p->composite->smooth_value)
        return false;
    for (int k = 0; k < 10 * TRIES; k++) {
        double t = exp(rng_normal(r)), near = pow(10, -3 * rng_uniform(r));
        instance_point(in, r, v);
        p->composite->prox(in->self, t, v, x);
        for (long j = 0; j < in->d; j++)
            y[j] = x[j] + near * rng_normal(r);
        double rest_x = p->value(in->self, x) - p->composite->smooth_value(in->self, x);
        double rest_y = p->value(in->self, y) - p->composite->smooth_value(in->self, y);
        double xv = vec_dist(in->d, x, v), yv = vec_dist(in->d, y, v), xy = vec_dist(in->d, x, y);
        EXPECT(in, rest_y + (yv * yv - xv * xv - xy * xy) / (2 * t) >= rest_x - 1e-10, "t = %g", t);
        for (long j = 0; p->composite->prox_coord && j < in->d; j++)
            EXPECT(in, agree(p->composite->prox_coord(in->self, t, j, v[j]), x[j], 1e-12), "j = %ld", j);
    }
    return true;
}

/* c[d] <- the mean over the records of their partial derivatives, each cut to [-clip, clip]. */
static void clipped_grad(const struct instance *in, const double *x, double clip, double *work,
                         double *c)
{
    vec_zero(in->d, c);
    for (long i = 0; i < (long)in->f.n; i++) {
        instance_sample_grad(in, i, x, work);
        for (long j = 0; j < in->d; j++)
            c[j] += fmax(-clip, fmin(clip, work[j])) / in->f.n;
    }
}

static bool check_cursor(const struct instance *in, struct arena *a, struct rng *r)
{
    const struct problem *p = in->p;
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), *c = arena_vec(a, in->d);
    double *clip = arena_vec(a, in->d), *work = arena_vec(a, in->d), bound;
    if (!p->cursor)
        return false;
    void *cache = arena_bytes(a, p->cursor->bytes(in->self));
    instance_point(in, r, x);
    p->cursor->set(in->self, cache, x);
    for (int k = 0; k < 10 * TRIES; k++) {
        long j = (long)rng_below(r, (uint64_t)in->d);
        double step = rng_normal(r);
        x[j] += step;
        long touched = p->cursor->add(in->self, cache, j, step);
        EXPECT(in, touched == p->cursor->nonzeros(in->self, j), "column %ld", j);
    }
    if (p->value && p->cursor->value)
        EXPECT(in, agree(p->cursor->value(in->self, cache), p->value(in->self, x), 1e-10),
               "the cursor has another value");
    instance_mean_grad(in, x, g);
    p->cursor->grad(in->self, cache, NULL, c);
    for (long j = 0; j < in->d; j++) {
        EXPECT(in, agree(c[j], g[j], 1e-10), "j = %ld", j);
        EXPECT(in, agree(p->cursor->coord(in->self, cache, j, NULL), c[j], 1e-12), "j = %ld", j);
    }
    if (!isfinite(in->f.n) || !p->sample_grad)
        return true;
    instance_sample_grad(in, 0, x, work);
    bound = vec_norm_inf(in->d, work) / 2;
    vec_fill(in->d, bound, clip);
    clipped_grad(in, x, bound, work, g);
    p->cursor->grad(in->self, cache, clip, c);
    for (long j = 0; j < in->d; j++) {
        double one = p->cursor->coord(in->self, cache, j, clip);
        EXPECT(in, agree(c[j], g[j], 1e-10) && agree(one, g[j], 1e-10), "clipped, j = %ld", j);
    }
    return true;
}

/* --- what `make` gives: facts, and an instance that depends on the data seed alone */

static bool check_facts(const struct instance *in, struct arena *a, struct rng *r)
{
    const struct facts *f = &in->f;
    double *x = arena_vec(a, in->d);
    EXPECT(in, f->d >= 1 && f->d == rint(f->d), "d = %g", f->d);
    EXPECT(in, f->radius > 0, "radius = %g", f->radius);
    EXPECT(in, !(f->M_F > f->M * (1 + 1e-12)), "M_F = %g, M = %g", f->M_F, f->M);
    EXPECT(in, !(f->mu > f->M_F * (1 + 1e-12)), "mu = %g, M_F = %g", f->mu, f->M_F);
    EXPECT(in, !(f->diameter > 2 * f->radius), "diameter = %g", f->diameter);
    EXPECT(in, in->p->measures && in->p->measures[0].name, "the family has no first measure");
    instance_start(in, x);
    EXPECT(in, vec_finite(in->d, x), "the start is not finite");
    EXPECT(in, vec_norm(in->d, x) <= f->radius, "start outside");
    return true;
}

/* Returns an array with all answers of the family at x, whose bits are compared with those of another call. */
static double *testimony(const struct instance *in, const void *self, const double *x,
                         struct arena *a, long *size)
{
    double *v = arena_vec(a, *size = 2 * in->d + 2);
    vec_zero(*size, v);
    if (in->p->grad)
        in->p->grad(self, x, v);
    if (in->p->sample_grad)
        in->p->sample_grad(self, 0, x, 1, v + in->d);
    if (in->p->value)
        v[2 * in->d] = in->p->value(self, x);
    if (in->p->sample_value)
        v[2 * in->d + 1] = in->p->sample_value(self, 0, x);
    return v;
}

static bool check_determinism(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d);
    struct facts f;
    void *self;
    long size;
    bool differs = !(in->f.sigma > 0) || isfinite(in->f.n);  /* may agree if nothing is random; so may stored
                                                                records, which can be from a file */

    instance_point(in, r, x);
    double *v = testimony(in, in->self, x, a, &size);
    assert_memory_equal(v, testimony(in, in->self, x, a, &size), (size_t)size * sizeof *v);
    assert_int_equal(instance_make(in, 1, a, &self, &f, NULL), OK);
    assert_memory_equal(v, testimony(in, self, x, a, &size), (size_t)size * sizeof *v);
    for (int k = 0; k < FACT_COUNT; k++)
        EXPECT(in, fact_value(&f, k) == fact_value(&in->f, k) || isnan(fact_value(&f, k)), "%s",
               fact_name(k));
    /* One of 40 further seeds must give another instance. If a seed draws a single sign, all 40 agree with seed 1
     * with probability 2^-40. */
    for (uint64_t seed = 2; seed < 42 && !differs; seed++) {
        assert_int_equal(instance_make(in, seed, a, &self, &f, NULL), OK);
        differs = memcmp(v, testimony(in, self, x, a, &size), (size_t)size * sizeof *v) != 0;
    }
    EXPECT(in, differs, "the instance does not depend on the data seed");
    return true;
}

OVER_ALL(derivatives)
OVER_ALL(minimum)
OVER_ALL(first_order)
OVER_ALL(measures)
OVER_ALL(sets)
OVER_ALL(linear_min)
OVER_SOME(pieces)
OVER_SOME(prox)
OVER_SOME(cursor)
OVER_ALL(facts)
OVER_ALL(determinism)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_minimum),
        cmocka_unit_test(test_first_order), cmocka_unit_test(test_measures),
        cmocka_unit_test(test_sets), cmocka_unit_test(test_linear_min),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_prox), cmocka_unit_test(test_cursor),
        cmocka_unit_test(test_facts), cmocka_unit_test(test_determinism),
    };
    return cmocka_run_group_tests_name("problems", tests, instances_setup, instances_teardown);
}

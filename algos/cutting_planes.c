/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cutting_planes.c - minimisation by cuts through a centre, for F convex and L-Lipschitz on R^d
 * with exact subgradients, |x_0 - x*| <= R, accuracy eps, kappa = L R/eps: the row of cutting planes in Table 1
 * of Carmon et al. 2023. S is a body that contains x*, c the centre of S, g a subgradient at c:
 *
 *     S <- S with <g, x - c> <= 0;   answer: the best c
 *
 * Consider the image of the first body under x -> x* + alpha (x - x*), on which F <= F* + alpha (max F - F*). If a
 * cut removes a point of it, F at the centre of this cut is at most F at the point. The value at the best c is
 * therefore within eps of F* once the volume of S is below alpha^d times that of the first body. A cut leaves at
 * most the fraction q of the volume, or of the bound on the volume that the method uses:
 *
 *     centre     computed as the                        first body and alpha             q
 *     gravity    mean of a sample of S (gravity.h)      ball, 1/(2 kappa)                2/3 in expectation
 *     inscribed  centre of the largest ellipsoid in S   cube, 1/(kappa (1 + sqrt d))     0.843
 *                (inscribed.h; Khachiyan, Tarasov, Erlikh 1988)
 *     ellipsoid  centre of an ellipsoid around S        ball, 1/(2 kappa)                exp(-1/(2(d+1)));
 *                (cutting.h)                                                             d = 1: 1/2
 *
 * There are T = ceil(d ln(1/alpha)/ln(1/q)) queries, one a round: 2.5 d ln(2 kappa) for gravity, 5.9 d ln(kappa
 * (1 + sqrt d)) for inscribed, and 2 d(d+1) ln(2 kappa) for ellipsoid, which is not linear in d. A round asks for a
 * value besides the subgradient, so that the best c is known. */
#include <string.h>

#include "cutting.h"
#include "gravity.h"
#include "inscribed.h"

struct own {
    const char *centre;
    double eps, L, R;
    long T, points, steps, rows;
};

static const struct param params[] = {
    PARAM_WORD(own, centre, "gravity", "gravity|inscribed|ellipsoid", "of the body"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x", "Lipschitz constant; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default the fact dist"),
    PARAM(own, T, 0, 0, 0x1p40, "cuts", "0: as above"),
    PARAM(own, points, 0, 0, 100000, "points", "of the sample; 0: 10 d + 10"),
    PARAM(own, steps, 0, 0, 100000, "steps", "of each point after a cut; 0: d"),
    PARAM(own, rows, 0, 0, 100000, "cuts", "kept at most, 2d + 2 or more; 0: 40 d + 40"),
    PARAM_END
};

enum centre { GRAVITY, INSCRIBED, ELLIPSOID };

static enum centre centre_of(const struct own *p)
{
    return p->centre[0] == 'g' ? GRAVITY : p->centre[0] == 'i' ? INSCRIBED : ELLIPSOID;
}

static double cuts(const struct own *p, double d)
{
    double kappa = p->L * p->R / p->eps;
    switch (centre_of(p)) {
    case GRAVITY:
        return ceil(d * log(2 * kappa) / log(1.5));
    case INSCRIBED:
        return ceil(d * log(kappa * (1 + sqrt(d))) / -log(0.843));
    default:
        return ceil(d == 1 ? log2(2 * kappa) : 2 * d * (d + 1) * log(2 * kappa));
    }
}

/* Returns how many doubles the computation of a centre keeps: products of cuts and sample points (gravity),
 * matrices over pairs of cuts (inscribed), or one d x d matrix (ellipsoid). */
static double numbers(const struct own *p, double d)
{
    double rows = (double)p->rows;
    switch (centre_of(p)) {
    case GRAVITY:   return (double)p->points * (rows + d);
    case INSCRIBED: return 2 * rows * rows;
    case ELLIPSOID: break;
    }
    return d * d;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "cutting-planes";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->L, f->L);
    param_choose(&p->R, f->dist);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on an L-Lipschitz F and |x_0 - x*| <= R: L = %g, "
                       "R = %g", who, p->L, p->R);
    if (!(f->d <= 1000))
        return why_set(why, REFUSED, "%s keeps matrices of d x d: d = %g, expected at most 1000",
                       who, f->d);
    double T = fmax(1, cuts(p, f->d));
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = %g cuts: expected at most 2^40", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    param_choose_count(&p->points, 10 * (long)f->d + 10);
    param_choose_count(&p->steps, (long)f->d);
    param_choose_count(&p->rows, 40 * (long)f->d + 40);
    if (p->rows < 2 * (long)f->d + 2)
        return why_set(why, REFUSED, "%s: algo.rows = %ld: expected at least 2 d + 2 = %g", who,
                       p->rows, 2 * f->d + 2);
    if (!(numbers(p, f->d) <= 0x1p27))
        return why_set(why, REFUSED, "%s: %.3g numbers to keep, expected at most 2^27: give "
                       "algo.rows or algo.points", who, numbers(p, f->d));
    return OK;
}

/* Returns an estimate of the cost of a run, in units of a subgradient, which takes about 100 + 5 d nanoseconds. The
 * constants of the centres are measured: gravity moves N points, and each of their steps draws N normals and
 * combines N points; inscribed solves some linear systems of order d; ellipsoid updates a d x d matrix. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double d = f->d, N = (double)p->points, centre = 2 * d * d;
    if (centre_of(p) == GRAVITY)
        centre = N * (double)p->steps * (300 + N * (2.5 + d / 2));
    else if (centre_of(p) == INSCRIBED)
        centre = 1700 * d * d * d;
    return (double)p->T * (1 + centre / (100 + 5 * d));
}

struct planes {
    struct oracle *o;
    enum centre centre;
    struct halfspaces P;
    struct gravity gravity;
    struct inscribed inscribed;
    struct cutting cutting;
    bool thin;                       /* up to rounding the body is a point, and cuts end */
    double F;                        /* the least value so far */
    double *g;
};

/* Asks at c for the value *F and a subgradient s->g[d], in one round. Returns false if the budget is spent. */
static bool ask(struct planes *s, const double *c, double *F)
{
    oracle_fork(s->o);
    oracle_branch(s->o);
    bool whole = oracle_value(s->o, c, F);
    oracle_branch(s->o);
    whole = whole && oracle_grad(s->o, c, s->g);
    oracle_join(s->o);
    oracle_depth(s->o, 1);
    return whole;
}

/* Answers cutting_halve, which asks for the subgradient again (d = 1): g[d] <- the subgradient of the last query.
 * cutting_halve does not use *F. */
static bool asked(void *ctx, const double *x, double *F, double *g)
{
    const struct planes *s = ctx;
    *F = s->F;
    vec_copy(oracle_dim(s->o), s->g, g);
    return true;
}

static const double *centre_now(const struct planes *s)
{
    if (s->centre == ELLIPSOID)
        return s->cutting.d == 1 ? s->cutting.best : s->cutting.c;
    return s->centre == GRAVITY ? s->gravity.c : s->inscribed.c;
}

static void reserve(struct planes *s, const struct own *p, struct rng *rng, const double *start,
                    struct arena *w)
{
    long d = oracle_dim(s->o);
    s->g = arena_vec(w, d);
    if (s->centre == ELLIPSOID) {
        s->cutting = (struct cutting){ .d = d, .at = asked, .ctx = s, .R = p->R, .x_0 = start };
        cutting_reserve(&s->cutting, w);
        return;
    }
    s->P = (struct halfspaces){ .d = d, .room = p->rows };
    halfspaces_reserve(&s->P, w);
    if (s->centre == GRAVITY) {
        s->gravity = (struct gravity){ .P = &s->P, .rng = rng, .N = p->points, .steps = p->steps,
                                       .R = p->R, .start = start };
        gravity_reserve(&s->gravity, w);
    } else {
        s->inscribed = (struct inscribed){ .P = &s->P };
        inscribed_reserve(&s->inscribed, w);
    }
}

static void cube(struct planes *s, const double *start, double R)
{
    long d = s->P.d;
    double *const c = s->inscribed.c;
    for (long j = 0; j < 2 * d; j++) {
        vec_zero(d, s->g);
        s->g[j / 2] = j % 2 ? -1 : 1;
        vec_lincomb(d, 1, start, R, s->g, c);
        halfspaces_cut(&s->P, s->g, c);
    }
    vec_copy(d, start, c);
    s->thin = !inscribed_find(&s->inscribed);
}

static void begin(struct planes *s, const double *start, double R)
{
    s->F = INFINITY;
    if (s->centre == ELLIPSOID)
        cutting_begin(&s->cutting);
    else if (s->centre == GRAVITY)
        gravity_begin(&s->gravity);
    else
        cube(s, start, R);
}

/* Replaces the body by the part with <s->g, x - c> <= 0; s->g is not 0. */
static void cut(struct planes *s)
{
    long d = oracle_dim(s->o);
    if (s->centre == ELLIPSOID) {
        vec_copy(d, s->g, s->cutting.w);
        if (d == 1)
            cutting_halve(&s->cutting);
        else
            cutting_shrink(&s->cutting);
        s->thin = s->cutting.ended;
    } else if (s->centre == GRAVITY) {
        halfspaces_cut(&s->P, s->g, s->gravity.c);
        gravity_walk(&s->gravity);
    } else {
        halfspaces_prune(&s->P, (double)d);
        halfspaces_cut(&s->P, s->g, s->inscribed.c);
        inscribed_enter(&s->inscribed, s->g);
        s->thin = !inscribed_find(&s->inscribed);
    }
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct planes s = { .o = o, .centre = centre_of(p) };
    double *start = arena_vec(w, d), F;

    reserve(&s, p, rng, start, w);
    arena_seal(w);
    vec_copy(d, x, start);
    begin(&s, start, p->R);
    for (long t = 0; t < p->T && ask(&s, centre_now(&s), &F); t++) {
        if (F < s.F) {
            s.F = F;
            vec_copy(d, centre_now(&s), x);
        }
        oracle_mark(o, x);
        if (!s.thin && vec_norm(d, s.g) > 0)
            cut(&s);
    }
    return OK;
}

const struct algo algo_cutting_planes = {
    .name = "cutting-planes",
    .doc = "cuts through the centre of gravity, of the inscribed ellipsoid, or of one around",
    .cite = "Tarasov, Khachiyan, Erlikh (1988); Bertsimas, Vempala, J. ACM 51 (2004); Nemirovski, "
            "Yudin (1983)",
    .calls = CALL_GRAD | CALL_VALUE,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d),
    .may_read = FACT_BIT(L) | FACT_BIT(dist),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};

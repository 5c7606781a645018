/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_objective.c - questions about the objective as a whole, and the questions that a family answers by its
 * slots cursor, pieces, composite, sets and linear_min (problem.h). */
#include "oracle/oracle_state.h"

#include <math.h>

/* Returns the factor that turns a mean over n records into one over the records that remain. It is 1 for a stream
 * and where no record remains. */
static double remaining(const struct oracle *o)
{
    double n = o->facts->n;
    return o->neighbour.kind == NEIGHBOUR_REMOVE && o->stored && n > 1 ? n / (n - 1) : 1;
}

/* Does the run lack a record, and is F the mean over samples plus a simple part, which the samples leave out? The
 * simple part holds no data, so that only the mean is to be multiplied by n/(n - 1) (`remaining`). */
static bool has_rest(const struct oracle *o)
{
    return remaining(o) != 1 && oracle_composite(o);
}

/* Does the objective as a whole change with the data set of the run? That of a stream is an expectation, to which
 * one sample adds nothing. */
static bool changes(struct oracle *o)
{
    if (o->neighbour.kind == NEIGHBOUR_ABSENT)
        o->refused = "the whole objective answers for one changed record, not for many";
    return o->stored && o->neighbour.kind != NEIGHBOUR_SAME && o->neighbour.kind != NEIGHBOUR_ABSENT;
}

/* Changes the gradient of F to that of the neighbouring data set: adds (clip(g') - clip(g))/n, where g is the
 * gradient of the record that differs and g' that of the record which replaces it, 0 if none does. The coordinates
 * are clipped to clip_j; NULL: not clipped. NEIGHBOUR_REMOVE then makes the mean one over n - 1 records. */
static void neighbour_gradient(struct oracle *o, const double *x, const double *clip_j, double *g)
{
    if (!changes(o))
        return;
    for (int side = 0; side < 2; side++) {
        if (side == 1 && o->neighbour.kind != NEIGHBOUR_REPLACE)
            break;
        vec_zero(o->d, o->one);
        o->problem->sample_grad(o->self, side ? o->neighbour.with : o->neighbour.i, x,
                                side ? neighbour_sign(&o->neighbour, o->neighbour.i) : 1, o->one);
        if (clip_j)
            vec_clip_coords(o->d, clip_j, o->one);
        vec_axpy(o->d, (side ? 1 : -1) / o->facts->n, o->one, g);
    }
    if (o->neighbour.kind == NEIGHBOUR_REMOVE)
        vec_scale(o->d, remaining(o), g);
}

/* Pays for a question about the objective as a whole: one count `whole`, one batch step and, where the samples are
 * stored records, n counts `single` and one pass. */
static bool pay_whole(struct oracle *o, enum count whole, enum count single)
{
    double n = o->stored ? o->facts->n : 0;
    oracle_expect_reuse(o);
    const struct charge bill[] = { { whole, 1 }, { single, n }, { COUNT_passes, o->stored },
                                   { COUNT_batch_steps, 1 } };
    if (!oracle_pay(o, 4, bill))
        return false;
    if (o->stored) {
        o->whole_visits++;
        o->counts.of[COUNT_max_visits] = o->whole_visits + o->most_visited;
        o->counts.of[COUNT_nonzeros] += isnan(o->facts->nonzeros) ? n * (double)o->d : o->facts->nonzeros;
    }
    return true;
}

bool oracle_value(struct oracle *o, const double *x, double *f)
{
    oracle_expect(o, CALL_VALUE);
    if (!pay_whole(o, COUNT_full_values, COUNT_sample_values))
        return false;
    *f = o->counting ? 0 : o->problem->value(o->self, x);
    if (!o->counting && changes(o)) {
        double with = o->neighbour.kind == NEIGHBOUR_REPLACE
                          ? o->problem->sample_value(o->self, o->neighbour.with, x) : 0;
        with *= neighbour_sign(&o->neighbour, o->neighbour.i);
        double rest = has_rest(o) ? *f - o->problem->composite->smooth_value(o->self, x) : 0;
        *f += (with - o->problem->sample_value(o->self, o->neighbour.i, x)) / o->facts->n;
        *f = *f * remaining(o) + (1 - remaining(o)) * rest;
    }
    return true;
}

bool oracle_grad(struct oracle *o, const double *x, double *g)
{
    oracle_expect(o, CALL_GRAD);
    if (!pay_whole(o, COUNT_full_grads, COUNT_sample_grads))
        return false;
    if (o->counting) {
        vec_zero(o->d, g);
        return true;
    }
    o->problem->grad(o->self, x, g);
    neighbour_gradient(o, x, NULL, g);
    if (has_rest(o)) {
        o->problem->grad(o->self, x, o->sum);
        o->problem->composite->smooth_grad(o->self, x, o->one);
        vec_axpy(o->d, 1 - remaining(o), o->sum, g);
        vec_axpy(o->d, remaining(o) - 1, o->one, g);
    }
    return true;
}

/* --- questions to the coordinate cursor */

/* The coordinate cursor: a point x of which single coordinates change. cache: what the family keeps for this x,
 * such as margins or residuals. */
struct point {
    struct oracle *o;
    double *x;
    void *cache;
};

struct point *oracle_point(struct oracle *o, struct arena *w)
{
    oracle_expect(o, CALL_POINT);
    struct point *p = ARENA_ARRAY(w, 1, struct point);
    p->o = o;
    p->x = arena_vec(w, o->d);
    vec_zero(o->d, p->x);
    p->cache = arena_bytes(w, o->problem->cursor->bytes(o->self));
    if (!o->counting)
        o->problem->cursor->set(o->self, p->cache, p->x);
    return p;
}

void point_set(struct point *p, const double *x)
{
    vec_copy(p->o->d, x, p->x);
    if (!p->o->counting)
        p->o->problem->cursor->set(p->o->self, p->cache, x);
}

const double *point_at(const struct point *p)
{
    return p->x;
}

void point_add(struct point *p, long j, double step)
{
    struct oracle *o = p->o;
    p->x[j] += step;
    if (o->counting)
        o->counts.of[COUNT_nonzeros] += (double)o->problem->cursor->nonzeros(o->self, j);
    else
        o->counts.of[COUNT_nonzeros] += (double)o->problem->cursor->add(o->self, p->cache, j, step);
}

bool point_coord(struct point *p, long j, const double *clip_j, double *partial)
{
    struct oracle *o = p->o;
    const struct charge bill[] = { { COUNT_coords, o->facts->n }, { COUNT_batch_steps, 1 } };
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 2, bill))
        return false;
    o->counts.of[COUNT_nonzeros] += (double)o->problem->cursor->nonzeros(o->self, j);
    *partial = o->counting ? 0 : o->problem->cursor->coord(o->self, p->cache, j, clip_j);
    if (o->neighbour.kind != NEIGHBOUR_SAME && !o->counting) {
        vec_zero(o->d, o->sum);
        o->sum[j] = *partial;
        neighbour_gradient(o, p->x, clip_j, o->sum);
        *partial = o->sum[j];
    }
    return true;
}

bool point_grad(struct point *p, const double *clip_j, double *g)
{
    struct oracle *o = p->o;
    const struct charge bill[] = { { COUNT_coords, o->facts->n * o->p }, { COUNT_passes, 1 },
                                   { COUNT_batch_steps, 1 } };
    oracle_expect_reuse(o);
    if (!oracle_pay(o, 3, bill))
        return false;
    o->whole_visits++;
    o->counts.of[COUNT_max_visits] = o->whole_visits + o->most_visited;
    o->counts.of[COUNT_nonzeros] += o->facts->nonzeros;
    vec_zero(o->d, g);
    if (o->counting)
        return true;
    o->problem->cursor->grad(o->self, p->cache, clip_j, g);
    neighbour_gradient(o, p->x, clip_j, g);
    return true;
}

/* Refuses pieces and the smooth part in a run on a neighbouring data set: a piece or the smooth part may depend on
 * the data without being a mean over records, so that its value on a neighbouring data set is unknown. The simple
 * part of a prox holds no data and is not refused. */
static void expect_own_data(struct oracle *o)
{
    if (o->neighbour.kind != NEIGHBOUR_SAME)
        o->refused = "pieces and smooth parts have no neighbouring data sets";
}

/* --- questions about the pieces of a maximum */

bool oracle_piece_values(struct oracle *o, const double *x, double *v)
{
    oracle_expect(o, CALL_PIECES);
    expect_own_data(o);
    const struct charge bill[] = { { COUNT_piece_values, o->facts->N }, { COUNT_passes, 1 },
                                   { COUNT_batch_steps, 1 } };
    if (!oracle_pay(o, 3, bill))
        return false;
    if (o->counting)
        vec_zero((long)o->facts->N, v);
    else
        o->problem->pieces->values(o->self, x, v);
    return true;
}

bool oracle_piece_value(struct oracle *o, long i, const double *x, double *f)
{
    oracle_expect(o, CALL_PIECES);
    expect_own_data(o);
    const struct charge bill[] = { { COUNT_piece_values, 1 }, { COUNT_batch_steps, 1 } };
    if (!oracle_pay(o, 2, bill))
        return false;
    *f = o->counting ? 0 : o->problem->pieces->value(o->self, i, x);
    return true;
}

bool oracle_piece_grad(struct oracle *o, long i, const double *x, double *g)
{
    oracle_expect(o, CALL_PIECES);
    expect_own_data(o);
    const struct charge bill[] = { { COUNT_piece_grads, 1 }, { COUNT_batch_steps, 1 } };
    if (!oracle_pay(o, 2, bill))
        return false;
    vec_zero(o->d, g);
    if (!o->counting)
        o->problem->pieces->grad(o->self, i, x, 1, g);
    return true;
}

/* --- questions about the smooth part, the simple part and sets */

bool oracle_smooth_grad(struct oracle *o, const double *x, double *g)
{
    oracle_expect(o, CALL_SMOOTH);
    expect_own_data(o);
    if (!pay_whole(o, COUNT_smooth_grads, COUNT_sample_grads))
        return false;
    if (o->counting)
        vec_zero(o->d, g);
    else
        o->problem->composite->smooth_grad(o->self, x, g);
    return true;
}

bool oracle_composite(const struct oracle *o)
{
    return problem_has_rest(o->problem, o->self);
}

void oracle_prox(struct oracle *o, double t, const double *v, double *x)
{
    oracle_expect(o, CALL_PROX);
    o->counts.of[COUNT_prox]++;
    if (o->counting)
        vec_copy(o->d, v, x);
    else
        o->problem->composite->prox(o->self, t, v, x);
}

double oracle_prox_coord(struct oracle *o, double t, long j, double v)
{
    oracle_expect(o, CALL_PROX);
    o->counts.of[COUNT_prox_coords]++;
    return o->counting ? v : o->problem->composite->prox_coord(o->self, t, j, v);
}

double oracle_rest_coord(const struct oracle *o, long j, double x, double slopes[2])
{
    oracle_expect(o, CALL_PROX);
    return o->problem->composite->rest_coord(o->self, j, x, slopes);
}

void oracle_project(struct oracle *o, int set, double *x)
{
    const struct set *sets = o->problem->sets;
    if (!sets || (set == 0 && isinf(o->facts->radius)))
        return;
    BUG_IF(set < 0 || set >= SETS_MAX);
    for (int k = 0; k <= set; k++)
        BUG_IF(!sets[k].name);
    o->counts.of[COUNT_project_0 + set]++;
    if (!o->counting)
        sets[set].project(o->self, x);
}

bool oracle_linear_min(struct oracle *o, const double *g, double *x)
{
    oracle_expect(o, CALL_LINEAR_MIN);
    if (!oracle_charge(o, COUNT_linear_mins, 1))
        return false;
    if (o->counting)
        vec_zero(o->d, x);
    else
        o->problem->linear_min(o->self, g, x);
    return true;
}

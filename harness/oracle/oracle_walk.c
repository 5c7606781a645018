/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_walk.c - an iterate that moves by stochastic gradients, and its mean. On sparse rows of a
 * linear model with r(x) = (c/2)|x|^2 it is kept as
 *
 *     x = s v,     x_1 + ... + x_t = A v + w,     q = |v|^2
 *
 * so that a step touches v, and w, at the entries of its rows alone: the factor 1 - eta c and the
 * projection on a ball go to s, A takes up s at every step, and dv takes A dv off w (Bottou, 2012,
 * Stochastic gradient descent tricks, 5.1; Xu, 2011, averages so too). What is small in s is large
 * in v, and cancels in A v + w: before it costs three digits, v is written out. */
#include "oracle/oracle_state.h"

#include <math.h>

/* Bounds of s: of a mean, and where no mean is taken and so nothing cancels. */
static const double CLOSE = 0x1p10, FAR = 0x1p200;
/* How many steps before its own a row comes to the cache, is looked up, and what says where it is comes to
 * the cache. AHEAD: a power of 2 beyond them. */
enum { FETCHED = 2, FOUND = 3, EXPECTED = 5, AHEAD = 8 };

/* A draw to come: its records, and their rows, none where these were not looked up yet. */
struct draw_ahead {
    bool made;
    uint64_t serial;
    long record[LINEAR_ROWS];
    double nonzeros;
    struct linear_rows A;
};

struct walk {
    struct oracle *o;
    long b;
    bool average, sparse;
    double t;                        /* steps so far */
    double *x, *mean, *g;            /* [d]; mean NULL: the last one answers. sparse: v, w, scratch */
    double s, A, c, q, radius;
    double far;                      /* 1/far <= |s| <= far */
    double touched;                  /* entries since q was a sum */
    double *u;                       /* [b] */
    struct draw_ahead *ahead;        /* [AHEAD], by serial; NULL: rows are looked up when asked for */
};

/* Samples of a data set in place of another's, and calls that are listened to, go the plain way. */
static bool thin(const struct oracle *o, long b, double *c)
{
    const struct linear_model *model = o->problem->linear;
    struct linear_rows A;
    if (!model || !model->square || !o->stored || o->counting || o->tape ||
        o->neighbour.kind != NEIGHBOUR_SAME)
        return false;
    *c = model->square(o->self);
    model->rows(o->self, &(struct samples){ 0, 1, NULL }, o->rows, &A);
    /* A step of many rows is as dense as x. */
    return *c >= 0 && A.sparse && (double)b * (o->facts->nonzeros / o->facts->n + 1) < (double)o->d;
}

struct walk *oracle_walk(struct oracle *o, long b, bool average, struct arena *w)
{
    struct walk *p = ARENA_ARRAY(w, 1, struct walk);
    BUG_IF(b < 1);
    *p = (struct walk){ .o = o, .b = b, .average = average };
    p->sparse = thin(o, b, &p->c);
    p->x = arena_vec(w, o->d);
    p->g = arena_vec(w, o->d);
    p->mean = average ? arena_vec(w, o->d) : NULL;
    p->u = p->sparse ? arena_vec(w, b) : NULL;
    p->ahead = p->sparse && b <= LINEAR_ROWS && !o->once ? ARENA_ARRAY(w, AHEAD, struct draw_ahead) : NULL;
    p->far = average ? CLOSE : FAR;
    p->radius = oracle_radius(o);
    return p;
}

/* --- sparse */

static void norm_anew(struct walk *p)
{
    if (isfinite(p->radius))
        p->q = vec_dot(p->o->d, p->x, p->x);
    p->touched = 0;
}

/* s = 1, A = 0 */
static void write_out(struct walk *p)
{
    if (p->mean)
        vec_axpy(p->o->d, p->A, p->x, p->mean);
    vec_scale(p->o->d, p->s, p->x);
    p->s = 1;
    p->A = 0;
    norm_anew(p);
}

static void shrink(struct walk *p, double factor)
{
    p->s *= factor;
    if (!(fabs(p->s) >= 1 / p->far && fabs(p->s) <= p->far))
        write_out(p);
}

/* The rows at from, ... of a ticket; returns how many. */
static long rows_at(const struct walk *p, const struct ticket *t, long from, struct linear_rows *A)
{
    long record[LINEAR_ROWS], m = t->count - from < LINEAR_ROWS ? t->count - from : LINEAR_ROWS;
    struct samples s = oracle_behind(p->o, t, from, m, record);
    p->o->problem->linear->rows(p->o->self, &s, p->o->rows, A);
    return m;
}

static struct draw_ahead *draw_of(const struct walk *p, uint64_t serial)
{
    struct draw_ahead *a = &p->ahead[serial % AHEAD];
    if (a->made && a->serial == serial)
        return a;
    const struct ticket t = { .count = p->b, .scheme = SAMPLING_REPLACE, .serial = serial };
    oracle_records(p->o, &t, 0, p->b, a->record);
    a->made = true;
    a->serial = serial;
    a->A.m = 0;
    return a;
}

static struct draw_ahead *rows_of(const struct walk *p, uint64_t serial)
{
    struct draw_ahead *a = draw_of(p, serial);
    if (a->A.m == 0) {
        const struct samples s = { 0, p->b, a->record };
        p->o->problem->linear->rows(p->o->self, &s, p->o->rows, &a->A);
        a->nonzeros = (double)(a->A.m * a->A.ones);
        for (long i = 0; i < a->A.m; i++)
            a->nonzeros += (double)a->A.count[i];
    }
    return a;
}

/* What will be asked of the records of that step: where they are, how often they were visited. */
static void expect_rows(const struct walk *p, uint64_t serial)
{
    const struct linear_model *model = p->o->problem->linear;
    const struct draw_ahead *a = draw_of(p, serial);
    for (long i = 0; i < p->b; i++)
        __builtin_prefetch(&p->o->visited[a->record[i]], 1);
    if (model->expect)
        model->expect(p->o->self, p->b, a->record);
}

/* GCC takes a function that only fetches for one that does nothing, and its calls away: this one asks, too. */
static void fetch_rows(const struct walk *p, uint64_t serial)
{
    enum { LINE = 8 };
    const struct linear_rows *A = &rows_of(p, serial)->A;
    for (long i = 0; i < A->m; i++) {
        long last = A->count[i] > 0 ? A->count[i] - 1 : 0;
        for (long k = 0; k < last; k += LINE) {
            __builtin_prefetch(A->at[i] + k);
            if (k % (2 * LINE) == 0)
                __builtin_prefetch(A->index[i] + k);
        }
        __builtin_prefetch(A->at[i] + last);         /* rows begin within a line */
        __builtin_prefetch(A->index[i] + last);
    }
}

/* Draws are known before they are made: what a step needs comes to the cache during those before it,
 * one thing after another that says where the next one is. A result does not depend on it: rows are
 * those of their number, however they are come by. */
static void look_ahead(const struct walk *p)
{
    const uint64_t now = p->o->serial - 1;
    expect_rows(p, now + EXPECTED);
    rows_of(p, now + FOUND);
    fetch_rows(p, now + FETCHED);
}

/* u[m] <- slopes of the losses at s v. */
static void slopes_at(const struct walk *p, const struct linear_rows *A, double *u)
{
    linear_scores(A, p->x, u);
    for (long k = 0; k < A->m; k++)
        u[k] *= p->s;
    p->o->problem->linear->slopes(p->o->self, A->m, A->y, u, u);
}

/* q moves with v, one entry at a time. */
static void add_to_norm(struct walk *p, const struct linear_rows *A, const double *c)
{
    double *v = p->x;
    for (long i = 0; i < A->m; i++) {
        for (long k = 0; k < A->count[i]; k++) {
            double move = c[i] * A->at[i][k], *at = v + A->index[i][k];
            p->q += move * (2 * *at + move);
            *at += move;
        }
        if (A->ones) {
            p->q += c[i] * (2 * v[A->d - 1] + c[i]);
            v[A->d - 1] += c[i];
        }
        p->touched += (double)A->count[i];
    }
    if (p->touched > (double)p->o->d)
        norm_anew(p);
}

/* v += sum_i c_i a_i; c is spent. */
static void add_rows(struct walk *p, const struct linear_rows *A, double *c)
{
    if (isfinite(p->radius))
        add_to_norm(p, A, c);
    else
        linear_add(A, c, p->x);
    if (!p->mean || p->A == 0)
        return;
    for (long k = 0; k < A->m; k++)
        c[k] *= -p->A;
    linear_add(A, c, p->mean);
}

static void project(struct walk *p)
{
    if (!isfinite(p->radius))
        return;
    p->o->counts.of[COUNT_project_0]++;
    double norm = fabs(p->s) * sqrt(fmax(p->q, 0));
    if (norm > p->radius)
        shrink(p, p->radius / norm);
}

/* b samples of the objective's law, paid for as oracle_sgrad does: one bill where none of it can be refused alone. */
static bool sample(struct oracle *o, long b, struct ticket *t)
{
    const struct charge bill[] = { { COUNT_sample_grads, (double)b }, { COUNT_batch_steps, 1 },
                                   { COUNT_taken, (double)b } };
    oracle_expect(o, CALL_SAMPLES);
    if (o->once)
        return oracle_affords(o, 2, bill) && oracle_take(o, b, t) && oracle_pay(o, 2, bill);
    if (!oracle_pay(o, 3, bill))
        return false;
    *t = oracle_replaced(o, b);
    return true;
}

/* u[b] <- the slopes of the ticket's samples; A <- its rows, where one block holds them. */
static struct linear_rows *sparse_slopes(struct walk *p, const struct ticket *t, struct linear_rows *A)
{
    if (p->ahead) {
        struct draw_ahead *a = rows_of(p, t->serial);
        oracle_tally_drawn(p->o, p->b, a->record);
        p->o->counts.of[COUNT_nonzeros] += a->nonzeros;
        slopes_at(p, &a->A, p->u);
        look_ahead(p);
        return &a->A;
    }
    oracle_tally(p->o, t);
    p->o->counts.of[COUNT_nonzeros] += oracle_nonzeros(p->o, t);
    for (long from = 0; from < t->count; from += A->m) {
        rows_at(p, t, from, A);
        slopes_at(p, A, p->u + from);
    }
    return A;
}

static void sparse_step(struct walk *p, const struct ticket *t, double eta)
{
    struct linear_rows some, *A = sparse_slopes(p, t, &some);
    shrink(p, 1 - eta * p->c);
    double scale = -eta / ((double)t->count * p->s);
    for (long k = 0; k < t->count; k++)
        p->u[k] *= scale;
    for (long from = 0; from < t->count; from += A->m) {
        if (t->count > LINEAR_ROWS)
            rows_at(p, t, from, A);
        add_rows(p, A, p->u + from);
    }
    project(p);
    p->A += p->s;
}

void oracle_walk_write(const struct walk *p, double *x)
{
    double *last = p->x;
    if (p->mean && p->t > 0 && p->sparse)
        vec_lincomb(p->o->d, p->A / p->t, last, 1 / p->t, p->mean, x);
    else if (p->sparse)
        vec_lincomb(p->o->d, p->s, last, 0, last, x);
    else
        vec_copy(p->o->d, p->mean && p->t > 0 ? p->mean : last, x);
}

/* --- */

void walk_begin(struct walk *p, const double *x)
{
    if (p->o->late == p)             /* the last mark stands in what is overwritten */
        oracle_answer(p->o);
    p->t = p->A = 0;
    p->s = 1;
    vec_copy(p->o->d, x, p->x);
    if (p->mean)
        vec_zero(p->o->d, p->mean);
    norm_anew(p);
}

/* The mark is written out where somebody looks, or when the run is over. */
static void mark(struct walk *p)
{
    if (!p->sparse) {
        oracle_mark(p->o, p->mean ? p->mean : p->x);
    } else if (oracle_mark_due(p->o)) {
        oracle_walk_write(p, p->g);
        oracle_mark(p->o, p->g);
    } else {
        oracle_mark_later(p->o, p);
    }
}

bool walk_step(struct walk *p, double eta)
{
    struct oracle *o = p->o;
    struct ticket t;
    if (p->sparse) {
        if (!sample(o, p->b, &t))
            return false;
        sparse_step(p, &t, eta);
        p->t++;
    } else {
        if (!oracle_sgrad(o, p->b, p->x, p->g))
            return false;
        p->t++;
        vec_axpy(o->d, -eta, p->g, p->x);
        oracle_project(o, 0, p->x);
        if (p->mean)
            vec_axpby(o->d, 1 / p->t, p->x, 1 - 1 / p->t, p->mean);
    }
    mark(p);
    return true;
}

void walk_end(const struct walk *p, double *x)
{
    oracle_walk_write(p, x);
}

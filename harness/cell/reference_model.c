/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_model.c - feature-sign search (Lee, Battle, Raina, Ng 2006): Newton's step on the active coordinates. A
 * coordinate that reaches 0 leaves the active set; a coordinate at 0 whose slope exceeds l1 enters it. The value
 * falls with every step, so no active set with its signs occurs twice. The model and its letters are those of
 * reference_model.h; the slope of a coordinate is the derivative of the quadratic part. */
#include "cell/reference_model.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_linalg.h>

#include "vec.h"

struct model {
    long m;
    const double *H;
    double l1;
    double *z, *grad, *sign, *step, *turn;   /* [m] each. z: the present point; grad: the gradient of the quadratic
                                                part at z; sign: the signs of z, or that which a coordinate at 0
                                                gets when it enters; step: Newton's step from z; turn = H step */
    long *play, players;                     /* the active coordinates */
};

/* step <- -(H + 1e-14 diag H)^-1 (grad + l1 sign) on the active coordinates, 0 elsewhere. */
static bool solve(struct model *q)
{
    size_t n = (size_t)q->players;
    gsl_matrix *A = gsl_matrix_alloc(n, n);
    gsl_vector *v = gsl_vector_alloc(n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    bool solved = A && v && p;
    for (size_t i = 0; solved && i < n; i++) {
        const double *row = q->H + q->play[i] * q->m;
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(A, i, j, row[q->play[j]]);
        gsl_matrix_set(A, i, i, row[q->play[i]] * (1 + 1e-14));
        gsl_vector_set(v, i, -(q->grad[q->play[i]] + q->l1 * q->sign[q->play[i]]));
    }
    solved = solved && gsl_linalg_mcholesky_decomp(A, p, NULL) == 0 &&
             gsl_linalg_mcholesky_svx(A, p, v) == 0;
    vec_zero(q->m, q->step);
    for (size_t i = 0; solved && i < n; i++)
        q->step[q->play[i]] = gsl_vector_get(v, i);
    gsl_permutation_free(p);
    gsl_vector_free(v);
    gsl_matrix_free(A);
    return solved && vec_finite(q->m, q->step);
}

/* Returns the change of the model from z to z + t step. It is a sum of small terms, not the difference of two large
 * values; for a coordinate that changes its sign a correction is added. */
static double change(const struct model *q, double t)
{
    double sum = 0;
    for (long k = 0; k < q->players; k++) {
        long j = q->play[k];
        double by = t * q->step[j], to = q->z[j] + by;
        sum += by * (q->grad[j] + q->l1 * q->sign[j] + t / 2 * q->turn[j]);
        if (to * q->sign[j] < 0)
            sum -= 2 * q->l1 * q->sign[j] * to;
    }
    return sum;
}

/* Returns the best length t of a step among 1 and the lengths at which a coordinate becomes 0; *zero <- that
 * coordinate, or -1. Returns 0 where no length lowers the value. */
static double best_length(const struct model *q, long *zero)
{
    double best = 1, least = change(q, 1);
    *zero = -1;
    for (long k = 0; q->l1 > 0 && k < q->players; k++) {
        double t = -q->z[q->play[k]] / q->step[q->play[k]];
        if (!(t > 0 && t < 1))
            continue;
        double value = change(q, t);
        if (value < least) {
            least = value;
            best = t;
            *zero = q->play[k];
        }
    }
    return least < 0 ? best : 0;
}

/* Sets the signs and the active coordinates from z. */
static void gather(struct model *q)
{
    q->players = 0;
    for (long j = 0; j < q->m; j++) {
        q->sign[j] = (q->z[j] > 0) - (q->z[j] < 0);
        if (q->z[j] != 0 || q->l1 == 0)
            q->play[q->players++] = j;
    }
}

/* Makes the coordinate at 0 with the largest slope beyond l1 active. Returns false where there is none. */
static bool enter(struct model *q)
{
    long best = -1;
    double most = q->l1 * (1 + 1e-13);
    for (long j = 0; q->l1 > 0 && j < q->m; j++)
        if (q->z[j] == 0 && fabs(q->grad[j]) > most) {
            most = fabs(q->grad[j]);
            best = j;
        }
    if (best < 0)
        return false;
    q->sign[best] = q->grad[best] > 0 ? -1 : 1;
    q->play[q->players++] = best;
    return true;
}

/* Moves z along the step by the best length t. Returns false where t > 0 and an active coordinate reached 0 or
 * changed its sign; with l1 = 0 signs do not matter. */
static bool take(struct model *q)
{
    long zero;
    bool held = true;
    for (long i = 0; i < q->m; i++)
        q->turn[i] = vec_dot(q->m, q->H + i * q->m, q->step);
    double t = best_length(q, &zero);
    for (long k = 0; k < q->players; k++) {
        long j = q->play[k];
        double old = q->z[j];
        q->z[j] = j == zero ? 0 : old + t * q->step[j];
        held &= q->z[j] * q->sign[j] > 0 || q->l1 == 0;
    }
    vec_axpy(q->m, t, q->turn, q->grad);
    return held || t == 0;
}

static bool search(struct model *q)
{
    gather(q);
    for (long step = 0; step < 10 * q->m + 100; step++) {
        if (q->players > 0) {
            if (!solve(q))
                return false;
            bool held = take(q);
            gather(q);
            if (!held)
                continue;
        }
        if (!enter(q))
            break;
    }
    return true;
}

bool model_minimise(long m, const double *H, const double *g, const double *x, double l1,
                    double *z)
{
    double *memory = malloc((size_t)m * 4 * sizeof *memory);
    long *play = malloc((size_t)m * sizeof *play);
    struct model q = { m, H, l1, z, memory, memory + m, memory + 2 * m, memory + 3 * m, play, 0 };
    bool found = memory && play && vec_finite(m, g);
    vec_copy(m, x, z);
    if (found) {
        vec_copy(m, g, q.grad);
        found = search(&q);
    }
    if (!found)
        vec_copy(m, x, z);
    free(memory);
    free(play);
    return found;
}

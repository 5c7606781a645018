/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_envelope.c - gradients of the Moreau envelope of one sample, M (x - prox_{f/M}(x)). */
#include "oracle/oracle_state.h"

#include <math.h>

bool oracle_enveloped(const struct oracle *o)
{
    const struct problem *p = o->problem;
    return p->sample_prox || (p->linear && !p->linear->rest_grad);
}

/* The slope of a linear model's sample at its proximal point: c = l'(s - k c, y), k = |a|^2/M. The
 * right side falls in c, so that the root lies between 0 and l'(s); at a kink it is any slope there. */
static double proximal_slope(const struct oracle *o, double k, double y, double s)
{
    const struct linear_model *model = o->problem->linear;
    double low = 0, high;
    model->slopes(o->self, 1, &y, &s, &high);
    if (!isfinite(high))
        return high;
    for (double mid; (mid = low + (high - low) / 2) != low && mid != high;) {
        double at = s - k * mid, c;
        model->slopes(o->self, 1, &y, &at, &c);
        if (high > 0 ? c > mid : c < mid)
            low = mid;
        else
            high = mid;
    }
    return high;
}

void oracle_envelope_gradient(struct oracle *o, double M, long record, const double *x, double a,
                              double *g)
{
    const struct problem *p = o->problem;
    a *= neighbour_sign(&o->neighbour, record);
    record = neighbour_record(&o->neighbour, record);
    if (record == NEIGHBOUR_NONE)
        return;
    if (p->sample_prox) {
        p->sample_prox(o->self, record, 1 / M, x, o->sum);
        vec_axpy(o->d, a * M, x, g);
        vec_axpy(o->d, -a * M, o->sum, g);
        return;
    }
    if (record < 0) {                /* a linear function is its own envelope, but for a constant */
        p->sample_grad(o->self, record, x, a, g);
        return;
    }
    struct linear_rows A;
    double s, c;
    p->linear->rows(o->self, &(struct samples){ record, 1, NULL }, o->sum, &A);
    linear_norms(&A);
    linear_scores(&A, x, &s);
    c = a * proximal_slope(o, A.norm[0] * A.norm[0] / M, A.y[0], s);
    linear_add(&A, &c, g);
}

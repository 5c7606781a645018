/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_mean.h - the mean over the stored records of a linear model, and its gradient. */
#ifndef ASSAY_PARTS_MODEL_MEAN_H
#define ASSAY_PARTS_MODEL_MEAN_H

#include "problem.h"

/* Returns (1/n) sum_i l(<a_i,x>, y_i) over the records 0, ..., n-1 if `value` is true, else 0. g[d], unless NULL,
 * += the gradient of this mean. Records are taken in blocks of `block` <= LINEAR_ROWS. */
static inline double model_mean(const struct linear_model *model, const void *self, long n,
                                long block, const double *x, bool value, double *g)
{
    struct linear_rows A;
    double s[LINEAR_ROWS], v[LINEAR_ROWS], sum = 0;
    for (long from = 0; from < n; from += block) {
        long m = n - from < block ? n - from : block;
        double part = 0;
        model->rows(self, &(struct samples){ from, m, NULL }, NULL, &A);
        linear_scores(&A, x, s);
        if (value)
            model->values(self, m, A.y, s, v);
        for (long k = 0; value && k < m; k++)
            part += v[k];
        sum += part;
        if (!g)
            continue;
        model->slopes(self, m, A.y, s, s);
        vec_scale(m, 1 / (double)n, s);
        linear_add(&A, s, g);
    }
    return sum / (double)n;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* labels.h - the labels of a table's records, as classes -1 and +1 or as targets. */
#ifndef ASSAY_PARTS_LABELS_H
#define ASSAY_PARTS_LABELS_H

#include <math.h>
#include <stdbool.h>
#include "data.h"
#include "status.h"

/* The two classes of a table, or how labels become targets: y = (label - shift) / scale. */
struct labels {
    bool signs;
    double low, high;                /* if signs: the labels that become y = -1 and y = +1 */
    double shift, scale;
};

/* *l <- the two labels of the table; the larger one becomes +1. Fails with BAD_INPUT if there are not exactly two;
 * the message names `loss`. If the table is not the whole file, the message says that record numbers count the
 * records not held out. */
static inline enum status labels_signs(const struct table *t, const char *loss, bool whole,
                                       struct labels *l, struct why *why)
{
    double seen[3];
    int different = 0;
    long i = 0;
    for (; i < t->n && different < 3; i++) {
        int k = 0;
        while (k < different && seen[k] != t->label[i])
            k++;
        if (k == different)
            seen[different++] = t->label[i];
    }
    if (different == 1)
        return why_set(why, BAD_INPUT, "%.200s: every label is %.17g: expected two different "
                       "labels", t->path, seen[0]);
    if (different > 2)
        return why_set(why, BAD_INPUT, "%.200s: labels %.15g, %.15g, and %.15g of record %ld%s: "
                       "%s expected only two different labels; for targets: squares, huber, absolute",
                       t->path, seen[0], seen[1], seen[2], i, whole ? "" : " not held out", loss);
    *l = (struct labels){ .signs = true, .low = fmin(seen[0], seen[1]),
                          .high = fmax(seen[0], seen[1]) };
    return OK;
}

/* *l <- the map from labels to targets: the identity; with `centre`, less the mean of the labels; with `zscore`
 * also divided by their standard deviation (with divisor n). Fails with BAD_INPUT if zscore is set and all labels
 * are equal. */
static inline enum status labels_targets(const struct table *t, bool centre, bool zscore,
                                         struct labels *l, struct why *why)
{
    double n = (double)t->n, mean = 0, square = 0;
    for (long i = 0; i < t->n; i++)
        mean += t->label[i] / n;
    for (long i = 0; i < t->n; i++)
        square += (t->label[i] - mean) * (t->label[i] - mean) / n;
    if (zscore && !(square > 0))
        return why_set(why, BAD_INPUT, "%.200s: every label is %.17g: expected targets that vary, "
                       "to divide by their standard deviation", t->path, t->label[0]);
    *l = (struct labels){ .shift = centre || zscore ? mean : 0,
                          .scale = zscore ? sqrt(square) : 1 };
    return OK;
}

/* y[n] <- the mapped labels of a table, which may be another part of the file that *l is from. Fails with BAD_INPUT
 * if the table has a third class. */
static inline enum status labels_apply(const struct labels *l, const struct table *t, double *y,
                                       struct why *why)
{
    for (long i = 0; i < t->n; i++) {
        double label = t->label[i];
        if (l->signs && label != l->low && label != l->high)
            return why_set(why, BAD_INPUT, "%.200s: labels %.17g, %.17g, %.17g: expected only two "
                           "different labels", t->path, l->low, l->high, label);
        y[i] = !l->signs ? (label - l->shift) / l->scale : label == l->high ? 1 : -1;
    }
    return OK;
}

#endif

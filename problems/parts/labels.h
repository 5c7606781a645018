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
    double low, high;                /* signs: the label of y = -1, of y = +1 */
    double shift, scale;
};

/* *l <- the two labels of the table, the larger is +1. BAD_INPUT: not exactly two; names the loss
 * that wants them. whole: the table is all of its file, so that its records can be counted. */
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

/* *l <- labels as they are, less their mean (centre), also over their standard deviation, divided
 * by n (zscore). BAD_INPUT: to be scaled, and all are equal. */
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

/* y[n] <- the labels of a table, which may be another part of the same file. BAD_INPUT: it has a third
 * class. */
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

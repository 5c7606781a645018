/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinks.h - piecewise linear losses of a score z, given by their kinks at_m, and penalties of a coordinate z, given
 * by kinks and by bends b_k, the points from which on their slope changes linearly:
 *
 *     phi(z)  = value + from (z - at_1) + sum_m jump_m (z - at_m)^+        where there are no bends
 *     phi'(z) = from + (sum of jump_m over at_m < z) + sum_k bend_k (z - b_k)^+
 *     capped     min(|z - y|, c)         absolute   |z - y|
 *     phase      | |z| - |y| |           ramp       min(1, max(0, 1 - y z)), y = +-1
 *     capped l1  lam min(|z|, c)         SCAD       slope lam up to lam, 0 from c lam on (c > 2)
 *
 * Let v be a coordinate of a point drawn uniformly in the unit ball of R^d. Then E phi'(z + s v) is from + sum_m
 * jump_m P_d((z - at_m)/s) + sum_k bend_k s R((z - b_k)/s), where P_d is the distribution function of v and R(t) =
 * E (t + v)^+. */
#ifndef ASSAY_PARTS_KINKS_H
#define ASSAY_PARTS_KINKS_H

#include <math.h>
#include <string.h>

#include "smoothed_norm.h"

enum { KINKS = 3, BENDS = 4 };
struct kinks {
    int n, bends;
    double value, from;
    double at[KINKS], jump[KINKS], b[BENDS], bend[BENDS];
};

#define KINKS_LOSSES "capped|absolute|phase|ramp"
#define KINKS_PENALTIES "none|capped|scad"

static inline struct kinks kinks_loss(const char *word, double y, double c)
{
    if (strcmp(word, "capped") == 0)
        return (struct kinks){ .n = 3, .value = c, .at = { y - c, y, y + c }, .jump = { -1, 2, -1 } };
    if (strcmp(word, "phase") == 0)
        return (struct kinks){ .n = 3, .from = -1, .at = { -fabs(y), 0, fabs(y) },
                               .jump = { 2, -2, 2 } };
    if (strcmp(word, "ramp") == 0)
        return y > 0 ? (struct kinks){ .n = 2, .value = 1, .at = { 0, 1 }, .jump = { -1, 1 } }
                     : (struct kinks){ .n = 2, .value = 0, .at = { -1, 0 }, .jump = { 1, -1 } };
    return (struct kinks){ .n = 1, .from = -1, .at = { y }, .jump = { 2 } };
}

/* Returns the penalty that `word` names; lam = 0 and the word "none" give one without kinks. */
static inline struct kinks kinks_penalty(const char *word, double lam, double c)
{
    double steep = 1 / (c - 1);
    if (strcmp(word, "capped") == 0 && lam > 0)
        return (struct kinks){ .n = 3, .value = lam * c, .at = { -c, 0, c },
                               .jump = { -lam, 2 * lam, -lam } };
    if (strcmp(word, "scad") == 0 && lam > 0)
        return (struct kinks){ .n = 1, .bends = 4, .jump = { 2 * lam },
                               .b = { -c * lam, -lam, lam, c * lam },
                               .bend = { -steep, steep, -steep, steep } };
    return (struct kinks){ 0 };
}

static inline double kinks_value(const struct kinks *k, double z)
{
    double sum = k->value + (k->n ? k->from * (z - k->at[0]) : 0);
    for (int m = 0; m < k->n; m++)
        /* This is a comparison, since fmax would be a call. */
        sum += z > k->at[m] ? k->jump[m] * (z - k->at[m]) : 0;
    return sum;
}

/* Returns the value of a penalty at z, from the formula of the piece that holds z: the sum over kinks would lose
 * digits for large |z|. */
static inline double kinks_penalty_value(const struct kinks *k, double z)
{
    if (!k->bends) {
        double q = fabs(z), c = k->at[2];
        return k->jump[1] / 2 * (q > c ? c : q);       /* the comparison keeps a NaN */
    }
    double lam = k->b[2], c = k->b[3] / lam, q = fabs(z);
    if (q <= lam)
        return lam * q;
    if (q <= c * lam)
        return (2 * c * lam * q - q * q - lam * lam) / (2 * (c - 1));
    return (c + 1) * lam * lam / 2;
}

/* Returns phi'(z); at a kink the derivative from the left. */
static inline double kinks_slope(const struct kinks *k, double z)
{
    double sum = k->from;
    for (int m = 0; m < k->n; m++)
        sum += z > k->at[m] ? k->jump[m] : 0;
    if (k->bends && fabs(z) >= k->b[3])
        return 0;
    for (int m = 0; m < k->bends; m++)
        sum += k->bend[m] * fmax(0, z - k->b[m]);
    return sum;
}

/* Returns R(t), which is t P_d(t) + density (1 - t^2)^((d+1)/2)/(d+1) for |t| < 1; density is that of v at 0. */
static inline double kinks_ramp(double d, double density, double t)
{
    if (fabs(t) >= 1)
        return fmax(0, t);
    return t * (1 + smoothed_sign(d, t)) / 2 + density * pow(1 - t * t, (d + 1) / 2) / (d + 1);
}

/* Returns E phi'(z + s v); density is that of v at 0. */
static inline double kinks_smoothed(const struct kinks *k, double d, double density, double z,
                                    double s)
{
    double sum = k->from;
    for (int m = 0; m < k->n; m++)
        sum += k->jump[m] * (1 + smoothed_sign(d, (z - k->at[m]) / s)) / 2;
    for (int m = 0; m < k->bends; m++)
        sum += k->bend[m] * s * kinks_ramp(d, density, (z - k->b[m]) / s);
    return sum;
}

/* *least, *most <- the range of phi' over the open interval (lo, hi). Between kinks and bends phi' is monotone. */
static inline void kinks_range(const struct kinks *k, double lo, double hi, double *least,
                               double *most)
{
    const double *list[] = { k->at, k->b };
    const int n[] = { k->n, k->bends };
    double end = kinks_slope(k, hi), start = kinks_slope(k, nextafter(lo, INFINITY));
    *least = fmin(start, end);
    *most = fmax(start, end);
    for (int i = 0; i < 2; i++)
        for (int m = 0; m < n[i]; m++) {
            double z = list[i][m];
            if (!(z > lo && z < hi))
                continue;
            double left = kinks_slope(k, z), right = kinks_slope(k, nextafter(z, INFINITY));
            *least = fmin(*least, fmin(left, right));
            *most = fmax(*most, fmax(left, right));
        }
}

#endif

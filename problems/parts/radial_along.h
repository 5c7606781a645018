/* SPDX-License-Identifier: GPL-3.0-or-later */
/* radial_along.h - a clipped slope and a radial function along many directions u_j at once, from their
 * products with the slope's v, along[m], and with the point x, cross[m]. */
#ifndef ASSAY_PARTS_RADIAL_ALONG_H
#define ASSAY_PARTS_RADIAL_ALONG_H

#include <stdbool.h>

#include "radial.h"

/* row[m] <- b clip(z + r along_j, +-R), z = <v,x>. R infinite: no clip. */
static inline void slope_along(double b, double R, double z, double r, int m, const double *along,
                               double *row)
{
    for (int j = 0; j < m; j++) {
        double at = z + r * along[j];
        at = at > R ? R : at;
        row[j] = b * (at < -R ? -R : at);
    }
}

/* A phi(|P x|), phi Huber's function of `inner`, P x = x or, aside, x - z v; q = |P x|. */
struct norm_part { double A, inner, q, z; bool aside; };

/* |P (x + r u)|, whose square is |P x|^2 + 2 r <P x,u> + r^2 |P u|^2, at a product and at |P u|^2. */
static inline double norm_at(double q, double r, double product, double length)
{
    double square = q * q + r * (2 * product + r * length);
    return sqrt(square > 0 ? square : 0);
}

/* row[m] += its values at x + r u_j. The norm itself, and nothing aside, by a loop that vectors take. */
static inline void norm_along(const struct norm_part *part, double r, int m, const double *along,
                              const double *cross, double *row)
{
    struct norm_part o = *part;      /* which row might be thought to overwrite */
    for (int j = 0; j < m && o.inner == 0 && !o.aside; j++)
        row[j] += o.A * norm_at(o.q, r, cross[j], 1);
    for (int j = 0; j < m && !(o.inner == 0 && !o.aside); j++) {
        double product = cross[j] - (o.aside ? o.z * along[j] : 0);
        double length = 1 - (o.aside ? along[j] * along[j] : 0);
        row[j] += o.A * radial_value(o.inner, norm_at(o.q, r, product, length));
    }
}

#endif

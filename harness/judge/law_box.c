/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_box.c - logarithm or power? y^(1/root) = a + b (x^c - 1)/c with c free, which at c = 0 is
 * a + b log x (Box and Cox 1964), by least squares of relative errors: with as many replicates
 * everywhere these are the errors of the means up to a factor. */
#include "judge/law.h"

#include <math.h>

#include "numeric/stats.h"
#include "status.h"

const double law_box_rivals[LAW_BOX_RIVALS] = { 0.25, 0.5 };

static const double carry = 0.2;     /* of the root, by which the growing part must change it */
static const double least = -1, most = 3;

/* Axis and root are scaled by their geometric means: (s x)^c has the same span with 1. */
struct box { int n; double u[LAW_POINTS_MAX], v[LAW_POINTS_MAX]; };

static double grown(double c, double u) { return fabs(c) < 1e-9 ? u : expm1(c * u) / c; }

/* Sum of squared relative errors at c; *a, *b <- the best coefficients. */
static double squares_at(const struct box *s, double c, double *a, double *b)
{
    double w = 0, wx = 0, wy = 0, xx = 0, xy = 0, sum = 0;
    for (int i = 0; i < s->n; i++) {
        double weight = 1 / (s->v[i] * s->v[i]);
        w += weight;
        wx += weight * grown(c, s->u[i]);
        wy += weight * s->v[i];
    }
    for (int i = 0; i < s->n; i++) {
        double weight = 1 / (s->v[i] * s->v[i]), x = grown(c, s->u[i]) - wx / w;
        xx += weight * x * x;
        xy += weight * x * (s->v[i] - wy / w);
    }
    *b = xx > 0 ? xy / xx : 0;
    *a = wy / w - *b * wx / w;
    for (int i = 0; i < s->n; i++) {
        double off = (*a + *b * grown(c, s->u[i])) / s->v[i] - 1;
        sum += off * off;
    }
    return sum;
}

static double minimise(const struct box *s, double lo, double hi)
{
    const double golden = (sqrt(5) - 1) / 2;
    double a, b;
    while (hi - lo > 1e-9) {
        double left = hi - golden * (hi - lo), right = lo + golden * (hi - lo);
        if (squares_at(s, left, &a, &b) < squares_at(s, right, &a, &b))
            hi = right;
        else
            lo = left;
    }
    return (lo + hi) / 2;
}

static double best_power(const struct box *s)
{
    enum { GRID = 80 };
    const double step = (most - least) / GRID;
    double a, b, best = INFINITY, c = 0;
    for (int i = 0; i <= GRID; i++) {
        double squares = squares_at(s, least + i * step, &a, &b);
        if (squares < best) {
            best = squares;
            c = least + i * step;
        }
    }
    return minimise(s, c - step, c + step);
}

static struct box box_of(int n, const double *u, const double *v, int from)
{
    struct box s = { .n = n };
    for (int i = 0; i < n; i++) {
        s.u[i] = u[from + i];
        s.v[i] = v[from + i];
    }
    return s;
}

/* The halves share the middle point of an odd number; the bend is what dropping the first does to c. */
static void read_parts(const struct box *s, double *value)
{
    int half = (s->n + 1) / 2;
    struct box first = box_of(half, s->u, s->v, 0), second = box_of(half, s->u, s->v, s->n / 2);
    value[LAW_EXPONENT] = best_power(s);
    value[LAW_FIRST_HALF] = best_power(&first);
    value[LAW_SECOND_HALF] = best_power(&second);
    value[LAW_BEND] = value[LAW_SECOND_HALF] - value[LAW_EXPONENT];
}

/* Central differences in log y_i, coarse against the minimiser's 1e-9. */
static void read_weights(const struct box *s, double root, struct law_fit *f)
{
    const double h = 1e-4;
    for (int i = 0; i < s->n; i++) {
        double value[2][LAW_PARTS];
        for (int side = 0; side < 2; side++) {
            struct box moved = *s;
            moved.v[i] *= exp((side ? h : -h) / root);
            read_parts(&moved, value[side]);
        }
        for (int part = 0; part < LAW_PARTS; part++)
            f->weight[part][i] = (value[1][part] - value[0][part]) / (2 * h);
    }
}

void law_fit_box(double root, int n, const double *axis, const double *z, struct law_fit *f)
{
    struct box s = { .n = n };
    double a, b, centre = 0, level = stats_mean(n, z) / root;
    for (int i = 0; i < n; i++)
        centre += log(axis[i]) / n;
    for (int i = 0; i < n; i++) {
        s.u[i] = log(axis[i]) - centre;
        s.v[i] = exp(z[i] / root - level);
    }
    if (n < LAW_BOX_POINTS) {
        f->trouble = LAW_FEW_POINTS;
        return;
    }
    read_parts(&s, f->value);
    double c = f->value[LAW_EXPONENT], squares = squares_at(&s, c, &a, &b);
    double low = a + b * grown(c, s.u[0]), high = a + b * grown(c, s.u[n - 1]);
    f->share[0] = fabs(high - low) / fmax(fabs(high), fabs(low));
    if (f->share[0] < carry) {
        f->trouble = LAW_TERM_ABSENT;
        return;
    }
    for (int i = 0; i < n; i++) {
        f->fitted[i] = pow(fmax(0, a + b * grown(c, s.u[i])) * exp(level), root);
        f->carries[i] = true;
    }
    f->coefficient[0] = (a - b * grown(c, centre) * exp(-c * centre)) * exp(level);
    f->coefficient[1] = b * exp(-c * centre) * exp(level);
    for (int k = 0; k < LAW_BOX_RIVALS; k++)
        f->rival[k] = squares_at(&s, law_box_rivals[k], &a, &b) / squares;
    read_weights(&s, root, f);
}

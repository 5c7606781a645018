/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.c - least-squares fits of the laws of a rate claim: power, sum of terms, log, Box-Cox. */
#include "judge/law.h"

#include <math.h>
#include <string.h>

#include "numeric/stats.h"
#include "status.h"

/* A term of a sum that is below this part of y everywhere is left out. With a smaller value terms would stay whose
 * coefficients pull against the exponent on noisy data; with a larger one the terms left out bend the exponent more
 * (claim.h). */
static const double carry = 0.2;

int law_small_end(const struct law *law)
{
    int terms = law->form == LAW_SUM ? law->terms : 1, end = 0;
    for (int k = 0; k < terms; k++) {
        int towards = law->exponent[k] < 0 ? +1 : law->exponent[k] > 0 ? -1 : 0;
        if (end && towards && towards != end)
            return 0;
        end = end ? end : towards;
    }
    return end;
}

/* w[n] <- the weights with which `part` of the least-squares line through the n >= 3 points (u_i, z_i) is sum_i w_i
 * z_i. */
static void line_weights(int n, const double *u, enum law_part part, double *w)
{
    memset(w, 0, (size_t)n * sizeof *w);
    switch (part) {
    case LAW_EXPONENT:
        stats_slope_weights(n, u, w);
        break;
    case LAW_FIRST_HALF:
        stats_slope_weights((n + 1) / 2, u, w);
        break;
    case LAW_SECOND_HALF:
        stats_slope_weights((n + 1) / 2, u + n / 2, w + n / 2);
        break;
    default:
        stats_curvature_weights(n, u, w);
        for (int i = 0; i < n; i++)
            w[i] *= 2 * fabs(u[n - 1] - u[0]);
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fit_line(const struct law *law, int n, const double *axis, const double *z,
                     struct law_fit *f)
{
    double u[LAW_POINTS_MAX];
    for (int i = 0; i < n; i++) {
        if (law->form == LAW_LOG && !(axis[i] > 1)) {
            f->trouble = LAW_AXIS;
            return;
        }
        u[i] = law->form == LAW_LOG ? log(log(axis[i])) : log(axis[i]);
    }
    for (int part = 0; part < LAW_PARTS; part++) {
        line_weights(n, u, (enum law_part)part, f->weight[part]);
        f->value[part] = dot(n, f->weight[part], z);
    }
    double level = stats_mean(n, z) - f->value[LAW_EXPONENT] * stats_mean(n, u);
    f->coefficient[0] = exp(level);
    f->share[0] = 1;
    for (int i = 0; i < n; i++) {
        f->fitted[i] = exp(level + f->value[LAW_EXPONENT] * u[i]);
        f->carries[i] = true;
    }
}

/* A sum being fitted. Axis and y are scaled by their geometric means, so that no power overflows. */
struct sum {
    const struct law *law;
    int n;
    double u[LAW_POINTS_MAX];        /* log axis less the mean of log axis */
    double y[LAW_POINTS_MAX];
    unsigned active;                 /* bit k: term k of the law is in use */
    double c[TERMS_MAX];             /* the coefficients that `profile` found last */
};

static double power_of(const struct sum *s, int k, double e, int i)
{
    return exp((k == s->law->named ? e : s->law->exponent[k]) * s->u[i]);
}

/* Returns the least sum of squared relative errors with the named exponent at e; s->c <- the coefficients. */
static double profile(struct sum *s, double e)
{
    double A[LAW_POINTS_MAX * TERMS_MAX], one[LAW_POINTS_MAX], c[TERMS_MAX];
    int terms = 0;
    for (int k = 0; k < s->law->terms; k++)
        terms += s->active >> k & 1;
    for (int i = 0; i < s->n; i++) {
        one[i] = 1;
        for (int k = 0, column = 0; k < s->law->terms; k++)
            if (s->active >> k & 1)
                A[i * terms + column++] = power_of(s, k, e, i) / s->y[i];
    }
    double squares = stats_nnls(s->n, terms, A, one, c);
    for (int k = 0, column = 0; k < s->law->terms; k++)
        s->c[k] = s->active >> k & 1 ? c[column++] : 0;
    return squares;
}

/* Returns the minimiser of the profile on [lo, hi] by golden section, which also ends where the profile is flat or
 * not smooth. */
static double minimise_profile(struct sum *s, double lo, double hi)
{
    const double golden = (sqrt(5) - 1) / 2;
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    double at_a = profile(s, a), at_b = profile(s, b);
    while (hi - lo > 1e-9) {
        if (at_a < at_b) {
            hi = b;
            b = a, at_b = at_a;
            a = hi - golden * (hi - lo);
            at_a = profile(s, a);
        } else {
            lo = a;
            a = b, at_a = at_b;
            b = lo + golden * (hi - lo);
            at_b = profile(s, b);
        }
    }
    double e = (lo + hi) / 2;
    profile(s, e);
    return e;
}

/* Returns the best exponent within 3 of the claimed one, which is far beyond any band. */
static double best_exponent(struct sum *s)
{
    enum { GRID = 60 };
    const double reach = 3, step = 2 * reach / GRID, claimed = s->law->exponent[s->law->named];
    double best = INFINITY, e = claimed;
    for (int i = 0; i <= GRID; i++) {
        double squares = profile(s, claimed - reach + i * step);
        if (squares < best) {
            best = squares;
            e = claimed - reach + i * step;
        }
    }
    return minimise_profile(s, e - step, e + step);
}

static double model(const struct sum *s, double e, int i)
{
    double y = 0;
    for (int k = 0; k < s->law->terms; k++)
        y += s->c[k] * power_of(s, k, e, i);
    return y;
}

static double share_at(const struct sum *s, int k, double e, int i)
{
    return s->c[k] * power_of(s, k, e, i) / model(s, e, i);
}

static double largest_share(const struct sum *s, int k, double e)
{
    double share = 0;
    for (int i = 0; i < s->n; i++)
        share = fmax(share, share_at(s, k, e, i));
    return share;
}

/* value <- the exponents of the two halves, and the bend (law.h), of y less the other terms, over the m points
 * listed in `at`. */
static void read_parts(const struct sum *s, double e, int m, const int *at, double *value)
{
    double u[LAW_POINTS_MAX], z[LAW_POINTS_MAX], w[LAW_POINTS_MAX];
    for (int i = 0; i < m; i++) {
        double own = s->c[s->law->named] * power_of(s, s->law->named, e, at[i]);
        double rest = s->y[at[i]] - (model(s, e, at[i]) - own);
        u[i] = s->u[at[i]];
        z[i] = log(fmax(rest, 1e-3 * s->y[at[i]]));
    }
    value[LAW_EXPONENT] = e;
    for (int part = LAW_FIRST_HALF; part < LAW_PARTS; part++) {
        line_weights(m, u, (enum law_part)part, w);
        value[part] = dot(m, w, z);
    }
}

/* Computes the weights by central differences in log y_i. Their step is large against 1e-9, to which the minimiser
 * finds the exponent. */
static void sum_weights(const struct sum *s, double e, int m, const int *at, struct law_fit *f)
{
    const double h = 1e-3;
    for (int i = 0; i < s->n; i++) {
        double value[2][LAW_PARTS];
        for (int side = 0; side < 2; side++) {
            struct sum moved = *s;
            moved.y[i] *= exp(side ? h : -h);
            read_parts(&moved, minimise_profile(&moved, e - 0.1, e + 0.1), m, at, value[side]);
        }
        for (int part = 0; part < LAW_PARTS; part++)
            f->weight[part][i] = (value[1][part] - value[0][part]) / (2 * h);
    }
}

static double select_terms(struct sum *s)
{
    for (;;) {
        double e = best_exponent(s), least = carry;
        int weakest = -1;
        for (int k = 0; k < s->law->terms; k++) {
            double share = s->active >> k & 1 ? largest_share(s, k, e) : INFINITY;
            if (k != s->law->named && share < least) {
                least = share;
                weakest = k;
            }
        }
        if (weakest < 0)
            return e;
        s->active &= ~(1u << weakest);
    }
}

static void fit_sum(const struct law *law, int n, const double *axis, const double *z,
                    struct law_fit *f)
{
    struct sum s = { .law = law, .n = n, .active = (1u << law->terms) - 1 };
    for (int i = 0; i < n; i++)
        s.u[i] = log(axis[i]);
    double centre = stats_mean(n, s.u), level = stats_mean(n, z);
    for (int i = 0; i < n; i++) {
        s.u[i] -= centre;
        s.y[i] = exp(z[i] - level);
    }
    double e = select_terms(&s);
    int m = 0, at[LAW_POINTS_MAX];
    for (int i = 0; i < n; i++) {
        f->fitted[i] = model(&s, e, i) * exp(level);
        f->carries[i] = share_at(&s, law->named, e, i) >= carry;
        if (f->carries[i])
            at[m++] = i;
    }
    for (int k = 0; k < law->terms; k++) {
        double exponent = k == law->named ? e : law->exponent[k];
        f->share[k] = largest_share(&s, k, e);
        f->coefficient[k] = s.c[k] * exp(level - exponent * centre);
    }
    if (m < 3) {
        f->trouble = m ? LAW_FEW_POINTS : LAW_TERM_ABSENT;
        return;
    }
    read_parts(&s, e, m, at, f->value);
    sum_weights(&s, e, m, at, f);
}

/* --- Box-Cox: logarithm or power? y^(1/root) = a + b (x^c - 1)/c with c free, which at c = 0 is a + b log x (Box
 * and Cox 1964). It is fitted by least squares of residuals divided by y^(1/root). These weights are
 * right where the standard error of each point is the same part of its value: with equal numbers of replicates and
 * an equal relative spread. */

const double law_box_rivals[LAW_BOX_RIVALS] = { 0.25, 0.5 };

/* The range in which c is sought: from a root that saturates as a - b/x to one that grows as the cube of x. */
static const double BOX_LEAST = -1, BOX_MOST = 3;

/* n points: u is the logarithm of the axis, v = y^(1/root). Both are scaled, so that the geometric means of axis
 * and v are 1. This does not change the best c, since (s x)^c and 1 span the same functions for every s. */
struct box { int n; double u[LAW_POINTS_MAX], v[LAW_POINTS_MAX]; };

static double grown(double c, double u) { return fabs(c) < 1e-9 ? u : expm1(c * u) / c; }

/* Returns the sum of squared relative errors at c; *a, *b <- the best coefficients. */
static double box_squares(const struct box *s, double c, double *a, double *b)
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

static double minimise_box(const struct box *s, double lo, double hi)
{
    const double golden = (sqrt(5) - 1) / 2;
    double a, b;
    while (hi - lo > 1e-9) {
        double left = hi - golden * (hi - lo), right = lo + golden * (hi - lo);
        if (box_squares(s, left, &a, &b) < box_squares(s, right, &a, &b))
            hi = right;
        else
            lo = left;
    }
    return (lo + hi) / 2;
}

static double best_power(const struct box *s)
{
    enum { GRID = 80 };
    const double step = (BOX_MOST - BOX_LEAST) / GRID;
    double a, b, best = INFINITY, c = 0;
    for (int i = 0; i <= GRID; i++) {
        double squares = box_squares(s, BOX_LEAST + i * step, &a, &b);
        if (squares < best) {
            best = squares;
            c = BOX_LEAST + i * step;
        }
    }
    return minimise_box(s, c - step, c + step);
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

/* value <- c of the halves, which share the middle point of an odd number of points, and the bend, which is c of
 * the second half less c of the whole. */
static void read_box(const struct box *s, double *value)
{
    int half = (s->n + 1) / 2;
    struct box first = box_of(half, s->u, s->v, 0), second = box_of(half, s->u, s->v, s->n / 2);
    value[LAW_EXPONENT] = best_power(s);
    value[LAW_FIRST_HALF] = best_power(&first);
    value[LAW_SECOND_HALF] = best_power(&second);
    value[LAW_BEND] = value[LAW_SECOND_HALF] - value[LAW_EXPONENT];
}

/* Computes the weights by central differences in log y_i. Their step is large against 1e-9, to which the minimiser
 * finds c. */
static void box_weights(const struct box *s, double root, struct law_fit *f)
{
    const double h = 1e-4;
    for (int i = 0; i < s->n; i++) {
        double value[2][LAW_PARTS];
        for (int side = 0; side < 2; side++) {
            struct box moved = *s;
            moved.v[i] *= exp((side ? h : -h) / root);
            read_box(&moved, value[side]);
        }
        for (int part = 0; part < LAW_PARTS; part++)
            f->weight[part][i] = (value[1][part] - value[0][part]) / (2 * h);
    }
}

static void fit_box(double root, int n, const double *axis, const double *z, struct law_fit *f)
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
    read_box(&s, f->value);
    double c = f->value[LAW_EXPONENT], squares = box_squares(&s, c, &a, &b);
    double low = a + b * grown(c, s.u[0]), high = a + b * grown(c, s.u[n - 1]);
    f->share[0] = fabs(high - low) / fmax(fabs(high), fabs(low));
    if (f->share[0] < carry) {           /* y^(1/root) must change over the window by this part of its larger end */
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
        f->rival[k] = box_squares(&s, law_box_rivals[k], &a, &b) / squares;
    box_weights(&s, root, f);
}

void law_fit(const struct law *law, int points, const double *axis, const double *z,
             struct law_fit *f)
{
    BUG_IF(points > LAW_POINTS_MAX);
    *f = (struct law_fit){ .trouble = LAW_FITTED };
    if (points < 3)
        f->trouble = LAW_FEW_POINTS;
    else if (law->form == LAW_SUM)
        fit_sum(law, points, axis, z, f);
    else if (law->form == LAW_BOX_COX)
        fit_box(law->exponent[0], points, axis, z, f);
    else
        fit_line(law, points, axis, z, f);
}

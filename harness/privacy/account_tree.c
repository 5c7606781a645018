/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_tree.c - what one record costs in the nodes of a tree, in several steps of a stream, and in noisy steps
 * of which only the last iterate is released. */
#include "privacy/account.h"

#include <math.h>
#include <stdlib.h>

#include "status.h"

/* --- trees: the node of level l that holds step i has the number (i-1) >> l, from 0 */

static bool node_used(enum tree_form form, long T, int level, long node)
{
    return (node + 1) << level <= T && (form == TREE_FULL || node % 2 == 0);
}

double account_tree_mu2(enum tree_form form, long T, long k, const long *step, const double *s,
                        const double *sd)
{
    double sum = 0;
    BUG_IF(T < 1 || (sd && form == TREE_FULL));
    for (int level = 0; T >> level > 0; level++)
        for (long j = 0; j < k;) {
            long node = (step[j] - 1) >> level;
            double change = 0;
            BUG_IF(step[j] < 1 || step[j] > T || (j > 0 && step[j] < step[j - 1]));
            for (; j < k && (step[j] - 1) >> level == node; j++)
                change += s[j];
            if (change == 0 || !node_used(form, T, level, node))
                continue;
            double noise = sd ? sd[((node + 1) << level) - 1] : 1;
            sum += change / noise * (change / noise);
        }
    return sum >= 0 ? sum * (1 + ACCOUNT_SLACK / 4) : INFINITY;
}

/* --- several participations of a record in a stream of either kind */

struct stream {
    enum prefix_kind kind;
    long T;
    double *c;                       /* root [T]: coefficients of (1 - z)^(-1/2) */
};

/* Returns <h_i, h_j>, i <= j, where h_i is what a change of 1 in step i does to the nodes or draws: for a tree the
 * number of nodes that hold both steps, for PREFIX_ROOT the inner product of columns i and j of the square root. */
static double shared(const struct stream *s, long i, long j)
{
    double sum = 0;
    if (s->kind == PREFIX_ROOT) {
        for (long m = 0; m <= s->T - j; m++)
            sum += s->c[m] * s->c[m + j - i];
        return sum;
    }
    for (int level = 0; s->T >> level > 0; level++) {
        long node = (i - 1) >> level;
        sum += node == (j - 1) >> level && node_used(TREE_FENWICK, s->T, level, node);
    }
    return sum;
}

/* Returns the largest <h_i, h_j> (`shared`) over the steps i of p and j of q. If the ranges of steps are disjoint,
 * it is that of the nearest two steps: a tree node that holds any i and j holds these, and the coefficients c fall.
 * Otherwise i = j is worst; for PREFIX_ROOT the first step that both ranges contain. */
static double most_shared(const struct stream *s, struct account_part p, struct account_part q)
{
    long from = p.first > q.first ? p.first : q.first, to = p.last < q.last ? p.last : q.last;
    double most = 0;
    if (from > to)
        return shared(s, to, from);
    for (long i = from; i <= (s->kind == PREFIX_ROOT ? from : to); i++)
        most = fmax(most, shared(s, i, i));
    return most;
}

static double *root_coefficients(long T)
{
    double *c = malloc((size_t)T * sizeof *c);
    BUG_IF(T < 1 || !c);
    c[0] = 1;
    for (long m = 1; m < T; m++)
        c[m] = c[m - 1] * (double)(2 * m - 1) / (double)(2 * m);
    return c;
}

double account_steps_mu2(enum prefix_kind kind, long T, long k, const long *step, const double *s,
                         const double *sd)
{
    if (kind == PREFIX_TREE)
        return account_tree_mu2(TREE_FENWICK, T, k, step, s, sd);
    double *c = root_coefficients(T), sum = 0;
    for (long j = k ? step[0] : T + 1; j <= T; j++) {
        double change = 0;
        for (long m = 0; m < k && step[m] <= j; m++)
            change += s[m] * c[j - step[m]];
        sum += change == 0 ? 0 : change / sd[j - 1] * (change / sd[j - 1]);
    }
    free(c);
    return sum >= 0 ? sum * (1 + ACCOUNT_SLACK) : INFINITY;
}

double account_prefix_mu2(enum prefix_kind kind, long T, long k, const struct account_part *part)
{
    struct stream s = { kind, T, root_coefficients(T) };
    double sum = 0;
    for (long p = 0; p < k; p++) {
        BUG_IF(part[p].first < 1 || part[p].last < part[p].first || part[p].last > T);
        sum += part[p].s * part[p].s * most_shared(&s, part[p], part[p]);
        for (long q = 0; q < p; q++)
            sum += 2 * part[p].s * part[q].s * most_shared(&s, part[p], part[q]);
    }
    free(s.c);
    return sum >= 0 ? sum * (1 + ACCOUNT_SLACK) : INFINITY;
}

/* Takes the maximum over the step, the same in every pass, in which the record takes part. The maximum is a whole
 * number, a sum of squares of counts: rint removes rounding errors. */
double account_tree_epochs(long steps, long epochs, long spare)
{
    double *one = malloc((size_t)epochs * sizeof *one), worst = 0;
    long *step = malloc((size_t)epochs * sizeof *step);
    BUG_IF(steps < 1 || epochs < 1 || spare < 0 || !one || !step);
    for (long first = 1; first <= steps; first++) {
        for (long e = 0; e < epochs; e++) {
            step[e] = first + e * steps;
            one[e] = 1;
        }
        worst = fmax(worst, account_tree_mu2(TREE_FULL, steps * epochs + spare, epochs, step, one,
                                             NULL));
    }
    free(one);
    free(step);
    return rint(worst);
}

double account_snowball_mu(long T, const double *batch, double change, double sd)
{
    double worst = 0;
    if (!(change >= 0 && sd >= 0))
        return INFINITY;
    for (long t = 1; change > 0 && t <= T; t++) {
        double mu = change / (batch[t - 1] * sd * sqrt((double)(T - t + 1)));
        worst = mu >= 0 ? fmax(worst, mu) : INFINITY;
    }
    return worst * (1 + ACCOUNT_SLACK / 4);
}

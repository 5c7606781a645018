/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_prepare.c - the held-out records are drawn first; scaling looks at the others only. */
#include "data/data_prepare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_builder.h"
#include "rng.h"

static const double DENSE_MAX = 0x1p30;      /* bytes a sparse table may take once it is dense */

/* held[n] <- exactly `share` of the records, every choice as likely as any other, in file order
 * (Knuth, TAOCP 2, 3.4.2, algorithm S). */
static void draw(long n, long share, long seed, bool *held)
{
    struct rng r = rng_stream((uint64_t)seed);
    for (long i = 0; i < n; i++) {
        held[i] = (long)rng_below(&r, (uint64_t)(n - i)) < share;
        share -= held[i];
    }
}

/* Keeps the records with held[i] == wanted, in place. */
static void keep(struct table *t, const bool *held, bool wanted)
{
    long n = 0, k = 0;
    for (long i = 0; i < t->n; i++) {
        if (held[i] != wanted)
            continue;
        struct entries a = table_row(t, i);
        t->label[n] = t->label[i];
        if (t->dense) {
            memmove(t->dense + n * t->d, a.value, (size_t)t->d * sizeof *a.value);
            for (long j = 0; j < t->d; j++)
                k += t->dense[n * t->d + j] != 0;
        } else {
            memmove(t->value + k, a.value, (size_t)a.count * sizeof *a.value);
            memmove(t->index + k, a.index, (size_t)a.count * sizeof *a.index);
            t->row[n] = k;           /* the row's own place is behind, or has been read */
            k += a.count;
        }
        n++;
    }
    if (t->row)
        t->row[n] = k;
    t->n = n;
    t->nonzeros = k;
}

/* --- z-scores: the table is dense */

struct column { double mean, sd, first; bool varies; };

static void columns_about(const struct table *t, const bool *held, struct column *c)
{
    long n = 0;
    for (long i = 0; i < t->n; i++) {
        const double *a = t->dense + i * t->d;
        if (held[i])
            continue;
        for (long j = 0; j < t->d; j++) {
            if (n == 0)
                c[j].first = a[j];
            c[j].varies |= a[j] != c[j].first;
            c[j].mean += (a[j] - c[j].mean) / (double)(n + 1);
        }
        n++;
    }
    for (long i = 0; i < t->n; i++)
        for (long j = 0; j < t->d && !held[i]; j++) {
            double deviation = t->dense[i * t->d + j] - c[j].mean;
            c[j].sd += deviation * deviation / (double)n;
        }
    for (long j = 0; j < t->d; j++)
        c[j].sd = sqrt(c[j].sd);
}

static enum status zscore(struct table *t, const bool *held, const char *name, struct why *why)
{
    double bytes = (double)t->n * (double)t->d * sizeof(double);
    if (!t->dense && bytes > DENSE_MAX)
        return why_set(why, BAD_INPUT, "%s: zscore would fill a sparse table of %ld columns, %.3g "
                       "GiB: expected scaling unit or none", name, t->d, bytes / 0x1p30);
    struct column *c = calloc((size_t)t->d, sizeof *c);
    t->mean = calloc((size_t)t->d, sizeof *t->mean);
    t->sd = calloc((size_t)t->d, sizeof *t->sd);
    if (!c || !t->mean || !t->sd || (!t->dense && !table_densify(t))) {
        free(c);
        return why_set(why, NO_MEMORY, "%s: not enough memory to scale its columns", name);
    }
    columns_about(t, held, c);
    bool finite = true;
    for (long j = 0; j < t->d; j++) {
        finite &= isfinite(c[j].sd);
        t->constant += !c[j].varies;
        t->mean[j] = c[j].mean;
        t->sd[j] = c[j].varies ? c[j].sd : 1;
    }
    t->nonzeros = 0;
    for (long i = 0; i < t->n; i++)
        for (long j = 0; j < t->d; j++) {
            double *a = &t->dense[i * t->d + j];
            *a = c[j].varies ? (*a - c[j].mean) / c[j].sd : 0;
            finite &= isfinite(*a);
            t->nonzeros += *a != 0;
        }
    free(c);
    return finite ? OK
        : why_set(why, BAD_INPUT, "%s: expected entries whose squares are numbers of normal size, "
                  "for zscore", name);
}

/* --- rows of norm 1 */

/* Scaled by the largest first: squares of any entries are finite. */
static void unit(struct table *t)
{
    for (long i = 0; i < t->n; i++) {
        struct entries a = table_row(t, i);
        double *value = t->dense ? t->dense + i * t->d : t->value + t->row[i];
        double largest = 0, square = 0;
        for (long k = 0; k < a.count; k++)
            largest = fmax(largest, fabs(value[k]));
        for (long k = 0; k < a.count; k++)
            square += (value[k] / largest) * (value[k] / largest);
        for (long k = 0; k < a.count && largest > 0; k++)
            value[k] = value[k] / largest / sqrt(square);
    }
}

/* --- */

static enum status check(const struct data_request *q, const char *name, const struct table *t,
                         struct why *why)
{
    double share = rint(q->test * (double)t->n);
    if (!(q->test >= 0 && q->test < 1))
        return why_set(why, BAD_INPUT, "%s: test = %g: expected a share in [0,1)", name, q->test);
    if (q->split < 0)
        return why_set(why, BAD_INPUT, "%s: split = %ld: expected a seed from 0", name, q->split);
    if ((q->test > 0 && share == 0) || share == (double)t->n || (q->heldout && share == 0))
        return why_set(why, BAD_INPUT, "%s: test = %g of %ld records: expected a share that leaves "
                       "records on both sides", name, q->test, t->n);
    return OK;
}

enum status data_prepare(const struct data_request *q, const char *name, struct table *t,
                         struct why *why)
{
    const char *scaling = q->scaling ? q->scaling : "none";
    bool columns = strcmp(scaling, "zscore") == 0, rows = strcmp(scaling, "unit") == 0;
    if (!columns && !rows && strcmp(scaling, "none"))
        return why_set(why, BAD_INPUT, "%s: scaling '%.40s': expected none, zscore or unit", name,
                       scaling);
    TRY(check(q, name, t, why));
    bool *held = calloc((size_t)t->n, sizeof *held);
    if (!held)
        return why_set(why, NO_MEMORY, "%s: not enough memory to split it", name);
    if (q->test > 0)
        draw(t->n, (long)rint(q->test * (double)t->n), q->split, held);
    enum status s = columns ? zscore(t, held, name, why) : OK;
    if (s == OK && q->test > 0)
        keep(t, held, q->heldout);
    if (s == OK && rows)
        unit(t);
    free(held);
    return s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_losses.h - what the families kinked and neurons share: parameters, instance, facts, measures, and a start in
 * a random direction. F is a mean of Lipschitz losses of the records of a file, over R^d, for methods that use
 * every record once. `self` of a family begins with a struct file_losses, its parameters with a struct
 * file_params. */
#ifndef ASSAY_PARTS_FILE_LOSSES_H
#define ASSAY_PARTS_FILE_LOSSES_H

#include <math.h>
#include <string.h>
#include "certificates.h"
#include "data.h"
#include "labels.h"
#include "rows.h"

struct file_params {
    struct data_request request;
    const char *target;
    double goldstein, start, reach;
    long draws, hull, points, centre;
};

#define FILE_TARGET                                                                               \
    PARAM_WORD(file_params, target, "none", "none|centre|zscore",                                 \
               "of regression, as in erm; but for none a record is in all others' losses")
#define FILE_CERTIFICATES                                                                         \
    CERTIFICATES_PARAMS(file_params),                                                             \
    PARAM(file_params, points, 16, 0, 1e9, "points", "of a set that its measures look at; 0: all")

struct file_losses {
    struct certificates c;
    struct rows A;
    long n,                          /* records */
         d;                          /* coordinates of x */
    double *x0;
    double (*value)(const void *self, const double *x);
};

/* Returns whether every loss contains a mean over all records (of targets or of columns). A record then changes the
 * losses of the others, which neither a replay nor a ledger of batches detects. */
static inline bool file_losses_mixed(const struct data_request *request, bool classes,
                                   const char *target)
{
    bool targets = !classes && strcmp(target, "none") != 0;
    return targets || (request->scaling && strcmp(request->scaling, "zscore") == 0);
}

static inline bool file_losses_unit(const struct data_request *request)
{
    return request->scaling && strcmp(request->scaling, "unit") == 0;
}

/* Returns L of losses whose slope in the score is at most 1. For records of norm 1 it does not depend on the data;
 * else it is `longest`, the largest |a_i|. */
static inline double file_losses_L(const struct data_request *request, double longest)
{
    return file_losses_unit(request) ? 1 + 1e-12 : longest;
}

/* States the facts. If every loss contains a mean over all records (mixed), no constant is public: a private run
 * that reads any fact, even n or d, is reported as not private. */
static inline void file_losses_facts(const struct data_request *request, bool mixed, double n, double d,
                                   double L, double Phi, struct facts *f)
{
    unsigned long lipschitz = FACT_BIT(L) | FACT_BIT(G) | FACT_BIT(sigma);
    unsigned long public = FACT_BIT(n) | FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(radius) |
                           FACT_BIT(diameter) | (file_losses_unit(request) ? lipschitz : 0);
    f->d = d;
    f->n = n;
    f->radius = f->diameter = INFINITY;
    f->L = f->G = f->sigma = L;
    f->Phi = Phi;
    for (int k = 0; k < FACT_COUNT; k++)
        f->origin[k] = !mixed && public >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
}

/* --- make */

/* Loads the file: sets o->A, o->n and o->d. A family may change o->d afterwards. */
static inline enum status file_losses_load(const struct file_params *p, struct file_losses *o,
                                           struct why *why)
{
    const struct table *t;
    TRY(data_load(&p->request, &t, why));
    o->A = rows_of(t, false);
    o->n = t->n;
    o->d = t->d;
    return OK;
}

static inline enum status file_losses_targets(const struct file_params *p, const struct table *t,
                                              struct labels *labels, struct why *why)
{
    return labels_targets(t, strcmp(p->target, "centre") == 0, strcmp(p->target, "zscore") == 0,
                          labels, why);
}

/* Does the rest of `make`, once o->d, o->value and the members that value reads are set. All parts of F are at
 * least 0, so that Phi = F(x0). `more` is the Lipschitz constant of a term that is added to every loss; `classes`
 * says that labels are signs. */
static inline enum status file_losses_finish(const struct file_params *p, const struct rng *data,
                                             struct arena *a, struct file_losses *o, bool classes,
                                             double more, struct facts *facts, struct why *why)
{
    struct rng aside = rng_sub(data, 1);
    double longest = 0;
    for (long i = 0; i < o->n; i++)
        longest = fmax(longest, sqrt(rows_square(&o->A, i)));
    if (!isfinite(longest))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares", o->A.t->path);
    o->x0 = arena_vec(a, o->d);
    rng_sphere(&aside, o->d, o->x0);
    vec_scale(o->d, p->start, o->x0);
    o->c.d = o->d;
    o->c.draws = p->draws;
    o->c.hull = p->hull;
    o->c.reach = p->reach;
    o->c.centre = p->centre;
    o->c.points = p->points;
    o->c.q.d = o->d;
    o->c.q.delta = p->goldstein;
    o->c.q.points = rng_sub(data, 3);
    o->c.q.self = o;
    file_losses_facts(&p->request, file_losses_mixed(&p->request, classes, p->target), (double)o->n,
                      (double)o->d, file_losses_L(&p->request, longest) + more, o->value(o, o->x0),
                      facts);
    return OK;
}

/* --- slots and measures */

static inline void file_losses_start(const void *self, double *x0)
{
    const struct file_losses *o = self;
    vec_copy(o->d, o->x0, x0);
}

static inline unsigned long long file_losses_content(const void *params)
{
    const struct file_params *p = params;
    const struct table *t;
    struct why why;
    return data_load(&p->request, &t, &why) == OK ? t->checksum : 0;
}

static inline double file_losses_objective(const void *self, const double *x, double *error)
{
    const struct file_losses *o = self;
    *error = 0;
    return o->value(self, x);
}

static inline double file_losses_stationarity(const void *self, const double *x, double *error)
{
    const struct file_losses *o = self;
    return goldstein_norm(&o->c.q, x, error);
}

#endif

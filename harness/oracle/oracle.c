/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle.c - opens an oracle, keeps counts and budget, and joins parallel branches. */
#include "oracle/oracle_state.h"

#include "numeric/linear_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name, *doc; } kinds[] = {
#define X(name, doc) { #name, doc },
    COUNTS_LIST(X)
#undef X
};

const char *count_name(int count) { return kinds[count].name; }
const char *count_doc(int count) { return kinds[count].doc; }

static double coordinates(const struct problem *p, const void *self, long d)
{
    const double *c = problem_multiplicity(p, self);
    double sum = 0;
    for (long j = 0; c && j < d; j++)
        sum += c[j];
    return c ? sum : (double)d;
}

void oracle_open(struct oracle *o, const struct problem *problem, const void *self,
                 const struct facts *facts, unsigned calls, const struct rng *data,
                 uint64_t seed, struct arena *a)
{
    struct rng base = rng_stream(seed);
    long d = (long)facts->d;

    memset(o, 0, sizeof *o);
    o->problem = problem;
    o->self = self;
    o->facts = facts;
    o->calls = calls;
    o->d = d;
    o->p = coordinates(problem, self, d);
    o->stored = isfinite(facts->n);
    o->data = *data;
    o->sampling = rng_sub(&base, 1);
    o->noise = rng_sub(&base, 2);
    for (int k = 0; k < COUNT_KINDS; k++)
        o->budget.of[k] = INFINITY;
    o->sum = arena_vec(a, d);
    o->one = arena_vec(a, d);
    o->at = arena_vec(a, d);
    o->answer = arena_vec(a, d);
    if (problem->linear && problem->linear->rest_grad && calls & CALL_SAMPLES)
        o->rest = arena_vec(a, d);
    /* the length of a row of stored data is the mean number of stored entries of a record */
    double entries = o->stored && !isnan(facts->nonzeros) ? facts->nonzeros / facts->n : (double)d;
    o->block = linear_block((long)entries);
    o->far = o->stored && linear_far(facts->n, entries);
    o->group = o->far ? 0 : linear_group((long)entries);
    if (problem->linear && !o->stored && calls & (CALL_SAMPLES | CALL_SAMPLE_VALUES))
        o->rows = arena_vec(a, o->block * d);
    if (calls & CALL_SAMPLE_VALUES) {
        o->directions = arena_vec(a, d * directions_room(d));
        o->probes.numbers = d <= AHEAD_SMALL ? arena_vec(a, AHEAD_NUMBERS) : NULL;
    }
    if (calls & CALL_NOISE && d <= AHEAD_SMALL)
        o->noises.numbers = arena_vec(a, AHEAD_NUMBERS);
    if (calls & (CALL_SAMPLES | CALL_SAMPLE_VALUES))
        oracle_samples_open(o, &base, a);
}

void oracle_release(struct oracle *o)
{
    ledger_free(&o->ledger);
    free(o->marks.row);
    free(o->visit);
    spans_free(&o->spans);
    oracle_samples_free(o);
}

bool oracle_charge(struct oracle *o, enum count kind, double amount)
{
    const struct charge one = { kind, amount };
    return oracle_pay(o, 1, &one);
}

long oracle_dim(const struct oracle *o) { return o->d; }

const double *oracle_multiplicity(const struct oracle *o)
{
    oracle_expect(o, CALL_BLOCKS);
    return problem_multiplicity(o->problem, o->self);
}

bool oracle_counting(const struct oracle *o) { return o->counting; }
long oracle_pieces(const struct oracle *o) { return (long)o->facts->N; }

double oracle_radius(const struct oracle *o)
{
    return isnan(o->facts->radius) ? INFINITY : o->facts->radius;
}

double oracle_left(const struct oracle *o)
{
    double budget = o->budget.of[COUNT_taken] - o->counts.of[COUNT_taken];
    double data = o->facts->n - (double)o->position;
    return o->stored && data < budget ? data : budget;
}

void oracle_refuse(struct oracle *o, const char *sentence)
{
    if (!o->refused)
        o->refused = sentence;
    o->spent = true;
}

void oracle_depth(struct oracle *o, double vector_operations)
{
    o->counts.of[COUNT_depth] += vector_operations;
}

void oracle_fork(struct oracle *o)
{
    BUG_IF(o->forks == FORK_DEPTH);
    double steps = o->counts.of[COUNT_batch_steps], depth = o->counts.of[COUNT_depth];
    o->fork[o->forks++] = (struct fork){ steps, depth, steps, depth };
}

static struct fork *branch_end(struct oracle *o)
{
    BUG_IF(o->forks == 0);
    struct fork *f = &o->fork[o->forks - 1];
    f->most_steps = fmax(f->most_steps, o->counts.of[COUNT_batch_steps]);
    f->most_depth = fmax(f->most_depth, o->counts.of[COUNT_depth]);
    return f;
}

void oracle_branch(struct oracle *o)
{
    struct fork *f = branch_end(o);
    o->counts.of[COUNT_batch_steps] = f->steps;
    o->counts.of[COUNT_depth] = f->depth;
}

void oracle_join(struct oracle *o)
{
    struct fork *f = branch_end(o);
    o->counts.of[COUNT_batch_steps] = f->most_steps;
    o->counts.of[COUNT_depth] = f->most_depth;
    o->forks--;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - replay. A first pass finds the records with the largest shares in sums, a second is recorded, and a
 * third is compared with it. Two more passes follow where records are zeroed and Poisson samples are drawn. */
#include "run/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES = 3 };

static struct rng choices_of(const struct cell *c, long k)
{
    struct rng base = rng_stream(c->seed), all = rng_sub(&base, 5);
    return rng_sub(&all, (uint64_t)k);
}

/* Returns the number of positions of stream order among which the record that is changed is chosen: n, the samples
 * that the run takes, or all records where it takes none. */
static long positions(const struct facts *f, double n)
{
    double most = fmin(n > 0 ? n : INFINITY, isfinite(f->n) ? f->n : INFINITY);
    return isfinite(most) && most >= 1 ? (long)most : 1;
}

/* Returns a record other than `i`, or `i` where there is only one; of a stream, one that the run does not take. */
static long other_record(const struct facts *f, struct rng *r, double n, long i)
{
    if (!isfinite(f->n))
        return (long)n + (long)rng_below(r, 1ul << 30);
    long records = (long)f->n, other = records > 1 ? (long)rng_below(r, (uint64_t)records - 1) : 0;
    return other >= i && records > 1 ? other + 1 : other;
}

/* Sets what replaces record i in r->second. A canary is replaced by the other canary of the pair. One of the
 * records with the largest gradients is replaced by a canary, where the family has a pair, else by its own
 * negative. The negative is as far away as two gradients of this length can be, but is no convex loss, so a method
 * that assumes convexity does not get it. In all other cases the record is replaced by the record `other`. */
static void replace(struct replay *r, const struct cell *c, bool pair, long other)
{
    bool largest = r->choice != CHOICE_RANDOM, convex = c->algo->assumes & ASSUMES_CONVEX;
    long i = r->first.i;
    r->second.negated = largest && !pair && !convex;
    r->second.with = r->second.negated ? i : other;
    if (largest && pair)
        r->second.with = r->choice == CHOICE_CANARY ? -2 : -1 - (i & 1);
}

/* Sets the data sets r->first and r->second, which differ in record i. In the first one record i is replaced by
 * itself (`with` is i) or by canary -1, so that both runs add sample by sample and round their sums alike. */
static void differ(struct replay *r, const struct cell *c, const struct facts *f, struct rng *rng,
                   double n, long i)
{
    bool pair = c->problem->canaries == 2, canary = pair && r->choice == CHOICE_CANARY;
    long other = other_record(f, rng, n, i);
    r->first = (struct neighbour){ NEIGHBOUR_REPLACE, i, canary ? -1 : i };
    r->second = r->first;
    if (c->algo->adjacency == ADJACENCY_REPLACE_ONE)
        replace(r, c, pair, other);
    else
        r->second.kind = c->algo->adjacency == ADJACENCY_ADD_REMOVE ? NEIGHBOUR_REMOVE
                                                                    : NEIGHBOUR_NULL;
    if (r->second.kind == NEIGHBOUR_REMOVE)
        r->first.coin = COIN_IN;         /* the record is in every Poisson sample of the first run, so that all
                                            samples differ between the two runs */
}

/* Makes a pass on the unchanged data, chooses by it the record that is to change for neighbour k, and sets r->first
 * and r->second. */
static enum status choose(struct runner *rn, const struct cell *c, long k, double n, size_t limit,
                          double *x, struct replay *r, struct why *why)
{
    const void *self;
    const struct facts *facts;
    TRY(runner_instance(rn, c, &self, &facts, why));
    struct rng rng = choices_of(c, k);
    struct tape look = { .mode = TAPE_RECORD, .limit = limit };
    struct pass p = { .seed = c->seed, .x = x, .tape = &look, .by_position = true };
    long turn = (k - 1) / CHOICES % TAPE_LARGEST;

    r->choice = (enum neighbour_choice)((k - 1) % CHOICES);
    p.neighbour.i = (long)rng_below(&rng, (uint64_t)positions(facts, n));
    enum status s = run_pass(rn, c, &p, why);
    long i = p.neighbour.i;
    bool largest = r->choice == CHOICE_LARGEST ||
                   (r->choice == CHOICE_CANARY && c->problem->canaries != 2);
    while (largest && turn > 0 && look.largest[turn].share == 0)
        turn--;
    if (largest && look.largest[turn].share > 0)
        i = look.largest[turn].record;
    if (s == OK)
        differ(r, c, facts, &rng, n, i);
    free(p.params);
    tape_free(&look);
    return s;
}

/* Does this count depend on the size of a Poisson sample? */
static bool follows_samples(int kind)
{
    return kind == COUNT_taken || kind == COUNT_sample_grads || kind == COUNT_sample_values ||
           kind == COUNT_directions || kind == COUNT_nonzeros || kind == COUNT_max_visits;
}

static void compare_ends(struct tape *t, long d, const double *x, const double *y,
                         const struct counts *a, const struct counts *b)
{
    long j = 0;
    while (j < d && memcmp(&x[j], &y[j], sizeof *x) == 0)
        j++;
    int kind = 0;
    while (kind < COUNT_KINDS &&
           (a->of[kind] == b->of[kind] || (t->lacking && follows_samples(kind))))
        kind++;
    if (j == d && kind == COUNT_KINDS)
        return;
    bool answer = j < d;
    if (t->leak)
        return;
    t->leak = answer ? LEAK_ANSWER : LEAK_COUNTS;
    t->call = 0;
    if (answer)
        snprintf(t->what, sizeof t->what, "coordinate %ld of the answer, %.12g became %.12g", j,
                 x[j], y[j]);
    else
        snprintf(t->what, sizeof t->what, "%.12g %s became %.12g", a->of[kind], count_name(kind),
                 b->of[kind]);
}

/* Makes a run on r->first and a run on r->second that is compared with it; x[2 d] <- the two answers. */
static enum status compare(struct runner *rn, const struct cell *c, long d, double *x,
                           struct replay *r, struct why *why)
{
    struct pass first = { .neighbour = r->first, .seed = c->seed, .x = x, .tape = &r->tape };
    struct pass second = { .neighbour = r->second, .seed = c->seed, .x = x + d, .tape = &r->tape };
    enum status s = run_pass(rn, c, &first, why);
    tape_rewind(&r->tape);
    second.params = first.params;
    if (s == OK)
        s = run_pass(rn, c, &second, why);
    if (s == OK) {
        tape_end(&r->tape);
        compare_ends(&r->tape, d, x, x + d, &first.counts, &second.counts);
        tape_end_marks(&r->tape);
    }
    free(second.params);
    return s;
}

/* Compares a run in which a record that answers zero is in every Poisson sample with one in which it is in none.
 * Where records are zeroed, the size of a Poisson sample may depend on whether the record is drawn, but nothing
 * else may. The comparison is not needed where a record is removed, because the two runs of the replay differ in
 * their Poisson samples already. It is not needed where records are replaced, because Poisson samples amplify
 * nothing there. Subsets always have the same size, and which records are in them can show in the answers to
 * questions only. */
static enum status compare_coins(struct runner *rn, const struct cell *c, long d, double *x,
                                 struct replay *r, struct why *why)
{
    struct replay coins = { .first = r->second, .second = r->second };
    coins.first.coin = COIN_IN;
    coins.second.coin = COIN_OUT;
    coins.tape = (struct tape){ .mode = TAPE_RECORD, .limit = r->tape.limit, .coins = true };
    enum status s = compare(rn, c, d, x, &coins, why);
    if (s == OK && coins.tape.leak) {
        r->tape.leak = LEAK_SIZE;
        r->tape.call = coins.tape.call;
        memcpy(r->tape.what, coins.tape.what, sizeof r->tape.what);
    }
    tape_free(&coins.tape);
    return s;
}

enum status replay_run(struct runner *rn, const struct cell *c, long k, double n, size_t limit,
                       struct replay *r, struct why *why)
{
    const void *self;
    const struct facts *facts;
    *r = (struct replay){ .tape = { .mode = TAPE_RECORD, .limit = limit } };
    TRY(runner_instance(rn, c, &self, &facts, why));
    long d = (long)facts->d;
    double *x = malloc(2 * (size_t)d * sizeof *x + 1);
    BUG_IF(!x);
    enum status s = choose(rn, c, k, n, limit, x, r, why);
    if (s == OK)
        s = compare(rn, c, d, x, r, why);
    if (s == OK && !r->tape.leak && r->tape.sampled && r->second.kind == NEIGHBOUR_NULL)
        s = compare_coins(rn, c, d, x, r, why);
    free(x);
    return s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - noise and its entry in the ledger, in one call. */
#include "oracle_state.h"

#include <math.h>

/* The part of an entry that every mechanism fills alike. */
static struct ledger_entry entry_of(const struct oracle *o, const struct release *r,
                                    enum mechanism mechanism, double scale, long d)
{
    struct ledger_entry e = {
        .site = r->site, .mechanism = mechanism, .norm = r->norm, .sensitivity = r->sensitivity,
        .scale = scale, .scheme = SAMPLING_ALL, .count = o->stored ? (long)o->facts->n : 0,
        .repeats = 1, .failure = r->failure, .hidden = r->hidden, .dimension = d,
    };
    if (r->ticket) {
        e.scheme = r->ticket->scheme;
        e.first = r->ticket->first;
        e.count = r->ticket->count;
    }
    e.batch = (double)e.count;
    return e;
}

/* One stream per noise call, addressed by its number: replay meets the same noise. */
static struct rng next_noise(struct oracle *o)
{
    return rng_sub(&o->noise, o->serial++);
}

static void check(const struct oracle *o, const struct release *r, double scale)
{
    oracle_expect(o, CALL_NOISE);
    BUG_IF(!r->site || !(r->sensitivity >= 0) || !(scale >= 0));
}

static void add_normals(struct oracle *o, double sd, long d, double *v)
{
    struct rng r = next_noise(o);
    for (long j = 0; j < d; j += 2) {
        double pair[2];
        rng_normals(&r, 2, sd, pair);
        v[j] += pair[0];
        if (j + 1 < d)
            v[j + 1] += pair[1];
    }
}

void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v)
{
    check(o, r, sd);
    struct ledger_entry e = entry_of(o, r, MECHANISM_GAUSSIAN, sd, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    if (!o->counting && sd > 0)
        add_normals(o, sd, d, v);
}

void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v)
{
    check(o, r, b);
    struct ledger_entry e = entry_of(o, r, MECHANISM_LAPLACE, b, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_laplace] += (double)d;
    if (o->counting)
        return;
    struct rng s = next_noise(o);
    for (long j = 0; j < d; j++)
        v[j] += rng_laplace(&s, b);
}

long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight)
{
    double smallest = INFINITY, best = -1;
    long winner = 0;
    for (long j = 0; j < m; j++)
        smallest = fmin(smallest, b[j] / (weight ? weight[j] : 1));
    check(o, r, smallest);
    struct ledger_entry e = entry_of(o, r, MECHANISM_NOISY_MAX, smallest, m);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_max]++;
    o->counts.of[COUNT_noise_laplace] += (double)m;
    if (o->counting)
        return 0;
    struct rng s = next_noise(o);
    for (long j = 0; j < m; j++) {
        double noisy = fabs(score[j] + rng_laplace(&s, b[j])) / (weight ? weight[j] : 1);
        if (noisy > best) {
            best = noisy;
            winner = j;
        }
    }
    return winner;
}

/* --- binary tree: at prefix i the node ending at i is drawn, of level = trailing zeros of i; the
 * node kept for a set bit of i is the one that ended at i with the lower bits cleared. */

struct tree {
    struct oracle *o;
    long T, d, i;
    int height;
    double *node;            /* [height][d] */
};

int tree_height(long T)
{
    int h = 0;
    for (; T > 0; T >>= 1)
        h++;
    return h;
}

struct tree *noise_tree(struct oracle *o, struct arena *w, long T, long d)
{
    BUG_IF(T < 1);
    struct tree *t = ARENA_ARRAY(w, 1, struct tree);
    *t = (struct tree){ .o = o, .T = T, .d = d, .height = tree_height(T) };
    t->node = arena_vec(w, t->height * d);
    return t;
}

void tree_restart(struct tree *t)
{
    t->i = 0;
}

void tree_release(struct tree *t, const struct release *r, double sd, double *v)
{
    struct oracle *o = t->o;
    check(o, r, sd);
    BUG_IF(t->i == t->T);
    long i = ++t->i;
    struct ledger_entry e = entry_of(o, r, MECHANISM_TREE, sd, t->d);
    e.step = i;
    e.height = t->height;
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_tree]++;
    if (o->counting)
        return;
    struct rng s = next_noise(o);
    rng_normals(&s, t->d, sd, t->node + __builtin_ctzl((unsigned long)i) * t->d);
    for (int level = 0; level < t->height; level++)
        if (i >> level & 1)
            vec_axpy(t->d, 1, t->node + level * t->d, v);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_prefix.c - correlated noise for prefix sums: binary tree and square-root factorisation. */
#include "oracle/noise_state.h"

/* Tree: at prefix i the node ending at i is drawn, of level = trailing zeros of i; the node kept
 * for a set bit of i is the one that ended at i with the lower bits cleared. Root: every draw is kept,
 * and c[T-1-k] = c_k, so that the coefficients of the first i draws are the last i. */
struct prefix {
    struct oracle *o;
    enum prefix_kind kind;
    long T, d, i;
    long stream;             /* which noise: a number of its own after every restart */
    int height;
    double cover;
    bool noisy;              /* some release had noise: until then nothing is drawn */
    double *node;            /* tree [height][d], root [T][d]; 0 where nothing was drawn */
    double *c;               /* root [T], else NULL */
};

int tree_height(long T)
{
    int h = 0;
    for (; T > 0; T >>= 1)
        h++;
    return h;
}

/* c_k/c_(k-1) of (1 - z)^(-1/2) = sum c_k z^k */
static double next_ratio(long k)
{
    return (double)(2 * k - 1) / (double)(2 * k);
}

double prefix_cover(enum prefix_kind kind, long T)
{
    if (kind == PREFIX_TREE)
        return tree_height(T);
    double c = 1, sum = 1;
    for (long k = 1; k < T; k++) {
        c *= next_ratio(k);
        sum += c * c;
    }
    return sum;
}

struct prefix *noise_prefix(struct oracle *o, struct arena *w, enum prefix_kind kind, long T,
                            long d)
{
    BUG_IF(T < 1);
    struct prefix *p = ARENA_ARRAY(w, 1, struct prefix);
    *p = (struct prefix){ .o = o, .kind = kind, .T = T, .d = d,
                          .stream = ++o->streams, .height = tree_height(T),
                          .cover = prefix_cover(kind, T) };
    p->node = arena_vec(w, (kind == PREFIX_TREE ? p->height : T) * d);
    vec_zero((kind == PREFIX_TREE ? p->height : T) * d, p->node);
    if (kind == PREFIX_ROOT) {
        p->c = arena_vec(w, T);
        p->c[T - 1] = 1;
        for (long k = 1; k < T; k++)
            p->c[T - 1 - k] = p->c[T - k] * next_ratio(k);
    }
    return p;
}

void prefix_restart(struct prefix *p)
{
    p->i = 0;
    p->stream = ++p->o->streams;
}

/* node[d] <- the noise of this number. */
static void draw_node(struct prefix *p, uint64_t serial, double sd, double *node)
{
    const double *z = noise_ahead(p->o, serial, sd, p->d);
    struct rng s;
    if (z) {
        vec_copy(p->d, z, node);
    } else {
        s = rng_sub(&p->o->noise, serial);
        rng_normals(&s, p->d, sd, node);
    }
}

/* v[d] += the noise of prefix i, whose newest draw has this number. */
static void add_noise(struct prefix *p, uint64_t serial, double sd, double *v)
{
    long i = p->i, d = p->d;
    if (p->kind == PREFIX_ROOT) {
        draw_node(p, serial, sd, p->node + (i - 1) * d);
        vec_gemv_t(i, d, 1, p->node, p->c + p->T - i, 1, v);
        return;
    }
    draw_node(p, serial, sd, p->node + __builtin_ctzl((unsigned long)i) * d);
    for (int level = 0; level < p->height; level++)
        if (i >> level & 1)
            vec_axpy(d, 1, p->node + level * d, v);
}

void prefix_release(struct prefix *p, const struct release *r, double sd, double *v)
{
    struct oracle *o = p->o;
    noise_check(o, r, sd);
    BUG_IF(p->i == p->T);
    long i = ++p->i, d = p->d;
    struct ledger_entry e = noise_entry(o, r, p->kind == PREFIX_TREE ? MECHANISM_TREE
                                                                     : MECHANISM_ROOT, sd, d);
    e.step = i;
    e.stream = p->stream;
    e.length = p->T;
    e.cover = p->cover;
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_tree]++;
    uint64_t serial = o->serial++;
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    p->noisy |= sd > 0;
    if (p->noisy)
        add_noise(p, serial, sd, v);
    noise_released(o, d, v);
}

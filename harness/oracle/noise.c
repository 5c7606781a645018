/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - the noise mechanisms: each call adds its noise and books it in the ledger. */
#include "oracle/noise_state.h"

#include <math.h>
#include <string.h>

/* Fills in the members of a ledger entry that come from the release, whatever the mechanism. */
static struct ledger_entry entry_of_release(const struct oracle *o, const struct release *r,
                                enum mechanism mechanism, double scale, long d)
{
    struct ledger_entry e = {
        .site = r->site, .mechanism = mechanism, .norm = r->norm, .sensitivity = r->sensitivity,
        .scale = scale, .scheme = SAMPLING_ALL, .count = o->stored ? (long)o->facts->n : 0,
        .n = o->facts->n, .repeats = 1, .failure = r->failure, .hidden = r->hidden, .dimension = d,
        .first = 0, .draw = 0, .batch = 0, .q = 0, .from = 0, .of = 0, .step = 0, .stream = 0, .length = 0,
        .cover = 0,                  /* 0, like every member of e that is not known yet: setting members one by one
                                        takes less time than clearing e */
    };
    if (r->ticket) {
        e.scheme = r->ticket->scheme;
        e.draw = r->ticket->serial;
        e.from = r->ticket->from;
        e.of = r->ticket->of;
    }
    if (e.scheme == SAMPLING_POISSON) {          /* the true size of a Poisson sample is secret */
        e.q = r->ticket->q;
        e.n = e.of ? (double)e.of : e.n;
    } else if (r->ticket) {
        e.first = r->ticket->first;
        e.count = r->ticket->count;
    }
    e.batch = e.scheme == SAMPLING_POISSON ? e.q * e.n : (double)e.count;
    return e;
}

struct rng noise_next(struct oracle *o)
{
    return rng_sub(&o->noise, o->serial++);
}

/* Returns z[d], the numbers from N(0, sd^2 I) that rng_normals draws from the stream of this serial number, where
 * they were drawn ahead. Returns NULL where they were not; the caller then draws them. */
static const double *normals_ahead(struct oracle *o, uint64_t serial, double sd, long d)
{
    return sd > 0 ? ahead_numbers(&o->noises, &o->noise, 0, &(struct ahead_ask){ serial, 0, 1, d, sd }) : NULL;
}

/* Shows the tape the value of a mechanism before noise, so that replay can compare it with that of another run. The
 * noisy value is shown afterwards, by show_release. For a noisy maximum the value is the vector of scores and the
 * release the two numbers of struct winner; weights, scales and counts of candidates are arguments, which must not
 * depend on the data. */
static inline void show_value(struct oracle *o, const struct tape_value *v)
{
    if (o->tape)
        tape_noise(o, v);
}

static inline void show_release(struct oracle *o, long d, double *v)
{
    if (o->tape)
        tape_release(o, d, v);
}

/* Checks a release. A release without a name, a sensitivity or a scale is a bug of the algorithm. So is a ticket
 * that was changed after it was handed out, because what is priced is the draw that was made. */
static void check_release(const struct oracle *o, const struct release *r, double scale)
{
    oracle_expect(o, CALL_NOISE);
    BUG_IF(!r->site || !(r->sensitivity >= 0) || !(scale >= 0));
    if (r->ticket)
        oracle_check(o, r->ticket);
}

typedef void vector_function(struct rng *r, long d, double scale, double *out);

/* Draws and adds the noise in parts of 512 numbers (4 KB), which stay in the first-level cache. Parts that begin at
 * even indices have the same numbers as a vector that is drawn in one call (rng.h). */
static void add_vector(vector_function *draw, struct rng *r, double scale, long d, double *v)
{
    enum { PART = 512 };
    double part[PART];
    for (; d > 0; d -= PART, v += PART) {
        long now = d < PART ? d : PART;
        draw(r, now, scale, part);
        vec_axpy(now, 1, part, v);
    }
}

void noise_normals(struct rng *r, double sd, long d, double *v)
{
    if (sd > 0)
        add_vector(rng_normals, r, sd, d, v);
}

void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v)
{
    check_release(o, r, sd);
    struct ledger_entry e = entry_of_release(o, r, MECHANISM_GAUSSIAN, sd, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    uint64_t serial = o->serial++;
    if (o->counting)
        return;
    show_value(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    const double *z = normals_ahead(o, serial, sd, d);
    if (z) {
        vec_axpy(d, 1, z, v);
    } else {
        struct rng s = rng_sub(&o->noise, serial);
        noise_normals(&s, sd, d, v);
    }
    show_release(o, d, v);
}

void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v)
{
    check_release(o, r, b);
    struct ledger_entry e = entry_of_release(o, r, MECHANISM_LAPLACE, b, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_laplace] += (double)d;
    struct rng s = noise_next(o);
    if (o->counting)
        return;
    show_value(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    add_vector(rng_laplaces, &s, b, d, v);
    show_release(o, d, v);
}

/* --- The noisy maximum. The maximum of m independent noisy scores of law F is drawn by inversion: F(y)^m = U with
 * U uniform, that is -log F(y) = t = -log(U)/m. Both tails keep their relative accuracy: the lower tail is computed
 * from t itself, the upper one from 1 - F = -expm1(-t). */

static const double COUNT_MAX = 0x1p53;

/* --- the functions below return the y with -log F(y) = t, where F is the distribution function of one noisy
 * score */

/* Returns the y with -log F(y) = t for the distribution function F of s + Lap(b): F = 1 - e^(-(y-s)/b)/2 above s, F
 * = e^((y-s)/b)/2 below s. */
static double laplace_at(double s, double b, double t)
{
    return t < M_LN2 ? s - b * log(-2 * expm1(-t)) : s + b * (M_LN2 - t);
}

/* Returns the y with -log F(y) = t for the distribution function F of |s + Lap(b)|. With u = |s|/b, F = e^-u
 * sinh(y/b) up to |s|, and 1 - F = e^(-y/b) cosh(u) beyond. For large u sinh and cosh overflow; logarithms are used
 * instead. */
static double abs_laplace_at(double s, double b, double t)
{
    double u = fabs(s) / b;
    if (exp(-t) > -expm1(-2 * u) / 2)
        return b * (u + log1p(exp(-2 * u)) - M_LN2 - log(-expm1(-t)));
    return b * (u - t > 300 ? M_LN2 + u - t : asinh(exp(u - t)));
}

double noise_max_at(enum max_rule rule, double s, double b, double t)
{
    if (b == 0)
        return rule == MAX_ABS_LAPLACE ? fabs(s) : s;
    switch (rule) {
    case MAX_ABS_LAPLACE: return abs_laplace_at(s, b, t);
    case MAX_LAPLACE:     return laplace_at(s, b, t);
    case MAX_GUMBEL:      return s - b * log(t);             /* F = exp(-e^(-(y-s)/b)) */
    case MAX_EXPONENTIAL: return s - b * log(-expm1(-t));    /* F = 1 - e^(-(y-s)/b) */
    }
    BUG_IF(true);
}

/* --- the noisy maximum: how many candidates there are, and the scales of their noise */

static double count_of(const struct candidates *c, long j)
{
    return c->count ? c->count[j] : 1;
}

static double scale_of(const struct candidates *c, long j)
{
    return c->b[j] / (c->weight ? c->weight[j] : 1);
}

struct reach { double least, most, candidates; };

/* Returns the smallest and the largest b_j/weight_j among the blocks j that have candidates (count_of > 0), and the
 * number of candidates of all blocks. */
static struct reach reach_of(const struct candidates *c)
{
    struct reach r = { INFINITY, 0, 0 };
    for (long j = 0; j < c->m; j++) {
        double n = count_of(c, j), scale = scale_of(c, j);
        BUG_IF(!(n >= 0 && n <= COUNT_MAX && n == floor(n)) || !(scale >= 0));
        if (n == 0)
            continue;
        r.least = scale < r.least ? scale : r.least;
        r.most = scale > r.most ? scale : r.most;
        r.candidates += n;
    }
    BUG_IF(r.candidates == 0);
    return r;
}

static long first_of(const struct candidates *c)
{
    long j = 0;
    while (count_of(c, j) == 0)
        j++;
    return j;
}

/* Returns -log U for a uniform U of (0,1), relatively accurate for U near 0 and near 1: one bit chooses the lower
 * or the upper half, and the distance of U to 0 or to 1 is a multiple of 2^-65. */
static double draw_exponential(struct rng *r)
{
    uint64_t u = rng_u64(r);
    double end = ((double)(u >> 1) + 0.5) * 0x1p-64;
    return u & 1 ? -log(end) : -log1p(-end);
}

/* --- The noisy maximum: drawing. The noisy scores of MAX_PART blocks of candidates are drawn at a time, so that
 * they stay in the first-level cache. */

enum { MAX_PART = 512 };

/* y[n] <- the largest noisy score of each of the blocks first, first + 1, ... The noise of block j is draw j of a
 * stream (`unit` for a block of one candidate, else `many`), so that it does not depend on which blocks are empty.
 * For a block of one candidate the noise is drawn directly, which takes less time than inversion (noise_max_at) and
 * gives the same law. */
static void noisy_laplace(struct rng *unit, const struct rng *many, enum max_rule rule,
                          const struct candidates *c, long first, long n, double *y)
{
    rng_laplaces(unit, n, 1, y);
    for (long k = 0; k < n; k++)
        y[k] = c->score[first + k] + c->b[first + k] * y[k];
    for (long k = 0; k < n && c->count; k++) {
        long j = first + k;
        struct rng r;
        if (c->count[j] <= 1)
            continue;
        r = rng_at(many, (uint64_t)j);
        y[k] = noise_max_at(rule, c->score[j], c->b[j], draw_exponential(&r) / c->count[j]);
    }
    for (long k = 0; k < n && rule == MAX_ABS_LAPLACE && !c->key; k++)
        y[k] = fabs(y[k]);
}

static void noisy_inverted(struct rng *s, enum max_rule rule, const struct candidates *c,
                           long first, long n, double *y)
{
    for (long k = 0; k < n; k++)
        y[k] = noise_max_at(rule, c->score[first + k], c->b[first + k],
                            draw_exponential(s) / count_of(c, first + k));
}

/* Turns the noisy scores y[n] of the blocks first, first + 1, ... into the values of which the largest wins. */
static void compared(const struct candidates *c, long first, long n, double *y)
{
    for (long k = 0; k < n && c->key; k++)
        y[k] = c->key(c->ctx, first + k, y[k]);
    for (long k = 0; k < n && c->weight && !c->key; k++)
        y[k] /= c->weight[first + k];
}

static struct winner draw_winner(struct rng *s, enum max_rule rule, const struct candidates *c)
{
    struct winner won = { first_of(c), 0 };
    struct rng many = rng_sub(s, 1), which = rng_sub(s, 2);
    double best = -INFINITY, y[MAX_PART];
    for (long first = 0; first < c->m; first += MAX_PART) {
        long n = c->m - first < MAX_PART ? c->m - first : MAX_PART;
        if (rule == MAX_ABS_LAPLACE || rule == MAX_LAPLACE)
            noisy_laplace(s, &many, rule, c, first, n, y);
        else
            noisy_inverted(s, rule, c, first, n, y);
        compared(c, first, n, y);
        for (long k = 0; k < n; k++)
            if (y[k] > best && count_of(c, first + k) > 0) {
                best = y[k];
                won.block = first + k;
            }
    }
    won.index = (long)rng_below(&which, (uint64_t)count_of(c, won.block));
    return won;
}

struct winner noise_choose(struct oracle *o, const struct release *r, enum max_rule rule,
                           const struct candidates *c)
{
    static const enum mechanism booked[] = {
        [MAX_ABS_LAPLACE] = MECHANISM_NOISY_MAX, [MAX_LAPLACE] = MECHANISM_NOISY_MAX,
        [MAX_GUMBEL] = MECHANISM_GUMBEL_MAX, [MAX_EXPONENTIAL] = MECHANISM_EXPONENTIAL_MAX };
    struct reach reach = reach_of(c);
    check_release(o, r, reach.least);
    BUG_IF(c->key && rule != MAX_ABS_LAPLACE);
    BUG_IF(rule == MAX_GUMBEL && reach.most > reach.least * (1 + 1e-12));
    struct ledger_entry e = entry_of_release(o, r, booked[rule], reach.least, (long)reach.candidates);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_max]++;
    if (rule == MAX_ABS_LAPLACE || rule == MAX_LAPLACE)
        o->counts.of[COUNT_noise_laplace] += reach.candidates;
    struct rng s = noise_next(o);
    if (o->counting)
        return (struct winner){ first_of(c), 0 };
    show_value(o, &(struct tape_value){ .release = r, .entry = &e, .d = c->m, .v = c->score,
                                         .argument = { c->weight, c->b, c->count },
                                         .rule = rule, .keyed = c->key != NULL });
    struct winner won = draw_winner(&s, rule, c);
    double released[] = { (double)won.block, (double)won.index };
    show_release(o, 2, released);
    return (struct winner){ (long)released[0], (long)released[1] };
}

long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight)
{
    const struct candidates c = { .m = m, .score = score, .b = b, .weight = weight };
    return noise_choose(o, r, MAX_ABS_LAPLACE, &c).block;
}

/* --- prefix sums: correlated noise by a binary tree or by the square-root factorisation */

/* The noise of prefix sums. PREFIX_TREE: a node is a dyadic interval of steps with one noise vector. At prefix i
 * the node that ends at step i is drawn, whose level is the number of trailing zeros of i. For each set bit of i
 * the node kept at the level of this bit is the one that ended at i with the lower bits cleared. PREFIX_ROOT: every
 * draw is kept, and c[T-1-k] is the coefficient c_k of (1 - z)^(-1/2) = sum_k c_k z^k, so that the coefficients of
 * the first i draws are the last i entries of c. */
struct prefix {
    struct oracle *o;
    enum prefix_kind kind;
    long T, d, i;            /* i: the number of prefixes released since the last restart */
    long stream;             /* number of the noise stream; every restart gets a new one */
    int height;
    double cover;            /* mu^2 of one participation where sd is the sensitivity (prefix_cover) */
    bool noisy;              /* a release has had noise; until then nothing is drawn */
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

/* Returns c_k/c_(k-1) for the coefficients of (1 - z)^(-1/2) = sum c_k z^k. */
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

/* node[d] <- the numbers from N(0, sd^2) of the random stream with this serial number. */
static void draw_node(struct prefix *p, uint64_t serial, double sd, double *node)
{
    const double *z = normals_ahead(p->o, serial, sd, p->d);
    struct rng s;
    if (z) {
        vec_copy(p->d, z, node);
    } else {
        s = rng_sub(&p->o->noise, serial);
        rng_normals(&s, p->d, sd, node);
    }
}

/* v[d] += the noise of prefix p->i. The vector that is drawn for this prefix comes from the random stream with this
 * serial number. */
static void add_prefix_noise(struct prefix *p, uint64_t serial, double sd, double *v)
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
    check_release(o, r, sd);
    BUG_IF(p->i == p->T);
    long i = ++p->i, d = p->d;
    struct ledger_entry e = entry_of_release(o, r, p->kind == PREFIX_TREE ? MECHANISM_TREE
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
    show_value(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    p->noisy |= sd > 0;
    if (p->noisy)
        add_prefix_noise(p, serial, sd, v);
    show_release(o, d, v);
}

/* --- Hidden noisy gradient steps. Each step amplifies the privacy of those before it where steps do not expand
 * distances. A step of length `step`, x -> P(x - step g(x)), expands none where every loss is convex and M-smooth
 * and step <= 2/M. */

struct iteration {
    struct oracle *o;
    long stream, step;       /* stream: number of the run of steps that began at a released point; step: steps made
                                in it so far, 0: x is public */
    const char *site;        /* the name (struct release) of the last step */
    double *x;               /* [d] x as the last step left it */
};

struct iteration *noise_iteration(struct oracle *o, struct arena *w)
{
    struct iteration *c = ARENA_ARRAY(w, 1, struct iteration);
    *c = (struct iteration){ .o = o, .x = arena_vec(w, o->d) };
    return c;
}

/* Returns true if gradient steps of length `step` cannot expand distances; otherwise refuses the run. The facts M
 * (smoothness) and weak (0: convex) hold for the whole objective and for every sample; whether samples contract on
 * the data is checked by replay. */
static bool contracts(struct oracle *o, double step)
{
    const struct facts *f = o->facts;
    if (f->weak != 0)
        o->refused = "hidden noisy steps are priced by contraction: the objective must be convex";
    else if (!(step >= 0 && step * f->M <= 2 * (1 + 1e-12)))
        o->refused = "hidden noisy steps are priced by contraction: M known, steps of at most 2/M";
    return !o->refused;
}

static struct ledger_entry entry_of(const struct iteration *c, const struct release *r,
                                    enum mechanism mechanism, double scale)
{
    struct ledger_entry e = entry_of_release(c->o, r, mechanism, scale, c->o->d);
    e.stream = c->stream;
    e.step = c->step;
    return e;
}

bool iteration_step(struct iteration *c, const struct release *r, double step, double sd, double *x,
                    double *g)
{
    struct oracle *o = c->o;
    const double *const at = x;
    const struct batch q = { .ticket = r->ticket, .points = 1, .x = &at, .g = g };
    check_release(o, r, sd);
    BUG_IF(r->norm != NORM_2 || !r->ticket || !(step >= 0));
    BUG_IF(c->step && !o->counting && memcmp(x, c->x, (size_t)o->d * sizeof *x));
    if ((sd > 0 && !contracts(o, step)) || !oracle_batch(o, &q))
        return false;
    if (c->step++ == 0)
        c->stream = ++o->streams;
    struct release hidden = *r;
    hidden.hidden = true;
    hidden.sensitivity *= step;
    const struct ledger_entry e = entry_of(c, &hidden, MECHANISM_STEP, step * sd);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    struct rng s = noise_next(o);
    c->site = r->site;
    if (!o->counting) {
        vec_axpy(o->d, -step, g, x);
        show_value(o, &(struct tape_value){ .release = &hidden, .entry = &e, .d = o->d, .v = x });
        noise_normals(&s, step * sd, o->d, x);
    }
    oracle_project(o, 0, x);
    if (!o->counting) {
        show_release(o, o->d, x);
        vec_copy(o->d, x, c->x);
    }
    return true;
}

void iteration_release(struct iteration *c, double *x)
{
    struct oracle *o = c->o;
    if (c->step == 0)
        return;
    BUG_IF(!o->counting && memcmp(x, c->x, (size_t)o->d * sizeof *x));
    const struct release r = { .site = c->site, .norm = NORM_2 };
    const struct ledger_entry e = entry_of(c, &r, MECHANISM_LAST, 0);
    ledger_book(&o->ledger, &e);
    c->step = 0;
    if (o->counting)
        return;
    show_value(o, &(struct tape_value){ .release = &r, .entry = &e, .d = o->d, .v = x });
    show_release(o, o->d, x);
}

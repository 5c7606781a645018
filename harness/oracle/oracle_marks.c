/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_marks.c - measurements during a run: marks, estimates, notes, point sets, visits of samples. They are free
 * of charge, and the algorithm never sees the measured values. Walks (iterates that move by stochastic gradients,
 * oracle_walk) are in this file too, since they use its static functions for marks and tallies. For this reason the
 * file has more than 700 lines. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ratio of batch steps from one measured mark to the next: four marks per doubling, so that a
 * trace stays short at any budget. A smaller ratio gives finer and longer traces. */
static const double MARK_RATIO = 1.189207115002721;    /* 2^(1/4) */

static void walk_write(const struct walk *p, double *x);

/* Would a mark at this moment be measured? If not, a walk in sparse form does not write out the point that it marks
 * until the point is needed (mark_later). */
static bool mark_due(const struct oracle *o)
{
    const struct measure *ruler = o->problem->measures;
    return !o->unrecorded && o->marks.mode != TRACE_NONE &&
           o->counts.of[COUNT_batch_steps] >= o->marks.next && ruler && ruler->at;
}

static void measure_mark(struct oracle *o, const double *x)
{
    struct marks *m = &o->marks;
    double steps = o->counts.of[COUNT_batch_steps], error = 0;

    if (!mark_due(o))
        return;
    if (m->rows == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->row = realloc(m->row, (size_t)m->room * MARK_COLUMNS * sizeof *m->row);
        BUG_IF(!m->row);
    }
    double *row = m->row + m->rows++ * MARK_COLUMNS;
#define X(name) *row++ = o->counts.of[COUNT_##name];
    MARKED_LIST(X)
#undef X
    *row = o->problem->measures->at(o->self, x, &error);
    m->next = m->mode == TRACE_EVERY ? 0 : fmax(ceil(steps * MARK_RATIO), steps + 1);
}

/* Returns the part of the run that is done, by the budget or number of rounds that ends it first. */
static double part_done(const struct oracle *o)
{
    double steps = o->counts.of[COUNT_batch_steps], part = o->rounds > 0 ? steps / o->rounds : 0;
    for (int k = 0; k < COUNT_KINDS; k++)
        if (isfinite(o->budget.of[k]) && o->budget.of[k] > 0)
            part = fmax(part, o->counts.of[k] / o->budget.of[k]);
    return fmin(part, 1);
}

static void call_watcher(struct oracle *o)
{
    if (o->see)
        o->see(o->see_ctx, part_done(o));
}

static void mark_later(struct oracle *o, const struct walk *p)
{
    call_watcher(o);
    o->unwritten = p;
    o->marked = true;
}

const double *oracle_answer(struct oracle *o)
{
    if (o->unwritten)
        walk_write(o->unwritten, o->answer);
    o->unwritten = NULL;
    return o->marked ? o->answer : NULL;
}

void oracle_mark(struct oracle *o, const double *x)
{
    call_watcher(o);
    if (o->counting)
        return;
    vec_copy(o->d, x, o->answer);
    o->unwritten = NULL;
    o->marked = true;
    if (o->tape)
        tape_mark(o, x);
    measure_mark(o, x);
}

void tally_add(struct tally *t, double v)
{
    if (t->count == 0)
        t->min = t->max = v;
    t->last = v;
    t->min = v < t->min || isnan(v) ? v : t->min;
    t->max = v > t->max || isnan(v) ? v : t->max;
    t->sum += v;
    t->count++;
}

void oracle_estimate(struct oracle *o, const double *x, const double *g)
{
    const struct problem *p = o->problem;
    void (*grad)(const void *, const double *, double *) =
        p->measuring && p->measuring->grad ? p->measuring->grad : p->grad;
    if (o->counting || o->unrecorded || !grad)
        return;
    grad(o->self, x, o->at);
    double error = vec_dist(o->d, o->at, g);
    tally_add(&o->estimate, error * error);
}

void oracle_note(struct oracle *o, int note, double value)
{
    BUG_IF(note < 0 || note >= NOTES_MAX);
    if (!o->counting)
        tally_add(&o->note[note], value);
}

void oracle_visit(struct oracle *o, const double *x)
{
    if (o->counting || o->unrecorded)
        return;
    if (o->visits == o->visit_room) {
        o->visit_room = o->visit_room ? 2 * o->visit_room : 64;
        o->visit = realloc(o->visit, (size_t)o->visit_room * (size_t)o->d * sizeof *o->visit);
        BUG_IF(!o->visit);
    }
    vec_copy(o->d, x, o->visit + o->visits++ * o->d);
}

/* v[k] <- the k-th measure of the set of visited points; returns the number of measures. */
static int measure_visits(struct oracle *o, double *v)
{
    const struct measuring_model *together = o->problem->measuring;
    int count = 0;
    double error;
    if (together && !together->of_sets)
        together = NULL;
    for (const struct measure *m = o->problem->measures; m && m->name; m++) {
        if (!m->of_set)
            continue;
        BUG_IF(count == SET_MEASURES_MAX);
        if (!together)
            v[count] = m->of_set(o->self, o->visits, o->visit, &error);
        count++;
    }
    if (together && count)
        together->of_sets(o->self, o->visits, o->visit, v);
    return count;
}

void oracle_close(struct oracle *o)
{
    double v[SET_MEASURES_MAX];
    int count = o->visits ? measure_visits(o, v) : 0;
    for (int k = 0; k < count; k++)
        tally_add(&o->set_measure[k], v[k]);
    o->visits = 0;
}

/* --- Visits: in how many rounds was each sample evaluated? This number is the sample's tally. Positions of a
 * stream are kept as disjoint spans of equal tally, so that a single pass in order is one span of any length. Where
 * draws from a part of the stream cut the part into many short spans, a table with a tally for each position
 * replaces these spans, as for stored records. */

enum { BLOCK = 256 };
/* FEW: more spans than this are put in a table, since inserting into a long list is slow. SPARSE: beside twice the
 * positions of the old table, a table has at most this many positions for each span that it replaces, and longer
 * spans at the ends stay spans, so that memory is in proportion to the number of spans. A larger SPARSE takes more
 * memory and leaves fewer spans. */
enum { FEW = 256, SPARSE = 64 };

/* Returns the index of the first span that ends after position i. */
static long span_after(const struct spans *s, long i)
{
    long lo = 0, hi = s->count;
    while (lo < hi) {
        long mid = lo + (hi - lo) / 2;
        if (s->at[mid].end > i)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static void insert(struct spans *s, long k, struct span span)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        BUG_IF(!s->at);
    }
    memmove(s->at + k + 1, s->at + k, (size_t)(s->count - k) * sizeof *s->at);
    s->at[k] = span;
    s->count++;
}

/* Splits the span that holds position i so that a span begins at i. */
static void split(struct spans *s, long i)
{
    long k = span_after(s, i);
    if (k == s->count || s->at[k].begin >= i)
        return;
    insert(s, k, s->at[k]);
    s->at[k].end = s->at[k + 1].begin = i;
}

static void merge(struct spans *s, long k)
{
    while (k > 0 && k < s->count && s->at[k - 1].end == s->at[k].begin &&
           s->at[k - 1].visits == s->at[k].visits) {
        s->at[k - 1].end = s->at[k].end;
        memmove(s->at + k, s->at + k + 1, (size_t)(s->count - k - 1) * sizeof *s->at);
        s->count--;
    }
}

static double visit_spans(struct spans *s, long begin, long end)
{
    double most = 1;
    split(s, begin);
    split(s, end);
    long k = span_after(s, begin);
    for (long i = begin; i < end; k++) {
        if (k < s->count && s->at[k].begin == i) {
            s->at[k].visits++;
            most = fmax(most, s->at[k].visits);
        } else {
            long next = k < s->count && s->at[k].begin < end ? s->at[k].begin : end;
            insert(s, k, (struct span){ i, next, 1 });
        }
        i = s->at[k].end;
    }
    for (; k >= 0; k--) {                /* only spans that were changed above, and their neighbours, can merge */
        if (k < s->count && s->at[k].end < begin)
            break;
        merge(s, k);
    }
    return most;
}

/* Replaces spans k..m-1 and the old table by a table of the positions from..to-1. */
static void tabulate(struct spans *s, long from, long to, long k, long m)
{
    uint32_t *table = calloc((size_t)(to - from), sizeof *table);
    BUG_IF(!table);
    if (s->length)
        memcpy(table + (s->base - from), s->table, (size_t)s->length * sizeof *table);
    for (long j = k; j < m; j++)
        for (long i = s->at[j].begin; i < s->at[j].end; i++)
            table[i - from] = (uint32_t)s->at[j].visits;
    memmove(s->at + k, s->at + m, (size_t)(s->count - m) * sizeof *s->at);
    s->count -= m - k;
    free(s->table);
    s->table = table;
    s->base = from;
    s->length = to - from;
}

/* Moves short spans to the table, with all positions between them and the old table. Long spans at both ends, which
 * come from passes in order, stay spans. Does nothing where the table would be too long (SPARSE). */
static void tabulate_pieces(struct spans *s)
{
    long k = 0, m = s->count;
    while (k < m && s->at[k].end - s->at[k].begin > SPARSE)
        k++;
    while (m > k && s->at[m - 1].end - s->at[m - 1].begin > SPARSE)
        m--;
    if (k == m)
        return;
    long from = s->at[k].begin, to = s->at[m - 1].end;
    if (s->length && s->base < from)
        from = s->base;
    if (s->length && s->base + s->length > to)
        to = s->base + s->length;
    if ((double)(to - from) > SPARSE * (double)(m - k) + 2 * (double)s->length)
        return;
    tabulate(s, from, to, span_after(s, from), span_after(s, to));
}

static double visit_table(struct spans *s, long begin, long end)
{
    uint32_t most = 0;
    for (uint32_t *at = s->table + (begin - s->base); begin < end; begin++, at++)
        if (++*at > most)
            most = *at;
    return most;
}

double spans_visit(struct spans *s, long begin, long end)
{
    long base = s->base, after = base + s->length;
    double most = 1;
    if (s->length == 0 || end <= base || begin >= after)
        most = visit_spans(s, begin, end);
    else {
        most = visit_table(s, begin > base ? begin : base, end < after ? end : after);
        if (begin < base)
            most = fmax(most, visit_spans(s, begin, base));
        if (end > after)
            most = fmax(most, visit_spans(s, after, end));
    }
    if (s->count > FEW)
        tabulate_pieces(s);
    return most;
}

void spans_free(struct spans *s)
{
    free(s->at);
    free(s->table);
    memset(s, 0, sizeof *s);
}

/* --- one more visit for each sample of a ticket */

static uint32_t tally_known(struct oracle *o, long m, const long *record, uint32_t rounds)
{
    uint32_t top = 0;
    for (long k = 0; k < m; k++) {
        uint32_t *at = &o->visited[record[k]];
        *at += rounds;
        top = *at > top ? *at : top;
    }
    return top;
}

/* Adds `rounds` to the tally of every record of the ticket; returns the largest tally among them. */
static double tally_records(struct oracle *o, const struct ticket *t, double rounds)
{
    long record[BLOCK];
    uint32_t top = 0;
    for (long from = 0; from < t->count; from += BLOCK) {
        long left = t->count - from, m = left < BLOCK ? left : BLOCK;
        oracle_records(o, t, from, m, record);
        uint32_t most = tally_known(o, m, record, (uint32_t)rounds);
        top = most > top ? most : top;
    }
    return top;
}

/* Uses of the ticket o->repeated.of are at first only counted. This function adds them to the tallies of its
 * records, before another ticket is tallied. */
static void settle(struct oracle *o)
{
    if (o->repeated.rounds > 0)
        tally_records(o, &o->repeated.of, o->repeated.rounds);
    o->repeated = (struct repeated){ 0 };
}

/* Tallies a ticket of stored records. Where one fresh ticket is used several times in a row, its uses are only
 * counted, and are added to the tallies of its records when another ticket comes. */
static void visit_records(struct oracle *o, const struct ticket *t)
{
    struct repeated *a = &o->repeated;
    if (t->scheme == SAMPLING_FRESH && a->of.count && ticket_same(t, &a->of)) {
        a->rounds++;
    } else {
        settle(o);
        a->top = tally_records(o, t, 1);
        if (t->scheme == SAMPLING_FRESH)
            a->of = *t;
    }
    o->most_visited = fmax(o->most_visited, a->top + a->rounds);
}

/* Tallies one more round for record[m], the records of a draw with replacement from stored data. Nothing goes to a
 * tape, because only walks in sparse form call this function, and a run with a tape has none. */
static void tally_drawn(struct oracle *o, long m, const long *record)
{
    settle(o);
    o->repeated.top = tally_known(o, m, record, 1);
    o->most_visited = fmax(o->most_visited, o->repeated.top);
    o->counts.of[COUNT_max_visits] = o->whole_visits + o->most_visited;
}

/* Tallies one more round for the samples of a ticket. Stored records are tallied one by one, a stream by spans of
 * positions; draws with replacement from a stream are not tallied. */
static void tally_ticket(struct oracle *o, const struct ticket *t)
{
    if (o->tape)
        tape_samples(o, t);
    double *most = &o->counts.of[COUNT_max_visits];
    if (!o->stored && t->scheme == SAMPLING_REPLACE)
        return;
    if (!o->stored) {
        struct span *last = o->spans.count ? o->spans.at + o->spans.count - 1 : NULL;
        double visits = 1;
        if (last && last->end == t->first && last->visits == 1 && t->first >= o->spans.base + o->spans.length)
            last->end += t->count;       /* the next batch of a single pass */
        else
            visits = spans_visit(&o->spans, t->first, t->first + t->count);
        *most = visits > *most ? visits : *most;
        return;
    }
    if (t->scheme != SAMPLING_FRESH && t->scheme != SAMPLING_REPLACE &&
        t->count == (long)o->facts->n) {
        o->whole_visits++;
    } else {
        visit_records(o, t);
    }
    *most = o->whole_visits + o->most_visited;
}

void oracle_visited(struct oracle *o, const struct ticket *t)
{
    oracle_check(o, t);
    tally_ticket(o, t);
}

/* --- walks: an iterate that moves by stochastic gradients, and its mean. On sparse rows of a linear model with the
 * regulariser r(x) = (c/2)|x|^2 the iterate x, the sum for the mean and a norm are kept as
 *
 *     x = s v,     x_1 + ... + x_t = A v + w,     q = |v|^2
 *
 * so that a step of length eta changes v and w only at the entries of its rows: the factor 1 - eta c and the
 * projection on a ball are applied to s; A grows by s at every step; and where v changes by dv, w changes by -A dv
 * (Bottou, 2012, Stochastic gradient descent tricks, 5.1; Xu, 2011, averages in the same way). Where s is small v
 * is large, and A v + w cancels. Before that costs three digits the walk is written out: v <- s v, w <- A v + w, s
 * = 1, A = 0. */

/* The largest factor by which |s| may differ from 1 before the walk is written out. CLOSE, for walks with a mean:
 * 2^10 costs three digits of A v + w; a larger factor costs more digits, a smaller one writes the walk out more
 * often. FAR, for walks without a mean: nothing cancels, and only overflow must be avoided. */
static const double CLOSE = 0x1p10, FAR = 0x1p200;
/* Prefetch distances, in steps. The entries of a row are fetched 2 steps before the step that uses them (FETCHED).
 * The row is looked up 3 steps before (FOUND). The table entry that says where the row is comes to the cache 5
 * steps before (EXPECTED). Shorter distances wait for memory, longer ones evict what was fetched. AHEAD: the number
 * of draws kept, a power of 2 above the distances. */
enum { FETCHED = 2, FOUND = 3, EXPECTED = 5, AHEAD = 8 };

/* A draw of a coming step: its records and their rows; A.m = 0 until the rows are looked up. */
struct draw_ahead {
    bool made;
    uint64_t serial;
    long record[LINEAR_ROWS];
    double nonzeros;
    struct linear_rows A;
};

struct walk {
    struct oracle *o;
    long b;
    bool average, sparse;
    double t;                        /* steps so far */
    double *x, *mean, *g;            /* [d] each. Plain form: x the iterate, mean (NULL: the last iterate answers),
                                        g the gradient. Sparse form: v, w, scratch */
    double s, A, c, q, radius;       /* s, A, c, q: of the sparse form ("walks" above); radius: of the feasible
                                        ball, infinite without one */
    double far;                      /* 1/far <= |s| <= far */
    double touched;                  /* how many entries of v were changed since q was last computed as a sum of
                                        squares */
    double *u;                       /* [b] the slopes of the losses in the present step */
    struct draw_ahead *ahead;        /* [AHEAD] place serial % AHEAD; NULL: rows are looked up when they are
                                      * used */
};

/* May the walk be kept in sparse form? *c <- the constant of the regulariser (c/2)|x|^2. Runs on a neighbouring
 * data set and runs with a tape use the plain form. */
static bool thin(const struct oracle *o, long b, double *c)
{
    const struct linear_model *model = o->problem->linear;
    struct linear_rows A;
    if (!model || !model->square || !o->stored || o->counting || o->tape ||
        o->neighbour.kind != NEIGHBOUR_SAME)
        return false;
    *c = model->square(o->self);
    model->rows(o->self, &(struct samples){ 0, 1, NULL }, o->rows, &A);
    /* where the rows of one step have as many entries as x, the sparse form saves nothing */
    return *c >= 0 && A.sparse && (double)b * (o->facts->nonzeros / o->facts->n + 1) < (double)o->d;
}

struct walk *oracle_walk(struct oracle *o, long b, bool average, struct arena *w)
{
    struct walk *p = ARENA_ARRAY(w, 1, struct walk);
    BUG_IF(b < 1);
    *p = (struct walk){ .o = o, .b = b, .average = average };
    p->sparse = thin(o, b, &p->c);
    p->x = arena_vec(w, o->d);
    p->g = arena_vec(w, o->d);
    p->mean = average ? arena_vec(w, o->d) : NULL;
    p->u = p->sparse ? arena_vec(w, b) : NULL;
    p->ahead = p->sparse && b <= LINEAR_ROWS && !o->once ? ARENA_ARRAY(w, AHEAD, struct draw_ahead) : NULL;
    p->far = average ? CLOSE : FAR;
    p->radius = oracle_radius(o);
    return p;
}

/* --- a step of a walk in sparse form, and its point written out */

static void norm_anew(struct walk *p)
{
    if (isfinite(p->radius))
        p->q = vec_dot(p->o->d, p->x, p->x);
    p->touched = 0;
}

/* Writes the walk out, which leaves x = s v and the sum A v + w as they are: v <- s v, w <- A v + w, s = 1, A =
 * 0. */
static void write_out(struct walk *p)
{
    if (p->mean)
        vec_axpy(p->o->d, p->A, p->x, p->mean);
    vec_scale(p->o->d, p->s, p->x);
    p->s = 1;
    p->A = 0;
    norm_anew(p);
}

static void shrink(struct walk *p, double factor)
{
    p->s *= factor;
    if (!(fabs(p->s) >= 1 / p->far && fabs(p->s) <= p->far))
        write_out(p);
}

/* A <- the rows of the samples at positions from, from + 1, ... of a ticket, at most LINEAR_ROWS of them. Returns
 * their number. */
static long rows_at(const struct walk *p, const struct ticket *t, long from, struct linear_rows *A)
{
    long record[LINEAR_ROWS], m = t->count - from < LINEAR_ROWS ? t->count - from : LINEAR_ROWS;
    struct samples s = oracle_behind(p->o, t, from, m, record);
    p->o->problem->linear->rows(p->o->self, &s, p->o->rows, A);
    return m;
}

static struct draw_ahead *draw_of(const struct walk *p, uint64_t serial)
{
    struct draw_ahead *a = &p->ahead[serial % AHEAD];
    if (a->made && a->serial == serial)
        return a;
    const struct ticket t = { .count = p->b, .scheme = SAMPLING_REPLACE, .serial = serial };
    oracle_records(p->o, &t, 0, p->b, a->record);
    a->made = true;
    a->serial = serial;
    a->A.m = 0;
    return a;
}

static struct draw_ahead *rows_of(const struct walk *p, uint64_t serial)
{
    struct draw_ahead *a = draw_of(p, serial);
    if (a->A.m == 0) {
        const struct samples s = { 0, p->b, a->record };
        p->o->problem->linear->rows(p->o->self, &s, p->o->rows, &a->A);
        a->nonzeros = (double)(a->A.m * a->A.ones);
        for (long i = 0; i < a->A.m; i++)
            a->nonzeros += (double)a->A.count[i];
    }
    return a;
}

/* Prefetches what the step with this serial number will ask about its records: where their rows are, and how often
 * they were visited. */
static void expect_rows(const struct walk *p, uint64_t serial)
{
    const struct linear_model *model = p->o->problem->linear;
    const struct draw_ahead *a = draw_of(p, serial);
    for (long i = 0; i < p->b; i++)
        __builtin_prefetch(&p->o->visited[a->record[i]], 1);
    if (model->expect)
        model->expect(p->o->self, p->b, a->record);
}

/* Prefetches the rows of the step with this serial number. The function also looks the rows up: GCC would remove
 * calls of a function that only prefetches. */
static void fetch_rows(const struct walk *p, uint64_t serial)
{
    enum { LINE = 8 };
    const struct linear_rows *A = &rows_of(p, serial)->A;
    for (long i = 0; i < A->m; i++) {
        long last = A->count[i] > 0 ? A->count[i] - 1 : 0;
        for (long k = 0; k < last; k += LINE) {
            __builtin_prefetch(A->at[i] + k);
            if (k % (2 * LINE) == 0)
                __builtin_prefetch(A->index[i] + k);
        }
        __builtin_prefetch(A->at[i] + last);         /* the row may begin within a cache line */
        __builtin_prefetch(A->index[i] + last);
    }
}

/* Prefetches for coming steps, whose draws follow from their serial numbers. What a step needs is fetched during
 * the steps before it, in order: each fetch says where the next one is. Prefetching does not change the result of a
 * step, since the rows of a draw follow from its number alone. */
static void look_ahead(const struct walk *p)
{
    const uint64_t now = p->o->serial - 1;
    expect_rows(p, now + EXPECTED);
    rows_of(p, now + FOUND);
    fetch_rows(p, now + FETCHED);
}

/* u[m] <- the derivative of each loss in its score <a_i, s v>, where a_i are the m rows of A. The point of the walk
 * is s v; its factors are p->s and v = p->x. */
static void slopes_at(const struct walk *p, const struct linear_rows *A, double *u)
{
    linear_scores(A, p->x, u);
    for (long k = 0; k < A->m; k++)
        u[k] *= p->s;
    p->o->problem->linear->slopes(p->o->self, A->m, A->y, u, u);
}

/* Adds sum_i c_i a_i to v, where a_i are the rows of A, and updates q = |v|^2 with each entry that changes. */
static void add_to_norm(struct walk *p, const struct linear_rows *A, const double *c)
{
    double *v = p->x;
    for (long i = 0; i < A->m; i++) {
        for (long k = 0; k < A->count[i]; k++) {
            double move = c[i] * A->at[i][k], *at = v + A->index[i][k];
            p->q += move * (2 * *at + move);
            *at += move;
        }
        if (A->ones) {
            p->q += c[i] * (2 * v[A->d - 1] + c[i]);
            v[A->d - 1] += c[i];
        }
        p->touched += (double)A->count[i];
    }
    if (p->touched > (double)p->o->d)
        norm_anew(p);
}

/* v += sum_i c_i a_i, where a_i are the rows of A, and w -= (the factor p->A) times the same sum, so that A v + w
 * stays; c is overwritten. */
static void add_rows(struct walk *p, const struct linear_rows *A, double *c)
{
    if (isfinite(p->radius))
        add_to_norm(p, A, c);
    else
        linear_add(A, c, p->x);
    if (!p->mean || p->A == 0)
        return;
    for (long k = 0; k < A->m; k++)
        c[k] *= -p->A;
    linear_add(A, c, p->mean);
}

static void project(struct walk *p)
{
    if (!isfinite(p->radius))
        return;
    p->o->counts.of[COUNT_project_0]++;
    double norm = fabs(p->s) * sqrt(fmax(p->q, 0));
    if (norm > p->radius)
        shrink(p, p->radius / norm);
}

/* Draws b samples of the objective's law and pays for them as oracle_sgrad does. Draw and gradients are charged
 * together. With the setting run.once = 1, by which each stored record is taken at most once, they are charged one
 * after the other, because oracle_take may fail for lack of records. */
static bool sample(struct oracle *o, long b, struct ticket *t)
{
    const struct charge bill[] = { { COUNT_sample_grads, (double)b }, { COUNT_batch_steps, 1 },
                                   { COUNT_taken, (double)b } };
    oracle_expect(o, CALL_SAMPLES);
    if (o->once)
        return oracle_affords(o, 2, bill) && oracle_take(o, b, t) && oracle_pay(o, 2, bill);
    if (!oracle_pay(o, 3, bill))
        return false;
    *t = oracle_replaced(o, b);
    return true;
}

/* u[b] <- the derivatives of the samples' losses in their scores. Returns rows of these samples: all of the ticket
 * if they were drawn ahead; else *A, which then holds only the last block of at most LINEAR_ROWS rows. A caller
 * that needs the blocks before that one loads them again. */
static struct linear_rows *sparse_slopes(struct walk *p, const struct ticket *t, struct linear_rows *A)
{
    if (p->ahead) {
        struct draw_ahead *a = rows_of(p, t->serial);
        tally_drawn(p->o, p->b, a->record);
        p->o->counts.of[COUNT_nonzeros] += a->nonzeros;
        slopes_at(p, &a->A, p->u);
        look_ahead(p);
        return &a->A;
    }
    tally_ticket(p->o, t);
    p->o->counts.of[COUNT_nonzeros] += oracle_nonzeros(p->o, t);
    for (long from = 0; from < t->count; from += A->m) {
        rows_at(p, t, from, A);
        slopes_at(p, A, p->u + from);
    }
    return A;
}

static void sparse_step(struct walk *p, const struct ticket *t, double eta)
{
    struct linear_rows some, *A = sparse_slopes(p, t, &some);
    shrink(p, 1 - eta * p->c);
    double scale = -eta / ((double)t->count * p->s);
    for (long k = 0; k < t->count; k++)
        p->u[k] *= scale;
    for (long from = 0; from < t->count; from += A->m) {
        if (t->count > LINEAR_ROWS)
            rows_at(p, t, from, A);
        add_rows(p, A, p->u + from);
    }
    project(p);
    p->A += p->s;
}

static void walk_write(const struct walk *p, double *x)
{
    double *last = p->x;
    if (p->mean && p->t > 0 && p->sparse)
        vec_lincomb(p->o->d, p->A / p->t, last, 1 / p->t, p->mean, x);
    else if (p->sparse)
        vec_lincomb(p->o->d, p->s, last, 0, last, x);
    else
        vec_copy(p->o->d, p->mean && p->t > 0 ? p->mean : last, x);
}

/* --- the calls of a walk, in either form */

void walk_begin(struct walk *p, const double *x)
{
    if (p->o->unwritten == p)             /* the last mark is still kept in this walk, whose memory is overwritten
                                             now */
        oracle_answer(p->o);
    p->t = p->A = 0;
    p->s = 1;
    vec_copy(p->o->d, x, p->x);
    if (p->mean)
        vec_zero(p->o->d, p->mean);
    norm_anew(p);
}

/* Marks the present answer. In sparse form the answer is written out only if it is measured, or when the run is
 * over. */
static void mark(struct walk *p)
{
    if (!p->sparse) {
        oracle_mark(p->o, p->mean ? p->mean : p->x);
    } else if (mark_due(p->o)) {
        walk_write(p, p->g);
        oracle_mark(p->o, p->g);
    } else {
        mark_later(p->o, p);
    }
}

bool walk_step(struct walk *p, double eta)
{
    struct oracle *o = p->o;
    struct ticket t;
    if (p->sparse) {
        if (!sample(o, p->b, &t))
            return false;
        sparse_step(p, &t, eta);
        p->t++;
    } else {
        if (!oracle_sgrad(o, p->b, p->x, p->g))
            return false;
        p->t++;
        vec_axpy(o->d, -eta, p->g, p->x);
        oracle_project(o, 0, p->x);
        if (p->mean)
            vec_axpby(o->d, 1 / p->t, p->x, 1 - 1 / p->t, p->mean);
    }
    mark(p);
    return true;
}

void walk_end(const struct walk *p, double *x)
{
    walk_write(p, x);
}

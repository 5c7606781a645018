/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - what has changed between two lists of standings. */
#include "nights/compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stats.h"

static const double ROUNDING = 1e-9;     /* of a level, beside its own error */
static const double ALARM = 1e-3;        /* false ones, over all that is compared: a night in three years */
static const double TIME_LEAST = 0.5;    /* seconds: shorter ones are noise */

static const struct { const char *name; bool gates; } kinds[] = {
    [CHANGE_NONE] = { "as before", false }, [CHANGE_NEW] = { "new", false },
    [CHANGE_ABSENT] = { "not run", false }, [CHANGE_GONE] = { "gone", true },
    [CHANGE_BETTER] = { "better", false }, [CHANGE_MOVED] = { "moved", false },
    [CHANGE_MEASURE] = { "measure", true }, [CHANGE_COUNTS] = { "counts", true },
    [CHANGE_VERDICT] = { "verdict", true },
};

const char *change_name(enum change_kind k) { return kinds[k].name; }
bool change_gates(enum change_kind k) { return kinds[k].gates; }

/* Lines written before directions were counted name none: they say nothing of them. Whoever begins to ask
 * along directions asks for values, which every line names. */
static bool unheard(const struct counts *base, int k)
{
    return k == COUNT_directions && base->of[k] == 0;
}

/* The count with the largest relative difference; -1: all are equal. */
static int changed_count(const struct counts *a, const struct counts *b)
{
    int worst = -1;
    double most = 0;
    for (int k = 0; k < COUNT_KINDS; k++) {
        if (unheard(a, k))
            continue;
        double off = fabs(a->of[k] - b->of[k]) / fmax(fabs(a->of[k]), fabs(b->of[k]));
        if (off > most) {
            most = off;
            worst = k;
        }
    }
    return worst;
}

const struct standing_side *change_side(const struct standing *s, bool rival)
{
    return rival ? &s->rival : &s->own;
}

/* The same runs on both sides of the comparison. */
struct both { enum standing_scale scale; const struct standing_side *a, *b; };

static struct both both_of(const struct change *c, bool rival)
{
    return (struct both){ c->base->scale, change_side(c->base, rival), change_side(c->now, rival) };
}

/* Rounding of a level: of a logarithm it is absolute, of y relative. */
static double rounding(const struct both *x, int k)
{
    double most = fmax(fabs(x->a->level[k]), fabs(x->b->level[k]));
    return ROUNDING * (x->scale == SCALE_LOG ? fmax(1, most) : most) + x->a->error[k] + x->b->error[k];
}

static bool comparable(const struct change *c, const struct both *x)
{
    return c->base->scale == c->now->scale && x->a->groups == x->b->groups;
}

static bool same_levels(const struct change *c, const struct both *x)
{
    bool same = comparable(c, x);
    for (int k = 0; same && k < x->a->groups; k++)
        same = fabs(x->a->level[k] - x->b->level[k]) <= rounding(x, k);
    return same;
}

/* One replicate at each point: the one that is farthest beyond its error says how much. */
static void points_change(struct change *c, const struct both *x)
{
    const struct standing_side *a = x->a, *b = x->b;
    int worst = 0;
    double most = -INFINITY;
    for (int k = 0; k < a->groups; k++) {
        double off = fabs(b->level[k] - a->level[k]), beyond = off / rounding(x, k);
        if (off > 0 && beyond > most) {
            worst = k;
            most = beyond;
        }
    }
    double from = a->level[worst], to = b->level[worst];
    c->factor = from > 0 && to > 0;
    c->effect = c->lo = c->hi = c->factor ? to / from - 1 : to - from;
    c->p = 0;
}

/* Pairs of groups. The mean of their differences may be off by the mean of their errors; chance is asked
 * about the rest. */
static void groups_change(struct change *c, const struct both *x)
{
    const struct standing_side *a = x->a, *b = x->b;
    double d[STANDING_GROUPS] = { 0 }, error = 0;
    int n = a->groups;
    for (int k = 0; k < n; k++) {
        d[k] = b->level[k] - a->level[k];
        error += rounding(x, k) / n;
    }
    double mean = stats_mean(n, d), se = n > 1 ? stats_sd(n, d) / sqrt(n) : 0;
    double beyond = fmax(0, fabs(mean) - error);
    struct interval i = se > 0 ? stats_student(n, d, 0.95) : (struct interval){ mean, mean };
    c->p = se > 0 ? 2 * gsl_cdf_tdist_Q(beyond / se, n - 1) : beyond > 0 ? 0 : 1;
    c->factor = x->scale == SCALE_LOG;
    c->effect = c->factor ? expm1(mean) : mean;
    c->lo = c->factor ? expm1(i.lo) : i.lo;
    c->hi = c->factor ? expm1(i.hi) : i.hi;
}

/* Levels on a scale that both sides have cannot be made from those of two scales: then nothing is
 * known but that they differ. */
static void measure_change(struct change *c, const struct both *x)
{
    c->lo = -INFINITY;
    c->hi = INFINITY;
    c->effect = NAN;
    c->p = 0;
    if (!comparable(c, x) || x->a->groups == 0)
        return;
    if (x->scale == SCALE_POINTS)
        points_change(c, x);
    else
        groups_change(c, x);
}

/* What has changed in the runs of one side; true: the measured numbers, if only by chance. */
static bool look_at_side(struct change *c, bool rival, double alarm)
{
    struct both x = both_of(c, rival);
    int count = changed_count(&x.a->counts, &x.b->counts);
    if (count >= 0 && !c->counts) {
        c->counts = true;
        c->rival_counts = rival;
        c->count = count;
    }
    bool moved = !same_levels(c, &x), diverged = x.a->infinite != x.b->infinite;
    if ((moved || diverged) && !c->measure) {
        c->rival_measure = rival;
        if (moved)
            measure_change(c, &x);
        c->measure = diverged || c->p < alarm;
    }
    return moved || diverged;
}

static enum change_kind gravest(const struct change *c, bool moved)
{
    bool better = c->now->word == SUPPORTED && c->base->word != SUPPORTED;
    return (c->verdict && !better) || c->control ? CHANGE_VERDICT
         : c->counts || c->base->cells != c->now->cells ? CHANGE_COUNTS
         : c->measure ? CHANGE_MEASURE
         : c->verdict ? CHANGE_BETTER
         : moved ? CHANGE_MOVED : CHANGE_NONE;
}

/* A rival is compared where both lines know of it: older ones do not. */
static bool rivals(const struct change *c)
{
    return c->base && c->now && standing_side_known(&c->base->rival) && standing_side_known(&c->now->rival);
}

static void look(struct change *c, double alarm)
{
    c->count = -1;
    if (!c->base) {
        c->kind = CHANGE_NEW;
        return;
    }
    if (!c->now || c->now->absent || c->base->absent || (c->now->word == NOT_RUN && c->base->word != NOT_RUN)) {
        c->kind = CHANGE_ABSENT;
        return;
    }
    c->verdict = c->base->word != c->now->word;
    c->control = c->base->control == CONTROL_CAUGHT && c->now->control == CONTROL_MISSED;
    bool moved = look_at_side(c, false, alarm);
    if (rivals(c))
        moved |= look_at_side(c, true, alarm);
    c->kind = gravest(c, moved);
}

int comparison_gates(const struct comparison *c)
{
    int gates = 0;
    for (int k = 0; k <= CHANGE_VERDICT; k++)
        gates += kinds[k].gates ? c->kinds[k] : 0;
    return gates;
}

/* --- the lists */

static int of_profile(const struct standings *list, const char *profile, const struct standing **of)
{
    int n = 0;
    for (int k = 0; k < list->n; k++)
        if (strcmp(list->of[k].profile, profile) == 0)
            of[n++] = &list->of[k];
    return n;
}

static int by_claim(const void *a, const void *b)
{
    return strcmp((*(const struct standing *const *)a)->claim, (*(const struct standing *const *)b)->claim);
}

/* Two sorted lists in step. */
static struct change *pair(const struct standings *base, const struct standings *now,
                           const char *profile, int *n)
{
    size_t room = (size_t)(base->n + now->n) + 1;
    const struct standing **a = calloc(2 * room, sizeof *a), **b = a + room;
    struct change *list = calloc(room, sizeof *list);
    BUG_IF(!a || !list);
    int na = of_profile(base, profile, a), nb = of_profile(now, profile, b), i = 0, k = 0;
    qsort(a, (size_t)na, sizeof *a, by_claim);
    qsort(b, (size_t)nb, sizeof *b, by_claim);
    for (*n = 0; i < na || k < nb; ++*n) {
        int c = i == na ? 1 : k == nb ? -1 : strcmp(a[i]->claim, b[k]->claim);
        list[*n].base = c <= 0 ? a[i++] : NULL;
        list[*n].now = c >= 0 ? b[k++] : NULL;
    }
    free(a);
    return list;
}

static int increasing(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In units of the yardstick, where both sides know it. */
static double time_ratio(const struct change *x)
{
    double r = x->now->seconds / x->base->seconds;
    return change_normalised(x) ? r * x->base->reference / x->now->reference : r;
}

bool change_normalised(const struct change *c)
{
    return c->base && c->now && c->base->reference > 0 && c->now->reference > 0;
}

static void compare_times(struct comparison *c)
{
    double *ratio = calloc((size_t)c->n + 1, sizeof *ratio);
    BUG_IF(!ratio);
    c->normalised = true;
    for (struct change *x = c->change, *end = x + c->n; x < end; x++) {
        if (!x->base || !x->now || x->base->seconds < TIME_LEAST || x->now->seconds < TIME_LEAST)
            continue;
        double r = x->time = ratio[c->times++] = time_ratio(x);
        c->normalised &= change_normalised(x);
        if (r > c->slowest_ratio) {
            c->slowest_ratio = r;
            c->slowest = x;
        }
        c->slow += r >= COMPARE_SLOW;
    }
    qsort(ratio, (size_t)c->times, sizeof *ratio, increasing);
    c->slower = c->times ? ratio[c->times / 2] : NAN;
    free(ratio);
}

struct comparison compare(const struct standings *base, const struct standings *now, const char *profile,
                          bool (*known)(const void *ctx, const char *claim), const void *ctx)
{
    struct comparison c = { 0 };
    c.change = pair(base, now, profile, &c.n);
    int tests = 0;
    for (int k = 0; k < c.n; k++) {
        bool both = c.change[k].base && c.change[k].now;
        c.compared += both;
        tests += both + rivals(&c.change[k]);
    }
    for (int k = 0; k < c.n; k++) {
        struct change *x = &c.change[k];
        look(x, ALARM / (tests > 0 ? tests : 1));
        if (x->kind == CHANGE_ABSENT && !x->now && known && !known(ctx, x->base->claim))
            x->kind = CHANGE_GONE;
        c.kinds[x->kind]++;
    }
    compare_times(&c);
    return c;
}

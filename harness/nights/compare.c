/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - what has changed between two lists of standings, and how it is printed. */
#include "nights/compare.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stats.h"
#include "record/listing.h"

/* A relative difference of levels up to this counts as rounding, in addition to the errors of the levels: lines
 * have 11 digits, and processors round differently. A larger value would hide small changes. */
static const double ROUNDING = 1e-9;
/* What last bits can do to random runs on another processor. At a kink of a loss they decide the sign of a
 * subgradient, and so a step: of FKT20's method on coins_stored the mean moved by 3e-6. Where iterates decide when
 * a run ends, as in ReSQue's bisections, they decide whether it has one step more: two processors differed by one of
 * 42757 batch steps, and by 1.3e-4 of the nonzeros. Therefore a mean may differ by BITS_OF_MEAN, relatively. A count
 * may differ by BITS_OF_COUNTS, if three things hold: the measure moved too; the number of batch steps differs, by one
 * or by at most BITS_OF_STEPS for each cell; and the relative difference of the count is at most LARGE_STEP times
 * that of the steps. ReSQue's step was 5.6 times as large as the average. A sample less in each batch differs by 7.9
 * times as much there. The difference of steps is the net one: where some cells have a step more and others one less,
 * the counts can differ by more than is allowed, and the claim has to be accepted anew. */
static const double BITS_OF_MEAN = 1e-5, BITS_OF_COUNTS = 1e-3, BITS_OF_STEPS = 0.01, LARGE_STEP = 6;
/* The probability of a false alarm over all that is compared: one night in three years. */
static const double ALARM = 1e-3;
/* In seconds. The times of shorter claims are not compared, because they vary too much from run to run. */
static const double TIME_LEAST = 0.5;

static const struct { const char *name; bool gates; } kinds[] = {
    [CHANGE_NONE] = { "as before", false }, [CHANGE_NEW] = { "new", false },
    [CHANGE_ABSENT] = { "not run", false }, [CHANGE_GONE] = { "gone", true },
    [CHANGE_BETTER] = { "better", false }, [CHANGE_MOVED] = { "moved", false },
    [CHANGE_MEASURE] = { "measure", true }, [CHANGE_COUNTS] = { "counts", true },
    [CHANGE_VERDICT] = { "verdict", true },
};

const char *change_name(enum change_kind k) { return kinds[k].name; }
bool change_gates(enum change_kind k) { return kinds[k].gates; }

/* Is this count not in the line? Lines of older baselines do not have `directions`, and show 0 for it. No change is
 * missed: a method that begins to ask along directions asks for values, which all lines have. */
static bool not_counted(const struct counts *base, int k)
{
    return k == COUNT_directions && base->of[k] == 0;
}

/* Returns the count with the largest relative difference above `most`; -1: there is none. */
static int changed_count(const struct counts *a, const struct counts *b, double most)
{
    int worst = -1;
    for (int k = 0; k < COUNT_KINDS; k++) {
        if (not_counted(a, k))
            continue;
        double off = fabs(a->of[k] - b->of[k]) / fmax(fabs(a->of[k]), fabs(b->of[k]));
        if (off > most) {
            most = off;
            worst = k;
        }
    }
    return worst;
}

/* Returns what a standing says of the claim's own runs or, with `rival`, of those of the rival. */
static const struct standing_side *side_of(const struct standing *s, bool rival)
{
    return rival ? &s->rival : &s->own;
}

/* The runs of one role (the claim's own, or the rival's) in the two lists that are compared. */
struct both { enum standing_scale scale; const struct standing_side *a, *b; };

static struct both both_of(const struct change *c, bool rival)
{
    return (struct both){ c->base->scale, side_of(c->base, rival), side_of(c->now, rival) };
}

/* Returns the difference of two levels that rounding and the errors of the levels explain. The allowance for
 * rounding is absolute for logarithms, else relative. */
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

/* Compares levels where there is one replicate at each point. The effect is the change at the point whose
 * difference is the largest multiple of its error. */
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

/* Compares the levels of groups of replicates in pairs: group k had the same seeds in both lists. The part of the
 * mean difference that rounding and errors explain is subtracted before Student's test. */
static void groups_change(struct change *c, const struct both *x)
{
    const struct standing_side *a = x->a, *b = x->b;
    double d[STANDING_GROUPS] = { 0 }, error = 0, size = 0;
    int n = a->groups;
    for (int k = 0; k < n; k++) {
        d[k] = b->level[k] - a->level[k];
        error += rounding(x, k) / n;
        size += fabs(a->level[k]) / n;
    }
    double mean = stats_mean(n, d), se = n > 1 ? stats_sd(n, d) / sqrt(n) : 0;
    double beyond = fmax(0, fabs(mean) - error);
    struct interval i = se > 0 ? stats_student(n, d, 0.95) : (struct interval){ mean, mean };
    c->p = se > 0 ? 2 * gsl_cdf_tdist_Q(beyond / se, n - 1) : beyond > 0 ? 0 : 1;
    if (se > 0 && fabs(mean) <= BITS_OF_MEAN * (x->scale == SCALE_LOG ? 1 : size))
        c->p = 1;
    c->factor = x->scale == SCALE_LOG;
    c->effect = c->factor ? expm1(mean) : mean;
    c->lo = c->factor ? expm1(i.lo) : i.lo;
    c->hi = c->factor ? expm1(i.hi) : i.hi;
}

/* Fills in effect and p of a change. Levels on different scales, or of different numbers of groups, cannot be
 * compared: then only the fact that they differ is known. */
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

/* Returns the largest relative difference of two counts that can come from other last bits of the iterates; 0 if the
 * counts have to be equal. */
static double bits_of_counts(const struct change *c, const struct both *x, bool moved)
{
    double a = x->a->counts.of[COUNT_batch_steps], b = x->b->counts.of[COUNT_batch_steps], steps = fabs(a - b);
    bool few = steps > 0 && steps <= fmax(1, BITS_OF_STEPS * c->base->cells);
    return moved && few && comparable(c, x) ? fmin(BITS_OF_COUNTS, LARGE_STEP * steps / fmax(a, b)) : 0;
}

/* Notes what has changed in the runs of one role. Returns true where the measured numbers changed, even by chance
 * alone. */
static bool look_at_side(struct change *c, bool rival, double alarm)
{
    struct both x = both_of(c, rival);
    bool moved = !same_levels(c, &x), diverged = x.a->infinite != x.b->infinite;
    int count = changed_count(&x.a->counts, &x.b->counts, bits_of_counts(c, &x, moved));
    if (count >= 0 && !c->counts) {
        c->counts = true;
        c->rival_counts = rival;
        c->count = count;
    }
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

/* Have both lines the numbers of the rival's runs? Lines of older baselines do not have them. */
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

/* --- the claims of two lists in pairs, and their times */

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

/* Returns an array [*n] of changes, still to be compared: one for each claim of either list, by name. */
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

/* Do both lines have the time of the yardstick? Times are then compared in units of it. */
static bool normalised(const struct change *c)
{
    return c->base && c->now && c->base->reference > 0 && c->now->reference > 0;
}

/* Returns the ratio of the times now/base, in units of the yardstick where both lines have it. */
static double time_ratio(const struct change *x)
{
    double r = x->now->seconds / x->base->seconds;
    return normalised(x) ? r * x->base->reference / x->now->reference : r;
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
        c->normalised &= normalised(x);
        if (r > c->slowest_ratio) {
            c->slowest_ratio = r;
            c->slowest = x;
        }
        c->slow += r >= COMPARE_SLOW;
    }
    gsl_sort(ratio, 1, (size_t)c->times);
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

/* --- a change in words */

__attribute__((format(printf, 3, 4)))
static void append(char *text, size_t room, const char *format, ...)
{
    size_t used = strlen(text);
    va_list ap;
    if (used && used + 2 < room) {
        strcpy(text + used, "; ");
        used += 2;
    }
    va_start(ap, format);
    vsnprintf(text + used, room - used, format, ap);
    va_end(ap);
}

#define RIVALS "the rival's "

/* Appends an effect to the text, with its interval; without randomness there is no interval. */
static void append_effect(char *text, size_t room, const char *whose, const char *format, double effect,
                          double lo, double hi, const char *unit)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used ? "; " : "", whose);
    used = strlen(text);
    used += (size_t)snprintf(text + used, room - used, format, effect, unit);
    if (used < room && hi > lo)
        snprintf(text + used, room - used, " (%.3g%s to %.3g%s)", lo, unit, hi, unit);
}

static void words_of_measure(const struct change *c, char *text, size_t room)
{
    double a = side_of(c->base, c->rival_measure)->infinite, b = side_of(c->now, c->rival_measure)->infinite;
    const char *whose = c->rival_measure ? RIVALS : "";
    if (a != b)
        append(text, room, "%sdiverged runs %.0f -> %.0f", whose, a, b);
    if (isnan(c->effect))
        append(text, room, "%smeasured on another scale or other replicates", whose);
    else if (!c->factor)
        append_effect(text, room, whose, "measure %+.3g%s", c->effect, c->lo, c->hi, "");
    else if (fabs(c->effect) < 1)
        append_effect(text, room, whose, "measure %+.3g%s", 100 * c->effect, 100 * c->lo, 100 * c->hi, "%");
    else
        append_effect(text, room, whose, "measure times %.3g%s", 1 + c->effect, 1 + c->lo, 1 + c->hi, "");
    if (!isnan(c->effect) && c->p > 0)
        append(text, room, "p = %.2g", c->p);
}

void compare_words(const struct change *c, char *text, size_t room)
{
    static const char *const control[] = { "none", "CAUGHT", "MISSED" };
    *text = 0;
    if (!c->base || !c->now) {
        append(text, room, "%s", verdict_word((c->base ? c->base : c->now)->word));
        return;
    }
    if (c->kind == CHANGE_ABSENT) {
        const struct standing *lacks = c->now->absent ? c->now : c->base;
        append(text, room, "%d of %d cells without a record", lacks->absent, lacks->cells);
        return;
    }
    if (c->verdict)
        append(text, room, "%s -> %s", verdict_word(c->base->word), verdict_word(c->now->word));
    if (c->control)
        append(text, room, "control %s -> %s", control[c->base->control], control[c->now->control]);
    if (c->base->cells != c->now->cells)
        append(text, room, "runs %d -> %d", c->base->cells, c->now->cells);
    if (c->counts) {
        double a = side_of(c->base, c->rival_counts)->counts.of[c->count];
        double b = side_of(c->now, c->rival_counts)->counts.of[c->count];
        append(text, room, "%s%s %.10g -> %.10g (%+.3g%%)", c->rival_counts ? RIVALS : "",
               count_name(c->count), a, b, 100 * (b - a) / a);
    }
    if (c->measure || c->kind == CHANGE_MOVED)
        words_of_measure(c, text, room);
}

/* --- a comparison as text */

/* Prints the changes, gravest first, then by claim. */
static void print_changes(FILE *out, const struct comparison *c)
{
    char text[400];
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++)
            if ((int)x->kind == kind) {
                compare_words(x, text, sizeof text);
                fprintf(out, "%-8s %s: %s\n", change_name(x->kind), (x->base ? x->base : x->now)->claim,
                        text);
            }
}

static void print_totals(FILE *out, const struct comparison *c)
{
    int gates = comparison_gates(c);
    fprintf(out, "%d claims compared: %d as before", c->compared, c->kinds[CHANGE_NONE]);
    for (int k = CHANGE_NONE + 1; k <= CHANGE_VERDICT; k++)
        if (c->kinds[k])
            fprintf(out, ", %d %s", c->kinds[k], change_name((enum change_kind)k));
    fprintf(out, gates ? "; %d to be accepted or mended\n" : "; nothing to be accepted\n", gates);
}

const struct change *compare_slow(const struct comparison *c, const struct change *last)
{
    const struct change *next = NULL;
    for (const struct change *x = c->change, *end = x + c->n; x < end; x++) {
        bool after = !last || x->time < last->time || (x->time == last->time && x > last);
        if (x->time >= COMPARE_SLOW && after && (!next || x->time > next->time))
            next = x;
    }
    return next;
}

/* Prints the changes of times, which are advisory: other loads and machines have other times. */
static void print_times(FILE *out, const struct comparison *c)
{
    const struct change *x = NULL;
    if (!c->times)
        return;
    for (int k = 0; k < SLOW_SHOWN && (x = compare_slow(c, x)); k++)
        fprintf(out, "slower   %s: time %.2f of the base\n", x->now->claim, x->time);
    if (c->slow > SLOW_SHOWN)
        fprintf(out, "and %d more that took %g times as long\n", c->slow - SLOW_SHOWN, COMPARE_SLOW);
    fprintf(out, "time (decides nothing%s): median %.2f of the base over %d claims, most %.2f in %s\n",
            c->normalised ? "; in units of the yardstick" : "", c->slower, c->times, c->slowest_ratio,
            c->slowest->now->claim);
}

/* --- a comparison as CSV or JSON */

/* Writes a number that was compared; JSON has no infinite numbers. */
static void put_number(struct listing *l, double x)
{
    listing_real(l, l->format == RECORD_JSON && isinf(x) ? NAN : x);
}

static void print_change(struct listing *l, const struct change *x)
{
    char text[400];
    const struct standing *any = x->base ? x->base : x->now, *side[] = { x->base, x->now };
    bool measured = x->measure || x->kind == CHANGE_MOVED;
    compare_words(x, text, sizeof text);
    listing_text(l, any->claim);
    listing_text(l, any->profile);
    listing_text(l, change_name(x->kind));
    listing_flag(l, change_gates(x->kind));
    for (int k = 0; k < 2; k++)
        if (side[k])
            listing_text(l, verdict_word(side[k]->word));
        else
            listing_none(l);
    const double number[] = { x->effect, x->lo, x->hi, x->p };
    for (int k = 0; k < 4; k++)
        if (measured)
            put_number(l, number[k]);
        else
            listing_none(l);
    listing_text(l, text);
}

static void print_rows(FILE *out, const struct comparison *c, enum record_format format)
{
    struct listing l = { .out = out, .format = format, .columns = 11, .digits = 10, .nan = "nan", .name = {
        "claim", "profile", "change", "gates", "base", "now", "effect", "lo", "hi", "p", "words" } };
    listing_heading(&l);
    for (const struct change *x = c->change, *end = x + c->n; x < end; x++)
        print_change(&l, x);
    listing_end(&l);
}

void compare_print(FILE *out, const struct comparison *c, enum record_format format)
{
    if (format != RECORD_TEXT) {
        print_rows(out, c, format);
        return;
    }
    print_changes(out, c);
    print_totals(out, c);
    print_times(out, c);
}

void compare_uncovered(FILE *out, const struct comparison *c, const char *profile)
{
    int new = c->kinds[CHANGE_NEW];
    if (!c->compared)
        fprintf(out, "the base has no line of profile %s that was run: nothing was compared\n", profile);
    else if (new)
        fprintf(out, "%d claim%s no line of profile %s in the base: not compared until `assay accept`\n", new,
                new == 1 ? " has" : "s have", profile);
}

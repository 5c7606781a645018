/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_print.c - a comparison for people and for machines. */
#include "nights/compare_print.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "record/listing.h"

/* --- in words */

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

/* Without randomness there is no interval. */
static void append_effect(char *text, size_t room, const char *whose, const char *format, double effect, double lo, double hi,
                          const char *unit)
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
    double a = change_side(c->base, c->rival_measure)->infinite, b = change_side(c->now, c->rival_measure)->infinite;
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
        double a = change_side(c->base, c->rival_counts)->counts.of[c->count];
        double b = change_side(c->now, c->rival_counts)->counts.of[c->count];
        append(text, room, "%s%s %.10g -> %.10g (%+.3g%%)", c->rival_counts ? RIVALS : "",
               count_name(c->count), a, b, 100 * (b - a) / a);
    }
    if (c->measure || c->kind == CHANGE_MOVED)
        words_of_measure(c, text, room);
}

/* --- text */

/* Gravest first, then by claim. */
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

/* Slowest first, each once. */
static const struct change *next_slow(const struct comparison *c, const struct change *last)
{
    const struct change *next = NULL;
    for (const struct change *x = c->change, *end = x + c->n; x < end; x++) {
        bool after = !last || x->time < last->time || (x->time == last->time && x > last);
        if (x->time >= COMPARE_SLOW && after && (!next || x->time > next->time))
            next = x;
    }
    return next;
}

void compare_slow(const struct comparison *c, int most, void (*each)(void *ctx, const struct change *x),
                  void *ctx)
{
    for (const struct change *x = next_slow(c, NULL); x && most > 0; x = next_slow(c, x), most--)
        each(ctx, x);
}

static void print_slow(void *out, const struct change *x)
{
    fprintf(out, "slower   %s: time %.2f of the base\n", x->now->claim, x->time);
}

/* Advisory: other loads and machines have other times. */
static void print_times(FILE *out, const struct comparison *c)
{
    if (!c->times)
        return;
    compare_slow(c, SLOW_SHOWN, print_slow, out);
    if (c->slow > SLOW_SHOWN)
        fprintf(out, "and %d more that took %g times as long\n", c->slow - SLOW_SHOWN, COMPARE_SLOW);
    fprintf(out, "time (decides nothing%s): median %.2f of the base over %d claims, most %.2f in %s\n",
            c->normalised ? "; in units of the yardstick" : "", c->slower, c->times, c->slowest_ratio,
            c->slowest->now->claim);
}

/* --- for machines */

/* A number that was compared; JSON has no infinite ones. */
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
        fprintf(out, "%d claim%s no line of profile %s in the base: held against nothing, until `assay accept`\n", new,
                new == 1 ? " has" : "s have", profile);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_table.c - the verdict table as text, CSV and JSON. */
#include "report/report.h"

#include "record/listing.h"
#include "report/report_words.h"

/* --- the table as text */

enum column { CLAIM, VERDICT, MEASURED, PROMISED, CONTROL, COLUMNS };
/* NARROW: the width to which the columns MEASURED and PROMISED may be cut; GAP: blanks between two columns. */
enum { NARROW = 12, GAP = 2 };
static const char *const heading[COLUMNS] = { "claim", "verdict", "measured", "promised",
                                              "control" };

static struct phrase field(const struct judgement *j, enum column k)
{
    struct phrase p = { "" };
    switch (k) {
    case CLAIM:
        snprintf(p.at, sizeof p.at, "  %s", report_short_id(j));
        return p;
    case VERDICT:
        snprintf(p.at, sizeof p.at, "%s%s", verdict_word(j->verdict.word),
                 j->exploratory ? "*" : "");
        return p;
    case MEASURED:
        return report_measured(j->claim, &j->fit);
    case PROMISED:
        return report_promised(j->claim);
    default:
        snprintf(p.at, sizeof p.at, "%s", report_control(j));
        return p;
    }
}

/* Returns the number of characters of a UTF-8 text. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void fit_widths(const struct judgement *j, int n, int limit, int *width)
{
    int total = GAP * (COLUMNS - 1);
    for (int c = 0; c < COLUMNS; c++) {
        width[c] = width_of(heading[c]) + (c == CLAIM ? 2 : 0);
        for (int k = 0; k < n; k++) {
            int w = width_of(field(&j[k], (enum column)c).at);
            width[c] = w > width[c] ? w : width[c];
        }
        total += width[c];
    }
    static const enum column shrinks[] = { PROMISED, MEASURED };
    for (int k = 0; k < 2 && limit > 0 && total > limit; k++) {
        int *w = &width[shrinks[k]], room = *w > NARROW ? *w - NARROW : 0;
        int cut = total - limit < room ? total - limit : room;
        *w -= cut;
        total -= cut;
    }
}

/* Prints a text. One of more than `width` characters is cut to as many, the last two of which are then dots; a
 * shorter text is padded unless it ends the line. */
static void put_field(FILE *out, const char *text, int width, bool last)
{
    int w = width_of(text), keep = w > width ? width - 2 : w, n = 0;
    for (; *text; text++) {
        n += (*text & 0xc0) != 0x80;
        if (n > keep)
            break;
        putc(*text, out);
    }
    if (w > width)
        fputs("..", out);
    for (int k = w > width ? width : w; !last && k < width + GAP; k++)
        putc(' ', out);
}

static const char *escape_of(const struct judgement *j, enum column c)
{
    static const char *const word[] = { "\033[2m", "\033[32m", "\033[33m", "\033[1;31m",
                                        "\033[35m", "\033[2m", "\033[2m" };
    if (c == VERDICT)
        return word[j->verdict.word];
    return c == CONTROL && j->has_control && !j->caught ? "\033[33m" : NULL;
}

static void put_row(FILE *out, const struct judgement *j, const int *width, bool color)
{
    for (int c = 0; c < COLUMNS; c++) {
        const char *escape = color ? escape_of(j, (enum column)c) : NULL;
        fputs(escape ? escape : "", out);
        put_field(out, field(j, (enum column)c).at, width[c], c == COLUMNS - 1);
        fputs(escape ? "\033[0m" : "", out);
    }
    putc('\n', out);
    if (j->verdict.word == SUPPORTED || (j->verdict.word == NOT_RUN && !j->no_data && !j->dropped))
        return;
    fprintf(out, "      why: %s\n", j->verdict.reason);
    if (j->verdict.next[0])
        fprintf(out, "      next: %s\n", j->verdict.next);
}

void report_table(FILE *out, const struct judgement *j, int n, bool color, int width)
{
    int w[COLUMNS];
    fit_widths(j, n, width, w);
    for (int c = 0; c < COLUMNS && n; c++)
        put_field(out, heading[c], w[c], c == COLUMNS - 1);
    fputs(n ? "\n" : "", out);
    for (int k = 0; k < n; k++) {
        if (!report_opens_paper(j, k))
            continue;
        fprintf(out, "%s\n", report_paper_key(&j[k]));
        for (int i = k; i < n; i = report_next_of_paper(j, n, i))
            put_row(out, &j[i], w, color);
    }
    fprintf(out, "%s\n", report_summary(j, n).at);
    if (report_tally(j, n).exploratory)
        fputs("* EXPLORATORY: not the declared settings; never enters a baseline\n", out);
}

/* --- CSV and JSON: both print the fields of these two lists, X(type, name, value), for a judgement j of a claim c
 * with the decisive number d. CSV has the numbers of points and replicates between the two lists; JSON has the
 * claim's texts and the points themselves behind them. */

#define MEASURED_FIELDS(X)                                                                                   \
    X(text, "claim", c->id) X(text, "paper", report_paper_key(j)) X(text, "check", check_name(c->check))     \
    X(text, "kind", kind_name(c->kind)) X(text, "verdict", verdict_word(j->verdict.word))                    \
    X(text, "control", report_control(j)) X(flag, "exploratory", j->exploratory) X(text, "quantity", d.what) \
    X(real, "value", d.value.value) X(real, "lo", d.value.lo) X(real, "hi", d.value.hi)                      \
    X(text, "axis", c->axis ? c->axis : "") X(text, "measured", report_measured(c, &j->fit).at)              \
    X(text, "promised", report_promised(c).at)

#define RUN_FIELDS(X)                                                                                        \
    X(count, "cells", j->cells) X(count, "failed", j->failed) X(count, "refused", j->refused)                \
    X(text, "reason", j->verdict.reason) X(text, "next", j->verdict.next)

void report_table_csv(FILE *out, const struct judgement *j, int n)
{
#define X(type, name, value) name,
    struct listing l = { .out = out, .format = RECORD_CSV, .columns = 21, .digits = 17, .nan = "nan", .name = {
        MEASURED_FIELDS(X) "points", "reps", RUN_FIELDS(X) } };
#undef X
    listing_heading(&l);
    for (const struct judgement *end = j + n; j < end; j++) {
        const struct claim *c = j->claim;
        struct decisive d = report_decisive(c, &j->fit);
#define X(type, name, value) listing_##type(&l, value);
        MEASURED_FIELDS(X)
        listing_count(&l, j->fit.points);
        listing_count(&l, j->fit.reps);
        RUN_FIELDS(X)
#undef X
    }
}

static void json_judgement(FILE *file, const struct judgement *j)
{
    const struct claim *c = j->claim;
    struct decisive d = report_decisive(c, &j->fit);
    struct json out = { .out = file, .digits = 17 };
    json_open(&out, NULL, '{');
#define X(type, name, value) json_##type(&out, name, value);
    MEASURED_FIELDS(X)
    RUN_FIELDS(X)
#undef X
    json_text(&out, "says", c->says ? c->says : "");
    json_text(&out, "cite", c->cite ? c->cite : "");
    json_text(&out, "remark", c->remark ? c->remark : "");
    json_open(&out, "points", '[');
    for (const struct fit_point *p = j->fit.point; p < j->fit.point + j->fit.points; p++) {
        json_open(&out, NULL, '{');
        json_real(&out, "axis", p->axis);
        json_count(&out, "reps", p->reps);
        json_count(&out, "missing", p->missing);
        json_count(&out, "infinite", p->infinite);
        json_real(&out, "value", p->y.value);
        json_real(&out, "lo", p->y.lo);
        json_real(&out, "hi", p->y.hi);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
}

void report_table_json(FILE *out, const struct judgement *j, int n)
{
    putc('[', out);
    for (int k = 0; k < n; k++) {
        fputs(k ? ",\n" : "", out);
        json_judgement(out, &j[k]);
    }
    fputs("]\n", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_table.c - the verdict table as text, CSV and JSON. */
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "record/record.h"
#include "report/report_words.h"

/* --- text */

enum column { CLAIM, VERDICT, MEASURED, PROMISED, CONTROL, COLUMNS };
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

/* Characters of UTF-8 text. */
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

/* Text cut to `width` characters, the last ones dots, then padded unless it ends the line. */
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
                                        "\033[35m" };
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

/* --- CSV */

void report_table_csv(FILE *out, const struct judgement *j, int n)
{
    fputs("claim,paper,check,kind,verdict,control,exploratory,quantity,value,lo,hi,axis,measured,"
          "promised,points,reps,cells,failed,refused,reason,next\n", out);
    for (int k = 0; k < n; k++) {
        const struct judgement *q = &j[k];
        struct decisive d = report_decisive(q->claim, &q->fit);
        record_write_csv_text(out, q->claim->id);
        fprintf(out, ",%s,%s,%s,%s,%s,%s,%s,%.17g,%.17g,%.17g,%s,", report_paper_key(q),
                check_name(q->claim->check), kind_name(q->claim->kind),
                verdict_word(q->verdict.word), report_control(q), q->exploratory ? "yes" : "no", d.what, d.value.value,
                d.value.lo, d.value.hi, q->claim->axis ? q->claim->axis : "");
        record_write_csv_text(out, report_measured(q->claim, &q->fit).at);
        putc(',', out);
        record_write_csv_text(out, report_promised(q->claim).at);
        fprintf(out, ",%d,%d,%d,%d,%d,", q->fit.points, q->fit.reps, q->cells, q->failed,
                q->refused);
        record_write_csv_text(out, q->verdict.reason);
        putc(',', out);
        record_write_csv_text(out, q->verdict.next);
        putc('\n', out);
    }
}

/* --- JSON */

static void json_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\":", key);
    record_write_json_text(out, text);
    putc(',', out);
}

static void json_real(FILE *out, const char *key, double x)
{
    if (isnan(x))
        fprintf(out, "\"%s\":null", key);
    else if (isinf(x))
        fprintf(out, "\"%s\":\"%sinf\"", key, x < 0 ? "-" : "");
    else
        fprintf(out, "\"%s\":%.17g", key, x);
}

static void json_estimate(FILE *out, const struct estimate *e)
{
    json_real(out, "value", e->value);
    putc(',', out);
    json_real(out, "lo", e->lo);
    putc(',', out);
    json_real(out, "hi", e->hi);
}

static void json_points(FILE *out, const struct fit *fit)
{
    fputs("\"points\":[", out);
    for (int k = 0; k < fit->points; k++) {
        const struct fit_point *p = &fit->point[k];
        fputs(k ? ",{" : "{", out);
        json_real(out, "axis", p->axis);
        fprintf(out, ",\"reps\":%d,\"missing\":%d,\"infinite\":%d,", p->reps, p->missing,
                p->infinite);
        json_estimate(out, &p->y);
        putc('}', out);
    }
    putc(']', out);
}

static void json_judgement(FILE *out, const struct judgement *j)
{
    const struct claim *c = j->claim;
    struct decisive d = report_decisive(c, &j->fit);
    putc('{', out);
    json_text(out, "claim", c->id);
    json_text(out, "paper", report_paper_key(j));
    json_text(out, "says", c->says ? c->says : "");
    json_text(out, "cite", c->cite ? c->cite : "");
    json_text(out, "remark", c->remark ? c->remark : "");
    json_text(out, "check", check_name(c->check));
    json_text(out, "kind", kind_name(c->kind));
    json_text(out, "verdict", verdict_word(j->verdict.word));
    fprintf(out, "\"exploratory\":%s,", j->exploratory ? "true" : "false");
    json_text(out, "quantity", d.what);
    json_estimate(out, &d.value);
    putc(',', out);
    json_text(out, "measured", report_measured(c, &j->fit).at);
    json_text(out, "promised", report_promised(c).at);
    json_text(out, "control", report_control(j));
    json_text(out, "reason", j->verdict.reason);
    json_text(out, "next", j->verdict.next);
    fprintf(out, "\"cells\":%d,\"failed\":%d,\"refused\":%d,", j->cells, j->failed, j->refused);
    json_text(out, "axis", c->axis ? c->axis : "");
    json_points(out, &j->fit);
    putc('}', out);
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

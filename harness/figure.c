/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c - the table and the gnuplot script of one claim. */
#include "figure.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "figure_sheet.h"
#include "report_words.h"
#include "templates.h"

enum { TITLE_LINE = 88, TITLE_LINES = 3, TICKS_MAX = 40 };

void figure_name(const char *id, char name[FIGURE_NAME])
{
    int n = 0;
    for (; *id && n < FIGURE_NAME - 3; id++) {
        unsigned char c = (unsigned char)*id;
        bool plain = isalnum(c) || c == '-' || c == '+' || c == '=' || (c == '.' && n > 0);
        if (c == '/')
            name[n++] = '_';
        name[n++] = plain ? *id : '_';
    }
    name[n] = 0;
}

static enum status file_trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

/* Opens folder/name.ending; path[4096] for the messages. */
static FILE *open_in(const char *folder, const char *name, const char *ending, char *path)
{
    errno = 0;
    snprintf(path, 4096, "%s/%s.%s", folder, name, ending);
    return fopen(path, "w");
}

static enum status close_written(FILE *out, const char *path, struct why *why)
{
    bool bad = ferror(out);
    if (fclose(out) || bad)
        return file_trouble(path, why);
    return OK;
}

/* --- table */

static enum status write_table(const struct sheet *s, const char *folder, const char *name,
                               struct why *why)
{
    char path[4096];
    FILE *out = open_in(folder, name, "tsv", path);
    if (!out)
        return file_trouble(path, why);
    fputs("series\tname\taxis\tvalue\tlo\thi\n", out);
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        fputs(sheet_word(r->kind), out);
        if (r->kind == SHEET_CURVE)
            fprintf(out, "%d", r->curve + 1);
        fprintf(out, "\t%s\t%.17g\t%.17g\t%.17g\t%.17g\n", r->name, r->axis, r->y.value, r->y.lo,
                r->y.hi);
    }
    return close_written(out, path, why);
}

/* --- script: values for the template. Single quotes only: in double ones gnuplot would run what
 * stands between backticks. */

static void put_text(FILE *out, const char *text, size_t n)
{
    putc('\'', out);
    for (; n > 0 && *text; text++, n--) {
        if (*text == '\'')
            putc('\'', out);
        putc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
    putc('\'', out);
}

static void put_variable(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s = ", name);
    put_text(out, text, strlen(text));
    putc('\n', out);
}

/* Broken at blanks into lines of at most TITLE_LINE bytes; what is beyond the last line is cut. */
static void put_title(FILE *out, const char *text)
{
    fputs("TITLE = ", out);
    for (int line = 0; line < TITLE_LINES && *text; line++) {
        size_t n = strlen(text);
        if (n > TITLE_LINE) {
            n = TITLE_LINE;
            while (n > TITLE_LINE / 2 && text[n] != ' ')
                n--;
            if (text[n] != ' ')
                for (n = TITLE_LINE; (text[n] & 0xc0) == 0x80; n--)
                    ;
        }
        fputs(line ? ".\"\\n\"." : "", out);
        put_text(out, text, n);
        text += n;
        text += strspn(text, " ");
    }
    putc('\n', out);
}

/* --- ticks, because gnuplot's own leave an axis of less than two decades nearly bare */

struct ticks { FILE *out; double lo, hi; int n; bool powers; };

/* mantissa 10^exponent; named or a small one. */
static void put_tick(struct ticks *t, double mantissa, int exponent, bool named)
{
    double at = mantissa * pow(10, exponent);
    if (t->n == TICKS_MAX || at < t->lo || at > t->hi)
        return;
    fputs(t->n++ ? ", " : "", t->out);
    if (!named)
        fprintf(t->out, "'' %.17g 1", at);
    else if (!t->powers)
        fprintf(t->out, "'%g' %.17g", at, at);
    else if (mantissa == 1)
        fprintf(t->out, "'10^{%d}' %.17g", exponent, at);
    else
        fprintf(t->out, "'%g·10^{%d}' %.17g", mantissa, exponent, at);
}

/* Every decade named, or every second, third, ... of many. */
static void put_decades(struct ticks *t)
{
    int first = (int)ceil(log10(t->lo)), last = (int)floor(log10(t->hi));
    int every = 1 + (last - first) / 8;
    for (int e = first; e <= last; e += 1 + every / TICKS_MAX)
        put_tick(t, 1, e, (e - first) % every == 0);
}

static void put_halves(struct ticks *t)
{
    for (int e = (int)floor(log10(t->lo)); e <= (int)floor(log10(t->hi)); e++) {
        put_tick(t, 1, e, true);
        put_tick(t, 2, e, true);
        put_tick(t, 5, e, true);
    }
}

/* Round steps, as on a linear axis: the range is too short to show its logarithm. */
static void put_steps(struct ticks *t)
{
    int e = (int)floor(log10((t->hi - t->lo) / 3));
    double width = (t->hi - t->lo) * pow(10, -e), step = width > 12 ? 5 : width > 6 ? 2 : 1;
    int top = (int)floor(log10(t->hi));
    for (double k = ceil(t->lo * pow(10, -e) / step); k * step <= t->hi * pow(10, -e); k++)
        put_tick(t, k * step * pow(10, e - top), top, true);
}

static void put_ticks(FILE *out, char axis, const double *range)
{
    double decades = log10(range[1] / range[0]);
    struct ticks t = { .out = out, .lo = range[0], .hi = range[1],
                       .powers = range[0] < 9e-5 || range[1] >= 1e6 };
    fprintf(out, "set %crange [%.17g:%.17g]\nset %ctics (", axis, range[0], range[1], axis);
    if (decades >= 3.2)
        put_decades(&t);
    else if (decades >= 0.8)
        put_halves(&t);
    else
        put_steps(&t);
    fputs(")\n", out);
}

/* --- legend */

/* One variable of the legend; the box grows with its text. */
struct legend { FILE *out; int lines; size_t longest; };

static void put_entry(struct legend *l, const char *name, bool shown, const char *text)
{
    size_t n = strlen(text);
    put_variable(l->out, name, text);
    l->lines += shown;
    l->longest = shown && n > l->longest ? n : l->longest;
}

/* In a free corner, else below. gnuplot reckons with 9.2 pixels a character, 23 a line and 75 for
 * the sample; the frame is about 665 by 365. */
static void put_place(const struct legend *l, const struct sheet *s, const struct frame *frame)
{
    const char *corner = sheet_free_corner(s, frame, (9.2 * (double)l->longest + 75) / 665,
                                           (23.0 * l->lines + 25) / 365);
    put_variable(l->out, "LEGEND", corner ? corner : "below");
    fprintf(l->out, "ENTRIES = %d\n", l->lines);
}

static void put_legend(FILE *out, const struct sheet *s, const struct frame *frame,
                       const struct judgement *j)
{
    const struct claim *c = j->claim;
    struct legend l = { .out = out };
    bool fitted = s->count[SHEET_FIT] > 0;
    struct phrase fit = fitted ? report_measured(c, &j->fit) : (struct phrase){ "" };
    struct phrase promised = report_promised(c), wrong = report_variant(c, &c->control);
    char text[512];
    snprintf(text, sizeof text, "%s%s", c->algo ? c->algo : "measured",
             c->deterministic                  ? ""
             : c->check != CHECK_LAW || c->cdf ? ", 95% interval"
                                               : ", 95% interval (0 events: its end)");
    put_entry(&l, "MEASURED", true, text);
    snprintf(text, sizeof text, "fit: %s", fit.at);
    put_entry(&l, "FIT", fitted, text);
    snprintf(text, sizeof text, "promised: %s", promised.at);
    put_entry(&l, "PROMISED", fitted, text);
    put_entry(&l, "BAND", s->count[SHEET_BAND] > 0, fitted ? "the band around it" : "its margin");
    put_entry(&l, "FORMULA", s->count[SHEET_FORMULA] > 0,
              c->check == CHECK_BOUND ? "the theorem's bound"
              : c->check != CHECK_LAW ? "the formula"
              : c->cdf                ? "the largest distance allowed"
                                      : "the promised probability");
    snprintf(text, sizeof text, "control: %.*s", 70, wrong.at);
    put_entry(&l, "CONTROL", sheet_shows(s, frame, SHEET_CONTROL), text);
    fprintf(out, "array CURVE[%d]\n", j->curves > 0 ? j->curves : 1);
    for (int k = 0; k < j->curves; k++) {
        snprintf(text, sizeof text, "CURVE[%d]", k + 1);
        put_entry(&l, text, true, j->curve[k].name);
    }
    put_place(&l, s, frame);
}

/* --- script */

static const char *template_text(const char *name)
{
    for (const struct template *t = templates; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    BUG_IF(true);
}

static const char *template_name(enum check c)
{
    switch (c) {
    case CHECK_RATE:  return "rate";
    case CHECK_BOUND: return "bound";
    case CHECK_COUNT: return "count";
    case CHECK_MOMENT:
    case CHECK_LAW: return "moment";
    default:          return "order";
    }
}

static void put_values(FILE *out, const struct sheet *s, const struct frame *frame,
                       const struct judgement *j, const struct figure *f)
{
    struct phrase axis = report_axis(j->claim), y = report_measure(j->claim);
    char text[FIGURE_NOTE + sizeof axis.at];
    put_title(out, j->claim->says ? j->claim->says : j->claim->id);
    snprintf(text, sizeof text, "%s.tsv", f->name);
    put_variable(out, "DATA", text);
    snprintf(text, sizeof text, "%s.svg", f->name);
    put_variable(out, "PICTURE", text);
    put_variable(out, "XLABEL", axis.at);
    put_variable(out, "NOTE", f->note);
    put_variable(out, "YLABEL", y.at);
    for (int k = 0; k < SHEET_KINDS; k++)
        if (k != SHEET_CURVE)
            fprintf(out, "has_%s = %d\n", sheet_word((enum series_kind)k),
                    sheet_shows(s, frame, (enum series_kind)k));
    fprintf(out, "curves = %d\nYMIN = %.17g\nYMAX = %.17g\n", j->curves, frame->y[0], frame->y[1]);
    put_legend(out, s, frame, j);
    put_ticks(out, 'x', frame->x);
    put_ticks(out, 'y', frame->y);
}

static enum status write_script(const struct sheet *s, const struct frame *frame,
                                const struct judgement *j, const char *folder,
                                const struct figure *f, struct why *why)
{
    char path[4096];
    FILE *out = open_in(folder, f->name, "gp", path);
    if (!out)
        return file_trouble(path, why);
    fprintf(out, "# To redo the figure, in this folder: gnuplot %s.gp\n", f->name);
    put_values(out, s, frame, j, f);
    fputs(template_text("style"), out);
    fputs(template_text(template_name(j->claim->check)), out);
    return close_written(out, path, why);
}

static void note_left_out(const struct sheet *s, const struct frame *frame, char *note)
{
    int no_logarithm, outside;
    sheet_left_out(s, frame, &no_logarithm, &outside);
    if (no_logarithm)
        snprintf(note, FIGURE_NOTE, "%d value%s zero, negative or infinite: not drawn%s",
                 no_logarithm, no_logarithm == 1 ? " is" : "s are", outside ? "; " : "");
    size_t n = strlen(note);
    if (outside)
        snprintf(note + n, FIGURE_NOTE - n, "%d value%s outside the frame (control)", outside,
                 outside == 1 ? " is" : "s are");
}

enum status figure_write(const struct judgement *j, const char *folder, struct figure *f,
                         struct why *why)
{
    struct sheet sheet;
    struct frame frame;
    *f = (struct figure){ 0 };
    figure_name(j->claim->id, f->name);
    sheet_fill(&sheet, j);
    if (sheet.rows == 0) {
        snprintf(f->note, sizeof f->note, "Nothing was measured.");
        return OK;
    }
    TRY(write_table(&sheet, folder, f->name, why));
    f->data = true;
    if (!sheet_frame(&sheet, &frame)) {
        snprintf(f->note, sizeof f->note,
                 "No figure: all values are zero, negative or infinite, none fits a log scale.");
        return OK;
    }
    note_left_out(&sheet, &frame, f->note);
    TRY(write_script(&sheet, &frame, j, folder, f, why));
    f->script = true;
    return OK;
}

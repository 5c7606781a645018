/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standing.c - the outcome of a claim as one line of text, made from records or read from a file. */
#include "nights/standing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"
#include "base/params.h"
#include "record/listing.h"
#include "text/memstream.h"

static const char *const control_words[] = { "-", "CAUGHT", "MISSED" };
static const char *const scale_words[] = { "log", "plain", "points" };

/* --- from records */

/* The scale SCALE_LOG becomes linear where y is below this part of the problem's scale, or of the largest y. It is
 * ten times the rounding of an excess (series.c); with a smaller value rounding would appear as a change. */
static const double RESOLUTION = 1e-12;

struct value { int point; long rep; double y, error; };
struct values { struct value *of; int n; double scale; };    /* scale: the largest fact Phi of the runs, a bound of
                                                                the initial gap; 0: unknown */

static void add_counts(struct standing_side *s, const struct record *r)
{
    double v;
#define X(kind, doc) if (record_get(r, "count." #kind, &v)) s->counts.of[COUNT_##kind] += v;
    COUNTS_LIST(X)
#undef X
}

/* *v <- the measured number of one run; returns false where the record has none. For every_mark it is y over the
 * promise at the worst mark, as a rounding error may decide which of two marks with different y is the worst. */
static bool of_run(const struct plan *p, const struct task *t, const struct record *r, struct value *v)
{
    const struct claim *c = t->claim;
    struct evaluated e;
    if (!judge_run(t, p->cell[t->cell], r, &e))
        return false;
    double by = c->every_mark || c->check == CHECK_RATE ? e.formula : NAN;
    *v = (struct value){ t->point, t->rep, e.y, judge_slack(c, p->cell[t->cell], r) };
    if (isnan(by))
        return true;
    v->error /= fabs(by);
    v->y /= c->every_mark ? by : 1;      /* for a rate, judge_run has already divided y by the formula */
    return true;
}

static void gather_runs(const struct plan *p, struct record *const *record, const struct planned_claim *c,
                        enum role role, struct standing_side *s, struct values *v)
{
    bool search = plan_measures_search(c->claim);
    for (const struct task *t = c->task, *end = t + c->tasks; t < end; t++) {
        const struct record *r = record[t->cell];
        double scale = 0;
        if (t->role != role || (t->grid >= 0) != search || !r || r->outcome != OUTCOME_OK)
            continue;
        if (!search && !of_run(p, t, r, &v->of[v->n]))
            continue;
        v->n += !search;
        add_counts(s, r);
        if (record_get(r, "fact.Phi", &scale) && isfinite(scale))
            v->scale = fmax(v->scale, scale);
    }
}

/* Gathers the values of a role (the claim's own runs, or the rival's) for the measure "search": the values that the
 * search has chosen. */
static void gather_searched(const struct planned_claim *c, struct record *const *record, enum role role,
                            struct values *v)
{
    for (int point = 0; point < c->points; point++)
        for (long rep = 0; rep < c->reps; rep++) {
            double y = plan_searched(c, record, role, 0, point, rep);
            if (!isnan(y))
                v->of[v->n++] = (struct value){ point, rep, y, 0 };
        }
}

static enum standing_scale scale_of(const struct claim *c, const struct values *v)
{
    long most = 0;
    for (int k = 0; k < v->n; k++)
        most = v->of[k].rep > most ? v->of[k].rep : most;
    return most == 0 ? SCALE_POINTS
         : c->check == CHECK_MOMENT || c->check == CHECK_LAW ? SCALE_PLAIN : SCALE_LOG;
}

static double resolution(const struct values *v)
{
    double largest = v->scale;
    for (int k = 0; k < v->n && v->scale <= 0; k++)
        if (isfinite(v->of[k].y))
            largest = fmax(largest, fabs(v->of[k].y));
    return fmax(RESOLUTION * largest, DBL_MIN);
}

/* Returns log y where y is far above r; around 0 this is nearly linear in y, and defined for negative y too. */
static double flat_log(double y, double r) { return log(r) + asinh(y / (2 * r)); }

static void put_levels(struct standing_side *s, enum standing_scale scale, const struct values *v)
{
    double sum[STANDING_GROUPS] = { 0 }, error[STANDING_GROUPS] = { 0 }, n[STANDING_GROUPS] = { 0 };
    double r = resolution(v);
    for (const struct value *x = v->of, *end = x + v->n; x < end; x++) {
        long g = (scale == SCALE_POINTS ? x->point : x->rep) % STANDING_GROUPS;
        bool logs = scale == SCALE_LOG;
        if (!isfinite(x->y)) {
            s->infinite++;
            continue;
        }
        double at = logs ? flat_log(x->y, r) : x->y;
        double up = logs ? flat_log(x->y + x->error, r) - at : x->error;
        double down = logs ? at - flat_log(x->y - x->error, r) : x->error;
        sum[g] += at;
        error[g] += isfinite(x->error) ? fmax(up, down) : 0;
        n[g]++;
    }
    for (int g = 0; g < STANDING_GROUPS; g++)
        if (n[g] > 0) {
            s->error[s->groups] = error[g] / n[g];
            s->level[s->groups++] = sum[g] / n[g];
        }
}

static void put_side(const struct plan *p, struct record *const *record, const struct planned_claim *c,
                     enum role role, struct standing *s)
{
    struct standing_side *side = role == ROLE_MAIN ? &s->own : &s->rival;
    struct values v = { calloc((size_t)(c->tasks + 1), sizeof *v.of), 0, 0 };
    BUG_IF(!v.of);
    gather_runs(p, record, c, role, side, &v);
    if (plan_measures_search(c->claim))
        gather_searched(c, record, role, &v);
    if (role == ROLE_MAIN)
        s->scale = scale_of(c->claim, &v);
    put_levels(side, s->scale, &v);
    free(v.of);
}

void standing_of(const struct plan *p, struct record *const *record, const struct judgement *j, int k,
                 const char *profile, struct standing *s)
{
    const struct planned_claim *c = &p->claim[k];
    memset(s, 0, sizeof *s);
    snprintf(s->claim, sizeof s->claim, "%s", c->claim->id);
    snprintf(s->profile, sizeof s->profile, "%s", profile);
    s->word = j->verdict.word;
    s->control = !j->has_control ? CONTROL_NONE : j->caught ? CONTROL_CAUGHT : CONTROL_MISSED;
    s->cells = j->cells;
    s->absent = j->absent;
    s->seconds = j->seconds;
    put_side(p, record, c, ROLE_MAIN, s);
    if (claim_has_rival(c->claim))
        put_side(p, record, c, ROLE_RIVAL, s);
}

bool standing_side_known(const struct standing_side *s)
{
    bool counted = s->groups > 0 || s->infinite > 0;
    for (int k = 0; k < COUNT_KINDS && !counted; k++)
        counted = s->counts.of[k] != 0;
    return counted;
}

/* --- to text */

enum column { CLAIM, PROFILE, VERDICT, CONTROL, CELLS, COUNTS, SCALE, LEVELS, INFINITE, SECONDS, REASON,
              COMMIT, ERRORS, REFERENCE, RIVAL_COUNTS, RIVAL_LEVELS, RIVAL_ERRORS, RIVAL_INFINITE, COLUMNS };

static void print_counts(FILE *out, const struct standing_side *s)
{
    const char *blank = "";
    for (int k = 0; k < COUNT_KINDS; k++)
        if (s->counts.of[k] != 0) {
            fprintf(out, "%s%s=%.17g", blank, count_name(k), s->counts.of[k]);
            blank = " ";
        }
}

/* Prints an error bound in two digits, rounded up where it has more, so that a bound that was read from a file is
 * printed as it was. */
static void print_bound(FILE *out, double e)
{
    char text[32];
    snprintf(text, sizeof text, "%.2g", e);
    if (strtod(text, NULL) < e * (1 - 1e-12))
        snprintf(text, sizeof text, "%.2g", 1.05 * e);
    fputs(text, out);
}

/* Prints the errors of the levels; nothing where all are 0. */
static void print_errors(FILE *out, const struct standing_side *s)
{
    double most = 0;
    for (int k = 0; k < s->groups; k++)
        most = fmax(most, s->error[k]);
    for (int k = 0; k < s->groups && most > 0; k++) {
        fputs(k ? " " : "", out);
        print_bound(out, s->error[k]);
    }
}

static void print_levels(FILE *out, const struct standing_side *s)
{
    for (int k = 0; k < s->groups; k++)
        fprintf(out, "%s%.11g", k ? " " : "", s->level[k]);
}

/* Writes a field that is a list with blanks between its entries. */
static void put_list(struct listing *l, void (*print)(FILE *, const struct standing_side *),
                     const struct standing_side *s)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    BUG_IF(!out);
    print(out, s);
    memstream_close(out, &text);
    listing_text(l, text);
    free(text);
}

/* Writes a number rounded to these digits; the field is empty where `known` is false. */
static void put_number(struct listing *l, double x, int digits, bool known)
{
    l->digits = digits;
    if (known)
        listing_real(l, x);
    else
        listing_none(l);
}

/* Prints the line without a heading; the columns are those of STANDING_HEADING and enum column. */
void standing_print(FILE *out, const struct standing *s)
{
    struct listing l = { .out = out, .format = RECORD_CSV, .columns = COLUMNS, .nan = "nan",
                         .headed = true };
    listing_text(&l, s->claim);
    listing_text(&l, s->profile);
    listing_text(&l, verdict_word(s->word));
    listing_text(&l, control_words[s->control]);
    listing_count(&l, s->cells);
    put_list(&l, print_counts, &s->own);
    listing_text(&l, scale_words[s->scale]);
    put_list(&l, print_levels, &s->own);
    put_number(&l, s->own.infinite, 17, true);
    put_number(&l, s->seconds, 5, true);
    listing_text(&l, s->reason);
    listing_text(&l, s->commit);
    put_list(&l, print_errors, &s->own);
    put_number(&l, s->reference, 4, s->reference > 0);
    put_list(&l, print_counts, &s->rival);
    put_list(&l, print_levels, &s->rival);
    put_list(&l, print_errors, &s->rival);
    put_number(&l, s->rival.infinite, 17, s->rival.infinite > 0);
}

/* --- from text */

static const char *const column_name[COLUMNS] = {
    "claim", "profile", "verdict", "control", "cells", "counts", "scale", "levels", "infinite",
    "seconds", "reason", "commit", "errors", "reference",
    "rival_counts", "rival_levels", "rival_errors", "rival_infinite"
};

bool standing_columns(const struct csv_line *heading, struct standing_columns *c)
{
    for (int k = 0; k < COLUMNS; k++)
        c->of[k] = csv_line_column(heading, column_name[k]);
    return c->of[CLAIM] >= 0 && c->of[PROFILE] >= 0 && c->of[VERDICT] >= 0;
}

static enum status bad(enum column c, const char *text, const char *expected, struct why *why)
{
    return why_set(why, BAD_INPUT, "column %s: '%.60s': expected %s", column_name[c], text, expected);
}

static enum status parse_word(const char *text, enum word *w, struct why *why)
{
    for (int k = NOT_RUN; k < WORDS; k++)
        if (strcmp(text, verdict_word((enum word)k)) == 0) {
            *w = (enum word)k;
            return OK;
        }
    return bad(VERDICT, text, "a verdict such as SUPPORTED", why);
}

/* *at <- the index of the text in words[n]; 0 where the text is empty. */
static enum status parse_choice(enum column c, const char *text, const char *const *words, int n,
                                const char *expected, int *at, struct why *why)
{
    *at = 0;
    while (*text && *at < n && strcmp(text, words[*at]))
        ++*at;
    return *at < n ? OK : bad(c, text, expected, why);
}

static enum status parse_number(enum column c, const char *text, double *v, struct why *why)
{
    *v = 0;
    if (*text && (!number_parse(text, v) || !isfinite(*v)))
        return bad(c, text, "a number", why);
    return OK;
}

/* Reads words of the form name=value; a count that this program does not have is ignored. */
static enum status parse_counts(enum column c, const char *text, struct counts *counts, struct why *why)
{
    char copy[CSV_FIELD], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strsep(&rest, " "))) {
        char *equals = strchr(word, '=');
        double v;
        if (!*word)
            continue;
        if (!equals || !number_parse(equals + 1, &v))
            return bad(c, word, "NAME=NUMBER words", why);
        *equals = 0;
        for (int k = 0; k < COUNT_KINDS; k++)
            if (strcmp(count_name(k), word) == 0)
                counts->of[k] = v;
    }
    return OK;
}

static enum status parse_levels(enum column c, const char *text, double of[STANDING_GROUPS], int *n,
                                struct why *why)
{
    char copy[CSV_FIELD], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    *n = 0;
    while ((word = strsep(&rest, " ")))
        if (*word && (*n == STANDING_GROUPS || !number_parse(word, &of[(*n)++])))
            return bad(c, word, "at most 16 numbers", why);
    return OK;
}

static const struct side_columns { enum column counts, levels, errors, infinite; }
    own_columns = { COUNTS, LEVELS, ERRORS, INFINITE },
    rival_columns = { RIVAL_COUNTS, RIVAL_LEVELS, RIVAL_ERRORS, RIVAL_INFINITE };

static enum status parse_side(const struct side_columns *at, const char *const text[COLUMNS],
                              struct standing_side *s, struct why *why)
{
    int n;
    TRY(parse_counts(at->counts, text[at->counts], &s->counts, why));
    TRY(parse_levels(at->levels, text[at->levels], s->level, &s->groups, why));
    TRY(parse_levels(at->errors, text[at->errors], s->error, &n, why));
    TRY(parse_number(at->infinite, text[at->infinite], &s->infinite, why));
    return !n || n == s->groups ? OK : bad(at->errors, text[at->errors], "as many numbers as levels", why);
}

enum status standing_parse(const struct csv_line *l, const struct standing_columns *c,
                           struct standing *s, struct why *why)
{
    const char *text[COLUMNS];
    double cells;
    int control, scale;
    for (int k = 0; k < COLUMNS; k++)
        text[k] = csv_line_field(l, c->of[k]);
    memset(s, 0, sizeof *s);
    if (!*text[CLAIM])
        return bad(CLAIM, text[CLAIM], "the id of a claim", why);
    snprintf(s->claim, sizeof s->claim, "%s", text[CLAIM]);
    snprintf(s->profile, sizeof s->profile, "%s", text[PROFILE]);
    snprintf(s->reason, sizeof s->reason, "%s", text[REASON]);
    snprintf(s->commit, sizeof s->commit, "%s", text[COMMIT]);
    TRY(parse_word(text[VERDICT], &s->word, why));
    TRY(parse_choice(CONTROL, text[CONTROL], control_words, CONTROL_MISSED + 1, "-, CAUGHT or MISSED", &control,
                     why));
    TRY(parse_choice(SCALE, text[SCALE], scale_words, SCALE_POINTS + 1, "log, plain or points", &scale, why));
    TRY(parse_number(CELLS, text[CELLS], &cells, why));
    TRY(parse_number(SECONDS, text[SECONDS], &s->seconds, why));
    TRY(parse_number(REFERENCE, text[REFERENCE], &s->reference, why));
    s->cells = (int)cells;
    s->control = (enum standing_control)control;
    s->scale = (enum standing_scale)scale;
    TRY(parse_side(&own_columns, text, &s->own, why));
    return parse_side(&rival_columns, text, &s->rival, why);
}

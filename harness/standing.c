/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standing.c - what a claim came to, in one line of text. */
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge_run.h"
#include "params.h"

static const char *const control_words[] = { "-", "CAUGHT", "MISSED" };

/* --- from records */

struct groups { double sum[STANDING_GROUPS], n[STANDING_GROUPS]; };

static void add(struct groups *g, long rep, double v)
{
    g->sum[rep % STANDING_GROUPS] += v;
    g->n[rep % STANDING_GROUPS]++;
}

static void add_counts(struct standing *s, const struct record *r)
{
    char name[RECORD_NAME];
    double v;
    for (int k = 0; k < COUNT_KINDS; k++) {
        snprintf(name, sizeof name, "count.%s", count_name(k));
        if (record_get(r, name, &v))
            s->counts.of[k] += v;
    }
}

/* What the claim measures in one of its own runs; false: this is none, or nothing is measured. */
static bool own_run(const struct plan *p, struct record *const *record, const struct task *t, double *y)
{
    const struct record *r = record[t->cell];
    struct evaluated e;
    if (t->role != ROLE_MAIN || t->grid >= 0 || !r || r->outcome != OUTCOME_OK ||
        !judge_run(t, p->cell[t->cell], r, &e))
        return false;
    *y = e.y;
    return true;
}

static void put_levels(struct standing *s, const struct groups *g)
{
    s->groups = 0;
    for (int k = 0; k < STANDING_GROUPS; k++)
        if (g->n[k] > 0)
            s->level[s->groups++] = g->sum[k] / g->n[k];
}

void standing_of(const struct plan *p, struct record *const *record, const struct judgement *j, int k,
                 const char *profile, struct standing *s)
{
    const struct planned_claim *c = &p->claim[k];
    struct groups plain = { { 0 } }, logs = { { 0 } };
    double y;
    memset(s, 0, sizeof *s);
    snprintf(s->claim, sizeof s->claim, "%s", c->claim->id);
    snprintf(s->profile, sizeof s->profile, "%s", profile);
    s->word = j->verdict.word;
    s->control = !j->has_control ? CONTROL_NONE : j->caught ? CONTROL_CAUGHT : CONTROL_MISSED;
    s->cells = j->cells;
    s->absent = j->absent;
    s->seconds = j->seconds;
    for (const struct task *t = c->task, *end = t + c->tasks; t < end; t++) {
        if (!own_run(p, record, t, &y))
            continue;
        add_counts(s, record[t->cell]);
        if (!isfinite(y)) {
            s->infinite++;
            continue;
        }
        add(&plain, t->rep, y);
        s->plain |= y <= 0;
        add(&logs, t->rep, log(y));
    }
    put_levels(s, s->plain ? &plain : &logs);
}

/* --- to text */

static void print_counts(FILE *out, const struct counts *c)
{
    const char *blank = "";
    for (int k = 0; k < COUNT_KINDS; k++)
        if (c->of[k] != 0) {
            fprintf(out, "%s%s=%.17g", blank, count_name(k), c->of[k]);
            blank = " ";
        }
}

void standing_print(FILE *out, const struct standing *s)
{
    fprintf(out, "%s,%s,%s,%s,%d,", s->claim, s->profile, verdict_word(s->word),
            control_words[s->control], s->cells);
    print_counts(out, &s->counts);
    fprintf(out, ",%s,", s->plain ? "plain" : "log");
    for (int k = 0; k < s->groups; k++)
        fprintf(out, "%s%.11g", k ? " " : "", s->level[k]);
    fprintf(out, ",%.17g,%.2g,", s->infinite, s->seconds);
    record_write_csv_text(out, s->reason);
    fprintf(out, ",%s\n", s->commit);
}

/* --- from text */

enum column { CLAIM, PROFILE, VERDICT, CONTROL, CELLS, COUNTS, SCALE, LEVELS, INFINITE, SECONDS, REASON,
              COMMIT, COLUMNS };
static const char *const column_name[COLUMNS] = {
    "claim", "profile", "verdict", "control", "cells", "counts", "scale", "levels", "infinite",
    "seconds", "reason", "commit"
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
    for (int k = NOT_RUN; k <= SUSPECT; k++)
        if (strcmp(text, verdict_word((enum word)k)) == 0) {
            *w = (enum word)k;
            return OK;
        }
    return bad(VERDICT, text, "a verdict such as SUPPORTED", why);
}

static enum status parse_control(const char *text, enum standing_control *c, struct why *why)
{
    for (int k = CONTROL_NONE; k <= CONTROL_MISSED; k++)
        if (strcmp(text, control_words[k]) == 0 || (!*text && k == CONTROL_NONE)) {
            *c = (enum standing_control)k;
            return OK;
        }
    return bad(CONTROL, text, "-, CAUGHT or MISSED", why);
}

static enum status parse_number(enum column c, const char *text, double *v, struct why *why)
{
    *v = 0;
    if (*text && (!number_parse(text, v) || !isfinite(*v)))
        return bad(c, text, "a number", why);
    return OK;
}

/* name=value words; a count that this program does not have is passed over. */
static enum status parse_counts(const char *text, struct counts *counts, struct why *why)
{
    char copy[CSV_FIELD], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strsep(&rest, " "))) {
        char *equals = strchr(word, '=');
        double v;
        if (!*word)
            continue;
        if (!equals || !number_parse(equals + 1, &v))
            return bad(COUNTS, word, "NAME=NUMBER words", why);
        *equals = 0;
        for (int k = 0; k < COUNT_KINDS; k++)
            if (strcmp(count_name(k), word) == 0)
                counts->of[k] = v;
    }
    return OK;
}

static enum status parse_levels(const char *text, struct standing *s, struct why *why)
{
    char copy[CSV_FIELD], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strsep(&rest, " ")))
        if (*word && (s->groups == STANDING_GROUPS || !number_parse(word, &s->level[s->groups++])))
            return bad(LEVELS, word, "at most 16 numbers", why);
    return OK;
}

enum status standing_parse(const struct csv_line *l, const struct standing_columns *c,
                           struct standing *s, struct why *why)
{
    const char *text[COLUMNS];
    double cells;
    for (int k = 0; k < COLUMNS; k++)
        text[k] = csv_line_field(l, c->of[k]);
    memset(s, 0, sizeof *s);
    if (!*text[CLAIM])
        return bad(CLAIM, text[CLAIM], "the id of a claim", why);
    snprintf(s->claim, sizeof s->claim, "%s", text[CLAIM]);
    snprintf(s->profile, sizeof s->profile, "%s", text[PROFILE]);
    snprintf(s->reason, sizeof s->reason, "%s", text[REASON]);
    snprintf(s->commit, sizeof s->commit, "%s", text[COMMIT]);
    s->plain = strcmp(text[SCALE], "plain") == 0;
    TRY(parse_word(text[VERDICT], &s->word, why));
    TRY(parse_control(text[CONTROL], &s->control, why));
    TRY(parse_number(CELLS, text[CELLS], &cells, why));
    TRY(parse_number(INFINITE, text[INFINITE], &s->infinite, why));
    TRY(parse_number(SECONDS, text[SECONDS], &s->seconds, why));
    s->cells = (int)cells;
    TRY(parse_counts(text[COUNTS], &s->counts, why));
    return parse_levels(text[LEVELS], s, why);
}

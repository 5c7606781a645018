/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_theorems.c - the table of theorems as text and Markdown: each theorem has a line, and each of its rows a
 * cell in that line. A theorem is shown if the claim of one of its rows was judged. The report also shows a theorem
 * none of whose rows has a claim, if some claim of its paper was judged. */
#include "report/report_theorems.h"

#include <stdio.h>
#include <string.h>

#include "cell/registry.h"
#include "judge/theorems.h"
#include "text/markdown.h"
#include "plan/names.h"

/* The judgements j[n] whose theorems are shown. all: also shown are the theorems without a claim of the papers that
 * these judgements belong to. */
struct asked { const struct judgement *j; int n; bool all; };

static const struct judgement *judgement_of(const struct asked *a, const char *claim)
{
    for (int k = 0; k < a->n; k++)
        if (a->j[k].claim && strcmp(a->j[k].claim->id, claim) == 0)
            return &a->j[k];
    return NULL;
}

static const char *word_of(void *ctx, const char *claim)
{
    const struct judgement *j = judgement_of(ctx, claim);
    return j ? verdict_word(j->verdict.word) : NULL;
}

static bool is_of_paper(const struct theorem *t, const struct asked *a)
{
    for (int k = 0; k < a->n; k++) {
        const char *key = a->j[k].claim ? report_paper_key(&a->j[k]) : "";
        if (*key && strncmp(t->id, key, strlen(key)) == 0 && t->id[strlen(key)] == '/')
            return true;
    }
    return false;
}

static bool is_shown(const struct theorem *t, const struct asked *a)
{
    bool claims = false;
    for (const struct theorem_row *r = t->rows; r && r->axis; r++) {
        claims |= r->claim != NULL;
        if (r->claim && judgement_of(a, r->claim))
            return true;
    }
    return !claims && t->rows && a->all && is_of_paper(t, a);
}

/* Returns the sign that stands for the word of a row in the table of text: + supported, ! contradicted or suspect,
 * ? open, < holds, = identity, . not run, - no claim. */
static char sign_of(const char *word)
{
    static const struct { const char *word; char sign; } signs[] = {
        { "SUPPORTED", '+' }, { "CONTRADICTED", '!' }, { "SUSPECT", '!' }, { "INCONCLUSIVE", '?' },
        { "NOT_RUN", '.' }, { "HOLDS", '<' }, { "IDENTITY", '=' },
    };
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (strcmp(signs[k].word, word) == 0)
            return signs[k].sign;
    return '-';
}

/* Returns the word of a theorem's row and, if an earlier attempt at the row was contradicted, the last such
 * attempt: "SUPPORTED, attempt 2 CONTRADICTED". */
struct row_words { char at[64]; };
static struct row_words row_words(const struct theorem_row *r, struct asked *a)
{
    const struct judgement *j = r->claim ? judgement_of(a, r->claim) : NULL;
    int earlier = j ? attempt_contradicted(j->claim) : 0;
    struct row_words words;
    snprintf(words.at, sizeof words.at, earlier ? "%s, attempt %d CONTRADICTED" : "%s", row_word(r, word_of, a),
             earlier);
    return words;
}

/* Row k of the table of attempts: the k-th of all attempts that the claims of the judgements have replaced. */
static bool attempt_row(const void *of, int k, struct report_row *row)
{
    const struct report_input *in = of;
    const struct attempt *t = NULL;
    if (k < 0)
        return report_heading(row, (const char *const[]){ "row", "number", "claim", "window", "control", "came to",
                              "replaced because", NULL });
    for (int i = 0; i < in->judgements && !t; i++)
        for (int n = 0; (t = attempt_before(in->judgement[i].claim, n)) && k-- > 0; n++)
            ;
    if (!t)
        return false;
    return report_heading(row, (const char *const[]){ t->row, report_say("%d", t->number).at, t->claim, t->window,
                          t->control, t->verdict, t->reason, NULL });
}

const struct text_table report_attempts = { "Attempts", "Attempt k at a row is judged at 2^-k of the levels", NULL,
                                            ~2u, .row = attempt_row };

int report_attempts_count(const struct report_input *in)
{
    struct report_row row;
    int n = 0;
    while (report_row(&report_attempts, in, n, &row))
        n++;
    return n;
}

typedef void put_theorem(FILE *out, const struct theorem *t, struct asked *a);

/* Calls put(out, theorem, a) for every theorem that is shown, in the order of the papers; put NULL: only counts.
 * Returns how many there are. */
static int each_theorem(FILE *out, struct asked *a, put_theorem *put)
{
    const struct theorem *t;
    int n = 0;
    for (int k = 0; (t = theorem_at(k)); k++)
        if (is_shown(t, a)) {
            n++;
            if (put)
                put(out, t, a);
        }
    return n;
}

bool report_theorem_shown(const struct report_input *in, const struct theorem *t)
{
    struct asked a = { in->judgement, in->judgements, true };
    return is_shown(t, &a);
}

int report_claim_index(const struct report_input *in, const char *id)
{
    struct asked a = { in->judgement, in->judgements };
    const struct judgement *j = judgement_of(&a, id);
    return j ? (int)(j - in->judgement) : -1;
}

static const char *not_run(void *ctx, const char *claim) { return NULL; }
const char *report_row_state(const struct theorem_row *r) { return row_word(r, not_run, NULL); }

const char *report_row_words(const struct theorem_row *r)
{
    const char *state = report_row_state(r);
    return strcmp(state, "none") == 0 ? "no claim" : strcmp(state, "data") == 0 ? "no data here" : state;
}

bool report_theorems_any(const struct judgement *j, int n)
{
    struct asked a = { j, n };
    return each_theorem(NULL, &a, NULL) > 0;
}

static void put_text(FILE *out, const struct theorem *t, struct asked *a)
{
    struct theorem_count n = theorem_count(t, word_of, a);
    int at = fprintf(out, "  %-34s %2d of %2d ", t->id, n.supported, n.rows);
    for (const struct theorem_row *r = t->rows; r->axis; r++) {
        struct row_name name = row_name(r);
        if (at + (int)strlen(name.at) + 2 > 110)
            at = fprintf(out, "\n  %-34s          ", "") - 1;
        at += fprintf(out, " %s%c", name.at, sign_of(row_word(r, word_of, a)));
    }
    fputc('\n', out);
}

void report_theorems(FILE *out, const struct judgement *j, int n)
{
    struct asked a = { j, n };
    if (!report_theorems_any(j, n))
        return;
    fputs("theorems: rows supported of all; + supported, ! contradicted, ? open, < holds, = identity, . not run, "
          "- no claim decides it\n", out);
    each_theorem(out, &a, put_text);
}

static void open_markdown(FILE *out, const struct theorem *t, struct asked *a)
{
    struct theorem_count n = theorem_count(t, word_of, a);
    fputs("| ", out);
    markdown_code(out, t->id);
    fprintf(out, " | %d of %d | ", n.supported, n.rows);
}

static void put_row(FILE *out, const struct theorem_row *r, struct asked *a)
{
    markdown_text(out, row_name(r).at);
    fputs(": ", out);
    markdown_text(out, row_words(r, a).at);
    fputs("; ", out);
}

static void put_markdown(FILE *out, const struct theorem *t, struct asked *a)
{
    open_markdown(out, t, a);
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        if (strcmp(row_words(r, a).at, "SUPPORTED"))
            put_row(out, r, a);
    fputs("|\n", out);
}

/* Prints the line of a theorem in the short report: the rows that were run and are not SUPPORTED by name, of the
 * others without a verdict only the number. */
static void put_short_markdown(FILE *out, const struct theorem *t, struct asked *a)
{
    int absent = 0, none = 0;
    open_markdown(out, t, a);
    for (const struct theorem_row *r = t->rows; r->axis; r++) {
        const char *word = row_word(r, word_of, a);
        absent += strcmp(word, "NOT_RUN") == 0;
        none += !r->claim;
        if (r->claim && strcmp(word, "NOT_RUN") && strcmp(word, "SUPPORTED"))
            put_row(out, r, a);
    }
    if (absent)
        fprintf(out, "%d not run; ", absent);
    if (none)
        fprintf(out, "%d without a claim; ", none);
    fputs("|\n", out);
}

void report_theorems_markdown(FILE *out, const struct judgement *j, int n, bool all)
{
    struct asked a = { j, n, true };
    fputs("| theorem | rows supported | the others |\n|---|---|---|\n", out);
    each_theorem(out, &a, all ? put_markdown : put_short_markdown);
}

static void explain_row(FILE *out, const struct theorem_row *r, struct asked *a)
{
    const struct judgement *j = r->claim ? judgement_of(a, r->claim) : NULL;
    fprintf(out, "\n  %-28s %s\n    promise   %s\n", row_name(r).at, row_words(r, a).at, r->promise.text);
    for (const struct row_law *rival = r->rivals; rival < r->rivals + RIVALS_MAX && rival->text; rival++)
        fprintf(out, "    rival     %s%s%s\n", rival->text, rival->whose ? ", " : "",
                rival->whose ? rival->whose : "");
    if (r->claim)
        fprintf(out, "    claim     %s\n", r->claim);
    if (j && j->claim->comparisons)
        fprintf(out, "    level     one of %d comparisons, which hold together at %g%%\n", j->claim->comparisons,
                100 * (1 - FIT_TOGETHER_ALPHA));
    const struct attempt *t;
    for (int k = 0; j && (t = attempt_before(j->claim, k)); k++)
        fprintf(out, "    attempt %d %s: %s\n              %s; control: %s\n              replaced: %s\n",
                t->number, t->claim, t->verdict, t->window, t->control, t->reason);
    if (j && *j->verdict.reason)
        fprintf(out, "    why       %s\n", j->verdict.reason);
    if (r->reason)
        fprintf(out, "    why       %s\n", r->reason);
}

void report_explain_theorem(FILE *out, const char *id, const struct judgement *j, int n)
{
    struct asked a = { j, n };
    const struct theorem *t;
    for (int k = 0; (t = theorem_at(k)); k++) {
        if (!theorem_named(id, t->id))
            continue;
        struct theorem_count c = theorem_count(t, word_of, &a);
        fprintf(out, "%s: %d of %d rows supported\n  %s\n  says      %s\n", t->id, c.supported, c.rows, t->cite,
                t->says);
        if (t->regime)
            fprintf(out, "  regime    %s\n", t->regime);
        for (const struct theorem_row *r = t->rows; r->axis; r++)
            explain_row(out, r, &a);
        fputc('\n', out);
    }
}

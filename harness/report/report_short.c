/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_short.c - the report in a page of Markdown. */
#include "report/report_short.h"

#include <stdlib.h>
#include <string.h>

#include "nights/compare_print.h"
#include "text/markdown.h"
#include "report/report_page.h"
#include "report/report_words.h"

/* Each line of a list has at most 1,000 characters: two lists of 20, and a line a paper. */
enum { SHOWN = 20 };

static void put_rest(FILE *out, int n, int most, const char *what)
{
    if (n > most)
        fprintf(out, "- and %d more %s\n", n - most, what);
}

/* --- since the baseline */

static void put_change(FILE *out, const struct change *x)
{
    char text[400];
    compare_words(x, text, sizeof text);
    fprintf(out, "- **%s** ", change_name(x->kind));
    markdown_code(out, (x->base ? x->base : x->now)->claim);
    fputs(": ", out);
    markdown_text(out, text);
    putc('\n', out);
}

/* Gravest first. */
static void put_gates(FILE *out, const struct comparison *c, int most)
{
    int n = 0;
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++)
            if ((int)x->kind == kind && change_gates(x->kind) && n++ < most)
                put_change(out, x);
    put_rest(out, n, most, "to be accepted or mended");
}

/* What does not have to be accepted, in numbers. */
static void put_counted(FILE *out, const struct comparison *c)
{
    const char *before = "";
    if (c->kinds[CHANGE_NONE] < c->n)
        putc('\n', out);
    for (int kind = CHANGE_NONE + 1; kind <= CHANGE_VERDICT; kind++)
        if (c->kinds[kind] && !change_gates((enum change_kind)kind)) {
            fprintf(out, "%s%d %s", *before ? before : "Besides: ", c->kinds[kind],
                    change_name((enum change_kind)kind));
            before = ", ";
        }
    fputs(*before ? ".\n" : "", out);
}

void report_put_changes(FILE *out, const struct comparison *c, int most)
{
    int gates = comparison_gates(c);
    fprintf(out, "\n## Since the baseline\n\n");
    fprintf(out, "%d of %d claims as before; %s%d to be accepted or mended%s.\n", c->kinds[CHANGE_NONE],
            c->compared, gates ? "**" : "", gates, gates ? "**" : "");
    if (gates)
        putc('\n', out);
    put_gates(out, c, most);
    put_counted(out, c);
}

/* --- against a theorem */

static bool accepted(const struct report_input *in, const struct judgement *j)
{
    for (int k = 0; in->changes && k < in->changes->n; k++) {
        const struct standing *base = in->changes->change[k].base;
        if (base && strcmp(base->claim, j->claim->id) == 0)
            return standings_accept(&(struct standings){ (struct standing *)base, 1 }, j->claim->id,
                                    profile_name(in->profile), j->verdict.word);
    }
    return false;
}

static void put_against(FILE *out, const struct report_input *in)
{
    int n = 0;
    for (int k = 0; k < in->judgements; k++) {
        const struct judgement *j = &in->judgement[k];
        if ((j->verdict.word != CONTRADICTED && j->verdict.word != SUSPECT) || n++ >= SHOWN)
            continue;
        if (n == 1)
            fputs("\n## Against a claim\n\n", out);
        fprintf(out, "- **%s**%s ", verdict_word(j->verdict.word), accepted(in, j) ? ", accepted," : "");
        markdown_code(out, j->claim->id);
        fprintf(out, " (%s): ", kind_name(j->claim->kind));
        markdown_text(out, j->verdict.reason);
        putc('\n', out);
    }
    put_rest(out, n, SHOWN, "against a claim");
}

static void put_failures(FILE *out, const struct report_input *in)
{
    struct failure f;
    int n = 0, k = 0;
    while (report_failure(in, &k, &f))
        n++;
    n += report_failures_untold(in);
    if (n)
        fprintf(out, "\n%d run%s failed or refused, named at the end of the whole report.\n", n,
                n == 1 ? "" : "s");
}

/* --- papers */

static struct report_tally tally_paper(const struct report_input *in, int first)
{
    struct report_tally sum = { 0 };
    for (int k = first; k < in->judgements; k = report_next_of_paper(in->judgement, in->judgements, k)) {
        struct report_tally one = report_tally(&in->judgement[k], 1);
        sum.n++;
        sum.controls += one.controls;
        sum.caught += one.caught;
        for (int w = 0; w <= SUSPECT; w++)
            sum.word[w] += one.word[w];
    }
    return sum;
}

static void put_papers(FILE *out, const struct report_input *in)
{
    fputs("\n## Papers\n\n| paper | claims | supported | contradicted | inconclusive | suspect | not run "
          "| controls caught |\n|---|---:|---:|---:|---:|---:|---:|---:|\n", out);
    for (int k = 0; k < in->judgements; k++) {
        if (!report_opens_paper(in->judgement, k))
            continue;
        struct report_tally t = tally_paper(in, k);
        fputs("| ", out);
        markdown_text(out, report_paper_key(&in->judgement[k]));
        fprintf(out, " | %d | %d | %d | %d | %d | %d | %d of %d |\n", t.n, t.word[SUPPORTED],
                t.word[CONTRADICTED], t.word[INCONCLUSIVE], t.word[SUSPECT], t.word[NOT_RUN], t.caught,
                t.controls);
    }
}

void report_short(FILE *out, const struct report_input *in)
{
    fprintf(out, "# %s\n\n%s.\n", report_title, report_summary(in->judgement, in->judgements).at);
    if (in->changes)
        report_put_changes(out, in->changes, SHOWN);
    put_against(out, in);
    put_failures(out, in);
    put_papers(out, in);
    fprintf(out, "\nProfile %s. Every claim with its figure, numbers and command: `index.html` and `report.md` "
            "beside this page.\n", profile_name(in->profile));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_markdown.c - the report as Markdown, in two forms: in full, with a section for each claim, and as a short
 * report of one page. */

#include "report/report_formats.h"

#include <stdlib.h>
#include <string.h>

#include "judge/calibrate.h"
#include "nights/compare.h"
#include "report/report_page.h"
#include "report/report_theorems.h"
#include "report/report_words.h"
#include "text/markdown.h"
#include "text/memstream.h"

/* How many entries of a list the short report prints; of the others it prints the number. */
enum { SHOWN = 20 };
/* The most characters of four parts of the short report, which has at most 60,000: the tables of theorems and of
 * papers, the list of changes and that of claims with a verdict against them get as much as each usually needs, and
 * 1,000 are left for the other lines. */
enum { MOST_THEOREMS = 25000, MOST_CHANGES = 12000, MOST_AGAINST = 14000, MOST_PAPERS = 8000 };

static void put_rest(FILE *out, int n, int most, const char *what)
{
    if (n > most)
        fprintf(out, "- and %d more %s\n", n - most, what);
}

/* --- changes since the baseline */

static void put_change(FILE *out, const struct change *x)
{
    char text[400];
    compare_words(x, text, sizeof text);
    fprintf(out, "- **%s** ", change_name(x->kind));
    markdown_print(out, "%-s: %s\n", (x->base ? x->base : x->now)->claim, text);
}

/* Prints those changes that must be accepted or mended (gates), gravest first: the first `most` of them, and how
 * many more there are. */
static void put_gates(FILE *out, const struct comparison *c, int most)
{
    int n = 0;
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++)
            if ((int)x->kind == kind && change_gates(x->kind) && n++ < most)
                put_change(out, x);
    put_rest(out, n, most, "to be accepted or mended");
}

/* Prints, for each kind of change that need not be accepted, how many claims changed in this way, if any did. */
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

static void put_changes(FILE *out, const struct comparison *c, int most)
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


/* Prints a command as a block of code, byte for byte, and frees it. */
static void put_command(FILE *out, char *command)
{
    fprintf(out, "    %s\n", command);
    free(command);
}

/* --- tables by paper */

static void put_claim_row(FILE *out, const struct judgement *j, const struct figure *f)
{
    markdown_print(out, "| [%-s", j->claim->id);
    fprintf(out, "](#%s) | ", f->name);
    markdown_print(out, "%s | %s | %s", j->claim->says, report_measured(j->claim, &j->fit).at,
                   report_promised(j->claim).at);
    fprintf(out, " | %s%s | %s |\n", verdict_word(j->verdict.word),
            j->exploratory ? " (EXPLORATORY)" : "", report_control(j));
}

static void put_tables(FILE *out, const struct report_input *in, const struct figure *f)
{
    const struct judgement *j = in->judgement;
    for (int k = 0; k < in->judgements; k++) {
        if (!report_opens_paper(j, k))
            continue;
        markdown_print(out, "\n### %s", report_paper_key(&j[k]));
        if (j[k].paper && j[k].paper->title)
            markdown_print(out, ": %s", j[k].paper->title);
        fputs("\n\n| claim | what the theorem says | measured | promised | verdict | control |\n"
              "|---|---|---|---|---|---|\n", out);
        for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
            put_claim_row(out, &j[i], &f[i]);
    }
}

/* --- tables that every format of the report prints (struct text_table) */

static void put_table(FILE *out, const struct text_table *t, const void *of)
{
    struct report_row row;
    if (!report_row(t, of, 0, &row))
        return;
    report_row(t, of, -1, &row);
    int columns = row.cells;
    fputs("\n|", out);
    for (int c = 0; c < columns; c++)
        markdown_print(out, " %s |", row.cell[c].at);
    fputs("\n|", out);
    for (int c = 0; c < columns; c++)
        fputs(t->words >> c & 1 ? "---|" : "---:|", out);
    for (int k = 0; report_row(t, of, k, &row); k++) {
        fputs("\n|", out);
        for (int c = 0; c < columns; c++)
            markdown_print(out, row.poor >> c & 1 ? " *%s* |" : " %s |", c < row.cells ? row.cell[c].at : "-");
    }
    putc('\n', out);
}

static void put_privacy(FILE *out, const struct report_input *in)
{
    struct report_row row;
    if (!report_row(&report_sections[SECTION_PRIVACY], in, 0, &row))
        return;
    markdown_print(out, "\n## Privacy\n\n%s\n", report_sections[SECTION_PRIVACY].sentence);
    put_table(out, &report_sections[SECTION_PRIVACY], in);
}

static void put_peers(FILE *out, const struct report_input *in)
{
    if (!report_peers_any(in))
        return;
    fputs("\n## Beside other programs\n\n", out);
    if (in->peers_trouble) {
        markdown_print(out, "The file is not read: %s\n", in->peers_trouble);
        return;
    }
    fprintf(out, "%s\n", report_sections[SECTION_PEERS].sentence);
    put_table(out, &report_sections[SECTION_PEERS], in);
}

/* --- one claim */

static void put_figure(FILE *out, const char *shown, const struct figure *f)
{
    if (f->drawn) {
        markdown_print(out, "\n![%s", shown);
        fprintf(out, "](figures/%s.svg)\n", f->name);
    }
    if (f->note[0])
        markdown_print(out, "\n*%s*\n", f->note);
    if (f->data)
        fprintf(out, "\n[data](figures/%s.tsv)", f->name);
    if (f->script)
        fprintf(out, ", [gnuplot script](figures/%s.gp)", f->name);
    fputs(f->data ? "\n" : "", out);
}

static void put_claim(FILE *out, const struct report_input *in, const struct judgement *j,
                      const struct figure *f)
{
    const struct claim *c = j->claim;
    fprintf(out, "\n<a id=\"%s\"></a>\n\n### ", f->name);
    markdown_code(out, c->id);
    fprintf(out, "\n\n**%s.** ", verdict_word(j->verdict.word));
    markdown_print(out, "%s.\n\n> %s\n\n%s", j->verdict.reason, c->says, c->cite);
    fprintf(out, ": %s.\n", report_kind(c->kind));
    if (j->exploratory)
        fputs("\nEXPLORATORY: settings were overridden; it never enters a baseline.\n", out);
    if (j->verdict.next[0])
        markdown_print(out, "\nWhat would decide it: %s.\n", j->verdict.next);
    if (c->remark)
        markdown_print(out, "\nRemark: %s\n", c->remark);
    put_figure(out, report_picture(j).at, f);
    put_table(out, &report_points, j);
    markdown_print(out, "\nRule: %s\n\nControl: %s\n", report_rule(c), report_control_sentence(j).at);
    if (j->cells)
        fprintf(out, "\nRuns: %s\n", report_runs(j, in->canonical).at);
    fputs("\nReproduce:\n\n", out);
    put_command(out, report_command(in, j));
}

/* --- figures and tables of the papers */

static void put_plot(FILE *out, const struct report_input *in, int k, const struct figure *f)
{
    const struct plotted *p = &in->plotted[k];
    markdown_print(out, "\n### %-s\n\n**%s.** %s\n", p->plot->id, p->plot->title, p->plot->says);
    put_figure(out, p->plot->title, f);
    fputs("\n| line | seen |\n|---|---|\n", out);
    for (int i = 0; i < p->lines; i++)
        markdown_print(out, "| %s | %s |\n", p->line[i].line->label, report_line(p, i).at);
    fputs("\nReproduce:\n\n", out);
    put_command(out, report_command(in, p->line[0].runs));
}

static void put_exhibit_cell(FILE *out, const struct report_input *in, const struct exhibit_row *r,
                             int column)
{
    int k = report_table_claim(in, r, column);
    const struct judgement *j = k < 0 ? NULL : &in->judgement[k];
    if (j) {
        markdown_print(out, "%s; promised %s", report_measured(j->claim, &j->fit).at, report_promised(j->claim).at);
        fprintf(out, ": %s", verdict_word(j->verdict.word));
    } else {
        fputs(r->claim[column] ? "not selected" : "-", out);
    }
    fputs(" |", out);
}

static void put_exhibit(FILE *out, const struct report_input *in, const struct exhibit *t)
{
    int columns = 0;
    markdown_print(out, "\n### %-s\n\n**%s.** %s\n\n| method |", t->id, t->title, t->says);
    for (; columns < TABLE_COLUMNS && t->column[columns]; columns++)
        fprintf(out, " %s |", t->column[columns]);
    fputs("\n|---|", out);
    for (int c = 0; c < columns; c++)
        fputs("---|", out);
    for (const struct exhibit_row *r = t->row; r->label; r++) {
        markdown_print(out, "\n| %s | ", r->label);
        for (int c = 0; c < columns; c++)
            put_exhibit_cell(out, in, r, c);
    }
    putc('\n', out);
}

static void put_exhibits(FILE *out, const struct report_input *in, const struct figure *figure)
{
    const struct exhibit *t;
    if (in->plots || report_table_at(in, 0))
        fputs("\n## Figures and tables\n", out);
    for (int k = 0; (t = report_table_at(in, k)); k++)
        put_exhibit(out, in, t);
    for (int k = 0; k < in->plots; k++)
        put_plot(out, in, k, &figure[in->judgements + k]);
}

/* --- runs that failed */

static void put_failures(FILE *out, const struct report_input *in)
{
    struct failure f;
    int failures = 0, k = 0;
    fputs("\n## Runs that failed\n", out);
    for (; report_failure(in, &k, &f); failures++) {
        fprintf(out, "\n%s%s", f.heading, f.message[0] ? ": " : "");
        markdown_print(out, "%s\n\n", f.message);
        put_command(out, report_rerun(f.cell));
    }
    if (!failures && !report_failures_untold(in))
        fputs("\nNone.\n", out);
}

/* --- the sections on what a verdict means and on provenance */

static void put_meaning(FILE *out)
{
    fputs("\n## What a verdict means\n\n", out);
    for (int w = 0; w < WORDS; w++)
        fprintf(out, "- **%s**: %s.\n", verdict_word((enum word)w), verdict_meaning((enum word)w));
    for (const char *const *p = report_meaning; *p; p++)
        fprintf(out, "\n%s\n", *p);
}

static void put_trust(FILE *out, const struct report_input *in)
{
    fprintf(out, "\n## How far the harness itself can be trusted\n\n%s\n", report_trust_sentence());
    if (!calibration_kept->check)
        return;
    put_table(out, &report_sections[SECTION_COVERAGE], in);
    fputs("\nVerdicts, over the cases of a check, each with its own spread:\n", out);
    put_table(out, &report_sections[SECTION_TRUST], in);
}

static void put_provenance(FILE *out, const struct report_input *in)
{
    fputs("\n## Provenance\n\n| | |\n|---|---|\n", out);
    fprintf(out, "| profile | %s |\n", profile_name(in->profile));
    if (in->command && !in->canonical)
        markdown_print(out, "| command | %-s |\n", in->command);
    for (size_t k = 0; k < in->infos; k++) {
        if (!report_tells(in, &in->info[k]))
            continue;
        markdown_print(out, "| %s | %s |\n", in->info[k].key, in->info[k].value);
    }
}

/* --- the claims that are contradicted or suspect, for the short report */

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
        markdown_print(out, "%-s (%s): %s\n", j->claim->id, report_kind(j->claim->kind), j->verdict.reason);
    }
    put_rest(out, n, SHOWN, "against a claim");
}

static void put_failures_counted(FILE *out, const struct report_input *in)
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

/* --- tables of papers and of theorems */

static struct report_tally tally_paper(const struct report_input *in, int first)
{
    struct report_tally sum = { 0 };
    for (int k = first; k < in->judgements; k = report_next_of_paper(in->judgement, in->judgements, k)) {
        struct report_tally one = report_tally(&in->judgement[k], 1);
        sum.n++;
        sum.controls += one.controls;
        sum.caught += one.caught;
        for (int w = 0; w < WORDS; w++)
            sum.word[w] += one.word[w];
    }
    return sum;
}

static void put_papers(FILE *out, const struct report_input *in)
{
    fputs("\n## Papers\n\n| paper | claims | supported | contradicted | inconclusive | suspect | not run "
          "| hold | identities | controls caught |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n", out);
    for (int k = 0; k < in->judgements; k++) {
        if (!report_opens_paper(in->judgement, k))
            continue;
        struct report_tally t = tally_paper(in, k);
        markdown_print(out, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d of %d |\n",
                       report_paper_key(&in->judgement[k]), t.n, t.word[SUPPORTED], t.word[CONTRADICTED],
                       t.word[INCONCLUSIVE], t.word[SUSPECT], t.word[NOT_RUN], t.word[HOLDS], t.word[IDENTITY],
                       t.caught, t.controls);
    }
}

static void put_theorems(FILE *out, const struct report_input *in)
{
    int attempts = report_attempts_count(in);
    if (!report_theorems_any(in->judgement, in->judgements))
        return;
    fputs("\n## Theorems\n\n", out);
    report_theorems_markdown(out, in->judgement, in->judgements, true);
    if (attempts) {
        fprintf(out, "\n<details><summary>Attempts that were replaced: %d</summary>\n", attempts);
        put_table(out, &report_attempts, in);
        fputs("\n</details>\n", out);
    }
}

/* --- the short report */

static void put_short_theorems(FILE *out, const struct report_input *in)
{
    if (!report_theorems_any(in->judgement, in->judgements))
        return;
    fputs("\n## Theorems\n\n", out);
    report_theorems_markdown(out, in->judgement, in->judgements, false);
}

static void put_short_changes(FILE *out, const struct report_input *in)
{
    if (in->changes)
        put_changes(out, in->changes, SHOWN);
}

/* Prints what put(out, in) prints: whole lines of it, at most `most` bytes, and then how many lines are left
 * out. */
static void put_most(FILE *out, const struct report_input *in, size_t most,
                     void (*put)(FILE *out, const struct report_input *in))
{
    char *text = NULL;
    size_t size, rest = 0;
    FILE *whole = open_memstream(&text, &size);
    BUG_IF(!whole);
    put(whole, in);
    memstream_close(whole, &text);
    size_t n = size <= most ? size : most;
    while (n < size && n > 0 && text[n - 1] != '\n')
        n--;
    for (size_t k = n; k < size; k++)
        rest += text[k] == '\n';
    fwrite(text, 1, n, out);
    if (rest)
        fprintf(out, "\n%zu more lines stand in `report.md`.\n", rest);
    free(text);
}

static void put_short(FILE *out, const struct report_input *in)
{
    int attempts = report_attempts_count(in);
    fprintf(out, "# %s\n\n%s.\n", REPORT_TITLE, report_summary(in->judgement, in->judgements).at);
    put_most(out, in, MOST_THEOREMS, put_short_theorems);
    if (attempts)
        fprintf(out, "\nAttempts at rows that were replaced: %d, listed in `report.md`.\n", attempts);
    put_most(out, in, MOST_CHANGES, put_short_changes);
    put_most(out, in, MOST_AGAINST, put_against);
    put_failures_counted(out, in);
    put_most(out, in, MOST_PAPERS, put_papers);
    fprintf(out, "\nProfile %s. Every claim with its figure, numbers and command: `index.html` and `report.md` "
            "beside this page.\n", profile_name(in->profile));
}

void report_markdown(FILE *out, const struct report_input *in, const struct figure *figure)
{
    if (!figure) {
        put_short(out, in);
        return;
    }
    fprintf(out, "# %s\n\n%s.\n", REPORT_TITLE, report_summary(in->judgement, in->judgements).at);
    if (in->changes)
        put_changes(out, in->changes, in->changes->n);
    put_theorems(out, in);
    fputs("\n## Verdicts\n", out);
    put_tables(out, in, figure);
    put_exhibits(out, in, figure);
    put_privacy(out, in);
    fputs("\n## Claims\n", out);
    for (int k = 0; k < in->judgements; k++)
        put_claim(out, in, &in->judgement[k], &figure[k]);
    put_meaning(out);
    put_trust(out, in);
    put_peers(out, in);
    put_failures(out, in);
    put_provenance(out, in);
}

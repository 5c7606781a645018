/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_man.c - the manual page. */
#include "cli/help.h"

#include <argp.h>
#include <string.h>

#include "cli/cli.h"

/* Text of a line: hyphens as typed, no control line, nothing that troff would take for its own. */
static void put(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        switch (*text) {
        case '\\': fputs("\\e", out); break;
        case '-': fputs("\\-", out); break;
        case '`': fputs("\\(ga", out); break;
        case '\'': fputs("\\(aq", out); break;
        case '^': fputs("\\(ha", out); break;
        case '~': fputs("\\(ti", out); break;
        default: fputc(*text, out);
        }
}

static void entry(FILE *out, const char *bold, const char *italic, const char *doc)
{
    fputs(".TP\n\\fB", out);
    put(out, bold);
    fputs("\\fR", out);
    if (italic && *italic) {
        fputs(" \\fI", out);
        put(out, italic);
        fputs("\\fR", out);
    }
    fputs("\n", out);
    put(out, doc);
    fputs("\n", out);
}

struct page {
    FILE *out;
    int group;
};

static void put_option(void *ctx, const struct argp_option *o)
{
    struct page *p = ctx;
    char form[64], doc[400], twin[TWIN_MAX];
    if (o->group != p->group && help_group(o->group)) {
        fputs(".SS ", p->out);
        put(p->out, help_group(o->group));
        fputs("\n", p->out);
    }
    p->group = o->group;
    int n = o->key < 0x80 ? snprintf(form, sizeof form, "-%c, ", o->key) : 0;
    snprintf(form + n, sizeof form - (size_t)n, "--%s", o->name);
    n = snprintf(doc, sizeof doc, "%s", o->doc);
    if (options_has_twin(o))
        snprintf(doc + n, sizeof doc - (size_t)n, " (%s)", options_twin(o->name, twin));
    entry(p->out, form, o->arg, doc);
}

static const char about[] =
    ".SH DESCRIPTION\n"
    "A theorem about an optimisation algorithm promises an excess, a number of\n"
    "gradients or of rounds, a bias or a privacy, as a function of n, d and other\n"
    "axes.\n"
    "The program generates problems, runs the algorithm through oracles that count\n"
    "every query, fits what was measured, and says for each promise whether it is\n"
    "supported, contradicted, or not decidable from this run.\n"
    "Runs are kept in a store and used again; a run that is cut off is taken up by\n"
    "the next one.\n"
    "Data go to standard output, messages to standard error.\n";

static const char values[] =
    ".SH VALUES\n"
    "Numbers are written as 1000, 1e3, 2\\(ha10, 1/8.\n"
    "A \\fIRANGE\\fR is one number, a list A,B,C, or FROM..TO with the number of\n"
    "points that the claim declares; values increase.\n"
    "Names in the selection of claims may be lists and patterns:\n"
    "\\(aqbaselines/gd.*,*/sgd.rate.*\\(aq.\n"
    "A declared axis that is overridden makes a verdict exploratory.\n";

static const char options_head[] =
    ".SH OPTIONS\n"
    "In brackets the variable of the environment that says the same; what is typed\n"
    "wins.\n"
    "A variable of an option without a value is on unless it is empty, 0, no, off or\n"
    "false.\n";

void help_man(FILE *out)
{
    struct page page = { out, 0 };
    fputs(".TH ASSAY 1 \"\" \"assay\" \"User Commands\"\n.SH NAME\n"
          "assay \\- checks by experiment what theorems promise about algorithms\n"
          ".SH SYNOPSIS\n.B assay\n.I VERB\n.RI [ ARGUMENT ...]\n.RI [ OPTION ...]\n", out);
    fputs(about, out);
    fputs(".SH VERBS\n", out);
    for (const struct verb *v = verbs; v->name; v++)
        entry(out, v->name, v->arguments, v->doc);
    fputs(values, out);
    fputs(options_head, out);
    options_each(put_option, &page);
    fputs(".SH ENVIRONMENT\nBeside the variables of the options:\n", out);
    for (const struct help_variable *e = help_variables; e->name; e++)
        entry(out, e->name, NULL, e->doc);
    fputs(".SH \"EXIT STATUS\"\nThe first that applies of 130, 143, 5, 2, 4, 1, 3, 0.\n", out);
    for (const struct help_exit *e = help_exits; e->code; e++)
        entry(out, e->code, NULL, e->doc);
    fputs(".SH FILES\n", out);
    entry(out, "results/store/assay.db", NULL, "the store: every run that was made");
    entry(out, "results/report/", NULL, "the report");
}

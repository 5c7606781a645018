/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_errata.c - what papers print and what holds instead, paper by paper, each with its proof: the
 * numbers that decided, the run that is to be caught, and the command that does it again. */
#include "text/markup.h"
#include "report/report_html.h"
#include "report/report_words.h"

static bool is_erratum(const struct report_input *in, int k)
{
    return in->judgement[k].claim->kind == KIND_ERRATUM;
}

static void put_fact(FILE *out, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "<dt>%s</dt><dd>", what);
    markup_text(out, text);
    fputs("</dd>\n", out);
}

static void put_proof(FILE *out, const struct report_input *in, const struct judgement *j)
{
    const struct claim *c = j->claim;
    bool ran = j->cells > j->absent;
    fputs("<dl class=\"facts\">\n", out);
    put_fact(out, "printed in", c->cite);
    if (ran) {
        put_fact(out, "measured", report_measured(c, &j->fit).at);
        put_fact(out, "holds instead", report_promised(c).at);
        put_fact(out, "control", report_control(j));
        put_fact(out, "what it is", report_variant(c, &c->control).at);
    }
    put_fact(out, ran ? "decided by" : "not decided", j->verdict.reason);
    put_fact(out, "remark", c->remark);
    put_fact(out, "again", report_command(c, in->profile).at);
    fputs("</dl>\n", out);
}

static void put_erratum(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    const struct judgement *j = &in->judgement[k];
    fprintf(out, "<li><a href=\"#%s\"><code>", f[k].name);
    markup_text(out, j->claim->id);
    fputs("</code></a> ", out);
    report_html_word(out, j);
    fputs(" <span class=\"says\">", out);
    markup_math(out, j->claim->says);
    fputs("</span>\n<details><summary>Proof</summary>\n", out);
    put_proof(out, in, j);
    fputs("</details></li>\n", out);
}

/* Those of the paper that k opens. */
static void put_paper(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    int errata = 0;
    for (int i = k; i < in->judgements; i = report_next_of_paper(in->judgement, in->judgements, i)) {
        if (!is_erratum(in, i))
            continue;
        if (!errata++) {
            fputs("<h3>", out);
            markup_text(out, in->judgement[k].paper ? in->judgement[k].paper->title : "");
            fputs("</h3>\n<ul>\n", out);
        }
        put_erratum(out, in, f, i);
    }
    fputs(errata ? "</ul>\n" : "", out);
}

bool report_html_has_errata(const struct report_input *in)
{
    bool errata = false;
    for (int k = 0; k < in->judgements && !errata; k++)
        errata = is_erratum(in, k);
    return errata;
}

void report_html_errata(FILE *out, const struct report_input *in, const struct figure *figure)
{
    if (!report_html_has_errata(in))
        return;
    fputs("<section id=\"errata\" aria-labelledby=\"errata-h\">\n<h2 id=\"errata-h\">Errata</h2>\n"
          "<p>Claims about what a paper prints and what holds instead. SUPPORTED: what is said here holds.</p>\n",
          out);
    for (int k = 0; k < in->judgements; k++)
        if (report_opens_paper(in->judgement, k))
            put_paper(out, in, figure, k);
    fputs("</section>\n", out);
}

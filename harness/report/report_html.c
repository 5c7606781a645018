/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html.c - parts of HTML pages that the report and the pages of harness/studies share: the head, figures,
 * tables of numbers. */
#include "report/report_formats.h"

#include <stdio.h>

#include "report/page/parts.h"
#include "text/markup.h"
#include "text/templates.h"

void report_html_head(FILE *out, const char *title, bool alone)
{
    markup_print(
        out,
        "<!DOCTYPE html>\n"
        "<html lang=\"en\" xml:lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>%-s</title>\n",
        title);
    if (alone)
        fprintf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n",
                template_text(page_parts, "report.css"));
    else
        fputs("<link rel=\"stylesheet\" href=\"report.css\"/>\n<script src=\"report.js\" "
              "defer=\"defer\"></script>\n",
              out);
    fputs("</head>\n", out);
}

void report_html_table(FILE *out, const char *label, const char *caption)
{
    markup_print(out,
                 "<div class=\"box\" role=\"group\" aria-label=\"%s\">\n<table class=\"numbers\">\n"
                 "<caption>%-s</caption>\n<thead><tr>",
                 label, caption);
}

void report_html_table_end(FILE *out) { fputs("</tbody>\n</table>\n</div>\n", out); }

void report_html_figure(FILE *out, const struct figure *f, const char *label)
{
    if (!f->data && !f->note[0])
        return;
    fputs("<figure>\n", out);
    if (f->drawn)
        markup_print(
            out,
            "<object class=\"plate\" type=\"image/svg+xml\" data=\"figures/%s.svg\" role=\"img\" "
            "style=\"aspect-ratio: %d / %d\" aria-label=\"%s\">%s</object>\n",
            f->name, FIGURE_WIDTH, f->height, label, label);
    fputs("<figcaption>", out);
    if (f->note[0])
        markup_print(out, "%s. ", f->note);
    fputs("<span class=\"files\">", out);
    if (f->drawn)
        fprintf(out, "<a href=\"figures/%s.svg\">figure</a>, ", f->name);
    if (f->printed)
        fprintf(out, "<a href=\"figures/%s.pdf\">PDF</a>, <a href=\"figures/%s.tex\">LaTeX</a>, ",
                f->name, f->name);
    if (f->data)
        fprintf(out, "<a href=\"figures/%s.tsv\">data</a>", f->name);
    if (f->script)
        fprintf(out, ", <a href=\"figures/%s.gp\">gnuplot script</a>", f->name);
    fputs("</span></figcaption>\n</figure>\n", out);
}

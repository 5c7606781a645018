/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_peers.c - what other programs take for the same work. */
#include "text/markup.h"
#include "report/report_html.h"
#include "report/report_peers.h"

static const char *kind_of(int column)
{
    return column == 1 || column == 3 ? "" : " class=\"words\"";
}

static void put_row(FILE *out, const struct peer *p)
{
    struct phrase cell[PEER_COLUMNS];
    report_peers_row(p, cell);
    fputs("<tr><th scope=\"row\" class=\"words\">", out);
    markup_text(out, cell[0].at);
    fputs("</th>", out);
    for (int c = 1; c < PEER_COLUMNS; c++) {
        fprintf(out, "<td%s>", kind_of(c));
        markup_text(out, cell[c].at);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct peers *p)
{
    fputs("<p>", out);
    markup_prose(out, report_peers_sentence);
    fputs("</p>\n", out);
    report_html_box(out, report_peers_title);
    fputs("<table class=\"numbers\">\n<caption>Processor time of the same work</caption>\n<thead><tr>", out);
    for (int c = 0; c < PEER_COLUMNS; c++)
        fprintf(out, "<th scope=\"col\"%s>%s</th>", kind_of(c), report_peers_heading[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < p->n; k++)
        put_row(out, &p->of[k]);
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
}

void report_html_peers(FILE *out, const struct report_input *in)
{
    if (!report_peers_any(in))
        return;
    fprintf(out, "<section id=\"peers\" aria-labelledby=\"peers-h\">\n<h2 id=\"peers-h\">%s</h2>\n",
            report_peers_title);
    if (in->peers_trouble) {
        fputs("<p class=\"note\">The file is not read: ", out);
        markup_text(out, in->peers_trouble);
        fputs("</p>\n", out);
    } else {
        put_table(out, in->peers);
    }
    fputs("</section>\n", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_about.c - the page on how to read the report: what a verdict means, how far to trust it, other programs,
 * runs that failed, provenance. */
#include "report/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/calibrate.h"
#include "text/markup.h"

static void put_trust(FILE *out, const struct site *s)
{
    site_put_section(out, "trust", "How far the harness itself can be trusted");
    fputs("<p>", out);
    markup_prose(out, report_trust_sentence());
    fputs("</p>\n", out);
    if (calibration_kept->check) {
        fputs("<details>\n<summary>The tables: false alarms, power, coverage</summary>\n", out);
        site_put_table(out, s, &report_sections[SECTION_TRUST], s->in, NULL, NULL);
        site_put_table(out, s, &report_sections[SECTION_COVERAGE], s->in, NULL, NULL);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}

static void put_peers(FILE *out, const struct site *s)
{
    if (!report_peers_any(s->in))
        return;
    site_put_section(out, "peers", "Beside other programs");
    if (s->in->peers_trouble) {
        markup_print(out, "<p class=\"note\">The file is not read: %s</p>\n", s->in->peers_trouble);
    } else {
        fputs("<p>", out);
        markup_prose(out, report_sections[SECTION_PEERS].sentence);
        fputs("</p>\n", out);
        site_put_table(out, s, &report_sections[SECTION_PEERS], s->in, NULL, NULL);
    }
    fputs("</section>\n", out);
}

static void put_failures(FILE *out, const struct report_input *in)
{
    struct failure f;
    int failures = 0, k = 0;
    site_put_section(out, "failures", "Runs that failed");
    for (; report_failure(in, &k, &f); failures++) {
        char *command = report_rerun(f.cell);
        markup_print(out, "<p>%s%s%s</p>\n", f.heading, f.message[0] ? ": " : "", f.message);
        site_put_command(out, command);
        free(command);
    }
    fputs(failures || report_failures_untold(in) ? "" : "<p>None.</p>\n", out);
    fputs("</section>\n", out);
}

static void put_meaning(FILE *out)
{
    site_put_section(out, "meaning", "What a verdict means");
    fputs("<dl class=\"facts\">\n", out);
    for (int w = 0; w < WORDS; w++) {
        fputs("<dt>", out);
        site_put_word(out, (enum word)w);
        fprintf(out, "</dt><dd>%s.</dd>\n", verdict_meaning((enum word)w));
    }
    fputs("</dl>\n", out);
    for (const char *const *p = report_meaning; *p; p++) {
        fputs("<p>", out);
        markup_prose(out, *p);
        fputs("</p>\n", out);
    }
    fputs("</section>\n", out);
}

static void put_provenance_line(FILE *out, const char *key, const char *value)
{
    markup_print(out, "<dt>%s</dt><dd><code>%s</code></dd>\n", key, value);
}

static void put_provenance(FILE *out, const struct report_input *in)
{
    site_put_section(out, "provenance", "Provenance");
    fputs("<dl class=\"facts\">\n", out);
    put_provenance_line(out, "profile", profile_name(in->profile));
    if (in->command && !in->canonical)
        put_provenance_line(out, "command", in->command);
    for (size_t k = 0; k < in->infos; k++)
        if (report_tells(in, &in->info[k]))
            put_provenance_line(out, in->info[k].key, in->info[k].value);
    fputs("</dl>\n</section>\n", out);
}

void site_put_about(FILE *out, const struct site *s)
{
    site_open(out, s, "How to read it", "about.html");
    site_main(out);
    put_meaning(out);
    put_trust(out, s);
    put_peers(out, s);
    put_failures(out, s->in);
    put_provenance(out, s->in);
    site_close(out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_junit.c - the report as JUnit XML, for programs that count tests. */
#include "report/report_formats.h"

#include <stdlib.h>

#include "text/markup.h"
#include "report/report_page.h"
#include "report/report_words.h"

/* Returns the name of the XML element that tells a test runner the verdict; NULL: the case passed. Verdicts that
 * make the exit code 1 are failures. A contradicted claim of kind evidence is skipped, as an inconclusive theorem
 * is. */
static const char *element_of(const struct judgement *j)
{
    switch (j->verdict.word) {
    case CONTRADICTED: return j->claim->kind == KIND_EVIDENCE ? "skipped" : "failure";
    case SUSPECT:      return "failure";
    case INCONCLUSIVE:
    case NOT_RUN:      return "skipped";
    default:           return NULL;
    }
}

static void put(FILE *out, const char *name, const char *value)
{
    markup_print(out, " %s=\"%s\"", name, value);
}

static void put_outcome(FILE *out, const struct report_input *in, const struct judgement *j,
                        const char *element)
{
    char *command = report_command(in, j);
    fprintf(out, "   <%s", element);
    put(out, "message", j->verdict.reason);
    if (element[0] == 'f')                       /* "failure": it has a type in JUnit, "skipped" has none */
        put(out, "type", verdict_word(j->verdict.word));
    markup_print(out, ">%s: %s\nmeasured %s, promised %s", verdict_word(j->verdict.word), j->verdict.reason,
                 report_measured(j->claim, &j->fit).at, report_promised(j->claim).at);
    if (j->verdict.next[0])
        markup_print(out, "\nnext: %s", j->verdict.next);
    if (j->first_failure[0])
        markup_print(out, "\nfailed: %s", j->first_failure);
    markup_print(out, "\nreproduce: %s", command);
    fprintf(out, "</%s>\n", element);
    free(command);
}

static void put_case(FILE *out, const struct report_input *in, const struct judgement *j)
{
    const char *element = element_of(j);
    fputs("  <testcase", out);
    put(out, "classname", report_paper_key(j));
    put(out, "name", j->claim->id);
    if (!in->canonical)
        fprintf(out, " time=\"%.3f\"", j->seconds);
    fputs(">\n", out);
    if (element)
        put_outcome(out, in, j, element);
    markup_print(out, "   <system-out>%s\ncontrol: %s", j->claim->says, report_control_sentence(j).at);
    if (j->exploratory)
        fputs("\nEXPLORATORY: not the declared settings", out);
    fputs("</system-out>\n  </testcase>\n", out);
}

struct totals { int tests, failures, skipped; double seconds; };

static void add(struct totals *t, const struct judgement *j)
{
    const char *element = element_of(j);
    t->tests++;
    t->failures += element && element[0] == 'f';
    t->skipped += element && element[0] == 's';
    t->seconds += j->seconds;
}

static void put_totals(FILE *out, const struct report_input *in, const struct totals *t)
{
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\"", t->tests, t->failures,
            t->skipped);
    if (!in->canonical)
        fprintf(out, " time=\"%.3f\"", t->seconds);
    fputs(">\n", out);
}

static void put_properties(FILE *out, const struct report_input *in)
{
    fputs("  <properties>\n   <property name=\"profile\"", out);
    put(out, "value", profile_name(in->profile));
    fputs("/>\n", out);
    for (size_t k = 0; k < in->infos; k++) {
        if (!report_tells(in, &in->info[k]))
            continue;
        fputs("   <property", out);
        put(out, "name", in->info[k].key);
        put(out, "value", in->info[k].value);
        fputs("/>\n", out);
    }
    fputs("  </properties>\n", out);
}

void report_junit(FILE *out, const struct report_input *in)
{
    const struct judgement *j = in->judgement;
    struct totals all = { 0 };
    for (int k = 0; k < in->judgements; k++)
        add(&all, &j[k]);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\"", out);
    put_totals(out, in, &all);
    for (int k = 0; k < in->judgements; k++) {
        struct totals t = { 0 };
        if (!report_opens_paper(j, k))
            continue;
        for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
            add(&t, &j[i]);
        fputs(" <testsuite", out);
        put(out, "name", report_paper_key(&j[k]));
        put_totals(out, in, &t);
        put_properties(out, in);
        for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
            put_case(out, in, &j[i]);
        fputs(" </testsuite>\n", out);
    }
    fputs("</testsuites>\n", out);
}

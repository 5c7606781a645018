/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_claim.c - prints one claim on a page: statement, verdict, figure, numbers, rule, control, runs, attempts,
 * and how to repeat it. */
#include "report/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "report/report_theorems.h"
#include "text/markup.h"

/* --- what a run spent */

/* What the runs of a claim spent. kind[n]: the counts that are not 0; mean[k]: the means of count kind[k] over the
 * runs at the ends of the axis, which are the axis values end[0] and end[1]. */
struct spent {
    const char *axis;
    int n, kind[COUNT_KINDS];
    double end[2], mean[COUNT_KINDS][2];
};

/* Returns the record of a task if it is a measured run of the claim's own method and is OK; NULL: it is one of a
 * rival, a control or a search, or did not succeed. */
static const struct record *measured_run(const struct report_input *in, const struct task *t)
{
    const struct record *r = in->record[t->cell];
    return t->role == ROLE_MAIN && t->grid < 0 && r && r->outcome == OUTCOME_OK ? r : NULL;
}

static const struct record *first_run(const struct report_input *in, int claim)
{
    const struct planned_claim *c = claim < in->plan->claims ? &in->plan->claim[claim] : NULL;
    for (int k = 0; c && in->record && k < c->tasks; k++)
        if (measured_run(in, &c->task[k]))
            return measured_run(in, &c->task[k]);
    return NULL;
}

/* mean[2] <- the means of one kind of count over the runs at end[0] and at end[1]. Returns false where the count is
 * zero in all measured runs of the claim, also in those between the ends. */
static bool mean_count(const struct report_input *in, const struct planned_claim *c, int kind,
                       const double *end, double *mean)
{
    char name[RECORD_NAME];
    double runs[2] = { 0, 0 }, v;
    bool any = false;
    mean[0] = mean[1] = 0;
    snprintf(name, sizeof name, "count.%s", count_name(kind));
    for (const struct task *t = c->task; t < c->task + c->tasks; t++) {
        const struct record *r = measured_run(in, t);
        if (!r || !record_get(r, name, &v))
            continue;
        any |= v != 0;
        for (int e = 0; e < 2; e++)
            if (t->axis == end[e]) {
                mean[e] += v;
                runs[e]++;
            }
    }
    for (int e = 0; e < 2; e++)
        mean[e] = runs[e] > 0 ? mean[e] / runs[e] : NAN;
    return any;
}

static struct spent spent_by(const struct report_input *in, int claim)
{
    const char *axis = in->judgement[claim].claim->axis;
    struct spent s = { .axis = axis ? axis : "point", .end = { INFINITY, -INFINITY } };
    if (!first_run(in, claim))
        return s;
    const struct planned_claim *c = &in->plan->claim[claim];
    for (const struct task *t = c->task; t < c->task + c->tasks; t++)
        if (measured_run(in, t)) {
            s.end[0] = fmin(s.end[0], t->axis);
            s.end[1] = fmax(s.end[1], t->axis);
        }
    for (int kind = 0; kind < COUNT_KINDS; kind++)
        if (mean_count(in, c, kind, s.end, s.mean[s.n]))
            s.kind[s.n++] = kind;
    return s;
}

static bool spent_row(const void *of, int k, struct report_row *row)
{
    const struct spent *s = of;
    if (k >= s->n)
        return false;
    report_cell(row, k < 0 ? "counter" : count_name(s->kind[k]));
    for (int e = 0; e < (s->end[0] < s->end[1] ? 2 : 1); e++)
        report_cell(row, k < 0 ? report_say("at %s = %s", s->axis, report_number(s->end[e]).at).at
                               : report_number(s->mean[k][e]).at);
    report_cell(row, k < 0 ? "counts" : count_doc(s->kind[k]));
    return true;
}

/* --- statement and verdict */

/* Returns words for what a check compares. */
static const char *check_words(enum check c)
{
    switch (c) {
    case CHECK_COUNT: return "every run against a formula";
    case CHECK_BOUND: return "every point against a bound";
    case CHECK_RATE: return "the fitted rate against the promised one";
    case CHECK_ORDER: return "two methods against each other";
    case CHECK_MOMENT: return "a mean against a formula";
    case CHECK_LAW: return "frequencies against a law of probability";
    case CHECK_PRIVATE: return "the noise priced, replayed and attacked";
    case CHECK_FIGURE: break;
    }
    return "a figure";
}

static void put_verdict(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    fputs("<p class=\"verdict\">", out);
    site_put_verdict(out, s, k);
    markup_print(out, " %-s.</p>\n", j->verdict.reason);
    if (j->verdict.next[0])
        markup_print(out, "<p class=\"next\">What would decide it: %-s.</p>\n", j->verdict.next);
    if (j->claim->remark)
        markup_print(out, "<p class=\"next\">Remark: %-s</p>\n", j->claim->remark);
    if (j->exploratory)
        fputs("<p class=\"next\">EXPLORATORY: settings were overridden; it never enters a "
              "baseline.</p>\n",
              out);
}

static void put_opening(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    const struct claim *c = j->claim;
    const char *const searched[] = { c->id,      c->says,   c->cite,          c->algo,
                                     c->problem, c->remark, j->verdict.reason };
    const char *name = s->figure[k].name;
    fprintf(out, "<article class=\"claim\" id=\"%s\" aria-labelledby=\"%s-h\"", name, name);
    site_put_keys(out, s, k);
    fputs(" data-text=\"", out);
    for (size_t i = 0; i < sizeof searched / sizeof *searched; i++)
        markup_print(out, "%s ", searched[i]);
    markup_print(
        out,
        "\">\n<h3 id=\"%s-h\"><a href=\"#%s\"><code>%s</code></a></h3>\n<p class=\"says\">%-s</p>\n"
        "<p class=\"note\">%s: %s. ",
        name, name, c->id, c->says, c->cite, report_kind(c->kind));
    site_put_term(out, "check", "Judged by");
    fprintf(out, " %s.</p>\n", check_words(c->check));
    put_verdict(out, s, k);
}

/* --- the table of what a run spent */

static void put_spent(FILE *out, const struct site *site, int claim)
{
    struct spent s = spent_by(site->in, claim);
    const struct text_table t = { "Counters", "Mean of the claim's own runs", NULL,
                                  s.end[0] < s.end[1] ? 1 << 3 : 1 << 2, .row = spent_row };
    if (!s.n)
        return;
    fputs("<details>\n<summary>What a run spent</summary>\n", out);
    site_put_table(out, site, &t, &s, NULL, NULL);
    fputs("</details>\n", out);
}

/* --- rule, control, runs */

static void put_fact(FILE *out, const char *term, const char *name, const char *text)
{
    fputs("<dt>", out);
    site_put_term(out, term, name);
    markup_print(out, "</dt><dd>%-s</dd>\n", text);
}

static void put_facts(FILE *out, const struct report_input *in, const struct judgement *j)
{
    struct decisive d = report_decisive(j->claim, &j->fit);
    fputs("<dl class=\"facts\">\n", out);
    if (d.what[0]) {
        const char *doc = report_measure_doc(j->claim);
        struct phrase of = j->claim->check == CHECK_PRIVATE ? report_say("%s", "")
                                                            : report_say(" of %.300s", report_measure(j->claim).at);
        put_fact(out, "measure", "Quantity",
                 report_say("%s%.200s%s%.150s", d.what, of.at, doc ? ": " : "", doc ? doc : "").at);
        put_fact(out, "fit", "Measured", report_measured(j->claim, &j->fit).at);
        put_fact(out, "band", "Promised", report_promised(j->claim).at);
    }
    put_fact(out, "check", "Rule", report_rule(j->claim));
    put_fact(out, "control", "Control", report_control_sentence(j).at);
    if (j->cells)
        put_fact(out, "cell", "Runs", report_runs(j, in->canonical).at);
    if (j->failed + j->refused)
        fputs("<dt>Failures</dt><dd><a href=\"about.html#failures\">listed with all "
              "others</a></dd>\n",
              out);
    fputs("</dl>\n", out);
}

/* Prints the rows for claim k of tables that the report has for many claims: its privacy, and the attempts that it
 * replaced. */
static void put_beside(FILE *out, const struct site *s, int k)
{
    struct report_input one = *s->in;
    one.judgement = &s->in->judgement[k];
    one.judgements = 1;
    struct site alone = { &one, &s->figure[k], &s->theorem[k], s->beside };
    int attempts = report_attempts_count(&one);
    site_put_table(out, &alone, &report_sections[SECTION_PRIVACY], &one, NULL, NULL);
    if (!attempts)
        return;
    fprintf(out, "<details>\n<summary>Attempts that were replaced: %d</summary>\n", attempts);
    site_put_table(out, &alone, &report_attempts, &one, NULL, NULL);
    fputs("</details>\n", out);
}

/* Prints the first run of a claim: the fingerprint of its sources, and the command that repeats it bit by bit. */
static void put_first_run(FILE *out, const struct report_input *in, int claim)
{
    const struct record *r = first_run(in, claim);
    if (!r)
        return;
    char *command = report_rerun(r->cell);
    markup_print(
        out,
        "<details>\n<summary>The first of its runs</summary>\n<p>Sources that can change its "
        "numbers: <code>%s</code></p>\n",
        r->fingerprint);
    site_put_command(out, command);
    fputs("</details>\n", out);
    free(command);
}

void site_put_article(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    char *command = report_command(s->in, j);
    put_opening(out, s, k);
    report_html_figure(out, &s->figure[k], report_picture(j).at);
    site_put_table(out, s, &report_points, j, NULL, NULL);
    put_facts(out, s->in, j);
    site_put_graphs(out, s, k);
    put_spent(out, s, k);
    put_first_run(out, s->in, k);
    put_beside(out, s, k);
    fputs("<p class=\"label\">Reproduce</p>\n", out);
    site_put_command(out, command);
    free(command);
    fputs("</article>\n", out);
}

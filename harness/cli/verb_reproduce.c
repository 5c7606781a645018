/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_reproduce.c - repeats the experiments of a paper, and prints the results beside the published numbers. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "studies/contest_run.h"
#include "pool/interrupt.h"
#include "cell/registry.h"
#include "plan/names.h"
#include "studies/reproduce.h"

static enum status find_paper(const struct options *o, const struct paper **paper, struct why *why)
{
    *paper = o->arguments ? paper_by_key(o->argument[0]) : NULL;
    if (*paper && (*paper)->reproduction)
        return OK;
    why_set(why, BAD_INPUT, "reproduce%s%s: expected a paper with experiments:",
            o->arguments ? " " : "", o->arguments ? o->argument[0] : "");
    for (const struct paper *const *p = registry_papers(); *p; p++) {
        size_t n = strlen(why->text);
        if ((*p)->reproduction)
            snprintf(why->text + n, sizeof why->text - n, " %s", (*p)->key);
    }
    return BAD_INPUT;
}

/* Returns the exit code for trials that failed, or were left out because their data are missing. */
static int exit_code(const struct trials *t)
{
    bool missing = false, failed = false;
    for (int k = 0; k < t->count; k++) {
        missing |= *t->at[k].missing != 0;
        failed |= t->at[k].outcome.failed > 0;
    }
    return failed ? EXIT_FAILED_CELL : missing ? EXIT_INCOMPLETE : EXIT_OK;
}

static struct study_request study_of(const struct options *o)
{
    return (struct study_request){ options_request(o), o->output, o->command, o->format };
}

static int reproduce_contest(const struct options *o, const struct paper *paper)
{
    const struct contest *what = (const struct contest *)paper->reproduction;
    const struct study_request q = study_of(o);
    struct contest_table t = { 0 };
    struct contest_answer a;
    struct why why = { "" };
    struct page_name name;
    int code = 0;
    enum status s = contest_run(&q, what, &t, &code, &why);
    if (s == OK && !code) {
        contest_conclude(&t, &a);
        contest_print(&q, &t, &a);
        s = contest_page(&q, paper, &t, &a, &name, &why);
        if (s == OK)
            fprintf(stderr, "report: %s/%s.html\n", o->output, name.at);
    }
    bool failed = t.failed > 0;
    contest_free(&t);
    return s != OK ? complain(s, &why) : code ? code : failed ? EXIT_FAILED_CELL : EXIT_OK;
}

static int reproduce(struct options *o, const struct paper *paper, struct trials *published,
                     struct trials *tuned, struct why *why)
{
    const struct study_request q = study_of(o);
    int code = 0;
    enum status s = trials_published(published, why);
    if (s == OK)
        s = trials_run(&q, published, &code, why);
    if (s == OK && !code && o->tune)
        s = trials_tune(&q, paper->reproduction, published, tuned, &code, why);
    if (s != OK)
        return complain(s, why);
    reproduce_print(&q, published, tuned);
    if (code)
        return code;
    s = reproduce_page(&q, paper, published, tuned, why);
    if (s != OK)
        return complain(s, why);
    fprintf(stderr, "report: %s/%s.html\n", o->output, reproduce_name(paper, published).at);
    return exit_code(tuned) == EXIT_FAILED_CELL ? EXIT_FAILED_CELL : exit_code(published);
}

int verb_reproduce(struct options *o)
{
    const struct paper *paper;
    struct trials published, tuned;
    struct why why = { "" };
    enum status s = find_paper(o, &paper, &why);
    if (s != OK)
        return complain(s, &why);
    if (!paper->reproduction->panels)
        return reproduce_contest(o, paper);
    trials_begin(&published, paper->reproduction, &o->select);
    trials_begin(&tuned, paper->reproduction, &o->select);
    int code = reproduce(o, paper, &published, &tuned, &why);
    trials_end(&published);
    trials_end(&tuned);
    return code;
}

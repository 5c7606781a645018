/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_many.c - what many judgements say together, and where the papers among them begin. */
#include <stdio.h>
#include <string.h>

#include "report/report_words.h"

struct report_tally report_tally(const struct judgement *j, int n)
{
    struct report_tally t = { .n = n };
    for (int k = 0; k < n; k++) {
        t.word[j[k].verdict.word]++;
        bool ran = j[k].has_control && j[k].control.word != NOT_RUN,
             ran2 = j[k].has_control2 && j[k].control2.word != NOT_RUN;
        t.controls += ran + ran2;
        t.caught += j[k].has_control2 ? (ran && verdict_caught(&j[k].control)) +
                                        (ran2 && verdict_caught(&j[k].control2))
                                      : j[k].has_control && j[k].caught;
        t.exploratory += j[k].exploratory;
        t.no_data += j[k].no_data;
        t.dropped += j[k].dropped;
    }
    return t;
}

struct phrase report_summary(const struct judgement *j, int n)
{
    struct report_tally t = report_tally(j, n);
    char no_data[80] = "";
    struct phrase p;
    if (t.no_data && t.dropped)
        snprintf(no_data, sizeof no_data, " (%d for want of data, %d of time)", t.no_data, t.dropped);
    else if (t.no_data || t.dropped)
        snprintf(no_data, sizeof no_data, " (%d for want of %s)", t.no_data + t.dropped,
                 t.no_data ? "data" : "time");
    snprintf(p.at, sizeof p.at, "%d claim%s: %d supported, %d contradicted, %d inconclusive, "
             "%d suspect, %d not run%s; controls: %d of %d caught", t.n, t.n == 1 ? "" : "s",
             t.word[SUPPORTED], t.word[CONTRADICTED], t.word[INCONCLUSIVE], t.word[SUSPECT],
             t.word[NOT_RUN], no_data, t.caught, t.controls);
    return p;
}

const char *report_paper_key(const struct judgement *j)
{
    return j->paper ? j->paper->key : "no paper";
}

/* text behind head and what separates them, or all of it. */
static const char *behind(const char *text, const char *head, const char *between)
{
    size_t n = head ? strlen(head) : 0, m = strlen(between);
    bool starts = n && text && strncmp(text, head, n) == 0 && strncmp(text + n, between, m) == 0;
    return starts ? text + n + m : text;
}

const char *report_short_id(const struct judgement *j)
{
    return behind(j->claim->id, report_paper_key(j), "/");
}

const char *report_short_cite(const struct judgement *j)
{
    return behind(j->claim->cite, j->paper ? j->paper->cite : NULL, ", ");
}

int report_next_of_paper(const struct judgement *j, int n, int k)
{
    int next = k + 1;
    while (next < n && j[next].paper != j[k].paper)
        next++;
    return next;
}

bool report_opens_paper(const struct judgement *j, int k)
{
    for (int i = 0; i < k; i++)
        if (j[i].paper == j[k].paper)
            return false;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_sweep.c - the verb sweep, which runs methods over axes, and shows the results as a table and a page. */
#include <stdio.h>
#include <string.h>

#include "cli/judged.h"
#include "cli/typed.h"
#include "pool/interrupt.h"
#include "studies/sweep.h"

/* Returns the count that the plots against cost have as their cost. */
static const char *cost_of(const struct plan *p)
{
    for (int k = 0; k < p->lines; k++)
        if (p->claim[k].plot->x)
            return p->claim[k].plot->x;
    return "sample_grads";
}

static int show(struct options *o, struct judged *j, const struct execution *x)
{
    const struct study_request q = { options_request(o), o->output, o->command, o->format };
    struct why why = { "" };
    struct sweep s;
    print_ran(&j->plan, x);
    if (x->interrupted)
        return interrupt_code();
    if (typed_times(o)) {
        fprintf(stderr, "times are processor seconds over those of the yardstick, %.3g s here; cells ran one by "
                "one\n", x->reference);
        sweep_put_times(&j->plan, j->record, x->reference);
    }
    judge_plan(&j->plan, j->record, j->judgement);
    sweep_make(&j->plan, j->record, j->judgement, cost_of(&j->plan), &s);
    sweep_print(&q, &s);
    enum status status = sweep_page(&q, &s, &why);
    int code = s.failed ? EXIT_FAILED_CELL : s.refused || s.missing ? EXIT_INCOMPLETE : EXIT_OK;
    sweep_free(&s);
    if (status != OK)
        return complain(status, &why);
    fprintf(stderr, "report: %s/index.html\n", o->output);
    return code;
}

int verb_sweep(struct options *o)
{
    static struct typed t;
    struct why why = { "" };
    const struct paper *paper;
    enum status s = typed_read(o, &t, &why);
    if (s == OK)
        s = typed_sweep(&t, &paper, &why);
    struct selection asked = o->select;
    if (typed_times(o)) {                /* times are comparable only if cells run one by one, and in this run */
        o->jobs = 1;
        o->fresh = true;
    }
    if (s == OK)
        o->select = typed_selection(&t);
    for (int k = 0; s == OK && k < t.axes; k++)
        o->select.range[o->select.ranges++] = t.axis[k];
    int code = s == OK ? judged_run(o, show) : complain(s, &why);
    o->select = asked;
    typed_end(&t, code);
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge/rounds.h"

/* More replicates help an open verdict, of the claim or of its control; not one that lacks runs, nor
 * one that is settled. */
static bool wants_more(const struct plan *p, struct record *const *record, int k, struct judgement *list)
{
    const struct planned_claim *c = &p->claim[k];
    if (!c->tasks || c->round + 1 >= fit_rounds(c->claim) || c->claim->deterministic)
        return false;
    const struct judgement *j = judge_one(p, record, k, list);
    return j->verdict.word == INCONCLUSIVE && !j->failed && !j->refused && !j->absent;
}

enum status rounds_next(const struct selection *s, struct plan *p, struct record *const *record,
                        struct judgement *list, bool *grew, struct why *why)
{
    TRY(plan_next(s, p, record, grew, why));
    if (*grew)
        return OK;
    int before = p->cells;
    for (int k = 0; k < p->claims; k++)
        if (wants_more(p, record, k, list))
            TRY(plan_double(s, p, k, record, why));
    *grew = p->cells > before;
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_extrap.c - what claims measured, as the JSON lines that Extra-P reads. */
#include "cli/export_extrap.h"

#include <math.h>
#include <string.h>

#include "judge/judge_run.h"
#include "oracle.h"
#include "record/listing.h"

struct metric { const char *name; int count; };      /* count: its kind; -1: the measure; -2: seconds */

static bool value_of(const struct plan *p, const struct task *t, const struct record *r,
                     const struct metric *m, double *v)
{
    struct evaluated e;
    char name[RECORD_NAME];
    if (m->count == -2) {
        *v = r->seconds;
        return true;
    }
    if (m->count >= 0) {
        snprintf(name, sizeof name, "count.%s", m->name);
        return record_get(r, name, v) && *v != 0;
    }
    if (!judge_run(t, p->cell[t->cell], r, &e))
        return false;
    *v = e.y;
    return isfinite(*v);
}

/* The line of the claim's own runs at one point; false: no run has a number, and nothing is printed. */
static bool put_line(FILE *out, const struct plan *p, struct record *const *record,
                     const struct planned_claim *c, int point, const struct metric *m)
{
    struct json j = { .out = out, .digits = 17 };
    bool any = false;
    for (const struct task *t = c->task, *end = t + c->tasks; t < end; t++) {
        const struct record *r = record[t->cell];
        double v;
        if (t->role != ROLE_MAIN || t->grid >= 0 || t->point != point || !r || r->outcome != OUTCOME_OK ||
            !value_of(p, t, r, m, &v))
            continue;
        if (!any) {
            json_open(&j, NULL, '{');
            json_open(&j, "params", '{');
            json_real(&j, c->claim->axis, t->axis);
            json_close(&j, '}');
            json_text(&j, "callpath", c->claim->id);
            json_text(&j, "metric", m->name);
            json_open(&j, "value", '[');
        }
        json_real(&j, NULL, v);
        any = true;
    }
    if (any)
        fputs("]}\n", out);
    return any;
}

static long put_claim(FILE *out, const struct plan *p, struct record *const *record,
                      const struct planned_claim *c)
{
    long lines = 0;
    for (int point = 0; point < c->points; point++) {
        lines += put_line(out, p, record, c, point, &(struct metric){ c->claim->measure, -1 });
        for (int k = 0; k < COUNT_KINDS; k++)
            if (strcmp(count_name(k), c->claim->measure))
                lines += put_line(out, p, record, c, point, &(struct metric){ count_name(k), k });
        lines += put_line(out, p, record, c, point, &(struct metric){ "seconds", -2 });
    }
    return lines;
}

enum status export_extrap(FILE *out, const struct plan *p, struct record *const *record, long *lines,
                          struct why *why)
{
    const struct claim *first = NULL;
    *lines = 0;
    for (int k = 0; k < p->claims; k++) {
        const struct claim *c = p->claim[k].claim;
        if (!c->axis || !c->measure || !p->claim[k].tasks)
            continue;
        if (first && strcmp(first->axis, c->axis))
            return why_set(why, BAD_INPUT, "export: %.100s has the axis %.20s, %.100s %.20s: expected claims of "
                           "one axis, see --claim", first->id, first->axis, c->id, c->axis);
        first = first ? first : c;
    }
    for (int k = 0; k < p->claims; k++)
        if (p->claim[k].claim->axis && p->claim[k].claim->measure)
            *lines += put_claim(out, p, record, &p->claim[k]);
    return *lines ? OK : why_set(why, BAD_INPUT, "export: the store holds no run of these claims: run `assay "
                                 "verify` first");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanism.c - the mechanism of a method that a claim is about, and the runs without it. */
#include "plan/mechanism.h"

#include "cell/registry.h"
#include "plan/measure.h"

/* The mechanisms and notes that a method (an algorithm or an estimator) declares. known: a method of the name that
 * was looked up exists. */
struct method { const struct method_mechanism *mechanisms; const struct note *notes; bool known; };

static struct method method_of(const char *name)
{
    const struct algo *a = registry_algo(name);
    const struct estimator *e = a ? NULL : registry_estimator(name);
    return a ? (struct method){ a->mechanisms, a->notes, true }
         : e ? (struct method){ e->mechanisms, e->notes, true } : (struct method){ NULL, NULL, false };
}

const struct method_mechanism *claim_mechanism(const struct claim *c)
{
    for (const struct method_mechanism *m = c->tests ? method_of(c->algo).mechanisms : NULL; m && m->name; m++)
        if (strcmp(m->name, c->tests) == 0)
            return m;
    return NULL;
}

static bool has_setting(const struct variant *v, const char *name, double value, const char *text)
{
    for (const struct setting *s = v->with; s < v->with + SETTINGS_MAX && s->name; s++)
        if (strcmp(s->name, name) == 0)
            return text ? s->text && strcmp(s->text, text) == 0 : s->value == value && s->power == 0 && !s->of;
    return false;
}

/* Are the runs of variant v of a claim those without mechanism m? They are if they have all settings that switch it
 * off, or are runs of the method that lacks it. */
static bool is_off(const struct method_mechanism *m, const struct variant *v)
{
    bool off = m->off[0].name;
    if (m->without && v->algo && strcmp(v->algo, m->without) == 0)
        return true;
    for (int k = 0; k < SWITCHES_MAX && m->off[k].name; k++)
        off = off && has_setting(v, m->off[k].name, m->off[k].value, m->off[k].text);
    return off;
}

int claim_control_without(const struct claim *c)
{
    const struct method_mechanism *m = claim_mechanism(c);
    return !m ? 0 : is_off(m, &c->control) ? 1 : is_off(m, &c->control2) ? 2 : 0;
}

static bool records(const struct note *n, const char *name)
{
    while (n && n->name && strcmp(n->name, name))
        n++;
    return n && n->name;
}

enum status mechanism_check(const struct claim *c, struct why *why)
{
    struct method of = method_of(c->algo);
    bool none = c->tests && strcmp(c->tests, "none") == 0;
    if (none && !c->tests_none)
        return why_set(why, BAD_INPUT, "it tests no mechanism: expected the reason (tests_none)");
    if (of.known && c->tests && !none && !claim_mechanism(c))
        return why_set(why, BAD_INPUT, "it tests '%s': expected a mechanism that %s declares", c->tests,
                       c->algo);
    if (of.known && c->acts.note && !(strncmp(c->acts.note, "note.", 5) == 0 &&
                                      records(of.notes, c->acts.note + 5)))
        return why_set(why, BAD_INPUT, "it acts by '%s': expected note.NAME of a note that %s records",
                       c->acts.note, c->algo);
    if (c->acts.least && c->acts.least < ACTS_LEAST && !c->acts.why)
        return why_set(why, BAD_INPUT, "it acts in %g of the iterations: expected at least %g, or the reason",
                       c->acts.least, ACTS_LEAST);
    if (c->reaches.measure && !(measure_of_answer(c->reaches.measure) && c->reaches.probability > 0))
        return why_set(why, BAD_INPUT, "it reaches '%s' with probability %g: expected a property of the answer, "
                       "and a probability above 0", c->reaches.measure, c->reaches.probability);
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed_claim.c - makes the claim that the options of `test` promise. */
#include "cli/typed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"
#include "judge/rules.h"
#include "judge/theorems.h"
#include "plan/mechanism.h"

/* REPS: replicates to begin with, as for the claims of papers. ROUNDS: rounds, each of which doubles the replicates
 * while the verdict is open. */
enum { REPS = 16, ROUNDS = FIT_ROUNDS_MAX };

static const struct param *params_of(const char *algo)
{
    const struct algo *a = registry_algo(algo);
    const struct estimator *e = a ? NULL : registry_estimator(algo);
    return a ? a->params : e ? e->params : NULL;
}

/* --- variants, the values of --control and --against, for example "problem.decades=0.3,algo.c=n^-0.25", "gd",
 * "gd,algo.step=0.1" */

static bool is_scoped(const char *name)
{
    static const char *const scopes[] = { "problem.", "algo.", "goal.", "run." };
    for (int k = 0; k < 4; k++)
        if (strncmp(name, scopes[k], strlen(scopes[k])) == 0 && name[strlen(scopes[k])])
            return true;
    return false;
}

static enum status add_pair(const struct typed *t, const char *option, const char *name, const char *value,
                            struct typed_settings *s, struct variant *v, struct why *why)
{
    struct setting one = { .name = name };
    if (strcmp(name, "algorithm") == 0 || strcmp(name, "problem") == 0) {
        bool algo = *name == 'a';
        if (algo ? !params_of(value) : !registry_problem(value))
            return why_set(why, BAD_INPUT, "--%s: unknown %s '%.60s'", option, name, value);
        *(algo ? &v->algo : &v->problem) = value;
        return OK;
    }
    if (!is_scoped(name))
        return why_set(why, BAD_INPUT, "--%s %.60s=%.60s: expected a name as problem.X, algo.X, goal.X or run.X",
                       option, name, value);
    if (t->search.kind && strcmp(t->search.name, name) == 0)
        return why_set(why, BAD_INPUT, "--%s %.60s=%.60s: --tune chooses this setting, expected another", option,
                       name, value);
    if (!promise_setting(value, t->axis[0].name, &one.value, &one.power))
        one.text = value;
    return typed_add(s, &one, why);
}

/* Reads a variant: a rival or a control. If its method is not the claim's, it also gets the settings that end a run
 * of this method (typed_ending). */
static enum status read_variant(const struct typed *t, const char *option, const char *text, struct variant *v,
                                struct why *why)
{
    struct typed_settings s = { .n = 0 };
    char *rest = typed_text("%s", text), *word;
    *v = (struct variant){ .why = typed_text("as typed: %s", text) };
    while ((word = strsep(&rest, ","))) {
        char *equals = strchr(word, '=');
        if (equals) {
            *equals = '\0';
            TRY(add_pair(t, option, word, equals + 1, &s, v, why));
        } else if (params_of(word)) {
            v->algo = word;
        } else {
            return why_set(why, BAD_INPUT, "--%s %.80s: expected a method or NAME=VALUE, not '%.60s'", option, text,
                           word);
        }
    }
    if (v->algo && strcmp(v->algo, t->algo[0])) {
        struct typed_settings all;
        int own = s.n;
        TRY(typed_common(t, t->problem[0], v->algo, &all, why));
        for (int k = 0; k < own; k++)
            TRY(typed_add(&all, &s.at[k], why));
        int before = all.n;
        TRY(typed_ending(t, v->problem ? v->problem : t->problem[0], v->algo, &t->axis[0], &all, why));
        for (int k = before; k < all.n; k++)
            TRY(typed_add(&s, &all.at[k], why));
    }
    memcpy(v->with, s.at, sizeof v->with);
    return OK;
}

/* --- the mechanism that the claim is about */

static const struct method_mechanism *mechanisms_of(const char *algo)
{
    const struct algo *a = registry_algo(algo);
    const struct estimator *e = a ? NULL : registry_estimator(algo);
    return a ? a->mechanisms : e ? e->mechanisms : NULL;
}

/* Returns the names of the mechanisms of a method, "tree, clipping"; "" where it declares none. */
static const char *mechanism_names(const char *algo)
{
    static char text[200];
    *text = '\0';
    for (const struct method_mechanism *m = mechanisms_of(algo); m && m->name; m++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", m->name);
    return text;
}

/* Returns the run without the mechanism: with the settings that switch it off or, where it declares none, by the
 * method that lacks it. */
static struct variant without(const struct method_mechanism *m)
{
    struct variant v = { .why = typed_text("without its mechanism %s", m->name) };
    for (int k = 0; k < SWITCHES_MAX && m->off[k].name; k++)
        v.with[k] = (struct setting){ .name = m->off[k].name, .value = m->off[k].value, .text = m->off[k].text };
    if (!m->off[0].name)
        v.algo = m->without;
    return v;
}

/* Sets the mechanism. A named mechanism gets the run without it as a control, unless a typed control is that run.
 * Without a name the claim is about the method as a whole: its verdict then says that the promise holds, and
 * nothing about what makes it hold. */
static enum status set_mechanism(const struct typed *t, struct claim *c, struct why *why)
{
    const char *name = t->o->experiment.mechanism, *names = mechanism_names(c->algo);
    if (!name || strcmp(name, "none") == 0) {
        c->tests = "none";
        c->tests_none = !*names ? typed_text("%s declares no mechanism", c->algo)
                                : "the promise was typed about the method as a whole";
        if (*names)
            c->remark = typed_text(
                "The verdict is about %s as a whole, and not about what makes it so: --mechanism names "
                "one of its mechanisms (%s), whose absence must then break the promise.",
                c->algo, names);
        return OK;
    }
    c->tests = name;
    const struct method_mechanism *m = claim_mechanism(c);
    if (!m)
        return why_set(why, BAD_INPUT, "--mechanism %.60s: expected none%s%s", name,
                       *names ? " or one that the method declares: " : ", as the method declares no mechanism",
                       names);
    if (claim_control_without(c))
        return OK;
    if (variant_given(&c->control2))
        return why_set(why, BAD_INPUT,
                       "--mechanism %.60s: expected one --control at most, or one that switches it off", name);
    *(variant_given(&c->control) ? &c->control2 : &c->control) = without(m);
    return OK;
}

/* --- one claim along one axis */

static enum status check_one(const struct typed *t, struct why *why)
{
    const struct options *o = t->o;
    if (t->algos > 1)
        return why_set(why, BAD_INPUT, "--algorithm %.80s: expected one method, and others by --against",
                       o->select.algorithm);
    if (t->problems > 1)
        return why_set(why, BAD_INPUT, "--problem %.80s: expected one problem", o->select.problem);
    if (t->axes > 1)
        return why_set(why, BAD_INPUT, "--%s: expected one axis of several values, --%s is one already",
                       t->axis[1].name, t->axis[0].name);
    if (!t->axis[0].ends)
        return why_set(why, BAD_INPUT, "--%s: expected a window FROM..TO or FROM..TO:POINTS", t->axis[0].name);
    if (!o->experiment.promise && !o->experiment.against)
        return why_set(why, BAD_INPUT, "%s: expected --promise LAW or --against METHOD", o->verb);
    return OK;
}

static enum status set_promise(const struct typed *t, struct typed_claim *c, struct why *why)
{
    const struct experiment *e = &t->o->experiment;
    c->names = (struct promise_names){ c->claim->axis, params_of(t->algo[0]), .others = t->fixes };
    for (int k = 0; k < t->fixes; k++) {
        c->names.other[k] = typed_text("%s", t->fixed[k].name);
        c->names.value[k] = t->fixed[k].value[0];
    }
    if (!e->promise) {
        c->claim->check = CHECK_ORDER;
        c->claim->says = typed_text("%s of %s is below that of %s", t->measure, t->algo[0], e->against);
        return OK;
    }
    TRY(promise_parse(typed_option(t, "promise", e->promise).at, e->promise, &c->names, &c->promise, why));
    if (c->promise.check == CHECK_BOUND && e->against)
        return why_set(why, BAD_INPUT, "--against %.60s: a bound has no rival, expected a rate or no --promise",
                       e->against);
    if (c->promise.law.form == LAW_SUM && e->against)
        return why_set(why, BAD_INPUT, "--against %.60s: expected one power as the law of the ratio", e->against);
    promise_use(&c->promise, &c->names, c->claim);
    return OK;
}

/* Returns what is measured and the values of the axes that are lists: "excess.d=10". */
static const char *quantity_of(const struct typed *t)
{
    char values[120] = "", number[32];
    for (int k = 0; k < t->fixes; k++)
        if (!t->fixed[k].ends)
            snprintf(values + strlen(values), sizeof values - strlen(values), ".%s=%s", t->fixed[k].name,
                     number_text(t->fixed[k].value[0], number));
    return typed_text("%s%s", t->measure, values);
}

static enum status set_row(const struct typed *t, struct typed_claim *c, struct why *why)
{
    const struct experiment *e = &t->o->experiment;
    struct theorem_row *r = c->row;
    *r = (struct theorem_row){ .axis = c->claim->axis, .quantity = r->quantity, .claim = c->claim->id,
                               .promise = { .text = c->claim->says, .exponent = c->claim->law.exponent[0] } };
    for (int k = 0; k < RIVALS_MAX && e->rival[k]; k++) {
        r->rivals[k] = (struct row_law){ .text = e->rival[k] };
        if (c->claim->check != CHECK_RATE || c->claim->law.form != LAW_POWER)
            return why_set(why, BAD_INPUT,
                           "--rival %.60s: expected a --promise of one power with a band, which excludes it",
                           e->rival[k]);
        TRY(promise_rival(typed_option(t, "rival", e->rival[k]).at, e->rival[k], c->claim->axis,
                          &r->rivals[k].exponent, why));
    }
    c->theorem[0] = (struct theorem){ .id = PAPER_TYPED "/promise", .cite = "The promise", .says = c->claim->says,
                                      .rows = c->row };
    return OK;
}

/* *c <- the claim that the options promise along their only axis, which points into *c. BAD_INPUT. */
static enum status typed_claim(const struct typed *t, struct typed_claim *c, struct why *why)
{
    static const struct item none[] = { { 0 } };
    const struct experiment *e = &t->o->experiment;
    const struct range *axis = &t->axis[0];
    struct typed_settings s;
    memset(c, 0, sizeof *c);
    TRY(check_one(t, why));
    c->row->quantity = quantity_of(t);
    *c->claim = (struct claim){ .id = typed_text(PAPER_TYPED "/%s.%s.%s.%s", t->algo[0], t->problem[0],
                                                 c->row->quantity, axis->name),
                                .cite = t->o->canonical ? "assay test" : typed_text("%s", t->o->command),
                                .item = "",
                                .kind = KIND_THEOREM,
                                .algo = t->algo[0],
                                .problem = t->problem[0],
                                .axis = typed_text("%s", axis->name),
                                .rounds = ROUNDS,
                                .measure = t->measure,
                                .search = t->search };
    long reps = t->o->select.reps > 0 ? t->o->select.reps : REPS;
    for (int k = 0; k < PROFILES; k++)
        c->claim->window[k] = (struct window){ axis->value[0], axis->value[1], axis->points, (int)reps };
    TRY(typed_common(t, t->problem[0], t->algo[0], &s, why));
    TRY(typed_ending(t, t->problem[0], t->algo[0], axis, &s, why));
    memcpy(c->claim->with, s.at, sizeof c->claim->with);
    TRY(set_promise(t, c, why));
    if (e->against)
        TRY(read_variant(t, "against", e->against, &c->claim->than, why));
    if (e->control[0])
        TRY(read_variant(t, "control", e->control[0], &c->claim->control, why));
    if (e->control[1])
        TRY(read_variant(t, "control", e->control[1], &c->claim->control2, why));
    TRY(set_mechanism(t, c->claim, why));
    if (c->claim->remark && !e->mechanism)
        typed_note(t, "%s", c->claim->remark);
    if (!variant_given(&c->claim->control)) {
        c->claim->rounds = 1;
        typed_note(
            t, "no --control: nothing is SUPPORTED without a run that must fail, as one whose step is too short");
    }
    TRY(set_row(t, c, why));
    c->paper = (struct paper){ .key = PAPER_TYPED, .title = "A promise from the command line", .cite = "as typed",
                               .claims = c->claim, .items = none, .theorems = c->theorem };
    return OK;
}

/* --- the claims along all axes */

/* *one <- the options for a claim along axis `along`. Each other axis has one value: its last or, if it is a list,
 * one of the list, where `number` counts the combinations. Returns false if there are no more combinations. */
static bool fix_others(const struct typed *t, int along, int number, struct typed *one)
{
    *one = *t;
    one->axis[0] = t->axis[along];
    one->axes = 1;
    one->fixes = 0;
    for (int k = 0; k < t->axes; k++) {
        if (k == along)
            continue;
        struct range *f = &one->fixed[one->fixes++];
        const struct range *axis = &t->axis[k];
        *f = *axis;
        f->value[0] = axis->ends ? axis->value[1] : axis->value[number % axis->values];
        number = axis->ends ? number : number / axis->values;
    }
    return number == 0;
}

enum status typed_claims(const struct typed *t, struct typed_claims *all, struct why *why)
{
    static const struct item none[] = { { 0 } };
    struct typed one;
    for (int along = 0; along < t->axes; along++)
        for (int number = 0; t->axis[along].ends && fix_others(t, along, number, &one); number++) {
            if (all->claims == TYPED_CLAIMS)
                return why_set(why, BAD_INPUT, "test: expected axes that make at most %d claims", TYPED_CLAIMS);
            struct typed_claim *c = &all->of[all->claims];
            TRY(typed_claim(&one, c, why));
            all->claim[all->claims] = *c->claim;
            all->row[all->claims++] = *c->row;
        }
    if (!all->claims)                    /* typed_claim returns the error that no axis has a window */
        return typed_claim(t, all->of, why);
    all->theorem[0] = (struct theorem){ .id = PAPER_TYPED "/promise", .cite = "The promise",
                                        .says = all->claim->says, .rows = all->row };
    all->paper = (struct paper){ .key = PAPER_TYPED, .title = "A promise from the command line", .cite = "as typed",
                                 .claims = all->claim, .items = none, .theorems = all->theorem };
    return OK;
}

enum status typed_register(const struct paper *paper, struct why *why)
{
    registry_add_paper(paper, "");
    TRY(theorems_check(paper, why));
    return rules_check(paper, why);
}

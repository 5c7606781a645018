/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_claim.c - makes a claim, with its controls and its rival, of reported runs and of a promise that the
 * user has typed. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"
#include "judge/theorems.h"
#include "studies/reported_state.h"

static bool mentions(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; text && (at = strstr(at, name)); at += n)
        if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            !(isalnum((unsigned char)at[n]) || at[n] == '_'))
            return true;
    return false;
}

/* *axis <- the index of the setting along which the promise is made: if exactly one range was typed, the setting
 * with this range; else the only setting, outside of the method, that varies among the runs of *w; if several vary,
 * the only one that the promise names. */
static enum status choose_axis(const struct reported_made *m, const struct reported_wanted *w, int *axis,
                               struct why *why)
{
    char list[200] = "";
    int n = 0, named = 0, last = -1, last_named = -1;
    for (int k = 0; k < m->q->ranges; k++) {
        *axis = reported_find_setting(m->r, m->q->range[k].name);
        if (*axis < 0)
            return why_set(why, BAD_INPUT, "--%s: no column of the results has this name", m->q->range[k].name);
    }
    if (m->q->ranges == 1)
        return OK;
    for (int k = 0; k < m->r->settings; k++) {
        const char *name = reported_bare(m->r->setting[k].name);
        if (reported_is_of(m->r->setting[k].name, "algo") || !reported_varies(m, w, k))
            continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.40s", n++ ? ", " : "", name);
        last = k;
        if (mentions(m->q->promise, name)) {
            named++;
            last_named = k;
        }
    }
    *axis = named == 1 ? last_named : last;
    if (n == 1 || named == 1)
        return OK;
    return n ? why_set(why, BAD_INPUT,
                       "the results vary along %s: expected --NAME FROM..TO for the axis of the promise", list)
             : why_set(why, BAD_INPUT,
                       "no setting of these runs has several values, along which anything could be promised");
}

/* Do some of the runs *w state the setting while others do not? Unless the user asks for a value of such a setting,
 * the claim takes the runs that do not state it. */
static bool some_lack(const struct reported_made *m, const struct reported_wanted *w, int axis, int setting)
{
    bool lacks = false, states = false;
    for (int k = 0; k < m->r->runs; k++)
        if (reported_matches(m, w, axis, &m->r->run[k])) {
            const struct reported_value *v = &m->r->run[k].with[setting];
            *(v->text || !isnan(v->number) ? &states : &lacks) = true;
        }
    return lacks && states;
}

/* Fixes problem, method and every setting but the axis in *w to the one value that the runs *w have. BAD_INPUT: a
 * setting has several values, or there is no such run. who: the claim or variant, for messages. */
static enum status fix_rest(const struct reported_made *m, struct reported_wanted *w, int axis, const char *who,
                            struct why *why)
{
    const struct reported_run *first = NULL;
    for (int s = 0; s < m->r->settings; s++)
        if (s != axis && !w->fixed[s] && some_lack(m, w, axis, s)) {
            w->fixed[s] = true;
            w->with[s] = (struct reported_value){ NULL, NAN };
        }
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!reported_matches(m, w, axis, run))
            continue;
        for (int s = 0; first && s < m->r->settings; s++)
            if (s != axis && !reported_same_value(&first->with[s], &run->with[s]))
                return why_set(why, BAD_INPUT,
                               "%.120s: its runs differ in %.60s too: expected one value of it, as --set "
                               "%.60s=VALUE",
                               who, m->r->setting[s].name, m->r->setting[s].name);
        first = first ? first : run;
    }
    if (!first)
        return why_set(why, BAD_INPUT, "%.120s: no run of the results is of this kind", who);
    w->problem = first->problem;
    w->method = first->method;
    for (int s = 0; s < m->r->settings; s++) {
        w->fixed[s] = s != axis;
        w->with[s] = first->with[s];
    }
    return OK;
}

/* Returns the longest name of a method of the results with which the text begins, if a comma or the end of the text
 * follows; NULL: there is none. A name may itself contain commas and equal signs, as "GD[scale=0.1]" does. */
static const char *method_at(const struct reported *r, const char *text)
{
    const char *found = NULL;
    for (int k = 0; k < r->runs; k++) {
        const char *name = r->run[k].method;
        size_t n = strlen(name);
        if (strncmp(text, name, n) == 0 && (!text[n] || text[n] == ',') && (!found || n > strlen(found)))
            found = name;
    }
    return found;
}

/* Makes *w and *v ask for runs of this method. Settings algo.* are no longer fixed in *w, since those were of
 * another method. */
static void take_method(const struct reported *r, const char *method, struct reported_wanted *w, struct variant *v)
{
    v->algo = w->method = method;
    for (int s = 0; s < r->settings; s++)
        w->fixed[s] &= !reported_is_of(r->setting[s].name, "algo");
}

/* Parses the text of a control or rival: "METHOD", "problem.decades=0.3", "METHOD,algo.step=0.1". *w <- its runs,
 * which are those of *own but for what the text names; *v <- the variant. */
static enum status read_variant(struct reported_made *m, const struct reported_wanted *own, int axis,
                                const char *option, const char *text, struct reported_wanted *w, struct variant *v,
                                struct why *why)
{
    const char *method = method_at(m->r, text);
    char *rest = (char *)reported_words(m, "%.500s", text), *word;
    *w = *own;
    *v = (struct variant){ .why = reported_words(m, "as reported: %.400s", text) };
    if (method) {
        take_method(m->r, method, w, v);
        rest += strlen(method);
        rest = *rest ? rest + 1 : NULL;
    }
    while ((word = strsep(&rest, ","))) {
        char *equals = strchr(word, '=');
        double number;
        if (!equals)
            return why_set(why, BAD_INPUT,
                           "--%s %.80s: expected a method of the results or NAME=VALUE, not '%.60s'", option, text,
                           word);
        *equals = '\0';
        if (strcmp(word, "problem") == 0) {
            v->problem = w->problem = equals + 1;
            continue;
        }
        bool is_number = number_parse(equals + 1, &number);
        TRY(reported_fix(m->r, w, option, word, is_number ? NULL : equals + 1, is_number ? number : NAN, why));
        v->algo = v->algo ? v->algo : own->method;
    }
    return fix_rest(m, w, axis, reported_words(m, "--%s %.80s", option, text), why);
}

static enum status set_promise(struct reported_made *m, struct why *why)
{
    const struct reported_request *q = m->q;
    struct claim *c = m->claim;
    m->names = (struct promise_names){ c->axis, m->param };
    if (!q->promise) {
        c->check = CHECK_ORDER;
        c->says = reported_words(m, "%s of %s is below that of %s", m->measure, c->algo, q->against);
        return OK;
    }
    TRY(promise_parse("--promise", q->promise, &m->names, &m->promise, why));
    if (q->against && (m->promise.check == CHECK_BOUND || m->promise.law.form == LAW_SUM))
        return why_set(why, BAD_INPUT,
                       "--against %.60s: expected one power as the law of the ratio, or no --promise", q->against);
    promise_use(&m->promise, &m->names, c);
    return OK;
}

static enum status set_row(struct reported_made *m, struct why *why)
{
    struct theorem_row *row = m->row;
    struct claim *c = m->claim;
    *row = (struct theorem_row){ .axis = c->axis,
                                 .quantity = c->measure,
                                 .claim = c->id,
                                 .promise = { .text = c->says, .exponent = c->law.exponent[0] } };
    for (int k = 0; k < RIVALS_MAX && m->q->rival[k]; k++) {
        row->rivals[k] = (struct row_law){ .text = m->q->rival[k] };
        if (c->check != CHECK_RATE || c->law.form != LAW_POWER)
            return why_set(why, BAD_INPUT, "--rival %.60s: expected a --promise of one power with a band",
                           m->q->rival[k]);
        TRY(promise_rival("--rival", m->q->rival[k], c->axis, &row->rivals[k].exponent, why));
    }
    m->theorem[0] = (struct theorem){
        .id = PAPER_REPORTED "/promise", .cite = "The promise", .says = c->says, .rows = row
    };
    return OK;
}

static enum status make_claim(struct reported_made *m, struct reported_plan *p, struct why *why)
{
    static const struct item none[] = { { 0 } };
    const struct reported_request *q = m->q;
    struct reported_wanted main = { .method = q->algorithm, .problem = q->problem }, other;
    struct claim *c = m->claim;
    int axis;
    TRY(reported_known_names(m->r, q, why));
    TRY(reported_fix_settings(m, &main, why));
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!q->algorithm && strcmp(run->method, m->r->run[0].method))
            return why_set(why, BAD_INPUT,
                           "the results have several methods: expected --algorithm NAME for that of the promise");
        if (!q->problem && strcmp(run->problem, m->r->run[0].problem))
            return why_set(why, BAD_INPUT, "the results have several problems: expected --problem NAME");
    }
    TRY(choose_axis(m, &main, &axis, why));
    TRY(fix_rest(m, &main, axis, reported_words(m, "%s", main.method ? main.method : m->r->run[0].method), why));
    const char *name = reported_bare(m->r->setting[axis].name);
    *c = (struct claim){
        .id = reported_words(m, PAPER_REPORTED "/%s.%s.%s.%s", reported_slug(m, main.method),
                             reported_slug(m, main.problem), reported_slug(m, m->measure), reported_slug(m, name)),
        .cite = reported_words(m, "%s", q->command),
        .item = "",
        .kind = KIND_THEOREM,
        .algo = main.method,
        .problem = main.problem,
        .axis = name,
        .measure = m->measure,
        .rounds = 1,
        .tests = "none",
        .tests_none = "the method is known by its results alone",
        .remark = "Counts and measures as reported: this program has not run the method and counted none of "
                  "its questions."
    };
    TRY(set_promise(m, why));
    struct reported_points points = reported_points(m, &main, axis);
    struct planned_claim *planned = plan_add_claim(&p->plan,
                                                   &(struct planned_claim){ .claim = c, .paper = &m->paper });
    reported_add_role(m, planned, ROLE_MAIN, &main, axis, &points);
    const struct {
        const char *option, *text;
        struct variant *variant;
        enum role role;
    } roles[] = { { "against", q->against, &c->than, ROLE_RIVAL },
                  { "control", q->control[0], &c->control, ROLE_CONTROL },
                  { "control", q->control[1], &c->control2, ROLE_CONTROL2 } };
    for (int k = 0; k < 3; k++)
        if (roles[k].text) {
            TRY(read_variant(m, &main, axis, roles[k].option, roles[k].text, &other, roles[k].variant, why));
            reported_add_role(m, planned, roles[k].role, &other, axis, &points);
            if (k && q->against) /* the control has a rival too, the one of the claim */
                TRY(read_variant(m, &main, axis, "against", q->against, &other, &c->than, why));
            if (k && q->against)
                reported_add_role(m, planned, k == 1 ? ROLE_CONTROL_RIVAL : ROLE_CONTROL2_RIVAL, &other, axis,
                                  &points);
        }
    for (int k = 0; k < PROFILES; k++)
        c->window[k] = (struct window){ points.value[0], points.value[points.n - 1], points.n, 1 };
    reported_finish_planned(planned, &points);
    if (points.thinned)
        reported_note(p, "of the axis, which has more than 33 values, those nearest to a geometric grid are taken");
    TRY(set_row(m, why));
    m->paper = (struct paper){ .key = PAPER_REPORTED,
                               .title = "A promise, judged on results as reported",
                               .cite = "as reported",
                               .claims = c,
                               .items = none,
                               .theorems = m->theorem };
    return OK;
}

enum status reported_claim(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why)
{
    reported_begin_plan(r, q, p);
    TRY(make_claim(p->made, p, why));
    p->made->registered = true;
    registry_add_paper(&p->made->paper, "");
    p->judgement = judge_none(&p->plan);
    return theorems_check(&p->made->paper, why);
}

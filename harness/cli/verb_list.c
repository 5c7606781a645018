/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_list.c - the verb list, which prints a table as text, CSV or JSON; the first column is the name. */
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report/coverage.h"
#include "record/listing.h"
#include "cell/nearest.h"
#include "base/params.h"
#include "cell/registry.h"
#include "cli/judged.h"
#include "judge/theorems.h"
#include "plan/names.h"

/* --- what can be listed */

static void list_algorithms(struct options *o)
{
    struct listing l = { stdout, o->format, 3, { "name", "doc", "cite" }, { 22, 44, 0 } };
    for (int planted = 0; planted <= o->select.planted; planted++) {
        const struct algo *const *a = planted ? registry_planted_algos() : registry_algos();
        for (; *a; a++)
            listing_row(&l, (const char *const[]){ (*a)->name, (*a)->doc, (*a)->cite });
    }
    listing_end(&l);
}

static void list_estimators(struct options *o)
{
    struct listing l = { stdout, o->format, 3, { "name", "doc", "cite" }, { 22, 44, 0 } };
    for (int planted = 0; planted <= o->select.planted; planted++) {
        const struct estimator *const *e = planted ? registry_planted_estimators()
                                                   : registry_estimators();
        for (; *e; e++)
            listing_row(&l, (const char *const[]){ (*e)->name, (*e)->doc, (*e)->cite });
    }
    listing_end(&l);
}

static void list_problems(struct options *o)
{
    struct listing l = { stdout, o->format, 3, { "name", "doc", "cite" }, { 22, 64, 0 } };
    for (const struct problem *const *p = registry_problems(); *p; p++)
        listing_row(&l, (const char *const[]){ (*p)->name, (*p)->doc, (*p)->cite });
    listing_end(&l);
}

static void list_papers(struct options *o)
{
    struct listing l = { stdout, o->format, 3, { "key", "title", "cite" }, { 22, 44, 0 } };
    for (const struct paper *const *p = registry_papers(); *p; p++)
        listing_row(&l, (const char *const[]){ (*p)->key, (*p)->title, (*p)->cite });
    listing_end(&l);
}

static const char *profiles_of(const struct window *w, char text[32])
{
    text[0] = 0;
    for (int p = 0; p < PROFILES; p++)
        if (w[p].points)
            snprintf(text + strlen(text), 32 - strlen(text), "%s%s", text[0] ? " " : "",
                     profile_name((enum profile)p));
    return text;
}

static void list_claims(struct options *o)
{
    struct listing l = { stdout, o->format, 8,
        { "id", "paper", "sheet", "check", "axis", "kind", "profiles", "control" },
        { 40, 12, 6, 6, 7, 11, 20, 0 } };
    const struct paper *p;
    const struct claim *c;
    for (int i = 0; (p = paper_at(i, o->select.planted)); i++)
        for (struct claim_walk all = claims_of(p); (c = next_claim(&all)); ) {
            char profiles[32], controls[300];
            const char *first = c->control.why, *second = c->control2.why;
            snprintf(controls, sizeof controls, "%s%s%s", first ? first : "", second ? "; " : "",
                     second ? second : "");
            if (claim_matches(c, p, &o->select))
                listing_row(&l, (const char *const[]){ c->id, p->key, c->item, check_name(c->check),
                    c->axis ? c->axis : "", kind_name(c->kind), profiles_of(c->window, profiles), controls });
        }
    listing_end(&l);
}

/* Lists figures and tables. */
static void list_figures(struct options *o)
{
    struct listing l = { stdout, o->format, 6, { "id", "paper", "measure", "axis", "profiles", "title" },
                         { 40, 20, 16, 6, 20, 0 } };
    for (const struct paper *const *p = registry_papers(); *p; p++) {
        for (const struct plot *f = (*p)->plots; f && f->id; f++) {
            char profiles[32];
            if (plot_matches(f, *p, &o->select))
                listing_row(&l, (const char *const[]){ f->id, (*p)->key, f->measure, f->axis,
                    profiles_of(f->window, profiles), f->title });
        }
        for (const struct exhibit *t = (*p)->tables; t && t->id; t++)
            if (table_matches(t, *p, &o->select))
                listing_row(&l, (const char *const[]){ t->id, (*p)->key, "verdicts", "", "",
                    t->title });
    }
    listing_end(&l);
}

static void list_params_of(struct listing *l, const char *owner, const struct param *p)
{
    char def[32], lo[32], hi[32], range[80];
    for (; p && p->name; p++) {
        bool text = p->type == PARAM_TEXT;
        snprintf(range, sizeof range, text ? "%s" : "%s..%s",
                 text ? (p->choices ? p->choices : "any text") : number_text(p->lo, lo),
                 text ? "" : number_text(p->hi, hi));
        const char *shown = text ? p->text : isnan(p->def) ? "chosen" : number_text(p->def, def);
        listing_row(l, (const char *const[]){ owner, p->name, shown, range, p->unit, p->doc });
    }
}

/* Lists the parameters of all units; where the selection names methods or problems, of these only. */
static void list_parameters(struct options *o)
{
    const struct selection *s = &o->select;
    const char *rest = s->algorithm || s->problem ? "" : "*";
    const char *algorithm = s->algorithm ? s->algorithm : rest, *problem = s->problem ? s->problem : rest;
    struct listing l = { stdout, o->format, 6, { "owner", "name", "default", "range", "unit", "doc" },
                         { 18, 10, 12, 22, 12, 0 } };
    for (const struct algo *const *a = registry_algos(); *a; a++)
        if (plan_glob(algorithm, (*a)->name))
            list_params_of(&l, (*a)->name, (*a)->params);
    for (const struct estimator *const *e = registry_estimators(); *e; e++)
        if (plan_glob(algorithm, (*e)->name))
            list_params_of(&l, (*e)->name, (*e)->params);
    for (const struct problem *const *p = registry_problems(); *p; p++)
        if (plan_glob(problem, (*p)->name))
            list_params_of(&l, (*p)->name, (*p)->params);
    listing_end(&l);
}

static void list_counts(struct options *o)
{
    struct listing l = { stdout, o->format, 2, { "name", "doc" }, { 16, 0 } };
    for (int k = 0; k < COUNT_KINDS; k++)
        listing_row(&l, (const char *const[]){ count_name(k), count_doc(k) });
    listing_end(&l);
}

static void list_facts(struct options *o)
{
    struct listing l = { stdout, o->format, 3, { "name", "unit", "doc" }, { 10, 14, 0 } };
    for (int k = 0; k < FACT_COUNT; k++)
        listing_row(&l, (const char *const[]){ fact_name(k), fact_unit(k), fact_doc(k) });
    listing_end(&l);
}

/* --- list coverage: prints every item of a paper (docs/papers/) with the claims and tests that serve it, or the
 * reason why none does. */

static void append(char *text, size_t room, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", used ? " " : "", word);
}

/* Is the item selected, by its name or through a claim that serves it? */
static bool item_matches(const struct paper *p, const struct item *i, const struct selection *s)
{
    const struct claim *c;
    char name[200];
    snprintf(name, sizeof name, "%s/%s%s%s", p->key, i->part ? i->part : "", i->part ? "." : "", i->id);
    if (plan_names(p, name, s))
        return true;
    for (struct claim_walk all = claims_of(p); (c = next_claim(&all)); )
        if (has_word(c->item, i->id) && plan_names(p, c->id, s))
            return true;
    return false;
}

static bool served_by(const struct paper *p, const struct item *i, char *text, size_t room)
{
    const struct claim *c;
    text[0] = 0;
    for (struct claim_walk all = claims_of(p); (c = next_claim(&all)); )
        if (has_word(c->item, i->id))
            append(text, room, c->id);
    for (const struct coverage *t = coverage; t->paper; t++)
        if (strcmp(t->paper, p->key) == 0 && strcmp(t->item, i->id) == 0)
            append(text, room, t->test);
    return text[0];
}

static void list_coverage(struct options *o)
{
    struct listing l = { stdout, o->format, 4, { "item", "paper", "line", "served_by" }, { 6, 20, 64, 0 } };
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (const struct item *i = (*p)->items; i && i->id; i++) {
            char by[1024], reason[1100];
            if (!item_matches(*p, i, &o->select))
                continue;
            bool served = served_by(*p, i, by, sizeof by);
            snprintf(reason, sizeof reason, "%s%s", served ? "" : i->reason ? "none: " : "NOTHING",
                     served ? by : i->reason ? i->reason : "");
            o->uncovered |= !served && !i->reason;
            listing_row(&l, (const char *const[]){ i->id, (*p)->key, i->line, reason });
        }
    listing_end(&l);
}

/* --- list theorems: prints a line for each row of a theorem. If a store or a baseline is given, the line has the
 * verdict of the row's claim. */

struct verdicts { bool judged; struct judged from; struct standings kept; const struct options *o; };

/* Returns the line of a claim in the list `kept`: the line of the profile that was asked for; where none was asked
 * for, that of the largest profile that has a line. */
static const struct standing *kept_of(const struct verdicts *v, const char *claim)
{
    if (v->o->profiled)
        return standings_find(&v->kept, claim, profile_name(v->o->select.profile));
    for (int p = PROFILES - 1; p >= 0; p--) {
        const struct standing *s = standings_find(&v->kept, claim, profile_name((enum profile)p));
        if (s)
            return s;
    }
    return NULL;
}

static const struct judgement *judged_of(const struct verdicts *v, const char *claim)
{
    for (int k = 0; v->judged && k < v->from.plan.claims; k++)
        if (strcmp(v->from.judgement[k].claim->id, claim) == 0)
            return &v->from.judgement[k];
    return NULL;
}

static enum status read_verdicts(struct options *o, struct verdicts *v, struct why *why)
{
    *v = (struct verdicts){ .o = o };
    if (o->stored) {
        TRY(judged_from(o, o->store, false, &v->from, why));
        v->judged = true;
    } else if (options_typed(o, "baseline")) {
        char file[PATH_MAX];
        struct stat st;
        bool folder = stat(o->baseline, &st) == 0 && S_ISDIR(st.st_mode);
        snprintf(file, sizeof file, "%s%s", o->baseline, folder ? "/verdicts.csv" : "");
        if (access(file, R_OK))
            return why_set(why, BAD_INPUT, "--baseline %.300s: expected a baseline as `assay accept` writes it",
                           file);
        TRY(baseline_read(file, &v->kept, why));
    }
    return OK;
}

static void list_theorem(struct listing *l, const struct theorem *t, const struct verdicts *v)
{
    static const char *const states[] = { "none", "none", "evidence", "data" };
    for (const struct theorem_row *r = t->rows; r && r->axis; r++) {
        const struct claim *c = r->claim ? claim_by_id(r->claim) : NULL;
        const struct judgement *j = c ? judged_of(v, c->id) : NULL;
        const struct standing *s = c ? kept_of(v, c->id) : NULL;
        bool given = v->judged || v->kept.n;
        const char *word = !c ? states[r->state] : j ? verdict_word(j->verdict.word) : s ? verdict_word(s->word)
                         : given ? verdict_word(NOT_RUN) : "";
        char attempt[16];
        snprintf(attempt, sizeof attempt, "%d", c ? claim_attempt(c) : 0);
        listing_row(l, (const char *const[]){ t->id, row_name(r).at, r->axis, r->promise.text,
                                              r->claim ? r->claim : "",
                    c ? attempt : "", word, j ? j->verdict.reason : s ? s->reason : r->reason ? r->reason : "" });
    }
}

static void list_theorems(struct options *o)
{
    struct listing l = { stdout, o->format, 8,
        { "theorem", "row", "axis", "promise", "claim", "attempt", "verdict", "reason" },
        { 34, 22, 8, 24, 48, 2, 12, 0 } };
    const struct paper *p;
    struct verdicts v;
    struct why why = { "" };
    enum status s = read_verdicts(o, &v, &why);
    if (s != OK) {
        o->listing_failed = complain(s, &why);
        return;
    }
    int listed = 0;
    for (int k = 0; (p = paper_at(k, o->select.planted)); k++)
        for (const struct theorem *t = p->theorems; t && t->id; t++)
            if (theorem_matches(t, p, &o->select)) {
                list_theorem(&l, t, &v);
                listed++;
            }
    listing_end(&l);
    if (!listed)
        fprintf(stderr, "no theorem is selected; a paper without theorems has claims: `assay list claims`\n");
    if (v.judged)
        judged_free(&v.from);
    standings_free(&v.kept);
}

/* Lists the claims that were replaced; --claim selects them by their former ids. */
static void list_attempts(struct options *o)
{
    struct listing l = { stdout, o->format, 7, { "claim", "row", "number", "window", "control", "verdict",
                                                 "reason" },
                         { 44, 40, 2, 36, 28, 40, 0 } };
    for (const struct paper *const *p = registry_papers(); *p; p++)
        for (const struct attempt *a = (*p)->attempts; a && a->claim; a++) {
            char number[16];
            snprintf(number, sizeof number, "%d", a->number);
            if (plan_names(*p, a->claim, &o->select))
                listing_row(&l, (const char *const[]){ a->claim, a->row, number, a->window, a->control, a->verdict,
                                                       a->reason });
        }
    listing_end(&l);
}

/* The lists. reads: the options that have an effect on a list, in addition to those that every list takes. */
static const struct { const char *name; void (*list)(struct options *); const char *reads; } lists[] = {
    { "claims", list_claims, "paper claim theorem algorithm problem check planted" },
    { "algorithms", list_algorithms, "planted" }, { "problems", list_problems, "" },
    { "estimators", list_estimators, "planted" }, { "papers", list_papers, "" },
    { "figures", list_figures, "paper claim theorem" }, { "parameters", list_parameters, "algorithm problem" },
    { "counts", list_counts, "" }, { "facts", list_facts, "" }, { "coverage", list_coverage, "paper claim" },
    { "theorems", list_theorems, "paper claim theorem planted store cache data-dir baseline profile" },
    { "attempts", list_attempts, "paper claim" },
};
enum { LISTS = sizeof lists / sizeof *lists };

/* Refuses the first typed option that has no effect on this list. */
static enum status check_list(const struct options *o, const char *reads, struct why *why)
{
    const char *const *option = o->typed;
    while (*option && (has_word(reads, *option) || has_word("format plugin method", *option)))
        option++;
    if (!*option)
        return OK;
    char names[200] = "";
    for (int k = 0; k < LISTS; k++)
        if (has_word(lists[k].reads, *option))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "",
                     lists[k].name);
    return why_set(why, BAD_INPUT, "--%s: of `list` for %s only", *option, names);
}

int verb_list(struct options *o)
{
    const char *what = o->arguments ? o->argument[0] : "claims";
    struct why why = { "" };
    for (int k = 0; k < LISTS; k++)
        if (strcmp(lists[k].name, what) == 0) {
            if (check_list(o, lists[k].reads, &why) != OK)
                return complain(BAD_INPUT, &why);
            lists[k].list(o);
            if (o->listing_failed)
                return o->listing_failed;
            return o->uncovered ? EXIT_INCOMPLETE : EXIT_OK;
        }
    struct nearest near = nearest_to(what, strlen(what));
    for (int k = 0; k < LISTS; k++)
        nearest_try(&near, lists[k].name);
    fprintf(stderr, "assay: list %.80s: expected", what);
    for (int k = 0; k < LISTS; k++)
        fprintf(stderr, "%s %s", k ? "," : "", lists[k].name);
    fprintf(stderr, "%s\n", nearest_hint(&near, ""));
    return EXIT_USAGE;
}

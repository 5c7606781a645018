/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_compare.c - the verb compare, which compares verdicts and numbers with earlier ones, and the verb accept,
 * which writes them into the baseline. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/kinds.h"
#include "nights/compare.h"
#include "cli/judged.h"
#include "plan/names.h"
#include "text/provenance.h"

/* --- lists of standings, and their comparison */

/* Does the plan have the claim, with tasks in its profile or with data that are missing? */
static bool is_asked(const void *plan, const char *claim)
{
    const struct plan *p = plan;
    for (int k = 0; k < p->claims; k++)
        if (strcmp(p->claim[k].claim->id, claim) == 0)
            return p->claim[k].tasks || *p->claim[k].missing;
    return false;
}

/* *s <- the standing of planned claim k. */
static void standing_now(const struct options *o, const struct judged *j, int k, struct standing *s)
{
    standing_of(&j->plan, j->record, &j->judgement[k], k, profile_name(o->select.profile), s);
    s->reference = j->reference > 0 ? j->reference : 0;
}

void judged_standings(const struct options *o, const struct judged *j, struct standings *list)
{
    struct standing one;
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].absent < j->judgement[k].cells) {
            standing_now(o, j, k, &one);
            standings_put(list, &one);
        }
}

/* If the command line selects claims, removes the lines of claims that are not in the plan. If it selects none,
 * such a line is of a claim that no longer exists. That is a change, so the line stays. */
static void keep_selected(const struct options *o, const struct plan *p, struct standings *list)
{
    const struct selection *s = &o->select;
    bool all = !s->paper && !s->claim && !s->theorem && !s->algorithm && !s->problem && !s->check;
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
        int k = 0;
        while (k < p->claims && strcmp(p->claim[k].claim->id, list->of[i].claim))
            k++;
        if (k < p->claims || all)
            list->of[kept++] = list->of[i];
    }
    list->n = kept;
}

struct comparison judged_compare(const struct options *o, const struct plan *p, struct standings *base,
                                 struct standings *now)
{
    keep_selected(o, p, base);
    keep_selected(o, p, now);
    return compare(base, now, profile_name(o->select.profile), is_asked, p);
}

/* --- the verb compare */

enum side { SIDE_STORE, SIDE_TEXT };

/* *side <- what a path of the command line is: a store or a baseline. file <- the path, or that of verdicts.csv in
 * it if it is a folder. */
static enum status side_of(const char *path, char file[PATH_MAX], enum side *side, struct why *why)
{
    struct stat st;
    char magic[16] = "";
    snprintf(file, PATH_MAX, "%s", path);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        snprintf(file, PATH_MAX, "%s/verdicts.csv", path);
    FILE *in = fopen(file, "r");
    if (!in)
        return why_set(why, BAD_INPUT, "compare: %.300s cannot be read: expected a store, or a baseline "
                       "as `assay accept` writes it", file);
    size_t n = fread(magic, 1, sizeof magic, in);
    fclose(in);
    *side = n == sizeof magic && memcmp(magic, "SQLite format 3", sizeof magic) == 0 ? SIDE_STORE : SIDE_TEXT;
    return OK;
}

/* list <- the standings of `file`, a store or a baseline. Of a store *p is replaced by the plan by which it was
 * read. */
static enum status load_side(const struct options *o, const char *file, enum side side,
                             struct standings *list, struct plan *p, struct why *why)
{
    struct judged j;
    if (side == SIDE_TEXT)
        return baseline_read(file, list, why);
    *list = (struct standings){ NULL, 0 };
    TRY(judged_from(o, file, true, &j, why));
    judged_standings(o, &j, list);
    free_records(&j.plan, j.record);
    free(j.judgement);
    plan_free(p);
    *p = j.plan;
    return OK;
}

static int compare_sides(const struct options *o, const struct plan *p, struct standings *base,
                         struct standings *now)
{
    struct comparison c = judged_compare(o, p, base, now);
    compare_print(stdout, &c, o->format);
    fflush(stdout);
    compare_uncovered(stderr, &c, profile_name(o->select.profile));
    int code = comparison_gates(&c)                    ? EXIT_CONTRADICTED
               : c.kinds[CHANGE_ABSENT] || !c.compared ? EXIT_INCOMPLETE
                                                       : EXIT_OK;
    free(c.change);
    return code;
}

/* Prints to stderr where the records of two stores come from different kinds of machine. */
static enum status compare_kinds(char file[2][PATH_MAX], struct why *why)
{
    char words[2][KINDS_WORDS];
    size_t n;
    for (int k = 0; k < 2; k++)
        TRY(kinds_of(file[k], words[k], &n, why));
    if (strcmp(words[0], words[1]))
        fprintf(stderr, "numbers may differ by rounding: %.200s is of %s, %.200s of %s\n", file[0], words[0],
                file[1], words[1]);
    return OK;
}

/* base, now <- the standings of the two files that the command line names. Planning takes long, so a plan is made
 * here only if neither file is a store. */
static enum status load_both(struct options *o, struct standings *base, struct standings *now,
                             struct plan *p, struct why *why)
{
    char file[2][PATH_MAX];
    enum side side[2];
    if (o->arguments < 2)
        return why_set(why, BAD_INPUT, "compare: expected BASE NEW, each a store or a baseline");
    for (int k = 0; k < 2; k++)
        TRY(side_of(o->argument[k], file[k], &side[k], why));
    for (int k = 1; k >= 0; k--)
        if (side[k] == SIDE_STORE)
            TRY(judged_profile(o, file[k], why));
    TRY(load_side(o, file[0], side[0], base, p, why));
    TRY(load_side(o, file[1], side[1], now, p, why));
    if (side[0] == SIDE_STORE && side[1] == SIDE_STORE)
        TRY(compare_kinds(file, why));
    return p->claims + p->lines ? OK : plan_make(&o->select, p, why);
}

int verb_compare(struct options *o)
{
    struct standings base = { NULL, 0 }, now = { NULL, 0 };
    struct plan p = { 0 };
    struct why why = { "" };
    enum status s = load_both(o, &base, &now, &p, &why);
    int code = s == OK ? compare_sides(o, &p, &base, &now) : complain(s, &why);
    plan_free(&p);
    standings_free(&base);
    standings_free(&now);
    return code;
}

/* --- the verb accept */

/* Is the claim left out of what is accepted? A CONTRADICTED or SUSPECT claim is, unless the baseline has this
 * verdict with a reason already, or the user typed the id of the claim and no pattern. */
static bool by_name_only(const struct options *o, const struct judgement *v, const struct standing *before)
{
    bool against = v->verdict.word == CONTRADICTED || v->verdict.word == SUSPECT;
    bool known = before && before->word == v->verdict.word && *before->reason;
    return against && !known && strcmp(o->argument[0], v->claim->id);
}

/* The standing of a claim now, and how it differs from its line in the baseline. */
struct accepting { struct standing now; enum change_kind kind; };
struct accepted { int taken, same, moved, absent, left_out; };

/* Returns the standings and changes of all claims, in an array [plan.claims] to be freed. One comparison takes all
 * claims, as in `assay compare`, since the level of each test depends on their number. */
static struct accepting *accepting_of(const struct options *o, const struct judged *j, struct standings *list)
{
    const char *profile = profile_name(o->select.profile);
    struct standings now = { NULL, 0 };
    struct accepting *all = calloc((size_t)j->plan.claims + 1, sizeof *all);
    BUG_IF(!all);
    for (int k = 0; k < j->plan.claims; k++)
        if (j->plan.claim[k].tasks && !j->judgement[k].absent) {
            standing_now(o, j, k, &all[k].now);
            standings_put(&now, &all[k].now);
        }
    struct comparison c = compare(list, &now, profile, NULL, NULL);
    for (const struct change *x = c.change, *end = x + c.n; x < end; x++)
        for (int k = 0; x->now && k < j->plan.claims; k++)
            if (strcmp(all[k].now.claim, x->now->claim) == 0)
                all[k].kind = x->kind;
    free(c.change);
    standings_free(&now);
    return all;
}

/* Does the line of the baseline stay? It does if only times have changed, or if numbers have changed by no more
 * than chance. So the history of the baseline shows real changes only, and its numbers do not drift with the noise.
 * A line without the numbers of the rival was written by an older version and is replaced. */
static bool stays(const struct standing *before, const struct accepting *a)
{
    return before && (a->kind == CHANGE_NONE || a->kind == CHANGE_MOVED) && before->control == a->now.control &&
           standing_side_known(&before->rival) == standing_side_known(&a->now.rival);
}

static void take_line(const struct options *o, const struct standing *before, const struct standing *now,
                      struct standings *list)
{
    struct standing one = *now;
    bool named = strcmp(o->argument[0], one.claim) == 0;
    bool kept = before && before->word == one.word && *before->reason && !named;
    snprintf(one.reason, sizeof one.reason, "%s", kept ? before->reason
             : one.word == CONTRADICTED || one.word == SUSPECT || named ? o->reason : "");
    snprintf(one.commit, sizeof one.commit, "%.12s", provenance_commit);
    standings_put(list, &one);
}

static void accept_one(const struct options *o, const struct judgement *v, const struct accepting *one,
                       struct standings *list, struct accepted *a)
{
    const struct standing *before = standings_find(list, v->claim->id, profile_name(o->select.profile));
    bool named = strcmp(o->argument[0], v->claim->id) == 0;
    if (by_name_only(o, v, before)) {
        fprintf(stderr, "accept: %s is %s and was left out: accept it by its name, with the reason\n",
                v->claim->id, verdict_word(v->verdict.word));
        a->left_out++;
    } else if (!named && stays(before, one)) {
        a->same += one->kind == CHANGE_NONE;
        a->moved += one->kind == CHANGE_MOVED;
    } else {
        take_line(o, before, &one->now, list);
        a->taken++;
    }
}

/* Is this the line of a claim that the program no longer has, or no longer has in this profile? Returns false for a
 * claim that is only left out by a selection of methods, problems or checks. */
static bool is_gone(const struct options *o, const struct plan *p, const struct standing *line)
{
    const struct selection *s = &o->select;
    char key[sizeof line->claim];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(line->claim, "/"), line->claim);
    struct paper paper = { .key = key };
    if (strcmp(line->profile, profile_name(s->profile)) != 0)
        return false;
    for (int k = 0; k < p->claims; k++)
        if (strcmp(p->claim[k].claim->id, line->claim) == 0)
            return !is_asked(p, line->claim);
    return !s->algorithm && !s->problem && !s->check && plan_names(&paper, line->claim, s) &&
           !names_claim(line->claim);
}

static int drop_gone(const struct options *o, const struct plan *p, struct standings *list)
{
    int kept = 0, before = list->n;
    for (int k = 0; k < list->n; k++)
        if (!is_gone(o, p, &list->of[k]))
            list->of[kept++] = list->of[k];
    list->n = kept;
    return before - kept;
}

static enum status none_exploratory(const struct judged *j, struct why *why)
{
    for (int k = 0; k < j->plan.claims; k++)
        if (j->judgement[k].exploratory)
            return why_set(why, BAD_INPUT, "accept: %s was judged with other settings than declared",
                           j->judgement[k].claim->id);
    return OK;
}

static enum status accept_all(const struct options *o, const struct judged *j, struct standings *list,
                              struct accepted *a, struct why *why)
{
    TRY(none_exploratory(j, why));
    struct accepting *all = accepting_of(o, j, list);
    for (int k = 0; k < j->plan.claims; k++)
        if (j->plan.claim[k].tasks && j->judgement[k].absent)
            a->absent++;
        else if (j->plan.claim[k].tasks)
            accept_one(o, &j->judgement[k], &all[k], list, a);
    free(all);
    int gone = drop_gone(o, &j->plan, list);
    if (!a->taken && !a->same && !a->moved && !a->left_out && !gone)
        return why_set(why, BAD_INPUT, "accept: %s has no whole record of profile %s: run `assay verify "
                       "--profile %s` first", o->argument[0], profile_name(o->select.profile),
                       profile_name(o->select.profile));
    if (a->taken || gone)
        TRY(baseline_write(o->baseline, list, why));
    printf("%s: %d accepted, %d stay (%d as before, %d moved within chance), %d dropped, %d not run, %d left out; "
           "%d lines\n", o->baseline, a->taken, a->same + a->moved, a->same, a->moved, gone, a->absent, a->left_out,
           list->n);
    return OK;
}

/* Judges the claims to accept. A claim that the program no longer has cannot be judged: only its line is known. */
static enum status judged_to_accept(struct options *o, const struct standings *list, struct judged *j,
                                    struct why *why)
{
    const char *claim = o->argument[0];
    bool gone = !names_claim(claim) && standings_find(list, claim, profile_name(o->select.profile));
    o->select.claim = gone ? NULL : claim;
    TRY(names_check(&o->select, why));
    o->select.claim = claim;
    memset(j, 0, sizeof *j);
    return gone ? OK : judged_from(o, o->store, false, j, why);
}

int verb_accept(struct options *o)
{
    struct standings list = { NULL, 0 };
    struct judged j;
    struct accepted a = { 0 };
    struct why why = { "" };
    enum status s = OK;
    if (!o->arguments)
        s = why_set(&why, BAD_INPUT, "accept: expected the id of a claim, or a pattern");
    else if (options_typed(o, "claim"))
        s = why_set(&why, BAD_INPUT, "accept %.80s: --claim too, expected one of them", o->argument[0]);
    else if (!o->reason || !*o->reason)
        s = why_set(&why, BAD_INPUT, "accept: --reason: expected a sentence that says why");
    if (s == OK)
        s = baseline_read(o->baseline, &list, &why);
    if (s == OK)
        s = judged_to_accept(o, &list, &j, &why);
    if (s == OK) {
        s = accept_all(o, &j, &list, &a, &why);
        judged_free(&j);
    }
    standings_free(&list);
    return s != OK ? complain(s, &why) : a.left_out ? EXIT_INCOMPLETE : EXIT_OK;
}

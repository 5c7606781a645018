/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - rows of theorems: their names, whether they are well made, and the words of their verdicts. */
#include "judge/theorems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "judge/fit.h"
#include "plan/names.h"

/* Slopes computed from a grid and edges of bands that were typed count as equal within this. */
#define ROUNDING 1e-9

struct row_name row_name(const struct theorem_row *r)
{
    struct row_name name;
    snprintf(name.at, sizeof name.at, "%s.%s", r->quantity ? r->quantity : "claim", r->axis);
    return name;
}

double row_slope(const struct row_law *law, const struct window *w)
{
    if (!law->of)
        return law->exponent;
    double n = 0, mx = 0, my = 0, sxx = 0, sxy = 0;
    int points = w->points > 1 ? w->points : 2;
    for (int k = 0; k < points; k++) {
        double x = log(w->from) + (log(w->to) - log(w->from)) * k / (points - 1), y = log(law->of(exp(x)));
        double dx = x - mx, dy = y - my;
        n++;
        mx += dx / n;
        my += dy / n;
        sxx += dx * (x - mx);
        sxy += dx * (y - my);
    }
    return isfinite(sxy) ? sxy / sxx : NAN;
}

static int papers_now(void)
{
    int n = 0;
    while (paper_at(n, true))
        n++;
    return n;
}

static int by_id(const void *a, const void *b)
{
    const struct claim *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

const struct claim *claim_by_id(const char *id)
{
    /* All claims of all papers in ascending order of their ids. The list is kept until a paper is added, since the
     * checks of papers at the start of the program ask for most claims. */
    static const struct claim **list;
    static size_t n;
    static int papers = -1;
    const struct claim key = { .id = id }, *wanted = &key, *c;
    if (papers_now() != papers) {
        size_t claims = 0;
        papers = papers_now();
        for (int k = 0; k < papers; k++)
            for (struct claim_walk all = claims_of(paper_at(k, true)); (c = next_claim(&all)); )
                claims++;
        list = reallocarray(list, claims + 1, sizeof *list);
        BUG_IF(!list);
        n = 0;
        for (int k = 0; k < papers; k++)
            for (struct claim_walk all = claims_of(paper_at(k, true)); (c = next_claim(&all)); )
                list[n++] = c;
        qsort(list, n, sizeof *list, by_id);
    }
    const struct claim *const *found = n ? bsearch(&wanted, list, n, sizeof *list, by_id) : NULL;
    return found ? *found : NULL;
}

const struct theorem_row *claim_row(const char *id)
{
    const struct paper *p;
    for (int k = 0; (p = paper_at(k, true)); k++)
        for (const struct theorem *t = p->theorems; t && t->id; t++)
            for (const struct theorem_row *r = t->rows; r && r->axis; r++)
                if (r->claim && strcmp(r->claim, id) == 0)
                    return r;
    return NULL;
}

/* --- attempts that were replaced, and the claims that replaced them */

/* Returns the row "THEOREM QUANTITY.AXIS"; NULL: the paper has none of this name. */
static const struct theorem_row *row_named(const struct paper *p, const char *name)
{
    for (const struct theorem *t = p->theorems; t && t->id; t++) {
        size_t n = strlen(t->id);
        for (const struct theorem_row *r = t->rows; strncmp(name, t->id, n) == 0 && name[n] == ' ' && r && r->axis;
             r++)
            if (strcmp(row_name(r).at, name + n + 1) == 0)
                return r;
    }
    return NULL;
}

/* Returns the claim that replaced an attempt: that of its row, or the one that the attempt names. NULL: there is
 * none. */
static const struct claim *standing_for(const struct paper *p, const struct attempt *a)
{
    const struct theorem_row *r = row_named(p, a->row);
    return !r ? claim_by_id(a->row) : r->claim ? claim_by_id(r->claim) : NULL;
}

int claim_attempt(const struct claim *c)
{
    return c->attempt || !c->id ? c->attempt : claim_row(c->id) != NULL;
}

/* An attempt, and the claim that replaced it. */
struct replaced { const struct attempt *attempt; const struct claim *by; };

/* Returns all attempts of all papers, in their order; ends with { 0 }. The list is kept until a paper is added,
 * since a report asks for it once for each claim and row. */
static const struct replaced *all_replaced(void)
{
    static struct replaced *list;
    static int papers = -1;
    const struct paper *p;
    int n = 0;
    if (papers_now() == papers)
        return list;
    papers = papers_now();
    for (int i = 0; (p = paper_at(i, true)); i++)
        for (const struct attempt *a = p->attempts; a && a->claim; a++) {
            list = reallocarray(list, (size_t)n + 2, sizeof *list);
            BUG_IF(!list);
            list[n++] = (struct replaced){ a, standing_for(p, a) };
        }
    if (!list)
        list = calloc(1, sizeof *list);
    BUG_IF(!list);
    list[n] = (struct replaced){ NULL, NULL };
    return list;
}

const struct attempt *attempt_before(const struct claim *c, int k)
{
    if (c->attempt < 2)                  /* it is the first one: check_attempt() asks for smaller numbers before it */
        return NULL;
    for (const struct replaced *r = all_replaced(); r->attempt; r++)
        if (r->by == c && k-- == 0)
            return r->attempt;
    return NULL;
}

int attempt_contradicted(const struct claim *c)
{
    int last = 0;
    const struct attempt *a;
    for (int k = 0; (a = attempt_before(c, k)); k++)
        if (strncmp(a->verdict, "CONTRADICTED", strlen("CONTRADICTED")) == 0)
            last = a->number;
    return last;
}

static enum status check_attempt(const struct paper *p, const struct attempt *a, struct why *why)
{
    const struct claim *stands = standing_for(p, a);
    int number = 1;
    if (!row_named(p, a->row) && (!stands || claim_row(a->row)))
        return why_set(why, BAD_INPUT, "attempt %s: expected a row THEOREM QUANTITY.AXIS of %s, or the claim that "
                       "stands where it decides no row, not '%s'", a->claim, p->key, a->row);
    if (claim_by_id(a->claim))
        return why_set(why, BAD_INPUT, "attempt %s, row %s: expected a claim that was replaced, not one of the "
                       "registry",
                       a->claim, a->row);
    for (const struct attempt *before = p->attempts; before < a; before++)
        number += strcmp(before->row, a->row) == 0;
    if (a->number != number)
        return why_set(why, BAD_INPUT, "attempt %s, row %s: expected the number %d, the next of its row, not %d",
                       a->claim, a->row, number, a->number);
    if (stands && a->number >= claim_attempt(stands))
        return why_set(why, BAD_INPUT, "attempt %s, row %s: expected a number below %d, that of the claim %s which "
                       "stands, not %d", a->claim, a->row, claim_attempt(stands), stands->id, a->number);
    return OK;
}

/* Returns the first rival of a row whose slope over the window is in lo..hi; NULL: there is none. */
static const struct row_law *rival_within(const struct theorem_row *r, const struct window *w, double lo, double hi)
{
    for (const struct row_law *rival = r->rivals; rival < r->rivals + RIVALS_MAX && rival->text; rival++) {
        double slope = row_slope(rival, w);
        if (lo <= slope && slope <= hi)
            return rival;
    }
    return NULL;
}

const struct row_law *row_rival_within(const struct paper *p, const struct claim *c, const struct window *w,
                                       double lo, double hi)
{
    for (const struct theorem *t = p->theorems; t && t->id; t++)
        for (const struct theorem_row *r = t->rows; r && r->axis; r++)
            if (r->claim && strcmp(r->claim, c->id) == 0)
                return c->law.form == LAW_POWER ? rival_within(r, w, lo, hi) : NULL;
    return NULL;
}

/* Returns the window over which slopes of laws are computed: that of the largest profile that has the claim. */
static const struct window *widest(const struct claim *c)
{
    for (int k = PROFILES - 1; k > 0; k--)
        if (c->window[k].points > 1)
            return &c->window[k];
    return &c->window[0];
}

/* Checks the band of a power law against the promise and the rivals. Bands of other laws are about another
 * quantity. */
static enum status check_band(const struct theorem *t, const struct theorem_row *r, const struct claim *c,
                              struct why *why)
{
    const struct window *w = widest(c);
    if (c->check != CHECK_RATE || c->law.form != LAW_POWER || w->points < 2)
        return OK;
    double slope = row_slope(&r->promise, w);
    if (!(c->band[0] <= slope + ROUNDING && slope <= c->band[1] + ROUNDING))
        return why_set(why, BAD_INPUT, "theorem %s, row %s: expected a band of claim %s that holds the promise %s, "
                       "whose slope is %.4g there; it is %.4g to %.4g", t->id, row_name(r).at, c->id,
                       r->promise.text, slope, c->band[0], c->band[1]);
    for (const struct row_law *rival = r->rivals; rival < r->rivals + RIVALS_MAX && rival->text; rival++) {
        double other = row_slope(rival, w), edge = other < slope ? c->band[0] : c->band[1];
        if (!(fabs(edge - slope) <= fabs(other - slope) / 2 + ROUNDING))
            return why_set(why, BAD_INPUT, "theorem %s, row %s: expected a band of claim %s within half of the way "
                           "from the promise's slope %.4g to %.4g, that of the rival %s; it ends at %.4g", t->id,
                           row_name(r).at, c->id, slope, other, rival->text, edge);
    }
    return OK;
}

static enum status check_row(const struct theorem *t, const struct theorem_row *r, struct why *why)
{
    for (const struct theorem_row *before = t->rows; before < r; before++)
        if (strcmp(row_name(before).at, row_name(r).at) == 0)
            return why_set(why, BAD_INPUT, "theorem %s: expected one row %s, there are two", t->id, row_name(r).at);
    if (!r->promise.text)
        return why_set(why, BAD_INPUT, "theorem %s, row %s: expected a promise", t->id, row_name(r).at);
    if (!r->claim)
        return r->state != ROW_CLAIM && (r->state == ROW_NONE || r->reason) ? OK
             : why_set(why, BAD_INPUT, "theorem %s, row %s: expected a claim, or the state none, evidence or data "
                       "with its reason", t->id, row_name(r).at);
    const struct claim *c = claim_by_id(r->claim);
    if (!c)
        return why_set(why, BAD_INPUT, "theorem %s, row %s: expected the id of a claim, not '%s', which no paper "
                       "has",
                       t->id, row_name(r).at, r->claim);
    return check_band(t, r, c, why);
}

enum status theorems_check(const struct paper *p, struct why *why)
{
    size_t n = strlen(p->key);
    const struct claim *c;
    for (struct claim_walk all = claims_of(p); (c = next_claim(&all)); )
        if (c->rounds > FIT_ROUNDS_MAX)
            return why_set(why, BAD_INPUT, "claim %s: expected at most %d rounds of replicates, not %d", c->id,
                           FIT_ROUNDS_MAX, c->rounds);
    for (const struct theorem *t = p->theorems; t && t->id; t++) {
        if (strncmp(t->id, p->key, n) || t->id[n] != '/' || strpbrk(t->id, "*?[, "))
            return why_set(why, BAD_INPUT, "theorem %s: expected an id that begins with %s/ and has no blank, "
                           "comma or pattern", t->id, p->key);
        for (const struct theorem *before = p->theorems; before < t; before++)
            if (strcmp(before->id, t->id) == 0)
                return why_set(why, BAD_INPUT, "theorem %s: expected one of this id, there are two", t->id);
        for (const struct theorem_row *r = t->rows; r && r->axis; r++)
            TRY(check_row(t, r, why));
    }
    for (const struct attempt *a = p->attempts; a && a->claim; a++)
        TRY(check_attempt(p, a, why));
    return OK;
}

const char *row_word(const struct theorem_row *r, const char *(*verdict_of)(void *ctx, const char *claim),
                     void *ctx)
{
    static const char *const states[] = { "none", "none", "evidence", "data" };
    if (!r->claim)
        return states[r->state];
    const char *word = verdict_of(ctx, r->claim);
    return word ? word : "NOT_RUN";
}

struct theorem_count theorem_count(const struct theorem *t, const char *(*verdict_of)(void *ctx, const char *claim),
                                   void *ctx)
{
    struct theorem_count n = { 0 };
    for (const struct theorem_row *r = t->rows; r && r->axis; r++) {
        const char *word = row_word(r, verdict_of, ctx);
        n.rows++;
        n.supported += strcmp(word, "SUPPORTED") == 0;
        n.decided += strcmp(word, "SUPPORTED") == 0 || strcmp(word, "CONTRADICTED") == 0;
    }
    return n;
}

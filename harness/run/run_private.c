/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_private.c - accounting, replay and audit of a private run. */
#include "run/run_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "privacy/account.h"
#include "privacy/account_ledger.h"
#include "run/replay.h"

__attribute__((format(printf, 3, 4)))
static void put(struct record *r, double v, const char *format, ...)
{
    char name[RECORD_NAME];
    va_list ap;
    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    record_put(r, name, v);
}

double private_delta(const struct cell *c, const struct facts *f)
{
    double n = isfinite(f->n) ? f->n : c->goal.n;
    return isnan(c->goal.delta) ? 1 / (n * n) : c->goal.delta;
}

double private_promise(const struct goal *g, double delta)
{
    if (isnan(g->eps) && !isnan(g->rho))
        return account_zcdp_cks(g->rho * g->rho / 2, delta, NULL);
    return g->eps;
}

/* --- the price of the ledger, as values of the record */

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

static void put_prices(struct record *r, const struct ledger *l, const struct cell *c,
                       const struct facts *f, double delta)
{
    struct priced by[ACCOUNTANTS];
    double lower = NAN;
    account_ledger(l, f->n, delta, by);
    for (int k = 0; k < ACCOUNTANTS; k++) {
        if (!isnan(by[k].eps))
            put(r, by[k].eps, "privacy.eps.%s", by[k].name);
        lower = fmax(lower, by[k].lower);
    }
    put(r, account_ledger_least(by), "privacy.eps");
    put(r, delta, "privacy.delta");
    if (!isnan(lower))
        put(r, lower, "privacy.lower");
    if (!isnan(private_promise(&c->goal, delta)))
        put(r, private_promise(&c->goal, delta), "privacy.promise");
}

/* Puts privacy.reach where the goal promises (rho^2/2)-zCDP, by its member rho, and all noise is normal: the
 * epsilon that such noise can reach at delta. Normal noise is then rho-GDP, which has a smaller epsilon than other
 * mechanisms of this zCDP may have. */
static void put_reach(struct record *r, const struct goal *g, double delta)
{
    if (isnan(g->eps) && !isnan(g->rho) && !isnan(value_of(r, "privacy.eps.exact")))
        put(r, account_gaussian_eps(g->rho, delta), "privacy.reach");
}

/* --- a replay, as values of the record */

static void put_replay(struct record *r, const struct replay *p)
{
    const struct tape *t = &p->tape;
    put(r, p->choice, "replay.choice");
    put(r, t->leak, "replay.leak");
    put(r, (double)t->call, "replay.call");
    for (int k = 0; k < t->sites; k++) {
        const struct tape_site *s = &t->site[k];
        put(r, (double)s->touched, "replay.touched.%s", s->name);
        if (s->failure > 0) {
            put(r, (double)s->exceeded, "replay.exceeded.%s", s->name);
            put(r, s->failure, "replay.failure.%s", s->name);
        } else if (!s->hidden) {
            put(r, s->ratio, "replay.ratio.%s", s->name);
        }
    }
}

static enum status add_replay(struct runner *rn, const struct cell *c, struct record *r,
                              struct why *why)
{
    struct replay p;
    enum status s = replay_run(rn, c, c->run.replay, value_of(r, "count.taken"), runner_limit(rn),
                               &p, why);
    if (s == OK)
        put_replay(r, &p);
    tape_free(&p.tape);
    return s;
}

/* --- an audit or a part of one, as values and trace of the record */

/* Returns the mu of normal noise that spends the promised epsilon in full, where all noise of the run is normal;
 * else 0. */
static double promised_mu(const struct record *r)
{
    double eps = value_of(r, "privacy.reach"), delta = value_of(r, "privacy.delta");
    if (isnan(eps))
        eps = value_of(r, "privacy.promise");
    bool normal = !isnan(value_of(r, "privacy.eps.exact")) && eps > 0 && isfinite(eps);
    return normal ? 1 / account_gaussian_sigma(eps, delta) : 0;
}

void private_put_audit(struct record *r, long runs, const struct audit *a)
{
    double promise = value_of(r, "privacy.promise"), delta = value_of(r, "privacy.delta");
    put(r, (double)runs, "audit.runs");
    put(r, a->eps, "audit.eps");
    put(r, a->eps_strict, "audit.strict");
    put(r, a->mu, "audit.mu");
    put(r, a->mu_strict, "audit.mu_strict");
    put(r, strcmp(a->statistic, "loss") == 0, "audit.loss");
    if (!(promise > 0) || a->held < 2)
        return;
    struct audit_ceiling most = audit_ceiling(a->held, promise, promised_mu(r), delta);
    put(r, most.eps, "audit.ceiling");
    put(r, most.mu, "audit.ceiling.mu");
}

void private_put_one(struct record *r, const struct audit_one *one)
{
    if (!one->guesses)
        return;
    put(r, one->eps, "audit.one.eps");
    put(r, (double)one->m, "audit.one.m");
    put(r, one->white, "audit.one.white");
}

/* Makes the runs of part c->run.part of an audit, and puts them into the record as its trace. They are runs of
 * replicate 0 of the cell, as all parts are of one audit. */
static enum status add_part(struct runner *rn, const struct cell *c, struct record *r, struct why *why)
{
    struct audit_runs runs = { 0 };
    struct cell *whole = cell_replicate(c, 0);
    long first, n;
    audit_part(c->run.audit, c->run.part, c->run.parts, &first, &n);
    enum status s = n ? audit_collect(rn, whole, first, n, &runs, why) : OK;
    if (s == OK && n)
        audit_put_trace(r, &runs, first);
    audit_free(&runs);
    cell_free(whole);
    return s;
}

static enum status add_whole(struct runner *rn, const struct cell *c, struct record *r, double delta,
                             struct why *why)
{
    struct audit_runs runs;
    enum status s = audit_collect(rn, c, 0, c->run.audit, &runs, why);
    if (s == OK) {
        struct audit a = audit_judge(&runs, delta);
        private_put_audit(r, c->run.audit, &a);
    }
    audit_free(&runs);
    return s;
}

static enum status add_audit(struct runner *rn, const struct cell *c, struct record *r, double delta,
                             struct why *why)
{
    struct audit_one one;
    if (c->run.parts && c->run.part > c->run.parts)
        return why_set(why, REFUSED, "run.part = %ld: expected at most run.parts = %ld", c->run.part,
                       c->run.parts);
    TRY(c->run.parts ? add_part(rn, c, r, why) : add_whole(rn, c, r, delta, why));
    if (c->run.part > 1)
        return OK;
    double m = value_of(r, "count.taken");
    TRY(audit_one_run(rn, c, m < 1e6 ? (long)m : 0, delta, &one, why));
    private_put_one(r, &one);
    return OK;
}

enum status run_private(struct runner *rn, const struct cell *c, struct record *r, struct why *why)
{
    const void *self;
    const struct facts *facts;
    const char *name = c->algo ? c->algo->name : c->estimator->name;
    if (!c->run.replay && !c->run.audit)
        return OK;
    if (!c->algo || c->algo->adjacency == ADJACENCY_NONE)
        return why_set(why, REFUSED,
                       "run.replay and run.audit are for private methods: %s declares "
                       "no adjacency",
                       name);
    if (c->run.count || c->run.aggregate)
        return why_set(why, REFUSED, "run.replay and run.audit need single records: not with "
                       "run.count, nor with run.aggregate");
    TRY(runner_instance(rn, c, &self, &facts, why));
    double delta = private_delta(c, facts);
    if (!(delta > 0 && delta < 1))
        return why_set(why, REFUSED, "delta = %g: expected goal delta between 0 and 1", delta);
    put_prices(r, runner_ledger(rn), c, facts, delta);
    put_reach(r, &c->goal, delta);
    if (c->run.replay)
        TRY(add_replay(rn, c, r, why));
    return c->run.audit ? add_audit(rn, c, r, delta, why) : OK;
}

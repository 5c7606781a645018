/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private.c - what records say of the privacy of one method at one goal. */
#include "judge/private.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "privacy/account.h"

struct privacy_seen privacy_none(void)
{
    return (struct privacy_seen){ .promise = NAN, .delta = NAN, .reach = NAN, .spent = NAN, .lower = NAN };
}

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* --- gathering: a missing value is NaN, which fmax ignores */

static bool begins(const char *name, const char *with, const char **rest)
{
    *rest = name + strlen(with);
    return strncmp(name, with, strlen(with)) == 0;
}

static void add_price(struct privacy_seen *p, const char *accountant, double eps)
{
    int k = 0;
    while (k < p->accountants && strcmp(p->by[k].name, accountant))
        k++;
    if (k == PRIVATE_ACCOUNTANTS)
        return;
    if (k == p->accountants) {
        p->accountants++;
        snprintf(p->by[k].name, sizeof p->by[k].name, "%s", accountant);
    }
    p->by[k].eps = fmax(p->by[k].eps, eps);
}

static void add_prices(struct privacy_seen *p, const struct record *r)
{
    const char *accountant;
    for (size_t k = 0; k < r->values; k++)
        if (begins(r->name[k], "privacy.eps.", &accountant))
            add_price(p, accountant, r->value[k]);
    p->gaussian = (p->records == 0 || p->gaussian) && !isnan(value_of(r, "privacy.eps.exact"));
    p->promise = fmax(p->promise, value_of(r, "privacy.promise"));
    p->reach = fmax(p->reach, value_of(r, "privacy.reach"));
    p->delta = fmax(p->delta, value_of(r, "privacy.delta"));
    p->spent = fmax(p->spent, value_of(r, "privacy.eps"));
    p->lower = fmax(p->lower, value_of(r, "privacy.lower"));
    p->told |= value_of(r, "flag.told_data") > 0;
}

static struct private_site *site_of(struct privacy_seen *p, const char *name)
{
    int k = 0;
    while (k < p->sites && strcmp(p->site[k].name, name))
        k++;
    if (k == TAPE_SITES)
        return &p->site[k - 1];
    if (k == p->sites) {
        p->sites++;
        snprintf(p->site[k].name, TAPE_SITE, "%s", name);
    }
    return &p->site[k];
}

static void add_sites(struct privacy_seen *p, const struct record *r)
{
    for (size_t k = 0; k < r->values; k++) {
        const char *site;
        double v = r->value[k];
        if (begins(r->name[k], "replay.ratio.", &site))
            site_of(p, site)->ratio = fmax(site_of(p, site)->ratio, v);
        else if (begins(r->name[k], "replay.touched.", &site))
            site_of(p, site)->touched += v;
        else if (begins(r->name[k], "replay.exceeded.", &site))
            site_of(p, site)->exceeded += v;
        else if (begins(r->name[k], "replay.failure.", &site))
            site_of(p, site)->failure = fmax(site_of(p, site)->failure, v);
    }
}

void privacy_add(struct privacy_seen *p, const struct record *r, double neighbour)
{
    double leak = value_of(r, "replay.leak");
    add_prices(p, r);
    p->records++;
    if (!isnan(leak)) {
        p->replays++;
        if (leak > 0 && !p->leaks++) {
            p->leak = (enum leak)leak;
            p->call = value_of(r, "replay.call");
            p->neighbour = neighbour;
        }
        add_sites(p, r);
    }
    privacy_add_audit(p, r);
}

void privacy_add_audit(struct privacy_seen *p, const struct record *r)
{
    p->one = fmax(p->one, value_of(r, "audit.one.eps"));
    p->canaries = fmax(p->canaries, value_of(r, "audit.one.m"));
    if (isnan(value_of(r, "audit.runs")))
        return;
    p->audits += value_of(r, "audit.runs");
    p->audit = fmax(p->audit, value_of(r, "audit.eps"));
    p->audit_strict = fmax(p->audit_strict, value_of(r, "audit.strict"));
    p->mu = fmax(p->mu, value_of(r, "audit.mu"));
    p->mu_strict = fmax(p->mu_strict, value_of(r, "audit.mu_strict"));
    p->ceiling = fmax(p->ceiling, value_of(r, "audit.ceiling"));
    p->ceiling_mu = fmax(p->ceiling_mu, value_of(r, "audit.ceiling.mu"));
}

/* --- what follows from the gathered values */

double privacy_ratio(const struct privacy_seen *p)
{
    double worst = 0;
    for (int k = 0; k < p->sites; k++)
        worst = fmax(worst, p->site[k].ratio);
    return worst;
}

bool privacy_met(const struct privacy_seen *p)
{
    for (int k = 0; k < p->sites; k++)
        if (p->site[k].touched > 0)
            return true;
    return false;
}

const struct private_site *privacy_fails(const struct privacy_seen *p)
{
    for (int k = 0; k < p->sites; k++) {
        const struct private_site *s = &p->site[k];
        if (s->exceeded > s->touched && s->failure > 0)
            return s;                    /* the value changed where the record does not take part */
        if (s->exceeded > 0 &&
            gsl_cdf_binomial_Q((unsigned)s->exceeded - 1, s->failure, (unsigned)s->touched) < 1e-6)
            return s;
    }
    return NULL;
}

/* Returns the epsilon at delta that a mu of Gaussian privacy implies; 0 where not all noise is normal. */
static double by_mu(const struct privacy_seen *p, double mu)
{
    return p->gaussian && mu > 0 ? account_gaussian_eps(mu, p->delta) : 0;
}

double privacy_whole(const struct privacy_seen *p)
{
    return p->gaussian && !isnan(p->reach) ? p->reach : p->promise;
}

double privacy_most(const struct privacy_seen *p)
{
    return fmax(fmax(p->audit, p->one), by_mu(p, p->mu));
}

double privacy_explained(const struct privacy_seen *p)
{
    return privacy_most(p) / privacy_whole(p);
}

double privacy_ceiling(const struct privacy_seen *p)
{
    return fmax(p->ceiling, by_mu(p, p->ceiling_mu)) / privacy_whole(p);
}

bool privacy_without_power(const struct privacy_seen *p)
{
    return !(privacy_most(p) > 0) && privacy_ceiling(p) < 0.01;
}

double privacy_shown(const struct privacy_seen *p)
{
    return fmax(p->audit_strict, by_mu(p, p->mu_strict));
}

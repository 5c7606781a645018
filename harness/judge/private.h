/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private.h - what records say of the privacy of one method at one goal, for the check `private`. Pure. The names
 * of the values are in run_private.h. */
#ifndef ASSAY_PRIVATE_H
#define ASSAY_PRIVATE_H

#include <stdbool.h>

#include "record/record.h"
#include "oracle/tape.h"

struct private_site {
    char name[TAPE_SITE];
    /* Over all replays. ratio: the largest change of a value, divided by what the sensitivity allows; touched: the
     * number of releases in which the changed record takes part; exceeded: the number of releases with a declared
     * failure probability whose ratio is above 1; failure: the largest of these probabilities. */
    double ratio, touched, exceeded, failure;
};

enum { PRIVATE_ACCOUNTANTS = 12 };
struct private_price { char name[16]; double eps; };

struct privacy_seen {
    double promise, delta;           /* epsilon at delta; NaN: nothing was promised */
    double reach;                    /* NaN: all of `promise` can be spent. Else the promise is a zCDP, and this is
                                        the part of its epsilon that normal noise can spend */
    int records;
    bool told;                       /* some run was given a constant computed from the data */

    /* accounting: the largest values over the runs */
    double spent, lower;             /* spent: least proven epsilon; lower: a lower bound of the true epsilon, or
                                        NaN */
    struct private_price by[PRIVATE_ACCOUNTANTS];     /* accountants that apply */
    int accountants;
    bool gaussian;                   /* all noise is normal: the promise is also one of mu-Gaussian privacy */

    /* replay */
    int replays, leaks;
    enum leak leak;                  /* kind of the first leak */
    double call, neighbour;          /* of the first leak: number of the call and of the neighbour, from 1 */
    struct private_site site[TAPE_SITES];
    int sites;

    /* audit. audits: the number of runs of all records; each other member is the largest of its values in the
     * records. audit, mu: lower limits of epsilon and mu at 95%; audit_strict, mu_strict: the same at 1 - 10^-6;
     * one: the lower limit of epsilon from a single run with canaries; canaries: their number. */
    double audits, audit, audit_strict, mu, mu_strict, one, canaries;
    double ceiling, ceiling_mu;      /* the bounds to expect from audits if the whole promise is spent */
};

struct privacy_seen privacy_none(void);
/* Adds a record of a run that was replayed or audited. neighbour: number of the neighbouring data set, for
 * messages. */
void privacy_add(struct privacy_seen *p, const struct record *r, double neighbour);
/* Adds only the values audit.* of a record that has been added before without them. */
void privacy_add_audit(struct privacy_seen *p, const struct record *r);

/* Returns the largest ratio of a change to what the declared sensitivity allows (struct tape_site) at sites that
 * declare no failure probability; 0: the changed record took part in no release there. */
double privacy_ratio(const struct privacy_seen *p);
/* Did the changed record take part in a release? */
bool privacy_met(const struct privacy_seen *p);
/* Returns the site whose sensitivity fails more often than it may: the number of failures that was seen would
 * exceed the declared probability by chance less than once in 10^6. NULL: there is none. */
const struct private_site *privacy_fails(const struct privacy_seen *p);
/* Returns the largest epsilon that audits show at 95%. */
double privacy_most(const struct privacy_seen *p);
/* Return shares of the promise, through mu where all noise is normal; NaN where nothing is promised.
 * privacy_explained: the largest share that audits show at 95%; privacy_ceiling: the share to expect if the whole
 * promise is spent. */
double privacy_explained(const struct privacy_seen *p);
double privacy_ceiling(const struct privacy_seen *p);
/* Do audits show nothing, and would they show less than 1% of the promise even if all of it were spent? */
bool privacy_without_power(const struct privacy_seen *p);
/* Returns the epsilon that the whole promise lets a run spend: privacy_explained and privacy_ceiling are shares of
 * it. */
double privacy_whole(const struct privacy_seen *p);
/* Returns the epsilon that the audits show, which exceeds the true one with probability at most 10^-6. */
double privacy_shown(const struct privacy_seen *p);

#endif

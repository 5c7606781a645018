/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.h - lower confidence bounds on epsilon from runs on two neighbouring data sets. The statistic
 * and its threshold are chosen on one half of the runs and applied to the other half. Every statistic
 * of what an attacker sees gives a valid bound; better statistics give larger ones. */
#ifndef ASSAY_AUDIT_H
#define ASSAY_AUDIT_H

#include "run/run.h"

/* Two-sided confidence levels, split over both rates: the one that is printed, and the strict one
 * at which a promise is contradicted. A bound exceeds a true epsilon with probability at most 1 -
 * level. */
#define AUDIT_LEVEL 0.95
#define AUDIT_STRICT (1 - 1e-6)

/* The bound on epsilon from n runs a side, of which a test called `yes_with` of those with the record
 * and `yes_without` of those without it "with": the largest of log((P - delta)/Q), where P and Q are
 * the exact limits of the two rates (Clopper and Pearson, each at half the level), over the event and
 * its complement; at least 0. */
double audit_eps(long n, long yes_with, long yes_without, double delta, double level);
/* A lower bound on mu, if the releases are mu-GDP: of n pairs of a run with the record and one
 * without it, the statistic was larger with the record in `won`. A pair of data sets against the same
 * pair exchanged is (sqrt(2) mu)-GDP, so that a pair is won with probability at most Phi(mu/sqrt 2):
 * the bound is sqrt(2) z(P), P the one-sided exact limit; at least 0. */
double audit_mu(long n, long won, double level);

/* The bounds that n runs a side show of a promise that is spent in full: at the expected counts, with
 * the best threshold for epsilon. mu > 0: by normal noise; mu = 0: by the mechanism that shows the
 * most, randomised response at (eps, delta). */
struct audit_ceiling { double eps, mu; };
struct audit_ceiling audit_ceiling(long n, double eps, double mu, double delta);

/* Runs as an attacker sees them. A row holds the first release that the record may take part in, the
 * answer, and the privacy loss of all releases (privacy_loss.h), NaN where it cannot be written. */
struct audit_runs {
    long n, release, d;          /* runs on each side; numbers in the release, in the answer */
    double *side[2];             /* [n][audit_row] each: with the record as it is, and changed */
};
static inline long audit_row(const struct audit_runs *a) { return a->release + a->d + 1; }
void audit_free(struct audit_runs *a);
/* Makes room for a->n runs whose release has this many numbers; all are NaN. */
void audit_room(struct audit_runs *a, long release);
/* Makes the runs first .. first+n-1 on each side; `first` is even. The record that differs is the
 * first one of stream order, or the one that has the largest share of a batch if that share is twice
 * as large; where the family has a pair of canaries, they take its place. A run that releases nothing
 * of the record has NaN there. */
enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why);

struct audit {
    const char *statistic;       /* "loss", or "release" or "answer" projected on the difference of
                                  * their means */
    long held, yes[2], won;      /* runs of each side that judge; of them those beyond the threshold;
                                  * pairs won */
    double eps, eps_strict;      /* at AUDIT_LEVEL and at AUDIT_STRICT */
    double mu, mu_strict;
};
/* Even runs choose, odd runs judge. The loss is the best statistic where the ledger is right; another
 * one takes its place only if it shows half as much again. n < 4: no bound, all members are 0. */
struct audit audit_judge(const struct audit_runs *a, double delta);
/* The same by the answer alone: the bound for an attacker who sees no release and no ledger. */
struct audit audit_judge_answer(const struct audit_runs *a, double delta);

/* One run in which each of the first m records (at most those stored) is left out with probability
 * 1/2, adjacency zero-out; the attacker guesses a fifth of them (Steinke, Nasr and Jagielski 2023).
 * White box, where all noise is normal and m runs are affordable: guesses are by the likelihood of
 * the releases with the record against without it, each of the other records counted as half present;
 * m more runs with the releases forced show how each record changes them. Otherwise by <gradient at
 * the start, way to the answer>. With fewer than 10 records, another adjacency or no sample gradients
 * there are no guesses, and all members are 0. */
struct audit_one { long m, guesses, right; double eps; bool white; };
enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.h - lower confidence bounds on epsilon from runs on two neighbouring data sets. The
 * statistic and its threshold are chosen on one half of the runs and applied to the other; any
 * statistic of what an attacker sees is valid, the better ones show more. */
#ifndef ASSAY_AUDIT_H
#define ASSAY_AUDIT_H

#include "run/run.h"

/* Two-sided level split over both rates: what is printed, and what contradicts a promise. A true
 * promise is exceeded with probability at most this. */
#define AUDIT_LEVEL 0.95
#define AUDIT_STRICT (1 - 1e-6)

/* What `true` of n runs with the record and `false` of n runs without it called "with" show: the
 * largest of log((P - delta)/Q), P and Q the exact limits of the two rates (Clopper and Pearson,
 * each at half the level), over the event and its complement; 0 at least. */
double audit_eps(long n, long yes_with, long yes_without, double delta, double level);
/* The mu that releases are shown to exceed if they are mu-GDP: of n pairs of a run with the record
 * and one without it, the statistic was larger with it in `won`. Two data sets against the same two
 * exchanged are sqrt(2) mu-GDP, so that a pair is won with probability at most Phi(mu/sqrt 2):
 * sqrt(2) z(P), P the one-sided exact limit; 0 at least. */
double audit_mu(long n, long won, double level);

/* What n runs a side show of a promise that is spent to the last: bounds at the counts to be
 * expected, the best threshold for epsilon. By normal noise, mu > 0; mu = 0: by the mechanism
 * that shows the most, randomised response at (eps, delta). */
struct audit_ceiling { double eps, mu; };
struct audit_ceiling audit_ceiling(long n, double eps, double mu, double delta);

/* A run as the attacker sees it: the first release that the record may take part in, the answer,
 * and the privacy loss of all releases (privacy_loss.h), NaN where it cannot be written. */
struct audit_runs {
    long n, release, d;          /* runs on each side; numbers of the first two parts */
    double *side[2];             /* [n][audit_row] with the record as it is, and changed */
};
static inline long audit_row(const struct audit_runs *a) { return a->release + a->d + 1; }
void audit_free(struct audit_runs *a);
/* Room for n runs whose release has this many numbers, all NaN. */
void audit_room(struct audit_runs *a, long release);
/* Runs first .. first+n-1 on each side, first even; the record is the first of stream
 * order, or the one that has the largest share of a batch, if twice as large; the family's canary in its
 * place where there is a pair. A run that releases nothing of the record has NaN there. */
enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why);

struct audit {
    const char *statistic;       /* "loss", or "release" or "answer" projected on the difference of
                                    their means */
    long held, yes[2], won;      /* runs of each side that judge; those beyond; pairs */
    double eps, eps_strict;      /* at the two levels */
    double mu, mu_strict;
};
/* Even runs choose, odd runs judge. The loss is the best there is where the ledger is right, and is
 * given up only for what shows half as much again. n < 4: no bound, all 0. */
struct audit audit_judge(const struct audit_runs *a, double delta);
/* By the answer alone: what it shows to one who sees no release and knows no ledger. */
struct audit audit_judge_answer(const struct audit_runs *a, double delta);

/* One run in which each of the first m records (all that are stored, at most) is left out by a
 * fair coin, adjacency zero-out; the attacker guesses a fifth of them (Steinke, Nasr and Jagielski
 * 2023). White box, where all noise is normal and m runs are affordable: by the likelihood of the
 * releases with the record against without it, the others half there; m more runs with those
 * releases forced tell what it changes. Else by <gradient at the start, way to the answer>. Fewer
 * than 10, another adjacency, no sample gradients: no guesses, all 0. */
struct audit_one { long m, guesses, right; double eps; bool white; };
enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why);

#endif

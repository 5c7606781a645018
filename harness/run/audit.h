/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.h - lower confidence bounds on epsilon from runs on two neighbouring data sets. The statistic and its
 * threshold are chosen on one half of the runs and applied to the other half. Every statistic of what an attacker
 * sees gives a valid bound; a better statistic gives a larger one. The two sides of an audit are the runs with the
 * record in which the data sets differ, and those without it or with it changed. */
#ifndef ASSAY_AUDIT_H
#define ASSAY_AUDIT_H

#include "run/run.h"

/* Confidence levels. The allowed error, 1 - level, is split over the two sides. AUDIT_LEVEL is that of printed
 * bounds; a promise is contradicted by the bound at AUDIT_STRICT. A bound exceeds the true epsilon with probability
 * at most 1 - level. */
#define AUDIT_LEVEL 0.95
#define AUDIT_STRICT (1 - 1e-6)

/* Returns the bound on epsilon from n runs on each side. A test says "with" of yes_with of the runs with the
 * record, and of yes_without of the runs without it. The bound is the larger of log((P - delta)/Q) for the event
 * that the test says "with", where P is the lower limit of its probability in runs with the record and Q the upper
 * limit in runs without it, and for the complement of this event, with the sides exchanged; at least 0. The limits
 * are exact (Clopper and Pearson): each of the two fails with a probability of at most (1-level)/2. */
double audit_eps(long n, long yes_with, long yes_without, double delta, double level);
/* Returns a lower bound on mu, if the releases are mu-GDP. Of n pairs of a run with the record and one without it,
 * the statistic was larger with the record in `won`. A pair of data sets against the same pair exchanged is
 * (sqrt(2) mu)-GDP, so that a pair is won with probability at most Phi(mu/sqrt 2), where Phi is the standard normal
 * distribution function. The bound is sqrt(2) Phi^-1(P), where P is the exact lower limit of the probability that a
 * pair is won; at least 0. */
double audit_mu(long n, long won, double level);

/* The bounds that n runs on each side would give for a mechanism that spends a promise of (eps, delta) in full: at
 * the expected counts, with the best threshold for epsilon. mu > 0: the noise is normal; mu = 0: the mechanism is
 * randomised response at (eps, delta), which gives the largest bounds. */
struct audit_ceiling { double eps, mu; };
struct audit_ceiling audit_ceiling(long n, double eps, double mu, double delta);

/* Runs as an attacker sees them. A row holds the first release that the record may take part in, the answer, and
 * the privacy loss of all releases (privacy_loss.h), which is NaN where it cannot be computed. */
struct audit_runs {
    long n, release, d;          /* n: runs on each side; release: numbers in the release; d: numbers in the
                                    answer */
    double *side[2];             /* [n][audit_row] each. side[0]: with the record as it is; side[1]: with the record
                                    changed */
};
static inline long audit_row(const struct audit_runs *a) { return a->release + a->d + 1; }
void audit_free(struct audit_runs *a);
/* Allocates a->side for a->n runs whose release has `release` numbers; all entries are NaN. */
void audit_room(struct audit_runs *a, long release);
/* *a <- the runs first .. first+n-1 on each side, in order; `first` is even. The record in which the two data sets
 * differ is the first one of stream order, or the one that has the largest share of a sum over a batch, if that
 * share is more than twice that of the first. Where the family has a pair of canaries, they replace this record.
 * The release of a run is NaN where nothing is released that the record may take part in. */
enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why);

/* Puts the runs first, first+1, ... into the record as its trace, with the columns side, run, then those of a row
 * of *a. */
void audit_put_trace(struct record *r, const struct audit_runs *a, long first);
/* *a <- the runs in the traces that audit_put_trace has put into the records r[n], in their order; records without
 * such a trace are left out. Returns false if no record has such a trace, or if the traces differ in the number of
 * columns. */
bool audit_take_traces(const struct record *const *r, int n, struct audit_runs *a);
/* *first, *n <- the runs of part `part`, which is 1 .. parts, of an audit of `runs` runs on each side; *first is
 * even, *n may be 0. The runs of all parts together are those of the whole audit. */
void audit_part(long runs, long part, long parts, long *first, long *n);

/* What an audit finds. Where there were too few runs, the bounds are 0. */
struct audit {
    const char *statistic;       /* the statistic by which the runs are judged: "loss"; "release" or "answer",
                                    projected on the difference of the means of the two sides; "none": too few runs,
                                    or NaN in all of them */
    long held, yes[2], won;      /* held: number of odd runs on each side, which give the bounds; yes[side]: number
                                    of odd runs whose statistic is above the threshold; won: number of pairs of odd
                                    runs that are won (audit_mu) */
    double eps, eps_strict;      /* lower bounds on epsilon (audit_eps), at AUDIT_LEVEL and at AUDIT_STRICT */
    double mu, mu_strict;        /* lower bounds on mu (audit_mu), at the same levels */
};
/* Chooses statistic and threshold by the even runs, and judges by the odd runs. The privacy loss is the best
 * statistic where the ledger is right; another statistic takes its place only if its bound from the even runs is
 * more than 1.5 times as large. With a->n < 4 there are too few runs. */
struct audit audit_judge(const struct audit_runs *a, double delta);
/* Returns what audit_judge returns if only the answer is used: the bound for an attacker who sees no release and no
 * ledger. */
struct audit audit_judge_answer(const struct audit_runs *a, double delta);

/* One run in which each of the first m records (or all, if fewer are stored) is left out with probability 1/2,
 * adjacency zero-out. The attacker guesses for a fifth of them whether they are present (Steinke, Nasr and
 * Jagielski 2023). White box, where all noise is normal and m runs are affordable: guesses are by the likelihood of
 * the releases with the record against without it, where each of the other records counts as half present; m more
 * runs with the releases forced show how each record changes the releases. Otherwise guesses are by <gradient at
 * the start, start less answer>. With fewer than 10 records, another adjacency or no sample gradients there are no
 * guesses, and all members are 0. eps: the lower bound on epsilon. white: the guesses are by the releases. */
struct audit_one { long m, guesses, right; double eps; bool white; };
enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why);

#endif

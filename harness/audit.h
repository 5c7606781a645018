/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.h - lower confidence bounds on epsilon from runs on two neighbouring data sets. The
 * statistic and its threshold are chosen on one half of the runs and applied to the other. */
#ifndef ASSAY_AUDIT_H
#define ASSAY_AUDIT_H

#include "run.h"

/* Two-sided level split over both rates: what is printed, and what contradicts a promise. A true
 * promise is exceeded with probability at most this. */
#define AUDIT_LEVEL 0.95
#define AUDIT_STRICT (1 - 1e-6)

/* What `true` of n runs with the record and `false` of n runs without it called "with" show: the
 * largest of log((P - delta)/Q), P and Q the exact limits of the two rates (Clopper and Pearson,
 * each at half the level), over the event and its complement; 0 at least. */
double audit_eps(long n, long yes_with, long yes_without, double delta, double level);
/* The largest mu that any mu-GDP mechanism is shown to exceed: z(P) - z(Q) (Nasr et al. 2023). */
double audit_mu(long n, long yes_with, long yes_without, double level);

/* A run as the attacker sees it: the first release that the record takes part in, and the
 * answer. */
struct audit_runs {
    long n, release, d;          /* runs on each side; numbers of either part */
    double *side[2];             /* [n][release + d] with the record as it is, and changed */
};
void audit_free(struct audit_runs *a);
/* Room for n runs whose release has this many numbers, all NaN. */
void audit_room(struct audit_runs *a, long release);
/* Runs first .. first+n-1 on each side, first even; the record is the first of stream order, the
 * family's canary where it has a pair. A run that releases nothing of the record has NaN there. */
enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why);

struct audit {
    const char *statistic;       /* "release" or "answer", projected on the difference of means */
    long held, yes[2];           /* runs of each side that judge; those beyond the threshold */
    double eps, eps_strict;      /* at the two levels */
    double mu, mu_strict;
};
/* Even runs choose, odd runs judge. n < 4: no bound, all 0. */
struct audit audit_judge(const struct audit_runs *a, double delta);

/* One run in which each of the first m records (all that are stored, at most) is left out by a
 * fair coin, adjacency zero-out; the attacker guesses a fifth of them by <gradient at the start,
 * way to the answer> (Steinke, Nasr and Jagielski 2023). Fewer than 10, another adjacency, no
 * sample gradients: no guesses, all 0. */
struct audit_one { long m, guesses, right; double eps; };
enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why);

#endif

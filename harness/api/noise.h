/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.h - the only source of private randomness. One call adds the noise and books it in the
 * ledger, so that there is no noise without bookkeeping; accountants price the ledger after the run.
 *
 * The privacy loss of a run is the largest over all records of what the releases cost that record. So an entry of
 * the ledger says which records its release touched. */
#ifndef ASSAY_NOISE_H
#define ASSAY_NOISE_H

#include "oracle.h"

/* Two data sets are neighbours if they differ in one record, which is set to zero in one of them, is another in
 * each, or is in one of them only. */
enum adjacency { ADJACENCY_NONE, ADJACENCY_ZERO_OUT, ADJACENCY_REPLACE_ONE, ADJACENCY_ADD_REMOVE };
enum norm { NORM_2, NORM_1, NORM_INF };

/* A release: noise is added to a vector, and the vector becomes public. */
struct release {
    const char *site;                /* name of the release, a literal such as "dp-sgd.gradient" */
    enum norm norm;
    double sensitivity;              /* the largest change of the vector, in this norm, by one participation of a
                                        record */
    const struct ticket *ticket;     /* the records touched; NULL: every record */
    double failure;                  /* probability that the sensitivity does not hold */
    bool hidden;                     /* the noisy vector is not released: it is priced like a release, but the run
                                        on a neighbouring data set (replay) does not get its value */
};

/* v[d] += N(0, sd^2 I). sd = 0: a release without noise, booked as such. */
void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v);
/* v[d] += independent Laplace(b). */
void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v);

/* --- Report noisy max: it answers which candidate has the largest noisy score, and nothing else. The noisy score
 * itself stays secret: the winner's value is released by noise_laplace, with fresh noise. */
enum max_rule {
    MAX_ABS_LAPLACE,         /* |score + Lap(b)|/weight, as DP-GCD selects */
    MAX_LAPLACE,             /* (score + Lap(b))/weight */
    MAX_GUMBEL,              /* (score + Gumbel(b))/weight, b/weight one number for all: the
                              * exponential mechanism, P(j) ~ exp(score_j/b_j) (McSherry & Talwar
                              * 2007) */
    MAX_EXPONENTIAL          /* (score + Exp(b))/weight; b/weight one number for all: permute and
                              * flip (McKenna & Sheldon 2020; Ding et al. 2021) */
};

/* m blocks of candidates that share score, scale and weight > 0; the maximum over each block is drawn
 * exactly, at the cost of one candidate. */
struct candidates {
    long m;
    const double *score, *b;         /* [m] */
    const double *weight;            /* [m]; NULL: 1 */
    const double *count;             /* [m] candidates of each block, whole numbers from 0 to 2^53,
                                      * at least one of them > 0; NULL: 1 */
    /* What is compared in place of |score + Lap(b)|/weight; for MAX_ABS_LAPLACE only. The function is a pure
     * function of public values and of score + Lap(b); in blocks of several candidates the latter may be replaced
     * by its absolute value. The booked price is proven only if the function is (1/weight)-Lipschitz and, for every
     * t, the noisy scores at which it exceeds t are those below some number and those above another. Otherwise book
     * a sensitivity that makes the price valid. */
    double (*key)(const void *ctx, long j, double noisy);
    const void *ctx;
};
struct winner { long block, index; };    /* index: 0 ... count-1 within the block, uniform */

/* Chooses the candidate with the largest noisy score. r->sensitivity bounds the change of every score_j/weight_j;
 * the smallest b_j/weight_j is booked, with the rule and the number of candidates. A score that is NaN never wins,
 * unless all are; of equal scores the first wins. Counted: one noisy maximum and, under the Laplace rules, a
 * Laplace value per candidate. Count mode: the first candidate wins. */
struct winner noise_choose(struct oracle *o, const struct release *r, enum max_rule rule,
                           const struct candidates *c);
/* noise_choose with MAX_ABS_LAPLACE and blocks of one candidate each. Returns the winner's index. */
long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight);

/* For `tune` of greedy coordinate descent: the largest eps' such that T rounds of a noisy maximum and a Laplace
 * release are (eps, delta)-DP. A release is eps'-DP; a maximum has noise of scale 1/eps' times its sensitivity.
 * The accounts differ in what a maximum costs and in how the costs add up. GCD_CLOSED, GCD_EQ2, GCD_BASIC and
 * GCD_MIN charge eps' for a maximum, as printed for DP-GCD, and in total: 4 sqrt(T log 1/delta) eps' (CLOSED;
 * Theorem 4.2, for eps <= 1); advanced composition of 2T mechanisms (EQ2; equation 2); 2T eps' (BASIC); the smaller
 * of the last two (MIN). GCD_CORRECTED charges 2 eps' for a maximum, because scores may move in both directions,
 * and takes the best of advanced, basic and zCDP composition. */
enum gcd_account { GCD_CLOSED, GCD_EQ2, GCD_BASIC, GCD_MIN, GCD_CORRECTED, GCD_ACCOUNTS };
double noise_gcd_share(enum gcd_account account, double eps, double T, double delta);

/* Noise of prefix sums. Step i = 1 ... T of the method adds a summand, and prefix i, the sum of the first i
 * summands, is one release. The stream of prefixes is one mechanism: a record in one step changes all later
 * prefixes by the same vector.
 * PREFIX_TREE: the sum of the nodes of the prefix's dyadic decomposition (Fenwick form), popcount(i) of them, each
 * N(0, sd^2 I), in O(d log(T)) memory; at most floor(lg T)+1 nodes cover a step (lg: to base 2).
 * PREFIX_ROOT: sum_{k<i} c_k Z_{i-k}, where the Z_i are independent N(0, sd^2 I) and the c_k are the coefficients
 * of the power series of (1 - z)^(-1/2), by the square root of the matrix of prefix sums (Fichtenberger, Henzinger,
 * Upadhyay 2023; Henzinger, Upadhyay, Upadhyay 2023): less noise, in O(d T) memory and O(d T^2) time. */
enum prefix_kind { PREFIX_TREE, PREFIX_ROOT };
struct prefix;
struct prefix *noise_prefix(struct oracle *o, struct arena *w, enum prefix_kind kind, long T,
                            long d);                                    /* call it before arena_seal */
/* Starts again at prefix 1 with fresh noise. That is another mechanism, which composes with the one before. Without
 * a restart a record may take part in several steps of one stream. The ledger prices streams with restarts and
 * streams without. */
void prefix_restart(struct prefix *p);
/* v[d], a prefix sum without noise, += the noise of the next prefix. r->sensitivity bounds the change
 * of this step's summand. */
void prefix_release(struct prefix *p, const struct release *r, double sd, double *v);
/* Returns the cost of one participation: the stream is (sensitivity sqrt(cover)/sd)-GDP for a record in one of T
 * steps. Tree: tree_height(T); root: sum_{k<T} c_k^2. */
double prefix_cover(enum prefix_kind kind, long T);
/* Returns floor(lg T) + 1: the largest number of nodes that cover one step. */
int tree_height(long T);

/* Returns, for `tune`, the standard deviation per unit of sensitivity at which `times` Gaussian releases, each on a
 * fresh Poisson sample at rate q, are (eps, delta)-DP for records zeroed, added or removed. It is computed from the
 * composed privacy loss, is proven, and leaves at most 0.2% of epsilon unused, or more where a release has losses
 * beyond 600. Infinite: no noise is enough, or arguments are out of range. Takes up to a second. */
double noise_poisson_sd(double q, double times, double eps, double delta);
/* Returns what noise_poisson_sd would by the accounting of published experiments: the smallest sd at which the
 * Renyi divergences of integer orders 2..256 (Mironov, Talwar & Zhang 2019), converted with log(1/delta)/(a-1),
 * give eps. Takes milliseconds. */
double noise_poisson_rdp_sd(double q, double times, double eps, double delta);

/* Amplification by iteration: hidden noisy gradient steps, of which only the last iterate is released
 * (Feldman, Mironov, Talwar & Thakurta 2018; Feldman, Koren & Talwar 2020, snowball). A record in
 * iteration t alone is hidden by N(0, sum_{j>=t} (eta_j sd_j)^2 I) on a query of sensitivity
 * eta_t r->sensitivity, where eta_t is the step length of iteration t (Bok, Su & Altschuler 2024: as Gaussian
 * mechanisms too); the changes of a record in several iterations are spread over the noise that is still to come.
 * Two kinds of steps are priced as if every iterate were released: those on tickets that are neither fresh nor
 * parts of one shuffled ticket, and those after which something else than their iterate is released first. */
struct iteration;
struct iteration *noise_iteration(struct oracle *o, struct arena *w);       /* call it before arena_seal */
/* x[d] <- P(x - step (g + N(0, sd^2 I))), where step is the step length, P the projection on the feasible set, and
 * g[d] <- the mean gradient at x over r->ticket, unclipped. The call costs one batch, of b samples, and one
 * projection. r->sensitivity bounds the change of g at one point (L/b where a record is zeroed, 2L/b where it is
 * replaced). Between steps x[d] must stay as the last step left it; the first step may start at any released point;
 * oracle_mark is not allowed before the release. Returns false, and leaves x untouched, if the budget is spent. A
 * noisy step that may expand distances refuses the run: F is not convex (weak other than 0), M is unknown, or
 * step > 2/M. */
bool iteration_step(struct iteration *c, const struct release *r, double step, double sd, double *x,
                    double *g);
/* Releases x[d] as the last step left it; a later step begins a new run of steps. To be called also
 * where the budget ends the steps. */
void iteration_release(struct iteration *c, double *x);

#endif

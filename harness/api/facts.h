/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - the constants of theorems. Different constants have different names. Norms are 2-norms unless the name
 * says otherwise. NaN (or NULL) means that a constant is unknown, or that no finite one exists (M of a nonsmooth
 * loss). Each fact has an origin, because a constant computed from the data must not reach a private algorithm
 * unnoticed.
 *
 * With the coordinate-smoothness constants M_j of F, |x|_{M,1} = sum_j sqrt(M_j) |x_j|, and |x|_{M,2} is the square
 * root of sum_j M_j x_j^2 (Mangold, Bellet, Salmon, Tommasi 2023). */
#ifndef ASSAY_FACTS_H
#define ASSAY_FACTS_H

#include <stdbool.h>

/* X(name, unit, doc) */
#define FACTS_LIST(X)                                                                              \
    X(d,        "coordinates", "dimension of x")                                                   \
    X(p,        "coordinates", "dimension of the space; more than d where an entry of x stands for many") \
    X(n,        "records", "records of the data set; infinite: a stream of fresh samples")         \
    X(N,        "pieces", "pieces of a finite maximum")                                            \
    X(L,        "f/x", "every sample loss is L-Lipschitz on the feasible set")                     \
    X(G,        "f/x", "E|g|^2 <= G^2 for the stochastic (sub)gradient, everywhere asked")         \
    X(sigma,    "f/x", "E|g - grad F|^2 <= sigma^2 for one sample gradient")                       \
    X(M,        "f/x^2", "every sample loss is M-smooth")                                          \
    X(M_F,      "f/x^2", "the objective F is M_F-smooth (M_F <= M)")                               \
    X(M_smooth, "f/x^2", "the smooth part of F is M_smooth-smooth, where samples are of the other part")       \
    X(mu,       "f/x^2", "F is mu-strongly convex, 2-norm; 0: convex only")                        \
    X(mu_M1,    "1", "strong convexity in the norm |.|_{M,1}")                                     \
    X(mu_M2,    "1", "strong convexity in the norm |.|_{M,2}")                                     \
    X(weak,     "f/x^2", "F + (weak/2)|x|^2 is convex; 0: convex; NaN: nonconvex, unknown")        \
    X(radius,   "x", "radius of the feasible ball; infinite: all of R^d")                          \
    X(diameter, "x", "diameter of the feasible set")                                               \
    X(dist,     "x", "|x_0 - x*| <= dist for some minimiser x*")                                   \
    X(R_M1,     "sqrt(f)", "radius of the initial level set in |.|_{M,1}")                         \
    X(Phi,      "f", "initial gap F(x_0) - inf F <= Phi")                                          \
    X(f_star,   "f", "minimum of F over the feasible set; for measuring, no method is told it")              \
    X(nonzeros, "entries", "stored entries of the data matrix")

enum fact {
#define X(name, unit, doc) FACT_##name,
    FACTS_LIST(X)
#undef X
    FACT_L_j, FACT_M_j, FACT_COUNT
};

enum origin {
    ORIGIN_PUBLIC,           /* known without the data: dimension, the set, a bound of the family */
    ORIGIN_DECLARED,         /* the user says it is public; printed beside every epsilon */
    ORIGIN_DATA              /* computed from the data, and reveals it: a run that reads it is not private */
};

struct facts {
#define X(name, unit, doc) double name;
    FACTS_LIST(X)
#undef X
    const double *L_j;       /* [d] replacing a record changes partial derivative j of its sample loss by at most 2
                                L_j. Coordinate-Lipschitz constants satisfy this, and smaller numbers may do */
    const double *M_j;       /* [d] coordinate-smoothness constants of F */
    unsigned char origin[FACT_COUNT];
};

#define FACT_BIT(name) (1ul << FACT_##name)

/* Returns facts whose values are all unknown; every fact counts as public. */
struct facts facts_unknown(void);
/* Returns what a method is told: a copy of f in which only the facts of the mask are known; f_star is always
 * unknown. */
struct facts facts_told(const struct facts *f, unsigned long mask);
/* Returns the first fact of the mask that f does not state, or -1. */
int facts_missing(const struct facts *f, unsigned long mask);
const char *fact_name(int fact);
const char *fact_unit(int fact);
const char *fact_doc(int fact);
/* Returns the value of a fact; NaN for the two vectors L_j and M_j. */
double fact_value(const struct facts *f, int fact);

/* The goal of a run: budgets, accuracies and parameters of the theorem's statement. NaN: not set. X(name, unit,
 * doc) */
#define GOAL_LIST(X)                                                              \
    X(n,      "samples", "samples the run may take or draw")                        \
    X(T,      "batch steps", "rounds the run may use")                            \
    X(B,      "samples", "batch size")                                            \
    X(budget, "sample gradients", "sample gradients the run may spend")           \
    X(acc,    "f", "target accuracy in excess")                                   \
    X(eps,    "1", "privacy: epsilon")                                            \
    X(delta,  "1", "privacy: delta")                                              \
    X(rho,    "1", "privacy: (alpha, alpha rho^2/2)-RDP for every alpha > 1")     \
    X(zeta,   "1", "failure probability of a high-probability statement")         \
    X(radius, "x", "Goldstein's delta: radius of a stationarity statement")       \
    X(kappa,  "1", "G R / acc, where a theorem is stated in it")

/* Which constants a method puts into the formulas of its theorem: numbers that work in practice, or those that the
 * theorem or its proof states. */
enum constants { CONSTANTS_PRACTICAL, CONSTANTS_THEORY };

struct goal {
#define X(name, unit, doc) double name;
    GOAL_LIST(X)
#undef X
    enum constants constants;
    bool count;              /* count mode: the same code runs, but no oracle evaluates anything */
};

struct goal goal_unknown(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim.h - what a theorem promises, as data. A paper is one folder or file of claims/ with one exported symbol
 * `const struct paper paper_NAME`. A claim says which runs decide it and how; it contains no code but formulas. A
 * claim is written before the run that judges it. A claim with another design may replace it: that is the next
 * attempt at its row, judged at half the level, and the replaced claim becomes a line of `attempts` (theorem.h).
 *
 * In this file y is the measured number: the measure of a run or, at a point of the axis, its statistic over the
 * replicates. */
#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include <string.h>
#include "facts.h"
#include "oracle.h"
#include "param.h"
#include "theorem.h"

/* Why a claim is made. KIND_THEOREM: the paper states it. KIND_ERRATUM: a printed statement is wrong, and this
 * holds instead. KIND_CONDITIONAL: the paper states it under a condition that is not checked. KIND_EXTENSION: it
 * goes beyond the paper. KIND_EVIDENCE: a measurement on which no theorem depends. */
enum kind {
    KIND_THEOREM, KIND_ERRATUM, KIND_CONDITIONAL, KIND_EXTENSION, KIND_EVIDENCE,
    KIND_LEMMA,              /* a step of a proof */
    KIND_TABLE,              /* an entry of a table that is no theorem of the paper */
    KIND_BASELINE,           /* a method that others compare with */
    KIND_IDENTITY            /* a formula of the run's own parameters: a test of the counters */
};

enum check {
    CHECK_COUNT,             /* y equals the formula, within `tolerance` (relative) */
    CHECK_BOUND,             /* y <= formula at every point */
    CHECK_RATE,              /* y follows the law along the axis, on a family for which the law is tight */
    CHECK_ORDER,             /* y is smaller than the rival's, paired over replicates */
    CHECK_MOMENT,            /* a mean, of an estimator or of runs, against its closed form */
    CHECK_LAW,               /* a probability, or a distribution, against its formula */
    CHECK_PRIVATE,           /* replay finds no leak, and neither ledger nor audit exceeds the promised epsilon */
    CHECK_FIGURE             /* nothing is judged: a line of a plot */
};

/* For the checks moment and law: y = formula, y <= formula or y >= formula, each within a margin. */
enum sense { SENSE_EQUAL, SENSE_AT_MOST, SENSE_AT_LEAST };

enum statistic { STAT_MEAN, STAT_MEDIAN, STAT_QUANTILE, STAT_WORST };

/* `name` is "problem.d", "algo.step", "goal.n", "run.trace", ... The value of the setting is `text`, or of(axis,
 * facts), or value * axis^power; counts are rounded to the nearest integer. The facts are those of the instance
 * that the problem.* settings of the same point make; the `of` of a problem.* setting itself gets NULL for them. */
struct setting {
    const char *name;
    double value, power;
    const char *text;
    double (*of)(double axis, const struct facts *f);
};
enum { SETTINGS_MAX = 16 };

/* What a run has in place of the claim's: another algorithm, another problem, or settings that win over the
 * claim's. */
struct variant {
    const char *algo, *problem;      /* NULL: the claim's */
    struct setting with[SETTINGS_MAX];
    const char *why;                 /* one line: what is wrong with the control, or what the rival is */
};

/* A geometric grid of the axis from `from` to `to`, and the replicates at each point. points == 0: the profile
 * leaves the claim out. */
struct window {
    double from, to;
    int points, reps;
};

enum profile { PROFILE_QUICK, PROFILE_NIGHTLY, PROFILE_FULL, PROFILES };

/* The law that y follows as a function of the axis. LAW_POWER: c axis^e. LAW_SUM: sum_k c_k axis^e_k, where the c_k
 * >= 0 are fitted and the exponent number `named` is free. LAW_LOG: c (log axis)^e.
 *
 * LAW_BOX_COX asks whether y is logarithmic: y^(1/root) = a + b (axis^c - 1)/c with root = exponent[0], which is 1
 * for log and 2 for log^2. c is free; c = 0 is the logarithm, and the band is an interval for c. The lower-order
 * terms of a true logarithm can make the fit reject c = 0 itself, but these terms fade along the axis, whereas a
 * power keeps its c. So SUPPORTED has further conditions. First, the interval of c in the second half of the window
 * does not lie above the c of the whole. Second, c is significantly smaller in the second half (95%; beyond
 * rounding where the claim is deterministic), unless the interval of c over the whole window contains 0, that is,
 * unless the logarithm itself fits. Third, the fits with c = 1/4 and c = 1/2 have at least ten times the sum of
 * squares of the fit with free c. The window needs seven points or more.
 *
 * A LAW_SUM decides little on random data where its other term is a constant, or any power near the named one. For
 * exponent and coefficient pull against each other: 16 replicates, whose log y has standard deviation 0.3, at 7
 * points over a factor of 64 give the exponent within +-0.25, and within +-0.05 without the constant. And a term
 * below 20% of y at every point is left out of the fit, which bends the exponent. There are four better ways:
 * choose the instance so that the other term is zero; start the window where the named term makes up all but a few
 * percent, and claim a power; if the constant is known, measure y less the constant; or claim a bound with the
 * constants of both terms. */
enum law_form { LAW_POWER, LAW_SUM, LAW_LOG, LAW_BOX_COX };
enum { TERMS_MAX = 4 };
struct law {
    enum law_form form;
    int terms, named;                /* LAW_SUM only */
    double exponent[TERMS_MAX];      /* LAW_POWER and LAW_LOG: [0]; LAW_BOX_COX: [0] is the root */
};

/* A stage before the measured runs: at each point of the axis one setting is chosen from a grid, on replicates with
 * other seeds; the measured runs then use the chosen value. SEARCH_LARGEST chooses the hardest instance (a
 * supremum), SEARCH_SMALLEST tunes, SEARCH_FIRST takes the first value, in grid order, whose y is at most `within`
 * times the smallest y of the grid. With measure "search" the chosen value itself is measured, once a replicate,
 * and each replicate searches with `reps` runs of its own. */
enum search_kind { SEARCH_NONE, SEARCH_LARGEST, SEARCH_SMALLEST, SEARCH_FIRST };
struct search {
    enum search_kind kind;
    const char *name;                /* the setting; its grid is geometric from `from` to `to`, times axis^power */
    double from, to, power;
    int points, reps;
    double within;                   /* SEARCH_FIRST only */
    const char *measure;             /* the measure that is compared; NULL: the claim's */
};

/* What a formula may use: everything that the method was given and everything that the run spent. */
struct env {
    double axis;
    const struct facts *facts;       /* scalars only */
    const struct goal *goal;
    const struct param *table;       /* the table of the algorithm's parameters */
    const void *params;              /* the parameters as tuned */
    const struct counts *counts;     /* the counts at this point of the run */
};

/* Returns a parameter of the algorithm that ran, by name; NaN if it has none of that name. */
static inline double env_param(const struct env *e, const char *name)
{
    for (const struct param *p = e->table; p && p->name; p++)
        if (strcmp(p->name, name) == 0 && p->type != PARAM_TEXT)
            return p->type == PARAM_COUNT ? (double)*(const long *)((const char *)e->params + p->offset)
                                          : *(const double *)((const char *)e->params + p->offset);
    return NAN;
}

static inline double env_count(const struct env *e, enum count k) { return e->counts->of[k]; }
typedef double (*formula_fn)(const struct env *e);
/* P(Y <= y), right-continuous, of any law. It is also evaluated at the next double below y, so that a discrete law
 * must jump exactly at its values. */
typedef double (*cdf_fn)(const struct env *e, double y);

/* What a method has reached when its cost is taken: the measure is at most `value`, or at most of(env) where `of`
 * is set, in at least the part `probability` of the runs. A method that never moves must not have reached it. */
struct reach {
    const char *measure;             /* a property of the answer; NULL: the claim does not ask that anything is
                                        reached */
    double value;
    double (*of)(const struct env *e);
    double probability;
};

/* The part of the iterations in which the mechanism must have acted, as the mechanism's note counts it. */
struct acts {
    const char *note;                /* a note, as "note.binding"; NULL: the note that the mechanism declares */
    double least;                    /* the least part; 0: ACTS_LEAST */
    const char *why;                 /* where `least` is below ACTS_LEAST: the reason */
};
static const double ACTS_LEAST = 0.5;

/* A claim. About the checks moment and law: a mean is compared replicate by replicate, as y - formula, so that each
 * instance may have another value of the formula. The sampling error of blocks of draws comes from their strata;
 * the error of runs, and of blocks of one draw, comes from the spread between replicates. Use the check law, whose
 * limits are exact, for a functional that is almost always the same, such as an indicator: there is one event a
 * run, or one a draw of an estimator without strata. The test of a distribution needs one number a replicate
 * (run.draws = 1); where instances differ, the distribution must be continuous. */
struct claim {
    const char *id;                  /* paper/part.result.quantity.axis */
    const char *cite;                /* theorem, page */
    const char *item;                /* the items of the paper that the claim serves: "V5", "V5 V6" */
    const char *says;                /* the formula as text */
    const char *remark;              /* what was measured or derived about why the claim is open or contradicted, or
                                        what a reader of the verdict must know; NULL: nothing. It is printed only,
                                        and no verdict depends on it */
    enum kind kind;
    enum check check;
    int attempt;                     /* k for the k-th design that was looked at for the row that the claim decides;
                                        a claim that decides no row is counted by itself; 0: the first. Attempt k
                                        has 2^-k of the levels */
    bool fresh;                      /* the replicates are numbered from 100000 k on, where k is the number of the
                                        attempt, so that no earlier attempt has seen their data. For k > 1; attempts
                                        that were declared before this rule share their replicates */
    int comparisons;                 /* k > 0: this claim is one of k comparisons of the paper that are to hold
                                        together at 99%. It is supported at a level of 1%/k in place of 5%. 0: it is
                                        judged alone */

    const char *algo, *problem;      /* algo: an algorithm or an estimator */
    struct setting with[SETTINGS_MAX];
    const char *axis;                /* name of the axis: n d T B N acc kappa eps rho radius ..., or
                                        a parameter of the algorithm */
    struct window window[PROFILES];
    int rounds;                      /* the largest number of rounds of replicates, at most three; 0: one. While
                                        the verdict is open, each round has twice the replicates of the one before.
                                        Each round spends 1/rounds of the levels of error */
    bool deterministic;              /* one replicate decides; the further replicates serve `also` only */

    const char *measure;             /* what is measured: "excess", ..., a count such as "sample_grads", or a note
                                        "note.NAME". The cost "hit.batch_steps" is the count at which the ruler
                                        first was <= goal.acc; sample_grads, full_grads, project_0, smooth_grads,
                                        passes and piece_grads may stand for batch_steps. This cost is taken from
                                        marks a factor of 2^(1/4) of batch steps apart, or with run.trace = 2 from
                                        all marks. Of an estimator: "moment.NAME" is
                                        the mean of a functional over the strata, and "moment.cost" the mean number
                                        of sample gradients */
    enum statistic statistic;
    double quantile;                 /* STAT_QUANTILE */
    bool every_mark;                 /* bound, count: y is judged at every mark of every run */

    formula_fn formula;              /* count, bound, moment: what y is compared with; law: the probability; rate: a
                                        known factor > 0, a power of a logarithm, by which y is divided (a rival's y
                                        is not). Not with measure "search" */
    double tolerance;                /* count, moment, law: allowed error relative to the formula; 0: exact. With
                                        cdf: the largest distance that is allowed between the distribution function
                                        of y and cdf */
    enum sense sense;                /* moment, law */
    formula_fn margin;               /* moment, law: the allowed absolute error, in place of the tolerance; may be
                                        NULL. A random mean cannot be shown to be equal without a margin */
    formula_fn threshold;            /* law: the event is y > threshold; NULL: y is the indicator of the event */
    cdf_fn cdf;                      /* law: the distribution that y must have, in place of an event; may be NULL */
    formula_fn lower;                /* a proven lower bound: a y below it makes the verdict SUSPECT; may be NULL */
    struct law law;                  /* rate */
    double band[2];                  /* rate: interval for the named exponent; infinite: one-sided */
    struct search search;            /* kind SEARCH_NONE: nothing is searched */
    struct variant than;             /* order: the rival. rate: law and band are then those of y/rival, a difference
                                        of exponents, paired over replicates */
    struct variant control;          /* the control, which must be caught */
    struct variant control2;         /* a second control, if given: wrong in the other direction, and it must be
                                        caught as well */

    /* What could make the claim fail: the mechanism that it is about, and what a run must do or reach. The rules
     * are in docs/verdicts.md. */
    const char *tests;               /* the mechanism of the method that the claim is about; "none": it is about no
                                        mechanism, for the reason that tests_none gives */
    const char *tests_none;          /* the reason for "none" */
    struct acts acts;
    struct reach reaches;            /* for a claim about a cost */
    const char *also[6];             /* evidence: further algorithms drawn in the figure */
};

static inline bool variant_given(const struct variant *v)
{
    return v->algo || v->problem || v->with[0].name;
}

/* Does the claim compare every run with a run of a rival? */
static inline bool claim_has_rival(const struct claim *c)
{
    return c->check == CHECK_ORDER || (c->check == CHECK_RATE && variant_given(&c->than));
}

/* An item of a paper: a statement to be checked (docs/papers/PAPER.md). line: the statement in a few words. reason:
 * needed if no claim and no test serves the item; a test serves an item whose id is in the test's name. part (or
 * NULL): a part of the paper, as in the ids of claims; item U3 of part "parallel" is selected where a claim
 * PAPER/parallel.U3 would be selected. */
struct item { const char *id, *line, *reason, *part; };

/* A line of a plot: a method, settings that win over the settings of the plot, and a theoretical curve. */
struct plot_line {
    const char *label;               /* in the legend; NULL in the first unused line */
    const char *algo, *problem;      /* problem: NULL: the plot's */
    struct setting with[SETTINGS_MAX];   /* together with the settings of the plot at most SETTINGS_MAX */
    struct window window[PROFILES];  /* the window of this line; all points 0: the line has the window of the
                                        plot */
    double exponent, over[2];        /* theory: y ~ x^exponent where the axis is in over[0]..over[1], drawn through
                                        the middle of the points there; over[1] == 0: no such curve */
    formula_fn theory;               /* theory: the curve y itself, in place of a power; may be NULL */
};
enum { LINES_MAX = 16 };

/* What a plot draws. All kinds but PLOT_POINTS read the marks of every run (oracle_mark), of all points of the
 * axis and all replicates. Lines of one label are one method; the text of the problem in a cell, together with the
 * replicate, is one instance. The value of a run at a cost is the best value of the family's ruler until then,
 * relative to that at the start, which is the fact Phi if the ruler is an excess and otherwise the first mark. The
 * cost is `x`: batch_steps, sample_grads, full_grads, ... A value is seen at the first mark that has it. Marks are
 * a factor of 2^(1/4) apart in batch steps unless run.trace is 2, so that the cost of a value may be read too
 * large by this factor. */
enum plot_kind {
    PLOT_POINTS,                     /* the statistic at the points of the axis */
    PLOT_PATH,                       /* the best value so far, the median over all runs, at each cost */
    PLOT_REACHED,                    /* the part of all targets on all instances that is reached by each cost:
                                        the ECDF of runtimes (Hansen, Auger, Finck, Ros 2010), the data profile
                                        (More, Wild, SIAM J. Optim. 20, 2009) */
    PLOT_PROFILE                     /* the part of the targets that a method reaches at up to r times the cost of
                                        the method that reaches the target first, against r: performance profile
                                        (Dolan, More, Math. Program. 91, 2002) */
};

/* A plot: one quantity of many methods. Its runs are planned, run and stored as the runs of claims, and are the
 * same cells where the settings agree. Nothing is judged; only a crash sets an exit code. The line of a method that
 * refuses its settings stays empty and gives the reason. */
struct plot {
    const char *id;                  /* paper/figure.NAME */
    const char *title, *says;        /* title: what the plot draws; says: what a reader should see */
    enum plot_kind kind;
    double target[2];                /* PLOT_REACHED, PLOT_PROFILE: the largest and the smallest target, as a part
                                        of the ruler at the start */
    int targets;                     /* PLOT_REACHED, PLOT_PROFILE: the number of targets, which are geometric */
    const char *problem, *axis;
    struct setting with[SETTINGS_MAX];
    struct window window[PROFILES];
    bool deterministic;
    const char *x;                   /* the horizontal axis. PLOT_POINTS: the mean of any measure or count; NULL:
                                        the axis. Other kinds: the cost */
    const char *measure;             /* PLOT_POINTS: what is drawn, named like the measure of a claim. Other
                                        kinds: the ruler */
    enum statistic statistic;
    double quantile;
    struct search search;            /* every line searches by itself */
    struct plot_line line[LINES_MAX];
};

/* A table with methods in rows. A cell of the table shows what a claim of any paper measured and promised, and the
 * claim's verdict. */
enum { TABLE_COLUMNS = 6 };
struct exhibit_row {
    const char *label;
    const char *claim[TABLE_COLUMNS];    /* the ids of the claims in this row; NULL: nothing is promised there */
};
struct exhibit {
    const char *id;                  /* paper/table.NAME */
    const char *title, *says;
    const char *column[TABLE_COLUMNS];
    const struct exhibit_row *row;     /* ends with { 0 } */
};

/* --- The experiments that a paper reports: which methods ran, with which parameters, and the results that the
 * paper printed. `assay reproduce` repeats them; nothing is judged. */

enum { CURVE_MAX = 12 };
/* A method on a panel. Where a struct setting of `with` has the function `of`, its argument `axis` is the number of
 * passes over the data. */
struct contender {
    const char *label, *algo;        /* label NULL ends the list */
    double passes;                   /* the published number of passes over the data that the method makes */
    struct setting with[SETTINGS_MAX];   /* the published parameters */
    double gap;                      /* published mean of (F - F*)/F*; 0: none was printed */
    double hits, errors;             /* published numbers of non-zeros that are also in the optimum, and that are
                                        not; printed together with a gap */
    double every, curve[CURVE_MAX];  /* published means of (F - F*)/F* at 0, every, 2 every, ... passes; the list
                                        ends with its first 0. every 0: no curve was printed */
    const char *remark;              /* why the results of this program differ from the published ones; NULL: they
                                        agree */
};
enum { CONTENDERS_MAX = 8 };

/* One problem and the methods that run on it: a panel of a figure. */
struct panel {
    const char *name, *title, *says, *problem;
    struct setting with[SETTINGS_MAX];
    double support;                  /* published number of non-zeros of the optimum; 0: none was printed */
    struct contender method[CONTENDERS_MAX];
};

/* The grid on which a method was tuned: passes, and two settings of the method, geometric. */
enum { GRID_PASSES_MAX = 12, GRID_SETTINGS = 2 };
struct tuning {
    const char *algo;
    double passes[GRID_PASSES_MAX];  /* ends with its first 0 */
    double (*rounds)(double passes, const struct facts *f);      /* the number of iterations of the method in so
                                                                    many passes; where it is below 1, this number of
                                                                    passes is left out of the grid */
    struct { const char *name; double from, to; int points; } grid[GRID_SETTINGS];
};

struct reproduction {
    const char *title, *says;
    struct setting with[SETTINGS_MAX];   /* the settings of all panels; together with those of one panel at most
                                            SETTINGS_MAX */
    int runs, fresh;                 /* runs: the number of replicates; fresh: the number of replicates of the tuned
                                        parameters, with other seeds */
    double keep;                     /* the part of a grid that gets all replicates: the choices that are best by
                                        the first replicate */
    const struct panel *panels;      /* end with { 0 } */
    const struct panel *ablations;   /* panels that the paper does not have; NULL: none */
    const struct tuning *tunings;    /* end with { 0 } */
};

/* A method that is a program of its own (docs/methods.md). Where a claim or a plot of the paper names the method
 * `name`, assay starts `interpreter`, found on the PATH, with the file `script` of its own folder clients/
 * (clients_folder in harness/exec/method.c). If it does not start, the claims that need it are not run. */
struct program { const char *name, *interpreter, *script; };

struct paper {
    const char *key, *title, *cite;
    const struct claim *claims;      /* ends with { 0 } */
    const struct item *items;        /* ends with { 0 } */
    const struct plot *plots;        /* ends with { 0 }; NULL: none */
    const struct exhibit *tables;    /* ends with { 0 }; NULL: none */
    const struct claim *const *themes;   /* further lists of claims; ends with NULL; NULL: none */
    const struct reproduction *reproduction;     /* NULL: none */
    const struct theorem *theorems;  /* ends with { 0 }; NULL: none */
    const struct attempt *attempts;  /* ends with { 0 }; NULL: none */
    const struct program *programs;  /* ends with { 0 }; NULL: none */
};

/* Returns the program of the paper that is the method `name`; NULL: there is none. */
static inline const struct program *paper_program(const struct paper *p, const char *name)
{
    for (const struct program *q = p ? p->programs : NULL; q && q->name; q++)
        if (strcmp(q->name, name) == 0)
            return q;
    return NULL;
}

/* A walk over `claims` and all themes of a paper:
 *     for (struct claim_walk all = claims_of(paper); (c = next_claim(&all)); )
 */
struct claim_walk { const struct claim *at; const struct claim *const *themes; };

static inline struct claim_walk claims_of(const struct paper *p)
{
    return (struct claim_walk){ p->claims, p->themes };
}

/* Returns the next claim; NULL: there are no more. */
static inline const struct claim *next_claim(struct claim_walk *walk)
{
    while (walk->at && !walk->at->id)
        walk->at = walk->themes && *walk->themes ? *walk->themes++ : NULL;
    return walk->at ? walk->at++ : NULL;
}

#endif

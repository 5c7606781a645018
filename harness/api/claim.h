/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim.h - what a theorem promises, as data: one folder or file per paper in claims/, one exported symbol `const
 * struct paper paper_NAME`. A claim says which runs decide it and how; it contains no code but formulas. A claim is
 * written before the run that judges it. Another design may replace it: that is the next attempt at its row, judged
 * at half the level, and the claim that it replaced becomes a line of `attempts` (theorem.h). */
#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include <string.h>
#include "facts.h"
#include "oracle.h"
#include "param.h"
#include "theorem.h"

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
    CHECK_RATE,              /* y scales as the law on a family that saturates it */
    CHECK_ORDER,             /* y is smaller than the rival's, paired over replicates */
    CHECK_MOMENT,            /* a mean, of an estimator or of runs, against its closed form */
    CHECK_LAW,               /* a probability or a distribution */
    CHECK_PRIVATE,
    CHECK_FIGURE             /* nothing is judged: a line of a plot */
};

/* moment, law: y = formula, <= formula, >= formula, all within a margin. */
enum sense { SENSE_EQUAL, SENSE_AT_MOST, SENSE_AT_LEAST };

enum statistic { STAT_MEAN, STAT_MEDIAN, STAT_QUANTILE, STAT_WORST };

/* name: "problem.d", "algo.step", "goal.n", "run.trace", ... The value is `text`, or of(axis, facts),
 * or value * axis^power; counts are rounded to the nearest integer. The facts are those of the instance that the
 * problem.* settings of the same point make; NULL for these settings themselves. */
struct setting {
    const char *name;
    double value, power;
    const char *text;
    double (*of)(double axis, const struct facts *f);
};
enum { SETTINGS_MAX = 16 };

/* What a run replaces: another algorithm, another problem, settings that win over the claim's. */
struct variant {
    const char *algo, *problem;      /* NULL: the claim's */
    struct setting with[SETTINGS_MAX];
    const char *why;                 /* one line: what is wrong with it, or who the rival is */
};

/* A geometric grid from..to of the axis, and replicates; points == 0: the profile leaves it out. */
struct window {
    double from, to;
    int points, reps;
};

enum profile { PROFILE_QUICK, PROFILE_NIGHTLY, PROFILE_FULL, PROFILES };

/* y as a function of the axis. power: c axis^e. sum: sum_k c_k axis^e_k, c_k >= 0 fitted, exponent
 * `named` free. log: c (log axis)^e.
 *
 * box_cox: is it logarithmic? y^(1/root) = a + b (axis^c - 1)/c, root = exponent[0]: 1 for log, 2
 * for log^2; c is free, 0 is the logarithm, and the band is c's. The lower-order terms of a true
 * logarithm can make the fit reject c = 0 itself, but they fade along the axis, where a power keeps its c.
 * So support has further conditions: c is not larger in the second half of the window than in the whole; it
 * is significantly smaller there (95%, beyond rounding where deterministic), unless the interval of c over
 * the whole contains 0, that is, unless the logarithm itself fits; and c = 1/4 and 1/2 fit at least
 * ten times worse in squares. Seven points or more are needed.
 *
 * A sum whose other term is a constant, or any power near the named one, decides little on random
 * data: exponent and coefficient pull against each other (16 replicates of log-sd 0.3 at 7 points
 * over a factor of 64: +-0.25, without the constant +-0.05), and a term below 20% is left out,
 * which bends the exponent. Better choose the instance so that the other term is zero; or start the
 * window where the named term carries all but a few percent and claim a power; or, if the constant is
 * known, measure y less the constant; or claim a bound with both constants. */
enum law_form { LAW_POWER, LAW_SUM, LAW_LOG, LAW_BOX_COX };
enum { TERMS_MAX = 4 };
struct law {
    enum law_form form;
    int terms, named;                /* sum only */
    double exponent[TERMS_MAX];      /* [0] for power and log; box_cox: the root */
};

/* A stage before the measured runs: at each point of the axis one setting is chosen from a grid, on
 * replicates of its own (other seeds); the measured runs then use it. LARGEST: the hardest instance
 * (a supremum); SMALLEST: tuning; FIRST: the first value, in grid order, whose y is at most `within`
 * times the smallest of the grid. With measure "search" the chosen value itself is measured, once
 * per replicate, each from `reps` runs of its own. */
enum search_kind { SEARCH_NONE, SEARCH_LARGEST, SEARCH_SMALLEST, SEARCH_FIRST };
struct search {
    enum search_kind kind;
    const char *name;                /* the setting; the grid is from..to, times axis^power */
    double from, to, power;
    int points, reps;
    double within;                   /* FIRST */
    const char *measure;             /* what is compared; NULL: the claim's */
};

/* What a formula may use: everything that the method was given and everything that the run spent. */
struct env {
    double axis;
    const struct facts *facts;       /* scalars only */
    const struct goal *goal;
    const struct param *table;       /* of the algorithm's parameters */
    const void *params;              /* as tuned */
    const struct counts *counts;     /* at this point of the run */
};

/* A parameter of the algorithm that ran, by name; NaN if it has none of that name. */
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
/* P(Y <= y), right-continuous, for a law of any kind. It is also evaluated at the next double below y, so a
 * discrete law must jump exactly at its values. */
typedef double (*cdf_fn)(const struct env *e, double y);

/* What a method has reached when its cost is taken: the measure is at most `value`, or at most of(env), in a part
 * of the runs that is at least `probability`. A method that never moves must not have reached it. */
struct reach {
    const char *measure;             /* a property of the answer; NULL: a cost that nothing has to be reached for */
    double value;
    double (*of)(const struct env *e);
    double probability;
};

/* The part of the iterations in which the mechanism must have acted, by the note that the mechanism declares. */
struct acts {
    const char *note;                /* "note.binding"; NULL: that of the mechanism */
    double least;                    /* 0: ACTS_LEAST */
    const char *why;                 /* the reason for less than ACTS_LEAST */
};
static const double ACTS_LEAST = 0.5;

/* A claim. About moment and law: a mean is compared replicate by replicate, y - formula, so that instances may have
 * formulas of their own; the sampling error of blocks of draws comes from their strata, that of runs and of blocks
 * of one draw from the spread between replicates. Use law, whose limits are exact, for a functional that is almost
 * always the same, such as an indicator: one event per run, or per draw of an estimator without strata. A
 * distribution needs one number per replicate (run.draws = 1); where instances differ, it must be continuous. */
struct claim {
    const char *id;                  /* paper/part.result.quantity.axis */
    const char *cite;                /* theorem, page */
    const char *item;                /* the items of the paper that it serves: "V5", "V5 V6" */
    const char *says;                /* the formula as text */
    const char *remark;              /* what was measured or derived about why it is open or
                                        contradicted, or what a reader of the verdict must know;
                                        NULL: nothing. Printed only, no verdict depends on it */
    enum kind kind;
    enum check check;
    int attempt;                     /* the k-th design that was looked at for its row, or where it decides no row
                                        for itself; 0: the first. Attempt k at a row has 2^-k of the levels */
    bool fresh;                      /* its replicates are numbered from 100000 k on: data that no attempt before
                                        has seen. For k > 1; those declared before this was a rule share theirs */

    const char *algo, *problem;      /* algo: an algorithm or an estimator */
    struct setting with[SETTINGS_MAX];
    const char *axis;                /* name of the axis: n d T B N acc kappa eps rho radius ..., or
                                        a parameter of the algorithm */
    struct window window[PROFILES];
    int rounds;                      /* rounds at most, three or fewer: while the verdict is open, each has twice
                                        the replicates of the one before; each spends 1/rounds of the levels; 0:
                                        one */
    bool deterministic;              /* one replicate decides: the others are for `also` only */

    const char *measure;             /* "excess", ..., a count "sample_grads", a note "note.NAME", the cost
                                        "hit.batch_steps" at which the ruler first was <= goal.acc (or of
                                        sample_grads full_grads project_0 smooth_grads passes
                                        piece_grads), of marks 2^(1/4) apart, or of all with
                                        run.trace = 2;
                                        of an estimator "moment.NAME", mean of a functional over the
                                        strata, or "moment.cost", that of its sample gradients */
    enum statistic statistic;
    double quantile;                 /* STAT_QUANTILE */
    bool every_mark;                 /* bound, count: at every marked step of every run */

    formula_fn formula;              /* count, bound, moment; law: the probability; rate: a known
                                        factor > 0, a power of a logarithm, that y is divided by (a
                                        rival's y is not); not with measure "search" */
    double tolerance;                /* count, moment, law: relative to the formula; 0: exact. With
                                        cdf: the largest distance allowed */
    enum sense sense;                /* moment, law */
    formula_fn margin;               /* moment, law: absolute, instead of the tolerance; may be
                                        NULL. No random mean is shown equal without one */
    formula_fn threshold;            /* law: the event is y > threshold; NULL: y is its indicator */
    cdf_fn cdf;                      /* law: the distribution of y instead; may be NULL */
    formula_fn lower;                /* a proven lower bound: beating it is SUSPECT; may be NULL */
    struct law law;                  /* rate */
    double band[2];                  /* rate: interval for the named exponent; infinite: one-sided */
    struct search search;            /* kind SEARCH_NONE: no such stage */
    struct variant than;             /* order: the rival. rate: law and band are those of y/rival,
                                        a difference of exponents, paired over replicates */
    struct variant control;          /* must be caught */
    struct variant control2;         /* so must this one, if given: wrong the other way */

    /* What the claim must be able to fail by: docs/verdicts.md has the rules. */
    const char *tests;               /* the mechanism of the method that it is about; "none": about none, with
                                        ... */
    const char *tests_none;          /* ... the reason why */
    struct acts acts;
    struct reach reaches;            /* of a cost */
    const char *also[6];             /* evidence: further algorithms drawn in the figure */
};

static inline bool variant_given(const struct variant *v)
{
    return v->algo || v->problem || v->with[0].name;
}

/* Is every run compared with a run of a rival? */
static inline bool claim_has_rival(const struct claim *c)
{
    return c->check == CHECK_ORDER || (c->check == CHECK_RATE && variant_given(&c->than));
}

/* An item of a paper: a statement to be checked (docs/papers/PAPER.md). It needs a reason if no claim and no test
 * serves it; a test serves an item by having its id in its name. part (or NULL): a part of the paper, as in the ids
 * of claims: item U3 of part "parallel" is selected where a claim PAPER/parallel.U3 would be. */
struct item { const char *id, *line, *reason, *part; };

/* A line of a plot: a method, settings that win over the plot's, and a theoretical curve. */
struct plot_line {
    const char *label;               /* in the legend; NULL in the first unused line */
    const char *algo, *problem;      /* problem: NULL: the plot's */
    struct setting with[SETTINGS_MAX];   /* together with the plot's at most SETTINGS_MAX */
    struct window window[PROFILES];  /* its own, as a claim's; all points 0: the plot's */
    double exponent, over[2];        /* theory: y ~ x^exponent where the axis is in over[0]..
                                        over[1], through the middle of the points there;
                                        over[1] == 0: none */
    formula_fn theory;               /* or y itself; may be NULL */
};
enum { LINES_MAX = 16 };

/* What a plot draws. All kinds but POINTS read the marks of every run (oracle_mark), of all points of the axis and
 * all replicates: lines of one label are one method, a problem's text in a cell together with its replicate is one
 * instance. They draw the family's ruler, best so far, over its value at the start (fact Phi of an excess, else the
 * first mark), against the cost `x` by then: batch_steps, sample_grads, full_grads, ... Marks are a factor of
 * 2^(1/4) apart in batch steps, unless run.trace is 2, so that a cost is too large by up to this factor. */
enum plot_kind {
    PLOT_POINTS,                     /* the statistic at the points of the axis */
    PLOT_PATH,                       /* the median over all runs at each cost */
    PLOT_REACHED,                    /* the part of all targets on all instances that is reached by each cost:
                                        the ECDF of runtimes (Hansen, Auger, Finck, Ros 2010), the data profile
                                        (More, Wild, SIAM J. Optim. 20, 2009) */
    PLOT_PROFILE                     /* the part reached at up to r times the cost of the method that reaches it
                                        first, against r: performance profile (Dolan, More, Math. Program. 91,
                                        2002) */
};

/* A plot: one quantity of many methods. Its runs are planned, run and stored as those of claims, and are the same
 * cells where the settings agree. Nothing is judged; only a crash sets an exit code. A line whose method refuses
 * its settings stays empty and gives the reason. */
struct plot {
    const char *id;                  /* paper/figure.NAME */
    const char *title, *says;        /* what it draws; what a reader should see */
    enum plot_kind kind;
    double target[2];                /* REACHED, PROFILE: the largest and the smallest, ... */
    int targets;                     /* ... so many, geometric */
    const char *problem, *axis;
    struct setting with[SETTINGS_MAX];
    struct window window[PROFILES];
    bool deterministic;
    const char *x;                   /* horizontal: the mean of any measure or count; NULL: the axis. Of
                                        other kinds the cost */
    const char *measure;             /* as a claim's; of other kinds the ruler */
    enum statistic statistic;
    double quantile;
    struct search search;            /* each line has its own */
    struct plot_line line[LINES_MAX];
};

/* A table with methods in rows; a cell shows what a claim of any paper measured and promised, and its verdict. */
enum { TABLE_COLUMNS = 6 };
struct exhibit_row {
    const char *label;
    const char *claim[TABLE_COLUMNS];    /* ids; NULL: nothing is promised there */
};
struct exhibit {
    const char *id;                  /* paper/table.NAME */
    const char *title, *says;
    const char *column[TABLE_COLUMNS];
    const struct exhibit_row *row;     /* ends with { 0 } */
};

/* --- a paper's own experiments: what it ran, with which parameters, and the results that it printed. `assay
 * reproduce` repeats them; nothing is judged. */

enum { CURVE_MAX = 12 };
/* A method on a panel. Settings with `of` are given the passes over the data as their axis. */
struct contender {
    const char *label, *algo;        /* label NULL: the first unused one */
    double passes;                   /* as published */
    struct setting with[SETTINGS_MAX];   /* the published parameters */
    double gap;                      /* published mean of (F - F*)/F*; 0: none was printed */
    double hits, errors;             /* published non-zeros, in and out of the optimum's; with a gap */
    double every, curve[CURVE_MAX];  /* published means of (F - F*)/F* at 0, every, 2 every ...
                                        passes, up to the first 0; every 0: no curve was printed */
    const char *remark;              /* why the results here differ; NULL: they do not */
};
enum { CONTENDERS_MAX = 8 };

/* One problem and the methods that run on it: a panel of a figure. */
struct panel {
    const char *name, *title, *says, *problem;
    struct setting with[SETTINGS_MAX];
    double support;                  /* published non-zeros of the optimum; 0: not printed */
    struct contender method[CONTENDERS_MAX];
};

/* The grid a method was tuned on: passes, and two settings of the method, geometric. */
enum { GRID_PASSES_MAX = 12, GRID_SETTINGS = 2 };
struct tuning {
    const char *algo;
    double passes[GRID_PASSES_MAX];  /* up to the first 0 */
    double (*rounds)(double passes, const struct facts *f);      /* less than 1: left out */
    struct { const char *name; double from, to; int points; } grid[GRID_SETTINGS];
};

struct reproduction {
    const char *title, *says;
    struct setting with[SETTINGS_MAX];   /* of all panels; with a panel's at most SETTINGS_MAX */
    int runs, fresh;                 /* replicates; replicates of the tuned parameters, with other seeds */
    double keep;                     /* part of a grid that gets all replicates: the choices that are best by
                                        the first replicate */
    const struct panel *panels;      /* end with { 0 } */
    const struct panel *ablations;   /* the same, beside the paper; NULL: none */
    const struct tuning *tunings;    /* end with { 0 } */
};

struct paper {
    const char *key, *title, *cite;
    const struct claim *claims;      /* ends with { 0 } */
    const struct item *items;        /* ends with { 0 } */
    const struct plot *plots;        /* ends with { 0 }; NULL: none */
    const struct exhibit *tables;    /* ends with { 0 }; NULL: none */
    const struct claim *const *themes;   /* further lists as `claims`; ends with NULL; NULL: none */
    const struct reproduction *reproduction;     /* NULL: none */
    const struct theorem *theorems;  /* ends with { 0 }; NULL: none */
    const struct attempt *attempts;  /* ends with { 0 }; NULL: none */
};

/* The k-th claim of all lists; NULL: there are no more. */
static inline const struct claim *paper_claim(const struct paper *p, int k)
{
    const struct claim *c = p->claims;
    for (const struct claim *const *next = p->themes; c; c = next && *next ? *next++ : NULL)
        for (; c->id; c++)
            if (k-- == 0)
                return c;
    return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_audit_print.c - prints the results of an audit, and finds its exit code. */
#include "cli/verb_audit.h"

#include <stdio.h>
#include <string.h>

#include "privacy/account.h"
#include "judge/private.h"
#include "run/run_private.h"
#include "cli/solve.h"

static void print_promise(const struct cell *c, const struct privacy_seen *p)
{
    static const char *const adjacency[] = { "none", "zero-out", "replace-one", "add/remove" };
    char words[500];
    printf("cell        %s\n", c->text);
    if (*solve_words(c, sizeof words, words))
        printf("words       %s\n", words);
    printf("promised    eps = %.6g at delta = %.3g, adjacency %s\n", p->promise, p->delta,
           adjacency[c->algo->adjacency]);
    if (privacy_whole(p) < p->promise)
        printf("            normal noise can spend eps = %.6g of it: parts are of that\n",
               privacy_whole(p));
    printf("accounted   eps = %.6g:", p->spent);
    for (int k = 0; k < p->accountants; k++)
        printf("%s %s %.6g", k ? "," : "", p->by[k].name, p->by[k].eps);
    printf("\n");
    if (p->told)
        printf("not private: the method was told constants computed from the data\n");
}

static void print_sites(const struct privacy_seen *p)
{
    for (int k = 0; k < p->sites; k++) {
        const struct private_site *s = &p->site[k];
        printf("  %-32s met the record %.0f times", s->name, s->touched);
        if (s->failure > 0)
            printf(", beyond its sensitivity %.0f times, declared probability %.3g\n", s->exceeded,
                   s->failure);
        else
            printf(", worst ratio %.6g\n", s->ratio);
    }
}

static bool over(double eps, double promise)
{
    return eps > promise * (1 + 1e-9);
}

/* Compares the booked noise with the promise. The exit code is EXIT_OK if an accountant proves the promise. */
static int priced(const struct privacy_seen *p)
{
    return over(p->lower, p->promise)   ? EXIT_CONTRADICTED
           : over(p->spent, p->promise) ? EXIT_INCOMPLETE
                                        : EXIT_OK;
}

static void print_priced(const struct privacy_seen *p)
{
    if (priced(p) == EXIT_CONTRADICTED)
        printf("verdict     EXCEEDED: what was booked costs eps = %.6g at least\n", p->lower);
    else
        printf("verdict     OPEN: the best proof is of eps = %.6g\n", p->spent);
}

/* --- replay */

static const char *const choices[] = { "random", "canary", "largest" };

/* 0: all runs succeeded; else the exit code of the first failure. */
static int failed_replays(struct record *const *record, int n)
{
    int code = 0;
    for (int k = 0; k < n; k++) {
        if (record[k]->outcome == OUTCOME_OK)
            continue;
        fprintf(stderr, "assay: neighbour %d %s: %s\n", k + 1,
                record_outcome_name(record[k]->outcome), record[k]->message);
        if (!code)
            code = record[k]->outcome == OUTCOME_REFUSED ? EXIT_USAGE : EXIT_FAILED_CELL;
    }
    return code;
}

static void print_leaks(struct cell *const *cell, struct record *const *record, int n)
{
    for (int k = 0; k < n; k++) {
        double leak = 0, call = 0, choice = 0;
        record_get(record[k], "replay.leak", &leak);
        record_get(record[k], "replay.call", &call);
        record_get(record[k], "replay.choice", &choice);
        if (leak > 0 && call > 0)
            printf("  neighbour %d (%s), call %.0f: %s\n", k + 1, choices[(int)choice], call,
                   leak_words((enum leak)leak));
        else if (leak > 0)
            printf("  neighbour %d (%s): %s\n", k + 1, choices[(int)choice],
                   leak_words((enum leak)leak));
        if (leak > 0)
            printf("    assay rerun '%s'\n", cell[k]->text);
    }
}

int audit_print_replays(const struct options *o, struct cell *const *cell,
                        struct record *const *record, int n)
{
    struct privacy_seen p = privacy_none();
    int failed = failed_replays(record, n);
    if (failed)
        return failed;
    for (int k = 0; k < n; k++)
        privacy_add(&p, record[k], k + 1);
    const struct private_site *often = privacy_fails(&p);
    bool leaks = p.leaks || often, reached = privacy_met(&p);
    int code = leaks ? EXIT_CONTRADICTED : priced(&p);
    if (code == EXIT_OK && !reached)
        code = EXIT_INCOMPLETE;
    if (o->format != RECORD_TEXT) {
        record_write_all(stdout, record, n, o->format, o->canonical);
        return code;
    }
    print_promise(cell[0], &p);
    printf("replayed    %d neighbours, each with data and draws of its own\n", p.replays);
    print_sites(&p);
    print_leaks(cell, record, n);
    if (often)
        printf("  %s fails more often than it declares\n", often->name);
    if (!leaks && priced(&p) != EXIT_OK)
        print_priced(&p);
    else
        printf("verdict     %s\n", leaks ? "LEAK" : reached ? "OK" : "OPEN: no release met the record");
    return code;
}

/* --- attack */

static const char *statistic_words(const char *name)
{
    if (strcmp(name, "loss") == 0)
        return "likelihood of all releases with the record against without it";
    return strcmp(name, "release") == 0
               ? "the first release that meets the record, projected on the difference of means"
               : strcmp(name, "answer") == 0 ? "the answer, projected on the difference of means"
                                             : "none: too few runs";
}

struct words { char at[60]; };

/* An epsilon as a percentage of the promise. */
static struct words part(const struct privacy_seen *p, double eps)
{
    struct words text;
    if (privacy_whole(p) > 0)
        snprintf(text.at, sizeof text.at, "%.3g%% of what is promised",
                 100 * eps / privacy_whole(p));
    else
        snprintf(text.at, sizeof text.at, eps > 0 ? "more than nothing, which is promised"
                                                  : "nothing is promised");
    return text;
}

/* The limits that so many runs would show if a method spent its whole promise. */
static void print_ceiling(const struct privacy_seen *p, long held)
{
    double by_mu = p->ceiling_mu > 0 ? account_gaussian_eps(p->ceiling_mu, p->delta) : 0;
    printf("ceiling     %ld runs a side show eps >= %.4g (Clopper and Pearson) of %s that spends "
           "all\n", held, p->ceiling, p->gaussian ? "Gaussian noise" : "a mechanism");
    if (p->gaussian)
        printf("            of it, and mu >= %.4g, that is eps >= %.4g: %s\n", p->ceiling_mu,
               by_mu, part(p, by_mu).at);
    else
        printf("            of it: %s\n", part(p, p->ceiling).at);
}

int audit_print(const struct options *o, const struct cell *c, struct record *r,
                const struct audit *a, const struct audit *answer, const struct audit_one *one)
{
    struct privacy_seen p = privacy_none();
    privacy_add(&p, r, 1);
    double by_mu = a->mu > 0 ? account_gaussian_eps(a->mu, p.delta) : 0;
    bool more = over(privacy_shown(&p), p.promise);
    int code = more ? EXIT_CONTRADICTED : priced(&p);
    if (o->format != RECORD_TEXT) {
        record_write_all(stdout, &r, 1, o->format, o->canonical);
        return code;
    }
    print_promise(c, &p);
    printf("statistic   %s\n", statistic_words(a->statistic));
    printf("runs        %.0f a side: half to choose the statistic, half to judge\n", p.audits);
    printf("shown       eps >= %.4g (95%%, Clopper and Pearson): %s\n", a->eps,
           part(&p, a->eps).at);
    printf("            mu >= %.4g (95%%, pairs), for Gaussian noise eps >= %.4g: %s\n", a->mu,
           by_mu, part(&p, by_mu).at);
    print_ceiling(&p, a->held);
    printf("answer only eps >= %.4g (95%%), mu >= %.4g\n", answer->eps, answer->mu);
    if (one->guesses)
        printf("one run     %ld canaries, guessed by %s: %ld of %ld right, eps >= %.4g (95%%): "
               "%s\n", one->m, one->white ? "the releases" : "the answer", one->right,
               one->guesses, one->eps, part(&p, one->eps).at);
    printf("explained   %s\n", part(&p, privacy_most(&p)).at);
    if (!more && code != EXIT_OK)
        print_priced(&p);
    else
        printf("verdict     %s: eps >= %.4g but for a chance of 1e-6\n", more ? "EXCEEDED" : "OK",
               privacy_shown(&p));
    return code;
}

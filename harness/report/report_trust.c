/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_trust.c - how far the harness itself can be trusted, in words. */
#include "report/report_trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *report_trust_sentence(void)
{
    return calibration_kept->check
               ? "Synthetic data whose law is known went through the fit and the verdict that "
                 "judge the claims above (`assay doctor --statistics` prints all cases): coverage, "
                 "in percent by replicates, should be 95, and where it is below 93 (in italics) "
                 "an interval promises more than it keeps: what it supports is called INCONCLUSIVE "
                 "for skew; a CONTRADICTED is as doubtful as the first column of false alarms "
                 "says, a SUPPORTED as the second, and low power means that many a claim stays "
                 "INCONCLUSIVE."
               : "No table was compiled in; `assay doctor --statistics` computes it.";
}

/* --- coverage */

static bool same_line(const struct calibration *k, const struct calibration *line)
{
    return k->check && strcmp(k->check, "coverage") == 0 && strcmp(k->law, line->law) == 0 &&
           strcmp(k->noise, line->noise) == 0;
}

bool report_coverage(const struct calibration *last, struct coverage *line)
{
    const struct calibration *first = last ? last + 1 : calibration_kept;
    *line = (struct coverage){ .law = first->law, .noise = first->noise };
    for (const struct calibration *k = first; first->check && same_line(k, first); k++)
        if (line->cells < COVERAGE_CELLS)
            line->cell[line->cells++] = k;
    return line->cells > 0;
}

struct phrase report_covered(const struct calibration *cell)
{
    struct phrase p;
    snprintf(p.at, sizeof p.at, "%.1f", 100 * cell->right);
    return p;
}

bool report_covers(const struct calibration *cell)
{
    return strcmp(cell->mark, "good") == 0;
}

/* --- false alarms and power */

const char *const report_trust_checks[] = { "rate", "bound", "order", "moment", "law", NULL };
const char *const report_trust_heading[TRUST_COLUMNS] = {
    "CONTRADICTED though true", "SUPPORTED though false", "SUPPORTED when true",
    "CONTRADICTED when false" };

struct share {
    int rows;
    long trials;
    double sum, least, most;
    const struct calibration *worst;
};

/* Over the rows of a check with this truth: the shares `wrong`, or else `right`. */
static struct share share_of(const char *check, const char *truth, bool wrong)
{
    struct share s = { .least = INFINITY, .most = -INFINITY };
    for (const struct calibration *k = calibration_kept; k->check; k++) {
        double x = wrong ? k->wrong : k->right;
        if (strcmp(k->check, check) || strcmp(k->truth, truth))
            continue;
        s.rows++;
        s.trials += k->trials;
        s.sum += x;
        s.least = fmin(s.least, x);
        if (x > s.most)
            s.worst = k;
        s.most = fmax(s.most, x);
    }
    return s;
}

struct phrase report_trust_share(const char *check, int column)
{
    bool wrong = column < 2;
    struct share s = share_of(check, column % 2 ? "false" : "true", wrong);
    struct phrase p = { "-" };
    if (!s.rows)
        return p;
    if (!wrong)
        snprintf(p.at, sizeof p.at, "%.3g%% on average, %.3g%% to %.3g%%", 100 * s.sum / s.rows,
                 100 * s.least, 100 * s.most);
    else if (s.most == 0)
        snprintf(p.at, sizeof p.at, "none of %ld", s.trials);
    else
        snprintf(p.at, sizeof p.at, "%.2g%% on average, at most %.3g%% (%.150s, %.100s)",
                 100 * s.sum / s.rows, 100 * s.most, s.worst->law, s.worst->noise);
    return p;
}

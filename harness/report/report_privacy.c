/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report_privacy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/private.h"

const char *const report_privacy_heading[PRIVACY_COLUMNS] = {
    "method", "claimed", "accounted", "by accountant", "audited, at least",
    "worst replay ratio", "control",
};

const char *const report_privacy_sentence =
    "Accounted: the least epsilon that an accountant proves of what was booked, and of each of "
    "them. "
    "Audited: lower limits at 95% from runs on two neighbouring data sets, by exact limits of both "
    "rates and, for Gaussian noise, through mu, by pairs of runs; and from one run with many "
    "canaries; what could be explained is the bound that so many runs show of noise that spends "
    "all that is claimed. Replayed: on "
    "neighbouring data sets with every release forced, the change of a value before its noise over "
    "what was declared; above 1, or where anything else differs, data leak. Seeds are known: every "
    "release is a simulation.";

static struct phrase accountants(const struct privacy_seen *p)
{
    struct phrase list = { "" };
    for (int k = 0; k < p->accountants; k++) {
        size_t n = strlen(list.at);
        snprintf(list.at + n, sizeof list.at - n, "%s%s %.20s", n ? ", " : "", p->by[k].name,
                 report_number(p->by[k].eps).at);
    }
    return list;
}

static struct phrase audited(const struct privacy_seen *p)
{
    if (!p->audits)
        return report_say("not audited");
    struct phrase one = p->canaries > 0 ? report_say("; one run of %.0f canaries %s", p->canaries,
                                              report_number(p->one).at)
                                        : report_say("%s", "");
    struct phrase mu = p->gaussian ? report_say(", mu %s", report_number(p->mu).at) : report_say("%s", "");
    if (!(privacy_whole(p) > 0))
        return report_say("eps %s%.60s%.60s; %.0f runs a side", report_number(p->audit).at, mu.at, one.at,
                   p->audits);
    return report_say("eps %s%.60s%.60s: %.3g%% of what is claimed, %.3g%% could be; %.0f runs a side",
               report_number(p->audit).at, mu.at, one.at, 100 * privacy_explained(p),
               100 * privacy_ceiling(p), p->audits);
}

static struct phrase replayed(const struct privacy_seen *p)
{
    if (!p->replays)
        return report_say("not replayed");
    if (p->leaks)
        return report_say("LEAK on %d of %d neighbours: %.200s", p->leaks, p->replays,
                   leak_words(p->leak));
    return report_say("%s over %d neighbours", report_number(privacy_ratio(p)).at, p->replays);
}

static void fill(const struct judgement *j, const struct privacy_seen *p, struct privacy_row *row)
{
    const struct phrase cell[PRIVACY_COLUMNS] = {
        report_say("%s", j->claim->algo),
        report_say("eps %s at delta %s", report_number(p->promise).at, report_number(p->delta).at),
        report_say("%s%s", report_number(p->spent).at, p->told ? "; told data: not private" : ""),
        accountants(p), audited(p), replayed(p), report_say("%s", report_control(j)),
    };
    memcpy(row->cell, cell, sizeof cell);
}

bool report_privacy_row(const struct report_input *in, int k, struct privacy_row *row)
{
    for (int i = 0; i < in->judgements; i++) {
        const struct judgement *j = &in->judgement[i];
        for (int point = 0; j->claim->check == CHECK_PRIVATE && point < j->fit.points; point++) {
            if (j->fit.privacy[point].records == 0 || k-- > 0)
                continue;
            row->judgement = i;
            fill(j, &j->fit.privacy[point], row);
            return true;
        }
    }
    return false;
}

double report_privacy_share(const struct fit *fit)
{
    double most = NAN;
    for (int k = 0; k < fit->points; k++)
        most = fmax(most, fit->privacy[k].spent / fit->privacy[k].promise);
    return most;
}

struct phrase report_privacy_measured(const struct fit *fit)
{
    double ratio = 0;
    int leaks = 0;
    for (int k = 0; k < fit->points; k++) {
        ratio = fmax(ratio, privacy_ratio(&fit->privacy[k]));
        leaks += fit->privacy[k].leaks;
    }
    struct phrase share = report_number(report_privacy_share(fit));
    if (leaks)
        return report_say("%.40s x eps, %d leaks", share.at, leaks);
    return report_say("%.40s x eps, ratio %.40s", share.at, report_number(ratio).at);
}

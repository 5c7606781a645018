/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_peers.c - the rows of the table of other programs, as text. */
#include "report/report_peers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const report_peers_title = "Beside other programs";
const char *const report_peers_heading[PEER_COLUMNS] = { "work", "assay", "the other program", "ratio",
                                                         "found equal first", "measured" };
const char *const report_peers_sentence =
    "The same work by other programs, each on one core and as it is meant to be used: processor time, and as the ratio "
    "theirs over ours, so that above 1 assay is faster. Times are kept only where the answers are equal. They decide "
    "nothing. `make peers` measures them anew.";

static struct phrase duration(double seconds)
{
    static const struct { double below, unit; const char *name; } units[] = {
        { 1e-6, 1e-9, "ns" }, { 1e-3, 1e-6, "us" }, { 1, 1e-3, "ms" }, { INFINITY, 1, "s" } };
    size_t k = 0;
    while (k < 3 && seconds >= units[k].below)
        k++;
    return report_say("%.3g %s", seconds / units[k].unit, units[k].name);
}

static struct phrase who(const struct peer *p)
{
    return *p->version ? report_say("%s (%s)", p->peer, p->version) : report_say("%s", p->peer);
}

static struct phrase checked(const struct peer *p)
{
    return isnan(p->off) ? report_say("%s", p->checked)
                         : report_say("%s: to %.2g, at most %.2g", p->checked, p->off, p->allowed);
}

static struct phrase measured(const struct peer *p)
{
    struct phrase on = *p->machine ? report_say(", %.130s", p->machine) : report_say("%s", "");
    return report_say("%.10s%.140s%s%.30s", p->date, on.at, *p->commit ? ", commit " : "", p->commit);
}

bool report_peers_any(const struct report_input *in)
{
    return (in->peers && in->peers->n > 0) || in->peers_trouble;
}

void report_peers_row(const struct peer *p, struct phrase cell[PEER_COLUMNS])
{
    bool done = !*p->skipped;
    cell[0] = report_say("%s", p->work);
    cell[1] = done ? duration(p->ours) : report_say("-");
    cell[2] = done ? report_say("%.20s, %.300s", duration(p->theirs).at, who(p).at)
                   : report_say("%s", *p->peer ? p->peer : "-");
    cell[3] = done ? report_number(p->theirs / p->ours) : report_say("-");
    cell[4] = done ? checked(p) : report_say("skipped: %s", p->skipped);
    cell[5] = measured(p);
}

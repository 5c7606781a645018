/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - the progress bar on a terminal. */
#include "text/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { WIDTH = 30 };

bool progress_wanted(int file)
{
    const char *term = getenv("TERM");
    return isatty(file) && term && *term && strcmp(term, "dumb") != 0;
}

void progress_begin(struct progress *p, bool on, int cells, double total, int workers)
{
    *p = (struct progress){ .on = on && cells > 0, .begun = clock_monotonic(), .total = total, .cells = cells,
                            .workers = workers };
}

void progress_begin_one(struct progress *p, bool on)
{
    *p = (struct progress){ .on = on, .begun = clock_monotonic(), .total = 1, .last = clock_monotonic() + 0.9 };
}

void progress_part(struct progress *p, double part)
{
    p->done = part;
    progress_draw(p);
}

void progress_step(struct progress *p, double cost, bool failed)
{
    p->done += cost;
    p->finished++;
    p->failed += failed;
}

/* Returns the seconds that are left: the time spent, scaled by the work left over the work done; -1 where too
 * little is done for an estimate. */
static double time_left(const struct progress *p)
{
    double share = p->total > 0 ? p->done / p->total : 0;
    return share > 0.01 ? (clock_monotonic() - p->begun) * (1 - share) / share : -1;
}

void progress_draw(struct progress *p)
{
    char bar[WIDTH + 1], left[32] = "", failed[32] = "", done[40];
    if (!p->on || clock_monotonic() - p->last < 0.1)
        return;
    p->last = clock_monotonic();
    double share = p->total > 0 ? p->done / p->total : 1;
    int full = (int)((share < 1 ? share : 1) * WIDTH);
    memset(bar, '-', WIDTH);
    memset(bar, '#', (size_t)full);
    bar[WIDTH] = 0;
    double seconds = time_left(p);
    if (seconds >= 0)
        snprintf(left, sizeof left, ", %d:%02d left", (int)seconds / 60, (int)seconds % 60);
    if (p->failed)
        snprintf(failed, sizeof failed, ", %d failed", p->failed);
    if (p->cells)
        snprintf(done, sizeof done, "%d/%d cells", p->finished, p->cells);
    else
        snprintf(done, sizeof done, "%d%%", (int)(100 * (share < 1 ? share : 1)));
    fprintf(stderr, "\r[%s] %s%s%s\033[K", bar, done, failed, left);
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->on)
        fprintf(stderr, "\r\033[K");
    p->on = false;
}

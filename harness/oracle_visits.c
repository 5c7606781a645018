/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_visits.c - in how many rounds was one sample evaluated? Positions of the stream are kept
 * as disjoint spans of equal tally; a single pass in order is one span however long it is. */
#include "oracle_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first span that ends after position i. */
static long span_after(const struct spans *s, long i)
{
    long lo = 0, hi = s->count;
    while (lo < hi) {
        long mid = lo + (hi - lo) / 2;
        if (s->at[mid].end > i)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static void insert(struct spans *s, long k, struct span span)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        BUG_IF(!s->at);
    }
    memmove(s->at + k + 1, s->at + k, (size_t)(s->count - k) * sizeof *s->at);
    s->at[k] = span;
    s->count++;
}

/* Position i becomes the beginning of a span if a span holds it. */
static void split(struct spans *s, long i)
{
    long k = span_after(s, i);
    if (k == s->count || s->at[k].begin >= i)
        return;
    insert(s, k, s->at[k]);
    s->at[k].end = s->at[k + 1].begin = i;
}

static void merge(struct spans *s, long k)
{
    while (k > 0 && k < s->count && s->at[k - 1].end == s->at[k].begin &&
           s->at[k - 1].visits == s->at[k].visits) {
        s->at[k - 1].end = s->at[k].end;
        memmove(s->at + k, s->at + k + 1, (size_t)(s->count - k - 1) * sizeof *s->at);
        s->count--;
    }
}

double spans_visit(struct spans *s, long begin, long end)
{
    double most = 1;
    split(s, begin);
    split(s, end);
    long k = span_after(s, begin);
    for (long i = begin; i < end; k++) {
        if (k < s->count && s->at[k].begin == i) {
            s->at[k].visits++;
            most = fmax(most, s->at[k].visits);
        } else {
            long next = k < s->count && s->at[k].begin < end ? s->at[k].begin : end;
            insert(s, k, (struct span){ i, next, 1 });
        }
        i = s->at[k].end;
    }
    for (; k >= 0; k--) {                /* only spans touched above and their neighbours can join */
        if (k < s->count && s->at[k].end < begin)
            break;
        merge(s, k);
    }
    return most;
}

void spans_free(struct spans *s)
{
    free(s->at);
    memset(s, 0, sizeof *s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - what the runs of a store came to, night by night. */
#include "nights/history.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct history *h;
    const char *profile;
    struct csv_line *line;
    struct standing_columns columns;
};

/* One line of text, by the columns of today's heading. */
static bool parse(struct reading *r, const char *text, struct standing *s)
{
    struct why why;
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    bool good = in && csv_line_read(in, r->line) && standing_parse(r->line, &r->columns, s, &why) == OK;
    if (in)
        fclose(in);
    return good;
}

static struct night *night_of(struct history *h, const struct store_standing *s)
{
    struct night *n = h->night, *end = n + h->nights;
    while (n < end && n->run != s->run)
        n++;
    if (n < end)
        return n;
    h->night = realloc(h->night, (size_t)++h->nights * sizeof *h->night);
    BUG_IF(!h->night);
    n = &h->night[h->nights - 1];
    *n = (struct night){ .run = s->run };
    snprintf(n->started, sizeof n->started, "%s", s->started);
    snprintf(n->commit, sizeof n->commit, "%s", s->commit);
    return n;
}

static void keep(void *ctx, const struct store_standing *s)
{
    struct reading *r = ctx;
    struct standing one;
    if (*s->line && parse(r, s->line, &one) && strcmp(one.profile, r->profile) == 0)
        standings_put(&night_of(r->h, s)->standings, &one);
}

static int by_run(const void *a, const void *b)
{
    long x = ((const struct night *)a)->run, y = ((const struct night *)b)->run;
    return (x > y) - (x < y);
}

enum status history_read(struct store *s, const char *profile, int most, struct history *h,
                         struct why *why)
{
    struct reading r = { h, profile, malloc(sizeof *r.line), { { 0 } } };
    char heading[] = STANDING_HEADING;
    *h = (struct history){ NULL, 0 };
    FILE *in = fmemopen(heading, strlen(heading), "r");
    BUG_IF(!r.line || !in || !csv_line_read(in, r.line) || !standing_columns(r.line, &r.columns));
    fclose(in);
    enum status status = store_each_standing(s, keep, &r, why);
    free(r.line);
    if (h->nights)
        qsort(h->night, (size_t)h->nights, sizeof *h->night, by_run);
    for (; h->nights > most; h->nights--) {
        standings_free(&h->night->standings);
        memmove(h->night, h->night + 1, (size_t)(h->nights - 1) * sizeof *h->night);
    }
    return status;
}

void history_free(struct history *h)
{
    for (int k = 0; k < h->nights; k++)
        standings_free(&h->night[k].standings);
    free(h->night);
    *h = (struct history){ NULL, 0 };
}

enum status history_write(struct store *s, long run, const struct standings *list, struct why *why)
{
    for (int k = 0; k < list->n; k++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        BUG_IF(!out);
        standing_print(out, &list->of[k]);
        fclose(out);
        enum status status = store_put_standing(s, run, list->of[k].claim, text, why);
        free(text);
        if (status != OK)
            return status;
    }
    return OK;
}

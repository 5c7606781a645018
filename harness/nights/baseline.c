/* SPDX-License-Identifier: GPL-3.0-or-later */
/* baseline.c - the verdicts that a run is compared with. */
#include "nights/baseline.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/folder.h"

void standings_free(struct standings *list)
{
    free(list->of);
    *list = (struct standings){ NULL, 0 };
}

static int place(const struct standings *list, const char *claim, const char *profile)
{
    int k = 0;
    while (k < list->n && (strcmp(list->of[k].claim, claim) ||
                           (profile && strcmp(list->of[k].profile, profile))))
        k++;
    return k;
}

const struct standing *standings_find(const struct standings *list, const char *claim,
                                      const char *profile)
{
    int k = place(list, claim, profile);
    return k < list->n ? &list->of[k] : NULL;
}

void standings_put(struct standings *list, const struct standing *s)
{
    int k = place(list, s->claim, s->profile);
    if (k == list->n) {
        list->of = realloc(list->of, (size_t)++list->n * sizeof *list->of);
        BUG_IF(!list->of);
    }
    list->of[k] = *s;
}

bool standings_accept(const struct standings *list, const char *claim, const char *profile,
                      enum word word)
{
    const struct standing *s = standings_find(list, claim, profile);
    return s && s->word == word && (word == CONTRADICTED || word == SUSPECT) && *s->reason;
}

/* --- reading and writing the file */

struct reading { struct standings *list; struct standing_columns columns; };

static bool take_heading(void *ctx, const struct csv_line *l)
{
    return standing_columns(l, &((struct reading *)ctx)->columns);
}

static enum status take_line(void *ctx, const struct csv_line *l, struct why *why)
{
    struct reading *r = ctx;
    struct standing one;
    TRY(standing_parse(l, &r->columns, &one, why));
    if (standings_find(r->list, one.claim, one.profile))
        return why_set(why, BAD_INPUT, "a second line of %.100s, profile %s", one.claim, one.profile);
    standings_put(r->list, &one);
    return OK;
}

enum status baseline_read(const char *path, struct standings *list, struct why *why)
{
    static const struct csv_table table = { "a heading with the columns claim, profile and verdict", take_heading,
                                            take_line };
    struct reading r = { .list = list };
    *list = (struct standings){ NULL, 0 };
    return access(path, F_OK) && errno == ENOENT ? OK : csv_table_read(path, &table, &r, why);
}

static int by_claim(const void *a, const void *b)
{
    static const char *const order[] = { "quick", "nightly", "full" };
    const struct standing *x = a, *y = b;
    int c = strcmp(x->claim, y->claim), i = 0, k = 0;
    while (i < 3 && strcmp(order[i], x->profile))
        i++;
    while (k < 3 && strcmp(order[k], y->profile))
        k++;
    return c ? c : i - k;
}

enum status baseline_write(const char *path, const struct standings *list, struct why *why)
{
    char aside[PATH_MAX + 8];
    TRY(folder_above(path, why));
    snprintf(aside, sizeof aside, "%s.new", path);
    FILE *out = fopen(aside, "w");
    if (!out)
        return why_set(why, IO_ERROR, "%.300s: %s", aside, strerror(errno));
    if (list->n)
        qsort(list->of, (size_t)list->n, sizeof *list->of, by_claim);
    fputs(STANDING_HEADING, out);
    for (int k = 0; k < list->n; k++)
        standing_print(out, &list->of[k]);
    bool written = fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (fclose(out) || !written || rename(aside, path)) {
        enum status s = why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
        unlink(aside);
        return s;
    }
    return OK;
}

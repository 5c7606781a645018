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

/* --- the file */

static enum status read_lines(FILE *in, const char *path, struct standings *list, struct why *why)
{
    struct csv_line *l = malloc(sizeof *l);
    struct standing_columns columns;
    enum status s = OK;
    BUG_IF(!l);
    if (!csv_line_read(in, l) || !standing_columns(l, &columns))
        s = why_set(why, BAD_INPUT, "%.300s: expected a heading with the columns claim, profile and "
                    "verdict", path);
    for (long line = 2; s == OK && csv_line_read(in, l); line++) {
        struct standing one;
        struct why reason = { "" };
        if (standing_parse(l, &columns, &one, &reason) != OK)
            s = why_set(why, BAD_INPUT, "%.300s:%ld: %.150s", path, line, reason.text);
        else if (standings_find(list, one.claim, one.profile))
            s = why_set(why, BAD_INPUT, "%.300s:%ld: a second line of %.100s, profile %s", path, line,
                        one.claim, one.profile);
        else
            standings_put(list, &one);
    }
    free(l);
    return s;
}

enum status baseline_read(const char *path, struct standings *list, struct why *why)
{
    *list = (struct standings){ NULL, 0 };
    FILE *in = fopen(path, "r");
    if (!in)
        return errno == ENOENT ? OK : why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    enum status s = read_lines(in, path, list, why);
    if (s == OK && ferror(in))
        s = why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    fclose(in);
    return s;
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
    char folder[PATH_MAX], aside[PATH_MAX + 8];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        TRY(folder_make(folder, why));
    }
    snprintf(aside, sizeof aside, "%s.new", path);
    FILE *out = fopen(aside, "w");
    if (!out)
        return why_set(why, IO_ERROR, "%.300s: %s", aside, strerror(errno));
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

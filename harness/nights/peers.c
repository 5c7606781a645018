/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.c - the times of other programs for the same work, from CSV. */
#include "nights/peers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv_line.h"
#include "base/params.h"

enum column { WORK, OURS, PEER, VERSION, THEIRS, CHECKED, OFF, ALLOWED, DATE, MACHINE, COMMIT, SKIPPED, COLUMNS };
static const char *const names[COLUMNS] = {
    "work", "assay_seconds", "peer", "peer_version", "peer_seconds", "checked", "off", "allowed", "date", "machine",
    "commit", "skipped" };

/* A line, and the place of each column in it. */
struct line { const struct csv_line *text; int of[COLUMNS]; };

static const char *field(const struct line *l, enum column c) { return csv_line_field(l->text, l->of[c]); }

static enum status wrong(const struct line *l, enum column c, const char *expected, struct why *why)
{
    return why_set(why, BAD_INPUT, "%s: '%.60s': expected %s", names[c], field(l, c), expected);
}

static bool has_columns(struct line *l)
{
    bool all = true;
    for (int c = 0; c < COLUMNS; c++)
        all &= (l->of[c] = csv_line_column(l->text, names[c])) >= 0;
    return all;
}

static enum status take_seconds(const struct line *l, enum column c, double *seconds, struct why *why)
{
    bool good = number_parse(field(l, c), seconds) && *seconds > 0 && isfinite(*seconds);
    return good ? OK : wrong(l, c, "seconds above 0", why);
}

/* How far the two answers differ, and how far they may: answers that differ by more are an error of the file. */
static enum status take_difference(const struct line *l, struct peer *p, struct why *why)
{
    p->off = p->allowed = NAN;
    if (!*field(l, OFF) && !*field(l, ALLOWED))
        return OK;
    if (!number_parse(field(l, ALLOWED), &p->allowed) || !(p->allowed >= 0))
        return wrong(l, ALLOWED, "a number, at least 0", why);
    if (!number_parse(field(l, OFF), &p->off) || !(p->off >= 0 && p->off <= p->allowed))
        return wrong(l, OFF, "a number from 0 to what is allowed", why);
    return OK;
}

static enum status parse(const struct line *l, int fields, struct peer *p, struct why *why)
{
    if (l->text->fields != fields)
        return why_set(why, BAD_INPUT, "%d fields: expected %d, as in the heading", l->text->fields, fields);
    *p = (struct peer){ .ours = NAN, .theirs = NAN, .off = NAN, .allowed = NAN };
    const struct { enum column c; char *text; size_t room; } words[] = {
        { WORK, p->work, sizeof p->work }, { PEER, p->peer, sizeof p->peer },
        { VERSION, p->version, sizeof p->version }, { CHECKED, p->checked, sizeof p->checked },
        { SKIPPED, p->skipped, sizeof p->skipped }, { DATE, p->date, sizeof p->date },
        { MACHINE, p->machine, sizeof p->machine }, { COMMIT, p->commit, sizeof p->commit } };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        snprintf(words[k].text, words[k].room, "%s", field(l, words[k].c));
    if (!*p->work)
        return wrong(l, WORK, "a name", why);
    if (*p->skipped)
        return OK;
    if (!*p->peer)
        return wrong(l, PEER, "a name", why);
    if (!*p->checked)
        return wrong(l, CHECKED, "what was found equal", why);
    TRY(take_seconds(l, OURS, &p->ours, why));
    TRY(take_seconds(l, THEIRS, &p->theirs, why));
    return take_difference(l, p, why);
}

static void put(struct peers *list, const struct peer *p)
{
    list->of = realloc(list->of, (size_t)(list->n + 1) * sizeof *list->of);
    BUG_IF(!list->of);
    list->of[list->n++] = *p;
}

static enum status read_lines(FILE *in, const char *path, struct peers *list, struct why *why)
{
    struct csv_line *text = malloc(sizeof *text);
    struct line l = { .text = text };
    enum status s = OK;
    BUG_IF(!text);
    if (!csv_line_read(in, text) || !has_columns(&l))
        s = why_set(why, BAD_INPUT, "%.300s:1: expected a heading with the columns work, assay_seconds, peer, "
                    "..., as `make peers` writes it", path);
    int fields = text->fields;
    for (long line = 2; s == OK && csv_line_read(in, text); line++) {
        struct peer one;
        struct why reason = { "" };
        if (parse(&l, fields, &one, &reason) != OK)
            s = why_set(why, BAD_INPUT, "%.300s:%ld: %.150s", path, line, reason.text);
        else
            put(list, &one);
    }
    free(text);
    return s;
}

enum status peers_read(const char *path, struct peers *list, struct why *why)
{
    *list = (struct peers){ NULL, 0 };
    FILE *in = fopen(path, "r");
    if (!in)
        return errno == ENOENT ? OK : why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    enum status s = read_lines(in, path, list, why);
    if (s == OK && ferror(in))
        s = why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    fclose(in);
    if (s != OK) {
        free(list->of);
        *list = (struct peers){ NULL, 0 };
    }
    return s;
}

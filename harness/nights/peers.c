/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.c - the times of other programs for the same work, from CSV. */
#include "nights/peers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/csv_line.h"
#include "base/params.h"

enum column { WORK, OURS, PEER, VERSION, THEIRS, CHECKED, OFF, ALLOWED, DATE, MACHINE, COMMIT, SKIPPED, COLUMNS };
static const char *const names[COLUMNS] = {
    "work", "assay_seconds", "peer", "peer_version", "peer_seconds", "checked", "off", "allowed", "date", "machine",
    "commit", "skipped" };

/* A line of the file: its text, the place of each column in it, and how many columns the heading has. `list` takes
 * what is read. */
struct line { const struct csv_line *text; int of[COLUMNS], fields; struct peers *list; };

static const char *field(const struct line *l, enum column c) { return csv_line_field(l->text, l->of[c]); }

static enum status wrong(const struct line *l, enum column c, const char *expected, struct why *why)
{
    return why_set(why, BAD_INPUT, "%s: '%.60s': expected %s", names[c], field(l, c), expected);
}

static bool take_heading(void *ctx, const struct csv_line *heading)
{
    struct line *l = ctx;
    bool all = true;
    l->fields = heading->fields;
    for (int c = 0; c < COLUMNS; c++)
        all &= (l->of[c] = csv_line_column(heading, names[c])) >= 0;
    return all;
}

static enum status take_seconds(const struct line *l, enum column c, double *seconds, struct why *why)
{
    bool good = number_parse(field(l, c), seconds) && *seconds > 0 && isfinite(*seconds);
    return good ? OK : wrong(l, c, "seconds above 0", why);
}

/* Reads how far the two answers differ, and how far they may: answers that differ by more are an error of the
 * file. */
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

static enum status parse(const struct line *l, struct peer *p, struct why *why)
{
    if (l->text->fields != l->fields)
        return why_set(why, BAD_INPUT, "%d fields: expected %d, as in the heading", l->text->fields, l->fields);
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

static enum status take_line(void *ctx, const struct csv_line *text, struct why *why)
{
    struct line *l = ctx;
    struct peers *list = l->list;
    struct peer one;
    l->text = text;
    TRY(parse(l, &one, why));
    list->of = realloc(list->of, (size_t)(list->n + 1) * sizeof *list->of);
    BUG_IF(!list->of);
    list->of[list->n++] = one;
    return OK;
}

enum status peers_read(const char *path, struct peers *list, struct why *why)
{
    static const struct csv_table table = {
        "a heading with the columns work, assay_seconds, peer, ..., as `make peers` writes it", take_heading,
        take_line };
    struct line l = { .list = list };
    *list = (struct peers){ NULL, 0 };
    if (access(path, F_OK) && errno == ENOENT)
        return OK;
    enum status s = csv_table_read(path, &table, &l, why);
    if (s != OK) {
        free(list->of);
        *list = (struct peers){ NULL, 0 };
    }
    return s;
}

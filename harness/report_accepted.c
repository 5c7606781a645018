/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_accepted.c - contradictions that were accepted as results. */
#include "report_accepted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "verdict.h"

enum { FIELDS = 32, FIELD = 512 };

struct line { int fields; char field[FIELDS][FIELD]; };

/* One character of a field; what does not fit is dropped. */
static void keep(struct line *l, size_t *used, int c)
{
    if (l->fields < FIELDS && *used + 1 < FIELD)
        l->field[l->fields][(*used)++] = (char)c;
}

/* The next record; false: the file has ended. Quotes may hold commas, quotes and line ends. */
static bool read_line(FILE *in, struct line *l)
{
    size_t used = 0;
    bool quoted = false, any = false;
    memset(l, 0, sizeof *l);
    for (int c; (c = getc(in)) != EOF;) {
        any = true;
        if (c == '"' && quoted) {
            int next = getc(in);
            quoted = next == '"';
            if (quoted)
                keep(l, &used, '"');
            else if (next != EOF)
                ungetc(next, in);
        } else if (c == '"') {
            quoted = true;
        } else if ((c == ',' || c == '\n') && !quoted) {
            l->fields += l->fields < FIELDS;
            used = 0;
            if (c == '\n')
                return true;
        } else if (c != '\r' || quoted) {
            keep(l, &used, c);
        }
    }
    l->fields += any && l->fields < FIELDS;
    return any;
}

static int column(const struct line *heading, const char *name)
{
    for (int k = 0; k < heading->fields; k++)
        if (strcmp(heading->field[k], name) == 0)
            return k;
    return -1;
}

static const char *field(const struct line *l, int column)
{
    return column >= 0 && column < l->fields ? l->field[column] : "";
}

static size_t read_all(FILE *in, const struct line *heading, struct accepted **list)
{
    const int claim = column(heading, "claim"), profile = column(heading, "profile"),
              verdict = column(heading, "verdict"), reason = column(heading, "reason"),
              commit = column(heading, "commit");
    struct line l;
    size_t n = 0;
    while (claim >= 0 && verdict >= 0 && read_line(in, &l)) {
        const char *word = field(&l, verdict);
        if (strcmp(word, verdict_word(CONTRADICTED)) && strcmp(word, verdict_word(SUSPECT)))
            continue;
        *list = realloc(*list, (n + 1) * sizeof **list);
        BUG_IF(!*list);
        struct accepted *a = &(*list)[n++];
        snprintf(a->claim, sizeof a->claim, "%s", field(&l, claim));
        snprintf(a->profile, sizeof a->profile, "%s", field(&l, profile));
        snprintf(a->verdict, sizeof a->verdict, "%s", word);
        snprintf(a->reason, sizeof a->reason, "%s", field(&l, reason));
        snprintf(a->commit, sizeof a->commit, "%s", field(&l, commit));
    }
    return n;
}

size_t report_accepted(const char *path, struct accepted **list)
{
    struct line heading;
    size_t n = 0;
    FILE *in = path ? fopen(path, "r") : NULL;
    *list = NULL;
    if (!in)
        return 0;
    if (read_line(in, &heading))
        n = read_all(in, &heading, list);
    fclose(in);
    return n;
}

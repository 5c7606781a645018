/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_line.c - CSV files line by line. */
#include "text/csv_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Appends one character to a field; what does not fit is dropped. */
static void keep(struct csv_line *l, size_t *used, int c)
{
    if (l->fields < CSV_FIELDS && *used + 1 < CSV_FIELD) {
        l->field[l->fields][(*used)++] = (char)c;
        l->field[l->fields][*used] = '\0';
    }
}

static void begin_field(struct csv_line *l, size_t *used)
{
    *used = 0;
    if (l->fields < CSV_FIELDS)
        l->field[l->fields][0] = '\0';
}

bool csv_line_read(FILE *in, struct csv_line *l)
{
    size_t used;
    bool quoted = false, any = false;
    l->fields = 0;
    begin_field(l, &used);
    for (int c; (c = getc_unlocked(in)) != EOF;) {
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
            l->fields += l->fields < CSV_FIELDS;
            begin_field(l, &used);
            if (c == '\n')
                return true;
        } else if (c != '\r' || quoted) {
            keep(l, &used, c);
        }
    }
    l->fields += any && l->fields < CSV_FIELDS;
    return any;
}

int csv_line_column(const struct csv_line *heading, const char *name)
{
    for (int k = 0; k < heading->fields; k++)
        if (strcmp(heading->field[k], name) == 0)
            return k;
    return -1;
}

const char *csv_line_field(const struct csv_line *l, int column)
{
    return column >= 0 && column < l->fields ? l->field[column] : "";
}

static enum status read_lines(FILE *in, const char *path, const struct csv_table *t, void *ctx, struct why *why)
{
    struct csv_line *l = malloc(sizeof *l);
    struct why reason = { "" };
    enum status s = OK;
    BUG_IF(!l);
    if (!csv_line_read(in, l) || !t->heading(ctx, l))
        s = why_set(why, BAD_INPUT, "%.300s:1: expected %s", path, t->expected);
    for (long line = 2; s == OK && csv_line_read(in, l); line++)
        if (t->line(ctx, l, &reason) != OK)
            s = why_set(why, BAD_INPUT, "%.300s:%ld: %.180s", path, line, reason.text);
    free(l);
    return s;
}

enum status csv_table_read(const char *path, const struct csv_table *t, void *ctx, struct why *why)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    enum status s = read_lines(in, path, t, ctx, why);
    if (s == OK && ferror(in))
        s = why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno));
    fclose(in);
    return s;
}

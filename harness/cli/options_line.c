/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_line.c - the line that is parsed: options of the environment, then what was typed. */
#include "cli/cli.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
    char **at;
    int count;
};

static void add_environment(void *ctx, const struct argp_option *o)
{
    struct line *line = ctx;
    const char *value = options_environment(o);
    char *text = NULL;
    if (!value)
        return;
    int length = o->arg ? asprintf(&text, "--%s=%s", o->name, value)
                        : asprintf(&text, "--%s", o->name);
    BUG_IF(length < 0);
    line->at[line->count++] = text;
}

static void count_one(void *ctx, const struct argp_option *o)
{
    ++*(int *)ctx;
}

char **options_line(int argc, char **argv, int *count, int *added)
{
    int room = argc + 1;
    options_each(count_one, &room);
    struct line line = { calloc((size_t)room, sizeof(char *)), 0 };
    BUG_IF(!line.at);
    line.at[line.count++] = argv[0];
    options_each(add_environment, &line);
    *added = line.count - 1;
    for (int k = 1; k < argc; k++)
        line.at[line.count++] = argv[k];
    *count = line.count;
    return line.at;
}

char *options_typed(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    BUG_IF(!f);
    for (int k = 0; k < argc; k++)
        fprintf(f, "%s%s", k ? " " : "", k ? argv[k] : "assay");
    fclose(f);
    return text;
}

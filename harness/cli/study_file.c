/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_file.c - reads study files by libinih. */
#include "cli/study_file.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cell/nearest.h"
#include "cli/cli.h"

/* libinih cuts longer lines without an error. This is its default length, less what it needs for the end of a
 * line. */
enum { LINE_LONGEST = 196 };

struct reading {
    FILE *in;
    int line;                        /* the number of the last line that was read */
    const char *verb;
    struct study_file *f;
    struct why *why;
    enum status status;
};

/* Notes the first error. Returns 0, by which a handler of libinih reports an error. */
__attribute__((format(printf, 2, 3)))
static int refuse(struct reading *r, const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (r->status == OK)
        r->status = why_set(r->why, BAD_INPUT, "%.100s:%d: %s", r->f->path, r->line, text);
    return 0;
}

static char *read_line(char *text, int room, void *ctx)
{
    struct reading *r = ctx;
    char *line = fgets(text, room, r->in);
    r->line++;
    if (line && !strchr(line, '\n') && strlen(line) >= LINE_LONGEST)
        refuse(r, "expected at most %d letters a line", LINE_LONGEST);
    return r->status == OK ? line : NULL;
}

static const struct argp_option *option_named(const char *name)
{
    const struct argp_option *o = options_table;
    while (o->name && strcmp(o->name, name))
        o++;
    return o->name ? o : NULL;
}

static int refuse_key(struct reading *r, const char *name)
{
    struct nearest near = nearest_to(name, strlen(name));
    for (const struct argp_option *o = options_table; o->name; o++)
        nearest_try(&near, o->name);
    return refuse(r, "unknown key '%.60s'%s", name,
                  near.name ? nearest_hint(&near, "")
                            : ": expected an option of the verb, as algorithm or problem");
}

/* Returns 1 for a value that means yes, 0 for one that means no, -1 for any other. */
static int switched(const char *value)
{
    static const char *const words[] = { "yes", "1", "on", "true", "no", "0", "off", "false" };
    for (int k = 0; k < 8; k++)
        if (strcasecmp(words[k], value) == 0)
            return k < 4;
    return -1;
}

static int add_key(void *ctx, const char *section, const char *name, const char *value)
{
    struct reading *r = ctx;
    struct study_file *f = r->f;
    if (r->status != OK)
        return 0;
    if (*section && strcmp(section, r->verb))
        return refuse(r, "expected the section [%s], not [%.40s]", r->verb, section);
    const struct argp_option *o = option_named(name);
    if (!o || strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
        return refuse_key(r, name);
    for (int k = 0; k < f->keys && !option_adds_up(name); k++)
        if (strcmp(f->key[k].name, name) == 0)
            return refuse(r, "%s: given twice, first in line %d", name, f->key[k].line);
    int on = o->arg ? 1 : switched(value);
    if (on < 0)
        return refuse(r, "%s = %.60s: expected yes or no", name, value);
    if (!on)
        return 1;
    if (o->arg && !*value)
        return refuse(r, "%s: expected a value", name);
    f->key = realloc(f->key, (size_t)(f->keys + 1) * sizeof *f->key);
    BUG_IF(!f->key);
    struct study_key *key = &f->key[f->keys++];
    *key = (struct study_key){ .line = r->line, .name = strdup(name) };
    int length = o->arg ? asprintf(&key->option, "--%s=%s", name, value) : asprintf(&key->option, "--%s", name);
    BUG_IF(length < 0 || !key->name);
    return 1;
}

enum status study_file_read(const char *path, const char *verb, struct study_file *f, struct why *why)
{
    struct reading r = { .verb = verb, .f = f, .why = why };
    *f = (struct study_file){ .path = path };
    errno = 0;
    r.in = fopen(path, "r");
    if (!r.in)
        return why_set(why, IO_ERROR, "%.200s: %s: expected a study file", path, strerror(errno));
    int bad = ini_parse_stream(read_line, &r, add_key, &r);
    bool unread = ferror(r.in);
    fclose(r.in);
    if (unread)
        return why_set(why, IO_ERROR, "%.200s: %s: expected a study file", path, strerror(errno));
    if (r.status == OK && bad > 0) {
        r.line = bad;
        refuse(&r, "expected a section [%s], a key = value or a comment", verb);
    }
    return r.status;
}

void study_file_free(struct study_file *f)
{
    for (int k = 0; k < f->keys; k++) {
        free(f->key[k].name);
        free(f->key[k].option);
    }
    free(f->key);
    *f = (struct study_file){ 0 };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_manifest.c - manifest.tsv: a header, then a set a line, fields separated by tabs. */
#include "data/data_sets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/data_reader.h"
#include "base/params.h"

static const char HEADER[] = "name\tfile\ttask\tn\td\tsha256\tlicence\tsource";
enum { FIELDS = 8 };

static void manifest_path(char *path, size_t room)
{
    snprintf(path, room, "%s/manifest.tsv", data_folder());
}

/* A file outside the folder is not the manifest's to name: `get` writes there. */
static bool inside(const char *file)
{
    return *file && *file != '/' && strcmp(file, "..") && strncmp(file, "../", 3) &&
           !strstr(file, "/../");
}

static bool is_task(const char *task)
{
    return strcmp(task, "classification") == 0 || strcmp(task, "regression") == 0;
}

static bool is_sum(const char *sha256)
{
    return strlen(sha256) == 64 && sha256[strspn(sha256, "0123456789abcdef")] == 0;
}

static enum status parse(struct reader *r, char *line, const struct data_sets *all,
                         struct data_set *s)
{
    char *field[FIELDS], *rest = line;
    double count[2];
    int n = 0;
    while (rest && n < FIELDS)
        field[n++] = strsep(&rest, "\t");
    if (rest || n < FIELDS)
        return reader_bad(r, "expected %d fields between tabs: %s", FIELDS, HEADER);
    struct quoted name = quoted(field[0], strlen(field[0]));
    if (data_name_fault(field[0]))
        return reader_bad(r, "name '%s': %s", name.text, data_name_fault(field[0]));
    if (data_sets_find(all, field[0]))
        return reader_bad(r, "'%s' a second time: expected one line for a set", name.text);
    if (!inside(field[1]) || snprintf(s->file, sizeof s->file, "%s/%s", data_folder(), field[1]) >=
                             (int)sizeof s->file)
        return reader_bad(r, "file '%s': expected a short path inside the folder",
                          quoted(field[1], strlen(field[1])).text);
    if (!is_task(field[2]))
        return reader_bad(r, "task '%s': expected classification or regression",
                          quoted(field[2], strlen(field[2])).text);
    for (int k = 0; k < 2; k++)
        if (!number_parse(field[3 + k], &count[k]) || count[k] < 1 || count[k] > INT_MAX)
            return reader_bad(r, "%s '%s': expected a whole number from 1", k ? "d" : "n",
                              quoted(field[3 + k], strlen(field[3 + k])).text);
    if (!is_sum(field[5]))
        return reader_bad(r, "sha256 '%s': expected 64 hexadecimal digits",
                          quoted(field[5], strlen(field[5])).text);
    snprintf(s->name, sizeof s->name, "%s", field[0]);
    snprintf(s->task, sizeof s->task, "%s", field[2]);
    s->n = (long)count[0];
    s->d = (long)count[1];
    snprintf(s->sha256, sizeof s->sha256, "%s", field[5]);
    snprintf(s->licence, sizeof s->licence, "%s", field[6]);
    snprintf(s->source, sizeof s->source, "%s", field[7]);
    return OK;
}

static enum status lines(struct reader *r, struct data_sets *all)
{
    char *line;
    size_t n;
    TRY(reader_line(r, &line, &n));
    if (!line || strcmp(line, HEADER))
        return reader_bad(r, "expected a first line of names between tabs: %s", HEADER);
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            return OK;
        struct data_set s = { 0 };
        if (n == 0)
            continue;
        TRY(parse(r, line, all, &s));
        struct data_set *more = data_sets_more(all);
        if (!more)
            return reader_no_memory(r);
        *more = s;
    }
}

enum status data_manifest_read(struct data_sets *all, struct why *why)
{
    char path[PATH_MAX];
    struct reader r;
    manifest_path(path, sizeof path);
    if (access(path, F_OK))
        return OK;
    enum status s = reader_open(&r, path, path_shown(path), why);
    if (s == OK)
        s = lines(&r, all);
    reader_close(&r);
    return s;
}

/* One write while nobody else writes; what was cut short is taken back. */
static enum status append(int file, const char *text, size_t n, const char *path, struct why *why)
{
    struct stat before;
    if (flock(file, LOCK_EX) || fstat(file, &before))
        return why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    size_t skip = before.st_size ? sizeof HEADER : 0;        /* the header and its newline */
    errno = ENOSPC;
    if (write(file, text + skip, n - skip) == (ssize_t)(n - skip) && fsync(file) == 0)
        return OK;
    why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    if (ftruncate(file, before.st_size))
        return why_set(why, IO_ERROR, "%s: its last line is damaged: %s", path_shown(path),
                       strerror(errno));
    return IO_ERROR;
}

enum status data_manifest_append(const struct data_set *s, struct why *why)
{
    char path[PATH_MAX], text[2200];
    const char *const texts[] = { s->file, s->licence, s->source };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (const char *c = texts[k]; *c; c++)
            if ((unsigned char)*c < ' ')
                return why_set(why, BAD_INPUT, "%s: '%s': expected no tab or other control "
                               "character", s->name, quoted(texts[k], strlen(texts[k])).text);
    manifest_path(path, sizeof path);
    int n = snprintf(text, sizeof text, "%s\n%s\t%s\t%s\t%ld\t%ld\t%s\t%s\t%s\n", HEADER, s->name,
                     s->file + strlen(data_folder()) + 1, s->task, s->n, s->d, s->sha256,
                     s->licence, s->source);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    enum status status = append(file, text, (size_t)n, path, why);
    close(file);
    return status;
}

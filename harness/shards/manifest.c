/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.c - writes and reads the manifest of a shard. */
#include "shards/manifest.h"

#include <errno.h>
#include <limits.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/params.h"
#include "cell/registry.h"
#include "text/memstream.h"

#define FIRST_LINE "assay shard 2\n"
#define LAST_KEY "checksum "

static enum status trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

/* --- writing a manifest */

void manifest_add_info(struct manifest *m, const char *key, const char *value)
{
    if (strchr(value, '\n'))
        return;
    m->info = reallocarray(m->info, m->infos + 1, sizeof *m->info);
    BUG_IF(!m->info);
    struct store_info *i = &m->info[m->infos++];
    *i = (struct store_info){ strdup(key), strdup(value) };
    BUG_IF(!i->key || !i->value);
}

static void write_lines(FILE *f, const struct manifest *m, struct cell *const *cell, size_t n)
{
    fputs(FIRST_LINE, f);
    fprintf(f, "run %s %s\ncommit %s\ncore %s\n", m->run.started, m->run.uuid, m->commit, m->core);
    fprintf(f, "level %s\nblas %s\nlibrary %s\n", m->kind.level, m->kind.blas, m->kind.library);
    fprintf(f, "timeout %.17g\nmemory %.17g\nseconds %.17g\n", m->timeout, m->memory, m->seconds);
    for (size_t k = 0; k < m->infos; k++)
        fprintf(f, "info %s %s\n", m->info[k].key, m->info[k].value);
    for (size_t k = 0; k < n; k++)
        fprintf(f, "cell %s %s\n", cell[k]->fingerprint, cell[k]->text);
}

/* Writes text[n] to `path`: first to a file PATH.part, which is then renamed, so that no reader finds half of a
 * file. */
static enum status write_whole(const char *path, const char *text, size_t n, struct why *why)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return trouble(path, why);
    }
    errno = 0;
    FILE *f = fopen(part, "w");
    bool good = f && fwrite(text, 1, n, f) == n && fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (f && fclose(f) != 0)
        good = false;
    if (good && rename(part, path) == 0)
        return OK;
    enum status s = trouble(path, why);
    unlink(part);
    return s;
}

enum status manifest_write(const char *path, const struct manifest *m, struct cell *const *cell, size_t n,
                           struct why *why)
{
    char *text = NULL;
    size_t size = 0;
    for (size_t k = 0; k < n; k++)
        if (strchr(cell[k]->text, '\n'))
            return why_set(why, BAD_INPUT, "%.200s: a cell's text has a line break, expected none: %.80s", path,
                           cell[k]->text);
    FILE *f = open_memstream(&text, &size);
    BUG_IF(!f);
    write_lines(f, m, cell, n);
    BUG_IF(fflush(f));
    fprintf(f, LAST_KEY "%016" PRIx64 "\n", (uint64_t)XXH3_64bits(text, size));
    memstream_close(f, &text);
    enum status s = write_whole(path, text, size, why);
    free(text);
    return s;
}

/* --- reading a manifest */

static enum status read_file(const char *path, char **text, size_t *n, struct why *why)
{
    errno = 0;
    FILE *f = fopen(path, "r");
    size_t room = 0;
    *text = NULL;
    *n = 0;
    if (!f)
        return trouble(path, why);
    do {
        room = room ? 2 * room : 65536;
        *text = realloc(*text, room + 1);
        BUG_IF(!*text);
        *n += fread(*text + *n, 1, room - *n, f);
    } while (*n == room);
    bool bad = ferror(f);
    fclose(f);
    (*text)[*n] = 0;
    return bad ? trouble(path, why) : OK;
}

/* Checks the first line and the checksum of a manifest's text, and cuts off the line of the checksum. */
static enum status check_whole(const char *path, char *text, size_t n, struct why *why)
{
    size_t last = n;
    if (n > 0 && text[n - 1] == '\n')
        for (last = n - 1; last > 0 && text[last - 1] != '\n'; last--)
            ;
    uint64_t there;
    if (strncmp(text, "assay shard ", strlen("assay shard ")) != 0)
        return why_set(why, BAD_INPUT, "%.300s: not the manifest of a shard, expected a file that `assay shards` "
                       "wrote",
                       path);
    if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0)
        return why_set(why, BAD_INPUT, "%.300s: '%.30s', expected '%.13s'", path, text, FIRST_LINE);
    if (last == n || sscanf(text + last, LAST_KEY "%16" SCNx64, &there) != 1 ||
        there != (uint64_t)XXH3_64bits(text, last))
        return why_set(why, BAD_INPUT, "%.300s: its checksum is wrong: cut off, or changed since `assay shards` "
                       "wrote it",
                       path);
    text[last] = 0;
    return OK;
}

static bool keep_text(char *to, size_t room, const char *value)
{
    return (size_t)snprintf(to, room, "%s", value) < room;
}

static bool keep_cell(struct manifest *m, char *value)
{
    char *blank = strchr(value, ' ');
    if (!blank)
        return false;
    *blank = 0;
    if ((m->cells & (m->cells + 1)) == 0) {      /* the arrays grow when they have 0, 1, 3, 7, ... cells */
        size_t room = 2 * (size_t)m->cells + 2;
        m->text = reallocarray(m->text, room, sizeof *m->text);
        m->fingerprint = reallocarray(m->fingerprint, room, sizeof *m->fingerprint);
        BUG_IF(!m->text || !m->fingerprint);
    }
    m->fingerprint[m->cells] = strdup(value);
    m->text[m->cells] = strdup(blank + 1);
    BUG_IF(!m->fingerprint[m->cells] || !m->text[m->cells]);
    m->cells++;
    return true;
}

static bool keep_run(struct manifest *m, char *value)
{
    char *blank = strchr(value, ' ');
    if (!blank)
        return false;
    *blank = 0;
    return keep_text(m->run.started, sizeof m->run.started, value) &&
           keep_text(m->run.uuid, sizeof m->run.uuid, blank + 1);
}

static bool keep_info(struct manifest *m, char *value)
{
    char *blank = strchr(value, ' ');
    if (!blank)
        return false;
    *blank = 0;
    manifest_add_info(m, value, blank + 1);
    return true;
}

static bool keep_line(struct manifest *m, char *line)
{
    const struct { const char *key; char *to; size_t room; } texts[] = {
        { "commit", m->commit, sizeof m->commit }, { "core", m->core, sizeof m->core },
        { "level", m->kind.level, sizeof m->kind.level }, { "blas", m->kind.blas, sizeof m->kind.blas },
        { "library", m->kind.library, sizeof m->kind.library },
    };
    const struct { const char *key; double *to; } numbers[] = {
        { "timeout", &m->timeout }, { "memory", &m->memory }, { "seconds", &m->seconds },
    };
    char *value = strchr(line, ' ');
    if (!value)
        return false;
    *value++ = 0;
    if (strcmp(line, "cell") == 0)
        return keep_cell(m, value);
    if (strcmp(line, "info") == 0)
        return keep_info(m, value);
    if (strcmp(line, "run") == 0)
        return keep_run(m, value);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(texts[k].key, line) == 0)
            return keep_text(texts[k].to, texts[k].room, value);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(numbers[k].key, line) == 0)
            return number_parse(value, numbers[k].to);
    return false;
}

enum status manifest_read(const char *path, struct manifest *m, struct why *why)
{
    char *text, *rest, *line;
    size_t n;
    long at = 1;
    *m = (struct manifest){ .cells = 0 };
    enum status s = read_file(path, &text, &n, why);
    if (s == OK)
        s = check_whole(path, text, n, why);
    for (rest = text, line = s == OK ? strsep(&rest, "\n") : NULL; s == OK && (line = strsep(&rest, "\n")) &&
         *line;) {
        at++;
        if (!keep_line(m, line))
            s = why_set(why, BAD_INPUT, "%.300s:%ld: '%.40s': expected a key and its value", path, at, line);
    }
    free(text);
    if (s != OK)
        manifest_free(m);
    return s;
}

void manifest_free(struct manifest *m)
{
    for (long k = 0; k < m->cells; k++) {
        free(m->text[k]);
        free(m->fingerprint[k]);
    }
    for (size_t k = 0; k < m->infos; k++) {
        free((char *)m->info[k].key);
        free((char *)m->info[k].value);
    }
    free(m->info);
    free(m->text);
    free(m->fingerprint);
    *m = (struct manifest){ .cells = 0 };
}

/* --- may this program run the shard on this machine? */

enum status manifest_fits(const char *path, const struct manifest *m, struct why *why)
{
    struct machine_kind now = kind_now();
    char there[KIND_TEXT], here[KIND_TEXT];
    if (strcmp(m->core, registry_core_hash()) != 0)
        return why_set(why, BAD_INPUT, "%.200s: host %.40s has another build (core %.16s), expected that of the "
                       "manifest (core %.16s, commit %.16s)", path, store_host(), registry_core_hash(), m->core,
                       m->commit);
    if (strcmp(kind_text(&m->kind, there), kind_text(&now, here)) != 0)
        return why_set(why, BAD_INPUT, "%.200s: host %.40s is of another kind (%s), expected %s: see --arch", path,
                       store_host(), here, there);
    return OK;
}

enum status manifest_cells(const char *path, const struct manifest *m, struct cell **cell, struct why *why)
{
    struct why reason = { "" };
    memset(cell, 0, (size_t)m->cells * sizeof *cell);
    for (long k = 0; k < m->cells; k++) {
        enum status s = cell_parse(m->text[k], &cell[k], &reason);
        if (s != OK)
            return why_set(why, s, "%.200s: host %.40s cannot make cell `%.100s`: %.200s", path, store_host(),
                           m->text[k], reason.text);
        if (strcmp(cell[k]->fingerprint, m->fingerprint[k]) != 0)
            return why_set(why, BAD_INPUT, "%.200s: on host %.40s the sources or data of cell `%.100s` are other "
                           "ones (fingerprint %.12s, expected %.12s)", path, store_host(), m->text[k],
                           cell[k]->fingerprint, m->fingerprint[k]);
    }
    return OK;
}

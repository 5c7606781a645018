/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.c - reference optima on disk, one file each:
 *
 *     a head of five lines: format, hashes of the program's sources, kind of machine, key, number of values
 *     the values as they are in memory, and a checksum of everything before it
 *
 * The name of a file is a hash of the key. A program of other sources, or a machine of another
 * kind, refuses the file by its head and overwrites it. */
#include "cell/reference_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cell/cell.h"
#include "base/params.h"
#include "numeric/kind.h"
#include "reference.h"
#include "cell/registry.h"
#include "text/memstream.h"

/* The folder is set once, before any cell runs. A failure to keep an optimum is reported once a process, since
 * every cell would repeat the message. */
static const char *folder;
static bool complained;

void reference_cache(const char *where) { folder = where; }

static void complain(const char *path, const char *what)
{
    if (!complained)
        fprintf(stderr, "assay: %s: %s: reference optima are computed anew\n", path, what);
    complained = true;
}

/* Returns the key as one line; free() it. */
static char *key_text(const struct reference_key *key)
{
    char *text = NULL, number[32];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    BUG_IF(!f);
    fprintf(f, "%s content=%016llx", key->family, key->content);
    for (const struct param *p = key->table; p && p->name; p++) {
        const void *member = (const char *)key->params + p->offset;
        if (p->type != PARAM_TEXT)
            fprintf(f, " %s=%s", p->name, number_text(params_get(p, key->params), number));
        else if (strcmp(p->name, "data") != 0)
            fprintf(f, " %s=%s", p->name, *(const char *const *)member);
    }
    memstream_close(f, &text);
    return text;
}

/* Returns the head that a usable file has; free() it. path[size] <- the name of the file. */
static char *head_text(const struct reference_key *key, size_t size, char *path)
{
    char *text = NULL, *line = key_text(key);
    size_t length;
    const struct problem *family = registry_problem(key->family);
    const char *unit = family ? registry_source_hash(family) : NULL;
    char kind[KIND_TEXT];
    struct machine_kind now = kind_now();
    FILE *f = open_memstream(&text, &length);
    BUG_IF(!f);
    fprintf(f, "assay optimum 2\n%s %s\n%s\n%s\n%ld\n", registry_core_hash(), unit ? unit : "-",
            kind_text(&now, kind), line, key->count);
    memstream_close(f, &text);
    snprintf(path, size, "%s/%016" PRIx64 ".optimum", folder, hash_text(line, 0));
    free(line);
    return text;
}

static uint64_t checksum(const char *bytes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;                    /* the offset basis of FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return h;
}

/* bytes <- a file of `length` bytes, which are the head and the values, and a checksum of them behind. Returns true
 * if length, head and checksum are right. */
static bool file_usable(FILE *f, const char *path, const char *head, size_t length, char *bytes)
{
    uint64_t sum;
    size_t got = fread(bytes, 1, length + sizeof sum, f), n = strlen(head);
    if (got < n || memcmp(bytes, head, n) != 0)
        return false;                        /* the file was written by other sources or on another kind of machine,
                                                or is of another key with the same hash */
    memcpy(&sum, bytes + length, sizeof sum);
    if (got == length + sizeof sum && fgetc(f) == EOF && sum == checksum(bytes, length))
        return true;
    complain(path, "damaged");
    return false;
}

bool reference_recall(const struct reference_key *key, double *values)
{
    char path[4096];
    uses_add(USES_ALL);                      /* the run depends on all that the computation of the optimum would
                                                have used */
    if (!folder)
        return false;
    char *head = head_text(key, sizeof path, path);
    size_t n = strlen(head), size = (size_t)key->count * sizeof *values;
    char *bytes = calloc(1, n + size + sizeof(uint64_t));
    FILE *f = fopen(path, "rb");
    bool usable = f && bytes && file_usable(f, path, head, n + size, bytes);
    if (usable)
        memcpy(values, bytes + n, size);
    if (f)
        fclose(f);
    free(bytes);
    free(head);
    return usable;
}

/* Writes a file of another name and renames it, so that a reader sees the whole file or none. */
static bool file_write(const char *path, const char *bytes, size_t length)
{
    char part[4200];
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(part, "wb");
    bool whole = f && fwrite(bytes, 1, length, f) == length;
    if (f)
        whole &= fclose(f) == 0;
    if (whole && rename(part, path) == 0)
        return true;
    if (f)
        remove(part);
    return false;
}

void reference_keep(const struct reference_key *key, const double *values)
{
    char path[4096];
    if (!folder)
        return;
    /* Nothing is kept where the parent of the folder is missing, since then there is no store either. Nothing is
     * kept on a file system that can only be read. */
    if (mkdir(folder, 0777) && (errno == ENOENT || errno == EROFS))
        return;
    char *head = head_text(key, sizeof path, path);
    size_t n = strlen(head), size = (size_t)key->count * sizeof *values;
    char *bytes = malloc(n + size + sizeof(uint64_t));
    if (bytes) {
        memcpy(bytes, head, n);
        memcpy(bytes + n, values, size);
        uint64_t sum = checksum(bytes, n + size);
        memcpy(bytes + n + size, &sum, sizeof sum);
        errno = 0;
        if (!file_write(path, bytes, n + size + sizeof sum))
            complain(path, errno ? strerror(errno) : "cannot be written");
    }
    free(bytes);
    free(head);
}

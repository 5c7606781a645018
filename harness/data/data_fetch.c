/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_fetch.c - computes the SHA-256 of a file, and fetches files by http or copies them. A file is kept only if
 * its checksum is the stated one. */
#include "data/data_sets.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <curl/curl.h>
#include <nettle/sha2.h>
#include <zlib.h>

#include "data/data_reader.h"

enum status data_sha256(const char *path, char *hex, struct why *why)
{
    struct sha256_ctx sha;
    uint8_t block[1 << 16], digest[SHA256_DIGEST_SIZE];
    int got, error = Z_OK;
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return why_set(why, BAD_INPUT, "%s: %s: expected a readable file", path_shown(path),
                       strerror(errno));
    sha256_init(&sha);
    while ((got = gzread(file, block, sizeof block)) > 0)
        sha256_update(&sha, (size_t)got, block);
    gzerror(file, &error);
    gzclose(file);
    if (error == Z_ERRNO)
        return why_set(why, IO_ERROR, "%s: cannot be read", path_shown(path));
    if (error != Z_OK && error != Z_STREAM_END)
        return why_set(why, BAD_INPUT, "%s: damaged gzip file: expected a whole one",
                       path_shown(path));
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t k = 0; k < sizeof digest; k++)
        snprintf(hex + 2 * k, 3, "%02x", digest[k]);
    return OK;
}

/* Writes the server's answer to a file. Fails where the server sends less than 100 bytes a second for a minute. */
static enum status download(const char *address, FILE *out, const char *name, struct why *why)
{
    char reason[CURL_ERROR_SIZE] = "";
    CURL *c = curl_easy_init();
    if (!c)
        return why_set(why, NO_MEMORY, "%s: not enough memory to fetch it", name);
    CURLcode code = curl_easy_setopt(c, CURLOPT_URL, address);
    if (code == CURLE_OK)
        code = curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_WRITEDATA, out);
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(c, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(c, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 100L);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, 60L);
    if (code == CURLE_OK)
        code = curl_easy_perform(c);
    curl_easy_cleanup(c);
    if (code != CURLE_OK)
        return why_set(why, IO_ERROR, "%s: %.150s: %.150s", name, address,
                       *reason ? reason : curl_easy_strerror(code));
    return OK;
}

/* Makes the folder of a file; the folder above it must exist. */
static enum status parent_make(const char *file, struct why *why)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", file);
    *strrchr(folder, '/') = 0;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return why_set(why, IO_ERROR, "%s: %s", path_shown(folder), strerror(errno));
    return OK;
}

/* A file that is being written under a temporary name in the folder of its final name. */
struct part { char path[PATH_MAX]; FILE *out; };

static enum status part_begin(const struct data_set *s, struct part *p, struct why *why)
{
    TRY(parent_make(s->file, why));
    snprintf(p->path, sizeof p->path, "%s.part-XXXXXX", s->file);
    int descriptor = mkstemp(p->path);
    p->out = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    return p->out ? OK : why_set(why, IO_ERROR, "%s: %s", path_shown(p->path), strerror(errno));
}

/* Renames the file to its final name if `status` is OK and the checksum is right; else removes it. */
static enum status part_end(const struct data_set *s, struct part *p, enum status status,
                            struct why *why)
{
    char hex[65] = "";
    if (status == OK && (fflush(p->out) || fsync(fileno(p->out))))
        status = why_set(why, IO_ERROR, "%s: %s", path_shown(p->path), strerror(errno));
    fclose(p->out);
    if (status == OK)
        status = data_sha256(p->path, hex, why);
    if (status == OK && strcmp(hex, s->sha256))
        status = why_set(why, BAD_INPUT, "%s: %.100s: wrong checksum %s: expected %s", s->name,
                         s->source, hex, s->sha256);
    if (status == OK && (chmod(p->path, 0644) || rename(p->path, s->file)))
        status = why_set(why, IO_ERROR, "%s: %s", path_shown(s->file), strerror(errno));
    if (status != OK)
        unlink(p->path);
    return status;
}

enum status data_fetch(const struct data_set *s, struct why *why)
{
    struct part p;
    if (strncmp(s->source, "http://", 7) && strncmp(s->source, "https://", 8))
        return why_set(why, BAD_INPUT, "%s: source '%.200s': expected an http or https address",
                       s->name, s->source);
    TRY(part_begin(s, &p, why));
    return part_end(s, &p, download(s->source, p.out, s->name, why), why);
}

enum status data_copy(const char *from, const struct data_set *s, struct why *why)
{
    struct part p;
    char block[1 << 16];
    size_t n;
    FILE *in = fopen(from, "rb");
    if (!in)
        return why_set(why, BAD_INPUT, "%s: %s", path_shown(from), strerror(errno));
    enum status status = part_begin(s, &p, why);
    if (status == OK) {
        while ((n = fread(block, 1, sizeof block, in)) > 0)
            fwrite(block, 1, n, p.out);
        if (ferror(in) || ferror(p.out))
            status = why_set(why, IO_ERROR, "%s: %s", path_shown(from), strerror(errno));
        status = part_end(s, &p, status, why);
    }
    fclose(in);
    return status;
}

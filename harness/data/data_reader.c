/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_reader.c - reads blocks by zlib, which reads plain files too, and cuts lines in place. */
#include "data/data_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A gzip file that expands more than BOMB_RATIO-fold is taken for a decompression bomb, because no table of numbers
 * compresses so well. The ratio is checked once BOMB_TEXT bytes of text have been read. BLOCK: how many bytes are
 * read at a time. LINE_BYTES_MAX: a longer line is refused. */
static const size_t BOMB_TEXT = 1 << 24, BOMB_RATIO = 500;
static const size_t BLOCK = 1 << 16, LINE_BYTES_MAX = 1 << 28;

const char *path_shown(const char *path)
{
    size_t n = strlen(path);
    return n > 200 ? path + n - 200 : path;
}

struct quoted quoted(const char *s, size_t n)
{
    struct quoted q = { "" };
    size_t k = n < 40 ? n : 40;
    for (size_t i = 0; i < k; i++)
        q.text[i] = s[i] < ' ' || s[i] > '~' ? '?' : s[i];
    if (n > k)
        memcpy(q.text + k, "...", 3);
    return q;
}

enum status reader_no_memory(const struct reader *r)
{
    return why_set(r->why, NO_MEMORY, "%s:%ld: not enough memory for the table", r->name, r->line);
}

/* Reads a block of at most `room` bytes to `at`; *n <- its length. */
static enum status block_read(struct reader *r, char *at, size_t room, size_t *n)
{
    int error = Z_OK, got = gzread(r->file, at, (unsigned)room);
    gzerror(r->file, &error);
    if (got < 0 && error == Z_ERRNO)
        return why_set(r->why, IO_ERROR, "%s: %s", r->name, strerror(errno));
    if (got < 0 || error == Z_BUF_ERROR)
        return why_set(r->why, BAD_INPUT, "%s: damaged gzip file: expected a whole one", r->name);
    r->text += (size_t)got;
    if (!gzdirect(r->file) && r->text > BOMB_TEXT &&
        r->text / BOMB_RATIO > (size_t)gzoffset(r->file))
        return why_set(r->why, BAD_INPUT, "%s:%ld: the gzip file expands more than %zu-fold: "
                       "expected data", r->name, r->line, BOMB_RATIO);
    *n = (size_t)got;
    r->ended = got == 0;
    return OK;
}

/* Moves the unread text to the beginning of the buffer, and reads a block behind it. */
static enum status fill(struct reader *r)
{
    size_t left = r->end - r->begin, got = 0;
    if (r->begin > 0)
        memmove(r->buffer, r->buffer + r->begin, left);
    r->begin = 0;
    r->end = left;
    if (left >= LINE_BYTES_MAX)
        return why_set(r->why, BAD_INPUT, "%s:%ld: expected a line of at most %zu MiB", r->name,
                       r->line + 1, LINE_BYTES_MAX >> 20);
    if (r->capacity - left < BLOCK) {
        char *grown = realloc(r->buffer, 2 * r->capacity);
        if (!grown)
            return reader_no_memory(r);
        r->buffer = grown;
        r->capacity *= 2;
    }
    TRY(block_read(r, r->buffer + left, r->capacity - left - 1, &got));
    XXH3_64bits_update(r->checksum, r->buffer + left, got);
    r->end += got;
    r->buffer[r->end] = 0;
    return OK;
}

enum status reader_open(struct reader *r, const char *path, const char *name, struct why *why)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *r = (struct reader){ .name = name, .why = why, .capacity = 2 * BLOCK };
    errno = 0;
    r->file = gzopen(path, "rb");
    if (!r->file)
        return why_set(why, BAD_INPUT, "%s: %s: expected a readable file", name,
                       errno ? strerror(errno) : "cannot be opened");
    gzbuffer(r->file, (unsigned)BLOCK / 2);
    r->buffer = malloc(r->capacity);
    r->checksum = XXH3_createState();
    if (!r->buffer || !r->checksum)
        return reader_no_memory(r);
    XXH3_64bits_reset(r->checksum);
    TRY(fill(r));
    if (strncmp(r->buffer, byte_order_mark, 3) == 0)
        r->begin = 3;
    return OK;
}

void reader_close(struct reader *r)
{
    if (r->file)
        gzclose(r->file);
    free(r->buffer);
    XXH3_freeState(r->checksum);
}

enum status reader_line(struct reader *r, char **line, size_t *n)
{
    char *end;
    size_t searched = 0;
    while (!(end = memchr(r->buffer + r->begin + searched, '\n', r->end - r->begin - searched)) &&
           !r->ended) {
        searched = r->end - r->begin;
        TRY(fill(r));
    }
    *line = r->buffer + r->begin;
    if (!end && r->begin == r->end) {
        *line = NULL;
        return OK;
    }
    *n = (end ? end : r->buffer + r->end) - *line;
    r->begin += *n + (end != NULL);
    r->line++;
    *n -= *n > 0 && (*line)[*n - 1] == '\r';
    (*line)[*n] = 0;
    return memchr(*line, 0, *n) ? reader_bad(r, "a NUL byte: expected text") : OK;
}

enum status reader_bad(struct reader *r, const char *format, ...)
{
    char reason[180];
    va_list ap;
    va_start(ap, format);
    vsnprintf(reason, sizeof reason, format, ap);
    va_end(ap);
    size_t got;
    /* A gzip file shows only at its end whether it is damaged. If it is, the damage explains the bad text. */
    while (!gzdirect(r->file) && !r->ended)
        TRY(block_read(r, r->buffer, r->capacity, &got));
    return why_set(r->why, BAD_INPUT, "%s:%ld: %s", r->name, r->line, reason);
}

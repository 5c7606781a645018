/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_reader.h - the lines of a text file, plain or gzip, by blocks: no more of the text is held
 * than a block and the longest line. */
#ifndef ASSAY_DATA_READER_H
#define ASSAY_DATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include "status.h"

#include <xxhash.h>
#include <zlib.h>

struct reader {
    const char *name;                /* of the file, as shown in messages */
    struct why *why;
    gzFile file;
    char *buffer;
    size_t capacity, begin, end;     /* buffer[begin..end): read, not yet given out */
    size_t text;                     /* bytes of text so far */
    bool ended;
    long line;                       /* number of the line given out last */
    XXH3_state_t *checksum;          /* of the text so far */
};

/* Opens and reads the first block; reader_close in any case. BAD_INPUT: cannot be opened, no bytes
 * that make sense. name and why outlive the reader; name is of at most 200 bytes. */
enum status reader_open(struct reader *r, const char *path, const char *name, struct why *why);
void reader_close(struct reader *r);

/* *line <- the next line, NUL-terminated, without its end (LF or CR LF), n bytes, valid until the
 * next call; NULL after the last. BAD_INPUT: a NUL byte, a line beyond 256 MiB, a damaged gzip file
 * or one that expands more than 500-fold. */
enum status reader_line(struct reader *r, char **line, size_t *n);

/* "name:line: reason", for the line given out last; BAD_INPUT. If the file turns out to be damaged
 * further on, that is the reason. */
__attribute__((format(printf, 2, 3)))
enum status reader_bad(struct reader *r, const char *format, ...);
enum status reader_no_memory(const struct reader *r);
/* XXH3, 64 bits, of the text so far. */
unsigned long long reader_checksum(const struct reader *r);

/* A token s[n] as it may stand in a message: short, and printable. */
struct quoted { char text[44]; };
struct quoted quoted(const char *s, size_t n);

/* The end of a long path tells more than its beginning, and the reason must still fit. */
const char *path_shown(const char *path);

#endif

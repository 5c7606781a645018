/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_reader.h - the lines of a text file, plain or gzip. The file is read by blocks; memory holds no more of the
 * text than a block and the longest line. */
#ifndef ASSAY_DATA_READER_H
#define ASSAY_DATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include "status.h"

#include <xxhash.h>
#include <zlib.h>

struct reader {
    const char *name;                /* the name of the file, as shown in messages */
    struct why *why;
    gzFile file;
    char *buffer;
    size_t capacity, begin, end;     /* buffer[begin..end) is read and not yet given out */
    size_t text;                     /* bytes of text that have been read, decompressed */
    bool ended;                      /* the file has been read to its end */
    long line;                       /* number of the line given out last */
    XXH3_state_t *checksum;          /* the checksum of the text so far */
};

/* Opens the file and reads the first block. The caller calls reader_close in any case. BAD_INPUT: the file cannot
 * be opened, or is damaged. name and why outlive the reader; name has at most 200 bytes. */
enum status reader_open(struct reader *r, const char *path, const char *name, struct why *why);
void reader_close(struct reader *r);

/* *line <- the next line, NUL-terminated, without its end (LF or CR LF), n bytes, valid until the
 * next call; NULL after the last. BAD_INPUT: a NUL byte, a line beyond 256 MiB, a damaged gzip file
 * or one that expands more than 500-fold. */
enum status reader_line(struct reader *r, char **line, size_t *n);

/* Refuses the line that was given out last: BAD_INPUT with the message "name:line: reason". If the rest of the file
 * is damaged, the message names the damage instead. */
__attribute__((format(printf, 2, 3)))
enum status reader_bad(struct reader *r, const char *format, ...);
enum status reader_no_memory(const struct reader *r);

/* A token s[n] for a message: cut to 40 characters, with ? in place of unprintable ones. */
struct quoted { char text[44]; };
struct quoted quoted(const char *s, size_t n);

/* Returns the last 200 bytes of a path, for messages: the reason must still fit, and the end of a path says more
 * than its beginning. */
const char *path_shown(const char *path);

#endif

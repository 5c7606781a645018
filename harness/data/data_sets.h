/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_sets.h - data sets by name: those of Debian packages, and those of the folder ASSAY_DATA.
 *
 * In that folder every line of `manifest.tsv` states a set. A subfolder that the manifest does not name is a set
 * too if it holds a single data file (.libsvm .csv .tsv .fann .data, also with .gz), or one with the subfolder's
 * name. */
#ifndef ASSAY_DATA_SETS_H
#define ASSAY_DATA_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include "status.h"

struct data_set {
    char name[64];
    char file[1024];                 /* the path, whether the file exists or not */
    char task[16];                   /* classification, regression, or empty: not stated */
    long n, d;                       /* 0: not stated */
    char sha256[65];                 /* SHA-256 of the decompressed file, hexadecimal; empty: not stated */
    char licence[160], source[400];
    const char *package;             /* the Debian package; NULL: a set of the folder */
};

struct data_sets {
    struct data_set *set;            /* the sets of the folder by name, then those Debian sets that have other
                                        names */
    int count, capacity;
};

/* Lists all sets; the caller calls data_sets_free in any case. BAD_INPUT names the wrong line of the manifest. */
enum status data_sets_all(struct data_sets *all, struct why *why);
void data_sets_free(struct data_sets *all);
/* Returns the set of this name; NULL: there is none. */
const struct data_set *data_sets_find(const struct data_sets *all, const char *name);

/* path[PATH_MAX] <- the file of the set of this name. BAD_INPUT: there is no such set, or its file is missing; then
 * the message says where to get it. */
enum status data_set_file(const char *name, char *path, struct why *why);

enum { DATA_MISSING = 200 };
/* missing[DATA_MISSING] <- "" if the file of this set exists, whatever it contains; else a sentence that says that
 * the file is not on this machine and where to get it. A claim or a panel of a reproduction that needs this set is
 * then left out. BAD_INPUT: the folder or its manifest is wrong. */
enum status data_set_missing(const char *name, char *missing, struct why *why);

/* Returns the folder that ASSAY_DATA names, or NULL. */
const char *data_folder(void);
/* Returns the reason why a set cannot have this name; NULL: it can. */
const char *data_name_fault(const char *name);

/* Reads the manifest of the folder; a missing manifest counts as empty. */
enum status data_manifest_read(struct data_sets *all, struct why *why);
/* Appends a line for a set to the manifest, completely or not at all; s->file is inside the folder. BAD_INPUT: a
 * text contains a tab, a newline or another control character; IO_ERROR. */
enum status data_manifest_append(const struct data_set *s, struct why *why);

/* Returns how many characters of a data file's name stand before its ending; 0: it is not the name of a data
 * file. */
size_t data_stem(const char *file);

/* hex[65] <- the SHA-256 of a file, decompressed if it is gzip. BAD_INPUT, IO_ERROR. */
enum status data_sha256(const char *path, char *hex, struct why *why);

/* Fetches the http or https address s->source to s->file, by way of a temporary file beside it, which is removed
 * unless its checksum is s->sha256. BAD_INPUT, IO_ERROR. */
enum status data_fetch(const struct data_set *s, struct why *why);
/* Copies the file `from` to s->file, in the way of data_fetch. BAD_INPUT, IO_ERROR. */
enum status data_copy(const char *from, const struct data_set *s, struct why *why);

#endif

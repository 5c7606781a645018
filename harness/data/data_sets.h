/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_sets.h - sets of data by name: those of Debian packages, and those of the folder ASSAY_DATA.
 *
 * In that folder, `manifest.tsv` states a set a line; a subfolder that it does not name is a set
 * too if it holds one data file (.libsvm .csv .tsv .fann .data, also with .gz), or one of its own
 * name. */
#ifndef ASSAY_DATA_SETS_H
#define ASSAY_DATA_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include "status.h"

struct data_set {
    char name[64];
    char file[1024];                 /* where it is or would be */
    char task[16];                   /* classification, regression, or empty: not stated */
    long n, d;                       /* 0: not stated */
    char sha256[65];                 /* of the decompressed file, hexadecimal; empty: not stated */
    char licence[160], source[400];
    const char *package;             /* Debian's, NULL: of the folder */
};

struct data_sets {
    struct data_set *set;            /* the folder's by name, then Debian's that none hides */
    int count, capacity;
};

/* data_sets_free in any case. BAD_INPUT: a manifest that does not say what it should, with its
 * line. */
enum status data_sets_all(struct data_sets *all, struct why *why);
void data_sets_free(struct data_sets *all);
const struct data_set *data_sets_find(const struct data_sets *all, const char *name);

/* path[PATH_MAX] <- the file of the set of this name. BAD_INPUT: no such set, or its file is
 * missing: where to get it. */
enum status data_set_file(const char *name, char *path, struct why *why);

enum { DATA_MISSING = 200 };
/* missing[DATA_MISSING] <- that the file of the set of this name is not on this machine, with where
 * to get it, for claims and panels that go without; "": it is here, whatever is in it. BAD_INPUT: the
 * folder or its manifest is not what it should be. */
enum status data_set_missing(const char *name, char *missing, struct why *why);

/* The folder, NULL: none is named. */
const char *data_folder(void);
/* What is wrong with a set's name; NULL: nothing. */
const char *data_name_fault(const char *name);

/* The lines of the folder's manifest. A missing one is empty. */
enum status data_manifest_read(struct data_sets *all, struct why *why);
/* One more line, at once or not at all; s->file is inside the folder. BAD_INPUT: a tab or newline
 * in a text; IO_ERROR. */
enum status data_manifest_append(const struct data_set *s, struct why *why);

/* How many characters of a data file's name stand before its ending; 0: the name of
 * another file. */
size_t data_stem(const char *file);

/* hex[65] <- the SHA-256 of a file, decompressed if it is gzip. BAD_INPUT, IO_ERROR. */
enum status data_sha256(const char *path, char *hex, struct why *why);

/* Writes what stands at the http or https address s->source to s->file, by way of a temporary file
 * beside it that is removed unless its checksum is s->sha256. BAD_INPUT, IO_ERROR. */
enum status data_fetch(const struct data_set *s, struct why *why);
/* The same from a file. */
enum status data_copy(const char *from, const struct data_set *s, struct why *why);

#endif

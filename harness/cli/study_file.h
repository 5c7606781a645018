/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_file.h - a study file: the options of `test` or `sweep` as an INI file, to be committed and run again. */
#ifndef ASSAY_STUDY_FILE_H
#define ASSAY_STUDY_FILE_H

#include "status.h"

/* A key of the file as an option, "--n=1e3..1e6", and the line that it stands in. */
struct study_key { int line; char *name, *option; };
struct study_file {
    const char *path;                /* NULL: no file was read; the text must outlive the study_file */
    int keys;
    struct study_key *key;
};

/* Reads a file, whose keys are names of options. They stand in the section [VERB] or before any section. The caller
 * checks whether the verb takes them. Each key may occur once, except control, rival, set, method and plugin, which
 * add up; the value of an option without a value is yes or no. BAD_INPUT, with path and line; IO_ERROR.
 * study_file_free() it in either case. */
enum status study_file_read(const char *path, const char *verb, struct study_file *f, struct why *why);
void study_file_free(struct study_file *f);

#endif

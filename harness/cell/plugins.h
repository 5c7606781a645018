/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugins.h - loads the shared objects of --plugin (api/plugin.h) into the registry, before a verb runs. */
#ifndef ASSAY_PLUGINS_H
#define ASSAY_PLUGINS_H

#include <stddef.h>
#include "status.h"

struct plugin_file {
    char path[4096];                 /* absolute */
    char hash[33];                   /* a hash of the bytes of the file, which is the source hash of all its
                                        units */
    int algos, estimators, problems, papers;
};

enum { PLUGINS_MAX = 16 };

/* Loads one file, unless it was loaded before. A child process loads it first, so that an object that crashes,
 * hangs or ends the program is BAD_INPUT like any other mistake. */
enum status plugins_load(const char *file, struct why *why);

/* Return the number of loaded files, and file k in the order in which they were loaded. */
size_t plugins_count(void);
const struct plugin_file *plugins_at(size_t k);

#endif

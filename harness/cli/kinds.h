/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.h - the kinds of machine that made the records of a store, in words. */
#ifndef ASSAY_KINDS_H
#define ASSAY_KINDS_H

#include "store/store.h"

enum { KINDS_WORDS = 1200 };
/* words <- the kinds of machine in the store at a path, *n <- how many they are. Where there are several, each has
 * the count of its records. */
enum status kinds_of(const char *path, char words[KINDS_WORDS], size_t *n, struct why *why);

#endif

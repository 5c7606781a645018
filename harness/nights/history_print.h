/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history_print.h - the nights of a store as text. */
#ifndef ASSAY_HISTORY_PRINT_H
#define ASSAY_HISTORY_PRINT_H

#include <stdio.h>
#include "nights/history.h"

/* Every night with what was to be accepted since the one before, then times that stepped or drift. */
void history_print(FILE *out, const struct history *h, const struct standings *baseline,
                   const char *profile);

/* Steps and drifts of benchmarks. */
void history_print_kernels(FILE *out, const struct history *h);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_times.h - what kernels took, from the JSON that `make bench JSON=FILE` writes (Google Benchmark's own),
 * as standings of a profile of their own, so that a store keeps them night by night. */
#ifndef ASSAY_BENCH_TIMES_H
#define ASSAY_BENCH_TIMES_H

#include "nights/baseline.h"

#define BENCH_PROFILE "bench"

/* Adds a standing for each benchmark: claim is its name, seconds the median processor time of an iteration
 * over its repetitions, reference 1 second; where a case found times by itself (gbench.h), one for each of these
 * instead. Cases that failed are left out. BAD_INPUT names file, line and
 * what was expected, or says that nothing was timed; *list is to be freed then, too. */
enum status bench_times_read(const char *path, struct standings *list, struct why *why);
/* The same of n bytes; path stands in messages. */
enum status bench_times_parse(const char *text, size_t n, const char *path, struct standings *list,
                              struct why *why);

#endif

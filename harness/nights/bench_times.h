/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_times.h - times of kernels, from the CSV file that `make bench CSV=FILE` writes (gbench.h). Each time is
 * read as a line of the baseline's form (struct standing) in the profile "bench", so that a store can keep the
 * history of these times by night. */
#ifndef ASSAY_BENCH_TIMES_H
#define ASSAY_BENCH_TIMES_H

#include "nights/baseline.h"

#define BENCH_PROFILE "bench"

/* Adds a standing for each benchmark that has a time: `claim` is the name of the benchmark, `seconds` the median of
 * its repetitions, `reference` 1 second. BAD_INPUT names file, line and what was expected, or says that nothing was
 * timed; *list is to be freed in any case. */
enum status bench_times_read(const char *path, struct standings *list, struct why *why);

#endif

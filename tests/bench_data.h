/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_BENCH_DATA_H
#define ASSAY_TESTS_BENCH_DATA_H

/* Writes files to be read and registers the cases; bench_data_end removes them. */
void bench_data_begin(void);
void bench_data_end(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - which tests serve which items of a paper (docs/papers/): a table that is generated from the names of
 * the tests in tests/. */
#ifndef ASSAY_COVERAGE_H
#define ASSAY_COVERAGE_H

struct coverage { const char *paper, *item, *test; };
/* Ends with { 0, 0, 0 }. */
extern const struct coverage coverage[];

#endif

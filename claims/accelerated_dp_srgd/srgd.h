/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srgd.h - what the themes of accelerated_dp_srgd.c share. */
#ifndef ASSAY_PARTS_SRGD_H
#define ASSAY_PARTS_SRGD_H

#include <math.h>
#include "claim.h"

#define CITE "Choquette-Choo, Ganesh, Thakurta 2024, "

/* The binary tree has one level less at 2^k - 1 than at 2^k. */
static inline double one_less(double T, const struct facts *f) { return T - 1; }

#endif

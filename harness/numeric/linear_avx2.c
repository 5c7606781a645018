/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_avx2.c - the kernels of dense rows by vectors of four doubles: AVX2 and FMA. */
#define LANES 4
#define LEVEL linear_avx2

#include "numeric/linear_kernels.h"

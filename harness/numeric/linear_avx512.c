/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_avx512.c - the kernels of dense rows by vectors of eight doubles: AVX-512 F, DQ, VL. */
#define LANES 8
#define LEVEL linear_avx512

#include "numeric/linear_kernels.h"

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_avx2.c - the kernels of four doubles: AVX2. */
#define LANES 4
#define LEVEL lanes_avx2

#include "numeric/lanes_kernels.h"

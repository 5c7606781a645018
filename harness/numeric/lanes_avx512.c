/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_avx512.c - the kernels of eight doubles: AVX-512 F, DQ, VL. */
#define LANES 8
#define LEVEL lanes_avx512

#include "numeric/lanes_kernels.h"

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_portable.c - the kernels of two doubles, for every processor. */
#define LANES 2
#define LEVEL lanes_portable

#include "numeric/lanes_kernels.h"

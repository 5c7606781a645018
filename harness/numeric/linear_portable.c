/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_portable.c - the kernels of dense rows by vectors of two doubles, for every processor. */
#define LANES 2
#define LEVEL linear_portable

#include "numeric/linear_kernels.h"

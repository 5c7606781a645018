/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque.h - what the themes of resque.c share. */
#ifndef ASSAY_PARTS_RESQUE_H
#define ASSAY_PARTS_RESQUE_H

#include <math.h>
#include "claim.h"

#define CITE "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, "

#endif

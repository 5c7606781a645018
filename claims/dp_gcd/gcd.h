/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcd.h - what the claims about DP-GCD share. */
#ifndef ASSAY_PARTS_GCD_H
#define ASSAY_PARTS_GCD_H

#include <math.h>
#include "claim.h"

#define CITE "Mangold, Bellet, Salmon, Tommasi (AISTATS 2023), "

/* Of a claim that stands beside one whose control was missed. */
#define AGAIN "Declared after a first run of the claim whose own control was missed there: the runs " \
              "judged are the same, the control is another."

#endif

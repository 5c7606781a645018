/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcd.h - what the claims about DP-GCD share. */
#ifndef ASSAY_PARTS_GCD_H
#define ASSAY_PARTS_GCD_H

#include <math.h>
#include "claim.h"

#define CITE "Mangold, Bellet, Salmon, Tommasi (AISTATS 2023), "

/* Said of each claim whose control is not the first one: a verdict rests on what can be looked up. */
#define ANOTHER_CONTROL(why_not) "The control replaces one that was missed in a first run: " why_not "."

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skeletons.h - the files that `assay new` writes, compiled in from this folder. @NAME@ stands for the name as
 * typed, @SYMBOL@ for the name with _ in place of -. */
#ifndef ASSAY_NEW_SKELETONS_H
#define ASSAY_NEW_SKELETONS_H

#include "text/templates.h"

/* The list of files; ends with { 0, 0 }. */
extern const struct template skeletons[];

#endif

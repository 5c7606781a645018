/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skeletons.h - the files of this folder, compiled in: what `assay new` writes. @NAME@ and
 * @SYMBOL@ stand for the name, as typed and with _ for -. */
#ifndef ASSAY_NEW_SKELETONS_H
#define ASSAY_NEW_SKELETONS_H

#include "text/templates.h"

/* Ends with { 0, 0 }. */
extern const struct template skeletons[];

#endif

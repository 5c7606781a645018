/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - style sheet and script of the report's page, the other files here, compiled in. */
#ifndef ASSAY_PAGE_PARTS_H
#define ASSAY_PAGE_PARTS_H

#include "text/templates.h"

/* By file name. Ends with { 0, 0 }. */
extern const struct template page_parts[];

#endif

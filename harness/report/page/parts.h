/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - the style sheet and the script of the report's pages (report.css, report.js), and the glossary of
 * CONVENTIONS.md, compiled in. */
#ifndef ASSAY_PAGE_PARTS_H
#define ASSAY_PAGE_PARTS_H

#include "text/templates.h"

/* The name is that of the file. Ends with { 0, 0 }. */
extern const struct template page_parts[];
/* The name is the word that is explained, or several with commas between. Ends with { 0, 0 }. */
extern const struct template page_glossary[];

#endif

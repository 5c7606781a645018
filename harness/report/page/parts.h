/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - the style sheet and the script of the report's pages (report.css, report.js), and the glossary of
 * CONVENTIONS.md, compiled in. */
#ifndef ASSAY_PAGE_PARTS_H
#define ASSAY_PAGE_PARTS_H

#include "text/templates.h"

/* The files of the pages; the name is that of the file. Ends with { 0, 0 }. */
extern const struct template page_parts[];
/* The glossary; the name is the word that is explained, or several words with commas between them. Ends with { 0, 0
 * }. */
extern const struct template page_glossary[];

#endif

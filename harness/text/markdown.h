/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - text within Markdown. */
#ifndef ASSAY_MARKDOWN_H
#define ASSAY_MARKDOWN_H

#include <stdio.h>

/* Words as they are: * _ < | $ and the like, which mean something there, are escaped. NULL is "". */
void markdown_text(FILE *out, const char *text);
/* Between backticks; what would end them, or a table's field, is replaced. */
void markdown_code(FILE *out, const char *text);

#endif

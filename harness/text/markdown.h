/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - writes text into a Markdown page. */
#ifndef ASSAY_MARKDOWN_H
#define ASSAY_MARKDOWN_H

#include <stdio.h>

/* Prints plain text: * _ < | $ and other characters with a meaning in Markdown are escaped. NULL prints nothing. */
void markdown_text(FILE *out, const char *text);
/* Prints code between backticks. A backtick in the code becomes ', and a |, which would end the field of a table,
 * becomes /. */
void markdown_code(FILE *out, const char *text);
/* Prints as markup_print does, but into Markdown: %s is plain text, %-s is code. */
__attribute__((format(printf, 2, 3)))
void markdown_print(FILE *out, const char *format, ...);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.h - writes text into an HTML or XML page. The output is well-formed for any bytes: <>&"' become entities,
 * a byte that is not UTF-8 becomes the character of Latin-1, and a character that XML does not allow becomes
 * U+FFFD. The caller checks ferror. NULL prints nothing. */
#ifndef ASSAY_MARKUP_H
#define ASSAY_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Text between tags, or in an attribute between double quotes. */
void markup_text(FILE *out, const char *text);

/* Text between tags, where `code` between backticks becomes an element <code>. */
void markup_prose(FILE *out, const char *text);

/* A formula in the plain text of claims, between tags. In n^-0.5, n^(1/2), q_T, q_(T-1), x_{t+1} the text behind ^
 * and _ becomes a superscript or subscript; <= >= +- and minus signs become characters of their own. Nothing else
 * changes: without its tags the output is the plain text less ^, _ and the parentheses of their groups. */
void markup_math(FILE *out, const char *text);

/* n bytes of text with its entities, from a page that another program wrote. Bytes that are not well-formed are
 * corrected, and > becomes an entity. */
void markup_copy(FILE *out, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.h - data as text of an HTML or XML page. Whatever bytes go in, what comes out is
 * well-formed: <>&"' as entities, a byte that is no UTF-8 as the character of Latin-1, a character
 * XML has no place for as U+FFFD. The caller asks ferror. NULL prints nothing. */
#ifndef ASSAY_MARKUP_H
#define ASSAY_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Between tags, or between double quotes in an attribute. */
void markup_text(FILE *out, const char *text);

/* `code` between backticks becomes an element. */
void markup_prose(FILE *out, const char *text);

/* A formula of the claims' plain text, between tags: what follows ^ or _ in n^-0.5, n^(1/2), q_T,
 * q_(T-1), x_{t+1} raised or lowered; <= >= +- and minus signs as characters of their own. Nothing
 * else changes: without tags it reads as the plain text does, but for ^ _ and their parentheses. */
void markup_math(FILE *out, const char *text);

/* Text with its entities, from a page that another program wrote: its bytes are put right, and a >
 * that stands there as it is. */
void markup_copy(FILE *out, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.h - writes text into an HTML or XML page. The output is well-formed for any bytes: <>&"' become entities,
 * a byte that is not UTF-8 becomes the character of Latin-1, and a control character or another one that XML does
 * not allow becomes U+FFFD. The caller checks ferror. NULL prints nothing. */
#ifndef ASSAY_MARKUP_H
#define ASSAY_MARKUP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Prints text that stands between tags, or in an attribute between double quotes. */
void markup_text(FILE *out, const char *text);

/* Prints text between tags, where `code` between backticks becomes an element <code>. */
void markup_prose(FILE *out, const char *text);

/* Prints a formula in the plain text of claims, between tags. In n^-0.5, n^(1/2), q_T, q_(T-1), x_{t+1} the text
 * behind ^ and _ becomes a superscript or subscript. Each of <= >= +- and each minus sign becomes one character.
 * Nothing else changes: without its tags the output is the plain text less ^, _ and the parentheses of their
 * groups. */
void markup_math(FILE *out, const char *text);

/* Prints as fprintf does, but what %s prints is escaped as by markup_text, and what %-s prints is a formula as by
 * markup_math; the format itself is written as it is. Conversions: %% %d %ld %e %f %g %s, with a width or a
 * precision in digits. */
__attribute__((format(printf, 2, 3)))
void markup_print(FILE *out, const char *format, ...);

/* markup_print for other kinds of pages: `text` prints what %s is given, `other` what %-s is given. */
typedef void markup_put(FILE *out, const char *text);
__attribute__((format(printf, 4, 0)))
void markup_format(FILE *out, markup_put *text, markup_put *other, const char *format, va_list list);

#endif

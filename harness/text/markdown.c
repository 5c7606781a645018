/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.c - writes text into a Markdown page. */
#include "text/markdown.h"

#include <string.h>

#include "text/markup.h"

void markdown_text(FILE *out, const char *text)
{
    for (; text && *text; text++) {
        if (strchr("\\`*_{}[]<>#|~$&", *text))
            putc('\\', out);
        putc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
}

void markdown_code(FILE *out, const char *text)
{
    putc('`', out);
    for (; *text; text++) {
        char c = *text == '`' ? '\'' : *text == '|' ? '/' : *text;
        putc((unsigned char)c < 32 ? ' ' : c, out);
    }
    putc('`', out);
}

void markdown_print(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    markup_format(out, markdown_text, markdown_code, format, list);
    va_end(list);
}

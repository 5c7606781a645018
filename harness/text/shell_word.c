/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_word.c - writes a word into a command line for a shell. */
#include "text/shell_word.h"

void shell_word_print(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    putc('\'', out);
}

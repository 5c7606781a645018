/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_word.h - writes a word into a command line for a shell. */
#ifndef ASSAY_SHELL_WORD_H
#define ASSAY_SHELL_WORD_H

#include <stdio.h>

/* Prints any text in quotes, so that a shell reads it as one word. */
void shell_word_print(FILE *out, const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict_words.c - verdicts by name, and what each means. */
#include "judge/verdict.h"

const char *verdict_word(enum word w)
{
    static const char *const name[] = {
#define X(word, meaning) #word,
        WORDS_LIST(X)
#undef X
    };
    return name[w];
}

const char *verdict_meaning(enum word w)
{
    static const char *const text[] = {
#define X(word, meaning) meaning,
        WORDS_LIST(X)
#undef X
    };
    return text[w];
}

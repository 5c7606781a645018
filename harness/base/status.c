/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.c - the texts of refusals and bugs. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *status_text(enum status s)
{
    static const char *const text[] = {
#define X(id, words) [id] = words,
        STATUS_LIST(X)
#undef X
    };
    return text[s];
}

enum status why_set(struct why *why, enum status s, const char *format, ...)
{
    if (why) {
        va_list ap;
        va_start(ap, format);
        vsnprintf(why->text, sizeof why->text, format, ap);
        va_end(ap);
    }
    return s;
}

_Noreturn void bug_report(const char *file, int line, const char *condition)
{
    fprintf(stderr, "assay: bug at %s:%d: %s\n", file, line, condition);
    abort();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memstream.h - the end of a text that was written with open_memstream. */
#ifndef ASSAY_MEMSTREAM_H
#define ASSAY_MEMSTREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

/* Closes a stream of open_memstream, whose text is *text. It is a bug if memory did not suffice: the text is then cut
 * off, or NULL. */
static inline void memstream_close(FILE *f, char *const *text)
{
    bool cut = fflush(f) || ferror(f);
    BUG_IF(fclose(f) || cut || !*text);
}

#endif

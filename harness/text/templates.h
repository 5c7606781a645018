/* SPDX-License-Identifier: GPL-3.0-or-later */
/* templates.h - the gnuplot templates of plots/, compiled in, so that an installed program needs no folder. */
#ifndef ASSAY_TEMPLATES_H
#define ASSAY_TEMPLATES_H

#include <string.h>
#include "status.h"

struct template { const char *name, *text; };
/* Returns the text of the template of this name, which must be in the list; the list ends with { 0, 0 }. */
static inline const char *template_text(const struct template *list, const char *name)
{
    while (list->name && strcmp(list->name, name))
        list++;
    BUG_IF(!list->name);
    return list->text;
}

/* All templates; the list ends with { 0, 0 }. */
extern const struct template templates[];

#endif

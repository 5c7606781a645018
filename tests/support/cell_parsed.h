/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell_parsed.h - for tests: makes a cell from a text that must be well formed. Include cmocka.h before. */
#ifndef ASSAY_TESTS_CELL_PARSED_H
#define ASSAY_TESTS_CELL_PARSED_H

#include "cell/cell.h"

static inline struct cell *parsed(const char *text)
{
    struct cell *c;
    struct why why = { "" };
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s: %s", text, why.text);
    return c;
}

static inline const char *word_of(const struct cell *c)
{
    return bag_find(cell_settings(c), "problem.data")->text;
}

#endif

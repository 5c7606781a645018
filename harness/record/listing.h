/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.h - a table of rows as text, CSV or JSON, written as they come; the name first. */
#ifndef ASSAY_LISTING_H
#define ASSAY_LISTING_H

#include "record/record.h"

enum { LISTING_COLUMNS = 9 };

struct listing {
    enum record_format format;
    int columns, rows;
    const char *header[LISTING_COLUMNS];
    int width[LISTING_COLUMNS];      /* text is padded to these */
};

void listing_row(struct listing *l, const char *const *cell);
void listing_end(const struct listing *l);

#endif

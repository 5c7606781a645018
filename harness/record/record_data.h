/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_data.h - the numbers of a record as one blob: how the store keeps them.
 *
 *     uint32 values, uint32 columns, uint64 rows
 *     double value[values], trace[rows * columns]      the trace by rows
 *     names of the values, in their order by name, then of the columns, each ended by a zero byte
 *
 * All little-endian, nothing between the parts. Apart from record.h, whose words are part of what every
 * fingerprint is made of. */
#ifndef ASSAY_RECORD_DATA_H
#define ASSAY_RECORD_DATA_H

#include "record/record.h"
#include "record/record_names.h"

/* (*bytes)[*n] <- values and trace, in memory grown to *room; free() it. All NaN of values become one.
 * false: no memory. */
bool record_data(const struct record *r, unsigned char **bytes, size_t *room, size_t *n);
/* Replaces values and trace by those of data, with the names of a block of kept where that has them. false: this
 * is no data of a record or, told by out_of_memory, no memory; then there are none. */
bool record_take_data(struct record *r, const void *bytes, size_t n, struct record_names_kept *kept);
/* Makes it an OK record of another cell, without values; its memory serves again. Fingerprint as of
 * record_new. false: no memory. */
bool record_reuse(struct record *r, const char *cell, const char *fingerprint);

#endif

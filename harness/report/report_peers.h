/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_peers.h - what the report says of other programs that did the same work. Shared by the formats. */
#ifndef ASSAY_REPORT_PEERS_H
#define ASSAY_REPORT_PEERS_H

#include "report/report.h"
#include "report/report_words.h"

enum { PEER_COLUMNS = 6 };
extern const char *const report_peers_title;
extern const char *const report_peers_heading[PEER_COLUMNS];
extern const char *const report_peers_sentence;

/* Is there anything to be said, be it that the file is damaged? */
bool report_peers_any(const struct report_input *in);
/* The cells of a row: the work, this program, the other one, ratio, what was found equal, when and where. */
void report_peers_row(const struct peer *p, struct phrase cell[PEER_COLUMNS]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_audit.h - what an audit says, on stdout in the format asked for. Both return the exit code
 * that follows: contradicted if more is shown or booked than promised, incomplete if no proof keeps
 * the promise. */
#ifndef ASSAY_VERB_AUDIT_H
#define ASSAY_VERB_AUDIT_H

#include "run/audit.h"
#include "cli/cli.h"

/* Of n replays: record[k] of cell[k]. */
int audit_print_replays(const struct options *o, struct cell *const *cell,
                        struct record *const *record, int n);
/* Of an attack on c: a of the releases, answer of x alone, one of a single run; r has them too. */
int audit_print(const struct options *o, const struct cell *c, struct record *r,
                const struct audit *a, const struct audit *answer, const struct audit_one *one);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_audit.h - prints the results of an audit on stdout. Both functions return the exit code: contradicted
 * if an attack or the booked noise shows more than the promise, incomplete if no accountant proves the promise. */
#ifndef ASSAY_VERB_AUDIT_H
#define ASSAY_VERB_AUDIT_H

#include "run/audit.h"
#include "cli/cli.h"

/* The results of n replays; record[k] is of cell[k]. */
int audit_print_replays(const struct options *o, struct cell *const *cell,
                        struct record *const *record, int n);
/* The results of an attack on c: a from the releases, answer from x alone, one from a single run with canaries; r has
 * them as values too. */
int audit_print(const struct options *o, const struct cell *c, struct record *r,
                const struct audit *a, const struct audit *answer, const struct audit_one *one);

#endif

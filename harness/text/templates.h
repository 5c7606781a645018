/* SPDX-License-Identifier: GPL-3.0-or-later */
/* templates.h - the gnuplot templates of plots/, compiled in, so that an installed program needs no folder. */
#ifndef ASSAY_TEMPLATES_H
#define ASSAY_TEMPLATES_H

struct template { const char *name, *text; };
/* Ends with { 0, 0 }. */
extern const struct template templates[];

#endif

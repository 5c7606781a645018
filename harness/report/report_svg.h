/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_svg.h - a drawing of gnuplot as a part of a page. */
#ifndef ASSAY_REPORT_SVG_H
#define ASSAY_REPORT_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Copies the drawing in the file `path` into a page: with `label` as its alternative text, ids that
 * start with `prefix`, colours as #rrggbb, which the page's style sheet replaces, no fonts of its own, and without
 * the empty groups and titles that gnuplot writes. false: there is no file, or its drawing is cut off within a tag;
 * then nothing is printed. */
bool report_svg(FILE *out, const char *path, const char *label, const char *prefix);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h - the sources, compiler and flags of this build, as the Makefile writes them. */
#ifndef ASSAY_PROVENANCE_H
#define ASSAY_PROVENANCE_H

extern const char provenance_version[], provenance_commit[], provenance_dirty[],
                  provenance_compiler[], provenance_flags[];

#endif

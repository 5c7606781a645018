/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.h - the option --arch: makes processors of different types compute as one kind of machine (kind.h). */
#ifndef ASSAY_ARCH_H
#define ASSAY_ARCH_H

#include "numeric/lanes.h"
#include "status.h"

/* Sets the level of the kernels, the BLAS core, and which variants of exp, log and pow the C library uses. BLAS
 * core and variants are chosen when a program starts; so the program starts itself once more with this command
 * line, unless the environment has these settings already. BAD_INPUT: this machine lacks the level. IO_ERROR: the
 * program cannot start itself. */
enum status arch_use(enum lanes_level level, char **argv, struct why *why);

#endif

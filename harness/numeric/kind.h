/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind.h - what decides the last bits of a run beside its sources: the level of the kernels (lanes.h), the BLAS
 * core, the libraries. Machines that agree in all three are of one kind, and give equal bits.
 *
 * Kernels whose sums differ by level, and BLAS, set a flag when they are called. A run that set neither gives the
 * same bits at every level and with every BLAS. Nothing tells whether a run calls the C library's exp, log or pow,
 * so the libraries count for every run. */
#ifndef ASSAY_KIND_H
#define ASSAY_KIND_H

#include <stdbool.h>

struct machine_kind {
    char level[12];                  /* portable, avx2, avx512 */
    char blas[64];                   /* core and version: SkylakeX 0.3.21 */
    char library[96];                /* glibc 2.36 fma, GSL 2.7.1: fma is the form of its elementary functions */
};
/* The kind of this process. */
struct machine_kind kind_now(void);
/* blas <- core and version, of what OpenBLAS says of its build. */
void kind_blas(char blas[64], const char *core, const char *build);

enum { KIND_TEXT = 200 };
/* text <- the kind in words; an empty part is "unknown". */
const char *kind_text(const struct machine_kind *k, char text[KIND_TEXT]);

/* --- what a run has used */

enum uses { USES_LEVEL = 1, USES_BLAS = 2, USES_ALL = USES_LEVEL | USES_BLAS };
/* The flags that were set in this process; bytes, since code of linear_dense.h and blas.c sets them. */
extern unsigned char uses_level, uses_blas;
/* The flags, which are cleared. */
unsigned uses_take(void);
/* Sets these flags too. */
void uses_add(unsigned uses);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind.h - the kind of machine: what decides the last bits of a run beside its sources, that is, the level of the
 * kernels (lanes.h), the BLAS core and the libraries. Machines that agree in all three are of one kind, and give
 * equal bits.
 *
 * BLAS, and those kernels whose sums differ by level, set a flag when they are called. A run that set no flag gives
 * the same bits at every level and with every BLAS. Nothing records whether a run calls the C library's exp, log or
 * pow, so the libraries count for every run. */
#ifndef ASSAY_KIND_H
#define ASSAY_KIND_H

#include <stdbool.h>

struct machine_kind {
    char level[12];                  /* portable, avx2, avx512 */
    char blas[64];                   /* core and version: SkylakeX 0.3.21 */
    char library[96];                /* glibc 2.36 fma, GSL 2.7.1. fma: glibc computes elementary functions with
                                        fused multiply-adds on this processor */
};
/* Returns the kind of this process. */
struct machine_kind kind_now(void);
/* blas <- core and version, from the two texts that OpenBLAS gives about itself. */
void kind_blas(char blas[64], const char *core, const char *build);

/* Values of three environment variables for a level of instructions. A process that starts with them computes the same
 * bits on every processor that has this level.
 *   core       OPENBLAS_CORETYPE: OpenBLAS uses its kernels for the processor of this name
 *   tunables   GLIBC_TUNABLES: the processor features that exp, log and pow of glibc may not use
 *   numpy      NPY_DISABLE_CPU_FEATURES: the processor features that NumPy may not use; NULL at the level avx512
 * glibc and NumPy ignore names that they do not know. */
struct kind_pins { const char *core, *tunables, *numpy; };
/* Returns these values for a level of lanes.h. */
struct kind_pins kind_pins(int level);

enum { KIND_TEXT = 200 };
/* text <- the kind in words; an empty part is "unknown". */
const char *kind_text(const struct machine_kind *k, char text[KIND_TEXT]);

/* --- what a run has used: code of the machine's SIMD level, BLAS */

enum uses { USES_LEVEL = 1, USES_BLAS = 2, USES_ALL = USES_LEVEL | USES_BLAS };
/* uses_level not 0: since the last uses_take this process has run code that depends on the SIMD level. uses_blas
 * not 0: it has called BLAS. They are bytes, since assembly in blas.c and code of linear_dense.h set them. */
extern unsigned char uses_level, uses_blas;
/* Returns the flags that are set, and clears them. */
unsigned uses_take(void);
/* Sets these flags in addition to those that are set. */
void uses_add(unsigned uses);

#endif

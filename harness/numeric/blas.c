/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c - notes that a run has called BLAS, whoever calls it: vec.c, a routine of GSL, a plug-in.
 *
 * The program defines these functions before the library does, so that all calls come here. Each sets uses_blas and
 * jumps to the library's function of that name; arguments and result stay where they are. Listed are the functions
 * of doubles that compute sums: their bits differ between cores. dcopy, dswap, dscal and idamax do not round
 * differently. */
#include <dlfcn.h>

#include "numeric/kind.h"
#include "status.h"

#define BLAS_LIST(X) \
    X(dasum) X(daxpy) X(ddot) X(dgbmv) X(dgemm) X(dgemv) X(dger) X(dnrm2) X(drot) X(drotg) X(drotm) X(drotmg) \
    X(dsbmv) X(dsdot) X(dspmv) X(dspr) X(dspr2) X(dsymm) X(dsymv) X(dsyr) X(dsyr2) X(dsyr2k) X(dsyrk) X(dtbmv) \
    X(dtbsv) X(dtpmv) X(dtpsv) X(dtrmm) X(dtrmv) X(dtrsm) X(dtrsv)

#if defined __x86_64__
#define NOTE_AND_JUMP(name)                                                                              \
    "    endbr64\n"                                                                                      \
    "    movb $1, uses_blas(%rip)\n"                                                                     \
    "    jmp *blas_" name "(%rip)\n"
#elif defined __aarch64__
#define NOTE_AND_JUMP(name)                                                                              \
    "    hint #34\n"                                                                                     \
    "    adrp x16, uses_blas\n"                                                                          \
    "    mov w17, #1\n"                                                                                  \
    "    strb w17, [x16, :lo12:uses_blas]\n"                                                             \
    "    adrp x16, blas_" name "\n"                                                                      \
    "    ldr x16, [x16, :lo12:blas_" name "]\n"                                                          \
    "    br x16\n"
#else
#error "blas.c: this processor needs a jump of its own"
#endif

#define X(name)                                                                                          \
    extern void *blas_##name __attribute__((visibility("hidden")));                                      \
    void *blas_##name;                                                                                   \
    __asm__(".pushsection .text\n"                                                                       \
            ".globl cblas_" #name "\n"                                                                   \
            ".type cblas_" #name ", @function\n"                                                         \
            "cblas_" #name ":\n"                                                                         \
            NOTE_AND_JUMP(#name)                                                                         \
            ".size cblas_" #name ", . - cblas_" #name "\n"                                               \
            ".popsection");
BLAS_LIST(X)
#undef X

__attribute__((constructor)) static void find_functions(void)
{
#define X(name) BUG_IF(!(blas_##name = dlsym(RTLD_NEXT, "cblas_" #name)));
    BLAS_LIST(X)
#undef X
}

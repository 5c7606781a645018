/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind.c - the kind of machine of this process. */
#include "numeric/kind.h"

#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <sys/platform/x86.h>
#endif

#include "numeric/lanes.h"
#include "vec.h"

unsigned char uses_level, uses_blas;

unsigned uses_take(void)
{
    unsigned uses = (uses_level ? USES_LEVEL : 0) | (uses_blas ? USES_BLAS : 0);
    uses_level = uses_blas = 0;
    return uses;
}

void uses_add(unsigned uses)
{
    uses_level |= (uses & USES_LEVEL) != 0;
    uses_blas |= (uses & USES_BLAS) != 0;
}

#define WIDE "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
struct kind_pins kind_pins(int level)
{
    static const struct kind_pins of[LANES_COUNT] = {
        [LANES_portable] = { "Nehalem", "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F", "AVX F16C FMA3 AVX2 " WIDE },
        [LANES_avx2] = { "Haswell", "glibc.cpu.hwcaps=-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ", WIDE },
        [LANES_avx512] = { "SkylakeX", "glibc.cpu.hwcaps=-FMA4", NULL },
    };
    return of[level];
}

/* Returns the form that glibc chooses for exp, log, pow, sin, cos. On x86-64 it follows glibc's rules
 * (sysdeps/x86_64/fpu/multiarch), by the features that GLIBC_TUNABLES leaves active; on other processors each
 * function has one form. */
static const char *elementary(void)
{
#ifndef __x86_64__
    return "by itself";
#else
    return CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(AVX2) ? "fma"
         : CPU_FEATURE_ACTIVE(FMA4) ? "fma4" : CPU_FEATURE_ACTIVE(AVX) ? "avx" : "sse2";
#endif
}

void kind_blas(char blas[64], const char *core, const char *build)
{
    char version[32] = "";
    sscanf(build, "%*s %31s", version);
    snprintf(blas, 64, "%.30s %s", core, version);
}

/* It is called for every record that is stored. Only the level can change while a process runs (lanes_use), so the
 * other two texts are made once. */
struct machine_kind kind_now(void)
{
    static struct machine_kind k;
    if (!*k.library) {
        kind_blas(k.blas, vec_blas_core(), vec_blas_build());
        snprintf(k.library, sizeof k.library, "glibc %.20s %s, GSL %.20s", gnu_get_libc_version(), elementary(),
                 gsl_version);
    }
    snprintf(k.level, sizeof k.level, "%s", lanes_name());
    return k;
}

const char *kind_text(const struct machine_kind *k, char text[KIND_TEXT])
{
    static const char unknown[] = "unknown";
    snprintf(text, KIND_TEXT, "level %s, BLAS %s, %s", *k->level ? k->level : unknown,
             *k->blas ? k->blas : unknown, *k->library ? k->library : "libraries unknown");
    return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.c - the option --arch: makes processors of different types compute as one kind of machine. */
#include "cli/arch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numeric/lanes.h"

/* What is set for each level: the BLAS core, and the processor features that glibc may not use for exp, log and
 * pow. Later versions of glibc ignore names that they do not know. */
static const struct { const char *core, *tunables; } of_level[LANES_COUNT] = {
    [LANES_portable] = { "Nehalem", "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F" },
    [LANES_avx2] = { "Haswell", "glibc.cpu.hwcaps=-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ" },
    [LANES_avx512] = { "SkylakeX", "glibc.cpu.hwcaps=-FMA4" },
};

static bool is_set(const char *name, const char *value)
{
    const char *now = getenv(name);
    return now && strcmp(now, value) == 0;
}

enum status arch_use(enum lanes_level level, char **argv, struct why *why)
{
    static const char *const names[] = { "portable", "avx2", "avx512" };
    const char *core = of_level[level].core, *tunables = of_level[level].tunables;
    if (lanes_use(level, NULL) != OK)
        return why_set(why, BAD_INPUT, "--arch %s: this machine has no %s", names[level], names[level]);
    if (is_set("ASSAY_SIMD", names[level]) && is_set("OPENBLAS_CORETYPE", core) &&
        is_set("GLIBC_TUNABLES", tunables))
        return OK;
    BUG_IF(setenv("ASSAY_SIMD", names[level], 1) || setenv("OPENBLAS_CORETYPE", core, 1) ||
           setenv("GLIBC_TUNABLES", tunables, 1));
    execv("/proc/self/exe", argv);
    return why_set(why, IO_ERROR, "--arch %s: the program cannot start itself: %s", names[level], strerror(errno));
}

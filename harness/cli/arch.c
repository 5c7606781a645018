/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arch.c - the option --arch: makes processors of different types compute as one kind of machine. */
#include "cli/arch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numeric/kind.h"
#include "numeric/lanes.h"

static bool is_set(const char *name, const char *value)
{
    const char *now = getenv(name);
    return now && strcmp(now, value) == 0;
}

enum status arch_use(enum lanes_level level, char **argv, struct why *why)
{
    static const char *const names[] = { "portable", "avx2", "avx512" };
    struct kind_pins pins = kind_pins((int)level);
    if (lanes_use(level, NULL) != OK)
        return why_set(why, BAD_INPUT, "--arch %s: this machine has no %s", names[level], names[level]);
    if (is_set("ASSAY_SIMD", names[level]) && is_set("OPENBLAS_CORETYPE", pins.core) &&
        is_set("GLIBC_TUNABLES", pins.tunables))
        return OK;
    BUG_IF(setenv("ASSAY_SIMD", names[level], 1) || setenv("OPENBLAS_CORETYPE", pins.core, 1) ||
           setenv("GLIBC_TUNABLES", pins.tunables, 1));
    execv("/proc/self/exe", argv);
    return why_set(why, IO_ERROR, "--arch %s: the program cannot start itself: %s", names[level], strerror(errno));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.c - the choice of an instruction set: by the features of the machine, by ASSAY_SIMD, or by a test. */
#include "numeric/lanes.h"

#include <stdlib.h>
#include <string.h>

/* Other processors than x86-64 have the portable kernels only. */
#ifdef __x86_64__
#define KERNELS(name) &lanes_##name
#else
#define KERNELS(name) (LANES_##name == LANES_portable ? &lanes_portable : NULL)
#endif

static const struct {
    const char *name;
    const struct lanes *kernels;
} levels[LANES_COUNT] = {
#define X(name) [LANES_##name] = { #name, KERNELS(name) },
    LANES_LIST(X)
#undef X
};

/* Atomic without a lock: threads that make the first call at the same time store the same value. */
_Atomic int lanes_level_set;

static bool available(enum lanes_level level)
{
    if (!levels[level].kernels)
        return false;
#ifdef __x86_64__
    __builtin_cpu_init();
    switch (level) {
    case LANES_avx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    case LANES_avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    default: break;
    }
#endif
    return true;
}

enum status lanes_use(enum lanes_level level, struct why *why)
{
    if (!available(level))
        return why_set(why, REFUSED, "this machine has no %s", levels[level].name);
    lanes_level_set = (int)level + 1;
    return OK;
}

enum status lanes_from_environment(struct why *why)
{
    const char *wanted = getenv("ASSAY_SIMD");
    int level = LANES_COUNT - 1;
    if (!wanted || !*wanted) {
        while (!available((enum lanes_level)level))
            level--;
        return lanes_use((enum lanes_level)level, why);
    }
    while (level >= 0 && strcmp(levels[level].name, wanted) != 0)
        level--;
    if (level < 0)
        return why_set(why, BAD_INPUT, "ASSAY_SIMD=%.40s: expected portable, avx2 or avx512",
                       wanted);
    if (lanes_use((enum lanes_level)level, NULL) != OK)
        return why_set(why, BAD_INPUT, "ASSAY_SIMD=%.40s: this machine has no %s", wanted, wanted);
    return OK;
}

int lanes_level_first(void)
{
    struct why why;
    BUG_IF(lanes_from_environment(&why) != OK);
    return lanes_level_set - 1;
}

const struct lanes *lanes_now(void) { return levels[lanes_level()].kernels; }

const char *lanes_name(void) { return levels[lanes_level()].name; }

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - a fuzz target is one function of bytes that must neither crash nor break an invariant. `make fuzz`
 * makes it the entry of libFuzzer; otherwise test_corpus calls it with every input of tests/corpus/. */
#ifndef ASSAY_TESTS_FUZZ_H
#define ASSAY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

#ifdef FUZZING
#define FUZZ_TARGET(name) LLVMFuzzerTestOneInput
#else
#define FUZZ_TARGET(name) fuzz_##name
#endif
/* Defines a fuzz target: FUZZ(name) { ... data, size ... return 0; }. */
#define FUZZ(name)                                               \
    int FUZZ_TARGET(name)(const uint8_t *data, size_t size);     \
    int FUZZ_TARGET(name)(const uint8_t *data, size_t size)

/* Returns the bytes as a string, cut at the first zero; free() it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    BUG_IF(!text);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}

#endif

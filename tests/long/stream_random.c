/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream_random.c - writes 32-bit words for dieharder to standard output until the reader closes it. `uniforms`
 * writes the upper bits of uniform vectors, `normals` the upper bits of the normal distribution function at normal
 * vectors. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "rng.h"

int main(int argc, char **argv)
{
    enum { PART = 4096 };
    static double v[PART];
    static uint32_t word[PART];
    struct rng r = rng_stream(7);
    int normals = argc == 2 && strcmp(argv[1], "normals") == 0;
    if (!normals && (argc != 2 || strcmp(argv[1], "uniforms") != 0)) {
        fprintf(stderr, "usage: stream_random uniforms | normals\n");
        return 2;
    }
    do {
        if (normals)
            rng_normals(&r, PART, 1, v);
        else
            rng_uniforms(&r, PART, v);
        for (int j = 0; j < PART; j++)
            word[j] = (uint32_t)(0x1p32 * (normals ? erfc(-v[j] * M_SQRT1_2) / 2 : v[j]));
    } while (fwrite(word, sizeof *word, PART, stdout) == PART);
    return 0;
}

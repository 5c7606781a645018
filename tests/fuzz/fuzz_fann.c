/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fann.c - bytes as a data file in the format FANN. */
#include "fuzz/fuzz_data.h"

FUZZ(fann)
{
    fuzz_table(data, size, "fann");
    return 0;
}

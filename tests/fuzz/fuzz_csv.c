/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_csv.c - bytes as a data file in the format CSV. */
#include "fuzz/fuzz_data.h"

FUZZ(csv)
{
    fuzz_table(data, size, "csv");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_libsvm.c - bytes as a data file in the format LIBSVM. */
#include "fuzz/fuzz_data.h"

FUZZ(libsvm)
{
    fuzz_table(data, size, "libsvm");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_import.c - bytes as a table of results, such as `import` reads. */
#include "fuzz/fuzz_files.h"
#include "fuzz/fuzz_reported.h"

FUZZ(import)
{
    struct reported r;
    struct why why = { "" };
    reported_begin(&r);
    fuzz_hold_reported(&r, reported_table(&r, fuzz_file(data, size), NULL, &why), &why);
    reported_free(&r);
    return 0;
}

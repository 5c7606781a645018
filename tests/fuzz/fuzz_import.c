/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_import.c - bytes as a table of results, such as `import` reads. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz_reported.h"

FUZZ(import)
{
    char path[64];
    struct reported r;
    struct why why = { "" };
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    BUG_IF(fd < 0 || write(fd, data, size) != (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    reported_begin(&r);
    fuzz_hold_reported(&r, reported_table(&r, path, NULL, &why), &why);
    reported_free(&r);
    close(fd);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_files.h - files and a folder that a target keeps for all its inputs. Both are in memory, since to make a file
 * on a disk takes longer than to read it. */
#ifndef ASSAY_TESTS_FUZZ_FILES_H
#define ASSAY_TESTS_FUZZ_FILES_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

/* Returns the path of a file with these bytes, which is valid until the next call. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    BUG_IF(fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size);
    return path;
}

static char fuzz_folder_path[64];

static inline void fuzz_folder_remove(void)
{
    char line[96];
    snprintf(line, sizeof line, "rm -rf '%s'", fuzz_folder_path);
    (void)!system(line);
}

/* Returns the path of the target's folder, which is removed when the program ends. */
static inline const char *fuzz_folder(void)
{
    if (!fuzz_folder_path[0]) {
        snprintf(fuzz_folder_path, sizeof fuzz_folder_path, "%s/fuzz.XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        BUG_IF(!mkdtemp(fuzz_folder_path) || atexit(fuzz_folder_remove));
    }
    return fuzz_folder_path;
}

#endif

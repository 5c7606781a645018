/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c - makes folders. */
#include "text/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static enum status trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

enum { PATH = 4096 };

enum status folder_make(const char *path, struct why *why)
{
    char part[PATH];
    struct stat found;
    if (snprintf(part, sizeof part, "%s", path) >= PATH) {
        errno = ENAMETOOLONG;
        return trouble(path, why);
    }
    for (char *s = part + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        if (mkdir(part, 0777) && errno != EEXIST)
            return trouble(part, why);
        *s = '/';
    }
    if (mkdir(part, 0777) && errno != EEXIST)
        return trouble(part, why);
    errno = ENOTDIR;
    if (stat(part, &found) || !S_ISDIR(found.st_mode))
        return trouble(part, why);
    return OK;
}

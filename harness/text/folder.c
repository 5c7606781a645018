/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c - makes folders, and writes files whole or not at all. */
#include "text/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_trouble(const char *path, struct why *why)
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
        return file_trouble(path, why);
    }
    for (char *s = part + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        if (mkdir(part, 0777) && errno != EEXIST)
            return file_trouble(part, why);
        *s = '/';
    }
    if (mkdir(part, 0777) && errno != EEXIST)
        return file_trouble(part, why);
    errno = ENOTDIR;
    if (stat(part, &found) || !S_ISDIR(found.st_mode))
        return file_trouble(part, why);
    return OK;
}

enum status folder_above(const char *path, struct why *why)
{
    char folder[PATH];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return OK;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return folder_make(folder, NULL) == OK ? OK : file_trouble(path, why);
}

enum status file_write(const char *path, file_put *put, const void *ctx, struct why *why)
{
    char part[PATH + 8];
    snprintf(part, sizeof part, "%.4090s.new", path);
    errno = 0;
    FILE *out = fopen(part, "w");
    if (!out)
        return file_trouble(path, why);
    put(out, ctx);
    bool bad = ferror(out);
    if (!fclose(out) && !bad && !rename(part, path))
        return OK;
    enum status s = file_trouble(path, why);
    unlink(part);
    return s;
}

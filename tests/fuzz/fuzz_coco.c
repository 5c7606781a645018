/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_coco.c - bytes as a folder of results that COCO, a benchmark of optimisers, has written. The input is the
 * file f.info, a line "%%%", and the file f.dat. */
#include "fuzz/fuzz_files.h"
#include "fuzz/fuzz_reported.h"

static void write_part(const char *path, const char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    BUG_IF(!f || (size && fwrite(bytes, 1, size, f) != size) || fclose(f));
}

FUZZ(coco)
{
    static const char mark[] = "\n%%%\n";
    const char *folder = fuzz_folder();
    char info[80], dat[80];
    const char *cut = size ? memmem(data, size, mark, sizeof mark - 1) : NULL;
    const char *begin = (const char *)data, *end = begin + size;
    struct reported r;
    struct why why = { "" };
    snprintf(info, sizeof info, "%s/f.info", folder);
    snprintf(dat, sizeof dat, "%s/f.dat", folder);
    write_part(info, begin, cut ? (size_t)(cut + 1 - begin) : size);
    if (cut)
        write_part(dat, cut + sizeof mark - 1, (size_t)(end - cut) - (sizeof mark - 1));
    reported_begin(&r);
    fuzz_hold_reported(&r, reported_coco(&r, folder, &why), &why);
    reported_free(&r);
    unlink(info);
    unlink(dat);
    return 0;
}

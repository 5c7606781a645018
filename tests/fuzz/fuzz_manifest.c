/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_manifest.c - the manifest of a folder of data: it is refused in one line, or has sets whose names and files
 * satisfy data_sets.h. The input is the lines after the heading. */
#include "data/data_sets.h"
#include "fuzz/fuzz_files.h"

static void hold(const struct data_sets *all, const char *folder)
{
    for (int k = 0; k < all->count; k++) {
        const struct data_set *s = &all->set[k];
        BUG_IF(data_name_fault(s->name) || s->n < 0 || s->d < 0 || s->package);
        BUG_IF(data_sets_find(all, s->name) != s);
        BUG_IF(strncmp(s->file, folder, strlen(folder)) || strstr(s->file, "/../"));
    }
}

FUZZ(manifest)
{
    static const char header[] = "name\tfile\ttask\tn\td\tsha256\tlicence\tsource\n";
    const char *folder = fuzz_folder();
    char path[80];
    struct data_sets all = { .count = 0 };
    struct why why = { "" };
    BUG_IF(setenv("ASSAY_DATA", folder, 1));
    snprintf(path, sizeof path, "%s/manifest.tsv", folder);
    FILE *f = fopen(path, "wb");
    BUG_IF(!f || fputs(header, f) < 0 || (size && fwrite(data, 1, size, f) != size) || fclose(f));
    enum status s = data_manifest_read(&all, &why);
    BUG_IF((s == OK) != !why.text[0] || strchr(why.text, '\n'));
    if (s == OK)
        hold(&all, folder);
    data_sets_free(&all);
    unsetenv("ASSAY_DATA");
    return 0;
}

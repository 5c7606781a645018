/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_sets.c - sets by name, from the folder and from packages. */
#include "data/data_sets.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data_reader.h"
#include "base/params.h"

const char *data_folder(void)
{
    const char *folder = getenv("ASSAY_DATA");
    return folder && *folder ? folder : NULL;
}

const char *data_name_fault(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    if (strlen(name) >= sizeof ((struct data_set *)0)->name)
        return "expected at most 63 characters";
    return *name && strchr(first, *name) && name[strspn(name, more)] == 0
        ? NULL : "expected letters, digits and . _ + -, first a letter or digit";
}

void data_sets_free(struct data_sets *all)
{
    free(all->set);
    *all = (struct data_sets){ 0 };
}

const struct data_set *data_sets_find(const struct data_sets *all, const char *name)
{
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->set[k].name, name) == 0)
            return &all->set[k];
    return NULL;
}

struct data_set *data_sets_more(struct data_sets *all)
{
    if (all->count == all->capacity) {
        int capacity = 2 * all->capacity + 32;
        struct data_set *grown = realloc(all->set, (size_t)capacity * sizeof *grown);
        if (!grown)
            return NULL;
        all->set = grown;
        all->capacity = capacity;
    }
    struct data_set *s = &all->set[all->count++];
    *s = (struct data_set){ 0 };
    return s;
}

/* --- subfolders */

size_t data_stem(const char *file)
{
    static const char *const endings[] = { ".libsvm", ".csv", ".tsv", ".fann", ".data" };
    size_t n = strlen(file);
    if (*file == '.')
        return 0;
    if (n > 3 && strcmp(file + n - 3, ".gz") == 0)
        n -= 3;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t m = strlen(endings[k]);
        if (n > m && strncmp(file + n - m, endings[k], m) == 0)
            return n - m;
    }
    return 0;
}

/* file[] <- the data file of the subfolder: that of its own name, or its only one. */
static bool only_file(const char *folder, const char *name, char *file, size_t room)
{
    int files = 0;
    snprintf(file, room, "%s/%s", folder, name);
    DIR *dir = opendir(file);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = data_stem(e->d_name);
        bool own = n == strlen(name) && strncmp(e->d_name, name, n) == 0;
        if (n == 0)
            continue;
        if (own || files == 0)
            snprintf(file, room, "%s/%s/%s", folder, name, e->d_name);
        files++;
        if (own) {
            files = 1;
            break;
        }
    }
    if (dir)
        closedir(dir);
    return files == 1;
}

static enum status subfolders(struct data_sets *all, const char *folder, struct why *why)
{
    struct dirent **entry;
    enum status s = OK;
    int n = scandir(folder, &entry, NULL, alphasort);
    if (n < 0)
        return why_set(why, BAD_INPUT, "ASSAY_DATA=%s: expected a folder", path_shown(folder));
    for (int k = 0; k < n; k++) {
        const char *name = entry[k]->d_name;
        struct data_set found = { 0 };
        if (s == OK && !data_name_fault(name) && !data_sets_find(all, name) &&
            only_file(folder, name, found.file, sizeof found.file)) {
            struct data_set *more = data_sets_more(all);
            snprintf(found.name, sizeof found.name, "%.63s", name);
            if (more)
                *more = found;
            else
                s = why_set(why, NO_MEMORY, "data: not enough memory for the list of sets");
        }
        free(entry[k]);
    }
    free(entry);
    return s;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct data_set *)a)->name, ((const struct data_set *)b)->name);
}

enum status data_sets_all(struct data_sets *all, struct why *why)
{
    const char *folder = data_folder();
    *all = (struct data_sets){ 0 };
    if (folder) {
        TRY(data_manifest_read(all, why));
        TRY(subfolders(all, folder, why));
        if (all->count > 0)
            qsort(all->set, (size_t)all->count, sizeof *all->set, by_name);
    }
    return data_packaged(all, why);
}

/* --- one set */

static enum status unknown(const struct data_sets *all, const char *name, struct why *why)
{
    const char *near = NULL;
    int least = 3;
    for (int k = 0; k < all->count; k++) {
        int distance = word_distance(name, all->set[k].name);
        if (distance < least) {
            least = distance;
            near = all->set[k].name;
        }
    }
    return why_set(why, BAD_INPUT, "%s: no such file, nor a set of this name%s%s%s",
                   path_shown(name), near ? "; did you mean " : ": see `assay data list`",
                   near ? near : "",
                   near ? "?" : data_folder() ? "" : "; ASSAY_DATA names no folder");
}

enum status data_set_file(const char *name, char *path, struct why *why)
{
    struct data_sets all;
    enum status s = data_sets_all(&all, why);
    const struct data_set *set = s == OK ? data_sets_find(&all, name) : NULL;
    if (s == OK && !set)
        s = unknown(&all, name, why);
    else if (s == OK && access(set->file, R_OK) && set->package)
        s = why_set(why, BAD_INPUT, "%s: no file %s: expected the Debian package %s, with its "
                    "examples", name, set->file, set->package);
    else if (s == OK && access(set->file, R_OK))
        s = why_set(why, BAD_INPUT, "%s: no file %s: try `assay data get %s`", name,
                    path_shown(set->file), name);
    if (s == OK)
        snprintf(path, PATH_MAX, "%s", set->file);
    data_sets_free(&all);
    return s;
}

enum status data_set_missing(const char *name, char *missing, struct why *why)
{
    struct data_sets all;
    enum status s = data_sets_all(&all, why);
    const struct data_set *set = s == OK ? data_sets_find(&all, name) : NULL;
    *missing = '\0';
    if (s == OK && (!set || access(set->file, F_OK))) {
        int n = snprintf(missing, DATA_MISSING, "data: %.60s is not on this machine: ", name);
        char *where = missing + n;
        size_t room = DATA_MISSING - (size_t)n;
        if (!set)
            snprintf(where, room, "--data-dir, ASSAY_DATA");
        else if (set->package)
            snprintf(where, room, "Debian package %.60s", set->package);
        else
            snprintf(where, room, "`assay data get %.63s`", set->name);
    }
    data_sets_free(&all);
    return s;
}

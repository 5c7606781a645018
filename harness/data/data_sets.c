/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_sets.c - data sets by name: those of the manifest and the subfolders of ASSAY_DATA, and those of Debian's
 * packages. */
#include "data/data_sets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/params.h"
#include "data/data_reader.h"

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

/* Appends a set whose members are all zero, and returns it; NULL without memory. Pointers to sets are invalid
 * afterwards. */
static struct data_set *data_sets_more(struct data_sets *all)
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

/* --- manifest.tsv: a heading, then a line for each set, with fields separated by tabs */

static const char HEADER[] = "name\tfile\ttask\tn\td\tsha256\tlicence\tsource";
enum { FIELDS = 8 };

static void manifest_path(char *path, size_t room)
{
    snprintf(path, room, "%s/manifest.tsv", data_folder());
}

/* Is the file inside the folder? A manifest may name only such files, since `assay data get` writes them. */
static bool inside(const char *file)
{
    return *file && *file != '/' && strcmp(file, "..") && strncmp(file, "../", 3) &&
           !strstr(file, "/../");
}

static bool is_task(const char *task)
{
    return strcmp(task, "classification") == 0 || strcmp(task, "regression") == 0;
}

static bool is_sum(const char *sha256)
{
    return strlen(sha256) == 64 && sha256[strspn(sha256, "0123456789abcdef")] == 0;
}

/* *s <- a line of the manifest. */
static enum status manifest_line(struct reader *r, char *line, const struct data_sets *all,
                         struct data_set *s)
{
    char *field[FIELDS], *rest = line;
    double count[2];
    int n = 0;
    while (rest && n < FIELDS)
        field[n++] = strsep(&rest, "\t");
    if (rest || n < FIELDS)
        return reader_bad(r, "expected %d fields between tabs: %s", FIELDS, HEADER);
    struct quoted name = quoted(field[0], strlen(field[0]));
    if (data_name_fault(field[0]))
        return reader_bad(r, "name '%s': %s", name.text, data_name_fault(field[0]));
    if (data_sets_find(all, field[0]))
        return reader_bad(r, "'%s' a second time: expected one line for a set", name.text);
    if (!inside(field[1]) || snprintf(s->file, sizeof s->file, "%s/%s", data_folder(), field[1]) >=
                             (int)sizeof s->file)
        return reader_bad(r, "file '%s': expected a short path inside the folder",
                          quoted(field[1], strlen(field[1])).text);
    if (!is_task(field[2]))
        return reader_bad(r, "task '%s': expected classification or regression",
                          quoted(field[2], strlen(field[2])).text);
    for (int k = 0; k < 2; k++)
        if (!number_parse(field[3 + k], &count[k]) || count[k] < 1 || count[k] > INT_MAX)
            return reader_bad(r, "%s '%s': expected a whole number from 1", k ? "d" : "n",
                              quoted(field[3 + k], strlen(field[3 + k])).text);
    if (!is_sum(field[5]))
        return reader_bad(r, "sha256 '%s': expected 64 hexadecimal digits",
                          quoted(field[5], strlen(field[5])).text);
    snprintf(s->name, sizeof s->name, "%s", field[0]);
    snprintf(s->task, sizeof s->task, "%s", field[2]);
    s->n = (long)count[0];
    s->d = (long)count[1];
    snprintf(s->sha256, sizeof s->sha256, "%s", field[5]);
    snprintf(s->licence, sizeof s->licence, "%s", field[6]);
    snprintf(s->source, sizeof s->source, "%s", field[7]);
    return OK;
}

static enum status manifest_lines(struct reader *r, struct data_sets *all)
{
    char *line;
    size_t n;
    TRY(reader_line(r, &line, &n));
    if (!line || strcmp(line, HEADER))
        return reader_bad(r, "expected a first line of names between tabs: %s", HEADER);
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            return OK;
        struct data_set s = { 0 };
        if (n == 0)
            continue;
        TRY(manifest_line(r, line, all, &s));
        struct data_set *more = data_sets_more(all);
        if (!more)
            return reader_no_memory(r);
        *more = s;
    }
}

enum status data_manifest_read(struct data_sets *all, struct why *why)
{
    char path[PATH_MAX];
    struct reader r;
    manifest_path(path, sizeof path);
    if (access(path, F_OK))
        return OK;
    enum status s = reader_open(&r, path, path_shown(path), why);
    if (s == OK)
        s = manifest_lines(&r, all);
    reader_close(&r);
    return s;
}

/* Appends text to the manifest by a single write under a lock; if the write is incomplete, the file is cut to
 * its former length. The text begins with the heading, which is skipped unless the file is empty. Where the last
 * line of the file has no newline, that of the heading is written first. */
static enum status manifest_write(int file, const char *text, size_t n, const char *path, struct why *why)
{
    struct stat before;
    char last = '\n';
    if (flock(file, LOCK_EX) || fstat(file, &before) ||
        (before.st_size && pread(file, &last, 1, before.st_size - 1) < 0))
        return why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    size_t skip = before.st_size ? sizeof HEADER - (last != '\n') : 0;
    errno = ENOSPC;
    if (write(file, text + skip, n - skip) == (ssize_t)(n - skip) && fsync(file) == 0)
        return OK;
    why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    if (ftruncate(file, before.st_size))
        return why_set(why, IO_ERROR, "%s: its last line is damaged: %s", path_shown(path),
                       strerror(errno));
    return IO_ERROR;
}

enum status data_manifest_append(const struct data_set *s, struct why *why)
{
    char path[PATH_MAX], text[2200];
    const char *const texts[] = { s->file, s->licence, s->source };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (const char *c = texts[k]; *c; c++)
            if ((unsigned char)*c < ' ')
                return why_set(why, BAD_INPUT, "%s: '%s': expected no tab or other control "
                               "character", s->name, quoted(texts[k], strlen(texts[k])).text);
    manifest_path(path, sizeof path);
    int n = snprintf(text, sizeof text, "%s\n%s\t%s\t%s\t%ld\t%ld\t%s\t%s\t%s\n", HEADER, s->name,
                     s->file + strlen(data_folder()) + 1, s->task, s->n, s->d, s->sha256,
                     s->licence, s->source);
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return why_set(why, IO_ERROR, "%s: %s", path_shown(path), strerror(errno));
    enum status status = manifest_write(file, text, (size_t)n, path, why);
    close(file);
    return status;
}

/* --- the sets in subfolders of ASSAY_DATA */

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

/* file[] <- the data file in subfolder `name`: the only one with the subfolder's name, or the only one where none
 * has this name. Returns false where there is no such file. */
static bool only_file(const char *folder, const char *name, char *file, size_t room)
{
    int files = 0, owns = 0;
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
        owns += own;
    }
    if (dir)
        closedir(dir);
    return owns == 1 || (owns == 0 && files == 1);
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

/* --- the sets in Debian's packages
 *
 * The sets of libfann-doc with several outputs that are no classes (building, robot) are left out. The checksums
 * are those of Debian 12. */

#define CLASSES "classification"
#define TARGET "regression"

struct packaged {
    const char *name, *file, *task;
    long n, d;
    const char *sha256;
};

static const struct packaged fann[] = {
    { "abelone", "abelone.train", TARGET, 2088, 10,
      "144242044810fc1a407d0d3796be4aa3bd6a9035f96ad1f2dacd31298f3c0969" },
    { "abelone-test", "abelone.test", TARGET, 2089, 10,
      "7070e95efc609cad1a5fae4253a5019e90863ac56848ddfe1a395c114276e778" },
    { "bank32fm", "bank32fm.train", TARGET, 2048, 32,
      "67937eb9cce2db57e004d5038755b4a3813f835326e915ba58af7f3f783cb8ec" },
    { "bank32fm-test", "bank32fm.test", TARGET, 2048, 32,
      "7f5526007f9ff736c739a10e3db6dfe8e43dc243db41f5294fb7fd42385f7d75" },
    { "bank32nh", "bank32nh.train", TARGET, 2048, 32,
      "7a4934fbcef4500b7a77a59d24b9f0529fbd6dc8af7299383bcac3f256963717" },
    { "bank32nh-test", "bank32nh.test", TARGET, 2048, 32,
      "c0916065d48c721f66986db347c5465949bd1b01956271639c6909e2464f3053" },
    { "census-house", "census-house.train", TARGET, 11392, 16,
      "978672230b5790e2c5fc72ba4af5967919acd04020bee4a3da5fb132db88b7a4" },
    { "census-house-test", "census-house.test", TARGET, 11392, 16,
      "319c479bca69dd6a61cb71a87cf3617dcb7f4c2ddf6b6933c77188ba471fbfa3" },
    { "diabetes", "diabetes.train", CLASSES, 384, 8,
      "5dce8aca2858ca212adfd66a54d7b4ac6c0316674bbf8fa3db80fb3e620a9473" },
    { "diabetes-test", "diabetes.test", CLASSES, 384, 8,
      "d9ff70a44a6616d6dcabf9de45aa78d4f149714c4dc92962b93f5284535c3f15" },
    { "gene", "gene.train", CLASSES, 1588, 120,
      "f5804bcd84fc916840ad1197fb261ffbca852f019b9de536c28a5130a3b2e345" },
    { "gene-test", "gene.test", CLASSES, 1587, 120,
      "f16f2f2493e997992388f8ba92f278232aa267d825f951f81093a2e85bb1f4ad" },
    { "kin32fm", "kin32fm.train", TARGET, 2048, 32,
      "407f0f46b744e2f0f997e80ac82162b13d2e3132c7331a90da2c067be51e50fb" },
    { "kin32fm-test", "kin32fm.test", TARGET, 2048, 32,
      "ed04c92502a6edf45ecdae39b827a039dbaff46c759e53521d4b4ee2bfbf6bb7" },
    { "mushroom", "mushroom.train", CLASSES, 4062, 125,
      "38fa641ff1c17a5ba28c5a470b43c5a5abc05ce545d3e2189382cb20a6a17fea" },
    { "mushroom-test", "mushroom.test", CLASSES, 4062, 125,
      "da962d6332eaa400c8b3a0a9ee70abdcfab51571f2de66aec73f2b30bd737785" },
    { "pumadyn-32fm", "pumadyn-32fm.train", TARGET, 512, 32,
      "4c4d905a25fc6c646adc5ce7d28e0b082f66a83803a6d5c5beceeda9fc5a9a56" },
    { "pumadyn-32fm-test", "pumadyn-32fm.test", TARGET, 512, 32,
      "b4a78eb72bc0bece6771bd515cfe77f41304e0b37a7f80d77bf03a932b7099bd" },
    { "soybean", "soybean.train", CLASSES, 342, 82,
      "7b7942275fe8c93ceaa0e0704a02700cc82e5cb533fd63de5137d50d4087d699" },
    { "soybean-test", "soybean.test", CLASSES, 341, 82,
      "a29600658975bdae55bedd3f7af37df24e290093279add35e9ed2afd469777bf" },
    { "thyroid", "thyroid.train", CLASSES, 3600, 21,
      "4727a5b1caa1caec3a8af5a861c0638d6ef7cc253d18a568a2feb40822f87f43" },
    { "thyroid-test", "thyroid.test", CLASSES, 3600, 21,
      "9e26364459a377ac5c69ef51b1eadfac0959cfcafe1868a8f32a62e789342899" },
    { "two-spiral", "two-spiral.train", CLASSES, 193, 2,
      "371ac6a7a72fd467be01c677d863202454ed8c16fc61a4489e1535d9a29350b7" },
    { "two-spiral-test", "two-spiral.test", CLASSES, 193, 2,
      "0a5a6f338808b8cc8831016903a9a6b9c0be41ff96cbeb72aea40bcaa3d6591d" },
    { 0 }
};

static const struct packaged liblinear[] = {
    { "heart_scale", "heart_scale", CLASSES, 270, 13,
      "5defa0a4c4c5bdaf3f55ae3828310252e8565c13ee37ce279e0b86d82e7f4ce9" },
    { 0 }
};

static const struct {
    const char *name, *licence, *source, *folder[2];         /* folder: the path in Debian 12, and the path in other
                                                                releases */
    const struct packaged *set;
} packages[] = {
    { "liblinear-tools", "BSD-3-Clause", "https://www.csie.ntu.edu.tw/~cjlin/liblinear",
      { "/usr/share/doc/liblinear-tools/examples", NULL }, liblinear },
    { "libfann-doc", "LGPL-2.1+", "https://github.com/libfann/fann",
      { "/usr/share/doc/libfann-dev/examples/datasets",
        "/usr/share/doc/libfann-doc/examples/datasets" }, fann },
};

/* s->file <- the path of the file, plain or gzip; where the file is missing, the path at which it would be. */
static void locate(const char *const folder[2], const char *file, struct data_set *s)
{
    for (int k = 0; k < 4; k++) {
        if (!folder[k / 2])
            continue;
        snprintf(s->file, sizeof s->file, "%s/%s%s", folder[k / 2], file, k % 2 ? ".gz" : "");
        if (access(s->file, R_OK) == 0)
            return;
    }
    snprintf(s->file, sizeof s->file, "%s/%s", folder[0], file);
}

static enum status packaged_sets(struct data_sets *all, struct why *why)
{
    for (size_t k = 0; k < sizeof packages / sizeof *packages; k++)
        for (const struct packaged *p = packages[k].set; p->name; p++) {
            if (data_sets_find(all, p->name))
                continue;
            struct data_set *s = data_sets_more(all);
            if (!s)
                return why_set(why, NO_MEMORY, "data: not enough memory for the list of sets");
            *s = (struct data_set){ .n = p->n, .d = p->d, .package = packages[k].name };
            snprintf(s->name, sizeof s->name, "%s", p->name);
            snprintf(s->task, sizeof s->task, "%s", p->task);
            snprintf(s->sha256, sizeof s->sha256, "%s", p->sha256);
            snprintf(s->licence, sizeof s->licence, "%s", packages[k].licence);
            snprintf(s->source, sizeof s->source, "%s", packages[k].source);
            locate(packages[k].folder, p->file, s);
        }
    return OK;
}

/* --- the list of all sets */

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
    return packaged_sets(all, why);
}

/* --- the file of one set, or why there is none */

static enum status unknown(const struct data_sets *all, const char *name, struct why *why)
{
    const char *near = NULL;
    int least = 3;
    for (int k = 0; k < all->count; k++) {
        int distance = word_distance(name, all->set[k].name, least);
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

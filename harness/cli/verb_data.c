/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_data.c - the verb data, which lists, checks, fetches and adds the data sets that --data can name. */
#include <gsl/gsl_sort_double.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "data/data_read.h"
#include "data/data_sets.h"
#include "record/listing.h"

/* A set with more different labels than this is taken for one of regression, and their number is not printed. */
enum { CLASSES_MAX = 1000 };

struct count_words { char text[24]; };
static struct count_words count_text(long n)
{
    struct count_words c = { "-" };
    if (n > 0)
        snprintf(c.text, sizeof c.text, "%ld", n);
    return c;
}

/* --- data list */

static int list(struct options *o, struct data_sets *all, struct why *why)
{
    struct listing l = { stdout, o->format, 9,
        { "name", "n", "d", "task", "state", "licence", "sha256", "source", "file" },
        { 18, 6, 6, 15, 8, 14, 12, 44, 0 } };
    for (int k = 0; k < all->count; k++) {
        const struct data_set *s = &all->set[k];
        char sum[65];
        snprintf(sum, sizeof sum, "%.*s", o->format == RECORD_TEXT ? 12 : 64, s->sha256);
        listing_row(&l, (const char *const[]){ s->name, count_text(s->n).text,
            count_text(s->d).text, s->task[0] ? s->task : "-",
            access(s->file, R_OK) ? "missing" : "here",
            s->licence[0] ? s->licence : "-", sum[0] ? sum : "-", s->source[0] ? s->source : "-",
            s->file });
    }
    listing_end(&l);
    return EXIT_OK;
}

/* --- data check */

/* Returns the number of different labels; 0: more than CLASSES_MAX. Sorts the labels. */
static long classes(struct table *t)
{
    long different = 1;
    gsl_sort(t->label, 1, (size_t)t->n);
    for (long i = 1; i < t->n; i++)
        different += t->label[i] != t->label[i - 1];
    return different <= CLASSES_MAX ? different : 0;
}

/* Returns the state of a set in a word; *why <- what is wrong with the set. */
static const char *state_of(const struct data_set *s, struct table *t, struct why *why)
{
    char path[PATH_MAX], hex[65];
    if (access(s->file, F_OK) == 0)
        snprintf(path, sizeof path, "%s", s->file);
    else if (data_set_file(s->name, path, why) != OK)
        return "missing";
    if (data_sha256(path, hex, why) != OK)
        return "damaged";
    if (s->sha256[0] && strcmp(hex, s->sha256)) {
        why_set(why, BAD_INPUT, "%s: %.100s: wrong checksum %s: expected %s", s->name, s->file, hex,
                s->sha256);
        return "changed";
    }
    if (data_read(path, s->name, NULL, t, why) != OK)
        return "damaged";
    if ((s->n && s->n != t->n) || (s->d && s->d != t->d)) {
        why_set(why, BAD_INPUT, "%s: %ld records of %ld columns: expected %ld of %ld", s->name,
                t->n, t->d, s->n, s->d);
        return "changed";
    }
    return s->sha256[0] ? "ok" : "no sum";
}

static bool check_one(struct listing *l, const struct data_set *s)
{
    struct table t = { .path = "" };
    struct why why = { "" };
    const char *state = state_of(s, &t, &why);
    bool read = why.text[0] == 0;
    long different = read && strcmp(s->task, "regression") ? classes(&t) : 0;
    listing_row(l, (const char *const[]){ s->name, state, count_text(t.n).text,
        count_text(t.d).text, count_text(t.nonzeros).text, count_text(different).text, s->file });
    if (!read) {
        fflush(stdout);
        fprintf(stderr, "assay: %s\n", why.text);
    }
    table_clear(&t);
    return read;
}

/* *s <- a data set made of the file at this path, without a stated size and checksum. Returns false if there is no
 * such file. */
static bool is_file(const char *path, struct data_set *s)
{
    const char *slash = strrchr(path, '/');
    *s = (struct data_set){ .package = NULL };
    snprintf(s->name, sizeof s->name, "%.63s", slash ? slash + 1 : path);
    return snprintf(s->file, sizeof s->file, "%s", path) < (int)sizeof s->file &&
           access(path, F_OK) == 0;
}

/* *s <- the k-th set that the command line names, or the k-th of all sets if it names none; NULL: there are no
 * more. */
static enum status named(const struct options *o, const struct data_sets *all, int k,
                         const struct data_set **s, struct why *why)
{
    static struct data_set file;
    char path[PATH_MAX];
    if (o->arguments < 2)
        *s = k < all->count ? &all->set[k] : NULL;
    else if (k + 1 >= o->arguments)
        *s = NULL;
    else if (!(*s = data_sets_find(all, o->argument[k + 1])) && is_file(o->argument[k + 1], &file))
        *s = &file;
    else if (!*s)
        return data_set_file(o->argument[k + 1], path, why);         /* writes the error: there is no such set */
    return OK;
}

static int check(struct options *o, struct data_sets *all, struct why *why)
{
    struct listing l = { stdout, o->format, 7,
        { "name", "state", "n", "d", "nonzeros", "classes", "file" }, { 18, 8, 7, 7, 9, 7, 0 } };
    const struct data_set *s;
    bool good = true;
    for (int k = 0; k < (o->arguments < 2 ? all->count : o->arguments - 1); k++)
        if (named(o, all, k, &s, why) != OK)
            return complain(BAD_INPUT, why);
    for (int k = 0; named(o, all, k, &s, why) == OK && s; k++)
        good &= check_one(&l, s);
    listing_end(&l);
    return good ? EXIT_OK : EXIT_USAGE;
}

/* --- data get */

static enum status get_one(const struct data_set *s, struct why *why)
{
    char hex[65];
    if (access(s->file, F_OK) == 0 && (!s->sha256[0] || (data_sha256(s->file, hex, why) == OK &&
                                                         strcmp(hex, s->sha256) == 0))) {
        printf("%s: here: %s\n", s->name, s->file);
        return OK;
    }
    if (s->package)
        return why_set(why, BAD_INPUT, "%s: expected the Debian package %s: apt-get install %s",
                       s->name, s->package, s->package);
    if (!s->sha256[0])
        return why_set(why, BAD_INPUT, "%s: expected a line in manifest.tsv, with its checksum",
                       s->name);
    TRY(data_fetch(s, why));
    printf("%s: fetched: %s\n", s->name, s->file);
    return OK;
}

static int get(struct options *o, struct data_sets *all, struct why *why)
{
    const struct data_set *s;
    if (o->arguments < 2)
        return complain(why_set(why, BAD_INPUT, "data get: expected the name of a set"), why);
    for (int k = 0;; k++) {
        enum status status = named(o, all, k, &s, why);
        if (status == OK && !s)
            return EXIT_OK;
        if (status == OK)
            status = get_one(s, why);
        if (status != OK)
            return complain(status, why);
    }
}

/* --- data add */

static enum status name_of(const struct options *o, const char *base, struct data_set *s,
                           struct why *why)
{
    char name[256];
    size_t stem = data_stem(base);
    snprintf(name, sizeof name, "%.*s", stem ? (int)stem : 255, base);
    const char *chosen = o->name ? o->name : name, *fault = data_name_fault(chosen);
    if (fault)
        return why_set(why, BAD_INPUT, "--name %.100s: %s", chosen, fault);
    snprintf(s->name, sizeof s->name, "%.63s", chosen);
    return OK;
}

/* s->file <- the path of the file if it is in the folder of the sets, else the place of its copy. */
static enum status place(const char *path, const char *base, struct data_set *s, bool *copy,
                         struct why *why)
{
    char folder[PATH_MAX];
    if (!realpath(data_folder(), folder))
        return why_set(why, BAD_INPUT, "ASSAY_DATA: %s", strerror(errno));
    size_t n = strlen(folder);
    *copy = strncmp(path, folder, n) || path[n] != '/';
    int length = *copy ? snprintf(s->file, sizeof s->file, "%s/%s/%s", data_folder(), s->name, base)
                       : snprintf(s->file, sizeof s->file, "%s%s", data_folder(), path + n);
    if (length >= (int)sizeof s->file)
        return why_set(why, BAD_INPUT, "%.100s: expected a shorter path", base);
    if (*copy && access(s->file, F_OK) == 0)
        return why_set(why, BAD_INPUT, "%.200s: is there already", s->file);
    return OK;
}

static enum status describe(const struct options *o, const char *path, struct data_set *s,
                            struct why *why)
{
    struct table t = { .path = "" };
    enum status status = data_read(path, o->argument[1], NULL, &t, why);
    s->n = t.n;
    s->d = t.d;
    table_clear(&t);
    if (status == OK)
        status = data_sha256(path, s->sha256, why);
    snprintf(s->task, sizeof s->task, "%s", o->task);
    if (snprintf(s->licence, sizeof s->licence, "%s", o->licence ? o->licence : "unknown") >=
            (int)sizeof s->licence ||
        snprintf(s->source, sizeof s->source, "%s", o->source ? o->source : "unknown") >=
            (int)sizeof s->source)
        return why_set(why, BAD_INPUT, "--licence or --source: expected a shorter text");
    return status;
}

static enum status add_set(const struct options *o, const struct data_sets *all, struct why *why)
{
    struct data_set s = { 0 };
    char path[PATH_MAX];
    bool copy = false;
    if (o->arguments != 2 || !o->task)
        return why_set(why, BAD_INPUT, "data add: expected FILE --task classification|regression");
    if (!data_folder())
        return why_set(why, BAD_INPUT, "data add: expected --data-dir DIR or ASSAY_DATA, the "
                       "folder of your sets");
    if (!realpath(o->argument[1], path))
        return why_set(why, BAD_INPUT, "%.200s: %s", o->argument[1], strerror(errno));
    const char *base = strrchr(path, '/') + 1;
    TRY(name_of(o, base, &s, why));
    const struct data_set *old = data_sets_find(all, s.name);
    if (old && !old->package && old->sha256[0])
        return why_set(why, BAD_INPUT, "--name %s: is in manifest.tsv already", s.name);
    TRY(describe(o, path, &s, why));
    TRY(place(path, base, &s, &copy, why));
    if (copy)
        TRY(data_copy(path, &s, why));
    enum status status = data_manifest_append(&s, why);
    if (status != OK && copy)
        unlink(s.file);
    if (status == OK)
        printf("%s: %ld records, %ld columns: %s\n", s.name, s.n, s.d, s.file);
    return status;
}

static int add(struct options *o, struct data_sets *all, struct why *why)
{
    enum status s = add_set(o, all, why);
    return s == OK ? EXIT_OK : complain(s, why);
}

int verb_data(struct options *o)
{
    static const struct {
        const char *name;
        int (*run)(struct options *o, struct data_sets *all, struct why *why);
    } what[] = { { "list", list }, { "check", check }, { "get", get }, { "add", add } };
    const char *word = o->arguments ? o->argument[0] : "list";
    struct data_sets all;
    struct why why = { "" };
    int code = -1;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    enum status s = data_sets_all(&all, &why);
    for (size_t k = 0; s == OK && k < sizeof what / sizeof *what; k++)
        if (strcmp(what[k].name, word) == 0)
            code = what[k].run(o, &all, &why);
    if (s == OK && code < 0)
        s = why_set(&why, BAD_INPUT, "data %.40s: expected list, check, get or add", word);
    data_sets_free(&all);
    return s == OK ? code : complain(s, &why);
}

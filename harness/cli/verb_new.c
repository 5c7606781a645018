/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_new.c - the verb new, which writes the source of a working method, problem or claim for the user to edit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/new/skeletons.h"
#include "cli/typed.h"
#include "cell/registry.h"
#include "plan/names.h"
#include "text/memstream.h"

enum { NAME_MAX_LENGTH = 40 };

static bool algorithm_exists(const char *name)
{
    return registry_algo(name) || registry_estimator(name);
}

static bool problem_exists(const char *name) { return registry_problem(name); }

static bool paper_exists(const char *key)
{
    return paper_by_key(key);
}

static const struct kind_of_file {
    const char *word, *folder;
    bool (*exists)(const char *name);
    const char *next;                /* commands that the user may type next; @NAME@ stands for the name */
} kinds[] = {
    { "algorithm", "algos", algorithm_exists,
      "  build/assay solve --algorithm @NAME@ --problem chain --T 1000\n"
      "  make test TEST=test_algos METHOD=@NAME@      # what every method promises, on every problem\n"
      "  build/assay new claim PAPER    # what a theorem says about it\n" },
    { "problem", "problems", problem_exists,
      "  build/assay solve --algorithm gd --problem @NAME@ --T 1000\n"
      "  make test TEST=test_problems   # derivatives, facts, optimum\n"
      "  make test TEST=test_samples    # laws of its samples\n" },
    { "claim", "claims", paper_exists,
      "  build/assay verify --paper @NAME@\n"
      "  build/assay list coverage --paper @NAME@\n" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool good_name(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && n <= NAME_MAX_LENGTH && *name >= 'a' && *name <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

/* Returns a copy of the text in which the placeholders are replaced by name and symbol; free() it. */
static char *filled(const char *text, const char *name, const char *symbol)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    BUG_IF(!f);
    while (*text) {
        bool is_name = strncmp(text, "@NAME@", 6) == 0;
        bool is_symbol = strncmp(text, "@SYMBOL@", 8) == 0;
        if (is_name || is_symbol)
            fputs(is_name ? name : symbol, f);
        else
            fputc(*text, f);
        text += is_name ? 6 : is_symbol ? 8 : 1;
    }
    memstream_close(f, &out);
    return out;
}

/* Writes a new file; if it cannot be written whole, it is removed. */
static enum status write_new(const char *path, const char *text, struct why *why)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return why_set(why, IO_ERROR, "new: %.300s: %s", path,
                       errno == EEXIST ? "exists already, nothing written" : strerror(errno));
    FILE *f = fdopen(fd, "w");
    BUG_IF(!f);
    bool good = fputs(text, f) >= 0;
    good &= fclose(f) == 0;
    if (good)
        return OK;
    unlink(path);
    return why_set(why, IO_ERROR, "new: %.300s: %m", path);
}

static bool is_here(const struct options *o) { return strcmp(o->output, ".") == 0; }

/* path <- OUTPUT/FOLDER/SYMBOL.c. With --output missing folders are created. Without it a missing folder is an
 * error, as the current folder is then not the top of the source tree. */
static enum status place(const struct options *o, const struct kind_of_file *k, const char *symbol,
                         char *path, size_t room, struct why *why)
{
    bool here = is_here(o);
    int length = snprintf(path, room, "%s%s%s", here ? "" : o->output, here ? "" : "/", k->folder);
    if (length < 0 || (size_t)length + strlen(symbol) + 4 > room)
        return why_set(why, BAD_INPUT, "new: --output: path too long");
    if (here && access(path, F_OK))
        return why_set(why, BAD_INPUT, "new: no folder %s here: go to the top of the sources, "
                       "or give --output DIR", k->folder);
    if (!here && ((mkdir(o->output, 0777) && errno != EEXIST) ||
                  (mkdir(path, 0777) && errno != EEXIST)))
        return why_set(why, IO_ERROR, "new: %.300s: %m", path);
    snprintf(path + length, room - (size_t)length, "/%s.c", symbol);
    return OK;
}

/* Is a claim described by a study file or by typed options? */
static bool is_typed(const struct options *o)
{
    const char *const *name = o->typed;
    while (*name && has_word("output plugin method", *name))
        name++;
    return o->arguments > 2 || *name;
}

static enum status check(const struct options *o, const struct kind_of_file **kind, struct why *why)
{
    if (o->arguments < 2)
        return why_set(why, BAD_INPUT, "new: expected algorithm, problem or claim, and a name");
    const struct kind_of_file *k = kinds;
    while (k < kinds + KINDS && strcmp(k->word, o->argument[0]))
        k++;
    if (k == kinds + KINDS)
        return why_set(why, BAD_INPUT, "new %.60s: expected algorithm, problem or claim",
                       o->argument[0]);
    if (!good_name(o->argument[1]))
        return why_set(why, BAD_INPUT, "new: name '%.60s': expected a-z, then a-z, 0-9 and -, "
                       "at most %d", o->argument[1], NAME_MAX_LENGTH);
    if (k->exists(o->argument[1]))
        return why_set(why, BAD_INPUT, "new: %s %s already exists", k->word,
                       o->argument[1]);
    if (strcmp(k->word, "claim") && is_typed(o))
        return why_set(why, BAD_INPUT, "new %s: a study and the options of `test` are for `new claim`", k->word);
    *kind = k;
    return OK;
}

/* *text <- the C source of the claims that the options promise, one along each window; free() it. */
static enum status source_of(const struct options *o, const char *name, const char *symbol, char **text,
                             struct why *why)
{
    static struct typed t;
    static struct typed_claims *all;     /* its paper stays in the registry */
    all = calloc(1, sizeof *all);
    size_t size;
    BUG_IF(!all);
    enum status s = typed_read(o, &t, why);
    if (s == OK)
        s = typed_claims(&t, all, why);
    if (s == OK)
        s = typed_register(&all->paper, why);
    if (s == OK) {
        FILE *f = open_memstream(text, &size);
        BUG_IF(!f);
        typed_source(f, all, name, symbol);
        memstream_close(f, text);
    }
    typed_end(&t, s == OK ? EXIT_OK : EXIT_USAGE);
    return s;
}

int verb_new(struct options *o)
{
    const struct kind_of_file *k = NULL;
    struct why why = { "" };
    char path[4096], symbol[NAME_MAX_LENGTH + 1];
    enum status s = check(o, &k, &why);

    if (s != OK)
        return complain(s, &why);
    const char *name = o->argument[1];
    snprintf(symbol, sizeof symbol, "%s", name);
    for (char *c = symbol; *c; c++)
        *c = *c == '-' ? '_' : *c;
    char *text = NULL;
    if (is_typed(o))
        s = source_of(o, name, symbol, &text, &why);
    else
        text = filled(template_text(skeletons, k->word), name, symbol);
    if (s == OK)
        s = place(o, k, symbol, path, sizeof path, &why);
    if (s == OK) {
        char *next = filled(k->next, name, symbol);
        s = write_new(path, text, &why);
        if (s == OK && is_here(o))
            printf("wrote %s, which works as it stands; edit it. Next:\n"
                   "  make                           # nothing else to register\n%s", path, next);
        else if (s == OK)
            printf("wrote %s, which works as it stands; edit it. `make` finds it in %s/ of the sources; elsewhere "
                   "a plug-in compiles it, see docs/plugins.md\n", path, k->folder);
        free(next);
    }
    free(text);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c - the lists of all units: the generated lists, and the units that the shared objects of --plugin add.
 * Such an object is first loaded in a child process, and its units are checked. */
#include "cell/registry.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/plugin.h"
#include "cell/plugins.h"

/* The lists in use: the generated ones, until plug-ins add units when the program begins. */
static const struct algo *const *algos = registry_algos_;
static const struct estimator *const *estimators = registry_estimators_;
static const struct problem *const *problems = registry_problems_;
static const struct paper *const *papers = registry_papers_;
static struct registry_hash *added;      /* source hashes of the units that were added; ends with { 0 }; NULL: none
                                            was added */

/* Returns a copy of a list of `count` entries of `size` bytes, with one more entry and the zero entry that ends a
 * list. */
static void *longer(const void *list, size_t count, size_t size, const void *entry)
{
    char *copy = calloc(count + 2, size);
    BUG_IF(!copy);
    if (count)
        memcpy(copy, list, count * size);
    memcpy(copy + count * size, entry, size);
    return copy;
}

static void add_hash(const void *unit, const char *hash)
{
    struct registry_hash h = { unit, strdup(hash) };
    size_t n = 0;
    BUG_IF(!h.hash);
    while (added && added[n].unit)
        n++;
    struct registry_hash *more = longer(added, n, sizeof h, &h);
    free(added);
    added = more;
}

#define DEFINE_ADD(kind, list)                                                            \
    static void add_##kind(const struct kind *unit, const char *hash)                   \
    {                                                                                     \
        const struct kind *const *old = list;                                             \
        size_t n = 0;                                                                     \
        while (old[n])                                                                    \
            n++;                                                                          \
        list = longer(old, n, sizeof unit, &unit);                                        \
        if (old != registry_##list##_)                                                    \
            free((void *)old);                                                            \
        add_hash(unit, hash);                                                             \
    }
DEFINE_ADD(algo, algos)
DEFINE_ADD(estimator, estimators)
DEFINE_ADD(problem, problems)
DEFINE_ADD(paper, papers)

void registry_add_paper(const struct paper *unit, const char *hash) { add_paper(unit, hash); }
void registry_add_algo(const struct algo *unit, const char *hash) { add_algo(unit, hash); }

const struct algo *const *registry_algos(void) { return algos; }
const struct estimator *const *registry_estimators(void) { return estimators; }
const struct problem *const *registry_problems(void) { return problems; }
const struct paper *const *registry_papers(void) { return papers; }
const struct algo *const *registry_planted_algos(void) { return registry_planted_algos_; }
const struct estimator *const *registry_planted_estimators(void)
{
    return registry_planted_estimators_;
}
const struct paper *const *registry_planted_papers(void) { return registry_planted_papers_; }

/* Returns '-' for '_' and every other character as it is, since '-' and '_' are equal in names. */
static char dashed(char c) { return c == '_' ? '-' : c; }

static bool same_name(const char *a, const char *b)
{
    while (*a && dashed(*a) == dashed(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Returns the entry of a list whose member `name` is `wanted`. It is a macro because the lists differ in type
 * only. */
#define FIND_IN(list, wanted)                                 \
    for (size_t k = 0; (list)[k]; k++)                        \
        if (same_name((list)[k]->name, (wanted)))             \
            return (list)[k]

const struct algo *registry_algo(const char *name)
{
    FIND_IN(algos, name);
    FIND_IN(registry_planted_algos_, name);
    return NULL;
}

const struct estimator *registry_estimator(const char *name)
{
    FIND_IN(estimators, name);
    FIND_IN(registry_planted_estimators_, name);
    return NULL;
}

const struct problem *registry_problem(const char *name)
{
    FIND_IN(problems, name);
    FIND_IN(registry_planted_problems_, name);
    return NULL;
}

static const struct registry_hash *hash_of(const void *unit)
{
    const struct registry_hash *h = registry_hashes_;
    while (h->unit && h->unit != unit)
        h++;
    if (h->unit || !added)
        return h;
    for (h = added; h->unit && h->unit != unit;)
        h++;
    return h;
}

const char *registry_source_hash(const void *unit)
{
    const char *hash = hash_of(unit)->hash;
    return hash ? hash : "";
}

const char *registry_core_hash(void) { return registry_core_hash_; }

/* --- plug-ins: the list of loaded files */

/* Seconds after which loading counts as hung. A shorter limit could refuse a slow constructor on a busy machine; a
 * longer one delays the message about a plug-in that hangs. */
enum { LOAD_SECONDS = 20 };

/* The loaded files. Their objects stay loaded as long as the program runs. */
static struct plugin_file loaded[PLUGINS_MAX];
static size_t count;

size_t plugins_count(void) { return count; }
const struct plugin_file *plugins_at(size_t k) { return &loaded[k]; }

/* --- the file of a plug-in: its hash */

/* p->hash <- FNV-1a of all bytes, then their number. */
static enum status hash_file(struct plugin_file *p, struct why *why)
{
    unsigned char block[1 << 16], magic[SELFMAG] = { 0 };
    uint64_t hash = UINT64_C(0xcbf29ce484222325), size = 0;
    int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    ssize_t got = -1;

    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
        while ((got = read(fd, block, sizeof block)) > 0) {
            if (size == 0)
                memcpy(magic, block, (size_t)got < sizeof magic ? (size_t)got : sizeof magic);
            for (ssize_t k = 0; k < got; k++)
                hash = (hash ^ block[k]) * UINT64_C(0x100000001b3);
            size += (uint64_t)got;
        }
    if (fd >= 0)
        close(fd);
    if (got != 0)
        return why_set(why, IO_ERROR, "plug-in %.200s: not a file that can be read", p->path);
    if (memcmp(magic, ELFMAG, SELFMAG))
        return why_set(why, BAD_INPUT, "plug-in %.200s: not an ELF object; "
                       "build it with -shared -fPIC", p->path);
    snprintf(p->hash, sizeof p->hash, "%016llx%016llx", (unsigned long long)hash,
             (unsigned long long)size);
    return OK;
}

/* --- the units of a plug-in, checked and added to the lists */

/* Can a unit have this name? Names become part of the texts of cells, where blanks, bars and equal signs have a
 * meaning. */
static bool good_name(const char *name)
{
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(name);
}

static enum status check_name(const struct plugin_file *p, const char *what, const char *name,
                              bool whole, bool taken, struct why *why)
{
    if (!good_name(name))
        return why_set(why, BAD_INPUT, "plug-in %.200s: %s '%.60s': expected a name of a-z, "
                       "0-9, - and _", p->path, what, name ? name : "(none)");
    if (!whole)
        return why_set(why, BAD_INPUT, "plug-in %.200s: %s %.60s is not complete", p->path, what,
                       name);
    if (taken)
        return why_set(why, BAD_INPUT, "plug-in %.200s: %s %.60s exists already", p->path, what,
                       name);
    return OK;
}

static bool known_method(const char *name)
{
    return name && (registry_algo(name) || registry_estimator(name));
}

static bool in_papers(const struct paper *const *list, const char *key, const char *id)
{
    const struct claim *c;
    for (; *list; list++) {
        if (key && strcmp((*list)->key, key) == 0)
            return true;
        for (struct claim_walk all = claims_of(*list); id && (c = next_claim(&all)); )
            if (strcmp(c->id, id) == 0)
                return true;
    }
    return false;
}

static bool known_paper(const char *key, const char *id)
{
    return in_papers(registry_papers(), key, id) || in_papers(registry_planted_papers(), key, id);
}

/* Does an id begin with the key, a slash and the kind, as KEY/figure.NAME does? */
static bool names_paper(const char *id, const char *key, const char *kind)
{
    size_t n = strlen(key);
    return strncmp(id, key, n) == 0 && id[n] == '/' && strncmp(id + n + 1, kind, strlen(kind)) == 0;
}

/* Checks that ids of claims, figures and tables begin with the paper's key, and that no claim id occurs twice. */
static enum status check_claims(const struct plugin_file *p, const struct paper *paper,
                                struct why *why)
{
    size_t key = strlen(paper->key);
    const struct claim *c;
    int n = 0;
    for (struct claim_walk all = claims_of(paper); (c = next_claim(&all)); n++) {
        bool taken = known_paper(NULL, c->id);
        if (strncmp(c->id, paper->key, key) || c->id[key] != '/' || !c->says || !c->item)
            return why_set(why, BAD_INPUT, "plug-in %.200s: claim %.80s: expected %.60s/NAME "
                           "with item and text", p->path, c->id, paper->key);
        struct claim_walk before = claims_of(paper);
        for (int k = 0; k < n; k++)
            taken |= strcmp(c->id, next_claim(&before)->id) == 0;
        if (taken)
            return why_set(why, BAD_INPUT, "plug-in %.200s: claim %.80s exists already", p->path,
                           c->id);
    }
    for (const struct plot *f = paper->plots; f && f->id; f++)
        if (!names_paper(f->id, paper->key, "figure.") || !f->title || !f->says || !f->measure)
            return why_set(why, BAD_INPUT, "plug-in %.200s: figure %.80s: expected "
                           "%.60s/figure.NAME with title, text and measure", p->path, f->id,
                           paper->key);
    for (const struct exhibit *t = paper->tables; t && t->id; t++)
        if (!names_paper(t->id, paper->key, "table.") || !t->title || !t->says || !t->row)
            return why_set(why, BAD_INPUT, "plug-in %.200s: table %.80s: expected %.60s/table.NAME "
                           "with title, text and rows", p->path, t->id, paper->key);
    return OK;
}

/* Checks and adds the units of a plug-in. Each unit is added as soon as it has been checked, so that a second one
 * of the same name in the file is found. */
static enum status add_units(const struct plugin *in, struct plugin_file *p, struct why *why)
{
    for (; in->algos && in->algos[p->algos]; p->algos++) {
        const struct algo *a = in->algos[p->algos];
        TRY(check_name(p, "algorithm", a->name, a->doc && a->cite && a->run && a->params,
                       known_method(a->name), why));
        add_algo(a, p->hash);
    }
    for (; in->estimators && in->estimators[p->estimators]; p->estimators++) {
        const struct estimator *e = in->estimators[p->estimators];
        TRY(check_name(p, "estimator", e->name,
                       e->doc && e->cite && e->draw && e->strata && e->functionals && e->params,
                       known_method(e->name), why));
        add_estimator(e, p->hash);
    }
    for (; in->problems && in->problems[p->problems]; p->problems++) {
        const struct problem *f = in->problems[p->problems];
        TRY(check_name(p, "problem", f->name,
                       f->doc && f->cite && f->make && f->params && f->measures,
                       f->name && registry_problem(f->name), why));
        add_problem(f, p->hash);
    }
    for (; in->papers && in->papers[p->papers]; p->papers++) {
        const struct paper *k = in->papers[p->papers];
        TRY(check_name(p, "paper", k->key, k->title && k->cite && k->claims,
                       k->key && known_paper(k->key, NULL), why));
        TRY(check_claims(p, k, why));
        add_paper(k, p->hash);
    }
    return OK;
}

/* --- a plug-in loaded, first in a child process */

static enum status load(struct plugin_file *p, struct why *why)
{
    void *object = dlopen(p->path, RTLD_NOW | RTLD_LOCAL);
    const char *message = object ? "" : dlerror();
    const struct plugin *in;

    if (!object)
        return why_set(why, BAD_INPUT, "plug-in %.300s", message ? message : p->path);
    in = dlsym(object, "assay_plugin");
    if (!in)
        return why_set(why, BAD_INPUT, "plug-in %.200s: defines no assay_plugin: see plugin.h",
                       p->path);
    if (in->abi != PLUGIN_ABI)
        return why_set(why, BAD_INPUT, "plug-in %.200s: built for interface %d, this program "
                       "has %d: build it again", p->path, in->abi, PLUGIN_ABI);
    return add_units(in, p, why);
}

/* In the child: loads the file and sends the sentence of the outcome through the pipe. Signals have their default
 * action, since sanitizers would print pages about a crash that the parent reports in a line. */
static _Noreturn void try_loading(struct plugin_file *p, int out)
{
    const int reset[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTRAP };
    struct rlimit no_core = { 0, 0 };
    struct why why = { "" };
    for (size_t k = 0; k < sizeof reset / sizeof *reset; k++)
        signal(reset[k], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(LOAD_SECONDS);
    load(p, &why);
    /* An empty sentence means success. The pipe holds a page, so this write does not block. */
    ssize_t sent = write(out, &why, sizeof why);
    _exit(sent == (ssize_t)sizeof why ? 0 : 1);
}

static enum status loads_in_child(const struct plugin_file *p, struct why *why)
{
    struct plugin_file copy = *p;
    int channel[2], status = 0;
    pid_t child = -1;

    if (pipe2(channel, O_CLOEXEC) == 0) {
        child = fork();
        if (child == 0)
            try_loading(&copy, channel[1]);
        close(channel[1]);
    }
    if (child < 0)
        return why_set(why, IO_ERROR, "plug-in %.200s: no process to try it in", p->path);
    ssize_t got = read(channel[0], why, sizeof *why);
    close(channel[0]);
    waitpid(child, &status, 0);
    if (got == (ssize_t)sizeof *why)
        return why->text[0] ? BAD_INPUT : OK;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return why_set(why, BAD_INPUT, "plug-in %.200s: not loaded after %d s", p->path,
                       LOAD_SECONDS);
    if (WIFSIGNALED(status))
        return why_set(why, BAD_INPUT, "plug-in %.200s: crashes when loaded (%s)", p->path,
                       strsignal(WTERMSIG(status)));
    return why_set(why, BAD_INPUT, "plug-in %.200s: ends the program when loaded", p->path);
}

enum status plugins_load(const char *file, struct why *why)
{
    struct plugin_file p = { .path = "" };
    char *path = realpath(file, NULL);

    if (!path)
        return why_set(why, IO_ERROR, "plug-in %.200s: %m", file);
    bool fits = snprintf(p.path, sizeof p.path, "%s", path) < (int)sizeof p.path;
    free(path);
    if (!fits)
        return why_set(why, BAD_INPUT, "plug-in %.200s: path too long", file);
    for (size_t k = 0; k < count; k++)
        if (strcmp(loaded[k].path, p.path) == 0)
            return OK;
    if (count == PLUGINS_MAX)
        return why_set(why, BAD_INPUT, "plug-in %.200s: more than %d", file, PLUGINS_MAX);
    TRY(hash_file(&p, why));
    TRY(loads_in_child(&p, why));
    TRY(load(&p, why));
    loaded[count++] = p;
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.c - the programs that are methods: loads them, and finds them again. */
#include "exec/method.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "cell/registry.h"
#include "exec/method_state.h"
#include "text/memstream.h"
#include "text/shell_word.h"

static struct exec_method *methods[METHODS_MAX];
static int count;

struct exec_method *method_named(const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(methods[k]->name, name) == 0)
            return methods[k];
    return NULL;
}

static struct exec_method *method_of(const struct algo *a)
{
    for (int k = 0; a && k < count; k++)
        if (a == &methods[k]->algo)
            return methods[k];
    return NULL;
}

bool method_not_audited(const struct algo *a)
{
    const struct exec_method *m = method_of(a);
    return m && m->aside;
}

bool method_runs_twice(const struct algo *a, uint64_t seed)
{
    struct exec_method *m = method_of(a);
    if (!m)
        return false;
    bool first = m->checked != getpid();
    m->checked = getpid();
    return first || seed % 50 == 0;
}

void method_stop_all(void)
{
    for (int k = 0; k < count; k++)
        client_stop(&methods[k]->client);
}

/* --- loading a program */

/* m->argv <- the words of PROGRAM ARGS, split as a shell would, but without running anything. Words that name
 * files become absolute paths; the first word does so only if it has a slash, since otherwise it is sought in
 * PATH. */
static enum status split(struct exec_method *m, const char *text, struct why *why)
{
    wordexp_t w;
    int bad = wordexp(text, &w, WRDE_NOCMD | WRDE_UNDEF);
    if (bad || !w.we_wordc || w.we_wordc >= WORDS_MAX) {
        if (!bad)
            wordfree(&w);
        return why_set(why, BAD_INPUT, "--method %.60s: exec:%.100s: expected PROGRAM ARGS, quoted as in a shell",
                       m->name, text);
    }
    for (size_t k = 0; k < w.we_wordc; k++) {
        char *whole = access(w.we_wordv[k], F_OK) == 0 && (k || strchr(w.we_wordv[k], '/'))
                    ? realpath(w.we_wordv[k], NULL) : NULL;
        m->argv[k] = whole ? whole : strdup(w.we_wordv[k]);
        BUG_IF(!m->argv[k]);
    }
    wordfree(&w);
    return OK;
}

enum status method_load(const char *spec, struct why *why)
{
    const char *equals = strchr(spec, '=');
    char hash[33];
    struct wire_in hello;
    size_t n = equals ? (size_t)(equals - spec) : 0;
    if (!n || n >= sizeof methods[0]->name || strncmp(equals + 1, "exec:", 5))
        return why_set(why, BAD_INPUT, "--method %.80s: expected NAME='exec:PROGRAM ARGS'", spec);
    if (count == METHODS_MAX)
        return why_set(why, BAD_INPUT, "--method %.80s: more than %d", spec, METHODS_MAX);
    struct exec_method *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    snprintf(m->name, sizeof m->name, "%.*s", (int)n, spec);
    enum status s = method_word(m->name, "-" METHOD_LETTERS) ? OK
                  : why_set(why, BAD_INPUT, "--method %.80s: expected a name of a-z, 0-9, - and _", spec);
    if (s == OK && (registry_algo(m->name) || registry_estimator(m->name)))
        s = why_set(why, BAD_INPUT, "--method %.60s: a method of this name exists, expected another name", m->name);
    if (s == OK)
        s = split(m, equals + 6, why);
    if (s == OK) {
        struct why reason = { "" };
        s = method_start(m, &hello, &reason);
        if (s != OK)
            why_set(why, s, "--method %.60s: %.300s", m->name, reason.text);
    }
    if (s == OK)
        s = method_hello(m, hello, hash, why);
    client_stop(&m->client);
    signal(SIGPIPE, SIG_DFL);                /* client_start had changed it, and no program runs any more */
    if (s != OK) {
        for (char **word = m->argv; *word; word++)
            free(*word);
        free(m->client.in);
        free(m);
        return s == REFUSED || s == TIMED_OUT ? BAD_INPUT : s;
    }
    m->algo.tune = method_tune;
    m->algo.run = method_run;
    m->spec = strdup(spec);
    BUG_IF(!m->spec);
    methods[count++] = m;
    registry_add_algo(&m->algo, hash);
    return OK;
}

const char *method_spec(int k) { return k < count ? methods[k]->spec : NULL; }
bool method_of_paper(int k) { return k < count && methods[k]->of_paper; }

/* --- programs that papers name */

/* folder[PATH_MAX] <- the folder clients/ of the installation that this program belongs to, or of the tree that
 * it was built in. Returns false where there is none. */
static bool clients_folder(char *folder)
{
    static const char *const places[] = { "../share/assay/clients", "../clients", "../../clients",
                                          "../../../clients" };
    char self[PATH_MAX], path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return false;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        snprintf(path, sizeof path, "%s/%s", self, places[k]);
        if (realpath(path, folder))
            return true;
    }
    return false;
}

static enum status load_program(const struct program *p, struct why *why)
{
    char folder[PATH_MAX], path[2 * PATH_MAX], *spec = NULL;
    size_t size;
    if (!clients_folder(folder))
        return why_set(why, BAD_INPUT, "no folder clients/ beside this program, expected one with %.100s",
                       p->script);
    FILE *f = open_memstream(&spec, &size);
    BUG_IF(!f);
    snprintf(path, sizeof path, "%s/%s", folder, p->script);
    fprintf(f, "%s=exec:%s ", p->name, p->interpreter);
    shell_word_print(f, path);
    memstream_close(f, &spec);
    enum status s = method_load(spec, why);
    if (s == OK)
        methods[count - 1]->of_paper = true;
    free(spec);
    return s;
}

enum status method_load_program(const struct program *p, struct why *why)
{
    static struct tried { const struct program *program; enum status status; struct why why; } tried[METHODS_MAX];
    static int tries;
    int k = 0;
    while (k < tries && tried[k].program != p)
        k++;
    if (k == METHODS_MAX)
        return why_set(why, BAD_INPUT, "more than %d programs of papers", METHODS_MAX);
    if (k == tries) {
        struct tried *t = &tried[tries++];
        t->program = p;
        t->status = load_program(p, &t->why);
    }
    *why = tried[k].why;
    return tried[k].status;
}

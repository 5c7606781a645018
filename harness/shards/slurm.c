/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - runs the programs of Slurm and reads what they print. */
#include "shards/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "text/memstream.h"

extern char **environ;

enum { WORDS = 64, PRINTED = 65536 };

/* --- running a program, and keeping what it prints */

/* What a program prints to stdout and to stderr, each cut off where it is longer, and its exit code. The two are
 * apart, because a warning on stderr is no answer. */
struct printed { char text[PRINTED], errors[PRINTED]; int code; };

/* text <- what has been written to an anonymous file. */
static void read_back(int file, char text[PRINTED])
{
    ssize_t n = pread(file, text, PRINTED - 1, 0);
    text[n > 0 ? n : 0] = 0;
}

/* Runs argv[0] with stdout and stderr in these files, and waits for it. Its exit code is 128 if a signal ended
 * it. */
static enum status run_into(int out, int errors, char *const argv[], struct printed *p, struct why *why)
{
    int code;
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return why_set(why, REFUSED, "%s: %s: expected Slurm's programs on the path", argv[0], strerror(error));
    while (waitpid(pid, &code, 0) < 0 && errno == EINTR)
        ;
    p->code = WIFEXITED(code) ? WEXITSTATUS(code) : 128;
    read_back(out, p->text);
    read_back(errors, p->errors);
    return OK;
}

/* Runs argv[0]; *p <- what it prints, and its exit code. REFUSED: the program is not on the path. */
static enum status run(char *const argv[], struct printed *p, struct why *why)
{
    int out = memfd_create("stdout", MFD_CLOEXEC), errors = memfd_create("stderr", MFD_CLOEXEC);
    enum status s = out >= 0 && errors >= 0 ? run_into(out, errors, argv, p, why)
                  : why_set(why, IO_ERROR, "%s: %s", argv[0], strerror(errno));
    if (out >= 0)
        close(out);
    if (errors >= 0)
        close(errors);
    return s;
}

static enum status said(const char *program, const struct printed *p, struct why *why)
{
    char words[400];
    snprintf(words, sizeof words, "%.199s%.199s", p->errors, p->text);
    for (char *c = words; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = ' ';
    return why_set(why, REFUSED, "%s ended with %d: %.200s", program, p->code, words);
}

/* --- one function for each request to Slurm */

enum status slurm_most(long *most, struct why *why)
{
    static const char key[] = "MaxArraySize";
    struct printed p;
    TRY(run((char *[]){ "scontrol", "show", "config", NULL }, &p, why));
    const char *at = p.code ? NULL : strstr(p.text, key), *equals = at ? strchr(at, '=') : NULL;
    *most = equals ? strtol(equals + 1, NULL, 10) - 1 : 0;
    return *most > 0 ? OK : said("scontrol show config", &p, why);
}

/* Appends a word, made by a format, to word[WORDS]; the caller frees the words. */
__attribute__((format(printf, 2, 3)))
static void add(char **word, const char *format, ...)
{
    va_list ap;
    int at = 0;
    while (word[at])
        at++;
    BUG_IF(at >= WORDS - 1);
    va_start(ap, format);
    BUG_IF(vasprintf(&word[at], format, ap) < 0);
    va_end(ap);
}

/* Adds --output=FOLDER/LOG. In a path without a backslash sbatch reads %% as %. In a path with one it reads \\ as
 * \, and no pattern at all, so that all jobs of an array append to one file. */
static void add_output(char **word, const char *folder, const char *log)
{
    const char doubled = strchr(folder, '\\') ? '\\' : '%';
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    BUG_IF(!f);
    for (const char *c = folder; *c; c++) {
        if (*c == doubled)
            putc(*c, f);
        putc(*c, f);
    }
    memstream_close(f, &text);
    add(word, "--output=%s/%s", text, log);
    free(text);
}

/* Appends the words of a text, split as a shell would, but without running commands. */
static enum status add_arguments(char **word, const char *text, struct why *why)
{
    wordexp_t w;
    if (!text || !*text)
        return OK;
    if (wordexp(text, &w, WRDE_NOCMD | WRDE_UNDEF) != 0)
        return why_set(why, BAD_INPUT, "--slurm-args %.100s: expected options of sbatch, quoted as in a shell",
                       text);
    bool fits = w.we_wordc + 16 < WORDS;
    for (size_t k = 0; fits && k < w.we_wordc; k++)
        add(word, "%s", w.we_wordv[k]);
    wordfree(&w);
    return fits ? OK : why_set(why, BAD_INPUT, "--slurm-args: more than %d options", WORDS - 16);
}

enum status slurm_submit(const struct slurm_job *j, char id[SLURM_ID], struct why *why)
{
    char *word[WORDS] = { NULL };
    struct printed p = { .code = 0 };
    add(word, "sbatch");
    add(word, "--parsable");
    add(word, "--requeue");
    add(word, "--open-mode=append");
    add(word, "--job-name=%s", j->name);
    add_output(word, j->folder, j->log);
    if (j->last && j->running)
        add(word, "--array=%ld-%ld%%%ld", j->first, j->last, j->running);
    else if (j->last)
        add(word, "--array=%ld-%ld", j->first, j->last);
    if (*j->exclude)
        add(word, "--exclude=%s", j->exclude);
    if (*j->after)
        add(word, "--dependency=afterany:%s", j->after);
    enum status s = add_arguments(word, j->arguments, why);
    add(word, "%s", j->script);
    if (s == OK)
        s = run(word, &p, why);
    size_t digits = strspn(p.text, "0123456789");
    if (s == OK && (p.code || !digits || digits >= SLURM_ID))
        s = said("sbatch", &p, why);
    if (s == OK)
        snprintf(id, SLURM_ID, "%.*s", (int)digits, p.text);
    for (int k = 0; word[k]; k++)
        free(word[k]);
    return s;
}

enum status slurm_alive(const char *ids, long *jobs, struct why *why)
{
    struct printed p;
    TRY(run((char *[]){ "squeue", "--noheader", "--array", "--format=%i", "--jobs", (char *)ids, NULL }, &p, why));
    *jobs = 0;
    if (p.code && strstr(p.errors, "Invalid job id"))      /* the jobs ended so long ago that Slurm has forgotten
                                                            them */
        return OK;
    if (p.code)
        return said("squeue", &p, why);
    for (const char *c = p.text; *c; c++)
        *jobs += *c == '\n';
    return OK;
}

void slurm_cancel(const char *ids)
{
    struct printed p;
    char copy[4096], *rest = copy, *id;
    snprintf(copy, sizeof copy, "%s", ids);
    while ((id = strsep(&rest, ",")))
        run((char *[]){ "scancel", id, NULL }, &p, NULL);
}

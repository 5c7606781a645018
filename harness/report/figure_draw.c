/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.c - runs gnuplot as a child process, one for all figures of a report, and writes gnuplot's JavaScript
 * for their drawings once. */
#include "report/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/folder.h"
#include "text/memstream.h"

extern char **environ;

static const char *const JOB = "draw-all.gp";
/* SCRIPT is gnuplot's JavaScript, with which a drawing reacts to the pointer. gnuplot does not say in which folder
 * it keeps this file, but copies it into a drawing that is made to stand alone: EMPTY is such a drawing, from which
 * SCRIPT is copied. */
static const char *const SCRIPT = "gnuplot_svg.js", *const EMPTY = "script.svg";
/* The job lets gnuplot print this and the index of the figure after each figure, among its own messages. */
#define MARK "assay: drawn "
/* PATIENCE: after so many milliseconds without a message gnuplot is killed, and the figure that it was drawing
 * counts as failed. A figure takes less than a second; a minute allows for a fully loaded machine. SAID: bytes of
 * the longest message that is kept. */
enum { PATIENCE = 60000, SAID = 4096 };

static bool write_job(const char *folder, bool pdf, const struct figure *f, int from, int n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, JOB);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fprintf(
        out,
        "set terminal svg mouse standalone\nset output '%s'\nplot 1\nset output\nreset session\n",
        EMPTY);
    for (int k = from; k < n; k++)
        if (f[k].script && !f[k].drawn)
            fprintf(out, "load '%s.gp'\nset output\nset print\nprint '%s%d'\nreset session\n",
                    f[k].name, MARK, k);
    for (int k = from; pdf && k < n; k++)
        if (f[k].script)
            fprintf(out, "PAPER = 1\nload '%s.gp'\nset output\nreset session\n", f[k].name);
    bool bad = ferror(out);
    return !fclose(out) && !bad;
}

/* Starts gnuplot with the job in the folder, without the user's settings; *pid <- its process, *from <- a
 * descriptor from which its messages are read. Returns 0 or an errno. */
static int start(const char *folder, pid_t *pid, int *from)
{
    char *const argv[] = { "gnuplot", "-d", (char *)JOB, NULL };
    posix_spawn_file_actions_t actions;
    int pipe_of[2];
    if (pipe2(pipe_of, O_CLOEXEC))
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_of[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipe_of[1], 2);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    int error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_of[1]);
    if (error)
        close(pipe_of[0]);
    *from = pipe_of[0];
    return error;
}

static void mark_drawn(char *line, struct figure *f, int n, char *said)
{
    int k;
    if (sscanf(line, MARK "%d", &k) == 1 && k >= 0 && k < n) {
        f[k].drawn = true;
        said[0] = 0;
        return;
    }
    line += strspn(line, " \t^");
    if (*line)                           /* only the last message is kept, which explains best why gnuplot ended */
        snprintf(said, SAID, "%s", line);
}

/* Reads all messages of gnuplot, and marks figures as drawn; said <- the last line that it printed after the last
 * figure that it finished, "" if there is none. */
static void listen_to(int fd, pid_t pid, struct figure *f, int n, char *said)
{
    char line[SAID];
    size_t used = 0;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    said[0] = 0;
    for (;;) {
        int ready = poll(&p, 1, PATIENCE);
        if (ready < 0 && errno == EINTR)
            continue;
        char c;
        if (ready <= 0) {
            kill(pid, SIGKILL);
            snprintf(said, SAID, "no answer in %d seconds", PATIENCE / 1000);
            return;
        }
        if (read(fd, &c, 1) != 1)
            return;
        if (c != '\n' && used < sizeof line - 1) {
            line[used++] = c;
            continue;
        }
        line[used] = 0;
        used = 0;
        mark_drawn(line, f, n, said);
    }
}

static void note_failure(struct figure *f, const char *reason)
{
    snprintf(f->note, sizeof f->note, "No figure: %.200s", reason);
}

static int first_missing(const struct figure *f, int from, int n)
{
    while (from < n && (!f[from].script || f[from].drawn))
        from++;
    return from;
}

/* Draws those of the figures from..n-1 that have a script and are not drawn, with one gnuplot process, which with
 * `pdf` also writes the PDF of each that has a script. said <- as of listen_to. Returns 0, or an errno if no
 * process was started. */
static int run(const char *folder, bool pdf, struct figure *f, int from, int n, char *said)
{
    pid_t pid;
    int messages = -1;
    errno = EIO;
    int error = write_job(folder, pdf, f, from, n) ? start(folder, &pid, &messages) : errno;
    if (error)
        return error;
    listen_to(messages, pid, f, n, said);
    close(messages);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return 0;
}

static char *read_all(const char *folder, const char *name)
{
    char path[4096], part[4096], *text = NULL;
    size_t size, n;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r"), *whole = in ? open_memstream(&text, &size) : NULL;
    if (!in)
        return NULL;
    BUG_IF(!whole);
    while ((n = fread(part, 1, sizeof part, in)) > 0)
        fwrite(part, 1, n, whole);
    fclose(in);
    memstream_close(whole, &text);
    return text;
}

static void put_text(FILE *out, const void *ctx) { fputs(ctx, out); }

/* Copies SCRIPT out of the drawing EMPTY, which is removed. If that fails, the drawings do not react to the
 * pointer. */
static void keep_script(const char *folder)
{
    char path[4096], *text = read_all(folder, EMPTY),
                     *begin = text ? strstr(text, "<![CDATA[") : NULL;
    char *end = begin ? strstr(begin, "]]>") : NULL;
    if (end) {
        *end = 0;
        snprintf(path, sizeof path, "%s/%s", folder, SCRIPT);
        file_write(path, put_text, begin + strlen("<![CDATA["), &(struct why){ "" });
    }
    snprintf(path, sizeof path, "%s/%s", folder, EMPTY);
    unlink(path);
    free(text);
}

static bool same_text(const char *folder, const char *before, const char *name, const char *ending)
{
    char file[FIGURE_NAME + 8];
    snprintf(file, sizeof file, "%s.%s", name, ending);
    char *now = read_all(folder, file), *then = read_all(before, file);
    bool same = now && then && strcmp(now, then) == 0;
    free(now);
    free(then);
    return same;
}

/* Links those drawings of the earlier report in the folder `before` whose script (.gp) and data (.tsv) are the same
 * as now. A report that was interrupted may lack SCRIPT, which all its drawings need: then none is linked, and all
 * are drawn again. */
static void take_over(const char *folder, const char *before, struct figure *f, int n)
{
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/%s", before, SCRIPT);
    if (access(from, F_OK))
        return;
    for (int k = 0; k < n; k++) {
        if (!f[k].script || !same_text(folder, before, f[k].name, "gp") ||
            !same_text(folder, before, f[k].name, "tsv"))
            continue;
        snprintf(from, sizeof from, "%s/%s.svg", before, f[k].name);
        snprintf(to, sizeof to, "%s/%s.svg", folder, f[k].name);
        f[k].drawn = link(from, to) == 0;
    }
}

void figure_draw(const char *folder, const char *before, bool pdf, struct figure *f, int n)
{
    char said[SAID], reason[SAID + 32];
    if (before)
        take_over(folder, before, f, n);
    int from = pdf ? 0 : first_missing(f, 0, n), error = 0;
    while (from < n && !error) {
        error = run(folder, pdf, f, from, n, said);
        from = first_missing(f, from, n);
        if (error || from == n)
            continue;
        snprintf(reason, sizeof reason, "gnuplot failed: %s", said[0] ? said : "no message");
        note_failure(&f[from], reason);
        from = first_missing(f, from + 1, n);
    }
    for (; error && from < n; from = first_missing(f, from + 1, n))
        note_failure(&f[from], error == ENOENT ? "gnuplot was not found (package gnuplot-nox)."
                                               : strerror(error));
    keep_script(folder);
    for (int k = 0; k < n; k++) {
        snprintf(reason, sizeof reason, "%.3900s/%s.pdf", folder, f[k].name);
        f[k].printed = pdf && f[k].drawn && access(reason, F_OK) == 0;
        if (pdf && f[k].drawn && !f[k].printed && !f[k].note[0])
            snprintf(f[k].note, sizeof f[k].note, "gnuplot wrote no PDF");
    }
    snprintf(reason, sizeof reason, "%s/%s", folder, JOB);
    unlink(reason);
}

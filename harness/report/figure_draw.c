/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.c - gnuplot as a child process: one for all figures of a report. */
#include "report/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const JOB = "draw-all.gp";
/* gnuplot prints this and the figure's index after each figure, on the stream of its own messages. */
#define MARK "assay: drawn "
/* PATIENCE: milliseconds without a message after which gnuplot is killed and the figure noted as failed. A figure
 * takes below a second; a minute allows for a machine that is fully loaded. SAID: the longest message that is
 * kept. */
enum { PATIENCE = 60000, SAID = 4096 };

static bool write_job(const char *folder, const struct figure *f, int from, int n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, JOB);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    for (int k = from; k < n; k++)
        if (f[k].script)
            fprintf(out, "load '%s.gp'\nset output\nset print\nprint '%s%d'\nreset session\n",
                    f[k].name, MARK, k);
    bool bad = ferror(out);
    return !fclose(out) && !bad;
}

/* Starts gnuplot in the folder, without the user's settings; *from <- the stream of its messages. Returns 0 or an
 * errno. */
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
    if (*line)                           /* the last message explains best why gnuplot ended */
        snprintf(said, SAID, "%s", line);
}

/* Reads all messages; said <- the last line that gnuplot printed about a figure that it did not finish. */
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

/* Draws the figures from..n-1 with one process. Returns 0, or an errno if no process was started. */
static int run(const char *folder, struct figure *f, int from, int n, char *said)
{
    pid_t pid;
    int messages = -1;
    errno = EIO;
    int error = write_job(folder, f, from, n) ? start(folder, &pid, &messages) : errno;
    if (error)
        return error;
    listen_to(messages, pid, f, n, said);
    close(messages);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return 0;
}

void figure_draw(const char *folder, struct figure *f, int n)
{
    char said[SAID], reason[SAID + 32];
    int from = first_missing(f, 0, n), error = 0;
    while (from < n && !error) {
        error = run(folder, f, from, n, said);
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
    snprintf(reason, sizeof reason, "%s/%s", folder, JOB);
    unlink(reason);
}

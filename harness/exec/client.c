/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - starts a program, talks to it, and ends it. */
#include "exec/client.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The program's descriptors; TICK: milliseconds between looks at the limits. */
enum { READS = 3, WRITES = 4, TICK = 50 };

static double clock_of(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- starting */

static void limit(int resource, rlim_t value)
{
    struct rlimit r = { value, value };
    setrlimit(resource, &r);
}

/* In the child: everything that the program would inherit is set, then it starts. */
static _Noreturn void become(char *const argv[], const char *folder, int reads, int writes, int printed, size_t memory)
{
    char home[140], temporary[140], path[4096], python[4096];
    const char *user_path = getenv("PATH"), *user_python = getenv("PYTHONPATH");
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int k = 1; k < NSIG; k++)
        signal(k, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    /* above all that dup2 writes to */
    reads = fcntl(reads, F_DUPFD, 10);
    writes = fcntl(writes, F_DUPFD, 10);
    printed = fcntl(printed, F_DUPFD, 10);
    dup2(nothing, 0);
    dup2(printed, 1);
    dup2(printed, 2);
    dup2(reads, READS);
    dup2(writes, WRITES);
    syscall(SYS_close_range, WRITES + 1, ~0u, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    if (memory)
        limit(RLIMIT_AS, memory);
    snprintf(home, sizeof home, "HOME=%s", folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    snprintf(path, sizeof path, "PATH=%s", user_path ? user_path : "/usr/bin:/bin");
    snprintf(python, sizeof python, "PYTHONPATH=%s", user_python ? user_python : "");
    char *environment[] = { home, temporary, path, python, "LANG=C.UTF-8", "ASSAY_METHOD=1", "PYTHONHASHSEED=0",
                            "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
                            "MKL_NUM_THREADS=1", "JULIA_NUM_THREADS=1", NULL };
    if (chdir(folder) == 0)
        execvpe(argv[0], argv, environment);
    dprintf(2, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

enum status client_start(struct client *c, char *const argv[], const char *within, size_t memory, struct why *why)
{
    int to[2] = { -1, -1 }, from[2] = { -1, -1 }, printed[2] = { -1, -1 };
    unsigned char *in = c->in;
    size_t room = c->in_room;
    *c = (struct client){ .owner = getpid(), .to = -1, .from = -1, .printed = -1, .in = in, .in_room = room };
    snprintf(c->folder, sizeof c->folder, "%.100s/run-XXXXXX", within);
    if (!mkdtemp(c->folder) || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC) || pipe2(printed, O_CLOEXEC))
        return why_set(why, IO_ERROR, "%.100s: %s", c->folder, strerror(errno));
    signal(SIGPIPE, SIG_IGN);                /* a program that has ended is found by what write returns */
    prctl(PR_SET_CHILD_SUBREAPER, 1);        /* processes that it leaves behind become ours, see client_stop */
    pid_t pid = fork();
    if (pid == 0)
        become(argv, c->folder, to[0], from[1], printed[1], memory);
    close(to[0]);
    close(from[1]);
    close(printed[1]);
    c->pid = c->group = pid;
    c->to = to[1];
    c->from = from[0];
    c->printed = printed[0];
    fcntl(c->to, F_SETFL, O_NONBLOCK);
    fcntl(c->from, F_SETFL, O_NONBLOCK);
    fcntl(c->printed, F_SETFL, O_NONBLOCK);
    if (pid < 0)
        return why_set(why, IO_ERROR, "%.100s: %s", argv[0], strerror(errno));
    setpgid(pid, pid);                       /* here, too: whoever comes first */
    return OK;
}

/* --- what it prints */

static void take_printed(struct client *c)
{
    char block[4096];
    ssize_t n;
    while ((n = read(c->printed, block, sizeof block)) > 0) {
        size_t keep = (size_t)n, kept = c->saids;
        if (kept + keep > CLIENT_SAID - 1) {         /* the oldest bytes go */
            size_t drop = kept + keep - (CLIENT_SAID - 1);
            drop = drop < kept ? drop : kept;
            memmove(c->said, c->said + drop, kept - drop);
            c->saids = kept -= drop;
        }
        size_t from = keep > CLIENT_SAID - 1 ? keep - (CLIENT_SAID - 1) : 0;
        memcpy(c->said + kept, block + from, keep - from);
        c->saids = kept + keep - from;
    }
    c->said[c->saids] = 0;
}

const char *client_last_line(struct client *c, char words[160])
{
    take_printed(c);
    size_t end = c->saids;
    while (end > 0 && (c->said[end - 1] == '\n' || c->said[end - 1] == ' '))
        end--;
    size_t begin = end;
    while (begin > 0 && c->said[begin - 1] != '\n')
        begin--;
    snprintf(words, 160, "%.*s", (int)(end - begin < 150 ? end - begin : 150), c->said + begin);
    for (char *at = words; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    return words;
}

/* --- ending */

/* Kills the processes whose parent this process has become, since the program that started them has ended. */
static void kill_orphans(pid_t owner)
{
    char path[64], list[4096];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)owner, (long)owner);
    for (int turn = 0; turn < 100; turn++) {
        FILE *f = fopen(path, "r");
        size_t n = f ? fread(list, 1, sizeof list - 1, f) : 0;
        if (f)
            fclose(f);
        list[n] = 0;
        bool any = false;
        for (char *at = list, *end; *at; at = end) {
            long pid = strtol(at, &end, 10);
            if (end == at)
                break;
            any = true;
            kill((pid_t)pid, SIGKILL);
            waitpid((pid_t)pid, NULL, 0);
        }
        if (!any)
            return;
    }
}

void client_remove_folder(const char *folder)
{
    char command[128];
    pid_t pid = fork();
    snprintf(command, sizeof command, "%s", folder);
    if (pid == 0) {
        execl("/bin/rm", "rm", "-rf", "--", command, (char *)NULL);
        _exit(127);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

static void shut(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

void client_stop(struct client *c)
{
    if (!c->owner)
        return;
    bool mine = c->owner == getpid();        /* not a copy of it in a forked process */
    if (mine && c->group > 0) {
        kill(-c->group, SIGKILL);
        if (c->pid > 0) {
            kill(c->pid, SIGKILL);
            waitpid(c->pid, NULL, 0);
        }
        kill_orphans(c->owner);
    }
    shut(&c->to);
    shut(&c->from);
    shut(&c->printed);
    if (mine)
        client_remove_folder(c->folder);
    c->owner = c->pid = c->group = c->runs = 0;
}

/* --- messages */

static double seconds_of(pid_t pid)
{
    clockid_t clock;
    return pid > 0 && clock_getcpuclockid(pid, &clock) == 0 ? clock_of(clock) : 0;
}

double client_seconds(const struct client *c)
{
    return seconds_of(c->pid) + (c->runs != c->pid ? seconds_of(c->runs) : 0);
}

/* IO_ERROR, in one sentence: how the program ended, and the last line that it printed. */
static enum status ended(struct client *c, const char *what, struct why *why)
{
    char words[160], how[80] = "";
    int status;
    int turns = 0;
    while (waitpid(c->pid, &status, WNOHANG) != c->pid && ++turns < 50)
        usleep(10000);                       /* it closes the channel before it has ended */
    client_last_line(c, words);
    if (turns < 50) {
        if (WIFSIGNALED(status))
            snprintf(how, sizeof how, " (signal %d, %s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            snprintf(how, sizeof how, " (exit code %d)", WEXITSTATUS(status));
        c->pid = -1;
    }
    return why_set(why, IO_ERROR, "%s%s%s%s", what, how, *words ? ": " : "", words);
}

enum status client_send(struct client *c, const struct wire_out *w, struct why *why)
{
    for (size_t sent = 0; sent < w->n;) {
        ssize_t n = write(c->to, w->at + sent, w->n - sent);
        if (n > 0)
            sent += (size_t)n;
        else if (n < 0 && errno == EAGAIN) {
            struct pollfd p = { .fd = c->to, .events = POLLOUT };
            if (poll(&p, 1, 5000) == 0)
                return ended(c, "the program does not read its answers", why);
        } else if (n < 0 && errno != EINTR)
            return ended(c, "the program ended", why);
    }
    return OK;
}

/* at[n] <- bytes from the program. */
static enum status take(struct client *c, size_t n, unsigned char *at, const struct client_limits *l, double begun,
                        struct why *why)
{
    while (n) {
        ssize_t got = read(c->from, at, n);
        if (got > 0) {
            at += got;
            n -= (size_t)got;
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return ended(c, "the program ended before its answer", why);
        struct pollfd p = { .fd = c->from, .events = POLLIN };
        poll(&p, 1, TICK);
        take_printed(c);                     /* a full pipe would stop it */
        if (clock_of(CLOCK_MONOTONIC) - begun > l->real)
            return why_set(why, TIMED_OUT, "no message for %.3g s", l->real);
        if (client_seconds(c) + clock_of(CLOCK_PROCESS_CPUTIME_ID) > l->processor)
            return why_set(why, TIMED_OUT, "its processor time is spent");
    }
    return OK;
}

enum status client_finish(struct client *c, double seconds, struct why *why)
{
    char byte;
    double end = clock_of(CLOCK_MONOTONIC) + seconds;
    shut(&c->to);
    for (ssize_t got; (got = read(c->from, &byte, 1)) != 0;) {
        if (got > 0)
            return why_set(why, IO_ERROR, "a message after its answer");
        if ((errno != EAGAIN && errno != EINTR) || clock_of(CLOCK_MONOTONIC) > end)
            return OK;
        struct pollfd p = { .fd = c->from, .events = POLLIN };
        poll(&p, 1, TICK);
        take_printed(c);
    }
    return OK;
}

enum status client_receive(struct client *c, size_t most, const struct client_limits *limits, uint32_t *kind,
                           struct wire_in *in, struct why *why)
{
    unsigned char header[WIRE_HEADER];
    double begun = clock_of(CLOCK_MONOTONIC);
    TRY(take(c, sizeof header, header, limits, begun, why));
    struct wire_in h = { .at = header, .n = sizeof header };
    size_t n = wire_get_u32(&h);
    *kind = wire_get_u32(&h);
    if (n > most)
        return why_set(why, IO_ERROR, "a message of %zu bytes, expected at most %zu", n, most);
    if (n > c->in_room) {
        free(c->in);
        c->in = malloc(n);
        c->in_room = n;
        BUG_IF(!c->in);
    }
    TRY(take(c, n, c->in, limits, begun, why));
    *in = (struct wire_in){ .at = c->in, .n = n };
    return OK;
}

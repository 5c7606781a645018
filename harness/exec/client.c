/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - starts a program, talks to it, and ends it. */
#include "exec/client.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "numeric/kind.h"
#include "numeric/lanes.h"

/* READS, WRITES, MEMORY: descriptors of the program. TICK: milliseconds between two looks at the limits of time; a
 * program may pass its limits by as much. */
enum { READS = 3, WRITES = 4, MEMORY = 5, TICK = 50 };

/* --- the folder of the program */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at) { return remove(path); }
static int remove_inner(const char *path, const struct stat *info, int type, struct FTW *at)
{
    return at->level ? remove(path) : 0;
}

static void remove_folder(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
void client_empty_folder(const struct client *c) { nftw(c->folder, remove_inner, 16, FTW_DEPTH | FTW_PHYS); }

/* --- becoming the program: its limits, descriptors and environment */

static void limit(int resource, rlim_t value)
{
    struct rlimit r = { value, value };
    setrlimit(resource, &r);
}

/* Makes the stack of this process as deep as `become` needs it. The address space of this process may be larger
 * than the limit that the program gets; a stack that had to grow under that limit would end the process by SIGSEGV.
 * The address sanitizer would move the array to the heap. */
__attribute__((noinline, no_sanitize_address))
static void grow_stack(void)
{
    enum { DEPTH = 64 << 10, PAGE = 4096 };
    char stack[DEPTH];
    volatile char *page = stack;
    for (int k = 0; k < DEPTH; k += PAGE)
        page[k] = 0;
}

/* Sets every limit of the program's process, so that it inherits none from assay: to the value that is set below,
 * or else as wide as the system allows. */
static void set_limits(size_t memory)
{
    grow_stack();
    for (int k = 0; k < RLIMIT_NLIMITS; k++) {
        struct rlimit r;
        if (getrlimit(k, &r) == 0 && r.rlim_cur != r.rlim_max)
            limit(k, r.rlim_max);
    }
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_STACK, 8 << 20);
    if (memory)
        limit(RLIMIT_AS, memory);
}

/* What the program and its keeper, the process above it (client.h), are started with: the command, the program's
 * folder, its ends of the pipes, the shared memory, and `most`, the most bytes of memory that a process may
 * have. */
struct birth { char *const *argv; const char *folder; int reads, writes, printed, memory; size_t most; };

/* Sends the number of this process as a message ASK_READY. It is the first message of a program, sent before the
 * program itself begins. */
static void say_ready(int to)
{
    struct wire_out w = { 0 };
    wire_begin(&w, ASK_READY);
    wire_u32(&w, (uint32_t)getpid());
    wire_end(&w);
    if (write(to, w.at, w.n) < 0)
        _exit(127);
}

/* pin[0..2] <- environment variables for the program, which keep BLAS, glibc and NumPy from using AVX-512. Otherwise
 * SciPy's last digits, and with them its iteration counts, would depend on whether the processor has AVX-512. At the
 * level portable the variables forbid AVX and AVX2 too. Returns the number of variables: 3, or 0 on
 * other processors than x86-64. */
static int pins(char pin[3][200])
{
#ifdef __x86_64__
    int level = lanes_level();
    struct kind_pins k = kind_pins(level < LANES_avx2 ? level : LANES_avx2);
    snprintf(pin[0], sizeof pin[0], "OPENBLAS_CORETYPE=%s", k.core);
    snprintf(pin[1], sizeof pin[1], "GLIBC_TUNABLES=%s", k.tunables);
    snprintf(pin[2], sizeof pin[2], "NPY_DISABLE_CPU_FEATURES=%s", k.numpy);
    return 3;
#else
    return 0;
#endif
}

/* Replaces this process by the program, after everything that the program would inherit is set. */
static _Noreturn void become(const struct birth *b)
{
    char home[CLIENT_FOLDER + 8], temporary[CLIENT_FOLDER + 8], path[4096], python[4096], pin[3][200];
    const char *user_path = getenv("PATH"), *user_python = getenv("PYTHONPATH");
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int k = 1; k < NSIG; k++)
        signal(k, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    /* Copies have numbers above those that dup2 overwrites. */
    int printed = fcntl(b->printed, F_DUPFD, 20), reads = fcntl(b->reads, F_DUPFD, 20),
        writes = fcntl(b->writes, F_DUPFD, 20), memory = fcntl(b->memory, F_DUPFD, 20);
    dup2(nothing, 0);
    dup2(printed, 1);
    dup2(printed, 2);
    dup2(reads, READS);
    dup2(writes, WRITES);
    dup2(memory, MEMORY);
    syscall(SYS_close_range, MEMORY + 1, ~0u, 0);
    say_ready(WRITES);
    set_limits(b->most);
    snprintf(home, sizeof home, "HOME=%s", b->folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", b->folder);
    snprintf(path, sizeof path, "PATH=%s", user_path ? user_path : "/usr/bin:/bin");
    snprintf(python, sizeof python, "PYTHONPATH=%s", user_python ? user_python : "");
    char *environment[] = { home, temporary, path, python, "LANG=C.UTF-8", "ASSAY_METHOD=1", "PYTHONHASHSEED=0",
                            "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
                            "MKL_NUM_THREADS=1", "JULIA_NUM_THREADS=1", NULL, NULL, NULL, NULL };
    enum { FIXED = sizeof environment / sizeof *environment - 4 };
    for (int k = 0, n = pins(pin); k < n; k++)
        environment[FIXED + k] = pin[k];
    if (chdir(b->folder) == 0)
        execvpe(b->argv[0], b->argv, environment);
    /* The limit of memory may leave none to allocate, so the following lines allocate nothing. */
    snprintf(path, sizeof path, "%.4000s: %s\n", b->argv[0], strerrordesc_np(errno));
    _exit(write(2, path, strlen(path)) < 0 ? 126 : 127);
}

/* --- the keeper: a process between assay, its owner, and the program. It starts the program, and ends the
 * program with all that it has started when the program ends or SIGTERM comes. */

static void kill_children(void)
{
    char path[64], list[4096];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, list, sizeof list - 1);
    if (fd >= 0)
        close(fd);
    list[n > 0 ? n : 0] = 0;
    for (char *at = list, *end; *at; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at)
            break;
        kill((pid_t)pid, SIGKILL);
    }
}

/* Ends the program and all that it has started. A process that has left the group is found too, since orphans
 * become children of the keeper. Returns the wait status of the program; `status` where the program has ended
 * before. */
static int end_all(pid_t program, int status)
{
    kill(-program, SIGKILL);
    for (;;) {
        int s;
        kill_children();
        pid_t pid = waitpid(-1, &s, 0);
        if (pid < 0 && errno != EINTR)
            return status;
        if (pid == program)
            status = s;
    }
}

/* Ends this process, the keeper, by the exit code or the signal by which the program has ended. From the wait
 * status of the keeper, assay learns how the program has ended. */
static _Noreturn void end_like(int status)
{
    sigset_t none;
    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    limit(RLIMIT_CORE, 0);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    kill(getpid(), WTERMSIG(status));
    _exit(127);
}

static _Noreturn void keep(const struct birth *b, pid_t owner)
{
    sigset_t all;
    int status = 0;
    bool ended = false;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);        /* the signal comes when the owner ends */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != owner)
        _exit(0);
    pid_t program = fork();
    if (program == 0)
        become(b);
    syscall(SYS_close_range, 0, ~0u, 0);     /* so that the pipes close when the program ends */
    while (program > 0 && !ended) {
        int got = sigwaitinfo(&all, NULL), s;
        if (got == SIGTERM)
            break;
        for (pid_t pid; got == SIGCHLD && (pid = waitpid(-1, &s, WNOHANG)) > 0;)
            if (pid == program) {
                status = s;
                ended = true;
            }
    }
    if (program > 0)
        status = end_all(program, status);
    remove_folder(b->folder);
    end_like(status);
}

/* --- starting and ending the keeper; shared memory */

static void shut(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static bool open_channel(int to[2], int from[2], int printed[2], int *memory)
{
    *memory = memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return *memory >= 0 && fcntl(*memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0 &&
           pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0 && pipe2(printed, O_CLOEXEC) == 0;
}

enum status client_start(struct client *c, char *const argv[], size_t memory, struct why *why)
{
    int to[2] = { -1, -1 }, from[2] = { -1, -1 }, printed[2] = { -1, -1 };
    unsigned char *in = c->in;
    size_t room = c->in_room;
    const char *temporary = getenv("TMPDIR");
    *c = (struct client){ .owner = getpid(), .in = in, .in_room = room, .memory = -1 };
    snprintf(c->folder, sizeof c->folder, "%.200s/assay-method-XXXXXX", temporary ? temporary : "/tmp");
    bool made = mkdtemp(c->folder);
    bool whole = made && open_channel(to, from, printed, &c->memory);
    struct birth b = { argv, c->folder, to[0], from[1], printed[1], c->memory, memory };
    c->keeper = whole ? fork() : -1;
    if (c->keeper == 0)
        keep(&b, c->owner);
    int error = errno;
    close(to[0]);
    close(from[1]);
    close(printed[1]);
    c->to = to[1];
    c->from = from[0];
    c->printed = printed[0];
    if (c->keeper < 0) {
        if (made)
            remove_folder(c->folder);
        shut(&c->to);
        shut(&c->from);
        shut(&c->printed);
        shut(&c->memory);
        c->keeper = 0;
        return why_set(why, IO_ERROR, "no process for %.100s: %s", argv[0], strerror(error));
    }
    signal(SIGPIPE, SIG_IGN);                /* write returns EPIPE after the end of a program */
    fcntl(c->to, F_SETFL, O_NONBLOCK);
    fcntl(c->from, F_SETFL, O_NONBLOCK);
    fcntl(c->printed, F_SETFL, O_NONBLOCK);
    client_limits(c, INFINITY, INFINITY);
    return OK;
}

void client_stop(struct client *c)
{
    if (!c->keeper)
        return;
    if (c->owner == getpid() && c->keeper > 0) {     /* a forked process has a copy of *c, but no keeper */
        kill(c->keeper, SIGTERM);
        waitpid(c->keeper, NULL, 0);
    }
    shut(&c->to);
    shut(&c->from);
    shut(&c->printed);
    shut(&c->memory);
    if (c->shared)
        munmap(c->shared, c->shared_room);
    c->shared = NULL;
    c->shared_room = 0;
    c->keeper = c->pid = c->runs = 0;
}

enum status client_share(struct client *c, size_t bytes, struct why *why)
{
    if (bytes <= c->shared_room)
        return OK;
    if (c->shared)
        munmap(c->shared, c->shared_room);
    c->shared_room = 0;
    struct stat now;                         /* the program may have made the memory larger */
    if (fstat(c->memory, &now) == 0 && (size_t)now.st_size > bytes)
        bytes = (size_t)now.st_size;
    void *at = ftruncate(c->memory, (off_t)bytes) ? MAP_FAILED
             : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->memory, 0);
    c->shared = at == MAP_FAILED ? NULL : at;
    if (!c->shared)
        return why_set(why, IO_ERROR, "%zu bytes of memory for its vectors: %s", bytes, strerror(errno));
    c->shared_room = bytes;
    return OK;
}

/* --- what the program prints */

/* Keeps the end of what the program has printed. A call reads 64 KB at most, so that it returns even if the program
 * prints without end. */
static void take_printed(struct client *c)
{
    char block[4096];
    ssize_t n = 0;
    for (int turn = 0; turn < 16 && c->printed >= 0 && (n = read(c->printed, block, sizeof block)) > 0; turn++) {
        size_t keep = (size_t)n, kept = c->saids;
        if (kept + keep > CLIENT_SAID - 1) {         /* drop the oldest bytes */
            size_t drop = kept + keep - (CLIENT_SAID - 1);
            drop = drop < kept ? drop : kept;
            memmove(c->said, c->said + drop, kept - drop);
            c->saids = kept -= drop;
        }
        size_t from = keep > CLIENT_SAID - 1 ? keep - (CLIENT_SAID - 1) : 0;
        memcpy(c->said + kept, block + from, keep - from);
        c->saids = kept + keep - from;
    }
    if (c->printed >= 0 && n == 0)
        shut(&c->printed);                   /* nobody prints any more */
    c->said[c->saids] = 0;
}

/* *begin, *end <- the last line that is not blank of the first *end bytes of what the program has printed. */
static void line_before(const struct client *c, size_t *begin, size_t *end)
{
    while (*end > 0 && (c->said[*end - 1] == '\n' || c->said[*end - 1] == ' '))
        --*end;
    *begin = *end;
    while (*begin > 0 && c->said[*begin - 1] != '\n')
        --*begin;
}

const char *client_last_line(struct client *c, char words[160])
{
    /* After an error, Rscript prints the first of these lines and, above it, the second one if the error was in a
     * function. The line that says what went wrong stands above them. */
    static const char *const of_r[] = { "Execution halted", "Calls: " };
    take_printed(c);
    size_t end = c->saids, begin;
    line_before(c, &begin, &end);
    for (int k = 0; k < 2 && begin && strncmp(c->said + begin, of_r[k], strlen(of_r[k])) == 0; k++) {
        end = begin;
        line_before(c, &begin, &end);
    }
    snprintf(words, 160, "%.*s", (int)(end - begin < 150 ? end - begin : 150), c->said + begin);
    for (char *at = words; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    return words;
}

/* --- limits of time */

double client_seconds(const struct client *c)
{
    return clock_processor_of(c->pid) + (c->runs != c->pid ? clock_processor_of(c->runs) : 0);
}

double client_ended_seconds(const struct client *c)
{
    char path[64], text[1024];
    double user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)c->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *at = strrchr(text, ')');     /* the name of the program stands in brackets; behind it come 13 other
                                                fields, then user and system time of its ended children */
    if (!at || sscanf(at + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lf %lf", &user, &system) != 2)
        return 0;
    return (user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double spent(const struct client *c) { return client_seconds(c) + clock_processor(); }

void client_limits(struct client *c, double processor, double real)
{
    c->began = clock_steady();
    c->ends = c->began + real;
    c->spends = spent(c) + processor;
    c->looks = c->began + TICK * 1e-3;
}

void client_hurry(struct client *c, double real)
{
    c->ends = fmin(c->ends, clock_steady() + real);
}

/* Returns TIMED_OUT where a limit has passed. It looks every TICK only, so that most questions do not pay for
 * it. */
static enum status look(struct client *c, struct why *why)
{
    double now = clock_steady();
    if (now < c->looks && now < c->ends)
        return OK;
    c->looks = now + TICK * 1e-3;
    take_printed(c);                         /* a full pipe would stop the program */
    if (now > c->ends)
        return why_set(why, TIMED_OUT, "not done after %.3g s of real time", c->ends - c->began);
    if (spent(c) > c->spends)
        return why_set(why, TIMED_OUT, "its processor time is spent");
    return OK;
}

/* Waits until the descriptor is ready, a limit has passed, or TICK is over. */
static enum status await(struct client *c, int fd, short events, struct why *why)
{
    double left = c->ends - clock_steady();
    struct pollfd p[2] = { { .fd = fd, .events = events }, { .fd = c->printed, .events = POLLIN } };
    poll(p, 2, left < TICK * 1e-3 ? (int)ceil(fmax(left, 0) * 1e3) : TICK);
    if (p[1].revents)
        take_printed(c);
    return look(c, why);
}

/* --- messages */

/* Returns IO_ERROR. *why <- `what`, how the program ended, and the last line that it printed. */
static enum status ended(struct client *c, const char *what, struct why *why)
{
    char words[160], how[80] = "";
    int status, turns = 0;
    while (waitpid(c->keeper, &status, WNOHANG) != c->keeper && ++turns < 50)
        usleep(10000);                       /* the channel closes a moment before the program has ended */
    client_last_line(c, words);
    if (turns < 50) {
        if (WIFSIGNALED(status))
            snprintf(how, sizeof how, " (signal %d, %s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            snprintf(how, sizeof how, " (exit code %d)", WEXITSTATUS(status));
        c->keeper = -1;
    }
    return why_set(why, IO_ERROR, "%s%s%s%s", what, how, *words ? ": " : "", words);
}

enum status client_send(struct client *c, const struct wire_out *w, struct why *why)
{
    for (size_t sent = 0; sent < w->n;) {
        ssize_t n = write(c->to, w->at + sent, w->n - sent);
        if (n > 0)
            sent += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            TRY(await(c, c->to, POLLOUT, why));
        else if (n < 0 && errno != EINTR)
            return ended(c, "the program ended before its answer", why);
    }
    return OK;
}

/* Makes room for n bytes in c->in: the header of a message and what follows it. */
static void make_room(struct client *c, size_t n)
{
    if (n <= c->in_room)
        return;
    c->in_room = n + 4096;
    c->in = realloc(c->in, c->in_room);
    BUG_IF(!c->in);
}

/* Reads until c->in has n bytes of the message. */
static enum status take(struct client *c, size_t n, struct why *why)
{
    while (c->in_got < n) {
        ssize_t got = read(c->from, c->in + c->in_got, c->in_room - c->in_got);
        if (got > 0)
            c->in_got += (size_t)got;
        else if (got < 0 && errno == EAGAIN)
            TRY(await(c, c->from, POLLIN, why));
        else if (got == 0 || errno != EINTR)
            return ended(c, "the program ended before its answer", why);
    }
    return OK;
}

enum status client_receive(struct client *c, size_t most, uint32_t *kind, struct wire_in *in, struct why *why)
{
    TRY(look(c, why));
    c->in_got -= c->in_used;
    if (c->in_got)
        memmove(c->in, c->in + c->in_used, c->in_got);
    c->in_used = 0;
    make_room(c, WIRE_HEADER);
    TRY(take(c, WIRE_HEADER, why));
    struct wire_in h = { .at = c->in, .n = WIRE_HEADER };
    size_t n = wire_get_u32(&h);
    *kind = wire_get_u32(&h);
    if (n > most)
        return why_set(why, IO_ERROR, "a message of %zu bytes, expected at most %zu", n, most);
    make_room(c, WIRE_HEADER + n);
    TRY(take(c, WIRE_HEADER + n, why));
    c->in_used = WIRE_HEADER + n;
    *in = (struct wire_in){ .at = c->in + WIRE_HEADER, .n = n, .points = 1, .shared = c->shared,
                            .shared_room = c->shared_room };
    return OK;
}

bool client_has_more(struct client *c)
{
    make_room(c, c->in_got + 1);
    ssize_t got = c->in_got > c->in_used ? 0 : read(c->from, c->in + c->in_got, c->in_room - c->in_got);
    c->in_got += got > 0 ? (size_t)got : 0;
    return c->in_got > c->in_used;
}

enum status client_finish(struct client *c, struct why *why)
{
    char byte;
    shut(&c->to);
    if (c->in_got > c->in_used)
        return why_set(why, IO_ERROR, "a message after its answer");
    for (ssize_t got; (got = read(c->from, &byte, 1)) != 0;) {
        if (got > 0)
            return why_set(why, IO_ERROR, "a message after its answer");
        if (errno != EAGAIN && errno != EINTR)
            return OK;
        struct why late;
        if (await(c, c->from, POLLIN, &late) != OK)
            return OK;
    }
    return OK;
}

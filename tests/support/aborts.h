/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aborts.h - tests whether a broken contract stops the process. The call is made in a child process, whose messages
 * go to a temporary file. */
#ifndef ASSAY_TESTS_ABORTS_H
#define ASSAY_TESTS_ABORTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does act(ctx) end by SIGABRT? text[size] (or NULL) <- what it wrote to stderr. */
static inline bool aborts(void (*act)(void *ctx), void *ctx, char *text, size_t size)
{
    FILE *log = tmpfile();
    int status = 0;
    fflush(NULL);
    pid_t child = log ? fork() : -1;
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        signal(SIGABRT, SIG_DFL);
        dup2(fileno(log), STDERR_FILENO);
        act(ctx);
        _exit(0);
    }
    bool reaped = child > 0 && waitpid(child, &status, 0) == child;
    if (log && text) {
        rewind(log);
        text[fread(text, 1, size - 1, log)] = 0;
    }
    if (log)
        fclose(log);
    return reaped && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#endif

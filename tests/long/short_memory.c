/* SPDX-License-Identifier: GPL-3.0-or-later */
/* short_memory.c - a library to preload: allocation number FAIL_AT fails, and with FAIL_ALL=1 every one after it.
 * Only the process that was started counts its allocations; with FAIL_IN=workers, only processes that it forks do,
 * each its own. Where COUNT_FILE is set, the process writes there how many allocations it had. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);

static pid_t first;
static bool in_workers, all;
static long at, count;
static const char *count_file;

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *in = getenv("FAIL_IN");
    at = number_of("FAIL_AT");
    all = number_of("FAIL_ALL");
    in_workers = in && strcmp(in, "workers") == 0;
    count_file = getenv("COUNT_FILE");
    unsetenv("LD_PRELOAD");              /* programs that it starts have all memory */
    count = 0;
    first = getpid();
}

__attribute__((destructor)) static void end(void)
{
    FILE *f = count_file && getpid() == first ? fopen(count_file, "w") : NULL;
    if (f) {
        fprintf(f, "%ld\n", count);
        fclose(f);
    }
}

static bool fails(void)
{
    if (!first || (getpid() != first) != in_workers)
        return false;
    count++;
    bool now = at && (count == at || (all && count > at));
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { return n && fails() ? NULL : __libc_realloc(old, n); }

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.h - for tests of the program as users run it: runs commands in a temporary folder. */
#ifndef ASSAY_TESTS_SHELL_H
#define ASSAY_TESTS_SHELL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char shell_folder[256];

/* Makes a fresh temporary folder, in which all commands run. */
static inline void shell_begin(void)
{
    snprintf(shell_folder, sizeof shell_folder, "/tmp/assay-test-XXXXXX");
    if (!mkdtemp(shell_folder) || chdir(shell_folder))
        abort();
}

static inline void shell_end(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", shell_folder);
    if (chdir("/") || system(command))
        abort();
}

/* Runs a command line in which `assay` stands for the program. Returns its exit code, -1 if it was killed. */
__attribute__((format(printf, 1, 2)))
static inline int shell(const char *format, ...)
{
    char line[2000], full[2400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    snprintf(full, sizeof full, "assay() { '%s/assay' \"$@\"; }\n%s", BUILD_DIR, line);
    int status = system(full);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the contents of a file of the folder, "" if there is none; free() it. */
static inline char *shell_read(const char *name)
{
    FILE *f = fopen(name, "r");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int c; f && (c = fgetc(f)) != EOF;)
        fputc(c, out);
    if (f)
        fclose(f);
    fclose(out);
    return text;
}

static inline int shell_lines(const char *name)
{
    char *text = shell_read(name);
    int lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

static inline int shell_contains(const char *name, const char *words)
{
    char *text = shell_read(name);
    int found = strstr(text, words) != NULL;
    free(text);
    return found;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tutorial.c - docs/tutorial.md and docs/experiments.md work as printed: their files are saved under the names
 * that they give, their commands are typed in their order, and every line that they show of an output was printed
 * by the command before.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdbool.h>

#include "support/shell.h"

/* Makes a copy of the tree with its objects, so that only what is new is compiled, without files left by somebody
 * who typed the same commands. */
static int begin(void **state)
{
    shell_begin();
    return shell("mkdir tree && cp -a '%s'/. tree 2> /dev/null; cd tree && rm -rf .git results/store "
                 "results/report sets results/sweep results/test results/import results.csv studies "
                 "claims/my_sgd.c algos/momentum.c "
                 "claims/polyak.c exam.csv exam.model; test -e docs/tutorial.md", SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Replaces every run of blanks in text by one blank, since columns widen with their contents. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' ' && to[-1] != '\n'))
            *to++ = *from;
    *to = '\0';
}

/* Types a command; a comment may name the exit code with which it must end. */
static void type(const char *line)
{
    const char *exits = strstr(line, "# exits with ");
    int expected = exits ? atoi(exits + strlen("# exits with ")) : 0;
    FILE *f = fopen("line", "w");
    fprintf(f, "%s\n", line);
    fclose(f);
    int code = shell("cd tree && DEPS=no sh ../line > ../out.txt 2>&1 < /dev/null");
    if (code != expected) {
        char *out = shell_read("out.txt");
        print_message("%s: exit code %d, expected %d\n%s\n", line, code, expected, out);
        free(out);
    }
    assert_int_equal(code, expected);
}

/* The last command must have printed the shown line. */
static void compare(const char *shown)
{
    char *out = shell_read("out.txt"), *line = strdup(shown);
    squeeze(out);
    squeeze(line);
    if (!strstr(out, line)) {
        print_message("not printed: %s\nbut:\n%s\n", line, out);
        fail();
    }
    free(out);
    free(line);
}

/* name <- tree/NAME, if the line has the words "Save this as `NAME`"; returns whether it has them. */
static bool saves(const char *line, char *name)
{
    const char *at = strstr(line, "Save this as `"), *ends = at ? strchr(at + 14, '`') : NULL;
    if (!ends || ends - at - 14 >= 200)
        return false;
    snprintf(name, 200, "tree/%.*s", (int)(ends - at - 14), at + 14);
    return true;
}

/* Does the line begin a block with a file that is to be saved? */
static bool opens_file(const char *line) { return strcmp(line, "```c") == 0 || strcmp(line, "```ini") == 0; }

/* Types a page; it must have `files_expected` files, and at least `least` commands and `least` shown lines. */
static void type_page(const char *path, int files_expected, int least)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: pages are typed with the plain build\n");
        skip();
    }
    char *page = shell_read(path), *rest = page, name[200] = "";
    int commands = 0, files = 0, shown = 0;
    FILE *file = NULL;
    enum { PROSE, SOURCE, OUTPUT } in = PROSE;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (in == PROSE && opens_file(line)) {
            assert_true(name[0] != '\0');
            file = fopen(name, "w");
            assert_non_null(file);
            files++;
            in = SOURCE;
        } else if (in == PROSE && strcmp(line, "```text") == 0) {
            in = OUTPUT;
        } else if (strcmp(line, "```") == 0) {
            if (in == SOURCE)
                fclose(file);
            name[0] = '\0';
            in = PROSE;
        } else if (in == SOURCE) {
            fprintf(file, "%s\n", line);
        } else if (in == OUTPUT) {
            compare(line);
            shown++;
        } else if (strncmp(line, "    ", 4) == 0 && isalpha((unsigned char)line[4])) {
            type(line + 4);
            commands++;
        } else {
            saves(line, name);
        }
    }
    free(page);
    assert_int_equal(in, PROSE);
    assert_int_equal(files, files_expected);
    assert_true(commands >= least && shown >= least);
}

static void tutorial(void **state) { type_page("tree/docs/tutorial.md", 2, 15); }
static void experiments(void **state) { type_page("tree/docs/experiments.md", 1, 16); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tutorial),
        cmocka_unit_test(experiments),
    };
    return cmocka_run_group_tests_name("tutorial", tests, begin, end);
}

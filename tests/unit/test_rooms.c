/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rooms.c - the rooms of harness/ are in an order, ROOMS of the Makefile: a file includes and calls only its
 * own room and those before it. This is checked by the files that the compiler read (.d files) and by the symbols
 * of the objects (nm). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the number of the room in the path harness/ROOM/..., from 1 on; 0: api/, below all; -1: no room. */
static int room_of(const char *path)
{
    const char *at = strstr(path, "harness/");
    char name[64] = " ", list[] = " " ROOMS " ";
    if (!at || sscanf(at, "harness/%60[^/]/", name + 1) != 1)
        return -1;
    if (strcmp(name, " api") == 0)
        return 0;
    strcat(name, " ");
    char *found = strstr(list, name);
    int room = 1;
    for (char *c = list + 1; found && c <= found; c++)
        room += *c == ' ';
    return found ? room : -1;
}

/* --- includes: words of .d files, "build/obj/harness/oracle/oracle.o:" and its prerequisites */

/* Reads .d files. from <- the first object whose sources include a file of a room above its own, or of no room; to
 * <- the included file. Returns false if there is no such object. */
static bool include_up(FILE *f, char from[300], char to[300], int *read)
{
    char word[300], target[300] = "";
    while (fscanf(f, " %299s", word) == 1) {
        size_t n = strlen(word);
        if (word[n - 1] == ':') {
            if (n > 3 && strcmp(word + n - 3, ".o:") == 0)
                snprintf(target, sizeof target, "%s", word);
            continue;
        }
        if (strncmp(word, "harness/", 8))
            continue;
        ++*read;
        if (room_of(word) < 0 || room_of(word) > room_of(target)) {
            memcpy(from, target, 300);
            memcpy(to, word, 300);
            return true;
        }
    }
    return false;
}

static void includes_go_down(void **state)
{
    char from[300], to[300];
    int read = 0;
    FILE *f = popen("cd '" BUILD_DIR "/obj' && for r in " ROOMS "; do cat harness/$r/*.d; done", "r");
    assert_non_null(f);
    if (include_up(f, from, to, &read))
        fail_msg("%s includes %s", from, to);
    assert_int_equal(pclose(f), 0);
    assert_true(read > 1000);
}

static void an_include_that_goes_up_is_seen(void **state)
{
    char from[300], to[300];
    int read = 0;
    FILE *f = tmpfile();
    fputs("build/obj/harness/store/store.o: harness/store/store.c \\\n harness/base/bag.h harness/api/vec.h\n"
          "build/obj/harness/store/store_row.o: harness/store/store_row.c \\\n harness/plan/plan.h\n", f);
    rewind(f);
    assert_true(include_up(f, from, to, &read));
    assert_string_equal(from, "build/obj/harness/store/store_row.o:");
    assert_string_equal(to, "harness/plan/plan.h");
    fclose(f);
}

/* --- calls: lines of `nm -A -P`, "build/obj/harness/base/arena.o: arena_vec T 0 12" */

struct symbol { char name[120]; int room; };
struct symbols { struct symbol *at; size_t count, room; };

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

/* from <- the first object that uses a symbol of a room above its own; to <- this symbol. Returns false if there is
 * no such object. */
static bool call_up(FILE *f, char from[300], char to[300], size_t *calls)
{
    struct symbols defined = { 0 };
    char object[300], name[300], type, line[900];
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%299s %299s %c", object, name, &type) == 3 && type != 'U' && strlen(name) < 120) {
            if (defined.count == defined.room) {
                defined.room = 2 * defined.room + 64;
                defined.at = realloc(defined.at, defined.room * sizeof *defined.at);
                assert_non_null(defined.at);
            }
            struct symbol *s = &defined.at[defined.count++];
            snprintf(s->name, sizeof s->name, "%.119s", name);
            s->room = room_of(object);
        }
    qsort(defined.at, defined.count, sizeof *defined.at, by_name);
    rewind(f);
    bool up = false;
    while (!up && fgets(line, sizeof line, f)) {
        struct symbol wanted = { "", 0 };
        if (sscanf(line, "%299s %299s %c", object, name, &type) != 3 || type != 'U' || strlen(name) >= 120)
            continue;
        snprintf(wanted.name, sizeof wanted.name, "%.119s", name);
        const struct symbol *s = bsearch(&wanted, defined.at, defined.count, sizeof *defined.at, by_name);
        *calls += s != NULL;
        if (s && s->room > room_of(object)) {
            snprintf(from, 300, "%s", object);
            snprintf(to, 300, "%s", name);
            up = true;
        }
    }
    free(defined.at);
    return up;
}

static void calls_go_down(void **state)
{
    char from[300], to[300];
    size_t calls = 0;
    FILE *f = tmpfile(), *nm = popen("cd '" BUILD_DIR "/obj' && for r in " ROOMS "; do nm -A -P -g harness/$r/*.o; "
                                     "done", "r");
    assert_non_null(nm);
    for (int c; (c = getc(nm)) != EOF;)
        putc(c, f);
    assert_int_equal(pclose(nm), 0);
    rewind(f);
    if (call_up(f, from, to, &calls))
        fail_msg("%s calls %s", from, to);
    assert_true(calls > 1000);
    fclose(f);
}

static void a_call_that_goes_up_is_seen(void **state)
{
    char from[300], to[300];
    size_t calls = 0;
    FILE *f = tmpfile();
    fputs("harness/run/run.o: run_cell T 0 9\nharness/store/store.o: run_cell U\nharness/run/run.o: run_cell U\n",
          f);
    rewind(f);
    assert_true(call_up(f, from, to, &calls));
    assert_string_equal(from, "harness/store/store.o:");
    assert_string_equal(to, "run_cell");
    fclose(f);
}

/* --- what may stand in which folder */

static void nothing_stands_outside_the_rooms(void **state)
{
    FILE *f = popen("cd '" SOURCE_DIR "' && ls harness/*.c harness/*.h 2> /dev/null; "
                    "for r in harness/*/; do case ' " ROOMS " api make ' in *\" $(basename $r) \"*) ;; *) echo "
                            "$r;; esac; done", "r");
    char line[300] = "";
    assert_non_null(f);
    if (fgets(line, sizeof line, f))
        fail_msg("%s", line);
    pclose(f);
}

/* A bare name in an include is a header of the contract: no room has a header of that name. */
static void names_of_the_contract_are_its_own(void **state)
{
    FILE *f = popen("cd '" SOURCE_DIR "/harness' && for h in api/*.h; do ls */$(basename $h) | grep -v ^api/; "
                    "done", "r");
    char line[300] = "";
    assert_non_null(f);
    if (fgets(line, sizeof line, f))
        fail_msg("%s", line);
    pclose(f);
}

/* No folder but tests/unit, whose files are all of one kind, has more than 60 files. */
static void no_folder_is_overfull(void **state)
{
    FILE *f = popen("cd '" SOURCE_DIR "' && for d in algos problems claims harness tests docs; do "
                    "find $d -type d ! -path '*/build*'; done | while read -r d; do "
                    "n=$(find $d -maxdepth 1 -type f | wc -l); [ $n -le 60 ] || [ $d = tests/unit ] || echo $d: "
                            "$n; done", "r");
    char line[300] = "";
    assert_non_null(f);
    if (fgets(line, sizeof line, f))
        fail_msg("%s", line);
    pclose(f);
}

/* Only harness/cli/ knows struct options: other rooms are given the values that they need. */
static void options_stay_in_the_command_line(void **state)
{
    FILE *f = popen("cd '" SOURCE_DIR "/harness' && grep -l 'struct options' */*.[ch] | grep -v ^cli/", "r");
    char line[300] = "";
    assert_non_null(f);
    if (fgets(line, sizeof line, f))
        fail_msg("%s", line);
    pclose(f);
}

/* --- only one file reads a clock */

/* Functions of the C library that tell a date or a time. Those that only wait, or make text of a date, are
 * allowed. */
#define CLOCKS "clock_gettime|time|gettimeofday|clock|times|ftime|timespec_get|clock_getcpuclockid|getrusage|" \
               "wait3|wait4|timerfd_gettime|timer_gettime|getitimer"

/* Only harness/base/clock.c reads a clock: no other object calls such a function, and no SQL asks for the date. */
static void one_file_reads_the_clocks(void **state)
{
    FILE *f = popen("cd '" BUILD_DIR "/obj' && find harness algos problems claims gen -name '*.o' | sort | "
                    "xargs nm -A -P -u | awk '{ sub(/@.*/, \"\", $2) } $2 ~ /^(" CLOCKS ")$/ { print $1, $2 }'; "
                    "cd '" SOURCE_DIR "' && grep -rniE --include='*.[ch]' "
                    "\"strftime\\('|(^|[^a-z_])(date|time|julianday|unixepoch)\\(\\)|'now'|current_(date|time)\" "
                    "harness", "r");
    char line[300], first[300] = "";
    int own = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "harness/base/clock.o:", 21) == 0)
            own++;
        else if (!*first)
            memcpy(first, line, sizeof first);
    pclose(f);
    if (*first)
        fail_msg("%s", first);
    assert_int_equal(own, 2);                /* clock_gettime and clock_getcpuclockid are found */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes_go_down),
        cmocka_unit_test(an_include_that_goes_up_is_seen),
        cmocka_unit_test(calls_go_down),
        cmocka_unit_test(a_call_that_goes_up_is_seen),
        cmocka_unit_test(nothing_stands_outside_the_rooms),
        cmocka_unit_test(names_of_the_contract_are_its_own),
        cmocka_unit_test(no_folder_is_overfull),
        cmocka_unit_test(options_stay_in_the_command_line),
        cmocka_unit_test(one_file_reads_the_clocks),
    };
    return cmocka_run_group_tests_name("rooms", tests, NULL, NULL);
}

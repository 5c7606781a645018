/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_links.c - checks what the pages of the repository say of files and other pages: links and anchors of every
 * *.md resolve; the files that ARCHITECTURE.md, CONVENTIONS.md and CONTRIBUTING.md name exist and contain what they
 * are said to contain; the table of rooms is the Makefile's; docs/testing.md describes every long test; all
 * versions agree, and the README is short. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Generated pages are left out. */
#define PAGES "find . -name '*.md' -not -path './build/*' -not -path './.git/*' -not -path './results/*'"
enum { README_WORDS = 1200 };

static int begin(void **state) { return chdir(SOURCE_DIR); }

/* Returns the contents of a file, "" if there is none; free() it. */
static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
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

/* Replaces code by blanks: fenced text, lines indented by four, and text between backticks. Line ends stay. */
static void blank_code(char *text)
{
    bool fence = false, blank_before = true, indented = false;
    for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        bool marks = strncmp(line, "```", 3) == 0, empty = line == end;
        indented = !empty && strncmp(line, "    ", 4) == 0 && (blank_before || indented);
        bool code = fence || marks || indented, span = false;
        for (char *c = line; c < end; c++) {
            bool tick = *c == '`';
            span ^= tick;
            if (code || span || tick)
                *c = ' ';
        }
        fence ^= marks;
        blank_before = empty || (indented && blank_before);
    }
}

/* --- anchors as GitHub makes them: the heading in lower case, without punctuation, '-' for blanks */

static void slug(const char *heading, size_t n, char *out, size_t room)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 1 < room; i++) {
        unsigned char c = (unsigned char)heading[i];
        if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
            out[k++] = (char)tolower(c);
        else if (c == ' ')
            out[k++] = '-';
    }
    out[k] = 0;
}

static bool has_anchor(const char *page, const char *anchor)
{
    bool fence = false, found = false;
    for (const char *line = page; *line && !found;) {
        size_t n = strcspn(line, "\n"), level = strspn(line, "#");
        fence ^= strncmp(line, "```", 3) == 0;
        if (!fence && level > 0 && line[level] == ' ') {
            char name[300];
            slug(line + level + 1, n - level - 1, name, sizeof name);
            found = strcmp(name, anchor) == 0;
        }
        line += n + (line[n] != 0);
    }
    return found;
}

/* --- links */

/* Returns what is wrong with the target of a link in the page at path; NULL: nothing. */
static const char *broken(const char *path, const char *target)
{
    char file[600];
    const char *hash = strchr(target, '#'), *slash = strrchr(path, '/');
    int n = hash ? (int)(hash - target) : (int)strlen(target);
    if (strstr(target, "://") || strncmp(target, "mailto:", 7) == 0)
        return NULL;
    if (n)
        snprintf(file, sizeof file, "%.*s%.*s", slash ? (int)(slash - path + 1) : 0, path, n, target);
    else
        snprintf(file, sizeof file, "%s", path);
    if (access(file, R_OK))
        return "no such file";
    if (!hash || !strstr(file, ".md"))
        return NULL;
    char *page = read_all(file);
    bool found = has_anchor(page, hash + 1);
    free(page);
    return found ? NULL : "no such heading";
}

/* Follows the links [...](target) in the text of the page at path. Returns their number, and writes the broken
 * ones. */
static int follow(const char *path, const char *text, FILE *wrong)
{
    int links = 0;
    char *prose = strdup(text), target[500];
    blank_code(prose);
    for (const char *at = prose; (at = strstr(at, "](")); at++) {
        size_t n = strcspn(at + 2, ")\n ");
        if (n == 0 || n >= sizeof target || at[2 + n] == '\n')
            continue;
        snprintf(target, sizeof target, "%.*s", (int)n, at + 2);
        const char *why = broken(path, target);
        if (why)
            fprintf(wrong, "%s: (%s): %s\n", path, target, why);
        links++;
    }
    free(prose);
    return links;
}

static void links_resolve(void **state)
{
    char path[500], *wrong = NULL;
    size_t size;
    int pages = 0, links = 0;
    FILE *list = popen(PAGES, "r"), *out = open_memstream(&wrong, &size);
    assert_non_null(list);
    while (fscanf(list, " %499[^\n]", path) == 1) {
        char *text = read_all(path);
        links += follow(path + 2, text, out);
        pages++;
        free(text);
    }
    assert_int_equal(pclose(list), 0);
    fclose(out);
    if (*wrong)
        fail_msg("\n%s", wrong);
    free(wrong);
    assert_true(pages >= 5 && links >= 20);
}

static void broken_links_are_seen(void **state)
{
    static const struct { const char *text; int links, wrong; } rows[] = {
        { "see [it](README.md), [there](README.md#two-commands) and [far](https://example.org/x#y)", 3, 0 },
        { "see [it](READMORE.md)", 1, 1 },
        { "see [it](README.md#no-such-heading)\nand ![figure](plots/none.svg)", 2, 2 },
        { "code `a[i](x)` and\n\n    b[i](x)\n\n```\nc[i](x)\n```\n[d](Makefile)", 1, 0 },
        { "a paragraph\n    that is indented: [d](none.md)", 1, 1 },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *wrong = NULL;
        size_t size;
        int lines = 0;
        FILE *out = open_memstream(&wrong, &size);
        assert_int_equal(follow("HERE.md", rows[k].text, out), rows[k].links);
        fclose(out);
        for (const char *c = wrong; *c; c++)
            lines += *c == '\n';
        assert_int_equal(lines, rows[k].wrong);
        free(wrong);
    }
    assert_true(has_anchor("# A b\n## Who: `x` or y?\n", "who-x-or-y"));
    assert_false(has_anchor("```\n# not a heading\n```\n", "not-a-heading"));
}

/* --- files that pages name in backticks */

/* Is the word a path of this repository? Three capitals in a row, as in `algos/NAME.c`, stand for any name. */
static bool is_path(const char *word)
{
    static const char *const tops[] = { "harness/", "algos/", "problems/", "claims/", "tests/", "docs/", "plots/",
                                        "results/baseline/", ".ci/" };
    for (const char *c = word, *begin = word; ; c++) {
        if (isupper((unsigned char)*c))
            continue;
        if (c - begin >= 3)
            return false;
        if (!*c)
            break;
        if (strchr(" *{<", *c))
            return false;
        begin = c + 1;
    }
    for (size_t k = 0; k < sizeof tops / sizeof *tops; k++)
        if (strncmp(word, tops[k], strlen(tops[k])) == 0)
            return true;
    return false;
}

static bool is_word(const char *text)
{
    return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
}

/* Looks up each `path`, and the name in "`name` in `path`" within the file. Returns the number of paths. */
static int look_up(const char *page, const char *text, FILE *wrong)
{
    int paths = 0;
    char before[200] = "", word[200];
    const char *end_before = text;
    for (const char *at = text; (at = strchr(at, '`'));) {
        size_t n = strcspn(at + 1, "`\n");
        if (at[1 + n] != '`' || n == 0 || n >= sizeof word) {
            at += 1 + n + (at[1 + n] != 0);
            continue;
        }
        snprintf(word, sizeof word, "%.*s", (int)n, at + 1);
        if (is_path(word)) {
            paths++;
            if (access(word, R_OK))
                fprintf(wrong, "%s: `%s`: no such file\n", page, word);
            else if (at - end_before >= 4 && at - end_before <= 6 && is_word(before) && strncmp(end_before, " "
                "in", 3) == 0) {
                char *there = read_all(word);
                if (!strstr(there, before))
                    fprintf(wrong, "%s: `%s` is not in `%s`\n", page, before, word);
                free(there);
            }
        }
        snprintf(before, sizeof before, "%s", word);
        at += n + 2;
        end_before = at;
    }
    return paths;
}

static void named_files_exist(void **state)
{
    static const char *const pages[] = { "ARCHITECTURE.md", "CONVENTIONS.md", "CONTRIBUTING.md" };
    char *wrong = NULL;
    size_t size;
    FILE *out = open_memstream(&wrong, &size);
    int paths = 0;
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        char *text = read_all(pages[k]);
        paths += look_up(pages[k], text, out);
        free(text);
    }
    fclose(out);
    if (*wrong)
        fail_msg("\n%s", wrong);
    free(wrong);
    assert_true(paths > 100);
}

static void wrong_names_are_seen(void **state)
{
    char *wrong = NULL;
    size_t size;
    FILE *out = open_memstream(&wrong, &size);
    assert_int_equal(look_up("P", "`harness/api/oracle.h`, `oracle_take` in `harness/api/oracle.h`, "
                                  "`algos/NAME.c`, `harness/none.c`, `no_such_word` in\n  `harness/api/oracle.h`",
                                  out), 4);
    fclose(out);
    assert_string_equal(wrong, "P: `harness/none.c`: no such file\n"
                               "P: `no_such_word` is not in `harness/api/oracle.h`\n");
    free(wrong);
}

/* --- the table of rooms */

/* rooms <- the rooms in a variable of the Makefile, between blanks. */
static void makefile_rooms(const char *variable, char rooms[400])
{
    char *text = read_all("Makefile"), line[60];
    snprintf(line, sizeof line, "\n%s", variable);
    const char *at = strstr(text, line);
    assert_non_null(at);
    at = strchr(at, '=') + 1;
    snprintf(rooms, 400, "%.*s ", (int)strcspn(at, "\n"), at);
    free(text);
}

/* The rows "| `harness/ROOM/` * | ..." of ARCHITECTURE.md must be the rooms of the Makefile, in this order; the
 * star marks the rooms of the core. */
static void rooms_are_the_makefiles(void **state)
{
    char rooms[400], core[400], listed[400] = " ", starred[400] = " ";
    char *text = read_all("ARCHITECTURE.md");
    makefile_rooms("ROOMS ", rooms);
    makefile_rooms("CORE_ROOMS ", core);
    for (const char *at = text; (at = strstr(at, "\n| `harness/")); at++) {
        char room[60];
        int end = 0;
        if (sscanf(at, "\n| `harness/%50[a-z]/`%n", room, &end) != 1 || !end || strcmp(room, "api") == 0 ||
            strcmp(room, "make") == 0)
            continue;
        strcat(strcat(listed, room), " ");
        if (strncmp(at + end, " *", 2) == 0)
            strcat(strcat(starred, room), " ");
    }
    free(text);
    assert_string_equal(listed, rooms);
    assert_string_equal(starred, core);
}

/* --- all versions agree, and the README is short */

static void versions_agree(void **state)
{
    char version[20] = "", newest[20] = "", cited[20] = "";
    char *make = read_all("Makefile"), *news = read_all("NEWS.md"), *cite = read_all("CITATION.cff");
    assert_int_equal(sscanf(strstr(make, "VERSION :="), "VERSION := %19s", version), 1);
    assert_int_equal(sscanf(strstr(news, "\n## "), "\n## %19s", newest), 1);
    assert_int_equal(sscanf(strstr(cite, "\nversion: "), "\nversion: %19s", cited), 1);
    assert_string_equal(version, newest);
    assert_string_equal(version, cited);
    free(make);
    free(news);
    free(cite);
}

static void readme_is_short(void **state)
{
    char *text = read_all("README.md");
    int words = 0;
    for (const char *c = text; *c; c++)
        words += !isspace((unsigned char)*c) && (c == text || isspace((unsigned char)c[-1]));
    free(text);
    assert_true(words > 300);
    assert_in_range(words, 0, README_WORDS);
}

/* --- docs/testing.md: every long test has its line with the numbers of its script, and every test that the page
 * names exists */

static void long_tests_are_described(void **state)
{
    static const struct { const char *page, *file, *there; } sizes[] = {
        { "60 neighbours", "tests/long/long_audit.sh", "NEIGHBOURS:-60}" },
        { "20,000 runs a side", "tests/long/long_audit.sh", "RUNS:-20000}" },
        { "200 instants", "tests/long/long_kill.sh", "KILLS:-200}" },
        { "1e6 records", "tests/long/long_size.sh", "RECORDS:-1000000}" },
        { "ten million records", "tests/long/long_store.sh", "RECORDS:-10000000}" },
        { "400 million normals", "tests/unit/test_rng_tails.c", "? 100000 : 1000" },
        { "50 runs on a Slurm", "tests/long/long_cluster.sh", "SEEDS:-50}" },
    };
    char *page = read_all("docs/testing.md"), line[200];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char *script = read_all(sizes[k].file);
        if (!strstr(page, sizes[k].page) || !strstr(script, sizes[k].there))
            fail_msg("docs/testing.md: expected '%s', as %s has '%s'", sizes[k].page, sizes[k].file,
                     sizes[k].there);
        free(script);
    }
    FILE *scripts = popen("ls tests/long | grep '^long_.*sh$'", "r");
    assert_non_null(scripts);
    int n = 0;
    for (; fgets(line, sizeof line, scripts); n++) {
        line[strcspn(line, "\n")] = 0;
        if (!strstr(page, line))
            fail_msg("docs/testing.md: expected a line on %s", line);
    }
    assert_true(pclose(scripts) == 0 && n > 5);
    for (const char *at = page; (at = strstr(at, "`test_")); at++) {
        char unit[120];
        snprintf(unit, sizeof unit, "tests/unit/%.*s.c", (int)strcspn(at + 1, "`"), at + 1);
        if (access(unit, R_OK))
            fail_msg("docs/testing.md: expected the name of a test, not %s", unit);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_resolve),
        cmocka_unit_test(broken_links_are_seen),
        cmocka_unit_test(named_files_exist),
        cmocka_unit_test(wrong_names_are_seen),
        cmocka_unit_test(rooms_are_the_makefiles),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(readme_is_short),
        cmocka_unit_test(long_tests_are_described),
    };
    return cmocka_run_group_tests_name("links", tests, begin, NULL);
}

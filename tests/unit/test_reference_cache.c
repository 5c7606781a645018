/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference_cache.c - stored optima: what is stored is read back to the bit, under the right key only, and
 * nothing else is ever read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference.h"
#include "cell/reference_cache.h"

struct made { const char *data, *loss; double l2; long k; };

static const struct param table[] = {
    PARAM_WORD(made, data, "", NULL, ""), PARAM_WORD(made, loss, "", NULL, ""),
    PARAM(made, l2, 0, 0, 1, "", ""), PARAM(made, k, 0, 0, 9, "", ""), PARAM_END
};

enum { COUNT = 5 };
static const double kept[COUNT] = { 1.0 / 3, NAN, -INFINITY, -0.0, 4e-320 };
static const struct made params = { "here", "hinge", 0.1, 3 };
static const struct reference_key key = { "made", table, &params, 77, COUNT };
static char root[] = "/tmp/assay-optima-XXXXXX", folder[64];

static int setup(void **state)
{
    if (!mkdtemp(root))
        return -1;
    snprintf(folder, sizeof folder, "%s/optima", root);
    return 0;
}

static void shell(const char *format)
{
    char line[300];
    snprintf(line, sizeof line, format, root);
    assert_int_equal(system(line), 0);
}

static int teardown(void **state)
{
    shell("rm -rf '%s'");
    return 0;
}

/* path <- that of the only file in the folder. */
static void only_file(char path[400])
{
    int files = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        if (e->d_name[0] != '.') {
            snprintf(path, 400, "%s/%s", folder, e->d_name);
            files++;
        }
    closedir(dir);
    assert_int_equal(files, 1);
}

static bool recalled(const struct reference_key *k)
{
    double values[COUNT] = { 9, 9, 9, 9, 9 }, before[COUNT] = { 9, 9, 9, 9, 9 };
    bool usable = reference_recall(k, values);
    assert_memory_equal(values, usable ? kept : before, sizeof kept);
    return usable;
}

/* Without a folder to store in, and in a folder without its parent, nothing is stored, and the run goes on. */
static void test_nowhere(void **state)
{
    reference_cache(NULL);
    reference_keep(&key, kept);
    assert_false(recalled(&key));
    reference_cache("/nonexistent/optima");
    reference_keep(&key, kept);
    assert_false(recalled(&key));
}

static void test_round_trip(void **state)
{
    char path[400];
    reference_cache(folder);
    assert_false(recalled(&key));
    reference_keep(&key, kept);
    reference_keep(&key, kept);
    only_file(path);
    assert_true(recalled(&key));
}

/* A stored optimum is found only under its own key. The key has the content of the data file, not its name, and
 * every other parameter. */
static void test_other_keys(void **state)
{
    const struct made same = { "there", "hinge", 0.1, 3 }, others[] = {
        { "here", "huber", 0.1, 3 }, { "here", "hinge", 0.1 * (1 + 1e-15), 3 },
        { "here", "hinge", 0.1, 4 } };
    struct reference_key k = key;
    k.params = &same;
    assert_true(recalled(&k));
    for (int i = 0; i < 3; i++) {
        k.params = &others[i];
        assert_false(recalled(&k));
    }
    k = key;
    k.content = 78;
    assert_false(recalled(&k));
    k = key;
    k.count = COUNT - 1;
    assert_false(recalled(&k));
    k = key;
    k.family = "mad";
    assert_false(recalled(&k));
}

/* If any byte of a stored optimum is changed, or the length of its file is wrong, the file is never used. */
static void test_damage(void **state)
{
    char path[400], bytes[2000];
    only_file(path);
    FILE *f = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(n > 100 && n < sizeof bytes - 1);
    assert_non_null(freopen("/dev/null", "w", stderr));      /* the message about the damage goes to /dev/null */
    for (size_t at = 0; at <= 2 * n; at++) {
        size_t length = at < n ? n : at - n;
        if (length == n && at >= n)
            continue;
        if (at < n)
            bytes[at] ^= 1;
        f = fopen(path, "wb");
        fwrite(bytes, 1, length, f);
        fclose(f);
        assert_false(recalled(&key));
        if (at < n)
            bytes[at] ^= 1;
    }
    bytes[n] = 0;
    f = fopen(path, "wb");
    fwrite(bytes, 1, n + 1, f);
    fclose(f);
    assert_false(recalled(&key));
    reference_keep(&key, kept);                              /* the next call writes a sound file */
    assert_true(recalled(&key));
}

/* Of two equal complaints only the first is printed. The test runs in a child process, and writes to a file. */
static void test_complains_once(void **state)
{
    char path[400], said[400], text[1000] = "";
    snprintf(said, sizeof said, "%s/said", root);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct reference_key other = key;
        other.content = 5;
        snprintf(path, sizeof path, "%s/file/optima", root);
        shell("touch '%s/file'");
        reference_cache(path);
        FILE *f = freopen(said, "w", stderr);
        reference_keep(&key, kept);
        reference_keep(&other, kept);
        fflush(f);
        _Exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    FILE *f = fopen(said, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    char *line = strchr(text, '\n');
    assert_non_null(line);
    assert_true(line[1] == 0 && strstr(text, "computed anew"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nowhere), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_other_keys), cmocka_unit_test(test_complains_once),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests_name("reference_cache", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_corpus.c - every input kept in tests/corpus goes through its fuzz target: seeds, and what `make fuzz` has
 * found. A broken invariant ends the program; the last line printed names the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>

#include "fuzz/fuzz.h"

#define TARGETS(X) X(command) X(options) X(number) X(cell) X(record) X(store) \
                   X(message) X(libsvm) X(csv) X(fann) X(gzip) X(manifest) X(promise) X(import) X(coco)

#define X(name) int fuzz_##name(const uint8_t *data, size_t size);
TARGETS(X)
#undef X

static void feed(int (*target)(const uint8_t *data, size_t size), const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    uint8_t *exact = malloc(n ? n : 1);      /* memory of exactly this size, so that a sanitizer notices a read
                                                behind the end */
    assert_non_null(exact);
    memcpy(exact, bytes, n);
    assert_int_equal(target(exact, n), 0);
    free(exact);
}

static void feed_all(int (*target)(const uint8_t *data, size_t size), const char *name)
{
    char path[4096];
    int inputs = 0;
    snprintf(path, sizeof path, "%s/tests/corpus/%s", SOURCE_DIR, name);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (*e->d_name == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/corpus/%s/%.200s", SOURCE_DIR, name, e->d_name);
        print_message("%s\n", path);
        feed(target, path);
        inputs++;
    }
    closedir(d);
    assert_true(inputs > 0);
    target(NULL, 0);
}

#define X(name) static void corpus_##name(void **state) { feed_all(fuzz_##name, #name); }
TARGETS(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(corpus_##name),
        TARGETS(X)
#undef X
    };
    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}

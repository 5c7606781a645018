/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fingerprint.c - what changes a fingerprint: in a copy of the tree, comments, blank lines and moved files
 * leave the generated registry with the hashes that it had; another constant changes one. The provenance of the build
 * is written by several makes at once. Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

/* hashes NAME: a shell function that writes the hashes of all units, by symbol, and of the core to NAME. */
#define HASHES "hashes() { make -s DEPS=no build/gen/registry.c > make.txt 2>&1 || { cat make.txt; return 1; }; " \
               "sed -n 's/^    { &\\([a-z0-9_]*\\), \\(\".*\"\\) },/\\1 \\2/p; " \
               "s/^const char \\(registry_core_hash_\\).. = /\\1 /p' " \
               "build/gen/registry.c > ../$1; }; cd tree && "

static int begin(void **state)
{
    shell_begin();
    return shell("mkdir -p tree/build && cd '%s' && cp -a [!br]* \"$OLDPWD/tree\" && "
                 "cp -a build/obj build/gen build/flags \"$OLDPWD/tree/build\" && cd \"$OLDPWD\" && " HASHES
                 "hashes before", SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void only_in_the_plain_build(void)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: fingerprints are made again by the plain build\n");
        skip();
    }
}

static void every_unit_and_the_core_have_one(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell("test $(wc -l < before) -gt 120 && grep -q '^registry_core_hash_ \"[0-9a-f]\\{32\\}\"' "
                           "before && grep -q '^algo_sgd \"[0-9a-f]\\{32\\}\"' before && grep -q '^paper_baselines "
                                   "' before"), 0);
}

/* A comment and a blank line are added above every #include "..." of two files, so that line numbers change, and a
 * comment before every BUG_IF of one of them. */
static void comments_and_blank_lines_change_none(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell(HASHES "sed -i 's|^#include \".*|/* A comment of\\n * two lines. */\\n\\n&|' "
                           "harness/oracle/oracle.c algos/sgd.c && sed -i 's/^    BUG_IF/    \\/* why *\\/ "
                           "BUG_IF/' harness/oracle/oracle.c && grep -q 'A comment of' algos/sgd.c && grep -q 'why "
                           "./ BUG_IF' harness/oracle/oracle.c && hashes commented"), 0);
    assert_int_equal(shell("cmp before commented"), 0);
}

/* Two core files move to other rooms, which changes the order of files, and a paper moves out of its folder. No
 * hash changes. */
static void moved_files_change_none(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell(HASHES "mv harness/base/arena.c harness/run/zarena.c && mv harness/oracle/tape.c "
                           "harness/base/atape.c && mv claims/baselines/theorems.c claims/baselines.c && hashes "
                                   "moved"), 0);
    assert_int_equal(shell("cmp before moved"), 0);
}

static void a_constant_changes_one_hash(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell(HASHES "sed -i 's/PARAM(sgd, c, 1,/PARAM(sgd, c, 2,/' algos/sgd.c && hashes sgd"), 0);
    assert_int_equal(shell("diff before sgd | grep '^[<>]' | cut -d' ' -f2 | sort -u > differ; echo algo_sgd | cmp "
                           "- differ"), 0);
    assert_int_equal(shell(HASHES "echo 'int vec_more = 3;' >> harness/numeric/vec.c && hashes three"), 0);
    assert_int_equal(shell("diff sgd three | grep '^[<>]' | cut -d' ' -f2 | sort -u > differ; "
                           "echo registry_core_hash_ | cmp - differ"), 0);
    assert_int_equal(shell(HASHES "sed -i 's/vec_more = 3/vec_more = 4/' harness/numeric/vec.c && hashes four"), 0);
    assert_int_equal(shell("cmp -s three four"), 1);
}

/* `.ci/run` starts `make verify` and `make test-cluster` at once in one tree, and both write build/gen/provenance.c.
 * Here eight makes write it at once, three times. None may fail, and the file must equal what one make alone wrote. */
static void makes_at_once_write_one_provenance(void **state)
{
    only_in_the_plain_build();
    assert_int_equal(shell("cd tree && make -s DEPS=no build/gen/provenance.c && grep -q provenance_flags "
                           "build/gen/provenance.c && cp build/gen/provenance.c ../provenance"), 0);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(shell("cd tree && for i in 1 2 3 4 5 6 7 8; do "
                               "make -s DEPS=no build/gen/provenance.c & makes=\"$makes $!\"; done; "
                               "for make in $makes; do wait $make || exit; done"), 0);
        assert_int_equal(shell("cmp provenance tree/build/gen/provenance.c && "
                               "test \"$(ls tree/build/gen/provenance*)\" = tree/build/gen/provenance.c"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_and_the_core_have_one),
        cmocka_unit_test(comments_and_blank_lines_change_none),
        cmocka_unit_test(moved_files_change_none),
        cmocka_unit_test(a_constant_changes_one_hash),
        cmocka_unit_test(makes_at_once_write_one_provenance),
    };
    return cmocka_run_group_tests_name("fingerprint", tests, begin, end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data_sets.c - `assay data`: sets of Debian's packages and of a folder, their checksums, and files from
 * a local server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/need.h"
#include "support/server.h"
#include "support/shell.h"

/* The result of `printf '+1 1:0.5 2:2\n-1 1:3\n' | sha256sum`. */
#define SUM "4a6dd4fdae2ffb1e819f091d295cefb420c5a96debfb3ae92bb645f63a0ab6a5"
#define HEAD "name\tfile\ttask\tn\td\tsha256\tlicence\tsource\n"

static int begin(void **state)
{
    shell_begin();
    unsetenv("ASSAY_DATA");
    setenv("no_proxy", "127.0.0.1", 1);
    return shell("mkdir sets && printf '+1 1:0.5 2:2\\n-1 1:3\\n' > toy.libsvm");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The command must exit with 2 and print one line on stderr that begins with "assay:" and contains the words. */
static void expect_complaint(const char *command, const char *words)
{
    int code = shell("%s > out.txt 2> err.txt", command);
    if (code != 2 || shell_lines("err.txt") != 1 || !shell_contains("err.txt", words) ||
        !shell_contains("err.txt", "assay: "))
        fail_msg("%s: exit %d, %s", command, code, shell_read("err.txt"));
}

/* --- the sets that Debian's packages bring */

static void packaged_sets(void **state)
{
    need("heart_scale");
    need("gene.train");
    assert_int_equal(shell("assay data list --format csv > list.csv && assay data check --format csv > check.csv"),
                     0);
    /* Every set of libfann-doc must have the listed checksum, and the listed n and d in its first line. */
    assert_int_equal(shell("tail -n +2 list.csv | grep /datasets/ | while IFS=, read -r name n d task state "
                           "licence sum source file; do echo \"$sum  $file\" | sha256sum -c --quiet && head -n 1 "
                                   "$file | grep -q \"^$n $d [0-9]*\" || exit 1; done"), 0);
    /* The sizes of five sets, the nonzeros of their inputs and their numbers of classes must be those that awk
     * finds. */
    assert_int_equal(shell("for s in gene mushroom thyroid diabetes soybean; do awk -v name=$s '"
                           "NR == 1 { n = $1; d = $2; c = $3 } "
                           "NR > 1 && NR %% 2 == 0 { for (k = 1; k <= NF; k++) z += $k != 0 } "
                           "END { print name \",ok,\" n \",\" d \",\" z \",\" c \",\" FILENAME }' "
                           "/usr/share/doc/libfann-dev/examples/datasets/$s.train; done > truth.csv && "
                           "test $(grep -cFxf truth.csv check.csv) = 5"), 0);
    assert_int_equal(shell("grep -c ,ok, check.csv | grep -qx 25"), 0);
    assert_int_equal(shell("assay data check gene heart_scale | grep -c ' ok ' | grep -qx 2"), 0);
    assert_int_equal(shell("assay data get gene | grep -q 'gene: here'"), 0);
    assert_int_equal(shell("assay solve --algorithm gd --data mushroom --T 5 > out.txt"), 0);
    expect_complaint("assay data check genee", "did you mean gene?");
}

/* --- a folder of the user's own: sets are added and checked, and its manifest describes them */

static void added_sets(void **state)
{
    setenv("ASSAY_DATA", "sets", 1);
    assert_int_equal(shell("assay data add toy.libsvm --task classification --licence 'CC BY 4.0' --source "
                           "http://x.org/y > out.txt"), 0);
    assert_true(shell_contains("out.txt", "toy: 2 records, 2 columns: sets/toy/toy.libsvm"));
    assert_int_equal(shell("cmp toy.libsvm sets/toy/toy.libsvm && ls sets/toy | wc -l | grep -qx 1"), 0);
    char *text = shell_read("sets/manifest.tsv");
    assert_string_equal(text, HEAD "toy\ttoy/toy.libsvm\tclassification\t2\t2\t" SUM "\tCC BY "
                        "4.0\thttp://x.org/y\n");
    free(text);
    /* Two more sets are added: a CSV file, with a heading, that lies in the folder already and stays where it is,
     * and a gzip file. */
    assert_int_equal(shell("printf 'y,a\\n1.5,2\\n2.5,3\\n' > sets/own.csv && assay data add sets/own.csv --task "
                           "regression --name mine && printf '1 1:1\\n2 1:1\\n' | gzip > zipped.libsvm.gz && assay "
                                   "data add zipped.libsvm.gz --task regression > out.txt"), 0);
    assert_int_equal(shell("tail -n +2 sets/manifest.tsv | cut -f 1,2,4,5 | tr '\\t' ' ' > cut.txt && "
                           "printf 'toy toy/toy.libsvm 2 2\\nmine own.csv 2 1\\nzipped zipped/zipped.libsvm.gz 2 "
                                   "1\\n' | cmp - cut.txt"), 0);
    /* Two subfolders have no line in the manifest: `loose`, with one data file, is a set; `vague`, with two, is
     * none. */
    assert_int_equal(shell("mkdir sets/loose sets/vague && cp toy.libsvm sets/loose/x.libsvm && touch "
                           "sets/loose/README.txt && cp toy.libsvm sets/vague/a.libsvm && cp toy.libsvm "
                                   "sets/vague/b.csv"), 0);
    assert_int_equal(shell("assay data check toy mine zipped loose --format csv | cut -d, -f 1-6 > check.csv"), 0);
    text = shell_read("check.csv");
    assert_string_equal(text, "name,state,n,d,nonzeros,classes\ntoy,ok,2,2,3,2\nmine,ok,2,1,2,-\n"
                              "zipped,ok,2,1,2,-\nloose,no sum,2,2,3,2\n");
    free(text);
    /* Of several files the one with the subfolder's name is the set; two with this name are none. */
    assert_int_equal(shell("mkdir sets/named sets/twin && cp toy.libsvm sets/named/a.libsvm && cp toy.libsvm "
                           "sets/named/b.libsvm && printf '1,2\\n3,4\\n5,6\\n' > sets/named/named.csv && "
                           "cp sets/named/named.csv sets/twin/twin.csv && cp toy.libsvm sets/twin/twin.libsvm"), 0);
    assert_int_equal(shell("assay data check named --format csv | grep -q '^named,no sum,3,1,'"), 0);
    expect_complaint("assay data check twin", "twin: no such file, nor a set of this name");
    /* A set may be given by a path, as for --data. */
    assert_int_equal(shell("assay data check ./toy.libsvm --format csv | tail -n 1 | cut -d, -f 1-6 | grep -qx "
                           "'toy.libsvm,no sum,2,2,3,2'"), 0);
    expect_complaint("printf '1 1:nan\\n' > nan.libsvm; assay data check nan.libsvm", "nan.libsvm:1: '1:nan'");
    expect_complaint("assay data check vague", "vague: no such file, nor a set of this name");
    /* A set is found by name from any folder; --data-dir names the same folder; a file with the name of a set has
     * precedence. */
    assert_int_equal(shell("assay solve --algorithm gd --data toy --T 5 --format csv --canonical > a.txt && unset "
                           "ASSAY_DATA && assay solve --algorithm gd --data toy --T 5 --format csv --canonical "
                                   "--data-dir sets | cmp - a.txt"), 0);
    /* Where a folder has the name of a set, the set is read. A file whose name is a number is found. */
    assert_int_equal(shell("(cd sets && assay solve --algorithm gd --data toy --T 5 --format csv --canonical "
                           "--data-dir .) | cmp - a.txt"), 0);
    assert_int_equal(shell("cp toy.libsvm 2024 && assay solve --algorithm gd --problem erm --set problem.data=2024 "
                           "--T 5 > out.txt"), 0);
    assert_int_equal(shell("cp sets/toy/toy.libsvm loose && printf '1 1:1\\n2 1:nan\\n' > loose"), 0);
    expect_complaint("assay solve --algorithm gd --data loose", "loose:2: '1:nan'");
    unsetenv("ASSAY_DATA");
}

/* A set is added behind a last line that an editor left without a newline, and behind an empty line. */
static void sets_behind_a_line_without_newline(void **state)
{
    setenv("ASSAY_DATA", "sets", 1);
    static const char *const manifests[] = {
        HEAD "other\tother.csv\tregression\t1\t1\t" SUM "\t-\t-",
        HEAD "other\tother.csv\tregression\t1\t1\t" SUM "\t-\t-\n\n",
        HEAD, "name\tfile\ttask\tn\td\tsha256\tlicence\tsource",
    };
    for (size_t k = 0; k < sizeof manifests / sizeof *manifests; k++) {
        write_file("sets/manifest.tsv", manifests[k]);
        assert_int_equal(shell("rm -rf sets/toy; assay data add toy.libsvm --task classification > out.txt"), 0);
        assert_int_equal(shell("assay data check toy --format csv | grep -q '^toy,ok,2,2,'"), 0);
        assert_int_equal(shell("grep -c . sets/manifest.tsv | grep -qx %d", strstr(manifests[k], "other") ? 3 : 2),
                         0);
    }
    unsetenv("ASSAY_DATA");
}

static void bad_adds(void **state)
{
    expect_complaint("assay data add toy.libsvm --task regression", "expected --data-dir DIR or ASSAY_DATA");
    expect_complaint("assay data list --data-dir nowhere", "ASSAY_DATA=nowhere: expected a folder");
    setenv("ASSAY_DATA", "sets", 1);
    expect_complaint("assay data add toy.libsvm", "--task classification|regression");
    expect_complaint("assay data add none.csv --task regression", "none.csv: No such file");
    expect_complaint("assay data add toy.libsvm --task fun", "classification, regression");
    expect_complaint("assay data add toy.libsvm --task regression --name ../up", "--name ../up: expected letters");
    expect_complaint("assay data add toy.libsvm --task regression --licence \"$(printf 'a\\tb')\"", "no tab");
    expect_complaint("printf '1 1:1\\n2 1:x\\n' > bad.libsvm; assay data add bad.libsvm --task regression",
                     "bad.libsvm:2: '1:x'");
    expect_complaint("assay data fetch", "expected list, check, get or add");
    assert_int_equal(shell("find sets -type f | wc -l | grep -qx 0"), 0);
    assert_int_equal(shell("assay data add toy.libsvm --task classification > out.txt"), 0);
    expect_complaint("assay data add toy.libsvm --task classification", "--name toy: is in manifest.tsv already");
    assert_int_equal(shell("grep -c . sets/manifest.tsv | grep -qx 2"), 0);
    /* Tests data that were changed or removed after the manifest was written. */
    assert_int_equal(shell("printf '+1 1:0.5 2:3\\n-1 1:3\\n' > sets/toy/toy.libsvm"), 0);
    expect_complaint("assay data check toy", "wrong checksum");
    assert_true(shell_contains("out.txt", "toy                changed"));
    assert_int_equal(shell("rm sets/toy/toy.libsvm"), 0);
    expect_complaint("assay data check toy", "try `assay data get toy`");
    expect_complaint("assay solve --algorithm gd --data toy", "try `assay data get toy`");
    unsetenv("ASSAY_DATA");
}

static void bad_manifests(void **state)
{
    static const struct { const char *line, *words; } bad[] = {
        { "x\tx.csv\n", "manifest.tsv:2: expected 8 fields between tabs" },
        { "../x\tx.csv\tregression\t1\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: name '../x'" },
        { "x\t../x.csv\tregression\t1\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: file '../x.csv'" },
        { "x\ta/../../x.csv\tregression\t1\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: file 'a/../../x.csv'" },
        { "x\t/etc/x\tregression\t1\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: file '/etc/x'" },
        { "x\tx.csv\tranking\t1\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: task 'ranking'" },
        { "x\tx.csv\tregression\tnan\t1\t" SUM "\t-\t-\n", "manifest.tsv:2: n 'nan'" },
        { "x\tx.csv\tregression\t1\t-3\t" SUM "\t-\t-\n", "manifest.tsv:2: d '-3'" },
        { "x\tx.csv\tregression\t1\t1\tabc\t-\t-\n", "manifest.tsv:2: sha256 'abc'" },
        { "x\tx.csv\tregression\t1\t1\t" SUM "\t-\t-\nx\ty.csv\tregression\t1\t1\t" SUM "\t-\t-\n",
          "manifest.tsv:3: 'x' a second time" },
    };
    char text[1000];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        snprintf(text, sizeof text, HEAD "%s", bad[k].line);
        write_file("sets/manifest.tsv", text);
        expect_complaint("assay data list --data-dir sets", bad[k].words);
    }
    write_file("sets/manifest.tsv", "name,file\n");
    expect_complaint("assay data list --data-dir sets", "manifest.tsv:1: expected a first line of names");
}

/* --- `data get`: files from a server */

#define BODY "+1 1:0.5 2:2\n-1 1:3\n"
static const struct answer answers[] = {
    { "/toy", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\nConnection: close\r\n\r\n" BODY },
    { "/moved", "HTTP/1.1 302 Found\r\nLocation: /toy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" },
    { "/other", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n1 1:1\n" },
    { "/short", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n" BODY },
    { "/away", "HTTP/1.1 302 Found\r\nLocation: ftp://127.0.0.1:1/x\r\nContent-Length: 0\r\nConnection: "
     "close\r\n\r\n" },
    { 0 }
};

static void set_source(const char *address)
{
    char text[1000];
    snprintf(text, sizeof text, HEAD "toy\ttoy/toy.libsvm\tclassification\t2\t2\t" SUM "\t-\t%s\n", address);
    write_file("sets/manifest.tsv", text);
}

static void fetched_sets(void **state)
{
    struct server s = server_start(answers);
    char address[100];
    static const char *const good[] = { "toy", "moved" };
    for (int k = 0; k < 2; k++) {
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", s.port, good[k]);
        set_source(address);
        assert_int_equal(shell("rm -rf sets/toy; assay data get toy --data-dir sets > out.txt"), 0);
        assert_true(shell_contains("out.txt", "toy: fetched: sets/toy/toy.libsvm"));
        assert_int_equal(shell("cmp toy.libsvm sets/toy/toy.libsvm && ls -A sets/toy | wc -l | grep -qx 1"), 0);
        assert_int_equal(shell("assay data get toy --data-dir sets | grep -q here && assay data check toy "
                               "--data-dir sets > out.txt"), 0);
    }
    static const struct { const char *path, *words; } bad[] = {
        { "/other", "wrong checksum" }, { "/none", "404" }, { "/short", "toy: http" },
        { "/away", "Protocol" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        snprintf(address, sizeof address, "http://127.0.0.1:%d%s", s.port, bad[k].path);
        set_source(address);
        assert_int_equal(shell("rm -rf sets/toy"), 0);
        expect_complaint("assay data get toy --data-dir sets", bad[k].words);
        assert_int_equal(shell("ls -A sets/toy | wc -l | grep -qx 0"), 0);
    }
    /* An existing file is kept if the download fails. */
    assert_int_equal(shell("echo precious > sets/toy/toy.libsvm"), 0);
    expect_complaint("assay data get toy --data-dir sets", "toy: http");
    assert_int_equal(shell("echo precious | cmp - sets/toy/toy.libsvm && ls -A sets/toy | wc -l | grep -qx 1"), 0);
    server_stop(&s);
    /* Tests a download after the server has ended. */
    snprintf(address, sizeof address, "http://127.0.0.1:%d/toy", s.port);
    set_source(address);
    expect_complaint("assay data get toy --data-dir sets", address);
    set_source("ftp://127.0.0.1/toy");
    expect_complaint("assay data get toy --data-dir sets", "expected an http or https address");
    expect_complaint("assay data get", "expected the name of a set");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(packaged_sets, begin, end),
        cmocka_unit_test_setup_teardown(added_sets, begin, end),
        cmocka_unit_test_setup_teardown(sets_behind_a_line_without_newline, begin, end),
        cmocka_unit_test_setup_teardown(bad_adds, begin, end),
        cmocka_unit_test_setup_teardown(bad_manifests, begin, end),
        cmocka_unit_test_setup_teardown(fetched_sets, begin, end),
    };
    return cmocka_run_group_tests_name("data_sets", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data_formats.c - CSV and FANN text, good and bad; detection of the format; files that would need too much
 * memory. */
#include "support/data_files.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const struct refusal bad_csv[] = {
    { TEXT("1,2\n1,nan\n"), 2, "field 2 'nan': expected a feature, a finite decimal number" },
    { TEXT("1,2\n-inf,3\n"), 2, "field 1 '-inf': expected a target, a finite decimal number" },
    { TEXT("1,2\n1,1e999\n"), 2, "field 2 '1e999': expected a feature, a finite decimal number" },
    { TEXT("1,2\n1,0x10\n"), 2, "field 2 '0x10': expected a feature, a finite decimal number" },
    { TEXT("1,2,3\n1,,3\n"), 2,
      "field 2 is empty: expected a feature, a finite decimal number" },
    { TEXT("1,2,3\n1,2,\n"), 2,
      "field 3 is empty: expected a feature, a finite decimal number" },
    { TEXT("1,2,3\n,2,3\n"), 2, "field 1 is empty: expected a target, a finite decimal number" },
    { TEXT("1,2,3\n1,2\n"), 2, "2 fields: expected 3, as in line 1" },
    { TEXT("\n# a note\n1,2\n\n1,2,3\n"), 5, "3 fields: expected 2, as in line 3" },
    { TEXT("y,a,b\n1,2\n"), 2, "2 fields: expected 3, as in line 1" },
    { TEXT("red,1,2\n"), 1, "field 1 'red': expected a target, a finite decimal number" },
    { TEXT("y;a\n1;2,5\n"), 2, "field 2 '2,5': expected a feature, a finite decimal number" },
    { TEXT("1,\"2\n"), 1, "field 2 '\"2': expected a feature, a finite decimal number" },
    { TEXT("1,\"2\"x\n"), 1, "field 2 '\"2\"x': expected a feature, a finite decimal number" },
    { TEXT("1,2 3\n"), 1, "field 2 '2 3': expected a feature, a finite decimal number" },
    { TEXT("1,2\r3\n"), 1, "field 2 '2?3': expected a feature, a finite decimal number" },
    { TEXT("y,a\n"), 1, "end of file without a record: expected lines target,feature,..." },
    { TEXT("1,2\n1,\0002\n"), 2, "a NUL byte: expected text" },
    { TEXT("1,2\n1,1:3\n"), 2, "field 2 '1:3': expected a feature, a finite decimal number" },
};

static const struct refusal bad_fann[] = {
    { TEXT("2 2 1\n1 2\n3\n"), 3, "end of file after 1 of 2 records" },
    { TEXT("2 2 1\n1 2\n3\n4 5\n"), 4, "end of file after 1 of 2 records" },
    { TEXT("1 2 1\n"), 1, "end of file after 0 of 1 records" },
    { TEXT("1 2 1\n1 2\n3\n\n4 5\n6\n"), 5, "expected the end of the file after 1 records" },
    { TEXT("1 2 1\n1\n3\n"), 2, "1 inputs: expected 2" },
    { TEXT("1 2 1\n1 2 3\n3\n"), 2, "more than 2 inputs: expected 2" },
    { TEXT("1 2 1\n1 2\n3 4\n"), 3, "more than 1 outputs: expected 1" },
    { TEXT("1 2 2\n1 2\n3\n"), 3, "1 outputs: expected 2" },
    { TEXT("1 2 1\n1 nan\n3\n"), 2, "'nan': expected an input, a finite decimal number" },
    { TEXT("1 2 1\n1 2\ninf\n"), 3, "'inf': expected an output, a finite decimal number" },
    { TEXT("1 2 1\n1 2x\n3\n"), 2, "'2x': expected an input, a finite decimal number" },
    { TEXT("1 2 3\n1 2\n0 0 0\n"), 3,
      "3 outputs that are no class: expected one above the others, which are equal" },
    { TEXT("1 2 3\n1 2\n0 1 1\n"), 3,
      "3 outputs that are no class: expected one above the others, which are equal" },
    { TEXT("1 2 3\n1 2\n0.2 0.9 0.4\n"), 3,
      "3 outputs that are no class: expected one above the others, which are equal" },
    { TEXT("0 2 1\n"), 1,
      "expected a first line of three whole numbers from 1: records inputs outputs" },
    { TEXT("3 1000000000 1\n1\n1\n"), 1,
      "expected a first line of three whole numbers from 1: records inputs outputs" },
    { TEXT("99999999999999 2 1\n1 2\n1\n"), 1,
      "expected a first line of three whole numbers from 1: records inputs outputs" },
    { TEXT("1 2 1\n1 2\n\0\n"), 3, "a NUL byte: expected text" },
};

static void bad_lines(void **state)
{
    expect_all_refused(bad_csv, sizeof bad_csv / sizeof *bad_csv);
    expect_all_refused(bad_fann, sizeof bad_fann / sizeof *bad_fann);
}

/* Many spellings of the same two records are read. */
static void good_csv(void **state)
{
    static const char *const same[] = {
        "1,0.5,0,-2\n-1,0,3,1e2\n",
        "1;0.5;0;-2\r\n-1;0;3;1e2\r\n",
        "1\t0.5\t0\t-2\n-1\t0\t3\t1e2",
        "\xef\xbb\xbfy,first,\"second, with a comma\",third\n1,.5,0,-2\n\n-1,0,3.,100\n",
        "# x\n\"y\";\"a\";\"b\";\"c\"\n\"1\";\"0.5\";\"0\";\"-2\"\n \"-1\" ; 0;3 ; 1e2 \n",
        "target,a,b,c\n+1, 0.5, -0, -2\n-1, 0, 3, 100\n# the end\n",
    };
    static const double label[] = { 1, -1 }, full[] = { 0.5, 0, -2, 0, 3, 100 };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        for (int gzip = 0; gzip < 2; gzip++) {
            const struct table *t = load(same[k], gzip);
            double *a = matrix(t);
            assert_int_equal(t->n, 2);
            assert_int_equal(t->d, 3);
            assert_int_equal(t->nonzeros, 4);
            assert_memory_equal(t->label, label, sizeof label);
            for (int j = 0; j < 6; j++)
                assert_true(a[j] == full[j]);
            test_free(a);
        }
}

static void good_fann(void **state)
{
    const struct table *t = load("2 3 1\n0.5 0 -2\n7.5\n\n0 3\t1e2 \r\n-1\r\n\n", false);
    static const double full[] = { 0.5, 0, -2, 0, 3, 100 };
    double *a = matrix(t);
    assert_int_equal(t->n, 2);
    assert_int_equal(t->d, 3);
    assert_true(t->label[0] == 7.5 && t->label[1] == -1);
    assert_memory_equal(a, full, sizeof full);
    test_free(a);
    /* The output of a record's class may be any number above the other outputs, which are equal. */
    t = load("4 1 3\n1\n0 0 1\n1\n-1 1 -1\n1\n0.9 0.1 0.1\n1\n0 5 0\n", true);
    static const double class[] = { 2, 1, 0, 1 };
    assert_memory_equal(t->label, class, sizeof class);
}

/* The format that a first line is taken for shows in the complaint of its reader. A request may also name the
 * format. */
static void format_by_content(void **state)
{
    static const struct { const char *text, *refused; } cases[] = {
        { "3 2 1\n", "after 0 of 3 records" },
        { "3 2 1 \r\n", "after 0 of 3 records" },
        { "3\t2\t1\nx\n", "field 1 'x'" },
        { "3 2\n", "'2': expected index:value" },
        { "# note\n3 2:1 x\n", "'x': expected index:value" },
        { "1 2:3,4\n", "'2:3,4': expected a value after ':'" },
        { "a,b:c d:e\nx,1\n", "field 1 'x'" },
        { "hello\n", "'hello': expected a label" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct path p = written(cases[k].text, strlen(cases[k].text), false);
        expect_refused((struct data_request){ .data = p.text }, cases[k].refused);
    }
    struct path p = written("", 0, true);
    expect_refused((struct data_request){ .data = p.text, .format = "csv" }, "without a record");
    expect_refused((struct data_request){ .data = p.text, .format = "fann" }, "a first line of");
    expect_refused((struct data_request){ .data = p.text }, "without a record");
    p = written("2 1 1\n3\n4\n5\n6\n", 14, false);
    assert_int_equal(load_as((struct data_request){ .data = p.text, .format = "fann" })->n, 2);
    expect_refused((struct data_request){ .data = p.text, .format = "csv" }, "a single field");
    expect_refused((struct data_request){ .data = p.text, .format = "libsvm" },
                   ":1: '1': expected index:value");
    expect_refused((struct data_request){ .data = p.text, .format = "arff" },
                   "format 'arff': expected any, libsvm, csv or fann");
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };              /* the sanitizer's allocator keeps what is freed */
#else
enum { SANITIZED = 0 };
#endif

/* Loads a file in a child process, where it must be refused for this reason. Returns by how many MiB the peak
 * memory of the child rose, 254 for that many or more. */
static long child_memory(const char *path, const char *reason)
{
    struct rusage before, after;
    int status;
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct table *t;
        struct why why = { "" };
        getrusage(RUSAGE_SELF, &before);
        if (data_table(path, &t, &why) != BAD_INPUT || !strstr(why.text, reason)) {
            fprintf(stderr, "%s\n", why.text);
            _exit(255);
        }
        getrusage(RUSAGE_SELF, &after);
        long mib = (after.ru_maxrss - before.ru_maxrss) >> 10;
        _exit(mib < 254 ? (int)mib : 254);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 255);
    return WEXITSTATUS(status);
}

/* A compressed file of some 24 kB holds 24 MiB of equal lines, in each format. The reader compares the lengths of
 * text and file once it has read 16 MiB of text, and refuses the file. By then it has at most 4 Mi records of 24
 * bytes (label, offset, value), which are 96 MiB. */
static void gzip_bomb(void **state)
{
    static const char *const line[] = { "1 1:1\n", "1,1\n", "7 7 7 7 7 7 7\n1\n" };
    static const char *const head[] = { "", "", "8000000 7 1\n" };
    enum { TIMES = 1 << 10, BLOCKS = 24 << 10 };
    for (int k = 0; k < 3; k++) {
        struct path p = written(head[k], strlen(head[k]), true);
        char *block = test_malloc(TIMES + 64);
        size_t n = 0;
        while (n < TIMES)
            n += (size_t)sprintf(block + n, "%s", line[k]);
        gzFile f = gzopen(p.text, "ab");
        for (int b = 0; b < BLOCKS; b++)
            assert_int_equal(gzwrite(f, block, (unsigned)n), n);
        gzclose(f);
        test_free(block);
        long mib = child_memory(p.text, "the gzip file expands more than 500-fold");
        assert_true(mib < 110 || SANITIZED);
    }
}

/* The file is one line that has no end: "1,2" and 257 MiB of blanks. It is refused. */
static void endless_line(void **state)
{
    struct path p = written("1,2", 3, false);
    char *blanks = test_malloc(1 << 20);
    memset(blanks, ' ', 1 << 20);
    FILE *f = fopen(p.text, "ab");
    for (int k = 0; k < 257; k++)
        assert_int_equal(fwrite(blanks, 1, 1 << 20, f), 1 << 20);
    fclose(f);
    test_free(blanks);
    expect_refused((struct data_request){ .data = p.text },
                   ":1: expected a line of at most 256 MiB");
}

/* If a gzip file is cut off or has a wrong byte, the message says so, whatever the parser has read by then. */
static void damaged_gzip(void **state)
{
    char text[40000];
    size_t n = 0;
    for (int i = 0; i < 1000; i++)
        n += (size_t)sprintf(text + n, "%d,%d,%d\n", i % 2, i * i % 997, (i * 7919) % 10007);
    struct path whole = written(text, n, true);
    char bytes[40000];
    FILE *f = fopen(whole.text, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(size > 1000 && size < sizeof bytes);
    for (size_t at = 20; at < size - 8; at += size / 23) {
        struct path p = written("", 0, false);
        f = fopen(p.text, "wb");
        fwrite(bytes, 1, at, f);
        fclose(f);
        expect_refused((struct data_request){ .data = p.text }, "damaged gzip file");
        f = fopen(p.text, "wb");
        bytes[at] ^= 0x55;
        fwrite(bytes, 1, size, f);
        bytes[at] ^= 0x55;
        fclose(f);
        expect_refused((struct data_request){ .data = p.text }, "damaged gzip file");
    }
}

/* The data are stored without compression: a wrong byte is a wrong character, and only the checksum at the end
 * detects it. */
static void damage_told_at_the_end(void **state)
{
    struct path p = written("", 0, false);
    gzFile f = gzopen(p.text, "wb0");
    for (int i = 0; i < 50000; i++)
        gzprintf(f, "%d,%05d\n", i % 2, i);
    gzclose(f);
    FILE *file = fopen(p.text, "r+b");
    fseek(file, 1000, SEEK_SET);
    fputc('x', file);
    fclose(file);
    expect_refused((struct data_request){ .data = p.text }, "damaged gzip file");
}

/* Each set of the development folder must match its description: `n=... p=... nnz=...` and labels. */
static void described_sets(void **state)
{
    static const char *const names[] = {
        "a9a/a9a.libsvm", "abalone/abalone.csv", "breast_cancer/breast_cancer.csv",
        "german/german.libsvm", "ionosphere/ionosphere.csv", "mushrooms/mushrooms.libsvm",
        "riboflavin/riboflavin.csv", "sonar/sonar.csv", "spambase/spambase.csv",
    };
    int checked = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[600], line[600];
        long n = 0, d = 0, nonzeros = 0, labels[2] = { 0 }, seen[2] = { 0 };
        snprintf(path, sizeof path, "%s/../shared/data/%.*s/README.txt", SOURCE_DIR,
                 (int)strcspn(names[k], "/"), names[k]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f) &&
               sscanf(line, " n=%ld p=%ld nnz=%ld", &n, &d, &nonzeros) != 3)
            continue;
        if (!f)
            continue;
        fclose(f);
        const char *minus = strstr(line, "-1: "), *plus = strstr(line, "+1: ");
        snprintf(path, sizeof path, "%s/../shared/data/%s", SOURCE_DIR, names[k]);
        const struct table *t = load_as((struct data_request){ .data = path });
        assert_int_equal(t->n, n);
        assert_int_equal(t->d, d);
        assert_int_equal(t->nonzeros, nonzeros);
        for (long i = 0; i < t->n; i++)
            seen[t->label[i] > 0]++;
        if (minus && plus) {
            labels[0] = atol(minus + 4);
            labels[1] = atol(plus + 4);
            assert_memory_equal(seen, labels, sizeof seen);
        }
        checked++;
    }
    if (checked == 0) {
        printf("skip: no ../shared/data\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_lines), cmocka_unit_test(good_csv), cmocka_unit_test(good_fann),
        cmocka_unit_test(format_by_content), cmocka_unit_test(gzip_bomb),
        cmocka_unit_test(endless_line), cmocka_unit_test(damaged_gzip),
        cmocka_unit_test(damage_told_at_the_end), cmocka_unit_test(described_sets),
    };
    return cmocka_run_group_tests_name("data_formats", tests, setup, teardown);
}

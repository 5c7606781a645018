/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data.c - the LIBSVM reader on good and bad input in temporary files. */
#include "support/data_files.h"
#include "support/need.h"

#include <math.h>
#include <sys/stat.h>

#include "rng.h"

static const struct refusal bad[] = {
    { TEXT("+1 1:1\n-1 x:2\n"), 2, "'x:2': expected a whole number before ':'" },
    { TEXT("+1 1:1\nred 1:2\n"), 2, "'red': expected a label, a finite decimal number" },
    { TEXT("1:1 2:1\n"), 1, "'1:1': expected a label, a finite decimal number" },
    { TEXT("1,2 1:1\n"), 1, "'1,2': expected a label, a finite decimal number" },
    { TEXT("nan 1:1\n"), 1, "'nan': expected a label, a finite decimal number" },
    { TEXT("1 1:1\n\n# note\n1 1:0x10\n"), 4,
      "'1:0x10': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:1.2.3\n"), 1,
      "'1:1.2.3': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:nan\n"), 1, "'1:nan': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:-inf\n"), 1, "'1:-inf': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:1e999\n"), 1,
      "'1:1e999': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:1e\n"), 1, "'1:1e': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:-\n"), 1, "'1:-': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:.\n"), 1, "'1:.': expected a value after ':', a finite decimal number" },
    { TEXT("1 0:1\n"), 1, "'0:1': expected an index from 1 to 134217728, where a vector takes "
                          "1 GiB" },
    { TEXT("1 -3:1\n"), 1, "'-3:1': expected an index from 1 to 134217728, where a vector "
                           "takes 1 GiB" },
    { TEXT("1 2147483648:1\n"), 1, "'2147483648:1': expected an index from 1 to 134217728, "
                                   "where a vector takes 1 GiB" },
    { TEXT("1 134217729:1\n"), 1, "'134217729:1': expected an index from 1 to 134217728, "
                                  "where a vector takes 1 GiB" },
    { TEXT("1 99999999999999999999999:1\n"), 1, "'99999999999999999999999:1': expected an "
          "index from 1 to 134217728, where a vector takes 1 GiB" },
    { TEXT("1 1.5:1\n"), 1, "'1.5:1': expected a whole number before ':'" },
    { TEXT("1 :1\n"), 1, "':1': expected a whole number before ':'" },
    { TEXT("1 2:1 2:1\n"), 1, "'2:1': expected an index above 2, the one before" },
    { TEXT("1 1:1\n1 7:1 3:1\n"), 2, "'3:1': expected an index above 7, the one before" },
    { TEXT("1 1:1 5\n"), 1, "'5': expected index:value" },
    { TEXT("1 qid:3 1:1\n"), 1, "'qid:3': qid is not supported, expected index:value" },
    { TEXT("1 1:1\n-1 2:1 3:"), 2,
      "'3:': expected a value after ':', a finite decimal number" },
    { TEXT("1 1:1\n-1 2:\0001\n"), 2,
      "a NUL byte: expected text" },
    { TEXT("1 1:1\n# \0 in a comment\n"), 2,
      "a NUL byte: expected text" },
    { TEXT("1 1:1\r 2:1\n"), 1, "'1:1?': expected a value after ':', a finite decimal number" },
    { TEXT("1 \0332:1\n"), 1, "'?2:1': expected a whole number before ':'" },
    { TEXT(""), 0, "end of file without a record: expected lines label index:value ..." },
    { TEXT("\n  \n# nothing\n"), 3,
      "end of file without a record: expected lines label index:value ..." },
    { TEXT("1\n-1\n"), 2,
      "end of file without a feature: expected lines label index:value ..." },
    { TEXT("1 1:1234567890123456789012345678901234567890123456789x\n"), 1,
      "'1:12345678901234567890123456789012345678...': expected a value after ':', a finite "
      "decimal number" },
};

static void test_bad_lines(void **state)
{
    expect_all_refused(bad, sizeof bad / sizeof *bad);
}

static void test_bad_files(void **state)
{
    expect_refused((struct data_request){ .data = "/nowhere/at_all" },
                   "/nowhere/at_all: No such file or directory");
    expect_refused((struct data_request){ .data = "no_such_name" },
                   "no_such_name: no such file, nor a set of this name");
    expect_refused((struct data_request){ .data = "" }, ": no such file, nor a set of this name");
    expect_refused((struct data_request){ .data = folder }, "is a directory: expected a data file");
    expect_refused((struct data_request){ .data = "/dev/null" },
                   "/dev/null: is no plain file: expected a data file");

    char long_name[600], *bytes = test_malloc(4000);
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    long_name[0] = '/';
    expect_refused((struct data_request){ .data = long_name },
                   "File name too long: expected a data file");

    /* A gzip file is cut off; another one has a wrong byte at a third of its length. */
    struct rng r = rng_stream(7);
    size_t n = 0;
    for (int i = 0; i < 200; i++)
        n += (size_t)snprintf(bytes + n, 4000 - n, "%d 1:%.9f\n", i % 2, rng_uniform(&r));
    for (int broken = 0; broken < 2; broken++) {
        struct path p = written(bytes, n, true);
        struct stat s;
        assert_int_equal(stat(p.text, &s), 0);
        if (broken == 0)
            assert_int_equal(truncate(p.text, s.st_size / 2), 0);
        FILE *f = fopen(p.text, "r+b");
        assert_int_equal(fseek(f, s.st_size / 3, SEEK_SET), 0);
        if (broken == 1) {
            int c = fgetc(f);
            assert_int_equal(fseek(f, s.st_size / 3, SEEK_SET), 0);
            fputc(c ^ 0x55, f);
        }
        fclose(f);
        expect_refused((struct data_request){ .data = p.text },
                       "damaged gzip file: expected a whole one");
    }
    test_free(bytes);
}

static void test_good(void **state)
{
    static const char text[] =
        "# head\r\n\n+1 1:0.5 3:-2e1 # tail 9:9\r\n\t \n  -1.5\t2:.25   4:7.\t\n3e0#\n0 3:+1";
    for (int gzip = 0; gzip < 2; gzip++) {
        const struct table *t = load(text, gzip);
        static const double label[] = { 1, -1.5, 3, 0 };
        static const double full[4][4] = { { 0.5, 0, -20, 0 }, { 0, 0.25, 0, 7 }, { 0 },
                                           { 0, 0, 1, 0 } };
        assert_int_equal(t->n, 4);
        assert_int_equal(t->d, 4);
        assert_int_equal(t->nonzeros, 5);
        assert_null(t->dense);
        for (long i = 0; i < 4; i++) {
            double row[4] = { 0 };
            assert_true(t->label[i] == label[i]);
            struct entries a = table_row(t, i);
            for (long k = 0; k < a.count; k++)
                row[a.index[k]] = a.value[k];
            assert_memory_equal(row, full[i], sizeof row);
        }
    }
}

/* Rows, columns and the dense copy must hold the same entries; a table of which more than half is stored is
 * dense. */
static void check_forms(const struct table *t)
{
    long seen = 0, stored = 0, nonzeros = 0;
    const struct columns *c;
    double *at = test_calloc((size_t)(t->n * t->d), sizeof *at);
    for (long i = 0; i < t->n; i++)
        for (struct entries a = table_row(t, i); a.count > 0; a.count--, stored++) {
            long k = a.count - 1;
            assert_true(k == 0 || a.index[k] > a.index[k - 1]);
            at[i * t->d + a.index[k]] = a.value[k];
            nonzeros += a.value[k] != 0;
        }
    assert_int_equal(data_columns(t, &c, NULL), OK);
    for (long j = 0; j < t->d; j++)
        for (struct entries a = table_column(c, j); a.count > 0; a.count--, seen++) {
            long k = a.count - 1;
            assert_true(k == 0 || a.index[k] > a.index[k - 1]);
            assert_true(at[a.index[k] * t->d + j] == a.value[k]);
        }
    assert_int_equal(seen, stored);
    assert_int_equal(nonzeros, t->nonzeros);
    assert_int_equal(t->dense != NULL, 2 * t->nonzeros > t->n * t->d);
    assert_int_equal(stored, t->dense ? t->n * t->d : t->nonzeros);
    test_free(at);
}

static void test_forms(void **state)
{
    struct rng r = rng_stream(11);
    char *text = test_malloc(1 << 18);
    for (int density = 1; density < 10; density += 4) {
        size_t n = 0;
        for (int i = 0; i < 60; i++) {
            n += (size_t)snprintf(text + n, (1 << 18) - n, "%d", i % 2);
            for (int j = 1; j <= 31; j++)
                if ((int)rng_below(&r, 10) < density)
                    n += (size_t)snprintf(text + n, (1 << 18) - n, " %d:%.17g", j, rng_normal(&r));
            n += (size_t)snprintf(text + n, (1 << 18) - n, "\n");
        }
        check_forms(load(text, density == 5));
    }
    test_free(text);
}

/* The description of the file says that it has 270 records, 13 columns, 3378 entries, and 120 records of one
 * class. */
static void test_heart_scale(void **state)
{
    const struct table *t, *again;
    struct why why = { "" };
    need("heart_scale");
    if (data_table("heart_scale", &t, &why) != OK)
        fail_msg("%s", why.text);
    long plus = 0;
    for (long i = 0; i < t->n; i++)
        plus += t->label[i] == 1;
    assert_int_equal(t->n, 270);
    assert_int_equal(t->d, 13);
    assert_int_equal(t->nonzeros, 3378);
    assert_int_equal(plus, 120);
    assert_non_null(t->dense);
    assert_true(t->dense[0] == 0.708333 && t->dense[3] == -0.320755);
    check_forms(t);
    assert_int_equal(data_table("heart_scale", &again, &why), OK);
    assert_ptr_equal(t, again);
}

/* Every decimal text must be read as by strtod, which rounds correctly in this C library. */
static void test_numbers(void **state)
{
    static const char *const hard[] = {
        "9007199254740993", "9007199254740992", "9007199254740991e22", "9007199254740993e-22",
        "1e22", "1e23", "1e-22", "1e-23", "8.41e21", "2.2250738585072011e-308", "4.9e-324",
        "1e-400", "1.7976931348623157e308", "0.1", "123456789012345678901234567890",
        "0.000000000000000000001", "5e-324", "6631236846766476e-316", "-0", "0e999",
        "00000000000000000000000000000000000001.50", "18446744073709551615",
        "1.00000000000000000000000000000000000000000000001", "18446744073709551616",
        "1844674407370955161.5", "1e00000000000000000000005", "+3.25E+2",
        /* Rounded to 64 bits each of these numbers is a midpoint between two doubles, while its exact value is not.
         * They were found by exact fractions. */
        "9661251171679214276e9", "3525556260142376341e21", "2517908295332066347e10",
        "5251376545538126362e6", "6629959187100175959e-24", "6648842219390198743e2",
    };
    enum { RANDOM = 20000, SIZE = 50 };
    long hards = sizeof hard / sizeof *hard, n = hards + RANDOM;
    char *text = test_malloc((size_t)n * (SIZE + 8)), *c = text;
    char (*number)[SIZE + 10] = test_calloc((size_t)n, sizeof *number);
    struct rng r = rng_stream(3);
    for (long i = 0; i < n; i++) {
        int digits = 1 + (int)rng_below(&r, 19), power = (int)rng_below(&r, 61) - 30;
        if (i < hards)
            snprintf(number[i], sizeof *number, "%s", hard[i]);
        else if (i % 2)
            snprintf(number[i], sizeof *number, "%.*e", digits - 1, rng_normal(&r) * exp10(power));
        else
            snprintf(number[i], sizeof *number, "%.*f", digits, 1e3 * rng_normal(&r));
        c += sprintf(c, "%s 1:1\n", number[i]);
    }
    const struct table *t = load(text, false);
    assert_int_equal(t->n, n);
    for (long i = 0; i < n; i++) {
        double truth = strtod(number[i], NULL);
        if (memcmp(&truth, &t->label[i], sizeof truth) != 0)
            fail_msg("%s read as %.17g, expected %.17g", number[i], t->label[i], truth);
    }
    test_free(text);
    test_free(number);
}

/* The checksum is that of the text, not of the gzip file. Expected value: `printf '1 1:1\n' | xxhsum -H3`. */
static void test_checksum(void **state)
{
    unsigned long long plain = load("1 1:1\n", false)->checksum;
    assert_true(plain == load("1 1:1\n", true)->checksum);
    assert_true(plain != load("1 1:2\n", false)->checksum);
    assert_true(plain == 0xa5cbe9061847f306ull);
}

/* Reads a record of 1200000 entries, for which entries and columns move to large pages, and more records than the
 * first allocations hold. */
static void test_large(void **state)
{
    enum { WIDE = 1200000, TALL = 5000 };
    char *text = test_malloc(WIDE * 12 + TALL * 16), *c = text;
    c += sprintf(c, "1");
    for (int j = 1; j <= WIDE; j++)
        c += sprintf(c, " %d:%d", j, j % 10);
    for (int i = 0; i < TALL; i++)
        c += sprintf(c, "\n-1 %d:2", i + 1);
    const struct table *t = load(text, true);
    const struct columns *columns;
    assert_int_equal(t->n, TALL + 1);
    assert_int_equal(t->d, WIDE);
    assert_int_equal(t->nonzeros, WIDE + TALL - WIDE / 10);
    assert_int_equal(data_columns(t, &columns, NULL), OK);
    for (long j = 0; j < WIDE; j++) {
        struct entries a = table_column(columns, j);
        assert_int_equal(a.count, (j % 10 != 9) + (j < TALL));
        if (j % 10 != 9)
            assert_true(a.value[0] == (double)((j + 1) % 10));
    }
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_lines), cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_good), cmocka_unit_test(test_forms),
        cmocka_unit_test(test_heart_scale), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_checksum), cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests_name("data", tests, setup, teardown);
}

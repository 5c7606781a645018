/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_record.c - records: values, packing, printing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "record/listing.h"

static const double special[] = { 0.0, -0.0, 1.0, -1.5, NAN, INFINITY, -INFINITY, DBL_MAX, DBL_MIN,
                                  5e-324, -5e-324, 1e-310, 0.1, 9007199254740993.0 };
enum { SPECIALS = sizeof special / sizeof *special };

/* Returns a record with every special number as value and in the trace; `reversed` puts them in reverse order. */
static struct record *sample(bool reversed)
{
    static const char *const columns[] = { "cost", "excess" };
    struct record *r = record_new("quadratic d=3 | sgd | rep=7",
                                  "0123456789abcdef0123456789abcdef");
    char name[RECORD_NAME];

    assert_non_null(r);
    record_end(r, OUTCOME_TIMEOUT, "no answer within 2 s");
    r->seconds = 1.25;
    r->peak_bytes = 4096;
    for (int k = 0; k < SPECIALS; k++) {
        int j = reversed ? SPECIALS - 1 - k : k;

        snprintf(name, sizeof name, "measure.%c", "qwertyuiopasdf"[j]);
        record_put(r, name, special[j]);
    }
    record_trace_columns(r, 2, columns);
    for (int k = 0; k + 1 < SPECIALS; k += 2)
        record_trace_row(r, special + k);
    return r;
}

static uint64_t bits(double v)
{
    uint64_t u;

    memcpy(&u, &v, sizeof u);
    return u;
}

static void outcome_names(void **state)
{
    enum outcome o = OUTCOME_OK;

    assert_true(record_outcome_parse("memory", &o));
    assert_int_equal(o, OUTCOME_MEMORY);
    assert_string_equal(record_outcome_name(OUTCOME_REFUSED), "refused");
    assert_string_equal(record_outcome_name(99), "unknown");
    assert_false(record_outcome_parse("", &o));
    assert_false(record_outcome_parse("OK", &o));
    assert_int_equal(o, OUTCOME_MEMORY);
}

static void put_and_get(void **state)
{
    struct record *r = record_new("c", "");
    char name[RECORD_NAME];
    double v = 42;

    /* The powers of 11 modulo 1009 run through 1, ..., 1008, so that names come in a scattered order. */
    for (long k = 1, x = 1; k <= 1008; k++, x = x * 11 % 1009) {
        snprintf(name, sizeof name, "v%ld", x);
        record_put(r, name, -1);
        record_put(r, name, (double)x);
    }
    assert_int_equal(r->values, 1008);
    for (long x = 1; x <= 1008; x++) {
        snprintf(name, sizeof name, "v%ld", x);
        assert_true(record_get(r, name, &v));
        assert_true(v == (double)x);
    }
    assert_false(record_get(r, "v1009", &v));
    assert_false(record_get(r, "", &v));
    assert_true(v == 1008);
    for (size_t k = 1; k < r->values; k++)
        assert_true(strcmp(r->name[k - 1], r->name[k]) < 0);
    record_free(r);
    record_free(NULL);
}

static void message_is_cut(void **state)
{
    struct record *r = record_new("c", "");
    char text[1000];

    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    record_end(r, OUTCOME_REFUSED, text);
    assert_int_equal(strlen(r->message), RECORD_MESSAGE - 1);
    record_end(r, OUTCOME_OK, NULL);
    assert_string_equal(r->message, "");
    record_free(r);
}

static void pack_keeps_every_bit(void **state)
{
    struct record *r = sample(false), *back;
    double v = 0;
    char name[RECORD_NAME];
    void *bytes;
    size_t n;

    assert_true(record_pack(r, &bytes, &n));
    back = record_unpack(bytes, n, NULL);
    assert_non_null(back);
    assert_string_equal(back->cell, "quadratic d=3 | sgd | rep=7");
    assert_string_equal(back->fingerprint, "0123456789abcdef0123456789abcdef");
    assert_int_equal(back->outcome, OUTCOME_TIMEOUT);
    assert_string_equal(back->message, "no answer within 2 s");
    assert_true(back->seconds == 1.25 && back->peak_bytes == 4096);
    for (int k = 0; k < SPECIALS; k++) {
        snprintf(name, sizeof name, "measure.%c", "qwertyuiopasdf"[k]);
        assert_true(record_get(back, name, &v));
        assert_true(bits(v) == bits(special[k]));
    }
    assert_int_equal(back->trace.columns, 2);
    assert_int_equal(back->trace.rows, SPECIALS / 2);
    assert_string_equal(back->trace.column[1], "excess");
    assert_memory_equal(back->trace.value, special, SPECIALS / 2 * 2 * sizeof *special);
    assert_true(record_equal(r, back));

    record_put(back, "more", 1);     /* an unpacked record can still grow */
    record_trace_row(back, special);
    assert_int_equal(back->trace.rows, SPECIALS / 2 + 1);
    record_free(back);
    record_free(r);
    free(bytes);
}

static void empty_record(void **state)
{
    struct record *r = record_new("", ""), *copy = record_copy(r);

    assert_non_null(copy);
    assert_true(record_equal(r, copy));
    assert_int_equal(copy->values + copy->trace.rows + copy->trace.columns, 0);
    record_trace_row(copy, NULL);    /* a trace without columns has no rows */
    assert_int_equal(copy->trace.rows, 0);
    record_free(r);
    record_free(copy);
}

/* A prefix of a packed record is refused. Each prefix is copied to a block of its exact size, so that a sanitizer
 * notices a read behind it. */
static void every_prefix_is_refused(void **state)
{
    struct record *r = sample(false);
    unsigned char *bytes;
    void *packed;
    size_t n;

    assert_true(record_pack(r, &packed, &n));
    for (size_t k = 0; k < n; k++) {
        bytes = malloc(k ? k : 1);
        memcpy(bytes, packed, k);
        assert_null(record_unpack(bytes, k, NULL));
        free(bytes);
    }
    bytes = calloc(1, n + 1);
    memcpy(bytes, packed, n);
    assert_null(record_unpack(bytes, n + 1, NULL));
    free(bytes);
    free(packed);
    record_free(r);
}

/* record_unpack sets errno to ENOMEM when an allocation fails. If it called the bytes corrupt, the cell would be stored
 * as crashed. The test sets the limit of the address space below what the process already uses, so that the 32 MiB of
 * the trace cannot be allocated. */
static void no_memory_is_not_corrupt(void **state)
{
#ifdef __SANITIZE_ADDRESS__
    printf("skip: a limit of the address space, which the sanitizer does not stand\n");
    skip();
#else
    enum { ROWS = 1 << 21 };
    struct record *r = sample(false), *back;
    struct rlimit before, none;
    void *bytes;
    size_t n;

    for (int k = 0; k < ROWS; k++)
        record_trace_row(r, special);
    assert_true(record_pack(r, &bytes, &n));
    record_free(r);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = (struct rlimit){ 1 << 20, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    errno = 0;
    back = record_unpack(bytes, n, NULL);
    int error = errno;
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_null(back);
    assert_int_equal(error, ENOMEM);
    *(char *)bytes ^= 1;
    assert_null(record_unpack(bytes, n, NULL));
    assert_int_equal(errno, EBADMSG);
    *(char *)bytes ^= 1;
    back = record_unpack(bytes, n, NULL);
    assert_non_null(back);
    assert_int_equal(back->trace.rows, ROWS + SPECIALS / 2);
    record_free(back);
    free(bytes);
#endif
}

/* CRC-32 detects every change within 32 neighbouring bits: a record with one changed byte is always refused. */
static void every_changed_byte_is_refused(void **state)
{
    struct record *r = sample(false);
    unsigned char *at;
    void *bytes;
    size_t n;

    assert_true(record_pack(r, &bytes, &n));
    at = bytes;
    for (size_t k = 0; k < n; k++) {
        for (int flip = 1; flip < 256; flip += 127) {
            at[k] ^= flip;
            assert_null(record_unpack(bytes, n, NULL));
            at[k] ^= flip;
        }
    }
    record_free(record_unpack(bytes, n, NULL));
    free(bytes);
    record_free(r);
}

static uint32_t crc_by_bits(const unsigned char *at, size_t n)
{
    uint32_t c = 0xffffffffu;

    while (n-- > 0) {
        c ^= *at++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

/* record_unpack must survive all bytes whose checksum is right. Bytes from 16 on are changed, and their checksum,
 * in bytes 4 to 7, is corrected. A record that is accepted must be complete: it can be copied, and has no more rows
 * than bytes. */
static void corrupt_with_right_checksum(void **state)
{
    static const unsigned char poison[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
    struct record *r = sample(false), *back;
    unsigned char *at, old[8];
    void *bytes;
    size_t n, refused = 0;

    assert_true(record_pack(r, &bytes, &n));
    at = bytes;
    for (size_t k = 16; k + 8 <= n; k++) {
        memcpy(old, at + k, 8);
        for (size_t j = 0; j < 2 * sizeof poison; j++) {
            uint32_t crc;

            memset(at + k, poison[j / 2], j % 2 ? 8 : 1);
            crc = crc_by_bits(at + 16, n - 16);
            memcpy(at + 4, &crc, sizeof crc);
            back = record_unpack(bytes, n, NULL);
            refused += back == NULL;
            if (back) {
                struct record *copy = record_copy(back);

                assert_true(back->trace.rows < n);   /* the count of rows did not overflow when it was multiplied */
                assert_non_null(copy);
                assert_true(record_equal(back, copy));
                record_free(copy);
            }
            record_free(back);
            memcpy(at + k, old, 8);
        }
    }
    assert_true(refused > n);        /* 10 changes are made at each byte; those of texts, lengths and counts are
                                        refused, those of numbers accepted */
    free(bytes);
    record_free(r);
}

static void equality(void **state)
{
    struct record *a = sample(false), *b = sample(true);

    assert_true(record_equal(a, b));         /* records are equal for any order of record_put */
    b->seconds = 9;
    b->peak_bytes = NAN;
    assert_true(record_equal(a, b));
    record_put(b, "measure.q", -0.0);        /* the value was 0.0 */
    assert_false(record_equal(a, b));
    record_put(b, "measure.q", 0.0);
    record_put(b, "measure.t", -NAN);        /* the value was NaN; all NaN are equal */
    assert_true(record_equal(a, b));
    record_put(b, "measure.t", 1);
    assert_false(record_equal(a, b));
    record_put(b, "measure.t", NAN);
    b->trace.value[3] = nextafter(b->trace.value[3], 0);
    assert_false(record_equal(a, b));
    b->trace.value[3] = a->trace.value[3];
    assert_true(record_equal(a, b));
    strcpy(b->trace.column[0], "costs");
    assert_false(record_equal(a, b));
    record_free(a);
    record_free(b);
}

static char *printed(const struct record *r, enum record_format format, bool canonical)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    record_write(f, r, format, canonical);
    fclose(f);
    return text;
}

/* The expected texts follow RFC 4180 and RFC 8259, and are written out by hand. */
static void printing(void **state)
{
    static const char *const columns[] = { "cost", "gap" };
    struct record *r = record_new("a, \"b\"\\", "ff");
    char *text;

    record_end(r, OUTCOME_CRASHED, "x\ny\xc3\xa9\xff");
    record_put(r, "p", 0.1);
    record_put(r, "n", NAN);
    record_put(r, "m", -INFINITY);
    record_trace_columns(r, 2, columns);
    record_trace_row(r, (double[]){ 1, INFINITY });
    record_trace_row(r, (double[]){ 2, -0.0 });
    r->seconds = 0.5;
    r->peak_bytes = 8;

    text = printed(r, RECORD_CSV, true);
    assert_string_equal(text,
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",,m,-inf\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",,n,nan\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",,p,0.10000000000000001\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",0,cost,1\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",0,gap,inf\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",1,cost,2\n"
        "\"a, \"\"b\"\"\\\",ff,crashed,\"x\ny\xc3\xa9\xff\",1,gap,-0\n");
    free(text);
    text = printed(r, RECORD_JSON, false);
    assert_string_equal(text,
        "{\"cell\":\"a, \\\"b\\\"\\\\\",\"fingerprint\":\"ff\",\"outcome\":\"crashed\","
        "\"message\":\"x\\u000ay\xc3\xa9\\u00ff\",\"values\":{\"m\":\"-inf\",\"n\":\"nan\","
        "\"p\":0.10000000000000001},\"trace\":{\"columns\":[\"cost\",\"gap\"],"
        "\"rows\":[[1,\"inf\"],[2,-0]]},\"seconds\":0.5,\"peak_bytes\":8}");
    free(text);
    text = printed(r, RECORD_TEXT, true);
    assert_string_equal(text, "a, \"b\"\\x5c\n  fingerprint ff\n  outcome crashed\n"
                              "  message x\\x0ay\xc3\xa9\xff\n  m = -inf\n  n = nan\n"
                              "  p = 0.10000000000000001\n  trace: cost gap\n    1 inf\n"
                              "    2 -0\n");
    free(text);
    record_free(r);
}

/* Text that is not UTF-8, by Table 3-7 of the Unicode standard, is escaped byte by byte. */
static void json_text_is_utf8(void **state)
{
    static const char *const pairs[][2] = {
        { "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" }, { "\xc0\xaf", "\"\\u00c0\\u00af\"" },
        { "\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"" }, { "\xe2\x82", "\"\\u00e2\\u0082\"" },
        { "\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\"" },
        { "\t\x7f", "\"\\u0009\x7f\"" }, { "\xe0\x9f\xbf", "\"\\u00e0\\u009f\\u00bf\"" },
        { "", "\"\"" },
    };

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        json_text(&(struct json){ .out = f }, NULL, pairs[k][0]);
        fclose(f);
        assert_string_equal(text, pairs[k][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcome_names),
        cmocka_unit_test(put_and_get),
        cmocka_unit_test(message_is_cut),
        cmocka_unit_test(pack_keeps_every_bit),
        cmocka_unit_test(empty_record),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(no_memory_is_not_corrupt),
        cmocka_unit_test(every_changed_byte_is_refused),
        cmocka_unit_test(corrupt_with_right_checksum),
        cmocka_unit_test(equality),
        cmocka_unit_test(printing),
        cmocka_unit_test(json_text_is_utf8),
    };

    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}

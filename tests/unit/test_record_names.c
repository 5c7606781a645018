/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_record_names.c - records in the format of the store share blocks of names, and no record gets the names of
 * another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/record_data.h"

/* Returns the bytes of a record that has these names with the values 1, 2, ..., and a trace with the column `cost`;
 * *n <- how many bytes; free() them. */
static unsigned char *data_of(const char *const *names, size_t *n)
{
    struct record *r = record_new("c", "");
    unsigned char *bytes = NULL;
    size_t room = 0;
    for (int k = 0; names[k]; k++)
        record_put(r, names[k], k + 1);
    record_trace_column(r, "cost");
    assert_true(record_data(r, &bytes, &room, n));
    record_free(r);
    return bytes;
}

static struct record *taken(const unsigned char *bytes, size_t n, struct record_names_kept *kept)
{
    struct record *r = record_new("c", "");
    assert_true(record_take_data(r, bytes, n, kept));
    return r;
}

/* Two records with equal names share a block of names, until one of them gets a value with a new name. Their names
 * outlive the cache `kept`, which a store forgets when it is closed. */
static void records_share_names(void **state)
{
    static const char *const ab[] = { "a", "b", NULL }, *const abc[] = { "a", "b", "c", NULL };
    struct record_names_kept kept = { { NULL } };
    size_t n, more;
    unsigned char *bytes = data_of(ab, &n), *longer = data_of(abc, &more);
    struct record *r = taken(bytes, n, &kept), *s = taken(bytes, n, &kept), *t = taken(longer, more, &kept);
    double v = 0;
    assert_ptr_equal(r->name[1], s->name[1]);
    assert_true(record_equal(r, s) && !record_equal(r, t));
    record_put(r, "aa", 7);
    assert_int_equal(r->values, 3);
    assert_int_equal(s->values, 2);
    assert_true(record_get(r, "aa", &v) && v == 7 && !record_get(s, "aa", &v));
    record_names_forget(&kept);
    record_free(r);
    assert_true(record_get(s, "b", &v) && v == 2 && record_get(t, "c", &v) && v == 3);
    assert_string_equal(t->trace.column[0], "cost");
    assert_true(record_take_data(s, longer, more, &kept) && record_get(s, "c", &v) && v == 3);
    record_free(s);
    record_free(t);
    record_names_forget(&kept);
    free(bytes);
    free(longer);
}

/* There are more blocks of names of one size than the cache holds. No block is taken for another one. */
static void many_names(void **state)
{
    enum { MANY = RECORD_NAMES_KEPT + 20 };
    struct record_names_kept kept = { { NULL } };
    struct record *r[MANY];
    double v;
    for (int k = 0; k < MANY; k++) {
        char name[16];
        size_t n;
        snprintf(name, sizeof name, "v%04d", k);
        unsigned char *bytes = data_of((const char *const[]){ name, NULL }, &n);
        r[k] = taken(bytes, n, &kept);
        free(bytes);
    }
    for (int k = 0; k < MANY; k++) {
        char name[16];
        snprintf(name, sizeof name, "v%04d", k);
        assert_true(record_get(r[k], name, &v) && v == 1);
        record_free(r[k]);
    }
    record_names_forget(&kept);
}

/* Names out of order, one name too few (the zero byte between two names is overwritten) and a last name without its
 * end are refused, and the record gets no value. */
static void broken_names_are_refused(void **state)
{
    static const char *const ab[] = { "aa", "bb", NULL };
    struct record_names_kept kept = { { NULL } };
    size_t n;
    unsigned char *bytes = data_of(ab, &n);
    unsigned char *first = bytes + n - strlen("cost") - 1 - 6;
    struct record *r = record_new("c", "");
    assert_memory_equal(first, "aa\0bb", 6);
    for (int k = 0; k < 2; k++) {
        first[0] = 'c';
        assert_false(record_take_data(r, bytes, n, &kept));
        first[0] = 'a';
        first[2] = '-';
        assert_false(record_take_data(r, bytes, n, &kept));
        first[2] = 0;
        assert_false(record_take_data(r, bytes, n - 1, &kept));
        assert_int_equal(r->values, 0);
    }
    assert_true(record_take_data(r, bytes, n, &kept));
    assert_false(record_take_data(r, bytes, n - 5, &kept));      /* the bytes end before the name of the column */
    record_free(r);
    record_names_forget(&kept);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_share_names),
        cmocka_unit_test(many_names),
        cmocka_unit_test(broken_names_are_refused),
    };
    return cmocka_run_group_tests_name("record names", tests, NULL, NULL);
}

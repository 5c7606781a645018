/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_listing.c - the writer of tables and of JSON: the same rows in each format, numbers that are not
 * finite, empty tables, and quotes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/listing.h"

struct written { FILE *out; char *text; size_t n; };

static FILE *begin(struct written *w)
{
    *w = (struct written){ .text = NULL };
    w->out = open_memstream(&w->text, &w->n);
    assert_non_null(w->out);
    return w->out;
}

static void expect(struct written *w, const char *text)
{
    fclose(w->out);
    assert_string_equal(w->text, text);
    free(w->text);
}

static const char *const no_row[] = { [RECORD_TEXT] = "", [RECORD_CSV] = "", [RECORD_JSON] = "[]\n" };

static void rows_in_each_format(void **state)
{
    static const char *const truth[] = {
        [RECORD_TEXT] = "a,b    0.1 7 yes x\n\"q\"    nan 0 no \n",
        [RECORD_CSV] = "name,x,n,good,last\n\"a,b\",0.1,7,yes,x\n\"\"\"q\"\"\",nan,0,no,\n",
        [RECORD_JSON] = ("[\n {\"name\": \"a,b\", \"x\": 0.1, \"n\": 7, \"good\": true, \"last\": \"x\"},\n"
                         " {\"name\": \"\\\"q\\\"\", \"x\": null, \"n\": 0, \"good\": false}\n]\n"),
    };
    for (int format = RECORD_TEXT; format <= RECORD_JSON; format++) {
        struct written w;
        struct listing l = { .out = begin(&w), .format = (enum record_format)format, .columns = 5, .nan = "nan",
                             .name = { "name", "x", "n", "good", "last" }, .width = { 6 } };
        listing_text(&l, "a,b");
        listing_real(&l, 0.1);
        listing_count(&l, 7);
        listing_flag(&l, true);
        listing_text(&l, "x");
        listing_text(&l, "\"q\"");
        listing_real(&l, NAN);
        listing_count(&l, 0);
        listing_flag(&l, false);
        listing_none(&l);
        assert_int_equal(l.rows, 2);
        listing_end(&l);
        expect(&w, truth[format]);
    }
}

static void tables_without_a_row(void **state)
{
    for (int format = RECORD_TEXT; format <= RECORD_JSON; format++)
        for (int heading = 0; heading < 2; heading++) {
            struct written w;
            struct listing l = { .out = begin(&w), .format = (enum record_format)format, .columns = 2,
                                 .name = { "a", "b" } };
            if (heading)
                listing_heading(&l);
            listing_end(&l);
            expect(&w, heading && format == RECORD_CSV ? "a,b\n" : no_row[format]);
        }
}

/* Commas separate members and elements, also after a nested object. */
static void nested_json(void **state)
{
    struct written w;
    struct json j = { .out = begin(&w), .digits = 17 };
    json_open(&j, NULL, '{');
    json_open(&j, "list", '[');
    json_real(&j, NULL, -INFINITY);
    json_real(&j, NULL, 0.1);
    json_open(&j, NULL, '{');
    json_close(&j, '}');
    json_close(&j, ']');
    json_text(&j, "none", NULL);
    json_open(&j, "empty", '[');
    json_close(&j, ']');
    json_count(&j, "n\n", -3);
    json_close(&j, '}');
    expect(&w, "{\"list\":[\"-inf\",0.10000000000000001,{}],\"none\":null,\"empty\":[],\"n\\u000a\":-3}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_each_format),
        cmocka_unit_test(tables_without_a_row),
        cmocka_unit_test(nested_json),
    };
    return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}

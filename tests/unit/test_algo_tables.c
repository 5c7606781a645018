/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_algo_tables.c - the tables of every algorithm, planted ones included: names are unique, the range or the
 * words of a parameter contain its default, notes are complete. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/params.h"
#include "cell/registry.h"

static bool is_name(const char *s)
{
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                     strlen(s);
}

static void check_table(const struct algo *a)
{
    int rows = 0;
    for (const struct param *p = a->params; p && p->name; p++, rows++) {
        if (!is_name(p->name) || !p->doc || !*p->doc || !p->unit)
            fail_msg("%s.%s: a name, a unit and words are needed", a->name, p->name);
        assert_ptr_equal(params_find(a->params, p->name), p);        /* the first parameter of this name is p: names
                                                                        are unique */
        size_t size = p->type == PARAM_COUNT ? sizeof(long)
                    : p->type == PARAM_TEXT ? sizeof(char *) : sizeof(double);
        assert_true(p->offset + size <= a->params_size);
        if (p->type == PARAM_TEXT) {
            char room[64] = { 0 };
            struct param alone = *p;
            alone.offset = 0;
            assert_int_equal(params_set_text(&alone, room, p->text, a->name, NULL), OK);
        } else if (!(p->lo <= p->hi) || (p->type == PARAM_COUNT && isnan(p->def)) ||
                   (!isnan(p->def) && !(p->def >= p->lo && p->def <= p->hi))) {
            fail_msg("%s.%s: default %g outside %g .. %g", a->name, p->name, p->def, p->lo, p->hi);
        }
    }
    assert_true(rows < 64);
}

static void test_tables(void **state)
{
    const struct algo *const *lists[] = { registry_algos(), registry_planted_algos() };
    for (int k = 0; k < 2; k++)
        for (const struct algo *const *a = lists[k]; *a; a++) {
            assert_true(is_name((*a)->name) && *(*a)->doc && *(*a)->cite && (*a)->run);
            assert_true((*a)->calls != 0);
            assert_ptr_equal(registry_algo((*a)->name), *a);
            check_table(*a);
            for (const struct note *n = (*a)->notes; n && n->name; n++)
                assert_true(is_name(n->name) && n->unit && *n->doc);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests_name("algo-tables", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_printf.c - no linked library makes printf read every format twice. */
#include <printf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>
#include <cmocka.h>

/* parse_printf_format of glibc tells whether a modifier is registered: if libquadmath had registered its Q, %Qg
 * would take one argument. */
static void no_modifier_is_registered(void **state)
{
    int type[4] = { -1, -1, -1, -1 };
    double x[2] = { 3, 4 };
    assert_true(cblas_dnrm2(2, x, 1) == 5);      /* the library with the modifier is loaded */
    assert_int_equal(parse_printf_format("%Qg", 4, type), 0);
    assert_int_equal(register_printf_type(NULL), -1);
    assert_int_equal(parse_printf_format("%g", 4, type), 1);
    assert_int_equal(type[0], PA_DOUBLE);
}

/* The program's own functions register_printf_... replace those of the C library in the other libraries only if the
 * program exports them. */
static void the_program_shows_its_own(void **state)
{
    FILE *f = popen("nm -D --defined-only " BUILD_DIR "/assay", "r");
    char line[400];
    int shown = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        shown += strstr(line, " T register_printf_") != NULL;
    assert_int_equal(pclose(f), 0);
    assert_int_equal(shown, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_modifier_is_registered),
        cmocka_unit_test(the_program_shows_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

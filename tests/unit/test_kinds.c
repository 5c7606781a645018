/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_kinds.c - what a run notes about its kind of machine, and how the store uses it. */
#include "support/stored.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

#include "numeric/kind.h"
#include "numeric/lanes.h"
#include "rng.h"
#include "run/run.h"
#include "store/store_state.h"
#include "vec.h"

/* --- the flags that kernels and BLAS set */

static void calls_set_flags(void **state)
{
    enum { D = 20 };
    double x[D], y[D];
    gsl_vector_view u = gsl_vector_view_array(x, D), v = gsl_vector_view_array(y, D);
    gsl_matrix_view A = gsl_matrix_view_array(y, 2, 2);
    double dot;
    vec_fill(D, 0.5, x);
    vec_fill(D, 0.25, y);
    uses_take();
    vec_axpy(D, 2, x, y);
    vec_scale(D, 3, y);
    vec_sub(D, x, y, y);
    dot = vec_dot(3, x, y);                          /* sums as short as this are plain loops */
    assert_int_equal(uses_take(), 0);
    dot += vec_dot(D, x, y);
    assert_int_equal(uses_take(), USES_LEVEL);
    assert_int_equal(uses_take(), 0);
    gsl_blas_ddot(&u.vector, &v.vector, &dot);       /* a call by GSL reaches the functions of the program, too */
    assert_int_equal(uses_take(), USES_BLAS);
    gsl_matrix_set_identity(&A.matrix);
    gsl_linalg_cholesky_decomp1(&A.matrix);
    assert_int_equal(uses_take(), USES_BLAS);
    uses_add(USES_ALL);
    assert_int_equal(uses_take(), USES_ALL);
}

/* Kernels that set no flag have the same bits at every level. */
static void exact_kernels_agree(void **state)
{
    enum { MOST = 70, ROWS = 3 };
    double x[ROWS * MOST], y[MOST], c[ROWS], first[2][MOST + 1][MOST];
    struct rng g = rng_stream(3);
    rng_normals(&g, ROWS * MOST, 1, x);
    rng_normals(&g, MOST, 1, y);
    rng_normals(&g, ROWS, 1, c);
    for (int level = 0; level < LANES_COUNT; level++) {
        if (lanes_use((enum lanes_level)level, NULL) != OK)
            continue;
        uses_take();
        for (long d = 1; d <= MOST; d++) {
            double z[2][MOST];
            for (int k = 0; k < 2; k++)
                vec_copy(d, y, z[k]);
            vec_axpy(d, c[0], x, z[0]);
            vec_lincomb(d, c[1], x, c[2], z[0], z[0]);
            vec_add_rows(ROWS, d, x, c, z[1]);
            for (int k = 0; k < 2; k++) {
                if (level == 0)
                    vec_copy(d, z[k], first[k][d]);
                assert_memory_equal(z[k], first[k][d], (size_t)d * sizeof(double));
            }
        }
        assert_int_equal(uses_take(), 0);
    }
    assert_int_equal(lanes_from_environment(NULL), OK);
}

/* Of the functions of real vectors that GSL takes from BLAS the program defines all but those that copy, swap or
 * scale, and so sees when one of them is called. The three that it does not define give the same bits in every
 * library. */
static void all_of_blas_passes_here(void **state)
{
    static const char exact[] = "cblas_dcopy cblas_dswap cblas_dscal";
    char name[100];
    int n = 0;
    FILE *f = popen("nm -D --undefined-only \"$(ldd '" BUILD_DIR "/assay' | awk '/libgsl\\.so/ { print $3 }')\" | "
                    "awk '$2 ~ /^cblas_d/ { print $2 }'", "r");
    while (fscanf(f, "%99s", name) == 1) {
        char command[300];
        snprintf(command, sizeof command, "nm '" BUILD_DIR "/assay' | grep -q ' T %s$'", name);
        if (!strstr(exact, name) && strcmp(name, "cblas_dzasum") && strcmp(name, "cblas_dznrm2") && system(command))
            fail_msg("%s does not pass here", name);
        n++;
    }
    pclose(f);
    assert_true(n > 15);
}

/* The second cell uses the instance that the first cell made. So it depends on the kernels by which that instance
 * was made, and its flags must say so. */
static void an_instance_passes_on_its_flags(void **state)
{
    static const char *const text[] = {
        "problem erm data=heart_scale | algo sgd step=0.5 | goal T=3 | run | rep 0",
        "problem erm data=heart_scale | algo sgd step=0.25 | goal T=3 | run | rep 0",
    };
    unsigned alone[2], behind[2];
    struct runner *together = runner_new(0);
    for (int k = 0; k < 2; k++) {
        struct cell *c;
        struct why why = { "" };
        if (cell_parse(text[k], &c, &why) != OK)
            fail_msg("%s", why.text);
        struct runner *own = runner_new(0);
        struct record *r = run_cell(own, c, NULL);
        alone[k] = r->uses;
        record_free(r);
        runner_free(own);
        r = run_cell(together, c, NULL);
        behind[k] = r->uses;
        record_free(r);
        cell_free(c);
    }
    runner_free(together);
    assert_true(alone[0] & USES_LEVEL && behind[0] == alone[0] && behind[1] == alone[1]);
}

/* --- records of another kind of machine */

static void put_uses(struct store *s, long run, const char *cell, unsigned uses, double v)
{
    struct record *r = record_new(cell, "00ff");
    record_put(r, "v", v);
    r->uses = uses;
    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

static bool found_there(struct store *s, const char *cell, bool *foreign, double *v)
{
    struct store_ask ask = { cell, "00ff" };
    struct store_hit hit;
    struct record *r;
    assert_int_equal(store_scan(s, &ask, 1, &hit, NULL), OK);
    *foreign = hit.foreign;
    *v = NAN;
    assert_int_equal(store_load(s, &ask, &hit, 1, &r, NULL), OK);
    if (r)
        record_get(r, "v", v);
    record_free(r);
    return hit.id != 0;
}

static void what_differs_is_run_again(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    char text[STORE_KIND];
    bool foreign;
    double v;
    long cells;
    if (lanes_use(LANES_avx2, NULL) != OK)
        skip();
    long run = begun(s);
    put_uses(s, run, "none", 0, 1);
    put_uses(s, run, "level", USES_LEVEL, 1);
    put_uses(s, run, "blas", USES_BLAS, 1);
    assert_int_equal(lanes_use(LANES_portable, NULL), OK);
    assert_true(found_there(s, "none", &foreign, &v) && !foreign && v == 1);
    assert_true(found_there(s, "blas", &foreign, &v) && !foreign && v == 1);
    assert_true(found_there(s, "level", &foreign, &v) && foreign && v == 1);
    struct store_ask ask = { "level", "00ff" };
    struct store_hit hit;
    assert_int_equal(store_scan(s, &ask, 1, &hit, NULL), OK);
    assert_non_null(strstr(store_hit_kind(s, &hit, text), "avx2"));
    /* If a cell is run again at another level, the new record is put beside the first one; runs at the old level
     * still find the first one. */
    long two = begun(s);
    put_uses(s, two, "level", USES_LEVEL, 2);
    assert_true(found_there(s, "level", &foreign, &v) && !foreign && v == 2);
    assert_int_equal(lanes_use(LANES_avx2, NULL), OK);
    assert_true(found_there(s, "level", &foreign, &v) && !foreign && v == 1);
    put_uses(s, begun(s), "level", USES_LEVEL, 3);          /* only the record of the same level is replaced */
    assert_true(found_there(s, "level", &foreign, &v) && !foreign && v == 3);
    assert_int_equal(lanes_use(LANES_portable, NULL), OK);
    assert_true(found_there(s, "level", &foreign, &v) && !foreign && v == 2);
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, 3);
    struct seen seen = { "", 0 };
    assert_int_equal(store_each_of_run(s, STORE_LATEST, note_record, &seen, NULL), OK);
    assert_int_equal(seen.count, 3);
    store_close(s);
    assert_int_equal(lanes_from_environment(NULL), OK);
}

/* Of a crash and a result of one cell the one that was put last is found, whatever the two of them used. */
static void a_result_takes_the_place_of_a_crash(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    struct record *r = record_new("x", "00ff");
    bool foreign;
    double v;
    long cells;
    long run = begun(s);
    record_end(r, OUTCOME_CRASHED, "signal 11");
    r->uses = USES_ALL;
    assert_int_equal(store_put(s, run, r, NULL), OK);
    put_uses(s, begun(s), "x", 0, 4);
    assert_true(found_there(s, "x", &foreign, &v) && v == 4);
    assert_int_equal(store_put(s, begun(s), r, NULL), OK);
    assert_true(found_there(s, "x", &foreign, &v) && isnan(v));
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    record_free(r);
    store_close(s);
}

/* If the words of a maker in the store are changed, all records of this maker count as damaged. */
static void makers_are_held(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    struct why why = { "" };
    long cells;
    put(s, begun(s), 1, 1);
    assert_int_equal(store_sql(s, "UPDATE makers SET library = 'glibc 1.0'", NULL), OK);
    store_close(s);
    s = opened(file("a.db"), STORE_READ);
    assert_int_equal(store_verify(s, &cells, &why), DAMAGED);
    assert_true(strstr(why.text, "the maker"));
    store_close(s);
}

/* --- the program, with kernels of several levels */

static int shell_in(const char *format, const char *arch)
{
    char command[600], line[400];
    snprintf(line, sizeof line, format, arch);
    snprintf(command, sizeof command, "cd %s && a='%s/assay' && %s", folder, BUILD_DIR, line);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The program states the level, the BLAS core and the form of exp; they are those that were asked for. */
static void arch_starts_the_program_again(void **state)
{
    static const struct { const char *arch, *kind; } rows[] = {
        { "portable", "level portable, BLAS Nehalem .* sse2, GSL" },
        { "avx2", "level avx2, BLAS Haswell .* fma, GSL" },
        { "avx512", "level avx512, BLAS SkylakeX .* fma, GSL" },
    };
    for (int k = 0; k < 3; k++) {
        char command[300];
        if (lanes_use((enum lanes_level)k, NULL) != OK) {
            assert_int_equal(shell_in("$a doctor --arch %s 2> err.txt", rows[k].arch), 2);
            assert_int_equal(shell_in("grep -q 'this machine has no %s' err.txt", rows[k].arch), 0);
            continue;
        }
        snprintf(command, sizeof command, "$a doctor --arch %%s | grep -q '^ok   kind  *%s'", rows[k].kind);
        assert_int_equal(shell_in(command, rows[k].arch), 0);
        assert_int_equal(shell_in("ASSAY_ARCH=%s $a doctor | grep -q '^ok   kind '", rows[k].arch), 0);
    }
    assert_int_equal(lanes_from_environment(NULL), OK);
    assert_int_equal(shell_in("$a doctor --arch %s 2> err.txt", "z80"), 2);
}

/* Two stores hold runs at two levels. Records that do not depend on the level have equal bits in both, since the
 * merge would refuse them otherwise. If the second level uses the store of the first, it runs only the cells that
 * depend on the level, says so, and then has all records that it needs. */
static void levels_in_one_store(void **state)
{
    if (lanes_use(LANES_avx2, NULL) != OK)
        skip();
    assert_int_equal(lanes_from_environment(NULL), OK);
    assert_int_equal(shell_in("for k in portable avx2; do "
                              "ASSAY_SIMD=$k $a run --claim %s -j2 --store $k.db 2> $k.txt || exit 1; done",
                              "'baselines/gd.*'"), 0);
    assert_int_equal(shell_in("$a merge %s portable.db avx2.db > out.txt", "m.db"), 0);
    assert_int_equal(shell_in("grep -q '^m.db: 2 kinds' out.txt%s", ""), 0);
    assert_int_equal(shell_in("ASSAY_SIMD=avx2 $a run --claim %s --store portable.db 2> err.txt",
                              "'baselines/gd.*'"), 0);
    assert_int_equal(shell_in("grep -q 'another kind of machine (level portable' err.txt%s", ""), 0);
    assert_int_equal(shell_in("ASSAY_SIMD=avx2 $a run --claim %s --store m.db 2> err.txt", "'baselines/gd.*'"), 0);
    assert_int_equal(shell_in("grep -q ' 0 run' err.txt && ! grep -q 'another kind' err.txt%s", ""), 0);
    assert_int_equal(shell_in("$a doctor --store m.db | grep -q '^ok   kinds  *2 kinds'%s", ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_set_flags),
        cmocka_unit_test(exact_kernels_agree),
        cmocka_unit_test(all_of_blas_passes_here),
        cmocka_unit_test(an_instance_passes_on_its_flags),
        IN_FOLDER(what_differs_is_run_again),
        IN_FOLDER(a_result_takes_the_place_of_a_crash),
        IN_FOLDER(makers_are_held),
        IN_FOLDER(arch_starts_the_program_again),
        IN_FOLDER(levels_in_one_store),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm_known.c - published optima of real data sets are reached with a relative error of 1e-9. The models have
 * no intercept, as the published numbers of coefficients show. Rows of the table of published optima that take
 * seconds run only with ASSAY_LONG=1. */
#include "support/erm_tables.h"

/* A row of the table of published optima. nonzeros: coefficients other than 0; norm: of the minimiser. */
struct row {
    char file[100], preprocessing[60], loss[40], regulariser[40];
    double lambda, f_star, nonzeros, norm;
};

/* Reads a row of the table: nine quoted fields and a remark. Returns false where the line has another form. */
static bool read_row(const char *line, struct row *r)
{
    return sscanf(line, "\"%99[^\"]\",\"%59[^\"]\",\"%39[^\"]\",\"%39[^\"]\",\"%lf\",\"%lf\","
                  "\"%*[^\"]\",\"%lf\",\"%lf\"", r->file, r->preprocessing, r->loss,
                  r->regulariser, &r->lambda, &r->f_star, &r->nonzeros, &r->norm) == 8;
}

/* *s <- the parameters for which a row of the table stands. Returns false where the row has words that this test
 * does not know. */
static bool setting_of(const struct row *r, struct setting *s)
{
    static const struct { const char *words, *scaling, *target; } prepared[] = {
        { "as staged", "none", "none" }, { "as staged (0/1)", "none", "none" },
        { "rows scaled to unit L2 norm", "unit", "none" }, { "columns z-scored", "zscore", "none" },
        { "columns z-scored; target centred", "zscore", "centre" },
        { "columns z-scored; target z-scored", "zscore", "zscore" },
    };
    bool l1 = strcmp(r->regulariser, "lam |w|_1") == 0;
    bool logistic = strcmp(r->loss, "logistic mean") == 0;
    *s = (struct setting){ .loss = logistic ? "logistic" : "squares", .l1 = l1 ? r->lambda : 0,
                           .l2 = l1 ? 0 : r->lambda };
    for (size_t k = 0; k < sizeof prepared / sizeof *prepared; k++)
        if (strcmp(prepared[k].words, r->preprocessing) == 0) {
            s->scaling = prepared[k].scaling;
            s->target = prepared[k].target;
        }
    return s->scaling && (l1 || strcmp(r->regulariser, "lam/2 |w|_2^2") == 0) &&
           (logistic || strcmp(r->loss, "squares 1/(2n)") == 0);
}

static void compare(const struct row *r, const struct setting *s)
{
    struct built b = build_with(s);
    double *x = arena_vec(b.a, b.d), error;
    long nonzeros = 0;
    P->minimiser(b.self, x);
    for (long j = 0; j < b.d; j++)
        nonzeros += x[j] != 0;
    if (!(fabs(b.f.f_star - r->f_star) <= 1e-9 * r->f_star))
        fail_msg("%s %s: F* = %.17g, expected %.17g", r->file, r->regulariser, b.f.f_star,
                 r->f_star);
    if (!(fabs(vec_norm(b.d, x) - r->norm) <= 1e-6 * r->norm))
        fail_msg("%s: |x*| = %.12g, expected %.12g", r->file, vec_norm(b.d, x), r->norm);
    /* Only with an l1 regulariser are coefficients counted: as many must differ from 0 as the table says, which
     * counts those above rounding. */
    assert_true(s->l1 == 0 || (double)nonzeros == r->nonzeros);
    double excess = measured(&b, "excess", x, &error);
    assert_true(excess >= 0 && error <= 1e-9 * r->f_star);
    arena_free(b.a);
}

static void test_known_optima(void **state)
{
    const char *shared = getenv("ASSAY_SHARED"), *all = getenv("ASSAY_LONG");
    char path[1100], line[600];
    int compared = 0, unknown = 0;
    shared = shared ? shared : SOURCE_DIR "/../shared";
    snprintf(path, sizeof path, "%s/known-answers/reference_optima.csv", shared);
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("skip: reference_optima.csv is not here (ASSAY_SHARED names its folder)\n");
        skip();
    }
    assert_non_null(fgets(line, sizeof line, f));        /* the header */
    while (fgets(line, sizeof line, f)) {
        struct row r;
        struct setting s;
        if (!read_row(line, &r) || !setting_of(&r, &s)) {
            unknown++;
            continue;
        }
        bool slow = strncmp(r.file, "dorothea", 8) == 0 || strncmp(r.file, "madelon", 7) == 0;
        if (slow && !all) {
            printf("skip: %s, %s = %g: takes seconds (ASSAY_LONG=1, make test-long)\n", r.file,
                   r.regulariser, r.lambda);
            continue;
        }
        snprintf(path, sizeof path, "%s/data/%s", shared, r.file);
        s.data = path;
        compare(&r, &s);
        compared++;
    }
    fclose(f);
    assert_int_equal(unknown, 0);
    assert_true(compared >= (all ? 19 : 15));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known_optima) };
    return cmocka_run_group_tests_name("erm_known", tests, setup, teardown);
}

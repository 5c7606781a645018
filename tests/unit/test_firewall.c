/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_firewall.c - algorithms, problems and claims use nothing but the contract: this is checked by the symbols of
 * their objects, and by what the compiler lets them include. */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define API SOURCE_DIR "/harness/api"

/* --- the names of functions that methods, problems and claims may use */

struct words { char *text; size_t length, room; };   /* " name name name " */

static void words_add(struct words *w, const char *name, size_t n)
{
    if (w->length + n + 3 > w->room) {
        w->room = 2 * (w->room + n + 3);
        w->text = realloc(w->text, w->room);
        assert_non_null(w->text);
    }
    if (!w->length)
        w->text[w->length++] = ' ';
    memcpy(w->text + w->length, name, n);
    w->length += n;
    w->text[w->length++] = ' ';
    w->text[w->length] = 0;
}

static bool words_have(const struct words *w, const char *name)
{
    char wanted[300];
    snprintf(wanted, sizeof wanted, " %s ", name);
    return w->text && strstr(w->text, wanted);
}

/* Adds every word of a header before an opening parenthesis: these include all functions that it declares, and
 * no function of another header. */
static void add_header(struct words *w, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[400];
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        for (char *open = line; (open = strchr(open, '(')); open++) {
            char *end = open;
            while (end > line && end[-1] == ' ')
                end--;
            char *begin = end;
            while (begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
                begin--;
            if (end > begin)
                words_add(w, begin, (size_t)(end - begin));
        }
    fclose(f);
}

static struct words contract(void)
{
    struct words w = { 0 };
    DIR *dir = opendir(API);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[600];
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".h"))
            continue;
        snprintf(path, sizeof path, "%s/%s", API, e->d_name);
        add_header(&w, path);
    }
    closedir(dir);
    return w;
}

/* Pure functions of libm and libc, and functions that compilers call without being asked. */
static const char pure[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 "
    "fabs"
    " fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 modf nextafter "
    "pow"
    " remainder rint round sin sincos sinh sqrt tan tanh tgamma trunc lround lrint"
    " memcpy memmove memset memcmp memchr strcmp strncmp strlen strchr strrchr strstr"
    " qsort bsearch abs labs isnan isinf"
    " __stack_chk_fail _GLOBAL_OFFSET_TABLE_ __popcountdi2 __memcpy_chk __memset_chk ";

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool allowed(const struct words *api, const char *name, bool gsl)
{
    char wanted[300];
    snprintf(wanted, sizeof wanted, " %s ", name);
    return words_have(api, name) || strstr(pure, wanted) || (gsl && begins(name, "gsl_")) ||
           begins(name, "__asan_") || begins(name, "__ubsan_") ||
           begins(name, "__sanitizer_") || begins(name, "__gcov_");
}

/* --- the symbols and the state of objects */

/* Returns the names of one kind in an object: 'U' undefined names, 'D' every symbol that others can use. */
static struct words symbols(const char *object, char kind)
{
    struct words w = { 0 };
    char command[700], line[400], name[300], type;
    snprintf(command, sizeof command, "nm -P %s '%s'", kind == 'U' ? "-u" : "-g --defined-only",
             object);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%299s %c", name, &type) == 2 && !begins(name, "__odr_asan"))
            words_add(&w, name, strlen(name));
    assert_int_equal(pclose(f), 0);
    return w;
}

/* name <- the first forbidden symbol of an object. Returns false where it has none. */
static bool forbidden(const struct words *api, const char *object, bool gsl, char name[300])
{
    struct words u = symbols(object, 'U');
    int used;
    bool found = false;
    for (const char *at = u.text; !found && at && sscanf(at, " %299s%n", name, &used) == 1;
         at += used)
        found = !allowed(api, name, gsl);
    free(u.text);
    return found;
}

static void expect_one_symbol(const char *object, const char *kind, const char *file)
{
    struct words d = symbols(object, 'D');
    char name[300], wanted[300];
    int used = 0;
    snprintf(wanted, sizeof wanted, "%s_%.*s", kind, (int)(strlen(file) - 2), file);
    const char *at = d.text ? d.text : "";
    if (sscanf(at, " %299s%n", name, &used) != 1 || strcmp(name, wanted))
        fail_msg("%s: expected the symbol %s, not '%s'", object, wanted, at);
    if (sscanf(at + used, " %299s", name) == 1)
        fail_msg("%s: exports %s beside %s", object, name, wanted);
    free(d.text);
}

/* name <- the first variable of an object that a run could change. Returns false where it has none. State that
 * outlives a run would make records depend on earlier runs. Objects with sanitizers have tables of the sanitizer
 * and are not checked. */
static bool has_state(const char *object, char name[300])
{
    char command[900];
    bool found = false;
    snprintf(command, sizeof command,
             "nm -f sysv '%s' | awk -F'|' '{ gsub(/ /, \"\", $1); gsub(/ /, \"\", $7); "
             "if ($7 ~ /^\\.(bss|tbss|tdata|data)$/ || $7 ~ /^\\.data\\.[^r]/ || $7 == \"*COM*\") print $1 }'",
             object);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    if (!strstr(BUILD_DIR, "/san-"))
        found = fscanf(f, " %299s", name) == 1;
    while (fgetc(f) != EOF)
        continue;
    assert_int_equal(pclose(f), 0);
    return found;
}

/* Checks every object of a source folder; returns how many there are. Objects whose source is gone do not count. */
static int check_folder(const struct words *api, const char *folder, const char *kind, bool gsl)
{
    char path[600], object[600], name[300];
    int checked = 0;
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, folder);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c"))
            continue;
        snprintf(object, sizeof object, "%s/obj/%s/%.*s.o", BUILD_DIR, folder, (int)(n - 2),
                 e->d_name);
        if (access(object, R_OK))
            fail_msg("%s is not built", object);
        if (forbidden(api, object, gsl, name))
            fail_msg("%s/%s uses %s, which is no part of the contract", folder, e->d_name, name);
        if (has_state(object, name))
            fail_msg("%s/%s keeps state in %s", folder, e->d_name, name);
        expect_one_symbol(object, kind, e->d_name);
        checked++;
    }
    if (dir)
        closedir(dir);
    return checked;
}

/* Checks a paper in a folder: theorems.c exports paper_FOLDER, names that files share begin with FOLDER_, and an
 * object may use the names of its folder. Returns the number of objects. */
static int check_paper(const struct words *api, const char *paper)
{
    char folder[600], all[1400], object[1200], name[300], own[300], prefix[300], wanted[300];
    struct words may = { 0 };
    int checked = 0, used;
    snprintf(folder, sizeof folder, "%s/obj/claims/%s", BUILD_DIR, paper);
    snprintf(all, sizeof all, "%s/\'*\'.o", folder);
    snprintf(own, sizeof own, "paper_%s", paper);
    snprintf(prefix, sizeof prefix, "%s_", paper);
    words_add(&may, api->text, api->length);
    struct words shared = symbols(all, 'D');
    bool has_paper = false;
    for (const char *at = shared.text; at && sscanf(at, " %299s%n", name, &used) == 1; at += used) {
        has_paper |= strcmp(name, own) == 0;
        if (strcmp(name, own) && !begins(name, prefix))
            fail_msg("claims/%s exports %s: expected %s or a name that begins with %s", paper, name, own, prefix);
        words_add(&may, name, strlen(name));
    }
    snprintf(wanted, sizeof wanted, SOURCE_DIR "/claims/%s", paper);
    DIR *dir = opendir(wanted);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c"))
            continue;
        snprintf(object, sizeof object, "%s/%.*s.o", folder, (int)(n - 2), e->d_name);
        if (forbidden(&may, object, false, name))
            fail_msg("claims/%s/%s uses %s, which is no part of the contract", paper, e->d_name, name);
        if (has_state(object, name))
            fail_msg("claims/%s/%s keeps state in %s", paper, e->d_name, name);
        checked++;
    }
    closedir(dir);
    assert_true(has_paper);
    free(shared.text);
    free(may.text);
    return checked;
}

static int check_papers(const struct words *api)
{
    int checked = 0;
    char file[600];
    DIR *dir = opendir(SOURCE_DIR "/claims");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        snprintf(file, sizeof file, SOURCE_DIR "/claims/%s/theorems.c", e->d_name);
        if (e->d_name[0] != '.' && access(file, R_OK) == 0)
            checked += check_paper(api, e->d_name);
    }
    closedir(dir);
    return checked;
}

static void test_objects(void **state)
{
    struct words api = contract();
    assert_true(check_folder(&api, "algos", "algo", false) > 0);
    assert_true(check_folder(&api, "problems", "problem", true) > 0);
    assert_true(check_folder(&api, "claims", "paper", false) + check_papers(&api) > 0);
    check_folder(&api, "algos/estimators", "estimator", false);
    check_folder(&api, "tests/planted/problems", "problem", true);
    check_folder(&api, "tests/planted/estimators", "estimator", false);
    check_folder(&api, "tests/planted/claims", "paper", false);
    free(api.text);
}

static void test_contract_has_the_calls(void **state)
{
    static const char *const in[] = { "oracle_batch",       "arena_vec",  "vec_axpy",
                                      "rng_normal",         "why_set",    "noise_gaussian",
                                      "prefix_release",       "round_add",  "ticket_part",
                                      "point_coord",        "bug_report", "facts_told",
                                      "reference_minimise", "data_table", "rng_gsl_view",
                                      "tree_height" };
    static const char *const out[] = { "store_open",    "oracle_open", "oracle_pay", "ledger_book",
                                       "run_cell",      "fopen",       "printf",     "malloc",
                                       "time",          "rand",        "getenv",     "record_put",
                                       "registry_algos" };
    struct words api = contract();
    for (size_t k = 0; k < sizeof in / sizeof *in; k++)
        assert_true(allowed(&api, in[k], false));
    for (size_t k = 0; k < sizeof out / sizeof *out; k++)
        if (allowed(&api, out[k], true))
            fail_msg("%s is allowed", out[k]);
    assert_true(allowed(&api, "gsl_ran_binomial", true));
    assert_false(allowed(&api, "gsl_ran_binomial", false));
    free(api.text);
}

/* --- planted violations */

static char folder[] = "/tmp/assay-firewall-XXXXXX";
static const char algo_includes[] = "-I'" API "' -I'" SOURCE_DIR "/algos/parts'";

/* Compiles a source text as an algorithm is compiled. Returns true if the compiler accepted it. */
static bool compiles(const char *text, char object[600])
{
    char source[600], command[3000];
    snprintf(source, sizeof source, "%s/x.c", folder);
    snprintf(object, 600, "%s/x.o", folder);
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command, "cc -std=c17 -D_GNU_SOURCE -O2 %s -c '%s' -o '%s' 2>'%s/log'",
             algo_includes, source, object, folder);
    return system(command) == 0;
}

/* name <- a function that starts a thread and that an object, or an object of an archive, asks for. Returns false
 * where there is none. */
static bool starts_threads(const char *object, char name[300])
{
    static const char *const starters[] = { "pthread_create", "thrd_create", "clone", "clone3", "GOMP_parallel" };
    struct words u = symbols(object, 'U');
    bool found = false;
    for (size_t k = 0; !found && k < sizeof starters / sizeof *starters; k++)
        if ((found = words_have(&u, starters[k])))
            snprintf(name, 300, "%s", starters[k]);
    free(u.text);
    return found;
}

/* The program has processes and no threads, so that it has no data race that a sanitizer could find. */
static void test_no_threads(void **state)
{
    static const char *const objects[] = { BUILD_DIR "/libassay.a", BUILD_DIR "/obj/harness/cli/main.o" };
    char object[600], name[300];
    for (int k = 0; k < 2; k++) {
        struct words u = symbols(objects[k], 'U');
        assert_true(words_have(&u, k ? "options_parse" : "fork"));
        free(u.text);
        if (starts_threads(objects[k], name))
            fail_msg("%s starts threads by %s: run the tests with SAN=thread", objects[k], name);
    }
    assert_true(compiles("#include <pthread.h>\nint algo_x(pthread_t *t, void *(*f)(void *)) "
                         "{ return pthread_create(t, 0, f, 0); }", object));
    assert_true(starts_threads(object, name));
    assert_string_equal(name, "pthread_create");
}

static void test_trespassers_are_caught(void **state)
{
    static const struct { const char *text, *name;
    } cases[] = {
        { "#include <stdio.h>\nvoid *algo_x(void) { return fopen(\"/tmp/x\", \"r\"); }", "fopen" },
        { "struct store; struct store *store_open(const char *);\n"
          "struct store *algo_x(void) { return store_open(\"x\"); }",
          "store_open" },
        { "#include \"algo.h\"\nvoid oracle_release(struct oracle *);\n"
          "void algo_x(struct oracle *o) { oracle_release(o); }",
          "oracle_release" },
        { "#include <stdlib.h>\ndouble *algo_x(void) { return malloc(8); }", "malloc" },
        { "#include <time.h>\nlong algo_x(void) { return time(0); }", "time" },
        { "extern const void *registry_algos_[];\nconst void *algo_x(void) { return "
          "registry_algos_[0]; }",
          "registry_algos_" },
    };
    struct words api = contract();
    char object[600], name[300] = "";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(compiles(cases[k].text, object));
        assert_true(forbidden(&api, object, true, name));
        assert_string_equal(name, cases[k].name);
    }
    assert_true(compiles("#include \"algo.h\"\n"
                         "double algo_x(const double *x) { return exp(vec_norm(3, x)); }", object));
    assert_false(forbidden(&api, object, false, name));
    free(api.text);
}

/* A counter, an array without a value, a variable that other files see and one of a thread are caught; tables with
 * pointers are not. */
static void test_state_is_caught(void **state)
{
    static const struct { const char *text, *name; } cases[] = {
        { "static long runs = 3; long algo_x(void) { return ++runs; }", "runs" },
        { "static double old[9]; double *algo_x(void) { return old; }", "old" },
        { "int shared; int *algo_x(void) { return &shared; }", "shared" },
        { "_Thread_local int mine; int *algo_x(void) { return &mine; }", "mine" },
    };
    char object[600], name[300] = "";
    if (strstr(BUILD_DIR, "/san-"))
        skip();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(compiles(cases[k].text, object));
        assert_true(has_state(object, name));
        assert_string_equal(name, cases[k].name);
    }
    assert_true(compiles("static const char *const words[] = { \"a\", \"b\" };\n"
                         "const char *algo_x(int k) { return words[k]; }", object));
    assert_false(has_state(object, name));
}

static void test_headers_out_of_reach(void **state)
{
    static const char *const hidden[] = { "store.h",    "oracle_state.h", "run.h",
                                          "cell/registry.h", "ledger.h",  "record.h",
                                          "cell.h",     "params.h",       "harness/store/store.h",
                                          "store/store.h", "oracle/oracle_state.h", "base/params.h" };
    char object[600], text[200];
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        snprintf(text, sizeof text, "#include \"%s\"\nint algo_x;\n", hidden[k]);
        assert_false(compiles(text, object));
    }
    assert_true(compiles("#include \"algo.h\"\n#include \"problem.h\"\n#include \"claim.h\"\n"
                         "#include \"estimator.h\"\nint algo_x;\n", object));
}

/* Reads the rules of the Makefile by which methods, problems and claims are compiled: they include nothing but
 * harness/api, algos/parts and problems/parts. */
static void test_makefile_paths(void **state)
{
    char line[600];
    int rules = 0;
    FILE *f = fopen(SOURCE_DIR "/Makefile", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *includes = strstr(line, "INCLUDES =");
        bool unit = strstr(line, "/algos/%.o") || strstr(line, "/problems/%.o") ||
                    strstr(line, "/claims/%.o") || strstr(line, "/planted/%.o");
        if (!includes || !unit)
            continue;
        rules++;
        for (char *path = includes; (path = strstr(path, "-I")); path += 2)
            if (!begins(path, "-Iharness/api") && !begins(path, "-Ialgos/parts") &&
                !begins(path, "-Iproblems/parts"))
                fail_msg("%s", line);
    }
    fclose(f);
    assert_true(rules >= 4);
}

static int setup(void **state) { return mkdtemp(folder) ? 0 : -1; }

static int teardown(void **state)
{
    char path[600];
    static const char *const files[] = { "x.c", "x.o", "log" };
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects), cmocka_unit_test(test_contract_has_the_calls),
        cmocka_unit_test(test_no_threads),
        cmocka_unit_test(test_trespassers_are_caught), cmocka_unit_test(test_state_is_caught),
        cmocka_unit_test(test_headers_out_of_reach), cmocka_unit_test(test_makefile_paths),
    };
    return cmocka_run_group_tests_name("firewall", tests, setup, teardown);
}

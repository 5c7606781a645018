/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hostile_plugin.c - plug-ins and programs of users do no harm by their names and texts. Each hostile text
 * serves as all texts of an algorithm, of its parameters, notes and mechanism, and of a claim, a theorem, a figure
 * and a table about it; as the name of the file; and as a name that a plug-in chooses, which is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/hostile.h"

#define BUILD "cc -std=c17 -O1 -w -fPIC -shared -I'" SOURCE_DIR "/harness/api' "

static int begin(void **state)
{
    shell_begin();
    return shell("touch began");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* --- a plug-in with hostile texts */

/* Writes the text as a literal of C. */
static void put_literal(FILE *f, const char *text)
{
    fputs("\"", f);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(f, "\\%03o", *c);
    fputs("\"", f);
}

/* The plug-in is compiled once, with this text as a name. For each hostile text, write_over copies the compiled file
 * and replaces this text by the hostile one in the copy. Compiling a plug-in for each text would take longer. */
static const char place[] = "expected a hostile text of at most so many bytes in the place of this one";

/* A change of the source: `new` replaces each `old`, in what is written about the first hostile text. An @ of `new`
 * stands for the text `place`. */
struct edit { const char *old, *new; };
static const struct edit no_edit = { "", "" };

/* Writes a format of C in which each @ stands for a text and each # for k. */
static void put_source(FILE *f, const char *source, const char *text, int k, struct edit e)
{
    const char *at = k == 0 && *e.old ? strstr(source, e.old) : NULL;
    for (; *source; source++)
        if (source == at) {
            put_source(f, e.new, place, k, no_edit);
            source += strlen(e.old) - 1;
            at = strstr(source + 1, e.old);
        } else if (*source == '@') {
            put_literal(f, text);
        } else if (*source == '#') {
            fprintf(f, "%d", k);
        } else {
            putc(*source, f);
        }
}

static const char beginning[] =
    "struct own { double step; const char *word; };\n"
    "static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)\n"
    "{\n"
    "    long d = oracle_dim(o);\n"
    "    double *g = arena_vec(w, d);\n"
    "    arena_seal(w);\n"
    "    while (oracle_mark(o, x), oracle_grad(o, x, g)) { vec_axpy(d, -0.1, g, x); oracle_note(o, 0, 1); }\n"
    "    return OK;\n"
    "}\n"
    "static double T(const struct env *e) { return e->goal->T; }\n";      /* the control follows this formula too,
                                                                             so that it is missed and verdicts are
                                                                             open */

static const char unit[] =
    "static const struct param p#[] = { PARAM(own, step, 0.1, 0, 1, @, @),\n"
    "    PARAM_WORD(own, word, \"a\", \"a|b\", @), PARAM_END };\n"
    "static const struct note n#[] = { { \"n\", @, @, REDUCE_LAST }, { 0 } };\n"
    "static const struct method_mechanism m#[] = { { \"move\", @, MECHANISM_HELPS, { { \"algo.step\", 0 } } },"
    " { 0 } };\n"
    "static const struct algo a# = { .name = \"hostile-#\", .doc = @, .cite = @, .calls = CALL_GRAD,\n"
    "    .params = p#,\n"
    "    .params_size = sizeof(struct own), .notes = n#, .mechanisms = m#, .run = run };\n"
    "static const struct theorem_row r#[] = { { \"T\", \"count\", { @, 1 }, { { @, 2, .whose = @ } },\n"
    "    .claim = \"hostile/c#\" }, { 0 } };\n"
    "static const struct exhibit_row e#[] = { { @, { \"hostile/c#\" } }, { 0 } };\n";

#define WINDOWS "{ { 1, 4, 3, 1 }, { 1, 4, 3, 1 }, { 1, 4, 3, 1 } }"

/* The lists of the plug-in: how each begins, and its element. */
static const struct { const char *begins, *element; } lists[] = {
    { "static const struct algo *const algos[] = {", "&a#, " },
    { "static const struct claim claims[] = {",
      "{ .id = \"hostile/c#\", .item = \"V#\", .cite = @, .says = @, .kind = KIND_THEOREM, .check = CHECK_COUNT,\n"
      "  .deterministic = true, .algo = \"hostile-#\", .problem = \"spectral\", .axis = \"T\",\n"
      "  .measure = \"full_grads\", .with = { { \"problem.d\", 2 } }, .window = " WINDOWS ", .formula = T,\n"
      "  .tolerance = 1e-9, .control = { .with = { { \"goal.T\", 2, 1 } }, .why = @ } },\n" },
    { "static const struct item items[] = {", "{ \"V#\", @, 0 }, " },
    { "static const struct theorem theorems[] = {", "{ \"hostile/t#\", @, @, @, r# },\n" },
    { "static const struct plot plots[] = {",
      "{ .id = \"hostile/figure.f#\", .title = @, .says = @, .problem = \"spectral\",\n  .axis = \"T\",\n"
      "  .with = { { \"problem.d\", 2 } }, .window = " WINDOWS ", .deterministic = true,\n"
      "  .measure = \"excess\",\n"
      "  .line = { { .label = @, .algo = \"hostile-#\" } } },\n" },
    { "static const struct exhibit tables[] = {", "{ \"hostile/table.t#\", @, @, { @ }, e# },\n" },
};

/* Writes and builds x.so. */
static void make_plugin(struct edit e)
{
    FILE *f = fopen("plugin.c", "w");
    fprintf(f, "#include \"plugin.h\"\n%s", beginning);
    for (int k = 0; k < HOSTILE; k++)
        put_source(f, unit, hostile[k], k, e);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        fprintf(f, "%s\n", lists[i].begins);
        for (int k = 0; k < HOSTILE; k++)
            put_source(f, lists[i].element, hostile[k], k, e);
        fputs("{ 0 } };\n", f);
    }
    put_source(f, "static const struct paper paper = { .key = \"hostile\", .title = @, ", hostile[9], 9, no_edit);
    put_source(f, ".cite = @, .claims = claims, .items = items, .theorems = theorems, .plots = plots,\n"
               "    .tables = tables };\n", hostile[10], 10, no_edit);
    fputs("static const struct paper *const papers[] = { &paper, 0 };\n"
          "const struct plugin assay_plugin = { .abi = PLUGIN_ABI, .algos = algos, .papers = papers };\n", f);
    fclose(f);
    assert_int_equal(shell(BUILD "plugin.c -o x.so"), 0);
}

/* x.so <- made.so with this text written over each `place`. */
static void write_over(const char *text)
{
    struct stat file;
    int places = 0;
    assert_int_equal(shell("cp made.so x.so"), 0);
    int fd = open("x.so", O_RDWR);
    assert_int_equal(fstat(fd, &file), 0);
    char *bytes = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *end = bytes + file.st_size;
    assert_true(bytes != MAP_FAILED && strlen(text) < sizeof place);
    for (char *at = bytes; (at = memmem(at, (size_t)(end - at), place, sizeof place)); places++)
        strcpy(at, text);
    munmap(bytes, (size_t)file.st_size);
    close(fd);
    assert_true(places > 0);
}

/* All lists and pages show the texts and do nothing else: pages, figures and the report for machines are
 * well-formed, a row of a table for people is a line, CSV gives the bytes of each text, and JSON can be read. */
static void texts_of_a_plugin(void **state)
{
    make_plugin(no_edit);
    int code = shell("assay verify --paper hostile --plugin x.so --store x.db --output report > out 2> err");
    if (code != 3)
        fail_msg("verify: exit %d: %s%s", code, shell_read("err"), shell_read("out"));
    assert_int_equal(shell("test $(grep -c ' INCONCLUSIVE .* MISSED' out) -eq %d", HOSTILE), 0);
    nothing_was_run("verify");
    pages_are_whole("report", "verify");
    assert_int_equal(shell("test $(find report -name '*.svg' | wc -l) -ge %d && "
                           "find report -name '*.svg' -exec xmllint --noout {} + && "
                           "xmllint --noout report/junit.xml", HOSTILE), 0);
    assert_int_equal(shell("assay list algorithms > plain"), 0);
    assert_int_equal(shell("assay list algorithms --plugin x.so > listed"), 0);
    assert_int_equal(shell_lines("listed"), shell_lines("plain") + HOSTILE);
    assert_int_equal(shell("LC_ALL=C grep -q '[[:cntrl:]]' listed"), 1);
    for (int k = 0; k < HOSTILE; k++) {
        char words[40];
        snprintf(words, sizeof words, "hostile-%d", k);
        setenv("NAME", hostile[k], 1);
        setenv("METHOD", words, 1);
        assert_int_equal(shell("assay list algorithms --plugin x.so --format csv > csv && python3 -c '\n"
                               "import csv, os\n"
                               "f = open(\"csv\", errors=\"surrogateescape\", newline=\"\")\n"
                               "row = [r for r in csv.reader(f) if r[0] == os.environ[\"METHOD\"]]\n"
                               "assert row[0][1:] == 2 * [os.environ[\"NAME\"]], row'"), 0);
        assert_int_equal(shell("assay explain hostile/c%d --plugin x.so --store x.db > out 2> err", k), 0);
        nothing_was_run(hostile[k]);
    }
    for (const char *const *list = (const char *const[]){ "algorithms", "parameters", "claims", "papers", "figures",
                                                          "theorems", "coverage", NULL }; *list; list++)
        assert_int_equal(shell("assay list %s --plugin x.so --format json | python3 -m json.tool > out", *list), 0);
}

/* --- hostile names of files */

/* A plug-in whose file has a hostile name is loaded. The line that repeats a run repeats it in a shell; a run of
 * the store has the name in its provenance; the pages are whole. */
static void names_of_plugins(void **state)
{
    make_plugin(no_edit);
    assert_int_equal(shell("mkdir -p named"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        int code = shell("cp x.so \"named/$NAME.so\" && assay solve --algorithm hostile-0 --problem spectral --d 2 "
                         "--T 4 --plugin \"named/$NAME.so\" > out 2> err");
        if (code)
            fail_msg("--plugin %s: exit %d: %s", hostile[k], code, shell_read("err"));
        assert_int_equal(shell("sed -n '/^again /,$s/^again *//;/^assay rerun/,$p' out > again; test -s again && "
                               ". ./again > out2 2> err2"), 0);
        assert_int_equal(shell("awk '$1 == \"excess\" { a = $2 } $1 == \"measure.excess\" { b = $3 } "
                               "END { exit !(b > 0 && (a - b) ^ 2 <= 1e-18 * b * b) }' out out2"), 0);
        nothing_was_run(hostile[k]);
    }
    setenv("NAME", hostile[2], 1);
    assert_int_equal(shell("assay verify --claim hostile/c0 --plugin \"named/$NAME.so\" --store n.db "
                           "--output named.out > out 2> err; test $? -eq 3 && "
                           "grep -qF \"$NAME.so\" named.out/report.md"), 0);
    pages_are_whole("named.out", "verify");
}

/* A file with a hostile name that is no plug-in is refused in one line. */
static void files_that_are_no_plugins(void **state)
{
    assert_int_equal(shell("mkdir -p broken"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        setenv("NAME", hostile[k], 1);
        if (!strchr(hostile[k], '/'))
            assert_int_equal(shell("echo no > \"broken/$NAME.so\""), 0);
        assert_int_equal(shell("assay list --plugin \"broken/$NAME.so\" > out 2> err"), 2);
        assert_int_equal(shell_lines("err"), 1);
        assert_int_equal(shell("LC_ALL=C tr -d '\\n' < err | LC_ALL=C grep -q '[[:cntrl:]]'"), 1);
        assert_int_equal(shell("assay list --method \"$NAME=exec:true\" > out 2> err"), 2);
        assert_int_equal(shell_lines("err"), 1);
        assert_int_equal(shell("assay list --method \"m=exec:$NAME\" > out 2> err"), 2);
        assert_int_equal(shell_lines("err"), 1);
        nothing_was_run(hostile[k]);
    }
}

/* --- hostile names of what a plug-in defines */

/* A hostile text as the name of an algorithm or of a parameter, or in the id of a claim, a figure, a table or a
 * theorem, is refused in one line. With a harmless text in the same place the plug-in is accepted. */
static void names_that_a_plugin_chooses(void **state)
{
    static const struct { const char *what, *old, *new; } as[] = {
        { "algorithm", "\"hostile-#\", .doc", "@, .doc" },
        { "parameter", "PARAM(own,", "{ @, PARAM_REAL, 0, 0, 0, 1, 0, 0, \"\", \"\" }, PARAM(own," },
        { "claim", "\"hostile/c#\"", "\"hostile/c#\" @" },
        { "figure", "\"hostile/figure.f#\"", "\"hostile/figure.f#\" @" },
        { "table", "\"hostile/table.t#\"", "\"hostile/table.t#\" @" },
        { "theorem", "\"hostile/t#\"", "\"hostile/t#\" @" },
    };
    for (size_t i = 0; i < sizeof as / sizeof *as; i++) {
        make_plugin((struct edit){ as[i].old, as[i].new });
        assert_int_equal(shell("mv x.so made.so"), 0);
        write_over("fine");
        if (shell("assay list --plugin x.so > out 2> err"))
            fail_msg("%s: a harmless text is refused: %s", as[i].what, shell_read("err"));
        for (int k = 0; k < HOSTILE; k++) {
            write_over(hostile[k]);
            int code = shell("assay list --plugin x.so > out 2> err");
            if (code != 2 || shell_lines("err") != 1)
                fail_msg("%s '%s': exit %d: %s", as[i].what, hostile[k], code, shell_read("err"));
            nothing_was_run(hostile[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_of_a_plugin, begin, end),
        cmocka_unit_test_setup_teardown(names_of_plugins, begin, end),
        cmocka_unit_test_setup_teardown(files_that_are_no_plugins, begin, end),
        cmocka_unit_test_setup_teardown(names_that_a_plugin_chooses, begin, end),
    };
    return cmocka_run_group_tests_name("hostile plugin", tests, NULL, NULL);
}

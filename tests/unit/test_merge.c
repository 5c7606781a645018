/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_merge.c - several stores become one. The tests note every record that they put into an input, and expect of
 * the merged store what follows from these notes. */
#include "support/stored.h"
#include "support/need.h"

#include "numeric/lanes.h"
#include "store/store_state.h"

#define CORE "c0de"

/* --- the stores to be merged, and what a merged one holds */

static char path_of[8][200];
static const char *in_folder(int k, const char *name)
{
    snprintf(path_of[k], sizeof path_of[k], "%s/%s", folder, name);
    return path_of[k];
}

static enum status merged(const char *to, int n, const char *const *from, struct store_merged *out, struct why *why)
{
    struct store_merged none[8];
    const struct store_merge m = { .input = from, .inputs = (size_t)n, .merged = out ? out : none, .core = CORE };
    return store_merge(to, &m, 0, why);
}

static void must_merge(const char *to, int n, const char *const *from, struct store_merged *out)
{
    struct why why = { "" };
    if (merged(to, n, from, out, &why) != OK)
        fail_msg("%s", why.text);
}

/* Makes a store with cells from..to-1, in one run that has ended and has a standing. */
static void make_input(const char *path, long from, long to)
{
    struct store *s = opened(path, STORE_WRITE);
    char line[32];
    long run = begun(s);
    for (long k = from; k < to; k++)
        put(s, run, k, (double)k);
    snprintf(line, sizeof line, "line %ld", from);
    assert_int_equal(store_put_standing(s, run, "claim", line, NULL), OK);
    assert_int_equal(store_end_run(s, run, NULL), OK);
    store_close(s);
}

static char *exported(const char *path)
{
    struct store *s = opened(path, STORE_READ);
    char *text = NULL;
    size_t n;
    long cells;
    struct why why = { "" };
    FILE *f = open_memstream(&text, &n);
    if (store_verify(s, &cells, &why) != OK)
        fail_msg("%s", why.text);
    assert_int_equal(store_export(s, STORE_LATEST, f, RECORD_CSV, true, NULL), OK);
    fclose(f);
    store_close(s);
    return text;
}

static void same_export(const char *a, const char *b)
{
    char *x = exported(a), *y = exported(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* Checks that the store holds the records of make_input. */
static void hold_cells(const char *path, long from, long to)
{
    struct store *s = opened(path, STORE_READ);
    long cells;
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, to - from);
    for (long k = from; k < to; k++) {
        struct record *truth = sample(k, (double)k), *found = NULL;
        assert_int_equal(store_find(s, truth->cell, truth->fingerprint, &found, NULL), OK);
        assert_true(found && record_equal(found, truth));
        record_free(found);
        record_free(truth);
    }
    store_close(s);
}

/* --- the records, runs and standings of a merged store */

static void note_nights(void *ctx, const struct store_standing *standing)
{
    strcat(strcat(ctx, standing->line), ";");
}

static void count_runs(void *ctx, const struct store_run *run)
{
    long *n = ctx;
    assert_true(*run->ended);
    n[0]++;
    n[1] += run->records;
}

/* Three stores that have cells in common are merged in all six orders. */
static void orders_do_not_matter(void **state)
{
    static const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    const char *in[3] = { in_folder(0, "a.db"), in_folder(1, "b.db"), in_folder(2, "c.db") };
    make_input(in[0], 0, 40);
    make_input(in[1], 30, 70);
    make_input(in[2], 10, 35);
    for (int k = 0; k < 6; k++) {
        const char *to = in_folder(3, "m.db"), *first = in_folder(4, "first.db");
        const char *from[3] = { in[order[k][0]], in[order[k][1]], in[order[k][2]] };
        char nights[200] = "";
        long runs[2] = { 0, 0 };
        remove(to);
        must_merge(to, 3, from, NULL);
        hold_cells(to, 0, 70);
        if (!k)
            must_merge(first, 3, from, NULL);
        same_export(to, first);
        struct store *s = opened(to, STORE_READ);
        assert_int_equal(store_runs(s, count_runs, runs, NULL), OK);
        assert_true(runs[0] == 3 && runs[1] == 40 + 40 + 25);
        assert_int_equal(store_each_standing(s, note_nights, nights, NULL), OK);
        assert_string_equal(nights, "line 0;line 30;line 10;");      /* nights are ordered by start, not by merge */
        store_close(s);
    }
}

static void again_is_nothing_new(void **state)
{
    const char *in[2] = { in_folder(0, "a.db"), in_folder(1, "b.db") }, *to = in_folder(2, "m.db");
    struct store_merged out[3];
    make_input(in[0], 0, 20);
    make_input(in[1], 10, 30);
    must_merge(to, 2, in, out);
    assert_true(!out[0].before && out[0].added == 20 && out[1].records == 20 && out[1].added == 10);
    must_merge(to, 2, in, out);
    assert_true(out[0].before && out[1].before);
    must_merge(to, 3, (const char *const[]){ in[1], in[1], in[0] }, out);
    assert_true(out[0].before && out[1].before && out[2].before);
    /* An input that has grown is merged again. */
    struct store *s = opened(in[0], STORE_WRITE);
    put(s, begun(s), 99, 99);
    store_close(s);
    must_merge(to, 2, in, out);
    assert_true(!out[0].before && out[0].added == 1 && out[1].before);
    /* An input whose records were dropped from the target is merged again as well. */
    s = opened(to, STORE_WRITE);
    long dropped;
    assert_int_equal(store_collect(s, 1, &dropped, NULL), OK);
    assert_int_equal(dropped, 30);
    store_close(s);
    must_merge(to, 2, in, out);
    assert_true(out[0].added + out[1].added == 30);
}

/* A store was copied while its run was going, and the run was continued in both stores. The merge makes one run of
 * it again, with the records of both stores. */
static void halves_of_a_run_join(void **state)
{
    const char *a = in_folder(0, "a.db"), *b = in_folder(1, "b.db"), *to = in_folder(2, "m.db");
    char command[500];
    struct store *s = opened(a, STORE_WRITE);
    long run = begun(s);
    long runs[2] = { 0, 0 };
    for (long k = 0; k < 10; k++)
        put(s, run, k, (double)k);
    store_close(s);
    snprintf(command, sizeof command, "cp %s %s", a, b);
    assert_int_equal(system(command), 0);
    for (int half = 0; half < 2; half++) {
        s = opened(half ? b : a, STORE_WRITE);
        for (long k = 10 + 10 * half; k < 20 + 10 * half; k++)
            put(s, run, k, (double)k);
        assert_int_equal(store_end_run(s, run, NULL), OK);
        store_close(s);
    }
    must_merge(to, 2, (const char *const[]){ b, a }, NULL);
    hold_cells(to, 0, 30);
    s = opened(to, STORE_READ);
    assert_int_equal(store_runs(s, count_runs, runs, NULL), OK);
    assert_true(runs[0] == 1 && runs[1] == 30);
    store_close(s);
}

/* --- records of one identity */

static void put_ended(const char *path, const char *cell, enum outcome end, const char *message, double v,
                      double seconds)
{
    struct store *s = opened(path, STORE_WRITE);
    struct record *r = record_new(cell, "00ff");
    record_put(r, "measure.excess", v);
    record_end(r, end, message);
    r->seconds = seconds;
    r->uses = USES_ALL;
    assert_int_equal(store_put(s, begun(s), r, NULL), OK);
    record_free(r);
    store_close(s);
}

static void hold_outcome(const char *path, enum outcome end)
{
    struct store *s = opened(path, STORE_READ);
    struct record *found = NULL;
    assert_int_equal(store_find(s, "x", "00ff", &found, NULL), OK);
    assert_true(found && found->outcome == end);
    record_free(found);
    store_close(s);
}

/* If one store has the result of a cell and another a failure of it, the merge keeps the result and drops the
 * failure, in either order of the inputs. The seconds of records are not compared. */
static void results_stay(void **state)
{
    const char *in[3] = { in_folder(0, "a.db"), in_folder(1, "b.db"), in_folder(2, "c.db") };
    put_ended(in[0], "x", OUTCOME_TIMEOUT, "too long", 0, 9);
    put_ended(in[1], "x", OUTCOME_OK, NULL, 0.25, 1);
    put_ended(in[2], "x", OUTCOME_OK, NULL, 0.25, 2);
    for (int k = 0; k < 3; k++) {
        const char *to = in_folder(3, "m.db"), *first = in_folder(4, "first.db");
        remove(to);
        must_merge(to, 3, (const char *const[]){ in[k], in[(k + 1) % 3], in[(k + 2) % 3] }, NULL);
        hold_outcome(to, OUTCOME_OK);
        if (!k)
            must_merge(first, 3, in, NULL);
        same_export(to, first);
    }
    put_ended(in[0], "y", OUTCOME_CRASHED, "signal 11", 0, 9);
    put_ended(in[1], "y", OUTCOME_CRASHED, "signal 6", 0, 9);
    for (int k = 0; k < 2; k++)
        must_merge(in_folder(5 + k, k ? "two.db" : "one.db"), 2, (const char *const[]){ in[k], in[!k] }, NULL);
    same_export(path_of[5], path_of[6]);
}

/* --- parts of a run that goes on in the target */

static struct store_identity going;

/* Puts a record of cell `name` into a part of the run `going`, or into a run of its own where `part` is not set. A
 * result depends on no part of the kind of machine; what a failure depends on is not known. */
static void put_part(const char *path, const char *name, enum outcome end, bool part)
{
    struct store *s = opened(path, STORE_WRITE);
    struct record *r = record_new(name, "00ff");
    const struct store_info core = { "core", CORE };
    long run = part ? 0 : begun(s);
    if (part)
        assert_int_equal(store_begin_part(s, &going, &core, 1, &run, NULL), OK);
    record_put(r, "measure.excess", 0.25);
    if (end != OUTCOME_OK)
        record_end(r, end, "planted");
    r->uses = end == OUTCOME_OK ? 0 : USES_ALL;
    assert_int_equal(store_put(s, run, r, NULL), OK);
    assert_int_equal(store_end_run(s, run, NULL), OK);
    record_free(r);
    store_close(s);
}

/* Merges the parts a and b, in this order, into a target in which an earlier run has results of the cells x and y,
 * and the later run `going` has none yet. */
static void merge_parts(const char *to, const char *a, const char *b, bool fresh)
{
    struct store_merged out[2];
    struct why why = { "" };
    struct store *s;
    struct store_merge m = { .input = (const char *const[]){ a, b }, .inputs = 2, .merged = out, .core = CORE,
                             .fresh = fresh };
    put_part(to, "x", OUTCOME_OK, false);
    put_part(to, "y", OUTCOME_OK, false);
    s = opened(to, STORE_WRITE);
    assert_int_equal(store_begin_part(s, &going, NULL, 0, &m.going, NULL), OK);
    store_close(s);
    if (store_merge(to, &m, 0, &why) != OK)
        fail_msg("%s", why.text);
}

static void keep_last_run(void *ctx, const struct store_run *run)
{
    *(struct store_run *)ctx = *run;
}

/* Returns the outcome of a cell by the records of a run, or -1 if it has none. */
static int outcome_in(const char *path, long run, const char *name)
{
    struct store *s = opened(path, STORE_READ);
    struct store_hit hit;
    assert_int_equal(store_scan_run(s, run, &(struct store_ask){ name, "00ff" }, 1, &hit, NULL), OK);
    store_close(s);
    return hit.id ? (int)hit.outcome : -1;
}

/* Two attempts at a shard: in one both cells fail, in the other x has a result. In a run that is made afresh y has
 * failed: an earlier result does not count. Otherwise earlier results stay. The order of the attempts does not
 * matter. */
static void a_fresh_run_keeps_its_failures(void **state)
{
    const char *in[2] = { in_folder(0, "a.db"), in_folder(1, "b.db") };
    store_identity_new(&going);
    strcpy(going.started, "2100-01-01T00:00:00Z");
    put_part(in[0], "x", OUTCOME_TIMEOUT, true);
    put_part(in[0], "y", OUTCOME_TIMEOUT, true);
    put_part(in[1], "x", OUTCOME_OK, true);
    for (int k = 0; k < 2; k++) {
        const char *to = in_folder(2 + k, k ? "d.db" : "c.db");
        struct store_run last = { .id = 0 };
        struct record *found = NULL;
        merge_parts(to, in[k], in[!k], true);
        struct store *s = opened(to, STORE_READ);
        assert_int_equal(store_runs(s, keep_last_run, &last, NULL), OK);
        assert_string_equal(last.started, going.started);
        assert_string_equal(last.ended, "");         /* its parts have ended, and the run itself goes on */
        assert_int_equal(store_find(s, "y", "00ff", &found, NULL), OK);
        assert_true(found && found->outcome == OUTCOME_TIMEOUT);
        record_free(found);
        store_close(s);
        assert_int_equal(outcome_in(to, last.id, "x"), OUTCOME_OK);
        assert_int_equal(outcome_in(to, last.id, "y"), OUTCOME_TIMEOUT);
    }
    same_export(path_of[2], path_of[3]);
    merge_parts(in_folder(4, "e.db"), in[0], in[1], false);
    struct store *s = opened(path_of[4], STORE_READ);
    struct record *found = NULL;
    assert_int_equal(store_find(s, "y", "00ff", &found, NULL), OK);
    assert_true(found && found->outcome == OUTCOME_OK);
    record_free(found);
    store_close(s);
    /* The parts alone: a result counts, and not the failure beside it, in either order. */
    must_merge(in_folder(5, "f.db"), 2, in, NULL);
    must_merge(in_folder(6, "g.db"), 2, (const char *const[]){ in[1], in[0] }, NULL);
    same_export(path_of[5], path_of[6]);
}

static void checksum_of(const char *path, char sum[80])
{
    char command[300];
    snprintf(command, sizeof command, "cksum < %s", path);
    FILE *f = popen(command, "r");
    assert_non_null(fgets(sum, 80, f));
    pclose(f);
}

static void name_host(const char *path, const char *host)
{
    char sql[200];
    struct store *s = opened(path, STORE_WRITE);
    snprintf(sql, sizeof sql, "UPDATE makers SET host = '%s'", host);
    assert_int_equal(store_sql(s, sql, NULL), OK);
    store_close(s);
}

/* A contradiction between inputs, or between an input and the target, is refused: both hosts and both stores are
 * named, also where their names begin alike, and nothing is written. */
static void contradictions_are_told(void **state)
{
    const char *in[2] = { in_folder(0, "stores-of-one-of-two-machines/first/a.db"),
                          in_folder(1, "stores-of-one-of-two-machines/second/a.db") }, *to = in_folder(2, "m.db");
    struct why why = { "" };
    char before[80], after[80];
    put_ended(in[0], "x", OUTCOME_OK, NULL, 0.25, 1);
    put_ended(in[1], "x", OUTCOME_OK, NULL, 0.25000000000000006, 1);
    name_host(in[0], "node-17.partition-of-a-cluster.department.university.sound");
    name_host(in[1], "node-17.partition-of-a-cluster.department.university.faulty");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(merged(to, 2, (const char *const[]){ in[k], in[!k] }, NULL, &why), DAMAGED);
        assert_true(strstr(why.text, "sound") && strstr(why.text, "faulty"));
        assert_true(strstr(why.text, "first/a.db") && strstr(why.text, "second/a.db"));
        assert_true(strstr(why.text, "measure.excess") && strstr(why.text, "0.25000000000000006"));
        assert_true(strstr(why.text, "`x`") && !strchr(why.text, '\n'));
        assert_int_not_equal(access(to, F_OK), 0);
    }
    must_merge(to, 1, in, NULL);
    checksum_of(to, before);
    assert_int_equal(merged(to, 1, in + 1, NULL, &why), DAMAGED);
    assert_true(strstr(why.text, "sound") && strstr(why.text, "faulty"));
    checksum_of(to, after);
    assert_string_equal(before, after);
    put_ended(in[1], "x", OUTCOME_REFUSED, "no", 0.25, 1);       /* a result of another kind is a contradiction,
                                                                    too */
    assert_int_equal(merged(to, 1, in + 1, NULL, &why), DAMAGED);
    assert_true(strstr(why.text, "refused"));
}

/* Two records of a cell, made with kernels of two levels (avx2, portable), are kept side by side if they depend on
 * the level; otherwise they must agree. */
static void kinds_stand_beside_each_other(void **state)
{
    const char *in[2] = { in_folder(0, "a.db"), in_folder(1, "b.db") };
    if (lanes_use(LANES_avx2, NULL) != OK)
        skip();
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lanes_use(k ? LANES_portable : LANES_avx2, NULL), OK);
        put_ended(in[k], "x", OUTCOME_OK, NULL, 0.25 + k, 1);
        struct store *s = opened(in[k], STORE_WRITE);
        put(s, begun(s), 7, 7);                      /* this record depends on neither level nor BLAS */
        store_close(s);
    }
    for (int k = 0; k < 2; k++) {
        const char *to = in_folder(2 + k, k ? "d.db" : "c.db");
        struct store_kind *kind;
        size_t n;
        must_merge(to, 2, (const char *const[]){ in[k], in[!k] }, NULL);
        struct store *s = opened(to, STORE_READ);
        assert_int_equal(store_kinds(s, &kind, &n, NULL), OK);
        assert_true(n == 2 && kind[0].records + kind[1].records == 3);
        assert_true(strstr(kind[0].text, "avx2") && strstr(kind[1].text, "portable"));
        free(kind);
        for (int level = 0; level < 2; level++) {
            struct record *found = NULL;
            double v = 0;
            assert_int_equal(lanes_use(level ? LANES_portable : LANES_avx2, NULL), OK);
            assert_int_equal(store_find(s, "x", "00ff", &found, NULL), OK);
            assert_true(found && record_get(found, "measure.excess", &v) && v == 0.25 + level);
            record_free(found);
        }
        store_close(s);
    }
    same_export(path_of[2], path_of[3]);
    assert_int_equal(lanes_from_environment(NULL), OK);
}

/* --- bad input */

static void spoil(const char *path, const void *what, size_t n)
{
    static unsigned char bytes[1 << 20];
    FILE *f = fopen(path, "r+b");
    size_t size = fread(bytes, 1, sizeof bytes, f);
    unsigned char *at = memmem(bytes, size, what, n);
    assert_non_null(at);
    fseek(f, at - bytes + 2, SEEK_SET);
    fputc(at[2] ^ 1, f);
    fclose(f);
}

static void bad_input_changes_nothing(void **state)
{
    static const struct { const char *make, *words; } bad[] = {
        { "echo a plain text of some length > %s", "not a store" },
        { "sqlite3 %s 'CREATE TABLE t(x)'", "another program's" },
        { "cp good.db %1$s && sqlite3 %1$s \"UPDATE meta SET value = 99\"", "newer version" },
        { "cp good.db %1$s && sqlite3 %1$s \"UPDATE meta SET value = 3\"", "older version" },
        { "head -c 20000 good.db > %s", "damaged" },
        { "head -c 700 good.db > %s", "damaged" },
        { "cp good.db %1$s && dd if=/dev/zero of=%1$s bs=4096 seek=3 count=2 conv=notrunc 2> /dev/null",
          "damaged" },
        { ": > %s", "empty" },
        { "true %s", "no such store" },
        { "cp good.db %1$s && sqlite3 %1$s \"INSERT INTO run_info VALUES(1, 'core', 'dead')\"", "another build" },
    };
    const char *good = in_folder(0, "good.db"), *to = in_folder(1, "m.db"), *in = in_folder(2, "bad.db");
    char command[400], line[600], before[80], after[80];
    struct why why = { "" };
    need("sqlite3");
    make_input(good, 0, 60);
    make_input(in_folder(3, "old.db"), 60, 70);
    must_merge(to, 1, (const char *const[]){ path_of[3] }, NULL);
    checksum_of(to, before);
    for (size_t k = 0; k <= sizeof bad / sizeof *bad; k++) {
        snprintf(command, sizeof command, "rm -f %s*", in);
        assert_int_equal(system(command), 0);
        if (k < sizeof bad / sizeof *bad) {
            snprintf(command, sizeof command, bad[k].make, "bad.db");
            snprintf(line, sizeof line, "cd %s && %s", folder, command);
            assert_int_equal(system(line), 0);
        } else {
            /* One bit of the file is changed, in the eight bytes of 1/3, a number in cell 1. */
            static const unsigned char third[] = { 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5, 0x3f };
            snprintf(line, sizeof line, "cp %s %s", good, in);
            assert_int_equal(system(line), 0);
            spoil(in, third, sizeof third);
        }
        for (int way = 0; way < 2; way++) {
            const char *none = in_folder(4, "none.db");
            enum status s = merged(way ? none : to, 2, (const char *const[]){ good, in }, NULL, &why);
            if (s == OK)
                fail_msg("case %zu was merged", k);
            if (!strstr(why.text, "bad.db") || strchr(why.text, '\n') ||
                !strstr(why.text, k < sizeof bad / sizeof *bad ? bad[k].words : "checksum"))
                fail_msg("case %zu: %s", k, why.text);
            assert_int_not_equal(access(none, F_OK), 0);
        }
        checksum_of(to, after);
        assert_string_equal(before, after);
    }
    assert_int_equal(merged(to, 1, &to, NULL, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "merged into"));
}

/* An input whose records are all of another build than this program is merged only if the user asks for it
 * (--force), or once the target has records of that build. */
static void other_builds_by_force(void **state)
{
    const char *in = in_folder(0, "a.db"), *to = in_folder(1, "m.db");
    struct why why = { "" };
    struct store_merged out;
    struct store_merge m = { .input = &in, .inputs = 1, .merged = &out, .core = CORE };
    struct store *s = opened(in, STORE_WRITE);
    long run = begun(s);
    assert_int_equal(store_put_info(s, run, &(struct store_info){ "core", "beef" }, NULL), OK);
    put(s, run, 0, 0);
    store_close(s);
    assert_int_equal(store_merge(to, &m, 0, &why), BAD_INPUT);
    assert_true(strstr(why.text, "beef") && strstr(why.text, CORE));
    m.force = true;
    assert_int_equal(store_merge(to, &m, 0, &why), OK);
    m.force = false;
    assert_int_equal(store_merge(to, &m, 0, &why), OK);
    assert_true(out.before);
    m.core = "beef";
    assert_int_equal(store_merge(in_folder(2, "n.db"), &m, 0, &why), OK);
}

/* --- a merge that is killed */

static long count_cells(const char *path)
{
    struct store *s = NULL;
    struct why why = { "" };
    long cells = 0;
    if (access(path, F_OK) != 0)
        return 0;
    if (store_open(path, STORE_READ, 5, &s, &why) == BAD_INPUT)          /* the merge was killed before it made the
                                                                            tables */
        return 0;
    if (!s || store_verify(s, &cells, &why) != OK)
        fail_msg("%s", why.text);
    store_close(s);
    return cells;
}

/* Kills the child, a merge, as soon as `log`, the write-ahead log of the target, has `bytes` bytes. If the log
 * stays shorter, the child ends by itself. */
static void kill_at(pid_t child, const char *log, long bytes)
{
    struct stat info;
    while (waitpid(child, NULL, WNOHANG) == 0)
        if (stat(log, &info) == 0 && info.st_size >= bytes) {
            kill(child, SIGKILL);
            assert_int_equal(waitpid(child, NULL, 0), child);
            return;
        }
}

/* If a merge is killed at some moment, each input is in the target as a whole or not at all; the same command then
 * continues. */
static void a_kill_leaves_whole_inputs(void **state)
{
    enum { EACH = 400, KILLS = 16, STEP = 120000 };
    const char *in[3] = { in_folder(0, "a.db"), in_folder(1, "b.db"), in_folder(2, "c.db") };
    const char *to = in_folder(3, "m.db"), *whole = in_folder(4, "whole.db"), *log = in_folder(5, "m.db-wal");
    char command[300];
    int part = 0;
    for (int k = 0; k < 3; k++)
        make_input(in[k], EACH * k, EACH * (k + 1));
    must_merge(whole, 3, in, NULL);
    snprintf(command, sizeof command, "rm -f %s*", to);
    for (int k = 0; k < KILLS; k++) {
        if (k % 2 == 0)                              /* at odd k the merge continues from what the merge killed
                                                        before has left */
            assert_int_equal(system(command), 0);
        pid_t child = fork();
        if (child == 0)
            _exit(merged(to, 3, in, NULL, NULL) != OK);
        kill_at(child, log, STEP * (k + 1));
        long cells = count_cells(to);
        assert_true(cells % EACH == 0);
        part += cells > 0 && cells < 3 * EACH;
    }
    must_merge(to, 3, in, NULL);
    same_export(to, whole);
    assert_true(part > 0);
}

/* --- the command `merge` */

/* While this process has the target open for writing, `merge` waits for it, and with --no-wait refuses at once.
 * In either case the command names this process. */
static void a_second_writer_names_the_first(void **state)
{
    char command[700], name[100], said[400] = "";
    const char *in = in_folder(0, "a.db"), *to = in_folder(1, "m.db"), *err = in_folder(2, "err.txt");
    make_input(in, 0, 3);
    struct store *s = opened(to, STORE_WRITE);
    snprintf(name, sizeof name, "process %ld on ", (long)getpid());
    snprintf(command, sizeof command, "'%s/assay' merge %s %s --force --no-wait > %s 2>&1", BUILD_DIR, to, in, err);
    assert_int_equal(WEXITSTATUS(system(command)), 2);
    FILE *f = fopen(err, "r");
    assert_true(fgets(said, sizeof said, f) && strstr(said, name) && strstr(said, "m.db") && !fgets(said, 9, f));
    fclose(f);
    assert_int_equal(unlink(err), 0);                /* what the test reads below was written by the second
                                                        command */
    snprintf(command, sizeof command, "'%s/assay' merge %s %s --force > %s 2>&1", BUILD_DIR, to, in, err);
    pid_t child = fork();
    if (child == 0)
        _exit(execl("/bin/sh", "sh", "-c", command, (char *)NULL));
    do {                                             /* the message comes at once, while this process still has the
                                                        target open for writing */
        usleep(10000);
        f = fopen(err, "r");
        *said = 0;
        if (f && !fgets(said, sizeof said, f))
            *said = 0;
        if (f)
            fclose(f);
    } while (!strchr(said, '\n') && waitpid(child, NULL, WNOHANG) == 0);
    assert_true(strstr(said, name) && strstr(said, "waiting for it"));
    store_close(s);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    hold_cells(to, 0, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(orders_do_not_matter),
        IN_FOLDER(again_is_nothing_new),
        IN_FOLDER(halves_of_a_run_join),
        IN_FOLDER(results_stay),
        IN_FOLDER(a_fresh_run_keeps_its_failures),
        IN_FOLDER(contradictions_are_told),
        IN_FOLDER(kinds_stand_beside_each_other),
        IN_FOLDER(bad_input_changes_nothing),
        IN_FOLDER(other_builds_by_force),
        IN_FOLDER(a_kill_leaves_whole_inputs),
        IN_FOLDER(a_second_writer_names_the_first),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}

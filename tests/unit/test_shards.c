/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shards.c - manifests and folders of shards. Which cells a folder must hold, and what has come back of them,
 * is known from what the test put there. */
#include "support/stored.h"

#include <errno.h>
#include <sqlite3.h>

#include "cell/registry.h"
#include "shards/shards.h"
#include "run/run.h"
#include "shards/work.h"

enum { CELLS = 60 };
static struct cell *cell[CELLS];
static double cost[CELLS];

/* Makes the cells of twenty instances with three step sizes each; the cost of a cell is the number of its
 * instance. */
static int make_cells(void **state)
{
    char text[200];
    for (int k = 0; k < CELLS; k++) {
        snprintf(text, sizeof text, "problem spectral d=4 | algo sgd step=0.%d | goal n=%d T=3 | run | rep %d",
                 1 + k % 3, 100 + k / 3, 0);
        assert_int_equal(cell_parse(text, &cell[k], NULL), OK);
        cost[k] = 1 + k / 3;
    }
    return make_folder(state);
}

static int drop_cells(void **state)
{
    for (int k = 0; k < CELLS; k++)
        cell_free(cell[k]);
    return drop_folder(state);
}

static struct manifest head_of(double seconds)
{
    struct manifest m = { .kind = kind_now(), .timeout = 20, .memory = 512, .seconds = seconds,
                          .commit = "c0ffee" };
    snprintf(m.core, sizeof m.core, "%s", registry_core_hash());
    store_identity_new(&m.run);
    return m;
}

static int place_of(const char *text)
{
    for (int k = 0; k < CELLS; k++)
        if (strcmp(cell[k]->text, text) == 0)
            return k;
    fail_msg("a cell that was not packed: %s", text);
    return -1;
}

/* Packs all cells into shards of `seconds` seconds, and checks four things. Each cell is in one shard. No shard is
 * longer than `seconds`, unless it is a single cell. No shard but the last has room for the first cell of the next.
 * An instance is in at most two shards, or in three if its cells take longer than one shard. */
static void packed(double seconds, long expected)
{
    struct manifest head = head_of(seconds), m;
    int seen[CELLS] = { 0 }, first[CELLS], last[CELLS];
    char path[300];
    long shards;
    assert_int_equal(shards_write(file("s"), &head, cell, cost, CELLS, &shards, NULL), OK);
    if (expected)
        assert_int_equal(shards, expected);
    double before = 0;
    for (long s = 1; s <= shards; s++) {
        double sum = 0;
        snprintf(path, sizeof path, "%s/s/%05ld.shard", folder, s);
        assert_int_equal(manifest_read(path, &m, NULL), OK);
        for (long i = 0; i < m.cells; i++) {
            int k = place_of(m.text[i]), instance = k / 3;
            assert_string_equal(m.fingerprint[i], cell[k]->fingerprint);
            if (i == 0 && s > 1)
                assert_true(before + cost[k] > seconds);
            bool met = seen[3 * instance] + seen[3 * instance + 1] + seen[3 * instance + 2];
            first[instance] = met ? first[instance] : (int)s;
            last[instance] = (int)s;
            seen[k]++;
            sum += cost[k];
        }
        assert_true(sum <= seconds || m.cells == 1);
        assert_true(fabs(sum - m.seconds) < 1e-9);
        assert_string_equal(m.run.uuid, head.run.uuid);
        before = sum;
        manifest_free(&m);
    }
    for (int k = 0; k < CELLS; k++)
        assert_int_equal(seen[k], 1);
    for (int k = 0; k < CELLS / 3; k++)
        assert_true(last[k] - first[k] <= (3 * (k + 1) > seconds ? 2 : 1));
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s/s", folder);
    assert_int_equal(system(command), 0);
}

static void every_cell_is_in_one_shard(void **state)
{
    packed(1e9, 1);
    packed(630, 1);                      /* the sum of all costs is 3 (1 + ... + 20) = 630 */
    packed(100, 0);
    packed(37, 0);
    packed(0.5, CELLS);                  /* no cell fits, so that each has a separate shard */
}

/* --- manifests */

/* A manifest with one bit of any byte changed, or cut anywhere, is refused in a sentence that names its file. */
static void no_changed_manifest_is_read(void **state)
{
    struct manifest head = head_of(1e9), m;
    struct why why;
    char *text;
    assert_int_equal(manifest_write(file("a.shard"), &head, cell, 3, NULL), OK);
    FILE *f = fopen(file("a.shard"), "r");
    assert_non_null(f);
    text = calloc(1, 4096);
    size_t n = fread(text, 1, 4096, f);
    fclose(f);
    assert_true(n > 300 && n < 4096);
    for (size_t k = 0; k < 2 * n; k++) {
        f = fopen(file("b.shard"), "w");
        if (k < n) {
            text[k] ^= 1;
            fwrite(text, 1, n, f);
            text[k] ^= 1;
        } else
            fwrite(text, 1, k - n, f);
        fclose(f);
        int status = manifest_read(file("b.shard"), &m, &why);
        if (status == OK)
            fail_msg("read with byte %zu changed or missing", k % n);
        assert_non_null(strstr(why.text, "b.shard"));
    }
    free(text);
    assert_int_equal(manifest_read(file("none.shard"), &m, &why), IO_ERROR);
}

/* A manifest that was made by another build, or for another level, BLAS or library, is refused in a sentence that
 * states what was expected. */
static void another_program_or_machine_is_refused(void **state)
{
    struct manifest m = head_of(1);
    struct why why = { "" };
    assert_int_equal(manifest_fits("x.shard", &m, &why), OK);
    strcpy(m.core, "0123456789abcdef0");
    assert_int_equal(manifest_fits("x.shard", &m, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "core 0123456789abcdef,"));
    m = head_of(1);
    strcpy(m.kind.level, "vax");
    assert_int_equal(manifest_fits("x.shard", &m, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "expected level vax"));
    m = head_of(1);
    strcpy(m.kind.blas, "Abacus 1");
    assert_int_equal(manifest_fits("x.shard", &m, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "Abacus 1"));
}

/* A cell whose fingerprint differs, because sources or data do, is refused. */
static void other_sources_are_refused(void **state)
{
    struct manifest head = head_of(1e9), m;
    struct cell *made[CELLS];
    struct why why = { "" };
    char kept = cell[1]->fingerprint[0];
    cell[1]->fingerprint[0] = kept == 'f' ? '0' : 'f';
    assert_int_equal(manifest_write(file("a.shard"), &head, cell, 3, NULL), OK);
    cell[1]->fingerprint[0] = kept;
    assert_int_equal(manifest_read(file("a.shard"), &m, NULL), OK);
    assert_int_equal(manifest_cells(file("a.shard"), &m, made, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, cell[1]->text));
    assert_non_null(strstr(why.text, "sources or data"));
    for (int k = 0; k < 3; k++)
        cell_free(made[k]);
    manifest_free(&m);
}

/* --- what has come back */

/* Writes an attempt at shard s/00001 that has cells from..to-1, with this outcome. */
static void put_attempt(const char *name, const struct manifest *head, int from, int to, enum outcome outcome)
{
    char path[300];
    long run;
    snprintf(path, sizeof path, "%s/s/00001.%s.db", folder, name);
    struct store *s = opened(path, STORE_WRITE);
    const struct store_info core = { "core", registry_core_hash() };
    assert_int_equal(store_begin_part(s, &head->run, &core, 1, &run, NULL), OK);
    for (int k = from; k < to; k++) {
        struct record *r = record_new(cell[k]->text, cell[k]->fingerprint);
        record_put(r, "excess", k);
        if (outcome != OUTCOME_OK)
            record_end(r, outcome, "planted");
        assert_int_equal(store_put(s, run, r, NULL), OK);
        record_free(r);
    }
    assert_int_equal(store_end_run(s, run, NULL), OK);
    store_close(s);
}

static struct shards_state looked(void)
{
    struct shards_state st;
    struct why why = { "" };
    if (shards_look(file("s"), &st, &why) != OK)
        fail_msg("%s", why.text);
    return st;
}

/* A failure counts when it has happened twice; a result counts more than any number of failures. */
static void failures_count_twice(void **state)
{
    struct manifest head = head_of(1e9);
    long shards;
    assert_int_equal(shards_write(file("s"), &head, cell, cost, CELLS, &shards, NULL), OK);
    struct shards_state st = looked();
    assert_true(st.shards == 1 && !st.complete && st.cells == CELLS && !st.results && fabs(st.left - 630) < 1e-9);
    put_attempt("1.0", &head, 0, 30, OUTCOME_OK);
    put_attempt("2.0", &head, 30, CELLS, OUTCOME_CRASHED);
    st = looked();
    assert_true(st.results == 30 && st.failed_once == 30 && !st.failed && !st.complete && st.attempts == 2);
    put_attempt("3.0", &head, 30, 40, OUTCOME_TIMEOUT);
    put_attempt("3.1", &head, 40, 50, OUTCOME_OK);
    st = looked();
    assert_true(st.results == 40 && st.failed_once == 10 && st.failed == 10 && !st.complete);
    put_attempt("4.0", &head, 50, CELLS, OUTCOME_REFUSED);
    st = looked();
    assert_true(st.results == 50 && !st.failed_once && st.failed == 10 && st.complete == 1 && fabs(st.left) < 1e-9);
}

/* Attempts at the shards 000011 and 00002, and a file that is still being written, are not taken for attempts at
 * 00001. */
static void attempts_have_the_shards_name(void **state)
{
    struct manifest head = head_of(1e9);
    struct path_list l;
    assert_int_equal(mkdir(file("s"), 0777), 0);
    assert_int_equal(manifest_write(file("s/00001.shard"), &head, cell, 3, NULL), OK);
    put_attempt("7.0", &head, 0, 3, OUTCOME_OK);
    for (const char *const *n = (const char *const[]){ "s/000011.7.0.db", "s/00002.7.0.db", "s/.00001.8.0.db.9",
                                                       NULL }; *n; n++)
        fclose(fopen(file(*n), "w"));
    assert_int_equal(shard_attempts(file("s/00001.shard"), &l, NULL), OK);
    assert_int_equal(l.n, 1);
    assert_non_null(strstr(l.path[0], "/s/00001.7.0.db"));
    path_list_free(&l);
}

/* --- a job */

static void note_info(void *ctx, const char *key, const char *value)
{
    char *text = ctx;
    if (strcmp(key, "started") != 0 && strcmp(key, "ended") != 0)
        sprintf(text + strlen(text), "%s=%s;", key, value);
}

/* The records of a shard equal those of its cells when each cell runs alone. They are in one run, with the identity
 * and the provenance of the manifest. */
static void a_job_runs_its_cells(void **state)
{
    struct manifest head = head_of(1e9);
    struct work_done done;
    struct why why = { "" };
    struct store_ask ask[6];
    struct record *found[6];
    struct store_identity id;
    long shards, run;
    char shard[300], scratch[300], provenance[300] = "";
    manifest_add_info(&head, "core", "of the run");
    manifest_add_info(&head, "profile", "nightly");
    manifest_add_info(&head, "empty", "");
    manifest_add_info(&head, "lines", "one\ntwo");       /* is left out */
    manifest_add_info(&head, "command", "assay verify --claim 'a  b'");
    assert_int_equal(shards_write(file("s"), &head, cell, cost, 6, &shards, NULL), OK);
    put_attempt("1.0", &head, 0, 2, OUTCOME_OK);
    snprintf(shard, sizeof shard, "%s/s/00001.shard", folder);
    snprintf(scratch, sizeof scratch, "%s", folder);
    struct work_request q = { .shard = shard, .jobs = 1, .scratch = scratch, .job = "5.0" };
    if (work_shard(&q, &done, &why) != OK)
        fail_msg("%s", why.text);
    assert_true(done.cells == 6 && done.before == 2 && done.ran == 4 && !done.failed);
    struct store *s = opened(done.attempt, STORE_READ);
    assert_int_equal(store_last_run(s, &run, NULL), OK);
    assert_int_equal(store_identity_of(s, run, &id, NULL), OK);
    assert_string_equal(id.uuid, head.run.uuid);
    assert_string_equal(id.started, head.run.started);
    assert_int_equal(store_run_info(s, run, note_info, provenance, NULL), OK);
    assert_string_equal(provenance, "command=assay verify --claim 'a  b';core=of the run;empty=;profile=nightly;");
    for (int k = 0; k < 6; k++)
        ask[k] = (struct store_ask){ cell[k]->text, cell[k]->fingerprint };
    assert_int_equal(store_find_all(s, ask, 6, found, NULL), OK);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(found[k] != NULL, k >= 2);
        if (!found[k])
            continue;
        struct runner *runner = runner_new(0);
        struct record *alone = run_cell(runner, cell[k], NULL);
        assert_true(record_equal(alone, found[k]));
        record_free(alone);
        runner_free(runner);
        record_free(found[k]);
    }
    store_close(s);
    assert_int_equal(work_shard(&q, &done, &why), OK);           /* nothing is left */
    assert_true(done.before == 6 && !done.ran && !*done.attempt);
    manifest_free(&head);
}

/* In place of pwrite: there is room for the log of a job's store, and for the first page of its file, but for no
 * other page. */
static ssize_t short_of_room(int descriptor, const void *bytes, size_t n, off_t at)
{
    char name[40], path[300] = "";
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (at == 0 || length < 10 || strcmp(path + length - 10, "attempt.db"))
        return pwrite(descriptor, bytes, n, at);
    errno = ENOSPC;
    return -1;
}

static void replace_pwrite(sqlite3_syscall_ptr by)
{
    sqlite3_vfs *v = sqlite3_vfs_find(NULL);
    v->xSetSystemCall(v, "pwrite", by);
    v->xSetSystemCall(v, "pwrite64", by);
}

/* If the records of a job do not fit into the file of its store, but only into the log beside it, nothing is
 * published. */
static void half_a_store_is_not_published(void **state)
{
    struct manifest head = head_of(1e9);
    struct work_done done;
    struct why why = { "" };
    struct path_list l;
    long shards;
    char shard[300], command[300];
    assert_int_equal(shards_write(file("s"), &head, cell, cost, 6, &shards, NULL), OK);
    snprintf(shard, sizeof shard, "%s/s/00001.shard", folder);
    struct work_request q = { .shard = shard, .jobs = 1, .scratch = folder, .job = "5.0" };
    replace_pwrite((sqlite3_syscall_ptr)short_of_room);
    enum status status = work_shard(&q, &done, &why);
    replace_pwrite(NULL);
    assert_int_equal(status, IO_ERROR);
    assert_true(strstr(why.text, "attempt.db: ") && strstr(why.text, "full"));
    assert_int_equal(shard_attempts(shard, &l, NULL), OK);
    assert_int_equal(l.n, 0);
    path_list_free(&l);
    snprintf(command, sizeof command, "test $(ls %s | wc -l) = 1", folder);        /* nothing is left there but s */
    assert_int_equal(system(command), 0);
    assert_int_equal(work_shard(&q, &done, &why), OK);
    assert_true(done.before == 0 && done.ran == 6);
    struct store *s = opened(done.attempt, STORE_READ);
    assert_int_equal(store_check(s, NULL), OK);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_cell_is_in_one_shard, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(no_changed_manifest_is_read, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(another_program_or_machine_is_refused, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(other_sources_are_refused, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(failures_count_twice, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(attempts_have_the_shards_name, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(a_job_runs_its_cells, make_cells, drop_cells),
        cmocka_unit_test_setup_teardown(half_a_store_is_not_published, make_cells, drop_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

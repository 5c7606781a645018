/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_store.c - a store with some bytes changed: every record that is read must be one that was put. The input is
 * a list of changes: an offset (three bytes, lowest first), a length, and as many bytes to be written there. */
#include "fuzz/fuzz_files.h"
#include "store/store.h"

enum { CELLS = 4 };

static struct record *sample(int k)
{
    char cell[32];
    snprintf(cell, sizeof cell, "cell %d", k);
    struct record *r = record_new(cell, "00ff");
    record_put(r, "measure.excess", 1.0 / (k + 3));
    record_put(r, "count.k", k);
    record_trace_columns(r, 2, (const char *const[]){ "cost", "excess" });
    record_trace_row(r, (double[]){ k, 0.5 });
    return r;
}

/* Returns bytes[*size], the file of a valid store. It is made once, since that takes longer than a test. */
static const uint8_t *sound_store(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    static uint8_t bytes[MOST];
    static size_t made;
    struct store *s = NULL;
    long run = 0;
    *size = made;
    if (made)
        return bytes;
    BUG_IF(store_open(path, STORE_WRITE, 0, &s, NULL) != OK);
    BUG_IF(store_begin_run(s, &(struct store_info){ "commit", "abc" }, 1, &run, NULL) != OK);
    for (int k = 0; k < CELLS; k++) {
        struct record *r = sample(k);
        BUG_IF(store_put(s, run, r, NULL) != OK);
        record_free(r);
    }
    store_close(s);
    FILE *f = fopen(path, "rb");
    BUG_IF(!f);
    *size = made = fread(bytes, 1, MOST, f);
    fclose(f);
    BUG_IF(made == 0);
    return bytes;
}

static bool hold(void *ctx, const struct record *r)
{
    bool known = false;
    for (int k = 0; k < CELLS && !known; k++) {
        struct record *truth = sample(k);
        known = record_equal(r, truth);
        record_free(truth);
    }
    BUG_IF(!known);
    return true;
}

static void pass_run(void *ctx, const struct store_run *run) { }
static void pass_info(void *ctx, const char *key, const char *value) { }

static void read_all(const char *path)
{
    struct store *s = NULL;
    struct record *r = NULL;
    struct why why = { "" };
    long run = 0;
    if (store_open(path, STORE_READ, 0, &s, &why) != OK) {
        BUG_IF(!why.text[0] || strchr(why.text, '\n'));
        return;
    }
    (void)store_check(s, &why);
    BUG_IF(strchr(why.text, '\n'));
    (void)store_each_of_run(s, STORE_LATEST, hold, NULL, &why);
    (void)store_each_of_run(s, 1, hold, NULL, &why);
    (void)store_runs(s, pass_run, NULL, &why);
    (void)store_run_info(s, 1, pass_info, NULL, &why);
    (void)store_last_run(s, &run, &why);
    if (store_find(s, "cell 1", NULL, &r, &why) == OK && r)
        hold(NULL, r);
    record_free(r);
    store_close(s);
}

FUZZ(store)
{
    static const char *const beside[] = { "", ".lock", "-wal", "-shm", "-journal" };
    char path[80], name[96];
    size_t n;
    snprintf(path, sizeof path, "%s/a.db", fuzz_folder());
    const uint8_t *sound = sound_store(path, &n);
    uint8_t *bytes = malloc(n);
    BUG_IF(!bytes);
    memcpy(bytes, sound, n);
    while (size >= 4) {
        size_t at = (size_t)(data[0] | data[1] << 8 | data[2] << 16) % n, length = data[3];
        data += 4, size -= 4;
        for (; length > 0 && size > 0; length--, size--, at++)
            bytes[at % n] = *data++;
    }
    FILE *f = fopen(path, "wb");
    BUG_IF(!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0);
    read_all(path);
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
        snprintf(name, sizeof name, "%s%s", path, beside[k]);
        unlink(name);
    }
    free(bytes);
    return 0;
}

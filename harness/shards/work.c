/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.c - runs a shard, and leaves a store with its records beside the manifest. */
#include "shards/work.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/plan_budget.h"
#include "pool/interrupt.h"
#include "text/progress.h"

static enum status trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

/* --- copying the store from a folder of this machine into the folder of the shard */

static bool copy_bytes(int from, int to)
{
    char buffer[65536];
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t at = 0, m; at < n; at += m)
            if ((m = write(to, buffer + at, (size_t)(n - at))) < 0)
                return false;
    return n == 0 && fsync(to) == 0;
}

/* Copies `file` to the path `as`: first under a name that ends with .part, which nobody reads; then the copy is
 * renamed. */
static enum status publish(const char *file, const char *as, struct why *why)
{
    char part[PATH_MAX + 32];
    snprintf(part, sizeof part, "%s.%ld.part", as, (long)getpid());
    errno = 0;
    int from = open(file, O_RDONLY | O_CLOEXEC);
    int to = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool good = from >= 0 && to >= 0 && copy_bytes(from, to);
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0)
        good = false;
    if (good && rename(part, as) == 0)
        return OK;
    enum status s = trouble(as, why);
    unlink(part);
    return s;
}

static void forget(const char *folder, const char *store)
{
    static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
    char path[PATH_MAX + 16];
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        snprintf(path, sizeof path, "%s%s", store, ends[k]);
        unlink(path);
    }
    rmdir(folder);
}

/* --- running the cells of a shard */

/* Moves the cells that have neither a result nor two failures (state[cells], of shard_look) to the front and frees
 * the others. Returns how many there are. */
static int keep_waiting(struct cell **cell, const unsigned char *state, long cells)
{
    int kept = 0;
    for (long k = 0; k < cells; k++)
        if (state[k] < SHARD_FAILED_OFTEN)
            cell[kept++] = cell[k];
        else
            cell_free(cell[k]);
    return kept;
}

static enum status run_cells(const struct manifest *m, struct execution *x, const char *path, struct why *why)
{
    TRY(store_open(path, STORE_WRITE, 0, &x->store, why));
    enum status s = store_begin_part(x->store, &m->run, m->info, m->infos, &x->run, why);
    interrupt_catch();
    if (s == OK)
        s = execute(x, why);
    interrupt_release();
    if (s == OK)
        s = store_end_run(x->store, x->run, why);
    if (s == OK)
        s = store_copy_log(x->store, why);           /* the file is published without its log */
    store_close(x->store);
    for (int k = 0; k < x->cells; k++)
        record_free(x->record[k]);
    return s;
}

static enum status run_waiting(const struct work_request *q, const struct manifest *m, struct cell **cell,
                               int cells, struct work_done *done, struct why *why)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct execution x = { .cell = cell, .cells = cells, .workers = q->jobs, .timeout = m->timeout,
                           .memory_limit = (size_t)(m->memory * 0x1p20), .price = plan_price,
                           .progress = progress_wanted(STDERR_FILENO),
                           .record = calloc((size_t)cells + 1, sizeof *x.record) };
    BUG_IF(!x.record);
    snprintf(folder, sizeof folder, "%.4000s/assay-shard-XXXXXX", q->scratch);
    errno = 0;
    if (!mkdtemp(folder)) {
        free(x.record);
        return trouble(folder, why);
    }
    snprintf(path, sizeof path, "%s/attempt.db", folder);
    enum status s = run_cells(m, &x, path, why);
    done->ran = x.ran;
    done->failed = x.failed;
    done->interrupted = x.interrupted;
    int stem = (int)(strlen(q->shard) - strlen(MANIFEST_END));
    if (s == OK && x.ran) {
        snprintf(done->attempt, sizeof done->attempt, "%.*s.%.100s.db", stem, q->shard, q->job);
        s = publish(path, done->attempt, why);
    }
    forget(folder, path);
    free(x.record);
    return s;
}

static enum status work_manifest(const struct work_request *q, const struct manifest *m, struct work_done *done,
                                 struct why *why)
{
    unsigned char *state = malloc((size_t)m->cells + 1);
    struct cell **cell = calloc((size_t)m->cells + 1, sizeof *cell);
    struct why reason = { "" };
    BUG_IF(!state || !cell);
    int waiting = (int)m->cells;
    enum status s = manifest_fits(q->shard, m, &reason);
    if (s == OK)
        s = manifest_cells(q->shard, m, cell, &reason);
    if (s != OK) {
        shard_refuse(q->shard, q->job, reason.text);
        why_set(why, s, "%s", reason.text);
    }
    if (s == OK)
        s = shard_look(q->shard, m, state, why);
    if (s == OK)
        waiting = keep_waiting(cell, state, m->cells);
    done->cells = m->cells;
    done->before = m->cells - waiting;
    if (s == OK && waiting)
        s = run_waiting(q, m, cell, waiting, done, why);
    for (int k = 0; k < waiting; k++)
        cell_free(cell[k]);
    free(cell);
    free(state);
    return s;
}

enum status work_shard(const struct work_request *q, struct work_done *done, struct why *why)
{
    struct manifest m;
    *done = (struct work_done){ .cells = 0 };
    signal(SIGPIPE, SIG_IGN);            /* writing to a worker process that has died must not end this process */
    TRY(manifest_read(q->shard, &m, why));
    enum status s = work_manifest(q, &m, done, why);
    manifest_free(&m);
    return s;
}

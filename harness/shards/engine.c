/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - runs the cells of a stage on other machines: makes shards, submits them to Slurm, waits and merges
 * what they leave; then does so again for the cells that are missing. */
#include "shards/engine.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cell/registry.h"
#include "exec/method.h"
#include "plan/plan_budget.h"
#include "pool/interrupt.h"
#include "shards/shards.h"
#include "numeric/kind.h"
#include "shards/slurm.h"
#include "text/folder.h"
#include "text/memstream.h"
#include "text/shell_word.h"

enum { IDS = 4096, PATIENCE = 900 };     /* IDS: room for the text of ids or hosts; PATIENCE: after so many seconds
                                            without an answer of Slurm the stage fails */

struct stage {
    const struct engine_request *q;
    struct execution *x;
    const char *store;
    struct store_identity run;
    char ids[IDS];                   /* ids of Slurm's job arrays that were submitted and not waited for yet, with
                                        commas between them */
    char excluded[IDS];              /* hosts on which cells failed or that refused a shard, with commas between
                                        them */
    bool last;                       /* this is the last try: records of failures are merged too, not only
                                        results */
};

/* --- the cells that the store lacks */

/* cell[n], cost[n] <- the cells that have to run, and the seconds that each is expected to take; free() both. A
 * cell has to run if the store has no record of it that counts for this kind of machine. A failure counts as well,
 * unless --retry is given. In a run that is made afresh only its own records count. */
static enum status missing(const struct stage *g, struct cell ***cell, double **cost, size_t *n, struct why *why)
{
    const struct execution *x = g->x;
    size_t cells = (size_t)x->cells;
    struct store_ask *ask = calloc(cells + 1, sizeof *ask);
    struct store_hit *hit = calloc(cells + 1, sizeof *hit);
    *cell = calloc(cells + 1, sizeof **cell);
    *cost = calloc(cells + 1, sizeof **cost);
    BUG_IF(!ask || !hit || !*cell || !*cost);
    for (size_t k = 0; k < cells; k++)
        ask[k] = (struct store_ask){ x->cell[k]->text, x->cell[k]->fingerprint };
    enum status s = x->fresh ? store_scan_run(x->store, x->run, ask, cells, hit, why)
                  : store_scan(x->store, ask, cells, hit, why);
    *n = 0;
    for (size_t k = 0; s == OK && k < cells; k++) {
        bool result = hit[k].outcome == OUTCOME_OK || hit[k].outcome == OUTCOME_REFUSED;
        if (!hit[k].id || hit[k].foreign || (x->retry && !result))
            (*cell)[(*n)++] = x->cell[k];
    }
    free(ask);
    free(hit);
    if (s != OK)
        return s;
    struct cell **priced = malloc((*n + 1) * sizeof *priced);        /* a copy, because plan_price sorts its
                                                                        argument */
    BUG_IF(!priced);
    memcpy(priced, *cell, *n * sizeof *priced);
    plan_price(priced, *n);
    free(priced);
    for (size_t k = 0; k < *n; k++)
        (*cost)[k] = cell_cost((*cell)[k]);
    return OK;
}

static double sum(const double *v, size_t n)
{
    double s = 0;
    for (size_t k = 0; k < n; k++)
        s += v[k];
    return s;
}

/* --- the folders of tries: FOLDER/stage-NNN holds the shards of one try, the attempts at them, the scripts, and a
 * file `jobs` with the ids of the arrays */

static void remove_files(const char *folder, const char *ending)
{
    struct path_list l;
    if (shards_files(folder, ending, &l, NULL) != OK)
        return;
    for (size_t k = 0; k < l.n; k++)
        unlink(l.path[k]);
    path_list_free(&l);
}

/* Removes the files of a stage, and its folder if it is empty then. logs: also removes the logs of the jobs.
 * Manifests and attempts are removed last: if this command is killed meanwhile, a later one finds the folder by
 * them (take_in_leftovers). */
static void remove_stage(const char *folder, bool logs)
{
    char path[PATH_MAX];
    if (logs)
        remove_files(folder, ".log");
    remove_files(folder, ".sh");
    remove_files(folder, ".part");
    remove_files(folder, ".new");
    remove_files(folder, REFUSAL_END);
    snprintf(path, sizeof path, "%.4000s/jobs", folder);
    unlink(path);
    remove_files(folder, MANIFEST_END);
    remove_files(folder, ".db");
    snprintf(path, sizeof path, "%.4000s/log", folder);
    rmdir(path);
    rmdir(folder);
}

/* path <- the first of the folders FOLDER/stage-001, FOLDER/stage-002, ... that does not exist. */
static void next_folder(const struct stage *g, char path[PATH_MAX])
{
    for (int k = 1;; k++) {
        snprintf(path, PATH_MAX, "%.4000s/stage-%03d", g->q->folder, k);
        if (access(path, F_OK) != 0)
            return;
    }
}

static void put_text(FILE *out, const void *ctx) { fputs(ctx, out); }

/* Writes a file of a folder, whole or not at all: a job or a later command never reads a part of it. */
static enum status write_text(const char *folder, const char *name, const char *text, struct why *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    TRY(file_write(path, put_text, text, why));
    chmod(path, 0755);
    return OK;
}

/* ids <- the first line of the file `jobs` in the folder, "" if there is none. */
static void read_ids(const char *folder, char ids[IDS])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/jobs", folder);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(ids, IDS, f))
        ids[0] = 0;
    if (f)
        fclose(f);
    ids[strcspn(ids, "\n")] = 0;
}

/* --- merging the attempts at shards, and excluding hosts from the next try */

/* Adds a host to g->excluded, the hosts that the next try does not use. */
static void exclude(struct stage *g, const char *host)
{
    size_t used = strlen(g->excluded), n = strlen(host);
    for (const char *at = g->excluded; n && (at = strstr(at, host)); at += n)
        if ((at == g->excluded || at[-1] == ',') && (!at[n] || at[n] == ','))
            return;
    if (n && used + n + 2 < sizeof g->excluded)
        snprintf(g->excluded + used, sizeof g->excluded - used, "%s%s", used ? "," : "", host);
}

/* Excludes the hosts on which cells failed, by the records of an attempt at a shard. */
static void note_failures(struct stage *g, const char *attempt)
{
    struct store *s;
    size_t n = (size_t)g->x->cells;
    struct store_ask *ask = calloc(n + 1, sizeof *ask);
    struct store_hit *hit = calloc(n + 1, sizeof *hit);
    BUG_IF(!ask || !hit);
    for (size_t k = 0; k < n; k++)
        ask[k] = (struct store_ask){ g->x->cell[k]->text, g->x->cell[k]->fingerprint };
    if (store_open(attempt, STORE_READ, 0, &s, NULL) == OK) {
        bool good = store_scan(s, ask, n, hit, NULL) == OK;
        for (size_t k = 0; good && k < n; k++)
            if (hit[k].id && hit[k].outcome != OUTCOME_OK && hit[k].outcome != OUTCOME_REFUSED)
                exclude(g, store_hit_host(s, &hit[k]));
        store_close(s);
    }
    free(ask);
    free(hit);
}

/* Excludes the hosts that refused shards of a folder, and prints the first refusal. fatal: refusals are an error,
 * because no shard was run and there is no further try. BAD_INPUT: a host refused, and `fatal`; the sentence is
 * that of the host. */
static enum status note_refusals(struct stage *g, const char *folder, bool fatal, struct why *why)
{
    struct path_list l;
    char *host, *sentence;
    enum status s = OK;
    bool told = false;
    TRY(shards_files(folder, REFUSAL_END, &l, why));
    for (size_t k = 0; k < l.n; k++) {
        if (!shard_refusal(l.path[k], &host, &sentence))
            continue;
        exclude(g, host);
        if (fatal && s == OK)
            s = why_set(why, BAD_INPUT, "%s", sentence);
        else if (!fatal && !told)
            fprintf(stderr, "%zu shards were refused: %s\n", l.n, sentence);
        told = true;
        free(host);
        free(sentence);
    }
    path_list_free(&l);
    return s;
}

/* Merges all attempts in a folder FOLDER/stage-NNN into the store and then removes the folder; if some shard left
 * no records, the logs of the jobs stay. */
static enum status take_in(struct stage *g, const char *folder, struct why *why)
{
    struct path_list l, shards;
    TRY(shards_files(folder, MANIFEST_END, &shards, why));
    long expected = (long)shards.n;
    path_list_free(&shards);
    TRY(shards_files(folder, ".db", &l, why));
    struct store_merged *merged = calloc(l.n + 1, sizeof *merged);
    BUG_IF(!merged);
    const struct store_merge m = { .input = (const char *const *)l.path, .inputs = l.n, .merged = merged,
                                   .core = registry_core_hash(), .results = !g->last, .going = g->x->run,
                                   .fresh = g->x->fresh };
    enum status s = OK;
    for (size_t k = 0; k < l.n && !g->last; k++)
        note_failures(g, l.path[k]);
    if (l.n) {
        store_close(g->x->store);
        g->x->store = NULL;
        s = store_merge(g->store, &m, 10, why);
        enum status opened = store_open(g->store, STORE_WRITE, 10, &g->x->store, s == OK ? why : NULL);
        s = s == OK ? opened : s;
    }
    bool merged_all = s == OK, silent = (long)l.n < expected;
    if (merged_all)
        s = note_refusals(g, folder, !l.n && g->last, why);
    if (silent && s == OK)
        fprintf(stderr, "%zu of %ld shards left records; see what their jobs printed in %s/log\n", l.n, expected,
                folder);
    free(merged);
    path_list_free(&l);
    if (merged_all)
        remove_stage(folder, !silent);
    return s;
}

/* --- submitting shards to Slurm, and waiting for them */

/* Returns the path of this program, as it was at the first call. If the program is built again while this process
 * waits for a cluster, the nodes find a new file under this path, and refuse the shards since its build is
 * another. */
static const char *program(void)
{
    static char *path;
    if (!path)
        path = realpath("/proc/self/exe", NULL);
    BUG_IF(!path);
    return path;
}

/* Writes the script of a job array. The job with index k runs shard number `offset` + k. It waits until the id of its
 * array is in the file `jobs`, and ends when its manifest is gone: if this process is killed after Slurm has taken the
 * array and before the id is written, no later command knows of the array, and its jobs must not run beside those of
 * the next one. A job waits a hundred seconds, since other machines may see a new file late. */
static enum status write_array_script(const struct stage *g, const char *folder, const char *name, long offset,
                                      struct why *why)
{
    const char *self = program();
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    BUG_IF(!f);
    fputs("#!/bin/sh\nfolder=", f);
    shell_word_print(f, folder);
    fprintf(f, "\nshard=$folder/$(printf %%05d $((SLURM_ARRAY_TASK_ID + %ld)))" MANIFEST_END "\n", offset);
    fputs("since=$(date +%s)\n"
          "until grep -qw \"$SLURM_ARRAY_JOB_ID\" \"$folder/jobs\" 2> /dev/null; do\n"
          "    [ -e \"$shard\" ] && [ $(($(date +%s) - since)) -lt 100 ] && sleep 0.1 && continue\n"
          "    echo \"the command that submitted array $SLURM_ARRAY_JOB_ID has ended without noting it\" >&2\n"
          "    exit 1\n"
          "done\nexec ", f);
    shell_word_print(f, self);
    fputs(" work \"$shard\"", f);
    for (const char *const *o = g->q->options; *o; o++) {
        putc(' ', f);
        shell_word_print(f, *o);
    }
    for (int k = 0; method_spec(k); k++) {
        fputs(" --method ", f);
        shell_word_print(f, method_spec(k));
    }
    putc('\n', f);
    memstream_close(f, &text);
    enum status s = write_text(folder, name, text, why);
    free(text);
    return s;
}

/* Submits job arrays for all shards of a folder, and appends their ids to g->ids. most: the largest index that
 * Slurm allows in an array. */
static enum status submit_arrays(struct stage *g, const char *folder, long shards, long most, struct why *why)
{
    char script[PATH_MAX], log[PATH_MAX], name[32], id[SLURM_ID];
    snprintf(log, sizeof log, "%.4000s/log", folder);
    TRY(folder_make(log, why));
    for (long from = 0; from < shards; from += most) {
        snprintf(name, sizeof name, "array-%ld.sh", from);
        TRY(write_array_script(g, folder, name, from, why));
        snprintf(script, sizeof script, "%.4000s/%s", folder, name);
        struct slurm_job j = { .name = "assay", .folder = folder, .log = "log/%A_%a.log",
                               .arguments = g->q->arguments, .exclude = g->excluded, .after = "", .first = 1,
                               .last = shards - from < most ? shards - from : most, .running = g->q->running,
                               .script = script };
        enum status s = slurm_submit(&j, id, why);
        if (s != OK && *j.exclude) {             /* perhaps no node is left: tries again without excluding any */
            j.exclude = "";
            s = slurm_submit(&j, id, why);
        }
        if (s != OK && *g->ids)
            slurm_cancel(g->ids);
        TRY(s);
        size_t used = strlen(g->ids);
        BUG_IF(used + sizeof id + 2 > sizeof g->ids);
        snprintf(g->ids + used, sizeof g->ids - used, "%s%s", used ? "," : "", id);
        s = write_text(folder, "jobs", g->ids, why);     /* after each array, so that if this process is killed, a
                                                            later one finds the ids of what runs */
        if (s != OK)
            slurm_cancel(g->ids);
        TRY(s);
    }
    return OK;
}

/* A detached command counts the jobs that have gone on, in a variable which each hands to the next. A job does not
 * know how often a cell was tried, so that cells that always fail would be submitted without end. A plan has five
 * stages or fewer, so that after RESTS_MOST jobs for each of --tries what is missing runs where the command runs. */
#define RESTS "ASSAY_RESTS"
enum { RESTS_MOST = 8 };

static long rests(void)
{
    const char *text = getenv(RESTS);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Submits a job that runs the command line g->q->again when the arrays have ended. */
static enum status submit_rest(struct stage *g, struct why *why)
{
    char script[PATH_MAX], folder[PATH_MAX], after[IDS], id[SLURM_ID], *text = NULL, here[PATH_MAX];
    const char *self = program();
    size_t n;
    FILE *f = open_memstream(&text, &n);
    BUG_IF(!f || !getcwd(here, sizeof here) || !realpath(g->q->folder, folder));
    fprintf(f, "#!/bin/sh\nexport %s=%ld\ncd ", RESTS, rests() + 1);
    shell_word_print(f, here);
    fputs(" && exec ", f);
    shell_word_print(f, self);
    for (char *const *a = g->q->again + 1; *a; a++) {
        putc(' ', f);
        shell_word_print(f, *a);
    }
    putc('\n', f);
    memstream_close(f, &text);
    enum status s = write_text(folder, "rest.sh", text, why);
    free(text);
    TRY(s);
    snprintf(script, sizeof script, "%.4000s/rest.sh", folder);
    snprintf(after, sizeof after, "%s", g->ids);
    for (char *c = after; *c; c++)
        *c = *c == ',' ? ':' : *c;
    const struct slurm_job j = { .name = "assay-rest", .folder = folder, .log = "rest.txt",
                                 .arguments = g->q->arguments, .exclude = "", .after = after, .script = script };
    TRY(slurm_submit(&j, id, why));
    fprintf(stderr, "submitted: arrays %s, then job %s; `assay status %s` counts, %s/rest.txt has what it prints\n",
            g->ids, id, g->q->folder, g->q->folder);
    g->x->detached = true;
    return OK;
}

static void pause_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - floor(seconds)) * 1e9) };
    nanosleep(&t, NULL);                     /* a signal ends the sleep early */
}

/* Waits until no job of the arrays g->ids is waiting or running. If Slurm's controller does not answer, it is asked
 * again for PATIENCE seconds. */
static enum status wait_for_slurm(struct stage *g, struct why *why)
{
    long jobs = 1;
    double silent = 0, step = 0.5;
    while (jobs) {
        enum status s = slurm_alive(g->ids, &jobs, why);
        if (s != OK && (silent += step) > PATIENCE)
            return s;
        jobs = s != OK ? 1 : jobs;
        silent = s == OK ? 0 : silent;
        if (interrupt_code()) {
            slurm_cancel(g->ids);
            g->x->interrupted = true;
            return OK;
        }
        if (jobs)
            pause_for(step);
        step = fmin(1.1 * step, 10);
    }
    return OK;
}

/* --- without Slurm: the user, or another scheduler, runs the shards */

static enum status wait_for_files(struct stage *g, const char *folder, struct why *why)
{
    struct shards_state st = { .attempts = -1 };
    fprintf(stderr, "waiting for `ls %s/*" MANIFEST_END " | parallel assay work {}`, or another scheduler\n",
            folder);
    for (;;) {
        struct path_list l;
        TRY(shards_files(folder, ".db", &l, why));
        bool more = (long)l.n != st.attempts;
        path_list_free(&l);
        if (more)
            TRY(shards_look(folder, &st, why));
        if (st.complete == st.shards)
            return OK;
        if (interrupt_code()) {
            g->x->interrupted = true;
            return OK;
        }
        pause_for(0.5);
    }
}

/* --- a try, what an earlier command has left, and a stage of several tries */

static enum status wait_and_take_in(struct stage *g, const char *folder, struct why *why)
{
    if (g->q->engine == ENGINE_FILES)
        TRY(wait_for_files(g, folder, why));
    else if (*g->ids)
        TRY(wait_for_slurm(g, why));
    g->ids[0] = 0;
    return g->x->interrupted ? OK : take_in(g, folder, why);     /* after an interrupt nothing is merged yet,
                                                                    because cancelled jobs may still leave attempts;
                                                                    the next command does it */
}

/* *l <- the folders FOLDER/stage-NNN that an earlier command has left, found by their manifests and attempts; one
 * may be in the list twice. */
static enum status leftovers(const char *folder, struct path_list *l, struct why *why)
{
    static const char *const ends[] = { MANIFEST_END, ".db" };
    *l = (struct path_list){ NULL, 0 };
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        struct path_list files;
        TRY(shards_files(folder, ends[e], &files, why));
        for (size_t k = 0; k < files.n; k++) {
            char *end = strrchr(files.path[k], '/');
            *end = 0;
            if (strcmp(files.path[k], folder) != 0 && (!l->n || strcmp(l->path[l->n - 1], files.path[k]) != 0))
                path_list_add(l, files.path[k]);
        }
        path_list_free(&files);
    }
    return OK;
}

/* Waits for the jobs of the folders that an earlier command has left, and merges their attempts. */
static enum status take_in_leftovers(struct stage *g, struct why *why)
{
    struct path_list l;
    if (access(g->q->folder, F_OK) != 0)
        return OK;
    enum status s = leftovers(g->q->folder, &l, why);
    for (size_t k = 0; k < l.n && s == OK && !g->x->interrupted; k++) {
        if (access(l.path[k], F_OK) != 0)
            continue;                            /* it is in the list twice, and was merged and removed the first
                                                    time */
        read_ids(l.path[k], g->ids);
        s = wait_and_take_in(g, l.path[k], why);
    }
    path_list_free(&l);
    return s;
}

/* Adds an item of the run's provenance to a manifest, but not its start and its end, which come with the items. */
static void add_info(void *ctx, const char *key, const char *value)
{
    if (strcmp(key, "started") != 0 && strcmp(key, "ended") != 0)
        manifest_add_info(ctx, key, value);
}

/* Writes the shards of a try into a folder. */
static enum status write_shards(const struct stage *g, const char *folder, struct cell *const *cell,
                                const double *cost, size_t n, long *shards, struct why *why)
{
    struct manifest head = { .run = g->run, .kind = kind_now(), .timeout = g->q->timeout, .memory = g->q->memory,
                             .seconds = g->q->seconds };
    snprintf(head.commit, sizeof head.commit, "%s", g->q->commit);
    snprintf(head.core, sizeof head.core, "%s", registry_core_hash());
    enum status s = store_run_info(g->x->store, g->x->run, add_info, &head, why);
    if (s == OK)
        s = shards_write(folder, &head, cell, cost, n, shards, why);
    manifest_free(&head);
    return s;
}

static enum status try_once(struct stage *g, struct cell *const *cell, const double *cost, size_t n,
                            struct why *why)
{
    char folder[PATH_MAX], *whole;
    long shards, most = 0;
    if (g->q->engine == ENGINE_SLURM)
        TRY(slurm_most(&most, why));         /* asked before anything is written */
    TRY(folder_make(g->q->folder, why));
    next_folder(g, folder);
    TRY(folder_make(folder, why));
    whole = realpath(folder, NULL);          /* jobs start in other folders, so they need an absolute path */
    BUG_IF(!whole);
    snprintf(folder, sizeof folder, "%.4000s", whole);
    free(whole);
    TRY(write_shards(g, folder, cell, cost, n, &shards, why));
    fprintf(stderr, "%zu cells, about %.3g s, in %ld shards: %s\n", n, sum(cost, n), shards, folder);
    if (g->q->engine == ENGINE_SLURM) {
        enum status s = submit_arrays(g, folder, shards, most, why);
        if (s != OK)
            remove_stage(folder, true);
        TRY(s);
        if (g->q->again)
            return submit_rest(g, why);
    }
    return wait_and_take_in(g, folder, why);
}

enum status engine_stage(const struct engine_request *q, struct execution *x, const char *store, struct why *why)
{
    struct stage g = { .q = q, .x = x, .store = store };
    TRY(store_identity_of(x->store, x->run, &g.run, why));
    TRY(take_in_leftovers(&g, why));
    size_t n = 1;
    bool often = q->again && rests() >= RESTS_MOST * q->tries;
    for (int k = often ? q->tries : 0; n && k <= q->tries && !x->interrupted && !x->detached; k++) {
        struct cell **cell;
        double *cost;
        g.last = k + 1 >= q->tries;
        enum status s = missing(&g, &cell, &cost, &n, why);
        if (s == OK && n && k == q->tries)
            fprintf(stderr, "%zu cells have no record after %d tries: they run here\n", n, k);
        if (s == OK && k < q->tries && sum(cost, n) <= q->seconds && !k)
            n = 0;                           /* there is less work than for one shard: the workers of this process
                                                run the cells */
        if (s == OK && n && k < q->tries)
            s = try_once(&g, cell, cost, n, why);
        free(cell);
        free(cost);
        TRY(s);
    }
    return OK;
}

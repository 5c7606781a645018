/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_shards.c - the verbs shards, work and status, for cells that other machines run; also reads the option
 * --engine. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cell/registry.h"
#include "cli/cli.h"
#include "cli/judged.h"
#include "exec/method.h"
#include "judge/plan_records.h"
#include "pool/interrupt.h"
#include "shards/shards.h"
#include "shards/work.h"
#include "text/provenance.h"
#include "text/shell_word.h"

#define PLAN_FILE "plan"                 /* a file in a folder of shards: the command line that made them */

static const char *const levels[] = { "portable", "avx2", "avx512" };      /* the values of --arch */

bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* --- the verb shards */

static enum status no_shards_yet(const char *folder, struct why *why)
{
    struct path_list l = { NULL, 0 };
    if (access(folder, F_OK) == 0)
        TRY(shards_files(folder, MANIFEST_END, &l, why));
    size_t n = l.n;
    path_list_free(&l);
    return !n ? OK : why_set(why, BAD_INPUT, "%.300s: it has shards already, expected a folder without", folder);
}

/* cell[n] <- the cells of the plan that have no record in --store, through all stages that the records there make
 * possible; without --store all cells of the first stage. which: the records that count. cost[n] <- their expected
 * seconds. */
static enum status lacking(const struct options *o, enum read_which which, struct plan *p, struct cell ***cell,
                           double **cost, size_t *n, struct why *why)
{
    const struct run_request q = options_request(o);
    struct record **record = NULL;
    struct judgement *list = judge_none(p);
    enum status s = o->stored && access(o->store, F_OK) == 0
                  ? read_plan(&q, o->store, which, p, &record, list, why) : OK;
    free(list);
    TRY(s);
    double *all = plan_costs(&q, p, NULL);
    *cell = calloc((size_t)p->cells + 1, sizeof **cell);
    *cost = calloc((size_t)p->cells + 1, sizeof **cost);
    BUG_IF(!*cell || !*cost);
    *n = 0;
    for (int k = 0; k < p->cells; k++) {
        if (record && record[k])
            continue;
        (*cell)[*n] = p->cell[k];
        (*cost)[(*n)++] = all[k];
    }
    free(all);
    if (record)
        free_records(p, record);
    return OK;
}

/* Is this option of the environment without effect, because another value was typed? */
static bool is_replaced(const struct options *o, const char *word)
{
    char name[TWIN_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return options_typed(o, name) && !option_adds_up(name);
}

/* Writes the command line into the folder of the shards, with one word in each line. The verb merge continues the
 * plan by this file; all its words count as typed there, so that each option may occur once. */
static enum status keep_plan(const struct options *o, struct why *why)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/" PLAN_FILE, o->output);
    FILE *f = fopen(path, "w");
    for (int k = 0; f && o->line[k]; k++)
        if (k == 0 || k > o->from_environment || !is_replaced(o, o->line[k]))
            fprintf(f, "%s\n", k == 0 ? "assay" : o->line[k]);
    bool good = f && !ferror(f);
    if (f && fclose(f) != 0)
        good = false;
    return good ? OK : why_set(why, IO_ERROR, "%.300s: cannot be written", path);
}

/* Prints how many shards were written, and the command that runs one. That command names the methods that are
 * programs, because a manifest starts no program. */
static void print_shards(long shards, size_t cells, double seconds)
{
    printf("%ld shards, %zu cells, about %.3g s on one core\n", shards, cells, seconds);
    if (!cells || !method_spec(0))
        return;
    printf("methods that are programs: assay work SHARD");
    for (int k = 0; method_spec(k); k++) {
        printf(" --method ");
        shell_word_print(stdout, method_spec(k));
    }
    printf("\n");
}

int verb_shards(struct options *o)
{
    struct manifest head = { .kind = kind_now(), .timeout = o->timeout, .memory = o->memory, .seconds = o->shard };
    struct plan p = { .cells = 0 };
    struct why why = { "" };
    struct cell **cell = NULL;
    double *cost = NULL, sum = 0;
    size_t n = 0;
    long shards = 0;
    snprintf(head.commit, sizeof head.commit, "%s", provenance_commit);
    snprintf(head.core, sizeof head.core, "%s", registry_core_hash());
    store_identity_new(&head.run);
    const struct run_request q = options_request(o);
    for (size_t k = 0; k < q.infos; k++)
        manifest_add_info(&head, q.info[k].key, q.info[k].value);
    enum status s = options_typed(o, "output") ? no_shards_yet(o->output, &why)
                  : why_set(&why, BAD_INPUT, "shards: expected --output DIR, the folder that all machines see");
    if (s == OK)
        s = plan_make(&o->select, &p, &why);
    if (s == OK)
        s = lacking(o, READ_OWN, &p, &cell, &cost, &n, &why);
    if (s == OK && n)
        s = shards_write(o->output, &head, cell, cost, n, &shards, &why);
    if (s == OK && n)
        s = keep_plan(o, &why);
    for (size_t k = 0; k < n; k++)
        sum += cost[k];
    if (s == OK)
        print_shards(shards, n, sum);
    free(cell);
    free(cost);
    plan_free(&p);
    manifest_free(&head);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* --- after a merge: the stages that follow */

/* Returns the lines of a file in an array that ends with NULL; free() each line and the array. *n <- the number of
 * lines. */
static char **read_words(const char *path, int *n)
{
    FILE *f = fopen(path, "r");
    char **words = calloc(1, sizeof *words), *line = NULL;
    size_t room = 0;
    ssize_t length;
    BUG_IF(!words);
    for (*n = 0; f && (length = getline(&line, &room, f)) >= 0; line = NULL, room = 0) {
        line[strcspn(line, "\n")] = 0;
        words = reallocarray(words, (size_t)*n + 2, sizeof *words);
        BUG_IF(!words);
        words[(*n)++] = line;
        words[*n] = NULL;
    }
    free(line);
    if (f)
        fclose(f);
    return words;
}

/* *kind <- the kind of machine of the shards of a folder, by its first manifest. */
static enum status kind_of_shards(const char *folder, struct machine_kind *kind, struct why *why)
{
    struct path_list l;
    struct manifest m;
    TRY(shards_files(folder, MANIFEST_END, &l, why));
    enum status s = l.n ? manifest_read(l.path[0], &m, why)
                  : why_set(why, BAD_INPUT, "%.300s: no shards, expected a folder of `assay shards`", folder);
    path_list_free(&l);
    if (s != OK)
        return s;
    *kind = m.kind;
    manifest_free(&m);
    return OK;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool plugin_is_loaded(const char *file)
{
    size_t k = 0;
    while (k < plugins_count() && strcmp(last_name(plugins_at(k)->path), last_name(file)) != 0)
        k++;
    return k < plugins_count();
}

static bool method_is_loaded(const char *spec)
{
    size_t name = strcspn(spec, "=") + 1;
    int k = 0;
    while (method_spec(k) && strncmp(method_spec(k), spec, name) != 0)
        k++;
    return method_spec(k);
}

/* Refuses a plan with plug-ins or methods that this command has not loaded: a plan loads none by itself, as it is a
 * file that others may have written. */
static enum status check_loaded(const struct options *plan, const char *path, struct why *why)
{
    static const char words[] = "%.200s: the plan has --%s %.150s, expected this option here too";
    for (int k = 0; k < plan->plugins; k++)
        if (!plugin_is_loaded(plan->plugin[k]))
            return why_set(why, BAD_INPUT, words, path, "plugin", plan->plugin[k]);
    for (int k = 0; k < plan->methods; k++)
        if (!method_is_loaded(plan->method[k]))
            return why_set(why, BAD_INPUT, words, path, "method", plan->method[k]);
    return OK;
}

/* Prints how many cells are left for machines of the kind of the shards, and the command that goes on there. */
static void print_left_for(const struct machine_kind *kind, const struct options *o, const char *folder, size_t n,
                           double seconds)
{
    char text[KIND_TEXT];
    printf("the next stage has %zu cells, about %.3g s on one core, for the kind of the shards (%s), which is not "
           "that of this machine: `assay merge ", n, seconds, kind_text(kind, text));
    shell_word_print(stdout, o->store);
    putchar(' ');
    shell_word_print(stdout, folder);
    printf(o->arch >= 0 ? " --arch %s`\n" : "` on a machine of that kind\n", o->arch >= 0 ? levels[o->arch] : "");
}

/* Runs the stages of a plan that follow from the records of the store, if the next stage is at most one shard of
 * work. *code <- the exit code of a stage that ran. */
static enum status run_rest(struct options *o, const char *folder, const char *store, int jobs, int *code,
                            struct why *why)
{
    struct plan p;
    struct machine_kind kind, now = kind_now();
    char there[KIND_TEXT], here[KIND_TEXT];
    struct cell **cell;
    double *cost, sum = 0;
    size_t n;
    o->store = store;
    o->stored = true;
    o->jobs = jobs;
    o->engine = ENGINE_LOCAL;
    TRY(kind_of_shards(folder, &kind, why));
    bool alike = strcmp(kind_text(&kind, there), kind_text(&now, here)) == 0;
    TRY(plan_make(&o->select, &p, why));
    enum status s = lacking(o, alike ? READ_OWN : READ_SAME, &p, &cell, &cost, &n, why);
    for (size_t k = 0; s == OK && k < n; k++)
        sum += cost[k];
    if (s == OK) {
        free(cell);
        free(cost);
    }
    plan_free(&p);
    if (s != OK || !n)
        return s;
    if (!alike)
        print_left_for(&kind, o, folder, n, sum);
    else if (sum > o->shard)
        printf("the next stage has %zu cells, about %.3g s on one core: `assay shards` with --store %s\n", n, sum,
               store);
    else {
        struct execution x;
        const struct run_request q = options_request(o);
        TRY(plan_make(&o->select, &p, why));
        struct judgement *list = judge_none(&p);
        s = run_plan(&q, &p, &x, list, why);
        if (s == OK) {
            print_ran(&p, &x);
            *code = judged_ran_code(&p, &x);
        }
        free_records(&p, x.record);
        free(list);
        plan_free(&p);
    }
    return s;
}

int shards_go_on(const char *folder, const char *store, int jobs)
{
    char path[PATH_MAX];
    struct options o;
    struct why why = { "" };
    int n, code = EXIT_OK;
    snprintf(path, sizeof path, "%.4000s/" PLAN_FILE, folder);
    if (access(path, F_OK) != 0)
        return EXIT_OK;
    char **words = read_words(path, &n);
    enum status s = options_parse(n, words, &o, &why);
    if (s == OK)
        s = check_loaded(&o, path, &why);
    if (s == OK)
        s = run_rest(&o, folder, store, jobs, &code, &why);
    options_free(&o);
    for (int k = 0; k < n; k++)
        free(words[k]);
    free(words);
    return s == OK ? code : complain(s, &why);
}

/* --- the verb work */

/* path <- the manifest that the argument names. Where the argument is a folder, it is the manifest whose number
 * Slurm gives to this job. */
static enum status named_shard(const char *argument, char path[PATH_MAX], struct why *why)
{
    size_t n = strlen(argument), end = strlen(MANIFEST_END);
    if (is_folder(argument)) {
        const char *number = getenv("SLURM_ARRAY_TASK_ID");
        if (!number)
            return why_set(why, BAD_INPUT, "work %.200s: a folder; expected a manifest in it, or "
                           "SLURM_ARRAY_TASK_ID, its number, in the environment", argument);
        snprintf(path, PATH_MAX, "%.4000s/%05ld" MANIFEST_END, argument, strtol(number, NULL, 10));
        return OK;
    }
    if (n <= end || strcmp(argument + n - end, MANIFEST_END) != 0)
        return why_set(why, BAD_INPUT, "work %.200s: expected a file NAME" MANIFEST_END, argument);
    snprintf(path, PATH_MAX, "%s", argument);
    return OK;
}

/* name <- the name of an attempt at a shard, made of Slurm's number of the job (without Slurm: of the host),
 * process, time, and the number of the job's restarts. Process and time distinguish attempts that one job makes one
 * after the other. */
static void attempt_name(char name[128])
{
    const char *job = getenv("SLURM_JOB_ID"), *restart = getenv("SLURM_RESTART_COUNT");
    char host[65] = "";
    struct timespec t = clock_date();
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        if (*c == '.')
            *c = '-';
    snprintf(name, 128, "%.64s-%ld-%ld%09ld.%.20s", job ? job : host, (long)getpid(), (long)t.tv_sec, t.tv_nsec,
             restart ? restart : "0");
}

int verb_work(struct options *o)
{
    char path[PATH_MAX], job[128];
    struct work_done done = { .cells = 0 };
    struct why why = { "" };
    const char *scratch = getenv("TMPDIR"), *cpus = getenv("SLURM_CPUS_PER_TASK");
    enum status s = o->arguments ? named_shard(o->argument[0], path, &why)
                  : why_set(&why, BAD_INPUT, "work: expected SHARD, a manifest of `assay shards`");
    attempt_name(job);
    struct work_request w = { .shard = path, .scratch = scratch && *scratch ? scratch : "/tmp", .job = job,
                              .jobs = options_typed(o, "jobs") ? o->jobs : cpus ? atoi(cpus) : 1 };
    if (s == OK)
        s = work_shard(&w, &done, &why);
    if (s != OK)
        return complain(s, &why);
    printf("%s: %ld cells, %ld done before, %ld run, %ld failed%s\n", path, done.cells, done.before, done.ran,
           done.failed, done.interrupted ? "; interrupted" : "");
    return done.interrupted ? interrupt_code() : done.failed ? EXIT_FAILED_CELL : EXIT_OK;
}

/* --- the verb status */

static void print_left(const struct shards_state *st)
{
    double passed = (double)clock_date().tv_sec - st->began, done = st->seconds - st->left;
    if (st->left <= 0)
        return;
    printf("about %.3g s of work left", st->left);
    if (done > 0 && passed > 0)
        printf(", %.3g s at the pace so far", st->left * passed / done);
    printf("\n");
}

int shards_status(const char *folder)
{
    struct shards_state st;
    struct why why = { "" };
    enum status s = shards_look(folder, &st, &why);
    if (s == OK && !st.shards)
        s = why_set(&why, BAD_INPUT, "%.300s: no shards, expected a folder of `assay shards`", folder);
    if (s != OK)
        return complain(s, &why);
    printf("%s: %ld of %ld shards complete, %ld of %ld cells have results", folder, st.complete, st.shards,
           st.results, st.cells);
    if (st.failed_once)
        printf(", %ld failed once and are due to run again", st.failed_once);
    if (st.failed)
        printf(", %ld failed", st.failed);
    printf("; %ld attempts\n", st.attempts);
    print_left(&st);
    return st.complete == st.shards ? EXIT_OK : EXIT_INCOMPLETE;
}

int verb_status(struct options *o)
{
    struct why why = { "" };
    if (o->arguments)
        return shards_status(o->argument[0]);
    return complain(why_set(&why, BAD_INPUT, "status: expected DIR, a folder of shards"), &why);
}

/* --- the option --engine */

/* Returns the options of this command line that `assay work` takes too; ends with NULL. */
static const char *const *work_options(const struct options *o)
{
    static const char *word[2 * PLUGINS_MAX + 8];
    int n = 0;
    if (o->arch >= 0) {
        word[n++] = "--arch";
        word[n++] = levels[o->arch];
    }
    if (getenv("ASSAY_DATA")) {
        word[n++] = "--data-dir";
        word[n++] = getenv("ASSAY_DATA");
    }
    for (int k = 0; k < o->plugins; k++) {
        word[n++] = "--plugin";
        word[n++] = o->plugin[k];
    }
    word[n] = NULL;
    return word;
}

const struct engine_request *options_engine(const struct options *o)
{
    static struct engine_request q;
    static char folder[PATH_MAX];
    if (o->engine == ENGINE_LOCAL)
        return NULL;
    snprintf(folder, sizeof folder, "%.4000s.shards", o->store);
    /* The job that goes on has the environment of this command and reads the study file itself, so that its command
     * line is what was typed. */
    char **typed = o->line + o->from_environment + o->study.keys;
    q = (struct engine_request){ .engine = o->engine, .folder = folder, .seconds = o->shard, .timeout = o->timeout,
                                 .memory = o->memory, .running = o->running, .tries = o->tries,
                                 .arguments = o->slurm_args, .options = work_options(o),
                                 .commit = provenance_commit,
                                 .again = o->detach ? typed : NULL };
    return &q;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_doctor.c - the verb doctor, and what is known about this build and machine. */
#include <gsl/gsl_version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "judge/calibrate.h"
#include "cli/archive.h"
#include "cli/cli.h"
#include "data.h"
#include "cli/kinds.h"
#include "numeric/kind.h"
#include "numeric/lanes.h"
#include "text/progress.h"
#include "text/provenance.h"
#include "cell/registry.h"

static const char *cpu_model(char line[256])
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    const char *model = "unknown";
    while (f && fgets(line, 256, f)) {
        char *colon = strncmp(line, "model name", 10) ? NULL : strchr(line, ':');
        if (!colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        model = colon + 2;
        break;
    }
    if (f)
        fclose(f);
    return model;
}

/* text <- name and hash of each plug-in. Returns false where none is loaded. */
static bool plugin_words(char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t k = 0; k < plugins_count(); k++) {
        const struct plugin_file *p = plugins_at(k);
        used += (size_t)snprintf(text + used, room - used, "%s%.50s %s", k ? ", " : "",
                                 strrchr(p->path, '/') + 1, p->hash);
    }
    return used > 0;
}

/* Returns pairs of key and value about this build and machine; *n <- how many. They are valid until the next
 * call. */
static const struct store_info *provenance_now(const struct options *o, size_t *n)
{
    static char cpu[256];
    static struct utsname host;
    static char plugins[PLUGINS_MAX * 96];
    static struct store_info info[PROVENANCE_MOST];
    static char kind[KIND_TEXT];
    struct machine_kind now = kind_now();
    size_t k = 0;
    uname(&host);
    info[k++] = (struct store_info){ "commit", provenance_commit };
    info[k++] = (struct store_info){ "dirty", provenance_dirty };
    info[k++] = (struct store_info){ "compiler", provenance_compiler };
    info[k++] = (struct store_info){ "flags", provenance_flags };
    info[k++] = (struct store_info){ "core", registry_core_hash() };
    info[k++] = (struct store_info){ "gsl", gsl_version };
    info[k++] = (struct store_info){ "openblas", vec_blas_build() };
    info[k++] = (struct store_info){ "blas_core", vec_blas_core() };
    info[k++] = (struct store_info){ "simd", lanes_name() };
    info[k++] = (struct store_info){ "kind", kind_text(&now, kind) };
    info[k++] = (struct store_info){ "sqlite", store_sqlite_version() };
    info[k++] = (struct store_info){ "cpu", cpu_model(cpu) };
    info[k++] = (struct store_info){ "host", host.nodename };
    info[k++] = (struct store_info){ "system", host.release };
    info[k++] = (struct store_info){ "profile", profile_name(o->select.profile) };
    if (o->night)
        info[k++] = (struct store_info){ "night", "yes" };
    info[k++] = (struct store_info){ "command", o->command };
    if (plugin_words(plugins, sizeof plugins))
        info[k++] = (struct store_info){ "plugins", plugins };
    *n = k;
    return info;
}

struct run_request options_request(const struct options *o)
{
    struct run_request q = { .select = &o->select, .store = o->store, .jobs = o->jobs, .timeout = o->timeout,
                             .memory = o->memory, .retry = o->retry, .fresh = o->fresh, .night = o->night };
    q.info = provenance_now(o, &q.infos);
    q.engine = options_engine(o);
    return q;
}

/* --- the verb doctor */

static bool on_path(const char *program)
{
    char path[4096], file[4352], *rest = path, *folder;
    snprintf(path, sizeof path, "%s", getenv("PATH") ? getenv("PATH") : "");
    while ((folder = strsep(&rest, ":"))) {
        snprintf(file, sizeof file, "%s/%s", folder, program);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

static bool line(bool good, const char *what, const char *detail)
{
    printf("%-4s %-14s %s\n", good ? "ok" : "MISS", what, detail);
    return good;
}

static void list_plugins(void)
{
    char text[256];
    for (size_t k = 0; k < plugins_count(); k++) {
        const struct plugin_file *p = plugins_at(k);
        snprintf(text, sizeof text, "%.120s: %d algorithms, %d estimators, %d problems, %d papers, %s",
                 p->path, p->algos, p->estimators, p->problems, p->papers, p->hash);
        line(true, "plugin", text);
    }
}

static void keep_run(void *ctx, const struct store_run *run)
{
    *(struct store_run *)ctx = *run;
}

/* Can the file be written, or created with its missing folders? The nearest folder that exists decides. */
static bool can_write(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    if (access(path, F_OK) == 0 && access(path, W_OK))
        return false;
    for (char *slash; (slash = strrchr(folder, '/')) && slash > folder;) {
        *slash = 0;
        if (access(folder, F_OK) == 0)
            return access(folder, W_OK | X_OK) == 0;
    }
    return access(*path == '/' ? "/" : ".", W_OK | X_OK) == 0;
}

static bool check_store(const struct options *o, bool *damaged)
{
    struct store *store;
    struct store_run last = { .id = 0 };
    struct why why = { "" };
    char text[600], kinds[KINDS_WORDS];
    size_t several;
    long cells = 0;
    if (!can_write(o->store)) {
        snprintf(text, sizeof text, "%.300s cannot be written; see --store", o->store);
        return line(false, "store", text);
    }
    if (access(o->store, F_OK))
        return line(true, "store", "none yet; `assay verify` makes one");
    enum status s = store_open(o->store, STORE_READ, 1, &store, &why);
    if (s == OK) {
        s = store_verify(store, &cells, &why);
        if (s == OK)
            s = store_runs(store, keep_run, &last, &why);
        store_close(store);
    }
    if (s == OK)
        s = kinds_of(o->store, kinds, &several, &why);
    *damaged = s == DAMAGED;
    snprintf(text, sizeof text, "%.300s, %ld cells%s", o->store, cells,
             last.id && !*last.ended ? "; the last run did not end, the next one resumes" : "");
    return line(s == OK, "store", s == OK ? text : why.text) && line(true, "kinds", kinds);
}

/* doctor --statistics: computes the error rates of the harness (calibrate.h) and prints them row by row, so that
 * the user can stop it early. */
static int doctor_statistics(const struct options *o)
{
    struct progress p;
    double seconds = 0;
    int rows = calibrate_rows();
    for (int k = 0; k < rows; k++)
        seconds += calibrate_cost(k);
    /* There is no progress bar on a terminal that shows the rows. */
    progress_begin(&p, progress_wanted(STDERR_FILENO) && !isatty(STDOUT_FILENO), rows, seconds, 1);
    calibrate_print_heading(stdout, o->aligned);
    for (int k = 0; k < rows; k++) {
        progress_draw(&p);
        struct calibration row = calibrate_row(k, 0, CALIBRATE_SEED);
        calibrate_print(stdout, &row, o->aligned);
        if (fflush(stdout))
            break;
        progress_step(&p, calibrate_cost(k), false);
    }
    progress_end(&p);
    return EXIT_OK;
}

/* Checks a file that `assay archive` has written: compares every part with its SHA-256, and checks the store. */
static int doctor_archive(const struct options *o)
{
    char folder[ARCHIVE_PATH], store[ARCHIVE_PATH + 16];
    struct options inside = *o;
    struct why why = { "" };
    bool damaged = false;
    enum status s = archive_unpack(o->argument[0], folder, &why);
    if (s == IO_ERROR)
        return complain(s, &why);
    if (!line(s == OK, "parts", s == OK ? "all as in SHA256SUMS" : why.text))
        return EXIT_DAMAGED;
    snprintf(store, sizeof store, "%s/store.db", folder);
    inside.store = store;
    bool good = check_store(&inside, &damaged);
    archive_remove(folder);
    return damaged ? EXIT_DAMAGED : good ? EXIT_OK : EXIT_INCOMPLETE;
}

int verb_doctor(struct options *o)
{
    struct why why = { "" };
    const char *unread = options_typed(o, o->arguments ? "store output statistics format"
                                          : o->statistics ? "store output" : "format");
    if (unread)
        return complain(why_set(&why, BAD_INPUT, "--%s: of `doctor` %s only", unread, o->arguments
                                ? "without a file" : o->statistics ? "without --statistics" : "with --statistics"),
                        &why);
    if (o->statistics && options_typed(o, "format") && o->format == RECORD_JSON)
        return complain(why_set(&why, BAD_INPUT, "--format: of `doctor --statistics`, expected text or csv"), &why);
    if (o->statistics)
        return doctor_statistics(o);
    if (o->arguments)
        return doctor_archive(o);
    const struct table *table;
    char text[1100], memory[64];
    size_t n;
    const struct store_info *info = provenance_now(o, &n);
    bool good = true, damaged = false;

    for (size_t k = 0; k < n; k++)
        if (strcmp(info[k].key, "command") && strcmp(info[k].key, "plugins"))
            line(true, info[k].key, info[k].value);
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    line(true, "cores", text);
    snprintf(memory, sizeof memory, "%.1f GiB",
             (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 0x1p30);
    line(true, "memory", memory);
    good &= line(on_path("gnuplot"), "gnuplot",
                 on_path("gnuplot") ? "figures" : "no figures: apt-get install gnuplot-nox");
    enum status s = data_table("heart_scale", &table, &why);
    snprintf(text, sizeof text, "%s", s == OK ? table->path : why.text);
    good &= line(s == OK, "heart_scale", text);
    list_plugins();
    good &= check_store(o, &damaged);
    if (!can_write(o->output))
        good = line(false, "report", "its folder cannot be written; see --output");
    return damaged ? EXIT_DAMAGED : good ? EXIT_OK : EXIT_INCOMPLETE;
}

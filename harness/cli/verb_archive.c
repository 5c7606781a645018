/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_archive.c - the verb archive, which packs a store and its report into one file for the artefact of a paper;
 * also unpacks such a file and checks it. */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cell/registry.h"
#include "cli/archive.h"
#include "cli/judged.h"
#include "nights/baseline.h"
#include "plan/names.h"
#include "text/folder.h"

extern char **environ;

/* A shell script that packs the folder $1 into the file $2. Equal parts give a file of equal bytes. A file is
 * written whole or not at all; what is no file, such as a pipe, is written to. */
static const char PACK[] =
    "set -e; end=$2 to=$2; if [ -f \"$2\" ] || [ ! -e \"$2\" ]; then end=$(readlink -f -- \"$2\"); "
    "to=$(mktemp -- \"$end.XXXXXX\"); trap 'rm -f -- \"$to\"' EXIT; chmod =rw -- \"$to\"; fi; "
    "exec 3> \"$to\"; (cd \"$1\"; find . -type f ! -name SHA256SUMS -print0 "
    "| LC_ALL=C sort -z | xargs -0 sha256sum > SHA256SUMS; tar --sort=name --owner=0 --group=0 "
    "--numeric-owner --mtime=@0 -cf - . >&3); [ \"$to\" = \"$end\" ] || mv -f -- \"$to\" \"$end\"";
/* A shell script that unpacks the file $2 into the folder $1 and compares every part with its checksum. It fails if
 * a part has no checksum. */
static const char UNPACK[] =
    "set -e; exec 2> /dev/null; tar --force-local -xf \"$2\" -C \"$1\"; cd \"$1\"; "
    "sha256sum --quiet --strict -c SHA256SUMS > /dev/null; "
    "[ \"$(find . -type f ! -name SHA256SUMS | wc -l)\" -eq \"$(wc -l < SHA256SUMS)\" ]";

/* Runs a shell script with two arguments. Returns true if it exits with 0. */
static bool script(const char *text, const char *first, const char *second)
{
    char *const argv[] = { "sh", "-c", (char *)text, "sh", (char *)first, (char *)second, NULL };
    pid_t pid;
    int status = 1;
    if (posix_spawnp(&pid, "sh", NULL, NULL, argv, environ))
        return false;
    while (waitpid(pid, &status, 0) < 0)
        ;
    return status == 0;
}

/* Makes a new folder for the parts of an archive; path <- its path. */
static enum status stage(char path[ARCHIVE_PATH], struct why *why)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, ARCHIVE_PATH, "%.200s/assay-archive-XXXXXX",
             folder && *folder ? folder : "/tmp");
    return mkdtemp(path) ? OK : file_trouble(path, why);
}

void archive_remove(const char *folder) { script("rm -rf \"$1\"", folder, ""); }

enum status archive_unpack(const char *file, char folder[ARCHIVE_PATH], struct why *why)
{
    if (access(file, R_OK))
        return file_trouble(file, why);
    TRY(stage(folder, why));
    if (script(UNPACK, folder, file))
        return OK;
    archive_remove(folder);
    return why_set(
        why, BAD_INPUT,
        "%.300s: expected a file of `assay archive`; a part is missing, is not that of its "
        "SHA-256, or has none",
        file);
}

static void put_readme(FILE *out, const void *ctx)
{
    fprintf(
        out,
        "A store of assay and the report of it. `sha256sum -c SHA256SUMS` checks the parts, as "
        "does\n"
        "`assay doctor FILE`. report/index.html opens in a browser. With assay, core hash %s:\n\n"
        "    assay report --store store.db --baseline verdicts.csv --output again     # judge and "
        "draw again\n"
        "    assay export --store store.db --format csv                               # every "
        "record\n"
        "    assay rerun 'CELL' --store store.db                                      # one run, "
        "compared bit by bit\n",
        registry_core_hash());
}

/* Writes the parts into the folder: the store as one file, the baseline, the report that is made from these, and a
 * file that explains their use. */
static enum status fill(const struct options *o, const char *folder, struct why *why)
{
    char store[ARCHIVE_PATH + 16], verdicts[ARCHIVE_PATH + 16], report[ARCHIVE_PATH + 16],
        readme[ARCHIVE_PATH + 16];
    snprintf(store, sizeof store, "%s/store.db", folder);
    snprintf(verdicts, sizeof verdicts, "%s/verdicts.csv", folder);
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(readme, sizeof readme, "%s/README", folder);
    struct store_merged merged;
    struct store_merge of = { .input = &o->store,
                              .inputs = 1,
                              .merged = &merged,
                              .core = registry_core_hash(),
                              .force = true };
    struct standings base;
    TRY(store_merge(store, &of, 10, why));
    enum status s = baseline_read(o->baseline, &base, why);
    if (s == OK)
        s = baseline_write(verdicts, &base, why);
    standings_free(&base);
    TRY(s);
    struct options drawn = *o;
    drawn.store = store;
    drawn.output = report;
    drawn.unplaced = false;
    int code = verb_report(&drawn);
    if (code == EXIT_USAGE || code == EXIT_DAMAGED)
        return why_set(why, code == EXIT_DAMAGED ? DAMAGED : IO_ERROR, "no archive: the report was not written");
    return file_write(readme, put_readme, NULL, why);
}

static void keep_date(void *ctx, const char *key, const char *value)
{
    if (strcmp(key, "started") == 0)
        snprintf(ctx, 11, "%.10s", value);
}

/* path <- the file that the command line names, or else results/archive/PROFILE-DATE.tar with the profile of the
 * report and the date of the newest run. Makes the folder of the file. BAD_INPUT: the path is too long. */
static enum status place(struct options *o, char path[PATH_MAX], struct why *why)
{
    char date[11] = "no-run";
    if (o->arguments) {
        if (snprintf(path, PATH_MAX, "%s", o->argument[0]) >= PATH_MAX)
            return why_set(why, BAD_INPUT, "archive: %.80s...: expected a path of fewer than %d bytes",
                           o->argument[0], PATH_MAX);
    } else {
        TRY(judged_profile(o, o->store, why));
        TRY(judged_run_info(o->store, keep_date, date, why));
        snprintf(path, PATH_MAX, "results/archive/%s-%s.tar", profile_name(o->select.profile), date);
    }
    return folder_above(path, why);
}

int verb_archive(struct options *o)
{
    char folder[ARCHIVE_PATH], path[PATH_MAX];
    struct why why = { "" };
    if (access(o->store, R_OK))
        return complain(file_trouble(o->store, &why), &why);
    enum status s = place(o, path, &why);
    if (s == OK)
        s = stage(folder, &why);
    if (s != OK)
        return complain(s, &why);
    s = fill(o, folder, &why);
    if (s == OK && !script(PACK, folder, path))
        s = why_set(&why, IO_ERROR, "%.300s: cannot be written by tar and sha256sum", path);
    archive_remove(folder);
    if (s == OK)
        fprintf(stderr, "archive: %s\n", path);
    return s == OK ? EXIT_OK : complain(s, &why);
}

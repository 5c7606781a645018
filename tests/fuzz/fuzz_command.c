/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_command.c - bytes as a whole command, one argument a line, in a folder with a small store. Every verb checks
 * its options; a verb that only reads also runs. A refused command exits with 2 and says why in one line. */
#include <ctype.h>
#include <fcntl.h>
#include <math.h>

#include "fuzz/fuzz_files.h"

/* The table of verbs and the checks of the command line are in the file of main(). */
int assay_main(int argc, char **argv);
#define main assay_main
#include "cli/main.c"                  /* NOLINT */
#undef main

enum { MOST = 40 };

static int folder = -1;                  /* the folder with the store, open */

/* Does the verb only read, given its options? Writers of folders and files are left out, as are the larger profiles
 * and other seeds, whose problems are solved for minutes. */
static bool only_reads(const struct verb *v, const struct options *o)
{
    static const char *const readers[] = { "list", "plan", "explain", "compare", "export", "account", "status",
                                           "help" };
    bool reads = false;
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
        reads |= strcmp(v->name, readers[k]) == 0;
    bool writes = v->run == verb_export && (o->arguments || o->foreign == FOREIGN_COCO);
    bool slow = o->select.profile != PROFILE_QUICK || !isnan(o->select.seed);
    return reads && !writes && !slow;
}

/* Returns the exit code of a command. A verb that writes is run only if `anything`; otherwise its options alone are
 * checked. A command that names no method, claim or theorem is given a method, since to plan the claims of all
 * methods takes a second. */
static int command(int argc, char **argv, bool anything)
{
    struct options o;
    struct why why = { "" };
    enum status s = options_parse(argc, argv, &o, &why);
    const struct verb *v = s == OK ? find_verb(o.verb && !o.help && !o.version ? o.verb : "help") : NULL;
    if (s == OK && !v)
        s = unknown_verb(o.verb, &why);
    if (s == OK)
        s = check_arguments(v, &o, &why);
    if (s == OK)
        s = check_options(v, &o, &why);
    if (s == OK && o.study.keys)
        s = check_study(v, &o, &why);
    if (s == OK)
        s = names_check(&o.select, &why);
    if (!o.select.algorithm && !o.select.claim && !o.select.theorem)
        o.select.algorithm = "gd";
    int code = s != OK ? complain(s, &why) : anything || only_reads(v, &o) ? v->run(&o) : EXIT_OK;
    options_free(&o);
    return code;
}

static void make_folder(void)
{
    char *argv[] = { "assay", "run", "--claim", "baselines/gd.count*", "--store", "s.db", "--cache=", "-j0", NULL };
    folder = open(fuzz_folder(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    BUG_IF(folder < 0);
    private_claims_register();
    reference_cache("optima");
    BUG_IF(fchdir(folder) || command(8, argv, true) != EXIT_OK);
}

/* Runs a command. *said <- what it prints on stderr; free() it. What it prints on stdout is dropped. */
static int listen(int argc, char **argv, char **said)
{
    size_t size;
    FILE *out = stdout, *err = stderr, *null = fopen("/dev/null", "w"), *kept = open_memstream(said, &size);
    BUG_IF(!null || !kept);
    stdout = null;
    stderr = kept;
    int code = command(argc, argv, false);
    stdout = out;
    stderr = err;
    fclose(null);
    fclose(kept);
    return code;
}

/* Can the text name a file outside of the folder? This takes a slash that follows neither a letter nor a digit; in
 * the name of a claim it follows one. */
static bool reaches_out(const char *text)
{
    for (const char *at = text; (at = strchr(at, '/')); at++)
        if (at == text || !isalnum((unsigned char)at[-1]))
            return true;
    return false;
}

FUZZ(command)
{
    char *text = fuzz_text(data, size), *rest = text, *argv[MOST + 2] = { "assay" }, *said = NULL;
    int argc = 1, home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    BUG_IF(home < 0);
    if (folder < 0)
        make_folder();
    bool inside = !reaches_out(text);
    for (char *word; argc <= MOST && (word = strsep(&rest, "\n"));)
        argv[argc++] = word;
    if (inside) {
        BUG_IF(fchdir(folder));
        int code = listen(argc, argv, &said);
        BUG_IF(code < EXIT_OK || code > EXIT_FAILED_CELL);
        BUG_IF(code == EXIT_USAGE && strncmp(said, "assay: ", 7));
        BUG_IF(code == EXIT_USAGE && strchr(said, '\n') != said + strlen(said) - 1);
        free(said);
    }
    BUG_IF(fchdir(home));
    close(home);
    free(text);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_merge.c - the verb merge, which makes one store of several. Also returns the kinds of machine of a store in
 * words. */
#include "cli/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "cli/cli.h"
#include "pool/interrupt.h"
#include "shards/shards.h"

enum status kinds_of(const char *path, char words[KINDS_WORDS], size_t *n, struct why *why)
{
    struct store *store;
    struct store_kind *kind;
    size_t used = 0;
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = store_kinds(store, &kind, n, why);
    store_close(store);
    if (s != OK)
        return s;
    if (*n > 1)
        used = (size_t)snprintf(words, KINDS_WORDS, "%zu kinds, whose runs may differ in the last bits: ", *n);
    else
        strcpy(words, *n ? kind[0].text : "none yet");
    for (size_t k = 0; *n > 1 && k < *n && used < KINDS_WORDS - 1; k++)
        used += (size_t)snprintf(words + used, KINDS_WORDS - used, "%s%ld records of %s", k ? "; " : "",
                                 kind[k].records, kind[k].text);
    free(kind);
    return OK;
}

/* --- the verb merge */

/* *l <- the inputs. A folder stands for the attempts at its shards. A cell that failed once counts as failed only
 * when it has failed again, so a folder with such cells is refused without --force. */
static enum status find_inputs(const struct options *o, struct path_list *l, struct why *why)
{
    for (int k = 1; k < o->arguments; k++) {
        struct path_list of = { NULL, 0 };
        struct shards_state st = { .failed_once = 0 };
        bool folder = is_folder(o->argument[k]);
        if (folder)
            TRY(shards_look(o->argument[k], &st, why));
        if (folder && !st.shards)
            return why_set(why, BAD_INPUT, "%.300s: a folder without shards, expected a store or a folder of "
                           "`assay shards`", o->argument[k]);
        if (st.failed_once && !o->force)
            return why_set(why, BAD_INPUT, "%.200s: %ld cells failed once; expected a second try of each: `assay "
                           "work` on their shards, or --force", o->argument[k], st.failed_once);
        if (folder)
            TRY(shards_files(o->argument[k], ".db", &of, why));
        for (size_t i = 0; i < (folder ? of.n : 1); i++)
            path_list_add(l, folder ? of.path[i] : o->argument[k]);
        path_list_free(&of);
    }
    return o->arguments > 1 ? OK : why_set(why, BAD_INPUT, "merge: expected STORE INPUT..., the store that is "
                                           "written and the stores, or folders of shards, that are read");
}

static void print_merged(const struct path_list *l, const struct store_merged *merged)
{
    for (size_t k = 0; k < l->n; k++)
        if (merged[k].before)
            printf("%s: merged before\n", l->path[k]);
        else
            printf("%s: %ld records, %ld of them new\n", l->path[k], merged[k].records, merged[k].added);
}

/* Prints the state of the folders among the inputs, and runs the stages that follow from those that are complete.
 * Returns the exit code. */
static int finish_folders(const struct options *o)
{
    int code = EXIT_OK;
    for (int k = 1; k < o->arguments; k++) {
        if (!is_folder(o->argument[k]))
            continue;
        int of = shards_status(o->argument[k]);
        if (of == EXIT_OK)
            of = shards_go_on(o->argument[k], o->argument[0], o->jobs);
        if (interrupt_code())
            return interrupt_code();
        code = first_code(code, of);
    }
    return code;
}

int verb_merge(struct options *o)
{
    struct why why = { "" };
    char words[KINDS_WORDS];
    size_t kinds;
    struct path_list l = { NULL, 0 };
    enum status s = find_inputs(o, &l, &why);
    if (s == OK)
        s = store_path(o->argument[0], &why);
    if (s == OK && !l.n)                 /* no shard of the folders has left a record yet */
        return finish_folders(o);
    struct store_merged *merged = calloc(l.n + 1, sizeof *merged);
    BUG_IF(!merged);
    const struct store_merge m = { .input = (const char *const *)l.path, .inputs = l.n, .merged = merged,
                                   .core = registry_core_hash(), .force = o->force };
    if (s == OK)
        s = store_merge(o->argument[0], &m, 10, &why);
    if (s == OK)
        print_merged(&l, merged);
    if (s == OK)
        s = kinds_of(o->argument[0], words, &kinds, &why);
    if (s == OK)
        printf("%s: %s\n", o->argument[0], words);
    free(merged);
    path_list_free(&l);
    return s == OK ? finish_folders(o) : complain(s, &why);
}

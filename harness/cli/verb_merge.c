/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_merge.c - merge: several stores become one; and the kinds of machine of a store, in words. */
#include "cli/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "cli/cli.h"

enum status kinds_words(struct store *s, char words[KINDS_WORDS], size_t *n, struct why *why)
{
    struct store_kind *kind;
    size_t used = 0;
    TRY(store_kinds(s, &kind, n, why));
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

enum status kinds_of(const char *path, char words[KINDS_WORDS], size_t *n, struct why *why)
{
    struct store *store;
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = kinds_words(store, words, n, why);
    store_close(store);
    return s;
}

int verb_merge(struct options *o)
{
    struct why why = { "" };
    char words[KINDS_WORDS];
    size_t n = o->arguments > 0 ? (size_t)o->arguments - 1 : 0, kinds;
    if (!n)
        return complain(why_set(&why, BAD_INPUT, "merge: expected STORE INPUT..., the store that is written and "
                                "the stores that are read"), &why);
    struct store_merged *merged = calloc(n, sizeof *merged);
    BUG_IF(!merged);
    const struct store_merge m = { .input = o->argument + 1, .inputs = n, .merged = merged,
                                   .core = registry_core_hash(), .force = o->force };
    enum status s = store_path(o->argument[0], &why);
    if (s == OK)
        s = store_merge(o->argument[0], &m, 10, &why);
    for (size_t k = 0; k < n && s == OK; k++)
        if (merged[k].before)
            printf("%s: merged before\n", m.input[k]);
        else
            printf("%s: %ld records, %ld of them new\n", m.input[k], merged[k].records, merged[k].added);
    if (s == OK)
        s = kinds_of(o->argument[0], words, &kinds, &why);
    if (s == OK)
        printf("%s: %s\n", o->argument[0], words);
    free(merged);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_export.c - export: records for other programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/export_coco.h"
#include "cli/export_extrap.h"
#include "cli/judged.h"
#include "plan/names.h"

static int of_store(const struct options *o)
{
    struct store *store;
    struct why why = { "" };
    int runs = 0;
    bool coco = o->foreign == FOREIGN_COCO;
    long run = o->run ? o->run : STORE_LATEST;
    enum status s = store_open(o->store, STORE_READ, 10, &store, &why);
    if (s != OK)
        return complain(s, &why);
    s = coco ? export_coco(store, run, o->output, &runs, &why)
             : store_export(store, run, stdout, o->format, o->canonical, &why);
    store_close(store);
    if (s == OK && coco)
        fprintf(stderr, "%s: %d runs\n", o->output, runs);
    return s == OK ? EXIT_OK : complain(s, &why);
}

static int of_claims(struct options *o)
{
    struct judged j;
    struct why why = { "" };
    long lines;
    enum status s = names_check(&o->select, &why);
    if (s == OK)
        s = judged_from(o, o->store, true, &j, &why);
    if (s != OK)
        return complain(s, &why);
    s = export_extrap(stdout, &j.plan, j.record, &lines, &why);
    judged_free(&j);
    return s == OK ? EXIT_OK : complain(s, &why);
}

/* The first typed option that has no effect: all records are exported, and only claims can be selected. NULL: there is
 * none. */
static const char *useless(const struct options *o)
{
    static const char *const store[] = { "format", "canonical", "store", "run", "output", "plugin", "help" };
    for (const char *const *name = o->typed; *name; name++) {
        size_t k = 0;
        while (k < sizeof store / sizeof *store && strcmp(store[k], *name))
            k++;
        if (k == sizeof store / sizeof *store || (strcmp(*name, "output") == 0 && o->foreign != FOREIGN_COCO))
            return *name;
    }
    return NULL;
}

int verb_export(struct options *o)
{
    struct why why = { "" };
    const char *name = o->foreign == FOREIGN_EXTRAP ? NULL : useless(o);
    if (name)
        return complain(why_set(&why, BAD_INPUT, "--%s: of `export` for --format %s only", name,
                                strcmp(name, "output") ? "extrap" : "coco"), &why);
    if (o->foreign != FOREIGN_EXTRAP)
        return of_store(o);
    if (o->run)
        return complain(why_set(&why, BAD_INPUT, "export: --run: Extra-P's lines are of claims, not of a run"), &why);
    return of_claims(o);
}

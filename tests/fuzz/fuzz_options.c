/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_options.c - bytes as a command line, one argument a line: options, ranges, numbers, names. */
#include <math.h>

#include "cli/cli.h"
#include "fuzz/fuzz.h"
#include "plan/names.h"

static void hold(const struct options *o)
{
    for (int k = 0; k < o->select.ranges; k++) {
        const struct range *r = &o->select.range[k];
        BUG_IF(r->values < 1 || r->values > RANGE_VALUES || (r->ends && r->values != 2));
        for (int i = 0; i < r->values; i++) {
            bool whole_space = isinf(r->value[i]) && r->values == 1 && strcmp(r->name, "radius") == 0;
            BUG_IF(!(isfinite(r->value[i]) || whole_space) || r->value[i] < 0);
            BUG_IF(i && r->value[i] <= r->value[i - 1]);
        }
    }
    BUG_IF(o->jobs < 0 || !(o->timeout > 0) || !(o->memory >= 1));
}

FUZZ(options)
{
    enum { MOST = 40 };
    char *text = fuzz_text(data, size), *rest = text, *argv[MOST + 2] = { "assay" };
    int argc = 1;
    struct options o;
    struct why why = { "" };
    for (char *word; argc <= MOST && (word = strsep(&rest, "\n"));)
        argv[argc++] = word;
    enum status s = options_parse(argc, argv, &o, &why);
    BUG_IF((s == OK) != !why.text[0] || strchr(why.text, '\n'));
    if (s == OK) {
        hold(&o);
        s = names_check(&o.select, &why);
        BUG_IF((s == OK) != !why.text[0]);
    }
    options_free(&o);
    free(text);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_test.c - the verb test, which judges a promise of the command line by the rules for claims of papers. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/judged.h"
#include "cli/typed.h"

int verb_test(struct options *o)
{
    static struct typed t;
    struct why why = { "" };
    static struct typed_claims *all;     /* is never freed: the registry keeps its paper */
    all = calloc(1, sizeof *all);
    BUG_IF(!all);
    enum status s = typed_read(o, &t, &why);
    if (s == OK)
        s = typed_claims(&t, all, &why);
    if (s == OK)
        s = typed_register(&all->paper, &why);
    struct selection asked = o->select;
    if (s == OK)
        o->select = typed_selection(&t);
    int code = s == OK ? judged_verify(o) : complain(s, &why);
    o->select = asked;
    typed_end(&t, code);
    return code;
}

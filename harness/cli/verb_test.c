/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_test.c - test: a promise of the command line, judged as the claims of papers are. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/judged.h"
#include "cli/typed.h"

int verb_test(struct options *o)
{
    struct typed t;
    struct why why = { "" };
    struct typed_claims *all = calloc(1, sizeof *all);     /* its paper stays in the registry */
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

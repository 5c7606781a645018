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
    struct typed_claim *c = calloc(1, sizeof *c);      /* its paper stays in the registry */
    BUG_IF(!c);
    enum status s = typed_read(o, &t, &why);
    if (s == OK)
        s = typed_claim(&t, c, &why);
    if (s == OK)
        s = typed_register(c, &why);
    typed_end(&t);
    if (s != OK)
        return complain(s, &why);
    if (c->claim->remark)
        fprintf(stderr, "%s\n", c->claim->remark);
    struct selection asked = o->select;
    o->select = typed_selection(&t);
    int code = judged_verify(o);
    o->select = asked;
    return code;
}

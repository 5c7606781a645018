/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_promise.c - a promise as users type it: an accepted promise has a band that contains its exponent, or a
 * formula; a refused one has a reason. */
#include "fuzz/fuzz.h"
#include "plan/promise.h"

FUZZ(promise)
{
    static const struct promise_names names = { "n", NULL };
    char *text = fuzz_text(data, size);
    struct promise p;
    struct why why = { "" };
    if (promise_parse("--promise", text, &names, &p, &why) != OK)
        BUG_IF(!*why.text);
    else if (p.check == CHECK_RATE)
        BUG_IF(!(p.band[0] <= p.law.exponent[0] && p.law.exponent[0] <= p.band[1]));
    else
        BUG_IF(p.formula.nodes < 1);
    free(text);
    return 0;
}

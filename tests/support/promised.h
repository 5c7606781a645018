/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promised.h - the formula of a claim at constants that a test chooses, without any run. */
#ifndef ASSAY_TESTS_PROMISED_H
#define ASSAY_TESTS_PROMISED_H

#include "judge/theorems.h"
#include "support/instances.h"

enum { PROMISED_PARAMS = 1024 };

/* Returns the formula of a claim or, if `threshold`, its threshold, at these facts and this goal, where T is that
 * parameter of its method, rounded if it is a count. */
static inline double promised(const char *id, bool threshold, const struct facts *f, const struct goal *goal,
                              double T)
{
    _Alignas(16) unsigned char params[PROMISED_PARAMS];
    const struct claim *c = claim_by_id(id);
    assert_non_null(c);
    const struct algo *a = registry_algo(c->algo);
    assert_true(a && a->params_size <= sizeof params);
    params_default(a->params, params);
    assert_int_equal(params_set(params_find(a->params, "T"), params, T, a->name, NULL), OK);
    const struct env e = { .facts = f, .goal = goal, .table = a->params, .params = params };
    return threshold ? c->threshold(&e) : c->formula(&e);
}

#endif

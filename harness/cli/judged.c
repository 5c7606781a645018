/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.c - reads the records of a plan from a store and judges its claims. */
#include "cli/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "judge/plan_records.h"

void judged_free(struct judged *j)
{
    free_records(&j->plan, j->record);
    free(j->judgement);
    plan_free(&j->plan);
}

/* Stores the time of the yardstick in *ctx, a double, if the key is RUN_REFERENCE. */
static void keep_reference(void *ctx, const char *key, const char *value)
{
    if (strcmp(key, RUN_REFERENCE) == 0)
        number_parse(value, ctx);
}

enum status judged_run_info(const char *path, void (*each)(void *ctx, const char *key, const char *value),
                            void *ctx, struct why *why)
{
    struct store *store;
    long run = 0;
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = store_last_run(store, &run, why);
    if (s == OK && run)
        s = store_run_info(store, run, each, ctx, why);
    store_close(store);
    return s;
}

static void keep_profile(void *ctx, const char *key, const char *value)
{
    struct options *o = ctx;
    for (int k = 0; k < PROFILES; k++)
        if (strcmp(key, "profile") == 0 && strcmp(value, profile_name((enum profile)k)) == 0) {
            o->select.profile = (enum profile)k;
            o->profiled = true;
        }
}

enum status judged_profile(struct options *o, const char *path, struct why *why)
{
    return o->profiled ? OK : judged_run_info(path, keep_profile, o, why);
}

enum status judged_from(const struct options *o, const char *path, bool any, struct judged *j,
                        struct why *why)
{
    memset(j, 0, sizeof *j);
    j->reference = NAN;
    TRY(plan_make(&o->select, &j->plan, why));
    j->judgement = judge_none(&j->plan);
    const struct run_request q = options_request(o);
    enum status s = read_plan(&q, path, any ? READ_LATEST : READ_SAME, &j->plan, &j->record, j->judgement, why);
    if (s == OK)
        s = judged_run_info(path, keep_reference, &j->reference, why);
    if (s == OK)
        judge_plan(&j->plan, j->record, j->judgement);
    else
        judged_free(j);
    return s;
}

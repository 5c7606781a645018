/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool_kinds.c - the pool of worker processes: jobs of one kind stay with one worker, unless another worker
 * is idle. */
#include "support/pool_scene.h"
#include "pool/pool_internal.h"

/* --- the queue: which job it gives to which worker */

/* Lets a worker take its next job, which must be that at `position` of the list; negative: there must be none. */
static void expect_turn(struct pool_queue *q, int worker, long position)
{
    struct pool_turn *turn = pool_queue_turn(q, worker);
    if (position < 0) {
        assert_null(turn);
        return;
    }
    assert_non_null(turn);
    assert_int_equal(turn->next, position);
    turn->next++;
}

/* Six jobs have the kinds 7 7 7 8 9 9; two more jobs have no kind, which is 0. */
static void the_queue_by_hand(void **state)
{
    static const uint64_t kind[8] = { 7, 7, 7, 8, 9, 9, 0, 0 };
    struct pool_job job[8] = { 0 };
    struct pool_queue q;
    for (int k = 0; k < 8; k++)
        job[k].kind = kind[k];
    assert_true(pool_queue_open(&q, job, 8, 2));
    expect_turn(&q, 0, 0);
    expect_turn(&q, 1, 3);
    expect_turn(&q, 1, 4);
    expect_turn(&q, 0, 1);
    expect_turn(&q, 1, 5);
    expect_turn(&q, 1, 6);
    expect_turn(&q, 1, 7);           /* a job without a kind is a kind by itself */
    expect_turn(&q, 1, 2);           /* no kind is left to start, so that this idle worker takes a job of the other
                                        worker */
    expect_turn(&q, 1, -1);
    expect_turn(&q, 0, -1);
    pool_queue_free(&q);
}

/* An idle worker takes the first waiting job of the worker that has most of them; of two such workers the first is
 * helped. When no job waits, no worker gets one. */
static void the_worker_with_most_waiting_is_helped(void **state)
{
    static const uint64_t kind[7] = { 5, 5, 6, 6, 6, 6, 4 };
    struct pool_job job[7] = { 0 };
    struct pool_queue q;
    for (int k = 0; k < 7; k++)
        job[k].kind = kind[k];
    assert_true(pool_queue_open(&q, job, 7, 3));
    expect_turn(&q, 0, 0);
    expect_turn(&q, 1, 2);
    expect_turn(&q, 2, 6);
    expect_turn(&q, 2, 3);
    expect_turn(&q, 2, 4);
    expect_turn(&q, 2, 1);
    expect_turn(&q, 1, 5);
    for (int k = 0; k < 3; k++)
        expect_turn(&q, k, -1);
    pool_queue_free(&q);
}

/* A turn is the range of jobs from which a worker would take its next one. Asking for a turn without taking a job
 * changes nothing: the job is still there, for this worker and for others. */
static void a_turn_not_taken_stays(void **state)
{
    struct pool_job job[2] = { { .kind = 3 }, { .kind = 3 } };
    struct pool_queue q;
    assert_true(pool_queue_open(&q, job, 2, 2));
    assert_int_equal(pool_queue_turn(&q, 0)->next, 0);
    assert_int_equal(pool_queue_turn(&q, 0)->next, 0);
    expect_turn(&q, 1, 0);
    expect_turn(&q, 0, 1);
    expect_turn(&q, 1, -1);
    pool_queue_free(&q);
}

/* --- worker processes: which of them runs which job */

enum { KINDS = 40, EACH = 5, ALL = KINDS * EACH };

struct served { pid_t by[ALL]; long nap_us; };

static void say_who(void *ctx, size_t index, struct pool_reply *reply)
{
    const struct served *s = ctx;
    pid_t self = getpid();
    if (s->nap_us)
        usleep((useconds_t)s->nap_us);
    pool_append(reply, &self, sizeof self);
}

static void hear_who(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n, const char *message,
                     double seconds)
{
    struct served *s = ctx;
    assert_int_equal(end, POOL_DONE);
    assert_int_equal(n, sizeof *s->by);
    assert_int_equal(s->by[index], 0);
    memcpy(&s->by[index], bytes, n);
}

static void serve(struct served *s, int workers, size_t jobs, size_t each)
{
    struct pool_job job[ALL];
    struct pool_config c = { workers, job, jobs, s, say_who, hear_who };
    struct why why = { "" };
    for (size_t k = 0; k < jobs; k++)
        job[k] = (struct pool_job){ .index = k, .timeout_seconds = 60, .kind = 1 + k / each };
    if (pool_run(&c, &why) != POOL_COMPLETE)
        fail_msg("%s", why.text);
}

/* A worker takes a job of a kind that another worker has begun only when no kind is left to begin. Then each of the
 * other workers has at most one unfinished kind, and only these kinds can be shared. */
static void a_kind_has_one_worker(void **state)
{
    for (int workers = 1; workers <= 4; workers++) {
        struct served *s = calloc(1, sizeof *s);
        int shared = 0;
        serve(s, workers, ALL, EACH);
        for (int k = 0; k < KINDS; k++) {
            bool one = true;
            for (int i = 1; i < EACH; i++)
                one = one && s->by[k * EACH + i] == s->by[k * EACH];
            shared += !one;
        }
        assert_in_range(shared, 0, workers - 1);
        free(s);
    }
}

static void one_kind_keeps_all_workers_busy(void **state)
{
    struct served *s = calloc(1, sizeof *s);
    s->nap_us = 300000;
    serve(s, 2, 2, 2);
    assert_int_not_equal(s->by[0], s->by[1]);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_queue_by_hand), cmocka_unit_test(the_worker_with_most_waiting_is_helped),
        cmocka_unit_test(a_turn_not_taken_stays), cmocka_unit_test(a_kind_has_one_worker),
        cmocka_unit_test(one_kind_keeps_all_workers_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

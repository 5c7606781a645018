/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_rules.c - scores of the greedy rules, compared with minimisation by search. Seeds are fixed: there
 * are no false alarms.
 *
 * Serves: dp-gcd */
#include "support/quadratic.h"

#include "algos/parts/greedy.h"

/* Returns v a + (M/2) a^2 + psi(w + a) - psi(w), which is convex in a; model_least finds its minimiser. */
static double model(const struct quadratic *q, double w, double v, double a)
{
    return v * a + q->M[0] / 2 * a * a + quadratic_psi(q, w + a) - quadratic_psi(q, w);
}

static double model_least(const struct quadratic *q, double w, double v, double *least)
{
    double lo = -100, hi = 100;
    for (int k = 0; k < 300; k++) {
        double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        if (model(q, w, v, a) < model(q, w, v, b))
            hi = b;
        else
            lo = a;
    }
    double a = (lo + hi) / 2;
    *least = fmin(0, model(q, w, v, a));
    return *least < 0 ? a : 0;
}

struct scored { struct instance in; struct oracle o; struct arena *work; struct greedy at; };

static void scored_open(struct scored *s, const struct quadratic *q, const double *w,
                        const double *root)
{
    *s = (struct scored){ .in = quadratic_instance(q), .work = arena_new(0) };
    contract_open(&s->o, &s->in, NULL, 1, s->work);
    s->at = (struct greedy){ &s->o, quadratic_has_rest(q), w, q->M, root };
}

static void scored_close(struct scored *s)
{
    oracle_release(&s->o);
    arena_free(s->work);
}

/* Step and scores are those of a minimisation by search, for the penalties l1, l2, both and none, at w = 0 and at
 * other points. */
static void s2_2_scores(void **state)
{
    struct rng r = rng_stream(31);
    for (int k = 0; k < 400; k++) {
        struct quadratic q = { .p = 1, .M = { exp(rng_normal(&r)) }, .L = { 1 },
                               .l1 = k & 1 ? 0.7 : 0, .l2 = k & 2 ? 0.4 : 0 };
        double w = k & 4 ? rng_normal(&r) : 0, v = 2 * rng_normal(&r), root = sqrt(q.M[0]), least;
        double left = q.l2 * w + (w > 0 ? q.l1 : -q.l1), right = q.l2 * w + (w < 0 ? -q.l1 : q.l1);
        double to = v + left > 0 ? v + left : v + right < 0 ? -v - right : 0;
        double a = model_least(&q, w, v, &least);
        struct scored s;
        scored_open(&s, &q, &w, &root);
        if (to > 0) {
            expect_near("GS-s", greedy_s(&s.at, 0, v), to / root, 1e-14);
            expect_near("GS-r", greedy_r(&s.at, 0, v), root * fabs(a), 2e-6);
            expect_near("GS-q", greedy_q(&s.at, 0, v), sqrt(-2 * least), 2e-6);
        } else {                                         /* no step would help: the score is below that of every
                                                            coordinate for which a step would */
            assert_true(greedy_s(&s.at, 0, v) <= 0 && greedy_r(&s.at, 0, v) <= 0);
            assert_true(greedy_q(&s.at, 0, v) <= 0);
            expect_near("a", a, 0, 2e-6);
        }
        scored_close(&s);
    }
}

/* Where a step helps, the score of GS-q is at least that of GS-r. Where psi = 0, all three scores are
 * |v|/sqrt(M). */
static void s2_2_order(void **state)
{
    struct rng r = rng_stream(32);
    for (int k = 0; k < 2000; k++) {
        struct quadratic q = { .p = 1, .M = { exp(rng_normal(&r)) }, .L = { 1 },
                               .l1 = k & 1 ? 0.7 : 0, .l2 = k & 2 ? 0.4 : 0 };
        double w = k & 4 ? rng_normal(&r) : 0, v = 2 * rng_normal(&r), root = sqrt(q.M[0]);
        struct scored s;
        scored_open(&s, &q, &w, &root);
        double score_s = greedy_s(&s.at, 0, v), score_r = greedy_r(&s.at, 0, v);
        double score_q = greedy_q(&s.at, 0, v);
        assert_true(score_s <= 0 || score_q >= score_r * (1 - 1e-7) - 1e-7);
        if (!s.at.composite) {
            expect_near("GS-s", score_s, fabs(v) / root, 1e-14 * fabs(v) / root);
            expect_near("GS-r", score_r, score_s, 1e-12 * score_s);
            expect_near("GS-q", score_q, score_s, 1e-12 * score_s);
        }
        if (w == 0 && q.l2 == 0) {                       /* then all three scores are max(|v| - l1, 0)/sqrt(M) */
            expect_near("GS-r", fmax(score_r, 0), fmax(score_s, 0), 1e-12);
            expect_near("GS-q", fmax(score_q, 0), fmax(score_s, 0), 1e-6);
        }
        scored_close(&s);
    }
}

/* |score(v) - score(v')| <= |v - v'|/sqrt(M), also at kinks; the corrected noise relies on it. */
static void s8_9_lipschitz(void **state)
{
    static const greedy_fn rule[3] = { greedy_s, greedy_r, greedy_q };
    struct rng r = rng_stream(33);
    for (int k = 0; k < 1000; k++) {
        struct quadratic q = { .p = 1, .M = { exp(rng_normal(&r)) }, .L = { 1 },
                               .l1 = k & 1 ? 0.7 : 0, .l2 = k & 2 ? 0.4 : 0 };
        double w = k & 4 ? rng_normal(&r) : 0, v = 2 * rng_normal(&r), root = sqrt(q.M[0]);
        double u = v + rng_normal(&r) * pow(10, -(double)(k % 5));
        struct scored s;
        scored_open(&s, &q, &w, &root);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(rule[i](&s.at, 0, v) - rule[i](&s.at, 0, u))
                        <= fabs(v - u) / root * (1 + 1e-9) + 1e-7);
        scored_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_2_scores), cmocka_unit_test(s2_2_order),
        cmocka_unit_test(s8_9_lipschitz),
    };
    return cmocka_run_group_tests_name("rules of dp-gcd", tests, setup, teardown);
}

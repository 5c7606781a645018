/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_history_times.c - what is reported of nights with known times: a slower claim, a slower machine, other
 * counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nights/history.h"
#include "rng.h"

enum { CLAIMS = 12, LAST = 14, STEP = 9 };

/* Returns `last` nights in which claim k takes k + 1 seconds and nights differ by 2%. The machine of
 * night i is i % 3 + 1 times slower, and so is its yardstick. */
static struct history many_nights(unsigned seed, int last)
{
    struct history h = { calloc((size_t)last, sizeof *h.night), last };
    struct rng r = rng_stream(seed);
    for (int i = 0; i < last; i++) {
        struct night *n = &h.night[i];
        n->run = i + 1;
        snprintf(n->started, sizeof n->started, "2026-03-%02uT02:00:00Z", (unsigned char)(i + 1));
        snprintf(n->commit, sizeof n->commit, "c%d", i + 1);
        for (int k = 0; k < CLAIMS; k++) {
            struct standing s = { .profile = "quick", .word = SUPPORTED, .cells = 4 };
            snprintf(s.claim, sizeof s.claim, "p/c%02d.n", k);
            s.reference = 5e-4 * (i % 3 + 1);
            s.seconds = (k + 1) * (i % 3 + 1) * exp(0.02 * rng_normal(&r));
            s.own.counts.of[COUNT_sample_grads] = 100;
            standings_put(&n->standings, &s);
        }
    }
    return h;
}

static struct history nights(unsigned seed) { return many_nights(seed, LAST); }

static struct standing *standing_at(struct history *h, int night, int claim)
{
    return &h->night[night].standings.of[claim];
}

static const struct time_series *series_of(const struct time_history *t, const char *claim)
{
    for (int k = 1; k < t->n; k++)
        if (strcmp(t->series[k].claim, claim) == 0)
            return &t->series[k];
    return NULL;
}

static int trends(const struct time_history *t)
{
    int n = 0;
    for (int k = 0; k < t->n; k++)
        n += t->series[k].trend.kind != TREND_NONE;
    return n;
}

/* With three machines and no change hardly anything may be reported: each of 20 histories has a false alarm with
 * probability 1%, and three or more alarms have probability 1e-3. The seeds are fixed. */
static void unchanged(void **state)
{
    int alarms = 0;
    for (unsigned seed = 0; seed < 20; seed++) {
        struct history h = nights(seed);
        struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
        assert_int_equal(t.n, CLAIMS + 1);
        assert_int_equal(t.series[3].nights, LAST);
        alarms += trends(&t) > 0;
        free(t.series);
        history_free(&h);
    }
    assert_true(alarms <= 2);
}

/* Nor may it where the series are of different lengths and all claims of a night are faster or slower by 5%, which
 * the yardstick does not show: four claims have all nights, two each the newest 40, 35, 30 and 25. */
static void unchanged_but_for_counts(void **state)
{
    enum { MANY = 60 };
    int alarms = 0;
    for (unsigned seed = 100; seed < 140; seed++) {
        struct history h = many_nights(seed, MANY);
        struct rng r = rng_stream(seed + 1000);
        for (int i = 0; i < MANY; i++) {
            double shared = exp(0.05 * rng_normal(&r));
            for (int k = 0; k < CLAIMS; k++) {
                standing_at(&h, i, k)->seconds *= shared;
                if (k >= 4 && i < 20 + (k - 4) / 2 * 5)
                    standing_at(&h, i, k)->own.counts.of[COUNT_sample_grads] = 99;
            }
        }
        struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
        assert_int_equal(t.series[1].nights, MANY);
        assert_int_equal(t.series[CLAIMS].nights, 25);
        alarms += trends(&t) > 0;
        free(t.series);
        history_free(&h);
    }
    assert_true(alarms <= 3);
}

static void one_claim_is_slower(void **state)
{
    char text[200];
    struct history h = nights(7);
    for (int i = STEP; i < LAST; i++)
        standing_at(&h, i, 4)->seconds *= 1.3;
    struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
    const struct time_series *s = series_of(&t, "p/c04.n");
    assert_int_equal(s->trend.kind, TREND_STEP);
    assert_int_equal(s->trend.at, STEP);
    assert_true(fabs(expm1(s->trend.size) - 0.3) < 0.08);
    assert_true(fabs(s->factor[LAST - 1] - 1.3) < 0.2);
    assert_int_equal(trends(&t), 1);
    history_times_words(s, text, sizeof text);
    assert_non_null(strstr(text, "since 2026-03-10, commit c10 "));
    free(t.series);

    struct standings base = { NULL, 0 };
    standings_put(&base, standing_at(&h, 2, 4));     /* the baseline has the time of a night before the step */
    t = history_times(&h, &base, "quick", HISTORY_ALARM);
    assert_false(series_of(&t, "p/c04.n")->accepted);
    free(t.series);
    standings_put(&base, standing_at(&h, STEP + 1, 4));
    t = history_times(&h, &base, "quick", HISTORY_ALARM);
    assert_true(series_of(&t, "p/c04.n")->accepted);
    free(t.series);
    standings_free(&base);
    history_free(&h);
}

/* A slowdown that all claims share is reported once. */
static void all_are_slower(void **state)
{
    struct history h = nights(8);
    for (int i = STEP; i < LAST; i++)
        for (int k = 0; k < CLAIMS; k++)
            standing_at(&h, i, k)->seconds *= 1.3;
    struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
    assert_null(t.series[0].claim);
    assert_int_equal(t.series[0].trend.kind, TREND_STEP);
    assert_int_equal(t.series[0].trend.at, STEP);
    assert_int_equal(trends(&t), 1);
    free(t.series);
    history_free(&h);
}

/* Twice the work takes twice the time, which is no step. The series of a claim has only the nights after the last
 * change of its work, and after the last night without a yardstick. A claim of less than half a second has no
 * series. */
static void other_work_is_no_step(void **state)
{
    struct history h = nights(9);
    for (int i = STEP; i < LAST; i++) {
        standing_at(&h, i, 4)->seconds *= 2;
        standing_at(&h, i, 4)->own.counts.of[COUNT_sample_grads] = 200;
    }
    standing_at(&h, LAST - 4, 5)->reference = 0;
    for (int i = 0; i < LAST; i++)
        standing_at(&h, i, 6)->seconds = 0.4;
    struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
    assert_int_equal(series_of(&t, "p/c04.n")->nights, LAST - STEP);
    assert_int_equal(series_of(&t, "p/c05.n")->nights, 3);
    assert_null(series_of(&t, "p/c06.n"));
    assert_int_equal(trends(&t), 0);
    free(t.series);
    history_free(&h);
}

/* At night BEGIN the counts of 8 claims change, so that what all claims have in common begins there. The newest
 * night is slower for all. This is no step of the 4 claims whose counts did not change; they keep all nights, with
 * nothing subtracted. With 4 claims nothing is in common. */
static void what_is_common_begins_later(void **state)
{
    enum { BEGIN = 6 };
    struct history h = nights(10);
    for (int i = 0; i < BEGIN; i++)
        for (int k = 4; k < CLAIMS; k++)
            standing_at(&h, i, k)->own.counts.of[COUNT_sample_grads] = 99;
    for (int k = 0; k < CLAIMS; k++)
        standing_at(&h, LAST - 1, k)->seconds *= 1.1;
    struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
    assert_int_equal(trends(&t), 0);
    assert_int_equal(t.series[0].nights, LAST - BEGIN);
    for (int k = 1; k < t.n; k++) {
        const struct time_series *s = &t.series[k];
        assert_int_equal(s->nights, k <= 4 ? LAST : LAST - BEGIN);
        assert_true(s->of[0] == &h.night[k <= 4 ? 0 : BEGIN] && s->factor[0] == 1);
        assert_true(fabs(log(s->factor[s->nights - 1]) - (k <= 4 ? log(1.1) : 0)) < 0.09);
    }
    free(t.series);
    for (int i = 0; i < LAST; i++)
        h.night[i].standings.n = 4;
    t = history_times(&h, NULL, "quick", HISTORY_ALARM);
    assert_int_equal(t.series[0].nights, 0);
    assert_int_equal(t.series[4].nights, LAST);
    free(t.series);
    history_free(&h);
}

/* From a night on claim 2 is 1.5 times slower, and claim 4 is long enough for times, so that what five claims have
 * in common begins at the step. The step is found from its second night on, and stays found. */
static void a_step_stays_found(void **state)
{
    enum { NIGHTS_IN_ALL = 30 };
    for (int begin = 5; begin <= 7; begin++) {
        struct history h = many_nights(11, NIGHTS_IN_ALL);
        for (int i = 0; i < NIGHTS_IN_ALL; i++) {
            h.night[i].standings.n = 5;
            standing_at(&h, i, 2)->seconds *= i < begin ? 1 : 1.5;
            standing_at(&h, i, 4)->seconds *= i < begin ? 0.02 : 1;
        }
        for (h.nights = begin + 2; h.nights <= NIGHTS_IN_ALL; h.nights++) {
            struct time_history t = history_times(&h, NULL, "quick", HISTORY_ALARM);
            const struct trend found = series_of(&t, "p/c02.n")->trend;
            if (found.kind != TREND_STEP || found.at != begin || fabs(expm1(found.size) - 0.5) > 0.1)
                fail_msg("a step in night %d is not found in night %d", begin + 1, h.nights);
            assert_int_equal(trends(&t), 1);
            free(t.series);
        }
        h.nights = NIGHTS_IN_ALL;
        history_free(&h);
    }
}

static void history_as_text(void **state)
{
    struct history h = nights(7);
    for (int i = STEP; i < LAST; i++) {
        standing_at(&h, i, 4)->seconds *= 1.3;
        standing_at(&h, i, 2)->own.counts.of[COUNT_sample_grads] = 101;
    }
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    struct standings none = { NULL, 0 };
    history_print(out, &h, &none, "quick");
    fclose(out);
    assert_non_null(strstr(said, "2026-03-10T02:00:00Z  commit c10  12 claims, 1 changed\n"
                                 "  counts   p/c02.n: sample_grads 100 -> 101 (+1%)\n"));
    assert_non_null(strstr(said, "2026-03-11T02:00:00Z  commit c11  12 claims, 0 changed\n"));
    assert_non_null(strstr(said, "p/c04.n: step: time +"));
    assert_non_null(strstr(said, "14 nights; times (which decide nothing) of 12 claims: 1 with a step or a drift"));
    free(said);
    history_free(&h);
    struct history nothing = { NULL, 0 };
    struct time_history t = history_times(&nothing, NULL, "quick", HISTORY_ALARM);
    assert_int_equal(t.n, 0);
}

/* The two groups of replicates measure 2 and 8 in the first nights, and 1 and 4 in the later ones. The level is
 * their geometric mean, 4 and then 2. Its logarithm has a standard error of log 2; two of these to either side make
 * the first interval 1 to 16. */
static void a_claim_night_by_night(void **state)
{
    struct history h = nights(5);
    struct night_point p[NIGHTS];
    for (int i = 0; i < LAST; i++)
        for (int g = 0; g < 2; g++) {
            struct standing_side *own = &standing_at(&h, i, 3)->own;
            own->groups = 2;
            own->level[g] = log((g ? 8 : 2) / (i < STEP ? 1. : 2.));
        }
    standing_at(&h, 4, 3)->absent = 4;                   /* a night in which the claim was not run */
    assert_int_equal(history_points(&h, "p/c03.n", p), LAST - 1);
    assert_true(fabs(p[0].level - 4) < 1e-12 && fabs(p[LAST - 2].level - 2) < 1e-12);
    assert_true(fabs(p[0].lo - 1) < 1e-12 && fabs(p[0].hi - 16) < 1e-12);
    assert_true(p[4].night == &h.night[5] && p[4].seconds == standing_at(&h, 5, 3)->seconds);
    assert_true(history_changed(p, LAST - 1));
    assert_int_equal(history_points(&h, "p/none", p), 0);
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    history_draw(out, &h, "p/c03.n");
    fclose(out);
    assert_non_null(strstr(said, "p/c03.n, 13 nights from 2026-03-01 to 2026-03-14: SUPPORTED .. SUPPORTED\n"));
    assert_non_null(strstr(said, "  level    \u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588"
                                 "\u2581\u2581\u2581\u2581\u2581  4, last 2; from 2 to 4\n"));
    free(said);
    history_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged), cmocka_unit_test(unchanged_but_for_counts),
        cmocka_unit_test(one_claim_is_slower), cmocka_unit_test(all_are_slower),
        cmocka_unit_test(other_work_is_no_step), cmocka_unit_test(what_is_common_begins_later),
        cmocka_unit_test(a_step_stays_found),
        cmocka_unit_test(history_as_text),
        cmocka_unit_test(a_claim_night_by_night),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

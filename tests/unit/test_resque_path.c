/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_path.c - the number of steps of one call of AC-SA on a slope with a crease: what the estimator
 * resque-ball-path counts is compared with the recursions without noise, which are written out here.
 *
 * Serves: resque */
#include "support/draw.h"

/* Returns the instance with L = r = 1 whose slope along the crease puts the minimiser of F_rho + (lam/2)|x|^2 at
 * r/2^(1/2) from the centre. */
static struct instance crease(double condition, struct arena *memory)
{
    return INSTANCE(memory, "creased", { "h", M_SQRT1_2 / condition });
}

/* Returns the first step of AC-SA after which a quarter of the way to the minimiser is left, along a direction in
 * which the objective is (lam/2) (x - 1)^2, lam = 1/condition, L/rho = 1. The coefficients are those of Ghadimi and
 * Lan 2012 with mu = lam; a phase starts again from the mean. */
static double accelerated(double condition)
{
    double lam = 1 / condition, T = ceil(4 * sqrt(1 + condition)), mean = 0, steps = 0;
    for (;;) {
        double x = mean;
        for (double t = 1; t <= T; t++) {
            double alpha = 2 / (t + 1), gamma = 4 * (1 + lam) / (t * (t + 1));
            double all = gamma + (1 - alpha * alpha) * lam;
            double md = ((1 - alpha) * (lam + gamma) * mean + alpha * ((1 - alpha) * lam + gamma) * x) / all;
            /* the minimiser of alpha (lam (md - 1) u + (lam/2) (u - md)^2) + ((1-alpha) lam + gamma)/2 (u - x)^2 */
            x = (alpha * lam * md - alpha * lam * (md - 1) + ((1 - alpha) * lam + gamma) * x) / (lam + gamma);
            mean = alpha * x + (1 - alpha) * mean;
            steps++;
            if (fabs(mean - 1) <= 0.25)
                return steps;
        }
    }
}

/* Returns the number of steps without acceleration after which a quarter of the way is left. One step leaves the
 * part 2M/(2M + lam) of it, M = L/rho + lam. */
static double plain(double condition)
{
    return ceil(log(4) / log1p(1 / (2 * (1 + condition))));
}

/* Returns the mean of `steps` over `draws` calls. */
static double counted(double condition, const char *acceleration, double c, int draws, struct arena *memory)
{
    struct instance in = crease(condition, memory);
    struct draw_of *q = DRAWN("resque-ball-path", &in, 7, { "condition", condition }, { "c", c },
                              { "acceleration", .word = acceleration });
    double error2, mean;
    assert_non_null(q->target);
    expect_near("no way across the crease", q->target[0], 0, 1e-12);
    expect_near("the way along it", q->target[1], M_SQRT1_2, 1e-12);
    mean = drawn_mean(q, "steps", draws, &error2);
    drawn_free(q);
    return mean;
}

/* A call has of order c condition^2 queries, and c is chosen so that this is 2^16 at both conditions. With so many
 * queries noise changes the number of steps by less than a factor of 2^(1/32). The estimator looks at its path
 * after numbers of steps that are this factor apart. */
static void c11_e2_steps_are_those_of_the_recursion(void **state)
{
    struct arena *memory = arena_new(0);
    static const double at[] = { 16, 64 };
    for (int k = 0; k < 2; k++) {
        double c = 0x1p16 / (at[k] * at[k]);
        double fast = counted(at[k], "ac-sa", c, 4, memory), slow = counted(at[k], "none", c, 4, memory);
        if (!(fabs(fast / accelerated(at[k]) - 1) <= 0.05 && fabs(slow / plain(at[k]) - 1) <= 0.05))
            fail_msg("condition %g: %g and %g steps, expected %g and %g", at[k], fast, slow, accelerated(at[k]),
                     plain(at[k]));
    }
    arena_free(memory);
}

/* With the queries of the claim noise adds at most a tenth at the smallest condition of its window, where it adds
 * most. */
static void c11_e2_noise_is_small(void **state)
{
    struct arena *memory = arena_new(0);
    double mean = counted(64, "ac-sa", 1, 16, memory), without = accelerated(64);
    if (!(fabs(mean / without - 1) <= 0.1))
        fail_msg("%g steps, without noise %g", mean, without);
    arena_free(memory);
}

/* A call whose points stay at the centre never gets to the minimiser. One whose first point is the minimiser needs
 * one step. */
static void steps_of_no_move_are_infinite(void **state)
{
    struct arena *memory = arena_new(0);
    struct instance in = crease(64, memory);
    struct draw_of *q = DRAWN("resque-ball-path", &in, 7, { "condition", 64 });
    vec_zero(q->e->vectors * in.d, q->v);
    assert_true(isinf(drawn_functional(q, "steps")));
    for (long k = 0; k < q->e->vectors; k++)
        vec_copy(in.d, q->target, q->v + k * in.d);
    assert_true(drawn_functional(q, "steps") == 1);
    drawn_free(q);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c11_e2_steps_are_those_of_the_recursion),
        cmocka_unit_test(c11_e2_noise_is_small),
        cmocka_unit_test(steps_of_no_move_are_infinite),
    };
    return cmocka_run_group_tests_name("resque_path", tests, NULL, NULL);
}

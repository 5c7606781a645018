/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floor.c - claims of the full profile about the least rho for which privacy is free; those of the nightly profile
 * are in tight.c. The certificate is the norm of an epoch's mean gradient of the smoothed loss. The instances are
 * such that it follows nu, the norm of an epoch's mean noise, in a known way.
 *
 * The floor of a valley. The slope e0 along the valley keeps the learner's step Delta at its greatest length D, and
 * damps the part of Delta across the valley by e0 eta/D a step. Near the floor the smoothed loss F_delta has the
 * curvature c L/(2 delta) across the valley. The distance from the floor therefore falls by the factor a = exp(-r),
 * r = c L/(2 e0), in an epoch, whatever T, eta and rho are. With E = (1 - a)/r the root mean square of the
 * certificate is nu ((1 - E)^2 + E^2 (1 - a)/(1 + a))^(1/2). For example, it is 0.62 nu at d = 4 (c = 1.13) for nu
 * < 0.1, and 0.5 nu at nu = 0.23.
 *
 * When privacy is free. The square of the certificate is about s^2 + (g nu)^2, where s is the certificate without
 * noise and g a constant. rho is called free if the certificate is at most (1 + tau) s. A claim about the law of
 * the least free rho sets rho by this law along its axis, and asks that the ratio certificate/s be constant. If the
 * exponent of rho in the law is wrong by w, the exponent of the ratio is w (1 - 1/(1 + tau)^2): 0.556 w for tau =
 * 1/2, or 0.174 w for tau = 1/10. The bands are the exponents of the ratio for |w| <= 0.15. So no grid of values of
 * rho is needed, and no minimum over noisy means. */
#include "private_zeroth_order.h"

#define PRINTED { "algo.calibration", .text = "paper" }
#define TWENTY AT_RADIUS, PRINTED, { "algo.K", 20 }
#define STEPS(T) { "goal.n", 40. * (T) }, { "algo.T", T }
#define STEPS_OF_N { "algo.T", 0.025, 1 }
#define EVERY_SUMMAND                                                                            \
    .control = { .with = { { "algo.noise", .text = "independent" } },                             \
                 .why = "noise of every summand: T^(-1/2)" }

/* --- the least free rho. For 20 epochs on the floor of a valley it is about 11.5 d (ln T/T)^(1/2) for tau = 1/2
 * and 29 d (ln T/T)^(1/2) for tau = 1/10. For the cone with T tuned at each rho and tau near 0.6 it is 2.8 d^(3/2)
 * (ln T/T)^(1/2), where T minimises the expected certificate without noise, a T + b/T^(1/2), with a = 2 (Phi + 2 L
 * delta)/(delta M) for M samples. */

static double zo_free_rho(double by, double d, double T) { return by * d * sqrt(log(T) / T); }

static double zo_free_tenth_n(double n, const struct facts *f) { return zo_free_rho(29, f->d, n / 40); }

static double zo_tuned_rho(double n, double d, const struct facts *f)
{
    double delta = 0.05, a = 2 * (f->Phi + 2 * f->L * delta) / (delta * n);
    double b = f->L * (1 + sqrt(7 * d / 18 + 2));
    return zo_free_rho(2.8 * sqrt(d), d, pow(b / (2 * a), 2. / 3));
}

static double zo_tuned_n(double n, const struct facts *f) { return zo_tuned_rho(n, f->d, f); }

static double zo_tuned_d(double d, const struct facts *f) { return zo_tuned_rho(0x1p18, d, f); }

#define FREE .check = CHECK_RATE, .algo = PZO, .problem = "sloped",                               \
             .than = { .with = { { "goal.rho", INFINITY } }, .why = "without noise" }
#define ON_FLOOR FREE, .kind = KIND_THEOREM, .measure = "set.across.mean"
#define TUNED FREE, .kind = KIND_EVIDENCE, .measure = "set.smoothed.mean"
#define TUNED_CONE CONE, { "problem.dist", 0.25 }, AT_RADIUS, PRINTED, { "algo.choice", .text = "practical" }
#define FLAT(w) .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -(w), w }
#define FREE_CITE .cite = CITE "Theorem 4.9: free where rho >= d^(1/2) acc/L"
#define ONE_RHO(rho) .control = { .with = { { "goal.rho", rho } }, .why = "a rho that knows no d" }

const struct claim private_zeroth_order_floor[] = {
    { .id = "private-zeroth-order/vr.thm4.9.free.tenth.n", .item = "V17 5.5", ON_FLOOR, FREE_CITE,
      .axis = "n",
      .says = "on the floor of a valley, along rho = 29 d (ln(T)/T)^(1/2): some 1.1 times the certificate "
              "without noise, whatever T",
      .with = { VALLEY, TWENTY, { "problem.d", 16 }, { "goal.rho", .of = zo_free_tenth_n }, STEPS_OF_N },
      .window = { { 0 }, { 0 }, { 40 * 1024., 40 * 8192., 4, 40 } },
      FLAT(0.026), EVERY_SUMMAND },

    { .id = "private-zeroth-order/vr.thm4.9.free.cone.n", .item = "V17 5.5", TUNED,
      .cite = CITE "Theorem 4.9 on a cone, whose floor is L/T^(1/2)", .axis = "n",
      .says = "a cone, T tuned at each rho, along rho = 2.8 d^(3/2) (ln(T)/T)^(1/2): some 1.6 times the "
              "certificate without noise, whatever M",
      .remark = "T is tuned to the least expected certificate, with noise and without. By calculation the ratio "
                "grows as M^0.02 from M = 2^18 on, and faster below, where an epoch is shorter than half an "
                "oscillation. The ratio falls as rho^(-0.32); the band is 0.15 of the exponent of T. One run "
                "measured 1.55, 1.63, 1.62 and 1.64. Along a law of 1.1 times in place of 1.6 the free rho falls "
                "as T^(-0.34), not as T^(-1/2).",
      .with = { TUNED_CONE, { "problem.d", 4 }, { "goal.rho", .of = zo_tuned_n } },
      .window = { { 0 }, { 0 }, { 0x1p18, 0x1p21, 4, 12 } }, FLAT(0.032), EVERY_SUMMAND },

    { .id = "private-zeroth-order/vr.thm4.9.free.cone.d", .item = "V17 5.5", TUNED,
      .cite = CITE "Theorem 4.9 on a cone, whose floor is L/T^(1/2)", .axis = "d",
      .says = "a cone, T tuned at each rho, along rho = 2.8 d^(3/2) (ln(T)/T)^(1/2): some 1.5 times the "
              "certificate without noise, whatever d",
      .with = { TUNED_CONE, { "goal.n", 0x1p18 }, { "goal.rho", .of = zo_tuned_d } },
      .window = { { 0 }, { 0 }, { 4, 16, 3, 16 } }, FLAT(0.047), ONE_RHO(4.7) },

    { 0 }
};

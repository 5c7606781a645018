/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_math.h - exp, log, softplus, the logistic function and its derivative of LANES doubles, without tables.
 *
 * The polynomials minimise the largest relative error of the function (Remez exchange); the comment at each
 * polynomial states its interval and its error. The range reductions are those of Sun's fdlibm (e_exp.c,
 * e_log.c). */
#ifndef ASSAY_LANES_MATH_H
#define ASSAY_LANES_MATH_H

#include "numeric/lanes_simd.h"

/* ln 2 = LN2_HIGH + LN2_LOW; k LN2_HIGH is exact for |k| <= 2^13. */
static const double LN2_HIGH = 0x1.62e42fefa2000p-1, LN2_LOW = 0x1.9ef35793c7673p-41;

/* --- e^x in three stages: exp_reduced, exp_tail, exp_ends
 *
 * Reduces -746 <= x <= 710, or NaN: returns r with x = k ln 2 + r, where k = shifted - 1.5 2^52 is a whole number,
 * |k| <= 1076. */
static inline vd exp_reduced(vd x, vd *shifted)
{
    *shifted = fused(x, all(0x1.71547652b82fep+0), all(0x1.8p52));
    vd n = *shifted - 0x1.8p52;
    return fused(-n, all(LN2_LOW), fused(-n, all(LN2_HIGH), x));
}

/* Returns P(r) of e^r = 1 + r + r^2/2 + r^3 P(r), |r| <= ln(2)/2; the relative error of e^r is 2^-57.3. */
static inline vd exp_series(vd r)
{
    static const double P[] = { 0x1.555555555555cp-3,  0x1.5555555553167p-5,  0x1.111111110e578p-7,
                                0x1.6c16c17cf547ap-10, 0x1.a01a01b675c4ap-13, 0x1.a019aa91f27afp-16,
                                0x1.71dde878d7f07p-19, 0x1.28a02291edc01p-22, 0x1.af7941aa81891p-26 };
    return horner(9, P, r);
}

/* Returns e^r - 1. */
static inline vd exp_tail(vd r)
{
    return fused(r * r, fused(r, exp_series(r), all(0.5)), r);
}

/* y 2^k, rounded once. AVX-512 has an instruction for it. Elsewhere 2^k is the product of two factors, so that only
 * the last product can overflow or underflow gradually. near: |x| <= NEAR in all lanes; 2^k is then a normal number
 * and one factor suffices. */
static const double NEAR = 700;
INLINE vd times_power(bool near, vd y, vd shifted)
{
#if LANES == 8
    return _mm512_scalef_pd(y, shifted - 0x1.8p52);
#else
    if (near)
        return y * real((bits(shifted) << 52) + bits(all(1)));
    vu k = bits(shifted) - bits(all(0x1.8p52)), half = ((k + 4096) >> 1) - 2048;
    return y * real((half + 1023) << 52) * real((k - half + 1023) << 52);
#endif
}

/* An exponential as value + rest: `value` is the rounded value, `rest` is what the rounding lost. */
struct exponential {
    vd value, rest;
};

INLINE struct exponential exp_ends(bool near, vd tail, vd shifted)
{
    vd value = 1 + tail, rest = tail - (value - 1);
    return (struct exponential){ times_power(near, value, shifted), times_power(near, rest, shifted) };
}

/* Returns e^x by the three stages in a row. */
static inline struct exponential exponential(vd x)
{
    vd shifted, r = exp_reduced(x, &shifted);
    return exp_ends(false, exp_tail(r), shifted);
}

/* A function of x and e^exponent(x) has two steps: NAME_quotient, which ends with a division, and NAME_of, which
 * computes the result from the quotient and a second number (see struct map in lanes_maps.h). */
struct quotient {
    vd value, other;
};

static inline vd exp_exponent(vd x) { return greater(all(-746), lesser(all(710), x)); }
static inline struct quotient exp_quotient(vd x, struct exponential p) { return (struct quotient){ p.value }; }

/* Returns n ln 2 + log(1+f) from s = f/(2+f) and R = log((1+s)/(1-s))/s - 2; small terms are added first. */
static inline vd log_sum(vd n, vd f, vd s, vd R)
{
    vd half = 0.5 * f * f;
    return fused(n, all(LN2_HIGH), f - (half - fused(s, half + R, n * LN2_LOW)));
}

/* Returns R = log((1+s)/(1-s))/s - 2 for (1+s)/(1-s) in [sqrt(1/2), sqrt(2)]; the relative error of the logarithm
 * is 2^-59.5. */
static inline vd log_series(vd s)
{
    static const double odd[] = { 0x1.5555555555593p-1, 0x1.2492494201ccdp-2, 0x1.7466420d857f4p-3,
                                  0x1.2f08ecd4db9fcp-3 };
    static const double even[] = { 0x1.999999997fca0p-2, 0x1.c71c51fae8e9ep-3, 0x1.39a1652273452p-3 };
    vd z = s * s, w = z * z;
    return fused(z, horner(4, odd, w), w * horner(3, even, w));
}

/* Returns log(1+f) + n ln 2 for 1+f in [sqrt(1/2), sqrt(2)]. */
static inline vd log_reduced(vd n, vd f)
{
    vd s = f / (2 + f);
    return log_sum(n, f, s, log_series(s));
}

/* Splits a normal x = 2^n (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). Returns f; *n <- 1023 + n. */
static inline vd log_split(vd x, vu *n)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd;
    vu shifted = bits(x) + (0x3ff0000000000000 - root_half);
    *n = shifted >> 52;
    return real((shifted & 0xfffffffffffff) + root_half) - 1;
}

static inline vd log_lanes(vd x)
{
    vu n, tiny = less(x, all(0x1p-1022)), finite = less(x, all(INFINITY)),
          positive = less(all(0), x);
    vd f = log_split(pick(tiny, x * 0x1p54, x), &n);
    vd y = log_reduced(
        real(n | bits(all(0x1p52))) - pick(tiny, all(0x1p52 + 1077), all(0x1p52 + 1023)), f);
    vd edge = pick(positive, x, pick(less(x, all(0)), all(NAN), x - INFINITY));
    return pick(finite & positive, y, edge);
}

/* Splits log(1 + e) = n ln 2 + log(1+f) for 0 <= e <= 1: n = 0 below e = 1/2, and n = 1 from there on. Returns
 * f. */
static inline vd unit_part(vd e, vd *n)
{
    vu large = ~less(e, all(0.5));
    *n = pick(large, all(1), all(0));
    return pick(large, 0.5 * (e - 1), e);
}

/* Returns log((1+s)/(1-s))/s - 2 as log_series does, but for s <= 1/5; the relative error of the logarithm is
 * 2^-62.6. */
static inline vd unit_series(vd s)
{
    static const double odd[] = { 0x1.555555555554fp-1, 0x1.24924921e1859p-2, 0x1.745c4a5cf6228p-3,
                                  0x1.0dca9fa83e778p-3 };
    static const double even[] = { 0x1.999999999c1adp-2, 0x1.c71c7492026d8p-3, 0x1.3b35d018d37d2p-3,
                                   0x1.1b87d97f243c0p-3 };
    vd z = s * s, w = z * z;
    return fused(z, horner(4, odd, w), w * horner(4, even, w));
}

/* log1pexp, logistic and logistic_slope are functions of e^-|x|. */
static inline vd decay_exponent(vd x) { return greater(all(-746), -magnitude(x)); }
static inline vd log1pexp_exponent(vd x) { return decay_exponent(x); }
static inline vd logistic_exponent(vd x) { return decay_exponent(x); }
static inline vd logistic_slope_exponent(vd x) { return decay_exponent(x); }

/* log1pexp(x) = log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), in the two steps of struct quotient. */
static inline struct quotient log1pexp_quotient(vd x, struct exponential p)
{
    vd n, f = unit_part(p.value, &n);
    return (struct quotient){ f / (2 + f), p.value };
}

static inline vd log1pexp_of(vd x, struct quotient q)
{
    vd n, f = unit_part(q.other, &n);
    return pick(less(all(0), x), x, all(0)) + log_sum(n, f, q.value, unit_series(q.value));
}

/* logistic(x) = 1/(1 + e^-x) = N/(1 + e) with e = e^-|x|, N = 1 for x >= 0 and N = e for x < 0. The second step
 * corrects the quotient for the rounding of the sum 1 + e and of the exponential. */
static inline struct quotient logistic_quotient(vd x, struct exponential p)
{
    vu left = less(x, all(0));
    vd e = p.value, rest = p.rest;
    vd sum = 1 + e, lost = (e - (sum - 1)) + rest;
    vd top = pick(left, e, all(1)), top_rest = pick(left, rest, all(0)), y = top / sum;
    return (struct quotient){ y, fused(-y, lost, top_rest) };
}

static inline vd logistic_of(vd x, struct quotient q)
{
    vd inverse = pick(less(x, all(0)), 1 - q.value, q.value);
    return fused(q.other, inverse, q.value);
}

/* logistic_slope(x), the derivative of the logistic function: s - s^2 with s = 1/(1 + e^|x|) <= 1/2. The quotient s
 * is corrected as in logistic_quotient; a change of s by t changes s - s^2 by (1 - 2s) t. */
static inline struct quotient logistic_slope_quotient(vd x, struct exponential p)
{
    vd e = p.value, rest = p.rest;
    vd sum = 1 + e, lost = (e - (sum - 1)) + rest, s = e / sum;
    return (struct quotient){ s, fused(-s, lost, rest) };
}

static inline vd logistic_slope_of(vd x, struct quotient q)
{
    vd s = q.value, inverse = 1 - s, change = q.other * inverse;
    return s + fused(-s, s, change * (inverse - s));
}

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Fixed-point arithmetic. A name ends with its format: q16 is a number of 1/65536, q24 of 1/2^24. BPF has no floating
 * point, no 128-bit product and, up to instruction set v3, no signed division.
 */
#ifndef BENTPIPE_FIXED_H
#define BENTPIPE_FIXED_H

#include "kernel.h"

#define Q16 (1ULL << 16)
#define Q24 (1ULL << 24)

static __always_inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static __always_inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

static __always_inline u64 clamp_u64(u64 value, u64 low, u64 high)
{
	return min_u64(max_u64(value, low), high);
}

/* a - b, at least 0. */
static __always_inline u64 minus(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* a / b, rounded to the nearest integer; 0 if b is 0. Needs a + b / 2 < 2^64. */
static __always_inline u64 divide(u64 a, u64 b)
{
	return b ? (a + b / 2) / b : 0;
}

/* a * b / 2^16. Needs a * b < 2^80 and b < 2^48. */
static __always_inline u64 mul_q16(u64 a, u64 b_q16)
{
	return (a >> 16) * b_q16 + (((a & 0xffff) * b_q16) >> 16);
}

/* a * b / 2^24. Needs a * b < 2^88 and b < 2^40. */
static __always_inline u64 mul_q24(u64 a, u64 b_q24)
{
	return (a >> 24) * b_q24 + (((a & 0xffffff) * b_q24) >> 24);
}

/* a / b in 1/2^24, rounded; b of the format of a. Needs a < 2^45, b > 0 and a / b < 2^40. */
static __always_inline u64 ratio_q24(u64 a, u64 b)
{
	u64 whole = a / b, rest = a % b;

	/* The remainder is below b < 2^45: two steps of 12 bits. */
	rest <<= 12;
	whole = (whole << 12) + rest / b;
	rest = (rest % b) << 12;
	return (whole << 12) + divide(rest, b);
}

/* 2^(x / 2^16) in 1/2^24, for x_q16 below 38 * 2^16; larger exponents give 2^38.
 * The polynomial of degree 5 of 2^f on [0, 1) (least squares at Chebyshev nodes) has a relative error below 2e-7.
 */
static __always_inline u64 exp2_q24(u32 x_q16)
{
	u32 whole = x_q16 >> 16;
	u64 f = (u64)(x_q16 & 0xffff) << 14; /* q30 */
	u64 sum;

	if (whole >= 38)
		return 1ULL << 62;
	/* Coefficients in q30: 0.0018854, 0.0089729, 0.0558366, 0.2401524, 0.6931527, 1. */
	sum = 2024437;
	sum = 9634577 + ((sum * f) >> 30);
	sum = 59954091 + ((sum * f) >> 30);
	sum = 257861724 + ((sum * f) >> 30);
	sum = 744266995 + ((sum * f) >> 30);
	sum = (1ULL << 30) + ((sum * f) >> 30);
	return whole >= 6 ? sum << (whole - 6) : sum >> (6 - whole);
}

/* The largest integer whose cube is at most `a`, for a < 2^63: Newton's method from above. The number of steps is fixed,
 * because the verifier would follow each path of a loop with branches.
 */
static __always_inline u64 cube_root(u64 a)
{
	u64 x = 1ULL << 21;

	if (a == 0)
		return 0;
	for (int i = 0; i < 42; i++)
		x = (2 * x + a / (x * x)) / 3;
	return x * x * x > a ? x - 1 : x;
}

#endif

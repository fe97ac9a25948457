/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The curve of CUBIC (RFC 9438, figures 1 and 2) in fixed point.
 *
 * Domain: gaps below 2^21 segments; the curve is constant beyond 100 s from the plateau.
 */
#ifndef BENTPIPE_CUBIC_CURVE_H
#define BENTPIPE_CUBIC_CURVE_H

#include "fixed.h"

/* Figure 2: K = cbrt(gap / C), us. The relative error is below 2^-14. */
static __always_inline u64 cubic_k_us(u64 gap_q24, u32 c_q16)
{
	u64 n = gap_q24;
	u32 shift = 0;

	if (n == 0 || c_q16 == 0)
		return 0;
	if (n < 1ULL << 33) {
		n <<= 30;
		shift += 10;
	}
	if (n < 1ULL << 48) {
		n <<= 15;
		shift += 5;
	}
	if (n < 1ULL << 57) {
		n <<= 6;
		shift += 2;
	}
	if (n < 1ULL << 60) {
		n <<= 3;
		shift += 1;
	}
	/* K^3 = n / c_q16 / 2^(3 shift + 8) = 2 n / c_q16 / 2^(3 (shift + 3)) */
	return (cube_root(n / c_q16 * 2) * 1000000) >> (shift + 3);
}

/* Figure 1: C d^3, q24, for d from the plateau. */
static __always_inline u64 cubic_offset_q24(u32 c_q16, u64 d_us)
{
	u64 d_q14 = min_u64(d_us, 100000000) * 1024 / 62500;

	return (c_q16 * ((d_q14 * d_q14 * d_q14) >> 26)) >> 8;
}

/* Figure 1: W_cubic(t) = C (t - K)^3 + W_max, q24, at least 0. */
static __always_inline u64 cubic_w_q24(u32 c_q16, u64 t_us, u64 k_us, u64 w_max_q24)
{
	if (t_us < k_us)
		return minus(w_max_q24, cubic_offset_q24(c_q16, k_us - t_us));
	return w_max_q24 + cubic_offset_q24(c_q16, t_us - k_us);
}

#endif

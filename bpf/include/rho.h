/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Hybla's normalisation (Caini and Firrincieli, 2004), shared by Hybla, HYBIC and Hybla-IM: the twin of `Rho` in
 * crates/control/src/hybla.rs.
 *
 *   rho = max(1, RTT / RTT0)        first ssthresh = rho gamma
 *
 * Domain: rho < 65536; 2^rho is at most the largest window.
 */
#ifndef BENTPIPE_RHO_H
#define BENTPIPE_RHO_H

#include "window.h"

enum { RHO_SRTT, RHO_MIN };

/* rho in q16, at least 1; 1 before the first RTT sample. */
static __always_inline u32 rho_q16(const struct tcp_sock *tp, const struct window *w, u32 source, u32 rtt0)
{
	u32 rtt_us = source == RHO_MIN ? w->min_rtt_us : tp->srtt_us >> 3;

	if (rtt_us == 0 || rtt_us == UNKNOWN_US)
		return Q16;
	return clamp_u64(divide((u64)rtt_us << 16, rtt0), Q16, 0xffffffffU);
}

/* The threshold rho gamma, until the first slow start ends. */
static __always_inline void set_rho_gamma(struct tcp_sock *tp, struct window *w, u32 rho, u32 gamma_q8)
{
	if (w->initial && w->min_rtt_us != UNKNOWN_US && in_slow_start(tp, w))
		set_ssthresh(tp, w, (u64)rho * gamma_q8);
}

/* 2004 paper, slow start: 2^rho - 1 per acknowledged segment, q24. */
static __always_inline u64 slow_start_growth(u32 rho, u32 acked)
{
	return min_u64(exp2_q24(rho) - Q24, MAX_WINDOW_Q24) * min_u64(acked, 1 << 16);
}

/* 2004 paper, avoidance: rho^2 / W per acknowledged segment, q24. */
static __always_inline u64 avoidance_growth(u32 rho, u32 acked, u64 cwnd)
{
	u64 square_q16 = min_u64(((u64)rho * rho) >> 16, 1ULL << 43);

	return min_u64(mul_q16(ratio_q24(min_u64(square_q16 << 8, MAX_WINDOW_Q24 - 1), cwnd), Q16), 1ULL << 44) *
	       min_u64(acked, 1 << 16);
}

#endif

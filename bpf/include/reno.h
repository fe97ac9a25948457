/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Reno's growth (RFC 5681, section 3.1; RFC 3465), with the parameter `growth_limit`.
 */
#ifndef BENTPIPE_RENO_H
#define BENTPIPE_RENO_H

#include "window.h"

PARAMETER(growth_limit, "growth_limit", 1000000000, 1, 1, 1000000000, "segments");

/* Slow start: the segments that an ACK counts, q24. */
static __always_inline u64 reno_slow_start(u32 acked)
{
	return min_u64(acked, growth_limit) << 24;
}

/* Avoidance: `gain_q24` segments per window of acknowledged data, q24. */
static __always_inline u64 avoid(u64 gain_q24, u32 acked, u64 cwnd)
{
	return min_u64(ratio_q24(min_u64(gain_q24, MAX_WINDOW_Q24 - 1), cwnd), MAX_WINDOW_Q24) * min_u64(acked, 1 << 16);
}

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Westwood's estimate of the bandwidth, one sample per ACK (S. Mascolo et al., MobiCom 2001): the twin of `TustinBwe` in
 * crates/control/src/estimate/bandwidth.rs, with its `silence = "clamp"`.
 *
 *   b_k = d_k / D_k,  B_k = a B_(k-1) + (1 - a)/2 (b_k + b_(k-1)),  a = (2 tau - D_k)/(2 tau + D_k), at least 0
 *
 * Rates are in 1/65536 segments/s. Domain: rates below 2^30 segments/s, gaps below 2^31 us.
 */
#ifndef BENTPIPE_BANDWIDTH_H
#define BENTPIPE_BANDWIDTH_H

#include "window.h"

struct bandwidth {
	/* B and b_(k-1); 0 before the first sample. */
	u64 rate_q16;
	u64 sample_q16;
	/* When the newest ACK arrived (0: none), and segments of ACKs less than 1 us apart. */
	u64 last_us;
	u32 batched;
};

/* Processes an ACK of `segments`. Returns whether it gave a sample. */
static __always_inline bool bandwidth_ack(struct bandwidth *b, u64 now_us, u32 segments, u32 tau_us)
{
	u64 gap_us, sample, a;

	if (b->last_us == 0) {
		b->last_us = now_us;
		return false;
	}
	gap_us = minus(now_us, b->last_us);
	if (gap_us == 0) {
		b->batched += segments;
		return false;
	}
	b->last_us = now_us;
	sample = min_u64((min_u64(segments + b->batched, 1 << 20) * USEC_PER_SEC << 16) / gap_us, 1ULL << 46);
	b->batched = 0;
	if (b->rate_q16 == 0) {
		b->rate_q16 = sample;
	} else {
		a = ratio_q24(minus(2ULL * tau_us, gap_us), 2ULL * tau_us + gap_us);
		b->rate_q16 = mul_q24(b->rate_q16, a) + mul_q24(sample + b->sample_q16, Q24 - a) / 2;
	}
	b->sample_q16 = sample;
	return true;
}

/* B RTT, q24. */
static __always_inline u64 pipe_q24(u64 rate_q16, u32 rtt_us)
{
	return min_u64(min_u64(rate_q16, 1ULL << 38) * min_u64(rtt_us, 1 << 24) / 15625 * 4, MAX_WINDOW_Q24);
}

#endif

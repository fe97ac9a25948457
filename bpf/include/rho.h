/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Hybla's normalisation (Caini and Firrincieli, 2004), shared by Hybla, HYBIC and Hybla-IM: the twin of `Rho` in
 * crates/control/src/hybla.rs.
 *
 *   rho = max(1, RTT / RTT0)        first ssthresh: Hoe's estimate, or rho gamma
 *
 * With Hoe's estimate, the flow is not paced before a train has arrived, and the window grows by one per segment up to
 * six segments, as crates/control/src/hybla.rs explains. If a round of such a window gives no estimate, the wait ends.
 *
 * Domain: rho < 65536; 2^rho is at most the largest window.
 */
#ifndef BENTPIPE_RHO_H
#define BENTPIPE_RHO_H

#include "hoe.h"

enum { RHO_SRTT, RHO_MIN };
enum { THRESHOLD_RHO_GAMMA, THRESHOLD_UNSET, THRESHOLD_HOE };
/* The wait for Hoe's train: the window is too small, a round that guarantees a train runs, the estimate exists, none. */
enum { WAIT_SHORT, WAIT_DUE, WAIT_FOUND, WAIT_VAIN };

struct rho {
	/* rho in q16, at least 1; 1 before the first RTT sample. */
	u32 value;
	u32 round_end;
	u8 threshold;
	u8 wait;
};

static __always_inline bool is_waiting(const struct window *w, const struct rho *r)
{
	return w->initial && (r->wait == WAIT_SHORT || r->wait == WAIT_DUE);
}

static __always_inline void rho_init(struct sock *sk, struct rho *r, u32 threshold)
{
	*r = (struct rho){ .value = Q16, .threshold = threshold, .wait = WAIT_VAIN, .round_end = tcp_sk(sk)->snd_nxt };
	if (threshold == THRESHOLD_HOE) {
		r->wait = WAIT_SHORT;
		/* The spacing of a paced train would be that of the pacing. */
		if (sk->sk_pacing_status == SK_PACING_NEEDED)
			sk->sk_pacing_status = SK_PACING_NONE;
	}
}

/* Processes an ACK: updates rho and, in the first slow start, the threshold. `hoe` is NULL without Hoe's estimate. */
static __always_inline void rho_observe(struct sock *sk, struct window *w, struct rho *r, struct hoe *hoe, u32 acked,
					u32 rtt_us, u32 source, u32 rtt0, u32 gamma, bool paced)
{
	struct tcp_sock *tp = tcp_sk(sk);
	bool round_start = round_starts(tp, &r->round_end);
	u32 rtt = source == RHO_MIN ? w->min_rtt_us : tp->srtt_us >> 3;
	u64 estimate = 0;

	if (rtt == 0 || rtt == UNKNOWN_US)
		return;
	r->value = clamp_u64(divide((u64)rtt << 16, rtt0), Q16, 0xffffffffU);
	if (!w->initial || r->threshold == THRESHOLD_UNSET)
		return;
	if (round_start && r->wait == WAIT_DUE)
		r->wait = WAIT_VAIN;
	else if (round_start && r->wait == WAIT_SHORT && tp->snd_cwnd >= TRAIN_SEGMENTS)
		r->wait = WAIT_DUE;
	if (hoe && r->threshold == THRESHOLD_HOE)
		estimate = hoe_threshold(tp, w, hoe, round_start, acked, rtt_us);
	if (estimate) {
		set_ssthresh(tp, w, estimate);
		r->wait = WAIT_FOUND;
	} else if (r->wait != WAIT_FOUND && in_slow_start(tp, w)) {
		/* 2004 paper: slow start ends at a window of rho gamma. */
		set_ssthresh(tp, w, (u64)r->value * gamma);
	}
	if (paced && !is_waiting(w, r) && sk->sk_pacing_status == SK_PACING_NONE)
		sk->sk_pacing_status = SK_PACING_NEEDED;
}

/* 2004 paper, slow start: 2^rho - 1 per acknowledged segment, q24. */
static __always_inline u64 slow_start_growth(const struct tcp_sock *tp, const struct window *w, const struct rho *r,
					     u32 rho, u32 acked)
{
	if (is_waiting(w, r))
		return min_u64((u64)acked << 24, minus(TRAIN_SEGMENTS * Q24, cwnd_q24(tp, w)));
	return min_u64(exp2_q24(rho) - Q24, MAX_WINDOW_Q24) * min_u64(acked, 1 << 16);
}

/* 2004 paper, avoidance: rho^2 / W per acknowledged segment, q24. */
static __always_inline u64 avoidance_growth(u32 rho, u32 acked, u64 cwnd)
{
	u64 square_q24 = min_u64(((u64)rho * rho) >> 8, MAX_WINDOW_Q24 - 1);

	return min_u64(ratio_q24(square_q24, cwnd), MAX_WINDOW_Q24) * min_u64(acked, 1 << 16);
}

#endif

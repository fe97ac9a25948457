/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The window of a controller that grows on ACKs and shrinks on losses: the twin of crates/control/src/window.rs and
 * loss_based.rs.
 *
 * Linux counts whole segments. The fractions of window and threshold, in 1/2^24 segment, are private:
 *
 *   W = snd_cwnd + cwnd_frac / 2^24,     ssthresh = snd_ssthresh + ssthresh_frac / 2^24
 *
 * Differences from the Rust frame, for every controller:
 *
 *  1. A loss reduces the window gradually (Linux's proportional rate reduction), to ssthresh when the repair ends.
 *  2. A window is at most 2^21 segments (Rust: 2^30). A receiver's window of 2^30 bytes has fewer segments than 2^21,
 *     unless segments have less than 512 bytes.
 *  3. A change of the segment size leaves the number of segments unchanged.
 *  4. `growth_limit` is unlimited by default, as in Linux: with GRO, one ACK covers dozens of segments.
 *  5. Slow start is classic, losses are congestion, and there is no Careful Resume, except where a controller says so.
 *  6. An ECN mark is answered like a loss (no beta_ecn).
 *  7. If an idle period exceeds the RTO, Linux reduces the window itself (tcp_slow_start_after_idle).
 *  8. Linux sets the pacing rate: 2 W/SRTT below ssthresh/2 and 1.2 W/SRTT above (tcp_update_pacing_rate).
 *
 * Domain: windows below 2^21 segments, RTTs from 1 us to 2^31 us.
 */
#ifndef BENTPIPE_WINDOW_H
#define BENTPIPE_WINDOW_H

#include "fixed.h"
#include "kernel.h"
#include "parameters.h"

#define MAX_WINDOW_Q24 (1ULL << 45)
#define MIN_WINDOW_Q24 Q24
/* RFC 5681, equation 4 */
#define MIN_SSTHRESH_Q24 (2 * Q24)
#define UNKNOWN_US 0xffffffffU
#define UNSET_Q24 (~0ULL)

struct window {
	u32 cwnd_frac;
	u32 ssthresh_frac;
	/* cwnd_frac before the newest reduction. */
	u32 prior_frac;
	/* The threshold after a repair that leaves the window unchanged; 0: none such. */
	u32 later_ssthresh;
	/* Smallest RTT of the connection; UNKNOWN_US before the first sample. */
	u32 min_rtt_us;
	/* No loss has happened yet; the same before the newest reduction. */
	u8 initial;
	u8 prior_initial;
	/* Whether the window limited sending when the newest ACK arrived. */
	u8 limited;
	/* Whether the newest loss was judged a link error. */
	u8 link_error;
};

/* The connection starts. Without a queue discipline that paces, TCP's own timer does it. */
static __always_inline void window_init(struct sock *sk, struct window *w, bool paced)
{
	*w = (struct window){ .min_rtt_us = UNKNOWN_US, .initial = 1, .prior_initial = 1 };
	if (paced && sk->sk_pacing_status == SK_PACING_NONE)
		sk->sk_pacing_status = SK_PACING_NEEDED;
}

static __always_inline u64 cwnd_q24(const struct tcp_sock *tp, const struct window *w)
{
	return ((u64)tp->snd_cwnd << 24) + w->cwnd_frac;
}

static __always_inline u64 ssthresh_q24(const struct tcp_sock *tp, const struct window *w)
{
	if (tp->snd_ssthresh >= TCP_INFINITE_SSTHRESH)
		return UNSET_Q24;
	return ((u64)tp->snd_ssthresh << 24) + w->ssthresh_frac;
}

static __always_inline bool in_slow_start(const struct tcp_sock *tp, const struct window *w)
{
	return cwnd_q24(tp, w) < ssthresh_q24(tp, w);
}

static __always_inline void set_cwnd(struct tcp_sock *tp, struct window *w, u64 q24)
{
	q24 = clamp_u64(q24, MIN_WINDOW_Q24, MAX_WINDOW_Q24);
	tp->snd_cwnd = q24 >> 24;
	w->cwnd_frac = q24 & (Q24 - 1);
}

static __always_inline void set_ssthresh(struct tcp_sock *tp, struct window *w, u64 q24)
{
	q24 = clamp_u64(q24, MIN_SSTHRESH_Q24, MAX_WINDOW_Q24);
	tp->snd_ssthresh = q24 >> 24;
	w->ssthresh_frac = q24 & (Q24 - 1);
}

/* Grows by `growth_q24`, but not above `limit_q24`. Never shrinks. */
static __always_inline void grow(struct tcp_sock *tp, struct window *w, u64 growth_q24, u64 limit_q24)
{
	u64 from = cwnd_q24(tp, w);

	set_cwnd(tp, w, max_u64(from, min_u64(from + min_u64(growth_q24, MAX_WINDOW_Q24), limit_q24)));
}

/* Stores what an ACK reports. Called first in pkts_acked. Returns the RTT sample, us; 0 without one. */
static __always_inline u32 window_observe(const struct tcp_sock *tp, struct window *w, const struct ack_sample *sample)
{
	s32 rtt_us = sample->rtt_us;

	w->limited = is_cwnd_limited(tp);
	if (rtt_us <= 0)
		return 0;
	if ((u32)rtt_us < w->min_rtt_us)
		w->min_rtt_us = rtt_us;
	return rtt_us;
}

/* RFC 5681's FlightSize, q24: the window while it limits sending. */
static __always_inline u64 flight_q24(const struct tcp_sock *tp, const struct window *w)
{
	u64 cwnd = cwnd_q24(tp, w);

	return w->limited ? cwnd : min_u64(cwnd, (u64)tp->packets_out << 24);
}

/* Stores the state for an undo and returns the new threshold, as `ssthresh` does. The repair ends with W = ssthresh,
 * including the fraction.
 */
static __always_inline u32 reduce(const struct tcp_sock *tp, struct window *w, u64 threshold_q24)
{
	threshold_q24 = clamp_u64(threshold_q24, MIN_SSTHRESH_Q24, MAX_WINDOW_Q24);
	w->prior_frac = w->cwnd_frac;
	w->prior_initial = w->initial;
	w->initial = 0;
	w->later_ssthresh = 0;
	w->ssthresh_frac = threshold_q24 & (Q24 - 1);
	if (threshold_q24 < cwnd_q24(tp, w))
		w->cwnd_frac = w->ssthresh_frac;
	return threshold_q24 >> 24;
}

/* Like `reduce`, for a loss after which the window stays and the threshold is at least the window. Linux ends a repair
 * with W = ssthresh, so the threshold becomes valid when the repair has ended (window_now).
 */
static __always_inline u32 keep_window(const struct tcp_sock *tp, struct window *w, u64 threshold_q24)
{
	w->prior_frac = w->cwnd_frac;
	w->prior_initial = w->initial;
	w->later_ssthresh = TCP_INFINITE_SSTHRESH;
	if (threshold_q24 != UNSET_Q24) {
		threshold_q24 = clamp_u64(threshold_q24, MIN_SSTHRESH_Q24, MAX_WINDOW_Q24);
		w->later_ssthresh = threshold_q24 >> 24;
		w->ssthresh_frac = threshold_q24 & (Q24 - 1);
	}
	return tp->snd_cwnd;
}

/* A reduction to `threshold_q24`, or none if the threshold is above the window. */
static __always_inline u32 reduce_to(const struct tcp_sock *tp, struct window *w, u64 threshold_q24)
{
	u32 kept;

	if (threshold_q24 <= cwnd_q24(tp, w))
		return reduce(tp, w, threshold_q24);
	kept = keep_window(tp, w, threshold_q24);
	w->initial = 0;
	return kept;
}

/* A loss that is a link error: window and threshold stay. */
static __always_inline u32 ignore_loss(const struct tcp_sock *tp, struct window *w)
{
	w->link_error = 1;
	return keep_window(tp, w, ssthresh_q24(tp, w));
}

/* set_state */
static __always_inline void window_state(struct window *w, u8 state)
{
	if (state == TCP_CA_Loss)
		w->later_ssthresh = 0;
	if (state == TCP_CA_Open || state == TCP_CA_Loss)
		w->link_error = 0;
}

/* CA_EVENT_COMPLETE_CWR, after `keep_window`: Linux has just set W = ssthresh, after it has set the state to Open
 * (tcp_fastretrans_alert). CA_EVENT_LOSS likewise: a timeout has no repair that ends with W = ssthresh.
 */
static __always_inline void window_now(struct tcp_sock *tp, struct window *w)
{
	if (w->later_ssthresh)
		tp->snd_ssthresh = w->later_ssthresh;
	w->later_ssthresh = 0;
}

/* CA_EVENT_LOSS, for a controller whose threshold after a timeout is another: RFC 5681's half of the flight. */
static __always_inline void halve_at_timeout(struct tcp_sock *tp, struct window *w)
{
	u64 flight = ((u64)tp->prior_cwnd << 24) + w->prior_frac;

	if (!w->limited)
		flight = min_u64(flight, (u64)tp->packets_out << 24);
	set_ssthresh(tp, w, flight / 2);
	w->initial = 0;
}

/* CA_EVENT_LOSS, after `ssthresh`: Linux sets snd_cwnd to one segment more than is in flight. */
static __always_inline void window_timeout(struct window *w)
{
	w->cwnd_frac = 0;
}

/* The window after an undo, in segments. */
static __always_inline u32 window_undo(const struct tcp_sock *tp, struct window *w)
{
	w->initial = w->prior_initial;
	w->later_ssthresh = 0;
	if (tp->prior_cwnd < tp->snd_cwnd)
		return tp->snd_cwnd;
	w->cwnd_frac = w->prior_frac;
	return tp->prior_cwnd;
}

/* Time for rules that grow with time. It stops while the window does not limit sending (RFC 9438, section 5.8). */
struct clock {
	u64 now_us;
	/* When `now_us` was last set, on the socket's clock. */
	u64 read_us;
};

/* CA_EVENT_TX_START and the start of the connection: the time until now does not count. */
static __always_inline void clock_skip(const struct tcp_sock *tp, struct clock *clock)
{
	clock->read_us = tp->tcp_mstamp;
}

static __always_inline void clock_set(const struct tcp_sock *tp, struct clock *clock, const struct window *w)
{
	u64 now_us = tp->tcp_mstamp;

	if (w->limited)
		clock->now_us += minus(now_us, clock->read_us);
	clock->read_us = now_us;
}

#endif

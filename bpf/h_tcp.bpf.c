/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * H-TCP (R. Shorten, D. Leith, PFLDnet 2004) with the details of Linux's tcp_htcp.c. The twin of
 * crates/control/src/h_tcp.rs. beta is the fraction of the window that remains after a loss.
 *
 *   f(D)  = 1 for D <= 1 s, else 1 + 10 (D - 1) + ((D - 1)/2)^2           D: limited time since the newest event
 *   alpha = 2 (1 - beta) max(1, f(D) scale), scale = RTTmin/100 ms within [0.1, 2]
 *   beta  = RTTmin/RTTmax within [0.5, 0.8]; 0.5 at the first event, for RTTmin <= 10 ms, and if the largest throughput
 *           has changed by more than a fifth between two events
 *   avoidance: W += min(alpha/W, 1) per acknowledged segment      loss: ssthresh = beta W
 *
 * Domain: D up to 1000 s (later the growth stays), rates up to 2^24 segments/s.
 *
 * Differences from the Rust twin, in addition to those of window.h:
 *  1. There is no `reading`: the rules are the paper's, in real numbers. For Linux's arithmetic, use Linux's module
 *     tcp_htcp.
 *  2. The time since the newest event (for the throughput) and the time of the throughput wrap after 71 minutes.
 */
#include "include/ops.h"
#include "include/reno.h"
#include "include/storage.h"

FLAG(rtt_scaling, "rtt_scaling", true);
FLAG(bandwidth_switch, "bandwidth_switch", true);
FLAG(pacing, "pacing", false);

#define BETA_MIN_Q24 (Q24 / 2)
#define BETA_MAX_Q24 13421773
#define SHORT_RTT_US 10000
#define MAX_RTT_STEP_US 20000
/* D after which the growth stays. */
#define LONGEST_US (1000 * USEC_PER_SEC)

/* What an undo restores. */
struct state {
	/* D is 0: on the window's clock, and on the socket's. */
	u64 since_us;
	u32 event_us;
	u32 max_rtt_us;
	u32 beta_q24;
	/* The largest throughput before the newest event, 1/256 segment/s. */
	u32 previous_q8;
	/* Whether the throughput had not changed at the newest event. */
	u32 adaptive;
};

struct h_tcp {
	struct window w;
	u32 alpha_q8;
	struct clock clock;
	struct state now;
	/* Throughput: segments since `from_us`, the smoothed rate, and the largest since the newest event. */
	u32 acked;
	u32 from_us;
	u32 smoothed_q8;
	u32 largest_q8;
};
FITS_PRIVATE(struct h_tcp);
STORAGE(struct state)

static __always_inline void restart(const struct tcp_sock *tp, struct h_tcp *ca)
{
	ca->now.since_us = ca->clock.now_us;
	ca->now.event_us = tp->tcp_mstamp;
	ca->from_us = tp->tcp_mstamp;
	ca->acked = 0;
}

SEC("struct_ops")
void BPF_PROG(h_tcp_init, struct sock *sk)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);
	struct state *prior = storage_of(sk, true);

	window_init(sk, &ca->w, pacing);
	ca->clock.now_us = 1;
	clock_skip(tcp_sk(sk), &ca->clock);
	ca->alpha_q8 = 1 << 8;
	ca->now = (struct state){ .beta_q24 = BETA_MIN_Q24 };
	ca->smoothed_q8 = 0;
	ca->largest_q8 = 0;
	restart(tcp_sk(sk), ca);
	if (prior)
		*prior = ca->now;
}

/* A sample covers a window of segments less alpha, and at least RTTmin. */
static __always_inline void measure(const struct tcp_sock *tp, struct h_tcp *ca, u32 min_rtt_us, u32 acked)
{
	u32 now_us = tp->tcp_mstamp, elapsed_us = now_us - ca->from_us;
	u64 sample;

	ca->acked += acked;
	if ((u64)ca->acked << 24 < minus(cwnd_q24(tp, &ca->w), max_u64((u64)ca->alpha_q8 << 16, Q24)))
		return;
	if (min_rtt_us == 0 || elapsed_us < min_rtt_us || elapsed_us == 0)
		return;
	sample = min_u64(divide((u64)ca->acked * USEC_PER_SEC << 8, elapsed_us), 0xffffffffU);
	if (now_us - ca->now.event_us < 4 * min_rtt_us) {
		ca->smoothed_q8 = sample;
		ca->largest_q8 = sample;
	} else {
		ca->smoothed_q8 = (3ULL * ca->smoothed_q8 + sample) / 4;
		ca->largest_q8 = max_u64(ca->largest_q8, ca->smoothed_q8);
	}
	ca->acked = 0;
	ca->from_us = now_us;
}

SEC("struct_ops")
void BPF_PROG(h_tcp_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = window_observe(tp, &ca->w, sample), min_rtt_us;

	clock_set(tp, &ca->clock, &ca->w);
	if (BITFIELD(&tp->inet_conn, icsk_ca_state) >= TCP_CA_CWR) {
		restart(tp, ca);
		return;
	}
	min_rtt_us = ca->w.min_rtt_us == UNKNOWN_US ? 0 : ca->w.min_rtt_us;
	if (min_rtt_us > ca->now.max_rtt_us)
		ca->now.max_rtt_us = min_rtt_us;
	if (rtt_us > ca->now.max_rtt_us && rtt_us <= ca->now.max_rtt_us + MAX_RTT_STEP_US)
		ca->now.max_rtt_us = rtt_us;
	if (bandwidth_switch)
		measure(tp, ca, min_rtt_us, sample->pkts_acked);
}

/* alpha, q24. */
static __always_inline u64 alpha_q24(const struct h_tcp *ca)
{
	u64 d_us = min_u64(minus(ca->clock.now_us, ca->now.since_us), LONGEST_US), late_q20, f, scale = Q24;

	/* 2004 paper: 1 + 10 (D - Delta_L) + ((D - Delta_L)/2)^2 */
	late_q20 = divide(minus(d_us, USEC_PER_SEC) << 20, USEC_PER_SEC);
	f = Q24 + ((10 * late_q20) << 4) + ((late_q20 * late_q20) >> 18);
	if (rtt_scaling && ca->w.min_rtt_us != UNKNOWN_US)
		scale = clamp_u64(divide((u64)ca->w.min_rtt_us << 24, 100000), Q24 / 10, 2 * Q24);
	return mul_q24(max_u64(mul_q24(f, scale), Q24), 2 * (Q24 - ca->now.beta_q24));
}

SEC("struct_ops")
void BPF_PROG(h_tcp_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 alpha;

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w)) {
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
		return;
	}
	alpha = alpha_q24(ca);
	ca->alpha_q8 = alpha >> 16;
	grow(tp, &ca->w, min_u64(avoid(alpha, 1, cwnd_q24(tp, &ca->w)), Q24) * min_u64(acked, 1 << 16), MAX_WINDOW_Q24);
}

/* The fraction of the window that remains after an event. */
static __always_inline u32 backoff_q24(struct h_tcp *ca, u32 min_rtt_us)
{
	u32 previous = ca->now.previous_q8, largest = ca->largest_q8;

	if (bandwidth_switch) {
		ca->now.previous_q8 = largest;
		if (5ULL * (largest > previous ? largest - previous : previous - largest) > previous) {
			ca->now.adaptive = 0;
			return BETA_MIN_Q24;
		}
	}
	if (!ca->now.adaptive || min_rtt_us <= SHORT_RTT_US || ca->now.max_rtt_us == 0) {
		ca->now.adaptive = 1;
		return BETA_MIN_Q24;
	}
	return clamp_u64(ratio_q24(min_rtt_us, ca->now.max_rtt_us), BETA_MIN_Q24, BETA_MAX_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(h_tcp_ssthresh, struct sock *sk)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);
	struct tcp_sock *tp = tcp_sk(sk);
	struct state *prior = storage_of(sk, false);
	u32 min_rtt_us = ca->w.min_rtt_us == UNKNOWN_US ? 0 : ca->w.min_rtt_us;

	if (prior)
		*prior = ca->now;
	clock_set(tp, &ca->clock, &ca->w);
	ca->now.beta_q24 = backoff_q24(ca, min_rtt_us);
	ca->now.max_rtt_us = min_rtt_us + divide(19ULL * minus(ca->now.max_rtt_us, min_rtt_us), 20);
	restart(tp, ca);
	return reduce(tp, &ca->w, mul_q24(flight_q24(tp, &ca->w), ca->now.beta_q24));
}

SEC("struct_ops")
void BPF_PROG(h_tcp_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);

	if (ev == CA_EVENT_TX_START)
		clock_skip(tcp_sk(sk), &ca->clock);
	if (ev == CA_EVENT_LOSS)
		window_timeout(&ca->w);
}

SEC("struct_ops")
u32 BPF_PROG(h_tcp_undo_cwnd, struct sock *sk)
{
	struct h_tcp *ca = PRIVATE(sk, struct h_tcp);
	struct state *prior = storage_of(sk, false);

	if (prior)
		ca->now = *prior;
	return window_undo(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(h_tcp)
CONTROLLER_OPS(h_tcp);

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * BIC (L. Xu, K. Harfoush, I. Rhee, INFOCOM 2004). The twin of crates/control/src/bic.rs. beta is the fraction by which
 * a loss reduces the window.
 *
 *   W < low_window: as Reno
 *   per round trip: (W_max - W)/2 within [s_min, s_max] below W_max; from W_max on probe_start, then twice the round
 *                   before, up to s_max; s_max while no W_max is known
 *   avoidance: W += acked increment/W of the round's beginning
 *   loss: W_max = W, or W (2 - beta)/2 if W < W_max; ssthresh = (1 - beta) W      timeout: W_max forgotten
 *
 * Domain: increments from 1/65536 to 65535 segments per round trip.
 *
 * Differences from the Rust twin, in addition to those of window.h: none.
 */
#include "include/ops.h"
#include "include/reno.h"
#include "include/round.h"

PARAMETER(low_window_q8, "low_window", 14, 256, 1, 1000000, "segments");
PARAMETER(s_max_q16, "s_max", 32, 65536, 0.1, 65535, "segments");
PARAMETER(s_min_q16, "s_min", 0.01, 65536, 0.0001, 1000, "segments");
PARAMETER(probe_start_q16, "probe_start", 1, 65536, 0.0001, 1000, "segments");
PARAMETER(beta_q24, "beta", 0.125, 16777216, 0.01, 0.9, "none");
FLAG(fast_convergence, "fast_convergence", true);
FLAG(midpoint_per_ack, "midpoint_per_ack", false);
FLAG(pacing, "pacing", false);

/* Rounded growth may leave the window this far below W_max: 1/4096 segment. */
#define ROUNDING_Q24 (Q24 >> 12)

/* What an undo restores. */
struct search {
	/* 0 before the first loss and after a timeout. */
	u64 w_max_q24;
	/* Increment of this round at and above W_max, segments; 0 below. */
	u64 probe_q24;
	/* Growth per acknowledged segment; 0 from a loss until the next ACK. */
	u64 step_q24;
};

struct bic {
	struct window w;
	u32 round_end;
	u32 round_start;
	struct search now;
	struct search prior;
};
FITS_PRIVATE(struct bic);

SEC("struct_ops")
void BPF_PROG(bic_init, struct sock *sk)
{
	struct bic *ca = PRIVATE(sk, struct bic);

	window_init(sk, &ca->w, pacing);
	ca->round_end = tcp_sk(sk)->snd_nxt;
	ca->round_start = 0;
	ca->now = (struct search){ 0 };
	ca->prior = ca->now;
}

SEC("struct_ops")
void BPF_PROG(bic_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct bic *ca = PRIVATE(sk, struct bic);

	window_observe(tcp_sk(sk), &ca->w, sample);
	ca->round_start = round_starts(tcp_sk(sk), &ca->round_end);
}

/* Growth of a round trip that begins at `cwnd`, q24. */
static __always_inline u64 increment(struct search *now, u64 cwnd)
{
	u64 s_max = (u64)s_max_q16 << 8;

	if (now->w_max_q24 == 0)
		return s_max;
	if (cwnd + ROUNDING_Q24 < now->w_max_q24)
		return min_u64(max_u64((now->w_max_q24 - cwnd) / 2, (u64)s_min_q16 << 8), s_max);
	now->probe_q24 = min_u64(now->probe_q24 ? 2 * now->probe_q24 : (u64)probe_start_q16 << 8, s_max);
	return now->probe_q24;
}

static __always_inline u64 avoidance(struct bic *ca, u32 acked, u64 cwnd)
{
	struct search *now = &ca->now;

	if (cwnd < (u64)low_window_q8 << 16)
		return avoid(Q24, acked, cwnd);
	if (now->step_q24 == 0 || ca->round_start || (midpoint_per_ack && cwnd < now->w_max_q24))
		now->step_q24 = ratio_q24(increment(now, cwnd), cwnd);
	return now->step_q24 * min_u64(acked, 1 << 16);
}

SEC("struct_ops")
void BPF_PROG(bic_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct bic *ca = PRIVATE(sk, struct bic);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoidance(ca, acked, cwnd_q24(tp, &ca->w)), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(bic_ssthresh, struct sock *sk)
{
	struct bic *ca = PRIVATE(sk, struct bic);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 cwnd = cwnd_q24(tp, &ca->w), flight = flight_q24(tp, &ca->w);
	bool shrinking = fast_convergence && cwnd < ca->now.w_max_q24;

	ca->prior = ca->now;
	ca->now = (struct search){ .w_max_q24 = shrinking ? mul_q24(cwnd, (2 * Q24 - beta_q24) / 2) : cwnd };
	if (cwnd < (u64)low_window_q8 << 16)
		return reduce(tp, &ca->w, flight / 2);
	return reduce(tp, &ca->w, mul_q24(flight, Q24 - beta_q24));
}

SEC("struct_ops")
void BPF_PROG(bic_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct bic *ca = PRIVATE(sk, struct bic);

	if (ev == CA_EVENT_LOSS) {
		window_timeout(&ca->w);
		ca->now = (struct search){ 0 };
	}
}

SEC("struct_ops")
u32 BPF_PROG(bic_undo_cwnd, struct sock *sk)
{
	struct bic *ca = PRIVATE(sk, struct bic);

	ca->now = ca->prior;
	return window_undo(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(bic)
CONTROLLER_OPS(bic);

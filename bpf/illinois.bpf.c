/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * TCP-Illinois (S. Liu, T. Basar, R. Srikant, Performance Evaluation 65, 2008) with Linux's defaults. The twin of
 * crates/control/src/illinois.rs.
 *
 *   once per round trip: d_a = mean(RTT) - RTTmin, d_m = RTTmax - RTTmin, d_i = eta_i d_m
 *   alpha = alpha_max if d_a <= d_1 (once above: after theta such rounds), else
 *           (d_m - d_1) alpha_max / ((d_m - d_1) + (d_a - d_1) (alpha_max - alpha_min)/alpha_min)
 *   beta  = beta_min if d_a <= d_2, beta_max if d_a >= d_3, linear between
 *   W < win_thresh: alpha = 1, beta = 1/2        avoidance: W += alpha acked/W        loss: ssthresh = (1 - beta) W
 *
 * Domain: alpha up to 1000, delays below 2^31 us.
 *
 * Differences from the Rust twin, in addition to those of window.h:
 *  1. There is no `reading`: the rules are the paper's, with real numbers in 1/2^24. For Linux's arithmetic, use Linux's
 *     module tcp_illinois.
 *  2. eta_1 to eta_3 are constants.
 */
#include "include/ops.h"
#include "include/reno.h"
#include "include/round.h"

PARAMETER(alpha_min_q16, "alpha_min", 0.3, 65536, 0.01, 1, "segments");
PARAMETER(alpha_max_q16, "alpha_max", 10, 65536, 1, 1000, "segments");
PARAMETER(beta_min_q24, "beta_min", 0.125, 16777216, 0.01, 0.5, "none");
PARAMETER(beta_max_q24, "beta_max", 0.5, 16777216, 0.1, 0.9, "none");
PARAMETER(win_thresh_q8, "win_thresh", 15, 256, 0, 1000000, "segments");
PARAMETER(theta, "theta", 5, 1, 1, 1000000, "rounds");
FLAG(pacing, "pacing", false);

/* What an undo restores. */
struct curves {
	u32 alpha_q16;
	u32 beta_q24;
	/* Whether the delay has exceeded d_1, and the rounds since then with a delay below d_1. */
	u32 above;
	u32 low;
};

struct illinois {
	struct window w;
	struct curves now;
	struct curves prior;
	u32 round_end;
	u32 max_rtt_us;
	u32 samples;
	u64 sum_us;
};
FITS_PRIVATE(struct illinois);

static __always_inline void reset_samples(struct illinois *ca)
{
	ca->sum_us = 0;
	ca->samples = 0;
}

SEC("struct_ops")
void BPF_PROG(illinois_init, struct sock *sk)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);

	window_init(sk, &ca->w, pacing);
	/* As in Linux, the connection begins with alpha_max and Reno's beta. */
	ca->now = (struct curves){ .alpha_q16 = alpha_max_q16, .beta_q24 = Q24 / 2 };
	ca->prior = ca->now;
	ca->round_end = tcp_sk(sk)->snd_nxt;
	ca->max_rtt_us = 0;
	reset_samples(ca);
}

static __always_inline bool is_waiting(struct curves *now, bool low)
{
	if (!low) {
		now->above = 1;
	} else if (now->above) {
		if (++now->low < theta)
			return true;
		now->above = 0;
		now->low = 0;
	}
	return false;
}

/* The end of a round trip. Delays of 2^31 us times 100 have 38 bits. */
static __always_inline void update(const struct tcp_sock *tp, struct illinois *ca)
{
	struct curves *now = &ca->now;
	u64 d_a, d_m, late, span;

	if (cwnd_q24(tp, &ca->w) < (u64)win_thresh_q8 << 16) {
		now->alpha_q16 = Q16;
		now->beta_q24 = Q24 / 2;
		return;
	}
	if (ca->samples == 0)
		return;
	d_a = minus(100 * ca->sum_us / ca->samples, 100ULL * ca->w.min_rtt_us);
	d_m = minus(ca->max_rtt_us, ca->w.min_rtt_us);
	if (!is_waiting(now, d_a <= d_m)) {
		now->alpha_q16 = alpha_max_q16;
		if (d_a > d_m) {
			/* In hundredths: d_1 = d_m, d_m = 100 d_m. */
			late = d_a - d_m;
			span = 99 * d_m;
			now->alpha_q16 = divide(span * alpha_max_q16,
						span + late * (alpha_max_q16 - alpha_min_q16) / alpha_min_q16);
		}
	}
	if (d_a <= 10 * d_m)
		now->beta_q24 = beta_min_q24;
	else if (d_a >= 80 * d_m)
		now->beta_q24 = beta_max_q24;
	else
		now->beta_q24 = beta_min_q24 + (u64)(beta_max_q24 - beta_min_q24) * (d_a - 10 * d_m) / (70 * d_m);
}

SEC("struct_ops")
void BPF_PROG(illinois_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = window_observe(tp, &ca->w, sample);

	if (rtt_us) {
		ca->sum_us += rtt_us;
		ca->samples++;
		if (rtt_us > ca->max_rtt_us)
			ca->max_rtt_us = rtt_us;
	}
	if (round_starts(tp, &ca->round_end)) {
		update(tp, ca);
		reset_samples(ca);
	}
}

SEC("struct_ops")
void BPF_PROG(illinois_cong_avoid, struct sock *sk, u32 ack, u32 acked)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, avoid((u64)ca->now.alpha_q16 << 8, acked, cwnd_q24(tp, &ca->w)), MAX_WINDOW_Q24);
}

SEC("struct_ops")
u32 BPF_PROG(illinois_ssthresh, struct sock *sk)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);
	struct tcp_sock *tp = tcp_sk(sk);

	ca->prior = ca->now;
	return reduce(tp, &ca->w, mul_q24(flight_q24(tp, &ca->w), Q24 - ca->now.beta_q24));
}

SEC("struct_ops")
void BPF_PROG(illinois_cwnd_event, struct sock *sk, enum tcp_ca_event ev)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);

	if (ev == CA_EVENT_LOSS) {
		window_timeout(&ca->w);
		ca->now = (struct curves){ .alpha_q16 = Q16, .beta_q24 = Q24 / 2 };
		reset_samples(ca);
	}
}

SEC("struct_ops")
u32 BPF_PROG(illinois_undo_cwnd, struct sock *sk)
{
	struct illinois *ca = PRIVATE(sk, struct illinois);

	ca->now = ca->prior;
	return window_undo(tcp_sk(sk), &ca->w);
}

PLAIN_STATE(illinois)
CONTROLLER_OPS(illinois);

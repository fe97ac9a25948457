/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * CUBIC (RFC 9438): the twin of crates/control/src/cubic.rs, for controllers that change CUBIC around path changes.
 *
 *   W_cubic(t) = C (t - K)^3 + W_max, K = cbrt((W_max - W_epoch)/C), divided by `k_divisor`
 *   W_est += alpha acked/W, alpha = 3 (1 - beta)/(1 + beta), from the window before the newest loss on 1
 *   avoidance: W = W_est if W_cubic(t) < W_est, else W += (W_cubic(t + RTT) - W)/W per segment, at most 1.5 W
 *   loss: W_max = W, or W (1 + beta)/2 below the last W_max; ssthresh = beta W
 *
 * Domain: as cubic_curve.h.
 *
 * Difference from the Rust twin: after an undo, a new stage begins with the earlier W_max.
 */
#ifndef BENTPIPE_CUBIC_H
#define BENTPIPE_CUBIC_H

#include "cubic_curve.h"
#include "ops.h"
#include "reno.h"

PARAMETER(c_q16, "c", 0.4, 65536, 0.0001, 100, "segments/s^3");
PARAMETER(beta_q24, "beta", 0.7, 16777216, 0.1, 0.95, "none");
FLAG(fast_convergence, "fast_convergence", true);
FLAG(pacing, "pacing", false);

struct cubic {
	struct window w;
	/* K of the stage, us: at most 173 s for C = 0.4. */
	u32 k_us;
	struct clock clock;
	/* The stage that runs; start_us = 0: none. */
	u64 start_us;
	u64 plateau_q24;
	u64 w_est_q24;
	/* W_max and the window at the newest reduction, and before it; 0 without a loss and after a timeout. */
	u64 w_max_q24;
	u64 before_q24;
	u64 prior_w_max_q24;
	u64 prior_before_q24;
};
FITS_PRIVATE(struct cubic);

static __always_inline void cubic_init(struct sock *sk)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);

	window_init(sk, &ca->w, pacing);
	ca->clock.now_us = 1;
	clock_skip(tcp_sk(sk), &ca->clock);
	ca->start_us = 0;
	ca->w_max_q24 = 0;
	ca->before_q24 = 0;
	ca->prior_w_max_q24 = 0;
	ca->prior_before_q24 = 0;
}

static __always_inline void cubic_pkts_acked(struct sock *sk, const struct ack_sample *sample)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);

	window_observe(tcp_sk(sk), &ca->w, sample);
	clock_set(tcp_sk(sk), &ca->clock, &ca->w);
}

static __always_inline u64 cubic_avoidance(struct cubic *ca, const struct tcp_sock *tp, u32 acked, u32 k_divisor)
{
	u64 cwnd = cwnd_q24(tp, &ca->w), k_us, t_us, alpha = Q24, target;

	if (ca->start_us == 0) {
		ca->start_us = ca->clock.now_us;
		ca->w_est_q24 = cwnd;
		/* Sections 4.8 and 4.10: without a loss and after a timeout, K = 0 and W_max = W. */
		ca->plateau_q24 = ca->w_max_q24 ? ca->w_max_q24 : cwnd;
		k_us = cubic_k_us(minus(ca->plateau_q24, cwnd), c_q16);
		/* Rounded up by its error and the curve's: with K rounded down, W_cubic(0) would exceed W_est. */
		k_us = k_us ? k_us + (k_us >> 14) + 62 : 0;
		ca->k_us = min_u64(k_us / k_divisor, 0xffffffffU);
	}
	/* Section 4.3: alpha is 1 after W_est has reached the window before the loss. */
	if (ca->w_est_q24 < ca->before_q24)
		alpha = 3 * (Q24 - beta_q24) * Q24 / (Q24 + beta_q24);
	ca->w_est_q24 = min_u64(ca->w_est_q24 + avoid(alpha, acked, cwnd), MAX_WINDOW_Q24);
	t_us = min_u64(minus(ca->clock.now_us, ca->start_us), 1ULL << 36);
	if (cubic_w_q24(c_q16, t_us, ca->k_us, ca->plateau_q24) < ca->w_est_q24)
		return minus(ca->w_est_q24, cwnd);
	target = cubic_w_q24(c_q16, t_us + (tp->srtt_us >> 3), ca->k_us, ca->plateau_q24);
	target = clamp_u64(target, cwnd, cwnd + cwnd / 2);
	return ratio_q24(target - cwnd, cwnd) * min_u64(acked, 1 << 16);
}

static __always_inline void cubic_cong_avoid(struct sock *sk, u32 acked, u32 k_divisor)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!is_cwnd_limited(tp))
		return;
	if (in_slow_start(tp, &ca->w))
		grow(tp, &ca->w, reno_slow_start(acked), ssthresh_q24(tp, &ca->w));
	else
		grow(tp, &ca->w, cubic_avoidance(ca, tp, acked, k_divisor), MAX_WINDOW_Q24);
}

static __always_inline u32 cubic_ssthresh(struct sock *sk)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 cwnd = cwnd_q24(tp, &ca->w);

	clock_set(tp, &ca->clock, &ca->w);
	ca->prior_w_max_q24 = ca->w_max_q24;
	ca->prior_before_q24 = ca->before_q24;
	/* Section 4.7 */
	ca->w_max_q24 = fast_convergence && cwnd < ca->w_max_q24 ? mul_q24(cwnd, (Q24 + beta_q24) / 2) : cwnd;
	ca->before_q24 = cwnd;
	ca->start_us = 0;
	return reduce(tp, &ca->w, mul_q24(flight_q24(tp, &ca->w), beta_q24));
}

/* A timeout: W_max is forgotten. */
static __always_inline void cubic_timeout(struct sock *sk)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);

	ca->w_max_q24 = 0;
	ca->start_us = 0;
}

static __always_inline void cubic_cwnd_event(struct sock *sk, enum tcp_ca_event ev)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);

	if (ev == CA_EVENT_TX_START)
		clock_skip(tcp_sk(sk), &ca->clock);
	if (ev == CA_EVENT_LOSS)
		window_timeout(&ca->w);
}

static __always_inline u32 cubic_undo_cwnd(struct sock *sk)
{
	struct cubic *ca = PRIVATE(sk, struct cubic);

	ca->w_max_q24 = ca->prior_w_max_q24;
	ca->before_q24 = ca->prior_before_q24;
	ca->start_us = 0;
	return window_undo(tcp_sk(sk), &ca->w);
}

#endif
